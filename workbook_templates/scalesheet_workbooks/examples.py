"""The calls in the docstrings of the worksheet functions, as a cell has them."""

import ast
import doctest
from dataclasses import dataclass
from datetime import date
from typing import Any

from scalesheet.registry import Function

Argument = float | str | date | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A call: the arguments in their order, and what a user types, without the equals sign."""

    arguments: tuple[Argument, ...]
    text: str


def examples(record: Function) -> list[Example]:
    """The calls of a function in its own docstring.

    >>> from scalesheet.registry import REGISTRY
    >>> examples(REGISTRY["SCALING_EFF"])[0]
    Example(arguments=(4, 'NDR', 0.5), text='SCALING_EFF(4,"NDR",0.5)')
    >>> for name in ("WORK_GPU_HOURS", "FAILURE_WASTE", "GPU_PURCHASE_PRICE"):
    ...     print(examples(REGISTRY[name])[0].text)
    WORK_GPU_HOURS(70E9,15E12,989E12,0.4)
    FAILURE_WASTE(3.0930786,1/60,0.3210959,1/6)
    GPU_PURCHASE_PRICE("H100",DATE(2026,9,1))
    """
    found = []
    for entry in doctest.DocTestParser().get_examples(record.body.__doc__ or ""):
        for node in ast.walk(ast.parse(entry.source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == record.body.__name__:
                by_name = {keyword.arg: keyword.value for keyword in node.keywords}
                rest = [by_name[p.name] for p in record.parameters[len(node.args) :]]
                given = [*node.args, *rest]
                texts = (_text(argument, entry.source) for argument in given)
                text = f"{record.name}({','.join(texts)})"
                found.append(Example(tuple(map(_value, given)), text))
    return found


def _value(node: ast.expr) -> Any:
    """An argument: a literal, a fraction of two numbers, or a date."""
    match node:
        case ast.Call(func=ast.Name(id="date"), args=parts):
            return date(*(ast.literal_eval(part) for part in parts))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return ast.literal_eval(left) / ast.literal_eval(right)
        case _:
            return ast.literal_eval(node)


def _text(node: ast.expr, source: str) -> str:
    """An argument as a cell formula has it, numbers as they stand in the docstring."""
    match node:
        case ast.Call(func=ast.Name(id="date"), args=parts):
            return f"DATE({','.join(_text(part, source) for part in parts)})"
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return f"{_text(left, source)}/{_text(right, source)}"
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return "{" + ",".join(_text(item, source) for item in items) + "}"
        case ast.Constant(value=str(value)):
            return '"' + value.replace('"', '""') + '"'
        case _:
            return str(ast.get_source_segment(source, node)).upper()
