"""Random draws of a training run's cost, by NumPy: the check on the fixed points of ``risk``.

The distributions are those of TRAIN_COST_RISK, drawn with a seed that is printed beside the
results: the same seed and the same NumPy give the same draws.
"""

import math
from typing import Any

from scalesheet.cost import train_cost
from scalesheet.pert import MODE_WEIGHT, Spread, shape

SEED = 1959
CHUNK = 100_000
"""Draws at a time: what stays in a processor's cache is quicker, and memory holds only totals."""


def simulate(
    gpus: float,
    ideal_hours: Spread,
    gpu_hour_price: Spread,
    efficiency: Spread,
    rework: Spread,
    storage: float,
    egress: float,
    draws: int,
    seed: int = SEED,
) -> Any:
    """Total costs of as many independent draws, a NumPy array; ImportError without NumPy.

    >>> totals = simulate(64, (100, 120, 160), (2, 2.5, 3.5), (0.8,) * 3, (0.1,) * 3, 0, 0, 50_000)
    >>> len(totals), bool(abs(totals.mean() / 27994 - 1) < 0.01)
    (50000, True)
    """
    import numpy

    generator = numpy.random.default_rng(seed)
    totals = numpy.empty(draws)
    for start in range(0, draws, CHUNK):
        part = totals[start : start + CHUNK]
        hours, price, share, again = (
            _drawn(generator, spread, len(part))
            for spread in (ideal_hours, gpu_hour_price, efficiency, rework)
        )
        part[:] = train_cost(gpus, hours, price, share, again, storage, egress)
    return totals


def _drawn(generator: Any, spread: Spread, draws: int) -> Any:
    """Draws of one input; one that is certain is a plain number."""
    low, _, high = spread
    if low == high:
        return low
    first = shape(spread)
    return low + (high - low) * generator.beta(first, MODE_WEIGHT + 2 - first, draws)


class Draws:
    """Totals drawn at random, asked as the fixed points are: see ``CostRisk``.

    >>> import numpy
    >>> draws = Draws(numpy.arange(10_001) / 10_000)
    >>> draws.count, draws.mean, draws.percentile(0.25), round(draws.chance(0.25), 3)
    (10001, 0.5, 0.25, 0.25)
    """

    def __init__(self, totals: Any) -> None:
        totals.sort()
        self._totals = totals
        self.count = len(totals)
        self.mean = float(totals.mean())
        self.low, self.high = float(totals[0]), float(totals[-1])

    def percentile(self, probability: float) -> float:
        """The total below which this share of the draws lies."""
        place = probability * (self.count - 1)
        before = int(place)
        start, end = self._totals[before], self._totals[min(before + 1, self.count - 1)]
        return float(start + (end - start) * (place - before))

    def chance(self, total: float) -> float:
        """The share of the draws that cost no more than a total."""
        return float(self._totals.searchsorted(total, side="right")) / self.count

    def standard_error(self, probability: float) -> float:
        """The standard error of a percentile: half the gap between the order statistics around it.

        >>> import numpy
        >>> round(Draws(numpy.arange(10_001) / 10_000).standard_error(0.5), 4)  # sqrt(1/4/n)
        0.005
        """
        reach = math.sqrt(probability * (1 - probability) / self.count)
        below, above = max(probability - reach, 0.0), min(probability + reach, 1.0)
        return (self.percentile(above) - self.percentile(below)) / 2
