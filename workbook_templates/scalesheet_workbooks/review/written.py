"""Figures of a proposal that the core wrote as values: the fit of measured points, percentiles.

They hold while the inputs are those they were computed from, which the file tells by a mark. Where
it says so, they are computed again here; where it does not, it shows none of them by itself.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.inputs import Pick
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.core import STORED, is_as_stored
from scalesheet_workbooks.review.findings import Finding, by_money, finding, shown, with_effects
from scalesheet_workbooks.review.remarks import Figures
from scalesheet_workbooks.review.rules import MEDIUM

Values = Mapping[str, float]
FIT, RISK = "fit.written_", "risk.written_"
HOLDS = {FIT: "fit.same", RISK: "risk.same"}


def written_findings(case: Case) -> Iterator[Finding]:
    """One finding for each line whose value is not the core's."""
    changed: dict[str, list[tuple[Place, Cell, float]]] = defaultdict(list)
    for scenario in range(case.expected.scenarios):
        for line, value in _core(case, scenario).items():
            place, cell = _found(case, line, scenario)
            if place is None or cell is None or cell.formula is not None:
                continue
            if not is_as_stored(cell.value, value):
                changed[line].append((place, cell, value))
    for line, members in changed.items():
        place, cell, value = members[0]
        effects = case.restored({at: Cell(ours, None) for at, _, ours in members})
        found = finding(
            "R307",
            place[0],
            addresses(at for at, _, _ in members),
            shown(cell.value),
            shown(value),
            line=line,
            label=case.expected.label(line),
            origin=[at for at, _, _ in members],
        )
        yield with_effects(found, effects, by_money(effects, case.materiality, MEDIUM))


def _found(case: Case, line: str, scenario: int) -> tuple[Place | None, Cell | None]:
    """Where a line of a scenario stands in the file, and what is there."""
    title, row = case.expected.ids[line]
    place = case.alignment.place(title, row, case.expected.column_of(scenario))
    return place, case.book.cell(*place) if place else None


def _core(case: Case, scenario: int) -> dict[str, float]:
    """What the core gives for the lines that it wrote, where the file says that they hold."""
    of = Figures(case, scenario)
    found: dict[str, float] = {}
    for head, compute in ((FIT, _fit), (RISK, _risk)):
        if HOLDS[head] in case.expected.ids and of(HOLDS[head]) == 1:
            try:
                values = compute(of)
            except (ScalesheetError, ArithmeticError, ValueError, KeyError):
                continue  # inputs that no workbook is built from; findings on them say so
            found |= {f"{head}{name}": value for name, value in values.items()}
    return {line: value for line, value in found.items() if line in case.expected.ids}


def _given(of: Figures) -> dict[str, float | str]:
    """The inputs of a scenario by id, picks in the letters of their list."""
    return {
        line: _in_the_list(of.case, line, value)
        for line in of.case.expected.inputs
        if isinstance(value := of.case.input_value(line, of.scenario), (int, float, str))
        and value != ""
    }


def _in_the_list(case: Case, line: str, value: float | str) -> float | str:
    """A pick as its list spells it: formulas take it in whatever case."""
    record = case.record(line)
    if not isinstance(value, str) or record is None or not isinstance(record.domain, Pick):
        return value
    return next((one for one in record.domain.options if one.lower() == value.lower()), value)


def _fit(of: Figures) -> Values:
    """Efficiency and band at the nodes that the fit is for, by the names of the lines."""
    from scalesheet_workbooks.measured_fit import fitted
    from scalesheet_workbooks.proposal_model import Given

    measured, nodes = Given(_given(of), {}).measured, of(f"{FIT}nodes")
    if measured is None or nodes is None:
        return {}
    at = fitted(measured, nodes)
    return {
        "low": at.low,
        "efficiency": at.efficiency,
        "high": at.high,
        "next": fitted(measured, nodes + 1).efficiency,
    }


def _risk(of: Figures) -> Values:
    """Percentiles and mean of the total; a stored percentile that is one need not be found."""
    from scalesheet_workbooks.proposal_model import Given
    from scalesheet_workbooks.proposal_risk import PROBABILITIES, total_risk

    risk = total_risk(Given(_given(of), {}), _Lines(of))
    if risk is None:
        return {}
    values = {"mean": risk.mean}
    for name, probability in PROBABILITIES.items():
        line = f"{RISK}{name}"
        cell = _found(of.case, line, of.scenario)[1] if line in of.case.expected.ids else None
        stored = number(cell.value) if cell else None
        is_right = stored is not None and risk.is_percentile(stored, probability, STORED)
        values[name] = stored if stored is not None and is_right else risk.percentile(probability)
    return values


class _Lines(dict[str, float]):
    """The figures of a scenario, each looked up when it is asked for."""

    def __init__(self, of: Figures) -> None:
        super().__init__()
        self._of = of

    def __missing__(self, line: str) -> float:
        value = self._of(line)
        if value is None:
            raise KeyError(line)
        return value
