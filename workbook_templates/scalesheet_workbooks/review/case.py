"""A returned file with all that the rules ask of it: aligned, calculated, beside its template."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, address
from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.alignment import Alignment, align
from scalesheet_workbooks.review.contents import calculates_as, only, with_inputs
from scalesheet_workbooks.review.engine import Session, names_of
from scalesheet_workbooks.review.expected import SCENARIO_ROW, Expected
from scalesheet_workbooks.review.findings import CENT, MATERIALITY, Effect, printable, same
from scalesheet_workbooks.review.flow import Flow, Upstream
from scalesheet_workbooks.review.marks import CURRENCY, MARKS
from scalesheet_workbooks.review.template import (
    Recognised,
    expected,
    input_record,
    is_budget,
    scenario_count,
)
from scalesheet_workbooks.study import Scenario


class Case:
    """One file under review."""

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
        return Session(self.book, self.names)

    @cached_property
    def flow(self) -> Flow:
        """Which cell of the file needs which."""
        return Flow(self.book, self.names)

    @cached_property
    def pristine(self) -> Session:
        """The template with the inputs of the file; the file itself where it is just that."""
        names = self.expected.range_names
        if names == self.names and calculates_as(self.book, self._filled, self.session.spelled):
            return self.session
        return Session(self._filled, names)

    @cached_property
    def _filled(self) -> Book:
        return with_inputs(self.expected.book, self.given | self._said)

    @cached_property
    def _of_totals(self) -> Session:
        """Of the template with the inputs of the file, only what its totals need: to try values."""
        needed = self.expected.feeding_totals
        session = Session(only(self._filled, needed), self.expected.range_names)
        same_totals = all(
            same(session.value(place), self.pristine.value(place)) for place in self.expected.totals
        )
        return session if same_totals else self.pristine

    @cached_property
    def _said(self) -> dict[Place, Cell]:
        """What the file says where the template has marks: its currency, title, names."""
        found: dict[Place, Cell] = {}
        for sheet in self.expected.book.sheets:
            for (row, column), cell in sheet.cells.items():
                if cell.formula is not None and CURRENCY in cell.formula:
                    text = cell.formula.replace(CURRENCY, self.currency)
                    found[sheet.title, row, column] = replace(cell, formula=text)
                elif isinstance(cell.value, str) and cell.locked and MARKS.search(cell.value):
                    place = self.alignment.place(sheet.title, row, column)
                    other = self.book.cell(*place) if place else None
                    if other is not None and other.formula is None:
                        found[sheet.title, row, column] = replace(cell, value=other.value)
        return found | self._written

    @cached_property
    def _written(self) -> dict[Place, Cell]:
        """What the program wrote into the file when it was built, where no formula took its
        place."""
        found: dict[Place, Cell] = {}
        for home in self.expected.written:
            place = self.alignment.place(*home)
            other = self.book.cell(*place) if place else None
            if other is None or other.formula is None:
                found[home] = Cell(other.value if other else None, None, True)
        return found

    # --- Inputs ------------------------------------------------------------------------------

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
        shipped_ = {one.name: one for one in _shipped(self.expected.name)}
        return frozenset(
            place
            for place in range(self.expected.scenarios)
            if (one := shipped_.get(self.scenarios[place]))
            and all(
                same(self.input_value(line, place), value)
                for line, value in one.values.items()
                if line in self.expected.inputs
                and isinstance(value, (int, float, str))
                and self.is_used(line, place)
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
        return self.input_value(pick[0], scenario) in pick[1:]

    # --- Totals ------------------------------------------------------------------------------

    @cached_property
    def total_places(self) -> tuple[Place | None, ...]:
        """Where the totals stand in the file."""
        return tuple(self.alignment.place(*place) for place in self.expected.totals)

    @cached_property
    def stated(self) -> tuple[Value, ...]:
        """The totals as the file stores them."""
        return tuple(
            cell.value if place and (cell := self.book.cell(*place)) else None
            for place in self.total_places
        )

    @cached_property
    def recomputed(self) -> tuple[Value, ...]:
        """The totals that the file's formulas give."""
        return tuple(self.session.value(place) if place else None for place in self.total_places)

    @cached_property
    def by_template(self) -> tuple[Value, ...]:
        """The totals that the template gives for the file's inputs."""
        return tuple(self.pristine.value(place) for place in self.expected.totals)

    def output(self, name: str, scenario: int) -> float | None:
        """What the template gives for a named output in a scenario."""
        line = self.expected.named_outputs.get(name)
        if not line:
            return None
        title, row = self.expected.ids[line]
        return number(self.pristine.value((title, row, self.expected.column_of(scenario))))

    @cached_property
    def currency(self) -> str:
        """The currency that the file names most often, or an empty text."""
        from collections import Counter

        from scalesheet_workbooks.review.structure import named_currencies

        counts = Counter(named_currencies(self).values())
        return counts.most_common(1)[0][0] if counts else ""

    def scenario_of_total(self, place: int) -> str:
        """The scenario of a total."""
        return self.scenarios[place] if place < len(self.scenarios) else f"total {place + 1}"

    def restored(self, cells: Mapping[Place, Cell | None]) -> list[Effect]:
        """What some cells of the file do to its totals: now, less what restoring them gives."""
        now = {place: self.book.cell(*place) for place in cells}
        places = [place for place in self.total_places if place]
        after = self.session.with_changes(cells, now, places)
        return self._effects(self.recomputed, after)

    def undetermined_by(self, places: Sequence[Place]) -> list[Effect]:
        """The totals that some cells in error leave undetermined."""
        if not any(isinstance(self.session.value(place), CellError) for place in places):
            return []
        below = self.flow.downstream(places)
        return [
            Effect(self.scenario_of_total(number_), None, None)
            for number_, place in enumerate(self.total_places)
            if place in below and number(self.recomputed[number_]) is None
        ]

    def if_input(self, changes: Mapping[Place, Value]) -> list[Effect]:
        """What inputs do to the template's totals: now, less what other values give."""
        cells = {place: Cell(value, None, False) for place, value in changes.items()}
        now = {place: self.given.get(place) for place in changes}
        after = self._of_totals.with_changes(cells, now, self.expected.totals)
        return self._effects(self.by_template, after)

    def _effects(self, now: Sequence[Value], after: Sequence[Value]) -> list[Effect]:
        found = []
        for place, (one, other) in enumerate(zip(now, after, strict=False)):
            name = self.scenario_of_total(place)
            base = number(other) if number(other) is not None else number(one)
            if number(one) is not None and number(other) is not None:
                amount = number(one) - number(other)  # type: ignore[operator]
                if abs(amount) > CENT and not same(one, other):
                    found.append(Effect(name, amount, base))
            elif number(one) is None and number(other) is not None:
                found.append(Effect(name, None, base))
        return found

    # --- What needs what ---------------------------------------------------------------------

    @cached_property
    def feeding_totals(self) -> Upstream:
        """The cells that the totals need, in the file."""
        return self.flow.upstream(place for place in self.total_places if place)

    def flow_of_template(self, places: Sequence[Place]) -> set[Place]:
        """The cells of the file that would need some cells if its formulas were the template's."""
        home = [
            (sheet.title, sheet.rows_back[row], sheet.columns_back[column])
            for title, row, column in places
            if (sheet := self.alignment.back.get(title))
            and row in sheet.rows_back
            and column in sheet.columns_back
        ]
        needing = self.template_flow.downstream(home) | set(home)
        return set(self.places_of(needing))

    def places_of(self, homes: Iterable[Place]) -> list[Place]:
        """Where cells of the template stand in the file, those that are there."""
        return [place for one in homes if (place := self.alignment.place(*one))]

    @cached_property
    def template_flow(self) -> Flow:
        """Which cell of the template needs which."""
        return self.expected.flow

    def with_names(self, names: Mapping[str, str]) -> list[Effect]:
        """What the file's names do to its totals: now, less what other names give."""
        other = Session(self.book, names)
        after = [other.value(place) if place else None for place in self.total_places]
        return self._effects(self.recomputed, after)

    @cached_property
    def check_places(self) -> dict[str, Place]:
        """Where the results of the checks stand in the file, by id."""
        found = {}
        for line, (title, row) in self.expected.ids.items():
            if line.startswith("chk."):
                column = max(c for (r, c) in self.expected.book.by_title[title].cells if r == row)
                place = self.alignment.place(title, row, column)
                if place:
                    found[line] = place
        return found

    def fails_for_inputs(self, check: str) -> bool:
        """Whether a check fails in the template as well, for the inputs of the file."""
        title, row = self.expected.ids[check]
        column = max(c for (r, c) in self.expected.book.by_title[title].cells if r == row)
        return self.pristine.value((title, row, column)) != 0

    @cached_property
    def differing(self) -> set[Place]:
        """Cells of the file that show something else than the template does with its inputs."""
        found = set()
        for sheet in self.expected.book.sheets:
            for (row, column), cell in sheet.cells.items():
                if cell.formula is None:
                    continue
                place = self.alignment.place(sheet.title, row, column)
                if place and not same(
                    self.session.value(place), self.pristine.value((sheet.title, row, column))
                ):
                    found.add(place)
        return found

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

    def record(self, line: str) -> Input | None:
        """The record of an input."""
        return input_record(self.expected, line)


@lru_cache(maxsize=8)
def _shipped(name: str) -> tuple[Scenario, ...]:
    """The scenarios of the example of a template."""
    from scalesheet_workbooks.scenarios import shipped

    return shipped(name).scenarios


def number(value: object) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def addresses(places: Iterable[Place]) -> list[str]:
    """Addresses in reading order."""
    return [address(row, column) for _, row, column in sorted(places)]
