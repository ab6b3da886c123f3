"""``scalesheet new``: single inputs set, the cover, and what is printed of the built workbook."""

import datetime
import io
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from scalesheet.cost import train_cost
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.headline import FIGURES as HEADLINE
from scalesheet_workbooks.headline import headline
from scalesheet_workbooks.read import read_bytes
from scalesheet_workbooks.review.run import review_bytes
from scalesheet_workbooks.scenarios import shipped

BUDGET, PROPOSAL, STUDY = "training_run_budget", "cluster_proposal", "scaling_study"
FIGURES = ("calc.train_cost", "calc.wall_clock_days", "calc.efficiency")

Built = tuple[bytes, list[str]]


def made(tmp_path: Path, template: str, *options: str) -> Built:
    """The bytes of the workbook that a command writes, and the lines that it prints."""
    path = tmp_path / "a.xlsx"
    result = CliRunner().invoke(main, ["new", template, "-o", str(path), "--force", *options])
    assert (result.exit_code, result.stderr) == (0, "")
    return path.read_bytes(), result.stdout.splitlines()


def refused(tmp_path: Path, template: str, *options: str) -> list[str]:
    """The lines of a command that ends with 2 and writes nothing."""
    path = tmp_path / "refused.xlsx"
    result = CliRunner().invoke(main, ["new", template, "-o", str(path), *options])
    assert (result.exit_code, result.stdout, path.exists()) == (2, "", False)
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    return [line.removeprefix("Error: ") for line in lines]


def inputs_of(data: bytes, input_id: str) -> list[object]:
    """What stands in the cells of an input, all scenarios."""
    for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets:
        for cell in sheet["B"]:
            if cell.value == input_id:
                row = [one.value for one in sheet[cell.row][4:]]
                return row[: next((n for n, one in enumerate(row) if one is None), len(row))]
    raise AssertionError(f"{input_id} is nowhere")


def test_a_setting_counts_for_every_scenario(tmp_path: Path) -> None:
    data, _ = made(tmp_path, BUDGET, "--set", "in.gpu_hour_price=3", "--set", "rework=5%")
    assert inputs_of(data, "in.gpu_hour_price")[:5] == [3] * 5
    assert inputs_of(data, "in.rework")[:5] == [0.05] * 5
    totals = [figures[0] for _, figures in headline(data, FIGURES).scenarios]
    # The first two shipped scenarios, with the price and the rework of here, by the core.
    assert totals[:2] == [
        pytest.approx(train_cost(64, 120, 3, 0.8, 0.05, 200, 150), rel=1e-12),
        pytest.approx(train_cost(32, 80, 3, 0.85, 0.05, 100, 50), rel=1e-12),
    ]


PRICES = [2.5, 2.0, 4.0, 2.5, 1.0]
"""Of the shipped scenarios: Baseline 64, Fine-tune 32, Pre-train 256, Single node 8, Spot 64."""


@pytest.mark.parametrize(
    ("options", "prices"),
    [
        (["--set", "in.gpu_hour_price=3", "--scenario", "Spot 64"], [*PRICES[:4], 3]),
        (["--scenario", "spot 64", "--set", "in.gpu_hour_price=3"], [*PRICES[:4], 3]),
        (["--scenario", "5", "--set", "in.gpu_hour_price=3"], [*PRICES[:4], 3]),
        (
            ["--scenario", "1", "--set", "in.gpu_hour_price=3", "--scenario", "Fine-tune 32"],
            [3, 3, *PRICES[2:]],
        ),
        (["--set", "Spot 64:in.gpu_hour_price=3"], [*PRICES[:4], 3]),
        (
            ["--set", "in.gpu_hour_price=9", "--set", "Spot 64:gpu_hour_price = 3"],
            [9, 9, 9, 9, 3],
        ),
        (["--set", "in.gpu_hour_price=9", "--set", "in.gpu_hour_price=8"], [8] * 5),
    ],
)
def test_which_scenarios_a_setting_counts_for(
    tmp_path: Path, options: list[str], prices: list[float]
) -> None:
    data, _ = made(tmp_path, BUDGET, *options)
    assert inputs_of(data, "in.gpu_hour_price")[:5] == prices


def test_the_shipped_prices_are_those_named_here() -> None:
    assert [case.values["in.gpu_hour_price"] for case in shipped().scenarios] == PRICES


def test_settings_of_a_proposal(tmp_path: Path) -> None:
    """A day, a pick, a share, a figure for the whole workbook, and the model's size."""
    data, _ = made(
        tmp_path,
        PROPOSAL,
        *("--set", "in.start=2027-03-01", "--set", "in.acquisition=own", "--set", "in.waste=7%"),
        *("--set", "in.budget=7000000", "--set", "in.as_of=2026-12-24", "--set", "in.mfu=0.5"),
        *("--scenario", "Spot"),
    )
    assert str(inputs_of(data, "in.start")[2]) == "2027-03-01 00:00:00"
    assert str(inputs_of(data, "in.as_of")[0]) == "2026-12-24 00:00:00"
    assert inputs_of(data, "in.acquisition")[:4] == ["on demand", "reserved", "own", "own"]
    assert inputs_of(data, "in.waste")[:4] == [0.04, 0.04, 0.07, 0.04]
    assert inputs_of(data, "in.budget")[0] == 7_000_000
    work = [figures[0] for _, figures in headline(data, ["calc.total_gpu_hours"]).scenarios]
    assert isinstance(work[0], float)
    assert work[2] == pytest.approx(work[0] * 0.4 / 0.5, rel=1e-12)  # MFU 40 % elsewhere


def test_a_price_of_instances_follows_its_settings(tmp_path: Path) -> None:
    scenarios = tmp_path / "mine.toml"
    scenarios.write_text(INSTANCES, encoding="utf-8")
    by_file = ("--scenarios", str(scenarios))
    (_, figures), *_ = headline(
        made(tmp_path, BUDGET, *by_file, "--set", "in.gpu_hour_price=3")[0], FIGURES
    ).scenarios
    assert figures[0] == pytest.approx(train_cost(64, 120, 3, 0.8, 0.15, 200, 150), rel=1e-12)
    data, _ = made(tmp_path, PROPOSAL, *by_file, "--set", "in.instance_hour_price=24")
    assert headline(data, ["price.gpu_hour"]).scenarios[0][1] == (3.0,)
    (line,) = refused(tmp_path, PROPOSAL, *by_file, "--set", "in.gpu_hour_price=4")
    assert line.endswith("add --set in.price_basis=GPU-hour")
    both = ("--set", "in.gpu_hour_price=4", "--set", "in.price_basis=GPU-hour")
    data, _ = made(tmp_path, PROPOSAL, *by_file, *both)
    assert headline(data, ["price.gpu_hour"]).scenarios[0][1] == (4.0,)


INSTANCES = """\
[[scenario]]
name = "Instances"
gpus = 64
gpus_per_node = 8
gpu_hour_price = { per_instance_hour = 20.00, gpus_per_instance = 8 }
work = { ideal_hours = 120 }
efficiency = { typed = 0.8 }
rework = 0.15
storage = 200
egress = 150
"""


def test_cover(tmp_path: Path) -> None:
    options = ("--title", "=1+1", "--owner", "A. Owner", "--currency", "EUR")
    data, lines = made(tmp_path, BUDGET, *options)
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert (book["Cover"]["B1"].value, book["Cover"]["B1"].data_type) == ("=1+1", "s")
    assert (book.properties.title, book.properties.creator) == ("=1+1", "A. Owner")
    assert "Total EUR" in "\n".join(lines)
    words = {cell.value for sheet in read_bytes(data).sheets for cell in sheet.cells.values()}
    assert "EUR/GPU-h" in words
    assert "USD/GPU-h" not in words


def test_the_day_of_the_prices(tmp_path: Path) -> None:
    """With an owner and a day the Cover is whole: the review asks for neither."""
    data, _ = made(tmp_path, BUDGET, "--owner", "A. Owner", "--as-of", "2026-11-30")
    on_cover = [cell.value for cell in read_bytes(data).by_title["Cover"].cells.values()]
    assert any("2026-11-30" in text for text in on_cover if isinstance(text, str))
    today = datetime.date(2026, 12, 1)
    assert "I240" not in {one.rule.id for one in review_bytes(data, "a.xlsx", today).findings}
    lacking, _ = made(tmp_path, BUDGET, "--owner", "A. Owner")
    assert "I240" in {one.rule.id for one in review_bytes(lacking, "a.xlsx", today).findings}


def test_the_day_of_a_proposal(tmp_path: Path) -> None:
    data, _ = made(tmp_path, PROPOSAL, "--as-of", "2026-11-30")
    assert inputs_of(data, "in.as_of")[0] == datetime.datetime(2026, 11, 30)


def test_the_day_and_the_unit_of_a_study(tmp_path: Path) -> None:
    """A plain "throughput" is taken with the unit that is said, as scalesheet fit takes it."""
    points = tmp_path / "bench.csv"
    points.write_text("nodes,throughput\n1,1000\n2,1960\n4,3800\n8,7300\n")
    given = ("--points", str(points), "--scaling", "weak", "--gpus-per-node", "8")
    (line,) = refused(tmp_path, STUDY, *given)
    assert "add --unit, as in tokens/s" in line
    data, _ = made(tmp_path, STUDY, *given, "--unit", "samples/min", "--as-of", "2026-11-30")
    assert inputs_of(data, "in.as_of")[0] == datetime.datetime(2026, 11, 30)
    assert inputs_of(data, "in.work_unit")[0] == "samples"
    # 7,300 samples a minute are 121.67 a second.
    assert any(
        isinstance(cell.value, float) and cell.value == pytest.approx(7300 / 60)
        for cell in read_bytes(data).by_title["Points"].cells.values()
    )


REFUSALS = {
    ("--set", "in.scenario=abc"): (
        "in.scenario is the name of a scenario, which a scenario file gives: use --scenario NAME "
        "to say which one --set counts for"
    ),
    ("--as-of", "1850-01-30"): (
        "--as-of must be from 1900-03-01, not 1850-01-30: spreadsheets begin there"
    ),
    ("--as-of", "30.11.2026"): (
        "Invalid value for '--as-of': 30.11.2026 is no date: write it as 2026-09-06"
    ),
    ("--unit", "tokens/s"): "no points are given that this is of: add --points FILE",
    ("--set", "in.gpu_hour_prise=2"): (
        "in.gpu_hour_prise is no input of this template: type in.gpu_hour_price"
    ),
    ("--set", "price=2"): (
        "price is no input of this template: type an id of column B of its Inputs"
    ),
    ("--set", "calc.train_cost=2"): (
        "calc.train_cost is calculated, on Calc: set an input, as in.gpus"
    ),
    ("--set", "const.hours_per_day=25"): (
        "const.hours_per_day is a locked value, on Lists: set an input, as in.gpus"
    ),
    ("--set", "in.gpus"): "in.gpus: write ID=VALUE, as in.gpu_hour_price=2.10",
    ("--set", "in.gpus=0"): "in.gpus must be a whole number from 1 to 10,000,000, not 0",
    ("--set", "in.gpus=1,000"): 'in.gpus must be a number, not the text "1,000"',
    ("--set", "in.rework=5"): "in.rework must be from 0 to 3, not 5: write 0.05",
    ("--set", "in.efficiency_method=measured by me"): (
        "in.efficiency_method must be one of typed, interconnect, pilot, not the text "
        '"measured by me": enter where the efficiency comes from'
    ),
    ("--set", "in.interconnect=NDR"): (
        "in.interconnect counts only where in.efficiency_method is interconnect, and it is typed "
        "in Baseline 64, Fine-tune 32, Pre-train ...: add --set in.efficiency_method=interconnect"
    ),
    ("--set", "in.gpus=8", "--scenario", "Spott"): (
        "there is no scenario Spott: they are Baseline 64, Fine-tune 32, Pre-train 256, "
        "Single node 8, Spot 64"
    ),
    ("--set", "Spot 6:in.gpus=8"): (
        "there is no scenario Spot 6: they are Baseline 64, Fine-tune 32, Pre-train 256, "
        "Single node 8, Spot 64"
    ),
    ("--set", "in.gpus=8", "--scenario", "6"): (
        "there is no scenario 6: they are Baseline 64, Fine-tune 32, Pre-train 256, "
        "Single node 8, Spot 64"
    ),
    ("--scenario", "Spot 64"): "--scenario says what --set counts for: add --set ID=VALUE",
    ("--currency", "eur"): (
        '--currency must be an ISO code of three capital letters, not the text "eur": write "EUR"'
    ),
    ("--title", "x" * 301): "--title must have at most 300 characters, not 301: shorten it",
}


@pytest.mark.parametrize("options", REFUSALS, ids=" ".join)
def test_refusals(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert refused(tmp_path, BUDGET, *options) == [REFUSALS[options]]


PROPOSAL_REFUSALS = {
    "in.gpu_hour_price_low=2": (
        "in.gpu_hour_price_low is given in a scenario file alone: "
        "write risk = { gpu_hour_price = [low, mode, high] }"
    ),
    "in.fx_1=2": "in.fx_1 is given in a scenario file alone: write [[rate]]",
    "in.start=2027-02-30": (
        'in.start must be a date, not the text "2027-02-30": write in.start=2026-03-31'
    ),
    "On demand:in.committed_gpu_hours=5": (
        "in.committed_gpu_hours counts only where in.acquisition is reserved, and it is on demand "
        "in On demand: add --set in.acquisition=reserved"
    ),
}


@pytest.mark.parametrize("setting", PROPOSAL_REFUSALS)
def test_refusals_of_a_proposal(tmp_path: Path, setting: str) -> None:
    assert refused(tmp_path, PROPOSAL, "--set", setting) == [PROPOSAL_REFUSALS[setting]]


def test_every_problem_is_said_at_once(tmp_path: Path) -> None:
    settings = ("--set", "in.gpus=0", "--set", "in.rework=5", "--set", "in.gpus=0")
    assert refused(tmp_path, BUDGET, *settings) == [
        "in.gpus must be a whole number from 1 to 10,000,000, not 0",
        "in.rework must be from 0 to 3, not 5: write 0.05",
    ]


@pytest.mark.parametrize("option", ["--set", "--scenario", "--title", "--owner", "--currency"])
def test_templates_without_scenarios_take_none_of_it(tmp_path: Path, option: str) -> None:
    (line,) = refused(tmp_path, "function_check", option, "in.gpus=8")
    assert line == f"function_check shows no scenarios: leave out {option}"


@pytest.mark.parametrize("template", TEMPLATES)
def test_what_is_printed_is_what_the_file_holds(tmp_path: Path, template: str) -> None:
    data, lines = made(tmp_path, template)
    assert data == build(template)
    assert max(map(len, lines)) <= 80
    entry, sheets = TEMPLATES[template], len(read_bytes(data).sheets)
    assert lines[1].startswith(f"{template} {entry.version}: {sheets} sheet")
    found = headline(data, HEADLINE.get(template, ()))
    for name, (total, days, efficiency, unit_cost) in found.scenarios:
        assert isinstance(total, float)
        figures = [f"{total:,.0f}", f"{days:,.2f}", f"{efficiency:.1%}", f"{unit_cost:,.2f}"]
        (row,) = [line for line in lines if line.strip().startswith(name)]
        assert row.split()[-4:] == figures


def test_verdict_of_the_checks(tmp_path: Path) -> None:
    """The shipped budget passes and warns of nothing; without its points a pilot is incomplete."""
    assert made(tmp_path, BUDGET)[1][-1] == "Checks: all 11 pass; no alerts"
    _, lines = made(
        tmp_path, BUDGET, "--set", "in.efficiency_method=pilot", "--set", "in.rework=90%"
    )
    start = next(number for number, line in enumerate(lines) if line.startswith("Checks: "))
    assert lines[start].endswith("of 11 fail; 1 alerts, see Checks")
    assert "  fails: Work and efficiency are given in the way that is picked" in lines[start:]


def test_long_names_and_large_totals_fit_a_terminal(tmp_path: Path) -> None:
    scenarios = tmp_path / "mine.toml"
    text = INSTANCES.replace("Instances", "Pre-training, as offered in the second round, " * 3)
    scenarios.write_text(text.replace("storage = 200", "storage = 200_000_000_000"))
    _, lines = made(tmp_path, BUDGET, "--scenarios", str(scenarios))
    assert max(map(len, lines)) <= 80
    (row,) = [line for line in lines if line.strip().startswith("Pre-training")]
    # 27,950 - 200 + 200e9; 120 h / 0.8 / 24; the total over 64 x 120 GPU-hours
    assert row.split()[-4:] == ["200,000,027,750", "6.25", "80.0%", "26,041,670.28"]


def test_a_value_outside_its_range_is_said(tmp_path: Path) -> None:
    _, lines = made(tmp_path, PROPOSAL, "--set", "Spot:in.gpu_hour_price=9")
    assert lines[-1] == "Spot: in.gpu_hour_price 9 is outside its range in Risk, 1.1 to 2.3"
