"""Scenario files as TOML tables: what cannot be read is refused in one line, with its place."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scalesheet.errors import ScalesheetError

Table = Mapping[str, Any]

MAX_PROBLEMS = 20
NOT_ON_ONE_LINE = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode categories of control characters, halves of pairs, and ends of lines and paragraphs."""
WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How the bytes of a workbook begin: those of .xlsx and .ods, and those of .xls."""
NOT_IN_XML = "\ufffe\uffff"


class ScenarioError(ScalesheetError):
    """A scenario file that cannot be used: every problem found in it, one line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        lines = [cleaned(problem) for problem in problems]
        if len(lines) > MAX_PROBLEMS:
            rest = len(lines) - MAX_PROBLEMS + 1
            lines = [*lines[: MAX_PROBLEMS - 1], f"and {rest} more problems: mend these first"]
        super().__init__("\n".join(lines))
        self.problems = tuple(lines)


def file_text(path: Path) -> str:
    """The text of a file; a byte order mark, as some editors write it, is dropped."""
    try:
        if path.is_dir():
            raise ScenarioError([f"{path}: is a folder: name a scenario file (.toml)"])
        data = path.read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise ScenarioError([f"{path}: there is no such file: check the path"]) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ScenarioError([f"{path}: cannot be read: {reason}"]) from None
    except UnicodeDecodeError as error:
        if data.startswith(WORKBOOK_STARTS):
            raise ScenarioError(
                [f"{path.name}: is a workbook: give the scenarios as a text file (.toml)"]
            ) from None
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError(
            [f"{path.name}: line {line}: not UTF-8 text: save the file as UTF-8"]
        ) from None


def toml_tables(text: str, source: str) -> Table:
    """The tables in the text of a TOML file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError([f"{source}: {_syntax_problem(str(error), text)}"]) from None
    except RecursionError:
        raise ScenarioError([f"{source}: not TOML: brackets are nested too deeply"]) from None
    except ValueError:
        # Python reads no whole number of more than some thousand digits.
        raise ScenarioError([f"{source}: not TOML: a number has too many digits"]) from None


def _syntax_problem(message: str, text: str) -> str:
    """What the TOML reader says, with its place first and, for usual slips, the remedy last."""
    parts = re.fullmatch(r"(.+?) \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    if parts is None:
        return f"not TOML: {message}"
    said = parts[1][0].lower() + parts[1][1:]
    if parts[2] is None:
        return f"at the end of the file: not TOML: {said}"
    line, column = int(parts[2]), int(parts[3])
    written = text.split("\n")[line - 1]
    remedy = _number_remedy(written[: column - 1], written[column - 1 : column])
    return f"line {line}, column {column}: not TOML: {said}{remedy}"


def _number_remedy(before: str, at: str) -> str:
    """How to write a number that has a percent sign or a comma in it."""
    digits = re.search(r"[\d.]*\d$", before.rstrip())
    if digits is None:
        return ""
    if at == "%":
        return f": write {float(digits[0]) / 100:.15g}, not {digits[0]}%"
    return ": write numbers without commas, as 1000 or 2.5" if at == "," else ""


def cleaned(text: str) -> str:
    """A text with a space for each control character, line end and character XML cannot hold.

    >>> cleaned(" =A1\\tor\\n\\x1b[1mso\\ufffe ")
    '=A1 or  [1mso'
    """
    return "".join(" " if _is_unheld(character) else character for character in text).strip()


def _is_unheld(character: str) -> bool:
    return character in NOT_IN_XML or unicodedata.category(character) in NOT_ON_ONE_LINE
