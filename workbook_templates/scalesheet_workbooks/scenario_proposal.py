"""What a scenario file says for a cluster proposal: terms, owning, budget, rates, sources.

All of it may be left out: what a proposal needs and a file does not give is a yellow cell to fill.
"""

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from scalesheet.domains import Quantity
from scalesheet_workbooks.inputs import Input, Pick
from scalesheet_workbooks.proposal_inputs import (
    CONFIDENCES,
    CURRENCY,
    DAY,
    ENDS,
    MAX_RATES,
    NO_YES,
    OTHER_COSTS,
    PROPOSAL_BY_ID,
    PROPOSAL_INPUTS,
    RATE,
    SUNK,
    TAG,
)
from scalesheet_workbooks.proposal_statement_rows import (
    DAY as STATED_DAY,
)
from scalesheet_workbooks.proposal_statement_rows import (
    FACT_LETTERS,
    FACTS,
    LETTERS,
    OFFER_KINDS,
    STATEMENT_ROWS,
    STATEMENTS,
)
from scalesheet_workbooks.scenario_text import Table
from scalesheet_workbooks.scenario_values import (
    Refuse,
    read_date,
    read_line,
    read_number,
    read_pick,
    read_table,
    refuse_unknown,
    shown,
)
from scalesheet_workbooks.study import Measured, Proposal, Rate, Source

SERIAL_ZERO = datetime.date(1899, 12, 30)
LINE, LINES = 300, 12
ISO = re.compile("[A-Z]{3}")

TEXTS = (
    *("proposal_id", "cost_centre", "status", "approver"),
    *("contingency_owner", "contingency_for"),
)
LISTED = ("scope", "exclusions", "gates")
COVERS, IS_COVERED = "contingency_covers", Pick("no or yes", NO_YES, "lst_no_yes")
"""Whether contingency also stands for failures and rework, which have rows of their own."""
WORKBOOK_KEYS = (
    *TEXTS,
    COVERS,
    *LISTED,
    "budget",
    "capex_budget",
    "authority_limit",
    "last_unit_cost",
    "live_scenario",
    "steps",
    "other_costs",
    "currencies",
    "sunk",
    *(entry.key for entry in STATEMENTS),
)
RATE_KEYS = ("currency", "rate", "as_of", "source")
OFFER_KEYS = ("supplier", "number", "kind", "remark")
SOURCE_KEYS = ("owner", "source", "as_of", "valid_to", "confidence", *OFFER_KEYS)
DEFAULT_SOURCE = "default"

PER_SCENARIO = {
    entry.key: entry
    for entry in PROPOSAL_INPUTS
    if entry.key and entry.key.partition(".")[0] not in ("workbook", "rate", "risk")
}
GROUPS = tuple(dict.fromkeys(key.partition(".")[0] for key in PER_SCENARIO if "." in key))
PLAIN = tuple(key for key in PER_SCENARIO if "." not in key)
SCENARIO_KEYS = (*PLAIN, *GROUPS, *(entry.key for entry in FACTS))
"""The keys of a scenario that only a proposal shows; groups are tables."""


def merged(shared: Table, table: Table) -> dict[str, Any]:
    """A scenario with what all scenarios share; a group is shared key by key."""
    both = {**shared, **table}
    for group in GROUPS:
        if isinstance(shared.get(group), dict) and isinstance(table.get(group), dict):
            both[group] = {**shared[group], **table[group]}
    return both


def terms(table: Table, refuse: Refuse) -> dict[str, float | str]:
    """The values of a scenario that only a proposal shows, by id."""
    values: dict[str, float | str] = {}
    for group in GROUPS:
        known = [key.partition(".")[2] for key in PER_SCENARIO if key.startswith(f"{group}.")]
        refuse_unknown(read_table(table, group, refuse), known, f"{group}.", refuse)
    for key, entry in PER_SCENARIO.items():
        group, _, name = key.rpartition(".")
        given = table.get(group, {}) if group else table
        if isinstance(given, dict) and name in given:
            value = _value(given[name], key, entry, refuse)
            if value is not None:
                values[entry.id] = value
    return values | _facts(table, refuse)


def _facts(table: Table, refuse: Refuse) -> dict[str, str]:
    """What is bought in a scenario, in words."""
    found = {
        entry.id: read_pick(table[entry.key], entry.key, entry.takes, refuse)
        if isinstance(entry.takes, Pick)
        else read_line(table, entry.key, entry.key, FACT_LETTERS, refuse)
        for entry in FACTS
        if entry.key in table
    }
    return {line_id: text for line_id, text in found.items() if text}


def _value(given: object, field: str, entry: Input, refuse: Refuse) -> float | str | None:
    """What an input row takes: a number, a pick, or a day as its serial number."""
    domain = entry.domain
    if isinstance(domain, Pick):
        return read_pick(given, field, domain, refuse)
    if domain is DAY:
        day = read_date(given, refuse, field)
        return None if day is None else float((day - SERIAL_ZERO).days)
    assert isinstance(domain, Quantity)
    return read_number(given, field, domain, refuse)


def proposal(data: Table, refuse: Refuse) -> Proposal:
    """The parts of a file that are for the whole workbook."""
    table = data.get("workbook", {})
    if not isinstance(table, dict):
        return Proposal()
    return Proposal(
        texts=_texts(table, refuse),
        once=_once(table, refuse),
        said=_said(table, refuse),
        beside=_beside(table, refuse),
        labels=_labels(table, refuse),
        rates=_rates(data.get("rate", []), refuse),
        sources=_sources(data, refuse),
    )


def _texts(table: Table, refuse: Refuse) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key in TEXTS:
        text = read_line(table, key, f"workbook.{key}", LINE, refuse)
        if text:
            found[key] = (text,)
    if COVERS in table:
        found[COVERS] = (read_pick(table[COVERS], f"workbook.{COVERS}", IS_COVERED, refuse) or "",)
    for key in LISTED:
        lines = _lines(table.get(key, []), f"workbook.{key}", LINES, refuse)
        if lines:
            found[key] = lines
    return found


def _said(table: Table, refuse: Refuse) -> dict[str, str | datetime.date]:
    """The statements, by the ids of their rows."""
    found = {
        entry.id: read_date(table.get(entry.key), refuse, f"workbook.{entry.key}")
        if entry.takes == STATED_DAY
        else read_line(table, entry.key, f"workbook.{entry.key}", LETTERS, refuse)
        for entry in STATEMENTS
    }
    return {line_id: said for line_id, said in found.items() if said}


def _lines(given: object, field: str, most: int, refuse: Refuse) -> tuple[str, ...]:
    if not isinstance(given, list) or len(given) > most:
        count = f"{len(given)} of them" if isinstance(given, list) else shown(given)
        refuse(
            f"{field} must be a list of at most {most} texts, not {count}: write {field} = [...]"
        )
        return ()
    texts = [read_line({"text": text}, "text", field, LINE, refuse) for text in given]
    return tuple(text for text in texts if text)


def _once(table: Table, refuse: Refuse) -> dict[str, float | str]:
    """Figures that hold for all scenarios."""
    steps = read_table(table, "workbook.steps", refuse)
    values: dict[str, float | str] = {}
    names = [e.key.rpartition(".")[2] for e in PROPOSAL_INPUTS if "workbook.steps." in e.key]
    refuse_unknown(steps, names, "workbook.steps.", refuse)
    for entry in PROPOSAL_INPUTS:
        if not entry.key.startswith("workbook.") or entry.domain is DAY:
            continue
        name = entry.key.rpartition(".")[2]
        given = steps if ".steps." in entry.key else table
        if name in given and (value := _value(given[name], entry.key, entry, refuse)) is not None:
            values[entry.id] = value
    return values


def _rows(kind: str) -> tuple[str, ...]:
    """The keys of the rows that have a currency or a tag beside them."""
    return tuple(e.id.removeprefix("in.") for e in PROPOSAL_INPUTS if e.beside == kind)


def _beside(table: Table, refuse: Refuse) -> dict[str, str]:
    """The currency of price rows and the tag of cost rows."""
    found: dict[str, str] = {}
    currencies = read_table(table, "workbook.currencies", refuse)
    refuse_unknown(currencies, _rows(CURRENCY), "workbook.currencies.", refuse)
    for key, code in currencies.items():
        if isinstance(code, str) and ISO.fullmatch(code):
            found[f"in.{key}"] = code
        else:
            refuse(
                f"workbook.currencies.{key} must be an ISO code of three capital letters, "
                f'not {shown(code)}: write "EUR"'
            )
    rows = _rows(TAG)
    for key in _lines(table.get("sunk", []), "workbook.sunk", len(rows), refuse):
        if not refuse_unknown({key: SUNK}, rows, "workbook.sunk ", refuse):
            found[f"in.{key}"] = SUNK
    return found


def _labels(table: Table, refuse: Refuse) -> dict[str, str]:
    names = _lines(table.get("other_costs", []), "workbook.other_costs", OTHER_COSTS, refuse)
    return {f"in.other_{place}": name for place, name in enumerate(names, 1)}


def _rates(given: object, refuse: Refuse) -> tuple[Rate, ...]:
    """Exchange rates: what one unit of a currency costs in that of the workbook."""
    if not isinstance(given, list) or not all(isinstance(table, dict) for table in given):
        refuse("rate must be written [[rate]], in two brackets, once for each currency")
        return ()
    if len(given) > MAX_RATES:
        refuse(f"must have at most {MAX_RATES} rates, not {len(given)}: keep the ones in use")
        return ()
    return tuple(
        rate
        for number, table in enumerate(given, 1)
        if (rate := _rate(table, f"rate {number}", refuse)) is not None
    )


def _rate(table: Table, place: str, refuse: Refuse) -> Rate | None:
    refuse_unknown(table, RATE_KEYS, f"{place}: ", refuse)
    code = table.get("currency")
    if not isinstance(code, str) or not ISO.fullmatch(code):
        refuse(f'{place}: currency must be an ISO code, not {shown(code)}: write "EUR"')
        return None
    rate = read_number(table.get("rate"), f"{place}: rate", RATE, refuse)
    if rate is None:
        return None
    day = read_date(table.get("as_of"), refuse, f"{place}: as_of")
    return Rate(code, rate, day, read_line(table, "source", f"{place}: source", LINE, refuse))


def _sources(data: Table, refuse: Refuse) -> Mapping[str, Source]:
    """Who answers for which row; ``default`` is for the rows that are not named."""
    given = read_table(data, "sources", refuse)
    names = [entry.id.removeprefix("in.") for entry in PROPOSAL_INPUTS]
    names += [entry.key for entry in STATEMENT_ROWS]
    refuse_unknown(given, (DEFAULT_SOURCE, *names), "sources.", refuse)
    found = {}
    for key, table in given.items():
        field = f"sources.{key}"
        if not isinstance(table, dict):
            refuse(f"{field} must be a table, not {shown(table)}: write {field} = {{ ... }}")
            continue
        refuse_unknown(table, SOURCE_KEYS, f"{field}.", refuse)
        found[key if key == DEFAULT_SOURCE else f"in.{key}"] = _source(table, field, refuse)
    return found


def _source(table: Table, field: str, refuse: Refuse) -> Source:
    confidence = table.get("confidence", "")
    if confidence not in ("", *CONFIDENCES):
        options = ", ".join(CONFIDENCES)
        refuse(f"{field}.confidence must be one of {options}, not {shown(confidence)}: pick one")
        confidence = ""
    kind = table.get("kind")
    return Source(
        read_line(table, "owner", f"{field}.owner", LINE, refuse),
        read_line(table, "source", f"{field}.source", LINE, refuse),
        read_date(table.get("as_of"), refuse, f"{field}.as_of"),
        read_date(table.get("valid_to"), refuse, f"{field}.valid_to"),
        confidence,
        read_line(table, "supplier", f"{field}.supplier", FACT_LETTERS, refuse),
        read_line(table, "number", f"{field}.number", FACT_LETTERS, refuse),
        (read_pick(kind, f"{field}.kind", OFFER_KINDS, refuse) or "") if kind else "",
        read_line(table, "remark", f"{field}.remark", LINE, refuse),
    )


def spread_values(risk: Mapping[str, Sequence[float]]) -> dict[str, float | str]:
    """The ranges of a scenario by the ids of their rows."""
    return {
        f"in.{name}_{end}": value
        for name, spread in risk.items()
        for end, value in zip(ENDS, spread, strict=True)
        if f"in.{name}_{end}" in PROPOSAL_BY_ID
    }


def point_values(measured: Measured | None) -> dict[str, float | str]:
    """The measured points of a scenario by the ids of their rows.

    >>> point_values(Measured(((1.0, 100.0),), "other"))["in.measured_rate_1"]
    100.0
    """
    if measured is None:
        return {}
    values: dict[str, float | str] = {"in.fabric_class": measured.fabric_class}
    for place, (nodes, throughput) in enumerate(measured.points, 1):
        values[f"in.measured_nodes_{place}"] = nodes
        values[f"in.measured_rate_{place}"] = throughput
    return values
