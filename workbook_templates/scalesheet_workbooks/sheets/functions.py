"""The Functions sheet: what a user can type into any cell of the workbook."""

import textwrap

from openpyxl.workbook.defined_name import DefinedName

from scalesheet.formula import translatable
from scalesheet.registry import by_category
from scalesheet.surfaces.excel.lambdas import lambda_names
from scalesheet_workbooks.sheets import fabrics
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.styles import GREY, NOTE, Look, banner, dress, page, put, widths

NAME, COLUMNS = "Functions", 4
CALL, GIVES = Look(wrap=True), Look(color=GREY, indent=1)
CALL_WIDTH, CALL_LETTERS = 57, 65
"""The width of the column of calls, and how many letters a line of it holds."""
LINE_HEIGHT, TITLE_HEIGHT = 12.7, 14.0


def add_names(context: Context) -> None:
    """The LAMBDA names of the workbook, each with its description."""
    for name in lambda_names():
        context.book.defined_names[name.name] = DefinedName(
            name.name, attr_text=name.stored, comment=name.description
        )


def write(context: Context) -> None:
    """One row a name, by category: the call and what it gives."""
    ws = context.book[NAME]
    widths(ws, [2, CALL_WIDTH, 56, 15])
    banner(
        ws,
        NAME,
        "LAMBDA names in this workbook: type them in Excel for Microsoft 365 or the web, "
        "no add-in needed",
        COLUMNS,
        badge=1,
    )
    put(
        ws,
        "B3",
        "Add a sheet and try =TRAIN_COST(64,120,2.5,80%,15%,200,150). Percent is 80% or 0.8. "
        f"Ranges work too: =SCALING_EFF(Fabrics!{fabrics.GRID_NODES},Fabrics!{fabrics.GRID_NAMES},"
        "50%) fills a grid.",
        NOTE,
    )
    row = 4
    for category, records in by_category(translatable()):
        row += 1
        section_title(ws, row, category, COLUMNS)
        ws.row_dimensions[row].height = TITLE_HEIGHT
        for record in records:
            row += 1
            call = f"={record.signature}"
            put(ws, f"B{row}", call, CALL)
            put(ws, f"C{row}", record.summary, GIVES)
            dress(ws[f"D{row}"], GIVES)
            lines = len(textwrap.wrap(call, CALL_LETTERS, break_on_hyphens=False))
            ws.row_dimensions[row].height = LINE_HEIGHT * lines
    ws.freeze_panes = "A4"
    page(ws, COLUMNS, row, landscape=False, header=context.header)
