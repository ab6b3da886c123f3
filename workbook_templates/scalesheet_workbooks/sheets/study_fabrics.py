"""The Fabrics sheet of a scaling study: the calculator's networks beside what was measured."""

from openpyxl.chart import LineChart, Reference, Series
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.sheets.fabrics import AT_FLOOR, FABRICS
from scalesheet_workbooks.sheets.fabrics import SIZES as FABRIC_SIZES
from scalesheet_workbooks.sheets.study_blocks import Page, Values, amber, write_sheet
from scalesheet_workbooks.sheets.study_curve import TEXT_SIZE
from scalesheet_workbooks.sheets.study_table import Places
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    GREY,
    INK,
    NOTE,
    SERIES,
    put,
)

FIRST = 5
CHART_ROWS = 21
FABRIC_IDS = {short: short.lower() for short in FABRICS}
FABRIC_ROWS = tuple(
    (f"nodes_{size}", "1 node" if size == 1 else f"{size} nodes") for size in FABRIC_SIZES
)
FROM_ROWS = tuple(
    (f"from_{size}", f"from {label}")
    for size, (_, label) in zip(FABRIC_SIZES, FABRIC_ROWS, strict=True)
)
MODEL_ROWS = (
    ("loss", "Loss per extra node"),
    ("floor", "Efficiency floor"),
    ("floor_nodes", "Nodes from which the floor is shown"),
    ("peak_nodes", "Nodes where throughput would peak"),
    ("exponent", "Exponent"),
)
MODEL_UNITS = ("share/node", "share", "nodes", "nodes", "exponent")
BESIDE = ("Class median", "Your power fit", "At a floor")
NOTES = (
    "At the floor every interconnect reads the same: there the number is the floor, not the model,",
    "so gaps between interconnects close in this table where in truth they widen.",
    "One node counts as 100 %: a loss inside the node is not in it (NODE_EFF measures it).",
    "The calculator's rule is sensible to about 8 nodes; class and fit are powers of the nodes.",
)


def place(places: Places, sheet: str) -> None:
    """The names of the networks in the heading row, for the formulas."""
    for number, short in enumerate(FABRICS):
        letter = get_column_letter(FIRST + number)
        places.place_entry(f"fab.name_{FABRIC_IDS[short]}", sheet, f"{letter}${HEADER_ROW}")


def write(target: Page) -> None:
    """The model's parameters, the efficiencies, the marginal node, a chart, notes."""
    ws, places = target.ws, target.places
    top = places.last_row[target.sheet.name] + 2
    last = top + CHART_ROWS + len(NOTES) - 1
    write_sheet(target, _values(), last)
    for column, text in (("B", "Id"), ("C", "Line")):
        put(ws, f"{column}{HEADER_ROW}", text, COLUMN_HEADING_LEFT)
    put(ws, f"D{HEADER_ROW}", "Unit, nodes", COLUMN_HEADING)
    for number, name in enumerate((*FABRICS, *BESIDE), FIRST):
        put(ws, f"{get_column_letter(number)}{HEADER_ROW}", name, COLUMN_HEADING)
    ws.row_dimensions[HEADER_ROW].height = 30
    ws.freeze_panes = f"E{HEADER_ROW + 1}"
    for fabric in FABRIC_IDS.values():
        floor = f"[fab.model_{fabric}@floor_nodes]"
        amber(target, (f"fab.{fabric}",), f"[fab.nodes]>={floor}")
        # Where the node that is added stands at the floor, the figure is not the model's.
        amber(target, (f"fab.added_{fabric}",), f"[fab.from]+1>={floor}")
    _chart(target, top)
    for row, text in enumerate(NOTES, top + CHART_ROWS):
        put(ws, f"B{row}", text, NOTE)


def _values() -> Values:
    units = zip((key for key, _ in MODEL_ROWS), MODEL_UNITS, strict=True)
    nodes = [
        ((column_id, key), float(size))
        for column_id, rows in (("fab.nodes", FABRIC_ROWS), ("fab.from", FROM_ROWS))
        for size, (key, _) in zip(FABRIC_SIZES, rows, strict=True)
    ]
    return {**{("fab.model_unit", key): unit for key, unit in units}, **dict(nodes)}


def _chart(target: Page, top: int) -> None:
    chart, places = LineChart(), target.places
    for fabric, color in zip(FABRIC_IDS.values(), SERIES, strict=False):
        series = Series(_cells(target.ws, places, f"fab.{fabric}"))
        sheet, name = places.entries[f"fab.name_{fabric}"]
        charts.named(series, f"{sheet}!${name}")
        chart.series.append(charts.line(series, color, symbol="circle"))
    data = target.context.book[places.columns["dat.fabric_class"][0]]
    class_line = Series(_cells(data, places, "dat.fabric_class"))
    charts.named(class_line, places.layout.fixed["dat.class_label"])
    chart.series.append(charts.line(class_line, GREY, dash="sysDash"))
    own = Series(_cells(target.ws, places, "fab.own"), title="your power fit")
    chart.series.append(charts.line(own, INK, dash="dash"))
    floor = Series(_cells(target.ws, places, "fab.at_floor"), title="at a floor")
    chart.series.append(charts.marks(floor, AT_FLOOR))
    chart.set_categories(_cells(target.ws, places, "fab.nodes"))
    chart.y_axis.scaling.min, chart.y_axis.scaling.max = 0, 1
    chart.y_axis.number_format = "0%"
    title = "Scaling efficiency by number of nodes; squares: a floor, not the model"
    charts.finish(chart, title, 23.6, 10, TEXT_SIZE)
    charts.axis_titles(chart, "nodes", "", TEXT_SIZE)
    target.ws.add_chart(chart, f"B{top}")


def _cells(ws: Worksheet, places: Places, column_id: str) -> Reference:
    cells = places.layout.fixed[column_id].rpartition("!")[2]
    left, top, right, bottom = range_boundaries(cells.replace("$", ""))
    return Reference(ws, min_col=left, min_row=top, max_col=right, max_row=bottom)
