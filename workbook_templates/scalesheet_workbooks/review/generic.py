"""General checks for a workbook of no template of ours: what is wrong without knowing its meaning.

Few alarms, each with a cell: what cannot be calculated, what is not what it is shown as, what does
not add up.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.number_formats import hides, says_another
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.core import is_as_stored
from scalesheet_workbooks.review.differences import is_invalid
from scalesheet_workbooks.review.engine import (
    CIRCULAR,
    EXTERNAL,
    Session,
    circular_names,
    is_readable,
    is_skipped,
    names_in,
    names_of,
)
from scalesheet_workbooks.review.findings import Finding, finding, printable, shown
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.review.foreign import Foreign
from scalesheet_workbooks.review.generic_alike import interrupted, odd_formulas
from scalesheet_workbooks.review.generic_lookups import hidden_failures
from scalesheet_workbooks.review.generic_numbers import text_money, typed_totals
from scalesheet_workbooks.review.generic_sums import wrong_sums
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.results import Recount, not_calculated
from scalesheet_workbooks.review.roots import places_of
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM
from scalesheet_workbooks.review.setup import calculation_findings, foreign_parts, names_elsewhere

AGGREGATES = re.compile(r"\b(?:SUM|SUMPRODUCT|AVERAGE|SUBTOTAL|SUMIFS?)\(", re.IGNORECASE)


def generic_review(base: Review, book: Book) -> Review:
    """The review of a workbook whose meaning is not known."""
    session, flow = Session(book), Flow(book, names_of(book))
    foreign = Foreign(book, session, flow, base.materiality)
    sums = list(wrong_sums(foreign))
    findings = [
        finding("S190", "", (), "no ids of a template in column B"),
        *_formula_findings(book, session, flow),
        *_circular_names(foreign),
        *_stored(book, session),
        *text_money(foreign),
        *typed_totals(foreign),
        *interrupted(foreign),
        *sums,
        *odd_formulas(foreign, {place for one in sums for place in places_of(one)}),
        *hidden_failures(foreign),
        *calculation_findings(book),
        *foreign_parts(book.parts, book.links),
        *names_elsewhere(book),
        *_hidden(book),
    ]
    findings.sort(key=lambda one: one.rank)
    formulas = sum(cell.is_formula for sheet in book.sheets for cell in sheet.cells.values())
    cells = sum(len(sheet.cells) for sheet in book.sheets)
    return base._replace(
        findings=tuple(findings),
        recount=Recount(formulas=formulas),
        done=(
            f"{cells:,} cells on {len(book.sheets)} sheets read",
            f"{formulas:,} formulas calculated again and held against what the file stores",
            "formulas that are none, errors, circles, text that should be money, typed totals, "
            "sums of other cells than their lines, formulas unlike those beside them, links, "
            "macros, hidden sheets",
        ),
        not_done=(
            "whether the totals are right: the file is of no template of ours",
            "inputs against limits, prices and measurements",
        ),
    )


def _formula_findings(book: Book, session: Session, flow: Flow) -> Iterator[Finding]:
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
    yield from _errors(book, session, flow, broken | below)
    yield from _empty_references(book)


def _circular_names(foreign: Foreign) -> Iterator[Finding]:
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


def _errors(book: Book, session: Session, flow: Flow, explained: set[Place]) -> Iterator[Finding]:
    """Formulas in error of their own; what only the engine does not know is fine."""
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            place = sheet.title, *at
            if cell.formula is None or place in explained:
                continue
            value = session.value(place)
            if isinstance(value, CellError) and (
                cell.value is None or isinstance(cell.value, CellError)
            ):
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


def _empty_references(book: Book) -> Iterator[Finding]:
    """Arithmetic on single cells of other sheets that hold nothing."""
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            if cell.formula is None or AGGREGATES.search(cell.formula):
                continue
            for title, top, left, bottom, right in areas(cell.formula, sheet.title):
                single = (top, left) == (bottom, right)
                if title != sheet.title and single and title in book.by_title:
                    other = book.cell(title, top, left)
                    if other is None or (other.value in (None, "") and other.formula is None):
                        by_sheet[sheet.title].append((sheet.title, *at))
                        break
    for title, places in by_sheet.items():
        first = book.cell(*sorted(places)[0])
        seen = f"={printable(first.formula or '')[:100]}" if first else ""
        yield finding("R322", title, addresses(places), seen)


def _stored(book: Book, session: Session) -> Iterator[Finding]:
    """What the file shows against what its formulas give."""
    stale: list[tuple[Place, Value, Value]] = []
    skipped: list[Place] = []
    missing = formulas = 0
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            if cell.formula is None or EXTERNAL.search(cell.formula):
                continue
            formulas += 1
            value = session.value((sheet.title, *at))
            if is_skipped(cell.value, value) and is_readable(cell.formula):
                skipped.append((sheet.title, *at))
            if isinstance(value, CellError):
                continue
            if cell.value is None and value not in (None, ""):
                missing += 1
            elif number(cell.value) is not None and not is_as_stored(cell.value, value):
                stale.append(((sheet.title, *at), cell.value, value))
    volatile = re.compile(r"\b(?:NOW|TODAY|RAND|RANDBETWEEN)\(", re.IGNORECASE)
    stale = [one for one in stale if not volatile.search(book.cell(*one[0]).formula or "")]  # type: ignore[union-attr]
    if stale:
        place, stored, value = stale[0]
        yield finding(
            "R301",
            place[0],
            addresses([place]),
            f"stored {shown(stored)}, calculated {shown(value)}",
            severity=HIGH,
            consequences=[f"{len(stale)} stored values are out of date"],
        )
    if missing:
        yield finding("R302", "", (), f"{missing} of {formulas} formulas have none")
    yield from not_calculated(skipped)


def _hidden(book: Book) -> Iterator[Finding]:
    for sheet in book.sheets:
        if sheet.state != "visible":
            yield finding("S131", sheet.title, (), f"{sheet.state}, {len(sheet.cells)} cells")
        if unseen := [at for at, code in sheet.odd_formats.items() if hides(code)]:
            cells = addresses((sheet.title, *at) for at in unseen)
            yield finding("S131", sheet.title, cells, "a number format that shows nothing")
        if told := [at for at, code in sheet.odd_formats.items() if says_another(code)]:
            cells = addresses((sheet.title, *at) for at in told)
            seen = "a number format that shows a figure of its own"
            yield finding("S113", sheet.title, cells, seen, severity=HIGH)
