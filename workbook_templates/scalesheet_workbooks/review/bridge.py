"""From a previous file to this one: what each kind of change does to each total.

The order is fixed. Every bar is the difference of two calculated totals, so the bars add up to the
difference of the two files without a remainder.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from scalesheet.domains import Quantity
from scalesheet.quantities import EFFICIENCY, MONEY, REWORK
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.changes import Change, input_changes, listed, override_changes
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import CENT, Finding, finding, printable

VOLUME, EFFICIENCY_BAR, PRICE, REWORK_BAR, FIXED = (
    "volume",
    "efficiency",
    "price",
    "rework",
    "fixed",
)
ORDER = (VOLUME, EFFICIENCY_BAR, PRICE, REWORK_BAR, FIXED)
OVERRIDES = "formula overrides"
ELSEWHERE = "no cell of the template: see the findings on names, rows and columns"
FAILURE_WORDS = ("rework", "failure", "contingency", "mtbf", "checkpoint", "restart", "preempt")


@dataclass(frozen=True, slots=True)
class Bar:
    """One kind of change: its effect, and the inputs that changed, each with its own effect."""

    name: str
    amount: float | None
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bridge:
    """The total of one scenario from the previous file to this one."""

    scenario: str
    before: str
    start: float | None
    end: float | None
    bars: tuple[Bar, ...]


def kind_of(record: Input) -> str:
    """The bar that an input belongs to, by its unit and its section.

    >>> from scalesheet_workbooks.inputs import INPUT_BY_ID
    >>> [kind_of(INPUT_BY_ID[f"in.{n}"]) for n in ("gpus", "gpu_hour_price", "rework", "storage")]
    ['volume', 'price', 'rework', 'fixed']
    """
    domain = record.domain
    if domain is REWORK or any(word in record.id for word in FAILURE_WORDS):
        return REWORK_BAR
    if domain is EFFICIENCY or "efficiency" in record.section.lower():
        return EFFICIENCY_BAR
    if isinstance(domain, Quantity) and domain.unit == MONEY:
        return FIXED
    if MONEY in domain.unit or "price" in record.id:
        return PRICE
    return VOLUME


class Comparison(NamedTuple):
    """A file beside its previous one: a bridge for each scenario whose total changed, what changed
    and moves no total, and notes."""

    bridges: tuple[Bridge, ...]
    without_effect: tuple[str, ...]
    notes: tuple[str, ...]


def compared(before: Case, now: Case, name: str) -> Comparison:
    """This file beside the previous one, whose name is ``name``."""
    pairs, notes = _pairs(before, now)
    steps = _steps(before, now, pairs)
    changes = [*input_changes(before, now, pairs), *override_changes(before, now)]
    said: set[int] = set()
    found = []
    for scenario, old in pairs.items():
        start, end = number(before.recomputed[old]), number(now.recomputed[scenario])
        values = [number(values[scenario]) for values in steps]
        is_known = None not in (values[-1], number(before.by_template[old]))
        amounts = [_less(after, first) for first, after in pairwise(values)]
        amounts.append(_less(_less(end, values[-1]), _less(start, number(before.by_template[old]))))
        bars = []
        for kind, amount in zip((*ORDER, OVERRIDES), amounts, strict=True):
            mine = [
                place
                for place, one in enumerate(changes)
                if _bar_of(one) == kind and _moves(one, scenario, amount)
            ]
            said.update(mine)
            words = tuple(changes[place].alone(scenario) for place in mine)
            if kind == OVERRIDES and not words and is_known and _is_moved(amount):
                words = (ELSEWHERE,)
            bars.append(Bar(kind, amount, words))
        if any(bar.changes or _is_moved(bar.amount) for bar in bars):
            found.append(Bridge(now.scenarios[scenario], name, start, end, tuple(bars)))
    unmoving = listed(
        [one for place, one in enumerate(changes) if place not in said], now.scenarios
    )
    if not (found or unmoving or notes):
        notes = [*notes, f"compared with {printable(name)}: no input and no formula differs"]
    return Comparison(tuple(found), unmoving, tuple(notes))


def currency_findings(before: Case, now: Case) -> Iterator[Finding]:
    """Another currency than that of the previous file: no amount of the two is comparable."""
    if before.currency and now.currency and before.currency != now.currency:
        yield finding(
            "S114",
            "",
            (),
            f"the budget is in {printable(now.currency)}",
            f"{printable(before.currency)}, as in the previous file",
        )


def _bar_of(change: Change) -> str:
    if not change.is_input:
        return OVERRIDES
    return kind_of(change.record) if change.record else ""


def _moves(change: Change, scenario: int, amount: float | None) -> bool:
    """Whether a change belongs to a bar of a scenario: it moves the total alone, or it is of that
    scenario and may do so together with others."""
    if change.effects is None:
        return _is_moved(amount)
    together = change.feeds and change.scenario == scenario and _is_moved(amount)
    return scenario in change.effects or together


def _is_moved(amount: float | None) -> bool:
    return amount is None or abs(amount) > CENT


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _pairs(before: Case, now: Case) -> tuple[dict[int, int], list[str]]:
    """Scenarios of this file with those of the previous one: by name, then by place."""
    pairs: dict[int, int] = {}
    free = list(range(len(before.expected.totals)))
    for place, name in enumerate(now.scenarios):
        same_name = [old for old in free if before.scenarios[old] == name]
        if same_name:
            pairs[place] = same_name[0]
            free.remove(same_name[0])
    for place in range(len(now.scenarios)):
        if place not in pairs and place in free:
            pairs[place] = place
            free.remove(place)
    notes = [
        f"scenario renamed: {before.scenarios[old]} -> {now.scenarios[place]}"
        for place, old in pairs.items()
        if before.scenarios[old] != now.scenarios[place]
    ]
    notes += [
        f"scenario added: {now.scenarios[place]}"
        for place in range(len(now.scenarios))
        if place not in pairs
    ]
    notes += [f"scenario gone: {before.scenarios[old]}" for old in free]
    return dict(sorted(pairs.items())), notes


def _home(case: Case, line: str, scenario: int) -> Place:
    cells = case.expected.inputs[line]
    at = cells[scenario] if scenario < len(cells) else cells[0]
    return case.expected.ids[line][0], *at


def _old_value(before: Case, line: str, scenario: int) -> Value:
    return before.input_value(line, scenario) if line in before.expected.inputs else None


def _steps(before: Case, now: Case, pairs: Mapping[int, int]) -> list[list[Value]]:
    """Totals of the template with the previous inputs, then with one kind after another of now.

    What only one of the two files uses is there all the way, so that no step lacks an input; where
    it is not used it moves nothing.
    """
    session = now.pristine
    by_kind: dict[str, dict[Place, Cell | None]] = {kind: {} for kind in ORDER}
    old: dict[Place, Cell | None] = {}
    for line in now.expected.inputs:
        record = now.record(line)
        if record is None or line == SCENARIO_ROW:
            continue
        changes = by_kind[kind_of(record)]
        for scenario, previous in pairs.items():
            place = _home(now, line, scenario)
            was, value = _old_value(before, line, previous), now.input_value(line, scenario)
            used_before = line in before.expected.inputs and before.is_used(line, previous)
            old[place] = _cell(was if used_before else value)
            changes[place] = _cell(value if now.is_used(line, scenario) else was)
        for place, was, value in _beside(before, now, line):
            old[place], changes[place] = _cell(was), _cell(value)
    session.change(old)
    steps = [[session.value(place) for place in now.expected.totals]]
    for kind in ORDER:
        session.change(by_kind[kind])
        steps.append([session.value(place) for place in now.expected.totals])
    session.change({place: now.given.get(place) for place in old})
    return steps


def _cell(value: Value) -> Cell | None:
    return None if value is None else Cell(value, None, False)


def _beside(before: Case, now: Case, line: str) -> Iterator[tuple[Place, Value, Value]]:
    """What else is filled in the row of an input, such as its currency: place, before and now."""
    title, row = now.expected.ids[line]
    mine = now.expected.scenario_columns
    if line not in before.expected.ids or title not in before.expected.unlocked:
        return
    home, at = before.expected.ids[line]
    shift = before.expected.scenario_columns[-1] - mine[-1]
    for column in now.expected.unlocked[title].get(row, ()):
        if column in mine:
            continue
        there = column + (shift if column > mine[-1] else 0)
        was, value = before.given.get((home, at, there)), now.given.get((title, row, column))
        yield (title, row, column), was.value if was else None, value.value if value else None
