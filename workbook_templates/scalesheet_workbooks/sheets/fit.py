"""The Fit sheets: what the core says of each scenario's measured points, written as values."""

import math
from collections.abc import Mapping
from itertools import pairwise

from openpyxl.utils import get_column_letter

from scalesheet_workbooks.measured_fit import fit_of, fitted, planned_nodes
from scalesheet_workbooks.proposal_inputs import CLASSES, POINTS
from scalesheet_workbooks.sheets import checksum, model
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.written import given, write_values
from scalesheet_workbooks.study import Measured
from scalesheet_workbooks.styles import FORMULA, put
from scalesheet_workbooks.templates.cluster_proposal_fit import (
    CURVE_SIZES,
    FIT,
    FIT_SIZES,
    SUMMED,
    WRITTEN_CHECKSUM,
)

Values = Mapping[str, float]


def place(context: Context) -> None:
    """The weights of the checksum, at the ends of the rows."""
    layout = context.layout
    letter = get_column_letter(layout.end_column + 1)
    first, last = (layout.rows[line.id][1] for line in (SUMMED[0], SUMMED[-1]))
    layout.fixed["fit.weights"] = f"{FIT.name}!${letter}${first}:${letter}${last}"


def write(context: Context, constants: Mapping[str, str]) -> None:
    """The points, their checksum, and the efficiency at the planned size."""
    model.write(context, FIT, constants, {})
    ws, layout = context.book[FIT.name], context.layout
    letter = get_column_letter(layout.end_column + 1)
    for line, weight in zip(SUMMED, checksum.weights(SUMMED), strict=True):
        put(ws, f"{letter}{layout.rows[line.id][1]}", weight, FORMULA, "0.0E+0")
    write_values(context, FIT, FIT.sections[1].lines[:-1], _planned)


def write_sizes(context: Context, constants: Mapping[str, str]) -> None:
    """The curve of each scenario, as values."""
    model.write(context, FIT_SIZES, constants, {})
    write_values(context, FIT_SIZES, FIT_SIZES.lines, _curve)


def _measured(context: Context, place: int) -> tuple[Measured, float] | None:
    """The points of a scenario and the nodes that it plans; None where either is missing."""
    inputs = given(context, place)
    measured = inputs.measured
    if measured is None or not inputs.has("gpus", "gpus_per_node"):
        return None
    return measured, planned_nodes(inputs.values)


def _planned(context: Context, place: int) -> Values:
    found = _measured(context, place)
    if found is None:
        return {}
    measured, nodes = found
    at = fitted(measured, nodes)
    return {
        WRITTEN_CHECKSUM: checksum.checksum(SUMMED, _summed(measured)),
        "fit.written_nodes": nodes,
        "fit.written_low": at.low,
        "fit.written_efficiency": at.efficiency,
        "fit.written_high": at.high,
        "fit.written_next": fitted(measured, nodes + 1).efficiency,
    }


def _summed(measured: Measured) -> list[float]:
    """The values of the rows of the checksum: the place of the class, nodes, throughputs."""
    empty = [0.0] * (POINTS - len(measured.points))
    nodes, throughputs = ([point[end] for point in measured.points] for end in (0, 1))
    place = 1.0 + CLASSES.index(measured.fabric_class)
    return [place, *nodes, *empty, *throughputs, *empty]


def _curve(context: Context, place: int) -> Values:
    found = _measured(context, place)
    if found is None:
        return {}
    measured, planned = found
    fit = fit_of(measured)
    values: dict[str, float] = {}
    for number, nodes in enumerate(sizes(measured, planned), 1):
        forecast = fit.forecast(nodes)
        head = f"fit.size_{number}"
        values[f"{head}_nodes"] = nodes
        values[f"{head}_low"] = forecast.low
        values[f"{head}_throughput"] = forecast.throughput
        values[f"{head}_high"] = forecast.high
    return values


def sizes(measured: Measured, planned: float) -> list[float]:
    """The sizes of the curve: one node, those measured, the planned one, and more between them.

    >>> sizes(Measured(((1, 10.0), (4, 38.0)), "other"), 32.0)
    [1.0, 2.0, 3.0, 4.0, 7.0, 11.0, 19.0, 32.0, 45.0, 64.0]
    """
    chosen = sorted({1.0, planned, *(float(nodes) for nodes, _ in measured.points)})
    if len(chosen) < CURVE_SIZES:
        chosen.append(2 * chosen[-1])
    while len(chosen) < CURVE_SIZES:
        gaps = [(larger / nodes, nodes, larger) for nodes, larger in pairwise(chosen)]
        _, nodes, larger = max(gap for gap in gaps if gap[2] - gap[1] > 1 or gap[2] == chosen[-1])
        middle = float(round(math.sqrt(nodes * larger)))
        chosen = sorted({*chosen, middle if nodes < middle < larger else 2 * chosen[-1]})
    return chosen
