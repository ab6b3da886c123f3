"""What a user says of a file of measurements, and what is read from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scalesheet_workbooks.measurement_files.measures import Measure, Scale


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user says, over what the file says; None, "" and nothing were not said.

    ``basis`` is "GPU", "node" or "run": what a figure is of. ``only`` names columns and the text
    that lines must have there.
    """

    sheet: str | None = None
    measure: Measure | None = None
    column: str = ""
    unit: str = ""
    scaling: str = ""
    gpus_per_node: int | None = None
    basis: str = ""
    only: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Point:
    """A measured size: the line it stands on, nodes, and the rate of all nodes together.

    ``samples`` are those that a run needed, where the file says so.
    """

    line: int
    nodes: int
    rate: float
    samples: float | None = None


@dataclass(frozen=True, slots=True)
class Measurements:
    """What a file says; ``remarks`` are sentences on how it was read and what may be wrong."""

    name: str
    scale: Scale
    scaling: str
    gpus_per_node: int | None
    points: tuple[Point, ...]
    remarks: tuple[str, ...]
