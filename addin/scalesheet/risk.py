"""How far the cost of a training run may move when its inputs are known only as ranges.

Ideal hours, price, efficiency and rework are each given as low, mode and high, and are independent
PERT distributions. The total is a product of one factor each (hours, price, 1/efficiency,
1 + rework) and the number of GPUs, plus fixed amounts. So the chance to stay below a total is a
mean, over three of the factors, of what the widest one then leaves. That mean is taken over a fixed
set of points, never over random numbers, so that the same cell shows the same number everywhere.

From probability 0.01 to 0.99 the totals are within 0.1 % of exact ones for ranges whose high is up
to four times their low, and within 0.6 % when all four inputs span their limits at once.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from operator import mul

from scalesheet.cost import train_cost
from scalesheet.hints import (
    Cost,
    EfficiencySpread,
    Gpus,
    HoursSpread,
    PriceSpread,
    Probability,
    ReworkSpread,
)
from scalesheet.lattice import orders, step_quantiles, step_weights, weights
from scalesheet.pert import GRID, Spread, cumulative, rises, shape
from scalesheet.registry import function

MAX_STEPS = 200
RESOLUTION, LAST_STEP = 1e-14, 1e-9
"""The search for a percentile ends at a bracket or after a step of this share of it. A step of
Newton's leaves an error of about its square."""


def ideal_hours_rise(ideal_hours: Spread) -> bool:
    """ideal_hours must be three numbers, low, mode and high, none below the one before it"""
    return rises(ideal_hours)


def gpu_hour_price_rises(gpu_hour_price: Spread) -> bool:
    """gpu_hour_price must be three numbers, low, mode and high, none below the one before it"""
    return rises(gpu_hour_price)


def efficiency_rises(efficiency: Spread) -> bool:
    """efficiency must be three numbers, low, mode and high, none below the one before it"""
    return rises(efficiency)


def rework_rises(rework: Spread) -> bool:
    """rework must be three numbers, low, mode and high, none below the one before it"""
    return rises(rework)


RISK_RULES = (ideal_hours_rise, gpu_hour_price_rises, efficiency_rises, rework_rises)
"""What is checked across the arguments of TRAIN_COST_RISK."""


@function(category="Risk", source="pert", rules=RISK_RULES)
def train_cost_risk(
    probability: Probability,
    gpus: Gpus,
    ideal_hours: HoursSpread,
    gpu_hour_price: PriceSpread,
    efficiency: EfficiencySpread,
    rework: ReworkSpread,
    storage: Cost,
    egress: Cost,
) -> Cost:
    """Total cost that a training run stays below with a probability, from low, mode and high.

    The inputs are independent; when they go wrong together the true spread is wider.

    >>> round(train_cost_risk(0.8, 64, (100, 120, 160), (2, 2.5, 3.5), (0.7, 0.8, 0.85),
    ...     (0.05, 0.15, 0.4), 200, 150))
    34509

    Equal low, mode and high give the very number of TRAIN_COST.

    >>> train_cost_risk(0.8, 64, (120, 120, 120), (2.5, 2.5, 2.5), (0.8, 0.8, 0.8),
    ...     (0.15, 0.15, 0.15), 200, 150)
    27950.0
    """
    risk = cost_risk(gpus, ideal_hours, gpu_hour_price, efficiency, rework, storage, egress)
    return risk.percentile(probability)


@lru_cache(maxsize=32)
def cost_risk(
    gpus: float,
    ideal_hours: Spread,
    gpu_hour_price: Spread,
    efficiency: Spread,
    rework: Spread,
    storage: float,
    egress: float,
) -> "CostRisk":
    """The distribution of a total; the last ones are kept, as sheets ask for several percentiles.

    >>> risk = cost_risk(8, (10, 10, 10), (2, 2, 2), (1, 1, 1), (0, 0, 0), 5, 0)
    >>> risk.low, risk.mean, risk.high
    (165.0, 165.0, 165.0)
    """
    return CostRisk(gpus, ideal_hours, gpu_hour_price, efficiency, rework, storage, egress)


class CostRisk:
    """The distribution of a run's total cost, from the fixed points.

    ``low`` and ``high`` are the totals with every input at its good and at its bad end.
    """

    def __init__(
        self,
        gpus: float,
        ideal_hours: Spread,
        gpu_hour_price: Spread,
        efficiency: Spread,
        rework: Spread,
        storage: float,
        egress: float,
    ) -> None:
        self._fixed = storage, egress
        good = ideal_hours[0], gpu_hour_price[0], efficiency[2], rework[0]
        bad = ideal_hours[2], gpu_hour_price[2], efficiency[0], rework[2]
        self._ends = train_cost(gpus, *good, 0, 0), train_cost(gpus, *bad, 0, 0)
        self.low, self.high = (self._total(compute) for compute in self._ends)

        self._gpus = gpus
        self._factors = (
            Factor(ideal_hours, lambda hours: hours),
            Factor(gpu_hour_price, lambda price: price),
            Factor(efficiency, lambda share: 1 / share),
            Factor(rework, lambda share: 1 + share),
        )
        widest = max(self._factors, key=lambda factor: factor.ratio)
        nodes, self._chances, self._slopes = widest.table()
        self._from, self._to = [0.0, *nodes], [*nodes, math.inf]
        others = [factor.steps() for factor in self._factors if factor is not widest]
        first, second, third = (pick(steps) for pick, steps in zip(orders(), others, strict=True))
        rests = (gpus * rest for rest in map(mul, map(mul, first, second), third))
        # From the largest on, so that what the widest factor may be rises from point to point.
        self._points = sorted(zip(rests, weights(), strict=True), reverse=True)

    def _total(self, compute: float) -> float:
        """A total in TRAIN_COST's order of operations."""
        storage, egress = self._fixed
        return compute + storage + egress

    @property
    def mean(self) -> float:
        """The mean of the total: that of the product is the product of the means."""
        compute = self._gpus * math.prod(factor.mean for factor in self._factors)
        return min(max(self._total(compute), self.low), self.high)  # exact when all is certain

    @property
    def shares(self) -> list[float]:
        """What each input alone, in the order of the arguments, gives of the total's variance.

        These are the first-order Sobol' indices, which a product of independent factors has in
        closed form; their sum is below one by what the inputs do jointly.
        """
        variations = [factor.variation for factor in self._factors]
        together = math.prod(1 + variation for variation in variations) - 1
        return [variation / together if together else 0.0 for variation in variations]

    def chance(self, total: float) -> float:
        """The chance that the run costs no more than a total.

        >>> risk = cost_risk(8, (10, 20, 30), (2, 2, 2), (1, 1, 1), (0, 0, 0), 5, 0)
        >>> round(risk.chance(325), 9), risk.chance(165), risk.chance(485)
        (0.5, 0.0, 1.0)
        """
        return self.chance_and_density(total)[0]

    def chance_and_density(self, total: float) -> tuple[float, float]:
        """The chance that the run costs no more than a total, and how fast it rises there.

        >>> risk = cost_risk(8, (10, 20, 30), (2, 2, 2), (1, 1, 1), (0, 0, 0), 5, 0)
        >>> chance, density = risk.chance_and_density(325)
        >>> round(chance, 9), round(density * 320, 3)
        (0.5, 1.875)
        """
        storage, egress = self._fixed
        compute, (low, high) = total - storage - egress, self._ends
        if not low <= compute < high:
            return float(compute >= high), 0.0
        chance, density = self._chance(compute)
        return min(max(chance, 0.0), 1.0), density

    def _chance(self, compute: float) -> tuple[float, float]:
        """The chance that compute and rework cost no more, and its derivative."""
        chances, slopes, start, end = self._chances, self._slopes, self._from, self._to
        shares, densities = [], []
        cell = 0
        for rest, weight in self._points:
            value = compute / rest
            while value >= end[cell]:
                cell += 1
            slope = weight * slopes[cell]
            shares.append(weight * chances[cell] + slope * (value - start[cell]))
            densities.append(slope / rest)
        return math.fsum(shares), math.fsum(densities)

    def percentile(self, probability: float) -> float:
        """The total that is not exceeded with a probability: Newton's steps within a bracket.

        >>> risk = cost_risk(8, (10, 20, 30), (2, 2, 2), (1, 1, 1), (0, 0, 0), 5, 0)
        >>> round(risk.percentile(0.5), 9)
        325.0
        """
        low, high = self._ends
        compute = (low + high) / 2
        for _ in range(MAX_STEPS):
            if high - low <= RESOLUTION * compute:
                break
            chance, density = self._chance(compute)
            if chance < probability:
                low = compute
            else:
                high = compute
            step = (probability - chance) / density if density > 0 else math.inf
            last = abs(step) <= LAST_STEP * compute
            compute += step
            if not low <= compute <= high:
                compute = (low + high) / 2
            if last:
                break
        return self._total(compute)


class Factor:
    """One input as the total is multiplied by it; ``ratio`` is its largest over its smallest."""

    def __init__(self, spread: Spread, of: Callable[[float], float]) -> None:
        self._low, _, self._high = spread
        self._shape, self._of = shape(spread), of
        ends = of(self._low), of(self._high)
        self.ratio = max(ends) / min(ends)

    def _scaled(self, values: tuple[float, ...]) -> list[float]:
        """Values between 0 and 1 put between low and high, as factors."""
        low, width, of = self._low, self._high - self._low, self._of
        return [of(low + width * value) for value in values]

    def steps(self) -> list[float]:
        """The quantiles at the steps of the lattice."""
        return self._scaled(step_quantiles(self._shape))

    @property
    def mean(self) -> float:
        """The mean of the factor."""
        return math.fsum(map(mul, step_weights(), self.steps()))

    @property
    def variation(self) -> float:
        """The squared coefficient of variation: the variance in units of the squared mean."""
        if self._low == self._high:
            return 0.0
        mean = self.mean
        return math.fsum(
            map(mul, step_weights(), ((step / mean - 1) ** 2 for step in self.steps()))
        )

    def table(self) -> tuple[list[float], list[float], list[float]]:
        """Rising values of the factor, the chance below each, and the slopes between them.

        Chances and slopes have one more in front, for what lies below the first value.
        """
        nodes, chances = self._scaled(GRID), list(cumulative(self._shape))
        if nodes[0] > nodes[-1]:
            nodes, chances = nodes[::-1], [1 - chance for chance in reversed(chances)]
        slopes = [
            (chances[cell + 1] - chances[cell]) / (nodes[cell + 1] - nodes[cell])
            if nodes[cell + 1] > nodes[cell]
            else 0.0
            for cell in range(len(nodes) - 1)
        ]
        return nodes, [0.0, *chances], [0.0, *slopes, 0.0]
