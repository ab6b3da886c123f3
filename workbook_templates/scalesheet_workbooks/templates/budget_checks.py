"""What the budget checks of itself: arithmetic, completeness, and alerts for the reader."""

from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR
from scalesheet_workbooks.spec import Check

CENT = 0.005

CHECKS = (
    Check(
        "chk.components",
        "Compute, rework and fixed costs add up to the totals",
        ERROR,
        "SUM([calc.compute_cost])+SUM([calc.rework_cost])+SUM([calc.fixed_costs])",
        "SUM([calc.train_cost])",
        CENT,
    ),
    Check(
        "chk.overhead",
        "Perfect compute with its overhead, plus fixed costs, gives the totals",
        ERROR,
        "SUMPRODUCT([calc.perfect_cost],1+[calc.cost_overhead])+SUM([calc.fixed_costs])",
        "SUM([calc.train_cost])",
        CENT,
    ),
    Check(
        "chk.gpu_hours",
        "GPU-hours before rework times efficiency give the productive ones",
        ERROR,
        "SUMPRODUCT([calc.gpu_hours],[calc.efficiency])",
        "SUM([calc.total_gpu_hours])",
        CENT,
    ),
    Check(
        "chk.price",
        "Compute is GPU-hours before rework times price",
        ERROR,
        "SUMPRODUCT([calc.gpu_hours],[calc.gpu_hour_price])",
        "SUM([calc.compute_cost])",
        CENT,
    ),
    Check(
        "chk.paid",
        "GPU-hours with rework, at their price, give compute and rework",
        ERROR,
        "SUMPRODUCT([calc.gpu_hours_with_rework],[calc.gpu_hour_price])",
        "SUM([calc.compute_cost])+SUM([calc.rework_cost])",
        CENT,
    ),
    Check(
        "chk.totals",
        "Every scenario has a total",
        ERROR,
        "COUNT([calc.train_cost])",
        "COLUMNS([calc.train_cost])",
        number_format="0",
    ),
    Check(
        "chk.fabrics",
        "The floor is shown from FLOOR_NODES on, the model before it",
        ERROR,
        "SUM([fab.efficiency])",
        "SUMPRODUCT(([fab.sizes]>=[fab.floor_nodes])*[in.fabric_floor]"
        "+([fab.sizes]<[fab.floor_nodes])*(1-[fab.loss]*([fab.sizes]-1)))",
        1e-9,
    ),
    Check(
        "chk.filled",
        "Required inputs are filled with numbers",
        COMPLETENESS,
        "COUNT([eff.gpus],[eff.gpus_per_node],[calc.gpu_hour_price],[calc.rework],"
        "[calc.storage],[calc.egress])",
        "COLUMNS([calc.gpus])*[const.required_rows]",
        number_format="0",
    ),
    Check(
        "chk.in_range",
        "Input rows within their limits",
        COMPLETENESS,
        'COUNTIF([in.marks],"✓")',
        "COUNTA([in.marks])",
        number_format="0",
    ),
    Check(
        "chk.given",
        "Work and efficiency are given in the way that is picked",
        COMPLETENESS,
        "COUNT([calc.ideal_hours],[calc.efficiency])",
        "COLUMNS([calc.ideal_hours])+COLUMNS([calc.efficiency])",
        number_format="0",
    ),
    Check(
        "chk.whole",
        "GPUs and GPUs per node are whole numbers",
        COMPLETENESS,
        "SUM([eff.whole])",
        "COLUMNS([eff.whole])",
        number_format="0",
    ),
    Check(
        "chk.low_efficiency",
        "Scenarios below the efficiency alert level",
        ALERT,
        "SUM([eff.low_efficiency_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.floor",
        "Scenarios that show the floor, not the model",
        ALERT,
        "SUM([eff.floor_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.full_efficiency",
        "Scenarios above 100 % efficiency",
        ALERT,
        "SUM([eff.full_efficiency_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.partial_nodes",
        "Scenarios whose last node is only partly used",
        ALERT,
        "SUM([eff.partial_node_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.rework",
        "Scenarios with rework above its usual band",
        ALERT,
        "SUM([calc.rework_alert])",
        "0",
        number_format="0",
    ),
)
