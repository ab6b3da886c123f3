"""The step-time form, drawn towards usual losses: the best single form known before this work.

With t_i the time of a step against that of the largest size, T(n) = t0 + h (n - 1)/n +
s (sqrt(n) - 1), all zero or more, minimises the squared errors over 1 % plus
((h - 0.03 t0)/0.05)^2 + ((s - 0.015 t0)/0.01)^2; with three sizes or more, sizes that are off count
less, six times over. Its constants were chosen on the series of the backtest.
"""

import math
from collections.abc import Sequence
from itertools import combinations

from scalesheet.calibration.models import STEP_TIME, ring_term, root_term
from scalesheet.calibration.plain_fits import PlainFit, Sizes, least_squares

NOISE = 0.01
"""Of a measured time, a share."""
USUAL = ((0.03, 0.05), (0.015, 0.01))
"""Usual value and width of h and of s, as shares of t0."""
OFF, ROUNDS = 0.02, 6
"""The share by which a size is off from which it counts less, and how often that is repeated."""


def fit_shrunk_step_time(sizes: Sizes) -> PlainFit:
    """The form through one size or more; its level is that of the largest size.

    >>> round(fit_shrunk_step_time([(1, 100), (2, 196), (4, 380)]).throughput(8), 1)
    749.7
    """
    last_nodes, last_throughput = sizes[-1]
    unit = last_nodes / last_throughput
    times = [nodes / throughput / unit for nodes, throughput in sizes]
    weights = [1.0] * len(sizes)
    for _ in range(ROUNDS + 1 if len(sizes) >= 3 else 1):
        rows, targets = _equations(sizes, times, weights)
        start, ring, root = _nonnegative_least_squares(rows, targets)
        fitted = [start + ring * ring_term(n) + root * root_term(n) for n, _ in sizes]
        weights = [
            min(1.0, OFF / max(abs(math.log(t / f)), 1e-12))
            for t, f in zip(times, fitted, strict=True)
        ]
    # The level follows from the last size itself, as the form has it: x(n) = n (x_k/n_k)/T(n).
    return PlainFit(STEP_TIME, (ring / start, root / start), 1 / (unit * start), 0.0)


def _equations(
    sizes: Sizes, times: Sequence[float], weights: Sequence[float]
) -> tuple[list[list[float]], list[float]]:
    """Rows and targets of the least squares: one for each size, one for each usual value."""
    rows, targets = [], []
    for (nodes, _), time, weight in zip(sizes, times, weights, strict=True):
        scale = math.sqrt(weight) / (NOISE * time)
        rows.append([scale, scale * ring_term(nodes), scale * root_term(nodes)])
        targets.append(scale * time)
    for position, (usual, width) in enumerate(USUAL, start=1):
        row = [-usual / width, 0.0, 0.0]
        row[position] = 1 / width
        rows.append(row)
        targets.append(0.0)
    return rows, targets


def _nonnegative_least_squares(rows: list[list[float]], targets: list[float]) -> list[float]:
    """The nearest coefficients, zero or more: every choice of those held at zero is tried."""
    best, nearest = [1.0, 0.0, 0.0], math.inf
    for free in ((0, *others) for count in range(3) for others in combinations((1, 2), count)):
        found = least_squares([[row[i] for i in free] for row in rows], targets)
        if min(found) >= 0:
            values = [0.0, 0.0, 0.0]
            for i, value in zip(free, found, strict=True):
                values[i] = value
            off = math.fsum(
                (sum(a * b for a, b in zip(row, values, strict=True)) - target) ** 2
                for row, target in zip(rows, targets, strict=True)
            )
            if off < nearest:
                best, nearest = values, off
    return best
