"""The cluster proposal: every total is the core's, nothing wrong passes for a figure."""

import dataclasses
import datetime
import math
from pathlib import Path
from typing import Any

import pytest
from openpyxl.formula.translate import Translator
from openpyxl.utils import get_column_letter

from engines import ENGINES, Cell, Cells, libreoffice_values
from scalesheet import risk, scaling_eff_fitted, scaling_high, scaling_low, scaling_predict
from scalesheet.catalog import STALE_DAYS, purchases, quote
from scalesheet.catalog import figures as catalog_figures
from scalesheet.errors import CellError
from scalesheet_workbooks.build import build, ignored
from scalesheet_workbooks.layout import ALERT
from scalesheet_workbooks.proposal_inputs import CURRENCY, PROPOSAL_INPUTS, SHEETS
from scalesheet_workbooks.proposal_model import Given, figures
from scalesheet_workbooks.proposal_risk import total_risk
from scalesheet_workbooks.proposal_statement_rows import FACTS, STATEMENTS
from scalesheet_workbooks.scenarios import parse, shipped
from scalesheet_workbooks.sheets import monthly
from scalesheet_workbooks.sheets.cases import LETTERS as CASE_LETTERS
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates.cluster_proposal_checks import CHECKS
from scalesheet_workbooks.templates.cluster_proposal_questions import QUESTIONS
from workbooks.budgets import BUDGET, Book, edited
from workbooks.proposals import PROPOSAL, of_scenarios, plausible

PRECISION = 1e-12
"""Between engines and the core, relative; differences near zero are looked at in money."""
CENT = 0.005
BUILT_STUDIES, SEEDS = 6, range(100, 124)
MASTER = "chk.master"
QUICK = "ironcalc"
NOT_GIVEN = "–"

STUDIES: dict[str, Study] = {
    "shipped": shipped(PROPOSAL),
    "two": of_scenarios(2),
    "eight": of_scenarios(8),
}


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    return {name: Book(build(PROPOSAL, study)) for name, study in STUDIES.items()}


@pytest.fixture(scope="module")
def stored(books: dict[str, Book], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cells]:
    return {name: book.cached(tmp_path_factory.mktemp(name)) for name, book in books.items()}


def same(one: Cell, other: Cell) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=PRECISION, abs_tol=1e-6)
    return type(one) is type(other) and one == other


def failing(book: Book, cells: Cells) -> set[str]:
    ids = [check.id for check in CHECKS if check.kind != ALERT]
    return {line_id for line_id in ids if cells.get(book.at(line_id)) != 0}


def raised(book: Book, cells: Cells) -> set[str]:
    ids = [check.id for check in CHECKS if check.kind == ALERT]
    return {line_id for line_id in ids if cells.get(book.at(line_id)) != 0}


def given(book: Book, cells: Cells, place: int) -> Given:
    """The inputs of one scenario and the exchange rates, as the file has them."""
    values: dict[str, float | str] = {}
    for entry in PROPOSAL_INPUTS:
        value = cells.get(book.at(entry.id, 0 if entry.once else place))
        if isinstance(value, float | str) and value != "":
            values[entry.id] = value
    sheet, base = book.places["fx.base"]
    rows = range(base, base + 5)
    rates = {cells.get((sheet, f"C{row}")): cells.get((sheet, f"E{row}")) for row in rows}
    found = {}
    for entry in PROPOSAL_INPUTS:
        if entry.beside == CURRENCY:
            home, row = book.places[entry.id]
            rate = rates[cells[home, f"{chr(ord(book.columns[-1]) + 1)}{row}"]]
            assert isinstance(rate, float)
            found[entry.id] = rate
    return Given(values, found)


def assert_core_agrees(book: Book, cells: Cells) -> None:
    compared = 0
    for place in range(len(book.columns)):
        for line_id, expected in figures(given(book, cells, place)).items():
            value = cells.get(book.at(line_id, place))
            assert isinstance(value, float), (line_id, place, value)
            close = math.isclose(value, expected, rel_tol=PRECISION, abs_tol=1e-6)
            assert close, (line_id, place, value, expected)
            compared += 1
    assert compared > 20 * len(book.columns)


# --- Engines and the core ------------------------------------------------------------------------


@pytest.mark.parametrize("name", STUDIES)
def test_no_error_and_all_checks_pass(
    books: dict[str, Book], stored: dict[str, Cells], name: str
) -> None:
    assert not {at: v for at, v in stored[name].items() if isinstance(v, CellError)}
    assert failing(books[name], stored[name]) == set()
    assert stored[name][books[name].at(MASTER)] == 0


@pytest.mark.parametrize("name", STUDIES)
def test_every_total_is_the_cores(
    books: dict[str, Book], stored: dict[str, Cells], name: str
) -> None:
    assert_core_agrees(books[name], stored[name])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", STUDIES)
def test_stored_values_are_what_engines_compute(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path, name: str, engine: str
) -> None:
    book = books[name]
    computed = ENGINES[engine](book.save(tmp_path / "proposal.xlsx"))
    wrong = {
        at: (stored[name].get(at), computed.get(at), formula)
        for at, formula in book.formulas.items()
        if not same(stored[name].get(at), computed.get(at))
    }
    assert len(book.formulas) > 2000
    assert not wrong


@pytest.mark.parametrize("seed", range(BUILT_STUDIES))
def test_plausible_proposals_as_built(seed: int, tmp_path: Path) -> None:
    book = Book(build(PROPOSAL, plausible(seed, 2 + seed)))
    cells = book.cached(tmp_path)
    assert failing(book, cells) == set()
    assert not [at for at, value in cells.items() if isinstance(value, CellError)]
    assert_core_agrees(book, cells)
    computed = ENGINES[QUICK](book.save(tmp_path / "proposal.xlsx"))
    assert not [at for at in book.formulas if not same(cells.get(at), computed.get(at))]


def test_plausible_proposals_as_filled(books: dict[str, Book], tmp_path: Path) -> None:
    """The same file, filled again and again."""
    book, path = books["eight"], tmp_path / "filled.xlsx"
    for seed in SEEDS:
        path.write_bytes(refilled(book, plausible(seed, 8)))
        cells = ENGINES[QUICK](path)
        assert failing(book, cells) == set(), seed
        assert not [at for at, value in cells.items() if isinstance(value, CellError)], seed
        assert_core_agrees(book, cells)


def refilled(book: Book, study: Study) -> bytes:
    """The file with all its scenarios overwritten, as by a user."""
    changes: dict[tuple[str, str], Cell] = {}
    for place, scenario in enumerate(study.scenarios):
        for entry in PROPOSAL_INPUTS:
            if not entry.once:
                value = scenario.values.get(entry.id, entry.default)
                changes[book.at(entry.id, place)] = value
    live = study.proposal.once["in.live_scenario"]
    changes[book.at("in.live_scenario")] = live
    return edited(book, changes)


def test_figures_by_hand(books: dict[str, Book], stored: dict[str, Cells]) -> None:
    """The first shipped scenario, worked out without the core.

    Work 6 x 70e9 x 2e12 / (989e12 x 0.4 x 3600) = 589,821.37 GPU-hours and half as much again;
    pilot (24400/8)/(3180/1) = 0.95912 at 8 nodes, so 0.95912^(log 32/log 8) = 0.93280 at 32;
    hours 884,732.05 / 256 / 0.93280 / 0.96 x 1.1 = 4,245.27, billed 4,246.
    """
    book, cells = books["shipped"], stored["shipped"]

    def line(line_id: str) -> float:
        value = cells[book.at(line_id)]
        assert isinstance(value, float)
        return value

    assert line("calc.main_run") == pytest.approx(589_821.37, abs=0.005)
    assert line("calc.efficiency") == pytest.approx(0.93280, abs=5e-6)
    assert line("bill.billed_hours") == 4246
    assert line("bill.committed_cost") == pytest.approx(256 * 4246 * 2.95)
    assert line("data.storage_cost") == pytest.approx(400_000 * 0.023 * 12)
    assert line("data.egress_cost") == pytest.approx(3 * (10_240 * 0.09 + 9_760 * 0.085))
    lines = 256 * 4246 * 2.95 + 110_400 + 5_253.6 + 420_000 + 60_000 + 50_000
    assert line("cost.total") == pytest.approx(lines * 1.08)


def test_opened_in_libreoffice_after_a_change(books: dict[str, Book], tmp_path: Path) -> None:
    book = books["shipped"]
    changes: dict[tuple[str, str], Cell] = {
        book.at("in.gpus", 0): 512.0,
        book.at("in.committed_gpu_hours", 1): 900_000.0,
        book.at("in.live_scenario"): 3.0,
        book.at("in.tax_treatment", 3): "a cost",
        book.at("in.fx_1"): 1.2,
    }
    (tmp_path / "changed.xlsx").write_bytes(edited(book, changes))
    cells = libreoffice_values(tmp_path / "changed.xlsx")
    assert failing(book, cells) == set()
    assert_core_agrees(book, cells)


# --- Months, cases, risk -------------------------------------------------------------------------


def test_months_have_one_formula_a_column(books: dict[str, Book]) -> None:
    ws = books["shipped"].written[monthly.NAME]
    for letter in monthly.LETTERS.values():
        second, last = monthly.FIRST + 1, monthly.LAST
        texts = {
            Translator(ws[f"{letter}{row}"].value, f"{letter}{row}").translate_formula(
                f"{letter}{second}"
            )
            for row in range(second, last + 1)
        }
        assert len(texts) == 1, letter


@pytest.mark.parametrize("place", range(4))
def test_any_scenario_can_be_shown(books: dict[str, Book], tmp_path: Path, place: int) -> None:
    book = books["shipped"]
    path = tmp_path / "shown.xlsx"
    path.write_bytes(edited(book, {book.at("in.live_scenario"): place + 1.0}))
    cells = ENGINES[QUICK](path)
    assert failing(book, cells) == set()
    expected = figures(given(book, cells, place))
    total, cash = (
        cells["Monthly", f"{monthly.LETTERS[key]}{monthly.TOTAL_ROW}"]
        for key in ("accrual", "cash")
    )
    assert total == pytest.approx(expected["cost.total"], rel=1e-12)
    assert cash == pytest.approx(expected["cost.cash"], rel=1e-12)


DRIVEN = {
    "case.work_high": {"in.parameters": 1.2},
    "case.price_low": {"in.gpu_hour_price": 0.8},
    "case.efficiency_low": {"in.efficiency": 0.9},
    "case.rework_high": {"in.rework": None},
}


def test_cases_are_what_the_core_gives(books: dict[str, Book], stored: dict[str, Cells]) -> None:
    """Each driver moved in the inputs instead: the case and the core agree."""
    book, cells = books["shipped"], stored["shipped"]
    live = int(float(str(cells[book.at("in.live_scenario")]))) - 1
    base = given(book, cells, live)
    share = figures(base)["calc.efficiency"]
    typed = {"in.efficiency_method": "typed", "in.efficiency": share}
    plain = dataclasses.replace(base, values={**base.values, **typed})
    for case, changes in DRIVEN.items():
        values = dict(plain.values)
        for key, factor in changes.items():
            number = plain.number(key.removeprefix("in."))
            values[key] = number * factor if factor else number + plain.number("step_rework")
        if "in.gpu_hour_price" in changes:
            values["in.overflow_price"] = plain.number("overflow_price") * 0.8
        expected = figures(dataclasses.replace(plain, values=values))["cost.total"]
        sheet, row = book.places[case]
        total = cells[sheet, f"{CASE_LETTERS['total']}{row}"]
        assert total == pytest.approx(expected, rel=1e-9), case


def test_risk_is_the_cores_and_goes_when_inputs_change(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path
) -> None:
    book, cells = books["shipped"], stored["shipped"]
    inputs = given(book, cells, 0)
    lines = figures(inputs)
    hours, price, efficiency, rework = (
        tuple(inputs.number(f"{name}_{end}") for end in ("low", "mode", "high"))
        for name in ("ideal_hours", "gpu_hour_price", "efficiency", "rework")
    )
    spread = tuple(value / (1 - inputs.number("waste")) for value in hours)
    fixed = lines["cost.fixed_lines"]
    for name, share in (("p10", 0.1), ("p80", 0.8), ("p90", 0.9)):
        expected = risk.train_cost_risk(
            share, lines["bill.paid_gpus"], spread, price, efficiency, rework, fixed, 0.0
        )
        assert cells[book.at(f"risk.{name}")] == pytest.approx(expected, rel=1e-9)
        on_top = expected * (1 + inputs.number("contingency"))
        assert cells[book.at(f"risk.with_{name}")] == pytest.approx(on_top, rel=1e-9)
    for line_id in ("in.rework_high", "in.people", "in.stored_price", "in.gpu_hour_price_low"):
        value = cells[book.at(line_id)]
        assert isinstance(value, float)
        path = tmp_path / "changed.xlsx"
        path.write_bytes(edited(book, {book.at(line_id): value * 1.0001}))
        changed = ENGINES[QUICK](path)
        gone = (f"risk.{name}" for name in ("p10", "p80", "with_p80", "mean", "covered", "reserve"))
        assert {changed[book.at(name)] for name in gone} == {NOT_GIVEN}, line_id
        assert changed[book.at("risk.p80", 2)] == cells[book.at("risk.p80", 2)]
        assert isinstance(changed[book.at("risk.all_bad")], float)


@pytest.mark.parametrize(("typed", "reached"), [(0.97, 1.0), (1.05, 1.05)])
def test_efficiency_is_moved_to_full_at_most(
    books: dict[str, Book], tmp_path: Path, typed: float, reached: float
) -> None:
    """In the row of the driver as in the grid; what was measured above 100 % stays as it is."""
    book, path = books["shipped"], tmp_path / "full.xlsx"
    ways: dict[str, float | str] = {"in.efficiency_method": "typed", "in.efficiency": typed}
    edits = {book.at(line_id, 0): value for line_id, value in ways.items()}
    path.write_bytes(edited(book, {**edits, book.at("in.live_scenario"): 1.0}))
    cells = ENGINES[QUICK](path)
    base = given(book, cells, 0)
    full = dataclasses.replace(base, values={**base.values, **ways, "in.efficiency": reached})
    for case in ("case.efficiency_high", "case.grid_4", "case.grid_5"):
        sheet, row = book.places[case]
        expected = pytest.approx(figures(full)["cost.total"], rel=1e-9)
        assert cells[sheet, f"{CASE_LETTERS['total']}{row}"] == expected, case


RANGES = ("ideal_hours", "efficiency", "rework")
DRAWS, SEED = 400_000, 1959


def drawn(inputs: Given, lines: dict[str, float]) -> list[float]:
    """P10 to P90 and mean of the scenario's own cost, by random draws: another way to them."""
    import numpy

    generator = numpy.random.default_rng(SEED)

    def draw(name: str) -> Any:
        low, mode, high = (inputs.number(f"{name}_{end}") for end in ("low", "mode", "high"))
        width = high - low or 1.0
        first = 1 + 4 * (mode - low) / width
        return low + (high - low) * generator.beta(first, 6 - first, DRAWS)

    hours, efficiency, rework = (draw(name) for name in RANGES)
    used = (
        lines["bill.paid_gpus"] * hours / efficiency / (1 - inputs.number("waste")) * (1 + rework)
    )
    if inputs.picked("acquisition", "own"):
        nodes, years = lines["eff.billed_gpus"] / 8, inputs.number("programme_months") / 12
        servers = nodes * (draw("server_price") - inputs.number("node_price"))
        busy = inputs.number("kw_per_gpu") * inputs.number("pue") * inputs.number("kwh_price")
        idle = numpy.maximum(0, lines["own.available_gpu_hours"] - used)
        compute = lines["own.depreciation"] + servers / inputs.number("life_years") * years
        compute = compute + lines["own.running"]
        compute = compute + busy * (used + idle * inputs.number("idle_power"))
    else:
        committed = inputs.number("committed_gpu_hours")
        compute = committed * draw("gpu_hour_price")
        compute = compute + inputs.number("overflow_price") * numpy.maximum(0, used - committed)
    totals = compute + lines["cost.fixed_lines"]
    return [*numpy.percentile(totals, [10, 50, 80, 90]), totals.mean()]


@pytest.mark.parametrize("place", [1, 3], ids=["reserved", "own"])
def test_percentiles_where_the_total_does_not_follow_the_work(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path, place: int
) -> None:
    """Written percentiles against draws of the total, within 0.2 % of it; the ends are live."""
    book, cells = books["shipped"], stored["shipped"]
    inputs = given(book, cells, place)
    lines = figures(inputs)
    names = ("p10", "p50", "p80", "p90", "mean")
    shown = [cells[book.at(f"risk.{name}", place)] for name in names]
    assert shown == pytest.approx(drawn(inputs, lines), rel=2e-3)
    good, bad = (cells[book.at(f"risk.all_{end}", place)] for end in ("good", "bad"))
    ordered = [good, *shown[:-1], bad]
    assert ordered == sorted(ordered, key=lambda value: float(str(value)))
    # The likeliest of all, in the inputs: its total is the row of all as is likeliest.
    likeliest = {f"in.{name}": inputs.number(f"{name}_mode") for name in (*RANGES, PRICED[place])}
    likeliest["in.node_price"] = likeliest.pop("in.server_price", inputs.number("node_price"))
    ways = {"in.efficiency_method": "typed", "in.work_basis": "ideal hours", "in.experiments": 0.0}
    values = {**inputs.values, **likeliest, **ways, "in.increment_hours": 1e-6}
    likely = figures(dataclasses.replace(inputs, values=values))
    expected = likely["cost.total"] / (1 + inputs.number("contingency"))
    assert cells[book.at("risk.all_mode", place)] == pytest.approx(expected, rel=1e-6)
    path = tmp_path / "changed.xlsx"
    for line_id in ("in.rework_high", f"in.{PRICED[place]}_high", MARKED[place]):
        value = cells[book.at(line_id, place)]
        assert isinstance(value, float)
        path.write_bytes(edited(book, {book.at(line_id, place): value * 1.0001}))
        changed = ENGINES[QUICK](path)
        assert changed[book.at("risk.p80", place)] == NOT_GIVEN, line_id
        assert changed[book.at("risk.p80", 0)] == cells[book.at("risk.p80", 0)]
        assert isinstance(changed[book.at("risk.all_bad", place)], float)
    # The price of the other kind counts for nothing, and without a range there is no figure.
    path.write_bytes(edited(book, {book.at(f"in.{PRICED[place]}_mode", place): None}))
    assert ENGINES[QUICK](path)[book.at("risk.all_bad", place)] == NOT_GIVEN


@pytest.mark.parametrize("contingency", [0.0, 0.03, 0.08, 0.12, 0.2, 0.6])
def test_contingency_covers_up_to_a_percentile(
    books: dict[str, Book], tmp_path: Path, contingency: float
) -> None:
    """Live: the percentiles do not hang on contingency, the request does. Within one percentile
    of the chance, by the distribution itself, that the cost before contingency is no more."""
    book, path = books["shipped"], tmp_path / "set_aside.xlsx"
    places = range(4)
    path.write_bytes(edited(book, {book.at("in.contingency", at): contingency for at in places}))
    cells = ENGINES[QUICK](path)
    for place in places:
        inputs = given(book, cells, place)
        lines = figures(inputs)
        total = total_risk(inputs, lines)
        assert total is not None
        chance = 100 * total.risk.chance(lines["cost.total"] / total.uplift - total.fixed)
        covered = cells[book.at("risk.covered", place)]
        assert isinstance(covered, float)
        assert covered == pytest.approx(min(max(chance, 10), 90), abs=1)
    assert failing(book, cells) == set()


PRICED = {1: "gpu_hour_price", 3: "server_price"}
MARKED = {1: "in.committed_gpu_hours", 3: "in.kwh_price"}
"""An input besides the ranges to which the percentiles of a scenario belong."""


# --- Measured points -----------------------------------------------------------------------------


def by_fit(study: Study, place: int) -> Study:
    """The study with one scenario whose efficiency is that of its measured points."""
    scenarios = list(study.scenarios)
    values = {**scenarios[place].values, "in.efficiency_method": "measured"}
    scenarios[place] = dataclasses.replace(scenarios[place], values=values)
    return dataclasses.replace(study, scenarios=tuple(scenarios))


@pytest.fixture(scope="module")
def fitted_book() -> Book:
    return Book(build(PROPOSAL, by_fit(STUDIES["shipped"], 1)))


def points(inputs: Given) -> tuple[list[float], list[float]]:
    rows = range(1, 9)
    return (
        [inputs.number(f"measured_nodes_{row}") for row in rows],
        [inputs.number(f"measured_rate_{row}") for row in rows],
    )


def test_the_fit_is_the_functions(fitted_book: Book, tmp_path: Path) -> None:
    """SCALING_EFF_FITTED, _LOW and _HIGH at 32 nodes, and the curve."""
    book, cells = fitted_book, fitted_book.cached(tmp_path)
    assert failing(book, cells) == set()
    inputs = given(book, cells, 1)
    nodes, throughput = points(inputs)
    of = ("other", nodes, throughput)
    one = scaling_predict(1, *of)
    expected = {
        "fit.efficiency": scaling_eff_fitted(32, *of),
        "fit.low": scaling_low(32, *of) / 32 / one,
        "fit.high": scaling_high(32, *of) / 32 / one,
        "fit.next": scaling_eff_fitted(33, *of),
        "calc.efficiency": scaling_eff_fitted(32, *of),
        "scale.marginal_node": 33 * scaling_eff_fitted(33, *of) - 32 * scaling_eff_fitted(32, *of),
    }
    for line_id, value in expected.items():
        assert cells[book.at(line_id, 1)] == pytest.approx(value, rel=1e-9), line_id
    sheet, first = book.places["curve.size_1"]
    shown = [
        [cells[sheet, f"{column}{row}"] for column in "EFGHJ"] for row in range(first, first + 10)
    ]
    assert [row[0] for row in shown] == [1, 2, 4, 6, 8, 16, 23, 32, 45, 64]
    for size, low, fitted, high, efficiency in shown:
        assert low == pytest.approx(scaling_low(size, *of))
        assert fitted == pytest.approx(scaling_predict(size, *of))
        assert high == pytest.approx(scaling_high(size, *of))
        assert efficiency == pytest.approx(scaling_eff_fitted(size, *of))
    sheet, first = book.places["curve.point_1"]
    measured = [cells[sheet, f"J{row}"] for row in range(first, first + 8)]
    assert measured == pytest.approx(
        [x / n / one for n, x in zip(nodes, throughput, strict=True)], rel=1e-9
    )
    assert_core_agrees(book, cells)


CHANGED: dict[str, Cell] = {
    "in.measured_rate_5": 12_345.0,
    "in.measured_nodes_2": 3.0,
    "in.fabric_class": "A100 HDR",
    "in.gpus": 512.0,
}


@pytest.mark.parametrize("line_id", CHANGED)
def test_a_fit_of_other_points_is_never_shown_as_live(
    fitted_book: Book, tmp_path: Path, line_id: str
) -> None:
    """It goes, the total goes with it and an alert says why; with the pilot picked all is there."""
    book, cells = fitted_book, fitted_book.cached(tmp_path)
    path = tmp_path / "changed.xlsx"
    change = {book.at(line_id, 1): CHANGED[line_id]}
    path.write_bytes(edited(book, change))
    changed = ENGINES[QUICK](path)
    assert changed[book.at("eff.efficiency_fitted", 1)] == NOT_GIVEN
    assert isinstance(changed[book.at("cost.total", 1)], CellError)
    assert changed[book.at("cost.total", 0)] == cells[book.at("cost.total", 0)]
    assert "chk.stale_fit" in raised(book, changed)
    assert "chk.given" in failing(book, changed)
    sheet, first = book.places["curve.size_1"]
    blank = [
        changed[sheet, f"{c}{first + size}"] == NOT_GIVEN for c in "EFGHIJK" for size in (0, 9)
    ]
    # The curve is of the points alone: it stays when only the plan has other nodes.
    assert set(blank) == {line_id != "in.gpus"}
    path.write_bytes(edited(book, {**change, book.at("in.efficiency_method", 1): "pilot"}))
    picked = ENGINES[QUICK](path)
    assert isinstance(picked[book.at("cost.total", 1)], float)
    assert failing(book, picked) == set()


def test_no_points_no_curve(tmp_path: Path) -> None:
    book = Book(build(PROPOSAL, parse(INSTANCE, "instance.toml")))
    cells = book.cached(tmp_path)
    sheet, first = book.places["curve.size_1"]
    assert {cells[sheet, f"{c}{first + 3}"] for c in "EFGHIJK"} == {NOT_GIVEN}
    assert "chk.stale_fit" not in raised(book, cells)
    assert not [
        at for at, value in cells.items() if at[0] == sheet and isinstance(value, CellError)
    ]


# --- Checks and alerts ---------------------------------------------------------------------------

MONEY_GONE = {"chk.total", "chk.totals", "chk.sunk", "chk.differences", "chk.bridge", "chk.rent"}
TAMPERED: dict[str, tuple[str, int | str, Cell, set[str]]] = {
    "chk.total": ("cost.total", 2, "=1", {"chk.differences"}),
    "chk.totals": (
        "cost.total",
        2,
        "to follow",
        {"chk.differences", "chk.given", "chk.sunk", "chk.total"},
    ),
    "chk.work": ("calc.wall_clock_hours", 0, "=1", set()),
    "chk.billed": ("bill.billed_hours", 0, "=1", set()),
    "chk.rent": ("bill.committed_cost", 0, "=1", set()),
    "chk.tiers": ("data.tier_3_gb", 0, "=1", set()),
    "chk.sunk": ("cost.incremental", 0, "=1", set()),
    "chk.differences": ("diff.rent", 1, "=1", set()),
    "chk.months": ("mon.3", monthly.LETTERS["depreciation"], "=1", set()),
    "chk.cash": ("mon.3", monthly.LETTERS["cash"], "=1", set()),
    "chk.paid": ("mon.3", monthly.LETTERS["paid"], "=1", set()),
    "chk.bridge": ("bridge.rent", "G", "=1", set()),
    "chk.cases": ("case.base", CASE_LETTERS["total"], "=1", set()),
    "chk.capital": ("own.facility", 0, "=1", set()),
    "chk.in_range": ("in.people", 0, -1.0, set()),
    "chk.given": ("in.gpu_hour_price", 0, None, MONEY_GONE),
    "chk.fits": ("in.programme_months", 0, 1.0, set()),
    "chk.sources": ("in.people", "M", None, set()),
    "chk.points": ("in.measured_rate_8", 0, None, set()),
    "chk.whole": ("in.gpus_per_node", 0, 6.4, set()),
}
"""What breaks a check: an id, its scenario or column, what is put there, the checks that follow."""


def test_every_check_is_broken_once() -> None:
    assert list(TAMPERED) == [check.id for check in CHECKS if check.kind != ALERT]


@pytest.mark.parametrize("check_id", TAMPERED)
def test_a_broken_condition_turns_its_check_red(
    books: dict[str, Book], tmp_path: Path, check_id: str
) -> None:
    book = books["shipped"]
    line_id, column, value, dependants = TAMPERED[check_id]
    sheet, row = book.places[line_id]
    at = book.at(line_id, column) if isinstance(column, int) else (sheet, f"{column}{row}")
    path = tmp_path / "tampered.xlsx"
    path.write_bytes(edited(book, {at: value}))
    cells = ENGINES[QUICK](path)
    red = {check_id} | dependants
    assert failing(book, cells) == red
    assert cells[book.at(MASTER)] == len(red)


RAISING: dict[str, tuple[str, int, Cell]] = {
    "chk.over_budget": ("in.budget", 0, 1_000_000.0),
    "chk.cash_over": ("in.capex_budget", 0, 0.0),
    "chk.capex_over": ("in.capex_budget", 0, 1_000_000.0),
    "chk.authority": ("in.authority_limit", 0, 10_000_000.0),
    "chk.idle_hours": ("in.committed_gpu_hours", 1, 5_000_000.0),
    "chk.overflows": ("in.committed_gpu_hours", 1, 100_000.0),
    "chk.past_term": ("in.term_months", 1, 2.0),
    "chk.stale_fit": ("in.measured_rate_8", 0, 24_401.0),
    "chk.other_work": ("in.experiments", 2, 0.25),
    "chk.long": ("in.programme_months", 0, 24.0),
    "chk.short_life": ("in.life_years", 3, 0.5),
    "chk.efficiency_alerts": ("in.gpus", 0, 255.0),
    "chk.future": ("in.as_of", 0, 45_000.0),
    "chk.expired": ("in.as_of", 0, 47_000.0),
}


@pytest.mark.parametrize("check_id", RAISING)
def test_each_alert_is_raised_and_fails_nothing(
    books: dict[str, Book], tmp_path: Path, check_id: str
) -> None:
    book = books["shipped"]
    line_id, place, value = RAISING[check_id]
    path = tmp_path / "alert.xlsx"
    path.write_bytes(edited(book, {book.at(line_id, place): value}))
    cells = ENGINES[QUICK](path)
    assert check_id in raised(book, cells)
    assert failing(book, cells) == set()


@pytest.mark.parametrize("line_id", ["in.contingency_owner", "in.contingency_for"])
def test_contingency_needs_an_owner_and_a_risk(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path, line_id: str
) -> None:
    """Both stand on the Cover; where one is missing an alert is raised, unless nothing is kept."""
    book = books["shipped"]
    sheet, row = book.places[line_id]
    at = (sheet, f"D{row}")
    assert sheet == "Cover"
    assert stored["shipped"][at]
    path = tmp_path / "open.xlsx"
    path.write_bytes(edited(book, {at: None}))
    cells = ENGINES[QUICK](path)
    assert raised(book, cells) - raised(book, stored["shipped"]) == {"chk.contingency_open"}
    asks = [cells.get(("Cover", f"B{at}")) for at in range(8, 18)]
    nobody = [text for text in asks if isinstance(text, str) and "nobody yet may draw" in text]
    assert len(nobody) == (line_id == "in.contingency_owner")
    none = {book.at("in.contingency", place): 0.0 for place in range(4)}
    path.write_bytes(edited(book, {at: None, **none}))
    assert "chk.contingency_open" not in raised(book, ENGINES[QUICK](path))


def test_outputs_have_names_that_others_read(books: dict[str, Book]) -> None:
    """Those of the training run budget, so that one reader takes both."""
    rows = {"out_efficiency": "calc.efficiency", "out_wall_clock_days": "calc.days"}
    for book in books.values():
        for name, line_id in rows.items():
            sheet, row = book.places[line_id]
            first, last = book.columns[0], book.columns[-1]
            named = book.written.defined_names[name].attr_text
            assert named == f"{sheet}!${first}${row}:${last}${row}"


@pytest.mark.parametrize("days", [STALE_DAYS, STALE_DAYS + 1])
def test_a_source_is_old_at_the_catalogs_age(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path, days: int
) -> None:
    """The alert goes by the age at which the catalog calls a price old."""
    book, as_of = books["shipped"], stored["shipped"][books["shipped"].at("in.as_of")]
    assert isinstance(as_of, float)
    column = get_column_letter(4 + len(book.columns) + 7)
    places = [book.places[entry.id] for entry in PROPOSAL_INPUTS]
    dated = {(sheet, f"{column}{row}"): as_of - days for sheet, row in places}
    assert {type(stored["shipped"].get(at)) for at in dated} == {float}
    path = tmp_path / "dated.xlsx"
    path.write_bytes(edited(book, dated))
    assert ("chk.stale" in raised(book, ENGINES[QUICK](path))) == (days > STALE_DAYS)


def test_alerts_of_the_shipped_file(books: dict[str, Book], stored: dict[str, Cells]) -> None:
    """Idle hours, a request below P50, all bad past the budget, examples, old sources."""
    found = raised(books["shipped"], stored["shipped"])
    assert found == {
        *("chk.idle_hours", "chk.below_p50", "chk.over_bad", "chk.examples", "chk.stale"),
    }


def cover_texts(book: Book, cells: Cells) -> str:
    """All that the Cover says in words."""
    ws = book.written["Cover"]
    texts = (cells.get(("Cover", f"B{row}")) for row in range(1, ws.max_row + 1))
    return " | ".join(text for text in texts if isinstance(text, str))


def test_the_cover_says_where_the_request_lies(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path
) -> None:
    """Among the percentiles before contingency, against the cheapest, with the alerts; live."""
    book, cells = books["shipped"], stored["shipped"]
    live = 1
    names = ("total", "p80", "all_bad", "covered")
    total, p80, bad, covered = (float(str(cells[book.at(f"risk.{n}", live)])) for n in names)
    says = cover_texts(book, cells)
    more = round((p80 - total) / 1e6, 2)
    words = f"covers the cost before it up to about P{covered:.0f}; P80 is USD {more:g} million"
    assert f"{words} more; all drivers bad at once: USD {round(bad / 1e6, 2):g} million." in says
    cheapest = min(float(str(cells[book.at("cmp.total", place)])) for place in range(4))
    assert f"Spot is the cheapest: USD {round((total - cheapest) / 1e6, 2):g} million less" in says
    assert "Committed hours are left idle; Request with contingency below P50; " in says
    assert "older than 180 days. | in.proposal_id" in says
    path = tmp_path / "moved.xlsx"
    path.write_bytes(edited(book, {book.at("in.people", live): 421_000.0}))
    cells = ENGINES[QUICK](path)
    says = cover_texts(book, cells)
    assert "No percentiles: ranges missing, or inputs changed since" in says
    assert "covers the cost" not in says
    assert cells[book.at("risk.below_p50", live)] == 0
    path.write_bytes(edited(book, {book.at("in.live_scenario"): 3.0}))
    assert "No scenario is cheaper." in cover_texts(book, ENGINES[QUICK](path))


@pytest.mark.parametrize(("says", "is_raised"), [("no", False), ("yes", True), (None, True)])
def test_contingency_that_covers_rework_is_an_alert(
    books: dict[str, Book], tmp_path: Path, says: str | None, is_raised: bool
) -> None:
    """Failures and rework have rows of their own: an alert until they are kept apart."""
    book, path = books["shipped"], tmp_path / "covers.xlsx"
    sheet, row = book.places["in.contingency_covers"]
    path.write_bytes(edited(book, {(sheet, f"D{row}"): says}))
    cells = ENGINES[QUICK](path)
    assert ("chk.same_risk" in raised(book, cells)) == is_raised
    assert {cells[book.at("alert.same_risk", place)] for place in range(4)} == {float(is_raised)}
    assert failing(book, cells) == set()


def test_the_likeliest_of_the_shipped_file_is_its_plan(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path
) -> None:
    """Apart by the whole hours that are billed only; another likeliest value is an alert."""
    book, cells = books["shipped"], stored["shipped"]
    for place in range(4):
        names = ("all_mode", "planned")
        likeliest, planned = (cells[book.at(f"risk.{name}", place)] for name in names)
        assert likeliest == pytest.approx(planned, rel=1e-3)
    path = tmp_path / "likeliest.xlsx"
    path.write_bytes(edited(book, {book.at("in.efficiency_mode", 0): 0.88}))
    assert "chk.off_likeliest" in raised(book, ENGINES[QUICK](path))


def test_what_is_not_filled_leaves_no_total(books: dict[str, Book], tmp_path: Path) -> None:
    book, path = books["shipped"], tmp_path / "missing.xlsx"
    for line_id, place in (
        *(("in.gpus", 0), ("in.rework", 0), ("in.people", 0), ("in.gpu_hour_price", 0)),
        *(("in.committed_gpu_hours", 1), ("in.overflow_price", 1), ("in.node_price", 3)),
        *(("in.contingency", 0), ("in.stored_price", 2), ("in.parameters", 0)),
        *(("in.tier_1_price", 0), ("in.other_5", 0), ("in.credits", 0), ("in.moved_gb", 0)),
    ):
        path.write_bytes(edited(book, {book.at(line_id, place): None}))
        cells = ENGINES[QUICK](path)
        total = cells.get(book.at("cost.total", place))
        assert isinstance(total, CellError), (line_id, total)
        assert cells[book.at(MASTER)] != 0, line_id
    # A limit of a tier that is missing leaves a total, and says so.
    path.write_bytes(edited(book, {book.at("in.tier_1_limit"): None}))
    assert "chk.in_range" in failing(book, ENGINES[QUICK](path))


# --- Questions, sources, prices ------------------------------------------------------------------


def test_each_question_of_finance_has_rows_that_answer_it(
    books: dict[str, Book], stored: dict[str, Cells]
) -> None:
    """And an answer in words and figures, with the page: every sheet is one."""
    assert len(QUESTIONS) == 25
    for name, book in books.items():
        for number, question in enumerate(QUESTIONS, 5):
            answer = stored[name]["Questions", f"D{number}"]
            assert isinstance(answer, str), (question.asks, answer)
            page = stored[name]["Questions", f"F{number}"]
            home = stored[name]["Questions", f"E{number}"]
            assert book.written.sheetnames.index(str(home)) + 1 == page
            missing = [line_id for line_id in question.ids if line_id not in book.places]
            assert question.ids
            assert missing == [], question.asks


def test_the_example_leaves_no_question_open(stored: dict[str, Cells]) -> None:
    """It gives all that the answers need, so that none has a dash for what is not given."""
    cells = stored["shipped"]
    answers = [str(cells["Questions", f"D{number}"]) for number, _ in enumerate(QUESTIONS, 5)]
    assert [answer for answer in answers if "–" in answer] == []


def test_every_row_says_who_and_whence(books: dict[str, Book], stored: dict[str, Cells]) -> None:
    for name, book in books.items():
        beside = len(book.columns) <= 4
        for sheet, entries in SHEETS.items():
            home = sheet if beside else f"{sheet}Sources"
            first = 9 + len(book.columns) if beside else 4
            for entry in entries:
                row = book.places[entry.id][1]
                cells = [book.written[home].cell(row, first + step) for step in range(4)]
                assert all(cell.value for cell in cells), (name, entry.id)


def test_what_is_no_figure_stands_on_a_sheet_of_its_own(books: dict[str, Book]) -> None:
    """Facts in a cell for each scenario, statements once, and the offer behind each price."""
    for book in books.values():
        for entry in FACTS:
            places = range(len(book.columns))
            texts = [book.written[s][a].value for s, a in (book.at(entry.id, p) for p in places)]
            assert all(texts), entry.id
        for entry in STATEMENTS:
            sheet, address = book.at(entry.id)
            # The day of the recomputation is open in an example.
            assert bool(book.written[sheet][address].value) == (entry.id != "in.recomputed_on")
        sheet, row = book.places["offer.gpu_hour_price"]
        offer = [book.written[sheet][f"{column}{row}"].value for column in "EFG"]
        assert offer == ["Nebius", "none: list", "list price"]
        sheet, row = book.places["log.gate_1"]
        gate = [book.written[sheet][f"{column}{row}"].value for column in "CEF"]
        assert gate[:2] == ["1", "CFO"]
        assert str(gate[2]).startswith("Pilot of 8 nodes")


def test_the_commitment_by_hand(books: dict[str, Book], stored: dict[str, Cells]) -> None:
    """1,121,280 hours at 2.10 against 2.95: least spent, discount, due at half the term."""
    book, cells = books["shipped"], stored["shipped"]
    assert cells[book.at("bill.minimum_spend", 1)] == pytest.approx(1_121_280 * 2.10)
    assert cells[book.at("bill.discount", 1)] == pytest.approx(1 - 2.10 / 2.95)
    assert cells[book.at("bill.early_end", 1)] == pytest.approx(1_121_280 * 2.10 / 2)
    assert [cells[book.at("bill.early_end", place)] for place in (0, 2, 3)] == [0, 0, 0]
    # 400,000 GiB are 429,496.7 GB: 10,240 at 0.09, 40,960 at 0.085, the rest at 0.07.
    rest = 400_000 * 2**30 / 1e9 - 51_200
    expected = 10_240 * 0.09 + 40_960 * 0.085 + rest * 0.07
    assert cells[book.at("data.move_all", 0)] == pytest.approx(expected)
    total = cells[book.at("cost.total", 1)]
    assert isinstance(total, float)
    assert cells[book.at("cmp.per_million_tokens", 1)] == pytest.approx(total / 2e6)


def test_unit_cost_against_the_last_proposal(
    books: dict[str, Book], stored: dict[str, Cells], tmp_path: Path
) -> None:
    book, path = books["shipped"], tmp_path / "last.xlsx"
    assert stored["shipped"][book.at("cmp.unit_change", 1)] == "–"
    path.write_bytes(edited(book, {book.at("in.last_unit_cost", 0): 6.0}))
    cells = ENGINES[QUICK](path)
    now, change = (cells[book.at(f"cmp.unit_{name}", 1)] for name in ("cost", "change"))
    assert isinstance(now, float)
    assert change == pytest.approx(now - 6.0)


def test_shipped_prices_are_those_of_the_catalog() -> None:
    """Values with source and day: the catalog may change, the file does not."""
    study = shipped(PROPOSAL)
    first, spot = study.scenarios[0].values, study.scenarios[2].values
    day = datetime.date(2026, 7, 9)
    assert (
        first["in.gpu_hour_price"] == quote("H100", "Nebius", "on-demand", day).row.usd_per_gpu_hour
    )
    assert spot["in.gpu_hour_price"] == quote("H100", "Nebius", "spot", day).row.usd_per_gpu_hour
    assert study.proposal.sources["in.gpu_hour_price"].as_of == day
    nodes = {row.price for row in purchases("H100") if row.kind == "node"}
    assert first["in.node_price"] in nodes
    assert first["in.pue"] in {figure.value for figure in catalog_figures("pue")}
    assert first["in.kwh_price"] in {figure.value for figure in catalog_figures("electricity")}
    assert first["in.tier_1_price"] in {figure.value for figure in catalog_figures("egress")}


# --- One schema ----------------------------------------------------------------------------------


def test_each_template_takes_the_others_file(tmp_path: Path) -> None:
    """Keys that a template does not show are ignored, and listed."""
    proposal, budget = shipped(PROPOSAL), shipped()
    book = Book(build(BUDGET, dataclasses.replace(proposal, scenarios=proposal.scenarios[:2])))
    cells = book.cached(tmp_path)
    assert cells[book.at("in.work_basis")] == "GPU-hours"
    assert cells[book.at("calc.total_gpu_hours")] == pytest.approx(589_821.37, abs=0.005)
    assert "acquisition" in ignored(BUDGET, proposal)
    assert ignored(BUDGET, budget) == ()
    # A plain budget file lacks a start, a length, a budget: cells to fill, and a red head.
    plain = Book(build(PROPOSAL, budget))
    assert plain.cached(tmp_path)[plain.at(MASTER)] != 0
    assert ignored(PROPOSAL, budget) == ("gpu_throughput",)


INSTANCE = """
[workbook]
as_of = 2026-11-30
budget = 1_000_000
[shared]
gpus = 12
gpus_per_node = 8
work = { total_gpu_hours = 12_000 }
efficiency = { typed = 0.8 }
rework = 0
storage = 0
egress = 0
start = 2027-01-01
programme_months = 4
bill = { whole_nodes = true, increment_hours = 24 }
[[scenario]]
name = "By the instance"
gpu_hour_price = { per_instance_hour = 98.32, gpus_per_instance = 8 }
"""


def test_instance_price_whole_nodes_and_increment(tmp_path: Path) -> None:
    """98.32 / 8 = 12.29; 12 GPUs are billed as 16; 1,250 hours as 53 days of 24 hours."""
    book = Book(build(PROPOSAL, parse(INSTANCE, "instance.toml")))
    cells = book.cached(tmp_path)
    assert cells[book.at("price.gpu_hour")] == pytest.approx(12.29)
    assert cells[book.at("bill.paid_gpus")] == 16
    assert cells[book.at("bill.billed_hours")] == 53 * 24
    assert cells[book.at("cost.total")] == pytest.approx(16 * 53 * 24 * 12.29)
