"""Sign-off and log: approvals that are not whole, and a version that the log does not have."""

import datetime
from collections.abc import Iterator, Mapping, Sequence

from scalesheet.domains import SERIAL_ZERO
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.findings import (
    Effect,
    Finding,
    by_money,
    finding,
    same,
    weight,
)
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM

SIGN, GATE, VERSION = "in.sign_", "log.gate_", "log."
NAME, DAY, DECISION = "a name", "a date", "a decision"
HEADINGS: Mapping[str, Mapping[str, str]] = {
    SIGN: {"name": NAME, "date": DAY, "decision": DECISION},
    GATE: {"decides": NAME, "day": DAY, "decision": DECISION},
    VERSION: {"approved by": NAME, "day of approval": DAY},
}
"""For each kind of row what stands in which column, by the column's heading."""
WRITTEN = 4
"""Columns of a row of the log before its approval: version, day, author, what changed."""


def approval_findings(case: Case, today: datetime.date) -> Iterator[Finding]:
    """Decisions without a name or a date, dates without a decision, days to come."""
    for line, (title, row) in case.expected.ids.items():
        kind = next((head for head in HEADINGS if line.startswith(head)), "")
        columns = _columns(case, kind, title, row)
        if not columns:
            continue
        values = {what: _value(case, (title, row, at)) for what, at in columns.items()}
        if seen := _lack(values, today):
            what = next(what for what in columns if what in seen[1])
            place = case.alignment.place(title, row, columns[what])
            yield finding(
                "I242",
                place[0] if place else title,
                addresses([place]) if place else (),
                seen[0],
                line=line,
                label=case.expected.label(line),
                severity=MEDIUM if kind == SIGN else LOW,
            )


def day_of(value: Value) -> datetime.date | None:
    """The day that a cell holds, or None where it holds none.

    >>> day_of(46350.0), day_of(-1e9), day_of("soon")
    (datetime.date(2026, 11, 24), None, None)
    """
    serial = number(value)
    try:
        return SERIAL_ZERO + datetime.timedelta(int(serial)) if serial is not None else None
    except OverflowError:
        return None


def approval_cells(case: Case, line: str) -> dict[str, Place]:
    """The cells of a row of the sign-off, by what they hold."""
    title, row = case.expected.ids[line]
    columns = _columns(case, SIGN, title, row)
    return {what: (title, row, column) for what, column in columns.items()}


def _columns(case: Case, kind: str, title: str, row: int) -> dict[str, int]:
    """The columns of a row, by what they hold: from the nearest headings above it."""
    heads = HEADINGS.get(kind)
    if heads is None or row not in case.expected.unlocked[title]:
        return {}
    cells = case.expected.book.by_title[title].cells
    found: dict[str, tuple[int, int]] = {}
    for (at, column), cell in cells.items():
        text = cell.value.strip().lower() if isinstance(cell.value, str) else ""
        if at < row and text in heads and at > found.get(heads[text], (0, 0))[0]:
            found[heads[text]] = at, column
    return {what: column for what, (_, column) in found.items()}


def _value(case: Case, home: Place) -> Value:
    cell = case.given.get(home)
    value = cell.value if cell else None
    return None if isinstance(value, str) and not value.strip() else value


def _lack(values: Mapping[str, Value], today: datetime.date) -> tuple[str, str] | None:
    """What an approval lacks, and the column that it is about."""
    decided = values.get(DECISION) is not None or (
        DECISION not in values and values.get(NAME) is not None
    )
    if values.get(DAY) is None and decided:
        return "decided, without a date", DAY
    if decided and values.get(NAME) is None:
        return "decided, and nobody named", NAME
    if values.get(DAY) is None:
        return None
    if not decided:
        return "dated, without a decision", DECISION if DECISION in values else NAME
    day = day_of(values[DAY])
    if day is None:
        return "its date is no date", DAY
    return (f"dated {day}, which is to come", DAY) if day > today else None


def log_findings(previous: Case, case: Case) -> Iterator[Finding]:
    """A file that differs from the previous one and has no new row in its log.

    A row that was there before and says something else now is no new one, unless none is left.
    """
    versions = [line for line in case.expected.ids if is_version(line)]
    if not versions or not _differs(previous, case):
        return
    were, filled = _rows(previous), _rows(case)
    is_full = len(were) == len(versions)
    if len(filled) > len(were) or (is_full and set(filled) - set(were)):
        return
    overwritten = "" if set(were) <= set(filled) else ": one that was there says something else now"
    title, _ = case.expected.ids[versions[0]]
    rows = [case.expected.ids[line][1] for line in versions]
    homes = [(title, row, min(case.expected.unlocked[title][row])) for row in rows]
    free = [home for home in homes if not _texts(case, home)]
    places = case.places_of(free[:1] or homes[-1:])
    effects = [
        Effect(case.scenario_of_total(place), now - before, before)
        for place, (was, value) in enumerate(
            zip(previous.recomputed, case.recomputed, strict=False)
        )
        if (now := number(value)) is not None and (before := number(was)) is not None
        if not same(now, before)
    ]
    severity = by_money(effects, case.materiality)
    yield finding(
        "I243",
        places[0][0] if places else title,
        addresses(places),
        f"{_change(effects)}, and the log has no new row{overwritten}",
        "a row with version, day, author, and what changed and why",
        line=versions[0],
        label="Log of versions",
        severity=MEDIUM if severity == HIGH else severity,
    )


def _change(effects: Sequence[Effect]) -> str:
    """What changed most; the money is that of the changes, not of the row that is missing."""
    if not effects:
        return "inputs changed"
    most = max(effects, key=weight)
    return f"the total of {most.scenario} changed by {most.amount:+,.2f}"


def is_version(line: str) -> bool:
    """Whether a line is a row of the log of versions."""
    return line.startswith(VERSION) and line.removeprefix(VERSION).isdigit()


def _texts(case: Case, home: Place) -> tuple[Value, ...]:
    """What a row of the log holds, empty where it is not filled."""
    title, row, _ = home
    values = [
        _value(case, (title, row, column)) for column in case.expected.unlocked[title].get(row, ())
    ]
    return tuple(values) if any(value is not None for value in values) else ()


def _rows(case: Case) -> list[tuple[Value, ...]]:
    """The filled rows of the log, without their approval, which may come later."""
    return [
        row[:WRITTEN]
        for line, (title, at) in case.expected.ids.items()
        if is_version(line) and (row := _texts(case, (title, at, 2)))
    ]


def _differs(previous: Case, case: Case) -> bool:
    """Whether an input of a scenario, or a total, is another than before."""
    shared = case.expected.inputs.keys() & previous.expected.inputs.keys()
    counts = previous.expected.scenarios, case.expected.scenarios
    return (
        counts[0] != counts[1]
        or any(
            not same(previous.input_value(line, place), case.input_value(line, place))
            for line in shared
            for place in range(min(*counts, len(case.expected.inputs[line])))
        )
        or any(
            not same(was, now)
            for was, now in zip(previous.recomputed, case.recomputed, strict=True)
        )
    )
