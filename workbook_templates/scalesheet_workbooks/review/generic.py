"""General checks for a workbook of no template of ours: what is wrong without knowing its meaning.

Few alarms, each with a cell: what cannot be calculated, what is not what it is shown as, what does
not add up.
"""

from collections.abc import Iterable, Iterator

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.number_formats import hides, says_another
from scalesheet_workbooks.read import Book
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import addresses, number
from scalesheet_workbooks.review.core import is_as_stored
from scalesheet_workbooks.review.engine import EXTERNAL, Session, is_readable
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.flow import Flow
from scalesheet_workbooks.review.foreign import Foreign
from scalesheet_workbooks.review.generic_alike import interrupted, odd_formulas
from scalesheet_workbooks.review.generic_formulas import (
    VOLATILE,
    circular_name_findings,
    formula_findings,
    is_passed_over,
    is_unsure,
)
from scalesheet_workbooks.review.generic_labels import failing_checks, sums_by_label
from scalesheet_workbooks.review.generic_lookups import hidden_failures
from scalesheet_workbooks.review.generic_numbers import text_money, typed_totals
from scalesheet_workbooks.review.generic_sizes import high_percents, outliers
from scalesheet_workbooks.review.generic_sums import wrong_sums
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.results import Recount, not_calculated
from scalesheet_workbooks.review.roots import places_of
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW
from scalesheet_workbooks.review.setup import calculation_findings, foreign_parts, names_elsewhere
from scalesheet_workbooks.review.spelling import names_of


def generic_review(base: Review, book: Book) -> Review:
    """The review of a workbook whose meaning is not known."""
    session, flow = Session(book), Flow(book, names_of(book))
    foreign = Foreign(book, session, flow, base.materiality)
    texts, sums = list(text_money(foreign)), list(wrong_sums(foreign))
    totals = list(typed_totals(foreign))
    explained = _below(flow, texts)
    findings = [
        finding("S190", "", (), "no ids of a template in column B"),
        *formula_findings(book, session, flow, explained),
        *circular_name_findings(foreign),
        *_stored(book, session, flow),
        *texts,
        *totals,
        *high_percents(foreign),
        *outliers(foreign),
        *interrupted(foreign, {place for one in totals for place in places_of(one)}),
        *sums,
        *odd_formulas(foreign, {place for one in sums for place in places_of(one)}),
        *hidden_failures(foreign),
        *(unfound := list(sums_by_label(foreign))),
        *failing_checks(foreign, _below(flow, unfound) | explained),
        *calculation_findings(book),
        *foreign_parts(book.parts, book.links),
        *names_elsewhere(book),
        *_hidden(foreign),
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


def _below(flow: Flow, findings: Iterable[Finding]) -> set[Place]:
    """What hangs on the cells of some findings."""
    places = {place for one in findings for place in places_of(one)}
    return places | flow.downstream(places)


def _stored(book: Book, session: Session, flow: Flow) -> Iterator[Finding]:
    """What the file shows against what its formulas give."""
    stale: list[tuple[Place, Value, Value]] = []
    skipped: list[Place] = []
    loose: list[Place] = []
    missing = formulas = 0
    for sheet in book.sheets:
        for at, cell in sheet.cells.items():
            if cell.formula is None or EXTERNAL.search(cell.formula):
                continue
            formulas += 1
            place = sheet.title, *at
            value = session.value(place)
            if VOLATILE.search(cell.formula) or is_unsure(cell):
                loose.append(place)
            if is_passed_over(cell, value) and is_readable(cell.formula):
                skipped.append(place)
            if isinstance(value, CellError):
                continue
            if cell.value is None and value not in (None, ""):
                missing += 1
            elif number(cell.value) is not None and not is_as_stored(cell.value, value):
                if is_unsure(cell):
                    skipped.append(place)
                else:
                    stale.append((place, cell.value, value))
    below = {*loose, *flow.downstream(loose)} if stale and loose else set()
    stale = [one for one in stale if one[0] not in below]
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
        count = f"{missing:,} of {formulas:,}"
        yield finding("R302", "", (), "formulas have none", consequences=[count])
    yield from not_calculated(skipped)


def _hidden(foreign: Foreign) -> Iterator[Finding]:
    for sheet in foreign.book.sheets:
        if sheet.state != "visible":
            own = ((sheet.title, *at) for at in sheet.cells)
            is_read = any(user[0] != sheet.title for at in own for user in foreign.flow.users(at))
            seen = f"{sheet.state}, {len(sheet.cells)} cells" + (", read by others" * is_read)
            # What is very hidden can be shown by a macro only.
            severity = LOW if is_read and sheet.state == "veryHidden" else INFO
            yield finding("S131", sheet.title, (), seen, severity=severity)
        if unseen := [at for at, code in sheet.odd_formats.items() if hides(code)]:
            cells = addresses((sheet.title, *at) for at in unseen)
            yield finding("S131", sheet.title, cells, "a number format that shows nothing")
        if told := [at for at, code in sheet.odd_formats.items() if says_another(code)]:
            cells = addresses((sheet.title, *at) for at in told)
            seen = "a number format that shows a figure of its own"
            yield finding("S113", sheet.title, cells, seen, severity=HIGH)
