"""The inputs of a cluster proposal: what is bought, on which terms, and what finance asks about it.

Five sheets of rows, each short enough to be read on one printed page.
"""

from collections.abc import Iterable

from scalesheet_workbooks.inputs import Input, Pick
from scalesheet_workbooks.proposal_owning_rows import (
    OWNING_SHEET,
)
from scalesheet_workbooks.proposal_ranges_rows import (
    DRIVERS,
    ENDS,
    MEASURED_SHEET,
    RANGES_SHEET,
    SPREADS,
)
from scalesheet_workbooks.proposal_terms_rows import (
    TERMS_SHEET,
)
from scalesheet_workbooks.proposal_words import (
    ACQUISITIONS,
    AMOUNT,
    CLASSES,
    CONFIDENCES,
    CURRENCY,
    DAY,
    INCREMENTAL,
    MAX_LIFE_YEARS,
    MAX_MONTHS,
    MAX_PAYMENT_MONTHS,
    MAX_RATES,
    MONTHS,
    NO_YES,
    NOT_RECOVERABLE,
    OTHER_COSTS,
    OWN,
    PER_GPU,
    POINTS,
    RATE,
    RESERVED,
    SUNK,
    TAG,
    TAGS,
)
from scalesheet_workbooks.proposal_work_rows import (
    INPUTS_SHEET,
)

__all__ = [
    "ACQUISITIONS",
    "AMOUNT",
    "CLASSES",
    "CONFIDENCES",
    "CURRENCY",
    "DAY",
    "DRIVERS",
    "ENDS",
    "INCREMENTAL",
    "LISTS",
    "MAX_LIFE_YEARS",
    "MAX_MONTHS",
    "MAX_PAYMENT_MONTHS",
    "MAX_RATES",
    "MONTHS",
    "NOT_RECOVERABLE",
    "NO_YES",
    "OTHER_COSTS",
    "OWN",
    "PER_GPU",
    "POINTS",
    "PROPOSAL_BY_ID",
    "PROPOSAL_INPUTS",
    "RATE",
    "RESERVED",
    "SHEETS",
    "SPREADS",
    "SUNK",
    "TAG",
    "of_section",
]

SHEETS: dict[str, tuple[Input, ...]] = {
    "Inputs": INPUTS_SHEET,
    "Terms": TERMS_SHEET,
    "Owning": OWNING_SHEET,
    "Ranges": RANGES_SHEET,
    "Measured": MEASURED_SHEET,
}
"""Every sheet of inputs with its rows."""

PROPOSAL_INPUTS = tuple(entry for rows in SHEETS.values() for entry in rows)
PROPOSAL_BY_ID = {entry.id: entry for entry in PROPOSAL_INPUTS}

LISTS: dict[str, tuple[str, ...]] = {
    entry.domain.list_name: entry.domain.options
    for entry in PROPOSAL_INPUTS
    if isinstance(entry.domain, Pick)
} | {"lst_tags": TAGS, "lst_confidences": CONFIDENCES}


def of_section(rows: Iterable[Input]) -> dict[str, list[str]]:
    """The ids of rows by section, in their order."""
    sections: dict[str, list[str]] = {}
    for entry in rows:
        sections.setdefault(entry.section, []).append(entry.id)
    return sections
