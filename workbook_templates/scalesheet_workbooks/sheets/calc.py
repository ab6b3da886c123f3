"""The Calc sheet: every step a row, one formula a row, copied across the scenarios."""

from collections.abc import Mapping

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.sheets.context import Context, headings, section_title
from scalesheet_workbooks.spec import Line, Section, formula_text
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

NAME, WIDTH = "Calc", 12.5
NAMED = {
    "out_total_cost": "calc.train_cost",
    "out_wall_clock_days": "calc.wall_clock_days",
    "out_efficiency": "calc.efficiency",
}


def place(context: Context, sections: tuple[Section, ...]) -> None:
    """Rows for the lines, section by section."""
    context.layout.place(
        NAME, [(section.title, [line.id for line in section.lines]) for section in sections]
    )


def write(
    context: Context,
    sections: tuple[Section, ...],
    constants: Mapping[str, str],
    tables: Mapping[str, tuple[str, str]],
) -> None:
    """The sheet: links to inputs in green, calculations in black, totals on a band."""
    ws = context.book[NAME]
    layout = context.layout
    widths(ws, [2, 25, 40, 10, *[WIDTH] * layout.scenarios])
    banner(
        ws,
        "Calculation",
        "Green rows bring in inputs, black rows calculate; nothing to fill",
        max(layout.end_column, 7),
    )
    headings(ws, context, WIDTH)
    for row, title in layout.titles[NAME]:
        section_title(ws, row, title, layout.end_column)
    earlier: list[Line] = []
    for line in (line for section in sections for line in section.lines):
        _write_line(ws, context, line, earlier, constants, tables)
        earlier.append(line)
    for name, line_id in NAMED.items():
        context.book.defined_names[name] = DefinedName(
            name, attr_text=layout.span(line_id, "elsewhere")
        )
    page(
        ws,
        max(layout.end_column, 7),
        layout.last_row[NAME],
        landscape=False,
        header=context.header,
    )


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
            lambda line_id, column=column: layout.cell(line_id, column, NAME),  # type: ignore[misc]
            constants,
            tables,
        )
        put(ws, f"{column}{row}", Formula(text), value, fitting(line.number_format))
