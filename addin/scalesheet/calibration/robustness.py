"""Does it hold elsewhere? The prior chosen without the family, and series of other regimes.

``nested`` asks what the backtest would say had the prior been chosen on the other families alone.
``elsewhere`` puts the same questions to published series that the backtest leaves out, whose
regimes differ: MLPerf throughput, which is tuned at each size, over whole nodes; and the GPUs
inside one node and across rounded figures, over GPUs instead of nodes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from random import Random
from statistics import fmean

from scalesheet.calibration import fit_with
from scalesheet.calibration.backtest import (
    FORECASTERS,
    SEED_CONSTANTS,
    TASKS,
    Miss,
    forecasts,
    whole_nodes,
)
from scalesheet.calibration.curves import PRIOR, Prior, Shape
from scalesheet.calibration.plain_fits import Sizes
from scalesheet.fabric_classes import OTHER
from scalesheet.measurements import Series, backtest_series, load_series

NESTED = "scalesheet, prior from other families"
MLPERF, BY_GPUS = "MLPerf throughput", "over GPUs"


def _with_prior(
    prior: Prior, series: Series, given: Sizes, nodes: float
) -> tuple[float, float, float]:
    found = fit_with(given, OTHER, prior).forecast(nodes)
    return found.throughput, found.low, found.high


def candidate_priors() -> tuple[Prior, ...]:
    """Nine priors around ours: usual losses lower and higher, growth slower and faster."""
    growths = ((0.20, 0.45, 0.30, 0.05), (0.35, 0.50, 0.10, 0.05), (0.10, 0.25, 0.50, 0.15))
    return tuple(
        replace(
            PRIOR,
            at_once=tuple(
                replace(shape, usual_loss=shape.usual_loss * factor) for shape in PRIOR.at_once
            ),
            growing=tuple(
                Shape(weight, shape.usual_loss * factor, shape.grows)
                for weight, shape in zip(growth, PRIOR.growing, strict=True)
            ),
        )
        for factor in (1.0, 0.6, 1.6)
        for growth in growths
    )


@lru_cache(maxsize=1)
def nested() -> tuple[Miss, ...]:
    """Our forecasts with the prior chosen, for each family, on the other families alone.

    The choice is the least mean over the other families of the mean of log(1 + error/2 %); about
    a minute.
    """
    series = backtest_series()
    tried = [forecasts(series, NESTED, partial(_with_prior, prior)) for prior in candidate_priors()]
    families = dict.fromkeys(one.family for one in series)

    def loss(misses: Sequence[Miss], without: str) -> float:
        by_family: dict[str, list[float]] = {}
        for miss in misses:
            if miss.family != without:
                by_family.setdefault(miss.family, []).append(math.log1p(miss.error / 0.02))
        return fmean(fmean(found) for found in by_family.values())

    return tuple(
        miss
        for family in families
        for miss in min(tried, key=lambda misses: loss(misses, family))
        if miss.family == family
    )


def over_gpus(series: Series) -> Sizes:
    """The sizes of a series on the axis of GPUs, a part of a node included."""
    return [(float(gpus), throughput) for gpus, throughput in series.by_gpus]


@lru_cache(maxsize=1)
def elsewhere() -> dict[str, tuple[Miss, ...]]:
    """All but the largest, for every model but the seed's constants, by regime."""
    left_out = [one for one in load_series() if not one.backtest and one.measure == "throughput"]
    mlperf = [one for one in left_out if one.family.startswith("MLPerf")]
    others = [one for one in left_out if not one.family.startswith("MLPerf")]
    models = {name: model for name, model in FORECASTERS.items() if name != SEED_CONSTANTS}
    return {
        regime: tuple(
            miss
            for name, model in models.items()
            for miss in forecasts(_long(series, sizes_of), name, model, TASKS[:1], sizes_of)
        )
        for regime, series, sizes_of in (
            (MLPERF, mlperf, whole_nodes),
            (BY_GPUS, others, over_gpus),
        )
    }


def _long(series: Sequence[Series], sizes_of: Callable[[Series], Sizes]) -> list[Series]:
    """The series with three sizes or more that are not the same as an earlier one's."""
    found: dict[tuple[tuple[float, float], ...], Series] = {}
    for one in series:
        sizes = tuple(sizes_of(one))
        if len(sizes) >= 3:
            found.setdefault(sizes, one)
    return list(found.values())


@dataclass(frozen=True)
class Paired:
    """How much smaller the error of one model is than of another, on the same forecasts.

    ``difference`` is the mean over families of the mean of one error less the other, a share: below
    0 the first is nearer. ``low`` and ``high`` hold 80 % of it when families are drawn again with
    replacement; with five families that says little more than the sign.
    """

    difference: float
    low: float
    high: float
    families: int


RESAMPLES = 4000


def paired(one: Sequence[Miss], other: Sequence[Miss]) -> Paired:
    """The paired difference of two models' errors, with a family bootstrap of fixed draws.

    Both hold the forecasts of the same series and tasks; what only one of them holds is left out.
    """
    errors = {(miss.series, miss.task): miss.error for miss in other}
    by_family: dict[str, list[float]] = {}
    for miss in one:
        key = (miss.series, miss.task)
        if key in errors:
            by_family.setdefault(miss.family, []).append(miss.error - errors[key])
    means = [fmean(found) for found in by_family.values()]
    draw = Random(0)
    drawn = sorted(fmean(draw.choices(means, k=len(means))) for _ in range(RESAMPLES))
    low, high = drawn[RESAMPLES // 10], drawn[-RESAMPLES // 10]
    return Paired(fmean(means), low, high, len(means))
