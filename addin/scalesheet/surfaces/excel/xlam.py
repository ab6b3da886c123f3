"""The add-in ``scalesheet.xlam``, written on any machine from the registry and installed xlwings.

It loads a library that carries xlwings' version in its name, so the file records the version that
it was built with. Equal versions give equal bytes.
"""

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from scalesheet.surfaces.archive import pack
from scalesheet.surfaces.excel import vba
from scalesheet.surfaces.excel.vba_project import project
from scalesheet.surfaces.excel.xlam_parts import CONTENT_TYPES, PARTS
from scalesheet.surfaces.excel.xlwings_support import BuildError, read_support

PROJECT = "scalesheet"


@dataclass(frozen=True, slots=True)
class Versions:
    """What an add-in was built with."""

    scalesheet: str
    xlwings: str


def build(version: str, templates: Mapping[str, str]) -> bytes:
    """The bytes of the add-in; the templates, by name with their titles, stand in its ribbon."""
    support = read_support()
    custom = PARTS["docProps/custom.xml"].format(
        scalesheet=escape(version), xlwings=escape(support.version)
    )
    texts = {
        **PARTS,
        "docProps/custom.xml": custom,
        "customUI/customUI.xml": ribbon(templates),
    }
    parts = {name: text.strip().encode() for name, text in texts.items()}
    parts["xl/vbaProject.bin"] = project(PROJECT, vba.modules(version, support))
    return pack(parts, first=[CONTENT_TYPES])


def built_with(xlam: bytes) -> Versions:
    """The versions that an add-in records."""
    try:
        with zipfile.ZipFile(io.BytesIO(xlam)) as package:
            text = package.read("docProps/custom.xml").decode()
        found = [
            re.search(rf'name="{name} version">\s*<vt:lpwstr>([^<]*)<', text)
            for name in ("scalesheet", "xlwings")
        ]
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError):
        found = []
    versions = [match[1] for match in found if match]
    if len(versions) != 2:
        raise BuildError("the file is no add-in of scalesheet's")
    return Versions(*versions)


def ribbon(templates: Mapping[str, str]) -> str:
    """The tab of the ribbon."""
    buttons = "\n".join(
        f'<button id="new_{name}" tag="{name}" label={quoteattr(title)} '
        f'onAction="{vba.RIBBON}.ScalesheetNewBudget"/>'
        for name, title in templates.items()
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<customUI xmlns="http://schemas.microsoft.com/office/2006/01/customui"><ribbon><tabs>
<tab id="scalesheetTab" label="scalesheet">
<group id="scalesheetGroup" label="AI training economics">
<menu id="scalesheetNew" label="New budget" size="large" imageMso="FileNew" \
screentip="Write a workbook from a template and open it">
{buttons}
</menu>
<button id="scalesheetReview" label="Review this workbook" size="large" \
imageMso="ReviewTrackChanges" onAction="{vba.RIBBON}.ScalesheetReview"/>
<button id="scalesheetHelp" label="Function help" size="large" imageMso="FunctionWizard" \
onAction="{vba.RIBBON}.ScalesheetHelp"/>
</group></tab></tabs></ribbon></customUI>
"""
