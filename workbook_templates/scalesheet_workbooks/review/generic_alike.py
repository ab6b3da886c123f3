"""General checks of formulas against those beside them: a row or column of alike ones has one
that differs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import (
    LAST_COLUMN,
    LAST_ROW,
    TOKEN,
    Area,
    Place,
    areas,
    moved,
    rewritten,
    skeleton,
)
from scalesheet_workbooks.read import Cell, Sheet
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.findings import Finding, by_money, finding, same, short, shown
from scalesheet_workbooks.review.foreign import Foreign, meet, size_of
from scalesheet_workbooks.review.rules import LOW, MEDIUM

At = tuple[int, int]
PAIR, AT_END, BOTH_SIDES = 2, 3, 4
"""Alike formulas in a line that the one at its end must differ from; two are enough where only what
is fixed by $ differs."""


def odd_formulas(foreign: Foreign, known: set[Place]) -> Iterator[Finding]:
    """Formulas unlike those on both sides, or unlike all before: of the same shape and of other
    cells, or of the same cells with something put in. Those that should be copies of one formula
    are one finding."""
    for sheet in foreign.book.sheets:
        texts = {
            at: cell.formula
            for at, cell in sheet.cells.items()
            if cell.formula is not None and not cell.is_array
        }
        forms = {at: _form(text, at) for at, text in texts.items()}
        shapes = {at: skeleton(text) for at, text in texts.items()}
        odd: dict[tuple[str, str, bool], dict[Place, str]] = defaultdict(dict)
        for at, text in texts.items():
            place = sheet.title, *at
            found = None if place in known else _model(forms, shapes, at)
            if found is None:
                continue
            model, alike = found
            want = moved(texts[model], at[0] - model[0], at[1] - model[1])
            if alike < AT_END and _free(text) != _free(want):
                continue
            if shapes[at] == shapes[model]:
                if shapes[at].strip("+-") != "#" and _is_near(text, want, sheet.title):
                    is_slip = _fixed(text) == _fixed(want) or _has_blank(foreign, place, want)
                    odd["R324", forms[model], is_slip][place] = want
            elif (cells := _cells(text, sheet.title)) and cells == _cells(want, sheet.title):
                odd["R327", forms[model], alike == BOTH_SIDES][place] = want
        for (rule, _, is_slip), members in odd.items():
            yield _found(foreign, rule, members, is_slip)


def _found(foreign: Foreign, rule: str, members: Mapping[Place, str], is_slip: bool) -> Finding:
    effects = foreign.effects({place: Cell(None, want) for place, want in members.items()})
    first = min(members)
    return finding(
        rule,
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


def _model(forms: Mapping[At, str], shapes: Mapping[At, str], at: At) -> tuple[At, int] | None:
    """The neighbour that a formula should be a copy of, and how many alike ones say so where they
    are all on one side of it, else ``BOTH_SIDES``; None where there is none."""
    found = None
    for rows, columns in ((0, 1), (1, 0)):
        before = [(at[0] - n * rows, at[1] - n * columns) for n in range(1, AT_END + 1)]
        after = [(at[0] + n * rows, at[1] + n * columns) for n in range(1, AT_END + 1)]
        if forms[at] in (forms.get(before[0]), forms.get(after[0])):
            return None  # it is a copy of one of its neighbours
        if forms[at] in (forms.get(before[1]), forms.get(after[1])):
            continue  # every other line is alike
        for one, other in ((before, after), (after, before)):
            form = forms.get(one[0])
            if form is None or found is not None:
                continue
            others = (n for n, place in enumerate(one) if forms.get(place) != form)
            alike = next(others, AT_END)
            if forms.get(other[0]) == form:
                found = one[0], BOTH_SIDES
            elif alike >= PAIR and shapes.get(other[0]) != shapes[at]:
                found = one[0], alike
    return found


def _cells(formula: str, title: str) -> list[Area]:
    """The cells that a formula refers to, in its order."""
    return list(areas(formula, title))


def _has_blank(foreign: Foreign, place: Place, want: str) -> bool:
    """Whether a formula refers to a single cell that holds nothing where the one beside it does
    not."""
    ours, theirs = _cells(foreign.formula(place), place[0]), _cells(want, place[0])
    return any(
        one != other
        and size_of(one) == 1
        and foreign.is_blank(one[:3])
        and not foreign.is_blank(other[:3])
        for one, other in zip(ours, theirs, strict=False)
    )


def _is_near(text: str, want: str, title: str) -> bool:
    """Whether two formulas share cells, so that one may be meant for the other."""
    wanted = list(areas(want, title))
    return any(meet(one, other) for one in areas(text, title) for other in wanted)


def _fixed(formula: str) -> list[str]:
    """The references of a formula with a dollar sign, which somebody has thought of."""
    return [found["ref"] for found in TOKEN.finditer(formula) if "$" in (found["ref"] or "")]


def _free(formula: str) -> str:
    """A formula without the references that are fixed by $."""
    return TOKEN.sub(lambda found: "$" if "$" in (found["ref"] or "") else found[0], formula)


def interrupted(foreign: Foreign, known: set[Place]) -> Iterator[Finding]:
    """A typed number between two formulas that are copies of each other, but for those known."""
    for sheet in foreign.book.sheets:
        for at, cell in sheet.cells.items():
            if cell.formula is not None or number(cell.value) is None:
                continue
            place = sheet.title, *at
            want = None if place in known else _between(sheet, at)
            if want is None:
                continue
            session = foreign.session
            gives = session.with_changes({place: Cell(None, want)}, {place: cell}, [place])[0]
            if isinstance(gives, CellError):
                continue
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


def _between(sheet: Sheet, at: At) -> str | None:
    """The formula that stands on both sides of a cell, as it would read there; in a row twice on
    one of them, since formulas and factors may stand there by turns."""
    for down, right in ((1, 0), (0, 1)):
        before = sheet.cells.get((at[0] - down, at[1] - right))
        if not before or not before.formula or not _cells(before.formula, sheet.title):
            continue
        want = moved(before.formula, down, right)
        copies = [_has_copy(sheet, at, want, n * down, n * right) for n in (1, 2, -2)]
        if copies[0] and (down or any(copies[1:])):
            return want
    return None


def _has_copy(sheet: Sheet, at: At, formula: str, down: int, right: int) -> bool:
    """Whether the cell so many rows and columns away has a copy of what a cell would have."""
    cell = sheet.cells.get((at[0] + down, at[1] + right))
    if cell is None or cell.formula is None:
        return False
    return rewritten(cell.formula) == rewritten(moved(formula, down, right))
