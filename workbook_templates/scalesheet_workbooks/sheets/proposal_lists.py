"""The Lists sheet of a proposal: networks, picks side by side, constants."""

from collections.abc import Mapping, Sequence

from openpyxl.workbook.defined_name import DefinedName

from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.sheets.lists import write_interconnects
from scalesheet_workbooks.spec import Constant
from scalesheet_workbooks.styles import (
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

NAME, COLUMNS = "Lists", 7
INTERCONNECTS_ROW, PICKS_ROW = 4, 11
PER_BAND = 5
"""Lists that stand side by side in one band of the sheet."""
BAND_ROWS = 8
TITLES = {
    "lst_acquisitions": "GPUs are had by",
    "lst_work_bases": "Work is entered as",
    "lst_methods": "Efficiency comes from",
    "lst_no_yes": "No or yes",
    "lst_price_bases": "Price is per",
    "lst_stored_units": "Unit of storage",
    "lst_taxes": "The tax is",
    "lst_leases": "Lease",
    "lst_tags": "Tag of a line",
    "lst_confidences": "Confidence",
    "lst_decisions": "Decision",
    "lst_offer_kinds": "A price rests on",
    "lst_fabric_classes": "Class of fabric",
}
LETTERS = "BCDEF"


def constants_row(lists: int) -> int:
    """The row of the constants' heading, below so many lists."""
    return PICKS_ROW + BAND_ROWS * -(-lists // PER_BAND) - 1


def place(context: Context, constants: Sequence[Constant], lists: int) -> None:
    """The cells of the constants."""
    for row, constant in enumerate(constants, constants_row(lists) + 1):
        context.layout.fixed[constant.id] = f"{NAME}!$E${row}"


def write(
    context: Context, constants: Sequence[Constant], lists: Mapping[str, Sequence[str]]
) -> None:
    """The sheet, and the names that point into it."""
    ws = context.book[NAME]
    widths(ws, [2.0, 31, 38, 22, 17, 48, 16])
    banner(ws, "Lists and constants", "Fixed for this template; nothing to fill", COLUMNS, badge=1)
    write_interconnects(ws, context, INTERCONNECTS_ROW, COLUMNS)
    section_title(ws, PICKS_ROW - 1, "Picks", COLUMNS)
    for place, (name, options) in enumerate(lists.items()):
        band, column = divmod(place, PER_BAND)
        letter, row = LETTERS[column], PICKS_ROW + BAND_ROWS * band
        put(ws, f"{letter}{row}", TITLES[name], COLUMN_HEADING_LEFT)
        for step, option in enumerate(options, 1):
            put(ws, f"{letter}{row + step}", option, LABEL)
        context.book.defined_names[name] = DefinedName(
            name, attr_text=f"{NAME}!${letter}${row + 1}:${letter}${row + len(options)}"
        )
    top = constants_row(len(lists))
    section_title(ws, top, "Constants", COLUMNS)
    for row, constant in enumerate(constants, top + 1):
        put(ws, f"B{row}", constant.id, ID)
        put(ws, f"C{row}", constant.label, LABEL)
        put(ws, f"D{row}", constant.unit, UNIT)
        put(ws, f"E{row}", constant.value, FORMULA, constant.number_format)
        put(ws, f"F{row}", constant.source, TEXT_BESIDE)
    ws.freeze_panes = "A4"
    fill_page(ws, top + len(constants) - 3, landscape=True)
    page(ws, COLUMNS, top + len(constants), landscape=True, header=context.header)
