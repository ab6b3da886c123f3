"""The doctor: what it says, that it fits a terminal, and that nothing makes it fall over."""

import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scalesheet.surfaces.excel.xlam import Versions
from scalesheet.surfaces.libreoffice import install as libreoffice
from scalesheet_workbooks import diagnosis
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.diagnosis import ANYWHERE, PARTS, SURFACES, Answer, check_addin

HERE = metadata.version("scalesheet")
XLWINGS = metadata.version("xlwings")


def run() -> Result:
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture(autouse=True)
def no_libreoffice_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTS, "LibreOffice add-in", lambda: ("good", HERE))


def test_everything_is_spoken_of_in_80_columns() -> None:
    result = run()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for subject in (*PARTS, *ANYWHERE, *SURFACES):
        assert any(line[5:].startswith(subject) for line in lines), subject
    assert {line[:4] for line in lines if line} <= {"yes ", "no  ", "    ", "Inst", "Wher"}


def test_excel_is_for_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no   Excel on Windows    see Excel and Excel add-in above" in run().stdout


@pytest.mark.parametrize("subject", PARTS)
def test_a_question_that_fails_is_a_line(subject: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Answer:
        raise RuntimeError("of two\nlines")

    monkeypatch.setitem(PARTS, subject, fails)
    result = run()
    assert result.exit_code == 1
    assert f"BAD  {subject}" in result.stdout
    assert "cannot be told: RuntimeError: of two lines" in " ".join(result.stdout.split())


def test_what_is_not_installed_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name in ("numpy", "formulon"):
            raise metadata.PackageNotFoundError(name)
        return "9"

    monkeypatch.setattr(metadata, "version", version)
    result = run()
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "pip install numpy" in said
    assert "pip install formulon" in said


def test_no_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise libreoffice.InstallError("LibreOffice is not found: install it")

    monkeypatch.setattr(libreoffice, "find_unopkg", missing)
    result = run()
    assert result.exit_code == 0
    assert "no   LibreOffice         LibreOffice is not found" in result.stdout
    assert "no   LibreOffice Calc    see LibreOffice above" in result.stdout


ADD_INS: dict[str, tuple[Versions, Callable[[Path], Path | None], str, str]] = {
    "as it should be": (Versions(HERE, XLWINGS), lambda p: Path(sys.executable), "good", XLWINGS),
    "an older xlwings": (
        Versions(HERE, "0.30.0"),
        lambda p: Path(sys.executable),
        "broken",
        f"built with xlwings 0.30.0, and {XLWINGS} is installed: run scalesheet addin",
    ),
    "an older scalesheet": (
        Versions("0.0.1", XLWINGS),
        lambda p: Path(sys.executable),
        "broken",
        "of scalesheet 0.0.1",
    ),
    "no interpreter": (Versions(HERE, XLWINGS), lambda p: None, "broken", "no Python is written"),
    "an interpreter that is gone": (
        Versions(HERE, XLWINGS),
        lambda p: p / "gone.exe",
        "broken",
        "its Python is gone",
    ),
    "another interpreter": (
        Versions(HERE, XLWINGS),
        lambda p: p,
        "good",
        "which is not the Python that answers here",
    ),
}


@pytest.mark.parametrize("case", ADD_INS.values(), ids=ADD_INS)
def test_an_installed_add_in(
    case: tuple[Versions, Callable[[Path], Path | None], str, str], tmp_path: Path
) -> None:
    versions, interpreter, state, words = case
    other = tmp_path / "python"
    other.touch()
    found = interpreter(other if "not the Python" in words else tmp_path)
    answer = check_addin(versions, found)
    assert answer[0] == state
    assert words in answer[1]


@pytest.mark.parametrize(
    ("listed", "state", "words"),
    [(None, "absent", "not installed"), ("0.0.1", "broken", "0.0.1, and"), (HERE, "good", HERE)],
)
def test_the_extension_of_libreoffice(
    listed: str | None, state: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libreoffice, "user_profile", lambda: tmp_path)
    monkeypatch.setattr(libreoffice, "installed", lambda: listed)
    found, said = diagnosis._extension()
    assert found == state
    assert words in said


def test_no_profile_of_libreoffice_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "user_profile", lambda: tmp_path / "none")
    monkeypatch.setattr(libreoffice, "installed", lambda: pytest.fail("asked"))
    assert diagnosis._extension()[0] == "absent"
