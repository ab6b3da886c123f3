"""A workbook file as cells: what was typed, which formulas stand where, what the file stores.

Written for files that come back from others: read part by part, only cells that hold something,
with limits; Strict Open XML reads like the usual kind. Links, macros and queries are listed, never
followed or run.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from scalesheet_workbooks.layout import ID, ID_COLUMN
from scalesheet_workbooks.number_formats import hides, says_another, scales, shows_percent
from scalesheet_workbooks.package_parts import Package, Unreadable, file_bytes, open_package
from scalesheet_workbooks.read_sheets import Allowance, Cell, Sheet, Styles, read_sheet
from scalesheet_workbooks.read_strings import read_strings

__all__ = ["Book", "Cell", "DefinedName", "Sheet", "Unreadable", "read", "read_bytes"]

MOST_SHEETS = 1_000
FOREIGN_PARTS = re.compile(
    r"(externallinks?/externallink|vbaproject|connections|querytables?/|activex/|embeddings/|macrosheets/)",
    re.IGNORECASE,
)

BUILT_IN_PERCENTS = frozenset({"9", "10"})
"""Formats of every workbook: 0% and 0.00%."""


class DefinedName(NamedTuple):
    """A name of the workbook and what it stands for."""

    name: str
    text: str
    hidden: bool = False
    sheet: str = ""
    """The title of the one sheet that it holds on; empty where it holds on all."""


@dataclass(frozen=True)
class Book:
    """A workbook as it was saved."""

    sheets: tuple[Sheet, ...]
    names: Mapping[str, DefinedName]
    """By their name in small letters; those of one sheet have its title and ! before it."""
    properties: Mapping[str, str]
    """Title, creator, application, and custom ones under their own names."""
    parts: tuple[str, ...] = ()
    """Names of the parts that hold links, macros, queries or embedded files."""
    links: tuple[str, ...] = ()
    """Targets outside the file, as written; nothing is fetched."""
    strict: bool = False
    epoch_1904: bool = False
    manual_calculation: bool = False
    iterates: bool = False
    precision_as_displayed: bool = False

    @cached_property
    def by_title(self) -> dict[str, Sheet]:
        """Sheets by their title."""
        return {sheet.title: sheet for sheet in self.sheets}

    @cached_property
    def ids(self) -> dict[str, tuple[str, int]]:
        """Sheet and row of each id in column B; the first one counts."""
        found: dict[str, tuple[str, int]] = {}
        for sheet in self.sheets:
            texts = [
                (at[0], cell.value.strip())
                for at, cell in sheet.cells.items()
                if at[1] == ID_COLUMN and isinstance(cell.value, str)
            ]
            for row, text in sorted(texts):
                if ID.fullmatch(text):
                    found.setdefault(text, (sheet.title, row))
        return found

    @cached_property
    def formulas(self) -> set[tuple[str, str]]:
        """Every formula with the title of the sheet that it stands on."""
        return {
            (sheet.title, cell.formula)
            for sheet in self.sheets
            for cell in sheet.cells.values()
            if cell.formula is not None
        }

    def cell(self, title: str, row: int, column: int) -> Cell | None:
        """The cell at a place, or None."""
        sheet = self.by_title.get(title)
        return sheet.cells.get((row, column)) if sheet else None


def read(path: Path) -> Book:
    """The workbook in a file; Unreadable says in one line why it cannot be read."""
    return read_bytes(file_bytes(path))


def read_bytes(data: bytes) -> Book:
    """The workbook in the bytes of a file."""
    package = open_package(data)
    main = _main_part(package)
    links = _relations(package, main)
    tree = package.tree(main)
    strings = _strings(package, main, links)
    styles = _styles(package, links)
    sheets: list[Sheet] = []
    entries = [entry for entry in tree.iter("sheet") if entry.get("id")]
    if not entries:
        raise Unreadable("no_sheets", "the workbook has no sheets: save it again")
    if len(entries) > MOST_SHEETS:
        raise Unreadable(
            "too_large", f"it has {len(entries):,} sheets: delete those that are no budget"
        )
    allowance = Allowance()
    for entry in entries:
        kind, target = links.get(entry.get("id", ""), ("", ""))
        if not kind.endswith("/worksheet"):
            continue  # a chart sheet or a dialogue holds no cells
        if not package.has(target):
            raise Unreadable("damaged", f"the part {target} is missing: get the file again")
        state = entry.get("state", "visible")
        title = entry.get("name", "")
        sheets.append(read_sheet(package, target, title, state, strings, styles, allowance))
    properties = _properties(package)
    setup = tree.find("calcPr")
    calculation = setup.attrib if setup is not None else {}
    base = tree.find("workbookPr")
    names = _names(tree, [entry.get("name", "") for entry in tree.iter("sheet")])
    return Book(
        tuple(sheets),
        names,
        properties,
        tuple(sorted(part for part in package.names.values() if FOREIGN_PARTS.search(part))),
        tuple(_outside(package)),
        strict=_is_strict(package, main),
        epoch_1904=base is not None and _is_true(base.get("date1904", "0")),
        manual_calculation=calculation.get("calcMode") == "manual",
        iterates=_is_true(calculation.get("iterate", "0")),
        precision_as_displayed=not _is_true(calculation.get("fullPrecision", "1")),
    )


def _is_true(text: str) -> bool:
    return text in ("1", "true", "on")


def _main_part(package: Package) -> str:
    if package.has("_rels/.rels"):
        for link in package.tree("_rels/.rels"):
            if link.get("Type", "").endswith("/officeDocument"):
                target = link.get("Target", "").lstrip("/")
                if package.has(target):
                    return target
    if package.has("xl/workbook.xml"):
        return "xl/workbook.xml"
    raise Unreadable("no_workbook", "there is no workbook in this archive: save it as .xlsx")


def _relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """Kind and target of the links of a part, by their id."""
    folder, name = posixpath.split(part)
    rels = f"{folder}/_rels/{name}.rels"
    if not package.has(rels):
        return {}
    found = {}
    for link in package.tree(rels):
        target = link.get("Target", "")
        inside = link.get("TargetMode") != "External"
        if inside:
            target = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")
        found[link.get("Id", "")] = (link.get("Type", ""), target)
    return found


def _part_of(links: Mapping[str, tuple[str, str]], kind: str) -> str | None:
    return next((target for type_, target in links.values() if type_.endswith(f"/{kind}")), None)


def _strings(package: Package, main: str, links: Mapping[str, tuple[str, str]]) -> list[str]:
    part = _part_of(links, "sharedStrings")
    if part is None or not package.has(part):
        return []
    return read_strings(package, part)


def _styles(package: Package, links: Mapping[str, tuple[str, str]]) -> Styles:
    """What the cell styles of a workbook do to their cells."""
    part = _part_of(links, "styles")
    if part is None or not package.has(part):
        return Styles()
    tree = package.tree(part)
    codes = {
        entry.get("numFmtId", ""): entry.get("formatCode", "") for entry in tree.iter("numFmt")
    }
    odd = {
        key: code
        for key, code in codes.items()
        if hides(code) or scales(code) or says_another(code)
    }
    percents = BUILT_IN_PERCENTS | {key for key, code in codes.items() if shows_percent(code)}
    styles = tree.find("cellXfs")
    locked, formats, percent = [], {}, set()
    for place, style in enumerate(styles if styles is not None else ()):
        protection = style.find("protection")
        written = protection.get("locked", "1") if protection is not None else "1"
        locked.append(_is_true(written))
        number_format = style.get("numFmtId", "")
        if number_format in odd:
            formats[str(place)] = odd[number_format]
        if number_format in percents:
            percent.add(str(place))
    return Styles(locked, formats, percent)


def _names(tree: ET.Element, titles: Sequence[str]) -> dict[str, DefinedName]:
    found: dict[str, DefinedName] = {}
    for entry in tree.iter("definedName"):
        name, sheet = entry.get("name", ""), entry.get("localSheetId")
        if name.startswith("_xlnm."):
            continue
        title = titles[int(sheet)] if sheet and sheet.isdigit() and int(sheet) < len(titles) else ""
        if sheet is not None and not title:
            continue  # of no sheet that there is
        key = f"{title}!{name}".lower() if title else name.lower()
        hidden = _is_true(entry.get("hidden", "0"))
        found.setdefault(key, DefinedName(name, entry.text or "", hidden, title))
    return found


def _properties(package: Package) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in ("docProps/core.xml", "docProps/app.xml"):
        if package.has(part):
            for entry in package.tree(part):
                if entry.text and len(entry) == 0:
                    found.setdefault(entry.tag, entry.text)
    if package.has("docProps/custom.xml"):
        for entry in package.tree("docProps/custom.xml"):
            if len(entry) and entry.get("name"):
                found[entry.get("name", "")] = entry[0].text or ""
    return found


def _outside(package: Package) -> list[str]:
    """Targets of links that leave the file."""
    found = []
    for name in package.names.values():
        if name.endswith(".rels"):
            found += [
                link.get("Target", "")
                for link in package.tree(name)
                if link.get("TargetMode") == "External"
            ]
    return sorted(set(found))


def _is_strict(package: Package, main: str) -> bool:
    head = next(package.chunks(main), b"")
    return b"purl.oclc.org/ooxml" in head[:4096]
