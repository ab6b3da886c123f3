"""``scalesheet backtest``: the table, its plot, and the same two in ``addin/README.md``."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from scalesheet.calibration.backtest import CONSTANTS, FORECASTERS, OURS, TASKS, Miss, scores
from scalesheet.calibration.robustness import nested
from scalesheet.measurements import backtest_series
from scalesheet_workbooks import backtest_table
from scalesheet_workbooks.backtest_table import NESTED, Backtest, figures, markdown, measured
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.plots import backtest_plot, described

ROOT = Path(__file__).parents[2]
README = ROOT / "addin" / "README.md"
PLOT = ROOT / "addin" / "preview" / "backtest.svg"
BEGIN, END = "<!-- backtest: generated -->\n", "<!-- backtest: end -->"
WIDTH = 80
FAMILIES = ("Maker A", "Maker B")


@pytest.fixture(scope="module")
def found() -> Backtest:
    """All of it, which takes most of a minute unless another test has done it already."""
    return measured()


def small() -> Backtest:
    """A backtest of two series in two families, of two models, for what does not need figures."""

    def miss(model: str, task: str, family: str, error: float) -> Miss:
        band = (-0.1, 0.1) if model == OURS else (None, None)
        name = f"series of {family}"
        return Miss(name, family, "A100 HDR", task, model, 2, 8, 1.0, error, *band)

    misses = tuple(
        miss(model, task.name, family, error)
        for model, error in ((OURS, 0.02), *((name, 0.05) for name in FORECASTERS if name != OURS))
        for task in TASKS
        for family in FAMILIES
    )
    ours = tuple(one for one in misses if one.model == OURS)
    return Backtest(misses, ours, {"MLPerf": misses[:2], "elsewhere": misses[:2]})


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["backtest", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with the small backtest in place of the real one."""
    monkeypatch.setattr(backtest_table, "measured", lambda say: small())


# --- The table -----------------------------------------------------------------------------------


def test_the_command_prints_the_figures(found: Backtest) -> None:
    result = run()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) < WIDTH
    assert result.stderr.splitlines()[0].startswith("Forecasting the published series")
    assert len(result.stderr.splitlines()) == 3
    for model in (*FORECASTERS, NESTED):
        of_model = {row.task: row for row in found.rows() if row.model == model}
        expected = [figure for task in TASKS for figure in figures(of_model[task.name])]
        (line,) = [line for line in lines if line.startswith(f"{model:<25}")][:1]
        assert line[25:].split() == expected
    for constant in CONSTANTS:
        assert constant.split()[0] in result.stdout


def test_every_series_is_forecast_by_every_model(found: Backtest) -> None:
    """No series is dropped: the tasks differ only in how many sizes they need."""
    series = backtest_series()
    for row in found.rows():
        enough = 4 if row.task == "first 3" else 3
        assert row.count == sum(len(one.points) >= enough for one in series), row


def test_nested_rows_are_those_of_the_nested_prior(found: Backtest) -> None:
    rows = {row.task: row for row in found.rows() if row.model == NESTED}
    for row in scores(nested()):
        assert rows[row.task].median == row.median
        assert rows[row.task].inside == row.inside


@pytest.mark.parametrize(("by", "groups"), [("class", ["A100 HDR"]), ("family", [*FAMILIES])])
def test_by_group(quick: None, by: str, groups: list[str]) -> None:
    lines = run("--by", by).stdout.splitlines()
    for group in groups:
        assert sum(line.startswith(group) for line in lines) == 1
    assert sum(line.startswith(f"{OURS} ") for line in lines) == len(groups) + 2
    document = json.loads(run("--by", by, "--json").stdout)
    assert {row["group"] for row in document["rows"]} == set(groups)


def test_json(quick: None) -> None:
    document: Any = json.loads(run("--json").stdout)
    assert [row["model"] for row in document["rows"][:6]] == [OURS] * 3 + [NESTED] * 3
    first = document["rows"][0]
    # Measured over forecast is exp(0.02): the forecast is 1 - exp(-0.02) too low.
    assert first["median"] == pytest.approx(0.0198013, rel=1e-5)
    assert (first["inside"], first["count"]) == (1.0, 2)
    assert document["rows"][-1]["inside"] is None
    assert {row["regime"] for row in document["elsewhere"]} == {"MLPerf", "elsewhere"}
    assert document["paired"]["USL"]["difference"] == pytest.approx(0.0198013 - 0.0487706, rel=1e-5)
    assert document["constants"] == list(CONSTANTS)


# --- The plot ------------------------------------------------------------------------------------


def test_the_plot_is_the_same_each_time(quick: None, tmp_path: Path) -> None:
    for suffix in (".svg", ".png"):
        one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
        for path in (one, two):
            result = run("--plot", str(path))
            assert (result.exit_code, result.stderr) == (0, f"{path} written\n")
        assert one.read_bytes() == two.read_bytes()


def test_refused(quick: None, tmp_path: Path) -> None:
    there = tmp_path / "there.svg"
    there.write_text("mine")
    for path, says in (
        (there, f"{there}: exists already: add --force to overwrite it"),
        (tmp_path / "x.pdf", "must end in .png or .svg"),
    ):
        result = run("--plot", str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert says in result.stderr
    assert there.read_text() == "mine"


# --- The document --------------------------------------------------------------------------------


def test_the_table_in_the_document(found: Backtest, pytestconfig: pytest.Config) -> None:
    text = README.read_text(encoding="utf-8")
    first, last = text.index(BEGIN) + len(BEGIN), text.index(END)
    wanted = markdown(found)
    if pytestconfig.getoption("update_golden"):
        README.write_text(text[:first] + wanted + text[last:], encoding="utf-8", newline="\n")
        return
    assert text[first:last] == wanted, "run pytest --update-golden"


def test_the_plot_in_the_document(found: Backtest, pytestconfig: pytest.Config) -> None:
    """Drawn from these figures; its bytes are those of one version of matplotlib."""
    rows = found.rows()
    if pytestconfig.getoption("update_golden"):
        PLOT.write_bytes(backtest_plot(rows, PLOT.suffix))
        return
    description = next(ET.parse(PLOT).iter("{http://purl.org/dc/elements/1.1/}description"))
    assert description.text == described(rows), "run pytest --update-golden"
    assert f"]({PLOT.relative_to(README.parent).as_posix()})" in README.read_text(encoding="utf-8")
