"""Which cell needs which: arrows one by one, and wide areas as a whole."""

import pytest

from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Sheet
from scalesheet_workbooks.review import flow as flow_module
from scalesheet_workbooks.review.flow import Flow


def book() -> Book:
    """Three steps: a number, a sum of a column over it, a sum of a wide area that holds the sum."""
    formulas = {(1, 3): "SUM(A1:A100)", (5, 5): "SUM(B1:D50)*B60", (6, 6): "E5+Other!A1"}
    cells = {at: Cell(None, text) for at, text in formulas.items()}
    cells |= {(7, 1): Cell(1.0), (60, 2): Cell(2.0), (101, 1): Cell(3.0)}
    return Book((Sheet("Calc", "visible", cells), Sheet("Other", "visible")), {}, {})


@pytest.mark.parametrize("small", [0, 64, 10_000])
def test_areas_are_the_same_cell_by_cell_and_as_a_whole(
    small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow_module, "SMALL", small)
    flow = Flow(book(), {})
    number, outside, factor = ("Calc", 7, 1), ("Calc", 101, 1), ("Calc", 60, 2)
    first, second, third = ("Calc", 1, 3), ("Calc", 5, 5), ("Calc", 6, 6)
    assert list(flow.users(number)) == [first]
    assert flow.downstream([number]) == {first, second, third}
    assert flow.downstream([outside]) == set()
    assert flow.downstream([factor, ("Other", 1, 1)]) == {second, third}
    needed = flow.upstream([third])
    assert all(place in needed for place in (number, factor, first, second, ("Other", 1, 1)))
    assert outside not in needed
    assert ("Other", 7, 1) not in needed
