"""Rows whose values a program writes, from the inputs as they stand in the workbook."""

from collections.abc import Callable, Iterable, Mapping

from openpyxl.utils import get_column_letter

from scalesheet_workbooks.proposal_inputs import CURRENCY, PROPOSAL_INPUTS
from scalesheet_workbooks.proposal_model import Given
from scalesheet_workbooks.sheets import model
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.spec import NOT_GIVEN, Line, ModelSheet
from scalesheet_workbooks.styles import FORMULA, TEXT_BESIDE, put

HOW = "a value that the program computed"


def given(context: Context, place: int) -> Given:
    """The inputs of a scenario as they stand in the workbook."""
    proposal = context.study.proposal
    rates = {rate.currency: rate.rate for rate in proposal.rates}
    values = {
        entry.id: value
        for entry in PROPOSAL_INPUTS
        if (value := context.value(entry, place)) is not None
    }
    return Given(
        values,
        {
            entry.id: rates.get(proposal.beside.get(entry.id, ""), 1.0)
            for entry in PROPOSAL_INPUTS
            if entry.beside == CURRENCY
        },
    )


def write_values(
    context: Context,
    sheet: ModelSheet,
    lines: Iterable[Line],
    values_of: Callable[[Context, int], Mapping[str, float]],
) -> None:
    """The values of some rows by scenario in place of formulas; a dash where there is none."""
    ws, layout = context.book[sheet.name], context.layout
    rows = [(line, layout.rows[line.id][1]) for line in lines]
    for place, column in enumerate(layout.columns):
        values = values_of(context, place)
        for line, row in rows:
            value: float | str = values.get(line.id, NOT_GIVEN)
            put(ws, f"{column}{row}", value, FORMULA, line.number_format)
    first = layout.end_column + 1 + bool(sheet.aside)
    if model.last_column(context, sheet) >= first:
        for _, row in rows:
            put(ws, f"{get_column_letter(first)}{row}", HOW, TEXT_BESIDE)
