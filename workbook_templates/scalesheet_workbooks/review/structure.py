"""Structure: what the template says of every cell against what stands in the file."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from scalesheet_workbooks.cell_references import Place, address, skeleton
from scalesheet_workbooks.layout import ID_COLUMN
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.read_sheets import PART_OF_ARRAY, Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.differences import Difference, differences
from scalesheet_workbooks.review.findings import (
    Effect,
    Finding,
    by_money,
    finding,
    printable,
    same,
    short,
    shown,
    with_effects,
)
from scalesheet_workbooks.review.layout_changes import added_findings, missing_findings
from scalesheet_workbooks.review.names import local_name_findings, name_findings
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM

CHECK = "chk."
"""Before the id of a check."""
PASTED_ROWS = 8
"""From so many rows of values over formulas on, a sheet was pasted over."""
Groups = Iterable[list[Difference]]
NEEDLESS_QUOTES = re.compile(r"'([A-Za-z_][A-Za-z0-9_]*)'!")


def structure_findings(case: Case) -> list[Finding]:
    """Every finding on formulas, constants and texts, each with its cells and its money."""
    found = list(differences(case))
    groups: dict[tuple[str, str, int, str], list[Difference]] = defaultdict(list)
    for one in found:
        is_id = one.rule == "S113" and one.home[2] == ID_COLUMN
        key = one.rule, one.home[0], 0 if is_id else one.home[1], _kind(one)
        groups[key].append(one)
    findings = [_finding(case, members) for members in _by_sheet(groups)]
    findings += missing_findings(case)
    findings += [*name_findings(case), *local_name_findings(case)]
    findings += added_findings(case, {one.place for one in found})
    findings += _currency(case)
    return findings


def _by_sheet(groups: Mapping[tuple[str, str, int, str], list[Difference]]) -> Groups:
    """The groups, those of a sheet together where values stand over formulas in many rows: that is
    one paste."""
    rows = Counter((rule, title) for rule, title, *_ in groups)
    found: dict[tuple[str, str, int, str], list[Difference]] = defaultdict(list)
    for (rule, title, row, kind), members in groups.items():
        is_pasted = rule == "S101" and rows[rule, title] >= PASTED_ROWS
        found[(rule, title, 0, "") if is_pasted else (rule, title, row, kind)] += members
    return found.values()


def _kind(one: Difference) -> str:
    """What a difference is grouped by besides its row."""
    if one.rule in ("S101", "S103"):
        return ""
    if one.theirs is not None and one.theirs.formula is not None:
        if one.theirs.is_array:
            return "array"
        return skeleton(one.theirs.formula)
    return address(1, one.home[2])


def _finding(case: Case, members: list[Difference]) -> Finding:
    first = members[0]
    restore = {one.place: _template_cell(case, one) for one in members}
    effects = case.restored(restore)
    seen = _seen(case, first)
    if len(members) > 1 and any(_seen(case, one) != seen for one in members):
        seen += f" (and {len(members) - 1} more)"
    line = case.expected.line_at.get(first.home[:2], "")
    found = finding(
        first.rule,
        first.place[0],
        addresses(one.place for one in members),
        seen,
        _wanted(case, first),
        line=line,
        label=case.label_of(first.place),
        consequences=[*_hidden_sources(case, first), *_untold(case, restore, effects)],
    )
    return with_effects(found, effects, _severity(case, members, effects, line))


def _untold(case: Case, places: Iterable[Place], effects: Sequence[Effect]) -> Iterator[str]:
    """The totals that another fault keeps from being calculated, and with them what this does."""
    masked = [case.scenario_of_total(at) for at in case.masked_by_others(places, effects)]
    if masked:
        yield (
            f"what it does to the total of {', '.join(masked)} can be told when that can be "
            "calculated"
        )


def _hidden_sources(case: Case, one: Difference) -> list[str]:
    """Hidden sheets that a changed formula reads."""
    titles = {title for title, *_ in case.flow.needs.get(one.place, ())}
    return [
        f"it reads the sheet {printable(title)}, which is "
        + ("very hidden" if case.book.by_title[title].state == "veryHidden" else "hidden")
        for title in sorted(titles & case.book.by_title.keys())
        if case.book.by_title[title].state != "visible" and title in case.alignment.added
    ]


def _severity(case: Case, members: list[Difference], effects: list[Effect], line: str) -> str:
    rule = members[0].rule
    if rule in ("S111", "S112", "S114"):
        return HIGH
    if rule == "S113":
        return LOW
    if effects:
        return by_money(effects, case.materiality, MEDIUM)
    if rule in ("S104", "S105", "S108"):
        return HIGH
    if rule == "S110":
        places = [one.place for one in members]
        return MEDIUM if case.differing & case.flow.downstream(places) else LOW
    is_control = line.startswith(CHECK) or not line
    wrong = any(not same(_shown(case, one.place), _restored_value(case, one)) for one in members)
    totals = [place for place in case.total_places if place]
    here = {one.place for one in members}
    shows_total = bool(here & case.flow_of_template(totals))
    unknown = {place for place in totals if number(case.session.value(place)) is None}
    if unknown & (here | case.flow.downstream(here)):
        return HIGH  # what it does to the total cannot be measured while that cannot be calculated
    if rule == "S140" and shows_total:
        return HIGH  # the total is what another file says
    if line.startswith(CHECK):
        return HIGH
    if wrong and (shows_total or is_control):
        return HIGH
    return MEDIUM


def _shown(case: Case, place: Place) -> Value:
    return case.session.value(place)


def _restored_value(case: Case, one: Difference) -> Value:
    return case.pristine.value(one.home)


def _template_cell(case: Case, one: Difference) -> Cell | None:
    """What the template has, in the layout of the file."""
    if one.ours.formula is None:
        return one.ours
    return replace(one.ours, formula=case.alignment.there(one.home[0], one.ours.formula))


def _seen(case: Case, one: Difference) -> str:
    cell = one.theirs
    if cell is None or (cell.formula is None and cell.value in (None, "")):
        return "an empty cell"
    if cell.formula is not None:
        whole = PART_OF_ARRAY.fullmatch(cell.formula) if cell.is_array else None
        return f"{{={short(whole[1])}}}" if whole else f"={short(cell.formula)}"
    return shown(cell.value)


def _wanted(case: Case, one: Difference) -> str:
    if one.ours.formula is not None:
        value = case.pristine.value(one.home)
        if case.expected.line_at.get(one.home[:2], "").startswith(CHECK):
            # A check speaks of the file as it is, not of what the template gives.
            was = {one.place: _template_cell(case, one)}
            now = {one.place: case.book.cell(*one.place)}
            (value,) = case.session.with_changes(was, now, [one.place])
        formula = case.alignment.there(one.home[0], one.ours.formula)
        plain = NEEDLESS_QUOTES.sub(r"\1!", formula)
        return f"={short(plain)} (gives {shown(value)})"
    return shown(one.ours.value)


def _currency(case: Case) -> Iterator[Finding]:
    """Cells that name another currency than the others of the file."""
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    named = case.currencies
    for place, code in named.items():
        if code != case.currency:
            by_sheet[place[0]].append(place)
    for title, places in by_sheet.items():
        code = named[places[0]]
        yield finding("S114", title, addresses(places), f"currency {code}", case.currency)
