"""The programme: work that does not fit into it, and one that is over before it is proposed."""

from collections.abc import Iterator

from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.about_inputs import input_finding
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.control import day_of
from scalesheet_workbooks.review.doubts import given_number
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.remarks import Figures

USED, AVAILABLE, MONTHS = "own.used_gpu_hours", "own.available_gpu_hours", "in.programme_months"
SLACK = 1e-9
START, PROPOSAL_DAY, DAYS_A_MONTH = "in.start", "in.as_of", 31


def programme_findings(case: Case) -> list[Finding]:
    """Every finding on how long the programme is, and when."""
    return [*_programme(case), *_ended(case)]


def _programme(case: Case) -> Iterator[Finding]:
    """More GPU-hours than the programme has; the input that makes it so in one scenario alone."""
    if USED not in case.expected.ids:
        return
    wrong: dict[tuple[str, str], list[int]] = {}
    for scenario in range(case.expected.scenarios):
        got = Figures(case, scenario).all(USED, AVAILABLE)
        if got is None or got[0] <= got[1] * (1 + SLACK):
            continue
        line, other = _alone(case, scenario)
        wrong.setdefault((line, other), []).append(scenario)
    for (line, other), scenarios in wrong.items():
        used, available = Figures(case, scenarios[0]).all(USED, AVAILABLE) or (0.0, 0.0)
        months = Figures(case, scenarios[0])(MONTHS)
        yield from input_finding(
            case,
            "I209",
            line,
            scenarios,
            f"{used:,.0f} GPU-hours used, {available:,.0f} within the {months:,g} months",
            other or "the hours of the work within those of the programme",
        )


def _alone(case: Case, scenario: int) -> tuple[str, str]:
    """The input that differs from the other scenarios' and without which the hours would fit, and
    what the others have; else the length of the programme."""
    title, column = case.expected.ids[USED][0], case.expected.column_of(scenario)
    wanted = [(title, case.expected.ids[line][1], column) for line in (USED, AVAILABLE)]
    others = [at for at in range(case.expected.scenarios) if at != scenario]
    for line, cells in case.expected.inputs.items():
        own = number(case.input_value(line, scenario))
        if len(cells) == 1 or own is None or not case.is_used(line, scenario):
            continue
        values = {
            value
            for at in others
            if (value := number(case.input_value(line, at))) is not None and case.is_used(line, at)
        }
        home = case.expected.ids[line][0], *cells[scenario]
        if len(values) != 1 or own in values or home not in case.given:
            continue
        (value,) = values
        put, now = {home: Cell(value, None, False)}, {home: case.given[home]}
        used, available = map(number, case.pristine.with_changes(put, now, wanted))
        if used is not None and available is not None and used <= available:
            return line, f"{value:,.10g} in the other scenarios, and the hours would fit"
    return MONTHS, ""


def _ended(case: Case) -> Iterator[Finding]:
    """A programme that is over on the day of its proposal."""
    day = given_number(case, PROPOSAL_DAY, 0)
    over = []
    for scenario in range(case.expected.scenarios if day else 0):
        start, months = (given_number(case, line, scenario) for line in (START, MONTHS))
        if not start or not months or not day or day_of(start) is None:
            continue
        if start + months * DAYS_A_MONTH < day:
            over.append((scenario, start, months))
    if over and day:
        _, start, months = over[0]
        seen = (
            f"{day_of(start)} with {months:,g} months: over on the day of the proposal, "
            f"{day_of(day)}"
        )
        words = "a programme that is still to come"
        chosen = [scenario for scenario, *_ in over]
        yield from input_finding(case, "I245", START, chosen, seen, words)
