"""``scalesheet risk``: what it prints, for people and for programs, and how it refuses."""

import json
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from scalesheet import train_cost
from scalesheet.pert import pert_quantile
from scalesheet.risk import train_cost_risk
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.cli.risk_text import BLOCKS, PLAIN, money, page, percent
from scalesheet_workbooks.risk_study import outlook, planned_inputs
from scalesheet_workbooks.scenarios import parse

WIDTH = 80
DRAWS = "20000"  # enough to be right within a percent, and quick

SCENARIO = """\
[[scenario]]
name = "{name}"
gpus = 64
gpus_per_node = 8
gpu_hour_price = 2.5
work = {work}
efficiency = {efficiency}
rework = 0.15
storage = 200
egress = 150
"""
RANGES = """\
[scenario.risk]
gpu_hour_price = [2.0, 2.5, 3.5]
ideal_hours = [100, 120, 160]
efficiency = [0.7, 0.8, 0.85]
rework = [0.05, 0.15, 0.4]
"""
SPREADS = ((100.0, 120.0, 160.0), (2.0, 2.5, 3.5), (0.7, 0.8, 0.85), (0.05, 0.15, 0.4))


def scenario(
    name: str = "Baseline",
    ranges: str = RANGES,
    work: str = "{ ideal_hours = 120 }",
    efficiency: str = "{ typed = 0.8 }",
) -> str:
    return SCENARIO.format(name=name, work=work, efficiency=efficiency) + ranges


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """Write a scenario file and give its path."""

    def write(*scenarios: str) -> str:
        path = tmp_path / "plan.toml"
        path.write_text('[workbook]\ncurrency = "EUR"\n' + "".join(scenarios), encoding="utf-8")
        return str(path)

    return write


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["risk", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def good(*arguments: str) -> list[str]:
    result = run(*arguments, "--draws", DRAWS)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def figures(*arguments: str) -> Any:
    return json.loads("\n".join(good(*arguments, "--json")))


def refused(*arguments: str) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    *_, line = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def test_a_workbook_is_no_file_of_scenarios(tmp_path: Path) -> None:
    path = tmp_path / "proposal.xlsx"
    openpyxl.Workbook().save(path)
    assert refused(str(path)) == (
        "proposal.xlsx: is a workbook: give the scenarios as a text file (.toml)"
    )


# --- For people ----------------------------------------------------------------------------------


def test_page(written: Any) -> None:
    lines = good(written(scenario(), scenario("Certain", "")))
    text = "\n".join(lines)
    assert lines[0].split() == ["Baseline", "EUR"]
    assert lines[2].startswith("  Planned total           27,950   ")
    # 64 GPUs, 100 h / 85 %, 2.00, 5 % and 160 h / 70 %, 3.50, 40 %, by hand.
    assert "  Best case               16,162   all inputs at their good end at once" in lines
    assert "  Worst case              72,030   all inputs at their bad end at once" in lines
    assert [line.split()[0] for line in lines if line.startswith("  P")][1:] == [
        "P10",
        "P50",
        "P80",
        "P90",
    ]
    assert "What drives the spread, most of all gpu_hour_price" in lines
    assert "Without ranges, so not shown: Certain." in lines
    for words in ("independent", "PERT", "20,000 draws a scenario, seed 1959", "Monte Carlo error"):
        assert words in text


def test_every_line_fits_the_terminal(written: Any) -> None:
    large = scenario("训练 🚀 " + "x" * 290, RANGES).replace("gpus = 64", "gpus = 10000000")
    lines = good(written(scenario(), large, scenario("[bold]\\\\[x]")))
    assert max(cell_len(line) for line in lines) < WIDTH
    assert lines == [line.rstrip() for line in lines]
    assert any(line.startswith("[bold]\\[x]") for line in lines)


def test_the_histogram_marks_the_plan_and_the_percentiles(written: Any) -> None:
    lines = good(written(scenario()))
    start = lines.index("How likely each total is") + 1
    bars = lines[start : lines.index("", start)]
    assert 8 <= len(bars) <= 18
    (plan,) = [bar for bar in bars if "plan" in bar]
    assert plan.split()[:3] == ["26,000", "-", "28,000"]
    assert [mark for bar in bars for mark in bar.partition("◂")[2].split(", ") if mark] == [
        " P10",
        " plan",
        " P50",
        " P80",
        " P90",
    ]
    longest = max(bars, key=lambda bar: bar.count("█"))
    assert longest.count("█") == 30


def test_a_terminal_without_blocks_gets_plain_letters() -> None:
    study = parse(scenario(), "plan.toml")
    found = [outlook(study.scenarios[0], 2000, 1)]
    lines = list(page(found, [], "EUR", 1, PLAIN))
    assert all(line.isascii() for line in lines)
    assert sum("##########" in line for line in lines) >= 3
    assert sum("██████████" in line for line in page(found, [], "EUR", 1, BLOCKS)) >= 3


def test_a_plan_outside_its_range_is_remarked_on(written: Any) -> None:
    ranges = "risk = { gpu_hour_price = [2.6, 2.7, 3.0], rework = [0.1, 0.2, 0.3] }\n"
    lines = good(written(scenario(ranges=ranges)))
    assert "  ! gpu_hour_price is planned at 2.50, outside its own range: check both" in lines
    assert "  rework is planned at 15 %; its most likely value is 20 %" in lines
    assert not any("is planned at" in line for line in good(written(scenario())))


def test_ranges_of_one_value_have_no_histogram(written: Any) -> None:
    ranges = "risk = { gpu_hour_price = [2.5, 2.5, 2.5] }\n"
    lines = good(written(scenario(ranges=ranges)))
    assert "How likely each total is" not in lines
    assert lines[2] == "  Planned total           27,950   0 % chance to exceed it"
    assert lines[3] == "  Mean                    27,950   as planned"


AMOUNTS = {
    27950.4: "27,950",
    99.5: "99.50",
    999_999_999_999.0: "1e+12",
    9_999_999_999.0: "9,999,999,999",
}


@pytest.mark.parametrize(("amount", "shown"), AMOUNTS.items())
def test_amounts(amount: float, shown: str) -> None:
    assert money(amount) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0004, "<0.1 %"), (0.0006, "0.1 %"), (0.0994, "9.9 %"), (0.0996, "10 %"), (0.999, "100 %")],
)
def test_percentages(share: float, shown: str) -> None:
    assert percent(share) == shown


# --- For programs --------------------------------------------------------------------------------


def test_json(written: Any) -> None:
    found = figures(written(scenario(), scenario("Certain", "")))
    assert {key: found[key] for key in ("currency", "method", "draws", "seed", "inputs")} == {
        "currency": "EUR",
        "method": "random draws",
        "draws": 20_000,
        "seed": 1959,
        "inputs": "independent",
    }
    (only,) = found["scenarios"]
    assert (only["name"], only["planned"]) == ("Baseline", 27950)
    assert only["best"] == train_cost(64, 100, 2, 0.85, 0.05, 200, 150)
    assert only["worst"] == train_cost(64, 160, 3.5, 0.7, 0.4, 200, 150)
    assert only["best"] < only["mean"] < only["highest_draw"] < only["worst"]
    assert [entry["probability"] for entry in only["percentiles"]] == [0.1, 0.5, 0.8, 0.9]


def test_percentiles_agree_with_the_cell(written: Any) -> None:
    (only,) = figures(written(scenario()))["scenarios"]
    for entry in only["percentiles"]:
        cell = train_cost_risk(entry["probability"], 64, *SPREADS, 200, 150)
        assert entry["in_cell"] == cell
        # "error" is 1.96 standard errors; twice that is passed once in 10,000 seeds.
        assert abs(entry["total"] - cell) < 2 * entry["error"]
        assert 0 < entry["error"] < 0.01 * cell


def test_moving_together_is_wider(written: Any) -> None:
    (only,) = figures(written(scenario()))["scenarios"]
    p10, p50, p80, p90 = only["percentiles"]
    assert p10["together"] < p10["total"] < p50["total"] < p80["total"] < p80["together"]
    hours, price, efficiency, rework = SPREADS
    expected = train_cost(
        64,
        pert_quantile(hours, 0.9),
        pert_quantile(price, 0.9),
        pert_quantile(efficiency, 0.1),
        pert_quantile(rework, 0.9),
        200,
        150,
    )
    assert p90["together"] == pytest.approx(expected, rel=1e-15)


def test_the_chance_to_exceed_the_plan_is_that_of_the_percentiles(written: Any) -> None:
    (only,) = figures(written(scenario()))["scenarios"]
    chance = only["chance_above_planned"]
    assert train_cost_risk(1 - chance, 64, *SPREADS, 200, 150) == pytest.approx(27950, rel=0.01)


def test_bars_hold_every_total_once(written: Any) -> None:
    (only,) = figures(written(scenario()))["scenarios"]
    bars = only["bars"]
    assert sum(bar["share"] for bar in bars) == pytest.approx(1, abs=1e-12)
    assert (bars[0]["start"], bars[-1]["end"]) == (None, None)
    assert [bar["end"] for bar in bars[:-1]] == [bar["start"] for bar in bars[1:]]
    inner = {bar["end"] - bar["start"] for bar in bars[1:-1]}
    assert inner == {2000}
    assert bars[0]["share"] < 0.006 > bars[-1]["share"]


def test_drivers(written: Any) -> None:
    (only,) = figures(written(scenario()))["scenarios"]
    drivers = {driver["name"]: driver for driver in only["drivers"]}
    assert list(drivers) == ["gpu_hour_price", "ideal_hours", "rework", "efficiency"]
    shares = [driver["share"] for driver in only["drivers"]]
    assert shares == sorted(shares, reverse=True)
    assert 0.97 < sum(shares) < 1
    price, efficiency = drivers["gpu_hour_price"], drivers["efficiency"]
    assert price["total_at_low"] == train_cost(64, 120, 2.0, 0.8, 0.15, 200, 150)
    assert price["total_at_high"] == train_cost(64, 120, 3.5, 0.8, 0.15, 200, 150)
    assert efficiency["total_at_low"] > only["planned"] > efficiency["total_at_high"]
    assert (price["spread"], price["planned"]) == ([2.0, 2.5, 3.5], 2.5)


def test_the_same_twice(written: Any) -> None:
    path = written(scenario())
    assert good(path) == good(path)


def test_only_what_has_a_range_varies(written: Any) -> None:
    (only,) = figures(written(scenario(ranges="risk = { rework = [0.1, 0.15, 0.2] }\n")))[
        "scenarios"
    ]
    assert [driver["name"] for driver in only["drivers"]] == ["rework"]
    assert only["drivers"][0]["share"] == pytest.approx(1)
    assert only["best"] == train_cost(64, 120, 2.5, 0.8, 0.1, 200, 150)


def test_a_scenario_by_name(written: Any) -> None:
    path = written(scenario("One"), scenario("Two"), scenario("two"))
    names = [entry["name"] for entry in figures(path, "--scenario", " TWO ")["scenarios"]]
    assert names == ["Two", "two"]


# --- The plan ------------------------------------------------------------------------------------

PLANS = {
    "typed": ({}, (64, 120, 2.5, 0.8, 0.15, 200, 150)),
    "total": ({"work": "{ total_gpu_hours = 7680 }"}, (64, 120, 2.5, 0.8, 0.15, 200, 150)),
    # 8 nodes: 1 - 0.015 x 7
    "network": (
        {"efficiency": '{ interconnect = "NDR", efficiency_floor = 0.5 }'},
        (64, 120, 2.5, 0.895, 0.15, 200, 150),
    ),
    # functions.md: SCALING_EXPONENT(1,116,4,480) -0.0244548; 8 nodes to that power
    "pilot": (
        {"efficiency": "{ pilot = [[4, 480], [1, 116]] }"},
        (64, 120, 2.5, 8**0.0244548, 0.15, 200, 150),
    ),
}


@pytest.mark.parametrize(("changes", "plan"), PLANS.values(), ids=PLANS)
def test_the_plan_is_that_of_the_workbook(changes: dict[str, str], plan: tuple[float, ...]) -> None:
    (only,) = parse(scenario(**changes), "plan.toml").scenarios
    assert planned_inputs(only) == pytest.approx(plan, rel=1e-6)


def test_partial_nodes_count_as_whole_ones() -> None:
    text = scenario(efficiency='{ interconnect = "NDR", efficiency_floor = 0.5 }')
    (only,) = parse(text.replace("gpus = 64", "gpus = 57"), "plan.toml").scenarios
    assert planned_inputs(only)[3] == pytest.approx(0.895)


# --- Without NumPy -------------------------------------------------------------------------------


def test_without_numpy_the_fixed_points_stand_in(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(scenario())
    drawn = figures(path)["scenarios"][0]
    monkeypatch.setitem(sys.modules, "numpy", None)
    found = figures(path)
    (only,) = found["scenarios"]
    assert (found["method"], found["draws"], found["seed"]) == ("fixed points", 0, None)
    assert only["highest_draw"] is None
    assert only["mean"] == pytest.approx(drawn["mean"], rel=0.005)
    assert [entry["total"] for entry in only["percentiles"]] == [
        entry["in_cell"] for entry in drawn["percentiles"]
    ]
    lines = good(path)
    text = " ".join(lines)
    assert "NumPy is not installed, so nothing was drawn" in text
    assert 'pip install "scalesheet[fit]"' in " ".join(lines[-3:])
    assert "Monte Carlo" not in text
    assert "in a cell" not in text
    assert max(map(cell_len, lines)) < WIDTH


# --- Refused -------------------------------------------------------------------------------------

ADD = "write under a scenario risk = { gpu_hour_price = [2.0, 2.5, 3.5] }"


def test_no_ranges(written: Any) -> None:
    path = written(scenario(ranges=""), scenario("Spot", ""))
    assert refused(path) == f"plan.toml: no scenario has ranges: {ADD}"
    assert refused(path, "--scenario", "spot") == f'plan.toml: scenario "Spot" has no ranges: {ADD}'


def test_unknown_scenario(written: Any) -> None:
    path = written(scenario("One"), scenario("Two"))
    assert refused(path, "--scenario", "Three") == (
        'plan.toml: there is no scenario "Three": type one of "One", "Two"'
    )


def test_a_bad_file_is_one_line(written: Any) -> None:
    path = written(scenario(ranges="risk = { rework = [0.2, 0.1, 0.3] }\n"))
    assert refused(path) == (
        'plan.toml: scenario 1 "Baseline": risk.rework must rise from low to high, '
        "not be [0.2, 0.1, 0.3]: write [0.1, 0.2, 0.3]"
    )


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    assert refused(str(path)) == f"{path}: there is no such file: check the path"


def test_an_efficiency_that_no_run_has(written: Any) -> None:
    """A pilot that gains with size, carried to very many nodes."""
    text = scenario(efficiency="{ pilot = [[1, 100], [2, 390]] }")
    assert refused(written(text)).startswith(
        'scenario "Baseline": efficiency must be from 0.01 to 1.5, not 7.'
    )


@pytest.mark.parametrize("draws", ["0", "999", "20000001", "many", "1e6"])
def test_bad_draws(written: Any, draws: str) -> None:
    assert refused(written(scenario()), "--draws", draws).startswith("Invalid value for '--draws'")
