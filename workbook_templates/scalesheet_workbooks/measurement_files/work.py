"""The work done in a step or a run, where the file says it: then a time is a throughput."""

from collections.abc import Sequence
from dataclasses import dataclass

from scalesheet_workbooks.measurement_files.measures import (
    TIME_TO_TRAIN,
    Measure,
    Unit,
    spelled_out,
)
from scalesheet_workbooks.measurement_files.rows import Row
from scalesheet_workbooks.measurement_files.tables import Table


@dataclass(frozen=True, slots=True)
class Work:
    """The column that says how much work is done, what is counted, and whether one GPU's."""

    column: str
    name: str
    of_gpu: bool = False

    def rate(self, row: Row, measure: Measure, unit: Unit) -> float:
        """Work of all nodes together in a second."""
        done = (row.samples if measure is TIME_TO_TRAIN else row.batch) or 0.0
        gpus = row.nodes * (row.gpus_per_node or 1) if self.of_gpu else 1
        each_second = 1 / row.value if measure.is_time else row.value
        return done * gpus * each_second / unit.seconds


def work_done(table: Table, rows: Sequence[Row], measure: Measure) -> Work | None:
    """The column of the work, if every row has it."""
    headings = table.headings
    if measure is TIME_TO_TRAIN and headings.samples and all(row.samples for row in rows):
        name = spelled_out(headings.samples)
        known = next((word for word in ("tokens", "epochs") if word in name), "samples")
        return Work(headings.samples, known)
    if measure.work == "steps" and all(row.batch for row in rows):
        column = headings.global_batch or headings.gpu_batch
        of_gpu = not headings.global_batch
        if of_gpu and rows[0].gpus_per_node is None:
            return None
        return Work(column, "tokens" if "token" in column else "samples", of_gpu)
    return None
