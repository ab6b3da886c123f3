"""One file reviewed: read, recognised, compared, calculated, judged."""

import datetime
import hashlib
from collections.abc import Sequence
from pathlib import Path

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.headline import FIGURES
from scalesheet_workbooks.package_parts import file_bytes
from scalesheet_workbooks.read import Book, Unreadable, read_bytes
from scalesheet_workbooks.review.baseline import Acceptance, applied
from scalesheet_workbooks.review.bridge import compared, currency_findings
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.checks import untold
from scalesheet_workbooks.review.control import log_findings
from scalesheet_workbooks.review.decisions import decided
from scalesheet_workbooks.review.drivers import drivers
from scalesheet_workbooks.review.evidence import evidence_findings
from scalesheet_workbooks.review.findings import MATERIALITY, Finding
from scalesheet_workbooks.review.inputs import input_findings
from scalesheet_workbooks.review.marks import CURRENCY
from scalesheet_workbooks.review.outcome import Review, Total
from scalesheet_workbooks.review.plausibility import plausibility_findings
from scalesheet_workbooks.review.points import point_findings
from scalesheet_workbooks.review.relations import relation_findings
from scalesheet_workbooks.review.remarks import PROPOSED, Figures, proposed
from scalesheet_workbooks.review.results import (
    Recalculated,
    recalculated,
    result_findings,
)
from scalesheet_workbooks.review.roots import (
    MOVING,
    consequences,
    once,
    places_of,
    strongest,
)
from scalesheet_workbooks.review.rules import INFO
from scalesheet_workbooks.review.setup import setup_findings
from scalesheet_workbooks.review.structure import structure_findings
from scalesheet_workbooks.review.template import Recognised, is_budget, recognise, recognised_anew
from scalesheet_workbooks.review.written import written_findings

CONTINGENCY = "cost.contingency"


def review(
    path: Path,
    today: datetime.date | None = None,
    materiality: float = MATERIALITY,
    against: Path | None = None,
    accepted: Sequence[Acceptance] = (),
) -> Review:
    """The review of a file; one that cannot be read is a review that says so.

    ``against`` is a previous file, which must be readable and of the same template.
    """
    day = today or datetime.date.today()
    try:
        data = file_bytes(path)
    except Unreadable as error:
        return Review(
            str(path), "", 0, day, materiality, unreadable=str(error), reason=error.reason
        )
    previous = _previous(against, materiality) if against else None
    found = review_bytes(
        data, str(path), day, materiality, previous, against.name if against else ""
    )
    return applied(found, accepted)


def _previous(path: Path, materiality: float) -> Case:
    try:
        book = read_bytes(file_bytes(path))
    except Unreadable as error:
        raise Unreadable(error.reason, f"{path}: {error}") from None
    recognised = recognise(book)
    if recognised is None:
        raise Unreadable("no_template", f"{path}: no template of ours: name a file of the same one")
    return _case(book, recognised, materiality)


def _case(book: Book, recognised: Recognised, materiality: float) -> Case:
    """The file beside the template that it says to be of, or that its ids are of."""
    case = Case(book, recognised, materiality)
    other = recognised_anew(book, recognised, case.expected)
    return case if other is recognised else Case(book, other, materiality)


def review_bytes(
    data: bytes,
    name: str,
    today: datetime.date,
    materiality: float = MATERIALITY,
    previous: Case | None = None,
    previous_name: str = "",
) -> Review:
    """The review of the bytes of a file."""
    base = Review(name, hashlib.sha256(data).hexdigest(), len(data), today, materiality)
    try:
        book = read_bytes(data)
    except Unreadable as error:
        return base._replace(unreadable=str(error), reason=error.reason)
    base = base._replace(
        title=book.properties.get("title", ""),
        program=book.properties.get("Application", ""),
    )
    recognised = recognise(book)
    if recognised is None or not _has_inputs(book, recognised):
        from scalesheet_workbooks.review.generic import generic_review

        found = generic_review(base, book)
        if previous is not None:
            found = found._replace(not_compared=_not_compared(previous, previous_name, None))
        if recognised is None:
            return found
        note = f"built as {recognised.name}, whose rows are not there: general checks only"
        kept = tuple(one for one in found.findings if one.rule.id not in ("R321", "R322"))
        return found._replace(findings=kept, notes=(*found.notes, note))
    case = _case(book, recognised, materiality)
    found = _review_case(base, case)
    if previous is None:
        return found
    if previous.recognised.name != case.recognised.name:
        return found._replace(not_compared=_not_compared(previous, previous_name, case.recognised))
    beside = compared(previous, case, previous_name)
    logged = [
        *found.findings,
        *log_findings(previous, case),
        *currency_findings(previous, case),
    ]
    return found._replace(
        findings=tuple(sorted(logged, key=lambda one: one.rank)),
        bridges=beside.bridges,
        without_effect=beside.without_effect,
        notes=(*found.notes, *beside.notes),
        previous=previous_name,
    )


def _not_compared(previous: Case, name: str, recognised: Recognised | None) -> str:
    """Why a file cannot be compared with the previous one."""
    mine = recognised.name if recognised else "no template of ours"
    return f"{name} is {previous.recognised.name}, this file is {mine}"


def _has_inputs(book: Book, recognised: Recognised) -> bool:
    """Whether a file holds rows of inputs, where its template has any."""
    rows = any(line.startswith("in.") for line in book.ids)
    return rows or not is_budget(recognised.name)


def _review_case(base: Review, case: Case) -> Review:
    roots = [*structure_findings(case), *setup_findings(case), *input_findings(case)]
    roots += plausibility_findings(case, base.on) + evidence_findings(case, base.on)
    roots += [*relation_findings(case), *point_findings(case), *written_findings(case)]
    counted = recalculated(case)
    explained: dict[Place, str] = {}
    nested: list[Finding] = []
    own_places: set[Place] = set()
    silent: set[str] = set()
    for one in strongest(roots):
        places = places_of(one) | set(one.origin)
        moves = MOVING.match(one.rule.id) and one.severity != INFO
        below = case.flow.downstream(places) | set(one.origin) if moves else set()
        own_places |= places if moves else set()
        nested.append(
            one._replace(consequences=(*one.consequences, *consequences(case, counted, one, below)))
        )
        explained |= dict.fromkeys(below, one.rule.id)
        silent |= set(untold(case, one, below))
    decision = decided(case, nested)
    findings = [
        *decision.roots,
        *decision.findings,
        *result_findings(case, counted, explained, own_places, decision.alerts | silent),
    ]
    findings = [_in_currency(one, case.currency) for one in once(findings)]
    return base._replace(
        recognised=case.recognised,
        currency=case.currency,
        totals=_totals(case),
        findings=tuple(sorted(findings, key=lambda one: one.rank)),
        recount=counted.counts,
        done=_done(case, counted),
        not_done=_not_done(case, counted),
        drivers=drivers(case),
    )


def _in_currency(one: Finding, currency: str) -> Finding:
    """A finding whose words of the template say the currency of the file."""
    if not currency or CURRENCY not in one.expected + one.label:
        return one
    label, expected = (text.replace(CURRENCY, currency) for text in (one.label, one.expected))
    return one._replace(label=label, expected=expected)


def _totals(case: Case) -> tuple[Total, ...]:
    chosen = proposed(case)
    return tuple(
        Total(
            case.scenario_of_total(place),
            number(stated),
            number(own),
            number(ours),
            place == chosen,
            *_compared(case, place),
        )
        for place, (stated, own, ours) in enumerate(
            zip(case.stated, case.recomputed, case.by_template, strict=True)
        )
    )


def _compared(case: Case, scenario: int) -> tuple[float | None, ...]:
    """Days, efficiency, cost of a productive GPU-hour and contingency, where there are such."""
    of = Figures(case, scenario)
    _, *lines = FIGURES.get(case.expected.name, ("",))
    return tuple(of(line) for line in (*lines, CONTINGENCY)) if lines else ()


def _done(case: Case, counted: Recalculated) -> tuple[str, ...]:
    counts = counted.counts
    compared = sum(len(sheet.cells) for sheet in case.expected.book.sheets)
    inputs = sum(len(cells) for cells in case.expected.inputs.values())
    limits = sum(case.record(line) is not None for line in case.expected.inputs)
    done = [
        f"{compared:,} cells compared with the template {case.expected.name} "
        f"{case.expected.version}, built anew",
        f"{counts.formulas:,} formulas calculated again by an engine of its own: "
        f"{counts.as_stored:,} as stored, {counts.stale:,} out of date, "
        f"{counts.not_stored:,} not stored",
    ]
    if counts.by_core:
        done.append(
            f"{counts.by_core:,} results of our functions calculated by the Python core: "
            f"{counts.by_core - counts.core_differs:,} agree"
        )
    if case.expected.written:
        done.append("fits and percentiles that the file says still hold, by the Python core")
    if inputs:
        done.append(
            f"{inputs:,} input cells in {limits} rows held against their limits; prices against "
            "the dated catalog, efficiency and rework against published measurements"
        )
    if PROPOSED in case.expected.inputs:
        done.append(
            "commitment against use, total, cash and outlay against the budgets, useful life, "
            "what would flip the decision, sign-off"
        )
    return (*done, "names, validations, protection, hidden parts, links, macros looked at")


def _not_done(case: Case, counted: Recalculated) -> tuple[str, ...]:
    found = [
        "whether the inputs are true: quotes, contracts and measurements were not seen",
        "macros and links: listed, never run or followed",
        "charts, fonts, colours and comments",
    ]
    if counted.counts.not_calculated:
        found.insert(
            0, f"{counted.counts.not_calculated} formulas that the engine cannot calculate"
        )
    return tuple(found)
