"""How efficiency falls with nodes by class of fabric, computed from the measurements.

Run it again after a change of the data; what it writes is what the functions read:

    python -m scalesheet.measurements.classes
"""

import csv
import io
import math
from collections.abc import Iterable
from pathlib import Path
from statistics import quantiles

from scalesheet.fabric_classes import CLASSES, FabricClass
from scalesheet.measurements import OFF_AXIS, Series, load_series

MLPERF = "MLPerf strong scaling"
ABOUT = {
    "EDR shared": "V100, one EDR port (100 Gb/s) that 8 GPUs share",
    "V100 EDR": "DGX-1 and DGX-2 with 4 or 8 EDR ports a node, as their type has them",
    "A100 HDR": "DGX A100, 8 HDR ports (200 Gb/s) a node, as their type has them",
    "RoCE 1600": "A100, 1,600 Gb/s of RoCE a node",
    "H100 NDR-class": "H100 clusters, fabric NDR or not stated",
    "Ethernet 10 K80": "8 K80 GPUs behind 10 Gb/s of Ethernet, 2017",
    MLPERF: "MLPerf training v4.0 and v4.1 on H100 and newer, throughput, tuned at each size",
}


def exponents(series: Iterable[Series]) -> dict[str, list[tuple[str, float]]]:
    """By class, the family and the power exponent of every clean series of throughput.

    A series is clean when two sizes or more are left that no flag speaks against. MLPerf changes
    its global batch between sizes, which is what its strong scaling means: there only the sizes
    themselves must be sound, and a series that was only carried forward does not count again.
    """
    found: dict[str, list[tuple[str, float]]] = {name: [] for name in ABOUT}
    for one in series:
        if one.fabric_class and one.measure == "throughput":
            strong = one.fabric_class == MLPERF
            points = one.points if strong else one.like_for_like
            if len(points) >= 2 and not (strong and _carried_forward(one)):
                sizes = [(point.nodes, point.throughput) for point in points]
                found[one.fabric_class].append((one.family, exponent(sizes)))
    return found


def _carried_forward(series: Series) -> bool:
    """Whether every row on the axis of nodes stood in an earlier round as well."""
    return all("duplicate" in row.flags for row in series.rows if not row.flags & OFF_AXIS)


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """b of efficiency = nodes^-b through the points, by least squares on log-log axes.

    Never capped: below 0 is super-linear.

    >>> round(exponent([(1, 116), (4, 480)]), 7)
    -0.0244548
    """
    logs = [(math.log(nodes), math.log(nodes / throughput)) for nodes, throughput in points]
    x_mean = math.fsum(x for x, _ in logs) / len(logs)
    y_mean = math.fsum(y for _, y in logs) / len(logs)
    covariance = math.fsum((x - x_mean) * (y - y_mean) for x, y in logs)
    return covariance / math.fsum((x - x_mean) ** 2 for x, _ in logs)


def compute(series: Iterable[Series]) -> tuple[FabricClass, ...]:
    """Every class with the number of its series, median and quartiles (linear interpolation)."""
    classes = []
    for name, found in exponents(series).items():
        lower, middle, upper = quantiles([value for _, value in found], n=4, method="inclusive")
        families = len({family for family, _ in found})
        classes.append(
            FabricClass(name, len(found), families, lower, middle, upper, about=ABOUT[name])
        )
    return tuple(classes)


def text(classes: Iterable[FabricClass]) -> str:
    """The file of classes; six decimals, which no published figure reaches."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(FabricClass._fields)
    for one in classes:
        spread = (one.lower_quartile, one.median, one.upper_quartile)
        figures = [f"{value:.6f}" for value in spread]
        writer.writerow([one.name, one.series, one.families, *figures, one.about])
    return file.getvalue()


def main(target: Path = CLASSES) -> None:
    """Write the file of classes."""
    target.write_text(text(compute(load_series())), encoding="utf-8")


if __name__ == "__main__":
    main()
