"""What a printed sheet shows: where words, rows and columns lie on the page, and what is cut.

LibreOffice draws a text that is too long in full and clips it at the edge of its cell, so its words
are in the PDF though they cannot be read. Marks in a copy of the workbook give the edges: one in
each row of the narrow first column, and one in each column of an empty row.
"""

import html
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from rendering import Paper, page_size, run, to_pdf, tool
from workbooks.budgets import MAIN, Book, packed

MARK = "¦"
LINE = 1.2207
"""Height of a line of Carlito, which stands for Calibri, over the size of its letters."""
OVERLAP = 0.2
"""Share of a line's height by which it may stand out of its row and still be read."""
SLACK = 0.6
"""Points by which a word may stand over an edge: side bearings and rounding."""


@dataclass(frozen=True)
class Word:
    """A word on a page, in points from the top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """The height of its line."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Half its height."""
        return (self.top + self.bottom) / 2


def words_of(pdf: Path) -> list[list[Word]]:
    """The words of every page."""
    text = run([tool("pdftotext", "poppler-utils"), "-bbox", str(pdf), "-"])
    number = r'="([-\d.]+)"'
    form = rf"<word xMin{number} yMin{number} xMax{number} yMax{number}>(.*?)</word>"
    return [
        [
            Word(html.unescape(found[5]), *(float(found[place]) for place in (1, 2, 3, 4)))
            for found in re.finditer(form, page)
        ]
        for page in text.split("<page ")[1:]
    ]


# --- Marks ---------------------------------------------------------------------------------------


def empty_row(ws: Worksheet) -> int:
    """The first row below the banner in which nothing stands."""
    filled = {cell.row for row in ws.iter_rows() for cell in row if cell.value is not None}
    return min(set(range(3, ws.max_row)) - filled)


def printed_area(ws: Worksheet) -> tuple[int, int]:
    """The last column and row that are printed."""
    _, _, column, row = range_boundaries(ws.print_area.rpartition("!")[2].replace("$", ""))
    return column, row


def marked(book: Book) -> bytes:
    """A copy with marks in the cells that give the edges; all else keeps its place."""
    parts = book.parts()
    for number, ws in enumerate(book.sheets, 1):
        name = f"xl/worksheets/sheet{number}.xml"
        tree = ET.fromstring(parts[name])
        columns, rows = printed_area(ws)
        at = empty_row(ws)
        for row in range(1, rows + 1):
            _mark(tree, "A", row)
        for column in range(2, columns + 1):
            _mark(tree, get_column_letter(column), at)
        parts[name] = ET.tostring(tree)
    return packed(parts)


def _mark(tree: ET.Element, column: str, row: int) -> None:
    data = next(tree.iter(f"{MAIN}sheetData"))
    line = next((r for r in data if r.get("r") == str(row)), None)
    if line is None:
        line = ET.SubElement(data, f"{MAIN}row", {"r": str(row)})
        data[:] = sorted(data, key=lambda r: int(r.attrib["r"]))
    address = f"{column}{row}"
    for cell in [cell for cell in line if cell.get("r") == address]:
        line.remove(cell)
    cell = ET.SubElement(line, f"{MAIN}c", {"r": address, "t": "inlineStr"})
    ET.SubElement(ET.SubElement(cell, f"{MAIN}is"), f"{MAIN}t").text = MARK
    line[:] = sorted(line, key=lambda c: (len(c.attrib["r"]), c.attrib["r"]))


# --- A printed sheet -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """A sheet on its page: the words, and the edges of rows and columns."""

    ws: Worksheet
    shown: Worksheet
    words: list[Word]
    edges: list[float]
    bottoms: list[float]
    width: float

    @cached_property
    def scale(self) -> float:
        """Points on paper for a point on the sheet."""
        heights = [
            self.ws.row_dimensions[r].height or 15.0 for r in range(2, len(self.bottoms) + 1)
        ]
        return (self.bottoms[-1] - self.bottoms[0]) / sum(heights)

    @cached_property
    def sizes(self) -> list[float]:
        """The size in points of the letters of every word between the banner and the foot.

        Words of a title that stands on its side share their left and right edges and differ in
        height; what would be their height is then their width.
        """
        words = [w for w in self.words if self.bottoms[0] < w.top < self.bottoms[-1] - 3]
        heights: dict[tuple[float, float], set[float]] = {}
        for word in words:
            heights.setdefault((word.left, word.right), set()).add(round(word.height, 1))
        turned = {edges for edges, found in heights.items() if max(found) - min(found) > 1}
        return [
            (w.right - w.left if (w.left, w.right) in turned else w.height) / LINE for w in words
        ]

    @cached_property
    def right(self) -> float:
        """The right edge of the last column: the sheet is centred between equal margins."""
        return self.width - self.edges[0]

    def row(self, number: int) -> list[Word]:
        """The words of one row, line by line."""
        top = self.bottoms[number - 2] if number > 1 else 0.0
        bottom = self.bottoms[number - 1]
        words = [w for w in self.words if top - SLACK < w.middle and w.middle <= bottom + SLACK]
        return sorted(words, key=lambda word: (round(word.middle / 3), word.left))

    def within(self, number: int, left: float, right: float) -> str:
        """The characters in a stretch of one row that can be read, without spaces."""
        top = self.bottoms[number - 2] if number > 1 else 0.0
        bottom = self.bottoms[number - 1]
        return "".join(
            word.text
            for word in self.row(number)
            if word.left >= left - SLACK and word.right <= right + SLACK
            if word.top >= top - OVERLAP * word.height
            if word.bottom <= bottom + OVERLAP * word.height
        )

    def stretch(self, cell: Cell) -> tuple[float, float]:
        """From where to where the text of a cell may reach: to the next filled cells."""
        row = self.shown[cell.row][: len(self.edges)]
        before = [
            other.column for other in row if other.value is not None and other.column < cell.column
        ]
        after = [
            other.column for other in row if other.value is not None and other.column > cell.column
        ]
        align = cell.alignment.horizontal
        merged = [area for area in self.ws.merged_cells.ranges if cell.coordinate in area]
        first, last = cell.column, max([cell.column, *(area.max_col for area in merged)]) + 1
        if not cell.alignment.wrap_text:
            if align in (None, "general", "left", "centerContinuous"):
                last = min(after, default=len(self.edges) + 1)
            if align in ("right", "center"):
                first = max(before, default=0) + 1
            if align == "center":
                last = min(after, default=len(self.edges) + 1)
        right = self.edges[last - 1] if last <= len(self.edges) else self.right
        return self.edges[first - 1], right

    def cut(self, readable: Callable[[str], str]) -> list[str]:
        """The cells whose text cannot be read; ``readable`` says how much of it must be."""
        found = []
        for row in self.shown.iter_rows(max_row=len(self.bottoms), max_col=len(self.edges)):
            for cell in row:
                if not isinstance(cell.value, str) or cell.column == 1:
                    continue
                expected = "".join(readable(cell.value).split())
                seen = self.within(cell.row, *self.stretch(cell))
                if expected not in seen:
                    found.append(f"{self.ws.title}!{cell.coordinate}: {expected!r} in {seen!r}")
        return found


def pages_of(book: Book, folder: Path, paper: Paper) -> list[Page]:
    """Every sheet as printed; there must be as many pages as sheets."""
    source = folder / f"{paper}.xlsx"
    source.write_bytes(marked(book))
    pdf = to_pdf(source, folder / "pdf", paper)
    values = load_workbook(io.BytesIO(book.data), data_only=True)
    by_page = words_of(pdf)
    assert len(by_page) == len(book.sheets)
    return [
        _page(ws, values[ws.title], words, page_size(pdf, number)[0])
        for number, (ws, words) in enumerate(zip(book.sheets, by_page, strict=True), 1)
    ]


def _page(ws: Worksheet, shown: Worksheet, words: list[Word], width: float) -> Page:
    columns, rows = printed_area(ws)
    marks = [word for word in words if word.text == MARK]
    first = min(mark.left for mark in marks)
    down = sorted((m for m in marks if m.left < first + 2), key=lambda m: m.bottom)
    assert len(down) == rows, (ws.title, len(down), rows)
    at = down[empty_row(ws) - 1]
    across = sorted((m for m in marks if abs(m.middle - at.middle) < 2), key=lambda m: m.left)
    assert len(across) == columns, (ws.title, len(across), columns)
    return Page(
        ws,
        shown,
        [word for word in words if word.text != MARK],
        [mark.left for mark in across],
        [mark.bottom for mark in down],
        width,
    )
