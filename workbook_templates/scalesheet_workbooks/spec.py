"""What a budget workbook is: lines, checks, constants and lists, each with a stable id.

No workbook library here. A line is written once and holds for every scenario column; formulas name
other lines by id in square brackets, and the builder puts cell references in their place.
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scalesheet.formula import Spelling, row_text
from scalesheet.quantities import MONEY
from scalesheet.registry import REGISTRY, Function

NOT_GIVEN = "–"
"""What stands in a line whose inputs are not filled. It is text, so that arithmetic on it is a true
error and a blank is never taken for a number."""

TOKEN = re.compile(r"\[([A-Za-z_0-9.]+)\]")


@dataclass(frozen=True, slots=True)
class Import:
    """A line that brings in one input; an unfilled one shows as not given."""

    input_id: str

    def formula(self, ref: "Ref") -> str:
        """The link to the input cell, if it holds a number."""
        cell = ref(self.input_id)
        return f'IF(ISNUMBER({cell}),{cell},"{NOT_GIVEN}")'


@dataclass(frozen=True, slots=True)
class ImportName:
    """A line that brings in a name from a list; an unfilled one shows as not given."""

    input_id: str

    def formula(self, ref: "Ref") -> str:
        """The link to the input cell, if it holds text."""
        cell = ref(self.input_id)
        return f'IF(ISTEXT({cell}),{cell},"{NOT_GIVEN}")'


@dataclass(frozen=True, slots=True)
class ImportPlace:
    """A line that brings in a pick as its place in the list, so that formulas compare numbers."""

    input_id: str
    options: str

    def formula(self, ref: "Ref") -> str:
        """The place of the picked text in a named list; an unfilled pick is a true error."""
        return f"MATCH({ref(self.input_id)},{self.options},0)"


@dataclass(frozen=True, slots=True)
class ImportConstant:
    """A line that brings in a constant of the Lists sheet."""

    constant_id: str

    def formula(self, ref: "Ref") -> str:
        """The link to the constant."""
        return ref(self.constant_id)


@dataclass(frozen=True, slots=True)
class Link:
    """A line that brings in a line of an earlier sheet."""

    line_id: str

    def formula(self, ref: "Ref") -> str:
        """The link to the line."""
        return ref(self.line_id)


@dataclass(frozen=True, slots=True)
class Own:
    """A line with a formula of its own over other lines."""

    text: str

    def formula(self, ref: "Ref") -> str:
        """The formula with references in place of ids."""
        return TOKEN.sub(lambda found: ref(found[1]), self.text)


@dataclass(frozen=True)
class Call:
    """A line that is a worksheet function; ``given`` names the line of each argument."""

    name: str
    given: Mapping[str, str]

    @property
    def record(self) -> Function:
        """The function in the registry."""
        return REGISTRY[self.name]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The ids of the lines that are the arguments, in order."""
        return tuple(self.given[parameter.name] for parameter in self.record.parameters)


Source = Import | ImportName | ImportPlace | ImportConstant | Link | Own | Call
IMPORTS = (Import, ImportName, ImportPlace, ImportConstant, Link)
Ref = Callable[[str], str]
"""The cell reference of an id, in the column at hand."""


@dataclass(frozen=True)
class Line:
    """One row of a calculation: id, label, unit, format, and where its value comes from.

    ``needs`` is a condition over other lines; where it does not hold the line shows as not given.
    ``aside`` is the input whose exchange rate or tag stands at the end of the row.
    """

    id: str
    label: str
    unit: str
    number_format: str
    source: Source
    needs: str = ""
    total: bool = False
    aside: str = ""

    @property
    def is_import(self) -> bool:
        """Whether the line only brings in what stands on another sheet."""
        return isinstance(self.source, IMPORTS)


@dataclass(frozen=True)
class Section:
    """Lines under one heading."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class ModelSheet:
    """A sheet of lines: its name, its title, what it is for, and the head of what ends a row."""

    name: str
    title: str
    purpose: str
    sections: tuple[Section, ...]
    aside: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line from top to bottom."""
        return tuple(line for section in self.sections for line in section.lines)


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that users do not change, in one locked cell with its unit and where it is from."""

    id: str
    label: str
    unit: str
    value: float
    number_format: str
    source: str


@dataclass(frozen=True, slots=True)
class Check:
    """Two figures that must agree; ids in its formulas stand for all scenario columns.

    Errors and completeness fail, alerts only warn and stay out of the master check.
    """

    id: str
    label: str
    kind: str
    left: str
    right: str
    tolerance: float = 0.0
    number_format: str = "#,##0.00"


def formula_text(
    line: Line,
    earlier: Iterable[Line],
    ref: Ref,
    constants: Mapping[str, str],
    tables: Mapping[str, tuple[str, str]],
) -> str:
    """The formula of a line in one column, without the equals sign.

    A call inside a function's body that some earlier line already makes with the same arguments
    becomes a reference to that line.
    """
    text = _source_text(line.source, list(earlier), ref, constants, tables)
    if not line.needs:
        return text
    return f'IF({Own(line.needs).formula(ref)},{text},"{NOT_GIVEN}")'


def _source_text(
    source: Source,
    earlier: Sequence[Line],
    ref: Ref,
    constants: Mapping[str, str],
    tables: Mapping[str, tuple[str, str]],
) -> str:
    if not isinstance(source, Call):
        return source.formula(ref)
    record = source.record
    ids = dict(zip((p.name for p in record.parameters), source.arguments, strict=True))
    symbols = {name: ref(line_id) for name, line_id in ids.items()}
    made = {
        (line.source.name, line.source.arguments): line.id
        for line in earlier
        if isinstance(line.source, Call)
    }

    def known(called: Function, arguments: Sequence[ast.expr]) -> ast.expr | None:
        names = [argument.id for argument in arguments if isinstance(argument, ast.Name)]
        line_id = made.get((called.name, tuple(ids.get(name, name) for name in names)))
        if line_id is None or len(names) < len(arguments):
            return None
        symbols[line_id] = ref(line_id)
        ids[line_id] = line_id
        return ast.Name(id=line_id)

    cells = {name: ref(line_id) for name, line_id in constants.items()}
    return row_text(record, Spelling(symbols, constants=cells, tables=tables), known)


def unit_text(unit: str, currency: str) -> str:
    """A unit with the workbook's currency in place of the word money.

    >>> unit_text("money/GPU-h", "EUR")
    'EUR/GPU-h'
    """
    return unit.replace(MONEY, currency)


def in_words(line: Line) -> str:
    """How a line comes about, in the names of other lines.

    >>> in_words(Line("calc.c", "Cost", "money", "0", Own("[calc.hours]/[calc.price]")))
    'hours / price'
    """
    source = line.source
    if isinstance(source, Call):
        arguments = ", ".join(name.partition(".")[2] for name in source.arguments)
        return f"{source.name}({arguments})"
    if isinstance(source, Own):
        text = TOKEN.sub(lambda found: _short(found[1]), source.text)
        for sign, spaced in (("*", " × "), ("/", " / "), ("+", " + "), (",", ", ")):
            text = text.replace(sign, spaced)
        return text
    if isinstance(source, ImportConstant):
        return source.constant_id
    return source.line_id if isinstance(source, Link) else source.input_id


def _short(line_id: str) -> str:
    """An id without the name of its sheet."""
    head, _, tail = line_id.partition(".")
    if head == "aside":
        return "rate"
    return f"first {tail.partition('.')[2]}" if head == "first" else tail
