"""Inputs: what was filled in, against the registry's limits; doubts are another module's."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from scalesheet.domains import Choice, Quantity
from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.inputs import Pick
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.differences import is_invalid
from scalesheet_workbooks.review.engine import INVALID
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import (
    Effect,
    Finding,
    finding,
    printable,
    shown,
    with_effects,
)
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW

MONEY_SIGNS = "$€£¥"
DIGITS = re.compile(r"[-+]?[0-9][0-9,.]*(?:[eE][-+]?[0-9]+)?")


WITHOUT_SCENARIO = "fill it, or build the workbook anew without it (scalesheet new)"


class Fault(NamedTuple):
    """One input cell that breaks a rule; ``instead`` is what was meant, where that is plain."""

    rule: str
    line: str
    scenario: int
    seen: str
    expected: str
    instead: Value = None


def input_findings(case: Case) -> list[Finding]:
    """Every finding on inputs against their limits, one for each row and rule; one for a scenario
    that is emptied, and for a pick whose rows are all empty."""
    faults: dict[tuple[str, str, str], list[Fault]] = defaultdict(list)
    found = list(_faults(case))
    gaps = {(one.line, one.scenario) for one in found if one.rule == "I203"}
    emptied = {one for one in range(case.expected.scenarios) if _is_emptied(case, one)}
    for fault in found:
        cause = _cause(case, fault, gaps, emptied) if fault.rule == "I203" else ""
        faults[fault.rule, cause or fault.line, cause and str(fault.scenario)].append(fault)
    return [_finding(case, members) for members in faults.values()] + list(_names(case, emptied))


def _is_emptied(case: Case, scenario: int) -> bool:
    """Whether a scenario, which may keep its name, is given nothing of what every one needs on the
    sheet of the names."""
    ids = case.expected.ids
    return SCENARIO_ROW in case.expected.inputs and all(
        case.input_value(line, scenario) in (None, "")
        for line, cells in case.expected.inputs.items()
        if len(cells) == case.expected.scenarios
        and ids[line][0] == ids[SCENARIO_ROW][0]
        and line != SCENARIO_ROW
        and (record := case.record(line))
        and record.required
    )


def _cause(case: Case, gap: Fault, gaps: set[tuple[str, int]], emptied: set[int]) -> str:
    """The row of the one act that several gaps of a scenario come from, or an empty text."""
    if gap.scenario in emptied:
        return SCENARIO_ROW
    record = case.record(gap.line)
    if record is None or not record.used_by:
        return ""
    needing = [
        line
        for line in case.expected.inputs
        if (other := case.record(line))
        and other.used_by == record.used_by
        and is_needed(case, line, gap.scenario)
    ]
    alone = len(needing) < 2 or any((line, gap.scenario) not in gaps for line in needing)
    return "" if alone else record.used_by[0]


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
        yield Fault("I204", line, scenario, shown(value), f"usually from {low:,g} to {high:,g}")


def is_needed(case: Case, line: str, scenario: int) -> bool:
    """Whether a scenario must give an input: always, or because of what it picks.

    Also where the template writes a value: emptied, it leaves the total undetermined.
    """
    record = case.record(line)
    if record is None or line == SCENARIO_ROW:
        return False
    pick = record.used_by
    if not pick:
        with_ = record.needed_by
        needed = bool(with_) and with_[0] in case.expected.inputs
        return record.required or (needed and case.picks(with_[0], scenario, with_[1:]))
    if pick[0] not in case.expected.inputs:
        return False
    return case.picks(pick[0], scenario, pick[1:])


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
        return _gaps(case, members, places)
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
    if severity == HIGH and not used:
        severity = LOW
    if severity == LOW and all(one.scenario in case.examples for one in members):
        severity = INFO
    return with_effects(found, effects, severity)


def _gaps(case: Case, members: Sequence[Fault], places: Sequence[Place]) -> Finding:
    """The gaps of one scenario that come from one act."""
    name = case.scenarios[members[0].scenario]
    record = case.record(members[0].line)
    pick = record.used_by[0] if record and record.used_by else ""
    is_pick = all(
        (one := case.record(each.line)) and one.used_by[:1] == (pick,) for each in members
    )
    picked = case.input_value(pick, members[0].scenario) if is_pick else None
    why = f"which {shown(picked)} needs" if is_pick else "the whole scenario"
    found = finding(
        "I203",
        places[0][0],
        addresses(places),
        f"{name}: {len(members)} empty cells, {why}",
        "a value in each",
        line=pick if is_pick else SCENARIO_ROW,
        label=case.expected.label(pick if is_pick else SCENARIO_ROW),
        remedy="fill them or pick another way" if is_pick else WITHOUT_SCENARIO,
        origin=() if is_pick else _column(case, members[0].scenario),
    )
    return with_effects(found, fault_effects(case, members), found.rule.severity)


def _column(case: Case, scenario: int) -> list[Place]:
    """Every input cell of a scenario."""
    lines = (line for line, cells in case.expected.inputs.items() if scenario < len(cells))
    return [place for line in lines if (place := case.input_place(line, scenario))]


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


def fault_effects(case: Case, faults: Sequence[Fault]) -> list[Effect]:
    """What faults do to the totals: against what was meant, or undetermined totals."""
    changes: dict[Place, Value] = {}
    blank: list[Effect] = []
    for one in faults:
        cells = case.expected.inputs[one.line]
        at = cells[one.scenario] if one.scenario < len(cells) else cells[0]
        place = case.expected.ids[one.line][0], *at
        if one.instead is not None:
            changes[place] = one.instead
        elif one.rule not in ("I204", "I206"):
            totals = case.by_template
            lost = range(len(totals)) if len(cells) == 1 else (one.scenario,)
            blank += [
                Effect(case.scenario_of_total(place_), None, None)
                for place_ in lost
                if place_ < len(totals) and number(totals[place_]) is None
            ]
    return (case.if_input(changes) if changes else []) + list(dict.fromkeys(blank))


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
