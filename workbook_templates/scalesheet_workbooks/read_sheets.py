"""One sheet of a workbook file, read as a stream: only cells that hold something are kept."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scalesheet.errors import CellError
from scalesheet_workbooks import read_cells
from scalesheet_workbooks.cell_references import column_number, moved, place_of
from scalesheet_workbooks.package_parts import Package, Unreadable, parse
from scalesheet_workbooks.read_strings import MOST_LETTERS, MOST_TEXT
from scalesheet_workbooks.read_validations import Validation, validation

Value = float | str | bool | CellError | None
"""What a cell holds; None is blank."""

MOST_AT_ONCE = 4_000_000
"""Bytes of a sheet that is not read piece by piece."""
LEAST_SIZE = {"ht": 2.0, "width": 0.5}
"""Points of a row and letters of a column below which nothing can be read in them."""
HIGH_PERCENT = 10
"""1,000 %: more than a share, a rate or a growth is."""
MOST_BLANKS = 200_000
"""Empty unlocked cells that are remembered; a sheet of inputs has some dozens."""
PART_OF_ARRAY = re.compile(r"INDEX\(\((.*)\),[0-9]+,[0-9]+\)", re.DOTALL)
"""How a cell reads its part of a formula that fills several cells."""


@dataclass(slots=True, unsafe_hash=True)
class Cell:
    """A cell: its value (of a formula, what the file stores for it), its formula, its lock.

    Never changed once it is made; not frozen, because that takes three times as long to make, and a
    review makes twenty thousand.
    """

    value: Value
    formula: str | None = None
    locked: bool = True
    is_array: bool = False

    @property
    def is_formula(self) -> bool:
        """Whether a formula stands in the cell."""
        return self.formula is not None


class Styles(NamedTuple):
    """Of each cell style whether it locks its cells on a protected sheet; by style, number formats
    that do not show the number; the styles that show percent."""

    locked: Sequence[bool] = ()
    odd_formats: Mapping[str, str] = {}
    percent: Container[str] = ()


@dataclass(slots=True)
class Allowance:
    """What a workbook may still hold, so that reading it and calculating it stay within 500 MB.

    A budget has some ten thousand cells and some thousand formulas of a hundred letters.
    """

    cells: int = 400_000
    letters: int = MOST_LETTERS
    formulas: int = 100_000
    formula_letters: int = 5_000_000

    def take(self, cells: Sequence[Cell]) -> None:
        """Count cells; Unreadable when there is too much of something."""
        formulas = [cell.formula for cell in cells if cell.formula is not None]
        self.cells -= len(cells)
        self.letters -= sum(len(cell.value) for cell in cells if type(cell.value) is str)
        self.formulas -= len(formulas)
        self.formula_letters -= sum(map(len, formulas))
        if self.cells < 0 or self.letters < 0 or self.formulas < 0 or self.formula_letters < 0:
            short = next(name for name in self.__slots__ if getattr(self, name) < 0)
            most = Allowance.__dataclass_fields__[short].default
            words = f"it holds more than {most:,} {short.replace('_', ' ')}"
            raise Unreadable("too_large", f"{words}: take out what is no budget")


@dataclass(slots=True)
class Sheet:
    """The cells of a sheet by row and column, counted from one, and how the sheet is set up."""

    title: str
    state: str
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    unlocked_blanks: set[tuple[int, int]] = field(default_factory=set)
    validations: list[Validation] = field(default_factory=list)
    protected: bool = False
    has_password: bool = False
    odd_formats: dict[tuple[int, int], str] = field(default_factory=dict)
    """Number formats of cells that do not show the number that is there."""
    high_percents: set[tuple[int, int]] = field(default_factory=set)
    """Typed numbers from ten on that are shown as percent."""
    has_data_table: bool = False
    rows_seen: int = 0


class _Reader:
    """Takes the events of a sheet's XML."""

    def __init__(
        self,
        sheet: Sheet,
        strings: Sequence[str],
        styles: Styles,
        allowance: Allowance,
    ) -> None:
        self.sheet, self.strings, self.allowance = sheet, strings, allowance
        _, self.formats, self.percent = styles
        self.locks = {str(style): lock for style, lock in enumerate(styles.locked)}
        self.row = self.column = 0
        self.path: list[str] = []
        self.text: list[str] = []
        self.taking = False
        self.cell: dict[str, str] = {}
        self.value: str | None = None
        self.formula: str | None = None
        self.attributes: dict[str, str] = {}
        self.shared: dict[str, tuple[str, int, int]] = {}
        self.arrays: dict[tuple[str, str], str] = {}
        """Formulas that fill several cells, by the first and last of them."""
        self.rule: dict[str, str] = {}
        self.uncounted: list[Cell] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self._start_cell(attributes)
        elif tag == "row":
            self.count()
            given = attributes.get("r")
            self.row = int(given) if given else self.row + 1
            self.column = 0
            self.sheet.rows_seen += 1
            if _is_hidden(attributes, "ht"):
                self.sheet.hidden_rows.add(self.row)
        elif tag in ("v", "t", "f", "formula1", "formula2"):
            self.taking, self.text = True, []
            if tag == "f":
                self.attributes, self.formula = attributes, ""
        elif tag == "rPh":
            self.path.append(tag)
        elif tag == "col":
            if _is_hidden(attributes, "width"):
                self.sheet.hidden_columns.append(
                    (int(attributes.get("min", "1")), int(attributes.get("max", "1")))
                )
        elif tag == "sheetProtection":
            self.sheet.protected = attributes.get("sheet") in ("1", "true")
            self.sheet.has_password = bool(attributes.keys() & {"password", "hashValue"})
        elif tag == "dataValidation":
            self.rule = dict(attributes)

    def characters(self, text: str) -> None:
        if self.taking:
            self.text.append(text)

    def end(self, tag: str) -> None:
        if tag == "c":
            self._end_cell()
        elif tag in ("v", "t"):
            if not self.path:
                written = "".join(self.text)
                self.value = written if tag == "v" or self.value is None else self.value + written
            self.taking = False
        elif tag == "f":
            self.formula, self.taking = "".join(self.text), False
        elif tag in ("formula1", "formula2"):
            self.rule[tag], self.taking = "".join(self.text), False
        elif tag == "rPh":
            self.path.pop()
        elif tag == "dataValidation":
            self.sheet.validations.append(validation(self.rule))

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self.column += 1
        self.cell = attributes
        self.value = self.formula = None

    def _end_cell(self) -> None:
        given = self.cell.get("r")
        style = self.cell.get("s", "0")
        if self.value is None and self.formula is None and self.locks.get(style, True):
            return
        if given is not None:
            self.row, self.column = place_of(given)
        kind = self.cell.get("t", "n")
        self._take((self.row, self.column), style, kind, self.value, self.formula)

    def take_found(self, found: read_cells.Cells) -> None:
        """Take the rows and cells that were found by pattern."""
        for attributes_of_row in found.rows:
            self.start("row", attributes_of_row)
        locks, plain, take = self.locks, read_cells.plain, self._take
        for cell in found.cells:
            letters, row, style, kind, attributes, formula, is_empty, value = cell.groups()
            if value is None:
                if attributes is None and not is_empty and locks.get(style or "0", True):
                    continue
                value = "" if is_empty else None
            if attributes is not None:
                formula = plain(formula or "")
                self.attributes = read_cells.attributes_of(attributes) if attributes else {}
            at = int(row), column_number(letters)
            take(at, style or "0", kind or "n", value and plain(value), formula)

    def count(self) -> None:
        """Count the cells that were taken since the last time."""
        if self.uncounted:
            self.allowance.take(self.uncounted)
            self.uncounted = []

    def _take(
        self, at: tuple[int, int], style: str, kind: str, text: str | None, written: str | None
    ) -> None:
        """Keep a cell by the texts of its value and of its formula; None is what it has not."""
        locked = self.locks.get(style, True)
        if text is None and written is None:
            if not locked and len(self.sheet.unlocked_blanks) < MOST_BLANKS:
                self.sheet.unlocked_blanks.add(at)
            return
        value = None if text is None else self._value(kind, text)
        formula, is_array = (None, False) if written is None else self._formula(at, written)
        if value is None and formula is None:
            return
        if type(value) is str and len(value) > MOST_TEXT:
            value = value[:MOST_TEXT]
        self.sheet.cells[at] = cell = Cell(value, formula, locked, is_array)
        self.uncounted.append(cell)
        if style in self.formats:
            self.sheet.odd_formats[at] = self.formats[style]
        elif style in self.percent and formula is None and _is_high(value):
            self.sheet.high_percents.add(at)

    def _value(self, kind: str, text: str) -> Value:
        if text == "" and kind not in ("str", "inlineStr"):
            return None
        if kind == "s" and not self.strings:
            raise ValueError("a shared text, and there are none")
        if kind == "s":
            return (
                self.strings[int(text)] if text.isdigit() and int(text) < len(self.strings) else ""
            )
        if kind in ("str", "inlineStr", "d"):
            return text
        if kind == "b":
            return text in ("1", "true")
        if kind == "e":
            return CellError(text)
        try:
            return float(text)
        except ValueError:
            return text

    def _formula(self, at: tuple[int, int], written: str) -> tuple[str | None, bool]:
        if not self.attributes:
            return written.strip() or None, False
        kind = self.attributes.get("t", "normal")
        if kind == "dataTable":
            self.sheet.has_data_table = True
            return None, False
        text = written.strip()
        if kind == "shared":
            key = self.attributes.get("si", "")
            if text:
                self.shared[key] = (text, *at)
            elif key in self.shared:
                first, row, column = self.shared[key]
                text = moved(first, at[0] - row, at[1] - column)
        elif kind == "array":
            first, _, last = self.attributes.get("ref", "").partition(":")
            if last and last != first:
                self.arrays[first, last] = text
        return (text or None), kind == "array"

    def fill_arrays(self) -> None:
        """Give every cell that a formula of several cells fills its part of it."""
        cells = self.sheet.cells
        for (first, last), text in self.arrays.items():
            (top, left), (bottom, right) = place_of(first), place_of(last)
            filled = [at for at in cells if top <= at[0] <= bottom and left <= at[1] <= right]
            for row, column in filled:
                cell = cells[row, column]
                part = f"INDEX(({text}),{row - top + 1},{column - left + 1})"
                cells[row, column] = Cell(cell.value, part, cell.locked, True)
                self.allowance.take([cells[row, column]])


def read_sheet(
    package: Package,
    part: str,
    title: str,
    state: str,
    strings: Sequence[str],
    styles: Styles,
    allowance: Allowance,
) -> Sheet:
    """The sheet in a part of the package."""
    sheet = Sheet(title, state)
    reader = _Reader(sheet, strings, styles, allowance)
    try:
        _read(package, part, reader)
        reader.count()
        reader.fill_arrays()
    except (ValueError, IndexError, OverflowError):
        raise Unreadable(
            "damaged", f"{part} cannot be read as a sheet: save the file again"
        ) from None
    return sheet


def _read(package: Package, part: str, reader: _Reader) -> None:
    """Cells by pattern where they are written as usual; a large sheet stays a stream."""
    handlers = reader.start, reader.end, reader.characters
    pieces = package.chunks(part)
    if package.size(part) > MOST_AT_ONCE:
        parse(pieces, part, *handlers)
        return
    data = b"".join(pieces)
    split = read_cells.split(data)
    found = read_cells.found(split[1]) if split else None
    if split is None or found is None:
        parse(iter((data,)), part, *handlers)
        return
    parse(iter(split), part, *handlers, unseen=1)
    reader.take_found(found)


def _is_high(value: Value) -> bool:
    return type(value) is float and value >= HIGH_PERCENT


def _is_hidden(attributes: Mapping[str, str], size: str) -> bool:
    """Whether a row or column is hidden, or is too low or narrow to be read."""
    if attributes.get("hidden") in ("1", "true"):
        return True
    given = attributes.get(size)
    return given is not None and float(given) < LEAST_SIZE[size]
