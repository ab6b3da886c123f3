"""What only results are: a table, a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """A result of several rows: a label and a value in each."""

    words: str
    unit: str = "table"
    number_format: str = "General"


@dataclass(frozen=True, slots=True)
class Text:
    """A result in words, such as a note beside a number."""

    words: str
    unit: str = "text"
    number_format: str = "@"
