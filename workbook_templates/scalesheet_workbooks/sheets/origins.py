"""Who answers for each assumption, its source, its day, and how sure it is.

Beside the values, or with many scenarios on a sheet of its own for each sheet of inputs.
"""

import datetime
from collections.abc import Sequence
from dataclasses import replace

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.layout import HEADER_ROW, INPUT_ID, SOURCES_ID
from scalesheet_workbooks.sheets import references
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.validated import explain
from scalesheet_workbooks.styles import (
    COLUMN_HEADING_LEFT,
    ID,
    INPUT,
    LABEL,
    banner,
    fill_page,
    page,
    put,
    widths,
)

BESIDE_VALUES = 4
"""Up to so many scenarios the provenance stands beside the values."""
ORIGIN = (("Owner", 12.5), ("Source", 16.0), ("As of", 9.7), ("How sure", 7.5))
ORIGIN_FAR = (("Owner", 26.0), ("Source", 46.0), ("As of", 12.0), ("How sure", 12.0))
INPUT_TEXT = replace(INPUT, align="left")
DATE = "yyyy-mm-dd"


def is_beside(context: Context) -> bool:
    """Whether the provenance has room beside the values."""
    return context.layout.scenarios <= BESIDE_VALUES


def room(context: Context) -> references.Room:
    """The widths of the columns of sources and owners."""
    heads = dict(ORIGIN if is_beside(context) else ORIGIN_FAR)
    return references.Room(heads["Source"], heads["Owner"])


def origin_sheet(context: Context, name: str) -> str:
    """The sheet on which the provenance of a sheet of inputs stands."""
    return name if is_beside(context) else f"{name}Sources"


def origin_columns(
    ws: Worksheet,
    context: Context,
    name: str,
    entries: Sequence[Input],
    first: int,
    heads: Sequence[tuple[str, float]],
) -> None:
    """Owner, source, as-of date and confidence of each row, to fill."""
    letters = [get_column_letter(first + step) for step in range(len(heads))]
    for letter, (text, _) in zip(letters, heads, strict=True):
        put(ws, f"{letter}{HEADER_ROW}", text, COLUMN_HEADING_LEFT)
    rows = [context.layout.rows[entry.id][1] for entry in entries]
    for entry, row in zip(entries, rows, strict=True):
        source = context.source(entry)
        owner, text = (
            references.shown(context, text, width, room(context))
            for text, width in ((source.owner, heads[0][1]), (source.source, heads[1][1]))
        )
        shown = (owner, text, source.as_of, source.confidence)
        for letter, value in zip(letters, shown, strict=True):
            put(ws, f"{letter}{row}", value or None, INPUT_TEXT, "@" if value else None)
            if isinstance(value, datetime.date) or letter == letters[2]:
                ws[f"{letter}{row}"].number_format = DATE
    _validate_origin(ws, letters, rows)


def _validate_origin(ws: Worksheet, letters: Sequence[str], rows: Sequence[int]) -> None:
    texts = DataValidation("textLength", operator="between", formula1="1", formula2="300")
    words = (
        "Who answers for it, where it is from; what is too long stands on References: its number."
    )
    explain(texts, "Owner and source", words)
    days = DataValidation("date", operator="between", formula1="36526", formula2="73050")
    explain(days, "As of", "The day of the source: a date from 2000 to 2099.")
    picks = DataValidation("list", formula1="lst_confidences")
    explain(picks, "Confidence", "high: contract; medium: quote or list; low: estimate.")
    for rule, columns in ((texts, letters[:2]), (days, letters[2:3]), (picks, letters[3:])):
        for letter in columns:
            for row in rows:
                rule.add(f"{letter}{row}")
        ws.add_data_validation(rule)


def write(context: Context, name: str, entries: Sequence[Input]) -> None:
    """Who, whence, when and how sure, on a sheet of its own with the rows of its inputs."""
    home = origin_sheet(context, name)
    ws, layout = context.book[home], context.layout
    last = 3 + len(ORIGIN_FAR)
    widths(ws, [2.0, 24.0, 40.0, *[width for _, width in ORIGIN_FAR]])
    banner(ws, f"Sources of {name}", "Who answers for each assumption, and its source", last)
    put(ws, f"B{HEADER_ROW}", "Id of the row", COLUMN_HEADING_LEFT)
    put(ws, f"C{HEADER_ROW}", "Assumption", COLUMN_HEADING_LEFT)
    for row, title in layout.titles[name]:
        section_title(ws, row, title, last)
    for entry in entries:
        row = layout.rows[entry.id][1]
        put(ws, f"B{row}", SOURCES_ID + entry.id.removeprefix(INPUT_ID), ID)
        put(ws, f"C{row}", entry.label or "Exchange rate", LABEL)
    origin_columns(ws, context, name, entries, 4, ORIGIN_FAR)
    ws.freeze_panes = f"D{HEADER_ROW + 1}"
    fill_page(ws, layout.last_row[name] - HEADER_ROW, landscape=True)
    page(ws, last, layout.last_row[name], landscape=True, header=context.header)
