"""What the ranges of a scenario mean for its total: percentiles, ends, and which input drives it.

Only numbers here; the command prints them. The distribution comes from random draws, or without
NumPy from the fixed points of TRAIN_COST_RISK.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scalesheet import train_cost as checked_train_cost
from scalesheet.cost import ideal_hours_from_work, train_cost
from scalesheet.errors import ScalesheetError
from scalesheet.pert import Spread, pert_quantile
from scalesheet.risk import CostRisk, cost_risk
from scalesheet.scaling import scaling_eff, scaling_eff_power, scaling_exponent
from scalesheet.simulation import Draws, simulate
from scalesheet_workbooks.inputs import BY_INTERCONNECT, IDEAL_HOURS, MEASURED, TYPED
from scalesheet_workbooks.measured_fit import fitted, planned_nodes
from scalesheet_workbooks.scenario_text import ScenarioError
from scalesheet_workbooks.study import Scenario

UNCERTAIN = ("ideal_hours", "gpu_hour_price", "efficiency", "rework")
"""The inputs that may be ranges, in TRAIN_COST's order."""
PROBABILITIES = (0.1, 0.5, 0.8, 0.9)
SHOWN = 0.005
"""The histogram leaves this share of the totals to the open bars at either end."""
BARS = 14
CONFIDENCE = 1.96
"""Standard errors on either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Percentile:
    """One percentile of the total: drawn, its 95 % Monte Carlo error, from the fixed points, and
    with every input at its own percentile in the bad direction."""

    probability: float
    total: float
    error: float | None
    in_cell: float
    together: float


@dataclass(frozen=True, slots=True)
class Driver:
    """One uncertain input: its range, the totals it alone leads to, its share of the variance."""

    name: str
    spread: Spread
    planned: float
    total_at_low: float
    total_at_high: float
    share: float


@dataclass(frozen=True, slots=True)
class Bar:
    """The share of the totals between two amounts."""

    start: float
    end: float
    share: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """A scenario with ranges: what it may cost. Money in the study's currency."""

    name: str
    planned: float
    mean: float
    chance_above_planned: float
    percentiles: tuple[Percentile, ...]
    best: float
    worst: float
    bars: tuple[Bar, ...]
    drivers: tuple[Driver, ...]
    """The strongest first."""
    draws: int
    """0 when the fixed points stand for them."""
    highest_draw: float | None


def outlook(scenario: Scenario, draws: int, seed: int) -> Outlook:
    """The outlook of a scenario that has ranges, from draws or, without NumPy, fixed points."""
    plan = planned_inputs(scenario)
    total = _planned_total(scenario.name, plan)
    gpus, *values, storage, egress = plan
    hours, price, efficiency, rework = (
        scenario.risk.get(name, (value, value, value))
        for name, value in zip(UNCERTAIN, values, strict=True)
    )
    arguments = gpus, hours, price, efficiency, rework, storage, egress
    points = cost_risk(*arguments)
    drawn = _drawn(arguments, draws, seed)
    source = drawn or points
    percentiles = tuple(
        Percentile(
            probability,
            source.percentile(probability),
            CONFIDENCE * drawn.standard_error(probability) if drawn else None,
            points.percentile(probability),
            _together(arguments, probability),
        )
        for probability in PROBABILITIES
    )
    return Outlook(
        scenario.name,
        total,
        source.mean,
        1 - source.chance(total),
        percentiles,
        points.low,
        points.high,
        _bars(source),
        _drivers(scenario, plan, points),
        drawn.count if drawn else 0,
        drawn.high if drawn else None,
    )


Arguments = tuple[float, Spread, Spread, Spread, Spread, float, float]


def planned_inputs(scenario: Scenario) -> tuple[float, ...]:
    """The arguments of TRAIN_COST that a scenario plans with.

    >>> from scalesheet_workbooks.scenarios import shipped
    >>> planned_inputs(shipped().scenarios[0])
    (64.0, 120.0, 2.5, 0.8, 0.15, 200.0, 150.0)
    """
    values = {key.removeprefix("in."): value for key, value in scenario.values.items()}
    number = {key: value for key, value in values.items() if isinstance(value, float)}
    gpus = number["gpus"]
    if values["work_basis"] == IDEAL_HOURS:
        hours = number["ideal_hours"]
    else:
        hours = ideal_hours_from_work(gpus, number["total_gpu_hours"])
    price, again = number["gpu_hour_price"], number["rework"]
    return (
        gpus,
        hours,
        price,
        _efficiency(scenario, values),
        again,
        number["storage"],
        number["egress"],
    )


def _efficiency(scenario: Scenario, values: dict[str, float | str]) -> float:
    """The efficiency of a scenario by the method that it names, as its workbook has it."""
    method = values["efficiency_method"]
    if method == TYPED:
        return float(values["efficiency"])
    nodes = planned_nodes(scenario.values)
    if method == MEASURED and scenario.measured:
        return fitted(scenario.measured, nodes).efficiency
    if method == BY_INTERCONNECT:
        network, floor = str(values["interconnect"]), float(values["efficiency_floor"])
        return scaling_eff(nodes, network, floor)
    runs = ("base_nodes", "base_throughput", "nodes", "throughput")
    exponent = scaling_exponent(*(float(values[f"pilot_{run}"]) for run in runs))
    return scaling_eff_power(nodes, exponent)


def _planned_total(name: str, plan: Sequence[float]) -> float:
    """TRAIN_COST with its checks: an efficiency from a pilot may lie outside the limits."""
    try:
        gpus, hours, price, efficiency, rework, storage, egress = plan
        return checked_train_cost(gpus, hours, price, efficiency, rework, storage, egress)
    except ScalesheetError as error:
        raise ScenarioError([f'scenario "{name}": {error}']) from None


def _drawn(arguments: Arguments, draws: int, seed: int) -> Draws | None:
    """The draws, or None where NumPy is not installed."""
    try:
        return Draws(simulate(*arguments, draws, seed))
    except ImportError:
        return None


def _together(arguments: Arguments, probability: float) -> float:
    """The percentile when all inputs move as one: each at its own, efficiency from above."""
    gpus, hours, price, efficiency, rework, storage, egress = arguments
    return train_cost(
        gpus,
        pert_quantile(hours, probability),
        pert_quantile(price, probability),
        pert_quantile(efficiency, 1 - probability),
        pert_quantile(rework, probability),
        storage,
        egress,
    )


def _drivers(scenario: Scenario, plan: Sequence[float], points: CostRisk) -> tuple[Driver, ...]:
    """The uncertain inputs, the largest share of the variance first."""

    def total(place: int, value: float) -> float:
        changed = list(plan)
        changed[place] = value
        return train_cost(*changed)

    drivers = (
        Driver(name, (low, mode, high), plan[place], total(place, low), total(place, high), share)
        for place, (name, share) in enumerate(zip(UNCERTAIN, points.shares, strict=True), 1)
        if name in scenario.risk
        for low, mode, high in [scenario.risk[name]]
    )
    return tuple(sorted(drivers, key=lambda driver: -driver.share))


def _bars(source: CostRisk | Draws) -> tuple[Bar, ...]:
    """The histogram, in round steps; the outer bars are open. None when nothing varies."""
    first, last = source.percentile(SHOWN), source.percentile(1 - SHOWN)
    step = round_step((last - first) / BARS)
    if not step or first + step / BARS == first:
        return ()
    edges = [
        step * number for number in range(math.floor(first / step), math.ceil(last / step) + 1)
    ]
    below = [source.chance(edge) for edge in edges]
    starts, ends = [-math.inf, *edges], [*edges, math.inf]
    return tuple(
        Bar(start, end, after - before)
        for start, end, before, after in zip(
            starts, ends, [0.0, *below], [*below, 1.0], strict=True
        )
    )


def round_step(least: float) -> float:
    """The smallest 1, 2, 5 or 10 times a power of ten that is at least a number; 0 for 0.

    >>> [round_step(number) for number in (0, 0.3, 1, 1500, 7e5)]
    [0.0, 0.5, 1.0, 2000.0, 1000000.0]
    """
    if least <= 0:
        return 0.0
    power = math.floor(math.log10(least))
    steps = (float(f"{digit}e{power}") for digit in (1, 2, 5, 10))
    return next((step for step in steps if step >= least), float(f"1e{power + 1}"))
