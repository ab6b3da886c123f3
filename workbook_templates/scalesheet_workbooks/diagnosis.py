"""What is installed and what would work here, each with its remedy; no question of it can fail."""

import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from scalesheet.errors import ScalesheetError
from scalesheet.surfaces.excel import install as excel
from scalesheet.surfaces.excel.xlam import Versions
from scalesheet.surfaces.libreoffice import install as libreoffice

State = Literal["good", "absent", "broken"]
INSTALLED, WORKS = "Installed", "Where the functions work"
ON_WINDOWS = sys.platform == "win32"
LAMBDAS = "training_run_budget"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it stands, why, and what to do."""

    heading: str
    subject: str
    state: State
    text: str


Answer = tuple[State, str]


def findings() -> Iterator[Finding]:
    """Everything there is to say about this machine."""
    parts = {subject: asked(ask) for subject, ask in PARTS.items()}
    for subject, answer in parts.items():
        yield Finding(INSTALLED, subject, *answer)
    for subject, ask in ANYWHERE.items():
        yield Finding(WORKS, subject, *asked(ask))
    for subject, needed in SURFACES.items():
        yield Finding(WORKS, subject, *_surface(needed, parts))


def asked(ask: Callable[[], Answer]) -> Answer:
    """The answer to one question, that it cannot be answered among them."""
    try:
        return ask()
    except ScalesheetError as error:
        return "broken", str(error)
    except Exception as error:  # a doctor that falls ill helps nobody
        said = " ".join(f"{type(error).__name__}: {error}".split())
        return "broken", f"cannot be told: {said}"


# --- What is installed ---------------------------------------------------------------------------


def _python() -> Answer:
    bits = "64-bit" if sys.maxsize > 2**32 else "32-bit"
    return "good", f"{platform.python_version()}, {bits}: {sys.executable}"


def _package() -> Answer:
    return "good", metadata.version("scalesheet")


def _optional(name: str, purpose: str) -> Callable[[], Answer]:
    def ask() -> Answer:
        try:
            return "good", f"{metadata.version(name)}, {purpose}"
        except metadata.PackageNotFoundError:
            return "absent", f"not installed; {purpose}: pip install {name}"

    return ask


def _xlwings() -> Answer:
    try:
        version = metadata.version("xlwings")
    except metadata.PackageNotFoundError:
        return "broken", "not installed: pip install xlwings"
    if not ON_WINDOWS:
        return "good", f"{version}; its functions need Windows"
    if find_spec("win32com") is None:
        return "broken", f"{version}, without pywin32, which it needs: pip install pywin32"
    library = f"xlwings{'64' if sys.maxsize > 2**32 else '32'}-{version}.dll"
    if not Path(sys.prefix, library).is_file():
        return "broken", f"{version}, without {library}: pip install --force-reinstall xlwings"
    return "good", version


def _excel() -> Answer:
    if sys.platform != "win32":
        return "absent", "xlwings' functions run in Excel for Windows only"
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_CLASSES_ROOT, r"Excel.Application\CurVer") as key:
            return "good", f"version {str(winreg.QueryValue(key, None)).rpartition('.')[2]}"
    except OSError:
        return "absent", "not installed as a desktop program: install it for =TRAIN_COST() there"


def _excel_addin() -> Answer:
    if not ON_WINDOWS:
        return "absent", "for Excel on Windows only"
    where = excel.places()
    versions = excel.installed(where)
    if versions is None:
        return "absent", "not installed: scalesheet addin install excel"
    return check_addin(versions, excel.interpreter(where))


def check_addin(versions: Versions, interpreter: Path | None) -> Answer:
    """Whether an installed add-in fits the packages that it will find."""
    again = "run scalesheet addin install excel"
    if versions.xlwings != metadata.version("xlwings"):
        have = metadata.version("xlwings")
        return "broken", f"built with xlwings {versions.xlwings}, and {have} is installed: {again}"
    if versions.scalesheet != metadata.version("scalesheet"):
        return "broken", f"of scalesheet {versions.scalesheet}, an other one: {again}"
    if interpreter is None:
        return "broken", f"no Python is written down for it: {again}"
    if not interpreter.is_file():
        return "broken", f"its Python is gone, {interpreter}: {again}"
    if not os.path.samefile(interpreter, sys.executable):
        return "good", f"starts {interpreter}, which is not the Python that answers here"
    return "good", f"scalesheet {versions.scalesheet} with xlwings {versions.xlwings}"


def _libreoffice() -> Answer:
    try:
        return "good", libreoffice.find_unopkg()
    except libreoffice.InstallError as error:
        return "absent", str(error)


def _extension() -> Answer:
    if not libreoffice.user_profile().is_dir():
        return "absent", "not installed: scalesheet addin install libreoffice"
    try:
        version = libreoffice.installed()
    except libreoffice.InstallError as error:
        return "absent", str(error)
    if version is None:
        return "absent", "not installed: scalesheet addin install libreoffice"
    if version != metadata.version("scalesheet"):
        have = metadata.version("scalesheet")
        return "broken", f"{version}, and {have} is here: scalesheet addin install libreoffice"
    return "good", version


PARTS: dict[str, Callable[[], Answer]] = {
    "Python": _python,
    "scalesheet": _package,
    "xlwings": _xlwings,
    "numpy": _optional("numpy", "for whole columns at once and fits"),
    "formulon": _optional("formulon", "for the tests"),
    "ironcalc": _optional("ironcalc", "for the tests"),
    "Excel": _excel,
    "Excel add-in": _excel_addin,
    "LibreOffice": _libreoffice,
    "LibreOffice add-in": _extension,
}

# --- Where the functions work --------------------------------------------------------------------


def _in_python() -> Answer:
    return "good", "import scalesheet; scalesheet eval '=GPU_HOURS(64,120,80%)'"


def _in_workbooks() -> Answer:
    return "good", "plain formulas, in every program: scalesheet new training_run_budget -o b.xlsx"


def _as_lambdas() -> Answer:
    return "good", f"in Excel for Microsoft 365 on any system, in workbooks of {LAMBDAS}"


ANYWHERE: dict[str, Callable[[], Answer]] = {
    "Python": _in_python,
    "Budget workbooks": _in_workbooks,
    "LAMBDA names": _as_lambdas,
}
SURFACES = {
    "Excel on Windows": ("xlwings", "Excel", "Excel add-in"),
    "LibreOffice Calc": ("LibreOffice", "LibreOffice add-in"),
}
"""What each surface needs, the first first."""


def _surface(needed: Sequence[str], parts: Mapping[str, Answer]) -> Answer:
    """A surface works when all that it needs does; the line of what does not says the remedy."""
    missing = [part for part in needed if parts[part][0] != "good"]
    if missing:
        return "absent", f"see {' and '.join(missing)} above"
    return "good", "type =TRAIN_COST( in a cell"
