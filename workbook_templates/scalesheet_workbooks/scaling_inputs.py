"""What a scaling study is filled with: its inputs, and the points of the example."""

from collections.abc import Mapping
from typing import NamedTuple

from scalesheet import quantities as q
from scalesheet.calibration.value import LEAST_GAIN
from scalesheet.domains import Quantity
from scalesheet.fabric_classes import OTHER, usable_classes
from scalesheet_workbooks.inputs import Input, Pick
from scalesheet_workbooks.proposal_inputs import DAY

POINTS, SIZES, MOST_MEASURED = 24, 12, 8
"""Rows for measurements and for the sizes that the curve is shown at; where more sizes than the
last were measured, it leaves some out, so that it reaches as far."""
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

WORK = Quantity(
    "the work to cost, in units of work",
    "units",
    "[<10000000000]#,##0;0.000E+00",
    0,
    1e18,
    low_open=True,
)
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
    Input("in.measured_on", "Day of the measurements", DAY, JOB, required=False),
    Input("in.as_of", "Day of this study", DAY, JOB, required=False),
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
MOST_LETTERS, MOST_POINT_LETTERS = 60, 32
"""Letters of where an input, and where a point is from: what is printed of it."""


class Point(NamedTuple):
    """One measurement: whole nodes, GPUs in each, total throughput, and where it is from."""

    nodes: float
    gpus_per_node: float
    throughput: float
    source: str = ""


class StudyInputs(NamedTuple):
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
        "in.work_unit": "PyTorch/BERT, TF32, sequence length 512",
        "in.work_units": "example",
        "in.planned_nodes": "example",
        **dict.fromkeys(CHOSEN, "a usual reading"),
    }
    return StudyInputs(values, sources, points)
