"""The efficiency of a scenario from runs of its own: a pilot of two sizes, or measured points."""

import math
from collections.abc import Sequence
from statistics import median

from scalesheet.domains import spelled
from scalesheet.errors import ScalesheetError
from scalesheet.fabric_classes import OTHER, class_named
from scalesheet.quantities import EXPONENT, NODES, THROUGHPUT
from scalesheet.scaling import scaling_exponent
from scalesheet_workbooks.inputs import BY_PILOT, MEASURED, Pick
from scalesheet_workbooks.measured_fit import fit_of
from scalesheet_workbooks.proposal_inputs import POINTS
from scalesheet_workbooks.scenario_text import Table
from scalesheet_workbooks.scenario_values import Refuse, read_number, read_pick, shown
from scalesheet_workbooks.study import Measured

PILOT_KEYS, PILOT_EXAMPLE = ("pilot",), "{ pilot = [[1, 116], [4, 480]] }"
MEASURED_KEYS = ("measured", "fabric_class", "by")
MEASURED_EXAMPLE = "{ measured = [[1, 116], [2, 230], [4, 452]] }"
BY_FIT = "fit"
BY = Pick("what the efficiency is taken from", (BY_FIT, BY_PILOT))
Points = Sequence[tuple[float, float]]


def pilot_values(value: object, refuse: Refuse) -> dict[str, float]:
    """The two runs of a pilot, the smaller one first whatever their order in the file."""
    field = "efficiency.pilot"
    if not isinstance(value, list) or len(value) != 2:
        count = f"{len(value)} of them" if isinstance(value, list) else shown(value)
        refuse(
            f"{field} must be two points [nodes, throughput], not {count}: write {PILOT_EXAMPLE}"
        )
        return {}
    runs = sorted(_points(value, field, refuse))
    if len(runs) < 2:
        return {}
    (base_nodes, _), (nodes, _) = runs
    if base_nodes == nodes:
        count = spelled(nodes, in_cell=False)
        refuse(f"{field} must have two sizes, not {count} nodes twice: measure at two sizes")
        return {}
    return _pilot(runs, field, refuse)


def measured_points(table: Table, refuse: Refuse) -> Measured | None:
    """The points that a scenario measured; None when it gives none."""
    given = table.get("efficiency")
    if not isinstance(given, dict) or "measured" not in given:
        return None
    field, value = "efficiency.measured", given["measured"]
    if not isinstance(value, list) or not 1 <= len(value) <= POINTS:
        count = f"{len(value)} of them" if isinstance(value, list) else shown(value)
        refuse(
            f"{field} must be 1 to {POINTS} points [nodes, throughput], not {count}: "
            f"write {MEASURED_EXAMPLE}, or use scaling_study for more"
        )
        return None
    points = tuple(_points(value, field, refuse))
    fabric_class = _fabric_class(given.get("fabric_class", OTHER), refuse)
    if len(points) < len(value) or fabric_class is None:
        return None
    measured = Measured(points, fabric_class)
    try:
        fit_of(measured)
    except ScalesheetError as error:
        refuse(f"{field}: {error}")
        return None
    return measured


def measured_values(
    given: Table, measured: Measured | None, refuse: Refuse
) -> dict[str, float | str]:
    """The way in which a scenario takes its efficiency from measured points.

    The smallest and the largest size are its pilot as well: the one that needs no program.
    """
    if "measured" not in given:
        refuse(f"efficiency.measured is missing: write efficiency = {MEASURED_EXAMPLE}")
        return {}
    by = read_pick(given.get("by", BY_FIT), "efficiency.by", BY, refuse)
    if measured is None or by is None:
        return {}
    sizes = sorted({nodes for nodes, _ in measured.points})
    method: dict[str, float | str] = {
        "in.efficiency_method": MEASURED if by == BY_FIT else BY_PILOT
    }
    if len(sizes) == 1:
        if by == BY_PILOT:
            refuse('efficiency.by must be "fit" where one size was measured: measure at two sizes')
        return method
    ends = [
        (size, median(x for n, x in measured.points if n == size))
        for size in sizes[:: len(sizes) - 1]
    ]
    return {
        **method,
        **_pilot(ends, "efficiency.measured", refuse if by == BY_PILOT else _say_nothing),
    }


def _say_nothing(problem: str) -> None:
    """A pilot that is not used may lie outside the limits."""


def _fabric_class(value: object, refuse: Refuse) -> str | None:
    if not isinstance(value, str):
        refuse(f'efficiency.fabric_class must be a name, not {shown(value)}: write "{OTHER}"')
        return None
    if value.strip().casefold() in ("", OTHER):
        return OTHER
    try:
        return class_named(value, besides=(OTHER,)).name
    except ScalesheetError as error:
        refuse(f"efficiency.{error}")
        return None


def _pilot(runs: Points, field: str, refuse: Refuse) -> dict[str, float]:
    (base_nodes, base_throughput), (nodes, throughput) = runs
    exponent = _exponent(base_nodes, base_throughput, nodes, throughput)
    if not EXPONENT.admits(exponent):
        refuse(
            f"{field} must give an exponent {EXPONENT.rule}, not {exponent:.3g}: "
            "each throughput is the total of its run, not that of one GPU or node"
        )
        return {}
    return {
        "in.pilot_base_nodes": base_nodes,
        "in.pilot_base_throughput": base_throughput,
        "in.pilot_nodes": nodes,
        "in.pilot_throughput": throughput,
    }


def _exponent(base_nodes: float, base_throughput: float, nodes: float, throughput: float) -> float:
    try:
        return scaling_exponent(base_nodes, base_throughput, nodes, throughput)
    except (ArithmeticError, ValueError):
        return math.inf


def _points(values: Sequence[object], field: str, refuse: Refuse) -> list[tuple[float, float]]:
    read = [
        _point(value, f"{field} point {place}", refuse) for place, value in enumerate(values, 1)
    ]
    return [point for point in read if point is not None]


def _point(value: object, field: str, refuse: Refuse) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        count = f"{len(value)} of them" if isinstance(value, list) else shown(value)
        refuse(f"{field} must be two numbers, not {count}: write [nodes, throughput]")
        return None
    nodes = read_number(value[0], f"{field} nodes", NODES, refuse)
    throughput = read_number(value[1], f"{field} throughput", THROUGHPUT, refuse)
    return None if nodes is None or throughput is None else (nodes, throughput)
