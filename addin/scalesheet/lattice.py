"""A fixed set of points in the unit cube, in place of random numbers.

A rank-1 lattice: point k lies at k (1, a, a^2)/N modulo 1, moved by half a step, so that each
coordinate takes every value (k + 1/2)/N once. The points are then drawn towards the faces of the
cube by ``smooth_step`` and weighted by its slope, as Sloan and Joe, Lattice Methods for Multiple
Integration (1994), have it: that makes what is summed periodic, which is where lattices are
strong, and puts more points where the tails are decided. N is the largest prime below 2,048 and a
the one multiplier, of all, with the smallest P2 (the squared worst case over functions with square
integrable mixed derivatives); tests/lattice_search.py finds it again.
"""

import math
from functools import lru_cache
from operator import itemgetter
from typing import Any

from scalesheet.pert import quantiles, smooth_step, smooth_step_slope

POINTS = 2039
MULTIPLIER = 653
DIMENSIONS = 3

STEPS = tuple((place + 0.5) / POINTS for place in range(POINTS))
SMOOTH_STEPS = tuple(smooth_step(step) for step in STEPS)


@lru_cache(maxsize=1)
def orders() -> tuple[Any, ...]:
    """For each coordinate a picker that puts the values of the POINTS steps in the points' order.

    >>> [picker(range(POINTS))[1] for picker in orders()] == [1, MULTIPLIER, MULTIPLIER**2 % POINTS]
    True
    """
    return tuple(
        itemgetter(*(point * MULTIPLIER**power % POINTS for point in range(POINTS)))
        for power in range(DIMENSIONS)
    )


@lru_cache(maxsize=1)
def weights() -> tuple[float, ...]:
    """The weight of each point; together they are one.

    >>> abs(sum(weights()) - 1) < 1e-12
    True
    """
    columns = zip(*(picker(step_weights()) for picker in orders()), strict=True)
    products = [math.prod(column) for column in columns]
    total = math.fsum(products)
    return tuple(product / total for product in products)


@lru_cache(maxsize=1)
def step_weights() -> tuple[float, ...]:
    """The weight of each step of one coordinate; together they are one."""
    slopes = [smooth_step_slope(step) for step in STEPS]
    total = math.fsum(slopes)
    return tuple(slope / total for slope in slopes)


@lru_cache(maxsize=64)
def step_quantiles(shape: float) -> tuple[float, ...]:
    """The quantiles of a PERT distribution between 0 and 1 at the POINTS steps, in rising order."""
    return tuple(quantiles(shape, SMOOTH_STEPS))
