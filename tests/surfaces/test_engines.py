"""The harness itself: engines recompute, inputs arrive exactly, pages and switches work."""

import datetime
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.pagebreak import Break

import rendering
from engines import ENGINES, LAMBDA_ENGINES, Cell, cached_values, evaluate
from scalesheet.errors import CellError

TESTS = Path(__file__).resolve().parents[1]

each_engine = pytest.mark.parametrize("engine", ENGINES)

EFFICIENCY = "IF(AND(ISNUMBER(D!A1),D!A1>=1),MAX(0.5,1-0.015*(D!A1-1)),#NUM!)"

# Stored form: a kernel for one number, and a public name that maps it over a range.
LAMBDA_NAMES = {
    "SCALING_EFF_ONE": "_xlfn.LAMBDA(_xlpm.n,IF(ISNUMBER(_xlpm.n),"
    "IF(_xlpm.n>=1,1-0.015*(_xlpm.n-1),#NUM!),#VALUE!))",
    "SCALING_EFF": "_xlfn.LAMBDA(_xlpm.nodes,"
    "_xlfn.MAP(_xlpm.nodes,_xlfn.LAMBDA(_xlpm.n,SCALING_EFF_ONE(_xlpm.n))))",
}


def nested_if(depth: int) -> str:
    """An IF in an IF in an IF, with the answer in the innermost."""
    formula = "D!A1"
    for step in range(depth):
        formula = f"IF(D!A1={step + 100},{step},{formula})"
    return f"={formula}"


def with_stored_value(xlsx: Path, lie: str) -> Path:
    """A copy whose formula cells all hold a wrong stored value."""
    copy = xlsx.with_name("stale.xlsx")
    with zipfile.ZipFile(xlsx) as source, zipfile.ZipFile(copy, "w") as target:
        for entry in source.infolist():
            data = source.read(entry).decode("utf-8")
            for empty in ("</f><v />", "</f><v/>", "</f><v></v>"):
                data = data.replace(empty, f"</f><v>{lie}</v>")
            target.writestr(entry, data)
    return copy


@each_engine
def test_stored_values_are_not_believed(engine: str, tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Model"
    sheet["A1"], sheet["A2"], sheet["A3"], sheet["A4"] = 2, "=A1*3", "=A2+1", "=A1>1"
    workbook.save(tmp_path / "true.xlsx")
    stale = with_stored_value(tmp_path / "true.xlsx", "999")
    assert cached_values(stale)["Model", "A2"] == 999
    assert ENGINES[engine](stale) == {
        ("Model", "A1"): 2.0,
        ("Model", "A2"): 6.0,
        ("Model", "A3"): 7.0,
        ("Model", "A4"): True,
    }


@each_engine
def test_what_our_formulas_use(engine: str) -> None:
    formulas: dict[str, Cell] = {
        f"={EFFICIENCY}": 0.955,
        '=_xlfn.SWITCH(LOWER(TRIM(D!B1)),"hdr",1,"ndr",2,#VALUE!)': 2.0,
        '=_xlfn.SWITCH(LOWER(TRIM(D!B1)),"hdr",1,"edr",2,#VALUE!)': CellError("#VALUE!"),
        "=ROUNDUP(D!A1/3,0)": 2.0,
        nested_if(12): 4.0,
        "=SUMPRODUCT(D!A1:A3*2)": 8.0,
        "=INDEX(D!A1:B1,MATCH(4,D!A1:B1,0))": 4.0,
        "=IFERROR(#NUM!,7)": 7.0,
        "=SQRT(D!A1)+LN(EXP(1))": 3.0,
        '=IF(D!A1>1,"yes","no")': "yes",
        '=""': "",
        "=AND(D!C1,D!A1>1)": True,
        "=DATE(2026,3,4)": 46085.0,
        "{=SUM(IF(D!A1:A3>1,1,0))}": 1.0,
    }
    results = evaluate(engine, list(formulas), cells={"A1": 4, "B1": " NDR", "C1": True})
    assert results == list(formulas.values())


@each_engine
def test_errors(engine: str) -> None:
    formulas = {
        "=#DIV/0!": "#DIV/0!",
        "=IF(D!A1>1,#NUM!,1)": "#NUM!",
        "=IF(D!A1>1,#VALUE!,1)": "#VALUE!",
        "=D!A1+#N/A": "#N/A",
        "=#NAME?": "#NAME?",
        "=#REF!": "#REF!",
        "=1/0": "#DIV/0!",
        "=NA()": "#N/A",
        '=MATCH("absent",D!A1:A3,0)': "#N/A",
        '="x"+1': "#VALUE!",
        "=NOSUCH(1)": "#NAME?",
        "=(-8)^0.5": "#NUM!",
        "=D!A1*1E300*1E300": "#NUM!",
    }
    results = evaluate(engine, list(formulas), cells={"A1": 4})
    assert results == [CellError(code) for code in formulas.values()]


def test_engines_without_lambda_names_give_errors() -> None:
    others = set(ENGINES) - set(LAMBDA_ENGINES)
    assert others == {"formualizer", "libreoffice"}
    for engine in others:
        [result] = evaluate(engine, ["=SCALING_EFF(D!A1)"], LAMBDA_NAMES, {"A1": 4})
        assert isinstance(result, CellError)


def test_libreoffice_says_value_where_excel_says_num_or_ref() -> None:
    """It saves its own Err:502, an invalid argument, as #VALUE!."""
    results = evaluate("libreoffice", ["=SQRT(-1)", "=LN(0)", "=INDEX(D!A1:A3,9)"])
    assert results == [CellError("#VALUE!")] * 3


def round_to_15_digits(number: float) -> float:
    return float(f"{number:.15g}")


@each_engine
def test_inputs_arrive_as_given(engine: str) -> None:
    # 0.1 + 0.2 needs 17 digits; openpyxl alone would write 16 and LibreOffice saves 15.
    as_saved = round_to_15_digits if engine == "libreoffice" else float
    cells: dict[str, Cell] = {
        "A1": 0.1 + 0.2,
        "A2": 123456789.12345679,
        "A3": True,
        "A4": "=text",
        "A5": "#NUM!",
        "A6": "12",
        "A7": "",
        "A8": None,
        "A9": CellError("#N/A"),
    }
    formulas = [
        "=D!A1",
        "=D!A2",
        "=D!A3",
        "=D!A4",
        "=D!A5",
        "=ISTEXT(D!A6)",
        "=ISBLANK(D!A7)",
        "=ISBLANK(D!A8)",
        "=D!A9",
    ]
    assert evaluate(engine, formulas, cells=cells) == [
        as_saved(0.1 + 0.2),
        as_saved(123456789.12345679),
        True,
        "=text",
        "#NUM!",
        True,
        False,
        True,
        CellError("#N/A"),
    ]


@each_engine
def test_dates_come_as_serial_numbers(engine: str, tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet["A1"], sheet["A2"] = datetime.date(2026, 1, 2), "=A1+1"
    workbook.save(tmp_path / "dates.xlsx")
    values = ENGINES[engine](tmp_path / "dates.xlsx")
    assert values == {("Sheet", "A1"): 46024.0, ("Sheet", "A2"): 46025.0}


@pytest.mark.parametrize("engine", LAMBDA_ENGINES)
def test_lambda_names_from_the_file(engine: str) -> None:
    formulas = [
        "=SCALING_EFF(D!A1)",
        "=SUM(SCALING_EFF(D!A1:A2))",
        "=INDEX(SCALING_EFF(D!A1:A4),3)",
        "=INDEX(SCALING_EFF(D!A1:A4),4)",
    ]
    cells: dict[str, Cell] = {"A1": 4, "A2": 1, "A3": "x", "A4": -1}
    assert evaluate(engine, formulas, LAMBDA_NAMES, cells) == [
        0.955,
        1.955,
        CellError("#VALUE!"),
        CellError("#NUM!"),
    ]


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(rendering.ToolMissing, match="apt-get install libreoffice-calc"):
        evaluate("libreoffice", ["=1"])


def test_a_program_that_hangs_is_ended_with_its_children() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        rendering.run(["sh", "-c", "sleep 60 & sleep 60"], seconds=0.2)


@pytest.fixture(scope="module")
def two_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook that prints two A4 pages."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet["A1"], sheet["A9"] = "first page", "second page"
    sheet.row_breaks.append(Break(id=5))
    sheet.page_setup.paperSize = rendering.PAPER_SIZES["A4"]
    path = tmp_path_factory.mktemp("pages") / "two_pages.xlsx"
    workbook.save(path)
    return path


@pytest.mark.parametrize(("paper", "width", "height"), [(None, 595, 842), ("Letter", 612, 792)])
def test_pages_and_paper(
    two_pages: Path, tmp_path: Path, paper: rendering.Paper | None, width: int, height: int
) -> None:
    pdf = rendering.to_pdf(two_pages, tmp_path, paper)
    assert rendering.pages(pdf) == 2
    assert rendering.page_size(pdf, 2) == pytest.approx((width, height), abs=1)


def test_paper_where_the_file_names_none(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = 1
    workbook.save(tmp_path / "plain.xlsx")
    for paper in rendering.PAPER_SIZES:
        copy = rendering.copy_with_paper(tmp_path / "plain.xlsx", tmp_path / "copy.xlsx", paper)
        sheet = openpyxl.load_workbook(copy).active
        assert sheet.page_setup.paperSize == rendering.PAPER_SIZES[paper]


def test_pictures_from_the_command_line(two_pages: Path, tmp_path: Path) -> None:
    (tmp_path / "two_pages-7.png").touch()
    command = [sys.executable, str(TESTS / "rendering.py"), str(two_pages), "-o", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    printed = [Path(line) for line in done.stdout.splitlines()]
    assert printed == [tmp_path / "two_pages-1.png", tmp_path / "two_pages-2.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in printed)


SWITCHES = """
import pytest

def test_passes(): pass

@pytest.mark.skip(reason="no time")
def test_skipped(): pass

@pytest.mark.xfail(reason="known")
def test_known(): assert False

@pytest.mark.xfail(reason="mended")
def test_mended(): pass

def test_golden(golden): golden("poem.txt", "roses\\nare red\\n")

def test_samples(samples): assert samples == 7
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A small suite of its own beside a copy of our conftest."""
    for name in ("conftest.py", "rendering.py"):
        shutil.copy(TESTS / name, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "test_switches.py").write_text(SWITCHES, encoding="utf-8")
    return tmp_path


def inner_pytest(suite: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and output of pytest on the small suite."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=suite, env=alone, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_no_skips_fails_what_did_not_run(suite: Path) -> None:
    tests = [f"test_switches.py::test_{name}" for name in ("passes", "skipped", "known", "mended")]
    code, output = inner_pytest(suite, *tests)
    assert code == 0
    assert "1 passed, 1 skipped, 1 xfailed, 1 xpassed" in output
    code, output = inner_pytest(suite, *tests, "--no-skips")
    assert code == 1
    # pytest calls what fails before the test proper an error.
    assert "2 failed, 1 passed, 1 error" in output
    for reason in ("Skipped: no time", "expected failure: known", "expected failure: mended"):
        assert f"not allowed with --no-skips: {reason}" in output


def test_no_skips_fails_a_module_that_leaves_itself_out(suite: Path) -> None:
    module = 'import pytest\npytest.importorskip("no_such_module")\n'
    (suite / "test_module.py").write_text(module, encoding="utf-8")
    assert inner_pytest(suite, "test_module.py")[0] == pytest.ExitCode.NO_TESTS_COLLECTED
    code, output = inner_pytest(suite, "--no-skips", "-k", "passes")
    assert code != 0
    assert "--no-skips: Skipped: could not import 'no_such_module'" in output


def test_samples_switch(suite: Path) -> None:
    assert inner_pytest(suite, "-k", "samples", "--samples", "7")[0] == 0
    assert inner_pytest(suite, "-k", "samples", "--samples", "8")[0] == 1
    assert inner_pytest(suite, "--samples", "0")[0] == pytest.ExitCode.USAGE_ERROR


def test_golden_files(suite: Path) -> None:
    stored = suite / "golden" / "poem.txt"
    code, output = inner_pytest(suite, "-k", "golden")
    assert (code, "no golden file" in output) == (1, True)
    assert inner_pytest(suite, "-k", "golden", "--update-golden")[0] == 0
    assert stored.read_bytes() == b"roses\nare red\n"
    assert inner_pytest(suite, "-k", "golden")[0] == 0
    stored.write_text("roses\nare blue\n", encoding="utf-8")
    code, output = inner_pytest(suite, "-k", "golden")
    assert code == 1
    assert "-are blue" in output
    assert "+are red" in output


def test_in_ci_only_the_installed_wheel_is_tested(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("scalesheet", "scalesheet_workbooks"):
        (suite / package).mkdir()
        (suite / package / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(suite))
    monkeypatch.setenv("SCALESHEET_CI_WHEEL", "1")
    code, output = inner_pytest(suite, "-k", "passes")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "not from the installed wheel" in output
