"""One function, one result: Python, the guarded cell formula and the LAMBDA name, in every engine.

Inputs stand in cells. All functions share one workbook a form, since starting an engine costs more
than a thousand formulas.
"""

import itertools
import math
import multiprocessing
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openpyxl.utils import get_column_letter

from engines import (
    DATA_SHEET,
    ENGINES,
    FORMULA_SHEET,
    LAMBDA_ENGINES,
    Cell,
    evaluate,
    write_workbook,
)
from scalesheet.domains import WHOLE_TOLERANCE, Choice, Domain, Quantity
from scalesheet.errors import CellError
from scalesheet.formula import guarded_text, translatable
from scalesheet.ownership import NO_RATE, owned_gpu_hour
from scalesheet.registry import REGISTRY, Function, argument_names
from scalesheet.surfaces.cells import answer
from scalesheet.surfaces.excel.lambdas import lambda_names

FUNCTIONS = [record.name for record in translatable()]
LAMBDAS = {name.name: name.stored for name in lambda_names()}
GUARDED, ARRAY, LAMBDA = "guarded", "guarded, as an array formula", "LAMBDA"

SMALL_CONSTANT = "formulon"
"""It sees one item of an array constant in a plain formula (see the test of it): the functions that
take a name, whose guard has such a constant, are array formulas there."""

TAKE_A_NAME = {
    record.name
    for record in translatable()
    if any(isinstance(parameter.domain, Choice) for parameter in record.parameters)
}
CALLS = [
    (ARRAY if engine == SMALL_CONSTANT and name in TAKE_A_NAME else GUARDED, engine, name)
    for engine in ENGINES
    for name in FUNCTIONS
] + [(LAMBDA, engine, name) for engine in LAMBDA_ENGINES for name in FUNCTIONS]

EXACT_ERRORS = LAMBDA_ENGINES
"""The engines whose error codes must be Python's; LibreOffice has errors of its own."""

SLOW = "formulon"
READS_TRUE_AS_ONE = "libreoffice"
TRIMS_EVERY_SPACE = "formualizer"

TOLERANCE = 1e-12

# The largest number that takes part in the last sum or difference of a body, where that can be
# larger than the result: differences are measured against it, not against a result near zero.
LARGEST_OPERAND: dict[str, Callable[..., float]] = {
    "SCALING_EFF": lambda nodes, interconnect, efficiency_floor: 1.0,
    "SCALING_EFF_LINEAR": lambda nodes, loss_per_extra_node, efficiency_floor: 1.0,
    "MARGINAL_NODE": lambda nodes, loss_per_extra_node, efficiency_floor: nodes + 1,
    "GPUS_LOST": lambda nodes, gpus_per_node, efficiency: nodes * gpus_per_node,
    "FABRIC_PREMIUM": lambda efficiency, efficiency_alternative: 1.0,
    "COST_OVERHEAD": lambda efficiency, rework: 1.0,
    "SCALING_EXPONENT": lambda base_nodes, base_throughput, nodes, throughput: (
        1 / abs(math.log(nodes / base_nodes))
    ),
    "CHECKPOINT_INTERVAL": lambda checkpoint_hours, mtbf_hours: checkpoint_hours,
    "HOURS_NO_CHECKPOINT": lambda hours, mtbf_hours: mtbf_hours,
    "SPOT_BREAKEVEN_REWORK": lambda *prices: 1.0,
    "OWNED_GPU_HOUR": lambda capital, residual, life_years, rate, *running: (
        # The monthly rate is a power less 1, and so is the discount.
        owned_gpu_hour(capital, 0, life_years, rate, *running)
        / (min(1.0, rate / 12, rate * life_years) / 2 if rate * min(life_years, 1) > NO_RATE else 1)
    ),
    "CRITICAL_BATCH": lambda samples_ratio, batch_size, base_batch_size: (
        batch_size * samples_ratio / (samples_ratio - 1) ** 2
    ),
    "COMMITTED_COST": lambda committed_gpu_hours, used_gpu_hours, committed_price, overflow_price: (
        max(committed_gpu_hours, used_gpu_hours) * overflow_price
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One call: a function and the cells that it is given."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def record(self) -> Function:
        return REGISTRY[self.name]

    @property
    def expected(self) -> Cell:
        """What Python answers in the cell."""
        result = answer(self.record, self.cells)
        assert not isinstance(result, list)
        return result


def as_numbers(case: Case) -> Case:
    """The same call where a runtime delivers TRUE as 1 and FALSE as 0."""
    cells = (float(cell) if isinstance(cell, bool) else cell for cell in case.cells)
    return Case(case.name, tuple(cells))


def has_odd_space(case: Case) -> bool:
    """Whether a name ends in a space that TRIM does not know."""
    return any(isinstance(cell, str) and cell.endswith(("\u00a0", "\t")) for cell in case.cells)


def differs(case: Case, found: Cell, exact_errors: bool) -> str:
    """Why an engine's cell is not Python's answer; empty when it is."""
    expected = case.expected
    shown = f"{case.name}{case.cells}: {found} instead of {expected}"
    if isinstance(expected, CellError) or isinstance(found, CellError):
        same = found == expected if exact_errors else type(found) is type(expected)
        return "" if same else shown
    if type(found) is not float or type(expected) is not float:
        return shown
    operand = LARGEST_OPERAND.get(case.name, lambda *cells: 0.0)(*case.cells)
    close = abs(found - expected) <= TOLERANCE * max(abs(found), abs(expected), operand)
    return "" if close else shown


# --- Argument sets -------------------------------------------------------------------------------

SMALLEST = 1e-9
"""Where a limit is open at zero, samples start here."""

BELOW_AN_OPEN_LIMIT = 1 - 1e-12
"""Engines compare 15 digits, as Excel does: what is nearer to an open limit counts as on it."""


def ends(quantity: Quantity) -> tuple[float, float]:
    """The lowest and the highest number to try."""
    low = max(quantity.low, SMALLEST) if quantity.low_open else quantity.low
    return low, quantity.high * BELOW_AN_OPEN_LIMIT if quantity.high_open else quantity.high


def a_number(rng: random.Random, quantity: Quantity) -> float:
    """A number in the hard limits: mostly log-uniform, at times a limit or next to one."""
    low, high = ends(quantity)
    kind = rng.random()
    if kind < 0.04:
        return rng.choice((low, high))
    if kind < 0.08:
        inside = rng.choice((low + 1e-7 * max(abs(low), SMALLEST), high * (1 - 1e-12)))
        return float(round(inside)) if quantity.whole else inside
    if kind < 0.2:
        usual = quantity.usual or (low, min(high, 100.0))
        value = rng.uniform(*usual)
    elif low < 0:
        value = rng.uniform(low, high)
    else:
        value = math.exp(rng.uniform(math.log(max(low, SMALLEST)), math.log(high)))
    value = min(max(value, low), high)
    if quantity.whole:
        value = float(round(value))
        value += rng.choice((0.0, 0.0, 0.4, -0.4)) * WHOLE_TOLERANCE
    return value


def a_name(rng: random.Random, choice: Choice) -> str:
    """A known name in some case, with spaces that TRIM folds."""
    text = rng.choice([text for option in choice.options for text in option])
    text = rng.choice((str, str.lower, str.upper, str.swapcase))(text)
    text = text.replace(" ", " " * rng.randint(1, 3))
    return " " * rng.randint(0, 2) + text + " " * rng.randint(0, 2)


def a_cell(rng: random.Random, domain: Domain) -> Cell:
    """A cell in the domain of an argument."""
    match domain:
        case Quantity():
            return a_number(rng, domain)
        case Choice():
            return a_name(rng, domain)
    raise TypeError(f"no sample of {domain}")


def keeps_rules(record: Function, cells: Sequence[Cell]) -> bool:
    """Whether the rules across arguments hold."""
    given = {
        p.name: p.domain.check(p.name, p.domain.read(p.name, cell))  # type: ignore[arg-type]
        for p, cell in zip(record.parameters, cells, strict=True)
    }
    return all(rule(*(given[name] for name in argument_names(rule))) for rule in record.rules)


def in_domain(record: Function, rng: random.Random) -> Iterator[tuple[Cell, ...]]:
    """Argument sets that a function takes, without end."""
    while True:
        cells = tuple(a_cell(rng, parameter.domain) for parameter in record.parameters)
        if keeps_rules(record, cells):
            yield cells


def corners(record: Function) -> Iterator[tuple[Cell, ...]]:
    """Every argument at one of its ends, a name at its first or last spelling."""
    choices: list[tuple[Cell, ...]] = []
    for parameter in record.parameters:
        match parameter.domain:
            case Quantity() as quantity:
                choices.append(ends(quantity))
            case Choice() as choice:
                choices.append((choice.options[0][0], choice.options[-1][1]))
    return (cells for cells in itertools.product(*choices) if keeps_rules(record, cells))


def first(record: Function, count: int) -> list[Case]:
    """The corners and the first argument sets of a function; the same in every run."""
    sets = itertools.islice(in_domain(record, random.Random(record.name)), count)
    cases = [Case(record.name, cells) for cells in itertools.chain(corners(record), sets)]
    return [case for case in cases if is_compared(case)]


MOST_GPUS = 1e7


def is_compared(case: Case) -> bool:
    """Counts beyond the limit of GPUs are left out: LibreOffice rounds up what 15 digits show."""
    if case.name == "BILLED_HOURS":
        hours, increment_hours = case.cells
        return hours / increment_hours <= MOST_GPUS  # type: ignore[operator]
    return case.name != "GPUS_FOR_DEADLINE" or case.expected <= MOST_GPUS  # type: ignore[operator]


ANY: tuple[Cell, ...] = (
    None,
    "",
    "   ",
    True,
    False,
    CellError("#N/A"),
    CellError("#DIV/0!"),
    CellError("#NUM!"),
)


def wrong_cells(domain: Domain) -> tuple[Cell, ...]:
    """Cells that an argument must not be, one of every kind."""
    if isinstance(domain, Choice):
        short = domain.options[0][0]
        return (*ANY, 4.0, 0.0, "EFA", "N*", "?DR", f"{short}\u00a0", f"{short}\t", f"{short}~")
    assert isinstance(domain, Quantity)
    scale = abs(domain.high) * 1e-9
    outside: list[Cell] = [domain.low - max(scale, 1e-6), domain.high * (1 + 1e-9) + scale, -1e300]
    if domain.low_open:
        outside.append(domain.low)
    if domain.high_open:
        outside.append(domain.high)
    if domain.whole:
        outside += [4.5, 4 + 3 * WHOLE_TOLERANCE, 4 - 3 * WHOLE_TOLERANCE]
    return (*ANY, *outside, 1e300, "x", "80%", "0.8", "4", "#N/A", "'4")


def refused(record: Function) -> list[Case]:
    """Every wrong cell in every argument, alone and beside another: the first error shows."""
    rng = random.Random(record.name)
    good = next(in_domain(record, rng))
    cases = []
    for place, parameter in enumerate(record.parameters):
        for wrong in wrong_cells(parameter.domain):
            cells = [*good[:place], wrong, *good[place + 1 :]]
            cases.append(Case(record.name, tuple(cells)))
            if others := [other for other in range(len(good)) if other != place]:
                other = rng.choice(others)
                cells[other] = rng.choice(wrong_cells(record.parameters[other].domain))
                cases.append(Case(record.name, tuple(cells)))
    return cases


RULE_BREAKERS = (
    Case("SCALING_EXPONENT", (4.0, 100.0, 4.0, 300.0)),
    Case("SCALING_EXPONENT", (4.0, 100.0, 4.0 + 0.5 * WHOLE_TOLERANCE, 300.0)),
    Case("SCALING_EXPONENT", (1.0, 100.0, 1.0, 100.0)),
)


# --- One workbook a form -------------------------------------------------------------------------


def column(engine: str, xlsx: Path, count: int) -> list[Cell]:
    """What an engine computes for the formulas of a workbook."""
    values = ENGINES[engine](xlsx)
    return [values[FORMULA_SHEET, f"A{row}"] for row in range(1, count + 1)]


AT_ONCE = 30_000
"""Formulas in one workbook: formulon ends at a multiple of it for want of memory."""


class Results:
    """What the engines compute for the pooled cases, each form and engine run once.

    Engines run in two processes of their own, the slow one first.
    """

    def __init__(
        self, folder: Path, cases: Sequence[Case], runs: Iterable[tuple[str, str]]
    ) -> None:
        self.folder = folder
        named = [case for case in cases if case.name in TAKE_A_NAME]
        self.cases = {GUARDED: cases, ARRAY: named, LAMBDA: cases}
        self.files: dict[str, list[tuple[Path, int]]] = {}
        self.pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork"))
        self.done = {
            (form, engine): [
                self.pool.submit(column, engine, xlsx, count)
                for xlsx, count in self.workbooks(form)
            ]
            for form, engine in sorted(runs, key=lambda run: run[1] != SLOW)
        }

    def differences(self, form: str, engine: str, name: str) -> list[str]:
        """What an engine computes differently for one function."""
        values = [value for part in self.done[form, engine] for value in part.result()]
        pairs = [
            (case, found)
            for case, found in zip(self.cases[form], values, strict=True)
            if case.name == name
        ]
        assert pairs
        if engine == READS_TRUE_AS_ONE:
            # And a result that is such a TRUE is shown as TRUE.
            pairs = [
                (as_numbers(case), float(found) if isinstance(found, bool) else found)
                for case, found in pairs
            ]
        if engine == TRIMS_EVERY_SPACE:
            pairs = [(case, found) for case, found in pairs if not has_odd_space(case)]
        exact = engine in EXACT_ERRORS
        return [line for case, found in pairs if (line := differs(case, found, exact))]

    def workbooks(self, form: str) -> list[tuple[Path, int]]:
        """The workbooks with every case in one form, and how many each holds."""
        if form not in self.files:
            cases = self.cases[form]
            parts = [cases[first : first + AT_ONCE] for first in range(0, len(cases), AT_ONCE)]
            self.files[form] = [
                (self.workbook(form, number, part), len(part)) for number, part in enumerate(parts)
            ]
        return self.files[form]

    def workbook(self, form: str, number: int, cases: Sequence[Case]) -> Path:
        """One workbook: formulas in F, arguments in D."""
        formulas = [self.formula(form, row, case) for row, case in enumerate(cases, 1)]
        cells = {
            f"{get_column_letter(column)}{row}": cell
            for row, case in enumerate(cases, 1)
            for column, cell in enumerate(case.cells, 1)
        }
        names = LAMBDAS if form == LAMBDA else None
        return write_workbook(self.folder / f"{form} {number}.xlsx", formulas, names, cells)

    def formula(self, form: str, row: int, case: Case) -> str:
        """One call over its cells."""
        places = [
            f"{DATA_SHEET}!{get_column_letter(column)}{row}"
            for column in range(1, len(case.cells) + 1)
        ]
        if form == LAMBDA:
            return f"={case.name}({','.join(places)})"
        names = [parameter.name for parameter in case.record.parameters]
        text = "=" + guarded_text(case.record, dict(zip(names, places, strict=True)))
        return f"{{{text}}}" if form == ARRAY else text


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest) -> set[tuple[str, str]]:
    """The forms and engines that the tests selected ask for."""
    given = [getattr(item, "callspec", None) for item in request.session.items]
    return {(c.params["form"], c.params["engine"]) for c in given if c and "form" in c.params}


@pytest.fixture(scope="module")
def numbers(
    samples: int, runs: set[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Results]:
    cases = [case for record in translatable() for case in first(record, samples)]
    results = Results(tmp_path_factory.mktemp("numbers"), cases, runs)
    yield results
    results.pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def errors(
    runs: set[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Results]:
    cases = [case for record in translatable() for case in refused(record)]
    results = Results(tmp_path_factory.mktemp("errors"), [*cases, *RULE_BREAKERS], runs)
    yield results
    results.pool.shutdown(cancel_futures=True)


def none_of(differences: list[str]) -> None:
    """Fail with the first differences, whole."""
    if differences:
        pytest.fail("\n".join([f"{len(differences)} differ", *differences[:12]]), pytrace=False)


each_call = pytest.mark.parametrize(("form", "engine", "name"), CALLS)


@each_call
def test_same_number(form: str, engine: str, name: str, numbers: Results) -> None:
    none_of(numbers.differences(form, engine, name))


@each_call
def test_same_error(form: str, engine: str, name: str, errors: Results) -> None:
    none_of(errors.differences(form, engine, name))


def test_samples_are_numbers_and_refusals_are_errors(samples: int) -> None:
    for record in translatable():
        values = [case.expected for case in first(record, min(samples, 200))]
        assert [value for value in values if not isinstance(value, float)] == []
        wrong = [case for case in refused(record) if not isinstance(case.expected, CellError)]
        assert wrong == []


def test_a_difference_is_seen() -> None:
    case = Case("SCALING_EFF", (4.0, "NDR", 0.5))
    assert differs(case, 0.955, True) == ""
    assert differs(case, 0.955 + 0.9e-12, True) == ""
    for found in (0.955 + 1.1e-12, 1.0, "0.955", True, CellError("#NUM!")):
        assert differs(case, found, True)
        assert differs(case, found, False)
    wrong = Case("SCALING_EFF", (0.0, "NDR", 0.5))
    assert differs(wrong, CellError("#NUM!"), True) == ""
    assert differs(wrong, CellError("#VALUE!"), True)
    assert differs(wrong, CellError("#VALUE!"), False) == ""
    assert differs(wrong, 0.5, False)


# --- Ranges, through the LAMBDA names ------------------------------------------------------------

Size = tuple[int, int]
ONE: Size = (1, 1)
SHAPES: dict[str, tuple[Size, Size]] = {
    "column": ((3, 1), (3, 1)),
    "row": ((1, 3), (1, 3)),
    "block": ((2, 2), (2, 2)),
    "column and scalar": ((3, 1), ONE),
    "scalar and row": (ONE, (1, 3)),
    "row against column": ((1, 3), (2, 1)),
    "column against row": ((2, 1), (1, 2)),
    "block against row": ((2, 3), (1, 3)),
    "too short a column": ((3, 1), (2, 1)),
    "too short a row": ((1, 2), (1, 3)),
    "block against a wrong row": ((2, 2), (1, 3)),
}
"""Sizes of the odd arguments and of the even ones."""


def ranges(record: Function, sizes: tuple[Size, Size], rng: random.Random) -> list[Any]:
    """Arguments of these sizes, two of their cells in error."""
    sets = in_domain(record, rng)
    filled: list[Any] = []
    for place, _ in enumerate(record.parameters):
        height, width = sizes[place % 2]
        filled.append([[next(sets)[place] for _ in range(width)] for _ in range(height)])
    for wrong in (CellError("#N/A"), None, "x"):
        block = rng.choice(filled)
        block[rng.randrange(len(block))][rng.randrange(len(block[0]))] = wrong
    return filled


@dataclass(frozen=True, slots=True)
class Place:
    """A formula about a call with ranges, Python's answer, and the cells that it came from."""

    formula: str
    expected: Case | Cell


def range_places(cells: dict[str, Cell]) -> Iterator[Place]:
    """Every function with arguments of every shape, place by place; fills the cells."""
    row = 1
    for record in translatable():
        rng = random.Random(f"ranges {record.name}")
        for sizes in SHAPES.values():
            filled = ranges(record, sizes, rng)
            texts = []
            for place, block in enumerate(filled):
                left = 1 + 3 * place
                for down, line in enumerate(block):
                    for right, cell in enumerate(line):
                        cells[f"{get_column_letter(left + right)}{row + down}"] = cell
                end = f"{get_column_letter(left + len(block[0]) - 1)}{row + len(block) - 1}"
                texts.append(f"{DATA_SHEET}!{get_column_letter(left)}{row}:{end}")
            yield from _places(record, f"{record.name}({','.join(texts)})", filled)
            row += 3


def _places(record: Function, call: str, filled: list[Any]) -> Iterator[Place]:
    result = answer(record, filled)
    if not isinstance(result, list):
        yield Place(f"={call}", result)
        return
    height, width, sets = record.elements(filled)
    if height * width == 1:
        yield Place(f"={call}", Case(record.name, tuple(next(sets))))  # type: ignore[arg-type]
        return
    yield Place(f"=ROWS({call})", float(height))
    yield Place(f"=COLUMNS({call})", float(width))
    for number, cells in enumerate(sets):
        down, right = divmod(number, width)
        case = Case(record.name, tuple(cells))  # type: ignore[arg-type]
        assert result[down][right] == case.expected
        yield Place(f"=INDEX({call},{down + 1},{right + 1})", case)


def unlike(place: Place, found: Cell) -> str:
    """Why a cell is not Python's answer; empty when it is."""
    if isinstance(place.expected, Case):
        line = differs(place.expected, found, exact_errors=True)
        return line and f"{place.formula}: {line}"
    if found == place.expected and type(found) is type(place.expected):
        return ""
    return f"{place.formula}: {found} instead of {place.expected}"


@pytest.mark.parametrize("engine", LAMBDA_ENGINES)
def test_ranges(engine: str, tmp_path: Path) -> None:
    cells: dict[str, Cell] = {}
    places = list(range_places(cells))
    formulas = [place.formula for place in places]
    values = ENGINES[engine](write_workbook(tmp_path / "ranges.xlsx", formulas, LAMBDAS, cells))
    found = [values[FORMULA_SHEET, f"A{row}"] for row in range(1, len(places) + 1)]
    pairs = zip(places, found, strict=True)
    none_of([line for place, value in pairs if (line := unlike(place, value))])


def test_ranges_hold_numbers_errors_and_misfits() -> None:
    places = list(range_places({}))
    answers = [p.expected.expected for p in places if isinstance(p.expected, Case)]
    assert {type(value) for value in answers} == {float, CellError}
    assert {str(value) for value in answers if isinstance(value, CellError)} == {
        "#N/A",
        "#NUM!",
        "#VALUE!",
    }
    assert [p.expected for p in places if p.formula.startswith("=SCALING_EFF(")] == [
        CellError("#VALUE!")
    ] * sum("too short" in shape or "wrong" in shape for shape in SHAPES)


@pytest.mark.parametrize("engine", LAMBDA_ENGINES)
def test_array_constants(engine: str) -> None:
    formulas: dict[str, Cell] = {
        '=SCALING_EFF({4},{"NDR"},{0.5})': 0.955,
        '=SCALING_EFF({4},"NDR",0.5)': 0.955,
        '=SUM(SCALING_EFF({4,1},"NDR",0.5))': 1.955,
        '=SUM(SCALING_EFF({4;1},{"NDR","Eth25"},0.5))': 0.955 + 0.79 + 2,
        '=SUM(SCALING_EFF({4,0},"NDR",0.5))': CellError("#NUM!"),
        '=SUM(SCALING_EFF({4,TRUE},"NDR",0.5))': CellError("#VALUE!"),
        '=SUM(SCALING_EFF({4,#N/A},"NDR",0.5))': CellError("#N/A"),
        '=SCALING_EFF({1,2,3},{"NDR","HDR"},0.5)': CellError("#VALUE!"),
        '=SCALING_EFF(1/0,"NDR",0.5)': CellError("#DIV/0!"),
    }
    found = evaluate(engine, list(formulas), LAMBDAS)
    expected = [pytest.approx(v, rel=1e-12) if type(v) is float else v for v in formulas.values()]
    assert found == expected


def test_formulon_alone_sees_one_item_of_an_array_constant_in_a_plain_formula() -> None:
    """Why the guarded form is an array formula there; Excel takes array constants whole."""
    formula = '=OR(D!A1={"a","b"})'
    plain = {engine: evaluate(engine, [formula], cells={"A1": "b"})[0] for engine in ENGINES}
    assert plain == {engine: engine != "formulon" for engine in ENGINES}
    assert evaluate("formulon", [f"{{{formula}}}"], cells={"A1": "b"}) == [True]


def test_formualizer_alone_trims_every_kind_of_space() -> None:
    """Why a name with a no-break space is not tried there; Excel's TRIM takes the space alone."""
    for cell in ("a\u00a0", "a\t"):
        trimmed = {e: evaluate(e, ["=LEN(TRIM(D!A1))"], cells={"A1": cell})[0] for e in ENGINES}
        assert trimmed == {e: 1 if e == TRIMS_EVERY_SPACE else 2 for e in ENGINES}


def test_libreoffice_alone_reads_true_as_a_number() -> None:
    found = {e: evaluate(e, ["=ISNUMBER(D!A1)"], cells={"A1": True})[0] for e in ENGINES}
    assert found == {e: e == READS_TRUE_AS_ONE for e in ENGINES}


def test_engines_compare_15_digits_as_excel_does() -> None:
    """Why no sample is nearer to an open limit than that; Python tells such numbers from it."""
    near = 1 - 2**-53
    for engine in ENGINES:
        assert evaluate(engine, ["=D!A1<1", "=D!A2<1"], cells={"A1": near, "A2": 1 - 1e-12}) == [
            engine == "formualizer",
            True,
        ]
