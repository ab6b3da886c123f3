"""The functions as text for a terminal: a list by category, and a page for each."""

import inspect
from collections.abc import Iterator

from scalesheet.domains import Quantity
from scalesheet.errors import UnknownChoice
from scalesheet.formula import is_translatable, lambda_text
from scalesheet.registry import REGISTRY, Function, by_category
from scalesheet_workbooks.calculation import evaluate, nearest_functions
from scalesheet_workbooks.cli.text import cell_text, paragraph, table, two_columns
from scalesheet_workbooks.examples import examples

PYTHON_ONLY = "*"


def listing() -> Iterator[str]:
    """Every function with its summary, by category."""
    width = 2 + max(map(len, REGISTRY)) + len(PYTHON_ONLY)
    for category, records in by_category(REGISTRY.values()):
        yield category
        for record in records:
            mark = "" if is_translatable(record) else PYTHON_ONLY
            yield from two_columns(f"  {record.name}{mark}", record.summary, width)
        yield ""
    yield f"{PYTHON_ONLY} in Python and add-ins only: no cell formula or LAMBDA can hold it"
    yield "scalesheet functions NAME says what a function takes and gives"


def page(name: str) -> Iterator[str]:
    """All about one function."""
    record = _record(name)
    notes = _notes(record)
    yield from paragraph(record.signature)
    yield from paragraph(record.summary)
    yield ""
    yield "Arguments"
    width = max(len(parameter.name) for parameter in record.parameters) + 2
    for parameter in record.parameters:
        domain = parameter.domain
        text = f"{domain.words} [{domain.unit}]: {domain.rule}"
        yield from two_columns(f"  {parameter.name}", text, width)
    for rule in record.rules:
        yield from paragraph((rule.__doc__ or "").strip(), 2)
    yield ""
    yield "Result"
    yield from paragraph(f"{record.result.words} [{record.result.unit}]", 2)
    if notes:
        yield ""
        yield "Notes"
        for note in notes:
            yield from paragraph(note, 2)
    yield ""
    yield "Example"
    yield from _example_lines(record)
    yield ""
    yield "Source"
    yield from paragraph(record.source, 2)
    yield ""
    yield "Where"
    yield from paragraph(_where(record), 2)


def lambda_lines(name: str) -> Iterator[str]:
    """The LAMBDA of a function, as a user types it."""
    record = _record(name)
    if not is_translatable(record):
        raise UnknownChoice(f"{record.name} has no LAMBDA: use it from an add-in or from Python")
    yield "=" + lambda_text(record, stored=False)


def _record(name: str) -> Function:
    record = REGISTRY.get(name.strip().upper())
    if record is None:
        nearest = nearest_functions(name)
        remedy = f"type {' or '.join(nearest)}" if nearest else "see scalesheet functions"
        raise UnknownChoice(f"{name} is no function here: {remedy}")
    return record


def _notes(record: Function) -> list[str]:
    """The paragraphs of the docstring between its first line and its example."""
    text = inspect.getdoc(record.body) or ""
    paragraphs = text.split(">>>")[0].split("\n\n")[1:]
    return [" ".join(part.split()) for part in paragraphs if part.strip()]


def _example_lines(record: Function) -> Iterator[str]:
    formula = "=" + examples(record)[0].text
    yield f"  {formula}"
    yield from table([[cell_text(cell) for cell in row] for row in evaluate(formula).rows], 2)


def _where(record: Function) -> str:
    if not is_translatable(record):
        return "Python and add-ins; no cell formula or LAMBDA can hold it"
    scalar = "" if isinstance(record.result, Quantity) else " (a table)"
    return f"cells with an add-in, LAMBDA names (--lambda), plain cell formulas, Python{scalar}"
