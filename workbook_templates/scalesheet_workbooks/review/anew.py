"""Templates built anew and read back: what returned files are held against."""

import importlib
import importlib.util
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scalesheet_workbooks.build import TEMPLATES
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.layout import MAX_SCENARIOS
from scalesheet_workbooks.read import Book, read_bytes
from scalesheet_workbooks.read_sheets import Sheet, Value
from scalesheet_workbooks.review.expected import CoreCall, Expected
from scalesheet_workbooks.review.fullest import fullest
from scalesheet_workbooks.review.marks import CURRENCY, DAY, MARKS, NOTE, OWNER, TITLE
from scalesheet_workbooks.scenarios import shipped
from scalesheet_workbooks.spec import Call
from scalesheet_workbooks.study import Scenario, Study
from scalesheet_workbooks.templates import scaling_study

if TYPE_CHECKING:
    from scalesheet_workbooks.scaling_inputs import StudyInputs

Write = Callable[..., Any]


def all_kinds() -> Iterator[tuple[str, int]]:
    """Every template with every number of scenarios that it can have."""
    for name, template in TEMPLATES.items():
        for count in range(1, (MAX_SCENARIOS if template.uses_scenarios else 1) + 1):
            yield name, count


def anew(name: str, scenarios: int) -> Expected:
    """A template built for so many scenarios, without values; every scenario has a note."""
    cases = tuple(Scenario(f"«scenario {place}»", {}, NOTE) for place in range(1, scenarios + 1))
    book = _built(name, Study(TITLE, cases, OWNER, CURRENCY, DAY))
    example = _example(name, scenarios)
    record, spec = TEMPLATES[name], _spec(name)
    return Expected(
        name,
        record.version,
        scenarios,
        record.uses_scenarios,
        book,
        _written(book, example),
        _typed(book, example),
        _shipped(name),
        tuple(_calls(spec)),
        _total_line(spec),
    )


def rebuilt(of: Expected, given: "StudyInputs") -> Book:
    """A scaling study built from points, read back."""
    write = partial(scaling_study.write_points, given=given)
    return _built(of.name, Study(TITLE, (), "", CURRENCY), write)


def _spec(name: str) -> ModuleType | None:
    module = f"scalesheet_workbooks.templates.{name}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def _lines(spec: ModuleType | None) -> Iterator[Any]:
    for sheet in getattr(spec, "MODEL", ()):
        yield from getattr(sheet, "lines", ())


def _calls(spec: ModuleType | None) -> Iterator[CoreCall]:
    for line in _lines(spec):
        if isinstance(line.source, Call):
            yield CoreCall(line.id, line.source.name, tuple(line.source.arguments))


def _total_line(spec: ModuleType | None) -> str:
    totals = (line.id for line in _lines(spec) if line.total and line.id.endswith(".total"))
    return next(totals, "")


def _written(book: Book, example: Book) -> frozenset[Place]:
    return frozenset(
        (sheet.title, *at) for sheet in book.sheets for at in _written_on(sheet, example)
    )


def _written_on(sheet: Sheet, example: Book) -> Iterator[tuple[int, int]]:
    """Cells that differ from the example's, and what lies between two of them in a column."""
    values = {
        at: cell.value
        for at, cell in sheet.cells.items()
        if cell.locked and cell.formula is None and not MARKS.search(str(cell.value))
    }
    rows: dict[int, list[int]] = {}
    for (row, column), value in values.items():
        theirs = example.cell(sheet.title, row, column)
        if theirs is None or theirs.value != value:
            rows.setdefault(column, []).append(row)
    for row, column in values:
        if column in rows and min(rows[column]) <= row <= max(rows[column]):
            yield row, column


def _typed(book: Book, example: Book) -> dict[Place, Value]:
    found: dict[Place, Value] = {}
    for sheet in book.sheets:
        unlocked = {at for at, cell in sheet.cells.items() if not cell.locked}
        for at in unlocked | sheet.unlocked_blanks:
            if (theirs := example.cell(sheet.title, *at)) is not None:
                found[sheet.title, *at] = theirs.value
    return found


def _shipped(name: str) -> dict[str, dict[str, Value]]:
    if not TEMPLATES[name].uses_scenarios:
        return {}
    return {
        one.name: {
            line: value
            for line, value in one.values.items()
            if isinstance(value, (int, float, str))
        }
        for one in shipped(name).scenarios
    }


def _example(name: str, scenarios: int) -> Book:
    """The example of a template with so many scenarios, marked as the expected one is."""
    if not TEMPLATES[name].uses_scenarios:
        return _built(name, Study(TITLE, ()), TEMPLATES[name].write)
    study = shipped(name)
    cases = tuple(
        replace(study.scenarios[place % len(study.scenarios)], note=NOTE)
        for place in range(scenarios)
    )
    return _built(name, replace(study, scenarios=cases, title=TITLE, as_of=DAY))


def _built(name: str, study: Study, write: Write | None = None) -> Book:
    """A template as it is built from a study, read back; a scaling study with every row filled."""
    from openpyxl import Workbook

    if write is None and name == scaling_study.NAME:
        study = replace(study, owner="")  # no command gives it one
        write = partial(scaling_study.write_points, given=fullest())
    book = Workbook()
    book.remove(book.active)
    (write or TEMPLATES[name].write)(book, study)
    saved = io.BytesIO()
    book.save(saved)
    # Who saved it when is no part of a template.
    return replace(read_bytes(saved.getvalue()), properties={})
