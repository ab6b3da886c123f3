"""What providers bill: whole nodes and increments, committed hours, storage, egress in tiers.

Most of these are where a budget goes wrong: the price of an instance taken for that of a GPU, a
month of 720 or 744 hours, gibibytes taken for gigabytes, reserved hours that nobody used.
"""

import math
from collections.abc import Sequence

from scalesheet.domains import WHOLE_SLACK
from scalesheet.hints import (
    Cost,
    GbMonthPrice,
    Gibibytes,
    Gigabytes,
    GpuHourPrice,
    Gpus,
    GpusPerNode,
    Hours,
    IncrementHours,
    InstanceHourPrice,
    Ratio,
    StoredHours,
    TierLimits,
    TierPrices,
    UsedGpuHours,
)
from scalesheet.quantities import HOURS_PER_MONTH
from scalesheet.registry import function

GB_PER_GIB = 1.073741824
LEAST_GPU_HOURS = 1e-6
"""Milliseconds of one GPU: less than this is none."""


def something_committed(committed_gpu_hours: float) -> bool:
    """committed_gpu_hours must be above 0: without a commitment there is no share of it"""
    return committed_gpu_hours >= LEAST_GPU_HOURS


def something_used(used_gpu_hours: float) -> bool:
    """used_gpu_hours must be above 0: nothing was used, so no hour of it has a cost"""
    return used_gpu_hours >= LEAST_GPU_HOURS


def tiers_ascend(tier_limits: Sequence[float]) -> bool:
    """tier_limits must ascend: enter the upper end of each tier, smallest first"""
    return all(low < high for low, high in zip(tier_limits, tier_limits[1:]))


def tiers_cover(gb: float, tier_limits: Sequence[float]) -> bool:
    """gb must be at most the last of tier_limits: give the last tier a larger upper end"""
    return gb <= tier_limits[-1]


@function(category="Billing", source="billing")
def billed_gpus(gpus: Gpus, gpus_per_node: GpusPerNode) -> Gpus:
    """GPUs that are billed when only whole nodes can be rented.

    >>> billed_gpus(12, 8), billed_gpus(1, 8)
    (16, 8)
    """
    return math.ceil(gpus / gpus_per_node) * gpus_per_node


@function(category="Billing", source="billing")
def billed_hours(hours: Hours, increment_hours: IncrementHours) -> Hours:
    """Hours that are billed when a provider counts whole increments only.

    >>> billed_hours(2.2, 1), billed_hours(2.2, 1/60), billed_hours(100, 720)
    (3, 2.2, 720)
    """
    return math.ceil(hours / increment_hours * (1 - WHOLE_SLACK)) * increment_hours


@function(category="Billing", source="billing")
def instance_gpu_price(
    instance_hour_price: InstanceHourPrice, gpus_per_node: GpusPerNode
) -> GpuHourPrice:
    """Price of one GPU for one hour from that of an instance with several.

    >>> instance_gpu_price(98.32, 8)
    12.29
    """
    return instance_hour_price / gpus_per_node


@function(category="Billing", source="billing")
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


@function(category="Billing", source="billing", rules=(something_committed,))
def commitment_utilization(
    committed_gpu_hours: UsedGpuHours, used_gpu_hours: UsedGpuHours
) -> Ratio:
    """Share of the committed GPU-hours that is used; above 1 the rest overflows on demand.

    >>> round(commitment_utilization(17940480, 5259767), 4)
    0.2932
    """
    return used_gpu_hours / committed_gpu_hours


@function(category="Billing", source="billing", rules=(something_used,))
def used_gpu_hour_cost(
    committed_gpu_hours: UsedGpuHours,
    used_gpu_hours: UsedGpuHours,
    committed_price: GpuHourPrice,
    overflow_price: GpuHourPrice,
) -> GpuHourPrice:
    """Cost of one used GPU-hour when committed hours bill idle: what to set against on demand.

    >>> round(used_gpu_hour_cost(17940480, 5259767, 2.108, 3.1), 2)
    7.19
    """
    cost = committed_cost(committed_gpu_hours, used_gpu_hours, committed_price, overflow_price)
    return cost / used_gpu_hours


@function(category="Billing", source="definition")
def gb_from_gib(gib: Gibibytes) -> Gigabytes:
    """Gigabytes of 10^9 bytes in so many gibibytes of 2^30.

    >>> round(gb_from_gib(1000), 6)
    1073.741824
    """
    return gib * GB_PER_GIB


@function(category="Billing", source="billing")
def storage_cost(gb: Gigabytes, gb_month_price: GbMonthPrice, stored_hours: StoredHours) -> Cost:
    """Cost of keeping gigabytes for so many hours, at a price by the month of 730 hours.

    >>> storage_cost(10000, 0.02, 1460)
    400.0
    """
    return gb * gb_month_price * stored_hours / HOURS_PER_MONTH


@function(category="Billing", source="billing", rules=(tiers_ascend, tiers_cover))
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
