"""Cells in, cells out: a worksheet function applied to what a spreadsheet hands over.

No exception leaves here: each cell of the answer is a value or its own error.
"""

from collections.abc import Callable, Sequence

from scalesheet.domains import Cell
from scalesheet.errors import VALUE, ScalesheetError
from scalesheet.registry import Function

Answer = Cell | list[list[Cell]]
Explain = Callable[[str], None]
"""What is told the one-line message of every error."""


def answer(
    record: Function,
    arguments: Sequence[object],
    explain: Explain = lambda message: None,
) -> Answer:
    """The value of a call, or rows of values when an argument is a range.

    >>> from scalesheet.registry import REGISTRY
    >>> answer(REGISTRY["SCALING_EFF"], [[[4], ["x"]], "NDR", 0.5])
    [[0.955], [CellError(code='#VALUE!')]]
    """
    value = record.at_once(arguments)
    if value is not None:
        return value
    if not record.has_ranges(arguments):
        return _careful(record, arguments, explain)
    try:
        height, width, sets = record.elements(arguments)
    except ScalesheetError as error:
        explain(str(error))
        return error.cell_error
    results = [_element(record, cells, explain) for cells in sets]
    return [results[row * width : (row + 1) * width] for row in range(height)]


def _element(record: Function, cells: Sequence[object], explain: Explain) -> Cell:
    value = record.at_once(cells)
    if value is not None:
        return value
    result = _careful(record, cells, explain)
    # A table cannot stand in one place of a grid.
    return VALUE if isinstance(result, list) else result


def _careful(record: Function, cells: Sequence[object], explain: Explain) -> Answer:
    try:
        return record.one(*cells)  # type: ignore[no-any-return]
    except ScalesheetError as error:
        explain(str(error))
        return error.cell_error
