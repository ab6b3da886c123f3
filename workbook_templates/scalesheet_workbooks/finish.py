"""Last step of a build: the bytes openpyxl saved become the bytes we ship.

openpyxl writes no cached values, no chart caches and no shared strings, absolute
relationship targets, the time of day, and other bytes with lxml than without. `finish` mends
all of that, so equal content gives an equal SHA-256 on every machine.
"""

import io
import math
import posixpath
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from string import ascii_uppercase

from scalesheet.errors import CellError
from scalesheet.surfaces.archive import pack
from scalesheet_workbooks.chart_cache import fill_caches, range_cells, shown_cells
from scalesheet_workbooks.dynamic_arrays import (
    CONTENT_TYPE,
    METADATA,
    PART,
    RELATIONSHIP,
    mark_calls,
)
from scalesheet_workbooks.xml_trees import MAIN, OFFICE, parsed, serialised

__all__ = ["Value", "finish"]

Value = float | int | str | bool | CellError
Trees = dict[str, ET.Element]
Sheets = list[tuple[str, ET.Element]]

_TREE_SUFFIXES = (".xml", ".rels", ".vml")
_FIRST = ("[Content_Types].xml", "_rels/.rels")
_STRINGS = "xl/sharedStrings.xml"
_STRINGS_RELATIONSHIP = OFFICE + "relationships/sharedStrings"
_STRINGS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def finish(
    saved: bytes,
    values: Mapping[tuple[str, str], Value],
    modified: datetime,
    array_functions: Collection[str] = (),
) -> bytes:
    """Shippable workbook made from the bytes that openpyxl saved.

    `values` gives each formula cell, as (sheet title, "B7"), the value it shows; the other
    cells of a multi-cell array formula count as formula cells. `modified` becomes both dates
    in the properties; without a time zone it is read as UTC. Formulas that call one of
    `array_functions` are stored as dynamic array formulas. ValueError when a formula has no
    value, a value is not finite, or a chart refers to something other than a range of cells.
    """
    trees, others = _unpack(saved)
    if _STRINGS in trees:
        raise ValueError("the workbook has shared strings already; finish what openpyxl saved")
    sheets = _sheets(trees)
    if mark_calls((sheet for _, sheet in sheets), array_functions):
        _add_part(trees, PART, parsed(METADATA.encode()), CONTENT_TYPE, RELATIONSHIP)
    for title, sheet in sheets:
        _cache_values(title, sheet, values)
        _untype_blanks(sheet)
    strings = _share_strings(trees, sheets)
    charts = [tree for name, tree in trees.items() if name.startswith("xl/charts/chart")]
    cells = shown_cells(charts, sheets, strings, trees["xl/styles.xml"])
    for chart in charts:
        fill_caches(chart, cells)
    for name, tree in trees.items():
        if name.endswith(".rels"):
            _make_relative(name, tree)
        _mark_spaces(tree)
    _set_properties(trees, modified)
    _child(trees["xl/workbook.xml"], "calcPr").set("fullCalcOnLoad", "1")
    return pack({name: serialised(name, tree) for name, tree in trees.items()} | others, _FIRST)


def _unpack(saved: bytes) -> tuple[Trees, dict[str, bytes]]:
    """XML parts as trees, and the remaining parts as they are."""
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    trees = {name: parsed(data) for name, data in parts.items() if name.endswith(_TREE_SUFFIXES)}
    return trees, {name: data for name, data in parts.items() if name not in trees}


def _child(element: ET.Element, tag: str) -> ET.Element:
    """First child with a tag, which must exist."""
    return next(child for child in element if child.tag == tag)


def _sheets(trees: Trees) -> Sheets:
    """Title and tree of every sheet, in workbook order."""
    targets = {rel.get("Id"): rel.attrib["Target"] for rel in trees["xl/_rels/workbook.xml.rels"]}
    entries = [sheet.attrib for sheet in _child(trees["xl/workbook.xml"], "sheets")]
    return [
        (entry["name"], trees[posixpath.join("/xl", targets[entry["r:id"]])[1:]])
        for entry in entries
    ]


def _cache_values(title: str, sheet: ET.Element, values: Mapping[tuple[str, str], Value]) -> None:
    """Formula cells of a sheet with the values they show."""
    for cell in list(_formula_cells(sheet)):
        at = cell.attrib["r"]
        if (title, at) not in values:
            raise ValueError(f"{title}!{at}: the formula has no value; give one in `values`")
        kind, text = _cell_text(f"{title}!{at}", values[title, at])
        if kind:
            cell.set("t", kind)
        cell[:] = [child for child in cell if child.tag != "v"]
        ET.SubElement(cell, "v").text = text


def _untype_blanks(sheet: ET.Element) -> None:
    """Empty cells without a type: openpyxl calls them numbers, and ironcalc then reads a 0."""
    for cell in sheet.iter("c"):
        if len(cell) == 0 and cell.get("t") == "n":
            del cell.attrib["t"]


def _formula_cells(sheet: ET.Element) -> Iterator[ET.Element]:
    """Cells with a formula, and those an array formula reaches, made where they are missing."""
    for cell in list(sheet.iter("c")):
        for formula in cell.iter("f"):
            yield cell
            if formula.get("t") == "array":
                reached = range_cells(formula.get("ref", cell.attrib["r"]))
                yield from (_cell_at(sheet, at) for at in reached if at != cell.get("r"))


def _cell_at(sheet: ET.Element, at: str) -> ET.Element:
    """Cell at a reference, made in its place when it is missing."""
    data = _child(sheet, "sheetData")
    number = at.lstrip(ascii_uppercase)
    row = next((row for row in data if row.get("r") == number), None)
    if row is None:
        row = ET.SubElement(data, "row", {"r": number})
        data[:] = sorted(data, key=lambda row: int(row.attrib["r"]))
    cell = next((cell for cell in row if cell.get("r") == at), None)
    if cell is None:
        cell = ET.SubElement(row, "c", {"r": at})
        row[:] = sorted(row, key=lambda cell: (len(cell.attrib["r"]), cell.attrib["r"]))
        _set_dimension(sheet)
    return cell


def _set_dimension(sheet: ET.Element) -> None:
    """Used range of a sheet, from its cells."""
    places = [cell.attrib["r"] for cell in sheet.iter("c")]
    columns = sorted((at.rstrip("0123456789") for at in places), key=lambda name: (len(name), name))
    rows = [int(at.lstrip(ascii_uppercase)) for at in places]
    area = f"{columns[0]}{min(rows)}:{columns[-1]}{max(rows)}"
    _child(sheet, "dimension").set("ref", area)


def _cell_text(where: str, value: Value) -> tuple[str, str]:
    """Type attribute ("" for a number) and text of a cached value."""
    if isinstance(value, CellError):
        return "e", value.code
    if isinstance(value, bool):
        return "b", str(int(value))
    if isinstance(value, str):
        return "str", value
    if not math.isfinite(value):
        raise ValueError(f"{where}: a cell cannot show {value}; pass a CellError")
    return "", repr(float(value) + 0.0).removesuffix(".0")  # + 0.0 turns -0.0 into 0.0


def _share_strings(trees: Trees, sheets: Sheets) -> list[str]:
    """Texts of the shared strings part, which takes over every inline string."""
    table = ET.Element("sst", {"xmlns": MAIN})
    places: dict[tuple[str, ...], int] = {}
    count = 0
    for cell in (cell for _, sheet in sheets for cell in sheet.iter("c")):
        if cell.get("t") != "inlineStr":
            continue
        del cell.attrib["t"]
        for inline in [child for child in cell if child.tag == "is"]:
            inline.tag = "si"
            _mark_spaces(inline)
            place = places.setdefault(_text_of(inline), len(places))
            if place == len(table):
                table.append(inline)
            cell.remove(inline)
            cell.set("t", "s")
            ET.SubElement(cell, "v").text = str(place)
            count += 1
    if count:
        table.attrib |= {"count": str(count), "uniqueCount": str(len(table))}
        _add_part(trees, _STRINGS, table, _STRINGS_TYPE, _STRINGS_RELATIONSHIP)
    return ["".join(text.text or "" for text in item.iter("t")) for item in table]


def _text_of(inline: ET.Element) -> tuple[str, ...]:
    """What tells a text from another: its letters alone, or with the look of its parts."""
    (first, *others) = inline
    if first.tag == "t" and not others:
        return (first.text or "",)
    return "rich", ET.tostring(inline, encoding="unicode")


def _add_part(
    trees: Trees, name: str, tree: ET.Element, content_type: str, relationship: str
) -> None:
    """A part of the workbook with its content type and relationship."""
    trees[name] = tree
    types = trees["[Content_Types].xml"]
    ET.SubElement(types, "Override", {"ContentType": content_type, "PartName": f"/{name}"})
    stem = posixpath.basename(name).removesuffix(".xml")
    link = {
        "Id": f"rId{stem[:1].upper()}{stem[1:]}",
        "Target": posixpath.basename(name),
        "Type": relationship,
    }
    ET.SubElement(trees["xl/_rels/workbook.xml.rels"], "Relationship", link)


def _mark_spaces(tree: ET.Element) -> None:
    """Texts of cells and comments with xml:space where they start or end in white space."""
    for text in tree.iter("t"):
        if text.text and text.text != text.text.strip():
            text.set("xml:space", "preserve")


def _make_relative(name: str, relationships: ET.Element) -> None:
    """Targets seen from the part that owns the relationships; ironcalc reads no others."""
    folder = "/" + posixpath.dirname(posixpath.dirname(name))
    for link in relationships:
        if link.attrib["Target"].startswith("/") and link.get("TargetMode") != "External":
            link.set("Target", posixpath.relpath(link.attrib["Target"], folder))


def _set_properties(trees: Trees, modified: datetime) -> None:
    """Document properties without the time of the build and the version of openpyxl."""
    aware = modified if modified.tzinfo else modified.replace(tzinfo=UTC)
    stamp = aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    core = trees["docProps/core.xml"]
    for tag in ("dcterms:created", "dcterms:modified"):
        _child(core, tag).text = stamp
    application = trees["docProps/app.xml"]
    application[:] = [child for child in application if child.tag != "AppVersion"]
    # LibreOffice trusts cached texts only from "Microsoft Excel"; else XLOOKUP shows #NAME?.
    _child(application, "Application").text = "Microsoft Excel Compatible / scalesheet"
