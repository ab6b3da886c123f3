"""Find the multiplier of the lattice behind TRAIN_COST_RISK: python tests/lattice_search.py.

Every multiplier is tried; the best has the smallest P2, the squared worst-case error over periodic
functions with square integrable mixed first derivatives (Sloan and Joe, 1994, chapter 4):
the mean over the points of the product of 1 + 2 pi^2 B2(x_j), less one, with B2 = x^2 - x + 1/6.
"""

import math
from functools import cache

import numpy

from scalesheet.lattice import DIMENSIONS, POINTS


@cache
def merits(points: int = POINTS, dimensions: int = DIMENSIONS) -> tuple[float, ...]:
    """P2 of every multiplier from 1 to half the points; the other half mirrors these."""
    places = numpy.arange(points)
    x = places / points
    kernel = 1 + 2 * math.pi**2 * (x * x - x + 1 / 6)

    def merit(multiplier: int) -> float:
        generator = [pow(multiplier, power, points) for power in range(dimensions)]
        product = numpy.prod([kernel[places * step % points] for step in generator], axis=0)
        return float(product.mean() - 1)

    return tuple(merit(multiplier) for multiplier in range(1, points // 2 + 1))


def best_multiplier() -> int:
    """The multiplier with the smallest P2, the smallest of equals."""
    found = merits()
    smallest = min(found)
    # Multipliers that are each other's inverses give the same lattice, up to rounding.
    return next(
        place for place, merit in enumerate(found, 1) if math.isclose(merit, smallest, rel_tol=1e-9)
    )


if __name__ == "__main__":
    multiplier = best_multiplier()
    print(f"{POINTS} points: multiplier {multiplier}, P2 {merits()[multiplier - 1]:.4g}")
