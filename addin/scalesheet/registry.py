"""The one list of worksheet functions, and the checks at its border.

A worksheet function is a plain Python function whose body is the formula. ``@function`` records it
and leaves it as it is, so that the maths calls itself without checks; what users call is the
``published`` form, which checks once, where a cell comes in. Every surface is derived from the
records.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, ParamSpec, TypeVar

from scalesheet import arrays
from scalesheet.domains import NOTHING_PLAIN, Domain, Plain, Result, Table, Vector
from scalesheet.errors import (
    CellError,
    CellInError,
    MissingValue,
    OutOfDomain,
    ScalesheetError,
    ShapeMismatch,
)

P = ParamSpec("P")
R = TypeVar("R")
Rule = Callable[..., bool]
"""A condition across arguments: a predicate whose parameters carry the names of the arguments it
looks at and whose docstring is the message."""

SOURCES = {
    "efficiency_calculator": "the multi-node training efficiency calculator (public web page)",
    "cost_estimator": "the distributed training cost estimator (public web page)",
    "amdahl": "G. M. Amdahl, AFIPS 1967",
    "collectives": "bytes over bandwidth of a ring all-reduce: "
    "Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)",
    "definition": "definition",
    "estimate": "an estimate of ours, marked as such",
    "six_nd": "Kaplan et al., arXiv:2001.08361 (2020), section 2.1: C = 6 N D",
    "palm": "Chowdhery et al., PaLM, arXiv:2204.02311 (2022), appendix B",
    "failures": "rates of independent interruptions add up; "
    "Llama Team, The Llama 3 Herd of Models, arXiv:2407.21783 (2024), section 3.3.4",
    "daly": "J. T. Daly, Future Generation Computer Systems 22 (2006) 303-312, equation 37",
    "waste": "first-order waste of periodic checkpoints: J. W. Young, "
    "Communications of the ACM 17 (1974) 530-531, with the restart added",
    "restarts": "mean time to a first stretch without interruption, exponential failures: "
    "M (exp(T/M) - 1)",
    "annuity": "level payment of an annuity, at the end of each month (Excel's PMT)",
    "catalog": "the catalog, each row with its own source and date",
    "selection": "memory and bandwidth of a decoding step (a roofline), our estimates as stated",
    "pert": "PERT: Malcolm et al., Operations Research 7 (1959) 646-669; over a fixed point set",
    "measurements": "published measurements, each with its source (scalesheet/measurements)",
    "calibration": "an average of loss curves weighed by the measured sizes; "
    "held against published series by scalesheet backtest",
    "batches": "McCandlish et al., arXiv:1812.06162 (2018), equations 2.11 and 2.12",
    "billing": "how providers bill: whole nodes, committed hours, graduated tiers",
}


class Parameter(NamedTuple):
    """One argument of a worksheet function: its name and what it may be."""

    name: str
    domain: Domain


@dataclass(frozen=True, slots=True)
class Checked:
    """An argument read and checked before, once for many results."""

    value: Any


@dataclass(frozen=True)
class Function:
    """A worksheet function: name, formula, arguments, rules across them, result, source."""

    body: Callable[..., Any]
    category: str
    source: str
    parameters: tuple[Parameter, ...]
    result: Result
    rules: tuple[Rule, ...] = ()
    name: str = field(init=False)
    whole: tuple[bool, ...] = field(init=False, repr=False)
    """Which arguments are ranges taken as a whole."""
    plain: tuple[Plain, ...] = field(init=False, repr=False)
    """What each argument may be for ``at_once``; empty when that can never answer."""

    def __post_init__(self) -> None:
        domains = [parameter.domain for parameter in self.parameters]
        object.__setattr__(self, "name", self.body.__name__.upper())
        object.__setattr__(self, "whole", tuple(isinstance(domain, Vector) for domain in domains))
        plain = [domain.plain for domain in domains if not isinstance(domain, Vector)]
        never = self.rules or any(self.whole) or NOTHING_PLAIN in plain
        object.__setattr__(self, "plain", () if never else tuple(plain))

    @property
    def summary(self) -> str:
        """The first line of the docstring: what a spreadsheet shows beside the name."""
        return (self.body.__doc__ or "").strip().splitlines()[0]

    @property
    def signature(self) -> str:
        """The call as a user types it, arguments by name."""
        return f"{self.name}({', '.join(parameter.name for parameter in self.parameters)})"

    def at_once(self, arguments: Sequence[object]) -> float | None:
        """The result for plain arguments, or None when they need a second look: see ``one``.

        Most cells of a sheet are plain, and this is several times as fast.
        """
        if len(arguments) != len(self.plain):
            return None
        for value, (low, high, whole, names) in zip(arguments, self.plain, strict=True):
            if type(value) is float:
                if not low < value < high or (whole and value % 1):
                    return None
            elif type(value) is not str or value not in names:
                return None
        try:
            result = self.body(*arguments)
        except (ArithmeticError, ValueError):
            return None
        is_number = isinstance(result, (float, int)) and math.isfinite(result)
        return result + 0.0 if is_number else None

    def one(self, *arguments: object) -> Any:
        """The result for one set of cells.

        An argument in error is passed on first; then kinds are checked, for all arguments; then
        limits; then rules across arguments.
        """
        if len(arguments) != len(self.parameters):
            raise MissingValue(self._wrong_count(len(arguments)))
        values = self._checked_values(arguments)
        for rule in self.rules:
            by_name = dict(zip((p.name for p in self.parameters), values, strict=True))
            if not rule(*(by_name[name] for name in argument_names(rule))):
                raise OutOfDomain((rule.__doc__ or "").strip())
        try:
            result = self.body(*values)
        except (ArithmeticError, ValueError):  # a division by an underflow, ln(0)
            result = math.inf
        if isinstance(result, float) and not math.isfinite(result):
            raise OutOfDomain(f"{self.name} has no finite result for these arguments")
        if isinstance(result, list):
            return [[_in_cell(value) for value in row] for row in result]
        return _in_cell(result)

    def _checked_values(self, arguments: Sequence[object]) -> list[Any]:
        """The values of the arguments, each within its limits."""
        parameters = self.parameters
        try:
            values: list[Any] = [
                argument
                if type(argument) is Checked
                else parameter.domain.read(parameter.name, argument)
                for parameter, argument in zip(parameters, arguments, strict=True)
            ]
        except ScalesheetError:
            # A cell in error counts before a wrong kind anywhere, as in a cell formula.
            for parameter, argument in zip(parameters, arguments, strict=True):
                if isinstance(argument, CellError):
                    raise CellInError(parameter.name, argument) from None
            raise
        values = [
            value.value if type(value) is Checked else parameter.domain.check(parameter.name, value)
            for parameter, value in zip(parameters, values, strict=True)
        ]
        return _without_blank_pairs(values) if any(self.whole) else values

    def elements(self, arguments: Sequence[object]) -> tuple[int, int, Iterator[list[object]]]:
        """Rows, columns and the argument sets of a call with ranges, in reading order."""
        if len(arguments) != len(self.parameters):
            raise MissingValue(self._wrong_count(len(arguments)))
        if isinstance(self.result, Table):
            raise ShapeMismatch(f"{self.name} gives a table: each argument must be one cell")
        one_by_one = [
            not whole and isinstance(argument, arrays.RANGE)
            for whole, argument in zip(self.whole, arguments, strict=True)
        ]
        shared = self.checked_once(arguments, [not each for each in one_by_one])
        ranges = [
            arrays.rows_of(argument) if each else [[argument]]
            for argument, each in zip(shared, one_by_one, strict=True)
        ]
        height, width = arrays.shape([parameter.name for parameter in self.parameters], ranges)
        cells = (arrays.in_reading_order(rows, height, width) for rows in ranges)
        return height, width, map(list, zip(*cells, strict=True))

    def checked_once(self, arguments: Sequence[object], shared: Sequence[bool]) -> Sequence[object]:
        """The arguments of a call with many results, those that all of them share checked.

        Only where a range is taken as a whole, since one cell is checked in no time. Where a
        shared one is refused all stay as they are, so that each result says so.
        """
        if not any(self.whole):
            return arguments
        try:
            return [
                _checked_argument(parameter, argument) if same else argument
                for parameter, argument, same in zip(
                    self.parameters, arguments, shared, strict=True
                )
            ]
        except ScalesheetError:
            return arguments

    def has_ranges(self, arguments: Sequence[object]) -> bool:
        """Whether a call asks for several results."""
        for whole, argument in zip(self.whole, arguments):  # noqa: B905 (the count is checked later)
            if not whole and isinstance(argument, arrays.RANGE):
                return True
        return False

    def _wrong_count(self, count: int) -> str:
        if count < len(self.parameters):
            missing = ", ".join(parameter.name for parameter in self.parameters[count:])
            return f"{missing} missing: type {self.signature}"
        return f"too many arguments ({count}): type {self.signature}"


REGISTRY: dict[str, Function] = {}
"""Every worksheet function by its name in a cell."""

CATEGORIES = (
    "Scaling",
    "Workload",
    "Training cost",
    "Billing",
    "Reliability and spot",
    "Own or rent",
    "Catalog",
    "Risk",
)
"""The groups of functions, in the order of every list of them."""


def by_category(records: Iterable[Function]) -> Iterator[tuple[str, list[Function]]]:
    """The functions in their groups, those that have none left out."""
    known = list(records)
    for category in CATEGORIES:
        if members := [record for record in known if record.category == category]:
            yield category, members


def function(
    *, category: str, source: str, rules: tuple[Rule, ...] = ()
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Record a plain function as a worksheet function; the function itself stays as it is."""

    assert category in CATEGORIES

    def record(body: Callable[P, R]) -> Callable[P, R]:
        domains = {name: _domain(hint) for name, hint in body.__annotations__.items()}
        result = domains.pop("return")
        parameters = tuple(Parameter(name, domain) for name, domain in domains.items())
        entry = Function(body, category, SOURCES[source], parameters, result, rules)
        REGISTRY[entry.name] = entry
        return body

    return record


def argument_names(body: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the arguments that a function or a rule takes, in order."""
    code = body.__code__
    return code.co_varnames[: code.co_argcount]


def _checked_argument(parameter: Parameter, argument: object) -> Checked:
    value: Any = parameter.domain.read(parameter.name, argument)
    return Checked(parameter.domain.check(parameter.name, value))


def _in_cell(value: Any) -> Any:
    """A count becomes a float like any number, and minus zero, as of no loss, plain zero."""
    return value + 0.0 if isinstance(value, (int, float)) else value


def _domain(hint: Any) -> Any:
    """The quantity that a type hint carries."""
    return getattr(hint, "__metadata__", (hint,))[-1]


def _without_blank_pairs(values: list[Any]) -> list[Any]:
    """The arguments with every position dropped at which one of the vectors is blank."""
    vectors = [value for value in values if isinstance(value, tuple)]
    if len({len(vector) for vector in vectors}) > 1:
        sizes = " and ".join(str(len(vector)) for vector in vectors)
        raise ShapeMismatch(f"ranges of {sizes} cells must be of one length: select as many")
    if not any(None in vector for vector in vectors):
        return values
    kept = [place for place, cells in enumerate(zip(*vectors, strict=True)) if None not in cells]
    return [
        tuple(value[place] for place in kept) if isinstance(value, tuple) else value
        for value in values
    ]
