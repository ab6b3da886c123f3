"""What moves the total of the scenario that is shown: one driver at a time, a grid, break-evens."""

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.proposal_inputs import DRIVERS
from scalesheet_workbooks.sheets.cases import GRID
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import fixed_number, live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    GOOD,
    GOOD_PALE,
    HIGHER,
    ID,
    IMPORTED,
    LABEL,
    LOWER,
    NOTE,
    UNIT,
    Formula,
    banner,
    highlight,
    page,
    put,
    widths,
)

NAME, END_COLUMN = "Sensitivity", 10
MONEY, CHANGE = '[>=100000000]#,##0.0,,"M";#,##0', "[>=0.5]+#,##0;[<=-0.5]-#,##0;–"
PRICE, NEVER = '[<0]"never";#,##0.00##', '[<=0]"never";0.0%'
BASE = 5
FIRST = 10
RANK = FIRST + len(DRIVERS) + 3
GRID_ROW = RANK + len(DRIVERS) + 3
BREAK_ROW = GRID_ROW + len(GRID) + 4
CHART_ROW = BREAK_ROW + 6
CHART_ROWS = 15


def write(context: Context) -> None:
    """Totals of the cases, ranked by what they move, and where the budget is reached."""
    ws = context.book[NAME]
    widths(ws, [2.0, 22.0, 29.0, 11.5, *[11.0] * 6])
    banner(
        ws,
        NAME,
        "The scenario picked on Inputs; the steps are entered on Ranges, the cases run on Cases",
        END_COLUMN,
    )
    _base(ws, context)
    _one_at_a_time(ws, context)
    _ranked(ws)
    _grid(ws, context)
    _break_evens(ws, context)
    _tornado(ws, context.study.currency)
    ws.freeze_panes = "A4"
    page(ws, END_COLUMN, CHART_ROW + CHART_ROWS, landscape=False, header=context.header)


def _link(ws: Worksheet, context: Context, at: str, line_id: str, number_format: str) -> None:
    put(ws, at, fixed_number(context, line_id), IMPORTED, number_format)


def _base(ws: Worksheet, context: Context) -> None:
    put(ws, "B4", "Scenario shown", NOTE)
    put(ws, "C4", live_formula(context, "in.scenario", NAME), COLUMN_HEADING_LEFT)
    put(ws, f"B{BASE}", "sens.base", ID)
    put(ws, f"C{BASE}", "Total as it is", LABEL)
    put(ws, f"D{BASE}", context.study.currency, UNIT)
    _link(ws, context, f"E{BASE}", "case.base.total", MONEY)
    put(ws, f"B{BASE + 1}", "sens.budget", ID)
    put(ws, f"C{BASE + 1}", "Approved budget", LABEL)
    put(ws, f"D{BASE + 1}", context.study.currency, UNIT)
    _link(ws, context, f"E{BASE + 1}", "in.budget", MONEY)


def _one_at_a_time(ws: Worksheet, context: Context) -> None:
    top = FIRST - 2
    section_title(ws, top, "One at a time; efficiency rises to 100 % at most", END_COLUMN)
    heads = ("Step, up and down", "Total, down", "Total, up", "Change, down", "Change, up", "Swing")
    for step, text in enumerate(heads):
        put(ws, f"{get_column_letter(5 + step)}{top + 1}", text, COLUMN_HEADING)
    put(ws, f"B{top + 1}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{top + 1}", "Driver", COLUMN_HEADING_LEFT)
    put(ws, f"D{top + 1}", "Unit", COLUMN_HEADING_LEFT)
    ws.row_dimensions[top + 1].height = 28
    for row, (name, words, _) in enumerate(DRIVERS, FIRST):
        put(ws, f"B{row}", f"sens.{name}", ID)
        put(ws, f"C{row}", words, LABEL)
        put(ws, f"D{row}", context.study.currency, UNIT)
        _link(ws, context, f"E{row}", f"in.step_{name}", "0.0%")
        for column, end in (("F", "low"), ("G", "high")):
            _link(ws, context, f"{column}{row}", f"case.{name}_{end}.total", MONEY)
        for column, of in (("H", "F"), ("I", "G")):
            put(ws, f"{column}{row}", Formula(f"{of}{row}-$E${BASE}"), FORMULA, CHANGE)
        put(ws, f"J{row}", Formula(f"ABS(F{row}-G{row})"), FORMULA, MONEY)


def _ranked(ws: Worksheet) -> None:
    """Drivers by their swing; equal swings keep the order of the table."""
    top, last = RANK - 2, FIRST + len(DRIVERS) - 1
    section_title(ws, top, "Ranked by swing (the chart's data)", END_COLUMN)
    for column, text in (
        ("D", "Rank"),
        ("E", "Key"),
        ("F", "Row"),
        ("G", "Lower"),
        ("H", "Higher"),
    ):
        put(ws, f"{column}{top + 1}", text, COLUMN_HEADING)
    put(ws, f"C{top + 1}", "Driver", COLUMN_HEADING_LEFT)
    for step in range(len(DRIVERS)):
        row, table = RANK + step, FIRST + step
        rank = "1" if step == 0 else f"D{row - 1}+1"
        keys = f"$I${RANK}:$I${RANK + len(DRIVERS) - 1}"
        put(ws, f"B{row}", f"sens.rank_{step + 1}", ID)
        put(ws, f"C{row}", Formula(f"INDEX($C${FIRST}:$C${last},F{row})"), LABEL)
        put(ws, f"D{row}", Formula(rank), FORMULA, "0")
        put(ws, f"E{row}", Formula(f"LARGE({keys},D{row})"), FORMULA, MONEY)
        put(ws, f"F{row}", Formula(f"MATCH(E{row},{keys},0)"), FORMULA, "0")
        down, up = (f"INDEX(${c}${FIRST}:${c}${last},F{row})" for c in "HI")
        put(ws, f"G{row}", Formula(f"MIN(0,{down},{up})"), FORMULA, CHANGE)
        put(ws, f"H{row}", Formula(f"MAX(0,{down},{up})"), FORMULA, CHANGE)
        # A hair's breadth a row keeps equal swings apart.
        put(
            ws,
            f"I{row}",
            Formula(f"J{table}+(ROWS(J{table}:$J${last})-1)/$E${BASE}"),
            FORMULA,
            MONEY,
        )
    put(ws, f"I{top + 1}", "Key, as above", COLUMN_HEADING)


def _grid(ws: Worksheet, context: Context) -> None:
    """The total is linear in the price: what does not move with it, and what does."""
    top, head = GRID_ROW - 2, GRID_ROW - 1
    section_title(
        ws,
        top,
        "Total by price of compute (across) and efficiency (down; 100 % at most)",
        END_COLUMN,
    )
    put(ws, f"B{head}", "sens.price_factors", ID)
    put(ws, f"C{head}", "Price × (step in the next cell)", LABEL)
    _link(ws, context, f"D{head}", "in.grid_price", "0.0%")
    put(ws, f"E{head}", "By price", COLUMN_HEADING)
    columns = [get_column_letter(6 + step) for step in range(len(GRID))]
    for letter, moved in zip(columns, GRID, strict=True):
        text = "1" + ("-" if moved < 0 else "+") + f"$D${head}"
        text = {0: "1", 1: text}.get(abs(moved), text + text[1:])
        put(ws, f"{letter}{head}", Formula(text), COLUMN_HEADING, "0.00")
    for place in range(1, len(GRID) + 1):
        row, case = head + place, f"case.grid_{place}"
        put(ws, f"B{row}", f"sens.grid_{place}", ID)
        put(ws, f"C{row}", "Efficiency ×", LABEL)
        _link(ws, context, f"D{row}", f"{case}.f_efficiency", "0.00")
        _link(ws, context, f"E{row}", f"{case}.priced", MONEY)
        middle = columns[len(GRID) // 2]
        for letter in columns:
            if letter == middle:
                _link(ws, context, f"{letter}{row}", f"{case}.total", MONEY)
            else:
                formula = f"${middle}{row}+$E{row}*({letter}${head}-1)"
                put(ws, f"{letter}{row}", Formula(formula), FORMULA, MONEY)
    area = f"{columns[0]}{GRID_ROW}:{columns[-1]}{GRID_ROW + len(GRID) - 1}"
    budget, at = f"$E${BASE + 1}", f"{columns[0]}{GRID_ROW}"
    highlight(ws, area, f"AND(ISNUMBER({at}),{at}>{budget})", BAD, BAD_PALE)
    highlight(ws, area, f"AND(ISNUMBER({at}),{at}<={budget})", GOOD, GOOD_PALE)


def _break_evens(ws: Worksheet, context: Context) -> None:
    """Values at which a target is met, and the total that the case at this value gives."""
    section_title(ws, BREAK_ROW - 2, "Break-evens, all else as it is", END_COLUMN)
    heads = ("As planned", "Times", "Break-even", "Total there", "Target", "Off target")
    put(ws, f"B{BREAK_ROW - 1}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{BREAK_ROW - 1}", "Until", COLUMN_HEADING_LEFT)
    put(ws, f"D{BREAK_ROW - 1}", "Unit", COLUMN_HEADING_LEFT)
    for step, text in enumerate(heads):
        put(ws, f"{get_column_letter(5 + step)}{BREAK_ROW - 1}", text, COLUMN_HEADING)
    rows = (
        ("price", "Price: the budget is spent", "be.price", "case.price", "be_price", PRICE),
        ("first", "Price: the first's total", "be.first", "case.price", "", PRICE),
        (
            "efficiency",
            "Efficiency: the budget is spent",
            "be.efficiency",
            "case.efficiency",
            "be_efficiency",
            NEVER,
        ),
        ("rework", "Rework: the first's total", "be.rework", "case.rework", "", NEVER),
    )
    for row, (name, label, factor, planned, case, number_format) in enumerate(rows, BREAK_ROW):
        put(ws, f"B{row}", f"sens.{name}_breakeven", ID)
        put(ws, f"C{row}", label, LABEL)
        unit = "money/GPU-h" if number_format == PRICE else "share"
        put(ws, f"D{row}", context.unit(unit), UNIT)
        _link(ws, context, f"E{row}", planned, PRICE if number_format == PRICE else "0.0%")
        for column in "FGHIJ":
            put(ws, f"{column}{row}", None, LABEL)
        if name == "rework":
            _link(ws, context, f"G{row}", factor, number_format)
            continue
        _link(ws, context, f"F{row}", factor, "0.0000")
        put(ws, f"G{row}", Formula(f"E{row}*F{row}"), FORMULA, number_format)
        if case:
            _link(ws, context, f"H{row}", f"case.{case}.total", MONEY)
            _link(ws, context, f"I{row}", "in.budget", MONEY)
            put(ws, f"J{row}", Formula(f"H{row}-I{row}"), FORMULA, CHANGE)
    put(
        ws,
        f"B{BREAK_ROW + len(rows)}",
        "Hours are billed in whole increments: at a break-even of efficiency the total is off by "
        "less than one of them.",
        NOTE,
    )


def _tornado(ws: Worksheet, currency: str) -> None:
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "bar", "stacked", 100, 40
    rows = {"min_row": RANK, "max_row": RANK + len(DRIVERS) - 1}
    for column, color in ((7, LOWER), (8, HIGHER)):
        letter = get_column_letter(column)
        values = Reference(ws, min_col=column, **rows)
        series = charts.named(Series(values), f"{NAME}!${letter}${RANK - 1}")
        chart.series.append(charts.bar(series, color))
    chart.set_categories(Reference(ws, min_col=3, **rows))
    charts.finish(chart, f"Change of the total, by driver, {currency}", 24.5, 7.2)
    chart.x_axis.scaling.orientation = "maxMin"
    chart.x_axis.tickLblPos = "low"
    chart.y_axis.number_format = "+#,##0;-#,##0;0"
    chart.y_axis.crosses = "max"
    ws.add_chart(chart, f"B{CHART_ROW}")
