"""Empty inputs that come from one act: a scenario taken out, a pick without the rows it needs."""

from collections.abc import Sequence

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.faults import Fault, fault_effects, is_needed
from scalesheet_workbooks.review.findings import Finding, finding, shown, with_effects

WITHOUT_SCENARIO = "fill it, or build the workbook anew without it (scalesheet new)"


def is_emptied(case: Case, scenario: int) -> bool:
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


def cause_of(case: Case, gap: Fault, gaps: set[tuple[str, int]], emptied: set[int]) -> str:
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


def gap_finding(case: Case, members: Sequence[Fault], places: Sequence[Place]) -> Finding:
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
