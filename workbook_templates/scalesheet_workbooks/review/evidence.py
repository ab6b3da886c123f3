"""Evidence: who answers for an input, where it is from, of which day; examples that are left."""

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from scalesheet.catalog import STALE_DAYS
from scalesheet.domains import SERIAL_ZERO, Quantity
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.proposal_words import CONFIDENCES
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.beside import (
    CONFIDENCE,
    DAY,
    LABEL_COLUMN,
    OWNER,
    SOURCE,
    VALID_TO,
    columns_beside,
    input_of,
    is_given,
)
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.control import approval_findings
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.marks import marked_text
from scalesheet_workbooks.review.placeholders import is_placeholder
from scalesheet_workbooks.review.rules import INFO, LOW, MEDIUM
from scalesheet_workbooks.review.signed import signed_findings
from scalesheet_workbooks.review.words import word_findings

CARRIES = 0.05
"""An input that carries this share of a total needs its evidence."""
STEP = 0.1
NOT_GIVEN = "not given"
EXAMPLE = "example"
REFERENCE, REFERENCE_ID = re.compile(r"references? ([0-9]{1,4})", re.IGNORECASE), "ref."
COUNTED = "chk.sources"
"""The check of a workbook that owner, source, day and how sure stand beside every row."""


class Lack(NamedTuple):
    """What is missing or old beside one input."""

    rule: str
    kind: str
    line: str
    place: Place
    seen: str


def evidence_findings(case: Case, today: datetime.date) -> list[Finding]:
    """Missing owners, sources and dates, old ones, and examples that are left."""
    return [
        *_examples(case),
        *_cover(case, today),
        *_beside(case, today),
        *word_findings(case),
        *approval_findings(case, today),
        *signed_findings(case),
    ]


def _untouched(case: Case) -> bool:
    return len(case.examples) == case.expected.scenarios


def _examples(case: Case) -> Iterator[Finding]:
    if SCENARIO_ROW not in case.expected.inputs:
        return
    places = [
        place for one in sorted(case.examples) if (place := case.input_place(SCENARIO_ROW, one))
    ]
    if not places:
        return
    names = ", ".join(case.scenarios[one] for one in sorted(case.examples))
    yield finding(
        "I250",
        places[0][0],
        addresses(places),
        f"{names}: all values are the example's",
        line=SCENARIO_ROW,
        severity=INFO if _untouched(case) else LOW,
    )


# --- On the cover --------------------------------------------------------------------------------


def _cover(case: Case, today: datetime.date) -> Iterator[Finding]:
    """Owner and date as they are printed where the template prints them."""
    for home, cell in case.expected.marked.items():
        if not isinstance(cell.value, str) or not cell.locked:
            continue
        place = case.alignment.place(*home)
        other = case.book.cell(*place) if place else None
        if place is None or other is None or not isinstance(other.value, str):
            yield from _emptied(case, cell.value, place)
            continue
        said = marked_text(cell.value, " ".join(other.value.split())) or {}
        for key, value in said.items():
            yield from _printed(case, place, key.partition("_")[2], value.strip(), today)


def _emptied(case: Case, text: str, place: Place | None) -> Iterator[Finding]:
    """The line of the owner and the day, where nothing is left of it."""
    if place is not None and OWNER in text.lower() and case.book.cell(*place) is None:
        severity = INFO if _untouched(case) else MEDIUM
        seen = "no owner and no date of the prices"
        yield finding("I240", place[0], addresses([place]), seen, line=OWNER, severity=severity)


def _printed(
    case: Case, place: Place, kind: str, value: str, today: datetime.date
) -> Iterator[Finding]:
    severity = INFO if _untouched(case) else MEDIUM
    cells = addresses([place])
    if kind == "owner" and value not in ("", NOT_GIVEN) and is_placeholder(value):
        seen = f"owner {shown(value)}"
        yield finding("I240", place[0], cells, seen, line=kind, severity=severity)
    elif kind in ("owner", "date") and (value == NOT_GIVEN or is_placeholder(value or "?")):
        what = "no owner" if kind == "owner" else "no date of the prices"
        yield finding("I240", place[0], cells, what, line=kind, severity=severity)
    elif kind == "date":
        try:
            day = datetime.date.fromisoformat(value)
        except ValueError:
            yield finding("I241", place[0], cells, value[:40], "a date", line=kind)
            return
        if seen := _age(day, today):
            yield finding("I241", place[0], cells, seen, line=kind, severity=severity)


def _age(day: datetime.date, today: datetime.date) -> str:
    """What is wrong with the age of a figure, or an empty text."""
    age = (today - day).days
    if age < 0:
        return f"{day} lies in the future"
    return f"{day}, {age} days old" if age > STALE_DAYS else ""


# --- Beside the inputs ---------------------------------------------------------------------------


def _beside(case: Case, today: datetime.date) -> Iterator[Finding]:
    groups: dict[tuple[str, str, str, str], list[Lack]] = defaultdict(list)
    for lack in _lacks(case, today):
        if _untouched(case):
            severity = INFO
        elif lack.rule in ("I205", "I250"):
            severity = LOW
        else:
            severity = MEDIUM if carried(case, lack.line) >= CARRIES else LOW
        groups[lack.rule, lack.kind, lack.place[0], severity].append(lack)
    for (rule, kind, title, severity), members in groups.items():
        first = members[0]
        more = f" (and {len(members) - 1} more)" if len(members) > 1 else ""
        yield finding(
            rule,
            title,
            addresses(one.place for one in members),
            f"{case.expected.label(first.line)}: {first.seen}{more}",
            line=kind,
            severity=severity,
        )


def _lacks(case: Case, today: datetime.date) -> Iterator[Lack]:
    for title, columns in columns_beside(case).items():
        for row, unlocked in case.expected.unlocked[title].items():
            line = input_of(case, title, row)
            if line not in case.expected.inputs or line == SCENARIO_ROW:
                continue
            for kind, column in columns.items():
                place = case.alignment.place(title, row, column)
                if column not in unlocked or place is None:
                    continue
                cell = case.given.get((title, row, column))
                value = cell.value if cell else None
                if _is_clock(case, place):
                    continue  # a finding on the formula says so
                if is_given(case, line):
                    yield from _referred(case, kind, line, place, value)
                    yield from _lack(kind, line, place, value, today)
                elif _is_blank(value):
                    yield from _spare(case, kind, line, place)


def _referred(case: Case, kind: str, line: str, place: Place, value: Value) -> Iterator[Lack]:
    """A source or owner that is said to stand in a row of References where nothing stands."""
    found = REFERENCE.fullmatch(value.strip()) if isinstance(value, str) else None
    if kind not in (OWNER, SOURCE) or found is None or not _refers(case):
        return
    home = case.expected.ids.get(f"{REFERENCE_ID}{int(found[1])}")
    cell = case.given.get((*home, LABEL_COLUMN)) if home else None
    if cell is None or _is_blank(cell.value):
        yield Lack("I240", kind, line, place, f"{kind} {shown(value)}, where nothing stands")


def _refers(case: Case) -> bool:
    """Whether the template has a sheet for sources in full."""
    return f"{REFERENCE_ID}1" in case.expected.ids


def _is_clock(case: Case, place: Place) -> bool:
    """Whether a day is whatever day it is."""
    cell = case.book.cell(*place)
    text = (cell.formula or "").upper() if cell else ""
    return "TODAY(" in text or "NOW(" in text


def _spare(case: Case, kind: str, line: str, place: Place) -> Iterator[Lack]:
    """A gap beside a row that nothing is given in, where the file's own check counts them all:
    that of a study, which has no scenarios, counts the rows that are filled."""
    counts_all = COUNTED in case.check_places and SCENARIO_ROW in case.expected.inputs
    if kind in (OWNER, SOURCE, DAY, CONFIDENCE) and counts_all:
        yield Lack("I240", f"{kind}, not used", line, place, f"no {_word(kind)}")


def _is_blank(value: Value) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _word(kind: str) -> str:
    return {DAY: "date", CONFIDENCE: "word on how sure it is"}.get(kind, kind)


def _lack(kind: str, line: str, place: Place, value: Value, today: datetime.date) -> Iterator[Lack]:
    if _is_blank(value):
        if kind in (OWNER, SOURCE, DAY, CONFIDENCE):
            yield Lack("I240", kind, line, place, f"no {_word(kind)}")
    elif kind == CONFIDENCE:
        if str(value).strip().casefold() not in CONFIDENCES:
            yield Lack("I205", kind, line, place, shown(value))
    elif isinstance(value, str) and value.strip().lower().startswith(EXAMPLE):
        yield Lack("I250", EXAMPLE, line, place, shown(value))
    elif isinstance(value, str) and kind in (OWNER, SOURCE) and is_placeholder(value):
        yield Lack("I240", kind, line, place, f"{kind} {shown(value)}")
    elif kind in (DAY, VALID_TO):
        yield from _day(kind, line, place, value, today)


def _day(kind: str, line: str, place: Place, value: Value, today: datetime.date) -> Iterator[Lack]:
    """A day that is old, to come, or none; one that is typed as 2026-11-15 is read."""
    try:
        serial = number(value)
        if serial is not None:
            day = SERIAL_ZERO + datetime.timedelta(int(serial))
        else:
            day = datetime.date.fromisoformat(str(value).strip())
    except OverflowError:
        yield Lack("I241", kind, line, place, shown(value))
        return
    except ValueError:
        yield Lack("I240", kind, line, place, f"no date that can be read: {shown(value)}")
        return
    expired = kind == VALID_TO and day < today
    seen = f"valid to {day}" if expired else _age(day, today) if kind == DAY else ""
    if seen:
        yield Lack("I241", kind, line, place, seen)


def carried(case: Case, line: str) -> float:
    """The largest share of a total that moves with an input, in proportion."""
    found = 0.0
    record = case.record(line)
    if record is None or not isinstance(record.domain, Quantity):
        return found
    for scenario, at in enumerate(case.expected.inputs[line]):
        value = number(case.input_value(line, scenario))
        if not value or record.domain.unit == "date":
            continue
        place = (case.expected.ids[line][0], *at)
        for effect in case.if_input({place: value * (1 - STEP)}):
            found = max(found, effect.share / STEP)
    return found
