"""Input cells that break a rule, and what that does to the totals."""

from collections.abc import Sequence
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import Effect


class Fault(NamedTuple):
    """One input cell that breaks a rule; ``instead`` is what was meant, where that is plain."""

    rule: str
    line: str
    scenario: int
    seen: str
    expected: str
    instead: Value = None


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
