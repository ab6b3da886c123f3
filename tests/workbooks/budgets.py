"""Budget workbooks to test: studies, ways to look into a built file and to change it."""

import io
import random
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

from engines import Cell, Cells, cached_values
from scalesheet.errors import CellError
from scalesheet_workbooks.inputs import INPUTS
from scalesheet_workbooks.scenarios import shipped
from scalesheet_workbooks.study import Scenario, Study

BUDGET = "training_run_budget"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
FIRST_SCENARIO = 5
"""The number of the first scenario column."""

Values = dict[str, float | str]

CLUSTER: Values = {
    "in.gpus": 64.0,
    "in.gpus_per_node": 8.0,
    "in.gpu_hour_price": 2.5,
    "in.rework": 0.15,
    "in.storage": 200.0,
    "in.egress": 150.0,
}
IDEAL: Values = {"in.work_basis": "ideal hours", "in.ideal_hours": 120.0}
WORK: Values = {"in.work_basis": "GPU-hours", "in.total_gpu_hours": 7680.0}
TYPED: Values = {"in.efficiency_method": "typed", "in.efficiency": 0.8}
NETWORK: Values = {
    "in.efficiency_method": "interconnect",
    "in.interconnect": "NDR",
    "in.efficiency_floor": 0.5,
}
PILOT: Values = {
    "in.efficiency_method": "pilot",
    "in.pilot_base_nodes": 1.0,
    "in.pilot_base_throughput": 116.0,
    "in.pilot_nodes": 4.0,
    "in.pilot_throughput": 400.0,
}


def scenario(name: str, *parts: Values, **given: float | str) -> Scenario:
    """A scenario that is complete when its parts are; keywords are inputs without their prefix."""
    values = {**CLUSTER, **(parts[0] if parts else IDEAL)}
    for part in parts[1:] or (TYPED,):
        values |= part
    return Scenario(name, values | {f"in.{key}": value for key, value in given.items()})


EIGHT = Study(
    "Eight ways",
    (
        scenario("Typed, ideal hours", IDEAL, TYPED, gpu_throughput=1000.0),
        scenario("Typed, GPU-hours", WORK, TYPED),
        scenario("NDR", IDEAL, NETWORK, gpus=32.0),
        scenario("Ethernet, at the floor", WORK, NETWORK, interconnect="Eth25", gpus=128.0),
        scenario("Pilot", IDEAL, PILOT),
        scenario("Pilot above 100 %", WORK, PILOT, pilot_throughput=480.0),
        scenario("All given, RoCE used", IDEAL, {**WORK, **TYPED, **PILOT, **NETWORK, **IDEAL}),
        scenario("One GPU", IDEAL, TYPED, gpus=1.0, gpus_per_node=1.0, rework=0.0, egress=0.0),
    ),
    owner="A. Owner",
    currency="EUR",
)

STUDIES: dict[str, Callable[[], Study]] = {
    "shipped": shipped,
    "one": lambda: Study("One", (scenario("Only", IDEAL, NETWORK, interconnect="HDR"),)),
    "two": lambda: replace(EIGHT, scenarios=EIGHT.scenarios[3:5]),
    "eight": lambda: EIGHT,
}


def plausible_study(seed: int, scenarios: int) -> Study:
    """Scenarios as users fill them, none of which should fail a check."""
    random_ = random.Random(seed)
    return Study(f"Random {seed}", tuple(_plausible(random_, place) for place in range(scenarios)))


def _plausible(random_: random.Random, place: int) -> Scenario:
    method = random_.choice(("typed", "interconnect", "pilot"))
    base = random_.choice((1, 2, 4))
    per_node = random_.uniform(50, 5e5)
    efficiency: Values = {
        "typed": TYPED | {"in.efficiency": round(random_.uniform(0.3, 1.1), 3)},
        "interconnect": NETWORK
        | {
            "in.interconnect": random_.choice(("NDR", "HDR", "RoCE100", "Eth25")),
            "in.efficiency_floor": round(random_.uniform(0.1, 0.9), 2),
        },
        "pilot": PILOT
        | {
            "in.pilot_base_nodes": float(base),
            "in.pilot_base_throughput": base * per_node,
            "in.pilot_nodes": base * 4.0,
            "in.pilot_throughput": base * 4 * per_node * random_.uniform(0.8, 1.02),
        },
    }[method]
    gpus_per_node = random_.choice((1, 4, 8, 8, 16, 72))
    gpus = random_.choice((gpus_per_node * random_.randint(1, 512), random_.randint(1, 20_000)))
    work: Values = random_.choice(
        (
            IDEAL | {"in.ideal_hours": random_.uniform(1, 5000)},
            WORK | {"in.total_gpu_hours": random_.uniform(100, 1e8)},
        )
    )
    return scenario(
        f"Case {place}",
        work,
        efficiency,
        gpus=float(gpus),
        gpus_per_node=float(gpus_per_node),
        gpu_hour_price=round(random_.uniform(0.3, 20), 4),
        rework=round(random_.uniform(0, 0.8), 3),
        storage=round(random_.uniform(0, 1e6), 2),
        egress=random_.choice((0.0, round(random_.uniform(0, 1e5), 2))),
        **random_.choice(({}, {"gpu_throughput": random_.uniform(100, 1e6)})),
    )


# --- Looking into a file -------------------------------------------------------------------------


@dataclass(frozen=True)
class Book:
    """A workbook file, its formulas, and where the ids in column B stand."""

    data: bytes

    @cached_property
    def written(self) -> openpyxl.Workbook:
        """The cells with their formulas."""
        return openpyxl.load_workbook(io.BytesIO(self.data))

    @property
    def sheets(self) -> list[Worksheet]:
        """The sheets in order."""
        return list(self.written.worksheets)

    @cached_property
    def places(self) -> dict[str, tuple[str, int]]:
        """Sheet and row of every id."""
        return {
            cell.value: (sheet.title, cell.row)
            for sheet in self.sheets
            for cell in sheet["B"]
            if isinstance(cell.value, str) and is_id(cell.value)
        }

    @cached_property
    def columns(self) -> list[str]:
        """The letters of the scenario columns, from the names on the Inputs sheet."""
        row = self.written["Inputs"][self.places["in.scenario"][1]]
        names = [cell for cell in row if cell.protection.locked is False]
        return [cell.column_letter for cell in names]

    def at(self, line_id: str, scenario: int = 0) -> tuple[str, str]:
        """Sheet and address of an id in a scenario column, or of a check's result."""
        sheet, row = self.places[line_id]
        return sheet, f"{'H' if sheet == 'Checks' else self.columns[scenario]}{row}"

    @cached_property
    def formulas(self) -> dict[tuple[str, str], str]:
        """Every formula, by sheet and address."""
        return {
            (sheet.title, cell.coordinate): getattr(cell.value, "text", cell.value)
            for sheet in self.sheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        }

    def save(self, path: Path) -> Path:
        """The file on disk."""
        path.write_bytes(self.data)
        return path

    def cached(self, folder: Path) -> Cells:
        """What the file stores."""
        return cached_values(self.save(folder / "cached.xlsx"))

    def inputs(self, cells: Cells, scenario: int) -> dict[str, Cell]:
        """What the file holds in the input cells of one scenario; blank ones are left out."""
        at = {
            line_id: cells.get(self.at(line_id, scenario))
            for line_id, (sheet, _) in self.places.items()
            if sheet == "Inputs"
        }
        return {line_id: value for line_id, value in at.items() if value not in (None, "")}

    def parts(self) -> dict[str, bytes]:
        """Every part of the package."""
        with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


HEADS = {
    *("in", "eff", "calc", "chk", "fab", "const", "price", "quote", "bill", "data", "own"),
    *("charge", "cost", "cmp", "diff", "alert", "year", "rent", "scale", "risk", "case", "be"),
    *("sens", "mon", "bridge", "act", "log", "offer", "src", "fx"),
    *("fit", "curve", "ends", "ref"),
}
"""What stands before the dot of an id."""


def is_id(text: str) -> bool:
    """Whether a text is an id such as calc.train_cost."""
    head, dot, tail = text.partition(".")
    return dot == "." and head in HEADS and " " not in tail and tail != ""


# --- Changing a file -----------------------------------------------------------------------------


def edited(book: Book, changes: Mapping[tuple[str, str], Cell]) -> bytes:
    """The file with some cells changed by hand; a text that begins with = is a formula.

    None empties a cell. All else keeps its bytes, the cached values of other cells too, which are
    then stale: whoever uses the result recomputes it.
    """
    parts = book.parts()
    for sheet in {sheet for sheet, _ in changes}:
        name = f"xl/worksheets/sheet{book.written.sheetnames.index(sheet) + 1}.xml"
        tree = ET.fromstring(parts[name])
        cells = {cell.get("r"): cell for cell in tree.iter(f"{MAIN}c")}
        for (title, address), value in changes.items():
            if title == sheet:
                _fill(cells[address], value)
        parts[name] = ET.tostring(tree)
    return packed(parts)


def refilled(book: Book, study: Study) -> bytes:
    """The file with all its scenarios overwritten, as by a user."""
    return edited(
        book,
        {
            book.at(entry.id, place): scenario.values.get(entry.id)
            for place, scenario in enumerate(study.scenarios)
            for entry in INPUTS
        },
    )


# formulon knows a sheet by its root without a prefix.
ET.register_namespace("", MAIN.strip("{}"))


def _fill(cell: ET.Element, value: Cell) -> None:
    """One cell element with another value; its style stays."""
    cell[:] = []
    cell.attrib.pop("t", None)
    cell.attrib.pop("cm", None)
    if value is None:
        return
    if isinstance(value, str) and value.startswith("="):
        ET.SubElement(cell, f"{MAIN}f").text = value[1:]
        return
    if isinstance(value, str):
        cell.set("t", "inlineStr")
        ET.SubElement(ET.SubElement(cell, f"{MAIN}is"), f"{MAIN}t").text = value
        return
    if isinstance(value, CellError):
        kind, text = "e", value.code
    elif isinstance(value, bool):
        kind, text = "b", str(int(value))
    else:
        kind, text = "n", repr(value)
    cell.set("t", kind)
    ET.SubElement(cell, f"{MAIN}v").text = text


def packed(parts: Mapping[str, bytes]) -> bytes:
    """A package of these parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()
