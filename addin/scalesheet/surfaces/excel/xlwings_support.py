"""What our VBA takes of xlwings' own: its licence and the declarations of its library.

They are read from the installed xlwings when an add-in is built; nothing of them is kept here. The
rest of xlwings' VBA stays out on purpose: a public function of an add-in can be called from a cell
of any workbook, and among xlwings' are some that run Python or read files.
"""

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from scalesheet.errors import ScalesheetError

FILE = "xlwings_custom_addin.bas"
NEEDED = ("XLPyDLLActivateAuto", "XLPyDLLName", "BSD 3-clause")


class BuildError(ScalesheetError):
    """An add-in that cannot be built here; the text is one line."""


@dataclass(frozen=True, slots=True)
class Support:
    """The version of xlwings, and the head of its VBA."""

    version: str
    declarations: str


def read_support() -> Support:
    """The head of the installed xlwings' VBA, all its declarations private."""
    spec = find_spec("xlwings")
    if spec is None or not spec.submodule_search_locations:
        raise BuildError("xlwings is not installed, and the add-in needs it: pip install xlwings")
    path = Path(spec.submodule_search_locations[0], FILE)
    try:
        return support_from(path.read_text(encoding="cp1252"))
    except OSError:
        raise BuildError(f"xlwings has no file {path}: pip install -U xlwings") from None


def support_from(text: str) -> Support:
    """What lies before the first procedure, without the line that names the module."""
    head = re.split(r"(?m)^(?:Public |Private )?(?:Function|Sub) ", text)[0]
    version = re.search(r'XLWINGS_VERSION As String = "([^"]+)"', head)
    if version is None or any(word not in head for word in NEEDED):
        raise BuildError("this xlwings is of a form not known here: pip install -U scalesheet")
    lines = [line.rstrip() for line in head.splitlines() if not line.startswith("Attribute ")]
    private = re.sub(
        r"(?m)^(\s*)(?:Public |Private )?(Declare|Const) ", r"\1Private \2 ", "\n".join(lines)
    )
    return Support(version[1], private.strip())
