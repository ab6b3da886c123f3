"""General check of look-ups: one that finds nothing and counts as zero."""

import re
from collections import defaultdict
from collections.abc import Iterator

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, areas, skeleton
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.case import addresses
from scalesheet_workbooks.review.findings import Finding, finding, short, shown
from scalesheet_workbooks.review.foreign import Foreign
from scalesheet_workbooks.review.rules import LOW, MEDIUM

HIDING = re.compile(r"\b(?:IFERROR|IFNA)\(", re.IGNORECASE)
LOOKUP = re.compile(r"\b(?:[VHX]?LOOKUP|MATCH)\(", re.IGNORECASE)


def hidden_failures(foreign: Foreign) -> Iterator[Finding]:
    """Look-ups that fail and are taken for zero. Where most of those alike fail, as in a list of
    discounts, that is how it is meant."""
    bare: dict[Place, Cell] = {}
    alike: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for sheet, place, formula in foreign.formulas():
        if not (HIDING.search(formula) and LOOKUP.search(formula)):
            continue
        if foreign.number(place) is not None:
            alike[sheet.title, skeleton(formula)].append(place)
        if foreign.number(place) == 0 and not _asks_for_nothing(foreign, place, formula):
            bare[place] = Cell(None, without_guard(formula))
    if not bare:
        return
    now = {place: foreign.book.cell(*place) for place in bare}
    places = list(bare)
    values = foreign.session.with_changes(bare, now, places)
    failed = {p: v for p, v in zip(places, values, strict=True) if isinstance(v, CellError)}
    failed = {p: v for p, v in failed.items() if p not in foreign.flow.downstream(failed)}
    for (title, _), members in alike.items():
        found = [place for place in members if place in failed]
        if not found:
            continue
        first = foreign.book.cell(*found[0])
        below = foreign.flow.downstream(found)
        yield finding(
            "R326",
            title,
            addresses(found),
            f"={short((first and first.formula) or '')} hides {shown(failed[found[0]])}",
            label=foreign.label(found[0]),
            severity=MEDIUM if 2 * len(found) < len(members) else LOW,
            consequences=[f"{len(below)} cells count it as zero"] if below else (),
        )


def _asks_for_nothing(foreign: Foreign, place: Place, formula: str) -> bool:
    """Whether a formula refers to an empty cell, as in rows that are not filled in yet."""
    return any(
        foreign.session.value((title, top, left)) in (None, "")
        for title, top, left, bottom, right in areas(formula, place[0])
        if (top, left) == (bottom, right)
    )


def without_guard(formula: str) -> str:
    """A formula with what its guards hide.

    >>> without_guard('IFERROR(VLOOKUP(A2,B:C,2,FALSE),0)*IFNA(MATCH("a,b",D1:D9),"")')
    '(VLOOKUP(A2,B:C,2,FALSE))*(MATCH("a,b",D1:D9))'
    """
    while found := HIDING.search(formula):
        depth, quoted, comma, end = 0, False, None, len(formula)
        for at in range(found.end(), len(formula)):
            letter = formula[at]
            if letter == '"':
                quoted = not quoted
            elif quoted:
                continue
            elif letter == "(":
                depth += 1
            elif letter == ")" and depth == 0:
                end = at
                break
            elif letter == ")":
                depth -= 1
            elif letter == "," and depth == 0 and comma is None:
                comma = at
        inner = formula[found.end() : comma if comma is not None else end]
        formula = f"{formula[: found.start()]}({inner}){formula[end + 1 :]}"
    return formula
