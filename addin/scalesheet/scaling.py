"""How much of the ideal speed-up a cluster keeps, and what that is worth.

The model of the public multi-node efficiency calculator (efficiency falls by a fixed share with
every node past the first, down to a floor), the measures that a pilot run gives, and bytes over
bandwidth. All efficiencies are shares of one node's throughput per GPU, 0-1.
"""

import math

from scalesheet.hints import (
    Efficiency,
    EfficiencyFloor,
    Exponent,
    Gbps,
    GpuEquivalents,
    GpusPerNode,
    GradientGb,
    HideableShare,
    Interconnect,
    Loss,
    NodeCount,
    Nodes,
    Ratio,
    StepSeconds,
    Throughput,
)
from scalesheet.registry import function

NDR_LOSS, NDR_GBPS = 0.015, 400.0
ETH25_LOSS, ETH25_GBPS = 0.07, 25.0
"""The calculator's own figures: 95.5 % and 79 % at 4 nodes."""
LOSS_BY_INTERCONNECT = {"NDR": NDR_LOSS, "HDR": 0.022, "RoCE100": 0.032, "Eth25": ETH25_LOSS}
"""Share of efficiency lost with each node past the first. HDR and RoCE100 are estimates,
interpolated between the calculator's two on log-log axes and rounded."""
BITS_PER_BYTE = 8.0


def sizes_differ(nodes: float, base_nodes: float) -> bool:
    """nodes and base_nodes must differ: measure the pilot at two sizes"""
    return nodes != base_nodes


@function(category="Scaling", source="efficiency_calculator")
def loss_per_node(interconnect: Interconnect) -> Loss:
    """Share of efficiency that each node past the first costs on a class of network.

    >>> loss_per_node("NDR"), loss_per_node("Eth25")
    (0.015, 0.07)
    """
    return LOSS_BY_INTERCONNECT[interconnect]


@function(category="Scaling", source="estimate")
def loss_from_gbps(gbps: Gbps) -> Loss:
    """Share of efficiency that each node past the first costs at a network bandwidth (estimate).

    A power law through the calculator's two stated classes, 25 and 400 Gb/s.

    >>> round(loss_from_gbps(100), 7)
    0.0324037
    """
    steepness = math.log(ETH25_LOSS / NDR_LOSS) / math.log(NDR_GBPS / ETH25_GBPS)
    return ETH25_LOSS * math.pow(ETH25_GBPS / gbps, steepness)


@function(category="Scaling", source="efficiency_calculator")
def scaling_eff(
    nodes: Nodes, interconnect: Interconnect, efficiency_floor: EfficiencyFloor
) -> Efficiency:
    """Share of the ideal speed-up kept by nodes on a class of network, never below the floor.

    A planning rule, sensible to about 8 nodes: at 16 and more it misses published measurements by
    a median 42 %. It counts one node as 100 %, so a loss inside the node is not in it (NODE_EFF).

    >>> scaling_eff(4, "NDR", 0.5), scaling_eff(4, "Eth25", 0.5)
    (0.955, 0.79)
    """
    return scaling_eff_linear(nodes, loss_per_node(interconnect), efficiency_floor)


@function(category="Scaling", source="efficiency_calculator")
def scaling_eff_linear(
    nodes: Nodes, loss_per_extra_node: Loss, efficiency_floor: EfficiencyFloor
) -> Efficiency:
    """Share of the ideal speed-up kept when every node past the first costs the same share.

    >>> scaling_eff_linear(nodes=4, loss_per_extra_node=0.015, efficiency_floor=0.5)
    0.955
    """
    return max(efficiency_floor, 1 - loss_per_extra_node * (nodes - 1))


@function(category="Scaling", source="efficiency_calculator")
def floor_nodes(loss_per_extra_node: Loss, efficiency_floor: EfficiencyFloor) -> NodeCount:
    """Nodes from which the linear form shows its floor and no longer its model.

    >>> round(floor_nodes(0.07, 0.5), 6)
    8.142857
    """
    return 1 + (1 - efficiency_floor) / loss_per_extra_node


@function(category="Scaling", source="efficiency_calculator")
def peak_nodes(loss_per_extra_node: Loss) -> NodeCount:
    """Nodes at which the linear form's total throughput peaks, were there no floor.

    >>> round(peak_nodes(0.07), 6)
    7.642857
    """
    return (1 + loss_per_extra_node) / (2 * loss_per_extra_node)


@function(category="Scaling", source="efficiency_calculator")
def marginal_node(
    nodes: Nodes, loss_per_extra_node: Loss, efficiency_floor: EfficiencyFloor
) -> NodeCount:
    """Useful throughput that one node more adds, in nodes' worth, under the linear form.

    >>> round(marginal_node(4, 0.07, 0.5), 9), round(marginal_node(7, 0.07, 0.5), 9)
    (0.44, 0.02)
    """
    now = nodes * scaling_eff_linear(nodes, loss_per_extra_node, efficiency_floor)
    then = (nodes + 1) * scaling_eff_linear(nodes + 1, loss_per_extra_node, efficiency_floor)
    return then - now


@function(category="Scaling", source="efficiency_calculator")
def cluster_throughput(
    nodes: Nodes, gpus_per_node: GpusPerNode, gpu_throughput: Throughput, efficiency: Efficiency
) -> Throughput:
    """Work of the whole cluster in a second, from one GPU's throughput and the efficiency.

    gpu_throughput is one GPU alone, as the calculator has it: a loss inside the node is not in it
    (see NODE_EFF), so measure it with all GPUs of a node busy, or lower the efficiency.

    >>> cluster_throughput(4, 8, 1000, 0.955)
    30560.0
    """
    return nodes * gpus_per_node * gpu_throughput * efficiency


@function(category="Scaling", source="definition")
def node_eff(
    gpus_per_node: GpusPerNode, gpu_throughput: Throughput, node_throughput: Throughput
) -> Ratio:
    """Share of the ideal speed-up kept inside one node: node against its GPUs alone.

    >>> round(node_eff(8, 397.64, 3130.34), 6)
    0.984037
    """
    return node_throughput / (gpus_per_node * gpu_throughput)


@function(category="Scaling", source="efficiency_calculator")
def gpus_lost(nodes: Nodes, gpus_per_node: GpusPerNode, efficiency: Efficiency) -> GpuEquivalents:
    """GPUs' worth of capacity that is paid for and lost to synchronization.

    >>> round(gpus_lost(4, 8, 0.955), 9)
    1.44
    """
    return nodes * gpus_per_node * (1 - efficiency)


@function(category="Scaling", source="definition")
def fabric_premium(efficiency: Efficiency, efficiency_alternative: Efficiency) -> Ratio:
    """Share by which the better network may raise the GPU-hour price and still cost no more.

    >>> round(fabric_premium(0.955, 0.79), 7)
    0.2088608
    """
    return efficiency / efficiency_alternative - 1


@function(category="Scaling", source="definition")
def measured_eff(
    nodes: Nodes, throughput: Throughput, base_nodes: Nodes, base_throughput: Throughput
) -> Ratio:
    """Measured efficiency: throughput per node against that of a smaller run, never capped.

    Throughputs are totals of the run, not per GPU. Above 1 is kept: it means that the base ran
    below its best.

    >>> round(measured_eff(4, 480, 1, 116), 7)
    1.0344828
    """
    return (throughput / nodes) / (base_throughput / base_nodes)


@function(category="Scaling", source="definition", rules=(sizes_differ,))
def scaling_exponent(
    base_nodes: Nodes, base_throughput: Throughput, nodes: Nodes, throughput: Throughput
) -> Exponent:
    """Power with which efficiency falls, from a pilot at two sizes; below 0 is super-linear.

    >>> round(scaling_exponent(1, 116, 4, 480), 7)
    -0.0244548
    """
    efficiency = measured_eff(nodes, throughput, base_nodes, base_throughput)
    return -math.log(efficiency) / math.log(nodes / base_nodes)


@function(category="Scaling", source="definition")
def scaling_eff_power(nodes: Nodes, exponent: Exponent) -> Efficiency:
    """Share of the ideal speed-up kept when efficiency falls as a power of the nodes.

    >>> round(scaling_eff_power(8, 0.17), 7)
    0.7022224
    """
    return math.pow(nodes, -exponent)


@function(category="Scaling", source="collectives")
def scaling_eff_comm(
    nodes: Nodes,
    step_seconds: StepSeconds,
    gradient_gb: GradientGb,
    node_gbps: Gbps,
    hideable_share: HideableShare,
) -> Efficiency:
    """Efficiency of a data-parallel step from bytes over bandwidth, before any run.

    A ring all-reduce moves 2 (n-1)/n of the gradient through each node; what does not hide behind
    the step is exposed. node_gbps is what the collective really reaches (its bus bandwidth x 8),
    not the port's label.

    >>> round(scaling_eff_comm(4, 0.5, 14, 400, 0.5), 7)
    0.7462687
    """
    allreduce_seconds = 2 * (nodes - 1) / nodes * gradient_gb * BITS_PER_BYTE / node_gbps
    exposed_seconds = max(0, allreduce_seconds - hideable_share * step_seconds)
    return step_seconds / (step_seconds + exposed_seconds)
