"""What other programs keep of a workbook when they save it: its features, before and after.

A test measures every template and compares with ``LOST``; the README has the table of it.
"""

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import formulon
import openpyxl
from openpyxl.utils.cell import rows_from_range
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from rendering import convert

# --- Programs ------------------------------------------------------------------------------------


def by_libreoffice(source: Path, folder: Path) -> Path:
    """The file as LibreOffice saves it."""
    return convert(source, folder, "xlsx")


def by_openpyxl(source: Path, folder: Path) -> Path:
    """The file loaded and saved with openpyxl."""
    openpyxl.load_workbook(source).save(folder / source.name)
    return folder / source.name


def by_formulon(source: Path, folder: Path) -> Path:
    """The file loaded, recalculated and saved with formulon."""
    with formulon.Workbook.load(source.read_bytes()) as workbook:
        workbook.recalc()
        (folder / source.name).write_bytes(workbook.save())
    return folder / source.name


PROGRAMS: dict[str, Callable[[Path, Path], Path]] = {
    "LibreOffice": by_libreoffice,
    "openpyxl": by_openpyxl,
    "formulon": by_formulon,
}

# --- Features ------------------------------------------------------------------------------------


class Saved:
    """A file, read for what it holds besides figures."""

    def __init__(self, path: Path) -> None:
        self.book = openpyxl.load_workbook(path)
        self.stored = openpyxl.load_workbook(path, data_only=True)
        with zipfile.ZipFile(path) as archive:
            self.parts = {
                name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()
            }

    def by_sheet(self, look: Callable[[Worksheet], Any]) -> dict[str, Any]:
        """What a look at each sheet gives."""
        return {sheet.title: look(sheet) for sheet in self.book.worksheets}

    def cells(self, look: Callable[[Any], Any]) -> dict[tuple[str, str], Any]:
        """What a look at each cell gives, where it gives anything."""
        return {
            (sheet.title, cell.coordinate): found
            for sheet in self.book.worksheets
            for row in sheet.iter_rows()
            for cell in row
            if (found := look(cell)) not in (None, "", False, ("", ""))
        }


NUMBER = re.compile(r"(?<![a-z0-9_$.\"])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![a-z0-9_(:.])")


def plain(text: object) -> str:
    """A formula without what programs write differently: blanks, quotes, forms of numbers."""
    bare = re.sub(r"\s|'|^=|_xlfn\.|_xlws\.|_xlpm\.", "", str(text)).casefold()
    return NUMBER.sub(lambda found: f"{float(found[0]):.15g}", bare)


def formula(cell: Any) -> str:
    """The formula of a cell, if it has one."""
    if isinstance(cell.value, ArrayFormula):
        return plain(cell.value.text)
    return plain(cell.value) if cell.data_type == "f" else ""


def typed(cell: Any) -> Any:
    """What was typed: a text or a number, not a formula."""
    return None if formula(cell) else cell.value


def to_12_digits(cell: Any) -> Any:
    """The same, numbers to as many digits as every program keeps.

    By way of the 15 digits that LibreOffice writes, lest a tie of ours be none of its.
    """
    value = typed(cell)
    return f"{float(f'{value:.15g}'):.12g}" if isinstance(value, float | int) else value


def validations(sheet: Worksheet) -> set[tuple[str, str, str]]:
    """Kind and limits for each cell that has a rule."""
    return {
        (str(rule.type), plain(rule.formula1).replace("$", ""), place)
        for rule in sheet.data_validations.dataValidation
        for area in str(rule.sqref).split()
        for place in places(area)
    }


def places(area: str) -> list[str]:
    return [place for row in rows_from_range(area) for place in row]


def print_setup(sheet: Worksheet) -> tuple[Any, ...]:
    return (
        str(sheet.print_area).replace("$", "").replace("'", "").rpartition("!")[2],
        str(sheet.print_title_rows).replace("$", ""),
        sheet.page_setup.orientation,
        str(sheet.page_setup.paperSize),
        bool(sheet.sheet_properties.pageSetUpPr and sheet.sheet_properties.pageSetUpPr.fitToPage),
    )


def head_and_foot(sheet: Worksheet) -> tuple[str, ...]:
    parts = (
        sheet.oddHeader.right,
        sheet.oddFooter.left,
        sheet.oddFooter.center,
        sheet.oddFooter.right,
    )
    return tuple(part.text or "" for part in parts)


def links(cell: Any) -> tuple[str, str]:
    """Where a link leads, within the file and outside."""
    link = cell.hyperlink
    if link is None:
        return "", ""
    return str(link.location or "").replace("'", ""), str(link.target or "")


def style(cell: Any) -> Any:
    """Font, fill and lock of a cell, as they look."""
    fill = cell.fill.fgColor.rgb if cell.fill.fill_type == "solid" else None
    font = cell.font
    color = font.color.rgb if font.color is not None and font.color.type == "rgb" else None
    return (
        *(font.name, font.sz, bool(font.b), bool(font.i), color and color[-6:]),
        *(fill and str(fill)[-6:], cell.protection.locked),
    )


def chart_look(saved: Saved) -> list[tuple[Any, ...]]:
    """Kind, number of series and their colours, chart by chart."""
    found = []
    for name, text in sorted(saved.parts.items()):
        if re.fullmatch(r"xl/charts/chart\d+\.xml", name):
            kinds = tuple(sorted(set(re.findall(r"<(?:c:)?(\w+Chart)>", text))))
            found.append((kinds, len(re.findall(r"<(?:c:)?ser>", text))))
    return sorted(found)


FEATURES: dict[str, Callable[[Saved], Any]] = {
    "sheets and their order": lambda saved: saved.book.sheetnames,
    "texts and numbers typed": lambda saved: saved.cells(to_12_digits),
    "last digits of numbers typed": lambda saved: saved.cells(typed),
    "formulas": lambda saved: saved.cells(formula),
    "values stored beside formulas": lambda saved: {
        at
        for at in saved.cells(formula)
        if (stored := saved.stored[at[0]][at[1]]).value is None and stored.data_type == "n"
    },
    "recalculation on opening": lambda saved: (
        'fullCalcOnLoad="1"' in saved.parts["xl/workbook.xml"]
    ),
    "dynamic array formulas": lambda saved: sum(
        len(re.findall(r'<c [^>]*\bcm="1"', text)) for text in saved.parts.values()
    ),
    "defined names": lambda saved: {name.casefold() for name in saved.book.defined_names},
    "LAMBDA names": lambda saved: {
        name for name, entry in saved.book.defined_names.items() if "LAMBDA(" in entry.attr_text
    },
    "rules for typing (validations)": lambda saved: saved.by_sheet(validations),
    "protection of sheets": lambda saved: saved.by_sheet(
        lambda sheet: bool(sheet.protection.sheet)
    ),
    "yellow cells unlocked": lambda saved: saved.cells(
        lambda cell: cell.value is not None and cell.protection.locked is False
    ),
    "fonts and fills": lambda saved: {
        at: style(saved.book[at[0]][at[1]]) for at in saved.cells(lambda cell: cell.value)
    },
    "number formats": lambda saved: saved.cells(
        lambda cell: cell.value is not None and re.sub(r'[\\"]', "", cell.number_format)
    ),
    "colours by condition": lambda saved: saved.by_sheet(
        lambda sheet: sum(len(area.rules) for area in sheet.conditional_formatting)
    ),
    "charts and their series": chart_look,
    "links to other sheets": lambda saved: saved.cells(links),
    "print set-up": lambda saved: saved.by_sheet(print_setup),
    "heads and feet": lambda saved: saved.by_sheet(head_and_foot),
    "frozen rows and columns": lambda saved: saved.by_sheet(lambda sheet: sheet.freeze_panes),
    "grid lines off": lambda saved: saved.by_sheet(
        lambda sheet: sheet.sheet_view.showGridLines is False
    ),
    "merged cells": lambda saved: saved.by_sheet(
        lambda sheet: sorted(str(area) for area in sheet.merged_cells.ranges)
    ),
    "template and version in the properties": lambda saved: {
        entry.name: entry.value for entry in saved.book.custom_doc_props.props
    },
    "title": lambda saved: saved.book.properties.title,
}


DIGITS, STORED, ARRAYS, LAMBDAS = (
    "last digits of numbers typed",
    "values stored beside formulas",
    "dynamic array formulas",
    "LAMBDA names",
)
LOST: dict[str, tuple[str, ...]] = {
    "LibreOffice": (
        *(DIGITS, "recalculation on opening", ARRAYS, LAMBDAS, "number formats"),
        *("frozen rows and columns", "grid lines off", "merged cells"),
    ),
    "openpyxl": (DIGITS, STORED, ARRAYS),
    "formulon": (),
}
"""What is not as it was in at least one template."""


def lost(before: Saved, after: Saved) -> set[str]:
    """The features that are not as they were."""
    return {name for name, look in FEATURES.items() if look(before) != look(after)}


def table() -> Iterator[str]:
    """The lines of the README: what is lost by whom, and what all keep."""
    changed = [name for name in FEATURES if any(name in names for names in LOST.values())]
    yield f"| | {' | '.join(PROGRAMS)} |"
    yield f"|---|{'---|' * len(PROGRAMS)}"
    for name in changed:
        said = ("not kept" if name in LOST[program] else "kept" for program in PROGRAMS)
        yield f"| {name} | {' | '.join(said)} |"
    yield ""
    kept = [name for name in FEATURES if name not in changed]
    yield f"All keep: {', '.join(kept)}."
