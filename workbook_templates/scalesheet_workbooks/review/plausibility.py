"""Inputs that are allowed and still hard to believe: against the catalog and the measurements."""

import datetime
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scalesheet import catalog, reliability
from scalesheet.fabric_classes import fabric_classes, usable_classes
from scalesheet.quantities import GPU_HOUR_PRICE
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import (
    Effect,
    Finding,
    by_money,
    finding,
    same,
    with_effects,
)
from scalesheet_workbooks.review.rules import HIGH, MEDIUM

NEAR = 0.02
"""Two prices this close are the same one; an efficiency this far above a bound is above it."""
METHOD, EFFICIENCY, FLOOR = "in.efficiency_method", "in.efficiency", "in.efficiency_floor"
PRICE_UNIT = GPU_HOUR_PRICE.unit
RESTART_HOURS = 1 / 6


@dataclass(frozen=True, slots=True)
class Doubt:
    """An input of one scenario that is hard to believe, and a value that is easier to."""

    rule: str
    line: str
    scenario: int
    seen: str
    expected: str
    instead: tuple[tuple[str, Value], ...] = ()


def plausibility_findings(case: Case, today: datetime.date) -> list[Finding]:
    """Doubts about prices, efficiency and rework; none about scenarios of the example."""
    doubts: dict[tuple[str, str], list[Doubt]] = defaultdict(list)
    for scenario in range(case.expected.scenarios):
        if scenario in case.examples:
            continue
        for doubt in _doubts(case, scenario, today):
            doubts[doubt.rule, doubt.line].append(doubt)
    return [_finding(case, members) for members in doubts.values()]


def _doubts(case: Case, scenario: int, today: datetime.date) -> Iterator[Doubt]:
    yield from _price_doubts(case, scenario, today)
    yield from _efficiency_doubts(case, scenario)
    yield from _rework_doubts(case, scenario)


def _value(case: Case, line: str, scenario: int) -> float | None:
    if line not in case.expected.inputs:
        return None
    return number(case.input_value(line, scenario))


def _nodes(case: Case, scenario: int) -> float | None:
    gpus = _value(case, "in.gpus", scenario)
    per_node = _value(case, "in.gpus_per_node", scenario)
    return math.ceil(gpus / per_node) if gpus and per_node else None


# --- Prices --------------------------------------------------------------------------------------


def _price_doubts(case: Case, scenario: int, today: datetime.date) -> Iterator[Doubt]:
    rows = [row for row in catalog.prices() if row.as_of <= today] or list(catalog.prices())
    prices = [row.usd_per_gpu_hour for row in rows]
    low, high = min(prices), max(prices)
    per_node = _value(case, "in.gpus_per_node", scenario)
    for line in case.expected.inputs:
        record = case.record(line)
        price = _value(case, line, scenario)
        if record is None or record.domain.unit != PRICE_UNIT or not price:
            continue
        if not case.is_used(line, scenario):
            continue
        if (
            per_node
            and per_node > 1
            and _is_instance_price(case, line, scenario, price, per_node, high)
        ):
            each = price / per_node
            yield Doubt(
                "I221",
                line,
                scenario,
                f"{price:,.4g} with {per_node:,g} GPUs per node",
                f"{each:,.4g} per GPU, if it is a node's",
                ((line, each),),
            )
        elif not low <= price <= high and case.currency in ("", "USD"):
            nearest = low if price < low else high
            newest = max(row.as_of for row in rows)
            yield Doubt(
                "I220",
                line,
                scenario,
                f"{price:,.4g}",
                f"from {low:,.4g} to {high:,.4g} USD in the catalog of {newest}",
                ((line, nearest),),
            )


def _is_instance_price(
    case: Case, line: str, scenario: int, price: float, per_node: float, high: float
) -> bool:
    """A list price of a whole instance, one node's worth of another scenario's price, or too high
    unless divided."""
    listed = [
        row.original_price
        for row in catalog.prices()
        if row.gpus_per_instance
        and row.gpus_per_instance > 1
        and row.original_price
        and row.original_unit.endswith("/instance-h")
    ]
    if any(abs(price / one - 1) < 1e-3 for one in listed):
        return True
    others = [
        other
        for place in range(case.expected.scenarios)
        if place != scenario and (other := _value(case, line, place))
    ]
    if any(abs(price / (other * per_node) - 1) < 1e-6 for other in others):
        return True
    return price > high and price / per_node <= high


# --- Efficiency ----------------------------------------------------------------------------------


def best_published(nodes: float) -> float:
    """The efficiency at a size that the better quarter of the best class of fabric has kept.

    >>> best_published(1), 0.9 < best_published(64) < 1
    (1.0, True)
    """
    slope = min(fabric_classes()[name].lower_quartile for name in usable_classes())
    return float(nodes**-slope)


def _efficiency_doubts(case: Case, scenario: int) -> Iterator[Doubt]:
    nodes, method = _nodes(case, scenario), None
    if METHOD in case.expected.inputs:
        method = case.input_value(METHOD, scenario)
    used = case.output("out_efficiency", scenario)
    if nodes is None or nodes <= 1 or used is None or method is None:
        return
    floor = _value(case, FLOOR, scenario)
    if method == "interconnect" and floor is not None and same(used, floor):
        yield Doubt(
            "I210", FLOOR, scenario, f"{used:.1%} at {nodes:,g} nodes", "the model is below it"
        )
    typed = _value(case, EFFICIENCY, scenario)
    if method == "typed" and floor is not None and typed is not None and same(typed, floor):
        yield Doubt(
            "I210", EFFICIENCY, scenario, f"{typed:.1%} at {nodes:,g} nodes", "not the floor"
        )
    bound = best_published(nodes)
    line = {"typed": EFFICIENCY, "pilot": "in.pilot_throughput"}.get(str(method), METHOD)
    if used > bound + NEAR:
        yield Doubt(
            "I211",
            line,
            scenario,
            f"{used:.1%} at {nodes:,g} nodes",
            f"at most {bound:.1%}: the better quarter of the best published fabric",
            ((METHOD, "typed"), (EFFICIENCY, bound)),
        )
    if method == "pilot":
        yield from _pilot_doubts(case, scenario)


def _pilot_doubts(case: Case, scenario: int) -> Iterator[Doubt]:
    lines = ("base_nodes", "base_throughput", "nodes", "throughput")
    figures = [_value(case, f"in.pilot_{line}", scenario) for line in lines]
    if any(not figure for figure in figures):
        return
    base_nodes, base, nodes, large = (float(figure or 0) for figure in figures)
    if nodes >= 2 * base_nodes and large <= 1.2 * base:
        yield Doubt(
            "I212",
            "in.pilot_throughput",
            scenario,
            f"{large:,g} at {nodes:,g} nodes, {base:,g} at {base_nodes:,g}",
            "the throughput of all GPUs together",
            (
                ("in.pilot_throughput", large * nodes),
                ("in.pilot_base_throughput", base * base_nodes),
            ),
        )


# --- Rework --------------------------------------------------------------------------------------


def failure_rework(gpus: float) -> float | None:
    """Rework that failures alone cause in a run of so many GPUs, at published rates.

    Mean time between failures and time of a checkpoint from the catalog, the best interval, ten
    minutes to restart. None where such a run would hardly advance.

    >>> round(failure_rework(64), 3), failure_rework(16384) > 0.05
    (0.006, True)
    """
    rate = catalog.figures("failure")[0].value
    checkpoint = catalog.figures("checkpoint")[0].value / 3600
    mtbf = reliability.cluster_mtbf(gpus, rate)
    interval = reliability.checkpoint_interval(checkpoint, mtbf)
    waste = reliability.failure_waste(mtbf, checkpoint, interval, RESTART_HOURS)
    return reliability.rework_from_waste(waste) if waste < 0.9 else None


def _rework_doubts(case: Case, scenario: int) -> Iterator[Doubt]:
    line = "in.rework"
    rework, gpus = _value(case, line, scenario), _value(case, "in.gpus", scenario)
    if rework is None or not gpus or gpus < 1:
        return
    modelled = failure_rework(gpus)
    if modelled is None:
        return
    said = f"about {modelled:.1%} from failures at published rates ({gpus:,g} GPUs)"
    if rework < 0.5 * modelled and modelled > 0.005:
        yield Doubt("I230", line, scenario, f"{rework:.1%}", said, ((line, modelled),))
    elif rework > modelled + 0.5:
        yield Doubt("I231", line, scenario, f"{rework:.1%}", said, ((line, modelled),))


def _finding(case: Case, members: Sequence[Doubt]) -> Finding:
    first = members[0]
    changes: dict[Place, Value] = {}
    for one in members:
        for line, value in one.instead:
            if line not in case.expected.inputs:
                continue
            cells = case.expected.inputs[line]
            at = cells[one.scenario] if one.scenario < len(cells) else cells[0]
            changes[case.expected.ids[line][0], *at] = value
    effects: list[Effect] = case.if_input(changes) if changes else []
    places = [p for one in members if (p := case.input_place(first.line, one.scenario))]
    found = finding(
        first.rule,
        places[0][0] if places else "",
        addresses(places),
        first.seen + (f" (and {len(members) - 1} more)" if len(members) > 1 else ""),
        first.expected,
        line=first.line,
        label=case.expected.label(first.line),
    )
    severity = found.rule.severity
    if severity == HIGH:
        severity = by_money(effects, case.materiality, MEDIUM)
    elif effects and severity == MEDIUM:
        by_effect = by_money(effects, case.materiality)
        severity = MEDIUM if by_effect == HIGH else by_effect
    return with_effects(found, effects, severity)
