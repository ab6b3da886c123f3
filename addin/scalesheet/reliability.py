"""What interruptions cost: failures, checkpoints, and spot nodes that are taken back.

A synchronous run stops as a whole when one of its GPUs does, so rates add up over GPUs and nodes.
"""

import math

from scalesheet.hints import (
    CheckpointHours,
    Events,
    GpuHourPrice,
    GpuMtbfHours,
    Gpus,
    Hours,
    IntervalHours,
    MtbfHours,
    Nodes,
    PreemptionsPerNodeHour,
    Ratio,
    RestartHours,
    Rework,
    Waste,
)
from scalesheet.registry import function

MOST_RESTARTS = 20.0
"""A run this many times as long as the mean time between interruptions needs 500 million tries."""


def ever_ends(hours: float, mtbf_hours: float) -> bool:
    """over 20 times mtbf_hours such a run never ends: write checkpoints and take FAILURE_WASTE"""
    return hours <= MOST_RESTARTS * mtbf_hours


@function(category="Reliability and spot", source="failures")
def cluster_mtbf(gpus: Gpus, gpu_mtbf_hours: GpuMtbfHours) -> MtbfHours:
    """Mean hours between two interruptions of a run that stops when any of its GPUs does.

    The pre-training of Llama 3 405B on 16,384 GPUs saw 419 unexpected interruptions in 54 days: one
    for every 50,677 GPU-hours. Small jobs fail more often than that: software does not shrink.

    >>> round(cluster_mtbf(16384, 50677), 4)
    3.0931
    """
    return gpu_mtbf_hours / gpus


@function(category="Reliability and spot", source="failures")
def expected_failures(gpus: Gpus, hours: Hours, gpu_mtbf_hours: GpuMtbfHours) -> Events:
    """Interruptions to be expected in a run of so many hours.

    >>> round(expected_failures(64, 150, 50677), 4)
    0.1894
    """
    return gpus * hours / gpu_mtbf_hours


@function(category="Reliability and spot", source="daly")
def checkpoint_interval(checkpoint_hours: CheckpointHours, mtbf_hours: MtbfHours) -> IntervalHours:
    """Hours of work between checkpoints at which a run loses least.

    Daly's higher-order estimate; the mean time between interruptions itself where a checkpoint
    takes twice that or longer.

    >>> round(checkpoint_interval(0.05, 3.09307861328125), 4)
    0.5233
    """
    share = checkpoint_hours / (2 * mtbf_hours)
    young = math.sqrt(2 * checkpoint_hours * mtbf_hours)
    best = young * (1 + math.sqrt(share) / 3 + share / 9) - checkpoint_hours
    return best if checkpoint_hours < 2 * mtbf_hours else mtbf_hours


@function(category="Reliability and spot", source="waste")
def failure_waste(
    mtbf_hours: MtbfHours,
    checkpoint_hours: CheckpointHours,
    interval_hours: IntervalHours,
    restart_hours: RestartHours,
) -> Waste:
    """Share of time that checkpoints, lost work and restarts take, at most all of it.

    An interruption loses half an interval on average. Without checkpoints there is no interval:
    take HOURS_NO_CHECKPOINT.

    >>> round(failure_waste(3.0930786, 1/60, 0.3210959, 1/6), 5)
    0.15769
    """
    lost = (interval_hours / 2 + restart_hours) / mtbf_hours
    return min(1, checkpoint_hours / interval_hours + lost)


@function(category="Reliability and spot", source="definition")
def rework_from_waste(waste: Waste) -> Ratio:
    """Rework, as TRAIN_COST takes it, that makes up for a share of time that is lost.

    >>> round(rework_from_waste(0.1576949), 6)
    0.187218
    """
    return waste / (1 - waste)


@function(category="Reliability and spot", source="restarts", rules=(ever_ends,))
def hours_no_checkpoint(hours: Hours, mtbf_hours: MtbfHours) -> Hours:
    """Expected hours of a run that starts from the beginning at every interruption.

    >>> round(hours_no_checkpoint(10, 20), 2)
    12.97
    """
    return mtbf_hours * (math.exp(hours / mtbf_hours) - 1)


@function(category="Reliability and spot", source="failures")
def spot_mtbf(
    mtbf_hours: MtbfHours, nodes: Nodes, preemptions_per_node_hour: PreemptionsPerNodeHour
) -> MtbfHours:
    """Mean hours between interruptions when spot nodes are also taken back.

    >>> spot_mtbf(100, 4, 0.01)
    20.0
    """
    return 1 / (1 / mtbf_hours + nodes * preemptions_per_node_hour)


@function(category="Reliability and spot", source="definition")
def spot_breakeven_rework(
    spot_price: GpuHourPrice, on_demand_price: GpuHourPrice, on_demand_rework: Rework
) -> Ratio:
    """Rework up to which spot GPUs are cheaper than on-demand ones with their own rework.

    >>> spot_breakeven_rework(1, 2.5, 0.15)
    1.875
    """
    return (1 + on_demand_rework) * on_demand_price / spot_price - 1
