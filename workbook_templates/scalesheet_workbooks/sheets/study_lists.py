"""The Lists sheet of a scaling study: classes, interconnects, picks, constants."""

from dataclasses import replace

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.fabric_classes import fabric_classes
from scalesheet.quantities import EXPONENT, INTERCONNECT, LOSS
from scalesheet.scaling import LOSS_BY_INTERCONNECT
from scalesheet_workbooks.scaling_constants import CONSTANTS
from scalesheet_workbooks.scaling_inputs import (
    CLASSES,
    SOURCES,
    WORK_UNITS,
)
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.sheets.lists import LOSS_SOURCE
from scalesheet_workbooks.sheets.study_table import Places
from scalesheet_workbooks.spec import NOT_GIVEN, Constant
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    LABEL,
    TEXT_BESIDE,
    UNIT,
    banner,
    fill_page,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Lists", 8
FIRST_ROW = 4
LISTS = (
    ("B", "Unit of work", "lst_work_units", WORK_UNITS),
    ("C", "Source of a forecast", "lst_sources", (NOT_GIVEN, *SOURCES)),
)
INTERCONNECTS_ROW = FIRST_ROW + len(CLASSES) + 3
LISTS_ROW = INTERCONNECTS_ROW + len(INTERCONNECT.options) + 2
CONSTANTS_ROW = LISTS_ROW + max(len(options) for *_, options in LISTS) + 3


def place(places: Places) -> None:
    """The cells of the constants."""
    for row, constant in enumerate(CONSTANTS, CONSTANTS_ROW + 1):
        places.place_entry(constant.id, NAME, f"$E${row}")


def write(context: Context) -> None:
    """The sheet, and the names that point into it."""
    ws = context.book[NAME]
    widths(ws, [2, 20, 62, 10, 9, 9, 10, 54])
    banner(ws, "Lists and constants", "Fixed for this template; nothing to fill", COLUMNS, badge=1)
    _classes(ws, context)
    _interconnects(ws, context)
    section_title(ws, LISTS_ROW, "Picks", COLUMNS)
    for column, title, name, options in LISTS:
        put(ws, f"{column}{LISTS_ROW + 1}", title, COLUMN_HEADING_LEFT)
        for row, option in enumerate(options, LISTS_ROW + 2):
            put(ws, f"{column}{row}", option, LABEL)
        _name(context, name, column, LISTS_ROW + 2, len(options))
    section_title(ws, CONSTANTS_ROW, "Constants", COLUMNS)
    for row, constant in enumerate(CONSTANTS, CONSTANTS_ROW + 1):
        _constant(ws, row, constant)
    ws.freeze_panes = "A4"
    last = CONSTANTS_ROW + len(CONSTANTS)
    fill_page(ws, last, landscape=True, taken=60)
    page(ws, COLUMNS, last, landscape=True, header=context.header)


def _constant(ws: Worksheet, row: int, constant: Constant) -> None:
    put(ws, f"B{row}", constant.id, ID)
    put(ws, f"C{row}", constant.label, LABEL)
    put(ws, f"D{row}", constant.unit, UNIT)
    put(ws, f"E{row}", float(constant.value), FORMULA, constant.number_format)
    put(ws, f"F{row}", constant.source, TEXT_BESIDE)


def _classes(ws: Worksheet, context: Context) -> None:
    title = "Classes of fabric: exponent of efficiency = nodes to the power of minus it"
    section_title(ws, FIRST_ROW, title, COLUMNS)
    head = FIRST_ROW + 1
    for column, text in (("B", "Class"), ("C", "What was measured")):
        put(ws, f"{column}{head}", text, COLUMN_HEADING_LEFT)
    for column, text in zip("DEFG", ("Series", "Median", "Quarter", "3 quarters"), strict=True):
        put(ws, f"{column}{head}", text, COLUMN_HEADING)
    put(ws, f"H{head}", "Source", replace(COLUMN_HEADING_LEFT, align="left", indent=1))
    known = fabric_classes()
    for row, name in enumerate(CLASSES, head + 1):
        put(ws, f"B{row}", name, LABEL)
        one = known.get(name)
        put(ws, f"C{row}", one.about if one else "takes nothing from a class", LABEL)
        figures = (
            (one.series, one.median, one.lower_quartile, one.upper_quartile)
            if one
            else (NOT_GIVEN,) * 4
        )
        formats = ("0", *(EXPONENT.number_format,) * 3)
        for column, figure, number_format in zip("DEFG", figures, formats, strict=True):
            put(ws, f"{column}{row}", figure, FORMULA, number_format)
        source = "scalesheet.measurements: published series, recomputed" if one else ""
        put(ws, f"H{row}", source or NOT_GIVEN, TEXT_BESIDE)
    _name(context, "lst_fabric_classes", "B", head + 1, len(CLASSES))
    _name(context, "lst_class_exponents", "E", head + 1, len(CLASSES))


def _interconnects(ws: Worksheet, context: Context) -> None:
    top = INTERCONNECTS_ROW
    section_title(ws, top, "Interconnects of the efficiency calculator", COLUMNS)
    for row, (short, long) in enumerate(INTERCONNECT.options, top + 1):
        put(ws, f"B{row}", short, LABEL)
        put(ws, f"C{row}", long, LABEL)
        put(ws, f"D{row}", LOSS.unit, UNIT)
        put(ws, f"E{row}", LOSS_BY_INTERCONNECT[short], FORMULA, LOSS.number_format)
        put(ws, f"F{row}", LOSS_SOURCE[short], TEXT_BESIDE)
    _name(context, "lst_interconnects", "B", top + 1, len(INTERCONNECT.options))
    _name(context, "lst_losses", "E", top + 1, len(INTERCONNECT.options))


def _name(context: Context, name: str, column: str, first: int, count: int) -> None:
    reference = f"{NAME}!${column}${first}:${column}${first + count - 1}"
    context.book.defined_names[name] = DefinedName(name, attr_text=reference)
