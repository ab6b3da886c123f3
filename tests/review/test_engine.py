"""What the engine is given of a file: texts that no formula reads are kept from it."""

from collections.abc import Iterator

import pytest

from review.workbooks import BUDGET, edited, put_at
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.cell_references import Place, address
from scalesheet_workbooks.read import Book, Cell, read_bytes
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.engine import Session
from scalesheet_workbooks.review.template import recognise


def case_of(data: bytes) -> Case:
    book = read_bytes(data)
    recognised = recognise(book)
    assert recognised is not None
    return Case(book, recognised)


def formulas_of(book: Book) -> list[Place]:
    return [place for place, cell in cells_of(book) if cell.formula is not None]


def texts_of(book: Book) -> list[Place]:
    return [
        place
        for place, cell in cells_of(book)
        if cell.formula is None and isinstance(cell.value, str)
    ]


def cells_of(book: Book) -> Iterator[tuple[Place, Cell]]:
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            yield (sheet.title, *at), cell


def values(session: Session, places: list[Place]) -> list[Value]:
    return [session.value(place) for place in places]


@pytest.mark.parametrize("name", TEMPLATES)
def test_texts_that_no_formula_reads_change_nothing(name: str) -> None:
    """Every formula has the value that it has with all texts, and the texts are still told."""
    case = case_of(build(name))
    texts = texts_of(case.book)
    places = formulas_of(case.book) + texts
    assert len(case.expected.unread.intersection(texts)) > len(texts) / 2
    whole = Session(case.book, case.names)
    assert values(case.session, places) == values(whole, places)


def test_a_formula_of_somebody_else_reads_every_text() -> None:
    """A title is read by no formula of the template; one that was added does read it."""
    built = build(BUDGET)
    titles = case_of(built).expected.unread
    sheet, row, column = sorted(titles & set(texts_of(read_bytes(built))))[0]
    where = f"'{sheet}'!{address(row, column)}"
    case = case_of(edited(put_at(sheet, "Z99", f"=LEN({where})"), data=built))
    cell = case.book.cell(sheet, row, column)
    assert cell is not None
    assert case.session.value((sheet, 99, 26)) == len(str(cell.value)) > 0
