"""The foot of a proposal's Cover: sign-off, contents, legend."""

from collections.abc import Mapping
from dataclasses import replace

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.validated import validate, validate_texts
from scalesheet_workbooks.styles import (
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    IMPORTED,
    INPUT,
    LABEL,
    LINK,
    TEXT_BESIDE,
    TOTAL,
    dress,
    link,
    put,
)

COLUMNS, LETTERS = 9, "BCDEFGHI"
DATE = "yyyy-mm-dd"
SHORT = 11
"""Letters of a sheet's name that leave room for its page; the Guide has all pages."""
ROLES = ("Proposal owner", "Technical lead", "Finance review", "Approval")
TEXT_INPUT = replace(INPUT, align="left")


def sign_off(ws: Worksheet, row: int) -> int:
    """Who signs, when, what was decided and on which conditions; the row after it."""
    section_title(ws, row, "Sign-off", COLUMNS)
    heads = (("C", "Role"), ("D", "Name"), ("F", "Date"), ("G", "Decision"), ("H", "Conditions"))
    for column, text in heads:
        put(ws, f"{column}{row}", text, COLUMN_HEADING_LEFT)
    names, days, picks = [], [], []
    for step, role in enumerate(ROLES, 1):
        at = row + step
        put(ws, f"B{at}", f"in.sign_{step}", ID)
        put(ws, f"C{at}", role, LABEL)
        for first, last in (("D", "E"), ("H", "I")):
            put(ws, f"{first}{at}", None, TEXT_INPUT, "@")
            put(ws, f"{last}{at}", None, replace(TEXT_INPUT, unlocked=False))
            ws.merge_cells(f"{first}{at}:{last}{at}")
            names.append(f"{first}{at}")
        put(ws, f"F{at}", None, TEXT_INPUT, DATE)
        put(ws, f"G{at}", None, TEXT_INPUT, "@")
        days.append(f"F{at}")
        picks.append(f"G{at}")
    validate_texts(ws, names, "Sign-off")
    validate(
        ws,
        DataValidation("date", operator="between", formula1="36526", formula2="73050"),
        days,
        "Date",
        "A date from 2000 to 2099.",
    )
    validate(
        ws,
        DataValidation("list", formula1="lst_decisions"),
        picks,
        "Decision",
        "One of the decisions of the list.",
    )
    return row + len(ROLES) + 2


def contents(ws: Worksheet, contents: Mapping[str, str], row: int) -> int:
    """Links to every sheet, over all columns."""
    section_title(ws, row, "Contents, with pages (Guide says what each sheet is for)", COLUMNS)
    names = list(contents)
    down = -(-len(names) // len(LETTERS))
    for place_, name in enumerate(names):
        column, at = LETTERS[place_ // down], row + 1 + place_ % down
        text = f"{name}, {place_ + 2}" if len(name) <= SHORT else name
        put(ws, f"{column}{at}", text, LINK)
        link(ws, f"{column}{at}", name, "A1")
    for step in range(1, down + 1):
        for column in LETTERS:
            if ws[f"{column}{row + step}"].value is None:
                dress(ws[f"{column}{row + step}"], LABEL)
    return row + down + 2


def legend(ws: Worksheet, row: int) -> int:
    """What the looks of cells mean; its last row."""
    section_title(ws, row, "Legend", COLUMNS)
    samples = (
        ("B", "To fill", replace(INPUT, unlocked=False, align="left")),
        ("C", "Link", replace(IMPORTED, align="left")),
        ("D", "Calculation", replace(FORMULA, align="left")),
        ("E", "Result", replace(TOTAL, align="left")),
        ("F", "–  none, or not given", replace(FORMULA, align="left")),
        ("H", "Sheets are protected, no password", TEXT_BESIDE),
    )
    for column in LETTERS:
        dress(ws[f"{column}{row + 1}"], LABEL)
    for column, text, look in samples:
        put(ws, f"{column}{row + 1}", text, look)
    return row + 1
