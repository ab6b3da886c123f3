"""The budget workbook: every figure is the core's, nothing wrong passes for a figure."""

import math
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest

import scalesheet as core
from engines import ENGINES, Cell, Cells, cached_values, libreoffice_values
from rendering import to_pdf
from scalesheet.errors import CellError, ScalesheetError
from scalesheet_workbooks.build import build
from scalesheet_workbooks.layout import ERROR
from scalesheet_workbooks.spec import Call
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates.budget_checks import CHECKS
from scalesheet_workbooks.templates.training_run_budget import MODEL
from workbooks.budgets import (
    BUDGET,
    IDEAL,
    NETWORK,
    PILOT,
    STUDIES,
    TYPED,
    WORK,
    Book,
    edited,
    plausible_study,
    refilled,
    scenario,
)

PRECISION = 1e-13
"""What holds between engines: LibreOffice saves 15 digits, formulon differs by 2e-15 at most."""

QUICK = ("ironcalc", "formualizer")
BUILT_STUDIES, FILLED_STUDIES = 8, 50
MASTER = "chk.master"
NOT_GIVEN = "–"
NEARLY_EQUAL = ("marginal_node", "scaling_loss_cost", "lost_compute", "whole_node_extra")
TOTALS = ("27,950.00", "6,775.88", "821,700.00", "1,111.05", "22,100.00")

LINES = [line for sheet in MODEL for line in sheet.lines]
ALERTS = [line.id for line in LINES if line.id.endswith("_alert")]
CHECK_IDS = {check.kind: [c.id for c in CHECKS if c.kind == check.kind] for check in CHECKS}
ALL_CHECKS = [check.id for check in CHECKS]


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    return {name: Book(build(BUDGET, study())) for name, study in STUDIES.items()}


@pytest.fixture(scope="module")
def stored(books: dict[str, Book], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cells]:
    return {name: book.cached(tmp_path_factory.mktemp(name)) for name, book in books.items()}


def same(one: Cell, other: Cell) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=PRECISION, abs_tol=1e-300)
    return type(one) is type(other) and one == other


# --- Every formula in every engine ---------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", STUDIES)
def test_stored_values_are_what_engines_compute(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path, name: str, engine: str
) -> None:
    book = books[name]
    computed = ENGINES[engine](book.save(tmp_path / "budget.xlsx"))
    wrong = {
        at: (stored[name].get(at), computed.get(at), formula)
        for at, formula in book.formulas.items()
        if not same(stored[name].get(at), computed.get(at))
    }
    assert len(book.formulas) > 150
    assert not wrong


@pytest.mark.parametrize("name", STUDIES)
def test_no_cell_is_in_error(stored: dict[str, Cells], name: str) -> None:
    assert not {at: v for at, v in stored[name].items() if isinstance(v, CellError)}


@pytest.mark.parametrize("name", STUDIES)
def test_all_checks_pass(books: dict[str, Book], stored: dict[str, Cells], name: str) -> None:
    assert failing(books[name], stored[name]) == set()
    assert stored[name][books[name].at(MASTER)] == 0


def failing(book: Book, cells: Cells) -> set[str]:
    """The checks that do not pass; alerts are not among them."""
    kinds = [kind for kind in CHECK_IDS if kind != "alert"]
    ids = [line_id for kind in kinds for line_id in CHECK_IDS[kind]]
    return {line_id for line_id in ids if cells.get(book.at(line_id)) != 0}


# --- The core on the inputs of the file ----------------------------------------------------------


def core_lines(given: Mapping[str, Cell]) -> dict[str, float]:
    """What the published functions say of the inputs of one scenario, step by step."""

    def number(name: str) -> float:
        value = given[f"in.{name}"]
        assert isinstance(value, float)
        return value

    gpus, per_node, price = number("gpus"), number("gpus_per_node"), number("gpu_hour_price")
    billed = core.billed_gpus(gpus, per_node)
    nodes = billed / per_node
    lines = {"billed_gpus": billed, "nodes": nodes, "next_nodes": nodes + 1}

    interconnect = given.get("in.interconnect")
    if isinstance(interconnect, str) and "in.efficiency_floor" in given:
        floor, loss = number("efficiency_floor"), core.loss_per_node(interconnect)
        lines["loss_per_extra_node"] = loss
        lines["floor_nodes"] = core.floor_nodes(loss, floor)
        lines["efficiency_network"] = core.scaling_eff(nodes, interconnect, floor)
        lines["next_efficiency_network"] = core.scaling_eff(nodes + 1, interconnect, floor)
    if "in.pilot_throughput" in given:
        base = number("pilot_base_nodes"), number("pilot_base_throughput")
        large = number("pilot_nodes"), number("pilot_throughput")
        exponent = core.scaling_exponent(*base, *large)
        lines["measured_eff"] = core.measured_eff(*large, *base)
        lines["exponent"] = exponent
        lines["efficiency_pilot"] = core.scaling_eff_power(nodes, exponent)
        lines["next_efficiency_pilot"] = core.scaling_eff_power(nodes + 1, exponent)
    method = given["in.efficiency_method"]
    if method == "typed":
        efficiency = number("efficiency")
    else:
        source = {"interconnect": "network", "pilot": "pilot"}[str(method)]
        efficiency = lines[f"efficiency_{source}"]
        after = lines[f"next_efficiency_{source}"]
        lines["next_efficiency"] = after
        lines["marginal_node"] = (nodes + 1) * after - nodes * efficiency
    if "in.total_gpu_hours" in given:
        lines["ideal_hours_from_work"] = core.ideal_hours_from_work(gpus, number("total_gpu_hours"))
    typed_hours = given["in.work_basis"] == "ideal hours"
    hours = number("ideal_hours") if typed_hours else lines["ideal_hours_from_work"]

    rework, storage, egress = number("rework"), number("storage"), number("egress")
    total = core.train_cost(gpus, hours, price, efficiency, rework, storage, egress)
    compute = core.compute_cost(gpus, hours, price, efficiency)
    if "in.gpu_throughput" in given:
        throughput = number("gpu_throughput")
        # Only the GPUs in the run work, also where the last node is not full.
        lines["cluster_throughput"] = (
            core.cluster_throughput(nodes, per_node, throughput, efficiency) * gpus / billed
        )
    return lines | {
        "efficiency": efficiency,
        "ideal_hours": hours,
        "total_gpu_hours": gpus * hours,
        "wall_clock_hours": core.wall_clock_hours(hours, efficiency),
        "wall_clock_days": core.wall_clock_days(hours, efficiency),
        "expected_days": core.expected_days(hours, efficiency, rework),
        "gpu_hours": core.gpu_hours(gpus, hours, efficiency),
        "compute_cost": compute,
        "rework_cost": core.rework_cost(gpus, hours, price, efficiency, rework),
        "fixed_costs": storage + egress,
        "train_cost": total,
        "perfect_cost": gpus * hours * price,
        "scaling_loss_cost": compute - gpus * hours * price,
        "cost_per_productive_gpu_hour": total / (gpus * hours),
        "cost_overhead": core.cost_overhead(efficiency, rework),
        "gpus_lost": core.gpus_lost(nodes, per_node, efficiency) * gpus / billed,
        "gpu_hours_with_rework": core.gpu_hours(gpus, hours, efficiency) * (1 + rework),
        "lost_compute": max(0.0, compute - gpus * hours * price),
        "useful_compute": compute - max(0.0, compute - gpus * hours * price),
        "whole_node_extra": compute * (1 + rework) * (billed - gpus) / gpus,
    }


def assert_core_agrees(book: Book, cells: Cells) -> None:
    wrong, compared = {}, set()
    for place in range(len(book.columns)):
        expected = core_lines(book.inputs(cells, place))
        for line in LINES:
            name = line.id.partition(".")[2]
            if name not in expected and not isinstance(line.source, Call):
                continue
            value = cells.get(book.at(line.id, place))
            compared.add(name)
            if name not in expected:
                agrees = value == NOT_GIVEN
            else:
                # A difference of nearly equal amounts has the rounding of the amounts.
                size = 1.0 if name == "marginal_node" else expected.get("train_cost", 1.0)
                loose = size * 1e-15 if name in NEARLY_EQUAL else 0.0
                agrees = isinstance(value, float) and math.isclose(
                    value, expected[name], rel_tol=PRECISION, abs_tol=max(loose, 1e-300)
                )
            if not agrees:
                wrong[place, name] = (value, expected.get(name))
    assert len(compared) > 25
    assert not wrong


@pytest.mark.parametrize("name", STUDIES)
def test_every_line_is_the_cores(
    books: dict[str, Book], stored: dict[str, Cells], name: str
) -> None:
    assert_core_agrees(books[name], stored[name])


def test_every_function_line_has_an_expectation(
    books: dict[str, Book], stored: dict[str, Cells]
) -> None:
    places = range(len(books["eight"].columns))
    inputs = [books["eight"].inputs(stored["eight"], place) for place in places]
    known = {name for given in inputs for name in core_lines(given)}
    called = {line.id.partition(".")[2] for line in LINES if isinstance(line.source, Call)}
    assert called <= known


@pytest.mark.parametrize("seed", range(BUILT_STUDIES))
def test_plausible_studies_as_built(seed: int, tmp_path: Path) -> None:
    book = Book(build(BUDGET, plausible_study(seed, 1 + seed)))
    cells = book.cached(tmp_path)
    assert_plausible(book, cells)
    computed = ENGINES["ironcalc"](book.save(tmp_path / "budget.xlsx"))
    assert not [at for at in book.formulas if not same(cells.get(at), computed.get(at))]


def test_plausible_studies_as_filled(books: dict[str, Book], tmp_path: Path) -> None:
    """The same file, filled again and again."""
    book, path = books["eight"], tmp_path / "filled.xlsx"
    for seed in range(FILLED_STUDIES):
        path.write_bytes(refilled(book, plausible_study(seed, 8)))
        assert_plausible(book, ENGINES["ironcalc"](path))


def assert_plausible(book: Book, cells: Cells) -> None:
    assert failing(book, cells) == set()
    assert not [at for at, value in cells.items() if isinstance(value, CellError)]
    assert_core_agrees(book, cells)


# --- The published figures -----------------------------------------------------------------------


def printed_row(pdf: Path, line_id: str) -> list[str]:
    """The figures of a row as printed."""
    command = ["pdftotext", "-layout", str(pdf), "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    (row,) = [line for line in text.splitlines() if line.split()[:1] == [line_id]]
    return re.findall(r"-?[\d,]+\.\d+%?", row)


def test_published_figures_in_print(books: dict[str, Book], tmp_path: Path) -> None:
    """The totals and the efficiencies of the calculators, recalculated by LibreOffice."""
    pdf = to_pdf(books["shipped"].save(tmp_path / "budget.xlsx"), tmp_path / "pdf")
    assert tuple(printed_row(pdf, "calc.train_cost")) == TOTALS
    at_four_nodes = printed_row(pdf, "fab.efficiency_4")
    assert (at_four_nodes[0], at_four_nodes[3]) == ("95.5%", "79.0%")


def test_published_figures_as_stored(books: dict[str, Book], tmp_path: Path) -> None:
    book = books["shipped"]
    path = book.save(tmp_path / "budget.xlsx")
    workbook = openpyxl.load_workbook(path, data_only=True)
    totals = [workbook[sheet][at] for sheet, at in map(book.at, ["calc.train_cost"] * 5, range(5))]
    assert {cell.number_format.split(";")[-1] for cell in totals} == {"#,##0.00"}
    assert tuple(f"{cell.value:,.2f}" for cell in totals) == TOTALS
    fabrics = workbook["Fabrics"]
    row = book.places["fab.efficiency_4"][1]
    assert [fabrics[f"{column}4"].value for column in "EFGH"] == ["NDR", "HDR", "RoCE100", "Eth25"]
    assert [fabrics[f"{column}{row}"].value for column in "EH"] == pytest.approx(
        [0.955, 0.79], rel=1e-14
    )
    assert fabrics[f"E{row}"].number_format == "0.0%"


@pytest.mark.parametrize("floor", [0.01, 0.5, 0.51, 0.776, 0.79, 0.846, 0.93, 0.955, 0.985, 1.0])
@pytest.mark.parametrize("engine", QUICK)
def test_fabrics_hold_at_any_floor(
    books: dict[str, Book], tmp_path: Path, floor: float, engine: str
) -> None:
    """Also where the floor is exactly an efficiency of the model."""
    book = books["one"]
    (tmp_path / "floor.xlsx").write_bytes(edited(book, {book.at("in.fabric_floor"): floor}))
    cells = ENGINES[engine](tmp_path / "floor.xlsx")
    assert failing(book, cells) == set()
    for size in (2.0**place for place in range(7)):
        row, below = (
            book.places[f"fab.{table}_{size:.0f}"][1] for table in ("efficiency", "marginal")
        )
        assert cells["Fabrics", f"D{row}"] == size
        for column, fabric in zip("EFGH", ("NDR", "HDR", "RoCE100", "Eth25"), strict=True):
            expected = core.scaling_eff(size, fabric, floor)
            assert cells["Fabrics", f"{column}{row}"] == pytest.approx(expected, rel=PRECISION)
            marginal = core.marginal_node(size, core.loss_per_node(fabric), floor)
            assert cells["Fabrics", f"{column}{below}"] == pytest.approx(
                marginal, rel=1e-9, abs=1e-13
            )


# --- What is missing or wrong --------------------------------------------------------------------

TYPED_PLACE, WORK_PLACE, NETWORK_PLACE, PILOT_PLACE = 0, 1, 2, 4

NEEDED = [
    *((name, TYPED_PLACE) for name in ("in.gpus", "in.gpu_hour_price", "in.rework")),
    *((name, TYPED_PLACE) for name in ("in.storage", "in.egress", "in.ideal_hours")),
    *((name, TYPED_PLACE) for name in ("in.efficiency", "in.efficiency_method", "in.work_basis")),
    ("in.total_gpu_hours", WORK_PLACE),
    ("in.gpus_per_node", NETWORK_PLACE),
    ("in.interconnect", NETWORK_PLACE),
    ("in.efficiency_floor", NETWORK_PLACE),
    ("in.gpus_per_node", PILOT_PLACE),
    *((name, PILOT_PLACE) for name in ("in.pilot_base_nodes", "in.pilot_base_throughput")),
    *((name, PILOT_PLACE) for name in ("in.pilot_nodes", "in.pilot_throughput")),
]
UNUSABLE: list[Cell] = [None, "80%", "eighty", " ", "–", '=""', True, CellError("#N/A")]


def recomputed(book: Book, changes: dict[tuple[str, str], Cell], engine: str, path: Path) -> Cells:
    path.write_bytes(edited(book, changes))
    return ENGINES[engine](path)


@pytest.mark.parametrize(("line_id", "place"), NEEDED)
def test_without_an_input_there_is_no_total(
    books: dict[str, Book], tmp_path: Path, line_id: str, place: int
) -> None:
    book, path = books["eight"], tmp_path / "broken.xlsx"
    for value in UNUSABLE:
        cells = recomputed(book, {book.at(line_id, place): value}, "ironcalc", path)
        total = cells.get(book.at("calc.train_cost", place))
        red = failing(book, cells)
        assert isinstance(total, CellError), (value, total)
        assert "chk.totals" in red, (value, red)
        assert red & set(CHECK_IDS["completeness"]), (value, red)
        assert cells[book.at(MASTER)] == len(red)
        assert str(cells["Inputs", badge(book)]).startswith("CHECKS FAILING: ")
        others = [p for p in range(8) if p != place]
        assert all(isinstance(cells[book.at("calc.train_cost", p)], float) for p in others)


def badge(book: Book) -> str:
    """The address of the badge on the Inputs sheet."""
    (at,) = [
        cell.coordinate
        for cell in book.written["Inputs"][1]
        if cell.data_type == "f" and "chk_master" in cell.value
    ]
    return str(at)


BROKEN: list[tuple[str, Cell]] = [
    ("in.gpus", None),
    ("in.total_gpu_hours", None),
    ("in.interconnect", "Token Ring"),
    ("in.efficiency_floor", "50%"),
    ("in.pilot_nodes", None),
    ("in.efficiency_method", "guessed"),
    ("in.work_basis", None),
    ("in.egress", "none"),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_eight_ways_to_break_a_scenario(
    books: dict[str, Book], tmp_path: Path, engine: str
) -> None:
    book = books["eight"]
    changes = {book.at(line_id, place): value for place, (line_id, value) in enumerate(BROKEN)}
    cells = recomputed(book, changes, engine, tmp_path / "broken.xlsx")
    totals = [cells.get(book.at("calc.train_cost", place)) for place in range(8)]
    assert [type(total) for total in totals] == [CellError] * 8
    assert {"chk.totals", "chk.filled", "chk.given", "chk.in_range"} <= failing(book, cells)
    # No headline figure is left that leaves scenarios out.
    assert all(isinstance(cells["Cover", at], CellError) for at in ("B5", "F5"))


@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize(
    ("line_id", "place", "value"),
    [
        ("in.gpus", 0, 12.5),
        ("in.gpus", 0, 0.0),
        ("in.gpus", 0, -64.0),
        ("in.gpus_per_node", 0, 6.4),
        ("in.gpus_per_node", 0, None),
        ("in.gpu_hour_price", 0, 0.0),
        ("in.efficiency", 0, 80.0),
        ("in.efficiency", 0, 1.501),
        ("in.efficiency_method", 0, "t*"),
        ("in.work_basis", 0, "ideal*"),
        ("in.rework", 0, 15.0),
        ("in.storage", 0, -1.0),
        ("in.total_gpu_hours", 1, 0.0),
        ("in.interconnect", 2, "N*"),
        ("in.interconnect", 2, "?DR"),
        ("in.efficiency_floor", 2, 0.0),
        ("in.pilot_throughput", 4, 0.0),
    ],
)
def test_what_the_core_refuses_fails_the_master_check(
    books: dict[str, Book], tmp_path: Path, line_id: str, place: int, value: Cell, engine: str
) -> None:
    """Values pasted past the validation: the file must not say that all is well."""
    book = books["eight"]
    cells = recomputed(book, {book.at(line_id, place): value}, engine, tmp_path / "pasted.xlsx")
    with pytest.raises((ScalesheetError, AssertionError, KeyError)):
        core_lines(book.inputs(cells, place))
    assert cells[book.at(MASTER)] != 0
    assert failing(book, cells) & set(CHECK_IDS["completeness"])
    assert str(cells["Inputs", badge(book)]).startswith("CHECKS FAILING: ")
    assert str(cells["Cover", "H5"]).endswith("fail")


def test_core_agrees_after_inputs_change(books: dict[str, Book], tmp_path: Path) -> None:
    """A user fills other numbers in; the workbook follows in LibreOffice."""
    book = books["eight"]
    changes: dict[tuple[str, str], Cell] = {
        book.at("in.gpus", 0): 1024.0,
        book.at("in.gpu_hour_price", 1): 3.125,
        book.at("in.interconnect", 2): "HDR",
        book.at("in.pilot_throughput", 4): 450.0,
        book.at("in.work_basis", 6): "GPU-hours",
        book.at("in.efficiency_method", 6): "pilot",
    }
    (tmp_path / "filled.xlsx").write_bytes(edited(book, changes))
    cells = libreoffice_values(tmp_path / "filled.xlsx")
    assert failing(book, cells) == set()
    assert_core_agrees(book, cells)


# --- Each check and each alert -------------------------------------------------------------------

MONEY_FAILS = {"chk.components", "chk.overhead", "chk.totals"}
ALL_ARITHMETIC = MONEY_FAILS | {"chk.gpu_hours", "chk.price", "chk.paid"}

TAMPERED: dict[str, tuple[str, Cell, set[str]]] = {
    "chk.components": ("calc.train_cost", "=1", {"chk.overhead"}),
    "chk.overhead": ("calc.cost_overhead", "=1", set()),
    "chk.gpu_hours": ("calc.gpu_hours", "=1", {"chk.overhead"}),
    "chk.price": ("calc.compute_cost", "=1", {"chk.overhead", "chk.paid"}),
    "chk.paid": ("calc.gpu_hours_with_rework", "=1", set()),
    "chk.totals": ("calc.train_cost", "to follow", MONEY_FAILS),
    "chk.fabrics": ("fab.efficiency_16", "=1", set()),
    "chk.filled": ("in.storage", None, MONEY_FAILS),
    "chk.in_range": ("in.storage", -1.0, set()),
    "chk.given": ("in.ideal_hours", None, ALL_ARITHMETIC),
    "chk.whole": ("in.gpus_per_node", 6.4, set()),
}
"""What breaks a check: an id, what is put there, and which other checks depend on it."""


def test_every_check_is_broken_once() -> None:
    assert list(TAMPERED) == [c.id for c in CHECKS if c.kind != "alert"]


@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("check_id", TAMPERED)
def test_a_broken_condition_turns_its_check_red(
    books: dict[str, Book], tmp_path: Path, check_id: str, engine: str
) -> None:
    book = books["shipped"]
    line_id, value, dependants = TAMPERED[check_id]
    cells = recomputed(book, {book.at(line_id): value}, engine, tmp_path / "tampered.xlsx")
    red = {check_id} | dependants
    assert failing(book, cells) == red
    assert cells[book.at(MASTER)] == len(red)
    assert cells[book.at("chk.error")] == len(red & set(CHECK_IDS[ERROR]))
    assert cells[book.at("chk.alert")] == 0


ALERTING = Study(
    "Alerts",
    (
        scenario("None", IDEAL, TYPED, efficiency=0.7, rework=0.5),
        scenario("Low", IDEAL, TYPED, efficiency=0.699),
        scenario("Floor", IDEAL, NETWORK, interconnect="Eth25", efficiency_floor=0.75),
        scenario("Full", WORK, PILOT, pilot_throughput=470.0),
        scenario("Partial", IDEAL, TYPED, gpus=12.0),
        scenario("Rework", IDEAL, TYPED, rework=0.501),
        scenario("Whole 100 %", IDEAL, TYPED, efficiency=1.0),
        scenario("Just above the floor", IDEAL, NETWORK, interconnect="Eth25", gpus=56.0),
    ),
)
RAISED = {
    "eff.low_efficiency_alert": {1, 7},
    "eff.floor_alert": {2},
    "eff.full_efficiency_alert": {3},
    "eff.partial_node_alert": {4},
    "calc.rework_alert": {5},
}


@pytest.mark.parametrize("engine", QUICK)
def test_each_alert_is_raised_by_its_scenario_alone(tmp_path: Path, engine: str) -> None:
    book = Book(build(BUDGET, ALERTING))
    cells = ENGINES[engine](book.save(tmp_path / "alerts.xlsx"))
    raised = {
        line_id: {place for place in range(8) if cells[book.at(line_id, place)] == 1}
        for line_id in ALERTS
    }
    assert raised == RAISED
    counts = [cells[book.at("calc.alerts", place)] for place in range(8)]
    assert counts == [0, 1, 1, 1, 1, 1, 0, 1]
    results = {line_id: cells[book.at(line_id)] for line_id in CHECK_IDS["alert"]}
    assert results == dict.fromkeys(results, 1.0)
    assert cells[book.at("chk.alert")] == 6
    # Alerts warn: nothing fails.
    assert cells[book.at(MASTER)] == 0
    assert cells["Inputs", badge(book)] == "ALL CHECKS OK"
    assert cells["Cover", "H6"] == "6 alerts"


def test_missing_inputs_raise_no_alert(books: dict[str, Book], tmp_path: Path) -> None:
    book = books["one"]
    for line_id in ("in.rework", "in.efficiency_floor", "in.interconnect", "in.gpu_hour_price"):
        cells = recomputed(book, {book.at(line_id): None}, "ironcalc", tmp_path / "missing.xlsx")
        raised = [alert for alert in ALERTS if cells[book.at(alert)] == 1]
        assert raised == [], line_id


def test_stored_values_can_be_read_without_an_engine(
    books: dict[str, Book], tmp_path: Path
) -> None:
    """What pandas, previewers and openpyxl see: no formula without a value."""
    for name, book in books.items():
        cells = cached_values(book.save(tmp_path / f"{name}.xlsx"))
        assert not [at for at in book.formulas if at not in cells]
