"""From the first scenario to the one that is shown, line by line, and its cash by month."""

from dataclasses import replace

from openpyxl.chart import BarChart, LineChart, Reference, Series
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.sheets import monthly
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    GOOD,
    HIGHER,
    ID,
    IMPORTED,
    LABEL,
    LOWER,
    NAVY,
    NOTE,
    SERIES,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    Formula,
    banner,
    highlight,
    page,
    put,
    widths,
)
from scalesheet_workbooks.templates.cluster_proposal_compare import SHOWN

NAME, END_COLUMN = "Bridge", 11
MONEY, CHANGE = '[>=100000000]#,##0.0,,"M";[=0]–;#,##0', "+#,##0;-#,##0;–"
HEAD, START = 7, 8
FIRST = START + 1
END = FIRST + len(SHOWN)
BRIDGE_CHART, BRIDGE_CM = END + 2, 10.3
CASH_CHART, CASH_CM = END + 23, 8.0
LAST_ROW = CASH_CHART + 17
ROW_POINTS = 15.0
HEADS = ("First", "Shown", "Difference", "From", "Lower", "Higher", "Total")


def place(context: Context) -> None:
    """What the check of the bridge refers to."""
    context.layout.fixed |= {
        "bridge.steps": f"{NAME}!$G${FIRST}:$G${END - 1}",
        "bridge.first": f"{NAME}!$E${START}",
        "bridge.shown": f"{NAME}!$F${END}",
    }


def write(context: Context) -> None:
    """The table that both the reader and the chart read, and the charts."""
    ws = context.book[NAME]
    widths(ws, [2.0, 18.0, 29.0, 7.0, *[10.6] * len(HEADS)])
    banner(
        ws,
        "Bridge and cash",
        "What changes from the first scenario to the one picked on Inputs, and when it is paid",
        END_COLUMN,
    )
    put(ws, "B4", "From, to", UNIT)
    put(ws, "C4", Formula(context.layout.cell("first.in.scenario", "", NAME)), IMPORTED_NAME)
    put(ws, "E4", live_formula(context, "in.scenario", NAME), IMPORTED_NAME)
    section_title(ws, HEAD - 1, "Bridge", END_COLUMN)
    for column, text in (("B", "Id"), ("C", "Line"), ("D", "Unit")):
        put(ws, f"{column}{HEAD}", text, COLUMN_HEADING_LEFT)
    for step, text in enumerate(HEADS):
        put(ws, f"{get_column_letter(5 + step)}{HEAD}", text, COLUMN_HEADING)
    _ends(ws, context)
    for row, (name, label) in enumerate(SHOWN, FIRST):
        _step(ws, context, row, name, label)
    _bridge_chart(ws)
    _cash_chart(context)
    put(ws, f"B{LAST_ROW}", monthly.AXIS, NOTE)
    ws.freeze_panes = "A5"
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = ROW_POINTS, True
    page(ws, END_COLUMN, LAST_ROW, landscape=False, header=context.header)


IMPORTED_NAME = replace(COLUMN_HEADING_LEFT, wrap=False)


def _ends(ws: Worksheet, context: Context) -> None:
    for row, line_id, column in ((START, "bridge.start", "E"), (END, "bridge.end", "F")):
        words = "First scenario" if column == "E" else "Scenario shown"
        put(ws, f"B{row}", line_id, TOTAL_QUIET)
        put(ws, f"C{row}", words, TOTAL_LABEL)
        put(ws, f"D{row}", context.study.currency, TOTAL_QUIET)
        for letter in "EFG":
            put(ws, f"{letter}{row}", None, TOTAL)
        for letter in "HIJ":
            put(ws, f"{letter}{row}", 0, TOTAL, MONEY)
        formula = (
            Formula(context.layout.cell("first.cmp.total", "", NAME))
            if column == "E"
            else live_formula(context, "cmp.total", NAME)
        )
        put(ws, f"{column}{row}", formula, TOTAL, MONEY)
        put(ws, f"K{row}", Formula(f"{column}{row}"), TOTAL, MONEY)


def _step(ws: Worksheet, context: Context, row: int, name: str, label: str) -> None:
    put(ws, f"B{row}", f"bridge.{name}", ID)
    put(ws, f"C{row}", label, LABEL)
    put(ws, f"D{row}", context.study.currency, UNIT)
    first = Formula(context.layout.cell(f"first.cmp.{name}", "", NAME))
    put(ws, f"E{row}", first, IMPORTED, MONEY)
    put(ws, f"F{row}", live_formula(context, f"cmp.{name}", NAME), IMPORTED, MONEY)
    put(ws, f"G{row}", Formula(f"F{row}-E{row}"), FORMULA, CHANGE)
    before = f"$E${START}" if row == FIRST else f"$E${START}+SUM($G${FIRST}:G{row - 1})"
    put(ws, f"H{row}", Formula(f"MIN({before},{before}+G{row})"), FORMULA, MONEY)
    put(ws, f"I{row}", Formula(f"MAX(0,-G{row})"), FORMULA, MONEY)
    put(ws, f"J{row}", Formula(f"MAX(0,G{row})"), FORMULA, MONEY)
    put(ws, f"K{row}", 0, FORMULA, MONEY)
    highlight(ws, f"G{row}", f"G{row}<0", GOOD)
    highlight(ws, f"G{row}", f"G{row}>0", HIGHER)


def _bridge_chart(ws: Worksheet) -> None:
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "bar", "stacked", 100, 35
    rows = {"min_row": START, "max_row": END}
    for column, color in ((8, None), (9, LOWER), (10, HIGHER), (11, NAVY)):
        letter = get_column_letter(column)
        series = charts.named(
            Series(Reference(ws, min_col=column, **rows)), f"{NAME}!${letter}${HEAD}"
        )
        chart.series.append(charts.bar(series, color) if color else charts.unseen(series))
    chart.set_categories(Reference(ws, min_col=3, **rows))
    charts.finish(
        chart, "From the first scenario to the one shown: green saves, red adds", 24.6, BRIDGE_CM
    )
    chart.x_axis.scaling.orientation = "maxMin"
    chart.y_axis.number_format = charts.MILLIONS
    chart.y_axis.crosses = "max"
    chart.legend = None
    ws.add_chart(chart, f"B{BRIDGE_CHART}")


def _cash_chart(context: Context) -> None:
    ws, months = context.book[NAME], context.book[monthly.NAME]
    rows = {"min_row": monthly.FIRST, "max_row": monthly.LAST}

    def series(key: str) -> Series:
        column = months[f"{monthly.LETTERS[key]}1"].column
        name = f"{monthly.NAME}!${monthly.LETTERS[key]}${monthly.HEAD_ROW}"
        return charts.named(Series(Reference(months, min_col=column, **rows)), name)

    bars, lines = BarChart(), LineChart()
    bars.type, bars.gapWidth = "col", 40
    bars.series.append(charts.bar(series("cash"), SERIES[1]))
    bars.set_categories(
        Reference(months, min_col=months[f"{monthly.LETTERS['month']}1"].column, **rows)
    )
    lines.series.append(charts.line(series("sum"), SERIES[2]))
    charts.finish(bars, "Cash by month, and cash so far (right)", 24.6, CASH_CM)
    charts.finish(lines, "", 24.6, CASH_CM)
    lines.title = None
    lines.y_axis.axId = 200
    lines.y_axis.crosses = "max"
    lines.y_axis.majorGridlines = None
    for chart in (bars, lines):
        chart.y_axis.number_format = charts.MILLIONS
    lines.y_axis.scaling.min = 0
    bars.x_axis.number_format = "yyyy-mm"
    bars.x_axis.tickLblSkip = 6
    bars += lines
    ws.add_chart(bars, f"B{CASH_CHART}")
