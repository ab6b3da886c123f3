"""What a pilot says without a program, what the fit says, and what one node more would add."""

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT
from scalesheet_workbooks.spec import ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_compare import UNIT_COST
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS, imported
from scalesheet_workbooks.templates.lines import PLACE, called, linked, own

BY_NETWORK = "ISNUMBER([scale.loss_per_extra_node])"
BY_PILOT = "ISNUMBER([scale.exponent])"
KNOWN = "ISNUMBER([scale.next_efficiency])"

SCALING = ModelSheet(
    "Scaling",
    "Scaling",
    "What the pilot and the measured points say, and what one node more would add",
    (
        Section(
            "Brought in",
            (
                linked("scale.nodes", "Nodes", q.NODES, "eff.nodes"),
                linked(
                    "scale.method", "1 typed, 2 network, 3 pilot, 4 measured", PLACE, "eff.method"
                ),
                linked("scale.efficiency", "Efficiency used", q.EFFICIENCY, "eff.efficiency"),
                linked(
                    "scale.loss_per_extra_node",
                    "Loss per extra node, of the network",
                    q.LOSS,
                    "eff.loss_per_extra_node",
                ),
                imported("efficiency_floor", "scale.efficiency_floor"),
                linked("scale.measured", "Pilot's efficiency", q.EFFICIENCY, "eff.measured_eff"),
                linked("scale.exponent", "Pilot's exponent", q.EXPONENT, "eff.exponent"),
                linked("scale.by_pilot", "By the pilot", q.EFFICIENCY, "eff.efficiency_pilot"),
                linked("scale.fitted", "By measured points", q.EFFICIENCY, "eff.efficiency_fitted"),
                linked("scale.fitted_low", "80 % band of it, from", q.EFFICIENCY, "fit.low"),
                linked("scale.fitted_high", "80 % band of it, to", q.EFFICIENCY, "fit.high"),
                linked("scale.fit_next", "One node more, as fitted", q.EFFICIENCY, "fit.next"),
                imported("gpus_per_node", "scale.gpus_per_node"),
                linked("scale.work", "Productive GPU-hours", GPU_HOURS, "calc.total_gpu_hours"),
                linked("scale.price", "Price of a GPU-hour", q.GPU_HOUR_PRICE, "price.gpu_hour"),
            ),
        ),
        Section(
            "One node more",
            (
                own("scale.next_nodes", "Nodes then", q.NODES, "[scale.nodes]+1"),
                called(
                    "scale.next_network",
                    "Efficiency then, of the network",
                    "SCALING_EFF_LINEAR",
                    BY_NETWORK,
                    {"nodes": "scale.next_nodes"},
                ),
                called(
                    "scale.next_pilot",
                    "Efficiency then, of the pilot",
                    "SCALING_EFF_POWER",
                    BY_PILOT,
                    {"nodes": "scale.next_nodes"},
                ),
                own(
                    "scale.next_fitted",
                    "Efficiency then, of measured points",
                    q.EFFICIENCY,
                    "[scale.fit_next]",
                    "ISNUMBER([scale.fitted])",
                ),
                own(
                    "scale.next_efficiency",
                    "Efficiency then (unknown if typed)",
                    q.EFFICIENCY,
                    "INDEX([scale.next_network]:[scale.next_fitted],[scale.method]-1)",
                    "[scale.method]>1",
                ),
                own(
                    "scale.marginal_node",
                    "Useful work that one node more adds",
                    q.NODE_COUNT,
                    "[scale.next_nodes]*[scale.next_efficiency]-[scale.nodes]*[scale.efficiency]",
                    KNOWN,
                    total=True,
                ),
                own(
                    "scale.marginal_price",
                    "Price of a useful GPU-hour of that node",
                    UNIT_COST,
                    "[scale.price]/[scale.marginal_node]",
                    KNOWN,
                ),
                own(
                    "scale.average_price",
                    "Price of a useful GPU-hour now",
                    UNIT_COST,
                    "[scale.price]/[scale.efficiency]",
                ),
                own(
                    "scale.extra_cost",
                    "More compute at one node more",
                    AMOUNT,
                    "[scale.work]*[scale.price]*(1/[scale.next_efficiency]-1/[scale.efficiency])",
                    KNOWN,
                ),
                own(
                    "scale.hours_saved",
                    "Hours it saves",
                    q.WORK_HOURS,
                    "[scale.work]/[scale.gpus_per_node]*(1/([scale.nodes]*[scale.efficiency])"
                    "-1/([scale.next_nodes]*[scale.next_efficiency]))",
                    KNOWN,
                ),
            ),
        ),
    ),
)
