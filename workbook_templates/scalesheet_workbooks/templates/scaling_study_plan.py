"""The planned size of a scaling study, a pilot of two, whether it bends, the table to copy."""

from scalesheet.quantities import COST, GPU_HOUR_PRICE
from scalesheet_workbooks.scaling_inputs import SIZE_ROWS, WORK
from scalesheet_workbooks.sheets.study_table import (
    FLAG,
    LOG,
    NODES,
    POWER,
    RATIO,
    SHARE,
    TEXT,
    THROUGHPUT,
    Column,
    Entries,
    Entry,
    StudySheet,
    Table,
    Use,
    brought,
    brought_column,
)
from scalesheet_workbooks.templates.scaling_study_sizes import MEAN_AT

MONEY = COST.number_format
HAS_SEVERAL = "[pln.several]=1"
HAS_BEFORE = "ISNUMBER([pln.before])"
PILOT = {
    "nodes": "pln.most",
    "throughput": "pln.most_rate",
    "base_nodes": "pln.least",
    "base_throughput": "pln.least_rate",
}

PLAN = StudySheet(
    "Plan",
    "pln",
    "The planned size",
    "What it brings, what a pilot of two says of it, and the table to copy into a proposal",
    (
        Entries(
            "Forecast at the planned size",
            (
                brought(
                    "pln.gpu_hour_price",
                    "Price of a GPU-hour",
                    GPU_HOUR_PRICE.unit,
                    GPU_HOUR_PRICE.number_format,
                    "val.gpu_hour_price",
                ),
                brought(
                    "pln.gpus_per_node", "GPUs per node", "GPUs/node", NODES, "val.gpus_per_node"
                ),
                brought(
                    "pln.work_units", "Work to cost", "units", WORK.number_format, "val.work_units"
                ),
                brought("pln.seconds", "Seconds per hour", "s/h", NODES, "val.seconds"),
                brought("pln.nodes", "Planned size", "nodes", NODES, "cur.nodes@at_planned"),
                brought(
                    "pln.one",
                    "Forecast for one node",
                    "units/s",
                    THROUGHPUT,
                    "cur.throughput@size_1",
                ),
                brought(
                    "pln.low", "Throughput, band from", "units/s", THROUGHPUT, "cur.low@at_planned"
                ),
                brought(
                    "pln.throughput",
                    "Throughput",
                    "units/s",
                    THROUGHPUT,
                    "cur.throughput@at_planned",
                ),
                brought(
                    "pln.high", "Throughput, band to", "units/s", THROUGHPUT, "cur.high@at_planned"
                ),
                brought(
                    "pln.one_more",
                    "Throughput with one node more",
                    "units/s",
                    THROUGHPUT,
                    "cur.throughput@at_one_more",
                ),
                brought(
                    "pln.twice",
                    "Throughput with twice as many",
                    "units/s",
                    THROUGHPUT,
                    "cur.throughput@at_twice",
                ),
                Entry(
                    "pln.efficiency",
                    "Efficiency",
                    "share",
                    SHARE,
                    "[pln.throughput]/[pln.nodes]/[pln.one]",
                    total=True,
                ),
                Entry(
                    "pln.hours",
                    "Hours for the work",
                    "h",
                    RATIO,
                    "[pln.work_units]/[pln.throughput]/[pln.seconds]",
                    needs="ISNUMBER([pln.work_units])",
                ),
                Entry(
                    "pln.cost",
                    "Cost of the work",
                    "money",
                    MONEY,
                    "[pln.nodes]*[pln.gpus_per_node]*[pln.hours]*[pln.gpu_hour_price]",
                    needs="AND(ISNUMBER([pln.hours]),ISNUMBER([pln.gpu_hour_price]))",
                    total=True,
                ),
                Entry(
                    "pln.marginal_node",
                    "One node more adds, in nodes' worth",
                    "nodes",
                    RATIO,
                    "([pln.one_more]-[pln.throughput])/[pln.one]",
                ),
                Entry(
                    "pln.doubling",
                    "Twice the nodes bring more, by",
                    "share",
                    SHARE,
                    "[pln.twice]/[pln.throughput]-1",
                ),
            ),
        ),
        Entries(
            "A pilot of two: the smallest and the largest measured size alone",
            (
                brought("pln.least", "Smallest size measured", "nodes", NODES, "fit.least"),
                brought(
                    "pln.least_rate",
                    "Mean throughput there",
                    "units/s",
                    THROUGHPUT,
                    "siz.base_throughput",
                ),
                brought("pln.most", "Largest size measured", "nodes", NODES, "fit.most"),
                Entry(
                    "pln.most_rate",
                    "Mean throughput at the largest",
                    "units/s",
                    THROUGHPUT,
                    MEAN_AT.format("[pln.most]"),
                ),
                brought("pln.several", "More than one size", "0/1", FLAG, "fit.several"),
                Entry(
                    "pln.pilot_efficiency",
                    "Efficiency, largest against smallest",
                    "share",
                    SHARE,
                    Use("MEASURED_EFF", PILOT),
                    needs=HAS_SEVERAL,
                ),
                Entry(
                    "pln.pilot_exponent",
                    "Scaling exponent",
                    "exponent",
                    POWER,
                    Use("SCALING_EXPONENT", PILOT),
                    needs=HAS_SEVERAL,
                ),
                Entry(
                    "pln.pilot_planned",
                    "Efficiency at the planned size",
                    "share",
                    SHARE,
                    Use(
                        "SCALING_EFF_POWER",
                        {"nodes": "pln.nodes", "exponent": "pln.pilot_exponent"},
                    ),
                    needs=HAS_SEVERAL,
                    total=True,
                ),
            ),
        ),
        Entries(
            "Does it bend? The loss of a doubling, lately and before",
            (
                brought("pln.two", "A doubling", "ratio", NODES, "const.two"),
                Entry(
                    "pln.middle",
                    "Points between smallest and largest",
                    "count",
                    FLAG,
                    'COUNTIF(lst_nodes,"<"&[pln.most])-COUNTIF(lst_nodes,[pln.least])',
                ),
                Entry(
                    "pln.before",
                    "Size before the largest",
                    "nodes",
                    NODES,
                    "LARGE(lst_nodes,COUNTIF(lst_nodes,[pln.most])+1)",
                    needs="[pln.middle]>0",
                ),
                Entry(
                    "pln.before_rate",
                    "Mean throughput at that size",
                    "units/s",
                    THROUGHPUT,
                    MEAN_AT.format("[pln.before]"),
                    needs=HAS_BEFORE,
                ),
                Entry(
                    "pln.loss_before",
                    "Loss of a doubling up to it",
                    "log",
                    LOG,
                    "LN([pln.least_rate]*[pln.before]/[pln.least]/[pln.before_rate])"
                    "*LN([pln.two])/LN([pln.before]/[pln.least])",
                    needs=HAS_BEFORE,
                ),
                Entry(
                    "pln.loss_lately",
                    "Loss of the last doubling",
                    "log",
                    LOG,
                    "LN([pln.before_rate]*[pln.most]/[pln.before]/[pln.most_rate])"
                    "*LN([pln.two])/LN([pln.most]/[pln.before])",
                    needs=HAS_BEFORE,
                ),
                brought("pln.bend", "More than twice as much, and by", "log", LOG, "const.bend"),
                Entry(
                    "pln.bends",
                    "It bends",
                    "0/1",
                    FLAG,
                    "1*(N([pln.loss_lately])>[pln.two]*MAX(0,N([pln.loss_before]))+[pln.bend])",
                ),
            ),
        ),
        Entries(
            "What the efficiencies rest on",
            (
                brought("pln.count", "Measurements used", "count", FLAG, "fit.count"),
                Entry(
                    "pln.basis",
                    "In words",
                    "text",
                    TEXT,
                    '[pln.count]&" points, "&[pln.least]&" to "&[pln.most]&" nodes"',
                ),
            ),
        ),
        Table(
            "To copy into a proposal: from the headings to the last size",
            (*SIZE_ROWS, ("at_planned", "Planned size")),
            (
                brought_column("pln.copy_nodes", "Nodes", NODES, "cur.nodes"),
                brought_column("pln.copy_efficiency", "Efficiency", SHARE, "cur.efficiency"),
                brought_column("pln.copy_low", "Band from", SHARE, "cur.efficiency_low"),
                brought_column("pln.copy_high", "Band to", SHARE, "cur.efficiency_high"),
                brought_column("pln.copy_source", "Source", TEXT, "cur.source"),
                Column(
                    "pln.copy_basis",
                    "Basis",
                    TEXT,
                    "[pln.basis]",
                    needs="ISNUMBER([pln.copy_nodes])",
                ),
            ),
            fades=True,
        ),
    ),
    (2, 17, 33, 11, 14, 9, 9, 11, 25),
)
