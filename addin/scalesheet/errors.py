"""What can go wrong, said in one line: the thing, the rule, the value, the remedy.

Every error of the core names the true spreadsheet error that a cell shows in its place, so that a
total over a wrong argument is an error and never silently too small.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CellError:
    """An error value as a cell shows it, for example ``#NUM!``."""

    code: str

    def __str__(self) -> str:
        return self.code


VALUE = CellError("#VALUE!")
NUM = CellError("#NUM!")


class ScalesheetError(Exception):
    """Any mistake that a user can mend; its text is one line."""

    cell_error = VALUE


class MissingValue(ScalesheetError):
    """A blank where a value is needed."""


class WrongType(ScalesheetError):
    """Text, TRUE or a date where a number is needed, or the other way round."""


class UnknownChoice(ScalesheetError):
    """A name that is not in the list of known names."""


class ShapeMismatch(ScalesheetError):
    """Ranges whose shapes do not fit together."""


class OutOfDomain(ScalesheetError):
    """A number outside its limits, or a result that is not a finite number."""

    cell_error = NUM


class CellInError(ScalesheetError):
    """An argument that is itself a cell in error; the same error is passed on."""

    def __init__(self, parameter: str, error: CellError) -> None:
        super().__init__(f"{parameter} is a cell in error ({error}): mend that cell first")
        self.cell_error = error
