"""Notes on the public calculators, a sheet each: what it says and what this workbook does."""

from dataclasses import replace

from scalesheet_workbooks.claims import CLAIMS, COST, EFFICIENCY
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.styles import (
    HEADING,
    TEXT,
    Look,
    banner,
    dress,
    page,
    put,
    widths,
)

SHEETS = {"Notes": COST, "ScalingNotes": EFFICIENCY}
"""The sheets, and the calculator that each is about."""
COLUMNS = 5
CHARACTERS = 1.2
"""Characters of running text in a unit of column width."""
VERDICT = Look(bold=True, wrap=True, vertical="top", align="left", indent=1)
LINE_HEIGHT, SAYS_WIDTH, OURS_WIDTH, VERDICT_WIDTH = 13.0, 41, 54, 15


def write(context: Context, name: str) -> None:
    """One row a statement; corrected ones come first."""
    ws, source = context.book[name], SHEETS[name]
    widths(ws, [2, SAYS_WIDTH, 2, OURS_WIDTH, VERDICT_WIDTH])
    purpose = "A public calculator behind this template: what holds, what does not, and why"
    banner(ws, f"Notes on the {source}", purpose, COLUMNS, badge=1)
    row = 4
    section_title(ws, row, "It says", COLUMNS)
    put(ws, f"D{row}", "What this workbook does", HEADING)
    put(ws, f"E{row}", "Here", replace(HEADING, align="left", indent=1))
    for claim in (claim for claim in CLAIMS if claim.source == source):
        row += 1
        put(ws, f"B{row}", claim.says, TEXT)
        dress(ws[f"C{row}"], TEXT)
        put(ws, f"D{row}", claim.ours, TEXT)
        put(ws, f"E{row}", claim.verdict, VERDICT)
        lines = max(_lines(claim.says, SAYS_WIDTH), _lines(claim.ours, OURS_WIDTH))
        ws.row_dimensions[row].height = LINE_HEIGHT * lines + 4
    ws.freeze_panes = "A5"
    page(ws, COLUMNS, row, landscape=False, header=context.header)


def _lines(text: str, width: float) -> int:
    """Lines that a text takes in a column, words kept whole."""
    lines, used = 1, 0
    for word in text.split():
        if used and used + len(word) > width * CHARACTERS:
            lines, used = lines + 1, 0
        used += len(word) + 1
    return lines
