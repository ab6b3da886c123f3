"""Does it hold elsewhere? The prior chosen without the family, and series of other regimes.

``nested`` asks what the backtest would say had the prior been chosen on the other families alone;
``nested_held_out`` asks it of the publishers of ``holdout_series``. ``elsewhere`` puts the same
questions to published series that the backtest leaves out: those publishers (parameter servers to
128 nodes, Ethernet, TPU slices, CPU clusters); MLPerf throughput, which is tuned at each size, over
whole nodes; and the GPUs inside one node and across rounded figures, over GPUs instead of nodes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from scalesheet.calibration.models import ALPHA_BETA, AMDAHL, POWER, STEP_TIME, USL
from scalesheet.calibration.plain_fits import Sizes
from scalesheet.fabric_classes import OTHER
from scalesheet.measurements import Series, backtest_series, holdout_series, load_series

NESTED = "scalesheet, prior from other families"
HELD_OUT, MLPERF, BY_GPUS = "held-out publishers", "MLPerf throughput", "over GPUs"
NOISES = (PRIOR.noise, ((0.7, 0.008), (0.3, 0.025)))
"""The noise with rough data and the one without, with which the method was first judged."""
PLAIN_MODELS = tuple(model.name for model in (AMDAHL, USL, POWER, ALPHA_BETA, STEP_TIME))


def _with_prior(
    prior: Prior, series: Series, given: Sizes, nodes: float
) -> tuple[float, float, float]:
    found = fit_with(given, OTHER, prior).forecast(nodes)
    return found.throughput, found.low, found.high


def candidate_priors() -> tuple[Prior, ...]:
    """Ten priors: ours, with losses lower and higher and growth slower and faster; two noises."""
    usual = tuple(shape.weight for shape in PRIOR.growing)
    variants = (
        (1.0, usual),
        (0.6, usual),
        (1.6, usual),
        (1.0, (0.35, 0.50, 0.10, 0.05)),
        (1.0, (0.10, 0.25, 0.50, 0.15)),
    )
    return tuple(
        PRIOR._replace(
            at_once=tuple(
                shape._replace(usual_loss=shape.usual_loss * factor) for shape in PRIOR.at_once
            ),
            growing=tuple(
                Shape(weight, shape.usual_loss * factor, shape.grows)
                for weight, shape in zip(growth, PRIOR.growing, strict=True)
            ),
            noise=noise,
        )
        for noise in NOISES
        for factor, growth in variants
    )


def nested() -> tuple[Miss, ...]:
    """Our forecasts of the backtest with the prior chosen, for each family, on all the others.

    For each prior and collection (backtest, held out), the mean over families of the mean of
    log(1 + error/2 %) is compared with that of the best plain model; the prior is chosen whose
    worse comparison is the better one. About two minutes.
    """
    return _nested()[0]


def nested_held_out() -> tuple[Miss, ...]:
    """The same for the held-out publishers."""
    return _nested()[1]


@lru_cache(maxsize=1)
def _nested() -> tuple[tuple[Miss, ...], tuple[Miss, ...]]:
    collections = (backtest_series(), holdout_series())
    tried = [
        [forecasts(series, NESTED, partial(_with_prior, prior)) for series in collections]
        for prior in candidate_priors()
    ]
    plain = [
        [forecasts(series, model, FORECASTERS[model]) for series in collections]
        for model in PLAIN_MODELS
    ]

    def chosen(family: str) -> list[tuple[Miss, ...]]:
        best = [min(_loss(model[i], family) for model in plain) for i in range(2)]
        return min(
            tried, key=lambda found: max(_loss(found[i], family) - best[i] for i in range(2))
        )

    backtest, held_out = (
        tuple(
            miss
            for family in dict.fromkeys(one.family for one in series)
            for miss in chosen(family)[i]
            if miss.family == family
        )
        for i, series in enumerate(collections)
    )
    return backtest, held_out


def _loss(misses: Sequence[Miss], without: str) -> float:
    """Mean over families but one of the mean of log(1 + error/2 %)."""
    by_family: dict[str, list[float]] = {}
    for miss in misses:
        if miss.family != without:
            by_family.setdefault(miss.family, []).append(math.log1p(miss.error / 0.02))
    return fmean(fmean(found) for found in by_family.values())


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
            (HELD_OUT, list(holdout_series()), whole_nodes),
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
"""Draws of the bootstrap over families."""


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
