"""A scaling study in which every row is filled: what one of fewer points is held against."""

from scalesheet.fabric_classes import usable_classes
from scalesheet_workbooks.scaling_inputs import CHOSEN, POINTS, Point, StudyInputs

PER_NODE, KEPT, UNEVEN = 8.0, 0.9, 0.3
SOURCE = "«source»"


def fullest() -> StudyInputs:
    """As many points as there are rows, uneven, so that sizes and notes fill theirs too.

    >>> from scalesheet_workbooks.sheets.study_core import note_lines, sizes
    >>> len(fullest().points), len(sizes(fullest().points, 4.0)), len(note_lines(fullest()))
    (24, 10, 6)
    """
    points = tuple(
        Point(float(nodes), PER_NODE, 100 * nodes**KEPT * (1 + UNEVEN * (-1) ** nodes), SOURCE)
        for nodes in range(2, POINTS + 2)
    )
    values: dict[str, float | str] = {
        **CHOSEN,
        "in.fabric_class": usable_classes()[0],
        "in.gpus_per_node": PER_NODE,
        "in.gpu_hour_price": 2.0,
        "in.work_unit": "tokens",
        "in.work_units": 1e9,
        "in.planned_nodes": 500,
    }
    return StudyInputs(values, dict.fromkeys(values, SOURCE), points)
