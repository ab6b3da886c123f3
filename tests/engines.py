"""Spreadsheet engines behind one interface: a workbook file in, recomputed cells out."""

import datetime
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import formualizer
import formulon
import ironcalc
import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

from rendering import convert
from scalesheet.errors import CellError

Cell = float | str | bool | None | CellError
"""What a cell holds; a date is its serial number, None is blank."""

Cells = dict[tuple[str, str], Cell]
"""All cells that are not blank, by sheet title and address such as ("Inputs", "B7")."""

FORMULA_SHEET = "F"
DATA_SHEET = "D"

FORMUALIZER_ERRORS = {"Div": "#DIV/0!", "Na": "#N/A", "Name": "#NAME?", "NImpl": "#N/IMPL!"}


def _address(row: int, column: int) -> str:
    """The address of a cell counted from one."""
    return f"{get_column_letter(column)}{row}"


def _plain(value: Any) -> Cell:
    """A value as every engine would give it: numbers as float, dates as serial numbers."""
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return float(to_excel(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if value is None or isinstance(value, bool | str):
        return value
    raise TypeError(f"no cell value: {value!r}")


def _from_formulon(value: formulon.Value) -> Cell:
    if value.kind is formulon.ValueKind.ERROR:
        assert value.error_code is not None
        return CellError(formulon.error_display_name(value.error_code))
    return _plain(value.to_python())


def formulon_values(xlsx: Path) -> Cells:
    """The cells as formulon computes them."""
    with formulon.Workbook.load(xlsx.read_bytes()) as workbook:
        workbook.recalc()
        return {
            (workbook.sheet_name(sheet), _address(cell.row + 1, cell.col + 1)): value
            for sheet in range(workbook.sheet_count())
            for cell in workbook.iter_cells(sheet)
            if (value := _from_formulon(cell.value)) is not None
        }


def ironcalc_values(xlsx: Path) -> Cells:
    """The cells as IronCalc computes them."""
    model = ironcalc.load_from_xlsx(str(xlsx))
    model.evaluate()
    return ironcalc_cells(model)


def ironcalc_cells(model: Any) -> Cells:
    """The cells of a workbook that is open in IronCalc."""
    titles = [sheet["name"] for sheet in model.get_worksheets_properties()]
    values: Cells = {}
    for sheet, row, column in model.get_all_cells():
        value = _plain(model.get_cell_value(sheet, row, column))
        # An error comes as its text, and so does the text that reads like it.
        if (
            isinstance(value, str)
            and value.startswith("#")
            and model.get_cell_type(sheet, row, column) == ironcalc.CellType.ErrorValue
        ):
            value = CellError(value)
        if value is not None:
            values[titles[sheet], _address(row, column)] = value
    return values


def _from_formualizer(value: Any) -> Cell:
    if isinstance(value, dict):
        kind = value["kind"]
        return CellError(FORMUALIZER_ERRORS.get(kind, f"#{kind.upper()}!"))
    return _plain(value)


def formualizer_values(xlsx: Path) -> Cells:
    """The cells as formualizer computes them; it knows no LAMBDA names."""
    workbook = formualizer.load_workbook(str(xlsx))
    workbook.set_temporal_egress("serial")
    workbook.evaluate_all()
    values: Cells = {}
    for sheet in openpyxl.load_workbook(xlsx).worksheets:
        area = formualizer.RangeAddress(sheet.title, 1, 1, sheet.max_row, sheet.max_column)
        for row, cells in enumerate(workbook.sheet(sheet.title).get_values(area), 1):
            for column, cell in enumerate(cells, 1):
                if (value := _from_formualizer(cell)) is not None:
                    values[sheet.title, _address(row, column)] = value
    return values


def _from_openpyxl(cell: Any) -> Cell:
    if cell.data_type == "e":
        return CellError(cell.value)
    # The empty text of a formula has the type of text and no value.
    if cell.data_type == "str" and cell.value is None:
        return ""
    return _plain(cell.value)


def cached_values(xlsx: Path) -> Cells:
    """The cells as the file stores them, not recomputed."""
    return {
        (sheet.title, cell.coordinate): value
        for sheet in openpyxl.load_workbook(xlsx, data_only=True).worksheets
        for row in sheet.iter_rows()
        for cell in row
        if (value := _from_openpyxl(cell)) is not None
    }


def libreoffice_values(xlsx: Path) -> Cells:
    """The cells as LibreOffice computes them, to the 15 digits that it saves."""
    with tempfile.TemporaryDirectory() as folder:
        return cached_values(convert(xlsx, Path(folder), "xlsx"))


Engine = Callable[[Path], Cells]

ENGINES: dict[str, Engine] = {
    "formulon": formulon_values,
    "ironcalc": ironcalc_values,
    "formualizer": formualizer_values,
    "libreoffice": libreoffice_values,
}

LAMBDA_ENGINES = ("formulon", "ironcalc")
"""The engines that know LAMBDA names."""


def _put(cell: Any, value: Cell) -> None:
    """Write one input so that every engine reads exactly this value."""
    if isinstance(value, CellError):
        cell.value, cell.data_type = value.code, "e"
    elif value == "":
        # A stored empty text reads as blank in some engines.
        cell.value = '=""'
    elif isinstance(value, str):
        cell.value, cell.data_type = value, "s"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise ValueError(f"{cell.coordinate}: a cell cannot hold {value}")
        # openpyxl writes a number with 16 digits, which is not always the same number.
        cell.value, cell.data_type = repr(float(value)), "n"
    else:
        cell.value = value


def _put_formula(cell: Any, formula: str) -> None:
    """Write one formula; braces around it, as in {=SUM(A1:A3*2)}, make it an array formula."""
    if formula.startswith("{=") and formula.endswith("}"):
        cell.value = ArrayFormula(cell.coordinate, formula[1:-1])
    elif formula.startswith("="):
        cell.value = formula
    else:
        raise ValueError(f'a formula starts with "=" or "{{=": {formula}')


def write_workbook(
    xlsx: Path,
    formulas: Sequence[str],
    names: Mapping[str, str] | None = None,
    cells: Mapping[str, Cell] | None = None,
) -> Path:
    """A workbook with the formulas down column A of sheet F and the inputs in sheet D."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = FORMULA_SHEET
    data = workbook.create_sheet(DATA_SHEET)
    for row, formula in enumerate(formulas, 1):
        _put_formula(sheet.cell(row, 1), formula)
    for address, value in (cells or {}).items():
        _put(data[address], value)
    for name, stored_form in (names or {}).items():
        workbook.defined_names[name] = DefinedName(name, attr_text=stored_form)
    workbook.save(xlsx)
    return xlsx


def evaluate(
    engine: str,
    formulas: Sequence[str],
    names: Mapping[str, str] | None = None,
    cells: Mapping[str, Cell] | None = None,
) -> list[Cell]:
    """What an engine computes for each formula, by way of one stored workbook.

    Formulas and names are given in their stored form (``_xlfn.SWITCH``, names without "=");
    inputs are written as ``D!A1`` in the formulas.
    """
    with tempfile.TemporaryDirectory() as folder:
        xlsx = write_workbook(Path(folder) / "formulas.xlsx", formulas, names, cells)
        values = ENGINES[engine](xlsx)
    # A formula never gives a blank: a missing cell is a fault of the harness or the engine.
    return [values[FORMULA_SHEET, f"A{row}"] for row in range(1, len(formulas) + 1)]
