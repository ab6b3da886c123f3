"""A scaling study built from a user's own file of measured sizes."""

import datetime
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from scalesheet.domains import SERIAL_ZERO
from scalesheet.errors import ScalesheetError
from scalesheet.fabric_classes import OTHER, class_named
from scalesheet_workbooks.build import TEMPLATES, finished
from scalesheet_workbooks.measurement_files import Asked, Measurements, read_measurements
from scalesheet_workbooks.measurement_files.measures import STEP_RATE, STEP_TIME, THROUGHPUT
from scalesheet_workbooks.scaling_inputs import (
    CHOSEN,
    POINTS,
    WORK_UNITS,
    Point,
    StudyInputs,
)
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates import scaling_study

RATES = (THROUGHPUT, STEP_RATE, STEP_TIME)


class PointsError(ScalesheetError):
    """Measurements that the workbook cannot take; the text is one line."""


def study_of_file(
    path: Path, asked: Asked, fabric_class: str = OTHER, as_of: datetime.date | None = None
) -> bytes:
    """The finished workbook of the measured sizes in a file; PointsError, and the reader's own.

    ``as_of`` is the day of the study, which is left for the user where it is None.
    """
    given = of_measurements(read_measurements(path, asked), fabric_class)
    if as_of:
        day = float((as_of - SERIAL_ZERO).days)
        given = given._replace(values={**given.values, "in.as_of": day})
    return workbook(given)


def workbook(given: StudyInputs, title: str = scaling_study.TITLE) -> bytes:
    """The finished workbook of any points; the example's is ``build("scaling_study")``."""
    write: Callable[..., None] = partial(scaling_study.write_points, given=given)
    template = replace(TEMPLATES[scaling_study.NAME], title=title, write=write)
    return finished(scaling_study.NAME, template, Study(title, ()))


def of_measurements(measurements: Measurements, fabric_class: str = OTHER) -> StudyInputs:
    """The points and inputs; price and work are left for the user, who is the one to know them."""
    scale, name = measurements.scale, measurements.name
    if scale.measure not in RATES:
        raise PointsError(
            f"{name}: a {scale.measure.name} is no throughput, which the workbook wants: "
            "see scalesheet fit"
        )
    if len(measurements.points) > POINTS:
        raise PointsError(
            f"{name} has {len(measurements.points)} measurements and the workbook {POINTS} rows: "
            "take some out"
        )
    if measurements.gpus_per_node is None:
        raise PointsError(f"{name} does not say the GPUs of a node: add --gpus-per-node, as in 8")
    of_node = float(measurements.gpus_per_node)
    points = tuple(
        Point(float(one.nodes), of_node, one.rate / scale.unit.seconds, f"{name}, line {one.line}")
        for one in measurements.points
    )
    known = fabric_class.strip().casefold() in ("", OTHER)
    largest = max(point.nodes for point in points)
    values: dict[str, float | str] = {
        **CHOSEN,
        "in.fabric_class": OTHER if known else class_named(fabric_class).name,
        "in.gpus_per_node": of_node,
        "in.work_unit": scale.work if scale.work in WORK_UNITS else "units",
        "in.planned_nodes": 2 * largest,
    }
    sources = {
        "in.fabric_class": name,
        "in.gpus_per_node": name,
        "in.work_unit": name,
        "in.planned_nodes": "twice the largest measured: type yours",
        **dict.fromkeys(CHOSEN, "a usual reading: type yours"),
    }
    return StudyInputs(values, sources, points)
