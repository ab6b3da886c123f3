"""The Questions sheet: what finance asks, the answer in figures, and where it stands."""

import re
from dataclasses import replace

from scalesheet_workbooks.proposal_statement_rows import STATEMENTS
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.sensitivity import RANK
from scalesheet_workbooks.spec import NOT_GIVEN
from scalesheet_workbooks.styles import (
    COLUMN_HEADING_LEFT,
    FORMULA,
    LABEL,
    LINK,
    TEXT_BESIDE,
    Formula,
    banner,
    dress,
    link,
    page,
    put,
    widths,
)
from scalesheet_workbooks.templates.cluster_proposal_questions import QUESTIONS

NAME, MASTER, ROW_POINTS = "Questions", "chk_master", 15.0
ELSEWHERE = {
    "in.scope": "Cover",
    "in.exclusion": "Cover",
    "in.sign": "Cover",
    "in.contingency_": "Cover",
    "in.cost_centre": "Cover",
    "in.approver": "Cover",
    "sens": "Sensitivity",
    "mon": "Monthly",
    "log": "Log",
    "offer": "Offers",
}
"""Sheets of the rows that stand in no layout."""
FIELD = re.compile(r"\{([a-z_0-9.]+)(?::([a-z0-9%]+))?\}")
RANKED = {
    f"sens.{word}": f"Sensitivity!$C${RANK + place}"
    for place, word in enumerate(("first", "second", "third"))
}
STATED = frozenset(entry.id for entry in STATEMENTS)


def write(context: Context) -> None:
    """A row a question; answers follow the figures of the scenario that is shown."""
    ws, columns = context.book[NAME], 8
    widths(ws, [2.0, 4.5, 37.0, 53.0, 12.0, 6.0, 46.0, 16.0])
    banner(
        ws,
        "Questions that finance asks",
        "Answers are of the scenario proposed and live; ids stand in column B of their sheets",
        columns,
        badge=1,
    )
    section_title(ws, 4, "No.", columns)
    heads = ("Question", "Answer", "Sheet", "Page", "Rows")
    for column, text in zip("CDEFG", heads, strict=True):
        put(ws, f"{column}4", text, COLUMN_HEADING_LEFT)
    for row, question in enumerate(QUESTIONS, 5):
        put(ws, f"B{row}", row - 4, replace(LABEL, align="left"), "0")
        put(ws, f"C{row}", question.asks, LABEL)
        answer = Formula(answer_text(context, question.answer))
        put(ws, f"D{row}", answer, replace(FORMULA, align="left"))
        sheet, target = home(context, question.ids[0])
        put(ws, f"E{row}", sheet, LINK)
        link(ws, f"E{row}", sheet, target)
        put(
            ws,
            f"F{row}",
            context.book.sheetnames.index(sheet) + 1,
            replace(LABEL, align="left"),
            "0",
        )
        dress(ws[f"H{row}"], LABEL)
        put(ws, f"G{row}", ", ".join(question.ids), replace(TEXT_BESIDE, indent=0))
    ws.freeze_panes = "A4"
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = ROW_POINTS, True
    page(ws, columns, 4 + len(QUESTIONS), landscape=True, header=context.header)


def home(context: Context, line_id: str) -> tuple[str, str]:
    """The sheet of a row, and the cell to go to."""
    if line_id in context.layout.rows:
        sheet, row = context.layout.rows[line_id]
        return sheet, f"B{row}"
    return next(sheet for head, sheet in ELSEWHERE.items() if line_id.startswith(head)), "A1"


def answer_text(context: Context, answer: str) -> str:
    """The formula of an answer; ``{cmp.total:m}`` is a figure in millions, see ``_field``."""
    parts, end = [], 0
    answer = answer.replace("{currency}", context.study.currency)
    for found in FIELD.finditer(answer):
        parts.append(f'"{answer[end : found.start()]}"')
        parts.append(_field(context, found[1], found[2] or ""))
        end = found.end()
    parts.append(f'"{answer[end:]}"')
    return "&".join(part for part in parts if part != '""')


def _field(context: Context, line_id: str, style: str) -> str:
    """A figure in words: as it is, in millions (m), as millions alone (n),
    in percent (%), as a text, or to so many decimals."""
    at = _cell(context, line_id)
    if not style:
        return at
    if style == "text":
        return f'IF(ISTEXT({at}),{at},"{NOT_GIVEN}")'
    rounded = {
        "m": f'"{context.study.currency} "&ROUND(N({at})/10^6,2)&" million"',
        "n": f"ROUND(N({at})/10^6,2)",
        "%": f'ROUND(100*N({at}),1)&" %"',
    }.get(style, f"ROUND(N({at}),{style})")
    return f'IF(ISNUMBER({at}),{rounded},"{NOT_GIVEN}")'


def _cell(context: Context, line_id: str) -> str:
    """A reference to a figure of the scenario shown, or to what is said once."""
    layout = context.layout
    if line_id == MASTER:
        return MASTER
    if line_id in RANKED:
        return RANKED[line_id]
    if line_id.startswith("chk."):
        return layout.cell(line_id, "E", NAME)
    if line_id in STATED:
        return layout.cell(f"first.{line_id}", "", NAME)
    return live_formula(context, line_id, NAME)[1:]
