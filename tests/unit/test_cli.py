"""The command: what it prints, where, and how it ends."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import scalesheet
from scalesheet.registry import CATEGORIES, REGISTRY, by_category
from scalesheet.surfaces.excel.lambdas import lambda_names
from scalesheet_workbooks import build as builder
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.cli.text import cell_text
from scalesheet_workbooks.examples import examples
from scalesheet_workbooks.recalculation import recalculate, scenario_results

WIDTH = 80
PROGRAM = "import sys; from scalesheet_workbooks.cli import main; sys.exit(main())"
COMMAND = (sys.executable, "-c", PROGRAM)
CALL = "TRAIN_COST(64,120,2.5,80%,15%,200,150)"

SCENARIO = """\
[[scenario]]
name = "[b]=1+1"
gpus = 64
gpus_per_node = 8
gpu_hour_price = 2.5
work = { ideal_hours = 120 }
efficiency = { typed = 0.8 }
rework = 0.15
storage = 200
egress = 150
"""


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def good(*arguments: str) -> list[str]:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def refused(*arguments: str) -> str:
    """The one line on stderr of a command that ends with 2 and prints nothing."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    *usage, line = result.stderr.splitlines()
    # click puts how to call the command before a mistake in the call.
    assert not usage or usage[0].startswith("Usage: ")
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


# --- Help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, *main.commands])
def test_help_has_an_example(name: str | None) -> None:
    lines = good(*([name] if name else []), "--help")
    example_at = next(place for place, line in enumerate(lines) if "Example" in line)
    assert lines[example_at + 1].startswith(f"    scalesheet {name or ''}".rstrip())


def _calls(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    """The words that call a command, and those of every command below it."""
    yield names
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _calls(below, *names, name)


@pytest.mark.parametrize("call", list(_calls(main)), ids=" ".join)
def test_help_fits_a_terminal(call: tuple[str, ...]) -> None:
    assert not [line for line in good(*call, "--help") if len(line) > WIDTH]


def test_short_help_is_whole() -> None:
    commands = good("--help")[1:]
    assert not [line for line in commands if line.endswith("...")]


def test_examples_in_help_are_commands() -> None:
    for command in main.commands.values():
        assert command.epilog is not None
        assert command.name is not None
        assert f"scalesheet {command.name}" in command.epilog


def test_version() -> None:
    (line,) = good("--version")
    assert line.startswith("scalesheet, version ")


def test_unknown_command() -> None:
    assert "No such command 'evil'" in refused("evil")


# --- eval ----------------------------------------------------------------------------------------

PRINTED = {
    "number": (f"={CALL}", "27950\n"),
    "without sign": (CALL, "27950\n"),
    "beginning with minus": ("-5+3", "-2\n"),
    "15 digits": ("=0.1+0.2", "0.3\n"),
    "third": ("=1/3", "0.333333333333333\n"),
    "large": ("=10^20", "1e+20\n"),
    "text": ('=" as it is "', " as it is \n"),
    "truth": ("=1=1", "TRUE\n"),
    "row": ('=SCALING_EFF({1,4},"NDR",50%)', "1\t0.955\n"),
    "block": ('={1,"a";FALSE,2.5}', "1\ta\nFALSE\t2.5\n"),
    # 55.04 USD for eight GPUs, the newest row of the catalog.
    "price of a date": ('=GPU_PRICE("H100","AWS","on-demand",DATE(2026,9,30))', "6.88\n"),
    "price of a text": ('=gpu_price("h100","aws","on demand","2026-09-30")', "6.88\n"),
    "note": (
        '=LEFT(GPU_PRICE_NOTE("H100","AWS","on-demand",DATE(2026,9,30)),66)',
        "H100-80GB on-demand at AWS: 6.88 USD/GPU-h of 2026-09-06 (24 days \n",
    ),
    "table": (
        "=TRAIN_COST_LINES(64,120,2.5,80%,15%,200,150)",
        "Wall-clock hours\t150\nWall-clock days\t6.25\nGPU-hours\t9600\nCompute\t24000\n"
        "Rework\t3600\nStorage\t200\nEgress\t150\nFixed costs\t350\nTotal cost\t27950\n",
    ),
    "risk without any": (
        "=TRAIN_COST_RISK(80%,64,{120,120,120},{2.5;2.5;2.5},{80%,80%,80%},{15%,15%,15%},200,150)",
        "27950\n",
    ),
}


@pytest.mark.parametrize(("formula", "printed"), PRINTED.values(), ids=PRINTED)
def test_eval(formula: str, printed: str) -> None:
    result = run("eval", formula)
    assert (result.stdout, result.stderr, result.exit_code) == (printed, "", 0)


IN_ERROR = {
    "ours": (
        "=TRAIN_COST(64,120,2.5,80,15%,200,150)",
        "#NUM!\n",
        "Error: efficiency must be from 0.01 to 1.5, not 80: type 80% or 0.8\n",
    ),
    "a spreadsheet's": ("=1/0", "#DIV/0!\n", "Error: the formula gives #DIV/0!\n"),
    "one of several": (
        '=SCALING_EFF({4,0},"NDR",50%)',
        "0.955\t#NUM!\n",
        "Error: nodes must be a whole number from 1 to 10,000,000, not 0\n",
    ),
    "name of two lines": (
        '=LOSS_PER_NODE("a\nb")',
        "#VALUE!\n",
        "Error: interconnect must be one of NDR, HDR, RoCE100, Eth25, not the text "
        '"a b"; for other fabrics use LOSS_FROM_GBPS, SCALING_EFF_COMM or SCALING_EFF_LINEAR\n',
    ),
}


@pytest.mark.parametrize(("formula", "printed", "said"), IN_ERROR.values(), ids=IN_ERROR)
def test_eval_of_a_formula_in_error(formula: str, printed: str, said: str) -> None:
    result = run("eval", formula)
    assert (result.stdout, result.stderr, result.exit_code) == (printed, said, 2)


def test_eval_prints_a_table_to_be_read_on_a_terminal() -> None:
    """Columns lined up and nothing wider than the terminal; what is there is what a pipe gets."""
    formula = "=GPU_FIT(70,8192,16,50,10,20)"
    pty = pytest.importorskip("pty")  # a system without terminals of this kind
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, "eval", formula], stdout=theirs, text=True) as running:
        os.close(theirs)
        printed = bytearray()
        while piece := _read(ours):
            printed += piece
    os.close(ours)
    assert running.returncode == 0
    lines = printed.decode().splitlines()
    assert max(map(len, lines)) < WIDTH
    first, *others = (line[: len("Multi-node cluster  ")] for line in lines)
    assert first == "Recommended         "
    assert all(label.endswith("  ") for label in others)
    assert " ".join(printed.decode().split()) == " ".join(run("eval", formula).stdout.split())


def _read(terminal: int) -> bytes:
    """What has come on a terminal; nothing once its other end is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_eval_of_what_is_no_formula() -> None:
    assert refused("eval", "=SUM(1,2))").startswith("character 10: )")


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The installed command in a process of its own."""
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        timeout=300,
    )


def test_eval_in_a_process(tmp_path: Path) -> None:
    done = command("eval", f"={CALL}", cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("27950\n", "", 0)
    done = command("eval", "=GPU_HOURS(0,1,1)", cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("#NUM!\n", 2)
    assert len(done.stderr.splitlines()) == 1


def test_nothing_heavy_is_imported_for_help(tmp_path: Path) -> None:
    program = (
        "import sys, scalesheet_workbooks.cli\n"
        "heavy = {'openpyxl', 'formualizer', 'rich', 'xlwings', 'numpy', 'importlib.metadata'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.stdout == "[]\n"


# --- functions -----------------------------------------------------------------------------------


def test_functions_are_all_listed_by_category() -> None:
    lines = good("functions")
    named = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    groups = list(by_category(REGISTRY.values()))
    assert [category for category, _ in groups] == list(CATEGORIES)
    assert [line for line in lines if line in CATEGORIES] == list(CATEGORIES)
    assert [name.rstrip("*") for name in named] == [r.name for _, group in groups for r in group]
    assert len(named) == len(REGISTRY)
    assert {name for name in named if name.endswith("*")} == {
        f"{name}*" for name in REGISTRY.keys() - {entry.name for entry in lambda_names()}
    }
    assert max(map(len, lines)) < WIDTH


@pytest.mark.parametrize("name", REGISTRY)
def test_page_of_a_function(name: str) -> None:
    record = REGISTRY[name]
    lines = good("functions", name.lower())
    text = " ".join(" ".join(lines).split())
    assert record.signature in text
    assert record.summary in text
    for parameter in record.parameters:
        rule = f"{parameter.domain.words} [{parameter.domain.unit}]: {parameter.domain.rule}"
        assert f"{parameter.name} {rule}" in text
    assert f"[{record.result.unit}]" in text
    assert record.source in text
    assert ">>>" not in text
    # A formula may be long; the rest fits.
    assert all(len(line) < WIDTH or line.startswith("  =") for line in lines)


@pytest.mark.parametrize("name", REGISTRY)
def test_example_of_a_function_is_that_of_its_docstring(name: str) -> None:
    lines = good("functions", name)
    at = lines.index("Example")
    example = examples(REGISTRY[name])[0]
    assert lines[at + 1] == f"  ={example.text}"
    published = getattr(scalesheet, name.lower())
    # The same in Python, and not only by our own reading of the docstring.
    call = example.text.removeprefix(name).replace("{", "[").replace("}", "]")
    value = eval(f"published{call}", {"published": published, "DATE": date})
    shown = value if isinstance(value, list) else [[value]]
    printed = " ".join(lines[at + 2 : lines.index("Source")]).split()
    assert printed == " ".join(cell_text(cell) for row in shown for cell in row).split()


def test_lambda_is_what_excel_takes() -> None:
    for entry in lambda_names():
        assert good("functions", entry.name, "--lambda") == [entry.typed]


def test_functions_without_a_lambda() -> None:
    assert refused("functions", "EGRESS_COST", "--lambda") == (
        "EGRESS_COST has no LAMBDA: use it from an add-in or from Python"
    )
    assert refused("functions", "--lambda") == "--lambda needs the name of a function"


def test_unknown_function() -> None:
    assert refused("functions", "gpu-hour") == (
        "gpu-hour is no function here: type GPU_HOURS or WORK_GPU_HOURS or OWNED_GPU_HOUR"
    )
    assert refused("functions", "frobnicate") == (
        "frobnicate is no function here: see scalesheet functions"
    )


# --- templates and new ---------------------------------------------------------------------------


def test_templates_are_all_listed() -> None:
    lines = good("templates")
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == list(TEMPLATES)
    assert max(map(len, lines)) < WIDTH


def test_new_is_what_is_built(tmp_path: Path) -> None:
    path = tmp_path / "budget.xlsx"
    assert good("new", "training_run_budget", "-o", str(path))[0] == f"{path} written"
    assert path.read_bytes() == build("training_run_budget")


def test_new_with_scenarios(tmp_path: Path) -> None:
    scenarios, path = tmp_path / "mine.toml", tmp_path / "budget.xlsx"
    scenarios.write_text(SCENARIO, encoding="utf-8")
    good("new", "training_run_budget", "-o", str(path), "--scenarios", str(scenarios))
    ((name, results),) = scenario_results(recalculate(path.read_bytes()))
    assert name == "[b]=1+1"
    assert results == [64.0, 0.8, 6.25, 9600.0, 27950.0, pytest.approx(27950 / 7680)]


def test_new_with_every_problem_of_the_scenarios(tmp_path: Path) -> None:
    scenarios, path = tmp_path / "mine.toml", tmp_path / "budget.xlsx"
    scenarios.write_text(SCENARIO.replace("0.8", "80").replace("64", "0"), encoding="utf-8")
    result = run("new", "training_run_budget", "-o", str(path), "--scenarios", str(scenarios))
    assert (result.exit_code, result.stdout) == (2, "")
    place = 'Error: mine.toml: scenario 1 "[b]=1+1"'
    assert result.stderr.splitlines() == [
        f"{place}: gpus must be a whole number from 1 to 10,000,000, not 0",
        f"{place}: efficiency.typed must be from 0.01 to 1.5, not 80: write 0.8",
    ]
    assert not path.exists()


def test_new_keeps_an_existing_file(tmp_path: Path) -> None:
    path = tmp_path / "budget.xlsx"
    path.write_bytes(b"mine")
    line = refused("new", "function_check", "-o", str(path))
    assert line == f"{path}: exists already: add --force to overwrite it"
    assert path.read_bytes() == b"mine"
    good("new", "function_check", "-o", str(path), "--force")
    assert path.read_bytes() == build("function_check")


def test_new_refusals(tmp_path: Path) -> None:
    path = str(tmp_path / "a.xlsx")
    assert refused("new", "training-budget", "-o", path) == (
        "training-budget is no template: type training_run_budget"
    )
    assert refused("new", "x", "-o", path) == ("x is no template: type " + " or ".join(TEMPLATES))
    assert refused("new", "function_check", "-o", "a.xls") == (
        "a.xls must end in .xlsx: spreadsheets open nothing else"
    )
    assert refused("new", "function_check", "-o", path, "--scenarios", "a.toml") == (
        "function_check shows no scenarios: leave out --scenarios"
    )
    assert refused("new", "training_run_budget", "-o", path, "--scenarios", "none.toml") == (
        "none.toml: there is no such file: check the path"
    )
    missing = tmp_path / "none" / "a.xlsx"
    assert refused("new", "function_check", "-o", str(missing)) == (
        f"{missing}: there is no folder {missing.parent}: make it first"
    )
    assert list(tmp_path.iterdir()) == []


def test_interrupted_build_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "build", interrupt)
    result = CliRunner().invoke(main, ["new", "function_check", "-o", str(tmp_path / "a.xlsx")])
    assert result.exit_code != 0
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_ours_is_not_taken_for_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object) -> bytes:
        raise KeyError("a fault of ours")

    monkeypatch.setattr(builder, "build", broken)
    result = CliRunner().invoke(main, ["new", "function_check", "-o", str(tmp_path / "a.xlsx")])
    assert isinstance(result.exception, KeyError)


# --- demo ----------------------------------------------------------------------------------------


def test_demo(tmp_path: Path) -> None:
    done = command("demo", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    rows = [line.split() for line in lines]
    assert ["Baseline", "64", "64", "80.0%", "6.25", "9,600", "27,950", "3.64"] in rows
    assert ["Pre-train", "256", "256", "75.0%", "27.78", "170,667", "821,700", "6.42"] in rows
    assert max(map(len, lines)) <= WIDTH
    folder = tmp_path / "scalesheet-demo"
    for name in TEMPLATES:
        assert (folder / f"{name}.xlsx").read_bytes() == build(name)
        (line,) = (line for line in lines if line.startswith(f"{Path(folder.name, name)}.xlsx: "))
        assert line.endswith(" formulas recomputed, equal")
    budget = Path(folder.name, "training_run_budget.xlsx")
    assert lines[-1] == f"Next: open {budget} and fill its yellow cells."
    assert len(list(folder.iterdir())) == len(TEMPLATES)


def test_demo_again_leaves_its_files_and_keeps_others(tmp_path: Path) -> None:
    folder = tmp_path / "some" / "where"
    good("demo", "-o", str(folder))
    first = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    good("demo", "-o", str(folder))
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == first
    mine = folder / "function_check.xlsx"
    mine.write_bytes(b"mine")
    line = refused("demo", "-o", str(folder))
    assert line == f"{mine}: exists already: add --force to overwrite it"
    assert mine.read_bytes() == b"mine"
    good("demo", "-o", str(folder), "--force")
    assert mine.read_bytes() == build("function_check")


def test_demo_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    assert refused("demo", "-o", str(path)) == f"{path}: is a file: name a folder"
    assert refused("demo", "-o", str(path / "sub")) == f"{path / 'sub'}: not a directory"
    assert path.read_bytes() == b"mine"


def test_demo_says_when_values_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scalesheet_workbooks import recalculation

    right = recalculation.stored_values

    def wrong(xlsx: bytes) -> dict[tuple[str, str], object]:
        return {place: 1 if value == 27950 else value for place, value in right(xlsx).items()}

    monkeypatch.setattr(recalculation, "stored_values", wrong)
    result = run("demo", "-o", str(tmp_path))
    assert result.exit_code == 1
    assert " differ, first " in result.stdout
