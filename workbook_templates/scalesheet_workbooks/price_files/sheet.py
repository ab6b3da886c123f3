"""A price list as a table of texts, and its numbers read strictly.

Whatever can mean two things is refused: a number that was read wrong is worse than none.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.scenario_text import cleaned

DELIMITERS = (",", ";", "\t")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
AMBIGUOUS_DIGITS = 3
"""As many digits after a comma may be thousandths or the next three places."""

PLAIN = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|\.[0-9]+")
WITH_COMMA = re.compile(r"-?([0-9]+),([0-9]+)")
RANGE = re.compile(r"[0-9]\s*(-|–|—|\.\.|…|to)\s*[$€£]?\s*[0-9]")
CURRENCY = re.compile(r"[$€£¥₹]|\b[A-Za-z]{3}\b")
NO_NUMBER = {"nan", "inf", "-inf", "infinity", "n/a", "na", "none", "null", "-", "?", "tbd"}


class PriceFileError(ScalesheetError):
    """A price list that cannot be used: every problem found in it, one line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class Wrong(ValueError):
    """What is wrong with one cell, and the remedy; the place is put before it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a price list: its number in the file and its cells by column."""

    number: int
    cells: dict[str, str]

    def text(self, column: str) -> str:
        """The text of a cell, empty when it or its column is missing."""
        return self.cells.get(column, "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A price list as it is written; ``crooked`` are the lines that do not fit the header."""

    name: str
    path: Path
    header: tuple[str, ...]
    lines: tuple[Line, ...]
    crooked: tuple[tuple[int, str], ...]
    decimal_comma: bool

    def number(self, line: Line, column: str) -> float | None:
        """The number above zero in a cell, None for an empty one; Wrong for anything else."""
        text = line.text(column)
        if not text:
            return None
        try:
            value = strict_number(text, self.decimal_comma)
        except Wrong as wrong:
            raise Wrong(f"{column} {wrong}") from None
        if value <= 0:
            unknown = ": leave the cell empty where it is not known" if value == 0 else ""
            raise Wrong(f"{column} must be above 0, not {text}{unknown}")
        return value


def strict_number(text: str, decimal_comma: bool = False) -> float:
    """The number that a text can only mean; Wrong says why it cannot be told.

    >>> strict_number("2.95"), strict_number("2,95", decimal_comma=True)
    (2.95, 2.95)
    >>> strict_number("1,234")
    Traceback (most recent call last):
    scalesheet_workbooks.price_files.sheet.Wrong: is "1,234", which can be 1234 or 1.234: ...
    """
    if PLAIN.fullmatch(text):
        if decimal_comma and "." in text:
            raise Wrong(f'is "{text}" in a file with decimal commas: write all numbers one way')
        return float(text)
    comma = WITH_COMMA.fullmatch(text)
    if comma and len(comma[2]) == AMBIGUOUS_DIGITS:
        plain, point = text.replace(",", ""), text.replace(",", ".")
        raise Wrong(f'is "{text}", which can be {plain} or {point}: write the one that you mean')
    if comma and decimal_comma:
        return float(text.replace(",", "."))
    if comma:
        raise Wrong(f'is "{text}", with a comma: write {text.replace(",", ".")}')
    shown = text if len(text) <= 40 else text[:37] + "..."
    if text.lower() in NO_NUMBER:
        raise Wrong(f'is "{shown}": leave the cell empty where nothing is known')
    if RANGE.search(text):
        raise Wrong(f'is "{shown}", a range: write one number')
    if re.fullmatch(r"[0-9.,' ]+", text):
        raise Wrong(f'is "{shown}": write it without separators of thousands, as 1234.56')
    if CURRENCY.search(text):
        raise Wrong(
            f'is "{shown}": write the number alone and the currency in the unit, as USD/GPU-h'
        )
    raise Wrong(f'is "{shown}", not a number')


def read_sheet(path: Path) -> Sheet:
    """The table in a file; PriceFileError when it is no table of text."""
    text = _text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines, crooked = [], []
    header: tuple[str, ...] = ()
    number = 1
    try:
        header = tuple(name.strip().lower() for name in next(reader, []))
        number = reader.line_num + 1
        for cells in reader:
            values = [cleaned(cell) for cell in cells]
            if len(values) == len(header):
                if any(values):
                    lines.append(Line(number, dict(zip(header, values, strict=True))))
            elif any(values):
                crooked.append((number, _crooked(len(values), len(header))))
            number = reader.line_num + 1
    except csv.Error as error:
        raise PriceFileError([f"{path.name}: line {number}: not CSV: {error}"]) from None
    twice = [name for name in dict.fromkeys(header) if name and header.count(name) > 1]
    if twice:
        raise PriceFileError([f"{path.name}: line 1: column {twice[0]} is there twice: drop one"])
    commas = delimiter != "," and any(
        match and len(match[2]) != AMBIGUOUS_DIGITS
        for line in lines
        for match in map(WITH_COMMA.fullmatch, line.cells.values())
    )
    return Sheet(path.name, path, header, tuple(lines), tuple(crooked), commas)


def _crooked(cells: int, columns: int) -> str:
    what = f"there are {cells} cells and {columns} columns"
    if cells > columns:
        return f"{what}: write numbers without commas, and texts with commas in double quotes"
    return f"{what}: fill in the missing ones, empty ones too"


def _text(path: Path) -> str:
    try:
        if path.is_dir():
            raise PriceFileError([f"{path}: is a folder: name a file in it"])
        data = path.read_bytes()
    except FileNotFoundError:
        raise PriceFileError([f"{path}: there is no such file: check the path"]) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PriceFileError([f"{path}: cannot be read: {reason}"]) from None
    if data.startswith(UTF_16) or b"\0" in data:
        raise PriceFileError([f"{path.name}: not plain text: save it as CSV UTF-8"])
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PriceFileError(
            [f"{path.name}: line {line}: not UTF-8 text: save the file as CSV UTF-8"]
        ) from None
