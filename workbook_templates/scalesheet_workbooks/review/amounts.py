"""Amounts that do not fit those beside them: in a row, against the total, in the table of rates."""

from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from scalesheet.domains import Quantity
from scalesheet.quantities import MONEY
from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.doubts import Doubt, given_number
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import Finding, by_money, finding, shown, with_effects
from scalesheet_workbooks.review.rules import HIGH, MEDIUM

FAR, FEW = 300, 2
"""An amount so many times that of each of so many other scenarios, or so small a part of it, has
another unit; with fewer to compare nothing is told."""
MOST_CREDITS = 0.5
"""Of a total before credits."""
CREDITS, CURRENCIES = "in.credits", "lst_currencies"


def amount_doubts(case: Case, scenario: int) -> Iterator[Doubt]:
    """Amounts of a scenario far from those of the others, and credits that eat the total."""
    for line, cells in case.expected.inputs.items():
        record = case.record(line)
        if record is None or not isinstance(record.domain, Quantity) or len(cells) < 2:
            continue
        value = given_number(case, line, scenario)
        if record.domain.unit != MONEY or not value or not case.is_used(line, scenario):
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
                f"{value:,.2f}",
                f"about {usual:,.2f}, as in the other scenarios",
                ((line, usual),),
            )
    yield from _credits(case, scenario)


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


def amount_findings(case: Case) -> list[Finding]:
    """A currency that has two rates, and scenarios that are the same."""
    return [*_double_rates(case), *_same_scenarios(case)]


def _double_rates(case: Case) -> Iterator[Finding]:
    """A currency that stands twice in the table of rates: formulas take the mean of its rates."""
    name = case.expected.book.names.get(CURRENCIES)
    rows: dict[str, list[Place]] = defaultdict(list)
    for title, top, left, bottom, right in areas(name.text, "") if name else ():
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                home = title, row, column
                place = case.alignment.place(*home)
                value = case.session.value(place) if place else None
                if isinstance(value, str) and value.strip():
                    rows[value.strip().upper()].append(home)
    for currency, (_, *again) in rows.items():
        mine = [home for home in again if home in case.given]
        if not mine:
            continue
        effects = case.if_input(dict.fromkeys(mine))
        places = case.places_of(mine)
        found = finding(
            "I214",
            places[0][0],
            addresses(places),
            f"{shown(currency)} a second time: formulas take the mean of its rates",
            "one rate for each currency",
        )
        yield with_effects(found, effects, by_money(effects, case.materiality, MEDIUM))


def _same_scenarios(case: Case) -> Iterator[Finding]:
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
