"""The body of a worksheet function as Excel text, in three renderings.

``lambda_text``   a LAMBDA that guards its arguments and maps over ranges: one defined name a
                  function, scalar and array alike.
``guarded_text``  the same guards and formula as one plain cell formula over cell references.
``row_text``      the unguarded formula of a workbook row, constants and earlier rows as references;
                  there limits are validations and checks.

All three start from one expression: the function's body with its steps and the functions that it
calls put in place (``expanded``). A body may hold assignments and one return of arithmetic, powers,
max, min, comparisons, conditional expressions, a few functions of ``math``, look-ups in a table by
name, and other worksheet functions. Anything else is ``Untranslatable``: such a function is offered
where Python runs and nowhere else.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from scalesheet.domains import WHOLE_TOLERANCE, Choice, Date, Name, Quantity, Vector
from scalesheet.registry import REGISTRY, Function, Rule

MAX_NAME_LENGTH = 8192
MAX_DESCRIPTION_LENGTH = 255

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
ATOM = 9

# Functions newer than the file format are stored with a prefix, and so are the names of LAMBDA
# parameters and LET steps.
STORED_PREFIXES = {name: f"_xlfn.{name}" for name in ("LAMBDA", "LET", "MAKEARRAY", "SWITCH")}


class Untranslatable(Exception):
    """A body that has no form as a cell formula."""


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


# --- From a body to one expression ---------------------------------------------------------------


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
        self, body: Callable[..., Any], bound: Mapping[str, ast.expr], known: "Known"
    ) -> None:
        self.body, self.bound, self.known = body, bound, known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.bound:
            return self.bound[node.id]
        value = self.body.__globals__.get(node.id)
        if isinstance(value, (int, float)):
            return _Constant(value=float(value), name=node.id)
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
        return self.known(record, arguments) or expanded(record.body, arguments, self.known)


class _Constant(ast.Constant):
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


def _nothing_known(record: Function, arguments: Sequence[ast.expr]) -> ast.expr | None:
    return None


def expanded(
    body: Callable[..., Any], arguments: Sequence[ast.expr], known: Known = _nothing_known
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


# --- From an expression to text ------------------------------------------------------------------


def render(node: ast.expr, spelling: Spelling) -> str:
    """An expression as Excel text."""
    return _render(node, spelling)[0]


def _render(node: ast.expr, spelling: Spelling) -> tuple[str, int]:
    """Text and precedence: what binds less tightly than its surroundings gets brackets."""
    match node:
        case _Constant(name=name, value=value) if name in spelling.constants:
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
    options = next(
        parameter.domain
        for record in REGISTRY.values()
        for parameter in record.parameters
        if isinstance(parameter.domain, Choice)
        and {short for short, _ in parameter.domain.options} == set(node.table)
    )
    pairs = ",".join(
        f'"{spelling_}",{number_text(node.table[short])}'
        for spelling_, short in options.spellings.items()
    )
    return f"{spelling.function('SWITCH')}(LOWER(TRIM({key})),{pairs},#VALUE!)"


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


# --- Guards --------------------------------------------------------------------------------------


def _leaf(name: str) -> ast.expr:
    return ast.Name(id=name)


def guarded(record: Function, spelling: Spelling) -> str:
    """A function's formula behind its guards, over the symbols of its parameters.

    An argument in error is passed on as it is; a wrong kind gives #VALUE!, a number outside its
    limits or a broken rule #NUM!: the order in which Python checks.
    """
    kinds, limits, symbols = [], [], dict(spelling.symbols)
    for parameter in record.parameters:
        symbol = spelling.symbols[parameter.name]
        match parameter.domain:
            case Choice() as choice:
                known = ",".join(f'"{text}"' for text in choice.spellings)
                kinds.append(f"OR(LOWER(TRIM({symbol}))={{{known}}})")
            case Quantity() as quantity:
                kinds.append(f"ISNUMBER({symbol})")
                if quantity.whole:
                    symbols[parameter.name] = f"ROUND({symbol},0)"
                limits += _limits(symbol, symbols[parameter.name], quantity)
            case Vector() | Name() | Date():
                raise Untranslatable(f"{record.name} takes {parameter.domain.words}")
    inside = Spelling(symbols, spelling.constants, spelling.tables, spelling.functions)
    limits += [_rule_text(rule, inside) for rule in record.rules]
    body = render(expanded(record.body, [_leaf(p.name) for p in record.parameters]), inside)
    if limits:
        body = f"IF(AND({','.join(limits)}),{body},#NUM!)"
    text = f"IF(AND({','.join(kinds)}),{body},#VALUE!)"
    for parameter in reversed(record.parameters):
        symbol = spelling.symbols[parameter.name]
        text = f"IF(ISERROR({symbol}),{symbol},{text})"
    return text


def _limits(symbol: str, snapped: str, quantity: Quantity) -> list[str]:
    above, below = (">" if quantity.low_open else ">="), ("<" if quantity.high_open else "<=")
    limits = [
        f"{snapped}{above}{number_text(quantity.low)}",
        f"{snapped}{below}{number_text(quantity.high)}",
    ]
    if quantity.whole:
        limits.insert(0, f"ABS({symbol}-{snapped})<={number_text(WHOLE_TOLERANCE)}")
    return limits


def _rule_text(rule: Rule, spelling: Spelling) -> str:
    names = [argument.arg for argument in _parsed(rule).args.args]
    return render(expanded(rule, [_leaf(name) for name in names]), spelling)


# --- The three renderings ------------------------------------------------------------------------


def guarded_text(record: Function, references: Mapping[str, str]) -> str:
    """One plain cell formula with guards, its arguments being cell references."""
    return guarded(record, Spelling(references, functions=STORED_PREFIXES))


def row_text(record: Function, spelling: Spelling, known: Known = _nothing_known) -> str:
    """The unguarded formula of a workbook row; ``known`` names the rows of other functions."""
    arguments = [_leaf(parameter.name) for parameter in record.parameters]
    return render(expanded(record.body, arguments, known), spelling)


@cache
def lambda_text(record: Function, *, stored: bool) -> str:
    """The LAMBDA of a function: as a file stores it, or as a user types it.

    A cell in range arguments is picked for each place of the common shape, so that a single value
    is repeated and a row against a column gives the grid. INDEX is for arrays only: one engine
    refuses it on a single value. MAX and MIN in the body are safe since the body only ever sees
    single values.
    """
    prefix = "_xlpm." if stored else ""
    functions = STORED_PREFIXES if stored else {}
    call = {name: functions.get(name, name) for name in STORED_PREFIXES}
    names = [prefix + parameter.name for parameter in record.parameters]
    symbols = {parameter.name: prefix + parameter.name for parameter in record.parameters}
    one = guarded(record, Spelling(symbols, functions=functions))
    kernel, pick, array, height, width, i, j = (
        prefix + name for name in ("kernel", "pick", "array", "height", "width", "i", "j")
    )
    listed = ",".join(names)
    picked = ",".join(f"{pick}({name},{i},{j})" for name in names)
    first = ",".join(f"{pick}({name},1,1)" for name in names)
    fits = ",".join(
        f"OR(ROWS({name})=1,ROWS({name})={height}),OR(COLUMNS({name})=1,COLUMNS({name})={width})"
        for name in names
    )
    return (
        f"{call['LAMBDA']}({listed},{call['LET']}("
        f"{kernel},{call['LAMBDA']}({listed},{one}),"
        f"{pick},{call['LAMBDA']}({array},{i},{j},IF(TYPE({array})=64,"
        f"INDEX({array},MIN({i},ROWS({array})),MIN({j},COLUMNS({array}))),{array})),"
        f"{height},MAX({','.join(f'ROWS({name})' for name in names)}),"
        f"{width},MAX({','.join(f'COLUMNS({name})' for name in names)}),"
        f"IF({height}*{width}=1,{kernel}({first}),"
        f"IF(AND({fits}),{call['MAKEARRAY']}({height},{width},"
        f"{call['LAMBDA']}({i},{j},{kernel}({picked}))),#VALUE!))))"
    )


def translatable() -> list[Function]:
    """The functions that have a form as a cell formula, in the order of the registry."""
    return [record for record in REGISTRY.values() if is_translatable(record)]


def is_translatable(record: Function) -> bool:
    """Whether a function has a form as a cell formula."""
    try:
        lambda_text(record, stored=True)
    except Untranslatable:
        return False
    return True
