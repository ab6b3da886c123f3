"""Where every id stands: sheet, row and columns, worked out before a cell is written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from scalesheet_workbooks.cell_references import column_letters

FIRST_COLUMN = 5
"""Scenario columns begin at E on every model sheet; A is a margin, B the id, C the label, D the
unit."""
FIRST = "first."
"""Before an id: the cell of the first scenario, whatever the column at hand."""
ID, ID_COLUMN = re.compile(r"[a-z]{2,8}\.[a-z0-9_]+(?:\.[a-z0-9_]+)*"), 2
INPUT_ID, SOURCES_ID = "in.", "src."
"""Before the id of an input, and of the row that says where it is from on a sheet of sources."""
HEADER_ROW = 4
FIRST_ROW = 6
MAX_SCENARIOS = 8
ERROR, COMPLETENESS, ALERT = "error", "completeness", "alert"
"""The kinds of checks, as the rows of the Checks sheet say them."""


@dataclass
class Layout:
    """Addresses by id, for one number of scenarios."""

    scenarios: int
    rows: dict[str, tuple[str, int]] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)
    titles: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    last_row: dict[str, int] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """The letters of the scenario columns."""
        return [column_letters(FIRST_COLUMN + place) for place in range(self.scenarios)]

    @property
    def end_column(self) -> int:
        """The number of the last scenario column."""
        return FIRST_COLUMN + self.scenarios - 1

    def place(self, sheet: str, sections: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Rows for the ids of a sheet: a title row a section, an empty row between sections."""
        row = FIRST_ROW
        for title, ids in sections:
            self.titles.setdefault(sheet, []).append((row, title))
            for line_id in ids:
                row += 1
                self.rows[line_id] = (sheet, row)
            row += 2
        self.last_row[sheet] = row - 2

    def cell(self, line_id: str, column: str, sheet: str) -> str:
        """A reference to an id in one scenario column, as written on a sheet."""
        if line_id in self.fixed:
            return self._from(sheet, self.fixed[line_id])
        if line_id.startswith(FIRST):
            column, line_id = f"${self.columns[0]}", line_id.removeprefix(FIRST)
        home, row = self.rows[line_id]
        return self._from(sheet, f"{home}!{column}{row}")

    def span(self, line_id: str, sheet: str) -> str:
        """A reference to an id in all scenario columns."""
        if line_id in self.fixed:
            return self._from(sheet, self.fixed[line_id])
        home, row = self.rows[line_id]
        return self._from(sheet, f"{home}!${self.columns[0]}${row}:${self.columns[-1]}${row}")

    def _from(self, sheet: str, reference: str) -> str:
        home, _, cells = reference.partition("!")
        return cells if home == sheet else reference
