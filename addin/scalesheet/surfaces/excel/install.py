"""The add-in put where Excel for Windows loads it, and taken away again.

Excel opens every file in the user's XLSTART folder when it starts, and trusts what lies there, so
nothing is registered and nothing asks. The interpreter that installs is written down for the
add-in to start: a file of xlwings' form in the user's own folder, which is all that is read.
"""

import csv
import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scalesheet.errors import ScalesheetError
from scalesheet.surfaces.excel.xlam import PROJECT, BuildError, Versions, built_with

FILE_NAME = "scalesheet.xlam"
INTERPRETER = "INTERPRETER_WIN"
ELSEWHERE = (
    "use the LAMBDA names of scalesheet new training_run_budget in Excel for Microsoft 365, or "
    "scalesheet addin install libreoffice"
)


class InstallError(ScalesheetError):
    """An add-in that is not installed or removed; the text is one line."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where Excel looks for the add-in, and the add-in for its settings."""

    xlam: Path
    settings: Path


def places() -> Places:
    """The places of this user; InstallError where no Excel runs these functions."""
    if sys.platform != "win32":
        system = "macOS" if sys.platform == "darwin" else "this system"
        raise InstallError(
            f"Excel on {system} runs no functions of xlwings, which need Windows: {ELSEWHERE}"
        )
    return places_in(Path(os.environ["APPDATA"]), Path(os.environ["USERPROFILE"]))


def places_in(app_data: Path, home: Path) -> Places:
    """The places under a user's two folders."""
    return Places(
        app_data / "Microsoft" / "Excel" / "XLSTART" / FILE_NAME,
        home / f".{PROJECT}" / f"{PROJECT}.conf",
    )


def install(
    xlam: bytes, interpreter: Path, where: Places, write: Callable[[Path, bytes], None]
) -> None:
    """Put the add-in in place of an older one, and write down the interpreter.

    ``write`` writes a file whole; an Excel that runs keeps the old one open.
    """
    for path in (where.xlam, where.settings):
        path.parent.mkdir(parents=True, exist_ok=True)
    write(where.xlam, xlam)
    rows = [row for row in _settings(where) if row[0] != INTERPRETER]
    _write_settings(where, [*rows, [INTERPRETER, _portable(interpreter, where)]])


def uninstall(where: Places) -> bool:
    """Take the add-in away and what was written down for it; whether there was one."""
    rows = _settings(where)
    kept = [row for row in rows if row[0] != INTERPRETER]
    found = where.xlam.exists()
    try:
        where.xlam.unlink(missing_ok=True)
    except PermissionError:
        raise InstallError("Excel has the add-in open: close Excel and try again") from None
    if kept:
        _write_settings(where, kept)
    else:
        where.settings.unlink(missing_ok=True)
        if where.settings.parent.is_dir() and not any(where.settings.parent.iterdir()):
            where.settings.parent.rmdir()
    return found or kept != rows


def installed(where: Places) -> Versions | None:
    """What the installed add-in was built with; None when there is none."""
    try:
        return built_with(where.xlam.read_bytes())
    except FileNotFoundError:
        return None
    except BuildError as error:
        raise InstallError(f"{where.xlam}: {error}: delete it and install again") from None


def interpreter(where: Places) -> Path | None:
    """The interpreter that the add-in starts."""
    for row in _settings(where):
        if row[0] == INTERPRETER and len(row) > 1:
            return Path(row[1].replace("%USERPROFILE%", str(where.settings.parent.parent)))
    return None


def _portable(interpreter: Path, where: Places) -> str:
    """A path by way of the user's folder: the file is read in Windows' own code page."""
    home = where.settings.parent.parent
    if interpreter.is_relative_to(home):
        return str(Path("%USERPROFILE%", interpreter.relative_to(home)))
    return str(interpreter)


def _settings(where: Places) -> list[list[str]]:
    try:
        text = where.settings.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    return [row for row in csv.reader(io.StringIO(text)) if row]


def _write_settings(where: Places, rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    where.settings.write_text(text.getvalue(), encoding="utf-8", newline="")
