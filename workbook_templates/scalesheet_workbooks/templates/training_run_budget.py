"""The budget of one training run: the cost estimator's scenarios side by side.

The efficiency of each scenario is typed, comes from nodes and interconnect, or from a pilot at two
sizes; every line of the build-up is a row.
"""

import functools
from collections.abc import Callable, Mapping

from openpyxl import Workbook

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.inputs import INPUTS
from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.measured_fit import with_typed_efficiency
from scalesheet_workbooks.sheets import checks, cover, fabrics, functions, lists, model, notes
from scalesheet_workbooks.sheets import inputs as inputs_sheet
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.spec import (
    ALERT,
    COMPLETENESS,
    ERROR,
    Check,
    Constant,
    ImportPlace,
    Line,
    ModelSheet,
    Own,
    Section,
)
from scalesheet_workbooks.study import Study, with_gpu_hours
from scalesheet_workbooks.templates import efficiency
from scalesheet_workbooks.templates.budget_scaling import SCALING
from scalesheet_workbooks.templates.lines import (
    ALERTS,
    called,
    constant,
    flag,
    imported,
    linked,
    own,
)

NAME = "training_run_budget"
VERSION = "1.0.0"
TITLE = "Training run budget"
PURPOSE = "What a training run costs, how long it takes, and what scaling losses take of it"

CONSTANTS = (
    Constant("const.hours_per_day", "Hours per day", "h/day", 24, "0", "definition"),
    *efficiency.CONSTANTS,
    Constant(
        "const.high_rework",
        "Rework above which an alert is raised",
        "share",
        0.5,
        "0.0%",
        "usual band of the function library",
    ),
    Constant(
        "const.required_rows",
        "Input rows that every scenario needs as numbers",
        "rows",
        sum(entry.required and isinstance(entry.domain, Quantity) for entry in INPUTS),
        "0",
        "the Inputs sheet",
    ),
)

# Constants of the function bodies, by the lines that bring them in.
BODY_CONSTANTS = {"HOURS_PER_DAY": "calc.hours_per_day"}

CALC = ModelSheet(
    "Calc",
    "Calculation",
    "Green rows bring in inputs and earlier sheets, black rows calculate; nothing to fill",
    (
        Section(
            "Cluster, work and time",
            (
                imported("in.gpus"),
                linked("calc.billed_gpus", "GPUs in whole nodes", q.GPUS, "eff.billed_gpus"),
                linked("calc.efficiency", "Scaling efficiency", q.EFFICIENCY, "eff.efficiency"),
                Line(
                    "calc.work_basis",
                    "Work entered as: 1 hours, 2 GPU-hours",
                    "place",
                    "0",
                    ImportPlace("in.work_basis", "lst_work_bases"),
                ),
                imported("in.ideal_hours", "calc.ideal_hours_entered", "Ideal hours as entered"),
                imported("in.total_gpu_hours", "calc.total_gpu_hours_entered"),
                called(
                    "calc.ideal_hours_from_work",
                    "Ideal hours from total GPU-hours",
                    "IDEAL_HOURS_FROM_WORK",
                    "ISNUMBER([calc.total_gpu_hours_entered])",
                    {"total_gpu_hours": "calc.total_gpu_hours_entered"},
                ),
                own(
                    "calc.ideal_hours",
                    "Ideal hours of the whole cluster",
                    q.WORK_HOURS,
                    "IF([calc.work_basis]=1,[calc.ideal_hours_entered],"
                    "[calc.ideal_hours_from_work])",
                ),
                own(
                    "calc.total_gpu_hours",
                    "Productive GPU-hours",
                    q.TOTAL_GPU_HOURS,
                    "[calc.gpus]*[calc.ideal_hours]",
                ),
                called("calc.wall_clock_hours", "Wall-clock hours", "WALL_CLOCK_HOURS"),
                constant(CONSTANTS, "const.hours_per_day", "calc.hours_per_day"),
                called("calc.wall_clock_days", "Wall-clock days", "WALL_CLOCK_DAYS"),
                imported("in.rework"),
                called("calc.expected_days", "Days if rework takes time too", "EXPECTED_DAYS"),
                called("calc.gpu_hours", "GPU-hours before rework", "GPU_HOURS"),
                own(
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
                imported("in.gpu_hour_price"),
                called("calc.compute_cost", "Compute", "COMPUTE_COST"),
                called("calc.rework_cost", "Rework", "REWORK_COST"),
                imported("in.storage"),
                imported("in.egress"),
                own("calc.fixed_costs", "Fixed costs", q.COST, "[calc.storage]+[calc.egress]"),
                called("calc.train_cost", "Total cost", "TRAIN_COST", total=True),
            ),
        ),
        Section(
            "What the money buys",
            (
                own(
                    "calc.perfect_cost",
                    "Compute at perfect scaling",
                    q.COST,
                    "[calc.total_gpu_hours]*[calc.gpu_hour_price]",
                ),
                own(
                    "calc.scaling_loss_cost",
                    "Compute above that (a gain if negative)",
                    q.COST,
                    "[calc.compute_cost]-[calc.perfect_cost]",
                ),
                own(
                    "calc.lost_compute",
                    "Compute lost to scaling",
                    q.COST,
                    "MAX(0,[calc.scaling_loss_cost])",
                ),
                own(
                    "calc.useful_compute",
                    "Useful compute",
                    q.COST,
                    "[calc.compute_cost]-[calc.lost_compute]",
                ),
                own(
                    "calc.cost_per_productive_gpu_hour",
                    "Cost per productive GPU-hour",
                    q.GPU_HOUR_PRICE,
                    "[calc.train_cost]/[calc.total_gpu_hours]",
                ),
                called("calc.cost_overhead", "Overhead over perfect scaling", "COST_OVERHEAD"),
                own(
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
                linked("calc.efficiency_alerts", "Alerts on efficiency", ALERTS, "eff.alerts"),
                constant(CONSTANTS, "const.high_rework", "calc.high_rework"),
                flag(
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

LEADS = (28.5, 33.0, 11.0)
"""Widths of the ids, labels and units of the calculation."""
MODEL = (efficiency.EFFICIENCY, SCALING, CALC)

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


def _write_model(context: Context, sheet: ModelSheet) -> None:
    model.write(context, sheet, BODY_CONSTANTS, efficiency.BODY_TABLES, leads=LEADS)


SHEETS: Mapping[str, Callable[[Context], None]] = {
    "Cover": lambda context: cover.write(context, PURPOSE),
    "Inputs": inputs_sheet.write,
    **{sheet.name: functools.partial(_write_model, sheet=sheet) for sheet in MODEL},
    "Fabrics": fabrics.write,
    "Checks": lambda context: checks.write(context, CHECKS),
    "Functions": functions.write,
    **{name: functools.partial(notes.write, name=name) for name in notes.SHEETS},
    "Lists": lambda context: lists.write(context, CONSTANTS),
}
"""Every sheet in its order, with its writer."""


def write(book: Workbook, study: Study) -> None:
    """Every sheet of the budget: first where things stand, then what stands there."""
    study = with_typed_efficiency(with_gpu_hours(study))
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
