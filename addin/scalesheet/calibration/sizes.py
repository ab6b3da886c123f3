"""Measured sizes: repeats folded together, in order, checked.

A size is given by its nodes and by the total throughput of the whole run, not per GPU. It may be
given more than once: the median counts, and the spread says how sure it is.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from scalesheet.errors import MissingValue, OutOfDomain
from scalesheet.quantities import NODES

MOST_NODES = int(NODES.high)


@dataclass(frozen=True)
class Size:
    """A measured size: nodes, median throughput, its relative standard error, measurements."""

    nodes: int
    throughput: float
    spread: float
    count: int

    @cached_property
    def log_time(self) -> float:
        """The logarithm of nodes over throughput: time for a fixed share of work a node."""
        return math.log(self.nodes / self.throughput)


def read_sizes(points: Iterable[tuple[float, float]]) -> tuple[Size, ...]:
    """The sizes in pairs of nodes and total throughput, in any order, ascending.

    >>> read_sizes([(4, 380), (1, 101), (1, 99)])[1]
    Size(nodes=4, throughput=380.0, spread=0.0, count=1)

    Errors: no pairs; nodes that are not whole or out of bounds; throughput not above zero.
    """
    by_nodes: dict[int, list[float]] = {}
    for nodes, throughput in points:
        check_nodes(nodes)
        if abs(nodes - round(nodes)) > 1e-9 * nodes:
            raise OutOfDomain(f"measured_nodes must be whole, not {nodes!r}: count server nodes")
        if not 0 < throughput < math.inf:
            raise OutOfDomain(
                f"measured_throughput must be above 0 and finite, not {throughput!r}: "
                "leave out sizes that were not measured"
            )
        by_nodes.setdefault(round(nodes), []).append(float(throughput))
    if not by_nodes:
        raise MissingValue("measured_nodes has no sizes: give one measured size or more")
    return tuple(
        Size(nodes, float(median(values)), _spread(values), len(values))
        for nodes, values in sorted(by_nodes.items())
    )


def check_nodes(nodes: float) -> None:
    """Refuse a number of nodes that no run can have."""
    if not 1 <= nodes <= MOST_NODES:
        raise OutOfDomain(f"nodes must be 1 to {MOST_NODES:,}, not {nodes!r}: count server nodes")


def _spread(values: Sequence[float]) -> float:
    """Standard error of the mean of repeats, as a share (of logarithms); 0 for a single one."""
    count, middle = len(values), median(values)
    if count == 1:
        return 0.0
    off = (math.log(value) - math.log(middle) for value in values)
    return math.sqrt(math.fsum(each**2 for each in off) / (count - 1) / count)
