"""A function's body as one expression: its steps and the functions that it calls put in place.

It is a tree of Python's ``ast`` with two kinds of nodes more: ``NamedConstant`` and ``Lookup``.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from scalesheet.registry import REGISTRY, Function, argument_names


class Untranslatable(Exception):
    """A body that has no form as a cell formula."""


class NamedConstant(ast.Constant):
    """A number that has a name in the code."""

    name: str = ""

    def __init__(self, value: float, name: str) -> None:
        super().__init__(value=value)
        self.name = name


class Lookup(ast.expr):
    """A value found in a table by a name."""

    _fields = ("key",)

    def __init__(self, table: dict[str, float], name: str, key: ast.expr) -> None:
        super().__init__()
        self.table, self.name, self.key = table, name, key


Known = Callable[[Function, Sequence[ast.expr]], ast.expr | None]
"""What stands for a call of a worksheet function instead of its body, if anything does."""


def nothing_known(record: Function, arguments: Sequence[ast.expr]) -> ast.expr | None:
    """No call is known: every body is put in place."""
    return None


def expanded(body: Callable[..., Any], known: Known = nothing_known) -> ast.expr:
    """A function's result as one expression over its own arguments.

    >>> from scalesheet.scaling import gpus_lost
    >>> ast.unparse(expanded(gpus_lost))
    'nodes * gpus_per_node * (1 - efficiency)'
    """
    return _expanded_over(body, [ast.Name(id=name) for name in argument_names(body)], known)


def _expanded_over(
    body: Callable[..., Any], arguments: Sequence[ast.expr], known: Known = nothing_known
) -> ast.expr:
    """A function's result as one expression over its arguments' expressions."""
    tree = _parsed(body)
    bound = dict(zip((argument.arg for argument in tree.args.args), arguments, strict=True))
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # the docstring
        substitution = _Substitution(body, bound, known)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound[name] = substitution.visit(value)
            case ast.Return(value=ast.expr() as value):
                return substitution.visit(value)  # type: ignore[no-any-return]
            case _:
                raise Untranslatable(f"{body.__name__}: {type(statement).__name__.lower()}")
    raise Untranslatable(f"{body.__name__} returns nothing")


@cache
def _source(body: Callable[..., Any]) -> str:
    return textwrap.dedent(inspect.getsource(body))


def _parsed(body: Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a body, a new one each time: to read it again is quicker than to copy."""
    tree = ast.parse(_source(body)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


class _Substitution(ast.NodeTransformer):
    """Names replaced by expressions, and calls of worksheet functions by their bodies."""

    def __init__(
        self, body: Callable[..., Any], bound: Mapping[str, ast.expr], known: Known
    ) -> None:
        self.body, self.bound, self.known = body, bound, known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.bound:
            return self.bound[node.id]
        value = self.body.__globals__.get(node.id)
        if isinstance(value, (int, float)):
            return NamedConstant(value=float(value), name=node.id)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        table = self.body.__globals__.get(getattr(node.value, "id", ""))
        if not isinstance(table, dict):
            raise Untranslatable(f"{self.body.__name__}: look-up in something other than a table")
        return Lookup(table=table, name=node.value.id, key=self.visit(node.slice))  # type: ignore[attr-defined]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = ast.unparse(node.func)
        target = self.body.__globals__.get(called)
        record = REGISTRY.get(called.upper())
        if record is None or record.body is not target:
            self.generic_visit(node)
            return node
        if node.keywords:
            raise Untranslatable(f"{self.body.__name__}: {called} called with arguments by name")
        arguments = [self.visit(argument) for argument in node.args]
        return self.known(record, arguments) or _expanded_over(record.body, arguments, self.known)
