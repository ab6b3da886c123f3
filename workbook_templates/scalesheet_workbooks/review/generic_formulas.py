"""General checks of formulas, each by itself: none at all, circles, errors, empty cells, chance."""

import re
from collections import defaultdict
from collections.abc import Iterator

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import addresses
from scalesheet_workbooks.review.differences import is_invalid
from scalesheet_workbooks.review.engine import (
    CIRCULAR,
    EXTERNAL,
    UNKNOWN,
    Session,
    is_beyond,
    is_readable,
    is_skipped,
)
from scalesheet_workbooks.review.findings import Finding, finding, printable, shown
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.review.foreign import Foreign
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW, MEDIUM
from scalesheet_workbooks.review.spelling import circular_names, names_in

VOLATILE = re.compile(r"\b(NOW|TODAY|RAND(?:BETWEEN|ARRAY)?)\(", re.IGNORECASE)
UNSURE = re.compile(
    r"\b(?:INDIRECT|OFFSET|ISFORMULA|FORMULATEXT|CELL|INFO|SHEETS?|GETPIVOTDATA|AGGREGATE)\(",
    re.IGNORECASE,
)
"""Functions that ask for more of a program than values."""
AGGREGATES = re.compile(r"\b(?:SUM|SUMPRODUCT|AVERAGE|SUBTOTAL|SUMIFS?)\(", re.IGNORECASE)


def formula_findings(
    book: Book, session: Session, flow: Flow, explained: set[Place]
) -> Iterator[Finding]:
    """Formulas that are none, lead nowhere, turn in a circle or give an error, roots only."""
    found: dict[tuple[str, str], list[Place]] = defaultdict(list)
    broken: set[Place] = set()
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            place = sheet.title, *at
            if cell.formula is None:
                if isinstance(cell.value, CellError):
                    found["R320", sheet.title].append(place)
                    broken.add(place)
                continue
            rule = _rule_of(cell, place, session, flow)
            if rule:
                found[rule, sheet.title].append(place)
                broken.add(place)
    below = flow.downstream(broken)
    for (rule, title), places in found.items():
        first = sorted(places)[0]
        cell_ = book.cell(*first)
        seen = f"={printable(cell_.formula)[:100]}" if cell_ and cell_.formula else "an error"
        yield finding(
            rule,
            title,
            addresses(places),
            seen,
            severity=LOW if rule == "S140" else HIGH,
            consequences=[f"{len(below)} cells are undetermined"] if below else (),
        )
    yield from _errors(book, session, flow, broken | below | explained)
    yield from _empty_references(book, session)
    yield from _changing(book)


def circular_name_findings(foreign: Foreign) -> Iterator[Finding]:
    """Formulas that say a name which leads back to itself."""
    circle = circular_names(foreign.book)
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    for _, place, formula in foreign.formulas() if circle else ():
        if circle & names_in(formula):
            by_sheet[place[0]].append(place)
    for title, places in by_sheet.items():
        yield finding(
            "S108",
            title,
            addresses(places),
            f"names that lead back to themselves: {printable(', '.join(sorted(circle)))[:100]}",
            remedy="let one of the names stand for a cell",
        )


def _rule_of(cell: Cell, place: Place, session: Session, flow: Flow) -> str:
    assert cell.formula is not None
    if "#REF!" in cell.formula:
        return "S104"
    if EXTERNAL.search(cell.formula):
        return "S140"
    if is_invalid(cell.formula) or place in session.invalid or not is_readable(cell.formula):
        return "S105"
    if session.value(place) == CIRCULAR and place in flow.downstream([place]):
        return "S108"
    return ""


def is_unsure(cell: Cell) -> bool:
    """Whether another value than the stored one may be this engine's doing: formulas for arrays,
    and functions that ask for more of a program than values."""
    return cell.is_array or UNSURE.search(cell.formula or "") is not None


def is_passed_over(cell: Cell, value: Value) -> bool:
    """Whether a formula cannot be calculated here, which says nothing against it."""
    beyond = isinstance(value, CellError) and is_beyond(cell.formula or "")
    return beyond or is_skipped(cell.value, value)


def _errors(book: Book, session: Session, flow: Flow, explained: set[Place]) -> Iterator[Finding]:
    """Formulas in error of their own; what only the engine does not know is fine."""
    beyond = [
        (sheet.title, *at)
        for sheet in book.sheets
        for at, cell in sheet.cells.items()
        if cell.formula is not None and is_beyond(cell.formula)
    ]
    explained = explained | set(beyond) | flow.downstream(beyond)
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            place = sheet.title, *at
            if cell.formula is None or place in explained:
                continue
            value = session.value(place)
            is_stored = cell.value is not None and not isinstance(cell.value, CellError)
            if isinstance(value, CellError) and value != UNKNOWN and not is_stored:
                by_sheet[sheet.title].append(place)
    below = flow.downstream(place for places in by_sheet.values() for place in places)
    for title, places in by_sheet.items():
        if not (roots := [place for place in places if place not in below]):
            continue
        value = session.value(min(roots))
        more = [f"{len(below)} cells are undetermined"] if below else ()
        yield finding(
            "R320", title, addresses(roots), shown(value), severity=MEDIUM, consequences=more
        )


def _empty_references(book: Book, session: Session) -> Iterator[Finding]:
    """Arithmetic on single cells of other sheets that hold nothing; a question where they have no
    label either and a product with them is nothing."""
    found: dict[tuple[str, bool], list[Place]] = defaultdict(list)
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            if cell.formula is None or AGGREGATES.search(cell.formula):
                continue
            for title, top, left, bottom, right in areas(cell.formula, sheet.title):
                single = (top, left) == (bottom, right)
                if title != sheet.title and single and title in book.by_title:
                    other = book.cell(title, top, left)
                    if other is None or (other.value in (None, "") and other.formula is None):
                        is_named = any(row == top for row, _ in book.by_title[title].cells)
                        is_lost = "*" in cell.formula and session.value((sheet.title, *at)) == 0
                        found[sheet.title, is_lost and not is_named].append((sheet.title, *at))
                        break
    for (title, is_lost), places in found.items():
        first = book.cell(*sorted(places)[0])
        seen = f"={printable(first.formula or '')[:100]}" if first else ""
        severity = MEDIUM if is_lost else LOW
        yield finding("R322", title, addresses(places), seen, severity=severity)


def _changing(book: Book) -> Iterator[Finding]:
    """Formulas that give something else at another time; what is random is no budget."""
    found: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            if cell.formula is not None and (said := VOLATILE.search(cell.formula)):
                severity = LOW if said[1].upper().startswith("RAND") else INFO
                found[sheet.title, severity].append((sheet.title, *at))
    for (title, severity), places in found.items():
        first = book.cell(*sorted(places)[0])
        seen = f"={printable(first.formula or '')[:100]}" if first else ""
        yield finding("S142", title, addresses(places), seen, severity=severity)
