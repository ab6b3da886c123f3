"""Calendar days: dates, serial numbers, texts."""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from scalesheet.domains.cells import NOTHING_PLAIN, Plain, is_blank, spelled
from scalesheet.errors import CellError, CellInError, MissingValue, OutOfDomain, WrongType

SERIAL_ZERO = date(1899, 12, 30)
"""Day 0 of a spreadsheet's serial numbers, as they count since March 1900."""
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar day: a date cell, its serial number, or a text written year-month-day.

    >>> day = Date("the day")
    >>> day.read("as_of", 46295.75) == day.read("as_of", "2026-09-30") == date(2026, 9, 30)
    True
    """

    words: str
    low: date = FIRST_DAY
    high: date = LAST_DAY
    unit: str = "date"
    number_format: str = "yyyy-mm-dd"

    @property
    def rule(self) -> str:
        """The limits in words."""
        return f"a date from {self.low} to {self.high}"

    @property
    def plain(self) -> Plain:
        """Nothing: a number is a date only when it is read as one."""
        return NOTHING_PLAIN

    def read(self, name: str, value: object) -> date:
        """The day that a cell holds."""
        if is_blank(value):
            raise MissingValue(f"{name} is missing: enter {self.words} ({self.rule})")
        if isinstance(value, CellError):
            raise CellInError(name, value)
        if isinstance(value, datetime):
            return date(value.year, value.month, value.day)
        if isinstance(value, date):
            return value
        try:
            if isinstance(value, str):
                return datetime.strptime(value.strip(), "%Y-%m-%d").date()
            if not isinstance(value, bool) and hasattr(value, "__float__"):
                return SERIAL_ZERO + timedelta(math.floor(float(value)))
        except (OverflowError, ValueError):
            pass
        shown = spelled(value)
        raise WrongType(f"{name} must be a date, not {shown}: type DATE(2026,9,30) or 2026-09-30")

    def check(self, name: str, value: date) -> date:
        """The day itself, when it is within the limits."""
        if self.low <= value <= self.high:
            return value
        raise OutOfDomain(f"{name} must be {self.rule}, not {value}: type DATE(2026,9,30)")
