"""Names that lead elsewhere than in the template, or are gone."""

import re
from collections.abc import Iterator

from scalesheet_workbooks.cell_references import Place, address, areas, rewritten
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.differences import plain
from scalesheet_workbooks.review.findings import (
    Finding,
    finding,
    printable,
    short,
    with_effects,
)
from scalesheet_workbooks.review.rules import HIGH, MEDIUM

REMEDY_OF_ONE_SHEET = "delete the name of that one sheet (Formulas, Name Manager)"


def name_findings(case: Case) -> Iterator[Finding]:
    lost: list[str] = []
    changed: list[str] = []
    for key, name in case.expected.book.names.items():
        theirs = case.book.names.get(key)
        if "lambda(" in name.text.lower():
            if theirs is None or "_xlfn.lambda(" in theirs.text:
                lost.append(name.name)
            elif not _is_lambda(theirs.text, name.text):
                changed.append(name.name)
            continue
        want = plain(name.text, "")
        have = case.alignment.here("", theirs.text) if theirs else ""
        if have == want:
            continue
        wanted = rewritten_name(case, name.text)
        restored = dict(case.names)
        restored[key] = wanted
        effects = case.with_names(restored)
        seen = f"{name.name} = {short(theirs.text)}" if theirs else f"no name {name.name}"
        target = next(iter(areas(name.text, "")), None)
        cells = [address(target[1], target[2])] if target else []
        found = finding(
            "S120",
            target[0] if target else "",
            cells,
            seen,
            f"{name.name} = {short(name.text)}",
            line=name.name,
            label=name.name,
            origin=_users_of_name(case, key),
        )
        yield with_effects(found, effects, HIGH)
    if changed:
        seen = f"{', '.join(changed[:3])}: not as we define {'it' if len(changed) == 1 else 'them'}"
        yield finding("S120", "", (), seen, "our definition", line=changed[0], severity=MEDIUM)
    if lost:
        some = ", ".join(lost[:3]) + (" ..." if len(lost) > 3 else "")
        yield finding("S121", "", (), f"{len(lost)} of our LAMBDA names: {some}")


def local_name_findings(case: Case) -> Iterator[Finding]:
    """Names of one sheet that stand before the template's there and mean something else."""
    for key, name in case.book.names.items():
        ours = case.expected.book.names.get(name.name.lower())
        if name.sheet not in case.alignment.back or ours is None:
            continue
        is_function = "lambda(" in ours.text.lower()
        if is_function and _is_lambda(name.text, ours.text):
            continue
        if case.alignment.here("", name.text) == plain(ours.text, ""):
            continue
        without = {other: text for other, text in case.names.items() if other != key}
        users = _users_of_name(case, name.name.lower(), name.sheet)
        effects = [] if is_function else case.with_names(without)
        found = finding(
            "S120",
            name.sheet,
            addresses(users),
            f"{name.name} = {short(name.text)} on the sheet {printable(name.sheet)} alone",
            f"{name.name} = {short(ours.text)} on all",
            line=name.name,
            label=name.name,
            remedy=REMEDY_OF_ONE_SHEET,
        )
        yield with_effects(found, effects, HIGH if users or effects else MEDIUM)


def _users_of_name(case: Case, key: str, title: str = "") -> list[Place]:
    """Cells of the file, or of one sheet, whose formulas say a name."""
    word = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(key)}(?![A-Za-z0-9_.(])", re.IGNORECASE)
    return [
        (sheet.title, *at)
        for sheet in case.book.sheets
        if title in ("", sheet.title)
        for at, cell in sheet.cells.items()
        if cell.formula and word.search(cell.formula)
    ]


def rewritten_name(case: Case, text: str) -> str:
    """What a name of the template stands for in the file."""
    return case.alignment.there("", text)


def _is_lambda(theirs: str, ours: str) -> bool:
    """Whether a definition is ours; LibreOffice writes its functions in small letters, which breaks
    it in Excel."""
    if theirs == ours:
        return True
    if "_xlfn.lambda(" in theirs:
        return False
    return _bare(theirs) == _bare(ours)


def _bare(text: str) -> str:
    """A definition without what programs add to it, numbers in one spelling."""
    return rewritten(text.replace("_xlpm.", "")).lower()
