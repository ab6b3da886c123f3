"""A sheet of assumptions: one row each, one column a scenario, limits and provenance beside it.

With more than four scenarios who, whence, when and how sure stand on a sheet of their own, so that
print stays readable.
"""

from collections.abc import Sequence
from dataclasses import replace

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.layout import FIRST_ROW, HEADER_ROW
from scalesheet_workbooks.proposal_inputs import CURRENCY, INCREMENTAL, of_section
from scalesheet_workbooks.proposal_words import RATE_UNIT
from scalesheet_workbooks.sheets.context import (
    heading_look,
    name_height,
    section_title,
)
from scalesheet_workbooks.sheets.inputs import add_validation, write_limits
from scalesheet_workbooks.sheets.origins import (
    INPUT_TEXT,
    ORIGIN,
    is_beside,
    origin_columns,
    origin_sheet,
)
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.validated import explain
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_CENTER,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    INPUT,
    INPUT_NAME,
    LABEL,
    MEDIUM,
    UNIT,
    banner,
    dress,
    fill_page,
    fitting,
    highlight,
    page,
    put,
    widths,
)

BASE_RATE = "fx.base"
FIRST_RATE = "in.fx_1"
LABEL_WIDTH, UNIT_WIDTH, VALUE_WIDTH = 29.5, 12.0, 10.6
INPUT_CENTER = replace(INPUT, align="center")


def place(context: Context, name: str, entries: Sequence[Input]) -> None:
    """Rows of the inputs, and where what stands beside them is."""
    layout = context.layout
    sections = of_section(entries)
    for ids in sections.values():
        if FIRST_RATE in ids:
            ids.insert(0, BASE_RATE)
    layout.place(name, sections.items())
    first, after = layout.columns[0], layout.end_column
    beside, mark = (get_column_letter(after + step) for step in (1, 4))
    for entry in entries:
        row = layout.rows[entry.id][1]
        if entry.names_itself and not entry.once:
            layout.fixed[f"label.{entry.id}"] = f"{name}!$C${row}"
        if entry.once:
            layout.fixed[entry.id] = f"{name}!${first}${row}"
        if entry.beside:
            layout.fixed[f"beside.{entry.id}"] = f"{name}!${beside}${row}"
    last = layout.last_row[name]
    layout.fixed[f"marks.{name}"] = f"{name}!${mark}${FIRST_ROW}:${mark}${last}"
    owner, confidence = (
        get_column_letter(step + (after + 5 if is_beside(context) else 4)) for step in (0, 3)
    )
    home = origin_sheet(context, name)
    layout.fixed[f"origin.{name}"] = f"{home}!${owner}${FIRST_ROW}:${confidence}${last}"
    layout.fixed[f"days.{name}"] = (
        f"{home}!${_before(confidence)}${FIRST_ROW}:${_before(confidence)}${last}"
    )
    layout.fixed[f"confidences.{name}"] = f"{home}!${confidence}${FIRST_ROW}:${confidence}${last}"


def _before(letter: str) -> str:
    """The letter of the column to the left."""
    return chr(ord(letter) - 1)


def write(context: Context, name: str, purpose: str, entries: Sequence[Input]) -> None:
    """The sheet, and the names of the lists that stand on it."""
    ws, layout = context.book[name], context.layout
    after = layout.end_column
    last = after + 4 + (len(ORIGIN) if is_beside(context) else 0)
    origin = [width for _, width in ORIGIN] if is_beside(context) else []
    values = [VALUE_WIDTH] * layout.scenarios
    widths(ws, [2.0, 21.0, LABEL_WIDTH, UNIT_WIDTH, *values, 10.0, 4.8, 5.5, 6.0, *origin])
    banner(ws, context.titles[name], purpose, last, badge=2 if is_beside(context) else 4)
    _head(ws, context, name)
    for row, title in layout.titles[name]:
        section_title(ws, row, title, last)
    for entry in entries:
        _row(ws, context, entry)
    if BASE_RATE in layout.rows and layout.rows[BASE_RATE][0] == name:
        _base_rate(ws, context)
    marks = layout.span(f"marks.{name}", name)
    mark = get_column_letter(after + 4)
    highlight(ws, marks, f'{mark}{FIRST_ROW}="✗"', BAD, BAD_PALE, True)
    _grey_unused(ws, context, entries)
    if is_beside(context):
        origin_columns(ws, context, name, entries, after + 5, ORIGIN)
    fill_page(ws, layout.last_row[name] - HEADER_ROW, landscape=True)
    page(ws, last, layout.last_row[name], landscape=True, header=context.header)


def _head(ws: Worksheet, context: Context, name: str) -> None:
    layout = context.layout
    names = [scenario.name for scenario in context.study.scenarios]
    ws.row_dimensions[HEADER_ROW].height = name_height(names, VALUE_WIDTH)
    leads = name == layout.rows["in.scenario"][0]
    put(ws, f"B{HEADER_ROW}", "in.scenario" if leads else "Id", replace(ID, bottom=MEDIUM))
    put(ws, f"C{HEADER_ROW}", "Scenario" if leads else "Assumption", COLUMN_HEADING_LEFT)
    put(ws, f"D{HEADER_ROW}", "Unit", COLUMN_HEADING_LEFT)
    for column, scenario in zip(layout.columns, names, strict=True):
        at = f"{column}{HEADER_ROW}"
        if leads:
            put(ws, at, scenario, heading_look(INPUT_NAME, scenario, VALUE_WIDTH), "@")
        else:
            context.link_name(ws, at, column, VALUE_WIDTH)
    if leads:
        _validate_names(ws, layout.columns)
    heads = ("Currency or tag", "Min", "Max", "In range?")
    looks = (COLUMN_HEADING_CENTER, COLUMN_HEADING, COLUMN_HEADING, COLUMN_HEADING_CENTER)
    for step, (text, look) in enumerate(zip(heads, looks, strict=True), 1):
        put(ws, f"{get_column_letter(layout.end_column + step)}{HEADER_ROW}", text, look)
    ws.freeze_panes = f"E{HEADER_ROW + 1}"


def _validate_names(ws: Worksheet, columns: Sequence[str]) -> None:
    rule = DataValidation("textLength", operator="between", formula1="1", formula2="300")
    explain(rule, "Scenario", "A name of its own, from 1 to 300 characters.")
    rule.add(f"{columns[0]}{HEADER_ROW}:{columns[-1]}{HEADER_ROW}")
    ws.add_data_validation(rule)


def _row(ws: Worksheet, context: Context, entry: Input) -> None:
    layout = context.layout
    row, columns = layout.rows[entry.id][1], layout.columns
    put(ws, f"B{row}", entry.id, ID)
    _label(ws, context, entry, row)
    put(ws, f"D{row}", context.unit(entry.domain.unit), UNIT)
    number_format = fitting(entry.domain.number_format)
    filled = columns[:1] if entry.once else columns
    for place, column in enumerate(filled):
        put(ws, f"{column}{row}", context.value(entry, place), INPUT, number_format)
    for column in columns[len(filled) :]:
        dress(ws[f"{column}{row}"], LABEL)
    beside, low, high, mark = (get_column_letter(layout.end_column + step) for step in (1, 2, 3, 4))
    dress(ws[f"{beside}{row}"], LABEL)
    if entry.beside:
        _beside(ws, context, entry, f"{beside}{row}")
    ends = columns[0], filled[-1]
    write_limits(ws, entry, row, (low, high, mark), ends, needed=entry.required)
    add_validation(ws, entry, row, columns[0], filled[-1])


def _label(ws: Worksheet, context: Context, entry: Input, row: int) -> None:
    """The label; that of a spare row is for the user to write."""
    at = f"C{row}"
    if not entry.names_itself:
        put(ws, at, entry.label, LABEL)
        return
    put(ws, at, context.label(entry) or None, INPUT_TEXT, "@")
    rule = DataValidation("textLength", operator="between", formula1="1", formula2="60")
    explain(rule, "Name of the row", "A name for this row, from 1 to 60 characters.")
    rule.add(at)
    ws.add_data_validation(rule)


def _beside(ws: Worksheet, context: Context, entry: Input, at: str) -> None:
    """The currency of a price or the tag of a cost."""
    usual = context.study.currency if entry.beside == CURRENCY else INCREMENTAL
    value = context.study.proposal.beside.get(entry.id, usual)
    put(ws, at, value, INPUT_CENTER, "@")
    is_currency = entry.beside == CURRENCY
    rule = DataValidation("list", formula1="lst_currencies" if is_currency else "lst_tags")
    if is_currency:
        explain(rule, "Currency", "The currency of this price: one that has a rate on Owning.")
    else:
        explain(rule, "Incremental or sunk", "Sunk costs are paid anyway: they are told apart.")
    rule.add(at)
    ws.add_data_validation(rule)


def _base_rate(ws: Worksheet, context: Context) -> None:
    """The currency of the workbook, at 1, and the names of both lists."""
    layout = context.layout
    row, first = layout.rows[BASE_RATE][1], layout.columns[0]
    put(ws, f"B{row}", BASE_RATE, ID)
    put(ws, f"C{row}", context.study.currency, LABEL)
    put(ws, f"D{row}", context.unit(RATE_UNIT), UNIT)
    put(ws, f"{first}{row}", 1, FORMULA, "0.0000")
    for number in range(6, layout.end_column + 5):
        dress(ws.cell(row, number), LABEL)
    last = layout.rows["in.fx_4"][1]
    for name, column in (("lst_currencies", "C"), ("lst_rates", first)):
        context.book.defined_names[name] = DefinedName(
            name, attr_text=f"{ws.title}!${column}${row}:${column}${last}"
        )


def _grey_unused(ws: Worksheet, context: Context, entries: Sequence[Input]) -> None:
    """Inputs that the picked way does not use fade, so that the eye finds what to fill."""
    first, last = context.layout.columns[0], context.layout.columns[-1]
    for entry in entries:
        if entry.used_by:
            pick, option = entry.used_by
            row = context.layout.rows[entry.id][1]
            picked = context.layout.cell(pick, first, ws.title)
            home, _, cell = picked.rpartition("!")
            absolute = f"{home}!{cell}".lstrip("!").replace(first, f"{first}$")
            condition = f'{absolute}<>"{option}"'
            highlight(ws, f"{first}{row}:{last}{row}", condition, "8D99A6", "F6F6F2")
