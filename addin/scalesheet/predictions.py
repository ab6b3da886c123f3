"""Scaling as others measured it, and as one's own measured sizes foretell it.

measured_nodes and measured_throughput are two ranges of one length; rows with a blank in either are
left out. Throughput is the total of all GPUs, in any unit. fabric_class counts where one size alone
was measured; "other" takes nothing from any class.
"""

from collections.abc import Sequence
from functools import lru_cache

from scalesheet import calibration
from scalesheet.calibration import ScalingFit
from scalesheet.fabric_classes import published_efficiency
from scalesheet.hints import (
    Efficiency,
    FabricClass,
    Lines,
    MeasuredNodes,
    MeasuredThroughput,
    Nodes,
    Note,
    Throughput,
)
from scalesheet.registry import function


@function(category="Scaling", source="measurements")
def scaling_eff_published(nodes: Nodes, fabric_class: FabricClass) -> Efficiency:
    """Scaling efficiency by the median of published series of a class of fabric.

    nodes to the power -b, b the median over the series; a first guess at any size. The classes are
    those that were measured and not the four of the calculator.

    >>> round(scaling_eff_published(16, "A100 HDR"), 3)
    0.915
    """
    return published_efficiency(nodes, fabric_class)


@function(category="Scaling", source="calibration")
def scaling_predict(
    nodes: Nodes,
    fabric_class: FabricClass,
    measured_nodes: MeasuredNodes,
    measured_throughput: MeasuredThroughput,
) -> Throughput:
    """Total throughput at a number of nodes, from the sizes that were measured.

    >>> round(scaling_predict(8, "other", (1, 2, 4), (100, 196, 380)))
    745
    """
    return _fit(fabric_class, measured_nodes, measured_throughput).throughput(nodes)


@function(category="Scaling", source="calibration")
def scaling_low(
    nodes: Nodes,
    fabric_class: FabricClass,
    measured_nodes: MeasuredNodes,
    measured_throughput: MeasuredThroughput,
) -> Throughput:
    """Throughput that SCALING_PREDICT's 80 % band starts from: one in ten falls below.

    >>> round(scaling_low(8, "other", (1, 2, 4), (100, 196, 380)))
    714
    """
    return _fit(fabric_class, measured_nodes, measured_throughput).low(nodes)


@function(category="Scaling", source="calibration")
def scaling_high(
    nodes: Nodes,
    fabric_class: FabricClass,
    measured_nodes: MeasuredNodes,
    measured_throughput: MeasuredThroughput,
) -> Throughput:
    """Throughput that SCALING_PREDICT's 80 % band ends at: one in ten lies above.

    >>> round(scaling_high(8, "other", (1, 2, 4), (100, 196, 380)))
    770
    """
    return _fit(fabric_class, measured_nodes, measured_throughput).high(nodes)


@function(category="Scaling", source="calibration")
def scaling_eff_fitted(
    nodes: Nodes,
    fabric_class: FabricClass,
    measured_nodes: MeasuredNodes,
    measured_throughput: MeasuredThroughput,
) -> Efficiency:
    """Scaling efficiency against one node, from the sizes that were measured: for TRAIN_COST.

    >>> round(scaling_eff_fitted(4, "other", (1, 2, 4), (100, 196, 380)), 9)
    0.95
    """
    return _fit(fabric_class, measured_nodes, measured_throughput).efficiency(nodes)


@function(category="Scaling", source="calibration")
def scaling_note(
    nodes: Nodes,
    fabric_class: FabricClass,
    measured_nodes: MeasuredNodes,
    measured_throughput: MeasuredThroughput,
) -> Note:
    """What to know about a prediction: one size only, far reach, a bend; empty when nothing.

    >>> scaling_note(64, "other", (1, 2, 4), (100, 196, 380))
    'Far reach: 4.0 doublings past the largest measured size (4 nodes); a bend is not seen ...'
    """
    found = _fit(fabric_class, measured_nodes, measured_throughput)
    return " ".join(found.notes_at(nodes))


@function(category="Scaling", source="calibration")
def scaling_fit(
    fabric_class: FabricClass,
    measured_nodes: MeasuredNodes,
    measured_throughput: MeasuredThroughput,
) -> Lines:
    """Table of a fit: the sizes used, what was found, its error, and what to know.

    >>> scaling_fit("other", (1, 2, 4), (100, 196, 380))[0]
    ['Sizes used', 3]
    """
    found = _fit(fabric_class, measured_nodes, measured_throughput)
    return [list(row) for row in found.table()]


def _fit(
    fabric_class: str, measured_nodes: Sequence[float], measured_throughput: Sequence[float]
) -> ScalingFit:
    return _kept_fit(fabric_class, tuple(measured_nodes), tuple(measured_throughput))


@lru_cache(maxsize=64)
def _kept_fit(
    fabric_class: str, nodes: tuple[float, ...], throughputs: tuple[float, ...]
) -> ScalingFit:
    """The fit of many cells that ask with the same points: found by them before they are read."""
    return calibration.fit(list(zip(nodes, throughputs, strict=True)), fabric_class)
