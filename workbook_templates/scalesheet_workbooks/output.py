"""Files written whole or not at all."""

import contextlib
import os
import secrets
from pathlib import Path

from scalesheet.errors import ScalesheetError


class OutputError(ScalesheetError):
    """A file that is not written; the text is one line."""


def check_target(path: Path, force: bool) -> None:
    """OutputError when a file may not be written here; nothing is touched."""
    if path.is_dir():
        raise OutputError(f"{path}: is a folder: name a file in it")
    if path.exists() and not path.is_file():
        raise OutputError(f"{path}: is no ordinary file: name another one")
    if path.exists() and not force:
        raise OutputError(f"{path}: exists already: add --force to overwrite it")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}: make it first")


def write_whole(path: Path, data: bytes, force: bool = False) -> None:
    """Write a file so that at any moment either the old one or the new one is there.

    The data goes to a file beside it which then takes the name. An existing file is kept unless
    ``force``; a link stays a link. OutputError says in one line why nothing was written.
    """
    try:
        check_target(path, force)
        _replace(path.resolve(), data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        # Windows lets nobody replace a file that a spreadsheet program has open.
        open_elsewhere = os.name == "nt" and isinstance(error, PermissionError)
        remedy = "close it in other programs" if open_elsewhere else "name another folder or file"
        raise OutputError(f"{path}: cannot be written: {reason}: {remedy}") from None


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".scalesheet-{secrets.token_hex(6)}.tmp")
    try:
        # Not tempfile: its files are closed to everybody but the user, and this one stays.
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
