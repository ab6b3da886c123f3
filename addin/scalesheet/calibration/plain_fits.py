"""Plain models fitted to measured sizes.

A fit finds the parameters, zero or more, and the level of throughput by least squares on log
throughput, so that an error of a share counts the same at every size. Where there are fewer sizes
than unknowns, the later parameters stay at zero: two sizes show one loss and no more.
"""

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from scalesheet.calibration.models import (
    ALPHA_BETA,
    AMDAHL,
    NO_LOSS,
    POWER,
    RING,
    SEED_LINEAR,
    STEP_TIME,
    USL,
    Model,
    linear_term,
)

Sizes = Sequence[tuple[float, float]]
"""Nodes and total throughput, each size once."""
EXACT, NEARLY_EXACT = 1e-4, 6e-4
"""A model that misses no size by more than this share is taken at its word: the second, which is
rounding to four digits, only with two sizes to spare."""


class PlainFit(NamedTuple):
    """A model fitted to sizes: ``level`` is the throughput of one node, ``error`` the root mean
    square of the log residuals, a share."""

    model: Model
    parameters: tuple[float, ...]
    level: float
    error: float

    def efficiency(self, nodes: float) -> float:
        """Share of the ideal speed-up kept, against the model's own single node."""
        return self.model.efficiency(nodes, *self.parameters)

    def throughput(self, nodes: float) -> float:
        """Total throughput at a size, in the unit of the measurements."""
        return self.level * nodes * self.efficiency(nodes)


def fit_model(model: Model, sizes: Sizes) -> PlainFit:
    """The parameters, zero or more, that come nearest to the sizes; at least one size.

    >>> halved = fit_model(AMDAHL, [(1, 100), (11, 550)])
    >>> round(halved.parameters[0], 9), round(halved.throughput(21), 6)
    (0.1, 700.0)
    """
    free = len(sizes) - 1
    if model is SEED_LINEAR and free:
        parameters: tuple[float, ...] = (_best_seed_loss(sizes),)
    elif model is POWER and free:
        parameters = (max(0.0, _log_log_slope(sizes)),)
    else:
        terms = model.terms[:free]
        parameters = _nonnegative(terms, sizes) if terms else ()
    parameters += (0.0,) * (len(model.parameters) - len(parameters))
    return _levelled(model, parameters, sizes)


def _levelled(model: Model, parameters: tuple[float, ...], sizes: Sizes) -> PlainFit:
    kept = [model.efficiency(nodes, *parameters) for nodes, _ in sizes]
    if not all(kept):
        return PlainFit(model, parameters, 0.0, math.inf)  # so steep that nothing is left
    logs = [
        math.log(throughput / nodes / share)
        for (nodes, throughput), share in zip(sizes, kept, strict=True)
    ]
    middle = math.fsum(logs) / len(logs)
    error = math.sqrt(math.fsum((value - middle) ** 2 for value in logs) / len(logs))
    return PlainFit(model, parameters, math.exp(middle), error)


def _log_log_slope(sizes: Sizes) -> float:
    """The power with which throughput per node falls, by least squares; may be negative."""
    xs = [math.log(nodes) for nodes, _ in sizes]
    ys = [math.log(nodes / throughput) for nodes, throughput in sizes]
    x_mean, y_mean = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    covariance = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return covariance / math.fsum((x - x_mean) ** 2 for x in xs)


def _best_seed_loss(sizes: Sizes) -> float:
    """The seed's loss a node: a scan, since its floor makes corners, then golden section."""

    def misfit(loss: float) -> float:
        return _levelled(SEED_LINEAR, (loss,), sizes).error

    scan = [0.0, *(10 ** (power / 10 - 5) for power in range(50))]
    best = min(range(len(scan)), key=lambda i: misfit(scan[i]))
    low, high = scan[max(0, best - 1)], scan[min(len(scan) - 1, best + 1)]
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if misfit(left) <= misfit(right) else (left, high)
    return (low + high) / 2


def _nonnegative(terms: Sequence[Callable[[float], float]], sizes: Sizes) -> tuple[float, ...]:
    """The parameters of 1 + sum(parameter x term), zero or more, nearest on log throughput.

    Every choice of parameters held at zero is tried, which is four at most, each by damped
    Gauss-Newton from a small and a large start; the nearest one in bounds is the answer.
    """
    columns = [[term(nodes) for nodes, _ in sizes] for term in terms]
    target = [math.log(nodes / throughput) for nodes, throughput in sizes]
    best = (_misfit(columns, target, [0.0] * len(terms)), [0.0] * len(terms))
    for count in range(1, len(terms) + 1):
        for chosen in combinations(range(len(terms)), count):
            for start in (1e-3, 0.1, 10.0):
                guess = [start / max(columns[i]) if i in chosen else 0.0 for i in range(len(terms))]
                found = _descend(columns, target, guess, chosen)
                best = min(best, (_misfit(columns, target, found), found), key=lambda pair: pair[0])
    return tuple(best[1])


def _misfit(columns: list[list[float]], target: list[float], values: list[float]) -> float:
    residuals = [
        y
        - math.log1p(sum(value * column[i] for value, column in zip(values, columns, strict=True)))
        for i, y in enumerate(target)
    ]
    middle = math.fsum(residuals) / len(residuals)
    return math.fsum((value - middle) ** 2 for value in residuals)


def _descend(
    columns: list[list[float]], target: list[float], guess: list[float], chosen: tuple[int, ...]
) -> list[float]:
    """Damped Gauss-Newton over the chosen parameters, which stay at zero or above."""
    values, damping = guess, 1e-3
    now = _misfit(columns, target, values)
    for _ in range(200):
        times = [
            1 + sum(v * c[i] for v, c in zip(values, columns, strict=True))
            for i in range(len(target))
        ]
        slopes = [_centred([columns[k][i] / t for i, t in enumerate(times)]) for k in chosen]
        residuals = _centred([y - math.log(t) for y, t in zip(target, times, strict=True)])
        normal = [
            [math.fsum(a * b for a, b in zip(p, q, strict=True)) for q in slopes] for p in slopes
        ]
        right = [math.fsum(a * b for a, b in zip(p, residuals, strict=True)) for p in slopes]
        for _ in range(30):
            step = _solved(normal, right, damping)
            trial = list(values)
            for k, change in zip(chosen, step, strict=True):
                trial[k] = max(0.0, values[k] + change)
            then = _misfit(columns, target, trial)
            if then <= now:
                break
            damping *= 4
        else:
            return values
        moved = max(abs(a - b) / (abs(a) + 1e-12) for a, b in zip(trial, values, strict=True))
        values, now, damping = trial, then, max(damping / 10, 1e-15)
        if moved < 1e-13:
            break
    return values


def _centred(values: list[float]) -> list[float]:
    middle = math.fsum(values) / len(values)
    return [value - middle for value in values]


def _solved(normal: list[list[float]], right: list[float], damping: float) -> list[float]:
    """One or two damped normal equations, solved."""
    a = normal[0][0] * (1 + damping)
    if len(right) == 1:
        return [right[0] / a if a else 0.0]
    b, d = normal[0][1], normal[1][1] * (1 + damping)
    determinant = a * d - b * b
    if determinant <= 0:
        return [right[0] / a if a else 0.0, 0.0]
    return [
        (right[0] * d - b * right[1]) / determinant,
        (a * right[1] - b * right[0]) / determinant,
    ]


def fit_exactly(sizes: Sizes) -> PlainFit | None:
    """The model with the fewest parameters that goes through all sizes, with one to spare.

    Measurements never do that; planned and rounded figures do. Linear least squares on the time of
    a step finds it at once, since a model that fits exactly is linear there.

    >>> fit_exactly([(n, n / (1 + 0.02 * (n - 1))) for n in (1, 2, 4)]).model.name
    'Amdahl'
    >>> fit_exactly([(1, 100), (2, 190), (4, 380)]) is None
    True
    """
    for tolerance, least_spare in ((EXACT, 1), (NEARLY_EXACT, 2)):
        for model in (NO_LOSS, AMDAHL, RING, POWER, SEED_LINEAR, ALPHA_BETA, STEP_TIME, USL):
            spare = len(sizes) - 1 - len(model.parameters)
            if len(sizes) >= 3 and spare >= least_spare:
                parameters = _exact_parameters(model, sizes)
                if parameters is not None:
                    fit = _levelled(model, parameters, sizes)
                    if _worst_miss(fit, sizes) <= tolerance:
                        return fit
    return None


def _worst_miss(fit: PlainFit, sizes: Sizes) -> float:
    return max(abs(fit.throughput(nodes) / throughput - 1) for nodes, throughput in sizes)


def _exact_parameters(model: Model, sizes: Sizes) -> tuple[float, ...] | None:
    """The parameters by linear least squares, or nothing where one is below zero.

    The step's time is linear in level and parameters, the seed's efficiency in its own.
    """
    if model is NO_LOSS:
        return ()
    if model is POWER:
        found = [_log_log_slope(sizes)]
    else:
        terms, sign = (model.terms, 1) if model.terms else ((linear_term,), -1)
        rows = []
        for nodes, throughput in sizes:
            scale = (nodes / throughput) ** sign
            rows.append([1 / scale, *(term(nodes) / scale for term in terms)])
        level, *slopes = least_squares(rows, [1.0] * len(rows))
        found = [sign * slope / level for slope in slopes] if level > 0 else [-1.0]
    if min(found) < -EXACT:
        return None
    return tuple(max(0.0, value) for value in found)


def least_squares(rows: list[list[float]], targets: list[float]) -> list[float]:
    """The coefficients that bring every row's sum nearest to its target (normal equations)."""
    width = len(rows[0])
    tops = [max(abs(row[k]) for row in rows) or 1.0 for k in range(width)]
    scaled = [[value / top for value, top in zip(row, tops, strict=True)] for row in rows]
    table = [
        [math.fsum(row[i] * row[j] for row in scaled) for j in range(width)]
        + [math.fsum(row[i] * target for row, target in zip(scaled, targets, strict=True))]
        for i in range(width)
    ]
    for i in range(width):
        pivot = max(range(i, width), key=lambda k: abs(table[k][i]))
        table[i], table[pivot] = table[pivot], table[i]
        if not table[i][i]:
            return [0.0] * width
        for k in range(width):
            if k != i:
                factor = table[k][i] / table[i][i]
                table[k] = [a - factor * b for a, b in zip(table[k], table[i], strict=True)]
    return [table[i][width] / table[i][i] / tops[i] for i in range(width)]
