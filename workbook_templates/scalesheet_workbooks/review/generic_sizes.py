"""General checks of how large typed numbers are: percentages, amounts unlike those beside them."""

from collections import defaultdict
from collections.abc import Iterator

from scalesheet_workbooks.cell_references import address
from scalesheet_workbooks.read import Cell, Sheet
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.foreign import Foreign
from scalesheet_workbooks.review.rules import LOW, MEDIUM

LEAST_RUN = 5
"""Typed numbers side by side that one is held against."""
MOST_COUNTED = 20
"""Whole numbers up to this one are counts, marks or days."""
SPREAD, UNLIKE = 1.5, 5
"""How far those beside it may lie apart, and how far off the one is: ten times is a slipped
point."""


def high_percents(foreign: Foreign) -> Iterator[Finding]:
    """Numbers as 80 in cells that show percent, which say 8,000 %."""
    for sheet in foreign.book.sheets:
        places = [(sheet.title, *at) for at in sorted(sheet.high_percents)]
        if not places:
            continue
        values = {place: number(sheet.cells[place[1:]].value) or 0.0 for place in places}
        effects = foreign.effects({place: Cell(value / 100) for place, value in values.items()})
        first = values[places[0]]
        yield finding(
            "I213",
            sheet.title,
            addresses(places),
            f"{shown(first)}, shown as {first:,.0%}",
            shown(first / 100),
            label=foreign.label(places[0]),
            severity=foreign.severity(effects),
            effects=effects,
        )


def outliers(foreign: Foreign) -> Iterator[Finding]:
    """A typed number in a row of typed numbers that are all of one size, and it is not."""
    for sheet in foreign.book.sheets:
        for run in _runs(sheet):
            values = {at: number(sheet.cells[at].value) or 0.0 for at in run}
            odd = [at for at in run if _is_unlike(values, at)]
            if len(odd) != 1:
                continue
            (at,) = odd
            place = sheet.title, *at
            beside = run[run.index(at) - 1] if at != run[0] else run[1]
            effects = foreign.effects({place: Cell(values[beside])})
            yield finding(
                "I218",
                sheet.title,
                [address(*at)],
                shown(values[at]),
                f"about {shown(values[beside])}, as beside it",
                label=foreign.label(place),
                severity=MEDIUM if effects else LOW,
                effects=effects,
            )


def _runs(sheet: Sheet) -> Iterator[list[tuple[int, int]]]:
    """Typed numbers side by side in a row."""
    rows: dict[int, list[int]] = defaultdict(list)
    for (row, column), cell in sheet.cells.items():
        if cell.formula is None and number(cell.value) is not None:
            rows[row].append(column)
    for row, columns in rows.items():
        run: list[tuple[int, int]] = []
        for column in sorted(columns):
            if run and column != run[-1][1] + 1:
                yield from [run] if len(run) >= LEAST_RUN else []
                run = []
            run.append((row, column))
        yield from [run] if len(run) >= LEAST_RUN else []


def _is_unlike(values: dict[tuple[int, int], float], at: tuple[int, int]) -> bool:
    rest = [abs(value) for other, value in values.items() if other != at]
    value = abs(values[at])
    low, high = min(rest), max(rest)
    is_count = max(value, high) <= MOST_COUNTED and value == int(value)
    if not value or not low or high > SPREAD * low or is_count:
        return False
    return value >= UNLIKE * high or value * UNLIKE <= low
