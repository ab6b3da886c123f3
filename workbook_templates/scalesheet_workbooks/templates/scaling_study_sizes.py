"""The measured sizes of a scaling study, signs of wrong figures, and the sizes to look at."""

from scalesheet_workbooks.scaling_inputs import CURVE_ROWS, PLAN_ROWS, SIZES
from scalesheet_workbooks.sheets.study_table import (
    FLAG,
    NODES,
    POWER,
    RATIO,
    SHARE,
    THROUGHPUT,
    Column,
    Entries,
    Entry,
    Source,
    StudySheet,
    Table,
    Use,
    brought,
    number,
)
from scalesheet_workbooks.spec import NOT_GIVEN

MEAN_AT = "SUMIF(lst_nodes,{0},lst_measured)/COUNTIF(lst_nodes,{0})"
"""The mean of what was measured at a size."""


NO_STEP: dict[str, Source] = {key: NOT_GIVEN for key, _ in (("size_1", ""), *PLAN_ROWS)}
IS_MEASURED = "[siz.repeats]>0"

SIZES_SHEET = StudySheet(
    "Sizes",
    "siz",
    "Measured sizes, and the sizes to look at",
    "They follow the points: one node, every measured size, doublings to 8 times the largest; "
    "red: looks wrong",
    (
        Entries(
            "What decides the sizes",
            (
                brought("siz.count", "Measurements used", "count", FLAG, "fit.count"),
                brought("siz.sizes", "Sizes measured", "count", FLAG, "fit.sizes"),
                brought(
                    "siz.most_measured", "Shown all, up to", "count", FLAG, "const.most_measured"
                ),
                brought("siz.least", "Smallest size measured", "nodes", NODES, "fit.least"),
                brought("siz.most", "Largest size measured", "nodes", NODES, "fit.most"),
                brought(
                    "siz.one_node", "One node by the fit", "units/s", THROUGHPUT, "fit.one_node"
                ),
                brought("siz.exponent", "Exponent", "exponent", POWER, "fit.exponent"),
                brought(
                    "siz.class", "Exponent of the class", "exponent", POWER, "fit.class_median"
                ),
                brought("siz.planned", "Planned size", "nodes", NODES, number("in.planned_nodes")),
                brought("siz.one", "One node", "nodes", NODES, "const.one"),
                brought("siz.two", "A doubling", "ratio", NODES, "const.two"),
                brought("siz.reach_factor", "Reach shown", "ratio", NODES, "const.reach"),
                brought("siz.margin", "Margin for figures per GPU", "ratio", RATIO, "const.margin"),
                Entry(
                    "siz.cap", "Largest size shown", "nodes", NODES, "[siz.most]*[siz.reach_factor]"
                ),
                Entry(
                    "siz.step",
                    "Sizes lie apart, at least",
                    "ratio",
                    RATIO,
                    "IF([siz.sizes]>[siz.most_measured],"
                    "([siz.most]/[siz.least])^(1/[siz.most_measured]),1)",
                ),
                Entry(
                    "siz.base_throughput",
                    "Mean throughput, smallest size",
                    "units/s",
                    THROUGHPUT,
                    MEAN_AT.format("[siz.least]"),
                ),
                Entry(
                    "siz.base",
                    "The same, per node",
                    "units/s",
                    THROUGHPUT,
                    "[siz.base_throughput]/[siz.least]",
                ),
            ),
        ),
        Table(
            "Size by size",
            CURVE_ROWS,
            (
                Column(
                    "siz.nodes",
                    "Nodes",
                    NODES,
                    "[siz.next]",
                    needs="[siz.next]<=[siz.cap]",
                    special={key: "[siz.next]" for key, _ in PLAN_ROWS},
                ),
                Column(
                    "siz.next",
                    "Next size",
                    NODES,
                    "IF([siz.below^]<[siz.count],SMALL(lst_nodes,[siz.below^]+1),"
                    "[siz.two]*[siz.next^])",
                    special={
                        "size_1": "[siz.one]",
                        "at_planned": "[siz.planned]",
                        "at_one_more": "[siz.planned]+1",
                        "at_twice": "[siz.two]*[siz.planned]",
                    },
                ),
                Column(
                    "siz.below",
                    "Points up to it",
                    FLAG,
                    'COUNTIF(lst_nodes,"<="&[siz.next]*[siz.step])',
                ),
                Column("siz.repeats", "Points at it", FLAG, "COUNTIF(lst_nodes,[siz.next])"),
                Column(
                    "siz.measured",
                    "Mean throughput",
                    THROUGHPUT,
                    "SUMIF(lst_nodes,[siz.next],lst_measured)/[siz.repeats]",
                    needs=IS_MEASURED,
                ),
                Column(
                    "siz.kept",
                    "Per node, against the smallest",
                    SHARE,
                    "[siz.measured]/[siz.next]/[siz.base]",
                    needs=IS_MEASURED,
                ),
                Column(
                    "siz.power",
                    "Power fit",
                    THROUGHPUT,
                    "[siz.one_node]*[siz.next]^(1-[siz.exponent])",
                    needs="ISNUMBER([siz.nodes])",
                ),
                Column(
                    "siz.off",
                    "Measured over the fit",
                    SHARE,
                    "[siz.measured]/[siz.power]-1",
                    needs="AND([siz.repeats]>0,ISNUMBER([siz.power]))",
                ),
                Column(
                    "siz.class_efficiency",
                    "Class median, efficiency",
                    SHARE,
                    Use("SCALING_EFF_POWER", {"nodes": "siz.next", "exponent": "siz.class"}),
                    needs="AND(ISNUMBER([siz.nodes]),ISNUMBER([siz.class]))",
                ),
                Column(
                    "siz.reach",
                    "Doublings past the points",
                    RATIO,
                    "MAX(0,LN([siz.next]/[siz.most]),LN([siz.least]/[siz.next]))/LN([siz.two])",
                    needs="ISNUMBER([siz.nodes])",
                ),
                Column(
                    "siz.per_gpu",
                    "Looks per GPU",
                    FLAG,
                    "IF([siz.repeats]>0,([siz.kept]*[siz.next]<=[siz.margin]*[siz.least])"
                    "*([siz.next]>[siz.least]),0)",
                ),
                Column(
                    "siz.falls",
                    "Less than the size before",
                    FLAG,
                    "IF([siz.repeats]>0,1*([siz.measured]<N([siz.measured^])),0)",
                    special=NO_STEP,
                ),
            ),
            counted=SIZES,
            fades=True,
        ),
    ),
    (2, 18, 28, 9, *[10.8] * 11),
    landscape=True,
)
