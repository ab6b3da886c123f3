"""The curve of a scaling study, and what nodes cost and bring size by size."""

from scalesheet.quantities import COST, GPU_HOUR_PRICE
from scalesheet_workbooks.scaling_inputs import CURVE_ROWS, SIZE_ROWS, SIZES, WORK
from scalesheet_workbooks.sheets.study_core import NOTE_ROWS
from scalesheet_workbooks.sheets.study_table import (
    FLAG,
    IMPORTED,
    NODES,
    RATIO,
    SHARE,
    TEXT,
    THROUGHPUT,
    Column,
    Entries,
    Entry,
    Source,
    StudySheet,
    Table,
    brought,
    brought_column,
    number,
)
from scalesheet_workbooks.spec import NOT_GIVEN

MONEY = COST.number_format
IS_SIZE = "ISNUMBER([cur.nodes])"
EFFICIENCIES = {
    "efficiency": ("throughput", "Efficiency"),
    "efficiency_low": ("low", "Its band from"),
    "efficiency_high": ("high", "Its band to"),
}

CURVE = StudySheet(
    "Curve",
    "cur",
    "Curve",
    "Total throughput and efficiency by number of nodes; amber: far from every measured size",
    (
        Table(
            "Throughput and efficiency",
            CURVE_ROWS,
            (
                brought_column("cur.nodes", "Nodes", NODES, "siz.nodes"),
                brought_column("cur.measured", "Measured, mean", THROUGHPUT, "siz.measured"),
                brought_column("cur.low", "Band from", THROUGHPUT, "fct.low"),
                brought_column("cur.throughput", "Forecast", THROUGHPUT, "fct.throughput"),
                brought_column("cur.high", "Band to", THROUGHPUT, "fct.high"),
                *(
                    Column(
                        f"cur.{name}",
                        heading,
                        SHARE,
                        f"[cur.{end}]/[cur.nodes]/[cur.throughput@size_1]",
                        needs=IS_SIZE,
                    )
                    for name, (end, heading) in EFFICIENCIES.items()
                ),
                brought_column(
                    "cur.class_efficiency", "Class median", SHARE, "siz.class_efficiency"
                ),
                brought_column("cur.reach", "Doublings past the points", RATIO, "siz.reach"),
                brought_column("cur.source", "Source", TEXT, "fct.source"),
            ),
            counted=SIZES,
            fades=True,
        ),
        Table(
            "What the core notes at the planned size",
            NOTE_ROWS,
            (
                Column(
                    "cur.note",
                    "Note",
                    TEXT,
                    f'IF([core.valid]=1,[core.note],"{NOT_GIVEN}")',
                    IMPORTED,
                ),
            ),
            headed=False,
        ),
    ),
    (2, 14, 14.5, 7.5, *[10] * 4, 9, 8.2, 8.2, 8.2, 9, 11),
)

HAS_SIZE = "ISNUMBER([val.nodes])"
FIRST_STEP: dict[str, Source] = {"size_1": NOT_GIVEN}

VALUE = StudySheet(
    "Value",
    "val",
    "What nodes cost and what they bring",
    "Cost of the work at each size, what each step adds; amber: the step brings too little",
    (
        Entries(
            "Brought in",
            (
                brought(
                    "val.gpu_hour_price",
                    "Price of a GPU-hour",
                    GPU_HOUR_PRICE.unit,
                    GPU_HOUR_PRICE.number_format,
                    number("in.gpu_hour_price"),
                ),
                brought(
                    "val.gpus_per_node",
                    "GPUs per node",
                    "GPUs/node",
                    NODES,
                    number("in.gpus_per_node"),
                ),
                brought(
                    "val.work_units",
                    "Work to cost",
                    "units",
                    WORK.number_format,
                    number("in.work_units"),
                ),
                brought(
                    "val.least_gain",
                    "Least gain of a step that pays",
                    "share",
                    SHARE,
                    number("in.least_gain"),
                ),
                brought("val.seconds", "Seconds per hour", "s/h", NODES, "const.seconds_per_hour"),
            ),
        ),
        Table(
            "Size by size; a step leads from the size above to this one",
            SIZE_ROWS,
            (
                brought_column("val.nodes", "Nodes", NODES, "cur.nodes"),
                brought_column("val.throughput", "Forecast, units/s", THROUGHPUT, "cur.throughput"),
                brought_column("val.efficiency", "Efficiency", SHARE, "cur.efficiency"),
                Column(
                    "val.gpus", "GPUs", NODES, "[val.nodes]*[val.gpus_per_node]", needs=HAS_SIZE
                ),
                Column(
                    "val.hours",
                    "Hours for the work",
                    RATIO,
                    "[val.work_units]/[val.throughput]/[val.seconds]",
                    needs=f"AND({HAS_SIZE},ISNUMBER([val.work_units]))",
                ),
                Column(
                    "val.cost",
                    "Cost of the work, money",
                    MONEY,
                    "[val.gpus]*[val.hours]*[val.gpu_hour_price]",
                    needs="AND(ISNUMBER([val.hours]),ISNUMBER([val.gpu_hour_price]))",
                ),
                Column(
                    "val.node_added",
                    "A node of the step adds, in nodes' worth",
                    RATIO,
                    "([val.throughput]-[val.throughput^])/([val.nodes]-[val.nodes^])"
                    "/[val.throughput@size_1]",
                    needs=HAS_SIZE,
                    special=FIRST_STEP,
                ),
                Column(
                    "val.gain",
                    "Gain: that, against the nodes before",
                    SHARE,
                    "[val.node_added]/[val.efficiency^]",
                    needs=HAS_SIZE,
                    special=FIRST_STEP,
                ),
                Column(
                    "val.added_cost",
                    "Cost of the work if done by the added, money",
                    MONEY,
                    "[val.cost^]/[val.gain]",
                    needs="AND(N([val.gain])>0,ISNUMBER([val.cost^]))",
                    special=FIRST_STEP,
                ),
                Column(
                    "val.pays",
                    "The step pays",
                    FLAG,
                    "1*([val.gain]>=[val.least_gain])",
                    needs=HAS_SIZE,
                    special=FIRST_STEP,
                ),
            ),
            fades=True,
        ),
        Entries(
            "Where adding nodes stops paying",
            (
                Entry(
                    "val.stops",
                    "It stops within the sizes shown",
                    "0/1",
                    FLAG,
                    "IF(COUNTIF([val.pays:],0)>0,1,0)",
                ),
                Entry(
                    "val.pays_up_to",
                    "Pays up to (or past, if no stop)",
                    "nodes",
                    NODES,
                    "IF([val.stops]=1,INDEX([val.nodes:],MATCH(0,[val.pays:],0)-1),"
                    "MAX([val.nodes:]))",
                    total=True,
                ),
            ),
        ),
    ),
    (2, 18, 31, 11, *[12.8] * 9),
    landscape=True,
)
