"""From a previous file to this one: what each kind of change does to each total.

The order is fixed. Every bar is the difference of two calculated totals, so the bars add up to the
difference of the two files without a remainder.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scalesheet.domains import Quantity
from scalesheet.quantities import EFFICIENCY, MONEY, REWORK
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import CENT, same, shown

VOLUME, EFFICIENCY_BAR, PRICE, REWORK_BAR, FIXED = (
    "volume",
    "efficiency",
    "price",
    "rework",
    "fixed",
)
ORDER = (VOLUME, EFFICIENCY_BAR, PRICE, REWORK_BAR, FIXED)
OVERRIDES = "formula overrides"
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


def bridges(before: Case, now: Case, name: str) -> tuple[tuple[Bridge, ...], tuple[str, ...]]:
    """A bridge for each scenario whose total changed, and notes on scenarios added or gone."""
    pairs, notes = _pairs(before, now)
    steps = _steps(before, now, pairs)
    found = []
    for scenario, old in pairs.items():
        start, end = number(before.recomputed[old]), number(now.recomputed[scenario])
        values = [number(values[scenario]) for values in steps]
        overrides = _less(_less(end, values[-1]), _less(start, number(before.by_template[old])))
        bars = [
            Bar(kind, _less(after, first), _changes(before, now, old, scenario, kind))
            for kind, first, after in zip(ORDER, values[:-1], values[1:], strict=True)
        ]
        bars.append(Bar(OVERRIDES, overrides))
        moved = any(bar.changes or bar.amount is None or abs(bar.amount) > CENT for bar in bars)
        if moved:
            found.append(Bridge(now.scenarios[scenario], name, start, end, tuple(bars)))
    return tuple(found), tuple(notes)


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


def _changes(before: Case, now: Case, old: int, scenario: int, kind: str) -> tuple[str, ...]:
    """The inputs of a kind that changed, each with what it does alone to the total of now."""
    found = []
    for line in now.expected.inputs:
        record = now.record(line)
        if record is None or line == SCENARIO_ROW or kind_of(record) != kind:
            continue
        was, value = _old_value(before, line, old), now.input_value(line, scenario)
        if same(was, value) or (was in (None, "") and value in (None, "")):
            continue
        effects = now.if_input({_home(now, line, scenario): was})
        mine = [one for one in effects if one.scenario == now.scenarios[scenario]]
        alone = "no effect alone"
        if mine:
            alone = "undetermined" if mine[0].amount is None else f"alone {mine[0].amount:+,.2f}"
        found.append(f"{record.label}: {shown(was)} -> {shown(value)} ({alone})")
    return tuple(found)


def total_of(bars: Sequence[Bar]) -> float | None:
    """The sum of the bars."""
    amounts = [bar.amount for bar in bars]
    return None if None in amounts else sum(amount for amount in amounts if amount is not None)
