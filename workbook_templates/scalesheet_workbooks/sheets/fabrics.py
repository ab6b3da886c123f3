"""The Fabrics sheet: the calculator's four interconnects side by side, 1 to 64 nodes."""

from openpyxl.chart import LineChart, Reference, Series
from openpyxl.chart.legend import LegendEntry
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.formula import Spelling, row_text
from scalesheet.quantities import EFFICIENCY, EXPONENT, INTERCONNECT, LOSS, NODE_COUNT
from scalesheet.registry import REGISTRY
from scalesheet_workbooks import charts
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    LABEL,
    NOTE,
    SERIES,
    UNIT,
    WARN,
    WARN_PALE,
    Formula,
    banner,
    highlight,
    page,
    put,
    widths,
)

NAME = "Fabrics"
SIZES = (1, 2, 4, 8, 16, 32, 64)
FABRICS = [short for short, _ in INTERCONNECT.options]
FIRST, LAST = "E", get_column_letter(4 + len(FABRICS))
PUBLISHED = get_column_letter(5 + len(FABRICS))
END_COLUMN = 5 + len(FABRICS)
MODEL, LOSS_ROW, FLOOR_ROW, FLOOR_NODES_ROW, PEAK_ROW, EXPONENT_ROW = 6, 7, 8, 9, 10, 11
TABLE = 13
GRID_NODES = f"D{TABLE + 1}:D{TABLE + len(SIZES)}"
GRID_NAMES = f"{FIRST}{HEADER_ROW}:{LAST}{HEADER_ROW}"
CHART_ROWS = 21
AT_FLOOR = "E0A800"
NOT_AT_FLOOR = -1
"""What stands for a point that is not at the floor: off the chart's axis, and shown as a dash."""


def place(context: Context) -> None:
    """The ranges that checks refer to."""
    first, last = TABLE + 1, TABLE + len(SIZES)
    context.layout.fixed |= {
        "fab.efficiency": f"{NAME}!${FIRST}${first}:${LAST}${last}",
        "fab.sizes": f"{NAME}!$D${first}:$D${last}",
        "fab.loss": f"{NAME}!${FIRST}${LOSS_ROW}:${LAST}${LOSS_ROW}",
        "fab.floor_nodes": f"{NAME}!${FIRST}${FLOOR_NODES_ROW}:${LAST}${FLOOR_NODES_ROW}",
    }


def write(context: Context) -> None:
    """The model's parameters, the efficiencies, the floor's points, the marginal node, a chart."""
    ws = context.book[NAME]
    widths(ws, [2, 20, 33, 12, *[12.5] * (len(FABRICS) + 1)])
    banner(
        ws,
        "Interconnects compared",
        "The calculator's planning rule by number of nodes; sensible to about 8 nodes",
        END_COLUMN,
    )
    _head(ws)
    _parameters(ws, context)
    _efficiencies(ws, context)
    marginal = TABLE + len(SIZES) + 2
    _marginal(ws, marginal)
    chart = marginal + len(SIZES) + 2
    last = _notes(ws, chart + CHART_ROWS)
    # What the chart's squares are drawn from stands below what is printed.
    floor = last + 2
    _floor_points(ws, floor)
    _chart(ws, floor, chart)
    page(ws, END_COLUMN, last, landscape=False, header=context.header)


def _head(ws: Worksheet) -> None:
    put(ws, f"B{HEADER_ROW}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{HEADER_ROW}", "Line", COLUMN_HEADING_LEFT)
    put(ws, f"D{HEADER_ROW}", "Unit, nodes", COLUMN_HEADING_LEFT)
    ws.row_dimensions[HEADER_ROW].height = 30
    for column, fabric in zip(_columns(), FABRICS, strict=True):
        put(ws, f"{column}{HEADER_ROW}", fabric, COLUMN_HEADING)
    put(ws, f"{PUBLISHED}{HEADER_ROW}", "Published curve", COLUMN_HEADING)
    ws.freeze_panes = f"E{HEADER_ROW + 1}"


def _columns() -> list[str]:
    return [get_column_letter(5 + place) for place in range(len(FABRICS))]


def _row(name: str, **references: str) -> Formula:
    tables = {"LOSS_BY_INTERCONNECT": ("lst_interconnects", "lst_losses")}
    return Formula(row_text(REGISTRY[name], Spelling(references, tables=tables)))


def _line(ws: Worksheet, row: int, line_id: str, label: str, unit: str | int) -> None:
    put(ws, f"B{row}", line_id, ID)
    put(ws, f"C{row}", label, LABEL)
    put(ws, f"D{row}", unit, UNIT, "#,##0")


def _parameters(ws: Worksheet, context: Context) -> None:
    section_title(ws, MODEL, "Model", END_COLUMN)
    exponent = context.layout.cell("in.fabric_exponent", "", NAME)
    floor = context.layout.cell("in.fabric_floor", "", NAME)
    rows = (
        (LOSS_ROW, "fab.loss", "Loss per extra node", LOSS.unit),
        (FLOOR_ROW, "fab.floor", "Efficiency floor", EFFICIENCY.unit),
        (FLOOR_NODES_ROW, "fab.floor_nodes", "Nodes from which the floor is shown", "nodes"),
        (PEAK_ROW, "fab.peak_nodes", "Nodes at which throughput would peak", "nodes"),
        (EXPONENT_ROW, "fab.exponent", "Exponent of the published curve", EXPONENT.unit),
    )
    for row, line_id, label, unit in rows:
        _line(ws, row, line_id, label, unit)
    for column in _columns():
        loss, own_floor = f"{column}{LOSS_ROW}", f"{column}{FLOOR_ROW}"
        head = f"{column}${HEADER_ROW}"
        put(ws, loss, _row("LOSS_PER_NODE", interconnect=head), FORMULA, LOSS.number_format)
        put(ws, own_floor, Formula(floor), FORMULA, EFFICIENCY.number_format)
        put(
            ws,
            f"{column}{FLOOR_NODES_ROW}",
            _row("FLOOR_NODES", loss_per_extra_node=loss, efficiency_floor=own_floor),
            FORMULA,
            NODE_COUNT.number_format,
        )
        put(
            ws,
            f"{column}{PEAK_ROW}",
            _row("PEAK_NODES", loss_per_extra_node=loss),
            FORMULA,
            NODE_COUNT.number_format,
        )
        put(ws, f"{column}{EXPONENT_ROW}", "–", FORMULA)
    put(ws, f"{PUBLISHED}{EXPONENT_ROW}", Formula(exponent), FORMULA, EXPONENT.number_format)
    for row in (LOSS_ROW, FLOOR_ROW, FLOOR_NODES_ROW, PEAK_ROW):
        put(ws, f"{PUBLISHED}{row}", "–", FORMULA)


def _efficiencies(ws: Worksheet, context: Context) -> None:
    section_title(ws, TABLE, "Scaling efficiency (amber: the floor, not the model)", END_COLUMN)
    for row, size in enumerate(SIZES, TABLE + 1):
        _line(ws, row, f"fab.efficiency_{size}", _nodes(size), size)
        for column in _columns():
            formula = _row(
                "SCALING_EFF_LINEAR",
                nodes=f"$D{row}",
                loss_per_extra_node=f"{column}${LOSS_ROW}",
                efficiency_floor=f"{column}${FLOOR_ROW}",
            )
            put(ws, f"{column}{row}", formula, FORMULA, EFFICIENCY.number_format)
        published = _row(
            "SCALING_EFF_POWER", nodes=f"$D{row}", exponent=f"{PUBLISHED}${EXPONENT_ROW}"
        )
        put(ws, f"{PUBLISHED}{row}", published, FORMULA, EFFICIENCY.number_format)
    _amber(ws, TABLE + 1, "$D{row}")


def _nodes(size: int) -> str:
    return "1 node" if size == 1 else f"{size} nodes"


def _amber(ws: Worksheet, first: int, nodes: str) -> None:
    highlight(
        ws,
        f"{FIRST}{first}:{LAST}{first + len(SIZES) - 1}",
        f"{nodes.format(row=first)}>={FIRST}${FLOOR_NODES_ROW}",
        WARN,
        WARN_PALE,
    )


def _marginal(ws: Worksheet, top: int) -> None:
    section_title(ws, top, "What one node more adds, in nodes' worth", END_COLUMN)
    for row, size in enumerate(SIZES, top + 1):
        _line(ws, row, f"fab.marginal_{size}", f"from {_nodes(size)}", size)
        for column in _columns():
            formula = _row(
                "MARGINAL_NODE",
                nodes=f"$D{row}",
                loss_per_extra_node=f"{column}${LOSS_ROW}",
                efficiency_floor=f"{column}${FLOOR_ROW}",
            )
            put(ws, f"{column}{row}", formula, FORMULA, NODE_COUNT.number_format)
        put(ws, f"{PUBLISHED}{row}", "–", FORMULA)
    # Already where the node that is added stands at the floor, the figure is not the model's.
    _amber(ws, top + 1, "$D{row}+1")


def _floor_points(ws: Worksheet, top: int) -> None:
    section_title(ws, top, "Points at the floor (the squares in the chart)", END_COLUMN)
    for row, size in enumerate(SIZES, top + 1):
        _line(ws, row, f"fab.at_floor_{size}", _nodes(size), size)
        for column in _columns():
            efficiency = f"{column}{TABLE + row - top}"
            formula = Formula(
                f"IF($D{row}>={column}${FLOOR_NODES_ROW},{efficiency},{NOT_AT_FLOOR})"
            )
            put(ws, f"{column}{row}", formula, FORMULA, "0.0%;–;0.0%")
        put(ws, f"{PUBLISHED}{row}", "–", FORMULA)


def _chart(ws: Worksheet, floor: int, top: int) -> None:
    chart = LineChart()
    categories = Reference(ws, min_col=4, min_row=TABLE + 1, max_row=TABLE + len(SIZES))
    for place, color in enumerate((*SERIES[:4], "6B7280")):
        letter = get_column_letter(5 + place)
        values = Reference(ws, min_col=5 + place, min_row=TABLE + 1, max_row=TABLE + len(SIZES))
        series = charts.named(Series(values), f"{NAME}!${letter}${HEADER_ROW}")
        published = letter == PUBLISHED
        dash = "sysDash" if published else None
        chart.series.append(
            charts.line(series, color, dash=dash, symbol="none" if published else "circle")
        )
    for place in range(len(FABRICS)):
        values = Reference(ws, min_col=5 + place, min_row=floor + 1, max_row=floor + len(SIZES))
        chart.series.append(charts.marks(Series(values, title="at the floor"), AT_FLOOR))
    chart.set_categories(categories)
    chart.y_axis.scaling.min, chart.y_axis.scaling.max = 0, 1
    chart.y_axis.number_format = "0%"
    charts.finish(
        chart, "Scaling efficiency by number of nodes; squares: the floor, not the model", 24.2, 10
    )
    charts.axis_titles(chart, "nodes", "")
    chart.legend.legendEntry = [
        LegendEntry(idx=place, delete=True) for place in range(6, 5 + len(FABRICS))
    ]
    ws.add_chart(chart, f"B{top}")


NOTES = (
    "At the floor every interconnect reads the same: there the number is the floor, not the model,",
    "so gaps between interconnects close in this table where in truth they widen.",
    "One node counts as 100 %: a loss inside the node is not in it (NODE_EFF measures it).",
    "Published curve: efficiency falls as nodes to the power of the exponent among the inputs.",
)


def _notes(ws: Worksheet, top: int) -> int:
    for row, text in enumerate(NOTES, top):
        put(ws, f"B{row}", text, NOTE)
    return top + len(NOTES) - 1
