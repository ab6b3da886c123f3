"""Which template a file is, and what it is held against."""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

from scalesheet_workbooks import inputs, proposal_inputs, scaling_inputs
from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.layout import HEADER_ROW, ID_COLUMN, MAX_SCENARIOS
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.review import prebuilt
from scalesheet_workbooks.review.expected import SCENARIO_ROW, Expected

FITTING = 0.5
"""Share of a template's ids that a file of it has at least."""
AFTER_SCENARIOS = {"min", "max", "in range", "owner", "source", "as of", "unit", "low", "high"}
RECORDS: Mapping[str, Mapping[str, Input]] = {
    "training_run_budget": inputs.INPUT_BY_ID,
    "cluster_proposal": proposal_inputs.PROPOSAL_BY_ID,
    "scaling_study": scaling_inputs.INPUT_BY_ID,
}
"""The inputs of each template, with their limits."""


class Recognised(NamedTuple):
    """What a file says it is."""

    name: str
    version: str
    by: str


def recognise(book: Book) -> Recognised | None:
    """The template of a file: by its property, by its printed line, else by its ids."""
    name = book.properties.get("scalesheet.template", "")
    if name in template_names() and (book.ids or not expected(name, 1).ids):
        return Recognised(name, _version(book), "its document property")
    return _by_ids(book)


def recognised_anew(book: Book, found: Recognised, known: Expected) -> Recognised:
    """What a file is: as ``found``, unless it has few of its ids and most of another's."""
    if not known.ids or _fits(known, book.ids):
        return found
    other = _by_ids(book)
    if other is None or other.name == found.name:
        return found
    return other._replace(by=f"{other.by}; {found.by} says {found.name}")


def _by_ids(book: Book) -> Recognised | None:
    if not any(line.startswith("in.") for line in book.ids):
        return None
    known = {
        template: len(book.ids.keys() & expected(template, 1).ids.keys())
        for template in template_names()
        if expected(template, 1).ids
    }
    best = max(known, key=lambda template: known[template], default=None)
    if best is None or not _fits(expected(best, 1), book.ids):
        return None
    return Recognised(best, _version(book), "the ids in column B")


def _fits(known: Expected, ids: Collection[str]) -> bool:
    """Whether a file has at least half of the ids of a template."""
    return len(known.ids.keys() & set(ids)) >= FITTING * len(known.ids)


def _version(book: Book) -> str:
    return book.properties.get("scalesheet.version", "")


def scenario_count(book: Book) -> int:
    """Scenario columns of a returned file: those with a name, a value or a blank to fill in a row
    of an id, so that one that somebody emptied still counts."""
    ids = book.ids
    homes = Counter(title for line, (title, _) in ids.items() if line.startswith("in."))
    title, row = ids.get(SCENARIO_ROW) or (homes.most_common(1)[0][0], HEADER_ROW)
    sheet = book.by_title[title]
    rows = {at for home, at in ids.values() if home == title}
    filled = Counter(
        column
        for at, column in (*sheet.cells, *sheet.unlocked_blanks)
        if at in rows and column > ID_COLUMN + 2
    )
    count = 0
    for column in range(ID_COLUMN + 3, max(filled, default=0) + 1):
        head = sheet.cells.get((row, column))
        if head and count and _is_other_heading(head, sheet.cells.get((row, ID_COLUMN + 3))):
            break
        count += filled[column] > 0
    return max(1, min(count, MAX_SCENARIOS))


def is_budget(name: str) -> bool:
    """Whether a template is one of scenarios and totals."""
    found = prebuilt.uses_scenarios(name)
    return expected(name, 1).uses_scenarios if found is None else found


def _is_other_heading(head: Cell, first: Cell | None) -> bool:
    """Whether a heading is none of a scenario: it is locked where their names are not."""
    known = isinstance(head.value, str) and head.value.strip().lower() in AFTER_SCENARIOS
    return known or (head.locked and first is not None and not first.locked)


def template_names() -> tuple[str, ...]:
    """The names of the templates."""
    names = prebuilt.names()
    if names:
        return names
    from scalesheet_workbooks.build import TEMPLATES

    return tuple(TEMPLATES)


@lru_cache(maxsize=16)
def expected(name: str, scenarios: int) -> Expected:
    """A template for so many scenarios: as the wheel brings it, else built anew."""
    found = prebuilt.load(name, scenarios)
    if found is not None:
        return found
    from scalesheet_workbooks.review.anew import anew

    return anew(name, scenarios)


def input_record(expected_: Expected, line: str) -> Input | None:
    """The record of an input, with its limits."""
    return RECORDS.get(expected_.name, {}).get(line)
