"""Tables and lists of a scaling study: formulas that name cells by id, and where each id stands.

In a formula ``[siz.nodes]`` is the cell of that column in the same row, ``[siz.nodes^]`` the one
above, ``[siz.nodes:]`` the whole column, ``[siz.nodes@size_1]`` the cell of a named row; the id of
an entry is its one cell.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from scalesheet.formula import Spelling, row_text
from scalesheet.quantities import EXPONENT
from scalesheet.registry import REGISTRY
from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.spec import NOT_GIVEN

MARK = re.compile(r"\[([a-z_0-9.]+)(?:@([a-z_0-9]+)|([:^]))?\]")
FIRST_COLUMN = 4
"""The columns of a table begin at D; A is a margin, B the id, C the label."""
VALUE_COLUMN = "E"
"""Where the value of an entry stands; D is its unit."""


@dataclass(frozen=True, slots=True)
class Use:
    """A published function as a plain formula; ``given`` maps its parameters to ids."""

    name: str
    given: Mapping[str, str]


Source = str | Use
NODES, SHARE, LOG, RATIO, FLAG, TEXT = "#,##0", "0.0%", "0.000", "#,##0.00", "0", "@"
POWER = EXPONENT.number_format
THROUGHPUT = '[<1000]#,##0.00;[<10000000]#,##0;#,##0.00,,"M"'
"""Steps come by the dozen a second, tokens by the million."""
CALCULATED, IMPORTED, WRITTEN, FIXED, TYPED = "calculated", "imported", "written", "fixed", "typed"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: one formula for all rows, but for those that ``special`` names.

    ``kind`` says where its values come from: calculated, imported from another sheet, written at
    build, fixed for the template, typed by the user. Where the condition ``needs`` does not hold a
    dash is shown; ``formats`` are the number formats of single rows.
    """

    id: str
    heading: str
    number_format: str
    source: Source = ""
    kind: str = CALCULATED
    needs: str = ""
    special: Mapping[str, Source] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by key and label; ``counted`` of them, from the top, are what ``:`` means.

    Rows ``fade`` where the first column shows a dash.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    columns: tuple[Column, ...]
    counted: int = 0
    headed: bool = True
    fades: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rows."""
        return tuple(key for key, _ in self.rows)


@dataclass(frozen=True, slots=True)
class Entry:
    """A row with one value."""

    id: str
    label: str
    unit: str
    number_format: str
    source: Source
    kind: str = CALCULATED
    needs: str = ""
    total: bool = False


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries under one heading."""

    title: str
    entries: tuple[Entry, ...]


Block = Table | Entries


@dataclass(frozen=True, slots=True)
class StudySheet:
    """A sheet of blocks from top to bottom; ``head`` begins the ids of its tables' rows."""

    name: str
    head: str
    title: str
    purpose: str
    blocks: tuple[Block, ...]
    widths: tuple[float, ...]
    landscape: bool = False


@dataclass
class Places:
    """Where everything stands; the layout gets to know it too, for the checks."""

    layout: Layout
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    columns: dict[str, tuple[str, str]] = field(default_factory=dict)
    entries: dict[str, tuple[str, str]] = field(default_factory=dict)
    title_rows: dict[tuple[str, str], int] = field(default_factory=dict)
    last_row: dict[str, int] = field(default_factory=dict)

    def place(self, sheet: StudySheet, top: int) -> None:
        """Rows for the blocks of a sheet: a heading each, an empty row between them."""
        row = top
        for block in sheet.blocks:
            self.title_rows[sheet.name, block.title] = row
            if isinstance(block, Entries):
                for entry in block.entries:
                    row += 1
                    self.place_entry(entry.id, sheet.name, f"${VALUE_COLUMN}${row}")
            else:
                row += block.headed
                self.place_table(sheet.name, block, row + 1)
                row += len(block.rows)
            row += 2
        self.last_row[sheet.name] = row - 2

    def place_entry(self, entry_id: str, sheet: str, cell: str) -> None:
        """One cell for an id."""
        self.entries[entry_id] = (sheet, cell)
        self.layout.fixed[entry_id] = f"{sheet}!{cell}"

    def place_table(self, sheet: str, table: Table, first: int) -> None:
        """Cells for the columns of a table whose first row is given."""
        rows = {key: first + place for place, key in enumerate(table.keys)}
        last = first + (table.counted or len(table.rows)) - 1
        for place, column in enumerate(table.columns):
            letter = get_column_letter(FIRST_COLUMN + place)
            self.columns[column.id] = (sheet, letter)
            self.rows[column.id] = rows
            self.layout.fixed[column.id] = f"{sheet}!${letter}${first}:${letter}${last}"

    def cell(self, column_id: str, key: str) -> tuple[str, int]:
        """Letter and row of a cell of a table."""
        return self.columns[column_id][1], self.rows[column_id][key]

    def formula(self, source: Source, needs: str, sheet: str, key: str = "") -> str:
        """A formula as it stands in a row of a sheet, without its equals sign."""
        if isinstance(source, Use):
            given = {
                name: self._cell(f"[{cell_id}]", sheet, key)
                for name, cell_id in source.given.items()
            }
            tables = {"LOSS_BY_INTERCONNECT": ("lst_interconnects", "lst_losses")}
            text = row_text(REGISTRY[source.name], Spelling(given, tables=tables))
        else:
            text = self._filled(source, sheet, key)
        if not needs:
            return text
        return f'IF({self._filled(needs, sheet, key)},{text},"{NOT_GIVEN}")'

    def _filled(self, text: str, sheet: str, key: str) -> str:
        return MARK.sub(lambda found: self._cell(found[0], sheet, key), text)

    def _cell(self, mark: str, sheet: str, key: str) -> str:
        found = MARK.fullmatch(mark)
        if not found:
            raise ValueError(f"{mark} is no id of a cell")
        cell_id, row_key, part = found.groups()
        if cell_id in self.entries:
            home, cells = self.entries[cell_id]
            if not key:  # nothing is copied from an entry
                cells = cells.replace("$", "") if home == sheet else cells
        elif part == ":":
            home, _, cells = self.layout.fixed[cell_id].partition("!")
        else:
            home, letter = self.columns[cell_id]
            if row_key:
                cells = f"${letter}${self.rows[cell_id][row_key]}"
            else:
                cells = f"{letter}{self.rows[cell_id][key] - (part == '^')}"
        return cells if home == sheet else f"{home}!{cells}"


def number(input_id: str) -> str:
    """An input brought in: a number, or a dash where none is given."""
    return f'IF(ISNUMBER([{input_id}]),[{input_id}],"{NOT_GIVEN}")'


def name(input_id: str) -> str:
    """A pick brought in."""
    return f'IF(ISTEXT([{input_id}]),[{input_id}],"{NOT_GIVEN}")'


def brought(entry_id: str, label: str, unit: str, number_format: str, source: str) -> Entry:
    """A figure brought in from another sheet; ``source`` is its id, or how an input is read."""
    return Entry(entry_id, label, unit, number_format, _link(source), IMPORTED)


def brought_column(column_id: str, heading: str, number_format: str, source: str) -> Column:
    """A column brought in from another sheet."""
    return Column(column_id, heading, number_format, _link(source), IMPORTED)


def _link(source: str) -> str:
    return source if "[" in source else f"[{source}]"
