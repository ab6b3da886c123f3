"""The budget of one training run: the cost estimator's scenarios side by side.

The efficiency of each scenario is typed, comes from nodes and interconnect, or from a pilot at two
sizes; every line of the build-up is a row.
"""

from collections.abc import Callable, Mapping

from openpyxl import Workbook

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet.registry import REGISTRY
from scalesheet_workbooks.inputs import INPUT_BY_ID, INPUTS
from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.sheets import checks, cover, fabrics, functions, lists, model, notes
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
    Link,
    ModelSheet,
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
        sum(entry.required and isinstance(entry.domain, Quantity) for entry in INPUTS),
        "0",
        "the Inputs sheet",
    ),
)

ALERTS = Quantity("alerts raised", "count", "0")

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


def _efficiency_import(input_id: str, line_id: str = "", label: str = "") -> Line:
    return _import(input_id, line_id or input_id.replace("in.", "eff."), label)


def _link(line_id: str, label: str, quantity: Quantity, target: str) -> Line:
    return Line(line_id, label, quantity.unit, quantity.number_format, Link(target))


def _call(
    line_id: str,
    label: str,
    name: str,
    needs: str = "",
    given: Mapping[str, str] | None = None,
    total: bool = False,
) -> Line:
    """A line that is a function; its arguments are the lines of their names, or those given."""
    record, sheet = REGISTRY[name], line_id.partition(".")[0]
    arguments = {p.name: f"{sheet}.{p.name}" for p in record.parameters} | dict(given or {})
    result = record.result
    source = Call(name, arguments)
    return Line(line_id, label, result.unit, result.number_format, source, needs, total)


def _own(line_id: str, label: str, quantity: Quantity, text: str, needs: str = "") -> Line:
    return Line(line_id, label, quantity.unit, quantity.number_format, Own(text), needs)


def _flag(line_id: str, label: str, condition: str) -> Line:
    return Line(line_id, label, "0/1", "0", Own(f"IF({condition},1,0)"))


def _constant(constant_id: str, line_id: str) -> Line:
    constant = next(entry for entry in CONSTANTS if entry.id == constant_id)
    source = ImportConstant(constant_id)
    return Line(line_id, constant.label, constant.unit, constant.number_format, source)


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
    "Where the efficiency comes from, and what one node more would add; nothing to fill",
    (
        Section(
            "Cluster",
            (
                _efficiency_import("in.gpus"),
                _efficiency_import("in.gpus_per_node"),
                _flag(
                    "eff.whole",
                    "GPUs and GPUs per node are whole",
                    "AND(ROUNDUP([eff.gpus],0)=[eff.gpus],"
                    "ROUNDUP([eff.gpus_per_node],0)=[eff.gpus_per_node])",
                ),
                _call("eff.billed_gpus", "GPUs in whole nodes", "BILLED_GPUS"),
                _own("eff.nodes", "Nodes", q.NODES, "[eff.billed_gpus]/[eff.gpus_per_node]"),
            ),
        ),
        Section(
            "From the interconnect",
            (
                Line(
                    "eff.interconnect", "Interconnect", "name", "@", ImportName("in.interconnect")
                ),
                _efficiency_import("in.efficiency_floor"),
                _flag(
                    "eff.has_network",
                    "Interconnect and floor are given",
                    "AND(ISNUMBER(MATCH([eff.interconnect],lst_interconnects,0)),"
                    "ISNUMBER([eff.efficiency_floor]))",
                ),
                _call(
                    "eff.loss_per_extra_node", "Loss per extra node", "LOSS_PER_NODE", FROM_NETWORK
                ),
                _call(
                    "eff.floor_nodes", "Nodes where the floor begins", "FLOOR_NODES", FROM_NETWORK
                ),
            ),
        ),
        Section(
            "From a pilot",
            (
                _efficiency_import("in.pilot_base_nodes"),
                _efficiency_import("in.pilot_base_throughput"),
                _efficiency_import("in.pilot_nodes"),
                _efficiency_import("in.pilot_throughput"),
                _flag("eff.has_pilot", "Pilot is given", f"COUNT({PILOT})=ROWS({PILOT})"),
                _call(
                    "eff.measured_eff",
                    "Pilot's measured efficiency",
                    "MEASURED_EFF",
                    FROM_PILOT,
                    PILOT_RUNS,
                ),
                _call(
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
                _efficiency_import("in.efficiency", "eff.efficiency_typed"),
                _call(
                    "eff.efficiency_network",
                    "Efficiency from interconnect",
                    "SCALING_EFF",
                    FROM_NETWORK,
                ),
                _call(
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
            "What the cluster delivers",
            (
                _own(
                    "eff.gpus_lost",
                    "GPU-equivalents lost",
                    q.GPU_EQUIVALENTS,
                    "[eff.gpus]*(1-[eff.efficiency])",
                ),
                _efficiency_import("in.gpu_throughput", label="Throughput of one GPU alone"),
                _own(
                    "eff.cluster_throughput",
                    "Effective throughput of the cluster",
                    q.THROUGHPUT,
                    "[eff.gpus]*[eff.gpu_throughput]*[eff.efficiency]",
                    "ISNUMBER([eff.gpu_throughput])",
                ),
            ),
        ),
        Section(
            "One node more",
            (
                _constant("const.one", "eff.one"),
                _own("eff.next_nodes", "Nodes with one more", q.NODES, "[eff.nodes]+[eff.one]"),
                _call(
                    "eff.next_efficiency_network",
                    "Efficiency then, from interconnect",
                    "SCALING_EFF",
                    FROM_NETWORK,
                    {"nodes": "eff.next_nodes"},
                ),
                _call(
                    "eff.next_efficiency_pilot",
                    "Efficiency then, from pilot",
                    "SCALING_EFF_POWER",
                    FROM_PILOT,
                    {"nodes": "eff.next_nodes"},
                ),
                _own(
                    "eff.next_efficiency",
                    "Efficiency then (unknown if typed)",
                    q.EFFICIENCY,
                    "INDEX([eff.next_efficiency_network]:[eff.next_efficiency_pilot],"
                    "[eff.method]-1)",
                    "[eff.method]>1",
                ),
                _own(
                    "eff.marginal_node",
                    "Useful work that one node more adds",
                    q.NODE_COUNT,
                    "[eff.next_nodes]*[eff.next_efficiency]-[eff.nodes]*[eff.efficiency]",
                    "ISNUMBER([eff.next_efficiency])",
                ),
            ),
        ),
        Section(
            "Alerts on efficiency",
            (
                _constant("const.low_efficiency", "eff.low_efficiency"),
                _flag(
                    "eff.low_efficiency_alert",
                    "Efficiency below the alert level",
                    "[eff.efficiency]<[eff.low_efficiency]",
                ),
                _flag(
                    "eff.floor_alert",
                    "What is shown is the floor, not the model",
                    "AND([eff.method]-1=1,[eff.nodes]>=[eff.floor_nodes])",
                ),
                _constant("const.full_efficiency", "eff.full_efficiency"),
                _flag(
                    "eff.full_efficiency_alert",
                    "Efficiency above 100 %",
                    "N([eff.efficiency])>[eff.full_efficiency]",
                ),
                _flag(
                    "eff.partial_node_alert",
                    "Last node only partly used",
                    "[eff.billed_gpus]>[eff.gpus]",
                ),
                _own(
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

CALC = ModelSheet(
    "Calc",
    "Calculation",
    "Green rows bring in inputs and earlier sheets, black rows calculate; nothing to fill",
    (
        Section(
            "Cluster",
            (
                _import("in.gpus"),
                _link("calc.billed_gpus", "GPUs in whole nodes", q.GPUS, "eff.billed_gpus"),
                _link("calc.efficiency", "Scaling efficiency", q.EFFICIENCY, "eff.efficiency"),
            ),
        ),
        Section(
            "Work and time",
            (
                Line(
                    "calc.work_basis",
                    "Work entered as: 1 hours, 2 GPU-hours",
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
                    {"total_gpu_hours": "calc.total_gpu_hours_entered"},
                ),
                _own(
                    "calc.ideal_hours",
                    "Ideal hours of the whole cluster",
                    q.WORK_HOURS,
                    "IF([calc.work_basis]=1,[calc.ideal_hours_entered],"
                    "[calc.ideal_hours_from_work])",
                ),
                _own(
                    "calc.total_gpu_hours",
                    "Productive GPU-hours",
                    q.TOTAL_GPU_HOURS,
                    "[calc.gpus]*[calc.ideal_hours]",
                ),
                _call("calc.wall_clock_hours", "Wall-clock hours", "WALL_CLOCK_HOURS"),
                _constant("const.hours_per_day", "calc.hours_per_day"),
                _call("calc.wall_clock_days", "Wall-clock days", "WALL_CLOCK_DAYS"),
                _import("in.rework"),
                _call("calc.expected_days", "Days if rework takes time too", "EXPECTED_DAYS"),
                _call("calc.gpu_hours", "GPU-hours before rework", "GPU_HOURS"),
                _own(
                    "calc.gpu_hours_with_rework",
                    "GPU-hours with rework",
                    q.TOTAL_GPU_HOURS,
                    "[calc.gpu_hours]*(1+[calc.rework])",
                ),
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
                    "Compute above that (a gain if negative)",
                    q.COST,
                    "[calc.compute_cost]-[calc.perfect_cost]",
                ),
                _own(
                    "calc.lost_compute",
                    "Compute lost to scaling",
                    q.COST,
                    "MAX(0,[calc.scaling_loss_cost])",
                ),
                _own(
                    "calc.useful_compute",
                    "Useful compute",
                    q.COST,
                    "[calc.compute_cost]-[calc.lost_compute]",
                ),
                _own(
                    "calc.cost_per_productive_gpu_hour",
                    "Cost per productive GPU-hour",
                    q.GPU_HOUR_PRICE,
                    "[calc.train_cost]/[calc.total_gpu_hours]",
                ),
                _call("calc.cost_overhead", "Overhead over perfect scaling", "COST_OVERHEAD"),
                _own(
                    "calc.whole_node_extra",
                    "Extra if whole nodes are billed",
                    q.COST,
                    "([calc.compute_cost]+[calc.rework_cost])*([calc.billed_gpus]/[calc.gpus]-1)",
                ),
            ),
        ),
        Section(
            "Alerts",
            (
                _link("calc.efficiency_alerts", "Alerts on efficiency", ALERTS, "eff.alerts"),
                _constant("const.high_rework", "calc.high_rework"),
                _flag(
                    "calc.rework_alert",
                    "Rework above its usual band",
                    "N([calc.rework])>[calc.high_rework]",
                ),
                Line(
                    "calc.alerts",
                    "Alerts",
                    ALERTS.unit,
                    ALERTS.number_format,
                    Own("[calc.efficiency_alerts]+[calc.rework_alert]"),
                    total=True,
                ),
            ),
        ),
    ),
)

MODEL = (EFFICIENCY, CALC)

NAMED = {
    "out_total_cost": "calc.train_cost",
    "out_wall_clock_days": "calc.wall_clock_days",
    "out_efficiency": "calc.efficiency",
}

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


SHEETS: Mapping[str, Callable[[Context], None]] = {
    "Cover": lambda context: cover.write(context, PURPOSE),
    "Inputs": inputs_sheet.write,
    "Efficiency": lambda context: model.write(context, EFFICIENCY, BODY_CONSTANTS, BODY_TABLES),
    "Calc": lambda context: model.write(context, CALC, BODY_CONSTANTS, BODY_TABLES),
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
    for sheet in MODEL:
        model.place(context, sheet)
    fabrics.place(context)
    checks.place(context, CHECKS)
    lists.place(context, CONSTANTS)
    for title in SHEETS:
        book.create_sheet(title)
    for write_sheet in SHEETS.values():
        write_sheet(context)
    model.name_ranges(context, NAMED)
    functions.add_names(context)
