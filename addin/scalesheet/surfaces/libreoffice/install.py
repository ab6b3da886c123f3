"""The extension put into a user's LibreOffice and taken out again, by LibreOffice's own unopkg."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scalesheet.errors import ScalesheetError
from scalesheet.surfaces.libreoffice.extension import IDENTIFIER

SECONDS = 120
BY_HAND = (
    'build the file with "scalesheet addin build libreoffice -o scalesheet.oxt" and add it in '
    "Calc: Tools > Extension Manager > Add"
)

PLACES = (
    "/usr/lib/libreoffice/program/unopkg",
    "/usr/lib64/libreoffice/program/unopkg",
    "/opt/libreoffice*/program/unopkg",
    "/Applications/LibreOffice*.app/Contents/MacOS/unopkg",
    "~/Applications/LibreOffice*.app/Contents/MacOS/unopkg",
    "${ProgramFiles}/LibreOffice*/program/unopkg.com",
    "${ProgramFiles(x86)}/LibreOffice*/program/unopkg.com",
)
"""Where unopkg usually is when it is not on the PATH."""

SANDBOXES = {
    "Flatpak": (
        "/var/lib/flatpak/app/org.libreoffice.LibreOffice",
        "~/.local/share/flatpak/app/org.libreoffice.LibreOffice",
    ),
    "Snap": ("/snap/libreoffice", "/var/lib/snapd/snap/libreoffice"),
}
"""Folders of packages that keep LibreOffice, its unopkg and its profile to themselves."""

OPENED_WITH = {"Flatpak": "flatpak run org.libreoffice.LibreOffice", "Snap": "snap run libreoffice"}


class InstallError(ScalesheetError):
    """An extension that is not installed or removed; the text is one line."""


def install(oxt: Path, profile: Path | None = None) -> None:
    """Put the extension in, in place of an older one; the profile is the user's own unless given.

    LibreOffice has the functions from its next start on.
    """
    _unopkg("add", profile, "--force", os.path.abspath(oxt))


def uninstall(profile: Path | None = None) -> bool:
    """Take the extension out; whether there was one."""
    if installed(profile) is None:
        return False
    _unopkg("remove", profile, IDENTIFIER)
    return True


def installed(profile: Path | None = None) -> str | None:
    """The version of the extension that a profile holds."""
    listing = _unopkg("list", profile)
    found = re.search(rf"^Identifier: {re.escape(IDENTIFIER)}\s+Version: (\S+)", listing, re.M)
    return found[1] if found else None


def find_unopkg() -> str:
    """LibreOffice's program for extensions, of the newest release among those found."""
    on_path = shutil.which("unopkg")
    if on_path:
        return on_path
    found = [path for place in PLACES for path in glob.glob(_expanded(place))]
    if not found:
        raise InstallError(_why_not_found())
    return max(found, key=lambda path: [int(number) for number in re.findall(r"\d+", path)])


def user_profile() -> Path:
    """The folder of the user's own LibreOffice profile."""
    if sys.platform == "win32":
        return Path(_expanded("${APPDATA}/LibreOffice/4"))
    if sys.platform == "darwin":
        return Path(_expanded("~/Library/Application Support/LibreOffice/4"))
    return Path(os.environ.get("XDG_CONFIG_HOME") or _expanded("~/.config"), "libreoffice", "4")


def _expanded(place: str) -> str:
    return os.path.expanduser(os.path.expandvars(place))


def _why_not_found() -> str:
    for kind, places in SANDBOXES.items():
        if any(Path(_expanded(place)).exists() for place in places):
            return (
                f"LibreOffice is a {kind} here, which only itself can change: run "
                "scalesheet addin build libreoffice -o ~/scalesheet.oxt, "
                f"then {OPENED_WITH[kind]} ~/scalesheet.oxt, and confirm"
            )
    return (
        "LibreOffice is not found: install it or put the folder of its program unopkg on the PATH; "
        f"or {BY_HAND}"
    )


def _unopkg(command: str, profile: Path | None, *arguments: str) -> str:
    """What unopkg printed; InstallError when it refused."""
    program = find_unopkg()
    _refuse_running(profile)
    options = [f"-env:UserInstallation={profile.resolve().as_uri()}"] if profile else []
    # Not a pipe: an office that unopkg starts would hold it open.
    with tempfile.TemporaryFile() as printed:
        try:
            done = subprocess.run(
                [program, command, *options, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                # unopkg refuses to start in a folder that it may not enter.
                cwd=Path(program).parent,
            )
        except subprocess.TimeoutExpired:
            raise InstallError(
                f"{program} gave no answer in {SECONDS} s: end LibreOffice and try again"
            ) from None
        printed.seek(0)
        text = printed.read().decode(errors="replace")
    if done.returncode != 0:
        raise InstallError(_refusal(program, text))
    return text


def _refuse_running(profile: Path | None) -> None:
    """While LibreOffice runs, unopkg changes another profile, or nothing."""
    lock = (profile or user_profile()) / ".lock"
    if lock.exists():
        raise InstallError(
            f"LibreOffice is open: close it and try again (if it is not, delete {lock})"
        )


def _refusal(program: str, text: str) -> str:
    """Why unopkg refused, and what to do."""
    if "as root" in text:
        name = os.environ.get("SUDO_USER", "NAME")
        return (
            "LibreOffice takes no extension from root: run it as the user of Calc, "
            f"sudo -u {name} scalesheet addin install libreoffice; or {BY_HAND}"
        )
    if "com.sun.star.loader.Python" in text:
        return (
            "LibreOffice cannot run Python here: install its Python support (on Debian and Ubuntu "
            "the package python3-uno) and try again"
        )
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("ERROR: ")]
    said = lines[0].removeprefix("ERROR: ") if lines else "no reason given"
    return f"{program} failed: {said}: {BY_HAND}"
