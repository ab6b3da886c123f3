"""A doubt about an input: what is hard to believe, and a value that is easier to."""

from collections.abc import Sequence
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import Finding, by_money, finding, with_effects
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM, SEVERITIES


class Doubt(NamedTuple):
    """An input of one scenario that is hard to believe, and a value that is easier to."""

    rule: str
    line: str
    scenario: int
    seen: str
    expected: str
    instead: tuple[tuple[str, Value], ...] = ()
    remedy: str = ""
    most: str = HIGH
    """The worst that it may be, however much money hangs on it."""


def given_number(case: Case, line: str, scenario: int) -> float | None:
    """What a scenario gives for an input, where the template has it and it is a number."""
    if line not in case.expected.inputs:
        return None
    return number(case.input_value(line, scenario))


def used_number(case: Case, line: str, scenario: int) -> float | None:
    """A number that a scenario gives and that counts, by the picks that it makes."""
    value = given_number(case, line, scenario)
    return value if value is not None and case.is_used(line, scenario) else None


def doubt_finding(case: Case, members: Sequence[Doubt]) -> Finding:
    """One finding for the doubts of one rule about one input; its severity follows the money."""
    first = members[0]
    changes: dict[Place, Value] = {}
    for one in members:
        for line, value in one.instead:
            if line not in case.expected.inputs:
                continue
            cells = case.expected.inputs[line]
            at = cells[one.scenario] if one.scenario < len(cells) else cells[0]
            changes[case.expected.ids[line][0], *at] = value
    effects = case.if_input(changes) if changes else []
    places = [p for one in members if (p := case.input_place(first.line, one.scenario))]
    found = finding(
        first.rule,
        places[0][0] if places else "",
        addresses(places),
        first.seen + (f" (and {len(members) - 1} more)" if len(members) > 1 else ""),
        first.expected,
        line=first.line,
        label=case.expected.label(first.line),
        remedy=first.remedy,
    )
    severity = found.rule.severity
    if severity == HIGH:
        severity = by_money(effects, case.materiality, MEDIUM)
    elif effects and severity == MEDIUM:
        severity = by_money(effects, case.materiality, LOW)
    return with_effects(found, effects, max(severity, first.most, key=SEVERITIES.index))
