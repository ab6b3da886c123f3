"""What one scenario of a proposal shows: commitment, budgets, life, overlap, what flips it.

Every figure is what the template gives for the inputs of the file.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scalesheet.billing import committed_cost
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.findings import CENT

PROPOSED = "in.live_scenario"
HOUR, SLACK = 0.01, 1e-3
"""What is no more than rounding: of hours of the calendar, and as a share of GPU-hours used."""


class Remark(NamedTuple):
    """What one scenario shows: the rule, the input to look at, the words, the money."""

    rule: str
    line: str
    seen: str
    amount: float | None = None
    more: str = ""
    rivals: tuple[int, ...] = ()
    """Other scenarios that it is about as well."""


class Figures:
    """The figures of one scenario, by id, as the template gives them; None where there is none."""

    def __init__(self, case: Case, scenario: int) -> None:
        self.case, self.scenario = case, scenario

    def __call__(self, line: str) -> float | None:
        """The number of a line, 0 for an input that is left empty."""
        if line not in self.case.expected.ids:
            return None
        if line in self.case.expected.inputs:
            value = self.case.input_value(line, self.scenario)
            return 0.0 if value in (None, "") else number(value)
        title, row = self.case.expected.ids[line]
        column = self.case.expected.column_of(self.scenario)
        return number(self.case.pristine.value((title, row, column)))

    def is_given(self, line: str) -> bool:
        """Whether an input is filled; one that is not is a finding of its own."""
        return self.case.input_value(line, self.scenario) not in (None, "")

    def all(self, *lines: str) -> list[float] | None:
        """Several numbers, or None where one of them is not there."""
        found = [value for line in lines if (value := self(line)) is not None]
        return found if len(found) == len(lines) else None


def proposed(case: Case) -> int | None:
    """The scenario that is proposed, by its place."""
    if PROPOSED not in case.expected.inputs:
        return None
    value = number(case.input_value(PROPOSED, 0))
    return int(value) - 1 if value and 1 <= value <= case.expected.scenarios else None


# --- Commitment ----------------------------------------------------------------------------------

COMMITTED = "in.committed_gpu_hours"


def _commitment(of: Figures) -> Iterator[Remark]:
    got = of.all(
        "bill.is_reserved",
        "bill.committed_gpu_hours",
        "bill.used_gpu_hours",
        "bill.price",
        "bill.overflow_price",
    )
    if got is None or got[0] != 1:
        return
    _, committed, used, price, overflow_price = got
    cost = committed_cost(committed, used, price, overflow_price)
    if committed - used > SLACK * used:
        yield Remark(
            "R330",
            COMMITTED,
            f"{committed - used:,.0f} of {committed:,.0f} GPU-hours paid and not used",
            cost - used * price,
        )
    if used - committed > SLACK * used:
        yield Remark(
            "R331",
            COMMITTED,
            f"{used - committed:,.0f} of {used:,.0f} GPU-hours not committed, "
            f"at {overflow_price:,.4g} and not {price:,.4g}",
            cost - used * price,
        )
    hours = of.all("calc.calendar_hours", "in.term_months", "own.hours_per_month")
    if hours is not None and hours[0] > hours[1] * hours[2] + HOUR:
        months = hours[0] / hours[2]
        yield Remark(
            "R332", "in.term_months", f"{months:,.1f} months of work, {hours[1]:,g} of term"
        )


# --- Budgets -------------------------------------------------------------------------------------


def _term(of: Figures) -> Iterator[Remark]:
    """A commitment that goes on when the programme is over."""
    got = of.all("bill.is_reserved", "in.term_months", "in.programme_months")
    if got is not None and got[0] == 1 and got[1] > got[2] > 0:
        words = f"{got[1]:,g} months of term, {got[2]:,g} of programme"
        yield Remark("R339", "in.term_months", words)


def _budgets(of: Figures) -> Iterator[Remark]:
    got = of.all("cost.total", "cost.cash", "cost.capex", "in.budget", "in.capex_budget")
    if got is None:
        return
    total, cash, capex, budget, capital = got
    has_budget, has_capital = (of.is_given(line) for line in ("in.budget", "in.capex_budget"))
    if has_budget and total - budget > CENT:
        yield Remark(
            "R333", "in.budget", f"total {total:,.0f}, budget {budget:,.0f}", total - budget
        )
    if has_budget and has_capital and cash - budget - capital > CENT:
        left = budget - total
        more = f"the total leaves {left:,.0f} of the budget and the cash does not"
        yield Remark(
            "R334",
            "in.budget",
            f"cash {cash:,.0f}, budgets together {budget + capital:,.0f}",
            cash - budget - capital,
            more if left >= 0 else "",
        )
    if has_capital and capex - capital > CENT:
        yield Remark(
            "R335",
            "in.capex_budget",
            f"capital outlay {capex:,.0f}, capital budget {capital:,.0f}",
            capex - capital,
        )


# --- Life of what is bought ----------------------------------------------------------------------


def _life(of: Figures) -> Iterator[Remark]:
    got = of.all("bill.is_own", "in.programme_months", "own.life_years", "own.months_per_year")
    outlay = of.all("own.capex", "own.depreciation")
    if got is None or outlay is None or got[0] != 1:
        return
    _, months, years, per_year = got
    words = f"{months:,g} months of programme, {years * per_year:,g} of useful life"
    if months < years * per_year:
        left = outlay[0] - outlay[1]
        more = f"{left:,.0f} is not written off by then, and in no line of the total"
        yield Remark("R336", "in.programme_months", words, left, more)
    elif months > years * per_year:
        more = "the servers would have to be replaced within the programme"
        yield Remark("R336", "in.programme_months", words, None, more)


# --- The same risk covered three times -----------------------------------------------------------

COVERS, OVERLAP = ("in.waste", "in.rework", "in.contingency"), "alert.same_risk"
"""What may cover one risk; whether it does, unless the Cover says that they are kept apart."""


def _overlap(of: Figures) -> Iterator[Remark]:
    shares = of.all(*COVERS)
    if shares is None or not of(OVERLAP):
        return
    amounts = [_without(of, line) for line in COVERS]
    waste, rework, contingency = shares
    yield Remark(
        "I232",
        "in.contingency",
        f"failures {waste:.1%}, rework {rework:.1%}, contingency {contingency:.1%}",
        None if None in amounts else min(amount for amount in amounts if amount is not None),
    )


def _without(of: Figures, line: str) -> float | None:
    """What an input adds to the total of the scenario; None where that cannot be said."""
    name = of.case.scenario_of_total(of.scenario)
    effects = of.case.if_input({_cell(of, line): 0.0})
    return next((effect.amount for effect in effects if effect.scenario == name), 0.0)


def _cell(of: Figures, line: str) -> Place:
    """The cell of an input of the scenario, in the template."""
    return of.case.expected.ids[line][0], *of.case.expected.inputs[line][of.scenario]


# --- What flips the decision ---------------------------------------------------------------------

STEP = 0.1
FLIPPERS = ("in.gpu_hour_price", "in.instance_hour_price", "in.efficiency", "in.rework")
WORK, SAME_WORK = "calc.total_gpu_hours", 1e-6


def same_work(case: Case) -> list[int]:
    """The scenarios of as much work as the one proposed, else as the first."""
    works = [Figures(case, place)(WORK) for place in range(len(case.by_template))]
    chosen = proposed(case) or 0
    base = works[chosen] if chosen < len(works) else None
    if not base:
        return []
    return [at for at, work in enumerate(works) if work and abs(work / base - 1) <= SAME_WORK]


def _flips(of: Figures) -> Iterator[Remark]:
    """A cheaper scenario for the same work, or one that a small change makes cheaper."""
    case = of.case
    if of.scenario != proposed(case):
        return
    own = of("cost.total")
    rivals = [
        (total, other)
        for other in same_work(case)
        if other != of.scenario and (total := Figures(case, other)("cost.total")) is not None
    ]
    if own is None or not rivals:
        return
    total, rival = min(rivals)
    if total < own - CENT:
        yield Remark(
            "R337",
            PROPOSED,
            f"{case.scenarios[rival]} costs {own - total:,.0f} less",
            own - total,
            rivals=(rival,),
        )
        return
    changes = [change for line in FLIPPERS if (change := _flip(of, line, total - own))]
    if changes:
        _, words = min(changes)
        yield Remark(
            "R338",
            PROPOSED,
            f"{words} makes {case.scenarios[rival]} cheaper",
            total - own,
            rivals=(rival,),
        )


def _flip(of: Figures, line: str, gap: float) -> tuple[float, str] | None:
    """The change of an input that costs as much as the gap, where it is a small one."""
    case = of.case
    if line not in case.expected.inputs or not case.is_used(line, of.scenario):
        return None
    value = number(case.input_value(line, of.scenario))
    if not value:
        return None
    for sign in (1, -1):
        changed: Value = value * (1 + sign * STEP)
        for effect in case.if_input({_cell(of, line): changed}):
            if effect.scenario != case.scenario_of_total(of.scenario) or effect.amount is None:
                continue
            if -effect.amount >= gap:
                size = gap / -effect.amount * STEP
                return size, f"{case.expected.label(line)} {sign * size:+.1%}"
    return None


Check = Callable[[Figures], Iterator[Remark]]
CHECKS: tuple[Check, ...] = (_commitment, _term, _budgets, _life, _overlap, _flips)
