"""Classes of fabric and how efficiency falls with nodes in each, as others measured it.

The figures stand in a small file that ``python -m scalesheet.measurements.classes`` computes from
the measurements, so that nobody who asks for a class has to open those. The classes are named for
what was measured; they are not the four of the efficiency calculator.
"""

import csv
import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from scalesheet.errors import OutOfDomain, UnknownChoice

CLASSES = Path(__file__).with_name("classes.csv")
FEWEST_SERIES = 5
"""A median of fewer series is no class."""
OTHER = "other"
"""What to say where no class fits: nothing is then taken from a class."""


class FabricClass(NamedTuple):
    """The exponent b of efficiency = nodes^-b over the series of a class: median and quartiles."""

    name: str
    series: int
    families: int
    lower_quartile: float
    median: float
    upper_quartile: float
    about: str


@lru_cache(maxsize=1)
def fabric_classes() -> dict[str, FabricClass]:
    """Every class by its name, those with too few series as well.

    >>> fabric_classes()["RoCE 1600"].series
    7
    """
    with CLASSES.open(encoding="utf-8", newline="") as file:
        return {
            row["name"]: FabricClass(
                name=row["name"],
                series=int(row["series"]),
                families=int(row["families"]),
                lower_quartile=float(row["lower_quartile"]),
                median=float(row["median"]),
                upper_quartile=float(row["upper_quartile"]),
                about=row["about"],
            )
            for row in csv.DictReader(file)
        }


def usable_classes() -> tuple[str, ...]:
    """The names of the classes with enough series.

    >>> "Ethernet 10 K80" in usable_classes()
    False
    """
    known = fabric_classes().values()
    return tuple(one.name for one in known if one.series >= FEWEST_SERIES)


def class_named(name: str, besides: tuple[str, ...] = ()) -> FabricClass:
    """A class that has enough series to be used; ``besides`` are other names to offer in an error.

    Errors: a name that is not known; a class with fewer than five series.
    """
    folded = " ".join(name.split()).casefold()
    for one in fabric_classes().values():
        if one.name.casefold() == folded:
            if one.series < FEWEST_SERIES:
                raise OutOfDomain(
                    f'fabric_class "{one.name}" has {one.series} published series, fewer than '
                    f"{FEWEST_SERIES}: measure your own job, or use one of "
                    + ", ".join((*usable_classes(), *besides))
                )
            return one
    raise UnknownChoice(
        f'fabric_class "{name}" is not known: use one of '
        + ", ".join((*usable_classes(), *besides))
    )


def published_efficiency(nodes: float, fabric_class: str) -> float:
    """Share of the ideal speed-up kept at a size by the median series of a class.

    nodes to the power -b; a first guess at any size, one node being 100 %.

    >>> published_efficiency(1, "A100 HDR")
    1.0
    >>> 0.85 < published_efficiency(16, "A100 HDR") < 0.95
    True
    """
    return math.pow(nodes, -class_named(fabric_class).median)
