"""What the runtimes hand over, made into cells.

Excel through COM, through Office.js and through xlwings' own converters, LibreOffice, NumPy and
openpyxl deliver one and the same cell in many forms. Here all of them become the few kinds that
the core knows: a number, a text, TRUE or FALSE, nothing, an error; a date stays a date, for the
core to refuse it by name.

A text that spells an error (``#N/A``) is that error, wherever it stands: xlwings hands errors over
as texts, and no argument takes such a text for an answer. So the same error is passed on, and no
formula ever counts it as a word.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Any

from scalesheet.arrays import RANGE
from scalesheet.errors import CellError, ShapeMismatch

SHEET_ROWS, SHEET_COLUMNS = 1_048_576, 16_384

ERROR_NUMBERS = {
    2000: "#NULL!",
    2007: "#DIV/0!",
    2015: "#VALUE!",
    2023: "#REF!",
    2029: "#NAME?",
    2036: "#NUM!",
    2042: "#N/A",
    2043: "#GETTING_DATA",
    2045: "#SPILL!",
    2046: "#CONNECT!",
    2047: "#BLOCKED!",
    2048: "#UNKNOWN!",
    2049: "#FIELD!",
    2050: "#CALC!",
    2051: "#BUSY!",
}
"""Excel's numbers of errors, as CVErr takes them and as COM delivers them on top of an offset."""

COM_ERRORS = -2_146_828_288
"""0x800A0000: COM delivers error 2042 as this number plus 2042."""

COM_MISSING = -2_147_352_572
"""How COM delivers an argument that was left out."""

OFFICE_ERRORS = {
    "Div0": "#DIV/0!",
    "GettingData": "#GETTING_DATA",
    "Name": "#NAME?",
    "NotAvailable": "#N/A",
    "Placeholder": "#BUSY!",
}
"""Office.js's names of errors where they are not the error's text in mixed letters."""

ERRORS = {name: CellError(name) for name in (*ERROR_NUMBERS.values(), "#EXTERNAL!", "#PYTHON!")}
PLAIN = frozenset({float, type(None), CellError})
"""Types of cells that are clean as they are; a text may be blank or spell an error."""


@dataclass(frozen=True, slots=True)
class Block:
    """A range: its cells, cleaned, in reading order."""

    height: int
    width: int
    cells: list[Any]
    only_floats: bool

    def __len__(self) -> int:
        return self.height

    def __getitem__(self, row: int) -> list[Any]:
        return self.cells[row * self.width : (row + 1) * self.width]

    def __iter__(self) -> Iterator[list[Any]]:
        return (self[row] for row in range(self.height))

    def pick(self, row: int, column: int) -> Any:
        """The cell that stands at a place of a larger shape."""
        return self.cells[min(row, self.height - 1) * self.width + min(column, self.width - 1)]


def cell(value: object) -> object:
    """One cell, whatever runtime it comes from.

    >>> cell(-2146826246), cell("  "), cell({"basicType": "Error", "basicValue": "#CALC!"})
    (CellError(code='#N/A'), None, CellError(code='#CALC!'))
    """
    if isinstance(value, str):
        return ERRORS.get(value) or (value if value.strip() else None)
    if isinstance(value, bool) or type(value) in PLAIN:
        return value
    if isinstance(value, int):
        return _number(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return _entity(value)
    if hasattr(value, "dtype") and hasattr(value, "item"):  # NumPy, which need not be there
        return cell(value.item())
    return value


def cleaned(delivered: Sequence[object], wholes: str = "") -> list[Any]:
    """The arguments of one call: each a cell, or a ``Block`` that keeps its shape.

    Whole columns are cut to the part in use, all of one call at the same row, and whole rows
    likewise: who types ``A:A`` wants an answer for each row that holds something. ``wholes`` says
    of each argument whether it was one (``c`` columns, ``r`` rows, ``-`` neither) where the
    runtime has cut it already; otherwise its size says it.
    """
    arguments = [_argument(value) for value in delivered]
    kinds = wholes or "".join(map(_whole, arguments))
    if not {"c", "r"} & set(kinds):
        return arguments
    named = list(zip(kinds, arguments, strict=False))
    height = max((_used_rows(block) for kind, block in named if kind == "c"), default=0)
    width = max((_used_columns(block) for kind, block in named if kind == "r"), default=0)
    return [_cut(kind, argument, height, width) for kind, argument in named]


def _number(value: int) -> object:
    """A whole number; COM's numbers of errors lie where no amount of anything does."""
    if value == COM_MISSING:
        return None
    if 2000 <= value - COM_ERRORS < 2100:
        name = ERROR_NUMBERS.get(value - COM_ERRORS, "#UNKNOWN!")
        return ERRORS[name]
    return value


def _entity(value: Mapping[str, object]) -> object:
    """An Office.js value: an error, a formatted number, a linked data type.

    A data type shows as an error where a number is needed, and that is what its basic value says.
    """
    if "basicValue" in value:
        return cell(value["basicValue"])
    if value.get("type") == "Empty":
        return None
    kind = str(value.get("errorType", ""))
    return ERRORS.get(OFFICE_ERRORS.get(kind, f"#{kind.upper()}!"), ERRORS["#UNKNOWN!"])


def _argument(value: object) -> object:
    """A cell, or a range as a block; a plain list is a row."""
    if hasattr(value, "tolist") and getattr(value, "ndim", None):
        value = value.tolist()
    return _block(value) if isinstance(value, RANGE) else cell(value)


def _block(rows: Sequence[Any]) -> Block:
    if not rows or not isinstance(rows[0], RANGE):
        rows = (rows,)
    width = len(rows[0])
    try:
        # One pass that also refuses a row of another length, for what most large ranges are.
        flat = [value for (value,) in rows] if width == 1 else list(chain.from_iterable(rows))
    except (TypeError, ValueError):
        flat = []
    if not flat or (width > 1 and {len(row) for row in rows} != {width}):
        raise ShapeMismatch("a range must have rows of one length, of at least one cell")
    kinds = set(map(type, flat))
    if not kinds <= PLAIN:
        flat = [value if type(value) is float else cell(value) for value in flat]
    return Block(len(rows), width, flat, kinds == {float})


def _whole(argument: object) -> str:
    """Whether an argument is as high or as wide as a sheet."""
    if not isinstance(argument, Block):
        return "-"
    return "c" if argument.height == SHEET_ROWS else "r" if argument.width == SHEET_COLUMNS else "-"


def _used_rows(argument: object) -> int:
    """The number of rows to the last one that holds something, at least one."""
    return _used(argument.cells) // argument.width + 1 if isinstance(argument, Block) else 1


def _used_columns(argument: object) -> int:
    return max(_used(row) for row in argument) + 1 if isinstance(argument, Block) else 1


def _used(row: Sequence[object]) -> int:
    """The place of the last cell that holds something."""
    return next((place for place in range(len(row) - 1, 0, -1) if row[place] is not None), 0)


def _cut(kind: str, argument: object, height: int, width: int) -> object:
    """A whole column up to a row, or a whole row up to a column; anything else as it is."""
    if kind == "-" or not isinstance(argument, Block):
        return argument
    if kind == "c":
        height, width = min(height, argument.height), argument.width
        flat = argument.cells[: height * width]
    else:
        height, width = argument.height, min(width, argument.width)
        flat = [value for row in argument for value in row[:width]]
    return Block(height, width, flat, set(map(type, flat)) == {float})
