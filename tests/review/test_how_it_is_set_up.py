"""How a file is set up: names of one sheet, rules that only warn, rounding, formats, passwords."""

import io
import re

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from review import clusters
from review.workbooks import (
    Edit,
    above_info,
    at,
    edited,
    filled,
    packed,
    parts_of,
    reviewed,
    said,
    sheet_part,
    with_xml,
)
from scalesheet_workbooks.proposal_words import NOT_RECOVERABLE
from scalesheet_workbooks.read import read_bytes
from scalesheet_workbooks.review.engine import Session
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.review.spelling import names_of

TOTAL = at("calc.train_cost")


def on_sheet(title: str, name: str, text: str) -> Edit:
    """A name of one sheet put into a file."""

    def edit(book: openpyxl.Workbook) -> None:
        book[title].defined_names.add(DefinedName(name, attr_text=text))

    return edit


# --- Names of one sheet --------------------------------------------------------------------------


def test_a_name_of_one_sheet_changes_what_its_formulas_give() -> None:
    """The list of methods is cut on the sheet that picks the efficiency: no total is left."""
    cut = on_sheet("Efficiency", "lst_methods", "Lists!$B$12:$B$13")
    (found,) = above_info(reviewed(edited(cut)))
    assert (found.rule.id, found.severity, found.sheet) == ("S120", "high", "Efficiency")
    assert "lst_methods = Lists!$B$12:$B$13 on the sheet Efficiency alone" in found.seen
    assert [effect.amount for effect in found.effects] == [None, None, None]


def test_a_tax_list_of_one_sheet_is_put_into_money() -> None:
    """On Cost the list of choices begins a row too late, so that a tax that is a cost is left
    out."""

    def taxed(book: openpyxl.Workbook) -> None:
        for column in "EF":
            for line, value in (("in.tax_rate", 0.19), ("in.tax_treatment", NOT_RECOVERABLE)):
                sheet, address = clusters.at(line, column)
                book[sheet][address] = value

    fair = edited(taxed, data=clusters.filled())
    taxes = read_bytes(fair).names["lst_taxes"].text
    shifted = re.sub(r"\d+", lambda row: str(int(row[0]) + 1), taxes)
    data = edited(on_sheet("Cost", "lst_taxes", shifted), data=fair)
    (found,) = [one for one in reviewed(data).findings if one.rule.id == "S120"]
    right = [total.recomputed for total in reviewed(fair).totals]
    wrong = [total.recomputed for total in reviewed(data).totals]
    assert found.severity == "high"
    assert found.sheet == "Cost"
    assert wrong != right
    assert [effect.amount for effect in found.effects] == pytest.approx(
        [one - other for one, other in zip(wrong, right, strict=True) if one and other]
    )


def test_an_output_of_one_sheet_is_a_name_that_points_elsewhere() -> None:
    other = on_sheet("Cover", "out_total_cost", "Calc!$E$20:$G$20")
    (found,) = above_info(reviewed(edited(other)))
    assert (found.rule.id, found.severity, found.where) == ("S120", "medium", "Cover")
    assert found.effects == ()


def test_a_name_of_one_sheet_that_says_the_same_is_no_finding() -> None:
    text = read_bytes(filled()).names["out_total_cost"].text
    data = edited(on_sheet("Cover", "OUT_Total_Cost", text))
    assert read_bytes(data).names["cover!out_total_cost"].sheet == "Cover"
    assert said(above_info(reviewed(data))) == []


def test_a_name_of_one_sheet_holds_there_alone() -> None:
    book = openpyxl.Workbook()
    book.active.title = "A b"
    book.create_sheet("B")
    for sheet in book.worksheets:
        sheet["A1"], sheet["A2"], sheet["A3"] = 1, 20, "=SUM(A1:A2)"
        sheet["B1"] = "=rate*10"
    book["B"]["B2"] = "='A b'!rate"
    book["B"]["B3"] = "=B!rate"
    book.defined_names.add(DefinedName("rate", attr_text="B!$A$1"))
    book["A b"].defined_names.add(DefinedName("rate", attr_text="'A b'!$A$2"))
    saved = io.BytesIO()
    book.save(saved)
    read = read_bytes(saved.getvalue())
    session, flow = Session(read), Flow(read, names_of(read))
    places = [("A b", 1, 2), ("B", 1, 2), ("B", 2, 2), ("B", 3, 2)]
    assert [session.value(place) for place in places] == [200, 10, 20, 1]
    assert ("A b", 1, 2) in flow.users(("A b", 2, 1))
    assert ("A b", 1, 2) not in flow.users(("B", 1, 1))


def test_names_that_stand_for_each_other_are_named() -> None:
    book = openpyxl.Workbook()
    book.active["B1"] = "=first_rate*2"
    for name, text in (("first_rate", "other_rate"), ("other_rate", "first_rate")):
        book.defined_names.add(DefinedName(name, attr_text=text))
    saved = io.BytesIO()
    book.save(saved)
    found = above_info(reviewed(saved.getvalue()))
    assert ("S108", "Sheet!B1") in [(one.rule.id, one.where) for one in found]
    assert "first_rate, other_rate" in next(one.seen for one in found if one.rule.id == "S108")


# --- Rules for typing ----------------------------------------------------------------------------


@pytest.mark.parametrize("change", [("errorStyle", "warning"), ("showErrorMessage", False)])
def test_rules_that_only_warn_are_told_once_for_a_sheet(change: tuple[str, object]) -> None:
    def edit(book: openpyxl.Workbook) -> None:
        for rule in book["Inputs"].data_validations.dataValidation:
            setattr(rule, *change)

    (found,) = above_info(reviewed(edited(edit)))
    assert (found.rule.id, found.sheet, found.severity) == ("S150", "Inputs", "low")
    assert len(found.cells) > 50
    assert "warn at most" in found.seen


# --- Calculation ---------------------------------------------------------------------------------


def test_precision_as_displayed_is_said() -> None:
    data = with_xml("xl/workbook.xml", "<calcPr ", '<calcPr fullPrecision="0" ')
    (found,) = above_info(reviewed(data))
    assert (found.rule.id, found.severity) == ("S170", "medium")
    assert "precision as displayed" in found.seen


# --- What is not shown ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("height", "found"), [("0", ["S130"]), ("0.0", ["S130"]), ("1.5", ["S130"]), ("2", [])]
)
def test_a_row_too_low_to_be_read_is_hidden(height: str, found: list[str]) -> None:
    sheet, address = TOTAL
    row = address[1:]
    part = sheet_part(sheet)
    text = parts_of(filled())[part].decode()
    plain = re.sub(rf'(<row r="{row}")[^>]*?(/?>)', r"\1\2", text, count=1)
    changed = plain.replace(f'<row r="{row}"', f'<row r="{row}" ht="{height}" customHeight="1"')
    said = above_info(reviewed(packed(parts_of(filled()) | {part: changed.encode()})))
    assert [one.rule.id for one in said] == found
    assert all(one.where == f"{sheet}!{row}:{row}" for one in said)


@pytest.mark.parametrize(("width", "found"), [("0", ["S130"]), ("0.4", ["S130"]), ("0.7", [])])
def test_a_column_too_narrow_to_be_read_is_hidden(width: str, found: list[str]) -> None:
    part = sheet_part("Calc")
    text = parts_of(filled())[part].decode()
    columns = f'<cols><col min="5" max="5" width="{width}"/></cols>'
    changed, count = re.subn(r"<cols>.*?</cols>", columns, text)
    assert count == 1
    said = above_info(reviewed(packed(parts_of(filled()) | {part: changed.encode()})))
    assert [(one.rule.id, one.where) for one in said] == [(rule, "Calc!E:E") for rule in found]


@pytest.mark.parametrize(
    ("code", "rule", "words"),
    [(";;;", "S130", "shows nothing"), ("0.0,,", "S113", "thousands or millions")],
)
def test_a_format_that_does_not_show_the_number(code: str, rule: str, words: str) -> None:
    sheet, address = TOTAL

    def edit(book: openpyxl.Workbook) -> None:
        book[sheet][address].number_format = code

    (found,) = above_info(reviewed(edited(edit)))
    assert (found.rule.id, found.where, found.severity) == (rule, f"{sheet}!{address}", "low")
    assert words in found.seen


def test_a_password_is_told() -> None:
    def edit(book: openpyxl.Workbook) -> None:
        book["Calc"].protection.set_password("x")

    (found,) = above_info(reviewed(edited(edit)))
    assert (found.rule.id, found.severity, found.seen) == ("S152", "low", "a password on Calc")
