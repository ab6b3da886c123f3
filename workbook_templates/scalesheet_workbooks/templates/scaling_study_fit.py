"""The power fit of a scaling study: logarithms and sums in sight, no program needed."""

from scalesheet_workbooks.scaling_inputs import POINT_ROWS
from scalesheet_workbooks.sheets.study_table import (
    FLAG,
    LOG,
    NODES,
    POWER,
    SHARE,
    TEXT,
    THROUGHPUT,
    Column,
    Entries,
    Entry,
    StudySheet,
    Table,
    brought,
    brought_column,
    name,
    number,
)

ABOUT_MEANS = ("[fit.x:]-[fit.mean_x]", "[fit.y:]-[fit.mean_y]")


def _sum_of(one: str, other: str) -> str:
    return f"SUMPRODUCT([fit.used:],{one},{other})"


FIT = StudySheet(
    "Fit",
    "fit",
    "Power fit in cells",
    "Least squares on logarithms: throughput per node falls as a power of the nodes",
    (
        Table(
            "Points and their logarithms",
            POINT_ROWS,
            (
                brought_column("fit.nodes", "Nodes", NODES, number("in.nodes")),
                brought_column("fit.throughput", "Throughput", THROUGHPUT, number("in.throughput")),
                Column(
                    "fit.used",
                    "Used",
                    FLAG,
                    "1*AND(N([fit.nodes])>=1,N([fit.throughput])>0,"
                    "ROUNDUP(N([fit.nodes]),0)=N([fit.nodes]))",
                ),
                Column("fit.used_nodes", "Nodes used", NODES, "[fit.nodes]", needs="[fit.used]=1"),
                Column(
                    "fit.first",
                    "First of its size",
                    FLAG,
                    "[fit.used]*(COUNTIF([fit.used_nodes@point_1]:[fit.used_nodes],"
                    "[fit.used_nodes])=1)",
                ),
                Column(
                    "fit.used_throughput",
                    "Throughput used",
                    THROUGHPUT,
                    "[fit.throughput]",
                    needs="[fit.used]=1",
                ),
                Column("fit.x", "ln of nodes", LOG, "IF([fit.used]=1,LN([fit.nodes]),0)"),
                Column(
                    "fit.y",
                    "ln of throughput per node",
                    LOG,
                    "IF([fit.used]=1,LN([fit.throughput]/[fit.nodes]),0)",
                ),
            ),
            fades=True,
        ),
        Entries(
            "What was measured, and the class",
            (
                Entry("fit.count", "Measurements used", "count", FLAG, "SUM([fit.used:])"),
                Entry("fit.sizes", "Sizes measured", "count", FLAG, "SUM([fit.first:])"),
                Entry("fit.least", "Smallest size", "nodes", NODES, "MIN([fit.used_nodes:])"),
                Entry("fit.most", "Largest size", "nodes", NODES, "MAX([fit.used_nodes:])"),
                Entry(
                    "fit.several",
                    "More than one size was measured",
                    "0/1",
                    FLAG,
                    "IF([fit.most]>[fit.least],1,0)",
                ),
                brought(
                    "fit.fabric_class", "Class of fabric", "name", TEXT, name("in.fabric_class")
                ),
                Entry(
                    "fit.class_median",
                    "Median exponent of its published series",
                    "exponent",
                    POWER,
                    "INDEX(lst_class_exponents,MATCH([fit.fabric_class],lst_fabric_classes,0))",
                ),
            ),
        ),
        Entries(
            "Least squares",
            (
                Entry(
                    "fit.mean_x",
                    "Mean of ln of nodes (x)",
                    "log",
                    LOG,
                    "SUMPRODUCT([fit.used:],[fit.x:])/[fit.count]",
                ),
                Entry(
                    "fit.mean_y",
                    "Mean of ln of throughput per node (y)",
                    "log",
                    LOG,
                    "SUMPRODUCT([fit.used:],[fit.y:])/[fit.count]",
                ),
                Entry(
                    "fit.sum_xx",
                    "Sum of x times x, about the mean",
                    "log",
                    LOG,
                    _sum_of(ABOUT_MEANS[0], ABOUT_MEANS[0]),
                ),
                Entry(
                    "fit.sum_xy",
                    "Sum of x times y, about the means",
                    "log",
                    LOG,
                    _sum_of(*ABOUT_MEANS),
                ),
                Entry(
                    "fit.sum_yy",
                    "Sum of y times y, about the mean",
                    "log",
                    LOG,
                    _sum_of(ABOUT_MEANS[1], ABOUT_MEANS[1]),
                ),
                Entry(
                    "fit.slope",
                    "Exponent by least squares",
                    "exponent",
                    POWER,
                    "-[fit.sum_xy]/[fit.sum_xx]",
                    needs="[fit.several]=1",
                ),
                Entry(
                    "fit.exponent",
                    "Exponent (the class's for one size alone)",
                    "exponent",
                    POWER,
                    "IF([fit.several]=1,[fit.slope],[fit.class_median])",
                    total=True,
                ),
                Entry(
                    "fit.level",
                    "ln of the throughput of one node",
                    "log",
                    LOG,
                    "[fit.mean_y]+[fit.exponent]*[fit.mean_x]",
                ),
                Entry(
                    "fit.one_node",
                    "Throughput of one node by the fit",
                    "units/s",
                    THROUGHPUT,
                    "EXP([fit.level])",
                    total=True,
                ),
                Entry(
                    "fit.squares",
                    "Sum of squares that the fit leaves",
                    "log",
                    "0.00E+00",
                    "MAX(0,[fit.sum_yy]+[fit.exponent]*([fit.sum_xy]+[fit.sum_xy]"
                    "+[fit.exponent]*[fit.sum_xx]))",
                ),
                Entry(
                    "fit.error",
                    "Root mean square of what it leaves",
                    "share",
                    SHARE,
                    "SQRT([fit.squares]/[fit.count])",
                ),
            ),
        ),
        Entries(
            "Band of the power fit",
            (
                brought(
                    "fit.band_least",
                    "At a measured size, at least",
                    "share",
                    SHARE,
                    "const.band_least",
                ),
                brought(
                    "fit.band_above",
                    "Above for each doubling past, at least",
                    "share",
                    SHARE,
                    "const.band_above",
                ),
                brought(
                    "fit.band_share",
                    "Above, share of the exponent for each",
                    "share",
                    SHARE,
                    "const.band_share",
                ),
                Entry(
                    "fit.band",
                    "Band at a measured size",
                    "share",
                    SHARE,
                    "MAX([fit.band_least],[fit.error])",
                ),
                Entry(
                    "fit.above",
                    "Above for each doubling past the points",
                    "share",
                    SHARE,
                    "[fit.band_above]+[fit.band_share]*MAX(0,[fit.exponent])",
                ),
            ),
        ),
    ),
    (2, 15.5, 36, 10, 11, 7, 9, 9, 11, 9, 11),
)
