"""What a built workbook comes to: its sheets, each scenario's main figures, what its checks say."""

from collections.abc import Sequence
from typing import NamedTuple

from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR, FIRST_COLUMN, MAX_SCENARIOS
from scalesheet_workbooks.read import Book, read_bytes
from scalesheet_workbooks.read_sheets import Sheet, Value

FIGURES = {
    "training_run_budget": (
        *("calc.train_cost", "calc.wall_clock_days", "calc.efficiency"),
        "calc.cost_per_productive_gpu_hour",
    ),
    "cluster_proposal": ("cost.total", "calc.days", "calc.efficiency", "cmp.unit_cost"),
}
"""Ids of a scenario's total, days, efficiency, and cost of a productive GPU-hour."""
CHECKS = "Checks"
ID, LABEL, KIND, RESULT = 2, 3, 4, 8
"""Columns of the ids on every sheet, and of the Checks sheet."""


class Headline(NamedTuple):
    """A workbook in short; ``scenarios`` are names with their figures, in the order asked for."""

    sheets: int
    scenarios: tuple[tuple[str, tuple[Value, ...]], ...]
    failing: tuple[str, ...]
    """Labels of the checks that fail, errors first."""
    alerts: int
    checks: int


def headline(xlsx: bytes, figures: Sequence[str]) -> Headline:
    """The figures that stand in a workbook's cells, those asked for by their ids."""
    book = read_bytes(xlsx)
    rows = {
        str(cell.value): (sheet, row)
        for sheet in book.sheets
        for (row, column), cell in sheet.cells.items()
        if column == ID and isinstance(cell.value, str)
    }
    kinds = {kind: _results(book, kind) for kind in (ERROR, COMPLETENESS, ALERT)}
    hard = [*kinds[ERROR], *kinds[COMPLETENESS]]
    return Headline(
        len(book.sheets),
        tuple(_scenarios([rows[name] for name in ("in.scenario", *figures)])) if figures else (),
        tuple(label for label, result in hard if result != 0),
        sum(result != 0 for _, result in kinds[ALERT]),
        len(hard),
    )


def _scenarios(
    places: Sequence[tuple[Sheet, int]],
) -> list[tuple[str, tuple[Value, ...]]]:
    found = []
    for column in range(FIRST_COLUMN, FIRST_COLUMN + MAX_SCENARIOS):
        cells = [sheet.cells.get((row, column)) for sheet, row in places]
        # Names are inputs: what is locked beside them is a heading.
        if cells[0] is None or cells[0].locked or any(cell is None for cell in cells[1:]):
            break
        name, *values = (cell.value if cell else None for cell in cells)
        found.append((str(name), tuple(values)))
    return found


def _results(book: Book, kind: str) -> list[tuple[str, Value]]:
    """Label and result of each check of a kind; 0 is a check that holds."""
    if CHECKS not in book.by_title:
        return []
    cells = book.by_title[CHECKS].cells
    return [
        (str(cells[row, LABEL].value), cells[row, RESULT].value)
        for (row, column), cell in sorted(cells.items())
        if column == KIND and cell.value == kind and (row, RESULT) in cells
    ]


def where_is(xlsx: bytes, name: str) -> str:
    """What an id stands for in a workbook, in words; nothing when it is none."""
    for sheet in read_bytes(xlsx).sheets:
        for (row, column), cell in sheet.cells.items():
            if column == ID and cell.value == name:
                beside = [
                    one for (at, place), one in sheet.cells.items() if at == row and place > LABEL
                ]
                if any(one.formula for one in beside):
                    return f"is calculated, on {sheet.title}"
                unlocked = any(not one.locked for one in beside)
                return f"is {'typed' if unlocked else 'a locked value'}, on {sheet.title}"
    return ""
