"""Evidence: who answers for an input, where it is from, of which day; examples that are left."""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from scalesheet.catalog import STALE_DAYS
from scalesheet.domains import SERIAL_ZERO, Quantity
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.layout import HEADER_ROW, INPUT_ID, SOURCES_ID
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.control import approval_findings
from scalesheet_workbooks.review.expected import SCENARIO_ROW
from scalesheet_workbooks.review.findings import Finding, finding, shown
from scalesheet_workbooks.review.marks import MARKS, marked_text
from scalesheet_workbooks.review.rules import INFO, LOW, MEDIUM

ID_COLUMN = 2
CARRIES = 0.05
"""An input that carries this share of a total needs its evidence."""
STEP = 0.1
NOT_GIVEN = "not given"
OWNER, SOURCE, DAY, VALID_TO, CONFIDENCE = "owner", "source", "as of", "valid to", "confidence"
HEADINGS = {
    **{name: name for name in (OWNER, SOURCE, DAY, VALID_TO, CONFIDENCE)},
    "where it is from": SOURCE,
}
"""The headings of columns beside the inputs, with what stands there."""
EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Lack:
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
        *approval_findings(case, today),
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
    for sheet in case.expected.book.sheets:
        for at, cell in sheet.cells.items():
            if not isinstance(cell.value, str) or not cell.locked or not MARKS.search(cell.value):
                continue
            place = case.alignment.place(sheet.title, *at)
            other = case.book.cell(*place) if place else None
            if place is None or other is None or not isinstance(other.value, str):
                continue
            said = marked_text(cell.value, " ".join(other.value.split())) or {}
            for key, value in said.items():
                yield from _printed(case, place, key.partition("_")[2], value.strip(), today)


def _printed(
    case: Case, place: Place, kind: str, value: str, today: datetime.date
) -> Iterator[Finding]:
    severity = INFO if _untouched(case) else MEDIUM
    cells = addresses([place])
    if kind in ("owner", "date") and value in ("", NOT_GIVEN):
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
        elif lack.rule == "I250":
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
    for title, columns in _columns(case).items():
        sheet = case.expected.book.by_title[title]
        for row, unlocked in case.expected.unlocked[title].items():
            line = _input_of(case, title, row)
            if (
                line not in case.expected.inputs
                or line == SCENARIO_ROW
                or not _is_given(case, line)
            ):
                continue
            for kind, column in columns.items():
                if column not in unlocked:
                    continue
                place = case.alignment.place(sheet.title, row, column)
                if place is None:
                    continue
                cell = case.book.cell(*place)
                yield from _lack(kind, line, place, cell.value if cell else None, today)


def _input_of(case: Case, title: str, row: int) -> str:
    """The id of the input that a row speaks of, also on a sheet of sources."""
    cell = case.expected.book.cell(title, row, ID_COLUMN)
    beside = str(cell.value) if cell and isinstance(cell.value, str) else ""
    line = case.expected.line_at.get((title, row)) or beside
    return INPUT_ID + line.removeprefix(SOURCES_ID) if line.startswith(SOURCES_ID) else line


def _columns(case: Case) -> dict[str, dict[str, int]]:
    """On each sheet the columns that say where inputs are from."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for sheet in case.expected.book.sheets:
        for (row, column), cell in sheet.cells.items():
            text = cell.value.strip().lower() if isinstance(cell.value, str) else ""
            if row == HEADER_ROW and text in HEADINGS:
                found[sheet.title][HEADINGS[text]] = column
    return found


def _lack(kind: str, line: str, place: Place, value: Value, today: datetime.date) -> Iterator[Lack]:
    blank = value is None or (isinstance(value, str) and not value.strip())
    if blank and kind in (OWNER, SOURCE, DAY):
        yield Lack("I240", kind, line, place, f"no {'date' if kind == DAY else kind}")
    elif isinstance(value, str) and value.strip().lower().startswith(EXAMPLE):
        yield Lack("I250", EXAMPLE, line, place, shown(value))
    elif kind in (DAY, VALID_TO) and (serial := number(value)) is not None:
        try:
            day = SERIAL_ZERO + datetime.timedelta(int(serial))
        except OverflowError:
            yield Lack("I241", kind, line, place, shown(value))
            return
        expired = kind == VALID_TO and day < today
        seen = f"valid to {day}" if expired else _age(day, today) if kind == DAY else ""
        if seen:
            yield Lack("I241", kind, line, place, seen)


def _is_given(case: Case, line: str) -> bool:
    """Whether some scenario gives an input and uses it."""
    count = len(case.expected.inputs[line])
    return any(
        case.input_value(line, scenario) not in (None, "") and case.is_used(line, scenario)
        for scenario in range(count)
    )


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
