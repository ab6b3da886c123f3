"""The Cover of a scaling study: headline figures, the sizes at a glance, contents, legend."""

from dataclasses import replace
from textwrap import shorten

from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.scaling_inputs import SIZE_ROWS
from scalesheet_workbooks.sheets import study_curve
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.sheets.study_blocks import FADED, WRITTEN_LOOK
from scalesheet_workbooks.sheets.study_table import THROUGHPUT, Places
from scalesheet_workbooks.spec import NOT_GIVEN
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
    TEXT_BESIDE,
    TOTAL,
    WARN,
    WARN_PALE,
    Formula,
    Look,
    banner,
    dress,
    fill_page,
    fitting,
    highlight,
    link,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Cover", 9
POINTS, SOURCE = "Points", "I"
LETTERS = "BCDEFGHI"
WIDTH_CM, HEIGHT_CM, CHART_ROWS = 22.0, 6.8, 16
KPI_LABEL = Look(color="6B7280", size=10, fill=PALE, bottom=None)
KPI_VALUE = Look(color=NAVY, size=15, bold=True, fill=PALE, bottom=None, align="left")
AT_A_GLANCE = (
    ("B", "Nodes", "val.nodes", "#,##0"),
    ("C", "GPUs", "val.gpus", "#,##0"),
    ("D", "Measured", "siz.repeats", "0;-0;–"),
    ("E", "Throughput", "val.throughput", THROUGHPUT),
    ("F", "Efficiency", "val.efficiency", "0.0%"),
    ("G", "Cost of the work", "val.cost", "#,##0.00"),
    ("H", "Gain of the step", "val.gain", "0.0%"),
    ("I", "Source", "cur.source", "@"),
)
CONTENTS = {
    "Points": "What was measured, the job, and where each figure is from: fill the yellow cells",
    "Fit": "The power fit, step by step in cells: no program needed",
    "Sizes": "Measured sizes, signs of wrong figures, the sizes to look at",
    "Core": "Figures that the core wrote at build, and whether they belong to the present points",
    "Forecast": "The functions to type, and which forecast counts at each size",
    "Curve": "Throughput with its band, efficiency, two charts",
    "Value": "Cost at each size, what each step adds, where adding nodes stops paying",
    "Plan": "The planned size, the marginal node, a pilot of two, the table to copy",
    "Fabrics": "Four interconnects, the published class, your fit; floor-bound points marked",
    "ChartData": "What the charts draw",
    "Checks": "Arithmetic, completeness, alerts",
    "Functions": "The formulas that can be typed into any cell of this workbook",
    "Lists": "Classes, interconnects, constants and their sources",
}


def write(context: Context, places: Places, purpose: str) -> None:
    """The sheet; every figure on it is a link."""
    ws = context.book[NAME]
    widths(ws, [2, 22, 11, 11, 16, 13, 17, 13, 16])
    banner(ws, shorten(context.study.title, 60, placeholder=" …"), purpose, COLUMNS, badge=0)
    _figures(ws, context, places)
    row = _about(ws, context, places, 8)
    row = _glance(ws, context, places, row)
    row = _contents(ws, row)
    row = _legend(ws, row)
    fill_page(ws, row, landscape=False)
    page(ws, COLUMNS, row, landscape=False, header=context.header)


def _figures(ws: Worksheet, context: Context, places: Places) -> None:
    def ref(text: str) -> Formula:
        return Formula(places.formula(text, "", NAME))

    boxes = (
        ("B", "Efficiency at the planned size", "[pln.efficiency]", "0.0%"),
        ("D", "80 % band there, from and to", "[cur.efficiency_low@at_planned]", "0.0%"),
        ("E", None, "[cur.efficiency_high@at_planned]", "0.0%"),
        ("F", "Adding nodes pays up to, nodes", "[val.pays_up_to]", "#,##0"),
        ("H", "Model checks", 'IF(chk_master=0,"✓ all pass",chk_master&" fail")', "@"),
    )
    notes = {
        "B": '[pln.nodes]&" nodes"',
        "D": '"source: "&[cur.source@at_planned]',
        "F": 'IF([val.stops]=1,"past it a step brings too little","and further, as far as shown")',
        "H": '[chk.alert]&" alerts"',
    }
    for row, height in ((4, 16), (5, 24), (6, 16)):
        ws.row_dimensions[row].height = height
        for column in LETTERS:
            dress(ws[f"{column}{row}"], KPI_LABEL)
    for column, label, value, number_format in boxes:
        put(ws, f"{column}4", label, KPI_LABEL)
        put(ws, f"{column}5", ref(value), KPI_VALUE, number_format)
    for column, note in notes.items():
        put(ws, f"{column}6", ref(note), KPI_LABEL, "@")
    highlight(ws, "H5", "chk_master=0", "2E7D32")
    highlight(ws, "H5", "NOT(chk_master=0)", "B3261E")


def _about(ws: Worksheet, context: Context, places: Places, row: int) -> int:
    owner = context.study.owner or "not given"
    lines = (
        f'"Owner: {owner}   ·   Money in {context.study.currency}   ·   Throughput in "'
        '&[in.work_unit]&"/s, the total of the run"',
        '"Measured: "&[pln.basis]',
        f'"From: "&{POINTS}!{SOURCE}{places.entries["in.fabric_class"][1].rpartition("$")[2]}',
    )
    for text in lines:
        put(ws, f"B{row}", Formula(places.formula(text, "", NAME)), NOTE, "@")
        row += 1
    return row + 1


def _glance(ws: Worksheet, context: Context, places: Places, row: int) -> int:
    title = f"Sizes at a glance, money in {context.study.currency}; amber: a step brings too little"
    section_title(ws, row, title, COLUMNS)
    head = row + 1
    ws.row_dimensions[head].height = 30
    left = replace(COLUMN_HEADING_LEFT, align="left", indent=1)
    for column, heading, _, number_format in AT_A_GLANCE:
        put(ws, f"{column}{head}", heading, left if number_format == "@" else COLUMN_HEADING)
    for at, (key, _) in enumerate(SIZE_ROWS, head + 1):
        for column, _, column_id, number_format in AT_A_GLANCE:
            look = replace(IMPORTED, align="left", indent=1) if number_format == "@" else IMPORTED
            text = places.formula(f"[{column_id}]", "", NAME, key)
            put(ws, f"{column}{at}", Formula(text), look, fitting(number_format))
    first, last = head + 1, head + len(SIZE_ROWS)
    cells, nodes = f"B{first}:I{last}", places.formula("[val.pays_up_to]", "", NAME, "size_1")
    highlight(ws, cells, f'$B{first}="{NOT_GIVEN}"', FADED)
    highlight(ws, cells, f"AND(ISNUMBER($B{first}),$B{first}>{nodes})", WARN, WARN_PALE)
    study_curve.add_efficiency(ws, places, f"B{last + 2}", WIDTH_CM, HEIGHT_CM)
    return last + 2 + CHART_ROWS


def _contents(ws: Worksheet, row: int) -> int:
    section_title(ws, row, "Contents", COLUMNS)
    for sheet, text in CONTENTS.items():
        row += 1
        put(ws, f"B{row}", sheet, LINK)
        link(ws, f"B{row}", sheet, "A1")
        put(ws, f"C{row}", text, TEXT_BESIDE)
        for column in LETTERS[2:]:
            dress(ws[f"{column}{row}"], TEXT_BESIDE)
    return row + 2


def _legend(ws: Worksheet, row: int) -> int:
    section_title(ws, row, "Legend", COLUMNS)
    samples = (
        ("Input", 42, replace(INPUT, unlocked=False), "Fill these; everything else is protected"),
        ("Link", 42, IMPORTED, "Brings in a cell of another sheet"),
        ("Calculation", 42, FORMULA, "Calculated on the same sheet"),
        ("Written", 42, WRITTEN_LOOK, "Written by the core at build, for the points of then"),
        ("Total", 42, TOTAL, "A result"),
        ("Not given", "–", FORMULA, "Nothing to show; what needs it shows an error"),
    )
    for label, sample, look, text in samples:
        row += 1
        put(ws, f"B{row}", label, LABEL)
        put(ws, f"C{row}", sample, look)
        put(ws, f"D{row}", text, TEXT_BESIDE)
        for column in LETTERS[3:]:
            dress(ws[f"{column}{row}"], TEXT_BESIDE)
    return row
