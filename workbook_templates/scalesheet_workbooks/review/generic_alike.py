"""General checks of formulas against those beside them: a row or column of alike ones has one
that differs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from scalesheet_workbooks.cell_references import (
    LAST_COLUMN,
    LAST_ROW,
    TOKEN,
    Place,
    areas,
    moved,
    rewritten,
    skeleton,
)
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.findings import Finding, by_money, finding, same, short, shown
from scalesheet_workbooks.review.foreign import Foreign, meet
from scalesheet_workbooks.review.rules import LOW, MEDIUM

At = tuple[int, int]
AT_END = 3
"""Alike formulas in a line that the one at its end must differ from."""


def odd_formulas(foreign: Foreign, known: set[Place]) -> Iterator[Finding]:
    """Formulas of the same shape as those on both sides, or as all before, and of other cells;
    those that should be copies of one formula are one finding."""
    for sheet in foreign.book.sheets:
        texts = {at: cell.formula for at, cell in sheet.cells.items() if cell.formula is not None}
        forms = {at: _form(text, at) for at, text in texts.items()}
        shapes = {at: skeleton(text) for at, text in texts.items()}
        odd: dict[tuple[str, bool], dict[Place, str]] = defaultdict(dict)
        for at, text in texts.items():
            place = sheet.title, *at
            if place in known or shapes[at].strip("+-") == "#":
                continue
            model = _model(forms, shapes, at)
            if model is None:
                continue
            want = moved(texts[model], at[0] - model[0], at[1] - model[1])
            if _is_near(text, want, sheet.title):
                odd[forms[model], _fixed(text) == _fixed(want)][place] = want
        for (_, is_slip), members in odd.items():
            yield _found(foreign, members, is_slip)


def _found(foreign: Foreign, members: Mapping[Place, str], is_slip: bool) -> Finding:
    effects = foreign.effects({place: Cell(None, want) for place, want in members.items()})
    first = min(members)
    return finding(
        "R324",
        first[0],
        addresses(members),
        f"={short(foreign.formula(first))}",
        f"={short(members[first])}, as beside it",
        label=foreign.label(first),
        severity=foreign.severity(effects) if is_slip else LOW,
        effects=effects,
    )


def _form(formula: str, at: At) -> str:
    """A formula as it reads far away: the same for formulas that are copies of each other."""
    return rewritten(moved(formula, LAST_ROW // 2 - at[0], LAST_COLUMN // 2 - at[1]))


def _model(forms: Mapping[At, str], shapes: Mapping[At, str], at: At) -> At | None:
    """The neighbour that a formula should be a copy of, or None."""
    found = None
    for rows, columns in ((0, 1), (1, 0)):
        before = [(at[0] - n * rows, at[1] - n * columns) for n in range(1, AT_END + 1)]
        after = [(at[0] + n * rows, at[1] + n * columns) for n in range(1, AT_END + 1)]
        if forms[at] in (forms.get(before[0]), forms.get(after[0])):
            return None  # it is a copy of one of its neighbours
        for one, other in ((before, after), (after, before)):
            same_shape = shapes.get(one[0]) == shapes[at]
            between = forms.get(one[0]) == forms.get(other[0])
            ends = shapes.get(other[0]) != shapes[at] and len({forms.get(n) for n in one}) == 1
            if same_shape and (between or ends) and found is None:
                found = one[0]
    return found


def _is_near(text: str, want: str, title: str) -> bool:
    """Whether two formulas share cells, so that one may be meant for the other."""
    wanted = list(areas(want, title))
    return any(meet(one, other) for one in areas(text, title) for other in wanted)


def _fixed(formula: str) -> list[str]:
    """The references of a formula with a dollar sign, which somebody has thought of."""
    return [found["ref"] for found in TOKEN.finditer(formula) if "$" in (found["ref"] or "")]


def interrupted(foreign: Foreign) -> Iterator[Finding]:
    """A typed number in a column of formulas that are otherwise all alike."""
    for sheet in foreign.book.sheets:
        for (row, column), cell in sheet.cells.items():
            if cell.formula is not None or number(cell.value) is None:
                continue
            above, below = sheet.cells.get((row - 1, column)), sheet.cells.get((row + 1, column))
            if not above or not below or not above.formula or not below.formula:
                continue
            if TOKEN.search(above.formula) is None or not list(areas(above.formula, sheet.title)):
                continue
            want = moved(above.formula, 1, 0)
            if rewritten(moved(above.formula, 2, 0)) != rewritten(below.formula):
                continue
            place = sheet.title, row, column
            session = foreign.session
            gives = session.with_changes({place: Cell(None, want)}, {place: cell}, [place])[0]
            equal = same(gives, cell.value)
            effects = foreign.effects({place: Cell(None, want)})
            yield finding(
                "S101",
                sheet.title,
                addresses([place]),
                shown(cell.value),
                f"={want} (gives {shown(gives)})",
                severity=LOW if equal else by_money(effects, foreign.materiality, MEDIUM),
                effects=effects,
            )
