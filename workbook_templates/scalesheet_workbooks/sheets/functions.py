"""The Functions sheet: what a user can type into any cell of the workbook."""

from openpyxl.workbook.defined_name import DefinedName

from scalesheet.formula import translatable
from scalesheet.registry import by_category
from scalesheet.surfaces.excel.lambdas import lambda_names
from scalesheet_workbooks.sheets import fabrics
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.styles import LABEL, NOTE, Look, banner, dress, page, put, widths

CALL = Look(color="6B7280", size=9)
NAME, COLUMNS = "Functions", 5


def add_names(context: Context) -> None:
    """The LAMBDA names of the workbook, each with its description."""
    for name in lambda_names():
        context.book.defined_names[name.name] = DefinedName(
            name.name, attr_text=name.stored, comment=name.description
        )


def write(context: Context) -> None:
    """One row a name, by category: the call and what it gives."""
    ws = context.book[NAME]
    widths(ws, [2, 27, 72, 66, 16])
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
        for record in records:
            row += 1
            put(ws, f"B{row}", record.name, Look(bold=True))
            put(ws, f"C{row}", record.summary, LABEL)
            put(ws, f"D{row}", "=" + record.signature, CALL)
            dress(ws[f"E{row}"], CALL)
        row += 1
    ws.freeze_panes = "A4"
    page(ws, COLUMNS, row, landscape=True, header=context.header)
