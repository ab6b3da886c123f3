"""How far off the forecasts would have been: every model, on published measurements.

Two questions are put to each series: all sizes but the largest are given and the largest is
forecast; or the first two or three are given and the largest is forecast. Nothing is learned from
the series that is forecast, nor from its family, except the constants named in ``CONSTANTS``.

The published series are ``measurements.backtest_series()``: throughput over whole nodes, three
sizes or more, MLPerf apart.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, median, quantiles

from scalesheet.calibration import fit
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
    seed_linear_eff,
)
from scalesheet.calibration.plain_fits import Sizes, fit_model
from scalesheet.calibration.step_time import fit_shrunk_step_time
from scalesheet.fabric_classes import OTHER
from scalesheet.measurements import Series, backtest_series
from scalesheet.scaling import loss_from_gbps, loss_per_node

OURS = "scalesheet"
SEED_CONSTANTS = "seed, its own constants"
CONSTANTS = (
    "scalesheet: losses, shapes, widths and the band were chosen once, on all five families of the "
    "backtest together with simulated series of five models and single-node and MLPerf series; the "
    "rough level of noise later, on those five, MLPerf and the eleven held-out publishers; "
    "robustness.nested chooses the prior for each family on all the others.",
    "step time: its constants were chosen on the series of the backtest.",
    "seed, its own constants: the loss of the seed's nearest class, from the smallest size.",
    "The other models have no constants but the seed's floor of 0.5.",
)
SEED_LOSS = {
    "H100 NDR-class": loss_per_node("NDR"),
    "RoCE 1600": loss_per_node("NDR"),
    "A100 HDR": loss_per_node("HDR"),
    "EDR shared": loss_per_node("RoCE100"),
    "V100 EDR": loss_per_node("RoCE100"),
    "Ethernet 10 K80": loss_from_gbps(10),
}
"""The seed's loss for each class of the series: its own class of that bandwidth per port, the
fastest it knows for RoCE of 1,600 Gb/s a node, its interpolation for 10 Gb/s."""
Forecaster = Callable[[Series, Sizes, float], tuple[float, float | None, float | None]]
"""From the sizes given and a size, the throughput there and the ends of its band, if any."""


@dataclass(frozen=True)
class Task:
    """A question of the backtest: how many sizes are given; 0 means all but the largest."""

    name: str
    given: int

    def split(self, sizes: Sizes) -> tuple[Sizes, tuple[float, float]] | None:
        """The sizes given and the one to forecast, or nothing where too few were measured."""
        count = self.given or len(sizes) - 1
        return (sizes[:count], sizes[-1]) if 1 <= count < len(sizes) else None


TASKS = (Task("all but the largest", 0), Task("first 2", 2), Task("first 3", 3))


@dataclass(frozen=True)
class Miss:
    """One forecast: log of measured over forecast, and of the band's ends where there is a band."""

    series: str
    family: str
    fabric_class: str
    task: str
    model: str
    given: int
    nodes: float
    doublings: float
    log_error: float
    below: float | None = None
    above: float | None = None

    @property
    def error(self) -> float:
        """Absolute error of the forecast, a share of what was measured."""
        return abs(math.expm1(-self.log_error))

    @property
    def inside(self) -> bool | None:
        """Whether the measurement lay in the band."""
        if self.below is None or self.above is None:
            return None
        return self.below <= self.log_error <= self.above

    @property
    def width(self) -> float | None:
        """Width of the band, a share of the forecast."""
        if self.below is None or self.above is None:
            return None
        return math.exp(self.above) - math.exp(self.below)


@dataclass(frozen=True)
class Score:
    """A row of the table: errors and widths are shares, 0-1."""

    model: str
    task: str
    group: str
    count: int
    median: float
    p90: float
    family_median: float
    inside: float | None
    median_width: float | None


def _plain(model: Model) -> Forecaster:
    def forecast(series: Series, given: Sizes, nodes: float) -> tuple[float, None, None]:
        return fit_model(model, given).throughput(nodes), None, None

    return forecast


def _step_time(series: Series, given: Sizes, nodes: float) -> tuple[float, None, None]:
    return fit_shrunk_step_time(given).throughput(nodes), None, None


def _seed_constants(series: Series, given: Sizes, nodes: float) -> tuple[float, None, None]:
    """The seed as it stands: no fit, its efficiency from the smallest size to the wanted one."""
    loss = SEED_LOSS[series.fabric_class]
    first_nodes, first_throughput = given[0]
    kept = seed_linear_eff(nodes, loss) / seed_linear_eff(first_nodes, loss)
    return first_throughput * nodes / first_nodes * kept, None, None


def _ours(series: Series, given: Sizes, nodes: float) -> tuple[float, float, float]:
    found = fit(given, OTHER).forecast(nodes)
    return found.throughput, found.low, found.high


FORECASTERS: dict[str, Forecaster] = {
    OURS: _ours,
    NO_LOSS.name: _plain(NO_LOSS),
    SEED_CONSTANTS: _seed_constants,
    **{model.name: _plain(model) for model in (SEED_LINEAR, AMDAHL, USL, POWER, RING, ALPHA_BETA)},
    STEP_TIME.name: _step_time,
}


def whole_nodes(series: Series) -> Sizes:
    """The sizes of a series on the axis of nodes."""
    return [(float(point.nodes), point.throughput) for point in series.points]


def forecasts(
    series: Iterable[Series],
    model: str,
    forecaster: Forecaster,
    tasks: Sequence[Task] = TASKS,
    sizes_of: Callable[[Series], Sizes] = whole_nodes,
) -> tuple[Miss, ...]:
    """Every forecast of one model on the series, for each task that a series is long enough for."""
    found = []
    for one in series:
        sizes = sizes_of(one)
        for task in tasks:
            split = task.split(sizes)
            if split:
                given, (nodes, measured) = split
                throughput, low, high = forecaster(one, given, nodes)
                found.append(
                    Miss(
                        series=one.name,
                        family=one.family,
                        fabric_class=one.fabric_class,
                        task=task.name,
                        model=model,
                        given=len(given),
                        nodes=nodes,
                        doublings=math.log2(nodes / given[-1][0]),
                        log_error=math.log(measured / throughput),
                        below=math.log(low / throughput) if low else None,
                        above=math.log(high / throughput) if high else None,
                    )
                )
    return tuple(found)


def score(misses: Sequence[Miss], group: str = "all") -> Score:
    """One row of the table from the forecasts of one model for one task.

    The 90th percentile is by linear interpolation; the median over families is that of the
    families' medians.
    """
    errors = [miss.error for miss in misses]
    families: dict[str, list[float]] = {}
    for miss in misses:
        families.setdefault(miss.family, []).append(miss.error)
    banded = [miss for miss in misses if miss.inside is not None]
    return Score(
        model=misses[0].model,
        task=misses[0].task,
        group=group,
        count=len(misses),
        median=median(errors),
        p90=quantiles(errors, n=10, method="inclusive")[-1] if len(errors) > 1 else errors[0],
        family_median=median(median(found) for found in families.values()),
        inside=fmean(bool(miss.inside) for miss in banded) if banded else None,
        median_width=median(miss.width or 0.0 for miss in banded) if banded else None,
    )


def scores(misses: Iterable[Miss], by: Callable[[Miss], str] = lambda miss: "all") -> list[Score]:
    """The table: a row for each model, task and group, in the order of the forecasts."""
    rows: dict[tuple[str, str, str], list[Miss]] = {}
    for miss in misses:
        rows.setdefault((miss.model, miss.task, by(miss)), []).append(miss)
    return [score(found, group) for (_, _, group), found in rows.items()]


@lru_cache(maxsize=1)
def backtest() -> tuple[Miss, ...]:
    """Every forecast of every model on the published series; about ten seconds."""
    series = backtest_series()
    return tuple(
        miss
        for model, forecaster in FORECASTERS.items()
        for miss in forecasts(series, model, forecaster)
    )
