"""What a returned file says: its lines by id, its inputs and its scenarios."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import cached_property

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.alignment import Alignment, align
from scalesheet_workbooks.review.engine import Session
from scalesheet_workbooks.review.expected import SCENARIO_ROW, Expected
from scalesheet_workbooks.review.findings import MATERIALITY, printable, same
from scalesheet_workbooks.review.marks import CURRENCY, marked_text
from scalesheet_workbooks.review.spelling import names_of
from scalesheet_workbooks.review.template import (
    Recognised,
    expected,
    input_record,
    is_budget,
    scenario_count,
)


class Given:
    """A returned file beside its template: its lines, and what they are given."""

    def __init__(
        self, book: Book, recognised: Recognised, materiality: float = MATERIALITY
    ) -> None:
        self.book = book
        self.recognised = recognised
        self.materiality = materiality
        count = scenario_count(book) if is_budget(recognised.name) else 1
        self.expected: Expected = expected(recognised.name, count)
        self.alignment: Alignment = align(self.expected, book)
        self.names = names_of(book)

    @cached_property
    def session(self) -> Session:
        """The file's own formulas, calculated."""
        return Session(self.book, self.names, self._unread)

    @property
    def _unread(self) -> Container[Place]:
        """Cells that no formula reads, where that is known: every formula is one of the template's
        and so reads the same cells, wherever it stands on its sheet."""
        if self.names != self.expected.range_names:
            return ()
        new = self.book.formulas - self.expected.book.formulas
        with_currency = {
            (title, formula.replace(CURRENCY, self.currency))
            for title, formula in self.expected.book.formulas
            if new and CURRENCY in formula
        }
        return self.expected.unread if new <= with_currency else ()

    @cached_property
    def given(self) -> dict[Place, Cell]:
        """The contents of the template's input cells, by their place in the template."""
        found: dict[Place, Cell] = {}
        for title, rows in self.expected.unlocked.items():
            for row, columns in rows.items():
                for column in columns:
                    place = self.alignment.place(title, row, column)
                    cell = self.book.cell(*place) if place else None
                    if cell is None or place is None:
                        continue
                    value = self.session.value(place) if cell.is_formula else cell.value
                    found[title, row, column] = Cell(value, None, False)
        return found

    def input_value(self, line: str, scenario: int) -> Value:
        """What an input of a scenario holds."""
        cells = self.expected.inputs[line]
        title = self.expected.ids[line][0]
        at = cells[scenario] if scenario < len(cells) else cells[0]
        cell = self.given.get((title, *at))
        return cell.value if cell else None

    def input_place(self, line: str, scenario: int) -> Place | None:
        """Where an input of a scenario stands in the file."""
        cells = self.expected.inputs[line]
        at = cells[scenario] if scenario < len(cells) else cells[0]
        return self.alignment.place(self.expected.ids[line][0], *at)

    @cached_property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the scenarios, numbered where they have none."""
        if SCENARIO_ROW not in self.expected.inputs:
            return ("",)
        count = self.expected.scenarios
        names = [self.input_value(SCENARIO_ROW, place) for place in range(count)]
        return tuple(
            printable(name.strip())
            if isinstance(name, str) and name.strip()
            else f"Scenario {place}"
            for place, name in enumerate(names, 1)
        )

    @cached_property
    def examples(self) -> frozenset[int]:
        """Scenarios whose values are all those of the example that comes with the package."""
        if SCENARIO_ROW not in self.expected.inputs:
            return frozenset({0}) if self._is_example else frozenset()
        return frozenset(
            place
            for place in range(self.expected.scenarios)
            if (theirs := self.expected.shipped.get(self.scenarios[place])) is not None
            and all(
                same(self.input_value(line, place), value)
                for line, value in theirs.items()
                if line in self.expected.inputs and self.is_used(line, place)
            )
        )

    @cached_property
    def _is_example(self) -> bool:
        """Whether every value is that of the example, in a template without scenarios."""
        return all(
            same(
                cell.value if (cell := self.given.get((title, row, column))) else None,
                self.expected.example.get((title, row, column)),
            )
            for title, rows in self.expected.unlocked.items()
            for row, columns in rows.items()
            for column in columns
        )

    def is_used(self, line: str, scenario: int) -> bool:
        """Whether what a scenario gives there counts, by the picks that it makes."""
        record = self.record(line)
        pick = record.used_by if record else ()
        if not pick or pick[0] not in self.expected.inputs:
            return True
        return self.picks(pick[0], scenario, pick[1:])

    def picks(self, line: str, scenario: int, options: Sequence[str]) -> bool:
        """Whether a scenario picks one of some options, in whatever case."""
        value = self.input_value(line, scenario)
        return isinstance(value, str) and value.strip().lower() in map(str.lower, options)

    @cached_property
    def currencies(self) -> dict[Place, str]:
        """Cells of the file that name a currency, where the template has it."""
        named: dict[Place, str] = {}
        for home, cell in self.expected.marked.items():
            if not isinstance(cell.value, str) or not cell.locked or CURRENCY not in cell.value:
                continue
            place = self.alignment.place(*home)
            other = self.book.cell(*place) if place else None
            if place and other and isinstance(other.value, str):
                groups = marked_text(cell.value, " ".join(other.value.split())) or {}
                for key, value in groups.items():
                    if key.endswith("currency"):
                        named[place] = value
        return named

    @cached_property
    def currency(self) -> str:
        """The currency that the file names most often, or an empty text."""
        counts = Counter(self.currencies.values())
        return counts.most_common(1)[0][0] if counts else ""

    def line_of(self, place: Place) -> str:
        """The id of the row of a cell of the file, or an empty text."""
        home = self.alignment.back.get(place[0])
        if home is None or place[1] not in home.rows_back:
            return ""
        return self.expected.line_at.get((home.title, home.rows_back[place[1]]), "")

    def label_of(self, place: Place) -> str:
        """The label of the row of a cell."""
        line = self.line_of(place)
        return self.expected.label(line) if line else ""

    def scenario_of(self, place: Place) -> str:
        """The scenario in whose column a cell stands, or an empty text."""
        home = self.alignment.back.get(place[0])
        line = self.line_of(place)
        if home is None or not line or line.startswith(("chk.", "fab.")):
            return ""
        column = home.columns_back.get(place[2])
        columns = self.expected.scenario_columns
        return self.scenarios[columns.index(column)] if column in columns else ""

    def places_of(self, homes: Iterable[Place]) -> list[Place]:
        """Where cells of the template stand in the file, those that are there."""
        return [place for one in homes if (place := self.alignment.place(*one))]

    def record(self, line: str) -> Input | None:
        """The record of an input."""
        return input_record(self.expected, line)
