"""What moves the total, and how far it is from another decision."""

from collections.abc import Iterator

from scalesheet.domains import Quantity
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.remarks import proposed, same_work

STEP = 0.1
MOST = 3


def drivers(case: Case) -> tuple[str, ...]:
    """The inputs that move a total most, and the gap between the two cheapest: the total that is
    proposed, else the largest."""
    return (*_movers(case), *_gap(case))


def _movers(case: Case) -> Iterator[str]:
    totals = [
        (value, place) for place, one in enumerate(case.by_template) if (value := number(one))
    ]
    if not totals:
        return
    chosen = proposed(case)
    scenario = chosen if chosen is not None else max(totals)[1]
    name = case.scenario_of_total(scenario)
    moved: list[tuple[float, str]] = []
    for line, cells in case.expected.inputs.items():
        record = case.record(line)
        value = number(case.input_value(line, scenario))
        if record is None or not isinstance(record.domain, Quantity) or not value:
            continue
        if len(cells) == 1 or not case.is_used(line, scenario):
            continue
        changed = value * (1 + STEP)
        if not record.domain.admits(changed) or record.domain.whole:
            changed = float(round(changed)) if record.domain.whole else value * (1 - STEP)
        if not record.domain.admits(changed) or changed == value:
            continue
        effect = _alone(case, line, scenario, changed)
        if effect is not None:
            share = effect / (changed / value - 1) * STEP
            moved.append((share, record.label))
    moved.sort(key=lambda one: -abs(one[0]))
    for amount, label in moved[:MOST]:
        yield f"{label} 10 % up: {amount:+,.2f} in the total of {name}"


def _alone(case: Case, line: str, scenario: int, value: Value) -> float | None:
    """How the total of a scenario changes when one input does."""
    at = case.expected.inputs[line][scenario]
    place: Place = case.expected.ids[line][0], *at
    effects = case.if_input({place: value})
    mine = [one for one in effects if one.scenario == case.scenario_of_total(scenario)]
    return -mine[0].amount if mine and mine[0].amount is not None else None


def _gap(case: Case) -> Iterator[str]:
    """The two cheapest scenarios of the same work; other work is no alternative."""
    alike = same_work(case)
    totals = sorted((value, at) for at in alike if (value := number(case.by_template[at])))
    if len(totals) < 2:
        if len(case.by_template) > 1:
            yield "No two scenarios do the same work: their totals are no alternatives"
        return
    (low, first), (next_, second) = totals[:2]
    yield (
        f"Cheapest for the same work: {case.scenario_of_total(first)} at {low:,.2f}; it stays so "
        f"until it costs {next_ / low - 1:.1%} more ({case.scenario_of_total(second)} at "
        f"{next_:,.2f})"
    )
    stated = {at: value for at in alike if (value := number(case.stated[at])) is not None}
    shown = min(stated, key=lambda at: stated[at], default=first)
    if len(stated) == len(alike) and shown != first:
        yield (
            f"As stored, {case.scenario_of_total(shown)} would be cheapest: "
            "the stored totals mislead"
        )
