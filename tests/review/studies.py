"""Scaling studies to review: one that is filled with care, edits of it, and random ones."""

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import openpyxl

from review.workbooks import Edit, edited, put_at
from scalesheet_workbooks.scaling_inputs import CHOSEN, Point, StudyInputs
from scalesheet_workbooks.scaling_workbook import workbook
from workbooks.scaling_studies import at

SIZES = ((1.0, 100.0), (2.0, 193.0), (4.0, 371.0), (8.0, 705.0))
"""Nodes and throughput: 96.5, 92.8 and 88.1 % of one node's, as a class in use keeps."""
FROM = "run 12 of 2026-11-02"


def given(points: tuple[tuple[float, float], ...] = SIZES, planned: float = 16.0) -> StudyInputs:
    """The inputs of a study, each with where it is from."""
    values: dict[str, float | str] = {
        **CHOSEN,
        "in.fabric_class": "other",
        "in.gpus_per_node": 8.0,
        "in.gpu_hour_price": 2.4,
        "in.work_unit": "samples",
        "in.work_units": 1e9,
        "in.planned_nodes": planned,
    }
    return StudyInputs(
        values,
        dict.fromkeys(values, FROM),
        tuple(Point(nodes, 8.0, rate, FROM) for nodes, rate in points),
    )


@cache
def filled() -> bytes:
    """The study as a file."""
    return workbook(given(), "Our study")


def plausible(seed: int) -> bytes:
    """A study as a careful preparer fills it: nothing in it is remarkable."""
    random_ = random.Random(seed)
    exponent, rate = random_.uniform(0.03, 0.09), random_.uniform(50, 5e5)
    sizes = [2.0**power for power in range(random_.randint(2, 6))]
    points = tuple(
        (nodes, round(rate * nodes ** (1 - exponent) * random_.uniform(0.995, 1.005), 3))
        for nodes in sizes
    )
    values = {
        "in.gpu_hour_price": round(random_.uniform(1.2, 4.5), 3),
        "in.work_units": round(10 ** random_.uniform(6, 12)),
        "in.work_unit": random_.choice(("samples", "tokens", "images")),
    }
    study = given(points, sizes[-1] * random_.choice((1, 2, 4)))
    return workbook(study._replace(values={**study.values, **values}), f"Study {seed}")


@dataclass(frozen=True)
class Seed:
    """One edit of the filled study, and its one finding."""

    name: str
    edits: tuple[Edit, ...]
    rule: str
    where: str
    severity: str

    def __str__(self) -> str:
        return self.name

    def make(self) -> bytes:
        return edited(*self.edits, data=filled())


def cell(cell_id: str, key: str = "") -> str:
    """Sheet and cell of an entry, or of a row of a column."""
    return "!".join(at(cell_id, key))


def one(cell_id: str, value: object, key: str = "") -> tuple[Edit, ...]:
    """An edit of one cell."""
    return (put_at(*at(cell_id, key), value),)


def _beside(cell_id: str, column: str, value: object) -> tuple[tuple[Edit, ...], str]:
    sheet, address = at(cell_id)
    where = f"{column}{address[1:]}"
    return (put_at(sheet, where, value),), f"{sheet}!{where}"


def _name(book: openpyxl.Workbook) -> None:
    book.defined_names["out_efficiency"].attr_text = "Plan!$E$20"


def _hidden(book: openpyxl.Workbook) -> None:
    book["Fit"].sheet_state = "hidden"


def _per_gpu(book: openpyxl.Workbook) -> None:
    """The throughput of one GPU at every size."""
    for step, (nodes, rate) in enumerate(SIZES, 1):
        sheet, address = at("in.throughput", f"point_{step}")
        book[sheet][address] = rate / nodes / 8


def _rows(column: str, count: int = len(SIZES)) -> str:
    sheet, _ = at(column, "point_1")
    return f"{sheet}!" + ", ".join(at(column, f"point_{n}")[1] for n in range(1, count + 1))


def _seed(name: str, made: tuple[tuple[Edit, ...], str], rule: str, severity: str) -> Seed:
    return Seed(name, made[0], rule, made[1], severity)


RATE, NODES, PLANNED = "in.throughput", "in.nodes", "in.planned_nodes"
SEEDS = (
    Seed("exponent typed over", one("fit.exponent", 0.01), "S101", cell("fit.exponent"), "medium"),
    Seed("forecast typed over", one("fct.throughput", 2000, "at_planned"), "S101",
         cell("fct.throughput", "at_planned"), "medium"),
    Seed("efficiency changed", one("pln.efficiency", "=0.97"), "S102", cell("pln.efficiency"),
         "medium"),
    Seed("formula emptied", one("pln.cost", None), "S103", cell("pln.cost"), "medium"),
    Seed("broken reference", one("pln.hours", "=#REF!*2"), "S104", cell("pln.hours"), "high"),
    Seed("dollar sign in a formula (A04)", one("pln.cost", "=$8*$80000"), "S105", cell("pln.cost"),
         "high"),
    Seed("constant changed", one("const.far", 1e6), "S110", cell("const.far"), "low"),
    _seed("tolerance widened", _beside("chk.residuals", "G", 1e6), "S111", "high"),
    _seed("limit widened", _beside(PLANNED, "G", 1e12), "S112", "high"),
    _seed("label changed", _beside("pln.cost", "C", "Refund"), "S113", "low"),
    _seed("unit changed", _beside("pln.hours", "D", "days"), "S114", "high"),
    Seed("check typed over", one("chk.residuals", 0), "S101", cell("chk.residuals"), "high"),
    Seed("name of the efficiency shifted", (_name,), "S120", cell("pln.efficiency"), "high"),
    Seed("figure of the core typed over", one("core.throughput", 2000, "at_planned"), "R307",
         cell("core.throughput", "at_planned"), "high"),
    Seed("throughput as text (D06)", one(RATE, "371 img/s", "point_3"), "I202",
         cell(RATE, "point_3"), "high"),
    Seed("throughput below zero", one(RATE, -371, "point_3"), "I201", cell(RATE, "point_3"),
         "high"),
    Seed("half a node", one(NODES, 2.5, "point_2"), "I201", cell(NODES, "point_2"), "high"),
    Seed("throughput missing", one(RATE, None, "point_2"), "I203", cell(RATE, "point_2"), "high"),
    Seed("planned size missing", one(PLANNED, None), "I203", cell(PLANNED), "high"),
    Seed("class not in the list", one("in.fabric_class", "token ring"), "I205",
         cell("in.fabric_class"), "high"),
    Seed("figures per GPU (C08)", (_per_gpu,), "I212", _rows(RATE), "medium"),
    Seed("price of an instance (C01)", one("in.gpu_hour_price", 55.04), "I221",
         cell("in.gpu_hour_price"), "medium"),
    _seed("source missing", _beside("in.gpu_hour_price", "I", None), "I240", "low"),
)  # fmt: skip


def stored(data: bytes) -> openpyxl.Workbook:
    """The values that a file stores."""
    return openpyxl.load_workbook(io.BytesIO(data), data_only=True)


Make = Callable[[], bytes]
