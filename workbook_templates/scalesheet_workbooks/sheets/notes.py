"""The Notes sheet: what the public calculators say and what this workbook holds of it."""

from scalesheet_workbooks.claims import CLAIMS
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.styles import (
    HEADING,
    TEXT,
    TEXT_QUIET,
    Look,
    banner,
    dress,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Notes", 6
CHARACTERS = 1.2
"""Characters of running text in a unit of column width."""
VERDICT = Look(bold=True, wrap=True, vertical="top")
LINE_HEIGHT, SAYS_WIDTH, OURS_WIDTH, BADGE_WIDTH = 13.0, 48, 58, 15


def write(context: Context) -> None:
    """One row a statement; corrected ones come first."""
    ws = context.book[NAME]
    widths(ws, [2, 17, SAYS_WIDTH, 10, OURS_WIDTH, BADGE_WIDTH])
    banner(
        ws,
        NAME,
        "Two public calculators stand behind this template; where they are wrong, and why",
        COLUMNS,
        badge=1,
    )
    row = 4
    section_title(ws, row, "Source", COLUMNS)
    for column, text in (("C", "It says"), ("D", "Here"), ("E", "What this workbook does")):
        put(ws, f"{column}{row}", text, HEADING)
    for claim in CLAIMS:
        row += 1
        put(ws, f"B{row}", claim.source, TEXT_QUIET)
        put(ws, f"C{row}", claim.says, TEXT)
        put(ws, f"D{row}", claim.verdict, VERDICT)
        put(ws, f"E{row}", claim.ours, TEXT)
        dress(ws[f"F{row}"], TEXT)
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
