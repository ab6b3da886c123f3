"""A finished workbook calculated again: its formulas' values, and which differ from the stored."""

import datetime
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass

from scalesheet.errors import CellError
from scalesheet_workbooks.calculation import Value, cached_values

TOLERANCE = 1e-12
FIRST_COLUMN = 5
SCENARIO_ROW = "in.scenario"
RESULT_ROWS = (
    "calc.gpus",
    "calc.efficiency",
    "calc.wall_clock_days",
    "calc.gpu_hours",
    "calc.train_cost",
    "calc.cost_per_productive_gpu_hour",
)

Cells = Mapping[tuple[str, str], Value]


@dataclass(frozen=True, slots=True)
class Recalculation:
    """The stored cells, the recalculated formulas, and the places where the two differ."""

    stored: Cells
    values: Cells
    differing: tuple[str, ...]


def recalculate(xlsx: bytes) -> Recalculation:
    """The formulas of a workbook calculated again, compared with the values it holds."""
    stored, values = stored_values(xlsx), cached_values(xlsx)
    differing = (
        f"{title}!{at}"
        for (title, at), value in values.items()
        if not is_equal(value, stored.get((title, at), ""))
    )
    return Recalculation(stored, values, tuple(differing))


def stored_values(xlsx: bytes) -> dict[tuple[str, str], Value]:
    """The value of every cell as the file holds it, blank ones left out."""
    from openpyxl import load_workbook
    from openpyxl.utils.datetime import to_excel

    values: dict[tuple[str, str], Value] = {}
    for sheet in load_workbook(io.BytesIO(xlsx), data_only=True).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                value = cell.value
                if value is None:
                    continue
                if cell.data_type == "e":
                    value = CellError(value)
                elif isinstance(value, datetime.date | datetime.time | datetime.timedelta):
                    value = to_excel(value)
                values[sheet.title, cell.coordinate] = value
    return values


def is_equal(one: Value, other: Value) -> bool:
    """Whether two cells show the same; numbers within the last digits of a float.

    >>> is_equal(0.1 + 0.2, 0.3), is_equal(1.0, True), is_equal("a", "A")
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return one == other


def scenario_results(workbook: Recalculation) -> list[tuple[str, list[Value]]]:
    """The name of each scenario of a budget and its main results, in the order of RESULT_ROWS."""
    rows = {
        str(value): at.removeprefix("B")
        for (_, at), value in workbook.stored.items()
        if at.removeprefix("B").isdigit() and value in (SCENARIO_ROW, *RESULT_ROWS)
    }
    results = []
    for place in range(FIRST_COLUMN, 26):
        column = chr(ord("A") + place - 1)
        cells = [("Calc", f"{column}{rows[row]}") for row in RESULT_ROWS]
        if cells[0] not in workbook.values:
            break
        name = workbook.stored.get(("Inputs", f"{column}{rows[SCENARIO_ROW]}"), "")
        results.append((str(name), [workbook.values[cell] for cell in cells]))
    return results
