"""What differs from a previous file, in words, each with what it does alone to the totals."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from scalesheet.domains import SERIAL_ZERO
from scalesheet_workbooks.cell_references import Place, address
from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.layout import ID_COLUMN
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.control import is_version
from scalesheet_workbooks.review.differences import Difference, differences, plain
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import Effect, printable, same, short, shown
from scalesheet_workbooks.review.marks import CURRENCY

LABEL_COLUMN, UNIT_COLUMN = ID_COLUMN + 1, ID_COLUMN + 2
DATE_UNIT = "date"
DATE_HEADINGS = ("as of", "sign by", "day", "day of approval")
MOST_TRIED = 24
"""Cells beside the template whose effect is calculated one by one."""
MANY_LINES = 3
"""So many lines with the same change are named; more are counted."""
MOST_LISTED = 20


class Change(NamedTuple):
    """One thing that differs: ``record`` is the input that it belongs to, None for other cells.

    ``what`` says which cell beside the values it is, as the owner; ``scenario`` is that of its
    column, by place, None for what is given once. ``effects`` are by scenario, of those that it
    moves alone; None where that was not tried.
    """

    label: str
    was: str
    value: str
    what: str = ""
    record: Input | None = None
    scenario: int | None = None
    effects: Mapping[int, float | None] | None = None
    feeds: bool = True
    """Whether a total needs it at all."""
    is_input: bool = True

    @property
    def words(self) -> str:
        """The change in one line."""
        label = f"{self.label}, {self.what}" if self.what else self.label
        return f"{label}: {self.was} -> {self.value}"

    def alone(self, scenario: int) -> str:
        """The change, and what it does to a scenario where nothing else changes."""
        if self.effects is None:
            return self.words
        if scenario not in self.effects:
            return f"{self.words} (no effect alone)"
        amount = self.effects[scenario]
        return f"{self.words} ({'undetermined' if amount is None else f'alone {amount:+,.2f}'})"


# --- Inputs, and what stands beside them ----------------------------------------------------------


def input_changes(before: Case, now: Case, pairs: Mapping[int, int]) -> Iterator[Change]:
    """Every unlocked cell that differs, with the scenarios of now paired with those of before."""
    mine = now.expected.scenario_columns
    for line, (title, row) in now.expected.ids.items():
        if line == SCENARIO_ROW or is_version(line):
            continue
        record = now.record(line)
        of_inputs = [column for _, column in now.expected.inputs.get(line, ())]
        for column in now.expected.unlocked[title].get(row, ()):
            home = title, row, column
            scenario = mine.index(column) if column in of_inputs and of_inputs == mine else None
            if scenario is not None and scenario not in pairs:
                continue
            what = "" if column in of_inputs else _heading(now, home, record)
            if column in of_inputs:
                old = pairs[scenario] if scenario is not None else 0
                was = before.input_value(line, old) if line in before.expected.inputs else None
            else:
                was = _beside(before, now, line, home)
            was, value = _filled(was), _value(now, home)
            if same(was, value):
                continue
            is_day = what in DATE_HEADINGS or (not what and _unit(now, title, row) == DATE_UNIT)
            feeds = record is not None and home in now.expected.feeding_totals
            yield Change(
                _label(now, line, record),
                shown_as(was, is_day),
                shown_as(value, is_day),
                what,
                record,
                scenario,
                _by_scenario(now, now.if_input({home: was})) if feeds else {},
                feeds,
            )


def _beside(before: Case, now: Case, line: str, home: Place) -> Value:
    """What the previous file has in a cell beside the values: what is right of the scenarios moves
    with their number."""
    title, _, column = home
    if line not in before.expected.ids:
        return None
    mine, theirs = now.expected.scenario_columns, before.expected.scenario_columns
    has_scenarios = any(now.expected.ids[one][0] == title for one in now.expected.inputs)
    shift = theirs[-1] - mine[-1] if has_scenarios and column > mine[-1] else 0
    return _value(before, (*before.expected.ids[line], column + shift))


def _filled(value: Value) -> Value:
    return None if isinstance(value, str) and not value.strip() else value


def _value(case: Case, home: Place) -> Value:
    cell = case.given.get(home)
    return _filled(cell.value if cell else None)


def _by_scenario(case: Case, effects: Sequence[Effect]) -> dict[int, float | None]:
    """Effects by the place of the scenario."""
    places = {case.scenario_of_total(place): place for place in range(len(case.expected.totals))}
    return {places[one.scenario]: one.amount for one in effects}


def _label(case: Case, line: str, record: Input | None) -> str:
    """What a line is called: its own name where the file gives it one, with its section."""
    title, row = case.expected.ids[line]
    if record is None or not record.names_itself:
        return record.label if record else case.expected.label(line)
    own = _value(case, (title, row, LABEL_COLUMN))
    name = printable(own) if isinstance(own, str) else line
    return f"{record.section}, {name}" if not record.label else name


def _heading(case: Case, home: Place, record: Input | None) -> str:
    """What stands in a cell beside the values: its heading, or what the input has there."""
    title, row, column = home
    if column == LABEL_COLUMN:
        return "name"
    cells = case.expected.book.by_title[title].cells
    heads = [
        at
        for (at, there), cell in cells.items()
        if there == ID_COLUMN and at < row and cell.value in ("Id", SCENARIO_ROW)
    ]
    cell = cells.get((max(heads), column)) if heads else None
    head = cell.value.lower() if cell and isinstance(cell.value, str) else ""
    return record.beside if record and record.beside and record.beside in head else head


def _unit(case: Case, title: str, row: int) -> Value:
    cell = case.expected.book.cell(title, row, UNIT_COLUMN)
    return cell.value if cell else None


def shown_as(value: Value, is_day: bool) -> str:
    """A value in words; dates as dates.

    >>> shown_as(46419.0, True), shown_as(46419.0, False), shown_as("soon", True)
    ('2027-02-01', '46,419', '"soon"')
    """
    serial = number(value)
    if not is_day or serial is None or serial != int(serial):
        return shown(value)
    try:
        return (SERIAL_ZERO + timedelta(int(serial))).isoformat()
    except OverflowError:
        return shown(value)


# --- Formulas, constants and words of the template ------------------------------------------------


def override_changes(before: Case, now: Case) -> Iterator[Change]:
    """Cells of the template that differ from it in one of the files, and not alike in both."""
    mine, theirs = ({one.home: one for one in differences(case)} for case in (now, before))
    homes = [
        home
        for home in dict.fromkeys((*mine, *theirs))
        if _content(now, home, mine) != _content(before, home, theirs)
        and now.alignment.place(*home)
    ]
    for home in homes:
        place = now.alignment.place(*home)
        assert place is not None
        was = _restored(now, home, theirs)
        effects = None
        if len(homes) <= MOST_TRIED and was is not None:
            restored = now.restored({place: was})
            masked = dict.fromkeys(now.masked_by_others([place], restored))
            effects = {**masked, **_by_scenario(now, restored)}
        label = f"{place[0]}!{address(*place[1:])} {now.label_of(place)}".strip()
        yield Change(
            printable(label),
            _content(before, home, theirs),
            _content(now, home, mine),
            effects=effects,
            is_input=False,
        )


def _content(case: Case, home: Place, differing: Mapping[Place, Difference]) -> str:
    """What a file has in a cell of the template."""
    if home in differing:
        cell = differing[home].theirs
    else:
        cell = case.expected.book.cell(*home)
        if cell is not None and cell.formula is not None:
            formula = plain(cell.formula, home[0]).replace(CURRENCY, case.currency)
            return f"={short(formula)}"
    if cell is None:
        return shown(None)
    return f"={short(cell.formula)}" if cell.formula is not None else shown(cell.value)


def _restored(now: Case, home: Place, theirs: Mapping[Place, Difference]) -> Cell | None:
    """The cell of the previous file as it can stand in this one, None where it cannot."""
    if home in theirs:
        cell = theirs[home].theirs or Cell(None)
        return cell if cell.formula is None or now.alignment.is_straight else None
    ours = now.expected.book.cell(*home)
    if ours is None or ours.formula is None:
        return ours
    return Cell(None, now.alignment.there(home[0], ours.formula).replace(CURRENCY, now.currency))


# --- What moves nothing ---------------------------------------------------------------------------


def listed(changes: Sequence[Change], scenarios: Sequence[str]) -> tuple[str, ...]:
    """Changes said once: alike in several scenarios or lines they stand together."""
    places: dict[tuple[str, str, str, str], list[int]] = defaultdict(list)
    once: set[tuple[str, str, str, str]] = set()
    for one in changes:
        key = one.what, one.was, one.value, one.label
        if one.scenario is None:
            once.add(key)
        places[key] += [] if one.scenario is None else [one.scenario]
    lines: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for key in places:
        lines[key[:3]].append(key[3])
    found: list[str] = []
    for (what, was, value), labels in lines.items():
        if what and len(labels) > MANY_LINES:
            found.append(f"{len(labels)} lines, {what}: {was} -> {value}")
            continue
        for label in labels:
            words = Change(label, was, value, what).words
            at = places[what, was, value, label]
            if len(at) < len(scenarios) and at:
                words += f" (in {', '.join(scenarios[place] for place in at)})"
            found.append(words)
    rest = len(found) - MOST_LISTED
    return (*found[:MOST_LISTED], f"and {rest} more") if rest > 0 else tuple(found)
