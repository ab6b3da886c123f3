"""The add-in ``scalesheet.xlam``, written on any machine from the registry and installed xlwings.

xlwings' support code is read from where pip put it and goes into the file as it is, but for the
name under which it looks for its settings. It loads a library that carries xlwings' version in its
name, so the file records the version that it was built with. Equal versions give equal bytes.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from scalesheet.errors import ScalesheetError
from scalesheet.surfaces.archive import pack
from scalesheet.surfaces.excel import vba
from scalesheet.surfaces.excel.vba_project import Module, exported, project
from scalesheet.surfaces.excel.xlam_parts import CONTENT_TYPES, PARTS

PROJECT = "scalesheet"
SUPPORT, DICTIONARY = "xlwings_custom_addin.bas", "addin/Dictionary.cls"
PLACEHOLDER = 'Public Const PROJECT_NAME As String = "myaddin"'


class BuildError(ScalesheetError):
    """An add-in that cannot be built here; the text is one line."""


@dataclass(frozen=True, slots=True)
class Versions:
    """What an add-in was built with."""

    scalesheet: str
    xlwings: str


def build(version: str, templates: Mapping[str, str]) -> bytes:
    """The bytes of the add-in; the templates, by name with their titles, stand in its ribbon."""
    support, xlwings_version = _support()
    modules = [*vba.modules(version, xlwings_version), *support]
    custom = PARTS["docProps/custom.xml"].format(
        scalesheet=escape(version), xlwings=escape(xlwings_version)
    )
    texts = {
        **PARTS,
        "docProps/custom.xml": custom,
        "customUI/customUI.xml": ribbon(templates),
    }
    parts = {name: text.strip().encode() for name, text in texts.items()}
    parts["xl/vbaProject.bin"] = project(PROJECT, modules)
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


def _support() -> tuple[Sequence[Module], str]:
    """xlwings' own modules, and the version that they say they are."""
    spec = find_spec("xlwings")
    if spec is None or not spec.submodule_search_locations:
        raise BuildError(
            "xlwings is not installed, whose code the add-in needs: pip install xlwings"
        )
    folder = Path(spec.submodule_search_locations[0])
    try:
        text = (folder / SUPPORT).read_text(encoding="cp1252")
        dictionary = (folder / DICTIONARY).read_text(encoding="cp1252")
    except OSError as error:
        raise BuildError(f"xlwings has no file {error.filename}: pip install -U xlwings") from None
    version = re.search(r'XLWINGS_VERSION As String = "([^"]+)"', text)
    if version is None or PLACEHOLDER not in text or "XLPyDLLActivateAuto" not in text:
        raise BuildError("this xlwings is of a form not known here: pip install -U scalesheet")
    named = text.replace(PLACEHOLDER, PLACEHOLDER.replace("myaddin", PROJECT))
    return [exported(named), exported(dictionary, "class")], version[1]


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
