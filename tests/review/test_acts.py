"""One act of the one who fills a file is one finding, however many cells it leaves in error."""

import re
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from review import clusters, workbooks
from review.workbooks import TODAY, Edit, above_info, edited, reviewed
from scalesheet_workbooks.review import many
from scalesheet_workbooks.review.findings import MATERIALITY, Finding
from scalesheet_workbooks.review.outcome import Review

ELSEWHERE = ("'[rates.xlsx]Sheet1'!$A$1:$A$4", "[1]Sheet1!$A$1:$A$4")
"""Cells of another file, as they are typed and as Excel stores them."""
INPUT_SHEETS = ("Inputs", "Terms", "Owning", "Ranges")


def roots(data: bytes) -> list[Finding]:
    return above_info(reviewed(data))


def emptied(column: str, from_row: int) -> Edit:
    """Every input of a scenario taken out; with its name where the rows begin there."""

    def edit(book: openpyxl.Workbook) -> None:
        for title in INPUT_SHEETS:
            if title not in book.sheetnames:
                continue
            for cell in book[title][column]:
                if not cell.protection.locked and (title != "Inputs" or cell.row >= from_row):
                    cell.value = None

    return edit


@pytest.mark.parametrize("from_row", [4, 5], ids=["with its name", "but for its name"])
@pytest.mark.parametrize("column", ["E", "F", "G"])
def test_an_emptied_scenario_of_a_budget_is_one_finding(column: str, from_row: int) -> None:
    """The formulas still stand for every scenario: none of them is said to have changed."""
    (one,) = roots(edited(emptied(column, from_row)))
    assert (one.rule.id, one.severity, one.sheet) == ("I203", "high", "Inputs")
    assert {cell[0] for cell in one.cells} == {column}
    assert "the whole scenario" in one.seen
    assert one.remedy.startswith("fill it, or build the workbook anew without it")


def test_an_emptied_scenario_of_a_proposal_is_one_finding() -> None:
    data = edited(emptied("F", 4), data=clusters.filled())
    new = [one for one in roots(data) if one.rule.id != "R337"]
    (one,) = new
    assert (one.rule.id, one.severity, one.sheet) == ("I203", "high", "Inputs")
    assert "the whole scenario" in one.seen


def test_a_pick_whose_rows_are_empty_is_one_finding() -> None:
    """Nodes and rates of two sizes: four cells that a pilot needs."""
    data = edited(workbooks.put("in.efficiency_method", "G", "pilot"))
    (one,) = roots(data)
    assert one.rule.id == "I203"
    assert len(one.cells) == 4
    assert 'which "pilot" needs' in one.seen


@pytest.mark.parametrize("word", ["Reserved", "RESERVED"])
def test_a_pick_in_other_letters_is_the_same_pick(word: str) -> None:
    data = edited(clusters.put("in.acquisition", "E", word), data=clusters.filled())
    ours, theirs = reviewed(clusters.filled()), reviewed(data)
    assert [one.recomputed for one in theirs.totals] == [one.recomputed for one in ours.totals]
    assert [one.rule.id for one in roots(data)] == [one.rule.id for one in roots(clusters.filled())]


@pytest.mark.parametrize("name", ["lst_losses", "chk_master", "lst_methods"])
@pytest.mark.parametrize("text", ELSEWHERE)
def test_a_name_that_leads_to_another_file_is_one_finding(name: str, text: str) -> None:
    def edit(book: openpyxl.Workbook) -> None:
        book.defined_names[name].attr_text = text

    (one,) = roots(edited(edit))
    assert (one.rule.id, one.severity, one.line) == ("S120", "high", name)


@pytest.mark.parametrize("text", [*ELSEWHERE, r"'\\srv\x\[a b.xlsx]S 1'!$A$1"])
def test_a_foreign_name_that_leads_to_another_file_is_listed(text: str, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row, value in enumerate((5, 7, "=SUM(A1:A2)*rate"), 1):
        book.active[f"A{row}"] = value
    book.defined_names["rate"] = DefinedName("rate", attr_text=text)
    book.save(tmp_path / "foreign.xlsx")
    review = reviewed((tmp_path / "foreign.xlsx").read_bytes())
    (one,) = [one for one in review.findings if one.rule.id == "S140"]
    assert "rate = " in one.seen


def test_a_fault_of_ours_is_one_entry_and_stops_no_other_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = many.review

    def failing(path: Path, *rest: object) -> Review:
        if path.name == "bad.xlsx":
            raise KeyError("out\nof place")
        return real(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(many, "review", failing)
    paths = [tmp_path / "bad.xlsx", tmp_path / "good.xlsx"]
    for path in paths:
        path.write_bytes(workbooks.filled())
    bad, good = many.reviews(paths, TODAY, MATERIALITY)
    assert good.totals
    assert bad.reason == "failed"
    assert bad.unreadable == "the review stopped at KeyError: 'out\\nof place': please report it"


@pytest.mark.parametrize(("cell", "text"), [("B11", "typed in"), ("B7", "RoCE 100")])
def test_a_list_typed_over_is_one_finding_at_its_cell(cell: str, text: str) -> None:
    """Formulas look for what stood there: the rows of the scenarios that pick it fail below it."""
    was = openpyxl.load_workbook(BytesIO(workbooks.filled()))["Lists"][cell].value
    picks = {"typed": ("in.efficiency_method", "typed"), "RoCE100": ("in.interconnect", "RoCE100")}
    line, pick = picks[str(was)]
    method = "typed" if line == "in.efficiency_method" else "interconnect"
    data = edited(
        workbooks.put("in.efficiency_method", "E", method),
        workbooks.put(line, "E", pick),
        workbooks.put("in.efficiency", "E", 0.8),
        workbooks.put("in.efficiency_floor", "E", 0.5),
        workbooks.put_at("Lists", cell, text),
    )
    (one,) = [one for one in roots(data) if one.rule.id[0] != "I"]
    assert (one.rule.id, one.severity, one.where) == ("S110", "high", f"Lists!{cell}")
    assert one.consequences


def test_the_last_of_a_list_typed_over_is_one_finding() -> None:
    """Below it the sheet has a row that is empty."""
    data = edited(
        workbooks.put("in.work_basis", "E", "GPU-hours"),
        workbooks.put("in.total_gpu_hours", "E", 30_000),
        workbooks.put_at("Lists", "B17", "GPU hours"),
    )
    (one,) = roots(data)
    assert (one.rule.id, one.severity, one.where) == ("S110", "high", "Lists!B17")


def test_ids_of_two_rows_exchanged_are_one_finding() -> None:
    """All else stands where it stood: no formula has changed and no total is another."""

    def edit(book: openpyxl.Workbook) -> None:
        ids = book["Calc"]
        ids["B30"].value, ids["B31"].value = ids["B31"].value, ids["B30"].value

    review = reviewed(edited(edit))
    (one,) = above_info(review)
    assert (one.rule.id, one.severity, one.where) == ("S113", "low", "Calc!B30, B31")
    assert [one.recomputed for one in review.totals] == [
        one.recomputed for one in reviewed(workbooks.filled()).totals
    ]


def test_rows_that_changed_places_are_found_by_their_ids() -> None:
    """The formulas went with the rows: what is new is where they stand, and that is no fault."""
    part = workbooks.sheet_part("Inputs")
    parts = workbooks.parts_of(workbooks.filled())
    rows = re.findall(r'<row r="(?:29|30)".*?</row>', parts[part].decode())
    one, two = rows
    moved = [two.replace('30"', '29"'), one.replace('29"', '30"')]
    text = parts[part].decode().replace(one + two, "".join(moved))
    found = reviewed(workbooks.packed(parts | {part: text.encode()})).findings
    assert ("S165", "Inputs") in {(one.rule.id, one.sheet) for one in found}
    assert not {one.rule.id for one in found} & {"S106", "S113", "S161"}


def test_a_formula_for_several_cells_is_calculated_in_each() -> None:
    """Entered with Ctrl+Shift+Enter over a row it says what the row said: a question, no fault."""
    part = workbooks.sheet_part("Calc")
    parts = workbooks.parts_of(workbooks.filled())
    text = parts[part].decode()
    array = '<f t="array" ref="E31:G31">E26:G26+E27:G27+E28:G28+E29:G29</f>'
    text = text.replace("<f>E26+E27+E28+E29</f>", array)
    for column in "FG":
        was = f"<f>{column}26+{column}27+{column}28+{column}29</f>"
        assert was in text
        text = text.replace(was, "")
    review = reviewed(workbooks.packed(parts | {part: text.encode()}))
    (one,) = above_info(review)
    assert (one.rule.id, one.severity, one.where) == ("S102", "medium", "Calc!E31, F31, G31")
    assert one.seen == "{=E26:G26+E27:G27+E28:G28+E29:G29}"
    assert [one.recomputed for one in review.totals] == [one.stated for one in review.totals]


def test_a_changed_function_of_the_file_is_a_question() -> None:
    """The name stands for another loss of a node than the template's."""
    part = "xl/workbook.xml"
    data = workbooks.with_xml(part, '"ndr",0.015,', '"ndr",0.001,')
    (one,) = above_info(reviewed(data))
    assert (one.rule.id, one.severity) == ("S120", "medium")
    assert "LOSS_PER_NODE" in one.seen or "LOSS_PER_NODE" in one.expected


def test_a_sheet_pasted_over_with_values_is_one_finding() -> None:
    values = openpyxl.load_workbook(BytesIO(workbooks.filled()), data_only=True)["Calc"]

    def paste(book: openpyxl.Workbook) -> None:
        for row in book["Calc"]["E7:G46"]:
            for cell in row:
                if cell.data_type == "f":
                    cell.value = values[cell.coordinate].value

    (one,) = roots(edited(paste))
    assert (one.rule.id, one.sheet) == ("S101", "Calc")
    assert len(one.cells) > 90


def test_a_fault_that_another_masks_stays_high() -> None:
    """The total cannot be calculated, so what the formula does to it cannot be measured."""
    data = edited(
        workbooks.put("calc.train_cost", "F", "=F26*0.9"),
        workbooks.put("in.gpu_hour_price", "F", "2,60"),
    )
    found = {one.rule.id: one for one in roots(data)}
    assert found.keys() == {"S102", "I202"}
    assert found["S102"].severity == "high"


def test_a_check_that_is_switched_off_says_what_it_would_have_said() -> None:
    """The template's own value is 0; in this file, whose total is cut, the check would fail."""
    data = edited(
        workbooks.put("calc.train_cost", "E", "=E26+E27+E28+E29-10000"),
        workbooks.put_at("Checks", "H7", 0),
    )
    (off,) = (one for one in roots(data) if one.sheet == "Checks")
    assert off.expected.endswith("(gives 1)")


def test_a_file_that_says_it_is_of_another_template_goes_by_its_ids() -> None:
    def edit(book: openpyxl.Workbook) -> None:
        props = book.custom_doc_props  # type: ignore[attr-defined]
        props["scalesheet.template"].value = "cluster_proposal"

    review = reviewed(edited(edit))
    assert review.recognised is not None
    assert review.recognised.name == "training_run_budget"
    assert review.recognised.by.endswith("its document property says cluster_proposal")
    assert above_info(review) == []


def test_what_should_be_there_is_said_in_the_currency_of_the_file() -> None:
    unit = workbooks.put("in.gpu_hour_price", "D", "per hour")
    (one,) = roots(edited(unit))
    assert (one.rule.id, one.expected) == ("S114", '"USD/GPU-h"')
