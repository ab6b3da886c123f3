"""The Cover of a proposal: what is asked for, headline figures, scenarios, contents, sign-off."""

import math
from collections.abc import Mapping
from dataclasses import replace
from textwrap import shorten

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks import charts
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.proposal_risk import SHOWN
from scalesheet_workbooks.scenario_proposal import COVERS
from scalesheet_workbooks.sheets import proposal_cover_foot as foot
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.proposal_cover_foot import COLUMNS, DATE, LETTERS, TEXT_INPUT
from scalesheet_workbooks.sheets.proposal_sentences import NAME, Words
from scalesheet_workbooks.sheets.validated import validate, validate_texts
from scalesheet_workbooks.styles import (
    BAND,
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    INK,
    LABEL,
    NAVY,
    PALE,
    SERIES,
    SIXTH_SERIES,
    WARN,
    Formula,
    Look,
    banner,
    dress,
    highlight,
    page,
    put,
    widths,
)

ROW_POINTS, LEAST_ROW_POINTS, MANY = 13.4, 12.2, 6
MONEY = '[>=100000000]#,##0.0,,"M";#,##0'
LARGE = '[>=10000000]#,##0.0,,"M";#,##0'
DIFFERENCE = "+#,##0;-#,##0;–"
SCOPES, EXCLUSIONS = 3, 2
VERDICT = 'IF(chk_master=0,"✓ all pass",chk_master&" fail")'
KPI_LABEL = Look(color="6B7280", size=10, fill=PALE, bottom=None)
KPI_VALUE = Look(color=NAVY, size=15, bold=True, fill=PALE, bottom=None, align="left")
RANGE_VALUE = replace(KPI_VALUE, size=11)
SENTENCE = Look(color=INK, size=11, bottom=None, vertical="center")
ALERTS = replace(SENTENCE, size=10, color=WARN, wrap=True, vertical="top")
FACTS = (
    ("in.proposal_id", "Proposal", "proposal_id"),
    ("in.cost_centre", "Cost centre", "cost_centre"),
    ("in.status", "Status", "status"),
    ("in.approver", "Approves", "approver"),
    ("in.contingency_owner", "Contingency: who", "contingency_owner"),
    ("in.contingency_for", "Contingency: why", "contingency_for"),
    ("in.contingency_covers", "… rework too?", COVERS),
)
AT_A_GLANCE = (
    ("C", "Total cost", "cmp.total", MONEY),
    ("D", "Economic total", "cmp.economic", MONEY),
    ("E", "Cash out", "cmp.cash", MONEY),
    ("F", "Per productive GPU-hour", "cmp.unit_cost", "#,##0.00"),
    ("G", "Finish", "cmp.finish", DATE),
    ("H", "Budget left", "cmp.headroom", DIFFERENCE),
    ("I", "Capital budget left", "cmp.capex_headroom", DIFFERENCE),
)
GROUPS = (
    ("cmp.rent", SERIES[0]),
    ("cmp.depreciation", SERIES[1]),
    ("cmp.group_power", SIXTH_SERIES),
    ("cmp.group_data", SERIES[2]),
    ("cmp.group_other", SERIES[3]),
    ("cmp.group_reserve", SERIES[4]),
)


def place(context: Context) -> None:
    """The texts of the Cover that other sheets or checks refer to."""
    first = FACTS_ROW + APPROVER + 1
    context.layout.fixed["cover.contingency"] = f"{NAME}!$D${first}:$D${first + 1}"
    for row, (line_id, *_) in enumerate(FACTS, FACTS_ROW):
        context.layout.fixed[line_id] = f"{NAME}!$D${row}"


KPI_ROW, RANGE_ROW, SENTENCE_ROW = 4, 6, 8
SENTENCES = 8
CENTRE, APPROVER = 1, 3
"""Places among the facts; who draws on contingency, and for what, stand below the approver."""
FACTS_ROW = SENTENCE_ROW + SENTENCES + 2
SCOPE_ROW = FACTS_ROW + len(FACTS) + 2
TABLE_ROW = SCOPE_ROW + SCOPES + EXCLUSIONS + 1


def write(context: Context, contents: Mapping[str, str]) -> None:
    """The sheet; every figure on it is a link."""
    ws = context.book[NAME]
    widths(ws, [2.0, 24.0, 15.0, 15.0, 15.0, 15.0, 15.0, 15.0, 14.0])
    title = shorten(context.study.title, 70, placeholder=" …")
    banner(ws, title, "Proposal for a training cluster", COLUMNS, badge=0)
    _figures(ws, context)
    _range(ws, context)
    _sentence(ws, context)
    _facts(ws, context)
    _scope(ws, context)
    row = _scenarios(ws, context)
    row = _chart(ws, context, row)
    row = foot.sign_off(ws, row)
    row = foot.contents(ws, contents, row)
    row = foot.legend(ws, row)
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = _points(context), True
    page(ws, COLUMNS, row, landscape=False, header=context.header)


def _points(context: Context) -> float:
    """The height of a row: lower where many scenarios need room."""
    return ROW_POINTS if context.layout.scenarios <= MANY else LEAST_ROW_POINTS


def _figures(ws: Worksheet, context: Context) -> None:
    currency = context.study.currency
    boxes = (
        ("B", "Scenario proposed", live_formula(context, "in.scenario", NAME), "@"),
        ("D", f"Request, {currency}", live_formula(context, "cmp.total", NAME), LARGE),
        ("E", f"Cash out, {currency}", live_formula(context, "cmp.cash", NAME), LARGE),
        ("F", "Productive hour", live_formula(context, "cmp.unit_cost", NAME), "#,##0.00"),
        ("G", "Days", live_formula(context, "cmp.days", NAME), "#,##0"),
        (
            "H",
            "Arithmetic and inputs",
            Formula('IF(chk_master=0,"✓ all pass",chk_master&" fail")'),
            "@",
        ),
    )
    for row, height in ((KPI_ROW, 17), (KPI_ROW + 1, 25)):
        ws.row_dimensions[row].height = height
        for column in LETTERS:
            dress(ws[f"{column}{row}"], KPI_LABEL)
    for column, label, formula, number_format in boxes:
        put(ws, f"{column}{KPI_ROW}", label, KPI_LABEL)
        put(ws, f"{column}{KPI_ROW + 1}", formula, KPI_VALUE, number_format)
    highlight(ws, f"H{KPI_ROW + 1}", "chk_master=0", "2E7D32")
    highlight(ws, f"H{KPI_ROW + 1}", "NOT(chk_master=0)", "B3261E")


def _range(ws: Worksheet, context: Context) -> None:
    """How far the total may go, and what is to be read before one signs."""
    at = RANGE_ROW + 1
    for row, height in ((RANGE_ROW, 17), (at, 20)):
        ws.row_dimensions[row].height = height
        for column in LETTERS:
            dress(ws[f"{column}{row}"], KPI_LABEL)
    put(ws, f"B{RANGE_ROW}", f"Cost before contingency, {context.study.currency}", KPI_LABEL)
    put(ws, f"B{at}", "Work that grows, rework, prices are in it", KPI_LABEL)
    for column, name in zip("DEFG", SHOWN, strict=True):
        put(ws, f"{column}{RANGE_ROW}", name.upper(), KPI_LABEL)
        formula = live_formula(context, f"risk.{name}", NAME)
        put(ws, f"{column}{at}", formula, RANGE_VALUE, LARGE)
    examples = context.layout.cell("chk.examples", "E", NAME)
    alerts = context.layout.cell("chk.alerts_raised", "", NAME)
    put(ws, f"H{RANGE_ROW}", "To read", KPI_LABEL)
    text = f'{examples}&" examples to replace, "&{alerts}&" alerts"'
    put(ws, f"H{at}", Formula(text), replace(KPI_LABEL, bold=True))
    highlight(ws, f"H{at}", f"{alerts}>0", WARN, None, True)


def _sentence(ws: Worksheet, context: Context) -> None:
    """What is asked for, in words that follow the figures."""
    words = Words(context)
    texts = (
        words.asked(f"D{FACTS_ROW + APPROVER}", f"D{FACTS_ROW + CENTRE}"),
        words.reserve(f"D{FACTS_ROW + APPROVER + 1}"),
        words.covers(),
        words.choice(),
        words.reason(),
        words.cash(),
        words.budget(),
        words.alerts(),
    )
    section_title(ws, SENTENCE_ROW, "What is asked for", COLUMNS)
    for row, text in enumerate(texts, SENTENCE_ROW + 1):
        put(ws, f"B{row}", Formula(text), SENTENCE)
        ws.row_dimensions[row].height = 14.0
    row = SENTENCE_ROW + SENTENCES
    dress(ws[f"B{row}"], ALERTS)
    ws.merge_cells(f"B{row}:I{row}")
    ws.row_dimensions[row].height = 26


def _facts(ws: Worksheet, context: Context) -> None:
    texts = context.study.proposal.texts
    for row, (line_id, label, key) in enumerate(FACTS, FACTS_ROW):
        put(ws, f"B{row}", line_id, ID)
        put(ws, f"C{row}", label, LABEL)
        put(ws, f"D{row}", (texts.get(key) or (None,))[0], TEXT_INPUT, "@")
        for column in "EFGHI":
            dress(ws[f"{column}{row}"], replace(TEXT_INPUT, unlocked=False))
        ws.merge_cells(f"D{row}:I{row}")
    last = FACTS_ROW + len(FACTS) - 1
    validate_texts(ws, [f"D{row}" for row in range(FACTS_ROW, last)], "Proposal")
    validate(
        ws,
        DataValidation("list", formula1="lst_no_yes"),
        [f"D{last}"],
        "Contingency",
        "Whether contingency also covers failures and rework, which have rows of their own.",
    )


def _scope(ws: Worksheet, context: Context) -> None:
    texts = context.study.proposal.texts
    section_title(ws, SCOPE_ROW - 1, "Scope and exclusions", COLUMNS)
    cells = []
    for kind, label, count, key in (
        ("scope", "Bought", SCOPES, "scope"),
        ("exclusion", "Not in it", EXCLUSIONS, "exclusions"),
    ):
        lines = texts.get(key, ())
        for step in range(count):
            row = SCOPE_ROW + step + (SCOPES if kind == "exclusion" else 0)
            put(ws, f"B{row}", f"in.{kind}_{step + 1}", ID)
            put(ws, f"C{row}", label, LABEL)
            value = lines[step] if step < len(lines) else None
            put(ws, f"D{row}", value, TEXT_INPUT, "@")
            for column in "EFGHI":
                dress(ws[f"{column}{row}"], replace(TEXT_INPUT, unlocked=False))
            ws.merge_cells(f"D{row}:I{row}")
            cells.append(f"D{row}")
    validate_texts(ws, cells, "Scope")


def _scenarios(ws: Worksheet, context: Context) -> int:
    section_title(ws, TABLE_ROW, "Scenarios at a glance", COLUMNS)
    head = TABLE_ROW + 1
    ws.row_dimensions[head].height = 28
    put(ws, f"B{head}", f"Money in {context.study.currency}; costs positive", COLUMN_HEADING_LEFT)
    for column, heading, *_ in AT_A_GLANCE:
        put(ws, f"{column}{head}", heading, COLUMN_HEADING)
    layout = context.layout
    for place_, letter in enumerate(layout.columns, 1):
        at = head + place_
        put(ws, f"B{at}", Formula(layout.cell("in.scenario", letter, NAME)), LABEL)
        for column, _, line_id, number_format in AT_A_GLANCE:
            look = replace(FORMULA, bold=line_id == "cmp.total")
            put(
                ws,
                f"{column}{at}",
                Formula(layout.cell(line_id, letter, NAME)),
                look,
                number_format,
            )
        highlight(
            ws,
            f"B{at}:I{at}",
            f"ROWS($B${head + 1}:$B{at})=sel_scenario",
            NAVY,
            BAND,
            True,
        )
        highlight(ws, f"I{at}", f"I{at}<0", WARN, "FFF1D6", True)
    return head + layout.scenarios + 2


def _chart(ws: Worksheet, context: Context, row: int) -> int:
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "bar", "stacked", 100, 45
    scenarios, layout = context.book["Scenarios"], context.layout
    for line_id, color in GROUPS:
        at = layout.rows[line_id][1]
        values = Reference(scenarios, min_col=5, max_col=layout.end_column, min_row=at, max_row=at)
        series = charts.named(Series(values), f"Scenarios!$C${at}")
        chart.series.append(charts.bar(series, color))
    heads = {"min_col": 5, "max_col": layout.end_column, "min_row": HEADER_ROW}
    chart.set_categories(Reference(context.book["Inputs"], max_row=HEADER_ROW, **heads))
    height = 2.9 + 0.32 * layout.scenarios
    charts.finish(
        chart, f"Total cost of the programme by line, {context.study.currency}", 24.2, height
    )
    chart.x_axis.scaling.orientation = "maxMin"
    chart.y_axis.number_format = charts.MILLIONS
    chart.y_axis.crosses = "max"
    ws.add_chart(chart, f"B{row}")
    return row + math.ceil(height * 28.35 / _points(context)) + 1
