"""An expression as Excel text: operators, functions, look-ups, numbers."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scalesheet.domains import Choice
from scalesheet.formula.expressions import Lookup, NamedConstant, Untranslatable
from scalesheet.registry import REGISTRY

EXCEL_FUNCTIONS = {
    "max": "MAX",
    "min": "MIN",
    "abs": "ABS",
    "math.log": "LN",
    "math.exp": "EXP",
    "math.sqrt": "SQRT",
}
OPERATORS: dict[type, tuple[str, int]] = {
    ast.Add: ("+", 2),
    ast.Sub: ("-", 2),
    ast.Mult: ("*", 3),
    ast.Div: ("/", 3),
    ast.Pow: ("^", 4),
    ast.Eq: ("=", 1),
    ast.NotEq: ("<>", 1),
    ast.Lt: ("<", 1),
    ast.LtE: ("<=", 1),
    ast.Gt: (">", 1),
    ast.GtE: (">=", 1),
}
"""The sign of each operator, and how tightly it binds."""
ATOM = 9
"""Binds tightest of all: a number, a name, a call."""

STORED_PREFIXES = {name: f"_xlfn.{name}" for name in ("LAMBDA", "LET", "MAKEARRAY", "SWITCH")}
"""Functions newer than the file format: they are stored with a prefix. So are the names of LAMBDA
parameters and LET steps, with ``_xlpm.``"""


@dataclass(frozen=True)
class Spelling:
    """How leaves are written: arguments, constants, tables, and functions newer than the format.

    ``symbols`` maps an argument to its text, ``constants`` a constant's name to a reference (it is
    written as a number otherwise), ``tables`` a look-up table's name to the ranges of its names and
    values (SWITCH otherwise).
    """

    symbols: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)

    def function(self, name: str) -> str:
        """A function's name as it stands in the text."""
        return self.functions.get(name, name)


def render(node: ast.expr, spelling: Spelling) -> str:
    """An expression as Excel text, its leaves as ``spelling`` writes them.

    >>> tree = ast.parse("gpus * (1 - efficiency)", mode="eval").body
    >>> render(tree, Spelling({"gpus": "B2", "efficiency": "B3"}))
    'B2*(1-B3)'
    """
    return _render(node, spelling)[0]


def _render(node: ast.expr, spelling: Spelling) -> tuple[str, int]:
    """Text and precedence: what binds less tightly than its surroundings gets brackets."""
    match node:
        case NamedConstant(name=name, value=value) if name in spelling.constants:
            return spelling.constants[name], ATOM
        case ast.Constant(value=int() | float() as value):
            return number_text(float(value)), ATOM
        case ast.Name(id=name) if name in spelling.symbols:
            return spelling.symbols[name], ATOM
        case Lookup():
            return _render_lookup(node, spelling), ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_bracketed(operand, ATOM, spelling)}", 3
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            sign, binding = OPERATORS[type(operator)]
            # Excel takes ^ from the left and Python from the right: bracket either side.
            tight = 1 if isinstance(operator, ast.Pow) else 0
            first = _bracketed(left, binding + tight, spelling)
            return f"{first}{sign}{_bracketed(right, binding + 1, spelling)}", binding
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if (
            type(operator) in OPERATORS
        ):
            sign, binding = OPERATORS[type(operator)]
            first = _bracketed(left, binding + 1, spelling)
            return f"{first}{sign}{_bracketed(right, binding + 1, spelling)}", binding
        case ast.IfExp(test=test, body=yes, orelse=no):
            return (
                f"IF({render(test, spelling)},{render(yes, spelling)},{render(no, spelling)})",
                ATOM,
            )
        case ast.Call(func=called, args=[base, exponent], keywords=[]) if (
            ast.unparse(called) == "math.pow"
        ):
            return _render(ast.BinOp(base, ast.Pow(), exponent), spelling)
        case ast.Call(func=called, args=arguments, keywords=[]):
            return _render_call(ast.unparse(called), arguments, spelling), ATOM
    raise Untranslatable(f"no cell formula for {ast.dump(node)[:80]}")


def _render_call(called: str, arguments: Sequence[ast.expr], spelling: Spelling) -> str:
    texts = [render(argument, spelling) for argument in arguments]
    match called, arguments:
        case "math.ceil", [_]:
            return f"ROUNDUP({texts[0]},0)"
        case "math.log" | "math.exp" | "math.sqrt" | "abs", [_, _, *_]:
            raise Untranslatable(f"no cell formula for {called}() of several arguments")
    if called not in EXCEL_FUNCTIONS or any(isinstance(node, ast.Starred) for node in arguments):
        raise Untranslatable(f"no cell formula for {called}()")
    return f"{EXCEL_FUNCTIONS[called]}({','.join(texts)})"


def _render_lookup(node: Lookup, spelling: Spelling) -> str:
    key = render(node.key, spelling)
    if node.name in spelling.tables:
        names, values = spelling.tables[node.name]
        return f"INDEX({values},MATCH({key},{names},0))"
    choice = _choice_among(node.table)
    pairs = ",".join(
        f'"{text}",{number_text(node.table[short])}' for text, short in choice.spellings.items()
    )
    return f"{spelling.function('SWITCH')}(LOWER(TRIM({key})),{pairs},#VALUE!)"


def _choice_among(table: Mapping[str, float]) -> Choice:
    """The argument that chooses among the names of a table."""
    return next(
        parameter.domain
        for record in REGISTRY.values()
        for parameter in record.parameters
        if isinstance(parameter.domain, Choice)
        and {short for short, _ in parameter.domain.options} == set(table)
    )


def _bracketed(node: ast.expr, needed: int, spelling: Spelling) -> str:
    text, binding = _render(node, spelling)
    return text if binding >= needed else f"({text})"


def number_text(value: float) -> str:
    """A number as Excel writes it.

    >>> number_text(8.0), number_text(0.015), number_text(1e-12), number_text(1e12)
    ('8', '0.015', '1E-12', '1E+12')
    """
    if value != int(value):
        return repr(value).upper()
    plain, short = repr(int(value)), f"{value:.0E}"
    return short if len(short) < len(plain) and float(short) == value else plain
