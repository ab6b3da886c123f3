"""What a scaling study is filled with: its inputs, its constants, and the points of the example."""

from collections.abc import Mapping
from dataclasses import dataclass

from scalesheet import quantities as q
from scalesheet.calibration import notes
from scalesheet.calibration.value import DOUBLINGS_PAST, LEAST_GAIN, SECONDS_PER_HOUR
from scalesheet.domains import Quantity
from scalesheet.fabric_classes import OTHER, usable_classes
from scalesheet_workbooks.inputs import Input, Pick
from scalesheet_workbooks.spec import Constant

POINTS, SIZES = 24, 12
"""Rows for measurements, and for the sizes that the curve is shown at."""
Rows = tuple[tuple[str, str], ...]


def numbered(name: str, label: str, count: int) -> Rows:
    """Rows by key and label, with a number each.

    >>> numbered("point", "Point", 2)
    (('point_1', 'Point 1'), ('point_2', 'Point 2'))
    """
    return tuple((f"{name}_{number}", f"{label} {number}") for number in range(1, count + 1))


POINT_ROWS, SIZE_ROWS = numbered("point", "Point", POINTS), numbered("size", "Size", SIZES)
PLAN_ROWS = (
    ("at_planned", "Planned size"),
    ("at_one_more", "One node more"),
    ("at_twice", "Twice as many"),
)
CURVE_ROWS = (*SIZE_ROWS, *PLAN_ROWS)

WORK_UNITS = ("samples", "tokens", "sequences", "images", "steps", "units")
CLASSES = (*usable_classes(), OTHER)
SOURCES = ("power fit", "calibrated", "functions")
"""Where a forecast is from: the cells alone, the core at build, functions typed by the user."""

JOB, COMPARED = "The job", "Comparison of interconnects"

WORK = Quantity("the work to cost, in units of work", "units", "#,##0", 0, 1e18, low_open=True)
GAIN = Quantity(
    "the least gain of a step that pays: 0.5 asks of an added node half of what the others do",
    "share",
    "0.0%",
    0,
    1,
)

INPUTS: tuple[Input, ...] = (
    Input(
        "in.fabric_class",
        "Class of fabric (counts for one size)",
        Pick("the class of the measured fabric, or other", CLASSES, "lst_fabric_classes"),
        JOB,
    ),
    Input("in.gpus_per_node", "GPUs per node", q.GPUS_PER_NODE, JOB),
    Input(
        "in.gpu_hour_price", "Price of a GPU-hour (optional)", q.GPU_HOUR_PRICE, JOB, required=False
    ),
    Input(
        "in.work_unit",
        "Unit of work",
        Pick("the unit of work", WORK_UNITS, "lst_work_units"),
        JOB,
    ),
    Input("in.work_units", "Work to cost (optional)", WORK, JOB, required=False),
    Input("in.planned_nodes", "Planned size", q.NODES, JOB),
    Input("in.least_gain", "Least gain of a step that still pays", GAIN, JOB),
    Input("in.fabric_floor", "Efficiency floor of the comparison", q.EFFICIENCY_FLOOR, COMPARED),
)
INPUT_BY_ID = {entry.id: entry for entry in INPUTS}
NUMBER_INPUTS = tuple(
    entry.id for entry in INPUTS if entry.required and isinstance(entry.domain, Quantity)
)

POINT_LIMITS = {
    "in.nodes": q.NODES,
    "in.point_gpus_per_node": q.GPUS_PER_NODE,
    "in.throughput": q.THROUGHPUT,
}
"""The columns of a point and what may stand in them."""
MOST_LETTERS = 200
"""Letters of a source or a note."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement: whole nodes, GPUs in each, total throughput, and where it is from."""

    nodes: float
    gpus_per_node: float
    throughput: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """What a scaling study is built with: values and their sources by input, and the points."""

    values: Mapping[str, float | str]
    sources: Mapping[str, str]
    points: tuple[Point, ...]

    @property
    def fabric_class(self) -> str:
        """The class of fabric."""
        return str(self.values["in.fabric_class"])

    @property
    def planned(self) -> int:
        """The planned size in nodes."""
        return int(self.values["in.planned_nodes"])


CHOSEN: Mapping[str, float] = {"in.least_gain": LEAST_GAIN, "in.fabric_floor": 0.5}
"""What a study begins with where nobody said otherwise, in sight on the Points sheet."""
SERIES = (
    "dle-pyt-languagemodeling-bert-L820-tf32-throughput-batch-size-gpu-tf32-and-fp16-16-and-32-"
    "sequence-length-512"
)
"""BERT pre-training on 1 to 32 DGX A100, a published series that bends."""
PRICE_ROW = "crusoe-a100-80gb-on-demand-2025-12-01"


def example() -> StudyInputs:
    """The shipped study: a published series, a listed price, and figures to replace."""
    from scalesheet.catalog.loading import shipped
    from scalesheet.measurements import load_series

    series = next(one for one in load_series() if one.name == SERIES)
    price = next(row for row in shipped().prices if row.id == PRICE_ROW)
    paths = {row.gpus // row.gpus_per_node: row for row in series.rows}
    points = tuple(
        Point(
            point.nodes,
            paths[point.nodes].gpus_per_node,
            point.throughput,
            paths[point.nodes].path.removeprefix("PyTorch/LanguageModeling/"),
        )
        for point in series.like_for_like
    )
    values: dict[str, float | str] = {
        "in.fabric_class": series.fabric_class,
        "in.gpus_per_node": points[0].gpus_per_node,
        "in.gpu_hour_price": price.usd_per_gpu_hour,
        "in.work_unit": "sequences",
        "in.work_units": 1e9,
        "in.planned_nodes": 64,
        **CHOSEN,
    }
    sources = {
        "in.fabric_class": series.source.replace("@", " at "),
        "in.gpus_per_node": series.hardware,
        "in.gpu_hour_price": f"{price.provider} {price.term}, {price.as_of}, {price.source}",
        "in.work_unit": "BERT-large, sequence length 512, TF32",
        "in.work_units": "example",
        "in.planned_nodes": "example",
        **dict.fromkeys(CHOSEN, "a usual reading"),
    }
    return StudyInputs(values, sources, points)


BAND_SOURCE = "chosen with the other three on 111 published series: 82 to 85 % inside the band"

CONSTANTS = (
    Constant("const.one", "The first size", "nodes", 1, "0", "definition"),
    Constant("const.two", "A doubling", "ratio", 2, "0", "definition"),
    Constant(
        "const.reach",
        "Sizes are shown to so many times the largest measured",
        "ratio",
        2.0**DOUBLINGS_PAST,
        "0",
        f"{DOUBLINGS_PAST} doublings, as the core's ladder",
    ),
    Constant(
        "const.to_type",
        "Figures to type for a size: both ends of the band, and the forecast",
        "count",
        3,
        "0",
        "the Forecast sheet",
    ),
    Constant(
        "const.far",
        "Doublings past the points from which a forecast is far",
        "ratio",
        notes.FAR_DOUBLINGS,
        "#,##0.00",
        "calibration of the core",
    ),
    Constant(
        "const.margin",
        "Growth at or below which a figure looks like one per GPU",
        "ratio",
        notes.PER_GPU_MARGIN,
        "#,##0.00",
        "calibration of the core",
    ),
    Constant(
        "const.super_linear",
        "Efficiency against the smallest size that is more than noise",
        "share",
        notes.SUPER_LINEAR,
        "0.0%",
        "calibration of the core",
    ),
    Constant(
        "const.off",
        "Distance from the power fit that is hardly like for like",
        "share",
        notes.OFF_THE_LINE,
        "0.0%",
        "calibration of the core",
    ),
    Constant(
        "const.bend",
        "A bend: log loss of a doubling above twice that before, by",
        "log",
        notes.BEND_LOSS,
        "0.000",
        "calibration of the core",
    ),
    Constant(
        "const.same",
        "Relative difference of two sums that counts as none",
        "share",
        1e-12,
        "0E+0",
        "rounding of a sum of 24 numbers",
    ),
    Constant(
        "const.band_least",
        "Band of the power fit at a measured size, at least",
        "share",
        0.02,
        "0.0%",
        BAND_SOURCE,
    ),
    Constant(
        "const.band_below",
        "Band below, for each doubling past the points",
        "share",
        0.03,
        "0.0%",
        BAND_SOURCE,
    ),
    Constant(
        "const.band_above",
        "Band above, for each doubling past the points",
        "share",
        0.01,
        "0.0%",
        BAND_SOURCE,
    ),
    Constant(
        "const.band_share",
        "Band above, share of the exponent for each doubling",
        "share",
        0.5,
        "0.0%",
        BAND_SOURCE,
    ),
    Constant(
        "const.seconds_per_hour",
        "Seconds per hour",
        "s/h",
        SECONDS_PER_HOUR,
        "#,##0",
        "definition",
    ),
    Constant(
        "const.low_efficiency",
        "Efficiency below which an alert is raised",
        "share",
        0.7,
        "0.0%",
        "cost estimator: below 70 % a large cluster wastes a massive part",
    ),
    Constant(
        "const.required",
        "Inputs that every study needs as numbers",
        "rows",
        len(NUMBER_INPUTS),
        "0",
        "the Points sheet",
    ),
    Constant(
        "const.full_efficiency",
        "Efficiency at one node",
        "share",
        1,
        "0.0%",
        "definition",
    ),
)
