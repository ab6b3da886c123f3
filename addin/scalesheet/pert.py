"""The PERT distribution: what low, most likely and high say about an input.

A beta distribution between low and high whose mean is (low + 4 mode + high)/6: Malcolm, Roseboom,
Clark and Fazar, Operations Research 7 (1959), in the form that Vose, Risk Analysis (2008), gives.
Moved to 0 and 1 it has one parameter, ``shape``, from 1 (mode at low) to 5 (mode at high). It is
tabulated on a grid that is finer towards both ends, and read by linear interpolation: within 1e-5
of the exact distribution, from the standard library alone.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

Spread = tuple[float, float, float]
"""Low, mode (the most likely value) and high, in this order."""

CELLS = 1024
MODE_WEIGHT = 4.0
"""How much more the mode counts in the mean than either end."""


def smooth_step(position: float) -> float:
    """Zero to one and back to rest at both ends: a grid of equal steps becomes finer there.

    >>> smooth_step(0.0), smooth_step(0.5), smooth_step(1.0)
    (0.0, 0.5, 1.0)
    """
    return position * position * (3 - 2 * position)


def smooth_step_slope(position: float) -> float:
    """The derivative of ``smooth_step``."""
    return 6 * position * (1 - position)


GRID = tuple(smooth_step(node / CELLS) for node in range(CELLS + 1))
"""Nodes between 0 and 1 at which every distribution is tabulated."""


def rises(spread: Spread) -> bool:
    """Whether three numbers can be low, mode and high.

    >>> rises((2, 2, 3)), rises((2, 4, 3)), rises((2, 3))
    (True, False, False)
    """
    return len(spread) == 3 and spread[0] <= spread[1] <= spread[2]


def shape(spread: Spread) -> float:
    """The first parameter of the beta distribution; the second is 6 less it.

    >>> shape((2, 2.5, 4)), shape((2, 2, 2))
    (2.0, 1.0)
    """
    low, mode, high = spread
    return 1 + MODE_WEIGHT * ((mode - low) / (high - low)) if high > low else 1.0


@lru_cache(maxsize=64)
def cumulative(shape: float) -> tuple[float, ...]:
    """The chance of less than each node of GRID.

    >>> chances = cumulative(1.0)  # 1 - (1 - x)^5
    >>> abs(chances[CELLS // 2] - (1 - 0.5**5)) < 1e-6
    True
    """
    below, above = shape - 1, MODE_WEIGHT + 1 - shape
    sums = [0.0]
    for cell in range(CELLS):
        middle = (cell + 0.5) / CELLS
        value = smooth_step(middle)
        density = value**below * (1 - value) ** above
        sums.append(sums[-1] + density * smooth_step_slope(middle))
    return tuple(chance / sums[-1] for chance in sums)


def quantile(shape: float, chance: float) -> float:
    """The value between 0 and 1 below which the distribution falls with this chance.

    >>> abs(quantile(3.0, 0.5) - 0.5) < 1e-9
    True
    """
    return quantiles(shape, (chance,))[0]


def quantiles(shape: float, chances: Iterable[float]) -> list[float]:
    """The values between 0 and 1 below which the distribution falls with each of some chances.

    >>> [round(value, 6) for value in quantiles(3.0, (0.1, 0.5, 0.9))]
    [0.246636, 0.5, 0.753364]
    """
    sums = cumulative(shape)
    found = []
    for chance in chances:
        cell = min(bisect_right(sums, chance), CELLS) - 1
        start, first = sums[cell], GRID[cell]
        share = (chance - start) / (sums[cell + 1] - start)
        found.append(first + (GRID[cell + 1] - first) * share)
    return found


def pert_quantile(spread: Spread, chance: float) -> float:
    """The value that an input stays below with this chance.

    >>> round(pert_quantile((2, 2.5, 4), 0.9), 2)
    3.17
    """
    low, _, high = spread
    return low + (high - low) * quantile(shape(spread), chance) if high > low else low


def pert_mean(spread: Spread) -> float:
    """The mean of an input.

    >>> pert_mean((2, 2.5, 3.5))
    2.5833333333333335
    """
    low, mode, high = spread
    return (low + MODE_WEIGHT * mode + high) / (MODE_WEIGHT + 2)
