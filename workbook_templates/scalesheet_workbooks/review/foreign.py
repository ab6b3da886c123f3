"""A workbook of no template of ours: its numbers, and what a change does to its largest figure."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Area, Place, address, areas, skeleton
from scalesheet_workbooks.read import Book, Cell, Sheet
from scalesheet_workbooks.review.case import number
from scalesheet_workbooks.review.engine import Session
from scalesheet_workbooks.review.findings import CENT, Effect, by_money, same
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.review.rules import LOW, MEDIUM

TOTAL = re.compile(
    r"^\s*(?:grand )?total(?: costs?| budget| price)?\s*:?\s*$|\btotal\s*:?\s*$|^\s*sum\s*:?\s*$"
    r"|^\s*sub-?total\b|^\s*(?:zwischen|gesamt)?summe\b|^\s*gesamt(?:kosten|betrag)?\s*:?\s*$",
    re.IGNORECASE,
)
"""Words of a total; "total throughput" is the name of a quantity."""
OTHER = re.compile(
    r"\b(?:last|prior|previous|approved|target|vorjahr|number of|count of|average)\b|\bper\b",
    re.IGNORECASE,
)
"""Words of a total of something else than what stands above it."""
PURE_SUM = re.compile(
    r"(?:\+?(?:SUM\(#(?:,#)*\)|(?P<subtotal>SUBTOTAL\((?:9|109),#(?:,#)*\))|#)(?=\+|$))+"
)
MOST_COLUMNS = MOST_CELLS = 1_000
"""Of an area that are looked at one by one."""
MOST_TRIED = 100
"""Changes that are calculated: each takes as long as calculating what hangs on it."""
YEARS = frozenset(range(1990, 2101))
STEPS = {1, *range(28, 32), *range(90, 93), 365, 366}
"""From one heading to the next: numbers and years, days of months, quarters and years."""


Line = tuple[str, str, int]
"""Sheet, whether a row or a column, and its number."""


class Span(NamedTuple):
    """The cells that a sum takes, from ``first`` to ``last`` cells before it (below zero); ``line``
    is where its like stand: sums of columns in one row, sums of rows in one column."""

    line: Line
    first: int
    last: int

    def cell(self, place: Place, step: int) -> Place:
        """The cell so many before the sum."""
        title, row, column = place
        is_row = self.line[1] == "row"
        return (title, row + step, column) if is_row else (title, row, column + step)


@dataclass(frozen=True)
class Foreign:
    """The workbook, calculated."""

    book: Book
    session: Session
    flow: Flow
    materiality: float
    tried: list[Place] = field(default_factory=list)

    def number(self, place: Place) -> float | None:
        """The number that a cell shows, or None."""
        return number(self.session.value(place))

    def formulas(self) -> Iterator[tuple[Sheet, Place, str]]:
        """Every formula with its sheet and place."""
        for sheet in self.book.sheets:
            for at, cell in sheet.cells.items():
                if cell.formula is not None:
                    yield sheet, (sheet.title, *at), cell.formula

    def formula(self, place: Place) -> str:
        """The formula in a cell, or an empty text."""
        cell = self.book.cell(*place)
        return (cell.formula if cell else None) or ""

    def is_blank(self, place: Place) -> bool:
        """Whether a cell holds nothing."""
        cell = self.book.cell(*place)
        return cell is None or (cell.value in (None, "") and cell.formula is None)

    @cached_property
    def sums(self) -> dict[Place, list[Area]]:
        """Formulas that only add up, and what."""
        found = {place: sum_of(formula, place[0]) for _, place, formula in self.formulas()}
        return {place: summed for place, summed in found.items() if summed}

    @cached_property
    def spans(self) -> dict[Line, list["Span"]]:
        """How far sums reach, by the row or column in which they stand beside each other."""
        found: dict[Line, list[Span]] = defaultdict(list)
        for place, summed in self.sums.items():
            if span := span_of(place, summed):
                found[span.line].append(span)
        return found

    @cached_property
    def _rows_of_sums(self) -> dict[tuple[str, int], list[int]]:
        rows: dict[tuple[str, int], list[int]] = defaultdict(list)
        for title, row, column in sorted(self.sums):
            rows[title, column].append(row)
        return rows

    def sums_in(self, summed: Iterable[Area]) -> list[Place]:
        """The sums within some areas."""
        return [
            (title, row, column)
            for title, top, left, bottom, right in summed
            for column in range(left, min(right, left + MOST_COLUMNS) + 1)
            if (rows := self._rows_of_sums.get((title, column)))
            for row in rows[bisect_left(rows, top) : bisect_right(rows, bottom)]
        ]

    @cached_property
    def years(self) -> list[Place]:
        """The cells that are years, as headings are."""
        return [
            place
            for sheet in self.book.sheets
            for at, cell in sheet.cells.items()
            if cell.value in YEARS and self.is_year(place := (sheet.title, *at))
        ]

    @cached_property
    def labels(self) -> dict[tuple[str, int], tuple[int, str]]:
        """The first text of each row of each sheet, with its column."""
        first: dict[tuple[str, int], tuple[int, str]] = {}
        for sheet in self.book.sheets:
            for (row, column), cell in sheet.cells.items():
                key = sheet.title, row
                if isinstance(cell.value, str) and cell.formula is None:
                    first[key] = min(first.get(key, (column, cell.value)), (column, cell.value))
        return first

    def label(self, place: Place) -> str:
        """The first text of the row of a cell, where it stands before the cell."""
        column, text = self.labels.get(place[:2], (0, ""))
        return text if column < place[2] else ""

    def is_total(self, place: Place) -> bool:
        """Whether a cell is a total: by its label, or as a sum of cells of its column above."""
        if says_total(self.label(place)):
            return True
        cell = self.book.cell(*place)
        is_sum = cell is not None and "SUM(" in skeleton(cell.formula or "")
        return is_sum and any(
            left == right == place[2] and bottom < place[1]
            for _, _, left, bottom, right in self.sums.get(place, ())
        )

    def is_year(self, place: Place) -> bool:
        """Whether a cell is one of a row of years, as headings are."""
        return self._typed(place) in YEARS and self.is_heading(place)

    def is_heading(self, place: Place) -> bool:
        """Whether a cell may be a heading: typed numbers that count on, as 1, 2, 3 or as months."""
        title, row, column = place
        value = self._typed(place)
        beside = (self._typed((title, row, column + step)) for step in (-1, 1))
        return value is not None and any(
            other is not None and abs(other - value) in STEPS for other in beside
        )

    def _typed(self, place: Place) -> float | None:
        cell = self.book.cell(*place)
        return number(cell.value) if cell and cell.formula is None else None

    def effects(self, changes: Mapping[Place, Cell]) -> list[Effect]:
        """What cells do to the largest figure that needs them: now, less with the changes."""
        if not changes or len(self.tried) >= MOST_TRIED:
            return []
        self.tried.append(min(changes))
        below = self.flow.downstream(changes) | set(changes)
        now = {place: self.book.cell(*place) for place in changes}
        places = sorted(below)
        after = self.session.with_changes(changes, now, places)
        figures = [(p, v) for p, value in zip(places, after, strict=True) if (v := number(value))]
        if not figures:
            return []
        place, then = max(figures, key=lambda figure: abs(figure[1]))
        before = self.number(place)
        if before is not None and (abs(before - then) <= CENT or same(before, then)):
            return []
        where = f"{place[0]}!{address(*place[1:])}"
        return [Effect(where, None if before is None else before - then, then, "in")]

    def severity(self, effects: list[Effect]) -> str:
        """By money; what changes no figure today is low, what was not tried may be medium."""
        is_known = effects or len(self.tried) < MOST_TRIED
        return by_money(effects, self.materiality, LOW if is_known and not effects else MEDIUM)


def says_total(text: str) -> bool:
    """Whether a label speaks of a total of its table.

    >>> [says_total(text) for text in ("Grand total", "total GPU-hours", "Last year total")]
    [True, False, False]
    >>> says_total("Number of racks total")
    False
    """
    return TOTAL.search(text) is not None and OTHER.search(text) is None


def sum_of(formula: str, title: str) -> list[Area]:
    """The areas that a formula adds up, when it does nothing else; otherwise none.

    >>> sum_of("SUM(B2:B4)+B6", "A"), sum_of("SUM(B2:B4)/2", "A")
    ([('A', 2, 2, 4, 2), ('A', 6, 2, 6, 2)], [])
    """
    if not PURE_SUM.fullmatch(skeleton(formula)):
        return []
    return list(areas(formula, title))


def span_of(place: Place, summed: Sequence[Area]) -> Span | None:
    """How far the sum in a cell reaches up its column or along its row.

    >>> span_of(("A", 6, 2), [("A", 2, 2, 4, 2)])
    Span(line=('A', 'row', 6), first=-4, last=-2)
    """
    if len(summed) != 1:
        return None
    ((title, top, left, bottom, right),) = summed
    sheet, row, column = place
    if title == sheet and left == right == column and bottom < row:
        return Span((title, "row", row), top - row, bottom - row)
    if title == sheet and top == bottom == row and right < column:
        return Span((title, "column", column), left - column, right - column)
    return None


def meet(one: Area, other: Area) -> bool:
    """Whether two areas share a cell."""
    return (
        one[0] == other[0]
        and one[1] <= other[3]
        and other[1] <= one[3]
        and one[2] <= other[4]
        and other[2] <= one[4]
    )


def size_of(area: Area) -> int:
    """How many cells an area has."""
    _, top, left, bottom, right = area
    return (bottom - top + 1) * (right - left + 1)


def area_of(place: Place) -> Area:
    """A cell as an area."""
    return place[0], place[1], place[2], place[1], place[2]


def is_within(part: Area, summed: Sequence[Area]) -> bool:
    """Whether every cell of an area is in one of some areas.

    >>> is_within(("A", 2, 2, 3, 2), [("A", 2, 2, 2, 2), ("A", 3, 2, 9, 2)])
    True
    """
    title, top, left, bottom, right = part
    ends = area_of((title, top, left)), area_of((title, bottom, right))
    if any(all(meet(area, end) for end in ends) for area in summed):
        return True
    return size_of(part) <= MOST_CELLS and all(
        any(meet(area, area_of((title, row, column))) for area in summed)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    )
