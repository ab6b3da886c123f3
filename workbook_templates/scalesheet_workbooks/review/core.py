"""The Python core beside the formulas: every call of our functions made again."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from scalesheet.errors import CellError
from scalesheet.registry import REGISTRY
from scalesheet.surfaces.cells import answer
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import Finding, finding, shown

STORED = 1e-9
"""Programs store 15 digits of a number."""
Difference = tuple[str, int, Value, Value]
"""Line, scenario, value of the formula, value of the core, where they differ."""


def is_as_stored(stored: Value, value: Value) -> bool:
    """Whether a stored value is the calculated one, to the digits that programs store.

    >>> is_as_stored(6775.88235294118, 6775.882352941177), is_as_stored(1.0, 1.1)
    (True, False)
    """
    one, other = number(stored), number(value)
    if one is not None and other is not None:
        return abs(one - other) <= STORED * max(1.0, abs(one), abs(other))
    if isinstance(stored, CellError) and isinstance(value, CellError):
        return True  # programs name errors differently
    return stored == value or (stored in (None, "") and value in (None, ""))


def by_core(case: Case) -> tuple[int, list[Difference]]:
    """Calls of our functions in the template, each made by the Python core from its arguments."""
    checked = 0
    wrong: list[Difference] = []
    for call in case.expected.calls:
        if call.line not in case.expected.ids:
            continue
        for scenario in range(case.expected.scenarios):
            shown_value = _line_value(case, call.line, scenario)
            arguments = [_line_value(case, one, scenario) for one in call.arguments]
            if number(shown_value) is None or any(
                argument is None or argument == "–" for argument in arguments
            ):
                continue
            own = answer(REGISTRY[call.function], arguments)
            if isinstance(own, (list, CellError)):
                continue  # outside its limits, which a finding on the input says
            checked += 1
            if not isinstance(own, (int, float)) or not is_as_stored(shown_value, float(own)):
                wrong.append((call.line, scenario, shown_value, own))
    return checked, wrong


def _line_value(case: Case, line: str, scenario: int) -> Value:
    """What the template shows for a line in a scenario, with the inputs of the file."""
    if line not in case.expected.ids:
        return None
    title, row = case.expected.ids[line]
    return case.pristine.value((title, row, case.expected.column_of(scenario)))


def core_findings(case: Case, differences: Sequence[Difference]) -> Iterator[Finding]:
    """One finding for each line where core and formula differ."""
    by_line: dict[str, list[Difference]] = defaultdict(list)
    for one in differences:
        by_line[one[0]].append(one)
    for line, members in by_line.items():
        _, scenario, value, own = members[0]
        title, row = case.expected.ids[line]
        place = case.alignment.place(title, row, case.expected.column_of(scenario))
        yield finding(
            "R303",
            title,
            addresses([place]) if place else (),
            f"formula {shown(value)}",
            f"core {shown(own)}",
            line=line,
            label=case.expected.label(line),
        )
