"""A user's own benchmark: headers in many spellings, questions, what is refused with its line."""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from scalesheet.calibration import fit
from scalesheet.calibration.sizes import read_sizes
from scalesheet_workbooks.measurement_files import (
    MEASURES,
    Asked,
    MeasurementFileError,
    Measurements,
    read_measurements,
)
from scalesheet_workbooks.measurement_files.doubts import per_gpu_problem
from scalesheet_workbooks.measurement_files.headers import headings
from scalesheet_workbooks.measurement_files.measures import THROUGHPUT, Scale, Unit

Write = Callable[[str], Path]
WEAK, STRONG = Asked(scaling="weak"), Asked(scaling="strong")
ROWS = [(1, 100.0), (2, 196.0), (4, 380.0)]


@pytest.fixture
def csv(tmp_path: Path) -> Write:
    """Write a CSV file and give its path."""

    def write(text: str) -> Path:
        path = tmp_path / "bench.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def problems(path: Path, asked: Asked = WEAK) -> list[str]:
    with pytest.raises(MeasurementFileError) as raised:
        read_measurements(path, asked)
    assert all("\n" not in problem for problem in raised.value.problems)
    return list(raised.value.problems)


def rates(found: Measurements) -> list[tuple[int, float]]:
    return [(point.nodes, point.rate) for point in found.points]


# --- Headers -------------------------------------------------------------------------------------

THROUGHPUTS = {
    "tokens/s": "tokens/s",
    "Throughput (tokens/s)": "tokens/s",
    "throughput_tokens_per_sec": "tokens/s",
    "Images / second": "images/s",
    "img/sec": "img/s",
    "avg samples per minute": "samples/min",
    "Total throughput [seq/h]": "seq/h",
}


@pytest.mark.parametrize(("header", "unit"), THROUGHPUTS.items())
@pytest.mark.parametrize(
    "size", ["nodes", "Nodes", "num_nodes", "#nodes", "Number of Nodes", "servers"]
)
def test_throughput_by_its_header(csv: Write, size: str, header: str, unit: str) -> None:
    found = read_measurements(csv(f"{size},{header}\n1,100\n2,196\n4,380\n"), WEAK)
    assert (found.scale.measure, found.scale.unit.name, found.scaling) == (THROUGHPUT, unit, "weak")
    assert rates(found) == ROWS


@pytest.mark.parametrize(
    "per_node", ["gpus_per_node", "GPUs/node", "GPUs per Node", "nproc_per_node"]
)
@pytest.mark.parametrize("gpus", ["gpus", "GPUs", "n_gpus", "world size", "num GPUs", "GPU count"])
def test_sizes_in_gpus(csv: Write, gpus: str, per_node: str) -> None:
    found = read_measurements(
        csv(f"{gpus},{per_node},tokens/s\n8,8,100\n16,8,196\n32,8,380\n"), WEAK
    )
    assert (rates(found), found.gpus_per_node) == (ROWS, 8)


def test_nodes_and_gpus_give_the_gpus_of_a_node(csv: Write) -> None:
    found = read_measurements(csv("gpus,nodes,tokens/s\n4,1,100\n8,2,196\n16,4,380\n"), WEAK)
    assert (rates(found), found.gpus_per_node) == (ROWS, 4)


@pytest.mark.parametrize(
    "header", ["step time (ms)", "step_time_ms", "ms/step", "Iteration time [ms]"]
)
def test_step_time_with_weak_scaling_is_of_a_growing_batch(csv: Write, header: str) -> None:
    found = read_measurements(csv(f"nodes,{header}\n1,250\n2,250\n4,500\n"), WEAK)
    assert rates(found) == [(1, 1 / 250), (2, 2 / 250), (4, 4 / 500)]
    assert [found.scale.shown(n, rate) for n, rate in rates(found)] == pytest.approx(
        [250, 250, 500]
    )
    assert found.scale.unit == Unit("ms", "steps", 0.001)


def test_step_time_with_strong_scaling_is_of_one_batch(csv: Write) -> None:
    found = read_measurements(csv("nodes,s/step\n1,4\n2,2.5\n4,1.6\n"), STRONG)
    assert rates(found) == [(1, 0.25), (2, 0.4), (4, 0.625)]


def test_steps_per_second_are_no_throughput_with_weak_scaling(csv: Write) -> None:
    """They would look like figures per GPU; each step is of more samples on more nodes."""
    found = read_measurements(csv("nodes,it/s\n1,4\n2,3.9\n4,3.8\n"), WEAK)
    assert rates(found) == [(1, 4), (2, 7.8), (4, 15.2)]
    found = read_measurements(csv("nodes,it/s\n1,4\n2,7.8\n4,15\n"), STRONG)
    assert rates(found) == [(1, 4), (2, 7.8), (4, 15)]


def test_a_batch_beside_says_the_scaling_and_makes_throughput(csv: Write) -> None:
    weak = read_measurements(
        csv("nodes,global batch,step time (ms)\n1,64,250\n2,128,256\n"), Asked()
    )
    assert (weak.scaling, weak.scale.measure) == ("weak", THROUGHPUT)
    assert rates(weak) == [(1, 64 / 0.25), (2, 128 / 0.256)]
    strong = read_measurements(csv("nodes,gbs,s/step\n1,64,4\n2,64,2.5\n"), Asked())
    assert (strong.scaling, rates(strong)) == ("strong", [(1, 16), (2, 25.6)])
    of_gpu = read_measurements(
        csv("nodes,gpus_per_node,batch size per GPU,s/step\n1,8,4,1\n2,8,4,1.25\n"), Asked()
    )
    assert (of_gpu.scaling, rates(of_gpu)) == ("weak", [(1, 32), (2, 51.2)])
    mixed = read_measurements(csv("nodes,total batch,tokens/s\n1,64,100\n4,128,380\n"), WEAK)
    assert mixed.scaling == "mixed"
    assert any("Not like for like" in remark for remark in mixed.remarks)


def test_time_to_train_is_told_apart(csv: Write) -> None:
    text = "nodes,time to train (min)\n8,60\n16,33\n64,13\n"
    found = read_measurements(csv(text), WEAK)
    assert rates(found) == [(8, 1 / 60), (16, 1 / 33), (64, 1 / 13)]
    assert "bigger batches need more samples" in found.remarks[0]
    assert "should" in read_measurements(csv(text), STRONG).remarks[0]


def test_time_to_train_with_samples_is_throughput(csv: Write) -> None:
    found = read_measurements(csv("nodes,TTT (min),samples\n8,60,36000\n16,40,48000\n"), WEAK)
    assert (found.scale.measure, found.scale.unit.name) == (THROUGHPUT, "samples/s")
    assert rates(found) == [(8, 10), (16, 20)]
    assert [point.samples for point in found.points] == [36000, 48000]


def test_figures_per_gpu_or_node_become_totals(csv: Write) -> None:
    text = "nodes,gpus_per_node,tokens/s/GPU\n1,8,100\n2,8,96\n"
    found = read_measurements(csv(text), WEAK)
    assert rates(found) == [(1, 800), (2, 1536)]
    assert found.remarks == ("Figures are per GPU: multiplied by the GPUs of the run.",)
    found = read_measurements(csv("nodes,images/s per node\n1,100\n2,96\n"), WEAK)
    assert rates(found) == [(1, 100), (2, 192)]


def test_totals_are_taken_before_figures_per_gpu(csv: Write) -> None:
    text = "nodes,tokens/s/GPU,tokens/s,MFU,TFLOP/s/GPU,ideal tokens/s\n1,50,100,0.4,300,100\n"
    assert rates(read_measurements(csv(text), WEAK)) == [(1, 100)]


def test_the_columns_of_the_shipped_file(csv: Write) -> None:
    text = (
        "series,scaling,gpus_per_node,gpus,value,unit\n"
        "a,weak,8,8,100,images/s\na,weak,8,16,196,images/s\nb,weak,8,8,50,images/s\n"
    )
    path = csv(text)
    assert problems(path, Asked()) == [
        'bench.csv: column "series" has several values at one size (a, b): one fit is of one '
        'workload: add --only "series=a"'
    ]
    found = read_measurements(path, Asked(only={"Series": "A"}))
    assert (rates(found), found.scaling) == (ROWS[:2], "weak")
    assert problems(path, Asked(only={"series": "c"})) == [
        'bench.csv: no line has "c" in column "series": it has a, b'
    ]
    assert problems(path, Asked(only={"job": "c"})) == [
        'bench.csv: there is no column "job" (--only)'
    ]


@pytest.mark.parametrize(
    "header", ["ideal tokens/s", "stdev tokens/s", "price per hour", "GB/s", "loss", "$/h"]
)
def test_what_is_no_measurement(header: str) -> None:
    assert headings(["nodes", header]).figures == ()


# --- Lines ---------------------------------------------------------------------------------------


def test_blanks_are_left_out_in_pairs_and_said(csv: Write) -> None:
    text = "nodes,tokens/s,note\n1,100,\n,196,lost\n2,196,\n,,a remark\n\n4,380,\n8,,crashed\n"
    found = read_measurements(csv(text), WEAK)
    assert rates(found) == ROWS
    assert found.remarks == ('Left out: line 3 (no "nodes"), line 8 (no "tokens/s").',)


def test_repeats_stay(csv: Write) -> None:
    found = read_measurements(csv("nodes,tokens/s,run\n4,380,a\n1,100,b\n4,384,c\n"), WEAK)
    assert rates(found) == [(4, 380), (1, 100), (4, 384)]


def test_repeats_that_differ_as_units_do_are_refused(csv: Write) -> None:
    (only,) = problems(csv("nodes,tokens/s\n4,380\n1,100\n4,380000\n"))
    assert only == (
        "bench.csv: 380 and 380000 at 4 nodes (lines 2 and 4) are 10 times apart: which is it?"
    )


def test_decimal_commas_between_semicolons(csv: Write) -> None:
    found = read_measurements(csv("nodes;s/step\n1;2,5\n2;2,75\n"), WEAK)
    assert rates(found) == [(1, 1 / 2.5), (2, 2 / 2.75)]


def test_a_column_that_changes_is_remarked_on(csv: Write) -> None:
    text = "nodes,tokens/s,software\n1,100,1.0\n2,196,2.0a\n4,380,2.0a\n"
    found = read_measurements(csv(text), WEAK)
    assert found.remarks == ('Column "software" changes between sizes: not like for like?',)


BAD_LINES = {
    '1,100\n2,"1,234"': (
        'line 3: tokens/s is "1,234", which can be 1234 or 1.234: write the one that you mean'
    ),
    "1,100\n2,1,234": "line 3: there are 3 cells and 2 columns: write numbers without commas",
    "1,100\n2,196 tok": 'line 3: tokens/s is "196 tok": write the number alone, its unit in the',
    "1,100\n2,1 960 tok/s": 'line 3: tokens/s is "1 960 tok/s": write the number alone, its unit',
    "1,100\n2,1:30:00": 'line 3: tokens/s is "1:30:00": write one number',
    "1,100\n2,0": "line 3: tokens/s must be above 0, not 0",
    "1,100\n2,-5": "line 3: tokens/s must be above 0, not -5",
    "1,100\n2,nan": 'line 3: tokens/s is "nan": leave the cell empty',
    "1,100\n2,fast": 'line 3: tokens/s is "fast", not a number',
    "1,100\n1.5,196": "line 3: nodes must be a whole number to 100,000, not 1.5",
    "1,100\n200000,5": "line 3: nodes must be a whole number to 100,000, not 200000",
    "1,100\n0,196": "line 3: nodes must be above 0, not 0",
    "1,100\n2-4,196": 'line 3: nodes is "2-4", a range: write one number',
    "1,1e999": "line 2: tokens/s must be 1e-09 to 1e+12, not 1e999",
    "1,1e-20": "line 2: tokens/s must be 1e-09 to 1e+12, not 1e-20",
}


@pytest.mark.parametrize(("lines", "says"), BAD_LINES.items())
def test_bad_lines(csv: Write, lines: str, says: str) -> None:
    (only,) = problems(csv(f"nodes,tokens/s\n{lines}\n"))
    assert only.startswith(f"bench.csv: {says}")


def test_every_bad_line_is_said_up_to_a_point(csv: Write) -> None:
    found = problems(csv("nodes,tokens/s\n" + "1,x\n" * 12))
    assert len(found) == 9
    assert found[0].startswith("bench.csv: line 2:")
    assert found[-1] == "and 4 more: mend these first"


def test_points_between_thousands_are_refused(csv: Write) -> None:
    (only,) = problems(csv("nodes;tokens/s\n1;98.400\n2;193.100\n"))
    assert 'line 2: tokens/s is "98.400", which can be 98400 or 98.400' in only
    assert rates(read_measurements(csv("nodes;tokens/s\n1;98.4\n2;193.100\n"), WEAK))


NODES = {
    "gpus,gpus_per_node,tokens/s\n12,8,100": "12 GPUs are 1.5 nodes of 8: leave out parts of nodes",
    "gpus,nodes,gpus_per_node,tokens/s\n16,4,8,100": "16 GPUs are 2 nodes of 8 and not 4",
    "gpus,nodes,tokens/s\n12,8,100": "12 GPUs are not spread evenly over 8 nodes",
    "nodes,gpus_per_node,tokens/s\n1,8,100\n2,4,100": "is of nodes of 4 GPUs and line 2 of 8",
}


@pytest.mark.parametrize(("text", "says"), NODES.items())
def test_nodes_that_do_not_fit(csv: Write, text: str, says: str) -> None:
    (only,) = problems(csv(text + "\n"))
    assert says in only


def test_gpus_per_node_against_the_file(csv: Write) -> None:
    (only,) = problems(csv("nodes,gpus_per_node,tokens/s\n1,8,9\n"), replace(WEAK, gpus_per_node=4))
    assert only == "bench.csv: line 2: gpus_per_node is 8, and --gpus-per-node 4"


# --- Questions -----------------------------------------------------------------------------------


def test_what_the_file_does_not_say_is_asked_for_at_once(csv: Write) -> None:
    found = problems(csv("gpus,throughput\n8,100\n16,196\n"), Asked())
    options = ("--scaling", "--unit", "--gpus-per-node")
    assert len(found) == 3
    assert all(option in problem for option, problem in zip(options, found, strict=True))
    found = read_measurements(
        csv("gpus,throughput\n8,100\n16,196\n"),
        Asked(unit="img/s", scaling="weak", gpus_per_node=8),
    )
    assert rates(found) == ROWS[:2]


def test_a_bare_time_may_be_three_things(csv: Write) -> None:
    path = csv("nodes,time (s)\n1,100\n2,51\n")
    (only,) = problems(path, STRONG)
    assert only == (
        'bench.csv: "time (s)" does not say what it is: add --measure throughput, step-time, '
        "step-rate, epoch-time, time-to-train"
    )
    for name in ("step-time", "epoch-time", "time-to-train"):
        found = read_measurements(path, replace(STRONG, measure=MEASURES[name]))
        assert rates(found) == [(1, 1 / 100), (2, 1 / 51)]


def test_two_columns_of_one_kind(csv: Write) -> None:
    path = csv("nodes,tokens/s fp32,tokens/s bf16\n1,50,100\n2,98,196\n")
    (only,) = problems(path)
    assert only == (
        'bench.csv: "tokens/s fp32" and "tokens/s bf16" are all throughput: name one with --column'
    )
    assert rates(read_measurements(path, replace(WEAK, column="Tokens/s BF16"))) == ROWS[:2]
    (only,) = problems(path, replace(WEAK, column="fp16"))
    assert only.startswith('bench.csv: there is no column "fp16": name one of "nodes", "tokens/s')


CONTRADICTIONS = {
    "unit": (Asked(scaling="weak", unit="tokens/min"), "--unit tokens/min, but"),
    "no unit": (Asked(scaling="weak", unit="GB"), "--unit GB is no unit of throughput"),
    "scaling": (Asked(scaling="strong"), "--scaling strong, but the file says weak"),
    "basis": (Asked(basis="node"), "says that it is per GPU"),
}


@pytest.mark.parametrize(("asked", "says"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_user_against_file(csv: Write, asked: Asked, says: str) -> None:
    text = "nodes,gpus_per_node,global batch,tokens/s/gpu\n1,8,64,10\n2,8,128,9.8\n"
    (only,) = problems(csv(text), asked)
    assert says in only


NO_TABLES = {
    "": "is empty: it needs a header with nodes",
    "\n\n": "is empty: it needs a header with nodes",
    "1,100\n2,196\n": "line 1: is no",
    "nodes,loss\n1,2\n": "line 1: is no",
    "nodes,tokens/s\n": 'there is no line with a size and "tokens/s"',
    "nodes,efficiency\n1,1\n2,0.98\n": '"efficiency" is no throughput (an efficiency has lost',
    # C10: shares of a peak and operations are not throughput.
    "nodes,MFU\n1,0.45\n": '"mfu" is no throughput (MFU is a share of the GPUs\' peak)',
    "nodes,TFLOP/s per GPU\n1,300\n": "FLOP/s may count operations that train nothing",
    "nodes,speedup\n1,1\n2,1.9\n": "a speed-up is against a base that is not given",
    'nodes,tokens/s\n1,"10': "not CSV",
    "nodes,tokens/s,tokens/s\n1,2,3\n": "column tokens/s is there twice",
}


@pytest.mark.parametrize(("text", "says"), NO_TABLES.items())
def test_no_table(csv: Write, text: str, says: str) -> None:
    (only,) = problems(csv(text))
    assert says in only


# --- Figures per GPU (C08) -----------------------------------------------------------------------

SERIES = (
    ROWS,
    # pytorch/pytorch#17159: per GPU at 1, 8 and 16.
    [(1, 122.0), (8, 110.0), (16, 80.0)],
    # awslabs/sockeye#667: each of three workers logs 161.8.
    [(1, 161.8), (3, 161.8)],
    # apache/mxnet#14516: totals that fall.
    [(1, 6982.74), (2, 9908.78), (4, 9128.08)],
    [(4, 100.0), (8, 119.0)],
    [(4, 100.0), (8, 121.0)],
)


@pytest.mark.parametrize("points", SERIES)
def test_the_rule_is_that_of_the_note(points: Sequence[tuple[int, float]]) -> None:
    scale = Scale(THROUGHPUT, Unit("tokens/s", "tokens", 1.0))
    noted = any("looks like a figure per GPU" in note for note in fit(points).notes)
    assert bool(per_gpu_problem(read_sizes(points), scale, "", "run")) == noted
    assert per_gpu_problem(read_sizes(points), scale, "run", "run") == ""


def test_per_gpu_figures_are_refused_until_one_says_what_they_are(csv: Write) -> None:
    path = csv("gpus,samples/s\n1,122\n8,110\n16,80\n")
    asked = replace(WEAK, gpus_per_node=1)
    (only,) = problems(path, asked)
    assert "look like figures of one GPU or node: add --per-gpu or --per-node, or --total" in only
    assert rates(read_measurements(path, replace(asked, basis="GPU"))) == [
        (1, 122),
        (8, 880),
        (16, 1280),
    ]
    assert rates(read_measurements(path, replace(asked, basis="run")))[1] == (8, 110)


def test_totals_taken_for_figures_per_gpu_are_refused(csv: Write) -> None:
    path = csv("nodes,gpus_per_node,tokens/s\n1,8,100\n2,8,196\n4,8,380\n")
    (only,) = problems(path, replace(WEAK, basis="GPU"))
    assert "--per-gpu, but the figures grow with the nodes as totals do (196%" in only


def test_steps_that_hardly_shorten_were_weak_scaling(csv: Write) -> None:
    path = csv("nodes,step time (ms)\n1,250\n2,255\n")
    (only,) = problems(path, STRONG)
    assert "did each GPU's batch stay (--scaling weak)?" in only
    assert len(rates(read_measurements(path, replace(STRONG, basis="run")))) == 2


# --- Workbooks -----------------------------------------------------------------------------------


@pytest.fixture
def book(tmp_path: Path) -> Callable[..., Path]:
    """Write a workbook of named sheets with rows, and give its path."""

    def write(**sheets: Sequence[Sequence[object]]) -> Path:
        workbook = openpyxl.Workbook()
        workbook.remove(workbook.active)
        for name, rows in sheets.items():
            sheet = workbook.create_sheet(name)
            for row in rows:
                sheet.append(list(row))
        path = tmp_path / "bench.xlsx"
        workbook.save(path)
        return path

    return write


TABLE = [("Nodes", "GPUs/node", "Tokens/s"), (1, 8, 100), (2, 8, 196), (4, 8, 380)]


def test_a_sheet_with_a_title_above_and_a_source_below(book: Callable[..., Path]) -> None:
    title = [("Our cluster, May",), (), *TABLE, (), ("Source: logs",)]
    found = read_measurements(book(Runs=title, Notes=[("nothing",)]), WEAK)
    assert (rates(found), found.name) == (ROWS, "bench.xlsx: sheet Runs")
    assert found.remarks == ('Left out: row 8 (no "tokens/s").',)


def test_several_sheets_have_to_be_told_apart(book: Callable[..., Path]) -> None:
    path = book(Runs=TABLE, Old=[TABLE[0], (1, 8, 90)])
    assert problems(path) == [
        "bench.xlsx: there are measurements on sheet Runs and sheet Old: name one with --sheet"
    ]
    assert rates(read_measurements(path, replace(WEAK, sheet="old"))) == [(1, 90)]
    (only,) = problems(path, replace(WEAK, sheet="New"))
    assert only == 'bench.xlsx: there is no sheet "New": name one of "Runs", "Old"'


BAD_CELLS = {
    "=100*2": 'row 3: tokens/s is "=100*2 without a stored result", not a number',
    "1,234": 'row 3: tokens/s is "1,234", which can be 1234 or 1.234',
    "#N/A": 'row 3: tokens/s is "#N/A"',
    True: 'row 3: tokens/s is "TRUE", not a number',
    datetime.timedelta(hours=1): 'row 3: tokens/s is "1:00:00": write one number',
}


@pytest.mark.parametrize(("cell", "says"), BAD_CELLS.items(), ids=map(str, BAD_CELLS))
def test_bad_cells(book: Callable[..., Path], cell: object, says: str) -> None:
    (only,) = problems(book(Runs=[*TABLE[:2], (2, 8, cell)]))
    assert only.startswith(f"bench.xlsx: sheet Runs: {says}")


def test_files_that_cannot_be_read(tmp_path: Path, book: Callable[..., Path]) -> None:
    assert problems(tmp_path / "none.csv")[0].endswith("there is no such file: check the path")
    assert problems(tmp_path / "none.xlsx")[0].endswith("there is no such file: check the path")
    assert problems(tmp_path)[0].endswith("is a folder: name a file in it")
    damaged = tmp_path / "damaged.xlsx"
    damaged.write_bytes(b"PK\x03\x04 and nothing else")
    assert "cannot be read as a workbook" in problems(damaged)[0]
    assert "only CSV and .xlsx are read" in problems(tmp_path / "old.xls")[0]
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\x00\x01")
    assert "not plain text" in problems(binary)[0]
    (only,) = problems(book(Runs=[("a", "b"), (1, 2)]))
    assert only.startswith('bench.xlsx: sheet "Runs" has no header with nodes')


def test_csv_has_no_sheets(csv: Write) -> None:
    (only,) = problems(csv("nodes,tokens/s\n1,100\n"), replace(WEAK, sheet="Runs"))
    assert only == "bench.csv: CSV has no sheets: leave out --sheet"
