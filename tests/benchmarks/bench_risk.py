"""1,000,000 draws beside the same by hand in NumPy and SciPy, and one cell of TRAIN_COST_RISK.

Run ``python tests/benchmarks/bench_risk.py [ROUNDS]``; the goal is a ratio of 1.5 or less.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy

from scalesheet.lattice import step_quantiles
from scalesheet.pert import cumulative
from scalesheet.risk import CostRisk
from scalesheet.simulation import SEED, Draws, simulate

DRAWS = 1_000_000
PERCENTILES = (0.1, 0.5, 0.8, 0.9)
GPUS, STORAGE, EGRESS = 64, 200, 150
HOURS, PRICE = (100.0, 120.0, 160.0), (2.0, 2.5, 3.5)
EFFICIENCY, REWORK = (0.7, 0.8, 0.85), (0.05, 0.15, 0.4)
BUDGET = (GPUS, HOURS, PRICE, EFFICIENCY, REWORK, STORAGE, EGRESS)


def by_numpy() -> Any:
    """The percentiles as most would write them in NumPy."""
    rng = numpy.random.default_rng(SEED)

    def draws(low: float, mode: float, high: float) -> Any:
        a, b = 1 + 4 * (mode - low) / (high - low), 1 + 4 * (high - mode) / (high - low)
        return low + (high - low) * rng.beta(a, b, DRAWS)

    hours, price, share, again = draws(*HOURS), draws(*PRICE), draws(*EFFICIENCY), draws(*REWORK)
    compute = GPUS * (hours / share) * price
    return numpy.quantile(compute + compute * again + STORAGE + EGRESS, PERCENTILES)


def by_scipy() -> Any:
    """The same with SciPy's distributions."""
    from scipy import stats

    rng = numpy.random.default_rng(SEED)

    def draws(low: float, mode: float, high: float) -> Any:
        a, b = 1 + 4 * (mode - low) / (high - low), 1 + 4 * (high - mode) / (high - low)
        return stats.beta(a, b, low, high - low).rvs(DRAWS, random_state=rng)

    hours, price, share, again = draws(*HOURS), draws(*PRICE), draws(*EFFICIENCY), draws(*REWORK)
    compute = GPUS * (hours / share) * price
    return numpy.quantile(compute + compute * again + STORAGE + EGRESS, PERCENTILES)


def ours() -> Any:
    """The percentiles of the command's draws."""
    draws = Draws(simulate(*BUDGET, DRAWS))
    return [draws.percentile(probability) for probability in PERCENTILES]


def new_cell() -> float:
    """One cell whose inputs were never seen before: nothing is kept from an earlier call."""
    cumulative.cache_clear()
    step_quantiles.cache_clear()
    return CostRisk(*BUDGET).percentile(0.8)


def seconds(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median times, the calls in turns so that a slow moment meets them all."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            began = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - began)
    return {name: statistics.median(taken) for name, taken in times.items()}


def main(rounds: int = 7) -> None:
    """Print the times and their ratios."""
    assert numpy.allclose(ours(), by_numpy(), rtol=0.002)
    hand: dict[str, Callable[[], object]] = {"NumPy": by_numpy}
    try:
        by_scipy()
    except ImportError:
        print("SciPy is not installed: the comparison with it is left out")
    else:
        hand["SciPy"] = by_scipy
    taken = seconds({"ours": ours, **hand}, rounds)
    print(f"{DRAWS:,} draws of TRAIN_COST and 4 percentiles: {1e3 * taken['ours']:.0f} ms")
    for name in hand:
        ratio = taken["ours"] / taken[name]
        print(f"by hand, {name}: {1e3 * taken[name]:.0f} ms  ratio {ratio:.2f}")

    risk = CostRisk(*BUDGET)
    cells = seconds({"new": new_cell, "seen": lambda: risk.percentile(0.8)}, 10 * rounds)
    print(f"one cell of TRAIN_COST_RISK, new inputs: {1e3 * cells['new']:.1f} ms")
    print(f"another probability of the same inputs:  {1e3 * cells['seen']:.1f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
