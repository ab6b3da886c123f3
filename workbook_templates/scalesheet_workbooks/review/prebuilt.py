"""Expected templates as data: a wheel brings them along, so that a review builds none.

They are derived from the templates when the wheel is built. In a source tree, where templates may
change at any time, there are none, and a review builds what it needs.
"""

import json
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from scalesheet.errors import CellError
from scalesheet_workbooks.read import Book, Cell, DefinedName
from scalesheet_workbooks.read_sheets import Sheet, Value
from scalesheet_workbooks.read_validations import Validation
from scalesheet_workbooks.review.expected import CoreCall, Expected, Known
from scalesheet_workbooks.review.flow import Upstream
from scalesheet_workbooks.review.spelling import learn, speller

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
    formulas = {formula for _, formula in found.book.formulas}
    learn(found.range_names, dict(zip(formulas, formulas, strict=True)) | data["spellings"])
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
        "names": {key: tuple(name) for key, name in sorted(book.names.items())},
        "written": sorted(expected.written),
        "example": [
            [*place, _packed_value(value)] for place, value in sorted(expected.example.items())
        ],
        "shipped": expected.shipped,
        "calls": [tuple(call) for call in expected.calls],
        "total_line": expected.total_line,
        "texts_read": sorted(expected.texts_read),
        "feeding_totals": [
            sorted(expected.feeding_totals.cells),
            {title: sorted(wide) for title, wide in expected.feeding_totals.wide.items()},
        ],
        "spellings": _spellings(expected),
    }


def _spellings(expected: Expected) -> dict[str, str]:
    """How the engine is given the formulas that it is not given as they stand."""
    spelled = speller(expected.range_names)
    cells = (cell for sheet in expected.book.sheets for cell in sheet.cells.values())
    texts = sorted({cell.formula for cell in cells if cell.formula is not None})
    return {text: own for text in texts if (own := spelled(text)) != text}


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
            frozenset(map(tuple, data["texts_read"])),
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
        "cells": _packed_cells(sheet.cells),
        "hidden_rows": sorted(sheet.hidden_rows),
        "hidden_columns": sheet.hidden_columns,
        "unlocked_blanks": sorted(sheet.unlocked_blanks),
        "validations": [tuple(rule) for rule in sheet.validations],
        "protected": sheet.protected,
        "has_data_table": sheet.has_data_table,
        "rows_seen": sheet.rows_seen,
    }


def _unpacked_sheet(data: dict[str, Any]) -> Sheet:
    return Sheet(
        **data
        | {
            "cells": _unpacked_cells(**data["cells"]),
            "hidden_rows": set(data["hidden_rows"]),
            "hidden_columns": list(map(tuple, data["hidden_columns"])),
            "unlocked_blanks": set(map(tuple, data["unlocked_blanks"])),
            "validations": [Validation(*rule) for rule in data["validations"]],
        }
    )


def _packed_cells(cells: Mapping[tuple[int, int], Cell]) -> dict[str, Any]:
    """Cells as one list for each thing to know of them: read five times as quickly."""
    return {
        "rows": [row for row, _ in cells],
        "columns": [column for _, column in cells],
        "values": [
            None if isinstance(cell.value, CellError) else cell.value for cell in cells.values()
        ],
        "formulas": [cell.formula for cell in cells.values()],
        "unlocked": [place for place, cell in enumerate(cells.values()) if not cell.locked],
        "arrays": [place for place, cell in enumerate(cells.values()) if cell.is_array],
        "errors": {
            str(place): cell.value.code
            for place, cell in enumerate(cells.values())
            if isinstance(cell.value, CellError)
        },
    }


def _unpacked_cells(
    rows: list[int],
    columns: list[int],
    values: list[Value],
    formulas: list[str | None],
    unlocked: list[int],
    arrays: list[int],
    errors: dict[str, str],
) -> dict[tuple[int, int], Cell]:
    cells = list(map(Cell, values, formulas))
    for place in unlocked:
        cells[place].locked = False
    for place in arrays:
        cells[place].is_array = True
    for key, code in errors.items():
        cells[int(key)].value = CellError(code)
    return dict(zip(zip(rows, columns, strict=True), cells, strict=True))


def _packed_value(value: Value) -> Any:
    return {ERROR: value.code} if isinstance(value, CellError) else value


def _unpacked_value(value: Any) -> Value:
    return CellError(value[ERROR]) if isinstance(value, dict) else value
