"""Shapes of ranges: one shape element by element, a single value repeated, row against column.

A range is a list of rows; a plain list is one row, as Excel's ``{1,2,3}`` is.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat

from scalesheet.errors import ShapeMismatch

Rows = list[list[object]]
RANGE = (list, tuple)
"""What a runtime hands over for a range."""


def rows_of(value: object) -> Rows:
    """Any argument as a list of rows of one length."""
    if not isinstance(value, RANGE):
        return [[value]]
    if not value or value[0] in ([], ()):
        raise ShapeMismatch("a range must have at least one cell: use None for an empty one")
    if not any(isinstance(row, RANGE) for row in value):
        return [list(value)]
    rows = [list(row) if isinstance(row, RANGE) else [row] for row in value]
    if len({len(row) for row in rows}) > 1:
        raise ShapeMismatch("a range must have rows of one length: fill the short rows with None")
    return rows


def shape(names: Sequence[str], ranges: Sequence[Rows]) -> tuple[int, int]:
    """The common number of rows and columns of several ranges.

    >>> shape(["a", "b"], [[[1], [2], [3]], [[1, 2]]])
    (3, 2)
    """
    sizes = [(len(rows), len(rows[0]) if rows else 0) for rows in ranges]
    height = max((size[0] for size in sizes), default=1)
    width = max((size[1] for size in sizes), default=1)
    for name, (rows, columns) in zip(names, sizes, strict=True):
        if rows not in (1, height) or columns not in (1, width):
            raise ShapeMismatch(
                f"{name} has {rows} x {columns} cells and the others ask for {height} x {width}: "
                "use ranges of one shape, one value, or a row against a column"
            )
    return height, width


def in_reading_order(rows: Rows, height: int, width: int) -> Iterable[object]:
    """The cells of a range over a common shape, row by row; what is short is repeated.

    >>> list(in_reading_order([[1, 2]], 2, 2))
    [1, 2, 1, 2]
    """
    if len(rows) == len(rows[0]) == 1:
        return repeat(rows[0][0], height * width)
    wide = rows if len(rows[0]) == width else [row * width for row in rows]
    return chain.from_iterable(wide if len(wide) == height else wide * height)
