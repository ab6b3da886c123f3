"""One line of a data file, read cell by cell; what is wrong is one line with file and line."""

import csv
import datetime
import io
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from scalesheet.errors import ScalesheetError

PLAIN_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class CatalogError(ScalesheetError):
    """A data file that cannot be used: file, line, what is wrong and the remedy."""


def iso_date(text: str) -> datetime.date:
    """The day that a text like 2026-09-06 names; ValueError for anything less than a day.

    >>> iso_date("2026-09-06")
    datetime.date(2026, 9, 6)
    """
    if ISO_DATE.fullmatch(text) is None:
        raise ValueError(text)
    return datetime.date.fromisoformat(text)


class Cells:
    """The cells of one line by the names of their columns."""

    def __init__(self, place: str, values: dict[str, str]) -> None:
        self.place = place
        self.values = values

    def refusal(self, problem: str) -> CatalogError:
        """The error that says where."""
        return CatalogError(f"{self.place}: {problem}")

    def text(self, column: str) -> str:
        """The text of a cell, without spaces around it; empty when it or its column is missing."""
        return self.values.get(column, "").strip()

    def needed(self, column: str) -> str:
        """The text of a cell that may not be empty."""
        text = self.text(column)
        if not text:
            raise self.refusal(f"{column} is missing: fill it in")
        return text

    def choice(self, column: str, known: Sequence[str]) -> str:
        """A text out of a list."""
        text = self.needed(column)
        if text not in known:
            raise self.refusal(f'{column} must be one of {", ".join(known)}, not "{text}"')
        return text

    def number(self, column: str) -> float:
        """A number above zero."""
        text = self.needed(column)
        value = float(text) if PLAIN_NUMBER.fullmatch(text) else math.nan
        if not (value > 0 and math.isfinite(value)):
            raise self.refusal(f'{column} must be a number above 0, not "{text}": write it plainly')
        return value

    def maybe_number(self, column: str) -> float | None:
        """A number above zero, or None for an empty cell."""
        return self.number(column) if self.text(column) else None

    def count(self, column: str) -> int:
        """A whole number from 1."""
        value = self.number(column)
        if value != math.floor(value):
            raise self.refusal(f"{column} must be a whole number, not {value:g}")
        return int(value)

    def maybe_count(self, column: str) -> int | None:
        """A whole number from 1, or None for an empty cell."""
        return self.count(column) if self.text(column) else None

    def day(self, column: str) -> datetime.date:
        """A full date."""
        text = self.needed(column)
        try:
            return iso_date(text)
        except ValueError:
            raise self.refusal(
                f'{column} must be a date like 2026-09-06, not "{text}": where only the month is '
                "known, take its first day"
            ) from None


def lines(path: Path, columns: Sequence[str]) -> Iterator[Cells]:
    """The lines of a CSV file in UTF-8 that has these columns, blank ones left out."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CatalogError(f"{path}: not UTF-8 text: save the file as CSV UTF-8") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CatalogError(f"{path}: cannot be read: {reason}") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip() for name in next(reader, [])]
        missing = [column for column in columns if column not in header]
        if missing:
            raise CatalogError(f"{path.name}: line 1: there is no column {missing[0]}: add it")
        for values in reader:
            place = f"{path.name}: line {reader.line_num}"
            if not any(value.strip() for value in values):
                continue
            if len(values) != len(header):
                raise CatalogError(
                    f"{place}: there are {len(values)} cells and {len(header)} columns: "
                    "put a text with a comma in double quotes"
                )
            yield Cells(place, dict(zip(header, values, strict=True)))
    except csv.Error as error:
        raise CatalogError(f"{path.name}: line {reader.line_num}: not CSV: {error}") from None
