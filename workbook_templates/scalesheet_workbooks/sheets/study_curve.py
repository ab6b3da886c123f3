"""The Curve sheet: the table, throughput with its band, efficiency beside the class."""

from math import ceil

from openpyxl.chart import ScatterChart
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef
from openpyxl.chart.series import SeriesLabel, XYSeries
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.sheets.study_blocks import Page, amber, write_sheet
from scalesheet_workbooks.sheets.study_table import Places
from scalesheet_workbooks.styles import LEAST_ROW, SERIES

CM_PER_POINT = 2.54 / 72
TEXT_SIZE = 10
"""Of axes and legend; on paper it is 8 points or more."""
WIDTH_CM, HEIGHT_CM = 23.6, 7.1
CHART_ROWS = ceil(HEIGHT_CM / CM_PER_POINT / LEAST_ROW) + 1
QUIET, MEASURED = "8D99A6", "C8553D"


def write(target: Page) -> None:
    """The table, and two charts below it."""
    top = target.places.last_row[target.sheet.name] + 2
    write_sheet(target, last_row=top + 2 * CHART_ROWS - 1)
    amber(target, ("cur.nodes", "cur.source"), "N([cur.reach])>[const.far]")
    _throughput(target.ws, target.places, top)
    add_efficiency(target.ws, target.places, f"B{top + CHART_ROWS}", WIDTH_CM, HEIGHT_CM)


def _throughput(ws: Worksheet, places: Places, top: int) -> None:
    chart = _scatter()
    lines = (
        ("dat.no_loss", "no loss", QUIET, "sysDash"),
        ("dat.high", "80 % band, to", SERIES[1], "dash"),
        ("dat.low", "80 % band, from", SERIES[1], "dash"),
        ("dat.throughput", "forecast", SERIES[0], None),
    )
    for column_id, title, color, dash in lines:
        series = _series(places, "dat.nodes", column_id, title)
        chart.series.append(charts.line(series, color, dash=dash))
    chart.series.append(_measured(places, "dat.point_throughput"))
    title = "Total throughput by number of nodes: forecast, its band, what was measured"
    charts.finish(chart, title, WIDTH_CM, HEIGHT_CM, TEXT_SIZE)
    charts.axis_titles(chart, "nodes", "units of work per second", TEXT_SIZE)
    chart.x_axis.scaling.min = chart.y_axis.scaling.min = 0
    chart.x_axis.number_format = chart.y_axis.number_format = "#,##0"
    ws.add_chart(chart, f"B{top}")


def add_efficiency(
    ws: Worksheet, places: Places, at: str, width_cm: float, height_cm: float
) -> None:
    """The chart of efficiency, here and on the Cover."""
    chart = _scatter()
    class_line = _series(places, "dat.nodes", "dat.class")
    charts.named(class_line, places.layout.fixed["dat.class_label"])
    chart.series.append(charts.line(class_line, QUIET, dash="sysDash"))
    power = _series(places, "dat.nodes", "dat.power", "power fit")
    chart.series.append(charts.line(power, SERIES[2], dash="dash"))
    forecast = _series(places, "dat.nodes", "dat.efficiency", "forecast")
    chart.series.append(charts.line(forecast, SERIES[0]))
    chart.series.append(_measured(places, "dat.point_efficiency"))
    title = "Scaling efficiency by number of nodes, against one node"
    charts.finish(chart, title, width_cm, height_cm, TEXT_SIZE)
    charts.axis_titles(chart, "nodes, in powers of ten", "", TEXT_SIZE)
    chart.x_axis.scaling.logBase = 10
    chart.x_axis.scaling.min, chart.y_axis.scaling.min = 1, 0
    chart.x_axis.number_format, chart.y_axis.number_format = "#,##0", "0%"
    ws.add_chart(chart, at)


def _scatter() -> ScatterChart:
    chart = ScatterChart()
    chart.scatterStyle = "lineMarker"
    return chart


def _series(places: Places, x: str, y: str, title: str = "") -> XYSeries:
    """A series of two columns of the chart data."""
    series = XYSeries()
    series.xVal = AxDataSource(numRef=NumRef(f=places.layout.fixed[x]))
    series.yVal = NumDataSource(numRef=NumRef(f=places.layout.fixed[y]))
    series.tx = SeriesLabel(v=title)
    return series


def _measured(places: Places, y: str) -> XYSeries:
    series = charts.marks(_series(places, "dat.point_nodes", y, "measured"), MEASURED)
    series.marker.symbol, series.marker.size = "circle", 7
    return series
