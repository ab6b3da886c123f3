"""The blocks of a scaling study's sheet as cells: headings, entries, tables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.sheets.study_table import (
    FIRST_COLUMN,
    FIXED,
    TEXT,
    TYPED,
    VALUE_COLUMN,
    WRITTEN,
    Column,
    Entries,
    Entry,
    Places,
    StudySheet,
    Table,
)
from scalesheet_workbooks.sheets.study_table import IMPORTED as FROM_ELSEWHERE
from scalesheet_workbooks.spec import NOT_GIVEN
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    IMPORT_LABEL,
    IMPORTED,
    INPUT,
    LABEL,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    WARN,
    WARN_PALE,
    Formula,
    Look,
    banner,
    fill_page,
    fitting,
    highlight,
    put,
    widths,
)
from scalesheet_workbooks.styles import page as set_up

WRITTEN_LOOK = Look(italic=True, align="right")
"""Figures that a program wrote when the workbook was built."""
LOOKS = {FROM_ELSEWHERE: IMPORTED, WRITTEN: WRITTEN_LOOK, TYPED: INPUT}
"""A formula in a table is green where it names another sheet, whatever its column."""
HEADING_HEIGHT, LONG_HEADING = 30.0, 43.0
FADED = "C4CBD4"
RELATIVE = re.compile(r"(?<![$A-Z!])([A-Z]+\d+)")
Values = Mapping[tuple[str, str], float | str]
"""What is written at build, by column id and key of the row."""


@dataclass(frozen=True)
class Page:
    """A sheet that is being written, and where everything stands."""

    context: Context
    places: Places
    sheet: StudySheet

    @property
    def ws(self) -> Worksheet:
        """The cells."""
        return self.context.book[self.sheet.name]

    @property
    def columns(self) -> int:
        """How many columns are printed."""
        return len(self.sheet.widths)


def write_sheet(page: Page, values: Values | None = None, last_row: int = 0) -> None:
    """Banner, blocks and print set-up; ``values`` are what is written at build."""
    last = last_row or page.places.last_row[page.sheet.name]
    widths(page.ws, list(page.sheet.widths))
    fill_page(page.ws, last - HEADER_ROW, landscape=page.sheet.landscape, taken=120)
    _head(page)
    _blocks(page, values or {})
    set_up(page.ws, page.columns, last, landscape=page.sheet.landscape, header=page.context.header)


def _head(page: Page) -> None:
    """The banner and the row that names the columns of the entries."""
    banner(page.ws, page.sheet.title, page.sheet.purpose, page.columns, badge=2)
    if not any(isinstance(block, Entries) for block in page.sheet.blocks):
        title_row = page.places.title_rows[page.sheet.name, page.sheet.blocks[0].title]
        page.ws.freeze_panes = f"D{title_row + 2}"
        return
    for column, text in zip("BCD", ("Id", "Line", "Unit"), strict=True):
        put(page.ws, f"{column}{HEADER_ROW}", text, COLUMN_HEADING_LEFT)
    put(page.ws, f"{VALUE_COLUMN}{HEADER_ROW}", "Value", COLUMN_HEADING)
    for place in range(FIRST_COLUMN + 2, page.columns + 1):
        put(page.ws, f"{get_column_letter(place)}{HEADER_ROW}", None, COLUMN_HEADING)
    page.ws.freeze_panes = f"D{HEADER_ROW + 1}"


def _blocks(page: Page, values: Values) -> None:
    """Every block of the sheet."""
    for block in page.sheet.blocks:
        row = page.places.title_rows[page.sheet.name, block.title]
        section_title(page.ws, row, block.title, page.columns)
        if isinstance(block, Entries):
            for entry in block.entries:
                _entry(page, entry)
        else:
            if block.headed:
                _headings(page, block, row + 1)
            _table(page, block, values)


def _entry(page: Page, entry: Entry) -> None:
    row = int(page.places.entries[entry.id][1].rpartition("$")[2])
    is_import = entry.kind == FROM_ELSEWHERE
    look, label, quiet = LOOKS.get(entry.kind, FORMULA), LABEL, UNIT
    if entry.total:
        look, label, quiet = TOTAL, TOTAL_LABEL, TOTAL_QUIET
    put(page.ws, f"B{row}", entry.id, TOTAL_QUIET if entry.total else ID)
    put(page.ws, f"C{row}", entry.label, IMPORT_LABEL if is_import else label)
    put(page.ws, f"D{row}", page.context.unit(entry.unit), quiet)
    if entry.unit in ("text", "name"):
        look = replace(look, align="left")
    text = page.places.formula(entry.source, entry.needs, page.sheet.name)
    put(page.ws, f"{VALUE_COLUMN}{row}", Formula(text), look, fitting(entry.number_format))


def _headings(page: Page, table: Table, row: int) -> None:
    long = any(len(column.heading) > 20 for column in table.columns)
    page.ws.row_dimensions[row].height = LONG_HEADING if long else HEADING_HEIGHT
    put(page.ws, f"B{row}", "Id", COLUMN_HEADING_LEFT)
    put(page.ws, f"C{row}", "Line", COLUMN_HEADING_LEFT)
    for place, column in enumerate(table.columns):
        letter = get_column_letter(FIRST_COLUMN + place)
        look = COLUMN_HEADING_LEFT if is_text(column) else COLUMN_HEADING
        look = replace(look, align="left", indent=1) if is_text(column) else look
        put(page.ws, f"{letter}{row}", page.context.unit(column.heading), look)


def is_text(column: Column) -> bool:
    """Whether a column holds text and stands at the left."""
    return column.number_format == TEXT


def _table(page: Page, table: Table, values: Values) -> None:
    for key, label in table.rows:
        for column in table.columns:
            letter, row = page.places.cell(column.id, key)
            value = _value(page, column, key, values)
            look = LOOKS.get(column.kind, FORMULA)
            if isinstance(value, Formula):
                look = IMPORTED if "!" in value else FORMULA
            if is_text(column):
                look = replace(look, align="left", indent=1)
            number_format = column.formats.get(key, column.number_format)
            put(page.ws, f"{letter}{row}", value, look, fitting(number_format))
        put(page.ws, f"B{row}", f"{page.sheet.head}.{key}", ID)
        put(page.ws, f"C{row}", label, LABEL)

    if table.fades:
        fade(page, table)


def fade(page: Page, table: Table) -> None:
    """Rows that are not in use stand back."""
    left, row = page.places.cell(table.columns[0].id, table.keys[0])
    right, _ = page.places.cell(table.columns[-1].id, table.keys[0])
    bottom = row + len(table.rows) - 1
    highlight(page.ws, f"B{row}:{right}{bottom}", f'${left}{row}="{NOT_GIVEN}"', FADED)


def _value(page: Page, column: Column, key: str, values: Values) -> object:
    if column.kind == TYPED:
        return None
    if column.kind in (WRITTEN, FIXED):
        return values.get((column.id, key), NOT_GIVEN)
    source = column.special.get(key, column.source)
    if source == NOT_GIVEN:
        return NOT_GIVEN
    needs = "" if key in column.special else column.needs
    return Formula(page.places.formula(source, needs, page.sheet.name, key))


def amber(page: Page, column_ids: Sequence[str], condition: str) -> None:
    """Rows of some columns of one table marked where a condition holds in their row."""
    first, last = column_ids[0], column_ids[-1]
    rows = page.places.rows[first]
    key = next(iter(rows))
    left, top = page.places.cell(first, key)
    right, _ = page.places.cell(last, key)
    text = page.places.formula(condition, "", page.sheet.name, key)
    # The columns stay, the rows move.
    anchored = RELATIVE.sub(r"$\1", text)
    highlight(page.ws, f"{left}{top}:{right}{max(rows.values())}", anchored, WARN, WARN_PALE)
