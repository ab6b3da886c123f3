"""Public cases (groups A and D) that a file can show and no other module here tests.

Each name begins with the id of its case.
"""

import io
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner
from openpyxl.worksheet.datavalidation import DataValidation

from review.test_generic import CLEAN, sheet
from review.workbooks import (
    BUDGET,
    above_info,
    at,
    edited,
    filled,
    packed,
    parts_of,
    proposal,
    put,
    put_at,
    reviewed,
    said,
    sheet_part,
    with_value,
    with_xml,
)
from scalesheet_workbooks.build import build
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.reports import report

TOTAL = "calc.train_cost"


def with_formula(sheet_: str, cell: str, formula: str, value: float) -> bytes:
    """A file with a formula and its stored value put into an empty cell."""
    part = sheet_part(sheet_)
    text = parts_of(filled())[part].decode()
    row = "".join(letter for letter in cell if letter.isdigit())
    new = f'<row r="{row}"><c r="{cell}"><f>{formula}</f><v>{value}</v></c></row>'
    changed = text.replace("</sheetData>", f"{new}</sheetData>")
    return packed(parts_of(filled()) | {part: changed.encode()})


def test_a01_a_file_with_formulas_that_were_skipped_is_not_clean() -> None:
    """What only the program that stored it can calculate is said, and is no stale value."""
    review = reviewed(with_formula("Notes", "B900", "CUBEVALUE(&quot;a&quot;,1)", 7))
    assert [(one.rule.id, one.where) for one in above_info(review)] == [("R323", "Notes!B900")]
    assert review.recount.not_calculated == 1
    assert review.at_least("low")


def test_a01_the_same_in_a_workbook_of_no_template() -> None:
    parts = parts_of(_saved([["x", 1]]))
    text = parts["xl/worksheets/sheet1.xml"].decode()
    formula = '<c r="C1"><f>CUBEVALUE("a",1)</f><v>7</v></c></row>'
    parts["xl/worksheets/sheet1.xml"] = text.replace("</row>", formula, 1).encode()
    assert [one.rule.id for one in above_info(reviewed(packed(parts)))] == ["R323"]


def _saved(rows: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def test_a06_what_is_no_number_is_never_taken_for_one() -> None:
    data = with_xml(sheet_part("Inputs"), "<v>207</v>", "<v>NaN</v>")
    (found,) = above_info(reviewed(data))
    assert (found.rule.id, found.severity) == ("I201", "high")
    assert found.where == "!".join(at("in.storage"))


@pytest.mark.parametrize("text", ['=HYPERLINK("http://192.0.2.1","y")', "-5%", "@team", "+1 run"])
def test_a07_texts_that_look_like_formulas_stay_texts(text: str) -> None:
    """In the workbook they are text cells, and in the review's own workbook too."""
    study = proposal()
    first = replace(study.scenarios[0], name=text)
    data = build(BUDGET, replace(study, scenarios=(first, *study.scenarios[1:]), owner=text))
    review = reviewed(data)
    assert said(above_info(review)) == []
    assert review.totals[0].scenario == text
    book = openpyxl.load_workbook(io.BytesIO(report([review], "xlsx")))
    cells = [cell for sheet_ in book.worksheets for row in sheet_.iter_rows() for cell in row]
    assert [cell.data_type for cell in cells if cell.value == text]
    assert "f" not in {cell.data_type for cell in cells if cell.value == text}


@pytest.mark.parametrize("spelling", ["@{}", "_xlfn.{}", "+{}", "1*{}"])
def test_a12_one_formula_in_the_spellings_of_programs(spelling: str) -> None:
    """=@MIN(..), =_xlfn.MIN(..) and =+MIN(..) are =MIN(..); times one is another formula."""
    formula = openpyxl.load_workbook(io.BytesIO(filled()))["Cover"]["B5"].value[1:]
    found = above_info(reviewed(edited(put_at("Cover", "B5", f"={spelling.format(formula)}"))))
    expected = ["S102"] if spelling == "1*{}" else []
    assert [one.rule.id for one in found] == expected, (formula, said(found))


def test_a14_rows_after_a_gap_count() -> None:
    gap: list[list[Any]] = [[None, None]] * 600
    found = above_info(sheet(*[["a", 1]] * 200, *gap, ["GPU", "=$8*$80000"]))
    assert [(one.rule.id, one.where) for one in found] == [("S105", "Costs!B801")]


def test_a19_a_print_area_that_is_named_twice() -> None:
    name = '<definedName name="_xlnm.Print_Area" localSheetId="0">Cover!$A$1:$C$3</definedName>'
    data = with_xml("xl/workbook.xml", "</definedNames>", f"{2 * name}</definedNames>")
    assert said(above_info(reviewed(data))) == []


def test_d01_rows_that_change_places_are_one_notice() -> None:
    """Storage and egress swapped on Inputs, as cutting and pasting does it: formulas follow."""
    first, second = (int(at(line)[1][1:]) for line in ("in.storage", "in.egress"))

    def follow(formula: str, home: str) -> str:
        for old, new in ((first, 9_001), (second, first), (9_001, second)):
            for column in "BCDEFGHIJK":
                for dollar in ("", "$"):
                    cell = f"{dollar}{column}{dollar}"
                    where = ("Inputs!",) if home != "Inputs" else ("Inputs!", "")
                    for prefix in where:
                        formula = _replaced(formula, f"{prefix}{cell}{old}", f"{prefix}{cell}{new}")
        return formula

    def edit(book: openpyxl.Workbook) -> None:
        ws = book["Inputs"]
        for column in range(1, ws.max_column + 1):
            one, other = ws.cell(first, column), ws.cell(second, column)
            one.value, other.value = other.value, one.value
        for other_sheet in book.worksheets:
            for row in other_sheet.iter_rows():
                for cell in row:
                    if cell.data_type == "f":
                        cell.value = follow(str(cell.value), other_sheet.title)

    review = reviewed(edited(edit))
    assert said(above_info(review)) == []
    assert [one.where for one in review.findings if one.rule.id == "S165"] == ["Inputs"]
    assert review.totals == reviewed(edited()).totals


def _replaced(formula: str, old: str, new: str) -> str:
    """A reference put in place of another, where it stands alone."""
    import re

    return re.sub(rf"(?<![A-Za-z0-9_!$]){re.escape(old)}(?![0-9])", new, formula)


def test_d02_the_last_digits_of_a_number_are_no_difference() -> None:
    """27,957 as another program adds it up."""
    assert said(above_info(reviewed(with_value(*at(TOTAL), 27957.000000004)))) == []
    assert above_info(reviewed(with_value(*at(TOTAL), 27957.01)))


def test_d02_an_equal_formula_of_another_form_is_said_and_moves_nothing() -> None:
    row = int(at("calc.fixed_costs")[1][1:])
    (found,) = above_info(
        reviewed(edited(put("calc.fixed_costs", "E", f"=SUM(E{row - 2}:E{row - 1})")))
    )
    assert (found.rule.id, found.effect) == ("S102", None)


def test_d03_a_first_sheet_that_is_hidden() -> None:
    """Sheets are known by what they are, not by their place."""
    review = reviewed(edited(lambda book: setattr(book["Cover"], "sheet_state", "hidden")))
    assert said(above_info(review)) == []
    assert ("S131", "Cover") in [(one.rule.id, one.where) for one in review.findings]
    assert review.totals == reviewed(edited()).totals


def test_d06_money_that_a_formula_makes_a_text() -> None:
    (found,) = above_info(reviewed(edited(put("in.storage", "E", '=TEXT(4800,"$#,##0")'))))
    assert (found.rule.id, found.seen) == ("I202", '"$4,800"')
    assert found.remedy == "type 4,800 as a number"


def test_d06_identifiers_are_no_money() -> None:
    assert said(above_info(sheet(*CLEAN, ["Cost centre", "4711", None, None]))) == []


def test_d10_a_file_of_another_template_is_named_as_such() -> None:
    review = reviewed(build("function_check"))
    assert report([review], "text").decode().splitlines()[1].split()[:2] == [
        "Recognised",
        "function_check",
    ]


def test_d13_a_validation_written_in_another_way_is_the_same() -> None:
    """LibreOffice adds a second formula of 0 to a list, and of: to others (workbooks.md 3.2)."""

    def edit(book: openpyxl.Workbook) -> None:
        for rule in book["Inputs"].data_validations.dataValidation:
            if rule.type == "list":
                rule.formula2 = "0"

    assert said(above_info(reviewed(edited(edit)))) == []

    def odd(book: openpyxl.Workbook) -> None:
        rules = book["Inputs"].data_validations.dataValidation
        rules.append(DataValidation("custom", formula1="of:=[.E5]>0", sqref="M50"))

    assert said(above_info(reviewed(edited(odd)))) == []


@pytest.mark.parametrize("formula", ["=OFFSET(A1,0,0)", '=INDIRECT("A1")', "=RAND()", "=NOW()"])
def test_d15_what_changes_by_itself_is_listed(formula: str) -> None:
    found = above_info(reviewed(edited(put("in.storage", "E", formula))))
    assert [one.rule.id for one in found] == ["S142"]


def test_d18_a_word_in_an_input_that_is_not_used_is_only_low() -> None:
    """N/A, where the picked method needs nothing: no total hangs on it."""
    found = above_info(reviewed(edited(put("in.pilot_nodes", "E", "N/A"))))
    assert [(one.rule.id, one.severity) for one in found] == [("I202", "low")]


def test_d18_a_pick_in_another_case_is_taken_and_with_blanks_is_named() -> None:
    assert said(above_info(reviewed(edited(put("in.efficiency_method", "E", "Typed"))))) == []
    (found,) = above_info(reviewed(edited(put("in.efficiency_method", "E", " typed "))))
    assert (found.rule.id, found.remedy) == ("I205", 'type "typed"')


def test_d20_the_help_says_what_is_not_run() -> None:
    text = CliRunner().invoke(main, ["review", "--help"]).output
    assert "macros and links are listed, never run" in " ".join(text.split())
