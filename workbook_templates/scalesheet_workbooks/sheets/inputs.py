"""The Inputs sheet: one row an input, one column a scenario, limits beside it."""

from dataclasses import replace

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.domains import Choice, Quantity
from scalesheet.formula import number_text
from scalesheet_workbooks.inputs import (
    FABRIC_DEFAULTS,
    FABRIC_INPUTS,
    INPUTS,
    Input,
    Pick,
)
from scalesheet_workbooks.layout import FIRST_ROW, HEADER_ROW
from scalesheet_workbooks.sheets.context import (
    Context,
    heading_look,
    name_height,
    section_title,
)
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_CENTER,
    COLUMN_HEADING_LEFT,
    ID,
    INPUT,
    INPUT_NAME,
    LABEL,
    MARK,
    MEDIUM,
    UNIT,
    Formula,
    Look,
    banner,
    dress,
    fitting,
    highlight,
    page,
    put,
    widths,
)

NAME = "Inputs"
WIDTH, NARROW_WIDTH, WIDE_SCENARIOS = 13.0, 11.0, 5
"""Widths of the columns of the scenarios, and up to how many the wider one has room."""
LIMIT = Look(color="6B7280", size=10, align="right")
LARGE, BEYOND = 1e6, 1e12
"""From here on a limit is printed in millions; from there on it only tells typing errors."""
LIST_NAMES = {
    "in.work_basis": "lst_work_bases",
    "in.efficiency_method": "lst_methods",
    "in.interconnect": "lst_interconnects",
}


def list_of(entry: Input) -> str:
    """The name of the list that an input is picked from."""
    domain = entry.domain
    return (isinstance(domain, Pick) and domain.list_name) or LIST_NAMES[entry.id]


def place(context: Context) -> None:
    """Rows for the inputs, section by section."""
    sections: dict[str, list[str]] = {}
    for entry in (*INPUTS, *FABRIC_INPUTS):
        sections.setdefault(entry.section, []).append(entry.id)
    context.layout.place(NAME, sections.items())
    context.layout.rows["in.scenario"] = (NAME, HEADER_ROW)
    first = context.layout.columns[0]
    for entry in FABRIC_INPUTS:
        row = context.layout.rows[entry.id][1]
        context.layout.fixed[entry.id] = f"{NAME}!${first}${row}"
    marks = get_column_letter(context.layout.end_column + 3)
    last = context.layout.last_row[NAME]
    context.layout.fixed["in.marks"] = f"{NAME}!${marks}${FIRST_ROW}:${marks}${last}"


def write(context: Context) -> None:
    """The sheet with values, limits, validations and in-range marks."""
    ws = context.book[NAME]
    layout = context.layout
    last = layout.end_column + 3
    low, high, mark = (get_column_letter(layout.end_column + step) for step in (1, 2, 3))
    width = WIDTH if layout.scenarios <= WIDE_SCENARIOS else NARROW_WIDTH
    widths(ws, [2, 22, 33, 10.5, *[width] * layout.scenarios, 6.5, 7, 8])
    banner(ws, NAME, "Fill the yellow cells; everything else is protected", last, badge=3)
    _head(ws, context, (low, high, mark), width)
    for row, title in layout.titles[NAME]:
        section_title(ws, row, title, last)
    for entry in INPUTS:
        row = layout.rows[entry.id][1]
        _label(ws, context, entry, row)
        for column, scenario in zip(layout.columns, context.study.scenarios, strict=True):
            put(
                ws,
                f"{column}{row}",
                scenario.values.get(entry.id),
                INPUT,
                fitting(entry.domain.number_format),
            )
        write_limits(ws, entry, row, (low, high, mark), (layout.columns[0], layout.columns[-1]))
        add_validation(ws, entry, row, layout.columns[0], layout.columns[-1])
    for entry in FABRIC_INPUTS:
        row, column = layout.rows[entry.id][1], layout.columns[0]
        _label(ws, context, entry, row)
        put(ws, f"{column}{row}", FABRIC_DEFAULTS[entry.id], INPUT, entry.domain.number_format)
        for other in layout.columns[1:]:
            dress(ws[f"{other}{row}"], LABEL)
        write_limits(ws, entry, row, (low, high, mark), (column, column))
        add_validation(ws, entry, row, column, column)
    marks = context.layout.span("in.marks", NAME)
    highlight(ws, marks, f'{mark}{FIRST_ROW}="✗"', BAD, BAD_PALE, True)
    _grey_unused(ws, context)
    page(ws, last, layout.last_row[NAME], landscape=True, header=context.header)


def _head(ws: Worksheet, context: Context, after: tuple[str, str, str], width: float) -> None:
    names = [scenario.name for scenario in context.study.scenarios]
    ws.row_dimensions[HEADER_ROW].height = name_height(names, width)
    put(ws, f"B{HEADER_ROW}", "in.scenario", replace(ID, bottom=MEDIUM))
    put(ws, f"C{HEADER_ROW}", "Scenario", COLUMN_HEADING_LEFT)
    put(ws, f"D{HEADER_ROW}", "Unit", COLUMN_HEADING_LEFT)
    for column, name in zip(context.layout.columns, names, strict=True):
        put(ws, f"{column}{HEADER_ROW}", name, heading_look(INPUT_NAME, name, width), "@")
    rule = DataValidation("textLength", operator="between", formula1="1", formula2="300")
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = "Scenario"
    rule.error = rule.prompt = "A name of its own, from 1 to 300 characters."
    rule.add(f"{context.layout.columns[0]}{HEADER_ROW}:{context.layout.columns[-1]}{HEADER_ROW}")
    ws.add_data_validation(rule)
    looks = (COLUMN_HEADING, COLUMN_HEADING, COLUMN_HEADING_CENTER)
    for column, text, look in zip(after, ("Min", "Max", "In range"), looks, strict=True):
        put(ws, f"{column}{HEADER_ROW}", text, look)
    ws.freeze_panes = f"E{HEADER_ROW + 1}"


def _label(ws: Worksheet, context: Context, entry: Input, row: int) -> None:
    put(ws, f"B{row}", entry.id, ID)
    put(ws, f"C{row}", entry.label, LABEL)
    put(ws, f"D{row}", context.unit(entry.domain.unit), UNIT)


def write_limits(
    ws: Worksheet,
    entry: Input,
    row: int,
    after: tuple[str, str, str],
    ends: tuple[str, str],
    *,
    needed: bool = False,
) -> None:
    """Min, max and a mark that says whether every filled cell of the row is a number within.

    In a row that is needed every cell must be filled.
    """
    low, high, mark = after
    for column in after:
        dress(ws[f"{column}{row}"], LIMIT)
    cells = f"{ends[0]}{row}:{ends[1]}{row}"
    match entry.domain:
        case Quantity() as quantity:
            shown = _limit_format(quantity, quantity.low)
            low_format = f'">"{shown}' if quantity.low_open else shown
            put(ws, f"{low}{row}", quantity.low, LIMIT, low_format)
            put(ws, f"{high}{row}", quantity.high, LIMIT, _limit_format(quantity, quantity.high))
            above = ">" if quantity.low_open else ">="
            below = "<" if quantity.high_open else "<="
            inside = f'COUNTIFS({cells},"{above}"&{low}{row},{cells},"{below}"&{high}{row})'
        case _:
            # A row against a column: the one way of counting that every engine tried agrees on.
            inside = f"SUMPRODUCT(1*({cells}={list_of(entry)}))"
    count = f"COLUMNS({cells})" if needed else f"COUNTA({cells})"
    put(ws, f"{mark}{row}", Formula(f'IF({inside}={count},"✓","✗")'), MARK)


def _limit_format(quantity: Quantity, limit: float) -> str:
    if quantity.is_fraction:
        return "0%"
    if quantity.unit == "date":
        return "yyyy"
    if abs(limit) >= BEYOND:
        return '"none";"none"'
    if abs(limit) >= LARGE:
        return '#,##0,,"M"'
    return "#,##0" if limit == int(limit) else "General"


def add_validation(ws: Worksheet, entry: Input, row: int, first: str, last: str) -> None:
    """The registry's limits and words as the cell's validation."""
    domain, cell = entry.domain, f"{first}{row}"
    match domain:
        case Choice() | Pick():
            rule = DataValidation("list", formula1=list_of(entry))
        case Quantity(low_open=True) | Quantity(high_open=True):
            above = ">" if domain.low_open else ">="
            below = "<" if domain.high_open else "<="
            rule = DataValidation(
                "custom",
                formula1=f"AND(ISNUMBER({cell}),{cell}{above}{number_text(domain.low)},"
                f"{cell}{below}{number_text(domain.high)})",
            )
        case Quantity(whole=whole):
            kind = "date" if domain.unit == "date" else "whole" if whole else "decimal"
            rule = DataValidation(
                kind,
                operator="between",
                formula1=number_text(domain.low),
                formula2=number_text(domain.high),
            )
    rule.allow_blank = True
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = (entry.label or entry.id)[:31]
    rule.error = f"Enter {domain.rule}."[:225]
    rule.prompt = f"{entry.hint or domain.words}: {domain.rule}"[:255]
    rule.add(f"{first}{row}:{last}{row}")
    ws.add_data_validation(rule)


def _grey_unused(ws: Worksheet, context: Context) -> None:
    """Inputs that the picked method does not use fade, so that the eye finds what to fill."""
    first, last = context.layout.columns[0], context.layout.columns[-1]
    for entry in INPUTS:
        if not entry.used_by:
            continue
        input_id, (pick_id, option) = entry.id, entry.used_by
        row, pick = (context.layout.rows[line][1] for line in (input_id, pick_id))
        highlight(
            ws,
            f"{first}{row}:{last}{row}",
            f'{first}${pick}<>"{option}"',
            "8D99A6",
            "F6F6F2",
        )
