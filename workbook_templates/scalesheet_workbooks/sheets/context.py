"""What every sheet writer is given."""

from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import HEADER_ROW, Layout
from scalesheet_workbooks.spec import unit_text
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    HEADING,
    Formula,
    dress,
    put,
)


@dataclass(frozen=True)
class Context:
    """The workbook being built, its study and its layout."""

    book: Workbook
    study: Study
    layout: Layout
    version: str

    @property
    def header(self) -> str:
        """The line at the head of every printed page."""
        return f"{self.study.title[:80]} · template {self.version}"

    def unit(self, unit: str) -> str:
        """A unit in the study's currency."""
        return unit_text(unit, self.study.currency)


def headings(ws: Worksheet, context: Context, unit: str = "Unit") -> None:
    """The frozen row that names the columns; scenario names are links to the Inputs sheet."""
    ws.row_dimensions[HEADER_ROW].height = 30
    put(ws, f"B{HEADER_ROW}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{HEADER_ROW}", "Line", COLUMN_HEADING_LEFT)
    put(ws, f"D{HEADER_ROW}", unit, COLUMN_HEADING_LEFT)
    for column in context.layout.columns:
        put(
            ws,
            f"{column}{HEADER_ROW}",
            Formula(f"Inputs!{column}{HEADER_ROW}"),
            COLUMN_HEADING,
        )
    ws.freeze_panes = f"E{HEADER_ROW + 1}"


def section_title(ws: Worksheet, row: int, title: str, last_column: int) -> None:
    """A heading with its rule across the sheet."""
    for column in range(2, last_column + 1):
        dress(ws.cell(row, column), HEADING)
    put(ws, f"B{row}", title, HEADING)
