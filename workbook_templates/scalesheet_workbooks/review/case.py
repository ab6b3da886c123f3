"""A returned file with all that the rules ask of it: aligned, calculated, beside its template."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, address
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.contents import calculates_as, only, with_inputs
from scalesheet_workbooks.review.engine import Session
from scalesheet_workbooks.review.findings import CENT, Effect, same
from scalesheet_workbooks.review.flow import Flow, Upstream
from scalesheet_workbooks.review.given import Given
from scalesheet_workbooks.review.marks import CURRENCY


class Case(Given):
    """One file under review: calculated, beside its template with the same inputs."""

    @cached_property
    def flow(self) -> Flow:
        """Which cell of the file needs which."""
        return self.expected.flow if self.is_template else Flow(self.book, self.names)

    @cached_property
    def is_template(self) -> bool:
        """Whether the file is its template with inputs: every formula as it is there, in place."""
        return self.pristine is self.session and self.alignment.is_straight

    @cached_property
    def pristine(self) -> Session:
        """The template with the inputs of the file; the file itself where it is just that."""
        names, alignment = self.expected.range_names, self.alignment
        unlike = {
            title: [*sheet.unlike, *self.expected.book.by_title[title].unlocked_blanks]
            for title, sheet in alignment.sheets.items()
        }
        is_template = names == self.names and alignment.is_straight
        if is_template and calculates_as(self.book, self._filled, self.session.spelled, unlike):
            return self.session
        return Session(self._filled, names, self.expected.unread)

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
        for home, cell in self.expected.marked.items():
            if cell.formula is not None:
                text = cell.formula.replace(CURRENCY, self.currency)
                found[home] = replace(cell, formula=text)
            elif cell.locked:
                place = self.alignment.place(*home)
                other = self.book.cell(*place) if place else None
                if other is not None and other.formula is None:
                    found[home] = replace(cell, value=other.value)
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

    def scenario_of_total(self, place: int) -> str:
        """The scenario of a total."""
        return self.scenarios[place] if place < len(self.scenarios) else f"total {place + 1}"

    def restored(self, cells: Mapping[Place, Cell | None]) -> list[Effect]:
        """What some cells of the file do to its totals: now, less what restoring them gives."""
        now = {place: self.book.cell(*place) for place in cells}
        places = [place for place in self.total_places if place]
        after = self.session.with_changes(cells, now, places)
        return [*self._effects(self.recomputed, after), *self._alone(now, after)]

    def _alone(self, cells: Mapping[Place, Cell | None], after: Sequence[Value]) -> list[Effect]:
        """The same where a total cannot be calculated for another reason: what the cells alone do
        to the template's total."""
        masked = [
            at
            for at, (one, other) in enumerate(zip(self.recomputed, after, strict=False))
            if number(one) is None and number(other) is None
        ]
        if not masked or self.is_template:
            return []
        own: dict[Place, Cell | None] = {}
        for place, cell in cells.items():
            home = self.alignment.home(place)
            if home is None:
                return []
            if cell is not None and cell.formula is not None:
                cell = replace(cell, formula=self.alignment.here(place[0], cell.formula))
            own[home] = cell
        ours = {home: self._filled.cell(*home) for home in own}
        given = self.pristine.with_changes(own, ours, self.expected.totals)
        return [
            Effect(self.scenario_of_total(at), amount - base, base)
            for at in masked
            if (amount := number(given[at])) is not None
            and (base := number(self.by_template[at])) is not None
            and abs(amount - base) > CENT
        ]

    def masked_by_others(self, places: Iterable[Place], effects: Sequence[Effect]) -> list[int]:
        """The totals that need some cells, cannot be calculated, and are none of the ``effects``:
        what the cells do to them cannot be told either."""
        lost = [
            (at, total)
            for at, total in enumerate(self.total_places)
            if total and number(self.recomputed[at]) is None
        ]
        if not lost:
            return []
        here = set(places)
        below = self.flow.downstream(here) | self.flow_of_template(here) | here
        told = {effect.scenario for effect in effects}
        return [
            at for at, total in lost if total in below and self.scenario_of_total(at) not in told
        ]

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
        if self.is_template:
            return self.expected.feeding_totals
        return self.flow.upstream(place for place in self.total_places if place)

    def flow_of_template(self, places: Iterable[Place]) -> set[Place]:
        """The cells of the file that would need some cells if its formulas were the template's."""
        home = [at for place in places if (at := self.alignment.home(place))]
        needing = self.template_flow.downstream(home) | set(home)
        return set(self.places_of(needing))

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
        if self.is_template:
            return set()
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


def number(value: object) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def addresses(places: Iterable[Place]) -> list[str]:
    """Addresses in reading order."""
    return [address(row, column) for _, row, column in sorted(places)]
