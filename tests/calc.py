"""LibreOffice Calc with the add-in, driven from a test.

``SCALESHEET_LIBREOFFICE`` names the program folder of another LibreOffice than the one on the PATH;
the tests then run with that one.
"""

import json
import os
import pwd
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from engines import Cell
from rendering import ToolMissing, run, tool
from scalesheet.errors import CellError

DRIVER = Path(__file__).parent / "surfaces" / "libreoffice_driver.py"
PROGRAM = "SCALESHEET_LIBREOFFICE"
ANSWER_SECONDS = 120

# A new user's profile but for the locale, which decides separators and what a typed date is.
PROFILE = """\
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{locale}</value></prop></item>
</oor:items>
"""

ERRORS = {
    502: "Err:502",
    503: "#NUM!",
    504: "Err:504",
    508: "Err:508",
    519: "#VALUE!",
    521: "#NULL!",
    524: "#REF!",
    525: "#NAME?",
    532: "#DIV/0!",
    32767: "#N/A",
}
"""Calc's numbers of errors, and what it shows for them."""


def program(name: str) -> str:
    """A program of LibreOffice."""
    folder = os.environ.get(PROGRAM)
    return os.fspath(Path(folder) / name) if folder else tool(name, "libreoffice-calc")


@cache
def version() -> tuple[int, int]:
    """LibreOffice's version, such as (7, 4)."""
    with user_folder() as folder:
        printed = run([*in_profile_of(folder), program("soffice"), "--version"], folder=folder)
    major, minor, *_ = printed.split()[1].split(".")
    return int(major), int(minor)


def as_user() -> list[str]:
    """What comes before a command of LibreOffice: its unopkg refuses root."""
    if os.geteuid() != 0:
        return []
    setpriv = tool("setpriv", "util-linux")
    return [setpriv, "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


@cache
def uno_python() -> str:
    """A Python that has LibreOffice's uno module."""
    beside = [Path(program("soffice")).resolve().parent, *map(Path, os.get_exec_path())]
    candidates = [folder / name for folder in beside for name in ("python", "python3")]
    for candidate in dict.fromkeys([*candidates, Path("/usr/bin/python3")]):
        if os.access(candidate, os.X_OK) and _has_uno(candidate):
            return os.fspath(candidate)
    raise ToolMissing("no Python has the module uno: on Debian, apt-get install python3-uno")


def _has_uno(python: Path) -> bool:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return (
        subprocess.run([python, "-c", "import uno"], capture_output=True, env=clean).returncode == 0
    )


@contextmanager
def user_folder() -> Iterator[Path]:
    """A throwaway folder that belongs to the user who runs LibreOffice."""
    with tempfile.TemporaryDirectory(prefix="calc-") as place:
        folder = Path(place)
        own(folder)
        yield folder


def own(path: Path) -> None:
    """Hand a file or folder to the user who runs LibreOffice."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(path, nobody.pw_uid, nobody.pw_gid)


def in_profile_of(folder: Path) -> list[str]:
    """What comes before a command of LibreOffice that has a folder for its home, in every way."""
    return [*as_user(), "env", "--unset=XDG_CONFIG_HOME", f"HOME={folder}"]


def new_profile(folder: Path, locale: str = "en-US") -> Path:
    """An empty profile with a locale."""
    profile = folder / "profile"
    settings = profile / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True)
    settings.write_text(PROFILE.format(locale=locale), encoding="utf-8")
    for path in (profile, settings.parent, settings):
        own(path)
    return profile


def own_prices(folder: Path, text: str) -> None:
    """A price file where scalesheet looks for it, of a user who has a folder for his home."""
    path = folder / ".config" / "scalesheet" / "prices.csv"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    for made in (path.parent.parent, path.parent, path):
        own(made)


class Calc:
    """A running LibreOffice Calc; its methods are those of the driver."""

    drivers: tuple[Path, ...] = (DRIVER,)
    """The driver, and the modules that it imports."""

    def __init__(self, folder: Path, profile: Path) -> None:
        self.folder = folder
        self.log = (folder / "soffice.log").open("w+")
        # Copied: the driver may lie where only we may read.
        driver, *_ = [self.take(path) for path in self.drivers]
        self.process = subprocess.Popen(
            [*in_profile_of(folder), uno_python(), driver, program("soffice"), profile],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            cwd=folder,
            start_new_session=True,
        )
        self._answer()

    def __getattr__(self, name: str) -> Any:
        def call(**arguments: Any) -> Any:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps({"do": name, "with": arguments}) + "\n")
            self.process.stdin.flush()
            return self._answer()

        return call

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        clock = threading.Timer(ANSWER_SECONDS, self.kill)
        clock.start()
        try:
            line = self.process.stdout.readline()
        finally:
            clock.cancel()
        if not line:
            self.log.seek(0)
            raise RuntimeError(f"LibreOffice has hung or crashed: {self.log.read()[-2000:]}")
        answer = json.loads(line)
        if "failed" in answer:
            raise RuntimeError(answer["failed"])
        return answer["result"]

    def take(self, path: Path) -> str:
        """A copy of a file that LibreOffice may read and write."""
        copy = self.folder / path.name
        shutil.copyfile(path, copy)
        own(copy)
        return os.fspath(copy)

    def cells(self, sheet: str, area: str) -> list[list[Cell]]:
        """What a range shows, errors as Calc spells them."""
        return [[_cell(value) for value in row] for row in self.read(sheet=sheet, area=area)]

    def cell(self, sheet: str, address: str) -> Cell:
        """What one cell shows."""
        return self.cells(sheet, address)[0][0]

    def column(self, sheet: str, column: str, contents: Sequence[str]) -> list[Cell]:
        """What a column shows after its cells were typed from the first row on."""
        typed = {f"{column}{row}": text for row, text in enumerate(contents, 1)}
        self.type(sheet=sheet, cells=typed)
        return [row[0] for row in self.cells(sheet, f"{column}1:{column}{len(contents)}")]

    def end(self) -> None:
        """End LibreOffice, by force if need be."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
        self.log.close()

    def kill(self) -> None:
        """End the driver and LibreOffice at once."""
        os.killpg(self.process.pid, 9)


def _cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return CellError(ERRORS.get(value["error"], f"Err:{value['error']}"))
    return value  # type: ignore[no-any-return]


@contextmanager
def calc_with(oxts: Mapping[str, bytes], locale: str = "en-US", prices: str = "") -> Iterator[Calc]:
    """Calc in a throwaway profile with extensions installed, for a user with or without prices."""
    with user_folder() as folder:
        profile = new_profile(folder, locale)
        if prices:
            own_prices(folder, prices)
        for name, data in oxts.items():
            (folder / name).write_bytes(data)
            command = [program("unopkg"), "add", f"-env:UserInstallation={profile.as_uri()}"]
            run([*in_profile_of(folder), *command, os.fspath(folder / name)], folder=folder)
        calc = Calc(folder, profile)
        try:
            yield calc
        finally:
            calc.end()
