"""Parts of a workbook file as trees, and back: the same bytes whoever wrote the part.

The names of a tree carry their usual prefix ("c:numRef", "r:id"; none for the spreadsheet's own),
so nothing is registered with ElementTree and no prefix becomes ns0.
"""

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache

__all__ = ["MAIN", "OFFICE", "parsed", "serialised"]

_OOXML = "http://schemas.openxmlformats.org/"
OFFICE = _OOXML + "officeDocument/2006/"
MAIN = _OOXML + "spreadsheetml/2006/main"
_COMPATIBILITY = _OOXML + "markup-compatibility/2006"
_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_XML = "http://www.w3.org/XML/1998/namespace"

_PREFIXES = {
    MAIN: "",
    _OOXML + "package/2006/content-types": "",
    _OOXML + "package/2006/relationships": "",
    OFFICE + "extended-properties": "",
    OFFICE + "custom-properties": "",
    OFFICE + "relationships": "r",
    OFFICE + "docPropsVTypes": "vt",
    _OOXML + "package/2006/metadata/core-properties": "cp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/dc/dcmitype/": "dcmitype",
    _OOXML + "drawingml/2006/main": "a",
    _OOXML + "drawingml/2006/chart": "c",
    _OOXML + "drawingml/2006/spreadsheetDrawing": "xdr",
    _COMPATIBILITY: "mc",
    "http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac": "x14ac",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "urn:schemas-microsoft-com:office:excel": "x",
    _INSTANCE: "xsi",
    _XML: "xml",
    "http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray": "xda",
}
# Attributes whose value names prefixes: those stay declared even where no name uses them.
_PREFIX_VALUED = (f"{{{_COMPATIBILITY}}}Ignorable", "Requires", f"{{{_INSTANCE}}}type")

_SPECIAL = re.compile(r'[&<>"\r\n\t]').search
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_QUOTES = _IN_TEXT | str.maketrans({'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"})

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def parsed(data: bytes) -> ET.Element:
    """Tree with prefixed names, sorted attributes and every namespace declared on the root."""
    written: dict[str, str] = {}
    elements: list[ET.Element] = []
    for event, item in ET.iterparse(io.BytesIO(data), ("start-ns", "start")):
        if event == "start":
            elements.append(item)
        else:
            written[item[0]] = item[1]
    prefixes = {uri: prefix for prefix, uri in written.items()} | _PREFIXES
    declared: dict[str, str] = {}

    @cache
    def usual(name: str) -> str:
        uri, _, local = name.rpartition("}")
        if not uri:
            return name
        prefix = prefixes[uri[1:]]
        if declared.setdefault(prefix, uri[1:]) != uri[1:]:
            raise ValueError(f"prefix {prefix!r} stands for both {declared[prefix]} and {uri[1:]}")
        return f"{prefix}:{local}" if prefix else local

    @cache
    def in_order(*names: str) -> list[tuple[str, str]]:
        """Attributes by their usual names, each with the one it has here."""
        return sorted((usual(name), name) for name in names)

    for element in elements:
        attributes = element.attrib
        for name in _PREFIX_VALUED:
            if name in attributes:
                named = {word.partition(":")[0] for word in attributes[name].split()}
                declared |= {prefix: written[prefix] for prefix in named if prefix in written}
        element.tag = usual(element.tag)
        if attributes:
            element.attrib = {name: attributes[here] for name, here in in_order(*attributes)}
        # Only lxml writes a carriage return so that it survives being read again.
        if element.text and "\r" in element.text:
            element.text = element.text.replace("\r\n", "\n").replace("\r", "\n")
    declared.pop("xml", None)
    names = {f"xmlns:{prefix}" if prefix else "xmlns": declared[prefix] for prefix in declared}
    elements[0].attrib = dict(sorted(names.items())) | elements[0].attrib
    return elements[0]


def serialised(name: str, tree: ET.Element) -> bytes:
    """Text of a part."""
    # Not C14N 2.0: it moves declarations down to their first use, away from mc:Ignorable.
    # VML goes without an XML declaration, as Excel and openpyxl write it.
    declaration = "" if name.endswith(".vml") else _DECLARATION
    pieces = [declaration]
    _write(tree, pieces.append)
    return "".join(pieces).encode()


def _write(element: ET.Element, add: Callable[[str], None]) -> None:
    """An element and all in it, as ElementTree writes them, in half its time: no name has a
    namespace left, and only elements are in the tree."""
    tag, attributes = element.tag, element.attrib
    if attributes:
        listed = "".join([f' {name}="{_quoted(value)}"' for name, value in attributes.items()])
        add(f"<{tag}{listed}")
    else:
        add(f"<{tag}")
    if element.text or len(element):
        add(f">{_escaped(element.text)}" if element.text else ">")
        for child in element:
            _write(child, add)
        add(f"</{tag}>")
    else:
        add(" />")
    if element.tail:
        add(_escaped(element.tail))


def _escaped(text: str) -> str:
    return text.translate(_IN_TEXT) if _SPECIAL(text) else text


def _quoted(text: str) -> str:
    return text.translate(_IN_QUOTES) if _SPECIAL(text) else text
