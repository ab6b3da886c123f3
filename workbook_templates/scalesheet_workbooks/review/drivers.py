"""What moves the total, and how far it is from another decision."""

from collections.abc import Iterator

from scalesheet.domains import Quantity
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number

STEP = 0.1
MOST = 3
LOOKED_FOR = 40


def drivers(case: Case) -> tuple[str, ...]:
    """The inputs that move the largest total most, and the gap between the two cheapest."""
    return (*_movers(case), *_gap(case))


def _movers(case: Case) -> Iterator[str]:
    totals = [
        (value, place) for place, one in enumerate(case.by_template) if (value := number(one))
    ]
    if not totals:
        return
    _, scenario = max(totals)
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
    totals = sorted(
        (value, place) for place, one in enumerate(case.by_template) if (value := number(one))
    )
    if len(totals) < 2:
        return
    (low, first), (next_, second) = totals[:2]
    yield (
        f"Cheapest by total: {case.scenario_of_total(first)} at {low:,.2f}; it stays so until it "
        f"costs {next_ / low - 1:.1%} more ({case.scenario_of_total(second)} at {next_:,.2f})"
    )
    stated = [value for one in case.stated if (value := number(one)) is not None]
    if len(stated) == len(case.stated) and stated.index(min(stated)) != first:
        yield (
            f"As stored, {case.scenario_of_total(stated.index(min(stated)))} would be cheapest: "
            "the stored totals mislead"
        )
