"""Numbers: alone (``Quantity``), or a range of them taken as a whole (``Vector``)."""

import math
from dataclasses import dataclass

from scalesheet.domains.cells import Plain, is_blank, spelled
from scalesheet.errors import CellError, CellInError, MissingValue, OutOfDomain, WrongType

SURELY_PERCENT = 2
"""A fraction typed as this or more was meant in percent; 1.6 may be a slip of another kind."""
WHOLE_TOLERANCE = 1e-9
"""A count this close to a whole number is taken as that number."""
WHOLE_SLACK = 1e-12
"""A need this little above a whole number, relatively, is float noise and not one more."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, its hard limits, its usual band and its number format.

    Shapes: a scalar. Hard limits are refused everywhere; outside ``usual`` is only remarked on.
    """

    words: str
    unit: str
    number_format: str
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    whole: bool = False
    usual: tuple[float, float] | None = None

    @property
    def is_fraction(self) -> bool:
        """Whether cells show it as a percentage."""
        return "%" in self.number_format

    @property
    def rule(self) -> str:
        """The hard limits in words, as validations and messages print them.

        >>> Quantity("a share", "share", "0.0%", 0.01, 1.5).rule
        'from 0.01 to 1.5'
        >>> Quantity("servers", "nodes", "0", 1, 1e7, whole=True).rule
        'a whole number from 1 to 10,000,000'
        """
        kind = "a whole number " if self.whole else ""
        above = "above" if self.low_open else "from"
        below = ("and below" if self.low_open else "to below") if self.high_open else "to"
        return f"{kind}{above} {spelled(self.low)} {below} {spelled(self.high)}"

    @property
    def plain(self) -> Plain:
        """What is taken without a second look: any number between the limits."""
        return self.low, self.high, self.whole, frozenset()

    def read(self, name: str, value: object, *, in_cell: bool = True) -> float:
        """The number in a cell or, with its own remedies, in a data file; whatever its size."""
        if type(value) is float:
            return value
        if is_blank(value):
            raise MissingValue(f"{name} is missing: enter {self.words} ({self.rule})")
        if isinstance(value, CellError):
            raise CellInError(name, value)
        if isinstance(value, bool) or not hasattr(value, "__float__"):
            raise WrongType(
                f"{name} must be a number, not {spelled(value, in_cell=in_cell)}"
                f"{_text_remedy(self, value, in_cell)}"
            )
        try:
            return float(value)
        except OverflowError:
            return math.inf

    def check(self, name: str, value: float, *, in_cell: bool = True) -> float:
        """The number itself, or the whole number it stands for, when it is within the limits."""
        if self.admits(value):
            return value
        if self.whole and abs(value - round_half_up(value)) <= WHOLE_TOLERANCE:
            value = round_half_up(value)
            if self.admits(value):
                return value
        raise OutOfDomain(self.refusal(name, value, in_cell=in_cell))

    def admits(self, value: float) -> bool:
        """Whether a number is inside the hard limits."""
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return above and below and (not self.whole or value == math.floor(value))

    def _reads_as_percent(self, value: float) -> bool:
        """Whether a number that is refused was plainly meant as a percentage."""
        share = value / 100
        usual = self.usual is not None and self.usual[0] <= share <= self.usual[1]
        return self.is_fraction and self.admits(share) and (usual or value >= SURELY_PERCENT)

    def refusal(self, name: str, value: float, *, in_cell: bool = True) -> str:
        """The one line that says why a number is refused and what to type instead."""
        remedy = ""
        if self._reads_as_percent(value):
            remedy = f": {_percent_remedy(f'{value:.15g}', value / 100, in_cell)}"
        elif self.whole and math.isfinite(value) and value != math.floor(value):
            whole = float(min(max(self.low, math.ceil(value)), self.high))
            remedy = f": round it, for example to {spelled(whole, in_cell=in_cell)}"
        if not math.isfinite(value):
            return f"{name} must be a number, not {value}: enter {self.words}"
        return f"{name} must be {self.rule}, not {spelled(value, in_cell=in_cell)}{remedy}"


@dataclass(frozen=True, slots=True)
class Vector:
    """A range taken as a whole: a row, a column or a block of numbers, read row by row.

    Blanks are left out, in pairs with those of the other ranges; a ``count`` of numbers that must
    be there allows none.

    >>> nodes = Vector(Quantity("servers", "nodes", "0", 1, 1e7), "the measured numbers of nodes")
    >>> nodes.read("nodes", [[1, 2], [4, None]])
    (1.0, 2.0, 4.0, None)
    """

    item: Quantity
    words: str
    count: int = 0

    @property
    def unit(self) -> str:
        """The unit of each number."""
        return self.item.unit

    @property
    def rule(self) -> str:
        """The limits of each number in words."""
        return f"each {self.item.rule}"

    def read(self, name: str, value: object) -> tuple[float | None, ...]:
        """The numbers of a range in reading order; a blank stays a blank."""
        rows = value if isinstance(value, (list, tuple)) else (value,)
        flat = [
            cell for row in rows for cell in (row if isinstance(row, (list, tuple)) else (row,))
        ]
        if all(type(cell) is float for cell in flat):
            return tuple(flat)
        return tuple(
            None if is_blank(cell) else self.item.read(f"{name} (item {place})", cell)
            for place, cell in enumerate(flat, 1)
        )

    def check(self, name: str, value: tuple[float | None, ...]) -> tuple[float | None, ...]:
        """The numbers, each within the limits, at least one of them; blanks stay blanks."""
        if all(cell is None for cell in value):
            raise MissingValue(f"{name} is missing: select a range with {self.words}")
        if self.count and (len(value) != self.count or None in value):
            filled = sum(cell is not None for cell in value)
            cells = f" in {len(value)} cells" if filled == self.count else ""
            raise MissingValue(f"{name} needs {self.words}; {filled} given{cells}")
        if all(cell is not None and self.item.admits(cell) for cell in value):
            return value
        return tuple(
            None if cell is None else self.item.check(f"{name} (item {place})", cell)
            for place, cell in enumerate(value, 1)
        )


def round_half_up(value: float) -> float:
    """The nearest whole number as a float; infinities and NaN stay what they are."""
    return float(math.floor(value + 0.5)) if math.isfinite(value) else value


def _percent_remedy(percent: str, share: float, in_cell: bool) -> str:
    """What to type where a share was meant; only a cell takes the percent sign."""
    return f"type {percent}% or {share:.15g}" if in_cell else f"write {share:.15g}"


def _text_remedy(quantity: Quantity, value: object, in_cell: bool) -> str:
    """What to type instead of a text that was meant as a number."""
    if not isinstance(value, str):
        return ""
    typed = value.strip()
    percent = typed[:-1].rstrip() if typed.endswith("%") else typed
    if not percent.isascii() or "_" in percent:
        return ""  # a number to Python, not to a spreadsheet
    try:
        number = float(percent)
    except ValueError:
        return ""
    if percent == typed and quantity.admits(number):
        return f": {'type' if in_cell else 'write'} {percent} without quotes"
    if quantity.is_fraction and quantity.admits(number / 100):
        return f": {_percent_remedy(percent, number / 100, in_cell)} without quotes"
    return ""
