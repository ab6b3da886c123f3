"""Inputs that contradict each other, and currencies, tags and rates that they rest on."""

from collections.abc import Iterator
from typing import NamedTuple

from scalesheet_workbooks.cell_references import address
from scalesheet_workbooks.proposal_ranges_rows import SPREADS
from scalesheet_workbooks.proposal_words import CURRENCY, POINTS, TAGS
from scalesheet_workbooks.review.about_inputs import input_finding, undetermined
from scalesheet_workbooks.review.beside import currency_of, is_given, kinds, rates
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.doubts import given_number
from scalesheet_workbooks.review.exchange import doubles
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.programme import programme_findings
from scalesheet_workbooks.review.remarks import PROPOSED
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM

EMPTY = "an empty cell"


class Order(NamedTuple):
    """Two inputs of which one is the larger: ids, whether they may be the same, which is named."""

    low: str
    high: str
    words: str
    equal: bool = True
    named: str = ""
    severity: str = HIGH


ORDERS = (
    Order("in.pilot_base_nodes", "in.pilot_nodes", "the large run has more nodes", False),
    Order(
        "in.tier_1_limit",
        "in.tier_2_limit",
        "the second tier ends above the first",
        named="in.tier_1_limit",
    ),
    *(
        Order(
            f"in.{name}_{low}",
            f"in.{name}_{high}",
            "low, mode and high rise",
            named=f"in.{name}_{low if high == 'mode' else high}",
            severity=MEDIUM,
        )
        for name, *_ in SPREADS
        for low, high in (("low", "mode"), ("mode", "high"))
    ),
)


def relation_findings(case: Case) -> list[Finding]:
    """Every finding on inputs that do not fit each other, or rest on something that is missing."""
    return [
        *_orders(case),
        *_proposed(case),
        *_points(case),
        *programme_findings(case),
        *_collapsed(case),
        *_kinds(case),
        *_rates(case),
    ]


def _orders(case: Case) -> Iterator[Finding]:
    for order in ORDERS:
        wrong = []
        for scenario in range(case.expected.scenarios):
            low, high = (given_number(case, line, scenario) for line in (order.low, order.high))
            if low is None or high is None or not case.is_used(order.low, scenario):
                continue
            if high < low or (high == low and not order.equal):
                wrong.append((scenario, low, high))
        if wrong:
            _, low, high = wrong[0]
            labels = (case.expected.label(line) for line in (order.low, order.high))
            seen = ", ".join(
                f"{label} {value:,.10g}" for label, value in zip(labels, (low, high), strict=True)
            )
            yield from input_finding(
                case,
                "I208",
                order.named or order.high,
                [scenario for scenario, *_ in wrong],
                seen,
                order.words,
                severity=order.severity,
            )


def _proposed(case: Case) -> Iterator[Finding]:
    """A number of a scenario that the file does not have."""
    value, count = given_number(case, PROPOSED, 0), case.expected.scenarios
    if value is not None and value == int(value) and value > count:
        words = f"a whole number from 1 to {count}: there are so many scenarios"
        yield from input_finding(case, "I201", PROPOSED, [0], f"{value:,g}", words)


def _points(case: Case) -> Iterator[Finding]:
    """Measured points of which half is missing."""
    for point in range(1, POINTS + 1):
        lines = f"in.measured_nodes_{point}", f"in.measured_rate_{point}"
        if lines[0] not in case.expected.inputs:
            return
        for line, other in (lines, lines[::-1]):
            half = [
                scenario
                for scenario in range(case.expected.scenarios)
                if case.input_value(line, scenario) in (None, "")
                and case.input_value(other, scenario) not in (None, "")
            ]
            words = "nodes and throughput of a point are both given, or neither"
            if half:
                yield from input_finding(case, "I203", line, half, EMPTY, words)


# --- Ranges --------------------------------------------------------------------------------------

FEW = 2
"""Ranges from which on it is told that none has a width; with fewer the others stand for it."""


def _collapsed(case: Case) -> Iterator[Finding]:
    """Risk whose ranges have no width: every percentile is the same."""
    flat: dict[str, list[int]] = {}
    for scenario in range(case.expected.scenarios):
        ends = {
            name: (low, high)
            for name, *_ in SPREADS
            if (low := given_number(case, f"in.{name}_low", scenario)) is not None
            and (high := given_number(case, f"in.{name}_high", scenario)) is not None
        }
        if len(ends) >= FEW and all(low == high for low, high in ends.values()):
            flat.setdefault(f"in.{next(iter(ends))}_low", []).append(scenario)
    for line, scenarios in flat.items():
        words = "low below high where a figure is not certain"
        seen = "low and high are the same in every range"
        yield from input_finding(case, "I225", line, scenarios, seen, words)


# --- Currencies, tags, rates ---------------------------------------------------------------------


def _kinds(case: Case) -> Iterator[Finding]:
    """Currencies that have no rate, and tags that are none."""
    known = rates(case)
    lost = {one.lost for one in doubles(case)}
    for line, home, value in kinds(case):
        record = case.record(line)
        place = case.alignment.place(*home)
        if record is None or place is None or not is_given(case, line):
            continue
        text = value.strip() if isinstance(value, str) else value
        is_price = record.beside == CURRENCY
        allowed = known if is_price else {tag.upper(): tag for tag in TAGS}
        if isinstance(text, str) and text.upper() in allowed and text == value:
            continue
        if is_price and isinstance(text, str) and text and text.upper() in lost:
            continue  # the row that stood for it has another currency's name, and says so
        blank = text in (None, "")
        words = "a currency with a rate on Owning" if is_price else f"one of {', '.join(TAGS)}"
        yield finding(
            "I203" if blank else "I205",
            place[0],
            addresses([place]),
            EMPTY if blank else shown(value),
            words,
            line=f"{line}.{record.beside}",
            label=f"{record.beside} of {case.expected.label(line)}",
            severity=HIGH if is_price else LOW,
            effects=undetermined(case, [place]) if is_price else (),
        )


def _rates(case: Case) -> Iterator[Finding]:
    """Rates that are missing of currencies that a price is in."""
    for name, line in rates(case).items():
        if line not in case.expected.inputs or case.input_value(line, 0) not in (None, ""):
            continue
        prices = [
            f"{place[0]}!{address(*place[1:])}"
            for one, home, value in kinds(case)
            if is_given(case, one)
            and currency_of(case, one) == name
            and (place := case.alignment.place(*home))
        ]
        if prices:
            words = f"what one {name} costs: {', '.join(prices)} are in it"
            yield from input_finding(case, "I203", line, [0], EMPTY, words)
