"""What a proposal means for who decides: one finding for each rule that its scenarios break.

The figures do not hang on the file's own alerts, so one that was typed over hides nothing; where
the file has an alert, the finding names it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from scalesheet_workbooks.cell_references import address
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import Effect, Finding, by_money, finding, with_effects
from scalesheet_workbooks.review.remarks import CHECKS, PROPOSED, Figures, Remark, proposed
from scalesheet_workbooks.review.rules import INFO, LOW, MEDIUM

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
ASKED = frozenset({"R330", "R333", "R334", "R335"})
"""Rules that are questions to the preparer where it is the scenario proposed that breaks them."""


def decision_findings(case: Case) -> list[Finding]:
    """Every finding of these rules, one for each rule and severity."""
    if PROPOSED not in case.expected.inputs:
        return []
    groups: dict[tuple[str, str], list[tuple[int, Remark]]] = defaultdict(list)
    for scenario in range(case.expected.scenarios):
        for check in CHECKS:
            for remark in check(Figures(case, scenario)):
                severity = _severity(case, scenario, remark)
                groups[remark.rule, severity].append((scenario, remark))
    return [_finding(case, severity, members) for (_, severity), members in groups.items()]


def covered_alerts(findings: Iterable[Finding]) -> set[str]:
    """The alerts of the file that findings speak of already."""
    return {ALERTS[one.rule.id] for one in findings if one.rule.id in ALERTS}


def _severity(case: Case, scenario: int, remark: Remark) -> str:
    """Questions about what is proposed; what is not is there to be compared."""
    if scenario in case.examples:
        return INFO
    if remark.rule not in ASKED or scenario != proposed(case):
        return LOW
    return by_money([_effect(case, scenario, remark)], case.materiality, MEDIUM)


def _effect(case: Case, scenario: int, remark: Remark) -> Effect:
    total = number(case.by_template[scenario])
    return Effect(case.scenario_of_total(scenario), remark.amount, total)


def _finding(case: Case, severity: str, members: list[tuple[int, Remark]]) -> Finding:
    first = members[0][1]
    many = case.expected.scenarios > 1
    texts = [
        f"{case.scenarios[scenario]}: {remark.seen}" if many else remark.seen
        for scenario, remark in members
    ]
    places = [p for scenario, one in members if (p := case.input_place(one.line, scenario))]
    more = dict.fromkeys(one.more for _, one in members if one.more)
    found = finding(
        first.rule,
        places[0][0] if places else "",
        list(dict.fromkeys(addresses(places))),
        "; ".join(texts[:2]) + (f" (and {len(texts) - 2} more)" if len(texts) > 2 else ""),
        line=first.line,
        label=case.expected.label(first.line),
        consequences=(*more, *_own_alert(case, first.rule)),
    )
    effects = [_effect(case, one, remark) for one, remark in members if remark.amount is not None]
    return with_effects(found, effects, severity)


def _own_alert(case: Case, rule: str) -> Iterator[str]:
    """What the file's own alert says of it."""
    place = case.check_places.get(ALERTS.get(rule, ""))
    if place is None:
        return
    at = f"{place[0]}!{address(*place[1:])}"
    raised = case.session.value(place) not in (0, None)
    yield f"the file's own alert, {at}, " + ("says so" if raised else "does not say so")
