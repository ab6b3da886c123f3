"""Workbooks of no template of ours: few findings, each a true one."""

import io
import re
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from review.workbooks import above_info, packed, parts_of, reviewed, said
from scalesheet_workbooks.review.run import Review

HEAD = ["Item", "Quantity", "Price", "Cost"]


def sheet(*rows: list[Any], more: dict[str, list[list[Any]]] | None = None) -> Review:
    """The review of a workbook of these rows."""
    book = openpyxl.Workbook()
    book.active.title = "Costs"
    for row in rows:
        book.active.append(row)
    for title, lines in (more or {}).items():
        book.create_sheet(title)
        for line in lines:
            book[title].append(line)
    saved = io.BytesIO()
    book.save(saved)
    return reviewed(saved.getvalue())


CLEAN = (
    HEAD,
    ["GPUs", 8, 100, "=B2*C2"],
    ["Disks", 2, 10, "=B3*C3"],
    ["Total", None, None, "=SUM(D2:D3)"],
)


def test_a_sound_sheet_has_no_findings() -> None:
    review = sheet(*CLEAN, ["Year 1", 5, 6, 7], ["Note", "$ figures are per year", None, None])
    assert said(above_info(review)) == []
    assert review.verdict == "GENERAL CHECKS ONLY"
    assert "S190" in {one.rule.id for one in review.findings}
    assert any("no template" in text for text in review.not_done)


@pytest.mark.parametrize(
    ("rows", "rule", "where"),
    [
        ([["GPU", "=$8*$80000"]], "S105", "Costs!B1"),
        ([["GPU", "=$0"]], "S105", "Costs!B1"),
        ([["GPU", "=SUM(A1;A2)"]], "S105", "Costs!B1"),
        ([["x", "=#REF!+1"]], "S104", "Costs!B1"),
        ([["x", "=C1"], ["y", 1, "=1"], ["z", "=B3+1"]], "S108", "Costs!B3"),
        ([["x", 0], ["y", "=1/B1"]], "R320", "Costs!B2"),
        ([["a", 1], ["b", 2], ["c", "$4,800"], ["sum", "=SUM(B1:B3)"]], "I202", "Costs!B3"),
        ([["a", 100], ["b", 200], ["Total", 400]], "R321", "Costs!B3"),
        (
            [["", "Y1", "Y2", "Y3", "3-year total"], ["A", 96000, 96000, 96000, 384000]],
            "R321",
            "Costs!E2",
        ),
        (
            [HEAD, ["a", 1, 2, "=B2*C2"], ["b", 1, 2, 96000], ["c", 1, 2, "=B4*C4"]],
            "S101",
            "Costs!D3",
        ),
    ],
    ids=[
        "currency in a formula (A04)",
        "zero dollars (A04)",
        "semicolon",
        "broken reference",
        "circle",
        "division by zero",
        "money as text (D06)",
        "typed total (D05)",
        "typed 3-year total (D05)",
        "typed over in a column (D05)",
    ],
)
def test_a_fault_is_found_at_its_cell(rows: list[list[Any]], rule: str, where: str) -> None:
    found = above_info(sheet(*rows))
    assert [(one.rule.id, one.where) for one in found] == [(rule, where)], said(found)


@pytest.mark.parametrize(("cell", "severity"), [("B2", "low"), ("B9", "medium")])
def test_a_reference_to_an_empty_cell_of_another_sheet(cell: str, severity: str) -> None:
    """An input that is not filled in yet has a label; a slipped reference leads to none."""
    more = {"Other": [["a", 5], ["b", None]]}
    found = above_info(sheet(["x", f"=Other!{cell}*2"], more=more))
    assert [(one.rule.id, one.severity) for one in found] == [("R322", severity)]


def test_eighty_in_a_cell_of_percent() -> None:
    book = openpyxl.Workbook()
    for row in (["GPUs", 64], ["Utilisation", 80], ["Useful GPUs", "=B1*B2"], ["Growth", 0.4]):
        book.active.append(row)
    for cell in ("B2", "B4"):
        book.active[cell].number_format = "0%"
    saved = io.BytesIO()
    book.save(saved)
    (found,) = above_info(reviewed(saved.getvalue()))
    assert (found.rule.id, found.severity, found.where) == ("I213", "high", "Sheet!B2")
    assert found.seen == "80, shown as 8,000%"
    assert found.effect is not None
    assert found.effect.amount == pytest.approx(64 * 80 - 64 * 0.8)


@pytest.mark.parametrize(
    ("formula", "severity"), [("=TODAY()", "info"), ("=NOW()+1", "info"), ("=5*RAND()", "low")]
)
def test_what_changes_by_itself_is_listed(formula: str, severity: str) -> None:
    (found,) = (one for one in sheet(["x", formula]).findings if one.rule.id == "S142")
    assert (found.severity, found.where) == (severity, "Costs!B1")


@pytest.mark.parametrize(("state", "severity"), [("hidden", "info"), ("veryHidden", "low")])
def test_a_hidden_sheet_that_others_read(state: str, severity: str) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Cost", "=Rates!A1*2"])
    book.create_sheet("Rates").append([1.08])
    book["Rates"].sheet_state = state
    saved = io.BytesIO()
    book.save(saved)
    (found,) = (one for one in reviewed(saved.getvalue()).findings if one.rule.id == "S131")
    assert (found.severity, found.sheet) == (severity, "Rates")
    assert found.seen.endswith("read by others")


def test_totals_below_an_error_are_undetermined_not_zero() -> None:
    (found,) = above_info(sheet(["GPU", "=$8*$80000"], ["Total", "=SUM(B1:B1)"]))
    assert found.consequences == ("1 cells are undetermined",)


def test_missing_values_are_said_once() -> None:
    found = [one for one in sheet(*CLEAN).findings if one.rule.id == "R302"]
    assert [one.consequences for one in found] == [("3 of 3",)]


def named(formula: str, name: str, text: str, stored: float) -> Review:
    """A workbook with a name whose third row, fourth column has a formula and a stored value."""
    book = openpyxl.Workbook()
    for row in ([7, 8], [1, 2], [5, 6, None, formula]):
        book.active.append(row)
    book.defined_names[name] = DefinedName(name, attr_text=text)
    saved = io.BytesIO()
    book.save(saved)
    data = saved.getvalue()
    parts, part = parts_of(data), "xl/worksheets/sheet1.xml"
    value = f"</f><v>{stored}</v>"
    text, count = re.subn(r"</f><v *(?:/>|></v>)", value, parts[part].decode())
    assert count == 1
    return reviewed(packed(parts | {part: text.encode()}))


@pytest.mark.parametrize(("stored", "rules"), [(30, []), (56, ["R301"])])
def test_a_name_that_moves_with_its_cell(stored: float, rules: list[str]) -> None:
    """$A1 in row 3 is A3, which holds 5; $B1 is B3 with 6."""
    found = above_info(named("=SIZE*$B3", "SIZE", "Sheet!$A1", stored))
    assert [one.rule.id for one in found] == rules


@pytest.mark.parametrize(
    ("formula", "rules"),
    [
        ("=YEAR(TODAY())", []),
        ("=A1*2", ["R301"]),
        ('=SUM(INDIRECT("A1:A"&B2))', ["R323"]),
        ("=IF(ISFORMULA(A1),1,2)", ["R323"]),
    ],
)
def test_a_stored_value_that_another_day_or_program_gives(formula: str, rules: list[str]) -> None:
    """What only the user's program is sure of is said not to be calculated, and is no fault."""
    found = above_info(named(formula, "X", "Sheet!$A$1", 2021))
    assert [one.rule.id for one in found] == rules
