"""A sheet of calculation: every step a row, one formula a row, copied across the scenarios."""

from collections.abc import Mapping

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import FIRST_COLUMN
from scalesheet_workbooks.sheets.context import Context, headings, section_title
from scalesheet_workbooks.spec import Line, ModelSheet, formula_text
from scalesheet_workbooks.styles import (
    FORMULA,
    ID,
    IMPORT_LABEL,
    IMPORTED,
    LABEL,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    Formula,
    banner,
    fitting,
    page,
    put,
    widths,
)

WIDTH = 12.5
LEAST_COLUMNS = 7
"""The badge of the banner needs its room, however few the scenarios."""


def place(context: Context, sheet: ModelSheet) -> None:
    """Rows for the lines, section by section."""
    context.layout.place(
        sheet.name,
        [(section.title, [line.id for line in section.lines]) for section in sheet.sections],
    )


def write(
    context: Context,
    sheet: ModelSheet,
    constants: Mapping[str, str],
    tables: Mapping[str, tuple[str, str]],
) -> None:
    """The sheet: what is brought in in green, calculations in black, totals on a band."""
    ws = context.book[sheet.name]
    layout = context.layout
    last = max(layout.end_column, LEAST_COLUMNS)
    widths(ws, [2, 25, 37, 10, *[WIDTH] * max(layout.scenarios, LEAST_COLUMNS - FIRST_COLUMN + 1)])
    banner(ws, sheet.title, sheet.purpose, last)
    headings(ws, context, WIDTH)
    for row, title in layout.titles[sheet.name]:
        section_title(ws, row, title, last)
    earlier: list[Line] = []
    for line in sheet.lines:
        _write_line(ws, context, line, earlier, constants, tables)
        earlier.append(line)
    page(ws, last, layout.last_row[sheet.name], landscape=False, header=context.header)


def name_ranges(context: Context, named: Mapping[str, str]) -> None:
    """Defined names for the lines that other workbooks look for."""
    for name, line_id in named.items():
        reference = context.layout.span(line_id, sheet="")
        context.book.defined_names[name] = DefinedName(name, attr_text=reference)


def _write_line(
    ws: Worksheet,
    context: Context,
    line: Line,
    earlier: list[Line],
    constants: Mapping[str, str],
    tables: Mapping[str, tuple[str, str]],
) -> None:
    layout = context.layout
    row = layout.rows[line.id][1]
    quiet, label, value = (ID, LABEL, FORMULA)
    if line.total:
        quiet, label, value = TOTAL_QUIET, TOTAL_LABEL, TOTAL
    elif line.is_import:
        label, value = IMPORT_LABEL, IMPORTED
    put(ws, f"B{row}", line.id, quiet)
    put(ws, f"C{row}", line.label, label)
    put(ws, f"D{row}", context.unit(line.unit), TOTAL_QUIET if line.total else UNIT)
    for column in layout.columns:
        text = formula_text(
            line,
            earlier,
            lambda line_id, column=column: layout.cell(line_id, column, ws.title),  # type: ignore[misc]
            constants,
            tables,
        )
        put(ws, f"{column}{row}", Formula(text), value, fitting(line.number_format))
