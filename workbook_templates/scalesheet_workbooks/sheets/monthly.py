"""The scenario that is shown, month by month: accrual, cash, what is prepaid and what is owed."""

from collections.abc import Mapping
from dataclasses import replace

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.proposal_inputs import MAX_MONTHS, MAX_PAYMENT_MONTHS
from scalesheet_workbooks.sheets.live import Live, live_formula, place_band, stacked, write_band
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    NOTE,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    Formula,
    banner,
    highlight,
    page,
    put,
    widths,
)

NAME = "Monthly"
MONTHS = MAX_MONTHS + MAX_PAYMENT_MONTHS
BAND_ROW, HEAD_ROW, TOTAL_ROW = 7, 9, 10
FIRST = TOTAL_ROW + 1
LAST = FIRST + MONTHS - 1
MONEY, SHARE = '[>=100000000]#,##0.0,,"M";[=0]–;#,##0', "[=0]–;0.0%"

BAND = (
    Live("start", "Starts", "calc.start", "yyyy-mm-dd"),
    Live("months", "Months", "own.programme_months", "0"),
    Live("hours", "Hours of the run", "calc.calendar_hours", "#,##0"),
    Live("month_hours", "Hours a month", "own.hours_per_month", "0"),
    Live("even", "Spread evenly: 1", "cmp.paid_evenly", "0"),
    Live("rent_months", "Months of rent", "cmp.rent_months", "0"),
    Live("rent", "Rent", "cmp.rented", MONEY),
    Live("depreciation", "Deprec.", "cmp.book", MONEY),
    Live("other", "Lines spread evenly", "cmp.spread", MONEY),
    Live("exit", "Exit, last month", "cmp.exit", MONEY),
    Live("total", "Total cost", "cmp.programme_total", MONEY),
    Live("capex", "Capital outlay", "cmp.capex", MONEY),
    Live("prepaid", "Rent in advance", "cmp.prepaid_share", SHARE),
    Live("delay", "Months until paid", "cmp.payment_months", "0"),
    Live("rate", "Cost of capital", "in.capital_rate", SHARE, maybe=True),
    Live("half", "Half", "year.half", "0.0"),
    Live("year", "Months a year", "own.months_per_year", "0"),
)
BAND_COLUMN = 4
LONGEST = f"room for programmes of {MAX_MONTHS} months and {MAX_PAYMENT_MONTHS} until they are paid"
ROOM = f"Grey: after the last bill of this scenario; there is {LONGEST}"
AXIS = f"Months after the last bill of the scenario shown are empty: the axis has {LONGEST}."
PAST = "CBD2DA"

COLUMNS = (
    ("number", "No.", "0", 4.5),
    ("month", "Month", "yyyy-mm", 9.0),
    ("even", "Even share", SHARE, 8.0),
    ("use", "Share by use", SHARE, 8.0),
    ("rent", "Rent", MONEY, 9.7),
    ("depreciation", "Deprec.", MONEY, 9.7),
    ("other", "Other lines", MONEY, 9.7),
    ("accrual", "Accrual", MONEY, 9.7),
    ("due", "Billed later", MONEY, 9.7),
    ("capex", "Capital outlay", MONEY, 10.5),
    ("prepayment", "Paid in advance", MONEY, 9.7),
    ("paid", "Bills paid", MONEY, 9.7),
    ("cash", "Cash", MONEY, 10.5),
    ("sum", "Cash so far", MONEY, 10.5),
    ("prepaid", "Prepaid, left", MONEY, 9.7),
    ("owed", "Owed", MONEY, 9.7),
    ("factor", "Discount", "0.0000", 8.0),
    ("value", "Cash, discounted", MONEY, 10.5),
)
SUMMED = (
    *("even", "use", "rent", "depreciation", "other", "accrual", "due", "capex"),
    *("prepayment", "paid", "cash", "value"),
)
LETTERS = {name: get_column_letter(3 + place) for place, (name, *_) in enumerate(COLUMNS)}
END_COLUMN = 2 + len(COLUMNS)


def place(context: Context) -> None:
    """What checks and charts refer to."""
    refs = place_band(BAND, BAND_ROW, BAND_COLUMN)
    context.layout.fixed |= {f"mon.{name}": f"{NAME}!{at}" for name, at in refs.items()}
    for name in ("prepaid", "owed"):
        context.layout.fixed[f"mon.{name}_end"] = f"{NAME}!${LETTERS[name]}${LAST}"
    for name in SUMMED:
        context.layout.fixed[f"mon.{name}_sum"] = f"{NAME}!${LETTERS[name]}${TOTAL_ROW}"


def write(context: Context) -> None:
    """The band of figures, a total, and a row a month."""
    ws = context.book[NAME]
    widths(ws, [2.0, 8.5, *[width for *_, width in COLUMNS]])
    banner(
        ws,
        "By month",
        "Accrual and cash of the scenario picked on Inputs; outlay in the first month, other lines "
        "evenly, rent evenly when committed and by use when not",
        END_COLUMN,
    )
    put(ws, "B4", "Scenario shown", NOTE)
    name = live_formula(context, "in.scenario", NAME)
    put(ws, "D4", name, replace(COLUMN_HEADING_LEFT, bottom=None, wrap=False))
    put(ws, "H4", f"Money in {context.study.currency}", NOTE)
    put(ws, "K4", ROOM, NOTE)
    write_band(ws, context, BAND, BAND_ROW, BAND_COLUMN, "mon.live", 30)
    ws.row_dimensions[HEAD_ROW].height = 30
    put(ws, f"B{HEAD_ROW}", "Id", COLUMN_HEADING_LEFT)
    for key, label, *_ in COLUMNS:
        put(ws, f"{LETTERS[key]}{HEAD_ROW}", stacked(label), COLUMN_HEADING)
    _totals(ws)
    refs = place_band(BAND, BAND_ROW, BAND_COLUMN)
    for step in range(MONTHS):
        _month(ws, FIRST + step, step + 1, refs)
    number, months, delay = f"${LETTERS['number']}{FIRST}", refs["months"], refs["delay"]
    rows = f"B{FIRST}:{get_column_letter(END_COLUMN)}{LAST}"
    highlight(ws, rows, f"{number}>{months}+{delay}", PAST)
    ws.freeze_panes = f"E{FIRST}"
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = 12.9, True
    page(ws, END_COLUMN, LAST, landscape=True, header=context.header)


def _totals(ws: Worksheet) -> None:
    put(ws, f"B{TOTAL_ROW}", "mon.total", TOTAL_QUIET)
    for key, _, number_format, _ in COLUMNS:
        at = f"{LETTERS[key]}{TOTAL_ROW}"
        if key in SUMMED:
            letter = LETTERS[key]
            put(ws, at, Formula(f"SUM({letter}{FIRST}:{letter}{LAST})"), TOTAL, number_format)
        else:
            put(ws, at, "Sum" if key == "month" else None, TOTAL_LABEL)


def _month(ws: Worksheet, row: int, number: int, live: Mapping[str, str]) -> None:
    c = {key: f"{letter}{row}" for key, letter in LETTERS.items()}
    before = {key: f"{letter}{row - 1}" for key, letter in LETTERS.items()}
    due = f"${LETTERS['due']}${FIRST}:${LETTERS['due']}${LAST}"
    opening = {key: "" if number == 1 else f"{before[key]}+" for key in ("sum", "prepaid", "owed")}
    texts = {
        "number": "1" if number == 1 else f"{before['number']}+1",
        "month": f"EDATE({live['start']},{c['number']}-1)",
        "even": f"IF({c['number']}<={live['months']},1/{live['months']},0)",
        "use": f"(MIN({live['hours']},{c['number']}*{live['month_hours']})-MIN({live['hours']},"
        f"({c['number']}-1)*{live['month_hours']}))/{live['hours']}",
        "rent": f"{live['rent']}*IF({live['even']}=1,({c['number']}<={live['rent_months']})"
        f"/{live['rent_months']},{c['use']})",
        "depreciation": f"{live['depreciation']}*{c['even']}",
        "other": f"{live['other']}*{c['even']}+{live['exit']}*({c['number']}={live['months']})",
        "accrual": f"SUM({c['rent']}:{c['other']})",
        "due": f"{c['accrual']}-{c['depreciation']}-{live['prepaid']}*{c['rent']}",
        "capex": f"{live['capex']}*({c['number']}=1)",
        "prepayment": f"{live['prepaid']}*{live['rent']}*({c['number']}=1)",
        "paid": f"IF({c['number']}-{live['delay']}>0,INDEX({due},{c['number']}-{live['delay']}),0)",
        "cash": f"SUM({c['capex']}:{c['paid']})",
        "sum": f"{opening['sum']}{c['cash']}",
        "prepaid": f"{opening['prepaid']}{c['prepayment']}-{live['prepaid']}*{c['rent']}",
        "owed": f"{opening['owed']}{c['due']}-{c['paid']}",
        "factor": f"(1+{live['rate']})^-(({c['number']}-{live['half']})/{live['year']})",
        "value": f"{c['cash']}*{c['factor']}",
    }
    put(ws, f"B{row}", f"mon.{number}", ID)
    for key, _, number_format, _ in COLUMNS:
        put(ws, c[key], Formula(texts[key]), FORMULA, number_format)
