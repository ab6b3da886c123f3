"""General checks of typed numbers: text money, totals that do not add up, gaps in columns."""

import re
from collections import defaultdict
from collections.abc import Iterator

from scalesheet_workbooks.cell_references import TOKEN, Place, areas, moved, rewritten
from scalesheet_workbooks.read import Book, Cell, Sheet
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.engine import (
    Session,
)
from scalesheet_workbooks.review.findings import Finding, finding, same, shown
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.review.inputs import meant_number
from scalesheet_workbooks.review.rules import LOW, MEDIUM

MONEY = re.compile(r"^\s*(?:[$€£¥]\s*-?[0-9]|-?[0-9][0-9,.]*\s*(?:[$€£¥]|USD|EUR|GBP)\s*$)")


TOTAL = re.compile(
    r"^\s*(?:grand |sub-?)?total(?: costs?| budget| price)?\s*:?\s*$|\btotal\s*:?\s*$|^\s*sum\s*$",
    re.IGNORECASE,
)
"""Words of a total; "total throughput" is the name of a quantity."""


TOTAL_TOLERANCE = 0.01


LEAST_RUN = 3


def text_money(book: Book, flow: Flow) -> Iterator[Finding]:
    """Amounts as text among numbers, or counted by a formula: a sum skips them."""
    for sheet in book.sheets:
        columns: dict[int, int] = defaultdict(int)
        for (_, column), cell in sheet.cells.items():
            columns[column] += number(cell.value) is not None
        found: list[Place] = []
        for (row, column), cell in sheet.cells.items():
            if not isinstance(cell.value, str) or not MONEY.match(cell.value):
                continue
            place = sheet.title, row, column
            if any(flow.users(place)) or columns[column] >= LEAST_RUN:
                found.append(place)
        if found:
            texts = [book.cell(*place) for place in sorted(found)]
            values = [cell.value for cell in texts if cell]
            missing = sum(meant_number(str(value)) or 0.0 for value in values)
            yield finding(
                "I202",
                sheet.title,
                addresses(found),
                shown(values[0]),
                severity=MEDIUM,
                consequences=[f"{missing:,.2f} is missing from sums over them"],
            )


def typed_totals(book: Book) -> Iterator[Finding]:
    """Typed totals that are not the sum of the typed numbers above or to the left."""
    for sheet in book.sheets:
        labels, heads = _labels(sheet), _total_heads(sheet)
        for (row, column), cell in sorted(sheet.cells.items()):
            value = number(cell.value)
            if value is None or cell.formula is not None:
                continue
            parts: list[float] = []
            label = labels.get(row, "")
            if TOTAL.search(label):
                parts = _run(sheet, labels, (row, column), (-1, 0))
            elif any(row > head for head in heads.get(column, ())):
                parts, label = _run(sheet, labels, (row, column), (0, -1)), "total"
            adds = sum(parts)
            if len(parts) >= 2 and abs(value - adds) > max(TOTAL_TOLERANCE, 1e-6 * abs(adds)):
                yield finding(
                    "R321",
                    sheet.title,
                    addresses([(sheet.title, row, column)]),
                    shown(value),
                    f"{shown(adds)}, the sum of {len(parts)} numbers beside it",
                    label=label,
                )


def _labels(sheet: Sheet) -> dict[int, str]:
    """The first text of each row."""
    first: dict[int, tuple[int, str]] = {}
    for (row, column), cell in sheet.cells.items():
        if isinstance(cell.value, str) and (row not in first or column < first[row][0]):
            first[row] = column, cell.value
    return {row: text for row, (_, text) in first.items()}


def _total_heads(sheet: Sheet) -> dict[int, list[int]]:
    """For each column the rows of texts that speak of a total."""
    found: dict[int, list[int]] = defaultdict(list)
    for (row, column), cell in sheet.cells.items():
        if isinstance(cell.value, str) and len(cell.value) < 60 and TOTAL.search(cell.value):
            found[column].append(row)
    return found


def _run(
    sheet: Sheet, labels: dict[int, str], at: tuple[int, int], step: tuple[int, int]
) -> list[float]:
    """The numbers without a gap beside a cell; a total among them ends the run."""
    parts: list[float] = []
    row, column = at
    while True:
        row, column = row + step[0], column + step[1]
        cell = sheet.cells.get((row, column))
        value = number(cell.value) if cell else None
        if value is None or (step[0] and TOTAL.search(labels.get(row, ""))):
            return parts
        parts.append(value)


def interrupted(book: Book, session: Session) -> Iterator[Finding]:
    """A typed number in a column of formulas that are otherwise all alike."""
    for sheet in book.sheets:
        for (row, column), cell in sheet.cells.items():
            if cell.formula is not None or number(cell.value) is None:
                continue
            above, below = sheet.cells.get((row - 1, column)), sheet.cells.get((row + 1, column))
            if not above or not below or not above.formula or not below.formula:
                continue
            if TOKEN.search(above.formula) is None or not list(areas(above.formula, sheet.title)):
                continue
            want = moved(above.formula, 1, 0)
            if rewritten(moved(above.formula, 2, 0)) != rewritten(below.formula):
                continue
            place = sheet.title, row, column
            gives = session.with_changes({place: Cell(None, want)}, {place: cell}, [place])[0]
            equal = same(gives, cell.value)
            yield finding(
                "S101",
                sheet.title,
                addresses([place]),
                shown(cell.value),
                f"={want} (gives {shown(gives)})",
                severity=LOW if equal else MEDIUM,
            )
