"""Words of a proposal: why this scenario, what contingency is for, offers, the log."""

import datetime
from collections.abc import Iterator

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.proposal_statement_rows import OFFER_KINDS
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.beside import is_given
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.control import SIGN, is_version
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.placeholders import is_placeholder
from scalesheet_workbooks.review.rules import INFO, LOW, MEDIUM

WHY, STATUS = "in.why_chosen", "in.status"
CONTINGENCY = ("in.contingency_owner", "in.contingency_for")
APPROVED = "approved"
OFFER, INPUT = "offer.", "in."
TEXT_COLUMN = 4
"""Of the texts on the Cover; those of the Statements begin with the scenarios."""
OFFERED = (5, 6, 7)
"""On the sheet of the offers the columns of supplier, number and kind."""
VERSION_COLUMN, AUTHOR_COLUMN = 3, 5
SIGN_BY = 8
ESTIMATE, STILL_OPEN = "estimate", ("to be asked", "to be named")
NO_NUMBER = ("list price", ESTIMATE)
"""Kinds of offers that have none."""


def word_findings(case: Case) -> list[Finding]:
    """What is not said, or only by a placeholder; nothing about a file that nobody filled in."""
    severity = INFO if len(case.examples) == case.expected.scenarios else ""
    return [
        *_said(case, severity),
        *_placeholders(case, severity),
        *_offers(case, severity),
        *_authors(case, severity),
        *_approved(case, severity),
    ]


def _finding(
    case: Case, home: Place, seen: str, expected: str, severity: str, rule: str = "I244"
) -> Iterator[Finding]:
    place = case.alignment.place(*home)
    line = case.expected.line_at.get(home[:2], "")
    if place is not None:
        yield finding(
            rule,
            place[0],
            addresses([place]),
            seen,
            expected,
            line=line,
            label=case.expected.label(line) if line else "",
            severity=severity,
        )


def _value(case: Case, home: Place) -> Value:
    cell = case.given.get(home)
    value = cell.value if cell else None
    return None if isinstance(value, str) and not value.strip() else value


def _is_missing(value: Value) -> bool:
    return value is None or (isinstance(value, str) and is_placeholder(value))


def _seen(value: Value) -> str:
    return "an empty cell" if value is None else shown(value)


def _decisive(case: Case) -> Iterator[tuple[Place, str]]:
    """The cells of the words that a decision rests on, and what they should say."""
    if WHY in case.expected.inputs:
        title, _ = case.expected.ids[WHY]
        yield (title, *case.expected.inputs[WHY][0]), "why this scenario and not another one"
    shares = case.expected.inputs.get("in.contingency", [])
    if any(number(case.input_value("in.contingency", at)) for at in range(len(shares))):
        for line, words in zip(
            CONTINGENCY, ("who may draw on it", "the risks that it is for"), strict=True
        ):
            if line in case.expected.ids:
                yield (*case.expected.ids[line], TEXT_COLUMN), words


def _said(case: Case, severity: str) -> Iterator[Finding]:
    for home, words in _decisive(case):
        value = _value(case, home)
        if _is_missing(value):
            yield from _finding(case, home, _seen(value), words, severity or MEDIUM)


def _placeholders(case: Case, severity: str) -> Iterator[Finding]:
    """Placeholders among the other words, which are on sheets where no figure is."""
    decisive = {home for home, _ in _decisive(case)}
    for (title, row, column), cell in case.given.items():
        line = case.expected.line_at.get((title, row), "")
        if (
            line.startswith((INPUT, SIGN))
            and case.record(line) is None
            and line != "in.scenario"
            and (title, row, column) not in decisive
            and isinstance(cell.value, str)
            and is_placeholder(cell.value, evasive=False)
        ):
            home = title, row, column
            yield from _finding(case, home, shown(cell.value), "", severity or LOW)


def _offers(case: Case, severity: str) -> Iterator[Finding]:
    """Offers of prices that are used, with a supplier and without the rest."""
    for line, (title, row) in case.expected.ids.items():
        price = INPUT + line.removeprefix(OFFER)
        if not line.startswith(OFFER) or price not in case.expected.inputs:
            continue
        if not is_given(case, price):
            continue
        supplier, number_, kind = ((title, row, at) for at in OFFERED)
        values = [_value(case, home) for home in (supplier, number_, kind)]
        if all(value is None for value in values):
            continue
        needs_number = str(values[2] or "").strip().lower() not in NO_NUMBER
        yield from _kind_and_day(case, line, values[2], severity)
        is_open = str(values[2] or "").strip().casefold() == ESTIMATE and (
            str(values[0] or "").strip().casefold() in STILL_OPEN
        )
        for home, value, words in (
            (supplier, values[0], "the supplier"),
            (number_, values[1], "the number of the offer"),
            (kind, values[2], "contract, quote, list price or estimate"),
        ):
            if is_open and home is supplier:
                continue  # an estimate may be one of nobody yet
            if _is_missing(value) and (home is not number_ or needs_number):
                yield from _finding(case, home, _seen(value), words, severity or LOW)


def _kind_and_day(case: Case, line: str, kind: Value, severity: str) -> Iterator[Finding]:
    """What a price rests on that is none of the list, and a last day that is no day."""
    title, row = case.expected.ids[line]
    options = OFFER_KINDS.options
    if isinstance(kind, str) and not _is_missing(kind) and kind.strip().casefold() not in options:
        home = title, row, OFFERED[-1]
        words = f"one of {', '.join(options)}"
        yield from _finding(case, home, _seen(kind), words, severity or LOW, "I205")
    day = _value(case, (title, row, SIGN_BY))
    if isinstance(day, str) and not _is_day(day):
        yield from _finding(
            case, (title, row, SIGN_BY), _seen(day), "a day", severity or LOW, "I241"
        )


def _is_day(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def _authors(case: Case, severity: str) -> Iterator[Finding]:
    """Versions in the log that nobody has written."""
    for line, (title, row) in case.expected.ids.items():
        if not is_version(line):
            continue
        version, author = ((title, row, column) for column in (VERSION_COLUMN, AUTHOR_COLUMN))
        value = _value(case, author)
        if _value(case, version) is not None and _is_missing(value):
            yield from _finding(case, author, _seen(value), "the author", severity or LOW)


def _approved(case: Case, severity: str) -> Iterator[Finding]:
    """A status that says approved where no day stands in the sign-off."""
    if STATUS not in case.expected.ids:
        return
    home = *case.expected.ids[STATUS], TEXT_COLUMN
    value = _value(case, home)
    if not isinstance(value, str) or not value.strip().casefold().startswith(APPROVED):
        return
    signed = any(
        case.expected.line_at.get((title, row), "").startswith(SIGN)
        for (title, row, _), cell in case.given.items()
        if number(cell.value) is not None
    )
    if not signed:
        words = "a decision in the sign-off"
        yield from _finding(case, home, shown(value), words, severity or MEDIUM, "I242")
