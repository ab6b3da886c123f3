"""What every sheet writer is given."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

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
    Look,
    dress,
    put,
)

LETTERS = 0.85
"""Bold capitals in a unit of column width."""
MAX_NAME_LINES = 4


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


def name_height(names: Iterable[str], width: float) -> float:
    """The height of a heading row in which names fit; very long ones show how they begin."""
    lines = min(max(_lines(name, int(width * LETTERS)) for name in names), MAX_NAME_LINES)
    return max(30.0, 13.5 * lines + 3)


def _lines(name: str, characters: int) -> int:
    """Lines that a name takes; words longer than a line are broken."""
    lines, used = 1, 0
    for word in name.split():
        if used and used + 1 + len(word) > characters:
            lines, used = lines + 1, 0
        over = max(len(word) - 1, 0) // characters
        lines, used = lines + over, used + len(word) - over * characters + bool(used)
    return lines


def heading_look(look: Look, name: str, width: float) -> Look:
    """The look of a name in a heading row; one that does not fit is cut at its end."""
    fits = _lines(name, int(width * LETTERS)) <= MAX_NAME_LINES
    return look if fits else replace(look, vertical="top")


def headings(ws: Worksheet, context: Context, width: float, unit: str = "Unit") -> None:
    """The frozen row that names the columns; scenario names are links to the Inputs sheet."""
    names = [scenario.name for scenario in context.study.scenarios]
    ws.row_dimensions[HEADER_ROW].height = name_height(names, width)
    put(ws, f"B{HEADER_ROW}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{HEADER_ROW}", "Line", COLUMN_HEADING_LEFT)
    put(ws, f"D{HEADER_ROW}", unit, COLUMN_HEADING_LEFT)
    for column, name in zip(context.layout.columns, names, strict=True):
        put(
            ws,
            f"{column}{HEADER_ROW}",
            Formula(f"Inputs!{column}{HEADER_ROW}"),
            heading_look(COLUMN_HEADING, name, width),
        )
    ws.freeze_panes = f"E{HEADER_ROW + 1}"


def section_title(ws: Worksheet, row: int, title: str, last_column: int) -> None:
    """A heading with its rule across the sheet."""
    for column in range(2, last_column + 1):
        dress(ws.cell(row, column), HEADING)
    put(ws, f"B{row}", title, HEADING)
