"""What every format of price list comes down to, and how a reader of one notes it."""

import datetime
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scalesheet.catalog import Catalog, Gpu, find_gpu
from scalesheet.catalog.cells import iso_date
from scalesheet.catalog.names import folded_name
from scalesheet.errors import ScalesheetError, UnknownChoice
from scalesheet_workbooks.price_files.sheet import Line, Sheet, Wrong

USD = "USD"
MEMORY_TOLERANCE = 0.1
"""GB and GiB of one part differ by less, the parts of one name by more."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One price as its source has it: before it is divided and converted."""

    line: int
    gpu: str
    provider: str
    term: str
    price: float
    currency: str
    per: str
    gpus: int
    as_of: datetime.date
    region: str = ""
    instance: str = ""
    source: str = ""
    confidence: str = "read"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """What one unit of a currency costs in USD, and of which day."""

    usd: float
    day: datetime.date | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a user says of a file that the file does not say itself."""

    today: datetime.date
    as_of: datetime.date | None = None
    provider: str = ""
    source: str = ""
    region: str = ""
    rates: Mapping[str, Rate] = field(default_factory=dict)


class Reader:
    """Takes what a format finds: offers, problems with their lines, and what was left out."""

    def __init__(self, sheet: Sheet, terms: Terms, base: Catalog) -> None:
        self.sheet = sheet
        self.terms = terms
        self.base = base
        self.offers: list[Offer] = []
        self.problems: list[tuple[int, str]] = list(sheet.crooked)
        self.remarks: list[str] = []
        self.unknown: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self._known: dict[tuple[str, float | None], str] = {}

    def refuse(self, line: Line, problem: object) -> None:
        """Note a problem in a line."""
        self.problems.append((line.number, str(problem)))

    def count(self, line: Line, column: str) -> int:
        """The GPUs of an instance; Wrong when they are missing or not whole."""
        gpus = self.sheet.number(line, column)
        if gpus is None:
            raise Wrong(f"{column} is missing: how many GPUs does the price cover?")
        if gpus != int(gpus):
            raise Wrong(
                f"{column} must be whole, not {gpus:g}: a share of a GPU has no price per GPU"
            )
        return int(gpus)

    def gpu(self, text: str, memory_gb: float | None = None) -> str | None:
        """The catalog's name for a GPU of a list, None (and counted) for one that it has not.

        Wrong when the memory says that it is another part than the name.
        """
        key = text, memory_gb
        if text in self.unknown:
            self.unknown[text] += 1
            return None
        if key not in self._known:
            try:
                self._known[key] = self._part(text, memory_gb)
            except UnknownChoice:
                self.unknown[text] += 1
                return None
        return self._known[key]

    def _part(self, text: str, memory_gb: float | None) -> str:
        row = find_gpu(text, self.base)
        if memory_gb is None or _fits(row, memory_gb):
            return row.id
        stem = row.id.split("-")[0]
        for other in self.base.gpus:
            if other.id.split("-")[0] == stem and _fits(other, memory_gb):
                return other.id
        raise Wrong(
            f"{text} with {memory_gb:g} GB is not in the catalog, whose {row.id} has "
            f"{row.memory_gb:g} GB: correct the name or the memory"
        )

    def day(self, text: str = "") -> datetime.date:
        """The date of a price: of its line, or else of the whole file."""
        day = self.terms.as_of
        if text:
            try:
                day = iso_date(text)
            except ValueError:
                raise Wrong(f'as_of must be a date like 2026-09-06, not "{text}"') from None
        if day is None:
            raise Wrong("as_of is missing: add --as-of DATE, the day of these prices")
        if day > self.terms.today:
            raise Wrong(f"as_of {day} is yet to come: write the day of the price list")
        return day


def _fits(gpu: Gpu, memory_gb: float) -> bool:
    return abs(gpu.memory_gb - memory_gb) <= MEMORY_TOLERANCE * gpu.memory_gb


def same_name(one: str, other: str) -> bool:
    """Whether two names differ in case, spaces and hyphens only.

    >>> same_name("us-east-1", "US East 1")
    True
    """
    return folded_name(one) == folded_name(other)


def words(error: ScalesheetError | Wrong) -> str:
    """What an error says, as one line."""
    return " ".join(str(error).split())
