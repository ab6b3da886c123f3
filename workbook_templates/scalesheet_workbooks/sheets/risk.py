"""The Risk sheets: the rows that a program writes, and the chart of the spread."""

import math
from collections.abc import Mapping

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.utils import get_column_letter

from scalesheet.risk import cost_risk
from scalesheet_workbooks import charts
from scalesheet_workbooks.inputs import TYPED
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.proposal_inputs import (
    CURRENCY,
    ENDS,
    OWN,
    PROPOSAL_INPUTS,
    RESERVED,
    SPREADS,
)
from scalesheet_workbooks.proposal_model import Given, figures
from scalesheet_workbooks.sheets import model
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.spec import NOT_GIVEN
from scalesheet_workbooks.styles import FORMULA, NOTE, SERIES, TEXT_BESIDE, page, put, row_height
from scalesheet_workbooks.templates.cluster_proposal_risk import (
    PROBABILITIES,
    RISK,
    SPREAD,
    WRITTEN,
)

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)
MARKED = SPREAD.sections[0].lines[:-2]
"""The rows whose values the mark is made from."""
CHART_CM = 6.2
CM_PER_WIDTH = 0.18
"""A unit of column width is 5.25 points, 0.185 cm."""
NOTES = (
    "Drivers are independent PERT distributions from low, mode and high; percentiles are the "
    "core's (TRAIN_COST_RISK), whole increments left out.",
    "When drivers go wrong together the spread is wider: the row of all that goes badly bounds it.",
)


def given(context: Context, place: int) -> Given:
    """The inputs of a scenario as they stand in the workbook."""
    proposal = context.study.proposal
    rates = {rate.currency: rate.rate for rate in proposal.rates}
    values = {
        entry.id: value
        for entry in PROPOSAL_INPUTS
        if (value := context.value(entry, place)) is not None
    }
    return Given(
        values,
        {
            entry.id: rates.get(proposal.beside.get(entry.id, ""), 1.0)
            for entry in PROPOSAL_INPUTS
            if entry.beside == CURRENCY
        },
    )


def place(context: Context) -> None:
    """The weights of the mark, at the ends of the rows."""
    layout = context.layout
    letter = get_column_letter(layout.end_column + 1)
    rows = [layout.rows[line.id][1] for line in MARKED]
    layout.fixed["risk.weights"] = f"{SPREAD.name}!${letter}${rows[0]}:${letter}${rows[-1]}"


def write_spread(context: Context, constants: Mapping[str, str]) -> None:
    """The ranges, with weights of a size that makes each row count."""
    model.write(context, SPREAD, constants, {}, wide=True)
    ws, layout = context.book[SPREAD.name], context.layout
    letter = get_column_letter(layout.end_column + 1)
    for line, weight in zip(MARKED, _weights(context), strict=True):
        put(ws, f"{letter}{layout.rows[line.id][1]}", weight, FORMULA, "0.0E+0")


def write_risk(context: Context, constants: Mapping[str, str]) -> None:
    """The percentiles as values, and the chart of the spread."""
    model.write(context, RISK, constants, {}, wide=True)
    ws, layout = context.book[RISK.name], context.layout
    for place, column in enumerate(layout.columns):
        written = _written(context, place)
        for name, _, quantity in WRITTEN:
            value: float | str = written.get(name, NOT_GIVEN)
            row = layout.rows[f"risk.{name}"][1]
            put(ws, f"{column}{row}", value, FORMULA, quantity.number_format)
            if model.last_column(context, RISK) > layout.end_column:
                how = f"{get_column_letter(layout.end_column + 1)}{row}"
                put(ws, how, "a value that the core computed", TEXT_BESIDE)
    _chart(context)


def _chart(context: Context) -> None:
    """P10 to P90 as a bar, scenario by scenario, and below it what the figures mean."""
    ws, layout = context.book[RISK.name], context.layout
    last = layout.last_row[RISK.name]
    for step, text in enumerate(NOTES, 2):
        put(ws, f"B{last + step}", text, NOTE)
    chart = BarChart()
    chart.type, chart.gapWidth = "bar", 60
    colors = ("8D99A6", SERIES[1], SERIES[0], SERIES[2], SERIES[3])
    names = ("risk.all_good", "risk.p10", "risk.p50", "risk.p90", "risk.all_bad")
    for name, color in zip(names, colors, strict=True):
        row = layout.rows[name][1]
        values = Reference(ws, min_col=5, max_col=layout.end_column, min_row=row, max_row=row)
        series = charts.named(Series(values), f"{RISK.name}!$C${row}")
        chart.series.append(charts.bar(series, color))
    columns = range(2, model.last_column(context, RISK) + 1)
    width = sum(ws.column_dimensions[get_column_letter(c)].width for c in columns) * CM_PER_WIDTH
    heads = {"min_col": 5, "max_col": layout.end_column}
    chart.set_categories(Reference(ws, min_row=HEADER_ROW, max_row=HEADER_ROW, **heads))
    charts.finish(chart, "Total cost: all good, P10, P50, P90, all bad", width, CHART_CM)
    chart.x_axis.scaling.orientation = "maxMin"
    chart.y_axis.number_format = '[>=1000000]#,##0.0,,"M";#,##0'
    chart.y_axis.crosses = "max"
    top = last + len(NOTES) + 3
    ws.add_chart(chart, f"B{top}")
    height = row_height(top + 2 - HEADER_ROW, landscape=True, taken=85 + CHART_CM * 28.35)
    ws.sheet_format.defaultRowHeight = height
    end = model.last_column(context, RISK)
    rows = top + math.ceil(CHART_CM * 28.35 / height)
    page(ws, end, rows, landscape=True, header=context.header)


def _weights(context: Context) -> list[float]:
    columns = [_marked(context, place) for place in range(context.layout.scenarios)]
    largest = [max(abs(value) for value in row) for row in zip(*columns, strict=True)]
    return [math.sqrt(prime) / (size or 1.0) for prime, size in zip(PRIMES, largest, strict=False)]


def _marked(context: Context, place: int) -> list[float]:
    """The numbers of a column that the mark is made from; what is not given counts as nothing."""
    inputs = given(context, place)
    lines = figures(inputs) if is_complete(inputs) else {}
    flags = [float(inputs.values.get("in.acquisition") == option) for option in (RESERVED, OWN)]
    ranges = [inputs.values.get(f"in.{name}_{end}", 0.0) for name, _, _ in SPREADS for end in ENDS]
    rest = (
        lines.get("bill.paid_gpus", 0.0),
        inputs.values.get("in.waste", 0.0),
        lines.get("cost.fixed_lines", 0.0),
        lines.get("cost.tax_share", 0.0),
        inputs.values.get("in.contingency", 0.0),
        *flags,
    )
    return [float(value) for value in (*ranges, *rest)]


def is_complete(inputs: Given) -> bool:
    """Whether a scenario can be calculated."""
    needed = ["gpus", "gpus_per_node", "start", "programme_months", "rework", "storage", "egress"]
    if inputs.values.get("in.acquisition") == RESERVED:
        needed += ["committed_gpu_hours", "overflow_price"]
    if inputs.values.get("in.acquisition") == OWN:
        needed += ["node_price", "kwh_price", "life_years"]
    if inputs.values.get("in.efficiency_method") == TYPED:
        needed.append("efficiency")
    return inputs.has(*needed)


def _written(context: Context, place: int) -> dict[str, float]:
    """Percentiles of the total, mean, and the mark of what they were computed from."""
    inputs = given(context, place)
    names = [f"{name}_{end}" for name, _, _ in SPREADS for end in ENDS]
    by_use = inputs.values.get("in.acquisition") not in (RESERVED, OWN)
    if not by_use or not inputs.has(*names) or not is_complete(inputs):
        return {}
    lines, number = figures(inputs), inputs.number
    uplift = (1 + lines["cost.tax_share"]) * (1 + number("contingency"))
    low, mode, high = (number(f"ideal_hours_{end}") / (1 - number("waste")) for end in ENDS)
    others = [tuple(number(f"{name}_{end}") for end in ENDS) for name, _, _ in SPREADS[1:]]
    price, efficiency, rework = ((ends[0], ends[1], ends[2]) for ends in others)
    spread = cost_risk(
        lines["bill.paid_gpus"],
        (low, mode, high),
        price,
        efficiency,
        rework,
        lines["cost.fixed_lines"],
        0.0,
    )
    mark = sum(
        weight * value
        for weight, value in zip(_weights(context), _marked(context, place), strict=True)
    )
    percentiles = {
        f"written_{name}": spread.percentile(share) * uplift
        for name, share in PROBABILITIES.items()
    }
    return {"written_mark": mark, **percentiles, "written_mean": spread.mean * uplift}
