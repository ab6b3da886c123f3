"""The Statements sheet: what finance asks that is no figure, with who says so and when."""

import math
from collections.abc import Iterable
from dataclasses import replace

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.inputs import Pick
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.proposal_statement_rows import (
    DAY,
    FACT_LETTERS,
    FACTS,
    LETTERS,
    STATEMENT_ROWS,
    STATEMENTS,
    Statement,
)
from scalesheet_workbooks.scenario_proposal import DEFAULT_SOURCE
from scalesheet_workbooks.sheets import origins, references
from scalesheet_workbooks.sheets.context import heading_look, name_height, section_title
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.study import Source
from scalesheet_workbooks.styles import (
    COLUMN_HEADING_LEFT,
    ID,
    INPUT,
    LABEL,
    UNIT,
    Formula,
    banner,
    dress,
    page,
    put,
    widths,
)

NAME = "Statements"
TEXT_WIDTH, LEAST_WIDTH = 92.0, 12.0
"""The width of a statement, over the columns of the scenarios, and the least of one column."""
ORIGIN = (("Says so", 18.0), ("As of", 10.5))
DATE, ROW_POINTS, LINE_POINTS = "yyyy-mm-dd", 16.0, 13.5
LETTERS_OF_WIDTH = 0.9
"""How many letters a unit of width holds where words are broken over lines."""
TEXT = replace(INPUT, align="left")
FACT = replace(INPUT, align="left", wrap=True)


def place(context: Context) -> None:
    """The rows of facts and statements."""
    sections: dict[str, list[str]] = {}
    for row in STATEMENT_ROWS:
        sections.setdefault(row.section, []).append(row.id)
    context.layout.place(NAME, sections.items())


def write(context: Context) -> None:
    """Facts with a cell for each scenario, statements over all columns, who says so beside."""
    ws, layout = context.book[NAME], context.layout
    each = _width(layout.scenarios)
    last = layout.end_column + len(ORIGIN)
    origin = [width for _, width in ORIGIN]
    widths(ws, [2.0, 19.5, 27.0, 6.0, *[each] * layout.scenarios, *origin])
    purpose = "What finance asks that is no figure; nothing is calculated from it"
    banner(ws, "Statements", purpose, last, badge=2)
    _head(ws, context, each)
    for row, title in layout.titles[NAME]:
        section_title(ws, row, title, last)
    for entry in STATEMENT_ROWS:
        _row(ws, context, entry, last)
    _validate(ws, context)
    ws.freeze_panes = f"E{HEADER_ROW + 1}"
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = ROW_POINTS, True
    page(ws, last, layout.last_row[NAME], landscape=True, header=context.header)


def _width(scenarios: int) -> float:
    """The width of a scenario's column."""
    return max(LEAST_WIDTH, TEXT_WIDTH / scenarios)


def _height(entry: Statement, scenarios: int) -> float:
    """The height of a fact: of as many lines as its text may take."""
    if isinstance(entry.takes, Pick):
        return ROW_POINTS
    lines = math.ceil(FACT_LETTERS / (_width(scenarios) * LETTERS_OF_WIDTH))
    return max(ROW_POINTS, LINE_POINTS * lines + 2)


def _head(ws: Worksheet, context: Context, each: float) -> None:
    names = [scenario.name for scenario in context.study.scenarios]
    ws.row_dimensions[HEADER_ROW].height = name_height(names, each)
    for column, text in zip("BCD", ("Id", "What is asked", "Takes"), strict=True):
        put(ws, f"{column}{HEADER_ROW}", text, COLUMN_HEADING_LEFT)
    for column in context.layout.columns:
        name = names[context.layout.columns.index(column)]
        link = Formula(context.layout.cell("in.scenario", column, NAME))
        look = heading_look(replace(COLUMN_HEADING_LEFT, wrap=True), name, each)
        put(ws, f"{column}{HEADER_ROW}", link, look)
    for column, (text, _) in zip(_origin(context), ORIGIN, strict=True):
        put(ws, f"{column}{HEADER_ROW}", text, COLUMN_HEADING_LEFT)


def _origin(context: Context) -> tuple[str, str]:
    """The columns of who says so and of the day."""
    after = context.layout.end_column
    return get_column_letter(after + 1), get_column_letter(after + 2)


def _row(ws: Worksheet, context: Context, entry: Statement, last: int) -> None:
    layout, proposal = context.layout, context.study.proposal
    row, (first, *others) = layout.rows[entry.id][1], layout.columns
    put(ws, f"B{row}", entry.id, ID)
    put(ws, f"C{row}", entry.label, LABEL)
    put(ws, f"D{row}", entry.unit, UNIT)
    if entry in FACTS:
        ws.row_dimensions[row].height = _height(entry, layout.scenarios)
        for column, scenario in zip(layout.columns, context.study.scenarios, strict=True):
            put(ws, f"{column}{row}", scenario.values.get(entry.id), FACT, "@")
    else:
        said = proposal.said.get(entry.id)
        put(ws, f"{first}{row}", said, TEXT, DATE if entry.takes == DAY else "@")
        for column in others:
            dress(ws[f"{column}{row}"], replace(TEXT, unlocked=False))
    source = proposal.sources.get(entry.id, proposal.sources.get(DEFAULT_SOURCE, Source()))
    owner = references.shown(context, source.owner, ORIGIN[0][1], origins.room(context))
    for column, value, form in zip(
        _origin(context), (owner or None, source.as_of), ("@", DATE), strict=True
    ):
        put(ws, f"{column}{row}", value, TEXT, form)


def _validate(ws: Worksheet, context: Context) -> None:
    layout = context.layout
    first, ends = layout.columns[0], (layout.columns[0], layout.columns[-1])
    owner, day = _origin(context)
    rows = [layout.rows[entry.id][1] for entry in STATEMENT_ROWS]
    texts = [e for e in STATEMENTS if e.takes != DAY]
    _add(ws, _length(LETTERS), [f"{first}{layout.rows[e.id][1]}" for e in texts], "Statement")
    facts = [entry for entry in FACTS if not isinstance(entry.takes, Pick)]
    spans = [f"{ends[0]}{layout.rows[e.id][1]}:{ends[1]}{layout.rows[e.id][1]}" for e in facts]
    _add(ws, _length(FACT_LETTERS), spans, "Fact")
    for entry in FACTS:
        if isinstance(entry.takes, Pick):
            at = layout.rows[entry.id][1]
            rule = DataValidation("list", formula1=entry.takes.list_name)
            _add(ws, (rule, f"Enter {entry.takes.rule}."), [f"{ends[0]}{at}:{ends[1]}{at}"], "Pick")
    _add(ws, _length(FACT_LETTERS), [f"{owner}{row}" for row in rows], "Says so")
    dates = [f"{first}{layout.rows[e.id][1]}" for e in STATEMENTS if e.takes == DAY]
    rule = DataValidation("date", operator="between", formula1="36526", formula2="73050")
    _add(ws, (rule, "A date from 2000 to 2099."), [*dates, *(f"{day}{row}" for row in rows)], "Day")


def _length(most: int) -> tuple[DataValidation, str]:
    rule = DataValidation("textLength", operator="between", formula1="0", formula2=str(most))
    return rule, f"A text of at most {most} characters."


def _add(
    ws: Worksheet, rule_and_text: tuple[DataValidation, str], cells: Iterable[str], title: str
) -> None:
    rule, text = rule_and_text
    rule.allow_blank = rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = title
    rule.error = rule.prompt = text
    for cell in cells:
        rule.add(cell)
    ws.add_data_validation(rule)
