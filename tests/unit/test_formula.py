"""The translator: the same arithmetic in every engine, refusals, and the text of LAMBDA names."""

import math
import re
from collections.abc import Callable

import pytest

from engines import ENGINES, evaluate
from scalesheet.domains import Quantity
from scalesheet.formula import (
    Spelling,
    Untranslatable,
    expanded,
    guarded_text,
    is_translatable,
    lambda_text,
    number_text,
    render,
    row_text,
    translatable,
)
from scalesheet.registry import REGISTRY, Function, Parameter
from scalesheet.surfaces.excel.lambdas import (
    LONGEST_DESCRIPTION,
    LONGEST_FORMULA,
    lambda_names,
)

LOCALS = ("kernel", "pick", "array", "height", "width", "i", "j")
NEW_FUNCTIONS = ("LAMBDA", "LET", "MAKEARRAY", "SWITCH")
OLD_FUNCTIONS = """
IF AND OR ISERROR ISNUMBER TYPE ABS ROUND ROUNDUP MAX MIN LN EXP SQRT LOWER TRIM INDEX ROWS COLUMNS
"""

# --- Bodies in which Python's and Excel's precedence part ----------------------------------------

EIGHTH, MINUS_TWO = 0.125, -2.0
CELLS = {"a": "D!A1", "b": "D!B1", "c": "D!C1"}
VALUES = (
    {"a": 3.0, "b": 2.0, "c": 0.5},
    {"a": 1.25, "b": 3.0, "c": 2.0},
)


def power_of_a_negative(a: float, b: float, c: float) -> float:
    return (-a) ** 2 + c * b


def negative_of_a_power(a: float, b: float, c: float) -> float:
    return -(a**2) + b * c


def negative_power_unbracketed(a: float, b: float, c: float) -> float:
    return -(a**b) + 100 * c


def power_of_a_power(a: float, b: float, c: float) -> float:
    return a ** (b**c)


def power_then_power(a: float, b: float, c: float) -> float:
    return (a**b) ** c


def powers_in_a_row(a: float, b: float, c: float) -> float:
    return a**b**c


def power_to_a_negative(a: float, b: float, c: float) -> float:
    return a**-b + c


def pow_negated(a: float, b: float, c: float) -> float:
    return -math.pow(a, 2) + b * c


def pow_of_pow(a: float, b: float, c: float) -> float:
    return math.pow(a, math.pow(b, c))


def pow_to_a_difference(a: float, b: float, c: float) -> float:
    return math.pow(a - c, b - c)


def minus_a_difference(a: float, b: float, c: float) -> float:
    return a - (b - c)


def minus_a_sum(a: float, b: float, c: float) -> float:
    return a - (b + c)


def minus_minus(a: float, b: float, c: float) -> float:
    return a - -b - -c


def differences_in_a_row(a: float, b: float, c: float) -> float:
    return a - b - c


def over_a_product(a: float, b: float, c: float) -> float:
    return a / (b * c)


def over_a_quotient(a: float, b: float, c: float) -> float:
    return a / (b / c)


def times_a_quotient(a: float, b: float, c: float) -> float:
    return a * (b / c)


def product_over(a: float, b: float, c: float) -> float:
    return a * b / c


def times_a_negative(a: float, b: float, c: float) -> float:
    return a * -b / -c


def sums_times_sums(a: float, b: float, c: float) -> float:
    return (a + b) * (b - c) / (c + 1)


def negative_of_a_sum(a: float, b: float, c: float) -> float:
    return -(a + b) * c


def quotient_of_powers(a: float, b: float, c: float) -> float:
    return a**2 / b**2 * c**2


def constants(a: float, b: float, c: float) -> float:
    return (a - EIGHTH) * MINUS_TWO**2 - b**MINUS_TWO - MINUS_TWO + c


def steps(a: float, b: float, c: float) -> float:
    half = a - b
    a = half - c
    return b - half * a


def condition(a: float, b: float, c: float) -> float:
    return (1 if a - b > c - a else 2) * (3 if a >= b + c else 4) - (5 if a == b else 6)


def functions(a: float, b: float, c: float) -> float:
    return max(a, b, c) - min(a - b, c) * abs(c - a) + math.sqrt(b) / math.exp(c) - math.log(a)


def rounded_up(a: float, b: float, c: float) -> float:
    return math.ceil(a / b) * c - math.ceil(a)


TRAPS: dict[Callable[..., float], str] = {
    power_of_a_negative: "(-D!A1)^2+D!C1*D!B1",
    negative_of_a_power: "-(D!A1^2)+D!B1*D!C1",
    negative_power_unbracketed: "-(D!A1^D!B1)+100*D!C1",
    power_of_a_power: "D!A1^(D!B1^D!C1)",
    power_then_power: "(D!A1^D!B1)^D!C1",
    powers_in_a_row: "D!A1^(D!B1^D!C1)",
    power_to_a_negative: "D!A1^(-D!B1)+D!C1",
    pow_negated: "-(D!A1^2)+D!B1*D!C1",
    pow_of_pow: "D!A1^(D!B1^D!C1)",
    pow_to_a_difference: "(D!A1-D!C1)^(D!B1-D!C1)",
    minus_a_difference: "D!A1-(D!B1-D!C1)",
    minus_a_sum: "D!A1-(D!B1+D!C1)",
    minus_minus: "D!A1--D!B1--D!C1",
    differences_in_a_row: "D!A1-D!B1-D!C1",
    over_a_product: "D!A1/(D!B1*D!C1)",
    over_a_quotient: "D!A1/(D!B1/D!C1)",
    times_a_quotient: "D!A1*(D!B1/D!C1)",
    product_over: "D!A1*D!B1/D!C1",
    times_a_negative: "D!A1*(-D!B1)/(-D!C1)",
    sums_times_sums: "(D!A1+D!B1)*(D!B1-D!C1)/(D!C1+1)",
    negative_of_a_sum: "-(D!A1+D!B1)*D!C1",
    quotient_of_powers: "D!A1^2/D!B1^2*D!C1^2",
    constants: "(D!A1-0.125)*-2^2-D!B1^-2--2+D!C1",
    steps: "D!B1-(D!A1-D!B1)*(D!A1-D!B1-D!C1)",
    condition: "IF(D!A1-D!B1>D!C1-D!A1,1,2)*IF(D!A1>=D!B1+D!C1,3,4)-IF(D!A1=D!B1,5,6)",
    functions: "MAX(D!A1,D!B1,D!C1)-MIN(D!A1-D!B1,D!C1)*ABS(D!C1-D!A1)"
    "+SQRT(D!B1)/EXP(D!C1)-LN(D!A1)",
    rounded_up: "ROUNDUP(D!A1/D!B1,0)*D!C1-ROUNDUP(D!A1,0)",
}


def text_of(body: Callable[..., float]) -> str:
    """A body over cells, as the translator writes it."""
    return render(expanded(body), Spelling(CELLS))


@pytest.mark.parametrize("body", TRAPS, ids=lambda body: body.__name__)
def test_text(body: Callable[..., float]) -> None:
    assert text_of(body) == TRAPS[body]


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_compute_what_python_does(engine: str, values: dict[str, float]) -> None:
    formulas = ["=" + text_of(body) for body in TRAPS]
    cells = {CELLS[name].removeprefix("D!"): value for name, value in values.items()}
    expected = [body(**values) for body in TRAPS]
    assert evaluate(engine, formulas, cells=cells) == pytest.approx(expected, rel=1e-14)


def test_most_traps_would_give_another_number_without_their_brackets() -> None:
    bare = {body: re.sub(r"(?<![A-Z])\(|\)(?=[-+*/^]|$)", "", text) for body, text in TRAPS.items()}
    bracketed = [body for body in TRAPS if bare[body] != TRAPS[body] and "IF(" not in bare[body]]
    cells = {CELLS[name].removeprefix("D!"): value for name, value in VALUES[0].items()}
    right = evaluate("formulon", ["=" + TRAPS[body] for body in bracketed], cells=cells)
    wrong = evaluate("formulon", ["=" + bare[body] for body in bracketed], cells=cells)
    harmless = {
        body for body, *pair in zip(bracketed, right, wrong, strict=True) if len({*pair}) == 1
    }
    assert harmless == {
        power_of_a_negative,
        power_then_power,
        power_to_a_negative,
        times_a_quotient,
        times_a_negative,
    }


# --- What is refused -----------------------------------------------------------------------------

TEXT = "abc"
TABLE_BY_PLACE = (1.0, 2.0)


def remainder(a: float) -> float:
    return a % 2


def whole_division(a: float) -> float:
    return a // 2


def matrix_product(a: float) -> float:
    return a @ a  # type: ignore[operator, no-any-return]


def plus_sign(a: float) -> float:
    return +a


def negation(a: float) -> float:
    return 1 if not a > 1 else 2


def both(a: float) -> float:
    return 1 if a > 1 and a < 2 else 2


def chain(a: float) -> float:
    return 1 if 1 < a < 2 else 2


def membership(a: float) -> float:
    return 1 if a in TABLE_BY_PLACE else 2


def identity(a: float) -> float:
    return 1 if a is None else 2


def unknown_function(a: float) -> float:
    return math.sin(a)


def rounding(a: float) -> float:
    return round(a)


def whole_part(a: float) -> float:
    return math.floor(a)


def logarithm_with_a_base(a: float) -> float:
    return math.log(a, 2)


def by_name(a: float) -> float:
    return max(a, 2, key=abs)


def starred(a: float) -> float:
    return max(*TABLE_BY_PLACE)


def comprehension(a: float) -> float:
    return sum(a * x for x in TABLE_BY_PLACE)


def place_in_a_tuple(a: float) -> float:
    return TABLE_BY_PLACE[0] * a


def text(a: float) -> str:
    return TEXT


def attribute(a: float) -> float:
    return a + math.pi


def unbound(a: float) -> float:
    return a + nowhere  # type: ignore[name-defined, no-any-return] # noqa: F821


def walrus(a: float) -> float:
    return (b := a) + b


def if_statement(a: float) -> float:
    if a > 1:
        return 1
    return 2


def loop(a: float) -> float:
    for _ in TABLE_BY_PLACE:
        a = a * 2
    return a


def added_in_place(a: float) -> float:
    a += 1
    return a


def annotated(a: float) -> float:
    b: float = a
    return b


def two_at_once(a: float) -> float:
    b, c = a, a
    return b + c


def nothing(a: float) -> None:
    return


def docstring_only(a: float) -> None:
    """Nothing."""


REFUSED = (
    *(remainder, whole_division, matrix_product, plus_sign, negation, both, chain, membership),
    *(identity, unknown_function, rounding, whole_part, logarithm_with_a_base, by_name, starred),
    *(comprehension, place_in_a_tuple, text, attribute, unbound, walrus, if_statement, loop),
    *(added_in_place, annotated, two_at_once, nothing, docstring_only),
)


def record_of(body: Callable[..., object]) -> Function:
    """A function of one number that is in no registry."""
    quantity = Quantity("a number", "units", "0", 0, 10)
    return Function(body, "Tests", "tests", (Parameter("a", quantity),), quantity)


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body.__name__)
def test_untranslatable(body: Callable[..., object]) -> None:
    record = record_of(body)
    assert not is_translatable(record)
    for translate in (
        lambda: row_text(record, Spelling({"a": "A1"})),
        lambda: guarded_text(record, {"a": "A1"}),
        lambda: lambda_text(record, stored=True),
    ):
        with pytest.raises(Untranslatable):
            translate()


def test_the_same_harness_translates_what_can_be() -> None:
    def doubled(a: float) -> float:
        return 2 * a

    assert row_text(record_of(doubled), Spelling({"a": "A1"})) == "2*A1"


def test_functions_that_python_alone_can_compute(golden: Callable[[str, str], None]) -> None:
    names = [record.name for record in REGISTRY.values() if not is_translatable(record)]
    assert len(names) + len(translatable()) == len(REGISTRY)
    golden("python_only.txt", "".join(f"{name}\n" for name in sorted(names)))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (8.0, "8"),
        (-2.0, "-2"),
        (0.1, "0.1"),
        (1e-9, "1E-09"),
        (1e7, "1E+07"),
        (1e12, "1E+12"),
        (1.5, "1.5"),
        (12500.0, "12500"),
        (0.0324037, "0.0324037"),
        (1e15, "1E+15"),
        (123456789.0, "123456789"),
    ],
)
def test_numbers_as_text(number: float, text: str) -> None:
    assert number_text(number) == text
    assert float(text) == number


def test_every_number_of_the_formulas_is_read_back_as_it_is() -> None:
    """Excel keeps 15 digits of a number in a formula."""
    for name in lambda_names():
        for number in re.findall(r"(?<![\w.])\d[\d.]*(?:E[+-]\d+)?", name.typed):
            assert float(f"{float(number):.15g}") == float(number)


# --- LAMBDA names --------------------------------------------------------------------------------


def test_lambdas(golden: Callable[[str, str], None]) -> None:
    blocks = [f"{name.name}\n{name.typed}\n" for name in lambda_names()]
    golden("lambdas.txt", "\n".join(blocks))


WORD = re.compile(r"""#[A-Z/0]+[!?A]|"[^"]*"|[A-Za-z_][\w.]*(\()?""")


def words(formula: str) -> list[tuple[str, bool]]:
    """The names in a formula, and whether each is called; texts and errors are left out."""
    return [
        (found[0].rstrip("("), bool(found[1]))
        for found in WORD.finditer(formula)
        if found[0][0] not in '"#' and not re.fullmatch(r"E", found[0])
    ]


def stored_faults(formula: str, parameters: tuple[str, ...]) -> list[str]:
    """What a stored LAMBDA may not have; a bare parameter is #NAME? once Excel has read it."""
    own = {*parameters, *LOCALS}
    faults = [
        f"{word} is bare"
        for word, called in words(formula)
        if word in own or (called and word in NEW_FUNCTIONS)
    ]
    faults += [
        f"{word} is not ours"
        for word, _ in words(formula)
        if word.startswith("_xlpm.") and word.removeprefix("_xlpm.") not in own
    ]
    outside = re.sub(r'"[^"]*"', '""', formula)
    if " " in outside:
        faults.append("a space outside a text")
    if formula.startswith("="):
        faults.append("an equals sign in front")
    if len(formula) > LONGEST_FORMULA:
        faults.append("too long")
    if outside.count("(") != outside.count(")"):
        faults.append("brackets do not match")
    return faults


NAMES = {name.name: name for name in lambda_names()}


@pytest.mark.parametrize("name", NAMES)
def test_stored_form(name: str) -> None:
    entry, record = NAMES[name], REGISTRY[name]
    parameters = tuple(parameter.name for parameter in record.parameters)
    assert stored_faults(entry.stored, parameters) == []
    prefixed = ",".join(f"_xlpm.{parameter}" for parameter in parameters)
    assert entry.stored.startswith(f"_xlfn.LAMBDA({prefixed},_xlfn.LET(")
    assert 0 < len(entry.description) <= LONGEST_DESCRIPTION
    assert re.fullmatch(r"[A-Z][A-Z0-9_]*", entry.name)
    bare = entry.stored.replace("_xlpm.", "").replace("_xlfn.", "")
    assert entry.typed == f"={bare}"
    assert set(parameters).isdisjoint(LOCALS)


@pytest.mark.parametrize(
    ("formula", "fault"),
    [
        ("_xlfn.LAMBDA(_xlpm.nodes,nodes+1)", "nodes is bare"),
        ("LAMBDA(_xlpm.nodes,_xlpm.nodes)", "LAMBDA is bare"),
        ("_xlfn.LAMBDA(_xlpm.nodes,LET(_xlpm.i,1,_xlpm.i))", "LET is bare"),
        ("_xlfn.LAMBDA(_xlpm.nodes,SWITCH(_xlpm.nodes,1,2))", "SWITCH is bare"),
        ("_xlfn.LAMBDA(_xlpm.nodes,_xlpm.height+height)", "height is bare"),
        ("_xlfn.LAMBDA(_xlpm.nodes,_xlpm.node)", "_xlpm.node is not ours"),
        ("_xlfn.LAMBDA(_xlpm.nodes, _xlpm.nodes)", "a space outside a text"),
        ("=_xlfn.LAMBDA(_xlpm.nodes,_xlpm.nodes)", "an equals sign in front"),
        ("_xlfn.LAMBDA(_xlpm.nodes,(_xlpm.nodes)", "brackets do not match"),
        ("1" * 8192, "too long"),
    ],
)
def test_faults_of_a_stored_form_are_seen(formula: str, fault: str) -> None:
    assert fault in stored_faults(formula, ("nodes",))


def test_locals_are_those_of_the_rendering() -> None:
    for record in translatable():
        parameters = {parameter.name for parameter in record.parameters}
        used = {
            word.removeprefix("_xlpm.")
            for word, _ in words(NAMES[record.name].stored)
            if word.startswith("_xlpm.")
        }
        assert used == parameters | set(LOCALS)


def test_lambdas_call_no_function_outside_the_list() -> None:
    """What every Excel with LAMBDA has, and nothing of ours: a name may not call another."""
    allowed = {*OLD_FUNCTIONS.split(), *(f"_xlfn.{name}" for name in NEW_FUNCTIONS)}
    for entry in NAMES.values():
        called = {word for word, is_call in words(entry.stored) if is_call}
        assert called - allowed - {"_xlpm.kernel", "_xlpm.pick"} == set()
