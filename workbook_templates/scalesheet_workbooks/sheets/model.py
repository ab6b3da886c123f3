"""A sheet of calculation: every step a row, one formula a row, copied across the scenarios."""

from collections.abc import Mapping
from dataclasses import replace
from textwrap import shorten

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.sheets.context import Context, headings, section_title
from scalesheet_workbooks.spec import Line, ModelSheet, formula_text, in_words
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    IMPORT_LABEL,
    IMPORTED,
    LABEL,
    TEXT_BESIDE,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    Formula,
    banner,
    dress,
    fill_page,
    fitting,
    page,
    put,
    widths,
)

LEADS = (25.0, 35.0, 12.5)
"""Widths of ids, labels and units."""
WIDTH, ASIDE_WIDTH = 11.5, 10.5
HOW_WIDTHS = (39.0, 16.0)
HOW_SCENARIOS, HOW_LENGTH = 4, 62
"""Up to so many scenarios there is room to say how each row comes about."""
HEAD_ROWS = 55.0
"""Points that the head of a sheet takes besides the row of its scenarios' names."""


def place(context: Context, sheet: ModelSheet) -> None:
    """Rows for the lines, section by section, and the cells at their ends."""
    layout = context.layout
    layout.place(
        sheet.name,
        [(section.title, [line.id for line in section.lines]) for section in sheet.sections],
    )
    letter = get_column_letter(layout.end_column + 1)
    for line in sheet.lines:
        if line.aside:
            row = layout.rows[line.id][1]
            layout.fixed[f"aside.{line.aside}"] = f"{sheet.name}!${letter}${row}"


def write(
    context: Context,
    sheet: ModelSheet,
    constants: Mapping[str, str],
    tables: Mapping[str, tuple[str, str]],
    *,
    leads: tuple[float, float, float] = LEADS,
) -> None:
    """The sheet: what is brought in in green, calculations in black, totals on a band.

    Where there is room it says how each row comes about.
    """
    ws = context.book[sheet.name]
    layout = context.layout
    last = _columns(ws, context, sheet, leads)
    banner(ws, sheet.title, sheet.purpose, last, badge=1 if _has_how(context) else 2)
    headings(ws, context, WIDTH)
    for row, title in layout.titles[sheet.name]:
        section_title(ws, row, title, last)
    earlier: list[Line] = []
    for line in sheet.lines:
        _write_line(ws, context, line, earlier, constants, tables)
        _write_end(ws, context, sheet, line)
        earlier.append(line)
    taken = HEAD_ROWS + ws.row_dimensions[HEADER_ROW].height
    fill_page(ws, layout.last_row[sheet.name] - HEADER_ROW, landscape=True, taken=taken)
    page(ws, last, layout.last_row[sheet.name], landscape=True, header=context.header)


def last_column(context: Context, sheet: ModelSheet) -> int:
    """The number of the last column of a sheet."""
    how = len(HOW_WIDTHS) if _has_how(context) else 0
    return context.layout.end_column + _has_asides(sheet) + how


def _has_how(context: Context) -> bool:
    return context.layout.scenarios <= HOW_SCENARIOS


def _has_asides(sheet: ModelSheet) -> bool:
    return bool(sheet.aside)


def _columns(
    ws: Worksheet, context: Context, sheet: ModelSheet, leads: tuple[float, float, float]
) -> int:
    """Widths, and heads of what stands at the ends; the number of the last column."""
    layout, ends = context.layout, []
    row = HEADER_ROW
    if _has_asides(sheet):
        ends.append(ASIDE_WIDTH)
        put(ws, f"{get_column_letter(layout.end_column + 1)}{row}", sheet.aside, COLUMN_HEADING)
    if _has_how(context):
        at = f"{get_column_letter(layout.end_column + len(ends) + 1)}{row}"
        put(ws, at, "How", replace(COLUMN_HEADING_LEFT, align="left", indent=1))
        first, second = HOW_WIDTHS
        ends += [first - sum(ends), second]
        dress(ws[f"{get_column_letter(layout.end_column + len(ends))}{row}"], COLUMN_HEADING_LEFT)
    widths(ws, [2.0, *leads, *[WIDTH] * layout.scenarios, *ends])
    return layout.end_column + len(ends)


def _write_end(ws: Worksheet, context: Context, sheet: ModelSheet, line: Line) -> None:
    """The rate or tag of a row, and how it comes about."""
    layout = context.layout
    row, end = layout.rows[line.id][1], layout.end_column
    if _has_asides(sheet):
        end += 1
        at = f"{get_column_letter(end)}{row}"
        dress(ws[at], replace(TOTAL_LABEL) if line.total else LABEL)
        if line.aside:
            cell = layout.cell(f"beside.{line.aside}", "", ws.title)
            # An average of no figure is an error, where a look-up takes a blank for 0.
            rate = f"AVERAGEIF(lst_currencies,{cell},lst_rates)"
            text, number_format = (rate, "0.0000") if sheet.aside == "Rate" else (cell, "@")
            put(ws, at, Formula(text), IMPORTED, number_format)
    if _has_how(context):
        look = replace(TEXT_BESIDE, fill=TOTAL_LABEL.fill, top=TOTAL_LABEL.top)
        room = HOW_LENGTH - 12 * _has_asides(sheet)
        how = _within(in_words(line), room)
        put(ws, f"{get_column_letter(end + 1)}{row}", how, look if line.total else TEXT_BESIDE)
        dress(ws[f"{get_column_letter(end + 2)}{row}"], look if line.total else TEXT_BESIDE)


def _within(text: str, letters: int) -> str:
    """A text cut between words, or within the first where that alone is too long."""
    cut = shorten(text, letters, placeholder=" …")
    return cut if cut != "…" else f"{text[: letters - 1]}…"


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
        color = IMPORTED.color if line.is_import else TOTAL.color
        quiet, label, value = TOTAL_QUIET, TOTAL_LABEL, replace(TOTAL, color=color)
    elif line.is_import:
        label, value = IMPORT_LABEL, IMPORTED
    put(ws, f"B{row}", line.id, quiet)
    named = layout.fixed.get(f"label.{getattr(line.source, 'input_id', '')}")
    put(ws, f"C{row}", Formula(named) if named else line.label, label)
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
