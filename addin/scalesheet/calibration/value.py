"""What each doubling of a cluster brings, what it costs, and where it stops paying.

>>> from scalesheet.calibration import fit
>>> steps = ladder(fit([(1, 100), (2, 196), (4, 380)]), node_hour_price=20.0)
>>> [step.nodes for step in steps]
[1, 2, 4, 8, 16, 32]
>>> round(steps[0].gain_of_doubling, 9)
0.96
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scalesheet.calibration import Forecast, ScalingFit

SECONDS_PER_HOUR = 3600.0
LEAST_GAIN = 0.5
"""A doubling that brings less than half as much again has, by the usual reading, stopped paying:
the work that the added nodes do then costs more than twice what it cost before."""
DOUBLINGS_PAST = 3
"""How far past the largest measured size a ladder looks; further on, it is all forecast."""


class Step(NamedTuple):
    """A size and what doubling it brings.

    ``gain_of_doubling`` is the share by which throughput grows when the nodes double: 1 at perfect
    scaling, 0 when nothing is gained, below 0 when it falls. ``cost_per_unit`` is the price of one
    unit of work at this size, ``cost_of_added_unit`` that of one unit of the work that the doubling
    adds (nothing where it adds none); both are nothing without a price. ``measured`` says that the
    size is a measured one.
    """

    nodes: int
    measured: bool
    forecast: Forecast
    efficiency: float
    gain_of_doubling: float
    cost_per_unit: float | None
    cost_of_added_unit: float | None


def ladder(
    found: ScalingFit,
    node_hour_price: float | None = None,
    sizes: Iterable[int] | None = None,
    throughput_seconds: float = 1.0,
) -> tuple[Step, ...]:
    """The sizes one by one: the measured ones and doublings past them, or those given.

    node_hour_price is the price of one node for one hour; throughput_seconds the seconds to which
    the throughput refers (1 for samples a second, 60 for samples a minute).
    """
    measured = [size.nodes for size in found.sizes]
    if sizes is None:
        sizes = [*measured, *(measured[-1] * 2**i for i in range(1, DOUBLINGS_PAST + 1))]
    steps = []
    for nodes in sorted(set(sizes)):
        now, then = found.forecast(nodes), found.throughput(2 * nodes)
        added = then - now.throughput
        hourly = SECONDS_PER_HOUR / throughput_seconds
        price = None if node_hour_price is None else node_hour_price * nodes / hourly
        steps.append(
            Step(
                nodes=nodes,
                measured=nodes in measured,
                forecast=now,
                efficiency=found.efficiency(nodes),
                gain_of_doubling=added / now.throughput,
                cost_per_unit=None if price is None else price / now.throughput,
                cost_of_added_unit=price / added if price is not None and added > 0 else None,
            )
        )
    return tuple(steps)


def stops_paying(steps: Sequence[Step], least_gain: float = LEAST_GAIN) -> int | None:
    """The first size of a ladder whose doubling brings less than ``least_gain``, or nothing.

    0.5 asks for half as much throughput again for twice the nodes. With a value of the work it is
    price over value: the added nodes pay while what they add is worth more than they cost, that is
    while ``gain_of_doubling`` is at least ``cost_per_unit`` over the value of a unit. Nothing means
    that doubling still pays at the last size looked at, which may be far past what was measured.

    >>> from scalesheet.calibration import fit
    >>> stops_paying(ladder(fit([(1, 100), (2, 180), (4, 290), (8, 380), (16, 400)])))
    4
    """
    return next((step.nodes for step in steps if step.gain_of_doubling < least_gain), None)
