"""What a proposal means for who decides: one finding for each rule that its scenarios break.

The figures do not hang on the file's own alerts, so one that was typed over hides nothing; where
the file has an alert, the finding names it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scalesheet_workbooks.cell_references import address, place_of
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import (
    IN_TOTAL,
    Effect,
    Finding,
    by_money,
    finding,
    with_effects,
)
from scalesheet_workbooks.review.remarks import CHECKS, PROPOSED, Figures, Remark, proposed
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW, MEDIUM, RULES

ALERTS: Mapping[str, str] = {
    "I232": "chk.same_risk",
    "R330": "chk.idle_hours",
    "R331": "chk.overflows",
    "R332": "chk.past_term",
    "R333": "chk.over_budget",
    "R334": "chk.cash_over",
    "R335": "chk.capex_over",
}
"""The alerts of the workbook itself that cover a rule."""
DOUBTFUL = re.compile("I2[012]")
"""Inputs against their limits, and against prices and measurements."""
WORDS: Mapping[str, str] = {
    "R330": "for hours not used, in",
    "R331": "for hours not committed, in",
    "R332": "after the term, in",
    "R333": "above the budget, in",
    "R334": "above both budgets, in",
    "R335": "above the capital budget, in",
    "R336": "not written off, in",
    "R337": "more than the cheapest, in",
    "R338": "less than the next, in",
}
"""What the money of a rule is, where it is not what an input does to the total."""
ASKED = frozenset({"R330", "R331", "R333", "R334", "R335"})
"""Rules that are questions to the preparer where it is the scenario proposed that breaks them. A
cheaper scenario is none: the file says why it is not chosen, or I244 asks for it."""
COMPARED = frozenset({"R331"})
"""Those of them that are questions from materiality on: no commitment is used to the hour."""


class Decided(NamedTuple):
    """Findings on the decision, the roots with what follows from them, and the alerts covered."""

    findings: list[Finding]
    roots: list[Finding]
    alerts: frozenset[str]


def decided(case: Case, roots: Sequence[Finding]) -> Decided:
    """What the scenarios break, one finding a rule; what a doubtful input brings about is nested
    under it."""
    if PROPOSED not in case.expected.inputs:
        return Decided([], list(roots), frozenset())
    by_scenario = {name: root for root in roots for name in _moved(case, root)}
    groups: dict[str, list[tuple[int, Remark]]] = defaultdict(list)
    follows: dict[Finding, list[str]] = defaultdict(list)
    alerts: set[str] = set()
    for scenario in _order(case):
        for remark in (one for check in CHECKS for one in check(Figures(case, scenario))):
            alerts.add(ALERTS.get(remark.rule, ""))
            names = [case.scenario_of_total(place) for place in (scenario, *remark.rivals)]
            root = next((by_scenario[name] for name in names if name in by_scenario), None)
            if root is None:
                groups[remark.rule].append((scenario, remark))
            else:
                title = RULES[remark.rule].title
                follows[root].append(f"{title}: {_said(case, scenario, remark)}")
    return Decided(
        [_finding(case, members) for members in groups.values()],
        [
            root._replace(consequences=(*root.consequences, *follows.get(root, ())))
            for root in roots
        ],
        frozenset(alerts),
    )


def _order(case: Case) -> list[int]:
    """The scenarios, the one that is proposed first."""
    first = proposed(case)
    return sorted(range(case.expected.scenarios), key=lambda place: place != first)


def _moved(case: Case, root: Finding) -> set[str]:
    """The scenarios whose totals hang on an input that is wrong or in doubt."""
    if not DOUBTFUL.match(root.rule.id) or root.severity not in (HIGH, MEDIUM):
        return set()
    places = [(root.sheet, *place_of(cell)) for cell in root.cells]
    return {effect.scenario for effect in root.effects} | set(map(case.scenario_of, places))


def _severity(case: Case, scenario: int, remark: Remark) -> str:
    """Questions about what is proposed; what is not is there to be compared."""
    if scenario in case.examples:
        return INFO
    if remark.rule not in ASKED or scenario != proposed(case):
        return LOW
    found = by_money([_effect(case, scenario, remark)], case.materiality)
    if remark.rule in COMPARED and found != HIGH:
        return LOW
    return MEDIUM if found == HIGH else found


def _effect(case: Case, scenario: int, remark: Remark) -> Effect:
    total = number(case.by_template[scenario])
    words = WORDS.get(remark.rule, IN_TOTAL)
    return Effect(case.scenario_of_total(scenario), remark.amount, total, words)


def _said(case: Case, scenario: int, remark: Remark) -> str:
    many = case.expected.scenarios > 1
    return f"{case.scenarios[scenario]}: {remark.seen}" if many else remark.seen


def _finding(case: Case, members: list[tuple[int, Remark]]) -> Finding:
    """The first scenario's remark; the others of the same rule are named below it."""
    scenario, first = members[0]
    places = [p for place, one in members if (p := case.input_place(one.line, place))]
    found = finding(
        first.rule,
        places[0][0] if places else "",
        list(dict.fromkeys(addresses(places))),
        _said(case, scenario, first),
        line=first.line,
        label="Scenario proposed" if first.line == PROPOSED else case.expected.label(first.line),
        consequences=(
            *([first.more] if first.more else ()),
            *(f"also {_said(case, place, one)}" for place, one in members[1:]),
            *_own_alert(case, first.rule),
        ),
    )
    # What is not proposed costs nothing: its amounts stand in the words alone.
    counts = first.amount is not None and (scenario == proposed(case) or first.rule not in WORDS)
    effects = [_effect(case, scenario, first)] if counts else []
    return with_effects(found, effects, _severity(case, scenario, first))


def _own_alert(case: Case, rule: str) -> Iterator[str]:
    """What the file's own alert says of it."""
    place = case.check_places.get(ALERTS.get(rule, ""))
    if place is None:
        return
    at = f"{place[0]}!{address(*place[1:])}"
    raised = case.session.value(place) not in (0, None)
    yield f"the file's own alert, {at}, " + ("says so" if raised else "does not say so")
