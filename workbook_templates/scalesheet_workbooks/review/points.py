"""A scaling study: its measured points, and the figures that the core wrote for them."""

from collections.abc import Iterator

from scalesheet import quantities
from scalesheet.domains import Quantity
from scalesheet.errors import CellError, ScalesheetError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.core import is_as_stored
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.inputs import meant_number
from scalesheet_workbooks.review.plausibility import NEAR, best_published

STUDY, NODES, THROUGHPUT = "scaling_study", "in.nodes", "in.throughput"
PLANNED = "in.planned_nodes"
VALID, PER_GPU, FORECAST = "core.valid", "chk.per_gpu", "pln.efficiency"


def point_findings(case: Case) -> list[Finding]:
    """Faults of the points, doubts about them, and figures of the core that are not the core's."""
    if case.expected.name != STUDY:
        return []
    faults = list(_faults(case))
    return [*faults, *_per_gpu(case), *_too_good(case), *([] if faults else _core(case))]


def _columns() -> list[tuple[str, Quantity]]:
    """The columns of a point in their order, with what may stand in them."""
    from scalesheet_workbooks.scaling_inputs import POINT_LIMITS

    return list(POINT_LIMITS.items())


def _points(case: Case) -> Iterator[tuple[str, list[Place], list[Value]]]:
    """Id, cells and values of each point that is given."""
    from scalesheet_workbooks.scaling_inputs import POINT_ROWS

    for key, _ in POINT_ROWS:
        line = f"in.{key}"
        title, row = case.expected.ids[line]
        first = case.expected.scenario_columns[0]
        homes = [(title, row, first + step) for step in range(len(_columns()))]
        values = [cell.value if (cell := case.given.get(home)) else None for home in homes]
        if any(value not in (None, "") for value in values):
            yield line, homes, values


def _faults(case: Case) -> Iterator[Finding]:
    for line, homes, values in _points(case):
        for (column, quantity), home, value in zip(_columns(), homes, values, strict=True):
            found = _fault(column, quantity, value)
            place = case.alignment.place(*home)
            if found and place:
                rule, remedy = found
                yield finding(
                    rule,
                    place[0],
                    addresses([place]),
                    shown(value) if value not in (None, "") else "an empty cell",
                    quantity.rule,
                    line=f"{line}.{column.removeprefix('in.')}",
                    label=f"{case.expected.label(line)}: {quantity.words}",
                    remedy=remedy,
                    consequences=("the fit is without this point, or wrong by it",),
                )


def _fault(column: str, quantity: Quantity, value: Value) -> tuple[str, str] | None:
    """The rule that a cell of a point breaks, with a remedy where it is plain."""
    if value in (None, ""):
        return ("I203", "") if column in (NODES, THROUGHPUT) else None
    if isinstance(value, CellError):
        return "I207", ""
    if isinstance(value, (str, bool)):
        meant = meant_number(value) if isinstance(value, str) else None
        return "I202", "" if meant is None else f"type {shown(meant)} as a number"
    return None if quantity.admits(value) else ("I201", "")


def _result(case: Case, line: str) -> float | None:
    """The value of a line by the template's formulas, with the file's points."""
    title, row = case.expected.ids[line]
    return number(case.pristine.value((title, row, case.expected.scenario_columns[0])))


def _per_gpu(case: Case) -> Iterator[Finding]:
    """Sizes whose throughput looks like that of one GPU."""
    title, row = case.expected.ids[PER_GPU]
    count = number(case.pristine.value((title, row, case.expected.scenario_columns[0])))
    given = list(_points(case))
    if not count or not given:
        return
    places = case.places_of(homes[-1] for _, homes, _ in given)
    yield finding(
        "I212",
        places[0][0],
        addresses(places),
        f"{count:,.0f} sizes hardly above the smallest",
        "the throughput of all GPUs together",
        line=THROUGHPUT,
        label="Throughput of the points",
    )


def _too_good(case: Case) -> Iterator[Finding]:
    """A forecast above what published runs of that size have kept."""
    nodes, kept = number(case.input_value(PLANNED, 0)), _result(case, FORECAST)
    place = case.input_place(PLANNED, 0)
    if not nodes or nodes <= 1 or kept is None or place is None or case.examples:
        return
    bound = best_published(nodes)
    if kept > bound + NEAR:
        yield finding(
            "I211",
            place[0],
            addresses([place]),
            f"{kept:.1%} at {nodes:,g} nodes",
            f"at most {bound:.1%}: the better quarter of the best published fabric",
            line=PLANNED,
            label=case.expected.label(PLANNED),
        )


def _core(case: Case) -> Iterator[Finding]:
    """Figures at which the file says that they are the core's for these points, and they are not.

    Where points were changed since, the file drops them by itself and raises an alert.
    """
    from scalesheet_workbooks.review.anew import rebuilt
    from scalesheet_workbooks.scaling_inputs import Point, StudyInputs

    planned = number(case.input_value(PLANNED, 0))
    if _result(case, VALID) != 1 or planned is None or not quantities.NODES.admits(planned):
        return
    points = tuple(
        Point(*(float(value) for value in values))  # type: ignore[arg-type]
        for _, _, values in _points(case)
        if all(number(value) is not None for value in values)
    )
    values = {
        line: value
        for line in case.expected.inputs
        if case.record(line) and isinstance(value := case.input_value(line, 0), (int, float, str))
    }
    try:
        anew = rebuilt(case.expected, StudyInputs(values, {}, points))
    except ScalesheetError:
        return
    changed: list[tuple[Place, Value, Value]] = []
    for home in sorted(case.expected.written):
        place = case.alignment.place(*home)
        cell, ours = case.book.cell(*place) if place else None, anew.cell(*home)
        if place is None or (cell is not None and cell.formula is not None):
            continue
        theirs, want = cell.value if cell else None, ours.value if ours else None
        if not is_as_stored(theirs, want):
            changed.append((place, theirs, want))
    if changed:
        place, theirs, want = changed[0]
        yield finding(
            "R307",
            place[0],
            addresses(one for one, _, _ in changed),
            shown(theirs),
            shown(want),
            line=case.line_of(place),
            label=case.label_of(place),
        )
