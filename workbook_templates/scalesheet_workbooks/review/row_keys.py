"""What a row says first: how rows are told apart where they have moved."""

import re
from collections import defaultdict
from functools import lru_cache

from scalesheet_workbooks.cell_references import skeleton
from scalesheet_workbooks.read import Cell, Sheet
from scalesheet_workbooks.review.marks import MARKS

RowKeys = dict[int, tuple[str, int]]
QUOTED = re.compile(r'"(?:[^"]|"")*"')


def row_keys(sheet: Sheet) -> RowKeys:
    """For each row what its first cell says, numbered where it says it again.

    >>> sheet = Sheet("A", "visible", {(3, 2): Cell("Total"), (5, 2): Cell("Total")})
    >>> row_keys(sheet)
    {3: ('Total', 1), 5: ('Total', 2)}
    """
    first: dict[int, int] = {}
    for row, column in sheet.cells:
        if column < first.get(row, column + 1):
            first[row] = column
    seen: dict[str, int] = defaultdict(int)
    keys: RowKeys = {}
    for row in sorted(first):
        key = content(sheet.cells[row, first[row]])
        seen[key] += 1
        keys[row] = key, seen[key]
    return keys


def content(cell: Cell) -> str:
    """What a cell says: a formula without references and texts, a text, or that it is a number."""
    if cell.formula is not None:
        return _of_formula(cell.formula)
    return _of_text(cell.value) if isinstance(cell.value, str) else "number"


@lru_cache(maxsize=16_384)
def _of_formula(formula: str) -> str:
    return "=" + QUOTED.sub('""', skeleton(formula))


@lru_cache(maxsize=16_384)
def _of_text(text: str) -> str:
    return "text" if MARKS.search(text) else text.strip()
