"""General checks of what cells are called: sums by label, checks that the file makes of itself."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Area, Place, address, areas, skeleton
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.findings import Finding, finding, short, shown
from scalesheet_workbooks.review.foreign import Foreign

SUM_BY_LABEL = re.compile(
    r"^SUMIF\((?P<range>[^,()]+),(?:\"(?P<text>[^\"*?<>=~]+)\"|(?P<cell>[^,()\"&]+)),[^,()]+\)$",
    re.IGNORECASE,
)
CHECK = re.compile(r"^\s*(?:check|control|difference to|kontrolle|pr[uü]f\w*)\b", re.IGNORECASE)
FAILS = re.compile(r"^\s*(?:error|fail(?:s|ed)?|wrong|not ok|fehler|falsch)\b", re.IGNORECASE)
DIFFERENCE = re.compile(r"[+-]?(?:#|SUM\(#(?:,#)*\))(?:[+-](?:#|SUM\(#(?:,#)*\)))*")
ROUNDING = 0.01


class ByLabel(NamedTuple):
    """A sum by label: where, the range of labels, the one it asks for."""

    place: Place
    labels: Area
    label: str


def sums_by_label(foreign: Foreign) -> Iterator[Finding]:
    """Sums of a label that its range does not hold, where the range holds one that no sum asks
    for."""
    groups: dict[Area, list[ByLabel]] = defaultdict(list)
    for _, place, formula in foreign.formulas():
        one = _by_label(foreign, place, formula)
        if one is not None:
            groups[one.labels].append(one)
    for area, members in groups.items():
        held = _held(foreign, area)
        asked = {one.label for one in members}
        left = [(text, at) for text, at in held.items() if text not in asked]
        for one in members if left else ():
            if one.label not in held:
                yield _not_there(foreign, one, left)


def _by_label(foreign: Foreign, place: Place, formula: str) -> ByLabel | None:
    found = SUM_BY_LABEL.match(formula.strip())
    if found is None:
        return None
    held = list(areas(found["range"], place[0]))
    asked: object = found["text"]
    if found["cell"]:
        cells = list(areas(found["cell"], place[0]))
        asked = foreign.session.value(cells[0][:3]) if len(cells) == 1 else None
    if len(held) != 1 or not isinstance(asked, str) or not asked.strip():
        return None
    return ByLabel(place, held[0], asked.strip().casefold())


def _held(foreign: Foreign, area: Area) -> dict[str, Place]:
    """The texts of a range, each with its first cell."""
    title, top, left, bottom, right = area
    sheet = foreign.book.by_title.get(title)
    found: dict[str, Place] = {}
    for row, column in sorted(sheet.cells) if sheet else ():
        if top <= row <= bottom and left <= column <= right:
            value = foreign.session.value((title, row, column))
            if isinstance(value, str) and value.strip():
                found.setdefault(value.strip().casefold(), (title, row, column))
    return found


def _not_there(foreign: Foreign, one: ByLabel, left: list[tuple[str, Place]]) -> Finding:
    text, at = left[0]
    effects = foreign.effects({at: Cell(one.label)}) if len(left) == 1 else []
    return finding(
        "R328",
        at[0],
        [address(*at[1:])],
        f"{shown(foreign.session.value(at))} is in no sum; "
        f"={short(foreign.formula(one.place))} at {one.place[0]}!{address(*one.place[1:])} "
        "finds none",
        f'"{one.label}", or a sum of its own for "{text}"',
        label=foreign.label(at),
        effects=effects,
    )


def failing_checks(foreign: Foreign, explained: set[Place]) -> Iterator[Finding]:
    """Cells that are called a check and show a difference, or say that something is wrong."""
    for sheet, place, formula in foreign.formulas():
        if not CHECK.match(foreign.label(place)) or place in explained:
            continue
        value = foreign.session.value(place)
        is_difference = DIFFERENCE.fullmatch(skeleton(formula)) and "-" in formula
        number = foreign.number(place)
        differs = is_difference and number is not None and abs(number) > ROUNDING
        if differs or (isinstance(value, str) and FAILS.match(value)):
            yield finding(
                "R329",
                sheet.title,
                [address(*place[1:])],
                f"{shown(value)} by ={short(formula)}",
                "0" if is_difference else "that all is well",
                label=foreign.label(place),
            )
