"""Where the efficiency of a scenario comes from, and what is worth a look in it."""

from scalesheet import quantities as q
from scalesheet_workbooks.spec import (
    Constant,
    ImportName,
    ImportPlace,
    Line,
    ModelSheet,
    Own,
    Section,
)
from scalesheet_workbooks.templates.lines import (
    ALERTS,
    called,
    constant,
    flag,
    imported,
    own,
)

CONSTANTS = (
    Constant(
        "const.low_efficiency",
        "Efficiency below which an alert is raised",
        "share",
        0.7,
        "0.0%",
        "cost estimator: below 70 % a large cluster wastes a massive part",
    ),
    Constant(
        "const.full_efficiency",
        "Efficiency above which an alert is raised",
        "share",
        1,
        "0.0%",
        "above 100 % a base run was slow or the loads differ",
    ),
)

BODY_TABLES = {"LOSS_BY_INTERCONNECT": ("lst_interconnects", "lst_losses")}
"""Tables of the function bodies, by the names of their lists."""


def efficiency_input(input_id: str, line_id: str = "", label: str = "") -> Line:
    """An input brought in on the Efficiency sheet."""
    return imported(input_id, line_id, label, head="eff.")


PILOT = "[eff.pilot_base_nodes]:[eff.pilot_throughput]"
FROM_NETWORK, FROM_PILOT = "[eff.has_network]=1", "[eff.has_pilot]=1"
PILOT_RUNS = {
    "nodes": "eff.pilot_nodes",
    "throughput": "eff.pilot_throughput",
    "base_nodes": "eff.pilot_base_nodes",
    "base_throughput": "eff.pilot_base_throughput",
}

EFFICIENCY = ModelSheet(
    "Efficiency",
    "Scaling efficiency",
    "Where the efficiency of each scenario comes from; nothing to fill",
    (
        Section(
            "Cluster",
            (
                efficiency_input("in.gpus"),
                efficiency_input("in.gpus_per_node"),
                flag(
                    "eff.whole",
                    "GPUs and GPUs per node are whole",
                    "AND(ROUNDUP([eff.gpus],0)=[eff.gpus],"
                    "ROUNDUP([eff.gpus_per_node],0)=[eff.gpus_per_node])",
                ),
                called("eff.billed_gpus", "GPUs in whole nodes", "BILLED_GPUS"),
                own("eff.nodes", "Nodes", q.NODES, "[eff.billed_gpus]/[eff.gpus_per_node]"),
            ),
        ),
        Section(
            "From the interconnect",
            (
                Line(
                    "eff.interconnect", "Interconnect", "name", "@", ImportName("in.interconnect")
                ),
                efficiency_input("in.efficiency_floor"),
                flag(
                    "eff.has_network",
                    "Interconnect and floor are given",
                    "AND(ISNUMBER(MATCH([eff.interconnect],lst_interconnects,0)),"
                    "ISNUMBER([eff.efficiency_floor]))",
                ),
                called(
                    "eff.loss_per_extra_node", "Loss per extra node", "LOSS_PER_NODE", FROM_NETWORK
                ),
                called(
                    "eff.floor_nodes", "Nodes where the floor begins", "FLOOR_NODES", FROM_NETWORK
                ),
            ),
        ),
        Section(
            "From a pilot",
            (
                efficiency_input("in.pilot_base_nodes"),
                efficiency_input("in.pilot_base_throughput"),
                efficiency_input("in.pilot_nodes"),
                efficiency_input("in.pilot_throughput"),
                flag("eff.has_pilot", "Pilot is given", f"COUNT({PILOT})=ROWS({PILOT})"),
                called(
                    "eff.measured_eff",
                    "Pilot's measured efficiency",
                    "MEASURED_EFF",
                    FROM_PILOT,
                    PILOT_RUNS,
                ),
                called(
                    "eff.exponent",
                    "Pilot's scaling exponent",
                    "SCALING_EXPONENT",
                    FROM_PILOT,
                    PILOT_RUNS,
                ),
            ),
        ),
        Section(
            "Efficiency",
            (
                efficiency_input("in.efficiency", "eff.efficiency_typed"),
                called(
                    "eff.efficiency_network",
                    "Efficiency from interconnect",
                    "SCALING_EFF",
                    FROM_NETWORK,
                ),
                called(
                    "eff.efficiency_pilot",
                    "Efficiency from pilot",
                    "SCALING_EFF_POWER",
                    FROM_PILOT,
                ),
                Line(
                    "eff.method",
                    "Method: 1 typed, 2 interconnect, 3 pilot",
                    "place",
                    "0",
                    ImportPlace("in.efficiency_method", "lst_methods"),
                ),
                Line(
                    "eff.efficiency",
                    "Scaling efficiency used",
                    q.EFFICIENCY.unit,
                    q.EFFICIENCY.number_format,
                    Own("INDEX([eff.efficiency_typed]:[eff.efficiency_pilot],[eff.method])"),
                    total=True,
                ),
            ),
        ),
        Section(
            "Alerts on efficiency",
            (
                constant(CONSTANTS, "const.low_efficiency", "eff.low_efficiency"),
                flag(
                    "eff.low_efficiency_alert",
                    "Efficiency below the alert level",
                    "[eff.efficiency]<[eff.low_efficiency]",
                ),
                flag(
                    "eff.floor_alert",
                    "What is shown is the floor, not the model",
                    "AND([eff.method]-1=1,[eff.nodes]>=[eff.floor_nodes])",
                ),
                constant(CONSTANTS, "const.full_efficiency", "eff.full_efficiency"),
                flag(
                    "eff.full_efficiency_alert",
                    "Efficiency above 100 %",
                    "N([eff.efficiency])>[eff.full_efficiency]",
                ),
                flag(
                    "eff.partial_node_alert",
                    "Last node only partly used",
                    "[eff.billed_gpus]>[eff.gpus]",
                ),
                own(
                    "eff.alerts",
                    "Alerts on efficiency",
                    ALERTS,
                    "[eff.low_efficiency_alert]+[eff.floor_alert]+[eff.full_efficiency_alert]"
                    "+[eff.partial_node_alert]",
                ),
            ),
        ),
    ),
)
