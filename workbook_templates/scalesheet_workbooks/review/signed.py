"""The sign-off beside what is signed: who, when, how much, and whether it was recomputed."""

from collections.abc import Iterator

from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.control import DAY, DECISION, NAME, SIGN, approval_cells, day_of
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.remarks import Figures, proposed
from scalesheet_workbooks.review.rules import MEDIUM

OWNER_ROW, APPROVAL_ROW = f"{SIGN}1", f"{SIGN}4"
APPROVED, DECLINED = "approved", "declined"
PROPOSAL_DAY, LIMIT, CASH = "in.as_of", "in.authority_limit", "cost.cash"
RESULT, OPEN = "in.recomputed_result", "open"


def signed_findings(case: Case) -> Iterator[Finding]:
    """What an approval does not go with; nothing where nobody has signed."""
    signs = {line: values for line in case.expected.ids if (values := _signs(case, line))}
    yield from _early(case, signs)
    approval = signs.get(APPROVAL_ROW, {})
    if not _says(approval, APPROVED):
        return
    declined = [line for line, values in signs.items() if _says(values, DECLINED)]
    if declined:
        said = " and ".join(case.expected.label(line) for line in declined)
        yield from _about(case, DECISION, f"approved, while {said} has declined")
    name, owner = approval.get(NAME), signs.get(OWNER_ROW, {}).get(NAME)
    if isinstance(name, str) and isinstance(owner, str) and _folded(name) == _folded(owner):
        yield from _about(case, NAME, f"{shown(name)} approves what is their own proposal")
    yield from _beyond_authority(case)
    yield from _not_recomputed(case)


def _signs(case: Case, line: str) -> dict[str, Value]:
    if not line.startswith(SIGN):
        return {}
    return {
        what: cell.value
        for what, home in approval_cells(case, line).items()
        if (cell := case.given.get(home)) and cell.value not in (None, "")
    }


def _says(values: dict[str, Value], word: str) -> bool:
    decision = values.get(DECISION)
    return isinstance(decision, str) and decision.strip().casefold().startswith(word)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _about(case: Case, what: str, seen: str) -> Iterator[Finding]:
    """A finding on the approval, at its name, day or decision."""
    places = case.places_of([approval_cells(case, APPROVAL_ROW)[what]])
    if places:
        label = case.expected.label(APPROVAL_ROW)
        yield finding("I242", places[0][0], addresses(places), seen, line=APPROVAL_ROW, label=label)


def _early(case: Case, signs: dict[str, dict[str, Value]]) -> Iterator[Finding]:
    """What was signed before the proposal had its date."""
    if PROPOSAL_DAY not in case.expected.inputs:
        return
    of = day_of(case.input_value(PROPOSAL_DAY, 0))
    early = [
        (line, signed)
        for line, values in signs.items()
        if values.get(DECISION) and (signed := day_of(values.get(DAY))) and of and signed < of
    ]
    places = case.places_of(approval_cells(case, line)[DAY] for line, _ in early)
    if not early or not places:
        return
    line, first = early[0]
    yield finding(
        "I242",
        places[0][0],
        addresses(places),
        f"decided on {first}, before the proposal of {of}",
        line=line,
        label=case.expected.label(line),
    )


def _beyond_authority(case: Case) -> Iterator[Finding]:
    chosen = proposed(case)
    if chosen is None or LIMIT not in case.expected.inputs:
        return
    of = Figures(case, chosen)
    cash = of(CASH)
    if cash is None or not of.is_given(LIMIT):
        return
    limit = number(case.input_value(LIMIT, 0))
    if limit is not None and cash > limit:
        seen = f"approved: cash {cash:,.0f}, and up to {limit:,.0f} may be approved"
        yield from _about(case, DECISION, seen)


def _not_recomputed(case: Case) -> Iterator[Finding]:
    """An approval of figures that nobody has said to have recomputed."""
    if RESULT not in case.expected.inputs:
        return
    result, place = case.input_value(RESULT, 0), case.input_place(RESULT, 0)
    text = result.strip() if isinstance(result, str) else ""
    if place and (not text or text.casefold().startswith(OPEN)):
        yield finding(
            "I244",
            place[0],
            addresses([place]),
            f"approved, and {shown(text) if text else 'an empty cell'}",
            "what the recomputation gave",
            line=RESULT,
            label=case.expected.label(RESULT),
            severity=MEDIUM,
        )
