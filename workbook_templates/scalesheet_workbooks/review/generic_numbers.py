"""General checks of typed numbers: numbers that are text, totals that do not add up."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.read import Cell, Sheet
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.findings import Finding, by_money, finding, shown
from scalesheet_workbooks.review.foreign import YEARS, Foreign, says_total
from scalesheet_workbooks.review.inputs import meant_number
from scalesheet_workbooks.review.rules import LOW, MEDIUM

MONEY = re.compile(r"^\s*(?:[$€£¥]\s*-?[0-9]|-?[0-9][0-9,.]*\s*(?:[$€£¥]|USD|EUR|GBP)\s*$)")
WITH_UNIT = re.compile(r"^\s*-?[0-9][0-9.,\u00a0\u202f ]*(?:%|[^\W\d_]{1,8}\.?)\s*$")
BARE = re.compile(r"^\s*'?-?[0-9][0-9,.\u00a0\u202f ]*$")
TOTAL_TOLERANCE = 0.01
LEAST_RUN = 3
MOST_BLANKS = 2
"""Empty rows between the lines of one table."""


def text_money(foreign: Foreign) -> Iterator[Finding]:
    """Amounts as text among numbers, or counted by a formula: a sum skips them."""
    for sheet in foreign.book.sheets:
        columns: dict[int, int] = defaultdict(int)
        for (_, column), cell in sheet.cells.items():
            columns[column] += number(cell.value) is not None
        found: dict[Place, Cell] = {}
        for (row, column), cell in sheet.cells.items():
            if cell.formula is not None or not isinstance(cell.value, str):
                continue
            place = sheet.title, row, column
            is_money = MONEY.match(cell.value) is not None
            is_used = is_money and (any(foreign.flow.users(place)) or columns[column] >= LEAST_RUN)
            if is_used or (BARE.match(cell.value) and _is_summed(foreign, place)):
                found[place] = Cell(meant_number(cell.value))
            elif (
                columns[column] >= LEAST_RUN
                and WITH_UNIT.match(cell.value)
                and _is_in_error(foreign, place)
            ):
                found[place] = Cell(None)
        if found:
            first = foreign.book.cell(*min(found))
            missing = sum(number(cell.value) or 0.0 for cell in found.values())
            effects = foreign.effects({p: cell for p, cell in found.items() if cell.value})
            yield finding(
                "I202",
                sheet.title,
                addresses(found),
                shown(first.value if first else None),
                severity=by_money(effects, foreign.materiality, MEDIUM),
                effects=effects,
                consequences=[f"{missing:,.2f} is missing from sums over them"],
            )


def _is_in_error(foreign: Foreign, place: Place) -> bool:
    """Whether a formula that reads a cell is in error, and none of its other cells is."""
    for user in foreign.flow.users(place):
        cells = [area[:3] for area in areas(foreign.formula(user), user[0])]
        if isinstance(foreign.session.value(user), CellError) and not any(
            isinstance(foreign.session.value(one), CellError) for one in cells
        ):
            return True
    return False


def _is_summed(foreign: Foreign, place: Place) -> bool:
    """Whether a sum takes a cell that is no heading of it."""
    value = meant_number(str(foreign.session.value(place)))
    if value is None or value in YEARS:
        return False
    cells = (foreign.book.cell(*user) for user in foreign.flow.users(place))
    return any("SUM(" in (cell.formula or "").upper() for cell in cells if cell)


def typed_totals(foreign: Foreign) -> Iterator[Finding]:
    """Typed totals that are not the sum of what stands above or to the left."""
    for sheet in foreign.book.sheets:
        heads = _total_heads(sheet)
        for (row, column), cell in sorted(sheet.cells.items()):
            value = number(cell.value)
            if value is None or cell.formula is not None:
                continue
            place = sheet.title, row, column
            label, computed = foreign.label(place), False
            if says_total(label):
                sums, computed = _sums_above(foreign, place)
            elif any(row > head for head in heads.get(column, ())):
                sums, label = _sums_left(sheet, (row, column)), "total"
            elif beside := _sum_as_beside(foreign, place):
                sums = [beside]
            else:
                continue
            if not sums or _goes_on(foreign, place):
                continue
            adds, count = min(sums, key=lambda one: abs(one[0] - value))
            if abs(value - adds) > max(TOTAL_TOLERANCE, 1e-6 * abs(adds)):
                effects = foreign.effects({place: Cell(adds)})
                yield finding(
                    "R321",
                    sheet.title,
                    addresses([place]),
                    shown(value),
                    f"{shown(adds)}, the sum of {count} numbers beside it",
                    label=label,
                    severity=by_money(effects, foreign.materiality, MEDIUM),
                    effects=effects,
                )
            elif computed:
                yield finding(
                    "S101",
                    sheet.title,
                    addresses([place]),
                    shown(value),
                    f"a formula: {count} numbers add up to it today",
                    label=label,
                    severity=LOW,
                    remedy="replace the typed total by a formula",
                )


def _goes_on(foreign: Foreign, place: Place) -> bool:
    """Whether a number goes on with those above it, as 1, 2, 3 in a column of numbers."""
    title, row, column = place
    if row <= LEAST_RUN:
        return False
    above = [foreign.number((title, row - step, column)) for step in range(LEAST_RUN + 1)]
    known = [value for value in above if value is not None]
    steps = {one - other for one, other in pairwise(known)}
    return len(known) == len(above) and len(steps) == 1 and 0 not in steps


def _sum_as_beside(foreign: Foreign, place: Place) -> tuple[float, int] | None:
    """What a cell would be as the sums above and below it are, of its own row. A price, or the last
    balance, lies among the numbers of its row and is no sum of them."""
    for span in dict.fromkeys(foreign.spans.get((place[0], "column", place[2]), ())):
        cells = [span.cell(place, step) for step in range(span.first, span.last + 1)]
        values = [value for one in cells if (value := foreign.number(one)) is not None]
        typed = foreign.number(place)
        if len(values) < max(LEAST_RUN, len(cells)) or typed is None:
            continue
        if not min(values) <= typed <= max(values):
            return sum(values), len(values)
    return None


def _total_heads(sheet: Sheet) -> dict[int, list[int]]:
    """For each column the rows of texts that speak of a total."""
    found: dict[int, list[int]] = defaultdict(list)
    for (row, column), cell in sheet.cells.items():
        if isinstance(cell.value, str) and len(cell.value) < 60 and says_total(cell.value):
            found[column].append(row)
    return found


def _sums_left(sheet: Sheet, at: tuple[int, int]) -> list[tuple[float, int]]:
    """What typed numbers to the left of a cell add up to; their product, as of number and price."""
    row, column = at
    parts: list[float] = []
    while (cell := sheet.cells.get((row, column - 1 - len(parts)))) is not None:
        value = number(cell.value)
        if value is None or cell.formula is not None:
            break
        parts.append(value)
    count = len(parts)
    return [(sum(parts), count), (math.prod(parts), count)] if count >= LEAST_RUN else []


def _sums_above(foreign: Foreign, total: Place) -> tuple[list[tuple[float, int]], bool]:
    """What a total may be the sum of: the run of lines right above; all lines; all subtotals, with
    the lines after them; the last subtotal with what follows it, as taxes. And whether formulas are
    among them."""
    values: list[tuple[float, bool, bool]] = []
    typed = foreign.number(total) or 0.0
    run, title, row, column = 0, *total
    blanks, is_run = 0, True
    while row > 1 and blanks <= MOST_BLANKS:
        row -= 1
        place = title, row, column
        cell = foreign.book.cell(*place)
        value = foreign.number(place)
        if value is None:
            if cell is not None and cell.value is not None and cell.formula is None:
                break  # a heading
            blanks, is_run = blanks + 1, False
            continue
        if foreign.is_year(place):
            break
        is_total = foreign.is_total(place)
        is_run = is_run and not is_total
        blanks, run = 0, run + is_run
        values.append((value, is_total, cell is not None and cell.is_formula))
    lines = [value for value, is_total, _ in values if not is_total]
    subtotals = [value for value, is_total, _ in values if is_total]
    last = next((n for n, (_, is_total, _) in enumerate(values) if is_total), None)
    choices = [[value for value, *_ in values[:run]]]
    if last is not None:
        after = [value for value, *_ in values[:last]]
        choices += [lines, subtotals, subtotals + after, [values[last][0], *after]]
    elif run != len(lines):
        choices.append(lines)
    if len({value for value, *_ in values}) == 1:
        choices.append([values[0][0]])  # one number again and again, as in a legend
    first = choices[0]
    if len(first) >= LEAST_RUN and 0 <= min(first) <= typed <= max(first):
        return [], False  # the average of its lines, or the largest
    enough = run >= 2 or (last is not None and len(values) >= 2)
    sums = [(sum(parts), len(parts)) for parts in choices if parts] if enough else []
    return sums, any(is_formula for *_, is_formula in values[: max(run, 1)])
