"""Names: one of a closed list (``Choice``), or of a list that grows (``Name``).

Case does not count and spaces are folded as Excel's TRIM folds them; otherwise a name must be
exact: no wildcards, and a no-break space is not a space.
"""

import math
from dataclasses import dataclass, field

from scalesheet.domains.cells import NOTHING_PLAIN, Plain, is_blank, spelled
from scalesheet.errors import CellError, CellInError, MissingValue, UnknownChoice, WrongType


@dataclass(frozen=True, slots=True)
class Choice:
    """A text from a closed list; each option has a short name and a long one.

    ``elsewhere`` says what to do without any of them.

    >>> fabric = Choice("the fabric", (("NDR", "InfiniBand NDR 400 Gb/s"),), "for others type LOSS")
    >>> fabric.read("fabric", " infiniband  ndr 400 Gb/s")
    'NDR'
    """

    words: str
    options: tuple[tuple[str, str], ...]
    elsewhere: str
    unit: str = "name"
    number_format: str = "@"
    spellings: dict[str, str] = field(init=False, repr=False, compare=False)
    """Every accepted spelling, folded, with the short name that it stands for."""

    def __post_init__(self) -> None:
        pairs = [(text, short) for short, long in self.options for text in (short, long)]
        object.__setattr__(self, "spellings", {folded(text): short for text, short in pairs})

    @property
    def rule(self) -> str:
        """The known names in words."""
        return "one of " + ", ".join(short for short, _ in self.options)

    @property
    def plain(self) -> Plain:
        """What is taken without a second look: a short name as it stands in the list."""
        return math.inf, -math.inf, False, frozenset(short for short, _ in self.options)

    def read(self, name: str, value: object) -> str:
        """The short name of a known option."""
        text = _text_in(self, name, value)
        try:
            return self.spellings[folded(text)]
        except KeyError:
            raise UnknownChoice(
                f"{name} must be {self.rule}, not {spelled(text)}; {self.elsewhere}"
            ) from None

    def check(self, name: str, value: str) -> str:
        """The name itself: a known name needs no further test."""
        return value


@dataclass(frozen=True, slots=True)
class Name:
    """A text from an open list, which the function looks up itself (a GPU, a provider).

    >>> Name("who rents it out", "AWS").read("provider", " Lambda  Labs ")
    'Lambda Labs'
    """

    words: str
    example: str
    unit: str = "name"
    number_format: str = "@"

    @property
    def rule(self) -> str:
        """What it looks like."""
        return f'a name such as "{self.example}"'

    @property
    def plain(self) -> Plain:
        """Nothing: every name is looked up."""
        return NOTHING_PLAIN

    def read(self, name: str, value: object) -> str:
        """The text without spaces around it."""
        return trimmed(_text_in(self, name, value))

    def check(self, name: str, value: str) -> str:
        """The name itself: whether it is known is seen where it is looked up."""
        return value


def trimmed(text: str) -> str:
    """A text as Excel's TRIM has it.

    >>> trimmed("  InfiniBand  NDR 400 Gb/s ")
    'InfiniBand NDR 400 Gb/s'
    """
    return " ".join(part for part in text.split(" ") if part)


def folded(text: str) -> str:
    """A name without regard to case and to spaces, as Excel's LOWER(TRIM()) has it.

    >>> folded("  InfiniBand  NDR 400 Gb/s ")
    'infiniband ndr 400 gb/s'
    """
    return trimmed(text).lower()


def _text_in(domain: Choice | Name, name: str, value: object) -> str:
    """The text in a cell that must hold a name."""
    if is_blank(value):
        raise MissingValue(f"{name} is missing: enter {domain.rule}")
    if isinstance(value, CellError):
        raise CellInError(name, value)
    if not isinstance(value, str):
        raise WrongType(f"{name} must be a name, not {spelled(value)}: enter {domain.rule}")
    return value
