"""Published measurements of how training scales over nodes, each with its source.

The file holds one row a measurement (``clean`` makes it); ``load_series`` groups the rows of one
workload on one system. Facts with citation only: every row names the repository and commit, and
the file in it, where the figure stands.

>>> series = load_series()
>>> sum(one.backtest for one in series)
111
>>> one = next(one for one in series if one.name == "tfbench-ec2dist-resnet-50")
>>> [(point.nodes, point.throughput) for point in one.points]
[(1, 378.0), (2, 751.0), (4, 1388.0), (8, 2744.0)]
"""

import csv
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import median

MEASUREMENTS = Path(__file__).with_name("measurements.csv")
HOLDOUT = Path(__file__).with_name("holdout.csv")
"""A second collection of the same form, of publishers that the first one does not have; gathered
after the method of calibration was built, to see how it fares on families it never saw. It is kept
apart: the class exponents and the backtest take nothing from it."""

FLAGS = {
    "partial_node": "fewer GPUs than the node has: not a point on the axis of nodes",
    "other_node": "another size of node than the rest of the series: not a point of it",
    "duplicate": "the same figure stands under another name or in an earlier round as well",
    "batch_changed": "another batch size (per GPU, or MLPerf's global one) than the largest run",
    "software_changed": "another release of the software than the largest run",
    "looks_per_gpu": "so low that it may be a figure per GPU and not a total",
    "digitised": "read from a plot, 1-2 % of reading error",
    "rounded": "from a text that gives one or two digits",
}
"""What the column ``flags`` says, in words. Nothing is dropped for a flag but from the points of a
series, and there only the first two."""
OFF_AXIS = frozenset({"partial_node", "other_node"})
NOT_LIKE_FOR_LIKE = OFF_AXIS | {
    "duplicate",
    "batch_changed",
    "software_changed",
    "looks_per_gpu",
    "rounded",
}


@dataclass(frozen=True)
class Point:
    """A size and its total throughput, of the whole run and not per GPU."""

    nodes: int
    throughput: float


@dataclass(frozen=True)
class Measurement:
    """One row of the file. ``value`` is in the series' unit."""

    gpus: int
    gpus_per_node: int
    value: float
    flags: frozenset[str]
    source: str
    path: str
    notes: str


@dataclass(frozen=True)
class Series:
    """One workload on one system at several sizes.

    ``family`` is who published it: series of one publisher share clusters, harness and habits, so
    that their errors are not independent, and a backtest holds them out together (MLPerf: one
    family a submitter). ``measure`` is "throughput" or "time_to_train"; ``scaling`` is "weak"
    (the work per GPU stays), "strong" (the total stays) or "mixed" (MLPerf's global batch
    changes between sizes). ``fabric_class`` is "" where no class fits.
    """

    name: str
    family: str
    measure: str
    scaling: str
    fabric_class: str
    backtest: bool
    source: str
    workload: str
    hardware: str
    interconnect: str
    unit: str
    rows: tuple[Measurement, ...]

    @property
    def flags(self) -> frozenset[str]:
        """Every flag that some row carries."""
        return frozenset().union(*(row.flags for row in self.rows))

    @property
    def points(self) -> tuple[Point, ...]:
        """Whole nodes, ascending, the median where a size was measured more than once.

        A time to train counts as its inverse, runs a minute, so that more is better throughout;
        it holds the extra samples of bigger batches and is never mixed with throughput.
        """
        return self._points_without(OFF_AXIS)

    @property
    def by_gpus(self) -> tuple[tuple[int, float], ...]:
        """GPUs and value, ascending, a part of a node included: for who asks about one node."""
        found: dict[int, list[float]] = {}
        for row in self.rows:
            if "other_node" not in row.flags:
                found.setdefault(row.gpus, []).append(row.value)
        return tuple((gpus, median(values)) for gpus, values in sorted(found.items()))

    @property
    def like_for_like(self) -> tuple[Point, ...]:
        """The points that no flag speaks against."""
        return self._points_without(NOT_LIKE_FOR_LIKE)

    def _points_without(self, flags: frozenset[str]) -> tuple[Point, ...]:
        by_nodes: dict[int, list[float]] = {}
        for row in self.rows:
            if not row.flags & flags:
                rate = row.value if self.measure == "throughput" else 1 / row.value
                by_nodes.setdefault(row.gpus // row.gpus_per_node, []).append(rate)
        return tuple(Point(nodes, median(rates)) for nodes, rates in sorted(by_nodes.items()))


@lru_cache(maxsize=1)
def load_series() -> tuple[Series, ...]:
    """Every series of the first collection, in its order."""
    return _read(MEASUREMENTS)


@lru_cache(maxsize=1)
def holdout_series() -> tuple[Series, ...]:
    """Every series of the second collection, in its order.

    >>> len(holdout_series()), len({one.family for one in holdout_series()})
    (43, 11)
    """
    return _read(HOLDOUT)


def _read(path: Path) -> tuple[Series, ...]:
    found: dict[str, Series] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            measurement = Measurement(
                gpus=int(row["gpus"]),
                gpus_per_node=int(row["gpus_per_node"]),
                value=float(row["value"]),
                flags=frozenset(row["flags"].split()),
                source=row["source"],
                path=row["path"],
                notes=row["notes"],
            )
            known = found.get(row["series"])
            if known:
                found[known.name] = replace(known, rows=(*known.rows, measurement))
            else:
                found[row["series"]] = Series(
                    name=row["series"],
                    family=row["family"],
                    measure=row["measure"],
                    scaling=row["scaling"],
                    fabric_class=row["fabric_class"],
                    backtest=row["backtest"] == "yes",
                    source=row["source"],
                    workload=row["workload"],
                    hardware=row["hardware"],
                    interconnect=row["interconnect"],
                    unit=row["unit"],
                    rows=(measurement,),
                )
    return tuple(found.values())


def backtest_series() -> tuple[Series, ...]:
    """The series that the backtest runs on: marked so in the file, for a reader to check."""
    return tuple(series for series in load_series() if series.backtest)
