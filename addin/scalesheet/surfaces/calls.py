"""A whole call answered, from what a runtime hands over to the rows that it takes back."""

import gc
from collections.abc import Sequence
from typing import Any

from scalesheet import arrays
from scalesheet.domains import Domain, Table, Vector
from scalesheet.errors import ScalesheetError
from scalesheet.registry import Function
from scalesheet.surfaces import cells, columns
from scalesheet.surfaces.cells import Answer, Explain
from scalesheet.surfaces.deliveries import Block, cleaned


def answer(
    record: Function,
    delivered: Sequence[object],
    explain: Explain = lambda message: None,
    wholes: str = "",
) -> Answer:
    """The value of a call, or rows of values when an argument is a range.

    In a range ``explain`` is told the place of an error as well; ``wholes`` is for a runtime that
    has cut whole columns (see ``cleaned``).

    >>> from scalesheet.registry import REGISTRY
    >>> answer(REGISTRY["SCALING_EFF"], [((4.0,), ("x",)), "NDR", 0.5])
    [[0.955], [CellError(code='#VALUE!')]]
    """
    try:
        arguments = _arguments(record, cleaned(delivered, wholes))
        if not any(isinstance(argument, Block) for argument in arguments):
            return cells.answer(record, arguments, explain)
        height, width = _shape(record, arguments)
        shared = [not isinstance(argument, Block) for argument in arguments]
        arguments = list(record.checked_once(arguments, shared))
    except ScalesheetError as error:
        explain(str(error))
        return error.cell_error
    return _rows(_values(record, arguments, height, width, explain), width)


def _arguments(record: Function, arguments: Sequence[Any]) -> list[Any]:
    """The arguments as cells, as rows where a range is taken as a whole, or as blocks.

    A range of one cell is that cell; so is every range for a function that gives a table, or that
    is called with too few arguments, which the core then refuses.
    """
    known = [parameter.domain for parameter in record.parameters]
    domains: list[Domain | None] = [*known, *[None] * (len(arguments) - len(known))]
    by_element = len(arguments) == len(known) and not isinstance(record.result, Table)
    return [
        _argument(argument, isinstance(domain, Vector), by_element)
        for domain, argument in zip(domains, arguments, strict=False)
    ]


def _argument(argument: Any, as_a_whole: bool, by_element: bool) -> Any:
    if not isinstance(argument, Block):
        return argument
    if as_a_whole:
        return list(argument)
    if len(argument.cells) == 1:
        return argument.cells[0]
    return argument if by_element else list(argument)


def _shape(record: Function, arguments: Sequence[Any]) -> tuple[int, int]:
    """The rows and columns of the result."""
    blocks = {
        parameter.name: argument
        for parameter, argument in zip(record.parameters, arguments, strict=True)
        if isinstance(argument, Block)
    }
    return arrays.shape(list(blocks), list(blocks.values()))  # type: ignore[arg-type]


def _values(
    record: Function, arguments: Sequence[Any], height: int, width: int, explain: Explain
) -> list[Any]:
    """The results in reading order: many at once where that can be, the others one by one."""
    values, left = columns.results(record, arguments, height, width)
    for number in left:
        row, column = divmod(number, width)

        def placed(message: str, row: int = row, column: int = column) -> None:
            explain(f"row {row + 1}, column {column + 1}: {message}")

        picked = [
            argument.pick(row, column) if isinstance(argument, Block) else argument
            for argument in arguments
        ]
        values[number] = cells.answer(record, picked, placed)
    return values


def _rows(values: Sequence[Any], width: int) -> list[list[Any]]:
    """The results as rows."""
    collecting = gc.isenabled()
    gc.disable()  # a million new lists would have it search all of memory for rings, in vain
    try:
        return (
            [[value] for value in values]
            if width == 1
            else [list(values[start : start + width]) for start in range(0, len(values), width)]
        )
    finally:
        if collecting:
            gc.enable()
