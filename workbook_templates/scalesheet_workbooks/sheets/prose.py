"""The sheets of a proposal that are read or filled with words: guide, offers, actuals, log."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.sheets.validated import validate, validate_texts
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    IMPORTED,
    INPUT,
    LABEL,
    LINK,
    TEXT_BESIDE,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    Formula,
    banner,
    dress,
    link,
    page,
    put,
    widths,
)
from scalesheet_workbooks.templates.cluster_proposal_compare import SHOWN

TEXT_INPUT = replace(INPUT, align="left")
DATE, MONEY = "yyyy-mm-dd", '[>=100000000]#,##0.0,,"M";[=0]–;#,##0'
CHANGE = "+#,##0;-#,##0;–"
ROW_POINTS = 15.0
DECISIONS = ("approved", "approved with conditions", "deferred", "declined")
VERSIONS, GATES = 12, 5
FIRST = 6


def _days(ws: Worksheet, cells: Sequence[str], title: str) -> None:
    rule = DataValidation("date", operator="between", formula1="36526", formula2="73050")
    validate(ws, rule, cells, title, "A date from 2000 to 2099.")


def _numbers(ws: Worksheet, cells: Sequence[str], title: str) -> None:
    rule = DataValidation("decimal", operator="between", formula1="-1E+12", formula2="1E+12")
    validate(ws, rule, cells, title, "An amount, from -1E+12 to 1E+12.")


def _finish(ws: Worksheet, context: Context, columns: int, row: int, *, landscape: bool) -> None:
    ws.freeze_panes = "A4"
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = ROW_POINTS, True
    page(ws, columns, row, landscape=landscape, header=context.header)


# --- Guide ---------------------------------------------------------------------------------------

STEPS = (
    "Inputs to Ranges: fill the yellow cells, a scenario in each column; grey rows are unused.",
    "Measured: points of a benchmark. Curve shows them, the fit and its band; pick the way on "
    "Inputs.",
    "Beside each row: who answers for it, the source, its day, how sure; long names and sources "
    "stand on References.",
    "Offers: supplier, number, kind, last day to sign. Statements: what is no figure.",
    "Prices per unit may be in another currency: pick it in the row, give the rate on Owning.",
    "Inputs: pick the scenario proposed; the Cover asks for it, Monthly and Sensitivity show it.",
    "Checks: errors and completeness must pass; alerts are to be read. Then sign on the Cover.",
    "Log each version. Fill Actuals while the programme runs.",
)
METHOD = (
    "Work is productive GPU-hours; efficiency, failures and rework make the hours that are paid.",
    "Total is what the programme is charged: rent, or book depreciation with power and running.",
    "Economic total: a capital charge (annuity at the cost of capital) instead of depreciation.",
    "Cash out: the capital outlay instead of depreciation; what is bought is kept, not sold.",
    "Committed hours bill when idle. Owned GPUs draw power when idle. Rent stops with the work.",
    "Storage and data are per month of 730 hours and per tier; each transfer starts at tier one.",
    "Contingency is on all lines with tax (not on the outlay); in the total it counts as spent.",
    "Sunk lines are in the total, without their share of tax and contingency, and told apart.",
    "Prices are values with source and day: no catalog moves a total that is signed.",
)


def write_guide(context: Context, contents: Mapping[str, str]) -> None:
    """How to fill it, what each sheet is for, what the figures mean."""
    ws, columns = context.book["Guide"], 5
    widths(ws, [2.0, 17.0, 47.0, 17.0, 47.0])
    banner(ws, "Guide", "How to fill the proposal, and what its figures mean", columns, badge=1)
    row = 4
    for title, lines in (("How to fill it", STEPS), ("What the figures mean", METHOD)):
        section_title(ws, row, title, columns)
        for number, text in enumerate(lines, 1):
            put(ws, f"B{row + number}", f"{number}", replace(LABEL, align="left"))
            put(ws, f"C{row + number}", text, LABEL)
            for column in "DE":
                dress(ws[f"{column}{row + number}"], LABEL)
        row += len(lines) + 2
    section_title(ws, row, "Sheets, with their pages", columns)
    down = -(-len(contents) // 2)
    for place, (name, words) in enumerate(contents.items()):
        at = row + 1 + place % down
        left, right = ("B", "C") if place < down else ("D", "E")
        put(ws, f"{left}{at}", f"{name}, {place + 2}", LINK)
        link(ws, f"{left}{at}", name, "A1")
        put(ws, f"{right}{at}", words, TEXT_BESIDE)
    _finish(ws, context, columns, row + down, landscape=False)


# --- Actuals -------------------------------------------------------------------------------------

RUN_FIGURES = (
    ("act.used", "GPU-hours billed", "GPU-h", "cmp.used", "#,##0"),
    ("act.efficiency", "Scaling efficiency", "share", "calc.efficiency", "0.0%"),
    ("act.rework", "Rework", "share", "calc.rework", "0.0%"),
    ("act.days", "Days from start to finish", "days", "calc.days", "#,##0.0"),
)


def write_actuals(context: Context) -> None:
    """Budget of the scenario shown, actuals to date, forecast, and the variance."""
    ws, columns = context.book["Actuals"], 10
    widths(ws, [2.0, 19.0, 33.0, 10.0, 15.0, 15.0, 17.0, 15.0, 15.0, 34.0])
    banner(
        ws, "Actuals", "The scenario shown against what is paid; fill as it runs", columns, badge=1
    )
    put(ws, "B4", "Scenario", UNIT)
    put(ws, "C4", live_formula(context, "in.scenario", "Actuals"), COLUMN_HEADING_LEFT)
    section_title(ws, 6, "Lines of the budget", columns)
    heads = ("Budget", "Actual to date", "Still to come", "Outlook", "Over budget")
    for column, text in zip("BCD", ("Id", "Line", "Unit"), strict=True):
        put(ws, f"{column}7", text, COLUMN_HEADING_LEFT)
    for column, text in zip("EFGHI", heads, strict=True):
        put(ws, f"{column}7", text, COLUMN_HEADING)
    put(ws, "J7", "Why", replace(COLUMN_HEADING_LEFT, align="left", indent=1))
    first, last = 8, 7 + len(SHOWN)
    for row, (name, label) in enumerate(SHOWN, first):
        put(ws, f"B{row}", f"act.{name}", ID)
        put(ws, f"C{row}", label, LABEL)
        put(ws, f"D{row}", context.study.currency, UNIT)
        put(ws, f"E{row}", live_formula(context, f"cmp.{name}", "Actuals"), IMPORTED, MONEY)
        for column in "FG":
            put(ws, f"{column}{row}", None, INPUT, MONEY)
        put(ws, f"H{row}", Formula(f"SUM(F{row}:G{row})"), FORMULA, MONEY)
        put(ws, f"I{row}", Formula(f"IF(COUNT(F{row}:G{row})=0,0,H{row}-E{row})"), FORMULA, CHANGE)
        put(ws, f"J{row}", None, TEXT_INPUT, "@")
    total = last + 1
    put(ws, f"B{total}", "act.total", TOTAL_QUIET)
    put(ws, f"C{total}", "Total", TOTAL_LABEL)
    put(ws, f"D{total}", context.study.currency, TOTAL_QUIET)
    for column in "EFGHI":
        text = f"SUM({column}{first}:{column}{last})"
        put(ws, f"{column}{total}", Formula(text), TOTAL, CHANGE if column == "I" else MONEY)
    dress(ws[f"J{total}"], TOTAL)
    top = total + 2
    section_title(ws, top, "The run", columns)
    for row, (line_id, label, unit, plan, number_format) in enumerate(RUN_FIGURES, top + 1):
        put(ws, f"B{row}", line_id, ID)
        put(ws, f"C{row}", label, LABEL)
        put(ws, f"D{row}", unit, UNIT)
        put(ws, f"E{row}", live_formula(context, plan, "Actuals"), IMPORTED, number_format)
        put(ws, f"F{row}", None, INPUT, number_format)
        for column in "GHI":
            dress(ws[f"{column}{row}"], LABEL)
        put(ws, f"J{row}", None, TEXT_INPUT, "@")
    end = top + len(RUN_FIGURES)
    lines, runs = range(first, last + 1), range(top + 1, end + 1)
    _numbers(
        ws, [f"{c}{row}" for c in "FG" for row in lines] + [f"F{row}" for row in runs], "Actual"
    )
    validate_texts(ws, [f"J{row}" for row in (*lines, *runs)], "Why")
    _finish(ws, context, columns, end, landscape=True)


# --- Log -----------------------------------------------------------------------------------------


def write_log(context: Context) -> None:
    """Versions and what changed, and the gates at which money is released."""
    ws, columns = context.book["Log"], 8
    widths(ws, [2.0, 12.0, 11.0, 12.0, 22.0, 62.0, 30.0, 20.0])
    banner(ws, "Log", "A row for each version: a filled file has a new one", columns, badge=1)
    section_title(ws, 4, "Versions", columns)
    heads = ("Version", "Day", "Author", "What changed, and why", "Approved by", "Day of approval")
    put(ws, "B5", "Id", COLUMN_HEADING_LEFT)
    for column, text in zip("CDEFGH", heads, strict=True):
        put(ws, f"{column}5", text, COLUMN_HEADING_LEFT)
    study = context.study
    for number in range(1, VERSIONS + 1):
        row = 5 + number
        filled = (
            study.proposal.said.get("in.version", "0.1"),
            study.as_of,
            study.owner or None,
            f"First version, built from {context.version}",
            None,
            None,
        )
        values = filled if number == 1 else (None,) * 6
        put(ws, f"B{row}", f"log.{number}", ID)
        for column, value in zip("CDEFGH", values, strict=True):
            put(ws, f"{column}{row}", value, TEXT_INPUT, DATE if column in "DH" else "@")
    rows = range(6, 6 + VERSIONS)
    validate_texts(ws, [f"{column}{row}" for column in "CEFG" for row in rows], "Version")
    _days(ws, [f"{column}{row}" for column in "DH" for row in rows], "Day")
    top = 6 + VERSIONS + 1
    section_title(ws, top, "Stage gates", columns)
    put(ws, f"B{top + 1}", "Id", COLUMN_HEADING_LEFT)
    heads = (
        "Gate",
        "Day",
        "Decides",
        "What must hold before money is released",
        "Evidence",
        "Decision",
    )
    for column, text in zip("CDEFGH", heads, strict=True):
        put(ws, f"{column}{top + 1}", text, COLUMN_HEADING_LEFT)
    gates = range(top + 2, top + 2 + GATES)
    texts = study.proposal.texts
    said, decides = texts.get("gates", ()), texts.get("approver", (None,))[0]
    for number, row in enumerate(gates, 1):
        put(ws, f"B{row}", f"log.gate_{number}", ID)
        holds = said[number - 1] if number <= len(said) else None
        gate = (str(number), None, decides, holds) if holds else (None,) * 4
        for column, value in zip("CDEFGH", (*gate, None, None), strict=True):
            put(ws, f"{column}{row}", value, TEXT_INPUT, DATE if column == "D" else "@")
    validate_texts(ws, [f"{column}{row}" for column in "CEFG" for row in gates], "Gate")
    _days(ws, [f"D{row}" for row in gates], "Day")
    rule = DataValidation("list", formula1="lst_decisions")
    validate(ws, rule, [f"H{row}" for row in gates], "Decision", "One of the list.")
    _finish(ws, context, columns, gates[-1], landscape=True)
