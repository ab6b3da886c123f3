"""What a scenario of a proposal may cost when its drivers are known only as ranges.

Rent by use has the form of TRAIN_COST and takes the core's own distribution. Committed and owned
GPUs do not: hours that are committed bill when idle, and owned GPUs are charged whether they work
or not. Their total is a part that follows the work plus a price times a fixed number,

    reserved  overflow price x max(0, U - C) + price x C
    own       power(U) + running and other depreciation + price of a server x its share,

with U the GPU-hours and C those committed. So the chance to stay below a total is a mean over the
work of what the price then leaves. Hours, efficiency and rework, which make the work, are taken at
the fixed points of TRAIN_COST_RISK; the price has its PERT distribution. All are independent.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from operator import mul

from scalesheet.lattice import orders, weights
from scalesheet.pert import Spread, pert_mean
from scalesheet.risk import CostRisk, Factor, cost_risk
from scalesheet_workbooks.proposal_inputs import ENDS, OWN, RESERVED
from scalesheet_workbooks.proposal_model import Given

WORK = ("ideal_hours", "efficiency", "rework")
STEP = 10
LEVELS = {f"p{level}": level for level in range(STEP, 100, STEP)}
"""The percentiles that are written: straight lines between them are within one of the shipped
scenarios' own, so that where a request stands can be told in cells."""
PROBABILITIES = {name: level / 100 for name, level in LEVELS.items()}
SHOWN = ("p10", "p50", "p80", "p90")
"""Those that are read."""
HALVINGS = 60
"""Of the bracket of a percentile: more than a float can tell apart."""
Lines = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outlook:
    """Percentiles of the cost before contingency by name, and its mean."""

    percentiles: Mapping[str, float]
    mean: float


def priced_by(given: Given) -> str:
    """The input whose range is that of the price: of a server where GPUs are owned."""
    return "server_price" if given.picked("acquisition", OWN) else "gpu_hour_price"


def ranges(given: Given) -> dict[str, Spread] | None:
    """The ranges that a scenario needs; None when one is missing."""
    needed = (*WORK, priced_by(given))
    if not given.has(*(f"{name}_{end}" for name in needed for end in ENDS)):
        return None
    found = {}
    for name in needed:
        low, mode, high = (given.number(f"{name}_{end}") for end in ENDS)
        found[name] = (low, mode, high)
    return found


def outlook(given: Given, lines: Lines) -> Outlook | None:
    """Percentiles and mean of the cost of a scenario; None when ranges are missing.

    Whole billing increments are left out. ``lines`` are the scenario's figures by id.
    """
    risk = total_risk(given, lines)
    if risk is None:
        return None
    percentiles = {name: risk.percentile(chance) for name, chance in PROBABILITIES.items()}
    return Outlook(percentiles, risk.mean)


def total_risk(given: Given, lines: Lines) -> "TotalRisk | None":
    """The distribution of the cost of a scenario, with tax and before contingency, which is set
    aside for what the ranges hold; None when ranges are missing."""
    found = ranges(given)
    if found is None:
        return None
    uplift = 1 + lines["cost.tax_share"]
    if given.picked("acquisition", OWN):
        return TotalRisk(_owned(found, lines), lines["cost.fixed_lines"], uplift)
    if given.picked("acquisition", RESERVED):
        return TotalRisk(_reserved(found, lines), lines["cost.fixed_lines"], uplift)
    return TotalRisk(_by_use(found, lines), 0.0, uplift)


@dataclass(frozen=True, slots=True)
class TotalRisk:
    """The distribution of a total: of what has ranges, with fixed lines and the tax on top."""

    risk: "CostRisk | SumRisk"
    fixed: float
    uplift: float

    @property
    def mean(self) -> float:
        """The mean of the total."""
        return (self.risk.mean + self.fixed) * self.uplift

    def percentile(self, probability: float) -> float:
        """The total that is not exceeded with a probability."""
        return (self.risk.percentile(probability) + self.fixed) * self.uplift

    def is_percentile(self, total: float, probability: float, share: float) -> bool:
        """Whether a total is that percentile to a share of it: much less work than to find it."""

        def at(one: float) -> tuple[float, float]:
            return self.risk.chance_and_density(one / self.uplift - self.fixed)

        chance, density = at(total)
        if density:
            return abs(chance - probability) <= density * share * total / self.uplift
        # The chance rises in steps, or the total is no possible one.
        return at(total * (1 - share))[0] < probability <= at(total * (1 + share))[0]


def _by_use(found: Mapping[str, Spread], lines: Lines) -> CostRisk:
    low, mode, high = (hours / (1 - lines["calc.waste"]) for hours in found["ideal_hours"])
    return cost_risk(
        lines["bill.paid_gpus"],
        (low, mode, high),
        found["gpu_hour_price"],
        found["efficiency"],
        found["rework"],
        lines["cost.fixed_lines"],
        0.0,
    )


def _reserved(found: Mapping[str, Spread], lines: Lines) -> "SumRisk":
    committed, beyond = lines["bill.committed_gpu_hours"], lines["bill.overflow_price"]
    rests = [beyond * max(0.0, used - committed) for used in _used(found, lines)]
    return SumRisk(rests, committed, found["gpu_hour_price"])


def _owned(found: Mapping[str, Spread], lines: Lines) -> "SumRisk":
    share, busy, idle = (
        lines[f"own.{name}"] for name in ("per_price", "power_hour", "idle_power_hour")
    )
    available = lines["own.available_gpu_hours"]
    kept = lines["own.running"] + lines["own.depreciation"] - lines["own.node_price"] * share
    rests = [kept + used * busy + max(0.0, available - used) * idle for used in _used(found, lines)]
    return SumRisk(rests, share, found["server_price"])


def _used(found: Mapping[str, Spread], lines: Lines) -> list[float]:
    """GPU-hours at each of the fixed points of the work."""
    factors = (
        Factor(found["ideal_hours"], lambda hours: hours),
        Factor(found["efficiency"], lambda share: 1 / share),
        Factor(found["rework"], lambda share: 1 + share),
    )
    first, second, third = (
        pick(factor.steps()) for pick, factor in zip(orders(), factors, strict=True)
    )
    gpus = lines["bill.paid_gpus"] / (1 - lines["calc.waste"])
    return [gpus * rest for rest in map(mul, map(mul, first, second), third)]


class SumRisk:
    """The distribution of rest + number x price: rests at the fixed points, a price with a range.

    >>> risk = SumRisk([10.0] * len(weights()), 2.0, (1, 2, 3))
    >>> round(risk.percentile(0.5), 9), round(risk.mean, 9)
    (14.0, 14.0)
    """

    def __init__(self, rests: list[float], number: float, price: Spread) -> None:
        self._number, self._price = number, price
        # From the largest on, so that what the price may be rises from point to point.
        self._points = sorted(zip(rests, weights(), strict=True), reverse=True)
        nodes, self._chances, self._slopes = Factor(price, lambda value: value).table()
        self._from, self._to = [0.0, *nodes], [*nodes, math.inf]
        self.low = min(rests) + number * price[0]
        self.high = max(rests) + number * price[2]

    @property
    def mean(self) -> float:
        """The mean of the sum."""
        rest = math.fsum(rest * weight for rest, weight in self._points)
        return rest + self._number * pert_mean(self._price)

    def chance(self, total: float) -> float:
        """The chance that the sum is no more than a total."""
        return self.chance_and_density(total)[0]

    def chance_and_density(self, total: float) -> tuple[float, float]:
        """The chance that the sum is no more than a total, and how fast it rises there."""
        chances, slopes, start, end = self._chances, self._slopes, self._from, self._to
        number = self._number
        least, most = number * self._price[0], number * self._price[2]
        shares, densities = [], []
        cell = 0
        for rest, weight in self._points:
            amount = total - rest
            if amount >= most:
                shares.append(weight)
            elif amount >= least:
                price = amount / number
                while price >= end[cell]:
                    cell += 1
                below = chances[cell] + slopes[cell] * (price - start[cell])
                shares.append(weight * below)
                densities.append(weight * slopes[cell] / number)
        return math.fsum(shares), math.fsum(densities)

    def percentile(self, probability: float) -> float:
        """The sum that is not exceeded with a probability, by halving its bracket."""
        low, high = self.low, self.high
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self.chance(middle) < probability:
                low = middle
            else:
                high = middle
        return high
