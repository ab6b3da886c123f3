"""The Core sheet: what the calibrated core says of the points at build, and of which points."""

import math
import textwrap
from collections.abc import Sequence

from scalesheet.calibration import ScalingFit, fit
from scalesheet_workbooks.scaling_inputs import (
    CURVE_ROWS,
    MOST_MEASURED,
    SIZE_ROWS,
    SIZES,
    Point,
    StudyInputs,
    numbered,
)
from scalesheet_workbooks.sheets.study_blocks import Page, Values, write_sheet

NOTES, NOTE_LETTERS = 6, 80
NOTE_ROWS = numbered("note", "Note", NOTES)
NONE_ROW = ("none", "No such size")
ENDS = ("low", "throughput", "high")
MARK_UNITS = {
    "mark_class": "name",
    "mark_points": "count",
    "mark_nodes": "sum",
    "mark_nodes_squared": "sum",
    "mark_rates": "sum",
    "mark_rates_squared": "sum",
    "mark_products": "sum",
}
"""What changes when any point changes, with units; the order of the points does not count."""


def sizes(points: Sequence[Point], reach: float) -> list[int]:
    """The sizes of the curve: one node, the measured ones, doublings up to the reach.

    >>> sizes([Point(2, 8, 10.0), Point(6, 8, 25.0)], 4.0)
    [1, 2, 6, 12, 24]
    """
    measured = sorted({round(point.nodes) for point in points})
    least, most = measured[0], measured[-1]
    step = (most / least) ** (1 / MOST_MEASURED) if len(measured) > MOST_MEASURED else 1
    chosen = [1]
    while len(chosen) < SIZES:
        larger = (nodes for nodes in measured if nodes > chosen[-1] * step)
        chosen.append(next(larger, 2 * chosen[-1]))
    return [nodes for nodes in chosen if nodes <= reach * most]


def found(given: StudyInputs) -> ScalingFit:
    """The core's fit of the points."""
    return fit([(point.nodes, point.throughput) for point in given.points], given.fabric_class)


def note_lines(given: StudyInputs) -> list[str]:
    """What the core notes at the planned size, in lines that fit the sheets."""
    lines = [
        line
        for note in found(given).notes_at(given.planned)
        for line in textwrap.wrap(note, NOTE_LETTERS)
    ]
    more = "And more: type SCALING_NOTE, or see scalesheet fit."
    return lines if len(lines) <= NOTES else [*lines[: NOTES - 1], more]


def values(given: StudyInputs, reach: float) -> Values:
    """The figures and notes to write, by column and row."""
    lines = zip((key for key, _ in NOTE_ROWS), note_lines(given), strict=False)
    marks = _marks(given)
    return {
        **{("core.unit", key): unit for key, unit in MARK_UNITS.items()},
        **{("core.then", key): marks[key] for key in MARK_UNITS},
        **_figures(given, reach),
        **{("core.note", key): line for key, line in lines},
    }


def _marks(given: StudyInputs) -> dict[str, float | str]:
    nodes = [point.nodes for point in given.points]
    rates = [point.throughput for point in given.points]
    return {
        "mark_class": given.fabric_class,
        "mark_points": float(len(nodes)),
        "mark_nodes": math.fsum(nodes),
        "mark_nodes_squared": math.fsum(n * n for n in nodes),
        "mark_rates": math.fsum(rates),
        "mark_rates_squared": math.fsum(x * x for x in rates),
        "mark_products": math.fsum(n * x for n, x in zip(nodes, rates, strict=True)),
    }


def _figures(given: StudyInputs, reach: float) -> dict[tuple[str, str], float | str]:
    fitted, planned = found(given), given.planned
    at = dict(zip((key for key, _ in SIZE_ROWS), sizes(given.points, reach), strict=False))
    at |= {"at_planned": planned, "at_one_more": planned + 1, "at_twice": 2 * planned}
    written: dict[tuple[str, str], float | str] = {}
    for key, _ in CURVE_ROWS:
        if key in at:
            forecast = fitted.forecast(at[key])
            written["core.nodes", key] = float(at[key])
            for end in ENDS:
                written[f"core.{end}", key] = getattr(forecast, end)
    return written


def write(target: Page, given: StudyInputs, reach: float) -> None:
    """The sheet."""
    write_sheet(target, values(given, reach))
