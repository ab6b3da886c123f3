"""A blank is never taken for a number: without an input there is its total as before, or none."""

import pytest

from scalesheet_workbooks.build import build
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read import Book, Cell, read_bytes
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.findings import CENT
from scalesheet_workbooks.review.template import recognise
from scalesheet_workbooks.scenarios import shipped


def typed(book: Book) -> dict[Place, Cell]:
    """What stands in the cells that a user fills."""
    return {
        (sheet.title, *at): cell
        for sheet in book.sheets
        for at, cell in sheet.cells.items()
        if not cell.locked and cell.formula is None
    }


def moved(before: list[Value], after: list[Value]) -> bool:
    """Whether a total is another number than it was."""
    return any(
        (one := number(old)) is not None
        and (other := number(new)) is not None
        and abs(one - other) > CENT
        for old, new in zip(before, after, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "currency"),
    [("training_run_budget", "USD"), ("cluster_proposal", "USD"), ("cluster_proposal", "EUR")],
)
def test_no_total_counts_a_blank(name: str, currency: str) -> None:
    """Each cell is emptied alone; prices in another currency need a rate as well."""
    book = read_bytes(build(name, shipped(name)))
    recognised = recognise(book)
    assert recognised is not None
    case = Case(book, recognised)
    places = [place for place in case.total_places if place]
    cells = {
        place: Cell(currency, None, False) if cell.value == "USD" else cell
        for place, cell in typed(book).items()
    }
    session = case.session
    session.change(cells)
    before = [session.value(place) for place in places]
    assert all(number(value) for value in before)
    counted = [
        place
        for place, cell in cells.items()
        if moved(before, session.with_changes({place: None}, {place: cell}, places))
    ]
    assert counted == []
