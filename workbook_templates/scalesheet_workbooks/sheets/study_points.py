"""The Points sheet: the inputs of a scaling study and the measured points."""

from dataclasses import replace
from textwrap import shorten, wrap

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import FIRST_ROW, HEADER_ROW
from scalesheet_workbooks.scaling_inputs import (
    INPUTS,
    MOST_LETTERS,
    MOST_POINT_LETTERS,
    POINT_LIMITS,
    POINT_ROWS,
    POINTS,
    StudyInputs,
)
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.sheets.inputs import LIMIT, add_validation, write_limits
from scalesheet_workbooks.sheets.study_blocks import HEADING_HEIGHT
from scalesheet_workbooks.sheets.study_table import TYPED, Column, Places, Table
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_CENTER,
    COLUMN_HEADING_LEFT,
    ID,
    INPUT,
    LABEL,
    MARK,
    NOTE,
    UNIT,
    Formula,
    banner,
    dress,
    fill_page,
    fitting,
    highlight,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Points", 9
LOW, HIGH, IN_RANGE, SOURCE = "F", "G", "H", "I"
"""Columns of the limits, the mark and the source of an input; points have theirs below them."""
SOURCE_LOOK = replace(INPUT, align="left", indent=1, wrap=True)
POINT_SOURCE_LOOK = replace(SOURCE_LOOK, wrap=False)
SOURCE_LETTERS, LINE_HEIGHT = 30, 13.0
TITLE = "Measured points: paste nodes, GPUs per node, total throughput of the whole run"
TABLE = Table(
    TITLE,
    POINT_ROWS,
    tuple(Column(column_id, "", "", kind=TYPED) for column_id in ("in.row", *POINT_LIMITS)),
)
HEADINGS = ("Nodes", "GPUs per node", "Throughput, total", "In range", "Where it is from")
NOTE_TEXT = (
    "A size may stand more than once; empty rows are left out. Totals, never per GPU; "
    "the same batch per GPU, software and node type in all rows."
)


def place(places: Places) -> None:
    """Rows for the inputs, then the points below the row of their limits."""
    row = FIRST_ROW
    section = ""
    for entry in INPUTS:
        if section and entry.section != section:
            row += 2
        section = entry.section
        row += 1
        places.place_entry(entry.id, NAME, f"$E${row}")
    marks = f"${IN_RANGE}${FIRST_ROW + 1}:${IN_RANGE}${row}"
    places.layout.fixed["in.marks"] = f"{NAME}!{marks}"
    places.title_rows[NAME, TITLE] = row + 2
    first = row + 7
    places.place_table(NAME, TABLE, first)
    places.layout.fixed["in.point_marks"] = (
        f"{NAME}!${IN_RANGE}${first}:${IN_RANGE}${first + POINTS - 1}"
    )
    places.last_row[NAME] = first + POINTS - 1


def write(context: Context, places: Places, given: StudyInputs) -> None:
    """The sheet: yellow cells to fill, limits, marks, and where each figure is from."""
    ws = context.book[NAME]
    widths(ws, [2, 16, 31, 10, 13, 8.5, 12, 8, 31])
    banner(ws, "Points and inputs", "Fill or paste into the yellow cells", COLUMNS)
    _head(ws)
    section = ""
    for entry in INPUTS:
        row = int(places.entries[entry.id][1].rpartition("$")[2])
        if entry.section != section:
            section_title(ws, row - 1, entry.section, COLUMNS)
            section = entry.section
        put(ws, f"B{row}", entry.id, ID)
        put(ws, f"C{row}", entry.label, LABEL)
        put(ws, f"D{row}", context.unit(entry.domain.unit), UNIT)
        value = given.values.get(entry.id)
        value = float(value) if isinstance(value, int | float) else value
        look = replace(INPUT, wrap=isinstance(value, str))
        put(ws, f"E{row}", value, look, fitting(entry.domain.number_format))
        for column in (LOW, HIGH):
            dress(ws[f"{column}{row}"], LIMIT)
        write_limits(ws, entry, row, (LOW, HIGH, IN_RANGE), ("E", "E"))
        add_validation(ws, entry, row, "E", "E")
        _source(ws, row, given.sources.get(entry.id))
        _validate_text(ws, f"{SOURCE}{row}", f"Source: {entry.label}")
    _points(ws, places, given)
    last = places.last_row[NAME]
    for marks in ("in.marks", "in.point_marks"):
        cells = context.layout.span(marks, NAME)
        first = cells.replace("$", "").partition(":")[0]
        highlight(ws, cells, f'{first}="✗"', BAD, BAD_PALE, True)
    # Sources of two lines take more of the page.
    heights = [ws.row_dimensions[row].height or 0 for row in range(FIRST_ROW, last + 1)]
    fill_page(ws, last - HEADER_ROW, landscape=False, taken=100 + sum(heights))
    page(ws, COLUMNS, last, landscape=False, header=context.header)


def _head(ws: Worksheet) -> None:
    for column, text in zip("BCD", ("Id", "Input", "Unit"), strict=True):
        put(ws, f"{column}{HEADER_ROW}", text, COLUMN_HEADING_LEFT)
    for column, text in (("E", "Value"), (LOW, "Min"), (HIGH, "Max")):
        put(ws, f"{column}{HEADER_ROW}", text, COLUMN_HEADING)
    put(ws, f"{IN_RANGE}{HEADER_ROW}", "In range", COLUMN_HEADING_CENTER)
    _left(ws, f"{SOURCE}{HEADER_ROW}", "Where it is from")
    ws.freeze_panes = f"A{HEADER_ROW + 1}"


def _left(ws: Worksheet, place: str, text: str) -> None:
    put(ws, place, text, replace(COLUMN_HEADING_LEFT, align="left", indent=1))


def _points(ws: Worksheet, places: Places, given: StudyInputs) -> None:
    top = places.title_rows[NAME, TITLE]
    section_title(ws, top, TITLE, COLUMNS)
    put(ws, f"B{top + 1}", NOTE_TEXT, NOTE)
    head = top + 2
    ws.row_dimensions[head].height = HEADING_HEIGHT
    put(ws, f"B{head}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{head}", "Line", COLUMN_HEADING_LEFT)
    put(ws, f"D{head}", "Unit", COLUMN_HEADING_LEFT)
    for column, text in zip("EFG", HEADINGS, strict=False):
        put(ws, f"{column}{head}", text, COLUMN_HEADING)
    put(ws, f"{IN_RANGE}{head}", HEADINGS[3], COLUMN_HEADING_CENTER)
    _left(ws, f"{SOURCE}{head}", HEADINGS[4])
    low, high = head + 1, head + 2
    for letter, quantity in zip("EFG", POINT_LIMITS.values(), strict=True):
        put(ws, f"{letter}{low}", 0.0, LIMIT, "0")
        put(ws, f"{letter}{high}", quantity.high, LIMIT, "0E+0")
    for row, label in ((low, "Above"), (high, "At most")):
        put(ws, f"C{row}", label, LABEL)
        put(ws, f"D{row}", "limit", UNIT)
        for letter in ("B", IN_RANGE, SOURCE):
            dress(ws[f"{letter}{row}"], LABEL)
    rows = places.rows["in.nodes"]
    for number, (key, label) in enumerate(POINT_ROWS):
        row = rows[key]
        point = given.points[number] if number < len(given.points) else None
        put(ws, f"B{row}", f"in.{key}", ID)
        put(ws, f"C{row}", label, LABEL)
        put(ws, f"D{row}", "units/s", UNIT)
        cells = (
            (point.nodes, point.gpus_per_node, point.throughput) if point else (None, None, None)
        )
        for letter, value, quantity in zip("EFG", cells, POINT_LIMITS.values(), strict=True):
            number_format = "[<1000]#,##0.00;#,##0" if letter == "G" else quantity.number_format
            put(ws, f"{letter}{row}", value, INPUT, number_format)
        put(ws, f"{IN_RANGE}{row}", Formula(_mark(row, low, high)), MARK)
        source = shorten(point.source, MOST_POINT_LETTERS, placeholder=" …") if point else None
        put(ws, f"{SOURCE}{row}", source or None, POINT_SOURCE_LOOK, "@")
    _validate_points(ws, rows[POINT_ROWS[0][0]], rows[POINT_ROWS[-1][0]])


def _source(ws: Worksheet, row: int, text: str | None) -> None:
    """Where an input is from, as high as its lines."""
    shown = shorten(text or "", MOST_LETTERS, placeholder=" …")
    put(ws, f"{SOURCE}{row}", shown or None, SOURCE_LOOK, "@")
    lines = len(wrap(shown, SOURCE_LETTERS))
    if lines > 1:
        ws.row_dimensions[row].height = LINE_HEIGHT * lines + 3


def _mark(row: int, low: int, high: int) -> str:
    """A mark: every filled cell of a point is a number within its limits."""
    cells = f"E{row}:G{row}"
    inside = f"SUMPRODUCT(({cells}>E${low}:G${low})*({cells}<=E${high}:G${high}))"
    return f'IF({inside}=COUNTA({cells}),"✓","✗")'


def _validate_points(ws: Worksheet, first: int, last: int) -> None:
    for letter, heading, quantity in zip("EFG", HEADINGS, POINT_LIMITS.values(), strict=False):
        cells = f"{letter}{first}:{letter}{last}"
        if quantity.low_open:
            cell = f"{letter}{first}"
            rule = DataValidation(
                "custom", formula1=f"AND(ISNUMBER({cell}),{cell}>0,{cell}<={quantity.high:.0f})"
            )
        else:
            rule = DataValidation(
                "whole",
                operator="between",
                formula1=f"{quantity.low:.0f}",
                formula2=f"{quantity.high:.0f}",
            )
        rule.allow_blank = True
        rule.showErrorMessage = rule.showInputMessage = True
        rule.errorTitle = rule.promptTitle = heading
        rule.error = f"Enter {quantity.rule}."
        rule.prompt = f"{quantity.words}: {quantity.rule}"[:255]
        rule.add(cells)
        ws.add_data_validation(rule)
    _validate_text(ws, f"{SOURCE}{first}:{SOURCE}{last}", "Where it is from", MOST_POINT_LETTERS)


def _validate_text(ws: Worksheet, cells: str, title: str, letters: int = MOST_LETTERS) -> None:
    rule = DataValidation("textLength", operator="between", formula1="0", formula2=str(letters))
    rule.allow_blank = True
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = title[:31]
    rule.error = rule.prompt = f"Run, file or quote, and its date: {letters} letters at most."
    rule.add(cells)
    ws.add_data_validation(rule)
