"""The add-in put where Excel for Windows loads it, and taken away again.

Excel opens every file in the user's XLSTART folder when it starts, and trusts what lies there, so
nothing is registered and nothing asks. The interpreter that installs is written down in a file in
the user's own folder, and that is the one that the add-in starts.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scalesheet.errors import ScalesheetError
from scalesheet.surfaces.excel.xlam import PROJECT, Versions, built_with
from scalesheet.surfaces.excel.xlwings_support import BuildError

FILE_NAME = "scalesheet.xlam"
ENCODING = "utf-16"
"""What VBA reads whatever letters a path has."""
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
        home / f".{PROJECT}" / "python.txt",
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
    write(where.settings, f"{interpreter}\r\n".encode(ENCODING))


def uninstall(where: Places) -> bool:
    """Take the add-in away and what was written down for it; whether there was one."""
    found = where.xlam.exists() or where.settings.exists()
    try:
        where.xlam.unlink(missing_ok=True)
    except PermissionError:
        raise InstallError("Excel has the add-in open: close Excel and try again") from None
    where.settings.unlink(missing_ok=True)
    folder = where.settings.parent
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return found


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
    try:
        return Path(where.settings.read_bytes().decode(ENCODING).strip())
    except FileNotFoundError:
        return None
