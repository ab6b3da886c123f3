"""The Offers sheet of a proposal: what stands behind each price, and the last day to sign it."""

from collections.abc import Sequence
from dataclasses import replace

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.proposal_inputs import CURRENCY, PROPOSAL_INPUTS
from scalesheet_workbooks.proposal_statement_rows import OFFER_KINDS
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    IMPORTED,
    INPUT,
    LABEL,
    Formula,
    banner,
    highlight,
    page,
    put,
    widths,
)

NAME, COLUMNS, FIRST = "Offers", 11, 6
OFFERS = tuple(entry for entry in PROPOSAL_INPUTS if entry.beside == CURRENCY)
LAST = FIRST + len(OFFERS) - 1
WIDTHS = [2.0, 24.0, 30.0, 9.5, 19.0, 13.0, 11.0, 11.0, 10.0, 8.5, 34.0]
TEXT, DATE, ROW_POINTS = replace(INPUT, align="left"), "yyyy-mm-dd", 19.0
REMARK = replace(TEXT, indent=1)


def place(context: Context) -> None:
    """The expiry flags, for the check."""
    context.layout.fixed["offer.expired"] = f"{NAME}!$J${FIRST}:$J${LAST}"


def write(context: Context) -> None:
    """Supplier, number, kind and last day to sign of the offer behind each price."""
    ws = context.book[NAME]
    widths(ws, WIDTHS)
    purpose = "What stands behind each price; sign by: the last day on which the price holds"
    banner(ws, NAME, purpose, COLUMNS, badge=2)
    section_title(ws, 4, "Prices", COLUMNS)
    _head(ws)
    for row, entry in enumerate(OFFERS, FIRST):
        source = context.source(entry)
        put(ws, f"B{row}", entry.id.replace("in.", "offer."), ID)
        put(ws, f"C{row}", entry.label, LABEL)
        cell = context.layout.cell(f"beside.{entry.id}", "", NAME)
        put(ws, f"D{row}", Formula(cell), replace(IMPORTED, align="left"))
        texts = (("E", source.supplier), ("F", source.number), ("G", source.kind))
        for column, text in (*texts, ("K", source.remark)):
            put(ws, f"{column}{row}", text or None, REMARK if column == "K" else TEXT, "@")
        put(ws, f"H{row}", source.valid_to, TEXT, DATE)
        today = context.layout.cell("in.as_of", "", NAME)
        put(ws, f"I{row}", Formula(f'IF(ISNUMBER(H{row}),H{row}-{today},"–")'), FORMULA, "#,##0")
        put(ws, f"J{row}", Formula(f"IF(N(I{row})<0,1,0)"), FORMULA, "0;-0;–")
        highlight(ws, f"J{row}", f"J{row}=1", BAD, BAD_PALE, True)
    _validate(ws)
    ws.freeze_panes = "A4"
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = ROW_POINTS, True
    page(ws, COLUMNS, LAST, landscape=True, header=context.header)


def _head(ws: Worksheet) -> None:
    heads = (
        *(("B", "Id"), ("C", "Price"), ("D", "Currency"), ("E", "Supplier"), ("F", "Number")),
        *(("G", "Rests on"), ("H", "Sign by")),
    )
    for column, text in heads:
        put(ws, f"{column}{FIRST - 1}", text, COLUMN_HEADING_LEFT)
    put(ws, f"I{FIRST - 1}", "Days left", COLUMN_HEADING)
    put(ws, f"J{FIRST - 1}", "Expired", COLUMN_HEADING)
    put(ws, f"K{FIRST - 1}", "Remark", replace(COLUMN_HEADING_LEFT, align="left", indent=1))


def _validate(ws: Worksheet) -> None:
    def cells(columns: str) -> list[str]:
        return [f"{column}{row}" for column in columns for row in range(FIRST, LAST + 1)]

    texts = DataValidation("textLength", operator="between", formula1="0", formula2="300")
    _add(ws, texts, cells("EFK"), "Offer", "A text of at most 300 characters.")
    picks = DataValidation("list", formula1=OFFER_KINDS.list_name)
    _add(ws, picks, cells("G"), "Rests on", f"Enter {OFFER_KINDS.rule}.")
    days = DataValidation("date", operator="between", formula1="36526", formula2="73050")
    _add(ws, days, cells("H"), "Sign by", "The last day to sign: a date from 2000 to 2099.")


def _add(ws: Worksheet, rule: DataValidation, cells: Sequence[str], title: str, text: str) -> None:
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = title
    rule.error = rule.prompt = text
    for cell in cells:
        rule.add(cell)
    ws.add_data_validation(rule)
