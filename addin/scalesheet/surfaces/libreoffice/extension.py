"""The extension file ``scalesheet.oxt``, written from the registry.

LibreOffice reads the interface as text (IDL), so nothing is compiled; one file serves every version
from 7.4 on. Names are bare when typed (``=SCALING_EFF(4;"NDR";0,5)``); the dotted form
``SCALESHEET.SCALING_EFF`` is what LibreOffice writes, and what a file for version 7.4 must hold.
"""

from collections.abc import Iterator
from importlib import resources
from xml.sax.saxutils import escape, quoteattr

from scalesheet.registry import REGISTRY, Function
from scalesheet.surfaces.archive import pack
from scalesheet.surfaces.libreoffice import SERVICE
from scalesheet.surfaces.libreoffice.vendored import sources

IDENTIFIER = "org.scalesheet.calc"
DISPLAY_NAME = "scalesheet: economics of AI-training clusters"
CATEGORY = "Add-In"

MANIFEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">
 <manifest:file-entry manifest:full-path="XFunctions.idl" \
manifest:media-type="application/vnd.sun.star.uno-typelibrary;type=RDB"/>
 <manifest:file-entry manifest:full-path="component.py" \
manifest:media-type="application/vnd.sun.star.uno-component;type=Python"/>
 <manifest:file-entry manifest:full-path="CalcAddIns.xcu" \
manifest:media-type="application/vnd.sun.star.configuration-data"/>
</manifest:manifest>
"""


def build(version: str) -> bytes:
    """The bytes of the extension; equal registries and versions give equal bytes."""
    component = resources.files(__package__).joinpath("oxt", "component.py").read_bytes()
    parts = {
        "META-INF/manifest.xml": MANIFEST.encode(),
        "description.xml": description(version).encode(),
        "XFunctions.idl": interface().encode(),
        "CalcAddIns.xcu": configuration().encode(),
        "component.py": component,
    }
    vendored = {f"pythonpath/{path}": text.encode() for path, text in sources().items()}
    return pack(parts | vendored)


def description(version: str) -> str:
    """The extension's name and version."""
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<description xmlns="http://openoffice.org/extensions/description/2006">
 <identifier value="{IDENTIFIER}"/>
 <version value="{escape(version)}"/>
 <display-name><name lang="en">{escape(DISPLAY_NAME)}</name></display-name>
</description>
"""


def interface() -> str:
    """The interface of the functions: every argument a cell or a range, every result rows."""
    methods = "\n".join(_method(record) for record in REGISTRY.values())
    return f"module org {{ module scalesheet {{\ninterface XFunctions {{\n{methods}\n}};\n}}; }};\n"


def _method(record: Function) -> str:
    arguments = ", ".join(f"[in] any {camel(parameter.name)}" for parameter in record.parameters)
    return f"  sequence< sequence<any> > {record.name}({arguments});"


def camel(name: str) -> str:
    """A parameter's name as IDL takes it, which is without underscores.

    >>> camel("efficiency_floor")
    'efficiencyFloor'
    """
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def configuration() -> str:
    """What Calc's function wizard shows."""
    functions = "\n".join(line for record in REGISTRY.values() for line in _wizard(record))
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" \
xmlns:xs="http://www.w3.org/2001/XMLSchema" oor:name="CalcAddIns" \
oor:package="org.openoffice.Office">
 <node oor:name="AddInInfo">
  <node oor:name="{SERVICE}" oor:op="replace">
   <node oor:name="AddInFunctions">
{functions}
   </node>
  </node>
 </node>
</oor:component-data>
"""


def _wizard(record: Function) -> Iterator[str]:
    yield f'    <node oor:name={quoteattr(record.name)} oor:op="replace">'
    yield _property("DisplayName", record.name)
    yield _property("Description", record.summary)
    yield f'     <prop oor:name="Category"><value>{CATEGORY}</value></prop>'
    yield _property("CompatibilityName", record.name)
    yield '     <node oor:name="Parameters">'
    for parameter in record.parameters:
        yield f'      <node oor:name="{camel(parameter.name)}" oor:op="replace">'
        yield _property("DisplayName", parameter.name)
        yield _property("Description", f"{parameter.domain.words}: {parameter.domain.rule}")
        yield "      </node>"
    yield "     </node>"
    yield "    </node>"


def _property(name: str, text: str) -> str:
    return f'     <prop oor:name="{name}"><value xml:lang="en">{escape(text)}</value></prop>'
