"""What a training run costs and how long it takes.

The model of the public training cost estimator: the ideal hours of the whole cluster are stretched
by the scaling efficiency, GPU-hours are paid at one price, rework is a share of compute on top, and
storage and egress are fixed amounts. Money is in one currency; nothing is rounded.
"""

import math

from scalesheet.domains import WHOLE_SLACK
from scalesheet.hints import (
    Cost,
    Days,
    DeadlineDays,
    Efficiency,
    GpuHourPrice,
    Gpus,
    Lines,
    Ratio,
    Rework,
    TotalGpuHours,
    WorkHours,
)
from scalesheet.registry import function

HOURS_PER_DAY = 24.0


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
