"""The function check tells the truth: works, wrong value, not available."""

import math
import re
from pathlib import Path

import pytest

from engines import ENGINES, LAMBDA_ENGINES, Cell, Cells, cached_values, formualizer_values
from scalesheet import catalog
from scalesheet.domains import Name, Quantity
from scalesheet.errors import CellError
from scalesheet.registry import REGISTRY
from scalesheet.surfaces.excel.lambdas import lambda_names
from scalesheet.surfaces.libreoffice import dotted
from scalesheet_workbooks.build import build
from scalesheet_workbooks.calculation import cached_values as with_our_functions
from scalesheet_workbooks.examples import examples
from scalesheet_workbooks.templates.function_check import CALL_LETTERS, LINE_HEIGHT
from workbooks.budgets import Book, edited, packed

SHEET = "FunctionCheck"
NATIVE, PLAIN, DOTTED = "function_check", "function_check_addin", "function_check_libreoffice"
VARIANTS = (NATIVE, PLAIN, DOTTED)
WORKS, WRONG, MISSING = "✓ works", "✗ wrong value", "✗ not available"


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    return {name: Book(build(name)) for name in VARIANTS}


def rows(book: Book) -> dict[str, int]:
    """The row of every function that is checked."""
    names = {cell.row: cell.value for cell in book.sheets[0]["B"] if cell.value in REGISTRY}
    return {name: row for row, name in names.items()}


def verdicts(book: Book, cells: Cells) -> dict[str, Cell]:
    return {name: cells.get((SHEET, f"F{row}")) for name, row in rows(book).items()}


def summary(book: Book, cells: Cells) -> tuple[Cell, Cell, Cell]:
    """How many work, of how many, and the verdict on all."""
    (row,) = [cell.row for cell in book.sheets[0]["B"] if cell.value == "Verdict"]
    works, listed, verdict = (cells.get((SHEET, f"{column}{row}")) for column in "DEF")
    return works, listed, verdict


def computed(data: bytes, engine: str, folder: Path) -> Cells:
    (folder / "check.xlsx").write_bytes(data)
    if engine == "with our functions":
        stored = cached_values(folder / "check.xlsx")
        return stored | dict(with_our_functions(data))
    return ENGINES[engine](folder / "check.xlsx")


ABLE = [*((NATIVE, engine) for engine in LAMBDA_ENGINES), (PLAIN, "with our functions")]
"""The engines in which the functions are there."""


def test_every_function_is_checked(books: dict[str, Book]) -> None:
    assert set(rows(books[NATIVE])) == {name.name for name in lambda_names()}
    scalars = {name for name, record in REGISTRY.items() if isinstance(record.result, Quantity)}
    # A user's own prices take the place of the shipped ones: no value is right everywhere.
    assert set(rows(books[PLAIN])) == set(rows(books[DOTTED])) == scalars - {"GPU_PRICE"}
    assert len(scalars) > 50


def test_a_price_list_of_the_users_changes_nothing(
    books: dict[str, Book], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.csv"
    columns = "gpu,provider,term,price,unit,as_of,source"
    known = {(price.gpu, price.provider, price.term) for price in catalog.prices()}
    lines = [f"{','.join(key)},0.01,USD/GPU-h,2020-01-01,me" for key in sorted(known)]
    mine.write_text("\n".join([columns, *lines]), encoding="utf-8")
    monkeypatch.setenv("SCALESHEET_PRICES", str(mine))
    catalog.reload()
    try:
        assert {price.usd_per_gpu_hour for price in catalog.prices()} == {0.01}
        assert all(build(name) == book.data for name, book in books.items())
    finally:
        monkeypatch.undo()
        catalog.reload()


def test_every_call_can_be_read(books: dict[str, Book]) -> None:
    """A long call has lines enough; a date is a call that any spreadsheet reads."""
    for book in books.values():
        shown = {name: str(book.sheets[0][f"C{row}"].value) for name, row in rows(book).items()}
        for name, row in rows(book).items():
            height = book.sheets[0].row_dimensions[row].height
            assert height / LINE_HEIGHT >= len(shown[name]) / CALL_LETTERS
        dated = [name for name, call in shown.items() if "DATE(" in call]
        assert dated == ["GPU_PURCHASE_PRICE"] * (book is not books[NATIVE])
        for name, call in shown.items():
            names = [p for p in REGISTRY[name].parameters if isinstance(p.domain, Name)]
            assert call.count('"') >= 2 * len(names)


@pytest.mark.parametrize("name", VARIANTS)
def test_stored_values_are_the_cores(books: dict[str, Book], name: str, tmp_path: Path) -> None:
    book = books[name]
    cells = book.cached(tmp_path)
    for function, row in rows(book).items():
        record = REGISTRY[function]
        example = examples(record)[0]
        answer = record.one(*example.arguments)
        expected = cells[SHEET, f"E{row}"]
        assert isinstance(expected, float)
        assert expected == answer, function
        value = cells[SHEET, f"D{row}"]
        assert isinstance(value, float)
        assert math.isclose(value, answer, rel_tol=1e-15), function
        # What is shown as the call is what is calculated.
        call = f"={example.text}"
        assert cells[SHEET, f"C{row}"] == call
        stored = book.formulas[SHEET, f"D{row}"]
        prefix = dotted(function).removesuffix(function) if name == DOTTED else ""
        assert stored == call.replace("=", f"={prefix}", 1)
    assert set(verdicts(book, cells).values()) == {WORKS}
    count = len(rows(book))
    assert summary(book, cells) == (count, count, "✓ all work")


@pytest.mark.parametrize(("name", "engine"), ABLE)
def test_where_functions_are_there_all_work(
    books: dict[str, Book], name: str, engine: str, tmp_path: Path
) -> None:
    book = books[name]
    cells = computed(book.data, engine, tmp_path)
    assert {n: v for n, v in verdicts(book, cells).items() if v != WORKS} == {}
    assert summary(book, cells) == (len(rows(book)), len(rows(book)), "✓ all work")


@pytest.mark.parametrize(("name", "engine"), ABLE)
def test_a_wrong_value_is_called_wrong(
    books: dict[str, Book], name: str, engine: str, tmp_path: Path
) -> None:
    """From the eleventh digit on, and where the expected value is 0 or of another sign."""
    book, wrong = books[name], {"TRAIN_COST": 27950.0000001, "GPU_HOURS": 0.0, "PEAK_NODES": -7.0}
    changes: dict[tuple[str, str], Cell] = {
        (SHEET, f"E{rows(book)[function]}"): value for function, value in wrong.items()
    }
    cells = computed(edited(book, changes), engine, tmp_path)
    found = verdicts(book, cells)
    assert {function for function, v in found.items() if v == WRONG} == set(wrong)
    assert {v for function, v in found.items() if function not in wrong} == {WORKS}
    count = len(rows(book))
    assert summary(book, cells) == (count - len(wrong), count, "✗ see above")


@pytest.mark.parametrize(("name", "engine"), ABLE)
def test_an_unknown_function_is_called_not_available(
    books: dict[str, Book], name: str, engine: str, tmp_path: Path
) -> None:
    book = books[name]
    at = f"D{rows(book)['TRAIN_COST']}"
    gone: dict[tuple[str, str], Cell] = {(SHEET, at): "=NO_SUCH_FUNCTION(64,120)"}
    cells = computed(edited(book, gone), engine, tmp_path)
    found = verdicts(book, cells)
    assert found.pop("TRAIN_COST") == MISSING
    assert set(found.values()) == {WORKS}
    assert isinstance(cells[SHEET, at], CellError)


@pytest.mark.parametrize("engine", LAMBDA_ENGINES)
def test_without_its_names_nothing_is_available(
    books: dict[str, Book], engine: str, tmp_path: Path
) -> None:
    """The names taken out, as some programs do when they save."""
    book = books[NATIVE]
    parts = book.parts()
    text = parts["xl/workbook.xml"].decode()
    kept = re.sub(r"<definedName\b[^>]*>_xlfn\.LAMBDA.*?</definedName>", "", text, flags=re.S)
    assert kept.count("LAMBDA") == 0 < text.count("LAMBDA")
    data = packed(parts | {"xl/workbook.xml": kept.encode()})
    cells = computed(data, engine, tmp_path)
    assert set(verdicts(book, cells).values()) == {MISSING}
    assert summary(book, cells) == (0, len(rows(book)), "✗ see above")


@pytest.mark.parametrize("name", [PLAIN, DOTTED])
def test_without_the_addin_nothing_is_available(
    books: dict[str, Book], name: str, tmp_path: Path
) -> None:
    book = books[name]
    cells = formualizer_values(book.save(tmp_path / "check.xlsx"))
    assert set(verdicts(book, cells).values()) == {MISSING}
    assert summary(book, cells) == (0, len(rows(book)), "✗ see above")


@pytest.mark.parametrize("name", VARIANTS)
def test_libreoffice_says_not_available(books: dict[str, Book], name: str, tmp_path: Path) -> None:
    """It knows neither LAMBDA names nor, without its extension, our functions."""
    book = books[name]
    cells = ENGINES["libreoffice"](book.save(tmp_path / "check.xlsx"))
    assert set(verdicts(book, cells).values()) == {MISSING}
    assert summary(book, cells) == (0, len(rows(book)), "✗ see above")
