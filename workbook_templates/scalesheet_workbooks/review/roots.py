"""Findings that others follow from, and what follows."""

import re
from collections import defaultdict
from collections.abc import Sequence

from scalesheet_workbooks.cell_references import Place, place_of
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.checks import failing_checks, untold
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.results import Recalculated
from scalesheet_workbooks.review.rules import HIGH, INPUTS

MOVING = re.compile("S10|S11[012]|S120|S140|S142|S163|I2|R307")
"""Findings because of which other cells differ."""


DOUBTS = re.compile("I2(04|06|1|2|3)")
"""Findings on inputs that are allowed: no check fails because of them."""
WRONG = re.compile("I2(0[1-8]|12|22)")
"""Inputs that are wrong: that the work of their scenario does not fit says nothing more."""
DOUBTED = re.compile("I2(11|2|30|31)")
"""Doubts that say more of a value than that it is unusual."""
WEAKER = {
    "I204": "I",
    "I206": "[SI]",
    "I207": "S",
    "I211": "I20[1-7]",
    "I220": "I",
    "I230": "I",
    "I231": "I",
    "S143": "S10[25]",
}
"""Findings that another one at the same cell makes needless."""


def places_of(one: Finding) -> set[Place]:
    found = set()
    for cell in one.cells:
        try:
            found.add((one.sheet, *place_of(cell)))
        except ValueError:
            continue  # a whole row or column
    return found


def strongest(findings: Sequence[Finding]) -> list[Finding]:
    """Each cell's strongest findings: what only says the same less well is left out."""
    at: dict[Place, list[Finding]] = defaultdict(list)
    for one in findings:
        for place in places_of(one):
            at[place].append(one)

    faulty = {
        column
        for one in findings
        if one.severity == HIGH and WRONG.match(one.rule.id)
        for _, _, column in places_of(one)
    }

    def needless(one: Finding) -> bool:
        if one.rule.id == "I209":  # its scenarios stand in the same columns on every sheet
            return {column for _, _, column in places_of(one)} <= faulty
        stronger = WEAKER.get(one.rule.id)
        places = places_of(one)
        return (
            bool(places)
            and stronger is not None
            and all(
                any(
                    other.rule.id != one.rule.id
                    and (other.rule.id not in WEAKER or other.rule.id == "I207")
                    and re.match(stronger, other.rule.id)
                    for other in at[place]
                )
                or any(
                    one.rule.id == "I204" and DOUBTED.match(other.rule.id) for other in at[place]
                )
                for place in places
            )
        )

    return [one for one in findings if not needless(one)]


def consequences(case: Case, counted: Recalculated, one: Finding, below: set[Place]) -> list[str]:
    """What a root does further down, in words.

    A check that fails for these inputs in the template too is the doing of an input, any other one
    that of the structure.
    """
    found = []
    is_input = one.rule.band == INPUTS
    differing = case.differing & below
    if differing and not is_input:
        totals = [place for place in case.total_places if place in differing]
        words = f", {_many(len(totals), 'total')} among them" if totals else ""
        verb = "differs" if len(differing) == 1 else "differ"
        found.append(f"{_many(len(differing), 'cell')} {verb} from the template{words}")
    failing = [
        line
        for line, place in failing_checks(case).items()
        if place in below
        and case.fails_for_inputs(line) == is_input
        and not DOUBTS.match(one.rule.id)
    ]
    if failing:
        found.append(f"checks fail: {', '.join(failing)}")
    if untold(case, one, below):
        found.append("alerts below it can be told when it is mended")
    stale = counted.stale.keys() & below
    if stale:
        found.append(f"{_many(len(stale), 'stored value')} out of date")
    return found


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def once(findings: Sequence[Finding]) -> list[Finding]:
    """Each finding once."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for one in findings:
        if (one.fingerprint, one.where) not in seen:
            seen.add((one.fingerprint, one.where))
            kept.append(one)
    return kept
