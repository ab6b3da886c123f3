"""Cells that are not as the template has them, and the rule that each breaks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Place, rewritten
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.engine import CIRCULAR, EXTERNAL, is_readable
from scalesheet_workbooks.review.findings import (
    same,
)
from scalesheet_workbooks.review.marks import CURRENCY, MARKS, is_marked, marked_text
from scalesheet_workbooks.review.spelling import quoted

VOLATILE = re.compile(
    r"\b(NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY|OFFSET|INDIRECT|CELL|INFO)\(", re.IGNORECASE
)


ADDIN_PATH = re.compile(r"(?:'[^']*\.xla[m]?'|\[[0-9]+\])!\s*[A-Za-z_]", re.IGNORECASE)


UNIT_COLUMN = 4


class Difference(NamedTuple):
    """A cell of the file that is not as the template has it; ``home`` is its place there."""

    rule: str
    place: Place
    home: Place
    ours: Cell
    theirs: Cell | None


def differences(case: Case) -> Iterator[Difference]:
    for sheet in case.expected.book.sheets:
        home = case.alignment.sheets.get(sheet.title)
        if home is None:
            continue
        # Where nothing has moved, a cell that reads letter by letter the same breaks no rule.
        for row, column in home.unlike if case.alignment.is_straight else sheet.cells:
            cell = sheet.cells[row, column]
            if not cell.locked:
                continue
            place = case.alignment.place(sheet.title, row, column)
            if place is None:
                continue
            other = case.book.cell(*place)
            rule = _rule_of(case, sheet.title, (row, column), cell, place, other)
            home_place = sheet.title, row, column
            if rule in ("S110", "S113", "S114") and home_place in case.expected.written:
                continue
            if rule:
                yield Difference(rule, place, (sheet.title, row, column), cell, other)


def _rule_of(
    case: Case, title: str, at: tuple[int, int], cell: Cell, place: Place, other: Cell | None
) -> str:
    """The rule that a cell breaks, or an empty text."""
    if cell.formula is not None:
        return _formula_rule(case, title, cell, place, other)
    if isinstance(cell.value, str):
        return _text_rule(case, title, at, cell.value, other)
    if other is not None and other.formula is None and same(cell.value, other.value):
        return ""
    if (
        other is not None
        and other.formula is not None
        and same(case.session.value(place), cell.value)
    ):
        return ""
    head = _head(case, title, at[1])
    return {"tolerance": "S111", "min": "S112", "max": "S112"}.get(head, "S110")


def _formula_rule(case: Case, title: str, cell: Cell, place: Place, other: Cell | None) -> str:
    assert cell.formula is not None
    if other is None or (other.formula is None and other.value in (None, "")):
        return "S103"
    if other.formula is None:
        return "S101"
    if CURRENCY in cell.formula:
        cell = replace(cell, formula=cell.formula.replace(CURRENCY, case.currency))
        assert cell.formula is not None
    if cell.formula == other.formula and case.alignment.reads_the_same(title, cell.formula):
        return ""
    if case.alignment.here(place[0], other.formula) == plain(cell.formula, title):
        return ""
    if "#REF!" in other.formula:
        # What a missing row leaves behind in the formulas that needed it.
        wanted = case.alignment.there(title, cell.formula)
        if _without_sheets_of_errors(wanted) == _without_sheets_of_errors(other.formula):
            return ""
    if "#REF!" in other.formula:
        return "S104"
    if EXTERNAL.search(other.formula):
        return "S140"
    if place in case.session.invalid or is_invalid(other.formula) or not is_readable(other.formula):
        return "S105"
    if case.session.value(place) == CIRCULAR and place in case.flow.downstream([place]):
        return "S108"
    if VOLATILE.search(other.formula):
        return "S142"
    return "S102"


def _without_sheets_of_errors(formula: str) -> str:
    return re.sub(r"(?:'[^']*'|[A-Za-z0-9_.]+)!(?=#REF!)", "", rewritten(formula))


def is_invalid(formula: str) -> bool:
    """Whether a formula holds what is no reference, as $80000 for 80000 dollars."""
    bare = re.sub(r'"(?:[^"]|"")*"', "", formula)
    return bool(
        re.search(r"(?<![A-Za-z:0-9])\$[0-9]+(?![0-9:]*:\$?[0-9])", bare)
    ) and not re.search(r"\$[0-9]+:\$?[0-9]+", bare)


def _text_rule(case: Case, title: str, at: tuple[int, int], text: str, other: Cell | None) -> str:
    theirs = other.value if other is not None else None
    shown = " ".join(theirs.split()) if isinstance(theirs, str) else theirs
    if is_marked(text):
        if shown is None or (isinstance(shown, str) and marked_text(text, shown)):
            return ""
        if MARKS.sub("", text).strip() == "":
            return ""
        return _label_or_unit(case, title, at)
    if shown == " ".join(text.split()):
        return ""
    return _label_or_unit(case, title, at)


def _label_or_unit(case: Case, title: str, at: tuple[int, int]) -> str:
    if (title, *at) in case.expected.texts_read:
        return "S110"  # formulas look for it
    has_id = (title, at[0]) in case.expected.line_at
    return "S114" if has_id and at[1] == UNIT_COLUMN else "S113"


def plain(formula: str, title: str) -> str:
    """A formula of the template in plain spelling."""
    return rewritten(
        formula,
        lambda sheet, ref: f"{quoted(sheet)}!{ref}" if sheet and sheet != title else ref,
    )


def _head(case: Case, title: str, column: int) -> str:
    """The heading of a column of the template, in small letters."""
    cells = case.expected.book.by_title[title].cells
    rows = [row for row, at in cells if at == column and isinstance(cells[row, at].value, str)]
    value = cells[min(rows), column].value if rows else ""
    texts = [
        str(cells[row, column].value).lower()
        for row in sorted(rows)
        if (row, column) in cells and row <= 6
    ]
    return texts[-1] if texts else str(value).lower()
