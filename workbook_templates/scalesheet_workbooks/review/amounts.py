"""Amounts that do not fit those beside them: in a row, against the total, under no name."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from statistics import median

from scalesheet.domains import Quantity
from scalesheet.quantities import MONEY
from scalesheet_workbooks.review.beside import LABEL_COLUMN
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.doubts import Doubt, given_number, used_number
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.rules import HIGH, MEDIUM

FAR, FEW = 300, 2
"""An amount so many times that of each of so many other scenarios, or so small a part of it, has
another unit; with fewer to compare nothing is told."""
MOST_CREDITS = 0.5
"""Of a total before credits."""
CREDITS, OTHER = "in.credits", "in.other_"
WORK = frozenset({"in.parameters", "in.tokens", "in.stored_amount", "in.moved_gb"})
"""Amounts that are no money, and of one size in all scenarios of a proposal."""


def amount_doubts(case: Case, scenario: int, doubted: Collection[str]) -> Iterator[Doubt]:
    """Amounts of a scenario far from those of the others, where they are not ``doubted`` already,
    costs without a name, and credits that eat the total."""
    for line, cells in case.expected.inputs.items():
        record = case.record(line)
        if record is None or not isinstance(record.domain, Quantity) or len(cells) < 2:
            continue
        value = used_number(case, line, scenario)
        if not value or line in doubted or not (record.domain.unit == MONEY or line in WORK):
            continue
        place = case.input_place(line, scenario)
        cell = case.book.cell(*place) if place else None
        if cell is None or cell.formula is not None:
            continue  # a finding on the formula says so
        others = [
            other
            for place in range(len(cells))
            if place != scenario
            and (other := given_number(case, line, place))
            and other / value > 0
        ]
        if len(others) >= FEW and not any(1 / FAR < value / other < FAR for other in others):
            usual = median(others)
            yield Doubt(
                "I215",
                line,
                scenario,
                shown(value),
                f"about {shown(usual)}, as in the other scenarios",
                ((line, usual),),
            )
        elif _is_unnamed(case, line):
            yield Doubt(
                "I234",
                line,
                scenario,
                f"{value:,.2f} for {shown(case.expected.label(line))}",
                "what the money is for",
                ((line, 0.0),),
                most=MEDIUM,
            )
    yield from _credits(case, scenario)


def _is_unnamed(case: Case, line: str) -> bool:
    """Whether a cost that is to be named still has the name that the template gives it."""
    if not line.startswith(OTHER):
        return False
    cell = case.given.get((*case.expected.ids[line], LABEL_COLUMN))
    text = cell.value.strip() if cell and isinstance(cell.value, str) else ""
    return cell is not None and text in ("", case.expected.label(line))


def _credits(case: Case, scenario: int) -> Iterator[Doubt]:
    given = given_number(case, CREDITS, scenario)
    total = number(case.by_template[scenario]) if given else None
    if given is None or total is None or -given <= MOST_CREDITS * (total - given):
        return
    yield Doubt(
        "I217",
        CREDITS,
        scenario,
        f"{given:,.2f}, which leaves {total:,.2f}",
        f"at most {MOST_CREDITS:.0%} of the total before credits",
        ((CREDITS, 0.0),),
        most=MEDIUM if total > 0 else HIGH,
    )


def same_scenarios(case: Case) -> Iterator[Finding]:
    """Scenarios that are given the same but for the name: one was copied over another."""
    if SCENARIO_ROW not in case.expected.inputs:
        return
    alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
    lines = [line for line in case.expected.inputs if line != SCENARIO_ROW]
    for scenario in range(case.expected.scenarios):
        values = tuple(case.input_value(line, scenario) for line in lines)
        if any(value not in (None, "") for value in values):
            alike[values].append(scenario)
    for first, *again in alike.values():
        places = [place for one in again if (place := case.input_place(SCENARIO_ROW, one))]
        if places:
            yield finding(
                "I216",
                places[0][0],
                addresses(places),
                f"{case.scenarios[again[0]]}: every input is that of {case.scenarios[first]}",
                "scenarios that differ",
                line=SCENARIO_ROW,
            )
