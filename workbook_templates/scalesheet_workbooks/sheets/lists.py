"""The Lists sheet: tables by name, picks, and constants, each in one locked cell."""

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.quantities import INTERCONNECT, LOSS
from scalesheet.scaling import LOSS_BY_INTERCONNECT
from scalesheet_workbooks.inputs import EFFICIENCY_METHODS, WORK_BASES
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.spec import Constant
from scalesheet_workbooks.styles import (
    FORMULA,
    ID,
    LABEL,
    TEXT_BESIDE,
    UNIT,
    banner,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Lists", 7
OPTIONS = (
    ("Efficiency comes from", "lst_methods", EFFICIENCY_METHODS),
    ("Work is entered as", "lst_work_bases", WORK_BASES),
)
FIRST_ROW = 4
OPTION_ROWS = (10, 15)
CONSTANTS_ROW = 19
LOSS_SOURCE = {
    "NDR": "efficiency calculator: 95.5 % at 4 nodes",
    "HDR": "estimate: log-log between the two stated figures, rounded",
    "RoCE100": "estimate: log-log between the two stated figures, rounded",
    "Eth25": "efficiency calculator: 79 % at 4 nodes",
}


def place(context: Context, constants: tuple[Constant, ...]) -> None:
    """The cells of the constants."""
    first = CONSTANTS_ROW + 1
    for row, constant in enumerate(constants, first):
        context.layout.fixed[constant.id] = f"{NAME}!$E${row}"


def write(context: Context, constants: tuple[Constant, ...]) -> None:
    """The sheet, and the names that point into it."""
    ws = context.book[NAME]
    widths(ws, [2, 22, 46, 14, 14, 58, 16])
    banner(ws, "Lists and constants", "Fixed for this template; nothing to fill", COLUMNS, badge=1)
    write_interconnects(ws, context, FIRST_ROW, COLUMNS)
    for row, (title, name, options) in zip(OPTION_ROWS, OPTIONS, strict=True):
        section_title(ws, row, title, COLUMNS)
        for number, option in enumerate(options, 1):
            put(ws, f"B{row + number}", option, LABEL)
        _name(context, name, f"{NAME}!$B${row + 1}:$B${row + len(options)}")
    _constants(ws, constants)
    ws.freeze_panes = "A4"
    page(ws, COLUMNS, CONSTANTS_ROW + len(constants), landscape=True, header=context.header)


def write_interconnects(ws: Worksheet, context: Context, top: int, columns: int) -> None:
    """The calculator's networks, each with its loss and where that is from."""
    section_title(ws, top, "Interconnects", columns)
    first, last = top + 1, top + len(INTERCONNECT.options)
    for row, (short, long) in enumerate(INTERCONNECT.options, first):
        put(ws, f"B{row}", short, LABEL)
        put(ws, f"C{row}", long, LABEL)
        put(ws, f"D{row}", LOSS.unit, UNIT)
        put(ws, f"E{row}", LOSS_BY_INTERCONNECT[short], FORMULA, LOSS.number_format)
        put(ws, f"F{row}", LOSS_SOURCE[short], TEXT_BESIDE)
    _name(context, "lst_interconnects", f"{NAME}!$B${first}:$B${last}")
    _name(context, "lst_losses", f"{NAME}!$E${first}:$E${last}")


def _constants(ws: Worksheet, constants: tuple[Constant, ...]) -> None:
    section_title(ws, CONSTANTS_ROW, "Constants", COLUMNS)
    for row, constant in enumerate(constants, CONSTANTS_ROW + 1):
        put(ws, f"B{row}", constant.id, ID)
        put(ws, f"C{row}", constant.label, LABEL)
        put(ws, f"D{row}", constant.unit, UNIT)
        put(ws, f"E{row}", constant.value, FORMULA, constant.number_format)
        put(ws, f"F{row}", constant.source, TEXT_BESIDE)


def _name(context: Context, name: str, reference: str) -> None:
    context.book.defined_names[name] = DefinedName(name, attr_text=reference)
