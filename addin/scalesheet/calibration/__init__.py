"""Throughput at any size from one's own measured sizes, with a band and with what to know.

``fit`` weighs the curves of ``curves`` by the measured sizes. The forecast goes through the
measured sizes and follows the curves between and beyond them: beyond the largest size it starts
from there. All throughputs are totals of the whole run, never per GPU, in any unit; a time to train
is no throughput, since bigger batches need more samples (see ``samples_needed``).

>>> ours = fit([(1, 100), (2, 196), (4, 380)], "other")
>>> ours.throughput(4), ours.low(8) < ours.throughput(8) < ours.high(8)
(380.0, True)
>>> ours.efficiency(1)
1.0
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from scalesheet.calibration.ahead import CurvesAhead
from scalesheet.calibration.curves import PRIOR, Curves, ModelCurves, Prior, weigh
from scalesheet.calibration.models import POWER
from scalesheet.calibration.notes import WEIGHTED, notes_on_reach, notes_on_sizes
from scalesheet.calibration.plain_fits import fit_exactly
from scalesheet.calibration.sizes import Size, check_nodes, read_sizes
from scalesheet.fabric_classes import OTHER, class_named

# The constants of the band, which is meant to hold 80 %; chosen on the same series as the prior
# (see curves).
SPREAD_FACTOR = 1.2
"""By how much the spread of the curves is widened: no curve is quite right."""
NOISE_AT_SIZE, NOISE_PER_DOUBLING = 0.010, 0.010
"""One standard deviation at a measured size, and what each root of a doubling adds, as shares."""
LOSS_AHEAD_SHARE, LOSS_SEEN_SHARE = 0.3, 0.3
"""The same for the loss that is forecast, and for the loss seen so far with each root of a
doubling: where much is lost, more can change."""
NORMAL_90 = 1.2815515655446004
"""The normal distribution's 90 % quantile: where an 80 % band ends."""


class Forecast(NamedTuple):
    """Total throughput at a size: the ends of its 80 % band around it."""

    nodes: float
    low: float
    throughput: float
    high: float


@dataclass(frozen=True)
class ScalingFit:
    """What ``fit`` found. ``notes`` are sentences about the sizes themselves."""

    sizes: tuple[Size, ...]
    fabric_class: str
    method: str
    notes: tuple[str, ...]
    ahead: CurvesAhead = field(repr=False)

    def forecast(self, nodes: float) -> Forecast:
        """Throughput at a size and the ends of its band; ``nodes`` 1 to ten million.

        Errors: nodes out of bounds.
        """
        check_nodes(nodes)
        return _forecast(self, float(nodes))

    def throughput(self, nodes: float) -> float:
        """Total throughput at a size, in the unit of the measurements."""
        check_nodes(nodes)
        return _throughput(self, nodes, self.ahead.at(nodes).middle)

    def low(self, nodes: float) -> float:
        """The lower end of the 80 % band of throughput at a size."""
        return self.forecast(nodes).low

    def high(self, nodes: float) -> float:
        """The upper end of the 80 % band of throughput at a size."""
        return self.forecast(nodes).high

    def efficiency(self, nodes: float) -> float:
        """Share of the ideal speed-up kept at a size, against one node; never capped.

        One node is the measured one, or the forecast for one node where none was measured (a note
        says so).
        """
        return self.throughput(nodes) / nodes / self.throughput(1)

    def notes_at(self, nodes: float) -> tuple[str, ...]:
        """What to know about the forecast at a size: the notes and those on the reach."""
        return (*self.notes, *notes_on_reach(self.sizes, nodes))

    @property
    def parameters(self) -> tuple[tuple[str, float], ...]:
        """What the curves are on average, by name, as shares of a step on one node."""
        return self.ahead.curves.parameters

    @property
    def error(self) -> float:
        """Root mean square of the steps between sizes that the curves leave unexplained."""
        means = [
            math.fsum(a * b for a, b in zip(times, self.ahead.curves.weights, strict=True))
            for times in self.ahead.measured
        ]
        off = [size.log_time - mean for size, mean in zip(self.sizes, means, strict=True)]
        steps = [after - before for before, after in zip(off, off[1:])]  # noqa: B905, RUF007
        return math.sqrt(math.fsum(step**2 for step in steps) / len(steps)) if steps else 0.0

    def table(self) -> tuple[tuple[str, float | str], ...]:
        """The fit in lines of label and value: what was used, what was found, how well."""
        return (
            ("Sizes used", len(self.sizes)),
            ("Measurements used", sum(size.count for size in self.sizes)),
            ("Smallest size, nodes", self.sizes[0].nodes),
            ("Largest size, nodes", self.sizes[-1].nodes),
            ("Method", self.method),
            *self.parameters,
            ("Error of a step between sizes", self.error),
            ("Throughput of one node", self.throughput(1)),
            ("Efficiency at the largest size", self.efficiency(self.sizes[-1].nodes)),
            ("Notes", " ".join(self.notes)),
        )


def fit(points: Iterable[tuple[float, float]], fabric_class: str = OTHER) -> ScalingFit:
    """The fit of measured sizes, pairs of nodes and total throughput, in any order.

    A size may be given more than once: its median counts, and its spread widens the band. The
    class of fabric speaks only where one size alone was measured, which shows no loss at all;
    "other" takes nothing from a class.

    Errors: no points; nodes that are not whole or out of bounds; throughput not above zero; an
    unknown class, or one with too few series.
    """
    return fit_with(points, fabric_class, PRIOR)


def fit_with(points: Iterable[tuple[float, float]], fabric_class: str, prior: Prior) -> ScalingFit:
    """The same with another prior, for who asks how much hangs on it."""
    return _fit(read_sizes(points), _class_name(fabric_class), prior)


def _class_name(fabric_class: str) -> str:
    if fabric_class.strip().casefold() in ("", OTHER):
        return OTHER
    return class_named(fabric_class, besides=(OTHER,)).name


@lru_cache(maxsize=64)
def _fit(sizes: tuple[Size, ...], fabric_class: str, prior: Prior) -> ScalingFit:
    curves, method = _curves(sizes, fabric_class, prior)
    measured = tuple(tuple(curves.log_times(size.nodes)) for size in sizes)
    notes = notes_on_sizes(sizes, method)
    return ScalingFit(sizes, fabric_class, method, notes, CurvesAhead(sizes, curves, measured))


def _curves(
    sizes: tuple[Size, ...], fabric_class: str, prior: Prior
) -> tuple[Curves | ModelCurves, str]:
    """The curves and a word on where they come from."""
    if len(sizes) == 1 and fabric_class != OTHER:
        known = class_named(fabric_class)
        spread = (known.lower_quartile, known.median, known.upper_quartile)
        powers = tuple((POWER, (exponent,)) for exponent in spread)
        return ModelCurves((0.25, 0.5, 0.25), powers), f"published series of {fabric_class}"
    exact = fit_exactly([(size.nodes, size.throughput) for size in sizes])
    if exact:
        return ModelCurves((1.0,), ((exact.model, exact.parameters),)), exact.model.name
    return weigh(
        [size.nodes for size in sizes],
        [size.log_time for size in sizes],
        [size.spread for size in sizes],
        prior,
    ), WEIGHTED


def _throughput(found: ScalingFit, nodes: float, ahead: float) -> float:
    """From the measured sizes around, with the logarithm of the step's time from them on."""
    (first, _), *others = found.ahead.anchors(nodes)
    base = found.sizes[first]
    for index, share in others:
        ahead += share * (found.sizes[index].log_time - base.log_time)
    return base.throughput * (nodes / base.nodes) * math.exp(-ahead)


def _forecast(found: ScalingFit, nodes: float) -> Forecast:
    """What the curves say from the measured sizes on, and a band around it."""
    ahead = found.ahead.at(nodes)
    anchors = [found.sizes[index] for index, _ in found.ahead.anchors(nodes)]
    first, last = found.sizes[0], found.sizes[-1]
    doublings = min(abs(math.log2(nodes / size.nodes)) for size in anchors)
    loss_seen = max(0.0, last.log_time - first.log_time)
    variance = NOISE_AT_SIZE**2 + (LOSS_AHEAD_SHARE * ahead.middle) ** 2
    variance += (NOISE_PER_DOUBLING**2 + (LOSS_SEEN_SHARE * loss_seen) ** 2) * doublings
    variance += max(size.spread for size in anchors) ** 2
    noise = NORMAL_90 * math.sqrt(variance)
    below = math.hypot(SPREAD_FACTOR * max(0.0, ahead.slow - ahead.middle), noise)
    above = math.hypot(SPREAD_FACTOR * max(0.0, ahead.middle - ahead.fast), noise)
    throughput = _throughput(found, nodes, ahead.middle)
    return Forecast(nodes, throughput * math.exp(-below), throughput, throughput * math.exp(above))
