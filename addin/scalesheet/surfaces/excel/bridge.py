"""What our VBA calls, through xlwings' server for user-defined functions.

Python cannot hand an error value to Excel, so an error goes as its number, a whole number, and
VBA makes the error of it: all numbers of ours are floats. Nothing is raised here, for VBA takes an
error in a call as a lost connection.
"""

import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

import xlwings as xw

import scalesheet  # noqa: F401  (it fills the registry)
from scalesheet.errors import VALUE, CellError
from scalesheet.registry import REGISTRY
from scalesheet.surfaces import calls
from scalesheet.surfaces.deliveries import ERROR_NUMBERS
from scalesheet.surfaces.excel.help_page import html
from scalesheet.surfaces.excel.messages import MESSAGES

NUMBERS = {name: number for number, name in ERROR_NUMBERS.items()}
NAME_ERROR = NUMBERS["#NAME?"]
COMMANDS = ("new", "review")
COMMAND_SECONDS = 300
COMMAND = "from scalesheet_workbooks.cli import main; main(prog_name='scalesheet')"
NO_WINDOW = 0x08000000
"""subprocess.CREATE_NO_WINDOW, which only Python on Windows has."""
Rows = list[list[Any]]


@xw.func
@xw.arg("name", "raw")
@xw.arg("wholes", "raw")
@xw.arg("*arguments", "raw")
@xw.ret("raw")
def answer(name: Any, wholes: Any, *arguments: Any) -> Any:
    """Rows of values for one call of a worksheet function."""
    record = REGISTRY.get(name)
    if record is None:
        MESSAGES.add(f"{name} is newer than the installed package: pip install -U scalesheet")
        return [[NAME_ERROR]]
    try:
        result = calls.answer(record, arguments, MESSAGES.explain(name), wholes)
    except Exception as error:  # ours to mend, and not a reason to start Python again
        MESSAGES.add(f"{name}: a mistake in scalesheet, {type(error).__name__}: {error}")
        result = VALUE
    return numbered(result if isinstance(result, list) else [[result]])


def numbered(rows: Rows) -> Rows:
    """Rows with each error as its number."""
    kinds = {type(value) for row in rows for value in row}
    if CellError not in kinds:
        return rows
    return [
        [
            NUMBERS.get(value.code, NUMBERS["#VALUE!"]) if isinstance(value, CellError) else value
            for value in row
        ]
        for row in rows
    ]


@xw.func
@xw.arg("failure", "raw")
@xw.ret("raw")
def latest_errors(failure: Any) -> Any:
    """A column of the latest messages, that of VBA among them."""
    if failure:
        MESSAGES.add(str(failure))
    return [[message] for message in MESSAGES.latest()]


@xw.func
@xw.arg("*words", "raw")
@xw.ret("raw")
def command(*words: Any) -> Any:
    """A row of the exit code of the command scalesheet, and what it said.

    A review is opened as a page in the browser; that there are findings is no failure of it.
    """
    if not words or words[0] not in COMMANDS:
        return [[2.0, f"the ribbon runs {' and '.join(COMMANDS)} only"]]
    page = Path(tempfile.gettempdir(), "scalesheet review.html")
    shown = ("--format", "html", "-o", page, "--force", "--fail-on", "never")
    rest = shown if words[0] == "review" else ()
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", COMMAND, *map(str, (*words, *rest))],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=COMMAND_SECONDS,
            creationflags=NO_WINDOW if sys.platform == "win32" else 0,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return [[2.0, f"scalesheet {words[0]} could not be run: {error}"]]
    said = (done.stdout if done.returncode == 0 else done.stderr or done.stdout).strip()
    if rest and done.returncode == 0:
        webbrowser.open(page.as_uri())
    return [[float(done.returncode), said]]


@xw.func
@xw.arg("nothing", "raw")
@xw.ret("raw")
def help_page(nothing: Any) -> Any:
    """The place of the function reference, written anew as a page for a browser."""
    page = Path(tempfile.gettempdir(), "scalesheet functions.html")
    page.write_text(html(), encoding="utf-8")
    return [[str(page)]]
