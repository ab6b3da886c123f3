"""Contents of workbooks put together and compared, as an engine would read them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.review.flow import Upstream

Speller = Callable[[str], str]
Unlike = Mapping[str, Iterable[tuple[int, int]]]


def with_inputs(book: Book, given: Mapping[Place, Cell]) -> Book:
    """A template's book with other contents in its input cells."""
    here: dict[str, dict[tuple[int, int], Cell]] = defaultdict(dict)
    for (title, row, column), cell in given.items():
        here[title][row, column] = cell
    sheets = []
    for sheet in book.sheets:
        cells = {at: c for at, c in sheet.cells.items() if c.locked or c.formula is not None}
        sheets.append(replace(sheet, cells=cells | here[sheet.title]))
    return replace(book, sheets=tuple(sheets))


def only(book: Book, cells: Upstream) -> Book:
    """A book with some of its cells."""
    sheets = (
        replace(
            sheet, cells={at: c for at, c in sheet.cells.items() if (sheet.title, *at) in cells}
        )
        for sheet in book.sheets
    )
    return replace(book, sheets=tuple(sheets))


def calculates_as(one: Book, other: Book, spelled: Speller, unlike: Unlike) -> bool:
    """Whether two books of the same names give the same values: equal cells on equal sheets.

    Cells that are not among the ``unlike`` are known to be equal where both books have them.
    """
    return [sheet.title for sheet in one.sheets] == [sheet.title for sheet in other.sheets] and all(
        ours.cells.keys() == theirs.cells.keys()
        and all(
            _is_same(ours.cells[at], theirs.cells[at], spelled)
            for at in unlike[ours.title]
            if at in ours.cells
        )
        for ours, theirs in zip(one.sheets, other.sheets, strict=True)
    )


def _is_same(one: Cell, other: Cell, spelled: Speller) -> bool:
    if one.formula is not None and other.formula is not None:
        return one.formula == other.formula or spelled(one.formula) == spelled(other.formula)
    is_same_kind = one.formula is other.formula and type(one.value) is type(other.value)
    return is_same_kind and one.value == other.value
