"""What a file is held against: its template as it is built, and where its lines stand."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR, HEADER_ROW, ID_COLUMN
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.flow import Flow, Upstream
from scalesheet_workbooks.review.marks import CURRENCY, MARKS, NOTE
from scalesheet_workbooks.review.row_keys import RowKeys, row_keys
from scalesheet_workbooks.review.spelling import names_of

SCENARIO_ROW = "in.scenario"
VALUE_COLUMN = 5
KINDS = (ERROR, COMPLETENESS, ALERT)


class CoreCall(NamedTuple):
    """A line of the model that calls one of our functions: its arguments are lines as well."""

    line: str
    function: str
    arguments: tuple[str, ...]


class Known(NamedTuple):
    """What follows from the formulas of a template, worked out beforehand: to read them all takes
    a third of a first review."""

    texts_read: frozenset[Place]
    feeding_totals: Upstream


@dataclass(frozen=True)
class Expected:
    """A template as it is built for so many scenarios, and where its lines stand."""

    name: str
    version: str
    scenarios: int
    uses_scenarios: bool
    book: Book
    written: frozenset[Place]
    """Locked cells that the program fills from the inputs (risk figures and the like).

    They belong to the inputs that the file was built from, so no fresh file can have the same.
    """
    example: Mapping[Place, Value]
    """What the example that comes with the package has in the cells that are unlocked here."""
    shipped: Mapping[str, Mapping[str, Value]]
    """The scenarios of that example, by name: what each input of theirs has, by id."""
    calls: tuple[CoreCall, ...]
    total_line: str
    known: Known | None = field(default=None, compare=False)

    @cached_property
    def range_names(self) -> dict[str, str]:
        """The names that stand for ranges or constants."""
        return names_of(self.book)

    @cached_property
    def flow(self) -> Flow:
        """Which cell of the template needs which."""
        return Flow(self.book, self.range_names)

    @cached_property
    def texts_read(self) -> frozenset[Place]:
        """The cells with a text that a formula of the template reads."""
        if self.known:
            return self.known.texts_read
        read = self.flow.read
        return frozenset(place for place in self._texts if place in read)

    @cached_property
    def unread(self) -> Set[Place]:
        """The cells with a text that no formula of the template reads."""
        return {*self._texts} - self.texts_read

    @property
    def _texts(self) -> Iterator[Place]:
        for sheet in self.book.sheets:
            title = sheet.title
            for (row, column), cell in sheet.cells.items():
                if cell.formula is None and isinstance(cell.value, str):
                    yield title, row, column

    @cached_property
    def feeding_totals(self) -> Upstream:
        """The cells that the totals need."""
        return self.known.feeding_totals if self.known else self.flow.upstream(self.totals)

    @cached_property
    def row_keys(self) -> dict[str, RowKeys]:
        """For each sheet what its rows say first."""
        return {sheet.title: row_keys(sheet) for sheet in self.book.sheets}

    @cached_property
    def ids(self) -> dict[str, tuple[str, int]]:
        """Sheet and row of every id."""
        return self.book.ids

    @cached_property
    def headings(self) -> dict[str, dict[str, int]]:
        """The texts above the columns of each sheet, in small letters, with their columns."""
        return {
            sheet.title: {
                cell.value.strip().lower(): at[1]
                for at, cell in sheet.cells.items()
                if at[0] == HEADER_ROW and isinstance(cell.value, str)
            }
            for sheet in self.book.sheets
        }

    @cached_property
    def line_at(self) -> dict[tuple[str, int], str]:
        """The id of a row."""
        return {place: line for line, place in self.ids.items()}

    @cached_property
    def unlocked(self) -> dict[str, dict[int, list[int]]]:
        """For each sheet its rows with unlocked cells, and their columns."""
        found: dict[str, dict[int, list[int]]] = {}
        for sheet in self.book.sheets:
            open_ = {at for at, cell in sheet.cells.items() if not cell.locked}
            rows: dict[int, list[int]] = {}
            for row, column in sorted(open_ | sheet.unlocked_blanks):
                rows.setdefault(row, []).append(column)
            found[sheet.title] = rows
        return found

    @cached_property
    def scenario_columns(self) -> list[int]:
        """The columns of the scenarios, the same on every sheet of lines; without scenarios that
        of the values."""
        if SCENARIO_ROW not in self.ids:
            return [VALUE_COLUMN]
        title, row = self.ids[SCENARIO_ROW]
        return self.unlocked[title].get(row, [])

    @cached_property
    def inputs(self) -> dict[str, list[tuple[int, int]]]:
        """For each input id its cells: one a scenario, or one for the whole workbook.

        What else is unlocked in the row (owner, source, currency) is no input of the model.
        """
        found: dict[str, list[tuple[int, int]]] = {}
        for line, (title, row) in self.ids.items():
            columns = [
                column
                for column in self.unlocked[title].get(row, ())
                if column in self.scenario_columns
            ]
            if columns and line.startswith("in."):
                found[line] = [(row, column) for column in columns]
        return found

    @cached_property
    def marked(self) -> dict[Place, Cell]:
        """Cells with marks for what a study says: formulas with its currency, texts."""
        return {
            (sheet.title, row, column): cell
            for sheet in self.book.sheets
            for (row, column), cell in sheet.cells.items()
            if (
                CURRENCY in cell.formula
                if cell.formula is not None
                else isinstance(cell.value, str) and MARKS.search(cell.value)
            )
        }

    @cached_property
    def optional_rows(self) -> set[tuple[str, int]]:
        """Rows that a file without notes does not have: notes, and the heading above them."""
        rows = {
            (sheet.title, row)
            for sheet in self.book.sheets
            for (row, _), cell in sheet.cells.items()
            if isinstance(cell.value, str) and NOTE in cell.value
        }
        return rows | {(title, row - 1) for title, row in rows}

    @cached_property
    def totals(self) -> tuple[Place, ...]:
        """The cells of the total, one a scenario: the first name that begins with out_total, or
        the line of the template whose id says so."""
        for key, name in self.book.names.items():
            if key.startswith("out_total"):
                for title, top, left, bottom, right in areas(name.text, ""):
                    return tuple(
                        (title, row, column)
                        for row in range(top, bottom + 1)
                        for column in range(left, right + 1)
                    )
        if self.total_line not in self.ids:
            return ()
        title, row = self.ids[self.total_line]
        return tuple((title, row, column) for column in self.scenario_columns)

    @cached_property
    def named_outputs(self) -> dict[str, str]:
        """The id of each named output."""
        found = {}
        for key, name in self.book.names.items():
            if key.startswith("out_"):
                for title, top, *_ in areas(name.text, ""):
                    found[key] = self.line_at.get((title, top), "")
        return found

    @cached_property
    def check_kinds(self) -> dict[str, str]:
        """The kind of each check, as its row says it."""
        found = {}
        for line, (title, row) in self.ids.items():
            if line.startswith("chk."):
                cells = self.book.by_title[title].cells
                texts = [cell.value for (at, _), cell in cells.items() if at == row]
                kind = next((text for text in texts if text in KINDS), "")
                found[line] = str(kind)
        return found

    def column_of(self, scenario: int) -> int:
        """The column of a scenario on the sheet of the inputs."""
        return self.scenario_columns[scenario]

    def label(self, line: str) -> str:
        """The label of a line."""
        title, row = self.ids[line]
        cell = self.book.cell(title, row, ID_COLUMN + 1)
        return str(cell.value) if cell and isinstance(cell.value, str) else line
