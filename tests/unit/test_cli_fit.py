"""``scalesheet fit``: what it prints for people and programs, what it draws, how it refuses."""

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from scalesheet.calibration import fit
from scalesheet.calibration.value import ladder, stops_paying
from scalesheet_workbooks import calculation
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.cli.fit_text import page
from scalesheet_workbooks.cli.risk_text import PLAIN
from scalesheet_workbooks.fit_study import Price, curve, study
from scalesheet_workbooks.measurement_files import (
    MEASURES,
    MOST_NODES,
    Asked,
    read_measurements,
)

WIDTH = 80
POINTS = [(1, 98_400.0), (2, 193_100.0), (4, 381_000.0), (4, 377_500.0), (8, 742_000.0)]
BENCH = "nodes,GPUs/node,Throughput (tokens/s)\n" + "".join(f"{n},8,{x:g}\n" for n, x in POINTS)
# apache/mxnet#2283 and #14516 (C06), pytorch/pytorch#17159 (C08).
C06 = "gpus,samples/s\n1,116\n4,480\n8,815\n"
C06_FALLING = "gpus,samples/s\n1,6982.74\n2,9908.78\n4,9128.08\n"
C08 = "gpus,samples/s\n1,122\n8,110\n16,80\n"
OF_GPUS = ("--gpus-per-node", "1", "--scaling", "weak")

Write = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Write a file of measurements and give its path."""

    def write(text: str = BENCH, name: str = "bench.csv") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["fit", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def good(*arguments: str) -> list[str]:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def figures(*arguments: str) -> Any:
    return json.loads("\n".join(good(*arguments, "--json")))


def refused(*arguments: str) -> str:
    """The one line on stderr of a command that ends with 2 and prints nothing."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (only,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    return only.removeprefix("Error: ")


# --- What is printed -----------------------------------------------------------------------------


def test_page(written: Write) -> None:
    lines = good(written(), "--scaling", "weak", "--price", "2.5USD/GPU-h")
    assert lines[0] == "bench.csv: throughput in tokens/s, weak scaling, 8 GPUs a node"
    assert lines[2] == "Fit of 4 sizes (5 measurements) by weighted curves"
    assert max(map(cell_len, lines[:-1])) < WIDTH
    text = "\n".join(lines)
    assert "What doubling brings; cost in USD per billion tokens at 2.5 USD/GPU-h x 8 GPUs" in text
    assert "Far reach: 3.0 doublings past" in text
    assert lines[-1].startswith('=SCALING_PREDICT(64,"other",{1;2;4;4;8},{98400;193100;381000;')


def test_figures_are_those_of_the_fit(written: Write) -> None:
    found, ours = figures(written(), "--scaling", "weak", "--price", "20/node-h"), fit(POINTS)
    assert [row["nodes"] for row in found["sizes"]] == [1, 2, 4, 8, 16, 32, 64]
    steps = ladder(ours, 20.0)
    for row, step in zip(found["sizes"], steps, strict=True):
        forecast = ours.forecast(row["nodes"])
        assert (row["low"], row["figure"], row["high"]) == (
            forecast.low,
            forecast.throughput,
            forecast.high,
        )
        assert row["efficiency"] == ours.efficiency(row["nodes"])
        assert row["gain_of_doubling"] == step.gain_of_doubling
        assert row["measured"] == (row["nodes"] <= 8)
        assert row["gpus"] == 8 * row["nodes"]
    assert found["stops_paying_at"] == stops_paying(steps)
    assert found["notes"] == list(ours.notes_at(64))
    assert found["fit"]["parameters"] == dict(ours.parameters)
    # 20 an hour for 98,400 a second: 20/(98,400 x 3,600) for one, here for a billion.
    assert (found["price"]["units"], found["price"]["work"]) == (1e9, "tokens")
    assert found["sizes"][0]["cost"] == pytest.approx(20 / (98_400 * 3600) * 1e9)


def test_the_formula_gives_the_figure(written: Write) -> None:
    texts = {
        BENCH: ("weak",),
        "nodes,ms/step\n1,250\n2,256\n4,264\n": ("weak",),
        "nodes,s/step\n1,4\n2,2.1\n4,1.2\n": ("strong",),
        "nodes,it/s\n1,4\n2,3.9\n": ("weak",),
        "nodes,time to train (min)\n8,60\n16,33\n": ("weak",),
    }
    for text, (scaling,) in texts.items():
        found = figures(written(text), "--scaling", scaling)
        ((cell,),) = calculation.evaluate(found["formula"]).rows
        assert cell == pytest.approx(found["sizes"][-1]["figure"], rel=1e-12)


def test_sizes_take_the_place_of_doublings(written: Write) -> None:
    found = figures(written(), "--scaling", "weak", "--sizes", "24,6,8")
    assert [row["nodes"] for row in found["sizes"]] == [1, 2, 4, 6, 8, 24]
    assert "Far reach" not in " ".join(found["notes"])


def test_a_time_has_its_band_turned_round(written: Write) -> None:
    found = figures(written("nodes,ms/step\n1,250\n2,256\n4,264\n"), "--scaling", "weak")
    assert found["sizes"][0]["figure"] == pytest.approx(250)
    for row in found["sizes"]:
        assert row["low"] < row["figure"] < row["high"]
    assert found["sizes"][-1]["figure"] > 264
    assert found["unit"] == "ms"


def test_cost_of_a_run(written: Write) -> None:
    text = "nodes,time to train (h)\n8,10\n16,6\n"
    found = figures(written(text), "--scaling", "strong", "--price", "20EUR/node-h")
    assert [row["cost"] for row in found["sizes"][:2]] == pytest.approx([1600, 1920])
    lines = good(written(text), "--scaling", "strong", "--price", "20EUR/node-h")
    assert "What doubling brings; cost in EUR per run at 20 EUR/node-h" in lines


def test_samples_explain_time_to_train(written: Write) -> None:
    text = "nodes,time to train (min),samples\n8,60,3000\n16,33,3300\n"
    found = figures(written(text), "--scaling", "weak")
    one = found["samples"][1]
    # Half the throughput's time is 30 minutes; 33 with a tenth more samples is all of it.
    assert one["samples_ratio"] == pytest.approx(1.1)
    assert one["throughput_efficiency"] == pytest.approx(1.0)
    assert one["time_to_train_efficiency"] == pytest.approx(30 / 33)
    assert "Why time to train scales worse than throughput" in good(
        written(text), "--scaling", "weak"
    )


def test_where_adding_nodes_stops_paying(written: Write) -> None:
    text = "nodes,tokens/s\n1,100\n2,180\n4,290\n8,380\n16,400\n"
    assert "Adding nodes stops paying at 4 nodes (measured)" in "\n".join(
        good(written(text), "--scaling", "weak")
    )
    assert "Adding nodes goes on paying to 128 nodes" in "\n".join(
        good(written(), "--scaling", "weak")
    )


def test_work_that_is_never_added_has_no_price(written: Write) -> None:
    lines = good(written(C06_FALLING), *OF_GPUS, "--price", "1/GPU-h")
    assert any(re.search(r"^ +2 +4 +-7\.9 % .* never$", line) for line in lines)


def test_a_class_speaks_for_one_size_only(written: Write) -> None:
    one = written("nodes,tokens/s\n4,480\n")
    ours = fit([(4, 480)], "A100 HDR")
    found = figures(one, "--scaling", "weak", "--class", "a100 hdr")
    assert found["sizes"][1]["figure"] == ours.throughput(8)
    assert "One size only" in found["notes"][0]
    several = figures(written(), "--scaling", "weak", "--class", "A100 HDR")
    assert 'The class "A100 HDR" changes nothing' in several["notes"][0]


def test_plain_letters_for_plain_terminals(written: Write) -> None:
    found = study(read_measurements(Path(written()), Asked(scaling="weak")), sizes=(16,))
    assert "\n".join(page(found, PLAIN)).isascii()


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e6])
def test_columns_stay_apart(written: Write, scale: float) -> None:
    text = "nodes,tokens/s\n" + "".join(f"{n},{x * scale:.6g}\n" for n, x in POINTS)
    price = Price(20.0, "USD", "20 USD/node-h")
    found = study(read_measurements(Path(written(text)), Asked(scaling="weak")), price=price)
    lines = list(page(found, PLAIN))[:-1]
    assert max(map(len, lines)) < WIDTH
    start = next(i for i, line in enumerate(lines) if line.startswith("What to expect")) + 2
    for line in lines[start : start + 7]:
        assert re.fullmatch(r" +\S+ +\S+ +\S+( <)? +\S+ +[0-9.]+ % #+", line), line


# --- Traps (cases C06, C08, C10) -----------------------------------------------------------------


def test_efficiency_has_one_base_and_no_cap(written: Write) -> None:
    found = figures(written(C06), *OF_GPUS)
    kept = [row["efficiency"] for row in found["sizes"][:3]]
    assert kept == pytest.approx([1, 1.0344828, 0.8782328], abs=1e-7)
    assert "Super-linear: 103.4%" in " ".join(found["notes"])
    # Printed as 0.46 there, which is against two GPUs: against one it is 0.327.
    falling = figures(written(C06_FALLING), *OF_GPUS)
    assert falling["sizes"][2]["efficiency"] == pytest.approx(0.327, abs=0.0005)
    assert "Throughput falls from 2 to 4 nodes" in " ".join(falling["notes"])


def test_figures_per_gpu_are_refused_unless_said(written: Write) -> None:
    said = refused(written(C08), *OF_GPUS)
    assert "look like figures of one GPU or node: add --per-gpu" in said
    found = figures(written(C08), *OF_GPUS, "--per-gpu")
    assert [row["efficiency"] for row in found["sizes"][:3]] == pytest.approx(
        [1, 110 / 122, 80 / 122]
    )
    as_totals = figures(written(C08), *OF_GPUS, "--total")
    # Case C08: "entered as totals it would read 11 %, 4 %".
    assert [row["efficiency"] for row in as_totals["sizes"][1:3]] == pytest.approx(
        [0.1127, 0.0410], abs=0.0001
    )


def test_what_each_worker_logs_is_per_node(written: Write) -> None:
    path = written("nodes,images/s\n1,161.8\n3,161.8\n")
    assert "--per-node" in refused(path, "--scaling", "weak")
    found = figures(path, "--scaling", "weak", "--per-node")
    assert found["points"][1]["rate"] == pytest.approx(3 * 161.8)


@pytest.mark.parametrize(
    "header", ["MFU", "TFLOPS", "HFU (%)", "TFLOP/s/GPU", "Scaling efficiency"]
)
def test_a_share_of_the_peak_is_no_throughput(written: Write, header: str) -> None:
    said = refused(written(f"nodes,{header}\n1,0.455\n2,0.44\n"), "--scaling", "weak")
    assert "is no throughput (" in said
    assert said.endswith("give samples or tokens per second")


# --- Refused -------------------------------------------------------------------------------------

REFUSED = {
    "scaling": (BENCH, (), "weak or strong scaling? Add --scaling weak"),
    "unit": ("nodes,throughput\n1,5\n", ("--scaling", "weak"), "does not say its unit: add --unit"),
    "node": (C06, ("--scaling", "weak"), "it has GPUs and no nodes: add --gpus-per-node"),
    "measure": ("nodes,seconds\n1,5\n", ("--scaling", "weak"), "add --measure"),
    "comma": (
        'nodes,tokens/s\n1,"1,234"\n',
        ("--scaling", "weak"),
        'line 2: tokens/s is "1,234", which can be 1234 or 1.234',
    ),
    "sheet": (BENCH, ("--scaling", "weak", "--sheet", "A"), "CSV has no sheets"),
    "class": (BENCH, ("--scaling", "weak", "--class", "NDR"), 'fabric_class "NDR" is not known'),
    "price": (BENCH, ("--scaling", "weak", "--price", "2.5"), "2.5 is no price: say of what"),
    "free": (BENCH, ("--scaling", "weak", "--price", "0/node-h"), "0/node-h is no price"),
    "price of a GPU": (
        "nodes,tokens/s\n1,5\n",
        ("--scaling", "weak", "--price", "2.5/GPU-h"),
        "a price per GPU needs the GPUs of a node: add --gpus-per-node",
    ),
    "sizes": (BENCH, ("--scaling", "weak", "--sizes", "8;16"), "8;16 are no sizes: write them as"),
    "size": (BENCH, ("--scaling", "weak", "--sizes", "0,8"), "nodes must be 1 to 100,000, not 0,8"),
    "only": (BENCH, ("--scaling", "weak", "--only", "x"), "x names no value: write it as"),
    "plot": (BENCH, ("--scaling", "weak", "--plot", "x.pdf"), "x.pdf: must end in .png or .svg"),
}


@pytest.mark.parametrize(("text", "options", "says"), REFUSED.values(), ids=REFUSED)
def test_refused(written: Write, text: str, options: tuple[str, ...], says: str) -> None:
    assert says in refused(written(text), *options)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    path = str(tmp_path / "none.csv")
    assert refused(path) == f"{path}: there is no such file: check the path"


def test_the_file_of_the_readme_is_taken_as_it_stands(written: Write) -> None:
    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```csv\n(.+?)```", readme, re.DOTALL)
    assert "scalesheet fit bench.csv --scaling weak " in readme
    found = figures(written(lines), "--scaling", "weak")
    assert (found["unit"], found["gpus_per_node"], len(found["points"])) == ("tokens/s", 8, 3)


# --- Plots ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_a_plot_is_the_same_each_time(
    written: Write, tmp_path: Path, suffix: str, begins: bytes
) -> None:
    found = []
    for name in ("one", "two"):
        plot = tmp_path / f"{name}{suffix}"
        result = run(written(), "--scaling", "weak", "--plot", str(plot))
        assert (result.exit_code, result.stderr) == (0, f"{plot} written\n")
        found.append(plot.read_bytes())
    assert found[0].startswith(begins)
    assert found[0] == found[1]


def test_the_same_bytes_in_another_process_and_with_settings_of_ones_own(
    written: Write, tmp_path: Path
) -> None:
    here, there = tmp_path / "here.svg", tmp_path / "there.svg"
    source = written()
    run(source, "--scaling", "weak", "--plot", str(here))
    (tmp_path / "matplotlibrc").write_text("font.size: 20\naxes.facecolor: black\n")
    script = "from scalesheet_workbooks.cli import main; main()"
    subprocess.run(
        [sys.executable, "-c", script, "fit", source, "--scaling", "weak", "--plot", str(there)],
        check=True,
        capture_output=True,
        env={**os.environ, "MATPLOTLIBRC": str(tmp_path), "PYTHONHASHSEED": "7"},
    )
    assert there.read_bytes() == here.read_bytes()


def test_what_is_drawn(written: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Axes, points, curve and band are those of the study."""
    from matplotlib.figure import Figure

    drawn: list[Figure] = []
    kept = Figure.savefig

    def keep(self: Figure, *arguments: Any, **options: Any) -> None:
        drawn.append(self)
        kept(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", keep)
    plot = tmp_path / "fit $x$ 試.svg"
    run(written(name="$a$ 試.csv"), "--scaling", "weak", "--plot", str(plot))
    (axes,) = drawn[0].axes
    lines = {line.get_label(): line for line in axes.lines}
    assert set(lines) == {"perfect from 1 node", "forecast", "measured"}
    assert list(zip(*lines["measured"].get_data(), strict=True)) == POINTS
    nodes, throughput = lines["forecast"].get_data()
    ours = fit(POINTS)
    assert list(nodes) == curve(ours, 64)
    assert list(throughput) == [ours.throughput(n) for n in nodes]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_xlabel() == "nodes of 8 GPUs"
    assert axes.get_ylabel() == "throughput in tokens/s"
    assert axes.get_title(loc="left") == "Throughput, weak scaling: $a$ 試.csv"
    (band,) = axes.collections
    assert band.get_label() == "80 % band"
    assert band.get_datalim(axes.transData).y1 == pytest.approx(ours.high(64))
    assert ET.parse(plot).getroot().tag.endswith("svg")


def test_a_plot_is_not_overwritten(written: Write, tmp_path: Path) -> None:
    plot = tmp_path / "there.png"
    plot.write_bytes(b"mine")
    options = (written(), "--scaling", "weak", "--plot", str(plot))
    assert refused(*options) == f"{plot}: exists already: add --force to overwrite it"
    assert plot.read_bytes() == b"mine"
    assert run(*options, "--force").exit_code == 0
    assert plot.read_bytes() != b"mine"


def test_nothing_is_drawn_for_a_bad_file(written: Write, tmp_path: Path) -> None:
    plot = tmp_path / "none.png"
    refused(written("nodes,tokens/s\n1,x\n"), "--scaling", "weak", "--plot", str(plot))
    assert not plot.exists()


def test_without_matplotlib(
    written: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refused(written(), "--scaling", "weak", "--plot", str(tmp_path / "x.png"))
    assert said == (
        'a plot needs matplotlib, which is not installed: pip install "scalesheet[plot]"'
    )
    assert good(written(), "--scaling", "weak")


def test_matplotlib_is_loaded_for_a_plot_only(written: Write) -> None:
    script = (
        "import sys\nfrom scalesheet_workbooks.cli import main\n"
        f"main(['fit', {written()!r}, '--scaling', 'weak'], standalone_mode=False)\n"
        "print([name for name in ('matplotlib', 'numpy', 'openpyxl') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode("utf-8", "replace").splitlines()[-1] == "[]"


def test_the_options_know_what_the_reader_knows() -> None:
    """They are written out in the command so that its help loads nothing."""
    fit_command = importlib.import_module("scalesheet_workbooks.cli.fit")
    assert tuple(MEASURES) == fit_command.MEASURES
    assert MOST_NODES == fit_command.MOST_NODES
