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


def standard_error(totals: Any, probability: float) -> float:
    """The standard error of a percentile of draws: half the gap between its order statistics.

    >>> import numpy
    >>> round(standard_error(numpy.arange(10_001) / 10_000, 0.5), 3)  # uniform: sqrt(1/4/n)
    0.005
    """
    import numpy

    reach = math.sqrt(probability * (1 - probability) / len(totals))
    ends = max(probability - reach, 0.0), min(probability + reach, 1.0)
    below, above = numpy.quantile(totals, ends)
    return float(above - below) / 2
