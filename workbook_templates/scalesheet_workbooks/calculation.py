"""Formulas calculated with our functions: one typed by a user, or all of a workbook.

The engine is formualizer, imported when used. It hands omitted arguments over as 0 and knows no
LAMBDA names, so the first are refused from the syntax tree and our functions stand in for the
second.
"""

import datetime
import io
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from scalesheet.domains import Vector
from scalesheet.errors import NUM, VALUE, CellError, ScalesheetError
from scalesheet.registry import REGISTRY, Function, Parameter
from scalesheet.surfaces.cells import answer
from scalesheet.surfaces.libreoffice import dotted

if TYPE_CHECKING:
    import formualizer
    import openpyxl

Value = float | str | bool | CellError
"""What a formula shows in its cell; a date is its serial number."""

CLOCK = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""The time of TODAY and NOW in a built workbook, so that equal content gives equal bytes."""

ENGINE_KINDS = {
    "#NULL!": "Null",
    "#DIV/0!": "Div",
    "#VALUE!": "Value",
    "#REF!": "Ref",
    "#NAME?": "Name",
    "#NUM!": "Num",
    "#N/A": "Na",
    "#SPILL!": "Spill",
    "#CALC!": "Calc",
}
"""The errors of a spreadsheet, and what the engine calls them; it has others of its own."""
CODES = {kind: code for code, kind in ENGINE_KINDS.items()}
UNKNOWN_NAME = CellError("#NAME?")

EXAMPLE = "=TRAIN_COST(64,120,2.5,80%,15%,200,150)"
AMOUNT = re.compile(r"[0-9]+(\.[0-9]+)?")
MAX_FORMULA_LENGTH = 8192
BINDING_FUNCTIONS = {"LET", "LAMBDA"}
SHEET = "Sheet1"


class FormulaError(ScalesheetError):
    """A formula that cannot be read or calculated here; the text is one line."""


class Result(NamedTuple):
    """What a formula gives, rows when it gives several values, and why where it is an error."""

    value: Value | list[list[Value]]
    messages: tuple[str, ...] = ()

    @property
    def rows(self) -> list[list[Value]]:
        """The value or values as rows."""
        return self.value if isinstance(self.value, list) else [[self.value]]

    @property
    def is_error(self) -> bool:
        """Whether a cell of the result is in error."""
        return any(isinstance(cell, CellError) for row in self.rows for cell in row)


def evaluate(formula: str) -> Result:
    """The result of one formula, typed with or without the equals sign.

    >>> evaluate("=TRAIN_COST(64,120,2.5,80%,15%,200,150)")
    Result(value=27950.0, messages=())
    >>> evaluate("SUM({1,2,3}*2)").value
    12.0
    """
    import formualizer

    text = formula.strip()
    text = text if text.startswith("=") else f"={text}"
    tree = _parsed(text, len(text) - len(formula.strip()))
    _refuse_cells(tree)
    omitted = [message for node in _functions(tree) for message in _omitted(node)]
    if omitted:
        return Result(VALUE, tuple(omitted))
    workbook = formualizer.Workbook()
    workbook.add_sheet(SHEET)
    workbook.set_temporal_egress("serial")
    messages: list[str] = []
    with our_functions(workbook, messages.append):
        workbook.set_formula(SHEET, 1, 1, text)
        first = workbook.evaluate_cell(SHEET, 1, 1)
    rows = [[shown_value(cell) for cell in row] for row in _spilled(workbook, first)]
    if any(cell == UNKNOWN_NAME for row in rows for cell in row):
        messages += _unknown_names(tree)
    # An array says the same of each of its cells.
    said = tuple(dict.fromkeys(messages))
    return Result(rows[0][0] if len(rows) == len(rows[0]) == 1 else rows, said)


def cached_values(
    xlsx: bytes, clock: datetime.datetime = CLOCK, book: "openpyxl.Workbook | None" = None
) -> dict[tuple[str, str], Value]:
    """The value of every formula cell of a workbook, by sheet title and address.

    ``book`` is the workbook that was saved as these bytes, where it is at hand. ValueError names a
    cell that the engine cannot calculate; a spreadsheet error is a value.
    """
    import formualizer

    workbook = formualizer.load_workbook_bytes(xlsx)
    workbook.set_temporal_egress("serial")
    workbook.set_deterministic_clock(clock)
    with our_functions(workbook):
        workbook.evaluate_all()
    values: dict[tuple[str, str], Value] = {}
    for title, at, row, column in _formula_cells(book or _opened(xlsx)):
        try:
            values[title, at] = shown_value(workbook.get_value(title, row, column))
        except FormulaError as error:
            raise ValueError(f"{title}!{at}: {error}") from None
    return values


# --- Our functions in the engine -----------------------------------------------------------------


@contextmanager
def our_functions(
    workbook: "formualizer.Workbook", explain: Callable[[str], None] = lambda message: None
) -> Iterator[None]:
    """Our functions within a workbook of the engine; a fault in one of them is raised at the end.

    The engine turns any exception into #VALUE!, which would hide a mistake of ours.
    """
    faults: list[Exception] = []

    def called(record: Function) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            try:
                given = [_from_engine(argument) for argument in arguments]
                return _to_engine(answer(record, given, explain))
            except Exception as fault:
                faults.append(fault)
                raise

        return call

    for record in REGISTRY.values():
        for name in (record.name, dotted(record.name)):
            workbook.register_function(name, called(record), allow_override_builtin=True)
    yield
    if faults:
        raise faults[0]


def _from_engine(value: Any) -> Any:
    """An argument as the cell surface takes it."""
    if isinstance(value, list):
        return [_from_engine(item) for item in value]
    if isinstance(value, dict):
        return CellError(CODES.get(value["kind"], VALUE.code))
    return value


def _to_engine(value: Any) -> Any:
    if isinstance(value, list):
        return [_to_engine(item) for item in value]
    if isinstance(value, CellError):
        return {"type": "Error", "kind": ENGINE_KINDS.get(value.code, "Value")}
    return value


def shown_value(value: Any) -> Value:
    """A result of the engine as a cell shows it."""
    if isinstance(value, dict):
        kind = value["kind"]
        if kind in CODES:
            return CellError(CODES[kind])
        reason = "it refers to itself" if kind == "Circ" else "a function in it is not known here"
        raise FormulaError(f"the formula cannot be calculated: {reason}")
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else NUM
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        raise TypeError(f"the engine gave a date as {value!r}, not as its serial number")
    raise FormulaError("the formula has no value")


# --- One formula ---------------------------------------------------------------------------------


def _parsed(text: str, added: int) -> "formualizer.ASTNode":
    """The syntax tree; ``added`` characters of the text were not typed by the user."""
    import formualizer

    if not text.lstrip("= \t"):
        raise FormulaError(f"the formula is empty: type one, for example {EXAMPLE}")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise FormulaError("the formula holds bytes that are no text: type it in UTF-8")
    if len(text) > MAX_FORMULA_LENGTH:
        raise FormulaError(
            f"the formula must have at most {MAX_FORMULA_LENGTH} characters, as in a spreadsheet, "
            f"not {len(text)}: shorten it"
        )
    try:
        return formualizer.parse(text)
    except (formualizer.ParserError, formualizer.TokenizerError) as error:
        raise FormulaError(_syntax_problem(str(error), text, added)) from None


def _syntax_problem(said: str, text: str, added: int) -> str:
    """The place of a mistake, what is wrong, and what to look at."""
    if "too deep" in said or "limit" in said:
        return "the formula is nested too deeply: take it apart"
    offset = _offset(said, text)
    place = f"character {max(1, offset + 1 - added)}"
    if offset >= len(text) or "Unmatched" in said:
        return f"the formula ends too early at {place}: complete it, close every bracket and quote"
    if text[offset] == ";":
        return f"{place}: a semicolon between arguments: use a comma"
    if text[offset] in ")]}":
        return f"{place}: {text[offset]} closes no bracket: take it out or open one"
    shown = re.sub(r"\s+", " ", text[offset : offset + 12])
    return f"{place}: cannot be read from here: {shown}: check brackets, quotes and commas"


def _offset(said: str, text: str) -> int:
    """Where in the text the parser stopped; it counts bytes here and tokens there."""
    span = re.search(r"start: (\d+)", said) or re.search(r"at position (\d+)$", said)
    if span:
        return len(text.encode()[: int(span[1])].decode(errors="ignore"))
    reference = re.search(r"Invalid reference '(.+?)': ", said)
    found = text.find(reference[1]) if reference else -1
    return found if found >= 0 else len(text)


def _nodes(node: "formualizer.ASTNode") -> "Iterator[formualizer.ASTNode]":
    yield node
    for child in node.children():
        yield from _nodes(child)


def _functions(tree: "formualizer.ASTNode") -> "list[formualizer.ASTNode]":
    return [node for node in _nodes(tree) if node.node_type() == "Function"]


def _names(tree: "formualizer.ASTNode") -> list[str]:
    """The names of the functions called, as the user typed them."""
    return [node.get_function_name() or "" for node in _functions(tree)]


def _refuse_cells(tree: "formualizer.ASTNode") -> None:
    """There is no sheet behind a formula alone: a cell would be read as 0."""
    import formualizer

    for node in _nodes(tree):
        if node.node_type() == "Reference" and not isinstance(
            node.get_reference(), formualizer.NamedRangeRef
        ):
            cell = node.get_reference_string()
            raise FormulaError(
                f"{cell} is a cell and there is no sheet here: "
                f'type its value, or "{cell}" in double quotes if it is a text'
            )


def _omitted(node: "formualizer.ASTNode") -> Iterator[str]:
    """What is missing in a call of ours with an argument left out between commas."""
    record = REGISTRY.get((node.get_function_name() or "").upper())
    if record is None:
        return
    for parameter, argument in zip(record.parameters, node.children(), strict=False):
        if argument.node_type() == "Omitted":
            yield _missing(parameter)


def _missing(parameter: Parameter) -> str:
    """What the function itself says of a blank."""
    domain = parameter.domain
    try:
        if isinstance(domain, Vector):
            domain.check(parameter.name, ())
        else:
            domain.read(parameter.name, None)
    except ScalesheetError as error:
        return str(error)
    raise AssertionError(f"{parameter.name} may not be optional")


def _unknown_names(tree: "formualizer.ASTNode") -> Iterator[str]:
    """What is not known in a formula that gives #NAME?, with what may have been meant."""
    for name in dict.fromkeys(_names(tree)):
        if name.upper() not in REGISTRY and not _is_known_to_engine(name):
            nearest = nearest_functions(name)
            yield f"{name} is no function here: " + (
                f"type {' or '.join(nearest)}" if nearest else "see scalesheet functions"
            )
    if BINDING_FUNCTIONS.isdisjoint(name.upper() for name in _names(tree)):
        for reference in dict.fromkeys(str(reference) for reference in tree.walk_refs()):
            yield f"{reference} is no name here: {_meant(reference)}"


def _meant(reference: str) -> str:
    """What may have been meant by what is no name: an amount of money, or a text."""
    amount = reference.replace("$", "")
    if amount != reference and AMOUNT.fullmatch(amount):
        return f"leave the $ out, as {amount}"
    return f'type text in double quotes, as "{reference}"'


def _is_known_to_engine(name: str) -> bool:
    import formualizer

    workbook = formualizer.Workbook()
    workbook.add_sheet(SHEET)
    workbook.set_formula(SHEET, 1, 1, f"={name}()")
    result = workbook.evaluate_cell(SHEET, 1, 1)
    return not (isinstance(result, dict) and result["kind"] == "Name")


def nearest_functions(name: str) -> list[str]:
    """Up to three of our functions whose names are nearest to a name.

    >>> nearest_functions("traincost")
    ['TRAIN_COST', 'TRAIN_COST_WORK', 'TRAIN_COST_RISK']
    """
    return get_close_matches(name.strip().upper().replace("-", "_"), REGISTRY, 3)


def _spilled(workbook: "formualizer.Workbook", first: Any) -> Sequence[Sequence[Any]]:
    """The rows of a formula in A1: what it spills, or its one value."""
    import formualizer

    spill = workbook.inspect_cell(f"{SHEET}!A1").cell.spill
    if spill is None or spill.extent is None:
        return [[first]]
    corner = formualizer.CellRef.from_string(spill.extent.rpartition("!")[2].rpartition(":")[2])
    area = formualizer.RangeAddress(SHEET, 1, 1, corner.row, corner.col)
    rows: list[list[Any]] = workbook.sheet(SHEET).get_values(area)
    return rows


# --- A workbook ----------------------------------------------------------------------------------


def _opened(xlsx: bytes) -> "openpyxl.Workbook":
    from openpyxl import load_workbook

    return load_workbook(io.BytesIO(xlsx))


def _formula_cells(book: "openpyxl.Workbook") -> Iterator[tuple[str, str, int, int]]:
    """Title, address, row and column of the cells with a formula and those an array reaches."""
    from openpyxl.worksheet.formula import ArrayFormula

    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, ArrayFormula):
                    block = sheet[cell.value.ref]
                    reached = (
                        [other for line in block for other in line]
                        if isinstance(block, tuple)
                        else [block]
                    )
                elif cell.data_type == "f":
                    reached = [cell]
                else:
                    continue
                for other in reached:
                    yield sheet.title, other.coordinate, other.row, other.column
