"""Figures of the scenario that is shown, brought into a band over the columns of a sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import FIRST
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.styles import COLUMN_HEADING, ID, IMPORTED, Formula, put

SELECTOR = "sel_scenario"


@dataclass(frozen=True, slots=True)
class Live:
    """A figure of the scenario that is shown; one that may be left out counts as 0."""

    name: str
    label: str
    line_id: str
    number_format: str
    maybe: bool = False


def name_selector(context: Context) -> None:
    """The name of the cell that says which scenario is shown."""
    context.book.defined_names[SELECTOR] = DefinedName(
        SELECTOR, attr_text=context.layout.fixed["in.live_scenario"]
    )


def live_formula(context: Context, line_id: str, sheet: str, *, maybe: bool = False) -> Formula:
    """The figure of the scenario that is shown."""
    if line_id in context.layout.fixed or line_id.startswith(FIRST):
        found = context.layout.cell(line_id, "", sheet)
    else:
        found = f"INDEX({context.layout.span(line_id, sheet)},{SELECTOR})"
    return Formula(f"N({found})" if maybe else found)


def fixed_number(context: Context, line_id: str) -> Formula:
    """A number that is given once for all scenarios; a link would take a blank for 0."""
    cell = context.layout.fixed[line_id]
    return Formula(f'IF(ISNUMBER({cell}),{cell},"–")')


def place_band(figures: Sequence[Live], row: int, first_column: int) -> Mapping[str, str]:
    """Absolute references by name, for figures over the columns from one on."""
    return {
        figure.name: f"${get_column_letter(first_column + step)}${row}"
        for step, figure in enumerate(figures)
    }


def stacked(label: str) -> str:
    """A heading in two lines, so that it does not run into the next: broken near its middle.

    >>> stacked("GPU-h billed")
    'GPU-h\\nbilled'
    """
    spaces = [place for place, letter in enumerate(label) if letter == " "]
    if not spaces:
        return label
    middle = min(spaces, key=lambda place: abs(place - len(label) / 2))
    return f"{label[:middle]}\n{label[middle + 1 :]}"


def write_band(
    ws: Worksheet,
    context: Context,
    figures: Sequence[Live],
    row: int,
    first_column: int,
    line_id: str,
    height: float = 40.0,
) -> None:
    """A row of labels, and below it the figures."""
    ws.row_dimensions[row - 1].height = height
    put(ws, f"B{row}", line_id, ID)
    for step, figure in enumerate(figures):
        letter = get_column_letter(first_column + step)
        put(ws, f"{letter}{row - 1}", stacked(figure.label), COLUMN_HEADING)
        if figure.line_id in context.layout.fixed and not figure.maybe:
            formula = fixed_number(context, figure.line_id)
        else:
            formula = live_formula(context, figure.line_id, ws.title, maybe=figure.maybe)
        put(ws, f"{letter}{row}", formula, IMPORTED, figure.number_format)
