"""Expected templates as data: a wheel brings them along, so that a review builds none.

They are derived from the templates when the wheel is built. In a source tree, where templates may
change at any time, there are none, and a review builds what it needs.
"""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import astuple
from functools import lru_cache
from pathlib import Path
from typing import Any

from scalesheet.errors import CellError
from scalesheet_workbooks.read import Book, Cell, DefinedName
from scalesheet_workbooks.read_sheets import Sheet, Value
from scalesheet_workbooks.read_validations import Validation
from scalesheet_workbooks.review.engine import learn, speller
from scalesheet_workbooks.review.expected import CoreCall, Expected, Known
from scalesheet_workbooks.review.flow import Upstream

STORE = Path(__file__).with_name("expected.zip")
MOMENT = (2026, 1, 1, 0, 0, 0)
"""The time of the parts: the bytes of a wheel must not depend on the clock."""
ERROR = "error"


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The names of the templates in the store; none where there is no store."""
    if not STORE.is_file():
        return ()
    with zipfile.ZipFile(STORE) as archive:
        return tuple(dict.fromkeys(part.partition("/")[0] for part in archive.namelist()))


def uses_scenarios(name: str) -> bool | None:
    """Whether a template has scenarios, which the store keeps one for each number of; None where
    it is not in the store."""
    if name not in names():
        return None
    with zipfile.ZipFile(STORE) as archive:
        return f"{name}/2.json" in archive.namelist()


def load(name: str, scenarios: int) -> Expected | None:
    """A template for so many scenarios from the store, or None."""
    if name not in names():
        return None
    with zipfile.ZipFile(STORE) as archive:
        data = json.loads(archive.read(f"{name}/{scenarios}.json"))
    found = unpacked(data)
    spellings = {text: own or text for text, own in data["spellings"].items()}
    learn(found.range_names, spellings)
    return found


def save(path: Path) -> None:
    """Every template with every number of scenarios, built anew, into a file."""
    from scalesheet_workbooks.review.anew import all_kinds, anew

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, scenarios in all_kinds():
            part = zipfile.ZipInfo(f"{name}/{scenarios}.json", MOMENT)
            part.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(part, json.dumps(packed(anew(name, scenarios)), ensure_ascii=False))


def packed(expected: Expected) -> dict[str, Any]:
    """A template as plain data."""
    book = expected.book
    return {
        "name": expected.name,
        "version": expected.version,
        "scenarios": expected.scenarios,
        "uses_scenarios": expected.uses_scenarios,
        "sheets": [_packed_sheet(sheet) for sheet in book.sheets],
        "names": {key: astuple(name) for key, name in sorted(book.names.items())},
        "written": sorted(expected.written),
        "example": [
            [*place, _packed_value(value)] for place, value in sorted(expected.example.items())
        ],
        "shipped": expected.shipped,
        "calls": [astuple(call) for call in expected.calls],
        "total_line": expected.total_line,
        "unread": sorted(expected.unread),
        "feeding_totals": [
            sorted(expected.feeding_totals.cells),
            {title: sorted(wide) for title, wide in expected.feeding_totals.wide.items()},
        ],
        "spellings": _spellings(expected),
    }


def _spellings(expected: Expected) -> dict[str, str]:
    """How the engine is given each formula; an empty text where that is as it stands."""
    spelled = speller(expected.range_names)
    cells = (cell for sheet in expected.book.sheets for cell in sheet.cells.values())
    texts = sorted({cell.formula for cell in cells if cell.formula is not None})
    return {text: own if (own := spelled(text)) != text else "" for text in texts}


def unpacked(data: dict[str, Any]) -> Expected:
    """A template from plain data."""
    cells, wide = data["feeding_totals"]
    book = Book(
        tuple(map(_unpacked_sheet, data["sheets"])),
        {key: DefinedName(*name) for key, name in data["names"].items()},
        {},
    )
    return Expected(
        data["name"],
        data["version"],
        data["scenarios"],
        data["uses_scenarios"],
        book,
        frozenset((title, row, column) for title, row, column in data["written"]),
        {
            (title, row, column): _unpacked_value(value)
            for title, row, column, value in data["example"]
        },
        data["shipped"],
        tuple(CoreCall(line, name, tuple(given)) for line, name, given in data["calls"]),
        data["total_line"],
        Known(
            frozenset(map(tuple, data["unread"])),
            Upstream(
                frozenset(map(tuple, cells)),
                {title: [tuple(area) for area in areas] for title, areas in wide.items()},
            ),
        ),
    )


def _packed_sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "title": sheet.title,
        "state": sheet.state,
        "cells": [[*at, *_packed_cell(cell)] for at, cell in sheet.cells.items()],
        "hidden_rows": sorted(sheet.hidden_rows),
        "hidden_columns": sheet.hidden_columns,
        "unlocked_blanks": sorted(sheet.unlocked_blanks),
        "validations": [astuple(rule) for rule in sheet.validations],
        "protected": sheet.protected,
        "has_data_table": sheet.has_data_table,
        "rows_seen": sheet.rows_seen,
    }


def _unpacked_sheet(data: dict[str, Any]) -> Sheet:
    return Sheet(
        **data
        | {
            "cells": {(row, column): _unpacked_cell(*rest) for row, column, *rest in data["cells"]},
            "hidden_rows": set(data["hidden_rows"]),
            "hidden_columns": [(first, last) for first, last in data["hidden_columns"]],
            "unlocked_blanks": {(row, column) for row, column in data["unlocked_blanks"]},
            "validations": [Validation(*rule) for rule in data["validations"]],
        }
    )


def _packed_cell(cell: Cell) -> Iterator[Any]:
    yield _packed_value(cell.value)
    yield cell.formula
    yield from (int(cell.locked), int(cell.is_array), int(cell.is_cut))


def _unpacked_cell(value: Any, formula: str | None, locked: int, array: int, cut: int) -> Cell:
    return Cell(_unpacked_value(value), formula, bool(locked), bool(array), bool(cut))


def _packed_value(value: Value) -> Any:
    return {ERROR: value.code} if isinstance(value, CellError) else value


def _unpacked_value(value: Any) -> Value:
    return CellError(value[ERROR]) if isinstance(value, dict) else value
