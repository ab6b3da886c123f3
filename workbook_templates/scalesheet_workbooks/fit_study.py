"""A fit of measured sizes put into the figures that a reader asks for.

Every figure is in the unit of the file: where that is a time, the band of the time is that of the
rate turned round.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scalesheet.batch_size import time_to_train_eff
from scalesheet.calibration import ScalingFit, fit
from scalesheet.calibration.value import DOUBLINGS_PAST, Step, ladder, stops_paying
from scalesheet.fabric_classes import OTHER
from scalesheet_workbooks.measurement_files import THROUGHPUT, Measurements

MANY_UNITS = (1.0, 1e3, 1e6, 1e9, 1e12)
READABLE_PRICE = 0.1
"""A price of so many units of work is stated that is at least this."""


@dataclass(frozen=True, slots=True)
class Price:
    """What one node costs in an hour, and how that was said."""

    node_hour: float
    currency: str
    said: str


@dataclass(frozen=True, slots=True)
class Row:
    """A size: the figure there and the ends of its 80 % band, and what doubling it brings.

    Costs are of ``units`` of work (see ``Study``) and None without a price.
    """

    nodes: int
    gpus: int | None
    measured: bool
    low: float
    figure: float
    high: float
    efficiency: float
    gain_of_doubling: float
    cost: float | None
    cost_of_added: float | None


@dataclass(frozen=True, slots=True)
class Samples:
    """Where a time to train goes: samples against the first size, and the shares that are kept."""

    nodes: int
    samples_ratio: float
    throughput_efficiency: float
    time_to_train_efficiency: float


@dataclass(frozen=True)
class Study:
    """All that is said about a file of measurements."""

    measurements: Measurements
    found: ScalingFit
    rows: tuple[Row, ...]
    stops_at: int | None
    notes: tuple[str, ...]
    samples: tuple[Samples, ...]
    price: Price | None
    units: float
    formula: str

    @property
    def last_measured(self) -> int:
        """The largest measured size."""
        return self.found.sizes[-1].nodes


def study(
    measurements: Measurements,
    fabric_class: str = OTHER,
    price: Price | None = None,
    sizes: Sequence[int] = (),
) -> Study:
    """The fit and its figures at the measured sizes, and at ``sizes`` or doublings past them.

    Errors: those of the fit; an unknown class.
    """
    scale = measurements.scale
    found = fit([(point.nodes, point.rate) for point in measurements.points], fabric_class)
    known = [size.nodes for size in found.sizes]
    further = sizes or [known[-1] * 2**i for i in range(1, DOUBLINGS_PAST + 1)]
    steps = ladder(
        found,
        price.node_hour if price else None,
        [*known, *further],
        scale.unit.seconds,
    )
    units = _units(steps)
    rows = tuple(_row(step, measurements, units) for step in steps)
    return Study(
        measurements=measurements,
        found=found,
        rows=rows,
        stops_at=stops_paying(steps),
        notes=(*measurements.remarks, *_on_the_class(found), *found.notes_at(steps[-1].nodes)),
        samples=_samples(measurements),
        price=price,
        units=units,
        formula=formula(measurements, found, max(further)),
    )


def _row(step: Step, measurements: Measurements, units: float) -> Row:
    scale, forecast = measurements.scale, step.forecast
    figures = [
        scale.shown(step.nodes, rate) for rate in (forecast.low, forecast.throughput, forecast.high)
    ]
    of_node = measurements.gpus_per_node
    return Row(
        nodes=step.nodes,
        gpus=step.nodes * of_node if of_node else None,
        measured=step.measured,
        low=min(figures),
        figure=figures[1],
        high=max(figures),
        efficiency=step.efficiency,
        gain_of_doubling=step.gain_of_doubling,
        cost=None if step.cost_per_unit is None else step.cost_per_unit * units,
        cost_of_added=(
            None if step.cost_of_added_unit is None else step.cost_of_added_unit * units
        ),
    )


def _units(steps: Sequence[Step]) -> float:
    """So many units of work that their price has digits before the point, or nearly."""
    least = min((step.cost_per_unit for step in steps if step.cost_per_unit), default=1.0)
    return next((many for many in MANY_UNITS if least * many >= READABLE_PRICE), MANY_UNITS[-1])


def _on_the_class(found: ScalingFit) -> tuple[str, ...]:
    if found.fabric_class == OTHER or len(found.sizes) == 1:
        return ()
    return (
        f'The class "{found.fabric_class}" changes nothing: your own {len(found.sizes)} sizes '
        "say more.",
    )


def _samples(measurements: Measurements) -> tuple[Samples, ...]:
    """Samples and the two efficiencies at each size, where the samples of runs are known."""
    by_nodes: dict[int, list[tuple[float, float]]] = {}
    for point in measurements.points:
        if point.samples is None or measurements.scale.measure is not THROUGHPUT:
            return ()
        by_nodes.setdefault(point.nodes, []).append((point.rate, point.samples))
    middle = {
        nodes: tuple(median(values) for values in zip(*pairs, strict=True))
        for nodes, pairs in sorted(by_nodes.items())
    }
    first, (first_rate, first_samples) = next(iter(middle.items()))
    found = []
    for nodes, (rate, samples) in middle.items():
        kept, ratio = rate / nodes / (first_rate / first), samples / first_samples
        found.append(Samples(nodes, ratio, kept, time_to_train_eff(kept, ratio)))
    return tuple(found)


def formula(measurements: Measurements, found: ScalingFit, nodes: int) -> str:
    """The cell that gives the figure at a size, the measurements written into it."""
    scale = measurements.scale
    sizes = ";".join(f"{point.nodes}" for point in measurements.points)
    rates = ";".join(f"{point.rate:.15g}" for point in measurements.points)
    call = f'SCALING_PREDICT({nodes},"{found.fabric_class}",{{{sizes}}},{{{rates}}})'
    if scale.measure.is_time:
        return f"={nodes if scale.per_node else 1}/{call}"
    return f"={call}/{nodes}" if scale.per_node else f"={call}"


def curve(found: ScalingFit, last: int, points: int = 160) -> list[int]:
    """Whole numbers of nodes for a curve, evenly apart on a logarithmic axis, to ``last``."""
    first = found.sizes[0].nodes
    spaced = (
        round(first * math.exp(math.log(last / first) * i / (points - 1))) for i in range(points)
    )
    return sorted({*spaced, first, last, *(size.nodes for size in found.sizes)})
