"""What Python users call: the worksheet functions with their checks, for numbers and ranges."""

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from scalesheet.errors import MissingValue, ScalesheetError
from scalesheet.registry import REGISTRY, Function

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
Cells = float | str | None | Sequence[float | str | None] | Sequence[Sequence[float | str | None]]
"""One cell, a row, or rows."""


class Worksheet(Protocol[P, R]):
    """How a published function may be called, for type checkers."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self, *args: Cells, **kwargs: Cells) -> list[list[Any]]: ...


class Published:
    """The checked form of a worksheet function: numbers in, a number out; ranges in, rows out.

    A plain list is a row and a list of lists a block; a single value is repeated, a row against a
    column gives the grid. The first element in error raises, with its place.
    """

    def __init__(self, record: Function) -> None:
        self.record = record
        self.names = tuple(parameter.name for parameter in record.parameters)
        update_wrapper(self, record.body)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result, or rows of results when an argument is a range."""
        record = self.record
        arguments = args if not kwargs else self._in_order(args, kwargs)
        if not record.has_ranges(arguments):
            return record.one(*arguments)
        height, width, sets = record.elements(arguments)
        results = [_located(record, number, width, cells) for number, cells in enumerate(sets)]
        return [results[row * width : (row + 1) * width] for row in range(height)]

    def __repr__(self) -> str:
        return f"<worksheet function {self.record.signature}>"

    def _in_order(self, args: tuple[object, ...], kwargs: dict[str, object]) -> tuple[object, ...]:
        unknown = [name for name in kwargs if name not in self.names[len(args) :]]
        if unknown:
            raise MissingValue(
                f"{unknown[0]} is no argument to give by name here: type {self.record.signature}"
            )
        rest = self.names[len(args) :]
        missing = [name for name in rest if name not in kwargs]
        if missing:
            raise MissingValue(f"{', '.join(missing)} missing: type {self.record.signature}")
        return (*args, *(kwargs[name] for name in rest))


def published(body: Callable[P, R]) -> Worksheet[P, R]:
    """The checked form of a recorded function, with the signature of the plain one."""
    return cast("Worksheet[P, R]", Published(REGISTRY[body.__name__.upper()]))


def _located(record: Function, number: int, width: int, cells: list[object]) -> Any:
    """The result for one set of cells; an error names the place of the set."""
    try:
        return record.one(*cells)
    except ScalesheetError as error:
        row, column = divmod(number, width)
        error.args = (f"row {row + 1}, column {column + 1}: {error}",)
        raise
