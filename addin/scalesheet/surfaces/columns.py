"""Many results at once: a function's own body over whole columns, computed by NumPy.

Nothing is written twice: the expression is the body as the translator expands it, and limits and
rules are those of the registry. A column must not differ from a cell, so arithmetic and comparisons
are NumPy's, which are exact to the last bit alike, and logarithms and powers are Python's own,
element by element. A place whose arguments are not plain numbers inside the limits, or whose result
is not finite, is left to the path for one cell, which finds the error and its words. Without NumPy
every place is.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import Any

from scalesheet import formula
from scalesheet.domains import WHOLE_TOLERANCE, Choice, Quantity, folded
from scalesheet.registry import Function, argument_names
from scalesheet.surfaces.deliveries import Block

SMALLEST = 512
"""Fewer results than this are there sooner than NumPy is imported."""

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
EXACT = {"max": "maximum", "min": "minimum", "abs": "abs", "math.ceil": "ceil", "math.sqrt": "sqrt"}
"""Functions that NumPy computes to the same last bit."""
BY_ELEMENT: dict[str, Callable[..., float]] = {
    "math.log": math.log,
    "math.exp": math.exp,
    "math.pow": math.pow,
}


def results(
    record: Function, arguments: Sequence[Any], height: int, width: int
) -> tuple[list[Any], Sequence[int]]:
    """The results in reading order, and the places that are still to be computed one by one."""
    count = height * width
    nothing = [None] * count, range(count)
    form = _form(record) if count >= SMALLEST else ()
    try:
        import numpy
    except ImportError:
        return nothing
    if not form:
        return nothing
    with numpy.errstate(all="ignore"):
        values, good = _computed(numpy, record, form, arguments)
    values = numpy.broadcast_to(values, (height, width)).ravel() + 0.0  # minus zero is plain zero
    good = numpy.broadcast_to(good, (height, width)).ravel() & numpy.isfinite(values)
    return values.tolist(), [] if good.all() else numpy.flatnonzero(~good).tolist()


@cache
def _form(record: Function) -> tuple[ast.expr, ...]:
    """The expressions of a function's result and of its rules, or none where there are none."""
    domains = [parameter.domain for parameter in record.parameters]
    if not isinstance(record.result, Quantity):
        return ()
    if not all(isinstance(domain, Quantity | Choice) for domain in domains):
        return ()
    try:
        return tuple(_expression(body) for body in (record.body, *record.rules))
    except formula.Untranslatable:
        return ()


def _expression(body: Callable[..., Any]) -> ast.expr:
    """A body as one expression, made of nothing but what has a form in cells too."""
    expression = formula.expanded(body)
    names = argument_names(body)
    formula.render(expression, formula.Spelling(dict(zip(names, names, strict=True))))  # or raises
    return expression


def _computed(
    numpy: Any, record: Function, form: Sequence[ast.expr], arguments: Sequence[Any]
) -> tuple[Any, Any]:
    """The results, and which of them stand."""
    columns, good = {}, numpy.True_
    for parameter, argument in zip(record.parameters, arguments, strict=True):
        block = argument if isinstance(argument, Block) else Block(1, 1, [argument], False)
        if isinstance(parameter.domain, Choice):
            columns[parameter.name], inside = _names(numpy, parameter.domain, block)
        else:
            assert isinstance(parameter.domain, Quantity)
            columns[parameter.name], inside = _numbers(numpy, parameter.domain, block)
        good = good & inside
    expression, *rules = form
    for rule in rules:
        good = good & _value(numpy, rule, columns)
    return numpy.asarray(_value(numpy, expression, columns), dtype=float), good


def _numbers(numpy: Any, quantity: Quantity, block: Block) -> tuple[Any, Any]:
    """A column of numbers, whole where they must be, and which of them are within the limits."""
    flat = block.cells if block.only_floats else map(_number, block.cells)
    values = numpy.fromiter(flat, float, len(block.cells)).reshape(block.height, block.width)
    if quantity.whole:
        rounded = numpy.floor(values + 0.5)
        values = numpy.where(abs(values - rounded) <= WHOLE_TOLERANCE, rounded, values)
        whole = values == numpy.floor(values)
    else:
        whole = numpy.True_
    above = values > quantity.low if quantity.low_open else values >= quantity.low
    below = values < quantity.high if quantity.high_open else values <= quantity.high
    return values, above & below & whole


def _number(value: object) -> float:
    """A number, or NaN for whatever is none and shall be refused."""
    return float(value) if type(value) in (float, int) else math.nan  # type: ignore[arg-type]


def _names(numpy: Any, choice: Choice, block: Block) -> tuple[Any, Any]:
    """A column of names, and which of them are known."""
    known = {
        value: choice.spellings.get(folded(value))
        for value in set(block.cells)
        if isinstance(value, str)
    }
    names = numpy.array([known.get(value) for value in block.cells], dtype=object)
    names = names.reshape(block.height, block.width)
    return names, names != numpy.array(None)


def _value(numpy: Any, node: ast.expr, columns: Mapping[str, Any]) -> Any:
    """The value of an expression over columns."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return columns[name]
        case formula.Lookup(table=table, key=key):
            values = [table.get(name, math.nan) for name in _value(numpy, key, columns).ravel()]
            return numpy.array(values).reshape(_value(numpy, key, columns).shape)
        case ast.UnaryOp(operand=operand):
            return -_value(numpy, operand, columns)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _called(numpy, "math.pow", [left, right], columns)
        case (
            ast.BinOp(left=left, op=sign, right=right)
            | ast.Compare(left=left, ops=[sign], comparators=[right])
        ):
            operands = _value(numpy, left, columns), _value(numpy, right, columns)
            return OPERATORS[type(sign)](*operands)
        case ast.IfExp(test=test, body=yes, orelse=no):
            return numpy.where(*(_value(numpy, part, columns) for part in (test, yes, no)))
        case ast.Call(func=function, args=arguments):
            return _called(numpy, ast.unparse(function), arguments, columns)
    raise formula.Untranslatable(f"no column form for {ast.dump(node)[:80]}")


def _called(
    numpy: Any, name: str, arguments: Sequence[ast.expr], columns: Mapping[str, Any]
) -> Any:
    values = [_value(numpy, argument, columns) for argument in arguments]
    if name in BY_ELEMENT:
        by_element = numpy.frompyfunc(_finite(BY_ELEMENT[name]), len(values), 1)
        return numpy.asarray(by_element(*values), dtype=float)
    if len(values) == 1:
        return getattr(numpy, EXACT[name])(*values)
    return reduce(getattr(numpy, EXACT[name]), values)


def _finite(function: Callable[..., float]) -> Callable[..., float]:
    """A function of Python that gives NaN where it has no value."""

    def value(*numbers: float) -> float:
        try:
            return function(*numbers)
        except (ArithmeticError, ValueError):
            return math.nan

    return value
