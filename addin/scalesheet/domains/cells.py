"""One cell: what it may hold, and how a message spells it."""

import math

from scalesheet.errors import CellError

Cell = float | int | str | bool | None | CellError
"""One cell as a user or a runtime hands it over."""
Plain = tuple[float, float, bool, frozenset[str]]
"""What an argument may be without a second look: a number between two, whole or not, or a name."""

NOTHING_PLAIN: Plain = (math.inf, -math.inf, False, frozenset())


def is_blank(value: object) -> bool:
    """Whether a cell is empty, an empty text, or spaces."""
    return value is None or (isinstance(value, str) and not value.strip())


def spelled(value: object, *, in_cell: bool = True) -> str:
    """A value as a user would type it into a cell, or into a data file.

    >>> spelled(80.0), spelled(True), spelled("80%"), spelled(12346.0)
    ('80', 'TRUE', 'the text "80%"', '12,346')
    >>> spelled(True, in_cell=False), spelled(12346.0, in_cell=False)
    ('true', '12346')
    """
    if isinstance(value, bool):
        return str(value).upper() if in_cell else str(value).lower()
    if isinstance(value, str):
        line = " ".join(value.splitlines())  # a no-break space stays: it may be what is wrong
        shown = line if len(line) <= 40 else line[:37] + "..."
        return f'the text "{shown}"'
    if isinstance(value, (int, float)):
        number = float(value)
        return f"{number:,.15g}" if in_cell and abs(number) >= 1000 else f"{number:.15g}"
    return str(value)
