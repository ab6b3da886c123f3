"""The budget of one training run: the cost estimator's scenarios side by side.

The efficiency of each scenario is typed, comes from nodes and interconnect, or from a pilot at two
sizes; every line of the build-up is a row.
"""

from collections.abc import Callable, Mapping

from openpyxl import Workbook

from scalesheet import quantities as q
from scalesheet.registry import REGISTRY
from scalesheet_workbooks.inputs import INPUT_BY_ID, INPUTS
from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.sheets import calc, checks, cover, fabrics, functions, lists, notes
from scalesheet_workbooks.sheets import inputs as inputs_sheet
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.spec import (
    ALERT,
    COMPLETENESS,
    ERROR,
    Call,
    Check,
    Constant,
    Import,
    ImportConstant,
    ImportName,
    ImportPlace,
    Line,
    Own,
    Section,
)
from scalesheet_workbooks.study import Study

NAME = "training_run_budget"
VERSION = "1.0.0"
TITLE = "Training run budget"
PURPOSE = "What a training run costs, how long it takes, and what scaling losses take of it"

CONSTANTS = (
    Constant("const.hours_per_day", "Hours per day", "h/day", 24, "0", "definition"),
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
    Constant(
        "const.high_rework",
        "Rework above which an alert is raised",
        "share",
        0.5,
        "0.0%",
        "usual band of the function library",
    ),
    Constant("const.one", "One node more", "nodes", 1, "0", "definition"),
    Constant(
        "const.required_rows",
        "Input rows that every scenario needs as numbers",
        "rows",
        sum(entry.required and isinstance(entry.domain, q.Quantity) for entry in INPUTS),
        "0",
        "the Inputs sheet",
    ),
)

# Constants of the function bodies, by the lines that bring them in.
BODY_CONSTANTS = {"HOURS_PER_DAY": "calc.hours_per_day"}
BODY_TABLES = {"LOSS_BY_INTERCONNECT": ("lst_interconnects", "lst_losses")}


def _import(input_id: str, line_id: str = "", label: str = "") -> Line:
    entry = INPUT_BY_ID[input_id]
    return Line(
        line_id or input_id.replace("in.", "calc."),
        label or entry.label,
        entry.domain.unit,
        entry.domain.number_format,
        Import(input_id),
    )


def _call(
    line_id: str, label: str, name: str, needs: str = "", total: bool = False, **given: str
) -> Line:
    result = REGISTRY[name].result
    source = Call(name, given)
    return Line(line_id, label, result.unit, result.number_format, source, needs, total)


def _own(line_id: str, label: str, quantity: q.Quantity, text: str, needs: str = "") -> Line:
    return Line(line_id, label, quantity.unit, quantity.number_format, Own(text), needs)


def _flag(line_id: str, label: str, condition: str) -> Line:
    return Line(line_id, label, "0/1", "0;-0;–", Own(f"IF({condition},1,0)"))


def _constant(constant_id: str) -> Line:
    constant = next(entry for entry in CONSTANTS if entry.id == constant_id)
    return Line(
        constant_id.replace("const.", "calc."),
        constant.label,
        constant.unit,
        constant.number_format,
        ImportConstant(constant_id),
    )


PILOT = "[calc.pilot_base_nodes]:[calc.pilot_throughput]"
FROM_NETWORK = "[calc.has_network]=1"

CALC = (
    Section(
        "Cluster",
        (
            _import("in.gpus"),
            _import("in.gpus_per_node"),
            _flag(
                "calc.whole",
                "GPUs and GPUs per node are whole",
                "AND(ROUNDUP([calc.gpus],0)=[calc.gpus],"
                "ROUNDUP([calc.gpus_per_node],0)=[calc.gpus_per_node])",
            ),
            _call("calc.billed_gpus", "GPUs in whole nodes", "BILLED_GPUS"),
            _own("calc.nodes", "Nodes", q.NODES, "[calc.billed_gpus]/[calc.gpus_per_node]"),
        ),
    ),
    Section(
        "Scaling efficiency",
        (
            Line("calc.interconnect", "Interconnect", "name", "@", ImportName("in.interconnect")),
            _import("in.efficiency_floor"),
            _flag(
                "calc.has_network",
                "Interconnect and floor are given",
                "AND(ISNUMBER(MATCH([calc.interconnect],lst_interconnects,0)),"
                "ISNUMBER([calc.efficiency_floor]))",
            ),
            _call("calc.loss_per_extra_node", "Loss per extra node", "LOSS_PER_NODE", FROM_NETWORK),
            _call("calc.floor_nodes", "Nodes where the floor begins", "FLOOR_NODES", FROM_NETWORK),
            _import("in.pilot_base_nodes"),
            _import("in.pilot_base_throughput"),
            _import("in.pilot_nodes"),
            _import("in.pilot_throughput"),
            _flag("calc.has_pilot", "Pilot is given", f"COUNT({PILOT})=ROWS({PILOT})"),
            _call(
                "calc.measured_eff",
                "Pilot's measured efficiency",
                "MEASURED_EFF",
                "[calc.has_pilot]=1",
                nodes="calc.pilot_nodes",
                throughput="calc.pilot_throughput",
                base_nodes="calc.pilot_base_nodes",
                base_throughput="calc.pilot_base_throughput",
            ),
            _call(
                "calc.exponent",
                "Pilot's scaling exponent",
                "SCALING_EXPONENT",
                "[calc.has_pilot]=1",
                nodes="calc.pilot_nodes",
                throughput="calc.pilot_throughput",
                base_nodes="calc.pilot_base_nodes",
                base_throughput="calc.pilot_base_throughput",
            ),
            _import("in.efficiency", "calc.efficiency_typed"),
            _call(
                "calc.efficiency_network",
                "Efficiency from interconnect",
                "SCALING_EFF",
                FROM_NETWORK,
            ),
            _call(
                "calc.efficiency_pilot",
                "Efficiency from pilot",
                "SCALING_EFF_POWER",
                "[calc.has_pilot]=1",
            ),
            Line(
                "calc.method",
                "Method picked: 1 typed, 2 interconnect, 3 pilot",
                "place",
                "0",
                ImportPlace("in.efficiency_method", "lst_methods"),
            ),
            Line(
                "calc.efficiency",
                "Scaling efficiency used",
                q.EFFICIENCY.unit,
                q.EFFICIENCY.number_format,
                Own("INDEX([calc.efficiency_typed]:[calc.efficiency_pilot],[calc.method])"),
                total=True,
            ),
        ),
    ),
    Section(
        "Work and time",
        (
            Line(
                "calc.work_basis",
                "Work entered as: 1 ideal hours, 2 GPU-hours",
                "place",
                "0",
                ImportPlace("in.work_basis", "lst_work_bases"),
            ),
            _import("in.ideal_hours", "calc.ideal_hours_entered", "Ideal hours as entered"),
            _import("in.total_gpu_hours", "calc.total_gpu_hours_entered"),
            _call(
                "calc.ideal_hours_from_work",
                "Ideal hours from total GPU-hours",
                "IDEAL_HOURS_FROM_WORK",
                "ISNUMBER([calc.total_gpu_hours_entered])",
                total_gpu_hours="calc.total_gpu_hours_entered",
            ),
            _own(
                "calc.ideal_hours",
                "Ideal hours of the whole cluster",
                q.WORK_HOURS,
                "IF([calc.work_basis]=1,[calc.ideal_hours_entered],[calc.ideal_hours_from_work])",
            ),
            _own(
                "calc.total_gpu_hours",
                "Productive GPU-hours",
                q.TOTAL_GPU_HOURS,
                "[calc.gpus]*[calc.ideal_hours]",
            ),
            _call("calc.wall_clock_hours", "Wall-clock hours", "WALL_CLOCK_HOURS"),
            _constant("const.hours_per_day"),
            _call("calc.wall_clock_days", "Wall-clock days", "WALL_CLOCK_DAYS"),
            _import("in.rework"),
            _call("calc.expected_days", "Days if rework takes time too", "EXPECTED_DAYS"),
            _call("calc.gpu_hours", "GPU-hours paid for", "GPU_HOURS"),
        ),
    ),
    Section(
        "Cost",
        (
            _import("in.gpu_hour_price"),
            _call("calc.compute_cost", "Compute", "COMPUTE_COST"),
            _call("calc.rework_cost", "Rework", "REWORK_COST"),
            _import("in.storage"),
            _import("in.egress"),
            _own("calc.fixed_costs", "Fixed costs", q.COST, "[calc.storage]+[calc.egress]"),
            _call("calc.train_cost", "Total cost", "TRAIN_COST", total=True),
        ),
    ),
    Section(
        "What the money buys",
        (
            _own(
                "calc.perfect_cost",
                "Compute at perfect scaling",
                q.COST,
                "[calc.total_gpu_hours]*[calc.gpu_hour_price]",
            ),
            _own(
                "calc.scaling_loss_cost",
                "Compute lost to scaling",
                q.COST,
                "[calc.compute_cost]-[calc.perfect_cost]",
            ),
            _own(
                "calc.cost_per_productive_gpu_hour",
                "Cost per productive GPU-hour",
                q.GPU_HOUR_PRICE,
                "[calc.train_cost]/[calc.total_gpu_hours]",
            ),
            _call("calc.cost_overhead", "Overhead over perfect scaling", "COST_OVERHEAD"),
            _call("calc.gpus_lost", "GPU-equivalents lost", "GPUS_LOST"),
            _import("in.gpu_throughput", label="Throughput of one GPU alone"),
            _call(
                "calc.cluster_throughput",
                "Effective throughput of the cluster",
                "CLUSTER_THROUGHPUT",
                "ISNUMBER([calc.gpu_throughput])",
            ),
        ),
    ),
    Section(
        "One node more",
        (
            _constant("const.one"),
            _own("calc.next_nodes", "Nodes with one more", q.NODES, "[calc.nodes]+[calc.one]"),
            _call(
                "calc.next_efficiency_network",
                "Efficiency then, from interconnect",
                "SCALING_EFF",
                FROM_NETWORK,
                nodes="calc.next_nodes",
            ),
            _call(
                "calc.next_efficiency_pilot",
                "Efficiency then, from pilot",
                "SCALING_EFF_POWER",
                "[calc.has_pilot]=1",
                nodes="calc.next_nodes",
            ),
            _own(
                "calc.next_efficiency",
                "Efficiency then (unknown if typed)",
                q.EFFICIENCY,
                "INDEX([calc.next_efficiency_network]:[calc.next_efficiency_pilot],[calc.method]-1)",
                "[calc.method]>1",
            ),
            _own(
                "calc.marginal_node",
                "Useful work that one node more adds",
                q.NODE_COUNT,
                "[calc.next_nodes]*[calc.next_efficiency]-[calc.nodes]*[calc.efficiency]",
                "ISNUMBER([calc.next_efficiency])",
            ),
        ),
    ),
    Section(
        "Alerts",
        (
            _constant("const.low_efficiency"),
            _flag(
                "calc.low_efficiency_alert",
                "Efficiency below the alert level",
                "[calc.efficiency]<[calc.low_efficiency]",
            ),
            _flag(
                "calc.floor_alert",
                "What is shown is the floor, not the model",
                "AND([calc.method]-1=1,[calc.nodes]>=[calc.floor_nodes])",
            ),
            _constant("const.full_efficiency"),
            _flag(
                "calc.full_efficiency_alert",
                "Efficiency above 100 %",
                "N([calc.efficiency])>[calc.full_efficiency]",
            ),
            _flag(
                "calc.partial_node_alert",
                "Last node only partly used",
                "[calc.billed_gpus]>[calc.gpus]",
            ),
            _constant("const.high_rework"),
            _flag(
                "calc.rework_alert",
                "Rework above its usual band",
                "N([calc.rework])>[calc.high_rework]",
            ),
            Line(
                "calc.alerts",
                "Alerts",
                "count",
                "0;-0;–",
                Own(
                    "[calc.low_efficiency_alert]+[calc.floor_alert]+[calc.full_efficiency_alert]"
                    "+[calc.partial_node_alert]+[calc.rework_alert]"
                ),
                total=True,
            ),
        ),
    ),
)

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
        "Paid GPU-hours times efficiency give the productive ones",
        ERROR,
        "SUMPRODUCT([calc.gpu_hours],[calc.efficiency])",
        "SUM([calc.total_gpu_hours])",
        CENT,
    ),
    Check(
        "chk.price",
        "Compute is paid GPU-hours times price",
        ERROR,
        "SUMPRODUCT([calc.gpu_hours],[calc.gpu_hour_price])",
        "SUM([calc.compute_cost])",
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
        "COUNT([calc.gpus],[calc.gpus_per_node],[calc.gpu_hour_price],[calc.rework],"
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
        "SUM([calc.whole])",
        "COLUMNS([calc.whole])",
        number_format="0",
    ),
    Check(
        "chk.low_efficiency",
        "Scenarios below the efficiency alert level",
        ALERT,
        "SUM([calc.low_efficiency_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.floor",
        "Scenarios that show the floor, not the model",
        ALERT,
        "SUM([calc.floor_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.full_efficiency",
        "Scenarios above 100 % efficiency",
        ALERT,
        "SUM([calc.full_efficiency_alert])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.partial_nodes",
        "Scenarios whose last node is only partly used",
        ALERT,
        "SUM([calc.partial_node_alert])",
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


SHEETS: Mapping[str, Callable[[Context], None]] = {
    "Cover": lambda context: cover.write(context, PURPOSE),
    "Inputs": inputs_sheet.write,
    "Calc": lambda context: calc.write(context, CALC, BODY_CONSTANTS, BODY_TABLES),
    "Fabrics": fabrics.write,
    "Checks": lambda context: checks.write(context, CHECKS),
    "Functions": functions.write,
    "Notes": notes.write,
    "Lists": lambda context: lists.write(context, CONSTANTS),
}
"""Every sheet in its order, with its writer."""


def write(book: Workbook, study: Study) -> None:
    """Every sheet of the budget: first where things stand, then what stands there."""
    context = Context(book, study, Layout(len(study.scenarios)), f"{NAME} {VERSION}")
    inputs_sheet.place(context)
    calc.place(context, CALC)
    fabrics.place(context)
    checks.place(context, CHECKS)
    lists.place(context, CONSTANTS)
    for title in SHEETS:
        book.create_sheet(title)
    for write_sheet in SHEETS.values():
        write_sheet(context)
    functions.add_names(context)
