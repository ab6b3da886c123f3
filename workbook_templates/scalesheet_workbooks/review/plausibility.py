"""Inputs that are allowed and still hard to believe: against the catalog and the measurements."""

import datetime
import math
from collections import defaultdict
from collections.abc import Iterator

from scalesheet import catalog, reliability
from scalesheet.fabric_classes import fabric_classes, usable_classes
from scalesheet.quantities import GPU_HOUR_PRICE
from scalesheet_workbooks.review.amounts import amount_doubts, same_scenarios
from scalesheet_workbooks.review.beside import currency_of
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.doubts import Doubt, doubt_finding, given_number
from scalesheet_workbooks.review.exchange import double_findings, rate_doubts
from scalesheet_workbooks.review.findings import Finding, same
from scalesheet_workbooks.review.hardware import Band, hour_band
from scalesheet_workbooks.review.sizes import OVERFLOW, PRICE, size_doubts
from scalesheet_workbooks.review.spot import spot_doubts

NEAR = 0.02
"""Two prices this close are the same one; an efficiency this far above a bound is above it."""
METHOD, EFFICIENCY, FLOOR = "in.efficiency_method", "in.efficiency", "in.efficiency_floor"
PRICE_UNIT = GPU_HOUR_PRICE.unit
RESTART_HOURS = 1 / 6


def plausibility_findings(case: Case, today: datetime.date) -> list[Finding]:
    """Doubts about prices, efficiency, rework and units; none about scenarios of the example."""
    doubts: dict[tuple[str, str], list[Doubt]] = defaultdict(list)
    for scenario in range(case.expected.scenarios):
        if scenario in case.examples:
            continue
        for doubt in _doubts(case, scenario, today):
            doubts[doubt.rule, doubt.line].append(doubt)
    for doubt in rate_doubts(case):
        doubts[doubt.rule, doubt.line].append(doubt)
    found = [doubt_finding(case, members) for members in doubts.values()]
    return [*found, *double_findings(case), *same_scenarios(case)]


def _doubts(case: Case, scenario: int, today: datetime.date) -> Iterator[Doubt]:
    found = list(_price_doubts(case, scenario, today))
    prices = {one.line for one in found}
    found += [*_efficiency_doubts(case, scenario), *_rework_doubts(case, scenario)]
    found += size_doubts(case, scenario, today, prices)
    found += spot_doubts(case, scenario, today, {one.line for one in found})
    yield from found
    yield from amount_doubts(case, scenario, {one.line for one in found})


def _nodes(case: Case, scenario: int) -> float | None:
    gpus = given_number(case, "in.gpus", scenario)
    per_node = given_number(case, "in.gpus_per_node", scenario)
    return math.ceil(gpus / per_node) if gpus and per_node else None


# --- Prices --------------------------------------------------------------------------------------


def _price_doubts(case: Case, scenario: int, today: datetime.date) -> Iterator[Doubt]:
    rows = [row for row in catalog.prices() if row.as_of <= today] or list(catalog.prices())
    prices = [row.usd_per_gpu_hour for row in rows]
    high = max(prices)
    every = Band(min(prices), high, "", max(row.as_of for row in rows))
    per_node = given_number(case, "in.gpus_per_node", scenario)
    for line in case.expected.inputs:
        record = case.record(line)
        price = given_number(case, line, scenario)
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
        elif currency_of(case, line) in ("", "USD"):
            own = hour_band(case, scenario, today) if line in (PRICE, OVERFLOW) else None
            yield from _off_band(line, scenario, price, own or every)


def _off_band(line: str, scenario: int, price: float, band: Band) -> Iterator[Doubt]:
    if not band.low <= price <= band.high:
        yield Doubt(
            "I220",
            line,
            scenario,
            f"{price:,.4g}",
            f"from {band.low:,.4g} to {band.high:,.4g} USD {band.words}".rstrip()
            + f" in the catalog of {band.newest}",
            ((line, band.low if price < band.low else band.high),),
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
        if place != scenario and (other := given_number(case, line, place))
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
    floor = given_number(case, FLOOR, scenario)
    if method == "interconnect" and floor is not None and same(used, floor):
        yield Doubt(
            "I210", FLOOR, scenario, f"{used:.1%} at {nodes:,g} nodes", "the model is below it"
        )
    typed = given_number(case, EFFICIENCY, scenario)
    if method == "typed" and floor is not None and typed is not None and same(typed, floor):
        yield Doubt(
            "I210", EFFICIENCY, scenario, f"{typed:.1%} at {nodes:,g} nodes", "not the floor"
        )
    bound = best_published(nodes)
    line = {"typed": EFFICIENCY, "pilot": "in.pilot_throughput"}.get(str(method), METHOD)
    if used > bound + NEAR or (method == "typed" and used >= 1):
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
    figures = [given_number(case, f"in.pilot_{line}", scenario) for line in lines]
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
    rework, gpus = given_number(case, line, scenario), given_number(case, "in.gpus", scenario)
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
