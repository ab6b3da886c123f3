"""The forecasts of a scaling study: the core's at build, typed functions, the power fit."""

from scalesheet_workbooks.scaling_inputs import CURVE_ROWS, SIZES
from scalesheet_workbooks.sheets.study_core import ENDS, MARK_UNITS, NONE_ROW, NOTE_ROWS
from scalesheet_workbooks.sheets.study_forecast import TYPE_ROWS
from scalesheet_workbooks.sheets.study_table import (
    FIXED,
    FLAG,
    NODES,
    RATIO,
    SHARE,
    TEXT,
    THROUGHPUT,
    TYPED,
    WRITTEN,
    Column,
    Entries,
    Entry,
    Source,
    StudySheet,
    Table,
    brought,
    brought_column,
)

HEADINGS = {"low": "band from", "throughput": "forecast", "high": "band to"}

MARKS_NOW: dict[str, Source] = {
    "mark_class": "[fit.fabric_class]",
    "mark_points": "[fit.count]",
    "mark_nodes": "SUM(lst_nodes)",
    "mark_nodes_squared": "SUMPRODUCT(lst_nodes,lst_nodes)",
    "mark_rates": "SUM(lst_measured)",
    "mark_rates_squared": "SUMPRODUCT(lst_measured,lst_measured)",
    "mark_products": "SUMPRODUCT(lst_nodes,lst_measured)",
}
MARK_LABELS = {
    "mark_class": "Class of fabric",
    "mark_points": "Measurements",
    "mark_nodes": "Sum of nodes",
    "mark_nodes_squared": "Sum of nodes squared",
    "mark_rates": "Sum of throughput",
    "mark_rates_squared": "Sum of throughput squared",
    "mark_products": "Sum of nodes times throughput",
}

CORE = StudySheet(
    "Core",
    "core",
    "Written by the core at build",
    "The calibrated forecast as figures; no longer used once a point or the class changes",
    (
        Entries(
            "Rule",
            (
                brought(
                    "core.tolerance",
                    "Difference that counts as none",
                    "share",
                    "0E+0",
                    "const.same",
                ),
            ),
        ),
        Table(
            "The points that it was computed from, and the points of now",
            tuple((key, MARK_LABELS[key]) for key in MARK_UNITS),
            (
                Column("core.unit", "Unit", TEXT, kind=FIXED),
                Column("core.then", "At build", "General", kind=WRITTEN),
                Column("core.now", "Now", "General", special=MARKS_NOW),
                Column(
                    "core.same",
                    "Same",
                    FLAG,
                    "IF(ABS([core.now]-[core.then])<=[core.tolerance]*ABS([core.then]),1,0)",
                    special={"mark_class": "IF([core.now]=[core.then],1,0)"},
                ),
            ),
        ),
        Entries(
            "Verdict",
            (
                Entry(
                    "core.valid",
                    "They are of the present points",
                    "0/1",
                    FLAG,
                    "IF(SUM([core.same:])=ROWS([core.same:]),1,0)",
                    total=True,
                ),
            ),
        ),
        Table(
            "Total throughput and the ends of its 80 % band",
            (NONE_ROW, *CURVE_ROWS),
            (
                Column("core.nodes", "Nodes", NODES, kind=WRITTEN),
                *(
                    Column(f"core.{end}", HEADINGS[end].capitalize(), THROUGHPUT, kind=WRITTEN)
                    for end in ENDS
                ),
            ),
        ),
        Table(
            "What the core notes at the planned size",
            NOTE_ROWS,
            (Column("core.note", "Note", TEXT, kind=WRITTEN),),
            headed=False,
        ),
    ),
    (2, 22, 31, 12, 20, 20, 14, 10),
)

TYPED_CELLS = "[fct.typed_low]:[fct.typed_high]"


def _program(end: str) -> str:
    return (
        f"IF(COUNT({TYPED_CELLS})=[fct.to_type],[fct.typed_{end}],"
        f"INDEX(lst_core_{end},[fct.place]))"
    )


def _used(end: str) -> str:
    return f"IF(ISNUMBER([fct.program_throughput]),[fct.program_{end}],[fct.power_{end}])"


IS_SIZE = "ISNUMBER([fct.nodes])"

FORECAST = StudySheet(
    "Forecast",
    "fct",
    "Forecast",
    "What counts: the functions where they are typed, else the core's figures while they hold, "
    "else the power fit",
    (
        Entries(
            "Brought in",
            (
                brought("fct.valid", "Core's figures hold", "0/1", FLAG, "core.valid"),
                brought("fct.band", "Band of the fit", "share", SHARE, "fit.band"),
                brought("fct.below", "Below, a doubling", "share", SHARE, "const.band_below"),
                brought("fct.above", "Above, a doubling", "share", SHARE, "fit.above"),
                brought("fct.to_type", "Figures to type", "count", FLAG, "const.to_type"),
            ),
        ),
        Table(
            "Total throughput by number of nodes",
            CURVE_ROWS,
            (
                brought_column("fct.nodes", "Nodes", NODES, "siz.nodes"),
                brought_column("fct.reach", "Doublings past", RATIO, "siz.reach"),
                Column(
                    "fct.place",
                    "Row of Core",
                    FLAG,
                    "IF(AND([fct.valid]=1,COUNTIF(lst_core_nodes,[fct.nodes])>0),"
                    "MATCH([fct.nodes],lst_core_nodes,0),1)",
                ),
                *(
                    Column(f"fct.typed_{end}", f"Typed: {HEADINGS[end]}", THROUGHPUT, kind=TYPED)
                    for end in ENDS
                ),
                *(
                    Column(
                        f"fct.program_{end}",
                        f"By program: {HEADINGS[end]}",
                        THROUGHPUT,
                        _program(end),
                    )
                    for end in ENDS
                ),
                Column(
                    "fct.power_low",
                    "Power fit: band from",
                    THROUGHPUT,
                    "[fct.power_throughput]*EXP(-[fct.band]-[fct.below]*[fct.reach])",
                    needs=IS_SIZE,
                ),
                brought_column(
                    "fct.power_throughput", "Power fit: forecast", THROUGHPUT, "siz.power"
                ),
                Column(
                    "fct.power_high",
                    "Power fit: band to",
                    THROUGHPUT,
                    "[fct.power_throughput]*EXP([fct.band]+[fct.above]*[fct.reach])",
                    needs=IS_SIZE,
                ),
                *(
                    Column(f"fct.{end}", f"Counts: {HEADINGS[end]}", THROUGHPUT, _used(end))
                    for end in ENDS
                ),
                Column(
                    "fct.source",
                    "Source",
                    TEXT,
                    "INDEX(lst_sources,ISNUMBER([fct.nodes])*(1+ISNUMBER([fct.program_throughput])"
                    f"+(COUNT({TYPED_CELLS})=[fct.to_type]))+1)",
                ),
            ),
            counted=SIZES,
            fades=True,
        ),
        Table(
            "With the add-in: type these into the first yellow row and fill down; "
            "a range in place of the first cell fills a column",
            TYPE_ROWS,
            (Column("fct.type", "Formula", TEXT, kind=FIXED),),
            headed=False,
        ),
    ),
    (2, 13, 16.5, 7.5, 8.5, 6, *[9.4] * 12, 10.5),
    landscape=True,
)
