"""Scaling studies to test: where each id stands, points to paste, what fails in a recalculation."""

import functools
from collections.abc import Sequence

from openpyxl import Workbook
from openpyxl.utils import get_column_letter, range_boundaries

from engines import Cell, Cells
from scalesheet.errors import CellError
from scalesheet_workbooks.build import build
from scalesheet_workbooks.layout import COMPLETENESS, ERROR, Layout
from scalesheet_workbooks.scaling_inputs import CURVE_ROWS, INPUTS, POINT_ROWS, example
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.sheets.study_forecast import typed_cells
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates import scaling_study
from scalesheet_workbooks.templates.scaling_study_checks import CHECKS
from workbooks.budgets import Book

NAME = scaling_study.NAME
STUDY = Study("A study", ())
DASH = "–"
EXAMPLE = example()
PAIRS = [(point.nodes, point.throughput) for point in EXAMPLE.points]
PLACES = scaling_study.placed(Context(Workbook(), STUDY, Layout(1), ""))
KEYS = [key for key, _ in CURVE_ROWS]

Pairs = Sequence[tuple[float, float]]
Changes = dict[tuple[str, str], Cell]


def at(cell_id: str, key: str = "") -> tuple[str, str]:
    """Sheet and address of an entry, or of a cell of a column."""
    if key:
        letter, row = PLACES.cell(cell_id, key)
        return PLACES.columns[cell_id][0], f"{letter}{row}"
    if cell_id.startswith("chk."):
        sheet, row = PLACES.layout.rows[cell_id]
        return sheet, f"H{row}"
    sheet, cell = PLACES.entries[cell_id]
    return sheet, cell.replace("$", "")


def column(cells: Cells, column_id: str, keys: Sequence[str] = KEYS) -> list[Cell]:
    """A column of a table, row by row."""
    return [cells.get(at(column_id, key)) for key in keys]


def numbers(cells: Cells, column_id: str, keys: Sequence[str] = KEYS) -> list[float]:
    """The numbers in a column; dashes are left out."""
    return [value for value in column(cells, column_id, keys) if isinstance(value, float)]


def number(cells: Cells, cell_id: str, key: str = "") -> float:
    value = cells[at(cell_id, key)]
    assert isinstance(value, float), (cell_id, key, value)
    return value


def filled(points: Sequence[Sequence[Cell]], **inputs: Cell) -> Changes:
    """The changes that put points, and inputs by their ids without a prefix, into a workbook."""
    changes: Changes = {}
    for row, (key, _) in enumerate(POINT_ROWS):
        given = points[row] if row < len(points) else (None, None, None)
        nodes, gpus, rate = given if len(given) == 3 else (given[0], 8.0, given[1])
        changes[at("in.nodes", key)] = nodes
        changes[at("in.point_gpus_per_node", key)] = gpus
        changes[at("in.throughput", key)] = rate
    return changes | {at(f"in.{name}"): value for name, value in inputs.items()}


@functools.cache
def book() -> Book:
    return Book(build(NAME))


def failing(cells: Cells, *kinds: str) -> set[str]:
    """The checks of some kinds that do not pass, without their prefix."""
    ids = [check.id for check in CHECKS if check.kind in (kinds or (ERROR, COMPLETENESS))]
    return {check_id.removeprefix("chk.") for check_id in ids if cells.get(at(check_id)) != 0}


def errors_in(cells: Cells) -> Changes:
    return {place: value for place, value in cells.items() if isinstance(value, CellError)}


def cells_of(sheet: str, area: str) -> set[tuple[str, str]]:
    """The places of a range."""
    left, top, right, bottom = range_boundaries(area)
    return {
        (sheet, f"{get_column_letter(number)}{row}")
        for row in range(top, bottom + 1)
        for number in range(left, right + 1)
    }


def input_cells() -> set[tuple[str, str]]:
    """What may be filled: inputs and points with their sources, and the columns for functions."""
    first, last = (at("in.nodes", POINT_ROWS[end][0])[1][1:] for end in (0, -1))
    found = cells_of("Points", f"E{first}:G{last}") | cells_of("Points", f"I{first}:I{last}")
    for entry in INPUTS:
        sheet, address = at(entry.id)
        found |= {(sheet, address), (sheet, f"I{address[1:]}")}
    return found | cells_of("Forecast", typed_cells(PLACES))


NUMBER_FORMATS = {
    *("General", "@", "0", "#,##0", "#,##0.00", "#,##0.00##", "0.000", "0.00E+00", "0E+0"),
    *('#,##0,,"M"', '"none";"none"'),
    *("0%", "0.0%", "0.00%", "0.0%;–;0.0%", "0;-0;–", '">"#,##0', '">"0%'),
    "[>=10000000]#,##0;[<=-10000000]-#,##0;#,##0.00",
    # Steps come by the dozen a second, tokens by the million.
    *('[<1000]#,##0.00;[<10000000]#,##0;#,##0.00,,"M"', "[<1000]#,##0.00;#,##0"),
    "[<10000000000]#,##0;0.000E+00",
    *("yyyy", "yyyy-mm-dd"),
    *('"fail";"fail";"pass"', '"alert";"alert";"none"'),
}
