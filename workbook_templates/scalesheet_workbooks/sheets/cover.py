"""The Cover: headline figures, the scenarios at a glance, contents, legend."""

import math
from dataclasses import replace
from textwrap import shorten, wrap

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    IMPORTED,
    INPUT,
    LABEL,
    LINK,
    NAVY,
    NOTE,
    PALE,
    SERIES,
    TEXT_BESIDE,
    TOTAL,
    WARN,
    WARN_PALE,
    Formula,
    Look,
    banner,
    dress,
    fitting,
    highlight,
    link,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Cover", 9
ROW_HEIGHT, LEAST_ROW_HEIGHT, ROOMY_SCENARIOS = 14.6, 13.1, 5
"""Heights of a row, and up to how many scenarios a page has room for the higher one."""
POINTS_PER_CM = 72 / 2.54
LARGE_KPI = '[>=10000000]#,##0.0,,"M";#,##0'
NOT_FILLED = "not given"
NOTE_COLUMNS, NOTE_LINE, ABOUT_LINE = "CDEFGHI", 100, 120
NOTE_LINES, ALL_NOTE_LINES = 3, 10
"""Lines of a note at most, and of all notes together: one line each is always shown."""
TOTAL_COLUMN = Look(bold=True, align="right")
KPI_LABEL = Look(color="6B7280", size=10, fill=PALE, bottom=None)
KPI_VALUE = Look(color=NAVY, size=15, bold=True, fill=PALE, bottom=None, align="left")
KPI_NOTE = Look(color="6B7280", size=10, fill=PALE, bottom=None)

# Column, heading, line of Calc.
AT_A_GLANCE = (
    ("C", "GPUs", "calc.gpus", "#,##0"),
    ("D", "Efficiency", "calc.efficiency", "0.0%"),
    ("E", "Days", "calc.wall_clock_days", "#,##0.00"),
    ("F", "GPU-hours before rework", "calc.gpu_hours", "#,##0"),
    ("G", "Total cost", "calc.train_cost", "#,##0.00"),
    ("H", "Per productive GPU-hour", "calc.cost_per_productive_gpu_hour", "#,##0.00"),
    ("I", "Alerts", "calc.alerts", "0"),
)
BUILD_UP = (
    "calc.useful_compute",
    "calc.lost_compute",
    "calc.rework_cost",
    "calc.storage",
    "calc.egress",
)
CONTENTS = {
    "Inputs": "What is assumed: one column a scenario, limits beside it",
    "Efficiency": "Where each efficiency comes from",
    "Scaling": "What each cluster delivers, and what one node more would add",
    "Calc": "Every step from work to the total, and what the money buys",
    "Fabrics": "Four interconnects compared from 1 to 64 nodes, floor-bound points marked",
    "Checks": "Tie-outs, completeness, alerts",
    "Functions": "The formulas that can be typed into any cell of this workbook",
    "Notes": "What the public cost estimator says, and where it is wrong",
    "ScalingNotes": "The same for the public efficiency calculator",
    "Lists": "Interconnects, picks, constants",
}


def write(context: Context, purpose: str) -> None:
    """The sheet; every figure on it is a link."""
    ws = context.book[NAME]
    widths(ws, [2, 29, 9, 13, 13, 13, 15, 13, 9])
    banner(ws, shorten(context.study.title, 60, placeholder=" …"), purpose, COLUMNS, badge=0)
    _figures(ws, context)
    row = _about(ws, context, 8)
    row = _scenarios(ws, context, row)
    row = _chart(ws, context, row)
    row = _notes(ws, context, row)
    row = _contents(ws, row)
    row = _legend(ws, row)
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = _row_height(context), True
    page(ws, COLUMNS, row, landscape=False, header=context.header)


def _figures(ws: Worksheet, context: Context) -> None:
    span = {line: context.layout.span(line, NAME) for _, _, line, _ in AT_A_GLANCE}
    names = context.layout.span("in.scenario", NAME)
    unit = span["calc.cost_per_productive_gpu_hour"]
    longest = span["calc.wall_clock_days"]
    currency = context.study.currency
    boxes = (
        (
            "B",
            f"Cheapest productive GPU-hour, {currency}",
            f"MIN({unit})",
            "#,##0.00",
            f"INDEX({names},MATCH(MIN({unit}),{unit},0))",
        ),
        (
            "D",
            "Longest run, days",
            f"MAX({longest})",
            "#,##0.00",
            f"INDEX({names},MATCH(MAX({longest}),{longest},0))",
        ),
        (
            "F",
            f"Largest total, {currency}",
            f"MAX({span['calc.train_cost']})",
            LARGE_KPI,
            f"INDEX({names},MATCH(MAX({span['calc.train_cost']}),{span['calc.train_cost']},0))",
        ),
        (
            "H",
            "Model checks",
            'IF(chk_master=0,"✓ all pass",chk_master&" fail")',
            "@",
            f'SUM({span["calc.alerts"]})&" alerts"',
        ),
    )
    for row, height in ((4, 16), (5, 24), (6, 16)):
        ws.row_dimensions[row].height = height
        for column in "BCDEFGHI":
            dress(ws[f"{column}{row}"], KPI_LABEL)
    for column, label, value, number_format, note in boxes:
        put(ws, f"{column}4", label, KPI_LABEL)
        put(ws, f"{column}5", Formula(value), KPI_VALUE, number_format)
        put(ws, f"{column}6", Formula(note), KPI_NOTE, "@")
    highlight(ws, "H5", "chk_master=0", "2E7D32")
    highlight(ws, "H5", "NOT(chk_master=0)", "B3261E")


def _about(ws: Worksheet, context: Context, row: int) -> int:
    study = context.study
    facts = (
        ("Owner", study.owner or NOT_FILLED),
        ("Currency", study.currency),
        ("Prices as of", study.as_of.isoformat() if study.as_of else NOT_FILLED),
        ("Signs", "costs are positive"),
    )
    text = "   ·   ".join(f"{label}: {value}" for label, value in facts)
    put(ws, f"B{row}", text, replace(NOTE, wrap=True))
    ws.merge_cells(f"B{row}:I{row}")
    ws.row_dimensions[row].height = 13.5 * len(wrap(text, ABOUT_LINE)) + 1
    return row + 2


def _scenarios(ws: Worksheet, context: Context, row: int) -> int:
    section_title(ws, row, "Scenarios at a glance", COLUMNS)
    head = row + 1
    ws.row_dimensions[head].height = 30
    put(ws, f"B{head}", f"Money in {context.study.currency}", COLUMN_HEADING_LEFT)
    for column, heading, _, _ in AT_A_GLANCE:
        put(ws, f"{column}{head}", heading, COLUMN_HEADING)
    for place, letter in enumerate(context.layout.columns, 1):
        at = head + place
        put(ws, f"B{at}", Formula(context.layout.cell("in.scenario", letter, NAME)), LABEL)
        for column, _, line_id, number_format in AT_A_GLANCE:
            look = TOTAL_COLUMN if line_id == "calc.train_cost" else FORMULA
            put(
                ws,
                f"{column}{at}",
                Formula(context.layout.cell(line_id, letter, NAME)),
                look,
                fitting(number_format),
            )
    first, last = head + 1, head + context.layout.scenarios
    highlight(ws, f"I{first}:I{last}", f"N(I{first})>0", WARN, WARN_PALE, True)
    return last + 2


def _chart(ws: Worksheet, context: Context, row: int) -> int:
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "bar", "percentStacked", 100, 45
    calc = context.book["Calc"]
    first, last = 5, context.layout.end_column
    for line_id, color in zip(BUILD_UP, SERIES, strict=True):
        at = context.layout.rows[line_id][1]
        values = Reference(calc, min_col=first, max_col=last, min_row=at, max_row=at)
        series = charts.named(Series(values), f"Calc!$C${at}")
        chart.series.append(charts.bar(series, color))
    inputs = context.book["Inputs"]
    chart.set_categories(Reference(inputs, min_col=first, max_col=last, min_row=4, max_row=4))
    height = 3.9 + 0.63 * context.layout.scenarios
    charts.finish(chart, "Where each scenario's money goes, share of its total", 20.2, height)
    chart.x_axis.scaling.orientation = "maxMin"
    chart.y_axis.number_format = "0%"
    chart.y_axis.crosses = "max"
    chart.layout = charts.plot_area(x=0.19, width=0.77)
    ws.add_chart(chart, f"B{row}")
    return row + math.ceil(height * POINTS_PER_CM / _row_height(context)) + 1


def _row_height(context: Context) -> float:
    return ROW_HEIGHT if context.layout.scenarios <= ROOMY_SCENARIOS else LEAST_ROW_HEIGHT


def _notes(ws: Worksheet, context: Context, row: int) -> int:
    if not any(scenario.note for scenario in context.study.scenarios):
        return row
    section_title(ws, row, "About the scenarios", COLUMNS)
    most = min(max(ALL_NOTE_LINES // context.layout.scenarios, 1), NOTE_LINES)
    for letter, scenario in zip(context.layout.columns, context.study.scenarios, strict=True):
        row += 1
        put(ws, f"B{row}", Formula(context.layout.cell("in.scenario", letter, NAME)), LABEL)
        note, lines = _note(scenario.note, most)
        put(ws, f"C{row}", note, replace(TEXT_BESIDE, wrap=True))
        for column in NOTE_COLUMNS[1:]:
            dress(ws[f"{column}{row}"], TEXT_BESIDE)
        ws.merge_cells(f"{NOTE_COLUMNS[0]}{row}:{NOTE_COLUMNS[-1]}{row}")
        ws.row_dimensions[row].height = 12.5 * lines + 3
    return row + 2


def _note(text: str, most: int) -> tuple[str, int]:
    """A note as the Cover shows it, in so many lines at most, and the lines it takes."""
    shown = shorten(text, most * NOTE_LINE, placeholder=" …")
    return shown, max(1, len(wrap(shown, NOTE_LINE)))


def _contents(ws: Worksheet, row: int) -> int:
    section_title(ws, row, "Contents", COLUMNS)
    for sheet, text in CONTENTS.items():
        row += 1
        put(ws, f"B{row}", sheet, LINK)
        link(ws, f"B{row}", sheet, "A1")
        put(ws, f"C{row}", text, TEXT_BESIDE)
        for column in "DEFGHI":
            dress(ws[f"{column}{row}"], TEXT_BESIDE)
    return row + 2


def _legend(ws: Worksheet, row: int) -> int:
    section_title(ws, row, "Legend", COLUMNS)
    samples = (
        (
            "Input",
            42,
            replace(INPUT, unlocked=False),
            "Fill these; everything else is protected (no password)",
        ),
        ("Link", 42, IMPORTED, "Brings in a cell of another sheet"),
        ("Calculation", 42, FORMULA, "Calculated on the same sheet"),
        ("Total", 42, TOTAL, "A result"),
        ("Not given", "–", FORMULA, "An input that is not filled; what needs it shows an error"),
    )
    for label, sample, look, text in samples:
        row += 1
        put(ws, f"B{row}", label, LABEL)
        put(ws, f"C{row}", sample, look)
        put(ws, f"D{row}", text, TEXT_BESIDE)
        for column in "EFGHI":
            dress(ws[f"{column}{row}"], TEXT_BESIDE)
    return row
