"""How the command prints values and paragraphs."""

import textwrap
from collections.abc import Iterator, Sequence

from scalesheet.errors import CellError
from scalesheet_workbooks.calculation import Value

WIDTH = 80


def cell_text(value: Value) -> str:
    """A value as a cell shows it, numbers with the 15 digits of a spreadsheet.

    >>> cell_text(27950.0), cell_text(0.1 + 0.2), cell_text(True), cell_text(-0.0)
    ('27950', '0.3', 'TRUE', '0')
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, CellError):
        return value.code
    return value if isinstance(value, str) else f"{value + 0.0:.15g}"


def two_columns(label: str, text: str, label_width: int) -> Iterator[str]:
    """A label and its text beside it, within the width of a terminal.

    >>> [len(line) <= 80 for line in two_columns("a", "long " * 18, 4)]
    [True, True]
    """
    indent = " " * (label_width + 2)
    yield from textwrap.wrap(
        text,
        WIDTH - 1,
        initial_indent=label.ljust(label_width) + "  ",
        subsequent_indent=indent,
        break_on_hyphens=False,
    ) or [label]


def paragraph(text: str, indent: int = 0) -> Iterator[str]:
    """A text within the width of a terminal."""
    margin = " " * indent
    yield from textwrap.wrap(
        text, WIDTH - 1, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
    )


def table(rows: Sequence[Sequence[str]], indent: int = 0) -> Iterator[str]:
    """Rows with their columns lined up, the text of the last one within a terminal's width.

    >>> list(table([["Compute", "24000"], ["GPU-hours", "9600"]], 2))
    ['  Compute    24000', '  GPU-hours  9600']
    """
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    before = indent + sum(widths[:-1])
    for *cells, last in rows:
        beginning = " " * indent + "".join(map(str.ljust, cells, widths))
        if before > WIDTH // 2:
            yield f"{beginning}{last}".rstrip()
        else:
            lines = textwrap.wrap(
                last,
                WIDTH - 1 - before,
                break_on_hyphens=False,
                break_long_words=False,
            ) or [""]
            yield f"{beginning}{lines[0]}".rstrip()
            yield from (" " * before + line for line in lines[1:])
