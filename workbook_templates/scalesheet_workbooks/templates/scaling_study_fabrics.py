"""The calculator's fabrics beside the published class and the fit, and what the charts draw."""

from scalesheet_workbooks.scaling_inputs import POINT_ROWS, SIZE_ROWS
from scalesheet_workbooks.sheets.fabrics import FABRICS, NOT_AT_FLOOR
from scalesheet_workbooks.sheets.study_fabrics import (
    FABRIC_IDS,
    FABRIC_ROWS,
    FROM_ROWS,
    MODEL_ROWS,
)
from scalesheet_workbooks.sheets.study_table import (
    FIXED,
    IMPORTED,
    NODES,
    POWER,
    RATIO,
    SHARE,
    TEXT,
    THROUGHPUT,
    Column,
    Entries,
    Source,
    StudySheet,
    Table,
    Use,
    brought,
)
from scalesheet_workbooks.spec import NOT_GIVEN

CLASS, OWN = "class", "own"
HAS_CLASS = "ISNUMBER([fab.model_class@exponent])"


def _model(fabric: str) -> Column:
    own = f"fab.model_{fabric}"
    rows: dict[str, Source] = {
        "loss": Use("LOSS_PER_NODE", {"interconnect": f"fab.name_{fabric}"}),
        "floor": "[in.fabric_floor]",
        "floor_nodes": Use(
            "FLOOR_NODES",
            {"loss_per_extra_node": f"{own}@loss", "efficiency_floor": f"{own}@floor"},
        ),
        "peak_nodes": Use("PEAK_NODES", {"loss_per_extra_node": f"{own}@loss"}),
        "exponent": NOT_GIVEN,
    }
    return Column(own, fabric, RATIO, special=rows, formats={"loss": "0.00%", "floor": SHARE})


def _by_exponent(name: str, source: str) -> Column:
    rows: dict[str, Source] = dict.fromkeys((key for key, _ in MODEL_ROWS), NOT_GIVEN)
    rows["exponent"] = source
    return Column(f"fab.model_{name}", name, POWER, special=rows)


def _linear(fabric: str, function: str, head: str, nodes: str, number_format: str) -> Column:
    given = {
        "nodes": nodes,
        "loss_per_extra_node": f"fab.model_{fabric}@loss",
        "efficiency_floor": f"fab.model_{fabric}@floor",
    }
    return Column(f"{head}{fabric}", fabric, number_format, Use(function, given))


def _power(name: str) -> Column:
    given = {"nodes": "fab.nodes", "exponent": f"fab.model_{name}@exponent"}
    needs = HAS_CLASS if name == CLASS else ""
    return Column(f"fab.{name}", name, SHARE, Use("SCALING_EFF_POWER", given), needs=needs)


def _added(name: str) -> Column:
    left = f"1-[fab.model_{name}@exponent]"
    text = f"([fab.from]+1)^({left})-[fab.from]^({left})"
    needs = HAS_CLASS if name == CLASS else ""
    return Column(f"fab.added_{name}", name, RATIO, text, needs=needs)


FLOORS = ":".join(
    f"[fab.model_{FABRIC_IDS[short]}@floor_nodes]" for short in (FABRICS[0], FABRICS[-1])
)

FABRICS_SHEET = StudySheet(
    "Fabrics",
    "fab",
    "Interconnects compared",
    "The calculator's planning rule, the published series of the class, and your power fit",
    (
        Table(
            "Model",
            MODEL_ROWS,
            (
                Column("fab.model_unit", "Unit", TEXT, kind=FIXED),
                *(_model(fabric) for fabric in FABRIC_IDS.values()),
                _by_exponent(CLASS, "[fit.class_median]"),
                _by_exponent(OWN, "[fit.exponent]"),
            ),
            headed=False,
        ),
        Table(
            "Scaling efficiency (amber: the floor, not the model)",
            FABRIC_ROWS,
            (
                Column("fab.nodes", "Nodes", NODES, kind=FIXED),
                *(
                    _linear(fabric, "SCALING_EFF_LINEAR", "fab.", "fab.nodes", SHARE)
                    for fabric in FABRIC_IDS.values()
                ),
                _power(CLASS),
                _power(OWN),
                Column(
                    "fab.at_floor",
                    "At a floor",
                    "0.0%;–;0.0%",
                    f"IF([fab.nodes]>=MIN({FLOORS}),[fab.model_{FABRIC_IDS[FABRICS[0]]}@floor],"
                    f"{NOT_AT_FLOOR})",
                ),
            ),
            headed=False,
        ),
        Table(
            "What one node more adds, in nodes' worth",
            FROM_ROWS,
            (
                Column("fab.from", "Nodes", NODES, kind=FIXED),
                *(
                    _linear(fabric, "MARGINAL_NODE", "fab.added_", "fab.from", RATIO)
                    for fabric in FABRIC_IDS.values()
                ),
                _added(CLASS),
                _added(OWN),
            ),
            headed=False,
        ),
    ),
    (2, 14.5, 32.5, 10, *[10] * 7),
)


# --- What the charts draw ------------------------------------------------------------------------


def _drawn(column_id: str, heading: str, number_format: str, source: str) -> Column:
    """A figure of the curve; below its last size the row above is drawn again."""
    return Column(
        column_id,
        heading,
        number_format,
        f"IF(ISNUMBER([{source}]),[{source}],[{column_id}^])",
        IMPORTED,
        special={"size_1": f"[{source}]"},
    )


def _point(column_id: str, heading: str, number_format: str, source: str, other: str) -> Column:
    """A figure of a point; in place of a row that is not used the smallest size is drawn again."""
    text = f"IF(ISNUMBER([{source}]),[{source}],[{other}])"
    return Column(column_id, heading, number_format, text, IMPORTED)


CHART_DATA = StudySheet(
    "ChartData",
    "dat",
    "What the charts draw",
    "Every cell a number: rows that are not in use draw over another one",
    (
        Entries(
            "Brought in",
            (
                brought("dat.least", "Smallest size measured", "nodes", NODES, "[fit.least]"),
                brought(
                    "dat.base_throughput",
                    "Mean throughput there",
                    "units/s",
                    THROUGHPUT,
                    "[siz.base_throughput]",
                ),
                brought(
                    "dat.one",
                    "Forecast for one node",
                    "units/s",
                    THROUGHPUT,
                    "[cur.throughput@size_1]",
                ),
                brought("dat.exponent", "Exponent used", "exponent", "0.000", "[fit.exponent]"),
                brought(
                    "dat.class_exponent",
                    "Exponent of the class, else the fit's",
                    "exponent",
                    "0.000",
                    "IF(ISNUMBER([fit.class_median]),[fit.class_median],[fit.exponent])",
                ),
                brought(
                    "dat.class_label",
                    "Name of the line of the class",
                    "text",
                    TEXT,
                    'IF(ISNUMBER([fit.class_median]),"median of "&[fit.fabric_class],"no class")',
                ),
            ),
        ),
        Table(
            "The curve",
            SIZE_ROWS,
            (
                _drawn("dat.nodes", "Nodes", NODES, "cur.nodes"),
                _drawn("dat.low", "Band from", THROUGHPUT, "cur.low"),
                _drawn("dat.throughput", "Forecast", THROUGHPUT, "cur.throughput"),
                _drawn("dat.high", "Band to", THROUGHPUT, "cur.high"),
                Column("dat.no_loss", "No loss", THROUGHPUT, "[dat.nodes]*[dat.one]"),
                _drawn("dat.efficiency", "Forecast, efficiency", SHARE, "cur.efficiency"),
                Column(
                    "dat.power",
                    "Power fit, efficiency",
                    SHARE,
                    Use("SCALING_EFF_POWER", {"nodes": "dat.nodes", "exponent": "dat.exponent"}),
                ),
                Column(
                    "dat.class",
                    "Class, efficiency",
                    SHARE,
                    Use(
                        "SCALING_EFF_POWER",
                        {"nodes": "dat.nodes", "exponent": "dat.class_exponent"},
                    ),
                ),
            ),
        ),
        Table(
            "The points",
            POINT_ROWS,
            (
                _point("dat.point_nodes", "Nodes", NODES, "fit.used_nodes", "dat.least"),
                _point(
                    "dat.point_throughput",
                    "Measured",
                    THROUGHPUT,
                    "fit.used_throughput",
                    "dat.base_throughput",
                ),
                Column(
                    "dat.point_efficiency",
                    "Measured, efficiency",
                    SHARE,
                    "[dat.point_throughput]/[dat.point_nodes]/[dat.one]",
                ),
            ),
        ),
        Table(
            "The class on the chart of interconnects",
            FABRIC_ROWS,
            (
                Column("dat.fabric_nodes", "Nodes", NODES, "[fab.nodes]", IMPORTED),
                Column(
                    "dat.fabric_class",
                    "Class, efficiency",
                    SHARE,
                    Use(
                        "SCALING_EFF_POWER",
                        {"nodes": "dat.fabric_nodes", "exponent": "dat.class_exponent"},
                    ),
                ),
            ),
        ),
    ),
    (2, 17.5, 31.5, 9, *[10] * 7),
)
