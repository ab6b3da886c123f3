"""From GPU-hours to cost: the build-up of the budget, every step a row."""

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.inputs import INPUTS
from scalesheet_workbooks.spec import Constant, ImportPlace, Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates import efficiency
from scalesheet_workbooks.templates.lines import (
    ALERTS,
    called,
    constant,
    flag,
    imported,
    linked,
    own,
)

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
