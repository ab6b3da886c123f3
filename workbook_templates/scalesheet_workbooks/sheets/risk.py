"""The Risk sheets: the rows that a program writes, and the chart of the spread."""

import math
from collections.abc import Mapping

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.chart.series import SeriesLabel
from openpyxl.utils import get_column_letter

from scalesheet_workbooks import charts
from scalesheet_workbooks.inputs import MEASURED, TYPED
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.proposal_inputs import OWN, RESERVED
from scalesheet_workbooks.proposal_model import Given, figures
from scalesheet_workbooks.proposal_risk import outlook
from scalesheet_workbooks.sheets import checksum, model
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.written import given, write_values
from scalesheet_workbooks.spec import Import, Line, Link
from scalesheet_workbooks.styles import (
    FORMULA,
    NOTE,
    SERIES,
    SEVENTH_SERIES,
    SIXTH_SERIES,
    page,
    put,
    row_height,
)
from scalesheet_workbooks.templates.cluster_proposal_percentiles import PERCENTILES
from scalesheet_workbooks.templates.cluster_proposal_risk import RISK
from scalesheet_workbooks.templates.cluster_proposal_spread import SPREAD, SUMMED

BARS = (
    ("risk.all_good", "all good", SERIES[4]),
    ("risk.p10", "P10", SERIES[1]),
    ("risk.p50", "P50", SERIES[0]),
    ("risk.total", "request with contingency", SEVENTH_SERIES),
    ("risk.p80", "P80", SIXTH_SERIES),
    ("risk.p90", "P90", SERIES[2]),
    ("risk.all_bad", "all bad", SERIES[3]),
)
CHART_CM = 5.0
CM_PER_WIDTH = 0.18
"""A unit of column width is 5.25 points, 0.185 cm."""
NOTES = (
    "Drivers are independent PERT distributions from low, mode and high. Rent by use: "
    "TRAIN_COST_RISK. Whole billing increments are left out.",
    "Reserved: committed hours bill at their price, idle or not, and what overflows at the price "
    "entered. Own: power follows the hours, depreciation the server's price.",
    "Tax is in the spread, contingency is not: it is set aside for what makes the spread. When "
    "drivers go wrong together the spread is wider: the row of all that goes badly bounds it.",
)


def place(context: Context) -> None:
    """The weights of the checksum, at the ends of the rows."""
    layout = context.layout
    letter = get_column_letter(layout.end_column + 1)
    rows = [layout.rows[line.id][1] for line in SUMMED]
    layout.fixed["risk.weights"] = f"{SPREAD.name}!${letter}${rows[0]}:${letter}${rows[-1]}"


def write_spread(context: Context, constants: Mapping[str, str]) -> None:
    """The ranges, with weights of a size that makes each row count."""
    model.write(context, SPREAD, constants, {})
    ws, layout = context.book[SPREAD.name], context.layout
    letter = get_column_letter(layout.end_column + 1)
    for line, weight in zip(SUMMED, checksum.weights(SUMMED), strict=True):
        put(ws, f"{letter}{layout.rows[line.id][1]}", weight, FORMULA, "0.0E+0")


def write_percentiles(context: Context, constants: Mapping[str, str]) -> None:
    """The percentiles as values, and where the request stands."""
    model.write(context, PERCENTILES, constants, {})
    write_values(context, PERCENTILES, PERCENTILES.sections[0].lines[1:-1], _written)


def write_risk(context: Context, constants: Mapping[str, str]) -> None:
    """With and without contingency, the request against it, and the chart of the spread."""
    model.write(context, RISK, constants, {})
    _chart(context)


def _chart(context: Context) -> None:
    """P10 to P90 as a bar, scenario by scenario, and below it what the figures mean."""
    ws, layout = context.book[RISK.name], context.layout
    last = layout.last_row[RISK.name]
    for step, text in enumerate(NOTES, 2):
        put(ws, f"B{last + step}", text, NOTE)
    chart = BarChart()
    chart.type, chart.gapWidth = "col", 60
    for line_id, title, color in BARS:
        row = layout.rows[line_id][1]
        values = Reference(ws, min_col=5, max_col=layout.end_column, min_row=row, max_row=row)
        series = Series(values)
        series.tx = SeriesLabel(v=title)
        chart.series.append(charts.bar(series, color))
    columns = range(2, model.last_column(context, RISK) + 1)
    width = sum(ws.column_dimensions[get_column_letter(c)].width for c in columns) * CM_PER_WIDTH
    heads = {"min_col": 5, "max_col": layout.end_column}
    chart.set_categories(Reference(ws, min_row=HEADER_ROW, max_row=HEADER_ROW, **heads))
    title = f"Cost before contingency, and the request with it, {context.study.currency}"
    charts.finish(chart, title, width, CHART_CM)
    chart.y_axis.number_format = charts.MILLIONS
    top = last + len(NOTES) + 3
    ws.add_chart(chart, f"B{top}")
    height = row_height(top + 2 - HEADER_ROW, landscape=True, taken=85 + CHART_CM * 28.35)
    ws.sheet_format.defaultRowHeight = height
    end = model.last_column(context, RISK)
    rows = top + math.ceil(CHART_CM * 28.35 / height)
    page(ws, end, rows, landscape=True, header=context.header)


def is_complete(inputs: Given) -> bool:
    """Whether a scenario can be calculated."""
    needed = ["gpus", "gpus_per_node", "start", "programme_months", "rework", "storage", "egress"]
    if inputs.values.get("in.acquisition") == RESERVED:
        needed += ["committed_gpu_hours", "overflow_price"]
    if inputs.values.get("in.acquisition") == OWN:
        needed += ["node_price", "kwh_price", "life_years"]
    if inputs.values.get("in.efficiency_method") == TYPED:
        needed.append("efficiency")
    if inputs.values.get("in.efficiency_method") == MEASURED and inputs.measured is None:
        return False
    return inputs.has(*needed)


def _written(context: Context, place: int) -> dict[str, float]:
    """Percentiles and mean before contingency, and the checksum of what they were computed from."""
    inputs = given(context, place)
    lines = figures(inputs) if is_complete(inputs) else {}
    found = outlook(inputs, lines) if lines else None
    if found is None:
        return {}
    values = [_value(line, inputs, lines) for line in SUMMED]
    return {
        "risk.written_checksum": checksum.checksum(SUMMED, values),
        **{f"risk.written_{name}": value for name, value in found.percentiles.items()},
        "risk.written_mean": found.mean,
    }


def _value(line: Line, inputs: Given, lines: Mapping[str, float]) -> float:
    """What a row of the checksum holds; what is not given counts as nothing."""
    if isinstance(line.source, Import):
        return float(inputs.values.get(line.source.input_id, 0.0))
    assert isinstance(line.source, Link)
    return lines.get(line.source.line_id, 0.0)
