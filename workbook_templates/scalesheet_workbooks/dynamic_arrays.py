"""Calls of worksheet functions marked as dynamic array formulas.

Excel puts @ before a call of a defined LAMBDA name or an add-in function that a file stores as an
ordinary formula, and the call then returns one value only. A stored dynamic array formula is shown
as typed and may spill.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterable

PART = "xl/metadata.xml"
CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml"
RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sheetMetadata"
FLAGS = (
    "copy pasteAll pasteValues merge splitFirst rowColShift clearFormats clearComments assign "
    "coerce cellMeta"
)
METADATA = f"""\
<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" \
xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">\
<metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000" \
{" ".join(f'{flag}="1"' for flag in FLAGS.split())}/></metadataTypes>\
<futureMetadata name="XLDAPR" count="1"><bk><extLst>\
<ext uri="{{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}}">\
<xda:dynamicArrayProperties fCollapsed="0" fDynamic="1"/></ext></extLst></bk></futureMetadata>\
<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>"""


def mark_calls(sheets: Iterable[ET.Element], names: Collection[str]) -> bool:
    """Whether any formula calls one of the names; each that does is marked."""
    if not names:
        return False
    call = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})\(")
    marked = False
    for cell in (cell for sheet in sheets for cell in sheet.iter("c")):
        for formula in cell.iter("f"):
            if call.search(formula.text or ""):
                formula.attrib |= {"ref": cell.attrib["r"], "t": "array"}
                cell.set("cm", "1")
                marked = True
    return marked
