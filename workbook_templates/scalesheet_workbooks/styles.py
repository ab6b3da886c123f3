"""The look of every sheet: colours, fonts, borders, banner, page."""

import re
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cache
from weakref import WeakKeyDictionary

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.styles.cell_style import StyleArray
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.formula import number_text

FAMILY, COVER = "Calibri", "Cover"
NAVY, INK, GREY, LINE, PALE, BAND = "1F3A5F", "1A1A1A", "6B7280", "D9DEE5", "F3F6FA", "E4EDF6"
YELLOW, INPUT_BLUE, LINK_GREEN = "FFF9DB", "0000FF", "00703C"
GOOD, GOOD_PALE, BAD, BAD_PALE, WARN, WARN_PALE = (
    "2E7D32",
    "E6F4E7",
    "B3261E",
    "FBE9E7",
    "8A5A00",
    "FFF1D6",
)
# Told apart by lightness as well as by hue: for colour-blind readers and grey prints.
SERIES = ("1F3A5F", "2E86AB", "F2A541", "A8432B", "8D99A6")
SIXTH_SERIES = "BFE3DD"
SEVENTH_SERIES = "111111"
LOWER, HIGHER = "63BF94", "C8553D"
"""What saves and what adds, in charts of differences."""

THIN, MEDIUM = Side(style="thin", color=LINE), Side(style="medium", color=NAVY)


AMOUNT, LARGE_AMOUNT = "#,##0.00", "[>=10000000]#,##0;[<=-10000000]-#,##0;#,##0.00"


def fitting(number_format: str) -> str:
    """A number format that leaves the cents out where they would not fit the column."""
    return LARGE_AMOUNT if number_format == AMOUNT else number_format


@dataclass(frozen=True, slots=True)
class Look:
    """How one kind of cell looks; its hash is kept, as every cell is looked up by its look."""

    color: str = INK
    size: float = 10
    bold: bool = False
    italic: bool = False
    fill: str | None = None
    align: str | None = None
    wrap: bool = False
    top: Side | None = None
    bottom: Side | None = THIN
    unlocked: bool = False
    underline: bool = False
    indent: int = 0
    vertical: str = "center"
    kept_hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """The hash of what is compared."""
        compared = (getattr(self, entry.name) for entry in fields(self) if entry.compare)
        object.__setattr__(self, "kept_hash", hash(tuple(compared)))

    def __hash__(self) -> int:
        """The hash that was kept."""
        return self.kept_hash


LABEL = Look()
IMPORT_LABEL = Look(color=GREY, align="left", indent=1)
UNIT = Look(color=GREY, size=10)
ID = Look(color=GREY, size=10)
INPUT = Look(color=INPUT_BLUE, fill=YELLOW, align="right", unlocked=True)
INPUT_NAME = Look(
    color=INPUT_BLUE,
    fill=YELLOW,
    align="right",
    unlocked=True,
    bold=True,
    wrap=True,
    bottom=MEDIUM,
)
FORMULA = Look(align="right")
IMPORTED = Look(color=LINK_GREEN, align="right")
TOTAL_LABEL = Look(bold=True, fill=BAND, top=Side(style="thin", color=NAVY))
TOTAL = Look(bold=True, fill=BAND, top=Side(style="thin", color=NAVY), align="right")
TOTAL_QUIET = Look(color=GREY, size=10, fill=BAND, top=Side(style="thin", color=NAVY))
HEADING = Look(color=NAVY, size=11, bold=True, bottom=MEDIUM)
COLUMN_HEADING = Look(color=NAVY, bold=True, bottom=MEDIUM, align="right", wrap=True)
COLUMN_HEADING_CENTER = Look(color=NAVY, bold=True, bottom=MEDIUM, align="center", wrap=True)
COLUMN_HEADING_LEFT = Look(color=NAVY, bold=True, bottom=MEDIUM, wrap=True)
NOTE = Look(color=GREY, size=10, bottom=None)
TEXT = Look(wrap=True, vertical="top")
TEXT_BESIDE = Look(color=GREY, size=10, align="left", indent=1)
TEXT_QUIET = Look(color=GREY, size=10, wrap=True, vertical="top")
LINK = Look(color="0B5394", underline=True)
BADGE = Look(color="FFFFFF", size=10, bold=True, fill=GOOD, align="centerContinuous", bottom=None)
BACK = Look(
    color="FFFFFF", size=10, underline=True, fill=NAVY, align="centerContinuous", bottom=None
)
BANNER_TITLE = Look(color="FFFFFF", size=15, bold=True, fill=NAVY, bottom=None)
BANNER_PURPOSE = Look(color="C9D6E6", size=10, fill=NAVY, bottom=None)
MARK = Look(color=GOOD, bold=True, align="center")


_DRESSED: WeakKeyDictionary[Workbook, dict[tuple[Look, str | None, bytes], StyleArray]] = (
    WeakKeyDictionary()
)
"""What each look makes of each earlier style, by workbook: openpyxl takes ten times as long to
find a font, a fill and a border anew for every cell."""


def dress(cell: Cell, look: Look, number_format: str | None = None) -> Cell:
    """A cell with a look."""
    known = _DRESSED.setdefault(cell.parent.parent, {})
    key = (look, number_format, bytes(cell._style or b""))
    if key in known:
        cell._style = copy(known[key])
    else:
        _set_style(cell, look, number_format)
        known[key] = copy(cell._style)
    return cell


def _set_style(cell: Cell, look: Look, number_format: str | None) -> None:
    cell.font = Font(
        name=FAMILY,
        size=look.size,
        bold=look.bold,
        italic=look.italic,
        color=look.color,
        underline="single" if look.underline else None,
    )
    if look.fill:
        cell.fill = PatternFill("solid", fgColor=look.fill)
    cell.border = Border(top=look.top, bottom=look.bottom)
    cell.alignment = Alignment(
        horizontal=look.align, vertical=look.vertical, wrap_text=look.wrap, indent=look.indent
    )
    cell.protection = Protection(locked=not look.unlocked)
    if number_format:
        cell.number_format = number_format


_row_and_column = cache(coordinate_to_tuple)
ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def put(
    ws: Worksheet,
    place: str,
    value: object,
    look: Look,
    number_format: str | None = None,
) -> Cell:
    """A value and a look in one cell; text is always text, whatever it begins with."""
    cell = dress(ws.cell(*_row_and_column(place)), look, number_format)
    if isinstance(value, str) and not isinstance(value, Formula):
        # Excel reads _x0041_ in a file as the letter A: an escaped underscore keeps the text.
        cell.value = ESCAPE.sub("_x005F_", value) if "_x" in value else value
        cell.data_type = "s"
    elif isinstance(value, float):
        # openpyxl writes a number with 16 digits, which is not always the same number.
        cell.value, cell.data_type = number_text(value), "n"
    elif value is not None:
        cell.value = value
    return cell


class Formula(str):
    """A formula to write into a cell, without its equals sign."""

    __slots__ = ()

    def __new__(cls, text: str) -> "Formula":
        """The formula as a cell holds it."""
        return super().__new__(cls, "=" + text)


def widths(ws: Worksheet, sizes: list[float]) -> None:
    """Column widths from A on."""
    for number, size in enumerate(sizes, 1):
        ws.column_dimensions[get_column_letter(number)].width = size


def banner(ws: Worksheet, title: str, purpose: str, columns: int, badge: int = 2) -> None:
    """The navy head of a sheet: title, purpose, and over the last columns the master check and a
    way back. A title that does not name the sheet is followed by its name."""
    corner = ws["A1"]
    corner.fill = PatternFill("solid", fgColor=NAVY)
    for row, height in ((1, 26), (2, 17)):
        ws.row_dimensions[row].height = height
        for column in range(1, columns + 1):
            ws.cell(row, column)._style = copy(corner._style)
    named = ws.title == COVER or ws.title.lower() in title.lower()
    put(ws, "B1", title if named else f"{title} · {ws.title}", BANNER_TITLE)
    put(ws, "B2", purpose, BANNER_PURPOSE)
    if not badge:
        return
    # Centred across the cells, not merged: merged cells are in the way of whoever selects columns.
    first, last = get_column_letter(columns - badge + 1), get_column_letter(columns)
    check = 'IF(chk_master=0,"ALL CHECKS OK","CHECKS FAILING: "&chk_master)'
    back = 'HYPERLINK("#Cover!A1","◂ Contents")'
    for row, formula, look in ((1, check, BADGE), (2, back, BACK)):
        put(ws, f"{first}{row}", Formula(formula), look)
        for column in range(columns - badge + 2, columns + 1):
            dress(ws.cell(row, column), look)
    failing = DifferentialStyle(fill=PatternFill(bgColor=BAD))
    ws.conditional_formatting.add(f"{first}1:{last}1", _rule("NOT(chk_master=0)", failing))


def _rule(formula: str, style: DifferentialStyle) -> FormulaRule:
    rule = FormulaRule(formula=[formula])
    rule.dxf = style
    return rule


def highlight(
    ws: Worksheet, cells: str, formula: str, color: str, fill: str | None = None, bold: bool = False
) -> None:
    """A conditional format by formula."""
    style = DifferentialStyle(
        font=Font(color=color, bold=bold or None),
        fill=PatternFill(bgColor=fill) if fill else None,
    )
    ws.conditional_formatting.add(cells, _rule(formula, style))


def link(ws: Worksheet, place: str, sheet: str, target: str) -> None:
    """A link to a cell of the same workbook."""
    ws[place].hyperlink = Hyperlink(ref=place, location=f"{sheet}!{target}")


LEAST_ROW, MOST_ROW = 13.1, 16.5
"""Points of a row of 10-point text: from as low as it goes to as high as looks well."""
PAGE_POINTS = {True: 645.0, False: 900.0}
"""Points of height that a page lying or standing holds when 10 points are printed as 8."""


def row_height(rows: int, *, landscape: bool, taken: float = 85.0) -> float:
    """The height at which so many rows fill a page, besides what the head of the sheet takes."""
    fitting_height = (PAGE_POINTS[landscape] - taken) / max(rows, 1)
    return min(max(fitting_height, LEAST_ROW), MOST_ROW)


def fill_page(ws: Worksheet, rows: int, *, landscape: bool, taken: float = 85.0) -> None:
    """Rows as high as the page has room for."""
    height = row_height(rows, landscape=landscape, taken=taken)
    ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = round(height, 1), True


def page(ws: Worksheet, last_column: int, last_row: int, *, landscape: bool, header: str) -> None:
    """Print set-up: one page, with header and footer; protection without a password."""
    ws.print_area = f"A1:{get_column_letter(last_column)}{last_row}"
    ws.page_setup.orientation = "landscape" if landscape else "portrait"
    ws.page_setup.paperSize = ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 1
    ws.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    ws.page_margins.left = ws.page_margins.right = 0.3
    ws.page_margins.top, ws.page_margins.bottom = 0.5, 0.45
    ws.page_margins.header = ws.page_margins.footer = 0.25
    ws.print_options.horizontalCentered = True
    ws.oddHeader.right.text = header.replace("&", "&&")
    ws.oddHeader.right.size = 8
    ws.oddFooter.left.text, ws.oddFooter.center.text = "&F", "&A"
    ws.oddFooter.right.text = "Page &P of &N"
    for part in (ws.oddFooter.left, ws.oddFooter.center, ws.oddFooter.right):
        part.size = 8
    ws.sheet_view.showGridLines = False
    ws.sheet_view.zoomScale = 100
    ws.protection.sheet = True
    ws.protection.formatColumns = ws.protection.formatRows = False
