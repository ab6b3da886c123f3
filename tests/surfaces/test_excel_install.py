"""The add-in put into a user's folders and taken out again, and what is said without Excel."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scalesheet.surfaces.excel import install as excel
from scalesheet.surfaces.excel.install import InstallError, Places, places_in
from scalesheet.surfaces.excel.vba import SETTINGS
from scalesheet.surfaces.excel.xlam import Versions, build
from scalesheet_workbooks.cli import main

XLAM = build("1.2.3", {})


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """The folders of a new user."""
    return places_in(tmp_path / "AppData" / "Roaming", tmp_path)


def write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def python(where: Places) -> Path:
    """An interpreter under the user's own folder."""
    return where.settings.parent.parent / "a b" / ".venv" / "Scripts" / "python.exe"


def test_excel_opens_what_lies_in_xlstart(where: Places, tmp_path: Path) -> None:
    expected = "AppData/Roaming/Microsoft/Excel/XLSTART/scalesheet.xlam"
    assert where.xlam.relative_to(tmp_path).as_posix() == expected
    assert where.settings.relative_to(tmp_path).as_posix() == ".scalesheet/python.txt"
    assert SETTINGS == r"%USERPROFILE%\.scalesheet\python.txt"


def test_installed_twice_it_is_there_once(where: Places) -> None:
    for _ in range(2):
        excel.install(XLAM, python(where), where, write)
    assert where.xlam.read_bytes() == XLAM
    installed = excel.installed(where)
    assert installed is not None
    assert installed.scalesheet == "1.2.3"
    assert excel.interpreter(where) == python(where)


def test_a_path_keeps_all_its_letters(where: Places) -> None:
    elsewhere = Path("/users/J\u00f6rg \u5f35/python.exe")
    excel.install(XLAM, elsewhere, where, write)
    assert excel.interpreter(where) == elsewhere
    assert where.settings.read_bytes().startswith(b"\xff\xfe")  # by which VBA's reader goes


def test_uninstalled_nothing_is_left(where: Places) -> None:
    assert not excel.uninstall(where)
    excel.install(XLAM, python(where), where, write)
    assert excel.uninstall(where)
    assert not excel.uninstall(where)
    assert not where.xlam.exists()
    assert not where.settings.parent.exists()
    assert excel.installed(where) is None


def test_what_others_keep_there_stays(where: Places) -> None:
    excel.install(XLAM, python(where), where, write)
    other = where.settings.with_name("other.txt")
    other.touch()
    assert excel.uninstall(where)
    assert [*where.settings.parent.iterdir()] == [other]


def test_another_file_in_its_place_is_seen(where: Places) -> None:
    where.xlam.parent.mkdir(parents=True)
    where.xlam.write_bytes(b"of somebody else")
    with pytest.raises(InstallError, match="is no add-in of scalesheet's"):
        excel.installed(where)


def test_an_add_in_that_excel_has_open(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "denied", str(path))

    excel.install(XLAM, python(where), where, write)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(InstallError, match="close Excel and try again"):
        excel.uninstall(where)
    assert excel.interpreter(where) == python(where)


# --- The command ---------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["addin", *arguments])


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_where_excel_has_no_such_functions(
    command: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    result = run(command, "excel")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: Excel on ")
    assert "which need Windows: use the LAMBDA names" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_command_on_windows(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "places", lambda: where)
    first, again = run("install", "excel"), run("install", "excel")
    assert (first.exit_code, first.stdout) == (0, again.stdout)
    assert str(where.xlam) in first.stdout
    assert "start Excel anew and type =TRAIN_COST(" in first.stdout
    assert excel.interpreter(where) == Path(sys.executable)
    removed, none = run("uninstall", "excel"), run("uninstall", "excel")
    assert (removed.exit_code, none.exit_code) == (0, 0)
    assert removed.stdout == "scalesheet removed from Excel\n"
    assert none.stdout == "scalesheet is not installed in Excel\n"


def test_a_file_for_another_machine(tmp_path: Path) -> None:
    one, other = tmp_path / "one.xlam", tmp_path / "other.XLAM"
    for path in (one, other):
        assert run("build", "excel", "-o", str(path)).exit_code == 0
    assert one.read_bytes() == other.read_bytes()
    refused = run("build", "excel", "-o", str(one))
    assert refused.exit_code == 2
    assert "exists already" in refused.stderr
    assert run("build", "excel", "-o", str(one), "--force").exit_code == 0
    wrong = run("build", "excel", "-o", str(tmp_path / "x.oxt"))
    assert wrong.exit_code == 2
    assert "must end in .xlam" in wrong.stderr


def test_a_profile_is_no_matter_of_excel(tmp_path: Path) -> None:
    for command in ("install", "uninstall"):
        result = run(command, "excel", "--profile", str(tmp_path))
        assert result.exit_code == 2
        assert "--profile is for LibreOffice" in result.stderr


def test_versions_read_back() -> None:
    assert isinstance(excel.built_with(XLAM), Versions)
