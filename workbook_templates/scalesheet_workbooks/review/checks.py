"""The checks and alerts of a file: which fail, which are raised, which cannot be told."""

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.findings import Finding


def failing_checks(case: Case) -> dict[str, Place]:
    """The checks of the file that fail, the sums of them left out, with their place."""
    kinds = case.expected.check_kinds
    return {
        line: place
        for line, place in case.check_places.items()
        if kinds.get(line) in (ERROR, COMPLETENESS) and case.session.value(place) != 0
    }


def alerts_not_quiet(case: Case) -> dict[str, Place]:
    """The alerts of the file that are raised, or whose sides are in error."""
    kinds = case.expected.check_kinds
    return {
        line: place
        for line, place in case.check_places.items()
        if kinds.get(line) == ALERT and case.session.value(place) not in (0, None)
    }


def raised_alerts(case: Case) -> dict[str, Place]:
    """The alerts of the file that are raised; not those whose sides are in error, which can be
    told neither way."""
    return {
        line: place
        for line, place in alerts_not_quiet(case).items()
        if not any(isinstance(case.session.value(side), CellError) for side in _sides(place))
    }


def _sides(result: Place) -> tuple[Place, Place]:
    """Left and right of a check, which stand before its tolerance and its result."""
    title, row, column = result
    return (title, row, column - 3), (title, row, column - 2)


def untold(case: Case, one: Finding, below: set[Place]) -> list[str]:
    """The alerts that say nothing, because a total that they hang on is undetermined by a root."""
    if all(effect.amount is not None for effect in one.effects):
        return []
    return [line for line, place in alerts_not_quiet(case).items() if place in below]
