"""What a training run costs and how long it takes.

The model of the public training cost estimator: the ideal hours of the whole cluster are stretched
by the scaling efficiency, GPU-hours are paid at one price, rework is a share of compute on top, and
storage and egress are fixed amounts. Money is in one currency; nothing is rounded.
"""

import math
from collections.abc import Sequence

from scalesheet.quantities import (
    Cost,
    Days,
    DeadlineDays,
    Efficiency,
    Gigabytes,
    GpuHourPrice,
    Gpus,
    GpusPerNode,
    Lines,
    Ratio,
    Rework,
    TierLimits,
    TierPrices,
    TotalGpuHours,
    UsedGpuHours,
    WorkHours,
)
from scalesheet.registry import function

HOURS_PER_DAY = 24.0
WHOLE_SLACK = 1e-12
"""A need this little above a whole number of GPUs, relatively, is float noise, not a GPU more."""


def tiers_ascend(tier_limits: Sequence[float]) -> bool:
    """tier_limits must ascend: enter the upper end of each tier, smallest first"""
    return all(low < high for low, high in zip(tier_limits, tier_limits[1:]))


def tiers_cover(gb: float, tier_limits: Sequence[float]) -> bool:
    """gb must be at most the last of tier_limits: give the last tier a larger upper end"""
    return gb <= tier_limits[-1]


@function(category="Training cost", source="cost_estimator")
def train_cost(
    gpus: Gpus,
    ideal_hours: WorkHours,
    gpu_hour_price: GpuHourPrice,
    efficiency: Efficiency,
    rework: Rework,
    storage: Cost,
    egress: Cost,
) -> Cost:
    """Total cost of a training run: compute, rework, storage and egress.

    ideal_hours is the wall-clock time of the whole cluster at perfect scaling; the estimator calls
    it "GPU-hours (single-GPU basis)" but never divides it by the GPU count. Who has a total of
    GPU-hours takes TRAIN_COST_WORK.

    >>> train_cost(64, 120, 2.5, 0.8, 0.15, 200, 150)
    27950.0
    """
    compute = compute_cost(gpus, ideal_hours, gpu_hour_price, efficiency)
    again = rework_cost(gpus, ideal_hours, gpu_hour_price, efficiency, rework)
    return compute + again + storage + egress


@function(category="Training cost", source="cost_estimator")
def train_cost_work(
    total_gpu_hours: TotalGpuHours,
    gpu_hour_price: GpuHourPrice,
    efficiency: Efficiency,
    rework: Rework,
    storage: Cost,
    egress: Cost,
) -> Cost:
    """Total cost of a training run from its work, whatever the number of GPUs.

    >>> train_cost_work(7680, 2.5, 0.8, 0.15, 200, 150)
    27950.0
    """
    compute = total_gpu_hours / efficiency * gpu_hour_price
    return compute + compute * rework + storage + egress


@function(category="Training cost", source="definition")
def ideal_hours_from_work(gpus: Gpus, total_gpu_hours: TotalGpuHours) -> WorkHours:
    """Wall-clock hours of the whole cluster at perfect scaling, from the work in GPU-hours.

    >>> ideal_hours_from_work(64, 7680)
    120.0
    """
    return total_gpu_hours / gpus


@function(category="Training cost", source="cost_estimator")
def wall_clock_hours(ideal_hours: WorkHours, efficiency: Efficiency) -> WorkHours:
    """Hours that the run takes: ideal hours over efficiency, rework not counted.

    >>> wall_clock_hours(120, 0.8)
    150.0
    """
    return ideal_hours / efficiency


@function(category="Training cost", source="cost_estimator")
def wall_clock_days(ideal_hours: WorkHours, efficiency: Efficiency) -> Days:
    """Days that the run takes: ideal hours over efficiency over 24, rework not counted.

    >>> wall_clock_days(120, 0.8)
    6.25
    """
    return wall_clock_hours(ideal_hours, efficiency) / HOURS_PER_DAY


@function(category="Training cost", source="definition")
def expected_days(ideal_hours: WorkHours, efficiency: Efficiency, rework: Rework) -> Days:
    """Days that the run takes when rework costs time as well as money.

    The estimator lets rework cost money but no time; on a calendar it costs both.

    >>> expected_days(120, 0.8, 0.15)
    7.1875
    """
    return ideal_hours * (1 + rework) / efficiency / HOURS_PER_DAY


@function(category="Training cost", source="cost_estimator")
def gpu_hours(gpus: Gpus, ideal_hours: WorkHours, efficiency: Efficiency) -> TotalGpuHours:
    """GPU-hours that the run uses: GPUs times wall-clock hours, rework not counted.

    >>> gpu_hours(64, 120, 0.8)
    9600.0
    """
    return gpus * wall_clock_hours(ideal_hours, efficiency)


@function(category="Training cost", source="cost_estimator")
def compute_cost(
    gpus: Gpus, ideal_hours: WorkHours, gpu_hour_price: GpuHourPrice, efficiency: Efficiency
) -> Cost:
    """Cost of the GPU-hours that the run uses, before rework.

    >>> compute_cost(64, 120, 2.5, 0.8)
    24000.0
    """
    return gpu_hours(gpus, ideal_hours, efficiency) * gpu_hour_price


@function(category="Training cost", source="cost_estimator")
def rework_cost(
    gpus: Gpus,
    ideal_hours: WorkHours,
    gpu_hour_price: GpuHourPrice,
    efficiency: Efficiency,
    rework: Rework,
) -> Cost:
    """Cost of the compute that failed runs make one pay again.

    >>> rework_cost(64, 120, 2.5, 0.8, 0.15)
    3600.0
    """
    return compute_cost(gpus, ideal_hours, gpu_hour_price, efficiency) * rework


@function(category="Training cost", source="cost_estimator")
def cost_overhead(efficiency: Efficiency, rework: Rework) -> Ratio:
    """Share by which compute and rework exceed the compute of perfect scaling.

    >>> round(cost_overhead(0.8, 0.15), 9)
    0.4375
    """
    return (1 + rework) / efficiency - 1


@function(category="Training cost", source="cost_estimator")
def train_cost_lines(
    gpus: Gpus,
    ideal_hours: WorkHours,
    gpu_hour_price: GpuHourPrice,
    efficiency: Efficiency,
    rework: Rework,
    storage: Cost,
    egress: Cost,
) -> Lines:
    """Table of a training run's build-up, from wall-clock hours to the total.

    >>> train_cost_lines(64, 120, 2.5, 0.8, 0.15, 200, 150)[-1]
    ['Total cost', 27950.0]
    """
    return [
        ["Wall-clock hours", wall_clock_hours(ideal_hours, efficiency)],
        ["Wall-clock days", wall_clock_days(ideal_hours, efficiency)],
        ["GPU-hours", gpu_hours(gpus, ideal_hours, efficiency)],
        ["Compute", compute_cost(gpus, ideal_hours, gpu_hour_price, efficiency)],
        ["Rework", rework_cost(gpus, ideal_hours, gpu_hour_price, efficiency, rework)],
        ["Storage", storage],
        ["Egress", egress],
        ["Fixed costs", storage + egress],
        [
            "Total cost",
            train_cost(gpus, ideal_hours, gpu_hour_price, efficiency, rework, storage, egress),
        ],
    ]


@function(category="Training cost", source="billing")
def billed_gpus(gpus: Gpus, gpus_per_node: GpusPerNode) -> Gpus:
    """GPUs that are billed when only whole nodes can be rented.

    >>> billed_gpus(12, 8), billed_gpus(1, 8)
    (16, 8)
    """
    return math.ceil(gpus / gpus_per_node) * gpus_per_node


@function(category="Training cost", source="definition")
def gpus_for_deadline(
    total_gpu_hours: TotalGpuHours, deadline_days: DeadlineDays, efficiency: Efficiency
) -> Gpus:
    """Whole GPUs that finish the work within the days, at this efficiency.

    >>> gpus_for_deadline(7680, 6.25, 0.8)
    64
    """
    needed = total_gpu_hours / efficiency / (deadline_days * HOURS_PER_DAY)
    return math.ceil(needed * (1 - WHOLE_SLACK))


@function(category="Training cost", source="billing")
def committed_cost(
    committed_gpu_hours: UsedGpuHours,
    used_gpu_hours: UsedGpuHours,
    committed_price: GpuHourPrice,
    overflow_price: GpuHourPrice,
) -> Cost:
    """Cost of reserved GPU-hours, which bill when idle, and of the overflow on demand.

    >>> round(committed_cost(17940480, 5259767, 2.108, 3.1), 2)
    37818531.84
    """
    overflow = max(0, used_gpu_hours - committed_gpu_hours)
    return committed_gpu_hours * committed_price + overflow * overflow_price


@function(category="Training cost", source="billing", rules=(tiers_ascend, tiers_cover))
def egress_cost(gb: Gigabytes, tier_limits: TierLimits, tier_prices: TierPrices) -> Cost:
    """Cost of moving gigabytes out, each tier of them at its own price.

    tier_limits are the upper ends of the tiers in GB, ascending; a free allowance is a first tier
    at price 0.

    >>> round(egress_cost(12500, (1024, 10240, 1e9), (0.12, 0.11, 0.08)), 2)
    1317.44
    """
    starts = (0.0, *tier_limits[:-1])
    return sum(
        max(0.0, min(gb, end) - start) * price
        for start, end, price in zip(starts, tier_limits, tier_prices)
    )
