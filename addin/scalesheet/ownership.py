"""Own or rent: what a cluster costs to build, what an owned GPU-hour costs, when it pays.

The charge for capital is an economic one, not book depreciation. An hour is one of the calendar,
8,760 a year; a productive hour is one in which the GPU works.
"""

import math

from scalesheet.hints import (
    Capital,
    CapitalPerGpu,
    CapitalRate,
    FabricPerNode,
    FacilityPerNode,
    GpuHourPrice,
    GpusPerNode,
    InstallPerNode,
    KwhPrice,
    KwPerGpu,
    LifeYears,
    NodePrice,
    Nodes,
    OpexPerGpuYear,
    OwnedGpuHourCost,
    Pue,
    Ratio,
    ResidualPerGpu,
    Utilization,
)
from scalesheet.registry import function

HOURS_PER_YEAR = 8760.0
MONTHS_PER_YEAR = 12.0
NO_RATE = 1e-7
"""Up to this rate for a year, or for a shorter life, the annuity loses its digits and the straight
line is nearer to it."""


def residual_within_capital(capital_per_gpu: float, residual_per_gpu: float) -> bool:
    """residual_per_gpu must be at most capital_per_gpu: it is an amount of money, not a share"""
    return residual_per_gpu <= capital_per_gpu


@function(category="Own or rent", source="definition")
def cluster_capex(
    nodes: Nodes,
    node_price: NodePrice,
    fabric_per_node: FabricPerNode,
    facility_per_node: FacilityPerNode,
    install_per_node: InstallPerNode,
) -> Capital:
    """Build-out cost of a cluster: servers, fabric, power and cooling, install.

    >>> cluster_capex(64, 310000, 15060, 50000, 0)
    24003840
    """
    per_node = node_price + fabric_per_node + facility_per_node + install_per_node
    return nodes * per_node


@function(category="Own or rent", source="definition")
def capex_per_gpu(
    nodes: Nodes,
    node_price: NodePrice,
    fabric_per_node: FabricPerNode,
    facility_per_node: FacilityPerNode,
    install_per_node: InstallPerNode,
    gpus_per_node: GpusPerNode,
) -> CapitalPerGpu:
    """Build-out cost for one GPU, everything in it.

    >>> capex_per_gpu(64, 310000, 15060, 50000, 0, 8)
    46882.5
    """
    total = cluster_capex(nodes, node_price, fabric_per_node, facility_per_node, install_per_node)
    return total / (nodes * gpus_per_node)


@function(category="Own or rent", source="annuity", rules=(residual_within_capital,))
def owned_gpu_hour(
    capital_per_gpu: CapitalPerGpu,
    residual_per_gpu: ResidualPerGpu,
    life_years: LifeYears,
    capital_rate: CapitalRate,
    kw_per_gpu: KwPerGpu,
    pue: Pue,
    kwh_price: KwhPrice,
    opex_per_gpu_year: OpexPerGpuYear,
) -> OwnedGpuHourCost:
    """Cost of owning one GPU for one hour of the calendar: capital, power, running cost.

    Capital is a level payment at the end of each month, as PMT gives it at (1 + rate)^(1/12) - 1
    with the residual as future value; a straight line where the rate is 0.

    >>> round(owned_gpu_hour(46883, 4688.3, 4, 0.1, 1.275, 1.56, 0.13, 1500), 7)
    1.9350613
    """
    # (1 + rate)^-years by EXP: a ^ that comes out as 0 is an error in LibreOffice.
    discount = math.exp(-life_years * math.log(1 + capital_rate))
    monthly_rate = math.pow(1 + capital_rate, 1 / MONTHS_PER_YEAR) - 1
    per_month = (
        (capital_per_gpu - residual_per_gpu * discount) * monthly_rate / (1 - discount)
        if capital_rate * min(life_years, 1) > NO_RATE
        else (capital_per_gpu - residual_per_gpu) / (MONTHS_PER_YEAR * life_years)
    )
    power = kw_per_gpu * pue * kwh_price
    return (per_month * MONTHS_PER_YEAR + opex_per_gpu_year) / HOURS_PER_YEAR + power


@function(category="Own or rent", source="definition")
def productive_gpu_hour(
    owned_gpu_hour_cost: OwnedGpuHourCost, utilization: Utilization
) -> OwnedGpuHourCost:
    """Effective cost of one productive hour of an owned GPU.

    >>> round(productive_gpu_hour(1.5965552, 0.6), 4)
    2.6609
    """
    return owned_gpu_hour_cost / utilization


@function(category="Own or rent", source="definition")
def breakeven_utilization(owned_gpu_hour_cost: OwnedGpuHourCost, rent_price: GpuHourPrice) -> Ratio:
    """Utilization from which owning is cheaper than renting by the hour; above 1 it never is.

    >>> round(breakeven_utilization(1.5965552, 2.95), 4)
    0.5412
    """
    return owned_gpu_hour_cost / rent_price
