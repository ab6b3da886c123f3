"""The References sheet: sources and owners too long for their column, in full, with a number.

What stands beside a row is then the number, so that nothing that is printed is cut.
"""

import math
from dataclasses import dataclass, replace

from openpyxl.worksheet.datavalidation import DataValidation

from scalesheet_workbooks.proposal_inputs import PROPOSAL_INPUTS
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.styles import (
    COLUMN_HEADING_LEFT,
    ID,
    INPUT,
    LABEL,
    NOTE,
    banner,
    dress,
    page,
    put,
    widths,
)

NAME, COLUMNS, ROWS, FIRST = "References", 4, 22, 6
TEXT_WIDTH, LETTERS = 124.0, 1.1
"""The width of the texts, and how many letters a unit of width holds at least."""
LINE, LEAST_LINES = 13.1, 2
NEEDS = "Quotes, contracts, reports: title, number, day, page, address. Owners: name and function"
TEXT = replace(INPUT, align="left", wrap=True)


def fits(text: str, width: float) -> bool:
    """Whether a text can be read in a column of that width."""
    return len(text) <= width * LETTERS


@dataclass(frozen=True, slots=True)
class Room:
    """The widths of the columns of sources and of owners beside the inputs."""

    source: float
    owner: float


def texts(context: Context, room: Room) -> list[str]:
    """The sources, then the owners, that do not fit their column, as many as have a row."""
    named = [context.source(entry) for entry in PROPOSAL_INPUTS]
    long = [one.source for one in named if not fits(one.source, room.source)]
    long += [one.owner for one in named if not fits(one.owner, room.owner)]
    return list(dict.fromkeys(long))[:ROWS]


def shown(context: Context, text: str, width: float, room: Room) -> str:
    """What stands beside a row: the text, or its number where its column is too narrow."""
    if fits(text, width):
        return text
    long = texts(context, room)
    return f"{NAME} {1 + long.index(text)}" if text in long else text


def write(context: Context, room: Room) -> None:
    """A row for each source or owner that is too long for its column."""
    ws = context.book[NAME]
    widths(ws, [2.0, 12.0, TEXT_WIDTH, 16.0])
    purpose = "Sources and owners too long for their column; their number stands in its place"
    banner(ws, NAME, purpose, COLUMNS, badge=1)
    for column, text in (("B", "Id"), ("C", "Source or owner in full")):
        put(ws, f"{column}{FIRST - 1}", text, COLUMN_HEADING_LEFT)
    dress(ws[f"D{FIRST - 1}"], COLUMN_HEADING_LEFT)
    put(ws, "B4", NEEDS, NOTE)
    long = texts(context, room)
    for number in range(1, ROWS + 1):
        row = FIRST + number - 1
        source = long[number - 1] if number <= len(long) else ""
        put(ws, f"B{row}", f"ref.{number}", ID)
        put(ws, f"C{row}", source or None, TEXT, "@")
        dress(ws[f"D{row}"], LABEL)
        lines = math.ceil(len(source) / (TEXT_WIDTH * LETTERS))
        ws.row_dimensions[row].height = LINE * max(lines, LEAST_LINES)
    rule = DataValidation("textLength", operator="between", formula1="0", formula2="300")
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = "Source"
    rule.error = rule.prompt = "A text of at most 300 characters; its number goes beside the row."
    rule.add(f"C{FIRST}:C{FIRST + ROWS - 1}")
    ws.add_data_validation(rule)
    ws.freeze_panes = f"C{FIRST}"
    page(ws, COLUMNS, FIRST + ROWS - 1, landscape=True, header=context.header)
