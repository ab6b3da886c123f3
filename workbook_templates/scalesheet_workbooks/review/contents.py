"""Contents of workbooks put together and compared, as an engine would read them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.review.flow import Upstream

Speller = Callable[[str], str]


def with_inputs(book: Book, given: Mapping[Place, Cell]) -> Book:
    """A template's book with other contents in its input cells."""
    sheets = []
    for sheet in book.sheets:
        cells = {at: cell for at, cell in sheet.cells.items() if cell.locked or cell.is_formula}
        cells |= {
            (row, column): cell
            for (title, row, column), cell in given.items()
            if title == sheet.title
        }
        sheets.append(replace(sheet, cells=cells))
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


def calculates_as(one: Book, other: Book, spelled: Speller) -> bool:
    """Whether two books of the same names give the same values: equal cells on equal sheets."""
    return [sheet.title for sheet in one.sheets] == [sheet.title for sheet in other.sheets] and all(
        ours.cells.keys() == theirs.cells.keys()
        and all(_is_same(cell, theirs.cells[at], spelled) for at, cell in ours.cells.items())
        for ours, theirs in zip(one.sheets, other.sheets, strict=True)
    )


def _is_same(one: Cell, other: Cell, spelled: Speller) -> bool:
    if one.formula is not None and other.formula is not None:
        return one.formula == other.formula or spelled(one.formula) == spelled(other.formula)
    is_same_kind = one.formula is other.formula and type(one.value) is type(other.value)
    return is_same_kind and one.value == other.value
