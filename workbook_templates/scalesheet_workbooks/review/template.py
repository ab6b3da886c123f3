"""Which template a file is, and how that template would look: built anew and read back.

The expected file is built with marks in place of what a study says (title, names, dates), so that
its texts tell what is fixed and what the builder put in.
"""

import datetime
import importlib
import importlib.util
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.inputs import INPUT_BY_ID, Input
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.proposal_inputs import PROPOSAL_BY_ID
from scalesheet_workbooks.read import Book, Cell, Sheet, read_bytes
from scalesheet_workbooks.review.engine import names_of
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.spec import ALERT, COMPLETENESS, ERROR
from scalesheet_workbooks.study import MAX_SCENARIOS, Scenario, Study

if TYPE_CHECKING:
    from scalesheet_workbooks.scaling_inputs import StudyInputs

Write = Callable[..., Any]
ID = re.compile(r"[a-z]{2,8}\.[a-z0-9_]+(?:\.[a-z0-9_]+)*")
SCENARIO_ROW = "in.scenario"
AFTER_SCENARIOS = {"min", "max", "in range", "owner", "source", "as of", "unit", "low", "high"}
TITLE, OWNER, CURRENCY, NOTE = "«title»", "«owner»", "XXX", "«note»"
DAY = datetime.date(1999, 9, 9)
DAY_SERIAL = float((DAY - datetime.date(1899, 12, 30)).days)
MARKS = re.compile(f"{TITLE}|{OWNER}|{CURRENCY}|{NOTE}|{DAY.isoformat()}|«scenario [0-9]»")
ID_COLUMN, VALUE_COLUMN = 2, 5
KINDS = (ERROR, COMPLETENESS, ALERT)


@dataclass(frozen=True)
class Recognised:
    """What a file says it is."""

    name: str
    version: str
    by: str


@dataclass(frozen=True)
class Expected:
    """A template as it is built for so many scenarios, and where its lines stand."""

    name: str
    version: str
    scenarios: int
    book: Book
    spec: ModuleType | None = field(repr=False)

    @cached_property
    def range_names(self) -> dict[str, str]:
        """The names that stand for ranges or constants."""
        return names_of(self.book)

    @cached_property
    def flow(self) -> Flow:
        """Which cell of the template needs which."""
        return Flow(self.book, self.range_names)

    @cached_property
    def ids(self) -> dict[str, tuple[str, int]]:
        """Sheet and row of every id."""
        return ids_of(self.book)

    @cached_property
    def line_at(self) -> dict[tuple[str, int], str]:
        """The id of a row."""
        return {place: line for line, place in self.ids.items()}

    @cached_property
    def written(self) -> frozenset[Place]:
        """Locked cells that the program fills from the inputs (risk figures and the like).

        They belong to the inputs that the file was built from, so no fresh file can have the same.
        """
        return frozenset(
            (sheet.title, *at) for sheet in self.book.sheets for at in self._written_on(sheet)
        )

    def _written_on(self, sheet: Sheet) -> Iterator[tuple[int, int]]:
        """Cells that differ from the example's, and what lies between two of them in a column."""
        values = {
            at: cell.value
            for at, cell in sheet.cells.items()
            if cell.locked and cell.formula is None and not MARKS.search(str(cell.value))
        }
        rows: dict[int, list[int]] = {}
        for (row, column), value in values.items():
            if _value(self.example.cell(sheet.title, row, column)) != value:
                rows.setdefault(column, []).append(row)
        for row, column in values:
            if column in rows and min(rows[column]) <= row <= max(rows[column]):
                yield row, column

    @cached_property
    def example(self) -> Book:
        """The example that comes with the package, for so many scenarios."""
        return _example(self.name, self.scenarios)

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
        for sheet in getattr(self.spec, "MODEL", ()):
            for line in getattr(sheet, "lines", ()):
                if line.total and line.id.endswith(".total") and line.id in self.ids:
                    title, row = self.ids[line.id]
                    return tuple((title, row, column) for column in self.scenario_columns)
        return ()

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


def _value(cell: Cell | None) -> object:
    return cell.value if cell else None


def ids_of(book: Book) -> dict[str, tuple[str, int]]:
    """Where each id in column B stands; the first one counts."""
    found: dict[str, tuple[str, int]] = {}
    for sheet in book.sheets:
        for row, column in sorted(sheet.cells):
            value = sheet.cells[row, column].value
            if column == ID_COLUMN and isinstance(value, str) and ID.fullmatch(value.strip()):
                found.setdefault(value.strip(), (sheet.title, row))
    return found


def recognise(book: Book) -> Recognised | None:
    """The template of a file: by its property, by its printed line, else by its ids."""
    from scalesheet_workbooks.build import TEMPLATES

    name = book.properties.get("scalesheet.template", "")
    version = book.properties.get("scalesheet.version", "")
    ids = ids_of(book)
    if name in TEMPLATES and (ids or not expected(name, 1).ids):
        return Recognised(name, version, "its document property")
    if not any(line.startswith("in.") for line in ids):
        return None
    known = {
        template: len(ids.keys() & expected(template, 1).ids.keys())
        for template in TEMPLATES
        if expected(template, 1).ids
    }
    best = max(known, key=lambda template: known[template], default=None)
    if best is None or known[best] < 0.5 * len(expected(best, 1).ids):
        return None
    return Recognised(best, version, "the ids in column B")


def scenario_count(book: Book) -> int:
    """Scenario columns of a returned file: those with a name or a value in a row of an id."""
    ids = ids_of(book)
    homes = Counter(title for line, (title, _) in ids.items() if line.startswith("in."))
    title, row = ids.get(SCENARIO_ROW) or (homes.most_common(1)[0][0], HEADER_ROW)
    sheet = book.by_title[title]
    rows = {at for home, at in ids.values() if home == title}
    filled = Counter(column for at, column in sheet.cells if at in rows and column > ID_COLUMN + 2)
    count = 0
    for column in range(ID_COLUMN + 3, max(filled, default=0) + 1):
        head = sheet.cells.get((row, column))
        if head and count and _is_other_heading(head, sheet.cells.get((row, ID_COLUMN + 3))):
            break
        count += filled[column] > 0
    return max(1, min(count, MAX_SCENARIOS))


def is_budget(name: str) -> bool:
    """Whether a template is one of scenarios and totals."""
    from scalesheet_workbooks.build import TEMPLATES

    return TEMPLATES[name].uses_scenarios


def _is_other_heading(head: Cell, first: Cell | None) -> bool:
    """Whether a heading is none of a scenario: it is locked where their names are not."""
    known = isinstance(head.value, str) and head.value.strip().lower() in AFTER_SCENARIOS
    return known or (head.locked and first is not None and not first.locked)


@lru_cache(maxsize=16)
def expected(name: str, scenarios: int) -> Expected:
    """A template built for so many scenarios, without values; every scenario has a note."""
    from scalesheet_workbooks.build import TEMPLATES

    study = Study(
        TITLE,
        tuple(Scenario(f"«scenario {place}»", {}, NOTE) for place in range(1, scenarios + 1)),
        OWNER,
        CURRENCY,
        DAY,
    )
    module = f"scalesheet_workbooks.templates.{name}"
    spec = importlib.import_module(module) if importlib.util.find_spec(module) else None
    return Expected(name, TEMPLATES[name].version, scenarios, _built(name, study), spec)


def _example(name: str, scenarios: int) -> Book:
    """The example of a template with so many scenarios, marked as the expected one is."""
    from scalesheet_workbooks.build import TEMPLATES
    from scalesheet_workbooks.scenarios import shipped

    if not TEMPLATES[name].uses_scenarios:
        return _built(name, Study(TITLE, ()), TEMPLATES[name].write)
    study = shipped(name)
    cases = tuple(
        replace(study.scenarios[place % len(study.scenarios)], note=NOTE)
        for place in range(scenarios)
    )
    return _built(name, replace(study, scenarios=cases, title=TITLE, as_of=DAY))


def rebuilt(of: Expected, given: "StudyInputs") -> Book:
    """A scaling study built from points, read back."""
    from scalesheet_workbooks.templates import scaling_study

    write = partial(scaling_study.write_points, given=given)
    return _built(of.name, Study(TITLE, (), "", CURRENCY), write)


def _built(name: str, study: Study, write: Write | None = None) -> Book:
    """A template as it is built from a study, read back; a scaling study with every row filled."""
    from openpyxl import Workbook

    from scalesheet_workbooks.build import TEMPLATES
    from scalesheet_workbooks.review.fullest import fullest
    from scalesheet_workbooks.templates import scaling_study

    if write is None and name == scaling_study.NAME:
        study = replace(study, owner="")  # no command gives it one
        write = partial(scaling_study.write_points, given=fullest())
    book = Workbook()
    book.remove(book.active)
    (write or TEMPLATES[name].write)(book, study)
    saved = io.BytesIO()
    book.save(saved)
    return read_bytes(saved.getvalue())


def input_record(expected_: Expected, line: str) -> Input | None:
    """The record of an input, with its limits: the template's own, else one of that id."""
    own = _records(expected_.spec)
    return own.get(line) or INPUT_BY_ID.get(line) or PROPOSAL_BY_ID.get(line)


@lru_cache(maxsize=16)
def _records(spec: ModuleType | None) -> dict[str, Input]:
    """The inputs that a template's module lists, in whatever collection."""
    found: dict[str, Input] = {}
    for value in vars(spec).values() if spec else ():
        rows = list(value.values()) if isinstance(value, Mapping) else [value]
        for row in rows:
            for one in row if isinstance(row, (tuple, list)) else (row,):
                if isinstance(one, Input):
                    found[one.id] = one
    return found


def needed_by(record: Input) -> tuple[str, ...]:
    """The pick and its options without which an input is not needed; none if it always is."""
    if record.used_by:
        return record.used_by
    from scalesheet_workbooks.sheets.inputs import USED_BY

    return USED_BY.get(record.id, ())


def marked(text: str) -> re.Pattern[str] | None:
    """What a text with marks of ours looks like in a filled file; None for a fixed text."""
    if not MARKS.search(text):
        return None
    pattern, at = "", 0
    for place, found in enumerate(MARKS.finditer(text)):
        pattern += re.escape(text[at : found.start()]) + f"(?P<m{place}_{_kind(found[0])}>.*?)"
        at = found.end()
    return re.compile(pattern + re.escape(text[at:]), re.DOTALL)


def _kind(mark: str) -> str:
    kinds = {TITLE: "title", OWNER: "owner", CURRENCY: "currency", NOTE: "note"}
    return kinds.get(mark, "date" if mark == DAY.isoformat() else "scenario")
