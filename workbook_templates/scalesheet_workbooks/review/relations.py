"""Inputs that contradict each other, and currencies, tags and rates that they rest on."""

import datetime
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scalesheet.domains import SERIAL_ZERO
from scalesheet_workbooks.cell_references import Place, address
from scalesheet_workbooks.proposal_ranges_rows import SPREADS
from scalesheet_workbooks.proposal_words import CURRENCY, POINTS, TAGS
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.beside import currency_of, is_given, kinds, rates
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.doubts import given_number
from scalesheet_workbooks.review.exchange import doubles
from scalesheet_workbooks.review.findings import Effect, Finding, finding, shown
from scalesheet_workbooks.review.remarks import PROPOSED, Figures
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
        *_programme(case),
        *_ended(case),
        *_collapsed(case),
        *_kinds(case),
        *_rates(case),
    ]


def _finding(
    case: Case,
    rule: str,
    line: str,
    scenarios: Sequence[int],
    seen: str,
    expected: str,
    severity: str = "",
) -> Iterator[Finding]:
    places = [place for one in scenarios if (place := case.input_place(line, one))]
    if places:
        yield finding(
            rule,
            places[0][0],
            addresses(places),
            seen,
            expected,
            line=line,
            label=case.expected.label(line),
            effects=_undetermined(case, places),
            severity=severity,
        )


def _undetermined(case: Case, places: Sequence[Place]) -> list[Effect]:
    """The totals that are undetermined and hang on some cells."""
    lost = [at for at, value in enumerate(case.recomputed) if number(value) is None]
    if not lost:
        return []
    below = case.flow.downstream(places)
    return [
        Effect(case.scenario_of_total(at), None, None)
        for at in lost
        if case.total_places[at] in below
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
            yield from _finding(
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
        yield from _finding(case, "I201", PROPOSED, [0], f"{value:,g}", words)


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
                yield from _finding(case, "I203", line, half, EMPTY, words)


# --- Work that does not fit into the programme ---------------------------------------------------

USED, AVAILABLE, MONTHS = "own.used_gpu_hours", "own.available_gpu_hours", "in.programme_months"
SLACK = 1e-9


def _programme(case: Case) -> Iterator[Finding]:
    """More GPU-hours than the programme has; the input that makes it so in one scenario alone."""
    if USED not in case.expected.ids:
        return
    wrong: dict[tuple[str, str], list[int]] = {}
    for scenario in range(case.expected.scenarios):
        got = Figures(case, scenario).all(USED, AVAILABLE)
        if got is None or got[0] <= got[1] * (1 + SLACK):
            continue
        line, other = _alone(case, scenario)
        wrong.setdefault((line, other), []).append(scenario)
    for (line, other), scenarios in wrong.items():
        used, available = Figures(case, scenarios[0]).all(USED, AVAILABLE) or (0.0, 0.0)
        months = Figures(case, scenarios[0])(MONTHS)
        yield from _finding(
            case,
            "I209",
            line,
            scenarios,
            f"{used:,.0f} GPU-hours used, {available:,.0f} within the {months:,g} months",
            other or "the hours of the work within those of the programme",
        )


def _alone(case: Case, scenario: int) -> tuple[str, str]:
    """The input that differs from the other scenarios' and without which the hours would fit, and
    what the others have; else the length of the programme."""
    title, column = case.expected.ids[USED][0], case.expected.column_of(scenario)
    wanted = [(title, case.expected.ids[line][1], column) for line in (USED, AVAILABLE)]
    others = [at for at in range(case.expected.scenarios) if at != scenario]
    for line, cells in case.expected.inputs.items():
        own = number(case.input_value(line, scenario))
        if len(cells) == 1 or own is None or not case.is_used(line, scenario):
            continue
        values = {
            value
            for at in others
            if (value := number(case.input_value(line, at))) is not None and case.is_used(line, at)
        }
        home = case.expected.ids[line][0], *cells[scenario]
        if len(values) != 1 or own in values or home not in case.given:
            continue
        (value,) = values
        put, now = {home: Cell(value, None, False)}, {home: case.given[home]}
        used, available = map(number, case.pristine.with_changes(put, now, wanted))
        if used is not None and available is not None and used <= available:
            return line, f"{value:,.10g} in the other scenarios, and the hours would fit"
    return MONTHS, ""


# --- Dates and ranges ----------------------------------------------------------------------------

START, PROPOSAL_DAY, DAYS_A_MONTH = "in.start", "in.as_of", 31
FEW = 2
"""Ranges from which on it is told that none has a width; with fewer the others stand for it."""


def _ended(case: Case) -> Iterator[Finding]:
    """A programme that is over on the day of its proposal."""
    day = given_number(case, PROPOSAL_DAY, 0)
    over = []
    for scenario in range(case.expected.scenarios if day else 0):
        start, months = (given_number(case, line, scenario) for line in (START, MONTHS))
        if start and months and day and start + months * DAYS_A_MONTH < day:
            over.append((scenario, start, months))
    if over and day:
        _, start, months = over[0]
        first, of = (SERIAL_ZERO + datetime.timedelta(int(one)) for one in (start, day))
        seen = f"{first} with {months:,g} months: over on the day of the proposal, {of}"
        words = "a programme that is still to come"
        chosen = [scenario for scenario, *_ in over]
        yield from _finding(case, "I245", START, chosen, seen, words)


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
        yield from _finding(case, "I225", line, scenarios, seen, words)


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
            effects=_undetermined(case, [place]) if is_price else (),
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
            yield from _finding(case, "I203", line, [0], EMPTY, words)
