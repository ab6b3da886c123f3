"""A finding on an input that does not fit another one, and the totals that it leaves open."""

from collections.abc import Iterator, Sequence

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import Effect, Finding, finding


def input_finding(
    case: Case,
    rule: str,
    line: str,
    scenarios: Sequence[int],
    seen: str,
    expected: str,
    severity: str = "",
) -> Iterator[Finding]:
    """A finding on an input of some scenarios, with the totals that are lost by it."""
    places = [place for one in scenarios if (place := case.input_place(line, one))]
    if places:
        yield finding(
            rule,
            places[0][0],
            addresses(places),
            seen,
            expected,
            line=line,
            label=case.expected.label(line),
            effects=undetermined(case, places),
            severity=severity,
        )


def undetermined(case: Case, places: Sequence[Place]) -> list[Effect]:
    """The totals that are undetermined and hang on some cells."""
    lost = [at for at, value in enumerate(case.recomputed) if number(value) is None]
    if not lost:
        return []
    below = case.flow.downstream(places)
    return [
        Effect(case.scenario_of_total(at), None, None)
        for at in lost
        if case.total_places[at] in below
    ]
