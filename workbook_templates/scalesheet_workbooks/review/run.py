"""One file reviewed: read, recognised, compared, calculated, judged."""

import datetime
import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scalesheet_workbooks.cell_references import Place, place_of
from scalesheet_workbooks.package_parts import file_bytes
from scalesheet_workbooks.read import Book, Unreadable, read_bytes
from scalesheet_workbooks.review.baseline import Acceptance, applied
from scalesheet_workbooks.review.bridge import Bridge, bridges
from scalesheet_workbooks.review.case import Case, number
from scalesheet_workbooks.review.control import log_findings
from scalesheet_workbooks.review.decisions import decided
from scalesheet_workbooks.review.drivers import drivers
from scalesheet_workbooks.review.evidence import evidence_findings
from scalesheet_workbooks.review.expected import ids_of
from scalesheet_workbooks.review.findings import MATERIALITY, Finding
from scalesheet_workbooks.review.inputs import input_findings
from scalesheet_workbooks.review.plausibility import plausibility_findings
from scalesheet_workbooks.review.points import point_findings
from scalesheet_workbooks.review.results import (
    Recalculated,
    Recount,
    failing_checks,
    recalculated,
    result_findings,
)
from scalesheet_workbooks.review.rules import INFO, INPUTS, SEVERITIES
from scalesheet_workbooks.review.setup import setup_findings
from scalesheet_workbooks.review.structure import structure_findings
from scalesheet_workbooks.review.template import Recognised, is_budget, recognise

NOTHING_COUNTED = Recount()


@dataclass(frozen=True, slots=True)
class Total:
    """The total of one scenario: as stored, by the file's formulas, by the template."""

    scenario: str
    stated: float | None
    recomputed: float | None
    by_template: float | None


@dataclass(frozen=True)
class Review:
    """What a review found, and what it looked at."""

    file: str
    sha256: str
    size: int
    on: datetime.date
    materiality: float
    recognised: Recognised | None = None
    title: str = ""
    program: str = ""
    currency: str = ""
    totals: tuple[Total, ...] = ()
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    recount: Recount = NOTHING_COUNTED
    done: tuple[str, ...] = ()
    not_done: tuple[str, ...] = ()
    unreadable: str = ""
    reason: str = ""
    drivers: tuple[str, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    previous: str = ""

    def count(self, severity: str) -> int:
        """Findings of a severity."""
        return sum(one.severity == severity for one in self.findings)

    def at_least(self, severity: str) -> bool:
        """Whether there is a finding of this severity or a worse one."""
        worst = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(one.severity in worst for one in self.findings)

    @property
    def verdict(self) -> str:
        """One line on the whole file."""
        if self.unreadable:
            return "NOT READ"
        if self.count("high"):
            return "RETURN TO PREPARER"
        if self.count("medium"):
            return "QUESTIONS BEFORE APPROVAL"
        return "NO OBJECTION" if self.recognised else "GENERAL CHECKS ONLY"


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
    return Case(book, recognised, materiality)


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
        return replace(base, unreadable=str(error), reason=error.reason)
    base = replace(
        base,
        title=book.properties.get("title", ""),
        program=book.properties.get("Application", ""),
    )
    recognised = recognise(book)
    if recognised is None or not _has_inputs(book, recognised):
        from scalesheet_workbooks.review.generic import generic_review

        found = generic_review(base, book)
        if recognised is None:
            return found
        note = f"built as {recognised.name}, whose rows are not there: general checks only"
        kept = tuple(one for one in found.findings if one.rule.id not in ("R321", "R322"))
        return replace(found, findings=kept, notes=(*found.notes, note))
    case = Case(book, recognised, materiality)
    found = _review_case(base, case)
    if previous is None:
        return found
    if previous.recognised.name != recognised.name:
        note = f"{previous_name} is {previous.recognised.name}, not {recognised.name}: not compared"
        return replace(found, notes=(*found.notes, note))
    bars, notes = bridges(previous, case, previous_name)
    logged = [*found.findings, *log_findings(previous, case)]
    return replace(
        found,
        findings=tuple(sorted(logged, key=lambda one: one.rank)),
        bridges=bars,
        notes=(*found.notes, *notes),
        previous=previous_name,
    )


def _has_inputs(book: Book, recognised: Recognised) -> bool:
    """Whether a file holds rows of inputs, where its template has any."""
    rows = any(line.startswith("in.") for line in ids_of(book))
    return rows or not is_budget(recognised.name)


def _review_case(base: Review, case: Case) -> Review:
    roots = [*structure_findings(case), *setup_findings(case), *input_findings(case)]
    roots += plausibility_findings(case, base.on) + evidence_findings(case, base.on)
    roots += point_findings(case)
    counted = recalculated(case)
    explained: dict[Place, str] = {}
    nested: list[Finding] = []
    own_places: set[Place] = set()
    for one in _roots(roots):
        places = _places(one) | set(one.origin)
        moves = MOVING.match(one.rule.id) and one.severity != INFO
        below = case.flow.downstream(places) | set(one.origin) if moves else set()
        own_places |= places if moves else set()
        nested.append(
            replace(
                one, consequences=(*one.consequences, *_consequences(case, counted, one, below))
            )
        )
        explained |= dict.fromkeys(below, one.rule.id)
    decision = decided(case, nested)
    findings = [
        *decision.roots,
        *decision.findings,
        *result_findings(case, counted, explained, own_places, decision.alerts),
    ]
    findings = _once(findings)
    return replace(
        base,
        recognised=case.recognised,
        currency=case.currency,
        totals=_totals(case),
        findings=tuple(sorted(findings, key=lambda one: one.rank)),
        recount=counted.counts,
        done=_done(case, counted),
        not_done=_not_done(case, counted),
        drivers=drivers(case),
    )


MOVING = re.compile("S10|S11[012]|S120|S140|S142|S163|I2")
"""Findings because of which other cells differ."""
WEAKER = {
    "I204": "I",
    "I206": "[SI]",
    "I207": "S",
    "I211": "I20[1-7]",
    "I220": "I",
    "I230": "I",
    "I231": "I",
    "S143": "S10[25]",
}
"""Findings that another one at the same cell makes needless."""


def _places(one: Finding) -> set[Place]:
    found = set()
    for cell in one.cells:
        try:
            found.add((one.sheet, *place_of(cell)))
        except ValueError:
            continue  # a whole row or column
    return found


def _roots(findings: Sequence[Finding]) -> list[Finding]:
    """Each cell's strongest findings: what only says the same less well is left out."""
    at: dict[Place, list[Finding]] = defaultdict(list)
    for one in findings:
        for place in _places(one):
            at[place].append(one)

    def needless(one: Finding) -> bool:
        stronger = WEAKER.get(one.rule.id)
        places = _places(one)
        return (
            bool(places)
            and stronger is not None
            and all(
                any(
                    other.rule.id != one.rule.id
                    and (other.rule.id not in WEAKER or other.rule.id == "I207")
                    and re.match(stronger, other.rule.id)
                    for other in at[place]
                )
                or any(
                    one.rule.id == "I204" and other.rule.id in ("I211", "I220", "I230", "I231")
                    for other in at[place]
                )
                for place in places
            )
        )

    return [one for one in findings if not needless(one)]


def _consequences(case: Case, counted: Recalculated, one: Finding, below: set[Place]) -> list[str]:
    """What a root does further down, in words.

    A check that fails for these inputs in the template too is the doing of an input, any other one
    that of the structure.
    """
    found = []
    is_input = one.rule.band == INPUTS
    differing = case.differing & below
    if differing and not is_input:
        totals = [place for place in case.total_places if place in differing]
        words = f", {_many(len(totals), 'total')} among them" if totals else ""
        verb = "differs" if len(differing) == 1 else "differ"
        found.append(f"{_many(len(differing), 'cell')} {verb} from the template{words}")
    failing = [
        line
        for line, place in failing_checks(case).items()
        if place in below and case.fails_for_inputs(line) == is_input
    ]
    if failing:
        found.append(f"checks fail: {', '.join(failing)}")
    stale = counted.stale.keys() & below
    if stale:
        found.append(f"{_many(len(stale), 'stored value')} out of date")
    return found


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _once(findings: Sequence[Finding]) -> list[Finding]:
    """Each finding once."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for one in findings:
        if (one.fingerprint, one.where) not in seen:
            seen.add((one.fingerprint, one.where))
            kept.append(one)
    return kept


def _totals(case: Case) -> tuple[Total, ...]:
    return tuple(
        Total(case.scenario_of_total(place), number(stated), number(own), number(ours))
        for place, (stated, own, ours) in enumerate(
            zip(case.stated, case.recomputed, case.by_template, strict=True)
        )
    )


def _done(case: Case, counted: Recalculated) -> tuple[str, ...]:
    counts = counted.counts
    compared = sum(len(sheet.cells) for sheet in case.expected.book.sheets)
    inputs = sum(len(cells) for cells in case.expected.inputs.values())
    limits = sum(case.record(line) is not None for line in case.expected.inputs)
    return (
        f"{compared:,} cells compared with the template {case.expected.name} "
        f"{case.expected.version}, built anew",
        f"{counts.formulas:,} formulas calculated again by an engine of its own: "
        f"{counts.as_stored:,} as stored, {counts.stale:,} out of date, "
        f"{counts.not_stored:,} not stored",
        f"{counts.by_core:,} results of our functions calculated by the Python core: "
        f"{counts.by_core - counts.core_differs:,} agree",
        f"{inputs:,} input cells in {limits} rows held against their limits; prices against the "
        "dated catalog, efficiency and rework against published measurements",
        "names, validations, protection, hidden parts, links, macros looked at",
    )


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
