"""A user's own benchmark of several sizes, read so that nothing is wrong silently.

CSV or a workbook with nodes (or gpus and gpus_per_node) and throughput, step time or time to train.
Headers may be written in many ways; what they do not say has to be said, and whatever can be read
in two ways is refused with its line.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from scalesheet.calibration.sizes import read_sizes
from scalesheet_workbooks.measurement_files.choices import basis, figure_column, scaling, unit
from scalesheet_workbooks.measurement_files.doubts import (
    changed_conditions,
    per_gpu_problem,
    repeats_apart,
    several_workloads,
)
from scalesheet_workbooks.measurement_files.headers import GPU, NODE, TOTAL
from scalesheet_workbooks.measurement_files.measures import (
    MEASURES,
    MIXED,
    SCALINGS,
    STRONG,
    THROUGHPUT,
    TIME_TO_TRAIN,
    WEAK,
    Measure,
    Scale,
    Unit,
)
from scalesheet_workbooks.measurement_files.records import Asked, Measurements, Point
from scalesheet_workbooks.measurement_files.rows import MOST_NODES, Row, lines_with, read_rows
from scalesheet_workbooks.measurement_files.tables import MeasurementFileError, Table, read_table
from scalesheet_workbooks.measurement_files.work import Work, work_done

__all__ = [
    "GPU",
    "MEASURES",
    "MIXED",
    "MOST_NODES",
    "NODE",
    "STRONG",
    "THROUGHPUT",
    "TIME_TO_TRAIN",
    "TOTAL",
    "WEAK",
    "Asked",
    "MeasurementFileError",
    "Measurements",
    "Point",
    "read_measurements",
]


def read_measurements(path: Path, asked: Asked) -> Measurements:
    """The measured sizes in a file; MeasurementFileError says what is wrong with it or not said.

    Lines without a size or without a figure are left out, and the remarks say which.
    """
    table = read_table(path, asked.sheet)
    lines = lines_with(table, asked.only)
    heading, measure = figure_column(table, lines, asked)
    rows, halves = read_rows(table, lines, heading.column, asked.gpus_per_node)
    sized = [(row.line, row.nodes) for row in rows]

    kind, no_kind = scaling(table, rows, asked, measure)
    found_unit = unit(table, lines, asked, heading, measure)
    of_what, contradiction = basis(heading, asked, measure)
    used = {heading.column, table.headings.nodes, table.headings.gpus}
    problems = [
        no_kind,
        found_unit if isinstance(found_unit, str) else "",
        contradiction,
        _node_size_needed(table, asked, rows, of_what),
        several_workloads(table, sized, used) or repeats_apart(sized, [row.value for row in rows]),
    ]
    if isinstance(found_unit, str) or any(problems):
        raise MeasurementFileError([f"{table.name}: {one}" for one in problems if one])

    work = work_done(table, rows, measure)
    scale = Scale(measure, found_unit, per_node=measure.work == "steps" and kind == WEAK)
    if work:
        scale = Scale(THROUGHPUT, Unit(f"{work.name}/s", work.name, 1.0))
    points = tuple(
        Point(
            row.line.number,
            row.nodes,
            work.rate(row, measure, found_unit)
            if work
            else scale.rate(row.nodes, row.value * _times(row, of_what)),
            row.samples,
        )
        for row in rows
    )
    sizes = read_sizes((point.nodes, point.rate) for point in points)
    doubt = per_gpu_problem(sizes, scale, asked.basis, of_what)
    if doubt:
        raise MeasurementFileError([f"{table.name}: {doubt}"])
    remarks = (
        *([f"Left out: {', '.join(halves)}."] if halves else []),
        *_how_read(measure, work, of_what, kind),
        *changed_conditions(table, sized, used),
    )
    return Measurements(table.name, scale, kind, rows[0].gpus_per_node, points, remarks)


def _times(row: Row, of_what: str) -> int:
    """How many of what a figure is of there are in the run."""
    return {GPU: row.nodes * (row.gpus_per_node or 1), NODE: row.nodes, TOTAL: 1}[of_what]


def _node_size_needed(table: Table, asked: Asked, rows: Sequence[Row], of_what: str) -> str:
    """What to ask for where the GPUs of a node are not known and have to be."""
    headings = table.headings
    if asked.gpus_per_node or headings.gpus_per_node:
        return ""
    if headings.gpus and not headings.nodes:
        return "it has GPUs and no nodes: add --gpus-per-node, as in --gpus-per-node 8"
    if of_what == GPU and rows[0].gpus_per_node is None:
        return "figures per GPU need the GPUs of a node: add --gpus-per-node, as in 8"
    return ""


def _how_read(measure: Measure, work: Work | None, of_what: str, kind: str) -> Iterator[str]:
    """What was made of the figures."""
    if of_what != TOTAL:
        yield f"Figures are per {of_what}: multiplied by the {of_what}s of the run."
    if work:
        yield f'Throughput is "{work.column}" over the {measure.name}.'
    elif measure.work == "steps" and kind == WEAK:
        yield (
            "Each GPU's batch stays, so a step on more nodes is of more samples: a step time that "
            "stays is perfect."
        )
    if measure is TIME_TO_TRAIN:
        yield from _on_time_to_train(work, kind)
    if kind == MIXED:
        yield f"Not like for like: {SCALINGS[MIXED]}."


def _on_time_to_train(work: Work | None, kind: str) -> Iterator[str]:
    if work:
        yield (
            "Time to train also holds the extra samples that bigger batches need; the forecast is "
            "of throughput and leaves them out."
        )
    elif kind == STRONG:
        yield (
            "Time to train is no throughput. The total batch stays, so the samples of a run should "
            "too; if they do not, part of the loss is theirs."
        )
    else:
        yield (
            "Time to train is no throughput: bigger batches need more samples, and those are in "
            "the loss here. The forecast has them grow on as they did."
        )
