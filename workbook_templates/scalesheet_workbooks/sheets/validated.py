"""Rules for typing, with what they say: beside an input, and when it is refused."""

from collections.abc import Iterable

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

TITLE, TEXT = 31, 225
"""The most letters that a spreadsheet program takes."""


def explain(rule: DataValidation, title: str, text: str) -> None:
    """What a rule says, before and after."""
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = title[:TITLE]
    rule.error = rule.prompt = text[:TEXT]


def validate(
    ws: Worksheet, rule: DataValidation, cells: Iterable[str], title: str, text: str
) -> None:
    """A rule on some cells."""
    explain(rule, title, text)
    for cell in cells:
        rule.add(cell)
    ws.add_data_validation(rule)


def validate_texts(ws: Worksheet, cells: Iterable[str], title: str) -> None:
    """Cells that take a text."""
    rule = DataValidation("textLength", operator="between", formula1="0", formula2="300")
    validate(ws, rule, cells, title, "A text of at most 300 characters.")
