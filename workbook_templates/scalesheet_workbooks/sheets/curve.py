"""The Curve sheet: measured points, fitted curve and band of the scenario shown, with a chart."""

import math

from openpyxl.chart import ScatterChart
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef
from openpyxl.chart.series import SeriesLabel, XYSeries
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.proposal_inputs import POINTS
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.spec import NOT_GIVEN
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    GOOD,
    GOOD_PALE,
    ID,
    IMPORTED,
    LABEL,
    NOTE,
    SERIES,
    UNIT,
    Formula,
    Look,
    banner,
    highlight,
    page,
    put,
    row_height,
    widths,
)
from scalesheet_workbooks.templates.cluster_proposal_fit import CURVE_SIZES

NAME = "Curve"
NODES, RATE, SHARE = "#,##0", "#,##0", "0.0%"
FLAG_ROW = 6
FLAG = f"$E${FLAG_ROW}"
HEAD_ROW = 11
FIRST = HEAD_ROW + 1
POINT_HEAD = FIRST + CURVE_SIZES + 2
POINT_FIRST = POINT_HEAD + 1
LAST_ROW = POINT_FIRST + POINTS - 1
CHART_CM, WIDTH_CM, POINTS_PER_CM = 6.6, 30.5, 28.35
LAST_COLUMN = 15
MEASURED, PLANNED = "C8553D", SERIES[2]
HEAD_POINTS = 27.0
HEADS = (
    ("E", "Nodes"),
    ("F", "Band from"),
    ("G", "Fitted"),
    ("H", "Band to"),
    ("I", "Effic. from"),
    ("J", "Efficiency"),
    ("K", "Effic. to"),
)
CHARTED = (("L", "Nodes charted"), ("M", "from"), ("N", "fitted"), ("O", "to"))
VERDICT = Look(bold=True, align="center")
NOTES = (
    "Throughput is the total of the run; efficiency is against one node. The band holds 8 in 10 "
    "cases; it widens with the distance from what was measured.",
    "When a point or its class changes the figures go until the workbook is built again; the "
    "efficiency of the plan also goes when its nodes change. The pilot stays live.",
)


def write(context: Context) -> None:
    """The curve with its band, the points, and the chart of efficiency."""
    ws = context.book[NAME]
    widths(ws, [2.0, 19.0, 24.0, 12.0, *[11.0] * 7, 13.0, *[9.0] * 3])
    banner(
        ws,
        "Curve of the scenario shown",
        "What was measured, the curve that the program fitted, and its 80 % band; nothing to fill",
        LAST_COLUMN,
    )
    put(ws, "B4", "Scenario shown", NOTE)
    put(ws, "C4", live_formula(context, "in.scenario", NAME), COLUMN_HEADING_LEFT)
    _validity(ws, context)
    section_title(ws, HEAD_ROW - 1, "Fitted curve and band, by nodes", LAST_COLUMN)
    for column, text in (("B", "Id"), ("C", "Size"), ("D", "Unit")):
        put(ws, f"{column}{HEAD_ROW}", text, COLUMN_HEADING_LEFT)
        put(ws, f"{column}{POINT_HEAD}", text.replace("Size", "Point"), COLUMN_HEADING_LEFT)
    for column, text in (*HEADS, *CHARTED):
        put(ws, f"{column}{HEAD_ROW}", text, COLUMN_HEADING)
    for size in range(1, CURVE_SIZES + 1):
        _size(ws, context, size)
    section_title(ws, POINT_HEAD - 1, "Measured points", LAST_COLUMN)
    heads = (("E", "Nodes"), ("G", "Measured"), ("J", "Efficiency"), ("L", "Nodes charted"))
    for column, text in (*heads, ("M", "measured")):
        put(ws, f"{column}{POINT_HEAD}", text, COLUMN_HEADING)
    for point in range(1, POINTS + 1):
        _point(ws, context, point)
    for row in (HEAD_ROW, POINT_HEAD):
        ws.row_dimensions[row].height = HEAD_POINTS
    for step, text in enumerate(NOTES, 2):
        put(ws, f"B{LAST_ROW + step}", text, NOTE)
    top = LAST_ROW + len(NOTES) + 3
    _chart(ws, f"B{top}")
    ws.freeze_panes = "D5"
    height = row_height(top - 2, landscape=True, taken=85 + CHART_CM * POINTS_PER_CM)
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = height, True
    rows = top + math.ceil(CHART_CM * POINTS_PER_CM / height)
    page(ws, LAST_COLUMN, rows, landscape=True, header=context.header)


def _validity(ws: Worksheet, context: Context) -> None:
    """Whether what is shown belongs to the present points and nodes."""
    rows = (
        ("curve.same", "The points are those", "0/1", "fit.same", "0"),
        ("curve.planned", "Nodes that are planned", "nodes", "eff.nodes", NODES),
        ("curve.plan_share", "Efficiency that is planned", "share", "calc.efficiency", SHARE),
    )
    for row, (line_id, label, unit, target, number_format) in enumerate(rows, FLAG_ROW):
        put(ws, f"B{row}", line_id, ID)
        put(ws, f"C{row}", label, LABEL)
        put(ws, f"D{row}", unit, UNIT)
        put(ws, f"E{row}", live_formula(context, target, NAME), IMPORTED, number_format)
    highlight(ws, f"E{FLAG_ROW}", f"{FLAG}=1", GOOD, GOOD_PALE, True)
    highlight(ws, f"E{FLAG_ROW}", f"{FLAG}<>1", BAD, BAD_PALE, True)


def _size(ws: Worksheet, context: Context, size: int) -> None:
    row, first = FIRST + size - 1, FIRST
    put(ws, f"B{row}", f"curve.size_{size}", ID)
    put(ws, f"C{row}", f"Size {size}", LABEL)
    put(ws, f"D{row}", "units/s", UNIT)
    figures = (("E", "nodes", NODES), ("F", "low", RATE), ("G", "throughput", RATE))
    for column, name, number_format in (*figures, ("H", "high", RATE)):
        found = live_formula(context, f"fit.size_{size}_{name}", NAME)[1:]
        text = f'IF({FLAG}=1,{found},"{NOT_GIVEN}")'
        put(ws, f"{column}{row}", Formula(text), IMPORTED, number_format)
    for column, rate in zip("IJK", "FGH", strict=True):
        text = f'IF(ISNUMBER(E{row}),{rate}{row}/(E{row}*$G${first}),"{NOT_GIVEN}")'
        put(ws, f"{column}{row}", Formula(text), FORMULA, SHARE)
    put(ws, f"L{row}", Formula(f"MAX(1,N(E{row}))"), FORMULA, NODES)
    for column, share in zip("MNO", "IJK", strict=True):
        put(ws, f"{column}{row}", Formula(f"N({share}{row})"), FORMULA, SHARE)


def _point(ws: Worksheet, context: Context, point: int) -> None:
    row = POINT_FIRST + point - 1
    put(ws, f"B{row}", f"curve.point_{point}", ID)
    put(ws, f"C{row}", f"Point {point}", LABEL)
    put(ws, f"D{row}", "units/s", UNIT)
    for column, name, number_format in (("E", "nodes", NODES), ("G", "throughput", RATE)):
        found = live_formula(context, f"fit.{name}_{point}", NAME)
        put(ws, f"{column}{row}", found, IMPORTED, number_format)
    text = f"IF(COUNT(E{row},G{row},$G${FIRST})=COUNTA(E{row},G{row},$G${FIRST}),"
    text += f'G{row}/(E{row}*$G${FIRST}),"{NOT_GIVEN}")'
    put(ws, f"J{row}", Formula(text), FORMULA, SHARE)
    # A point that is not given lies on the first: the chart shows none of its own for it.
    first = POINT_FIRST
    put(ws, f"L{row}", Formula(f"MAX(1,N(IF(ISNUMBER(J{row}),E{row},E${first})))"), FORMULA, NODES)
    put(ws, f"M{row}", Formula(f"N(IF(ISNUMBER(J{row}),J{row},J${first}))"), FORMULA, SHARE)


def _chart(ws: Worksheet, at: str) -> None:
    chart = ScatterChart()
    chart.scatterStyle = "lineMarker"
    last = FIRST + CURVE_SIZES - 1
    lines = (
        ("O", "80 % band, to", SERIES[1], "dash"),
        ("M", "80 % band, from", SERIES[1], "dash"),
        ("N", "fitted", SERIES[0], None),
    )
    for column, title, color, dash in lines:
        series = _series(column, FIRST, last, title)
        chart.series.append(charts.line(series, color, dash=dash))
    points = charts.marks(_series("M", POINT_FIRST, LAST_ROW, "measured"), MEASURED)
    points.marker.symbol, points.marker.size = "circle", 7
    chart.series.append(points)
    plan = XYSeries()
    plan.xVal = AxDataSource(numRef=NumRef(f=f"{NAME}!$E${FLAG_ROW + 1}"))
    plan.yVal = NumDataSource(numRef=NumRef(f=f"{NAME}!$E${FLAG_ROW + 2}"))
    plan.tx = SeriesLabel(v="planned")
    charts.marks(plan, PLANNED).marker.symbol = "diamond"
    plan.marker.size = 10
    chart.series.append(plan)
    title = "Scaling efficiency by nodes: measured, fitted, 80 % band"
    charts.finish(chart, title, WIDTH_CM, CHART_CM)
    charts.axis_titles(chart, "nodes, in powers of ten; the diamond is the plan", "")
    chart.x_axis.scaling.logBase = 10
    chart.x_axis.scaling.min = 1
    chart.x_axis.number_format, chart.y_axis.number_format = "#,##0", "0%"
    ws.add_chart(chart, at)


def _series(column: str, first: int, last: int, title: str) -> XYSeries:
    series = XYSeries()
    series.xVal = AxDataSource(numRef=NumRef(f=f"{NAME}!$L${first}:$L${last}"))
    series.yVal = NumDataSource(numRef=NumRef(f=f"{NAME}!${column}${first}:${column}${last}"))
    series.tx = SeriesLabel(v=title)
    return series
