"""Chart caches: the numbers and labels a chart shows before anything is calculated."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

__all__ = ["Cells", "Shown", "fill_caches", "range_cells", "shown_cells"]


class Shown(NamedTuple):
    """What a cell shows: "number", "text" or "error", its text, and its number format."""

    content: str
    text: str
    number_format: str


Cells = Mapping[str, Mapping[str, Shown]]

_RANGE = re.compile(r"\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?")
_LABELS = ("c:cat", "c:tx", "c:xVal")
_CACHES = {"c:numRef": "c:numCache", "c:strRef": "c:strCache"}

# Number formats that a style names by id alone (ECMA-376 part 1, 18.8.30).
_BUILTIN_FORMATS = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm",
    37: "#,##0_);(#,##0)", 38: "#,##0_);[Red](#,##0)", 39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);[Red](#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "##0.0E+0", 49: "@",
}  # fmt: skip


def shown_cells(
    charts: Iterable[ET.Element],
    sheets: Iterable[tuple[str, ET.Element]],
    strings: list[str],
    styles: ET.Element,
) -> Cells:
    """What the filled cells show of the sheets that charts refer to, by title and reference."""
    plotted = {_parts(formula.text or "")[0] for chart in charts for formula in chart.iter("c:f")}
    formats = _formats(styles)
    return {
        title: dict(_shown(sheet, strings, formats)) for title, sheet in sheets if title in plotted
    }


def fill_caches(chart: ET.Element, cells: Cells) -> None:
    """Chart with a cache in each reference, text labels as strRef, and number formats unlinked.

    Blanks and errors are left out of the points, and so is text where numbers are plotted.
    """
    for owner in list(chart.iter()):
        for reference in owner:
            if reference.tag in _CACHES:
                _fill(owner.tag, reference, cells)
    for number_format in chart.iter("c:numFmt"):
        number_format.attrib.setdefault("sourceLinked", "0")


def range_cells(area: str) -> list[str]:
    """Cells of a range, row by row.

    >>> range_cells("$Z$9:$AA$10")
    ['Z9', 'AA9', 'Z10', 'AA10']
    """
    match = _RANGE.fullmatch(area)
    if match is None:
        raise ValueError(f"{area!r} is not a range of cells; write it like $A$1:$B$2")
    left, top, right, bottom = match.groups()
    columns = range(_column(left), _column(right or left) + 1)
    rows = range(int(top), int(bottom or top) + 1)
    return [f"{_letters(column)}{row}" for row in rows for column in columns]


def _formats(styles: ET.Element) -> list[str]:
    """Number format of each cell style, by its index."""
    custom = {
        int(entry.attrib["numFmtId"]): entry.attrib["formatCode"]
        for group in styles
        if group.tag == "numFmts"
        for entry in group
    }
    xfs = next(group for group in styles if group.tag == "cellXfs")
    known = _BUILTIN_FORMATS | custom
    return [known.get(int(xf.get("numFmtId", "0")), "General") for xf in xfs]


def _shown(
    sheet: ET.Element, strings: list[str], formats: list[str]
) -> Iterator[tuple[str, Shown]]:
    """Filled cells of one sheet."""
    for cell in sheet.iter("c"):
        kind = cell.get("t", "n")
        written = [value.text or "" for value in cell if value.tag == "v"]
        if not written or (kind == "n" and not written[0]):
            continue
        text = strings[int(written[0])] if kind == "s" else written[0]
        content = {"s": "text", "str": "text", "e": "error"}.get(kind, "number")
        yield cell.attrib["r"], Shown(content, text, formats[int(cell.get("s", "0"))])


def _fill(owner: str, reference: ET.Element, cells: Cells) -> None:
    """Reference with the cache of what its cells show."""
    formula = next(child for child in reference if child.tag == "c:f")
    shown = _referenced(formula.text or "", cells)
    # openpyxl writes numRef for every category, text or not.
    if owner in _LABELS and any(cell and cell.content == "text" for cell in shown):
        reference.tag = "c:strRef"
    numeric = reference.tag == "c:numRef"
    usable = ("number",) if numeric else ("number", "text")
    points = [(i, cell) for i, cell in enumerate(shown) if cell and cell.content in usable]
    cache = ET.Element(_CACHES[reference.tag])
    common = points[0][1].number_format if points else "General"
    if numeric:
        ET.SubElement(cache, "c:formatCode").text = common
    ET.SubElement(cache, "c:ptCount", {"val": str(len(shown))})
    for index, cell in points:
        own = numeric and cell.number_format != common
        attributes = {"formatCode": cell.number_format} if own else {}
        point = ET.SubElement(cache, "c:pt", attributes | {"idx": str(index)})
        ET.SubElement(point, "c:v").text = cell.text
    kept = [child for child in reference if child.tag not in _CACHES.values()]
    kept.insert(kept.index(formula) + 1, cache)
    reference[:] = kept


def _referenced(formula: str, cells: Cells) -> list[Shown | None]:
    """What the cells of 'A B'!$A$1:$B$2 show; None for a blank."""
    title, area = _parts(formula)
    if title not in cells:
        raise ValueError(f"chart reference {formula!r} names no sheet; write 'Sheet'!$A$1:$B$2")
    return [cells[title].get(at) for at in range_cells(area)]


def _parts(formula: str) -> tuple[str, str]:
    """Sheet title and cells of a reference.

    >>> _parts("'A B'!$A$1:$B$2")
    ('A B', '$A$1:$B$2')
    """
    title, _, area = formula.rpartition("!")
    if title.startswith("'"):
        title = title[1:-1].replace("''", "'")
    return title, area


def _column(letters: str) -> int:
    """Column number of its letters: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _letters(column: int) -> str:
    """Letters of a column number."""
    letters = ""
    while column:
        column, place = divmod(column - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters
