"""What the cluster of each scenario delivers, and what one node more would add."""

from scalesheet import quantities as q
from scalesheet_workbooks.spec import ModelSheet, Section
from scalesheet_workbooks.templates.lines import PLACE, called, imported, linked, own

BY_NETWORK = "ISNUMBER([scale.loss_per_extra_node])"
BY_PILOT = "ISNUMBER([scale.exponent])"

SCALING = ModelSheet(
    "Scaling",
    "Scaling",
    "What each cluster delivers, and what one node more would add; nothing to fill",
    (
        Section(
            "Brought in",
            (
                imported("in.gpus", head="scale."),
                imported("in.gpu_throughput", label="Throughput of one GPU alone", head="scale."),
                linked("scale.nodes", "Nodes", q.NODES, "eff.nodes"),
                linked(
                    "scale.method", "Method: 1 typed, 2 interconnect, 3 pilot", PLACE, "eff.method"
                ),
                linked("scale.efficiency", "Efficiency used", q.EFFICIENCY, "eff.efficiency"),
                linked(
                    "scale.loss_per_extra_node",
                    "Loss per extra node, of the interconnect",
                    q.LOSS,
                    "eff.loss_per_extra_node",
                ),
                imported("in.efficiency_floor", head="scale."),
                linked("scale.exponent", "Exponent of the pilot", q.EXPONENT, "eff.exponent"),
            ),
        ),
        Section(
            "What the cluster delivers",
            (
                own(
                    "scale.gpus_lost",
                    "GPU-equivalents lost",
                    q.GPU_EQUIVALENTS,
                    "[scale.gpus]*(1-[scale.efficiency])",
                ),
                own(
                    "scale.cluster_throughput",
                    "Effective throughput of the cluster",
                    q.THROUGHPUT,
                    "[scale.gpus]*[scale.gpu_throughput]*[scale.efficiency]",
                    "ISNUMBER([scale.gpu_throughput])",
                ),
            ),
        ),
        Section(
            "One node more",
            (
                own("scale.next_nodes", "Nodes then", q.NODES, "[scale.nodes]+1"),
                called(
                    "scale.next_efficiency_network",
                    "Efficiency then, from interconnect",
                    "SCALING_EFF_LINEAR",
                    BY_NETWORK,
                    {"nodes": "scale.next_nodes"},
                ),
                called(
                    "scale.next_efficiency_pilot",
                    "Efficiency then, from pilot",
                    "SCALING_EFF_POWER",
                    BY_PILOT,
                    {"nodes": "scale.next_nodes"},
                ),
                own(
                    "scale.next_efficiency",
                    "Efficiency then (unknown if typed)",
                    q.EFFICIENCY,
                    "INDEX([scale.next_efficiency_network]:[scale.next_efficiency_pilot],"
                    "[scale.method]-1)",
                    "[scale.method]>1",
                ),
                own(
                    "scale.marginal_node",
                    "Useful work that one node more adds",
                    q.NODE_COUNT,
                    "[scale.next_nodes]*[scale.next_efficiency]-[scale.nodes]*[scale.efficiency]",
                    "ISNUMBER([scale.next_efficiency])",
                    total=True,
                ),
            ),
        ),
    ),
)
