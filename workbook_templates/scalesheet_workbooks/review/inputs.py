"""Inputs: what was filled in, against the registry's limits; doubts are another module's."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set

from scalesheet.domains import Choice, Quantity
from scalesheet.errors import CellError
from scalesheet_workbooks.inputs import Pick
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.differences import is_invalid
from scalesheet_workbooks.review.engine import INVALID
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.faults import Fault, fault_effects, is_needed
from scalesheet_workbooks.review.findings import (
    Finding,
    by_money,
    finding,
    printable,
    shown,
    with_effects,
)
from scalesheet_workbooks.review.gaps import cause_of, gap_finding, is_emptied
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW, MEDIUM, SEVERITIES

MONEY_SIGNS = "$€£¥"
SIZE = "in.gpus"
FAR = 10
"""So many times beyond its usual band an input is no matter of taste."""
DIGITS = re.compile(r"[-+]?[0-9][0-9,.]*(?:[eE][-+]?[0-9]+)?")


def input_findings(case: Case) -> list[Finding]:
    """Every finding on inputs against their limits, one for each row and rule; one for a scenario
    that is emptied, and for a pick whose rows are all empty."""
    faults: dict[tuple[str, str, str], list[Fault]] = defaultdict(list)
    found = list(_faults(case))
    gaps = {(one.line, one.scenario) for one in found if one.rule == "I203"}
    emptied = {one for one in range(case.expected.scenarios) if is_emptied(case, one)}
    for fault in found:
        cause = cause_of(case, fault, gaps, emptied) if fault.rule == "I203" else ""
        faults[fault.rule, cause or fault.line, cause and str(fault.scenario)].append(fault)
    return [_finding(case, members) for members in faults.values()] + list(_names(case, emptied))


def _faults(case: Case) -> Iterator[Fault]:
    for line, cells in case.expected.inputs.items():
        record = case.record(line)
        if record is None:
            continue
        for scenario in range(len(cells)):
            place = case.input_place(line, scenario)
            cell = case.book.cell(*place) if place else None
            formula = cell.formula if cell else None
            value = case.input_value(line, scenario)
            if formula is not None:
                if is_invalid(formula) or value == INVALID:
                    yield Fault("S105", line, scenario, f"={printable(formula)}", "a number")
                    continue
                yield Fault("I206", line, scenario, f"={printable(formula)[:100]}", "a typed value")
            yield from _value_faults(case, line, scenario, value)


def _value_faults(case: Case, line: str, scenario: int, value: Value) -> Iterator[Fault]:
    record = case.record(line)
    assert record is not None
    domain = record.domain
    if value is None or (isinstance(value, str) and not value.strip()):
        if is_needed(case, line, scenario):
            yield Fault("I203", line, scenario, "an empty cell", domain.rule)
        return
    if isinstance(value, CellError):
        yield Fault("I207", line, scenario, value.code, domain.rule)
        return
    if isinstance(domain, (Choice, Pick)):
        known = domain.spellings.values() if isinstance(domain, Choice) else domain.options
        folded = {option.lower(): option for option in known}
        if not isinstance(value, str) or value.lower() not in folded:
            # The workbook's own formulas take another case, and no blanks around a word.
            meant_ = folded.get(value.strip().lower()) if isinstance(value, str) else None
            yield Fault("I205", line, scenario, shown(value), domain.rule, meant_)
        return
    if not isinstance(domain, Quantity):
        return
    if isinstance(value, (str, bool)):
        meant = meant_number(value) if isinstance(value, str) else None
        yield Fault("I202", line, scenario, shown(value), domain.rule, meant)
        return
    if not domain.admits(value):
        instead = value / 100 if domain.is_fraction and domain.admits(value / 100) else None
        yield Fault("I201", line, scenario, shown(value), domain.rule, instead)
    elif domain.usual and not domain.usual[0] <= value <= domain.usual[1]:
        low, high = domain.usual
        usual = low if value < low else high
        yield Fault(
            "I204", line, scenario, shown(value), f"usually from {low:,g} to {high:,g}", usual
        )


def meant_number(text: str) -> float | None:
    """The number in a text such as $4,800 or 2.50 USD, or None.

    >>> meant_number("$4,800"), meant_number("2.50 USD"), meant_number("80 %"), meant_number("?")
    (4800.0, 2.5, 0.8, None)
    """
    bare = text.replace("\u00a0", "").replace("\u202f", "").strip().lstrip("'")
    found = DIGITS.search(bare)
    rest = DIGITS.sub("", bare, count=1).strip(MONEY_SIGNS + " ") if found else ""
    if found is None or not (rest in ("", "%") or re.fullmatch(r"[A-Za-z/ -]{1,12}", rest)):
        return None
    try:
        value = float(found[0].replace(",", ""))
    except ValueError:
        return None
    return value / 100 if rest == "%" else value


def _finding(case: Case, members: Sequence[Fault]) -> Finding:
    first = members[0]
    places = [place for one in members if (place := case.input_place(one.line, one.scenario))]
    if len({one.line for one in members}) > 1:
        return gap_finding(case, members, places)
    seen = (
        first.seen
        if all(one.seen == first.seen for one in members)
        else ", ".join(dict.fromkeys(one.seen for one in members))
    )
    used = [one for one in members if case.is_used(first.line, one.scenario)]
    effects = fault_effects(case, used)
    found = finding(
        first.rule,
        places[0][0] if places else "",
        addresses(places),
        seen,
        first.expected,
        line=first.line,
        label=case.expected.label(first.line),
        remedy=_remedy(case, first),
    )
    severity = found.rule.severity
    if first.rule == "I204":
        is_far = any(_is_far(case, one) for one in members)
        severity = by_money(effects, case.materiality)
        severity = severity if is_far else max(severity, MEDIUM, key=SEVERITIES.index)
        if first.line == SIZE and used and severity == LOW:
            severity = MEDIUM  # days and efficiency rest on it, also where no total shows it
    if severity == HIGH and not used:
        severity = LOW
    if severity == LOW and all(one.scenario in case.examples for one in members):
        severity = INFO
    return with_effects(found, effects, severity)


def _is_far(case: Case, fault: Fault) -> bool:
    """Whether an input is ten times beyond its usual band, or a tenth of it."""
    value = number(case.input_value(fault.line, fault.scenario))
    usual = number(fault.instead)
    if not value or not usual:
        return False
    return not 1 / FAR < value / usual < FAR


def _remedy(case: Case, fault: Fault) -> str:
    record = case.record(fault.line)
    if fault.rule == "I201" and record and fault.instead is not None:
        share = number(fault.instead)
        return f"type {100 * share:g}% or {share:g}" if share is not None else ""
    if fault.rule == "I205" and fault.instead is not None:
        return f"type {shown(fault.instead)}"
    if fault.rule == "I202" and fault.instead is not None:
        return f"type {shown(fault.instead)} as a number"
    return ""


def _names(case: Case, emptied: Set[int]) -> Iterator[Finding]:
    """Scenarios without a name of their own."""
    if SCENARIO_ROW not in case.expected.inputs:
        return
    names = [case.input_value(SCENARIO_ROW, place) for place in range(case.expected.scenarios)]
    texts = [name.strip() if isinstance(name, str) else "" for name in names]
    counts = Counter(text.lower() for text in texts if text)
    for rule, chosen in (
        ("I251", [place for place, text in enumerate(texts) if counts[text.lower()] > 1]),
        ("I252", [at for at, text in enumerate(texts) if not text and at not in emptied]),
    ):
        places = [place for one in chosen if (place := case.input_place(SCENARIO_ROW, one))]
        if places:
            yield finding(
                rule, places[0][0], addresses(places), shown(texts[chosen[0]]), line=SCENARIO_ROW
            )
