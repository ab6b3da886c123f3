"""One row a function: a live call, the expected value, and a verdict in another cell."""

import textwrap
from collections.abc import Callable
from dataclasses import replace

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.domains import Quantity
from scalesheet.formula import translatable
from scalesheet.registry import REGISTRY, Function, by_category
from scalesheet.surfaces.libreoffice import dotted
from scalesheet_workbooks.examples import examples
from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.sheets import functions
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_CENTER,
    COLUMN_HEADING_LEFT,
    FORMULA,
    GOOD,
    GOOD_PALE,
    LABEL,
    NOTE,
    TEXT_BESIDE,
    TOTAL,
    TOTAL_LABEL,
    Formula,
    Look,
    banner,
    highlight,
    page,
    put,
    widths,
)

VERSION = "1.0.0"
TITLE = "Function check"
NAME, COLUMNS = "FunctionCheck", 6
TOLERANCE = "1E-12"
DIGITS, SCIENTIFIC_DIGITS = "[>=100000]#,##0.0000;#,##0.000000000", "0.000000000E+00"
CALL_WIDTH, CALL_LETTERS = 53.5, 60
"""The width of the column of calls, and how many letters a line of it holds."""
LINE_HEIGHT, HEAD_HEIGHT, GAP_HEIGHT = 12.7, 16.0, 6.0
NO_LAMBDA = "Not listed: functions that no LAMBDA can hold; they need an add-in."
NO_ONE_VALUE = (
    "Not listed: what gives a table or a text, and prices that your own price list may change."
)
CALL = replace(TEXT_BESIDE, wrap=True)
VERDICT = Look(bold=True, align="center")


def write_native(book: Workbook, study: Study) -> None:
    """The check of the LAMBDA names that the workbook itself carries."""
    context = Context(book, replace(study, title=TITLE), Layout(1), f"function_check {VERSION}")
    _write(
        context,
        translatable(),
        "Calls the LAMBDA names of this workbook: Excel for Microsoft 365, Excel for the web",
        NO_LAMBDA,
    )
    functions.add_names(context)


def write_plain(book: Workbook, study: Study) -> None:
    """The check of an installed add-in: the same calls and no names in the workbook."""
    version = f"function_check_addin {VERSION}"
    context = Context(book, replace(study, title=TITLE), Layout(1), version)
    purpose = "Calls the functions of the installed scalesheet add-in"
    _write(context, checkable(), purpose, NO_ONE_VALUE)


def write_libreoffice(book: Workbook, study: Study) -> None:
    """The check of the LibreOffice add-in, by full names: version 7.4 finds no others in a file."""
    version = f"function_check_libreoffice {VERSION}"
    context = Context(book, replace(study, title=TITLE), Layout(1), version)
    purpose = "Calls the scalesheet add-in of LibreOffice Calc"
    _write(context, checkable(), purpose, NO_ONE_VALUE, dotted)


def checkable() -> list[Function]:
    """The functions that give one number, and the same one on every computer.

    What a provider asks is not: a user's own price list counts before the catalog.
    """
    return [
        record
        for record in REGISTRY.values()
        if isinstance(record.result, Quantity)
        and all(parameter.name != "provider" for parameter in record.parameters)
    ]


def _write(
    context: Context,
    records: list[Function],
    purpose: str,
    not_listed: str,
    stored_name: Callable[[str], str] = str,
) -> None:
    ws = context.book.create_sheet(NAME)
    widths(ws, [2, 24, CALL_WIDTH, 17, 17, 14.5])
    banner(ws, TITLE, purpose, COLUMNS, badge=0)
    put(ws, "B3", not_listed, NOTE)
    put(ws, "B4", "Function", COLUMN_HEADING_LEFT)
    put(ws, "C4", "Call", COLUMN_HEADING_LEFT)
    for column, text in (("D", "Value"), ("E", "Expected")):
        put(ws, f"{column}4", text, COLUMN_HEADING)
    put(ws, "F4", "Verdict", COLUMN_HEADING_CENTER)
    for row in (3, 4):
        ws.row_dimensions[row].height = HEAD_HEIGHT
    in_order = [record for _, members in by_category(records) for record in members]
    for row, record in enumerate(in_order, 5):
        _write_row(ws, row, record, stored_name(record.name))
    row = 4 + len(in_order)
    last = row + 2
    ws.row_dimensions[row + 1].height = GAP_HEIGHT
    ws.row_dimensions[last].height = HEAD_HEIGHT
    _write_summary(ws, last, row)
    highlight(ws, f"F5:F{last}", 'LEFT(F5,1)="✓"', GOOD, GOOD_PALE, True)
    highlight(ws, f"F5:F{last}", 'LEFT(F5,1)="✗"', BAD, BAD_PALE, True)
    ws.freeze_panes = "A5"
    page(ws, COLUMNS, last, landscape=False, header=context.header)


def _write_row(ws: Worksheet, row: int, record: Function, stored_name: str) -> None:
    example = examples(record)[0]
    expected = record.one(*example.arguments)
    call = Formula(stored_name + example.text.removeprefix(record.name))
    put(ws, f"B{row}", record.name, LABEL)
    text = "=" + example.text
    put(ws, f"C{row}", text, CALL)
    # Long calls break between arguments: a line of their height for each.
    ws.row_dimensions[row].height = LINE_HEIGHT * len(textwrap.wrap(text, CALL_LETTERS))
    digits = SCIENTIFIC_DIGITS if "E" in record.result.number_format else DIGITS
    put(ws, f"D{row}", call, FORMULA, digits)
    put(ws, f"E{row}", expected, FORMULA, digits)
    same = f"ABS(D{row}-E{row})<={TOLERANCE}*MAX(ABS(D{row}),ABS(E{row}))"
    verdict = (
        f'IF(ISNUMBER(D{row}),IF({same},"✓ works","✗ wrong value"),"✗ not available")&T(NOW())'
    )
    put(ws, f"F{row}", Formula(verdict), VERDICT)


def _write_summary(ws: Worksheet, row: int, last: int) -> None:
    put(ws, f"B{row}", "Verdict", TOTAL_LABEL)
    put(ws, f"C{row}", "Functions that work, of those listed", TOTAL_LABEL)
    put(ws, f"D{row}", Formula(f'COUNTIF(F5:F{last},"✓*")'), TOTAL, "0")
    put(ws, f"E{row}", Formula(f'D{row}+COUNTIF(F5:F{last},"✗*")'), TOTAL, "0")
    text = f'IF(D{row}=E{row},"✓ all work","✗ see above")'
    put(ws, f"F{row}", Formula(text), VERDICT)
