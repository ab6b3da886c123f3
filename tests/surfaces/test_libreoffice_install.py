"""The extension in a profile of LibreOffice and out again, and what stands in the way of it."""

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from calc import in_profile_of, new_profile, program, user_folder
from scalesheet.surfaces.libreoffice import install
from scalesheet.surfaces.libreoffice.extension import build
from scalesheet_workbooks.cli import main

VERSION = version("scalesheet")
AS_ROOT = "ERROR: Cannot run unopkg as root without --shared or --bundled option."


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["addin", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def printed(*arguments: str | Path) -> str:
    """What a command that ends well prints first."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()[0]


def refused(*arguments: str | Path) -> str:
    """The one line on stderr of a command that ends with 2 and prints nothing."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    line = result.stderr.splitlines()[-1]
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def script(path: Path, text: str) -> Path:
    """A program of a few lines of shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A throwaway profile, and an unopkg on the PATH that may change it whoever we are."""
    with user_folder() as folder:
        # The file to install lies in a folder that is ours alone.
        open_up = 'for last; do :; done; if [ -f "$last" ]; then chmod 755 "$(dirname "$last")"; fi'
        command = " ".join([*in_profile_of(folder), program("unopkg")])
        script(folder / "bin" / "unopkg", f'{open_up}\nexec {command} "$@"')
        monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        yield new_profile(folder)


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of the PATH; what is usual elsewhere is not there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(install, "PLACES", ())
    monkeypatch.setattr(install, "SANDBOXES", {})
    return tmp_path


def test_install_and_uninstall_as_often_as_one_likes(profile: Path) -> None:
    where = ("libreoffice", "--profile", profile)
    assert install.installed(profile) is None
    for _ in range(2):
        assert printed("install", *where) == f"scalesheet {VERSION} installed in LibreOffice"
        assert install.installed(profile) == VERSION
    assert printed("uninstall", *where) == "scalesheet removed from LibreOffice"
    assert printed("uninstall", *where) == "scalesheet is not installed in LibreOffice"
    assert install.installed(profile) is None


def test_another_version_is_replaced(profile: Path) -> None:
    for number in ("9.0", "1.0"):
        oxt = profile.parent / "scalesheet.oxt"
        oxt.write_bytes(build(number))
        install.install(oxt, profile)
        assert install.installed(profile) == number


def test_nothing_is_done_while_libreoffice_is_open(profile: Path) -> None:
    (profile / ".lock").touch()
    for command in ("install", "uninstall"):
        assert refused(command, "libreoffice", "--profile", profile) == (
            "LibreOffice is open: close it and try again "
            f"(if it is not, delete {profile / '.lock'})"
        )


def test_root_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        script(tmp_path / "unopkg", f"echo '{AS_ROOT}' >&2; exit 1")
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("SUDO_USER", raising=False)
    wanted = "as the user of Calc, sudo -u {} scalesheet addin install libreoffice; or build the"
    assert wanted.format("NAME") in refused("install", "libreoffice", "--profile", tmp_path)
    monkeypatch.setenv("SUDO_USER", "ada")
    assert wanted.format("ada") in refused("install", "libreoffice", "--profile", tmp_path)


def test_no_libreoffice(pretend: Path) -> None:
    assert refused("install", "libreoffice").startswith(
        "LibreOffice is not found: install it or put the folder of its program unopkg on the PATH"
    )


@pytest.mark.parametrize(
    ("kind", "command"),
    [("Flatpak", "flatpak run org.libreoffice.LibreOffice"), ("Snap", "snap run libreoffice")],
)
def test_sandboxed_libreoffice(
    kind: str, command: str, pretend: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "SANDBOXES", {kind: (str(pretend),)})
    assert refused("install", "libreoffice") == (
        f"LibreOffice is a {kind} here, which only itself can change: run scalesheet addin build "
        f"libreoffice -o ~/scalesheet.oxt, then {command} ~/scalesheet.oxt, and confirm"
    )


def test_the_newest_of_several_is_taken(pretend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for release in ("7.6", "25.2", "24.8"):
        script(pretend / f"libreoffice{release}" / "program" / "unopkg", "")
    monkeypatch.setattr(install, "PLACES", (str(pretend / "libreoffice*/program/unopkg"),))
    assert install.find_unopkg().endswith("libreoffice25.2/program/unopkg")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "ERROR: The service com.sun.star.loader.Python cannot be instantiated",
            "LibreOffice cannot run Python here: install",
        ),
        ("ERROR: disk is full\n\nERROR: unopkg failed.", "unopkg failed: disk is full: build the"),
        ("", "unopkg failed: no reason given: build the file"),
    ],
)
def test_what_unopkg_says_is_told(said: str, told: str, pretend: Path) -> None:
    script(pretend / "unopkg", f"echo '{said}' >&2; exit 1")
    assert told in refused("uninstall", "libreoffice", "--profile", pretend)


def test_an_unopkg_that_hangs_is_given_up(pretend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "SECONDS", 0.2)
    script(pretend / "unopkg", f"exec {shutil.which('sleep', path=os.defpath)} 60")
    assert "gave no answer" in refused("uninstall", "libreoffice", "--profile", pretend)


@pytest.mark.parametrize(
    ("system", "variable", "rest"),
    [
        ("linux", "XDG_CONFIG_HOME", "libreoffice/4"),
        ("win32", "APPDATA", "LibreOffice/4"),
        ("darwin", "HOME", "Library/Application Support/LibreOffice/4"),
    ],
)
def test_profile_of_the_user(
    system: str, variable: str, rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv(variable, str(tmp_path))
    assert install.user_profile() == tmp_path / rest


# --- build ---------------------------------------------------------------------------------------


def test_build(tmp_path: Path) -> None:
    oxt = tmp_path / "scalesheet.oxt"
    assert printed("build", "libreoffice", "-o", oxt) == f"{oxt} written"
    assert oxt.read_bytes() == build(VERSION)
    assert "add --force" in refused("build", "libreoffice", "-o", oxt)
    printed("build", "libreoffice", "-o", oxt, "--force")
    assert "must end in .oxt" in refused("build", "libreoffice", "-o", tmp_path / "a.zip")
    assert "'calc' is not one of 'excel', 'libreoffice'" in refused("build", "calc", "-o", oxt)


@pytest.mark.parametrize("command", ["build", "install", "uninstall"])
def test_help_has_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"    scalesheet addin {command} libreoffice" in result.stdout
