"""Our VBA: one function for each worksheet function, what the wizard says of it, what they share.

Every argument may be left out, so that a missing one is a message that names it and not Excel's
bare error. VBA takes lines of 1,023 letters and descriptions of 255.

What is the same for every function stands in ``vba_modules``, a file a module. Only what VBA must
do is done there: reading cells, keeping the connection, and turning error numbers into errors. A
number always comes back from Python as a Double, so a Long is an error's number. Nothing there asks
who called: a worksheet, a macro and a conditional format are served alike. What must not be called
from a cell of somebody's workbook is a Sub, for a cell calls none.
"""

import re
import textwrap
from importlib import resources

from scalesheet.domains import Domain
from scalesheet.registry import REGISTRY, Function
from scalesheet.surfaces.excel.vba_project import Module
from scalesheet.surfaces.excel.xlwings_support import Support

FUNCTIONS, CALLS, PYTHON, RIBBON, ABOUT = (
    f"Scalesheet{name}" for name in ("Functions", "Calls", "Python", "Ribbon", "About")
)
SETTINGS = r"%USERPROFILE%\.scalesheet\python.txt"
"""Where the interpreter of the add-in is written down."""
LAST_ERRORS = "LAST_ERRORS"
LAST_ERRORS_SUMMARY = "The latest messages behind errors of scalesheet's functions, newest first."
LONGEST_LINE, LONGEST_DESCRIPTION = 1023, 255

_WORDS = (
    "abs addressof and any array as attribute boolean byref byte byval call case cbool cbyte "
    "ccur cdate cdbl cdec cdecl cint circle clng clnglng clngptr close const csng cstr "
    "currency cvar cverr date debug decimal declare defbool defbyte defcur defdate defdbl "
    "defdec defint deflng deflnglng deflngptr defobj defsng defstr defvar dim do doevents "
    "double each else elseif empty end endif enum eqv erase event exit explicit false fix for "
    "friend function get global go gosub goto if imp implements in input inputb instr instrb "
    "int integer is lbound len lenb let like line lock long longlong longptr loop lset me "
    "midb mod new next not nothing null object on open option optional or paramarray preserve "
    "print private property pset public put raiseevent redim rem resume return rset scale "
    "seek select set sgn shared single spc static step stop string sub tab then to true type "
    "typeof ubound unlock until variant wend while with withevents write xor "
)
RESERVED = frozenset(_WORDS.split())
"""Words that VBA keeps to itself (MS-VBAL 3.3.5.2), in small letters."""


def modules(version: str, support: Support) -> list[Module]:
    """Our modules, with what they need of one version of xlwings."""
    said = f"' Written by scalesheet {version} for xlwings {support.version}.\n"
    python = _code(f"{PYTHON}.bas").replace("{declarations}", support.declarations)
    return [
        Module("ThisWorkbook", _code("ThisWorkbook.cls"), "workbook"),
        Module("Sheet1", "", "sheet"),
        Module(FUNCTIONS, said + functions()),
        Module(CALLS, said + _code(f"{CALLS}.bas")),
        Module(PYTHON, said + python.replace("{settings}", SETTINGS)),
        Module(RIBBON, said + _code(f"{RIBBON}.bas")),
        Module(ABOUT, said + about()),
    ]


def _code(file: str) -> str:
    """A module's code that is the same for every function."""
    return resources.files(__package__).joinpath("vba_modules", file).read_text(encoding="utf-8")


def functions() -> str:
    """The code of the module with the worksheet functions."""
    parts = ["Option Explicit", "", *map(_function, REGISTRY.values())]
    return "\n".join([*parts, _last_errors()])


def _function(record: Function) -> str:
    names = [_checked(parameter.name) for parameter in record.parameters]
    arguments = ", ".join(f"Optional {name} As Variant" for name in names)
    return _lines(
        f"Public Function {_checked(record.name)}({arguments}) As Variant",
        f"Attribute {record.name}.VB_Description = {text(record.summary)}",
        f'    {record.name} = Answered("{record.name}", Array({", ".join(names)}))',
        "End Function",
    )


def _last_errors() -> str:
    return _lines(
        f"Public Function {LAST_ERRORS}() As Variant",
        f"Attribute {LAST_ERRORS}.VB_Description = {text(LAST_ERRORS_SUMMARY)}",
        "    Application.Volatile",
        f"    {LAST_ERRORS} = LatestErrors()",
        "End Function",
    )


def about() -> str:
    """The code of the module that registers descriptions, help on arguments and categories."""
    calls = "\n".join(f"    About_{record.name}" for record in REGISTRY.values())
    return "\n".join(
        [
            "Option Explicit",
            "Option Private Module",
            "",
            "Public Sub DescribeFunctions()",
            "    On Error Resume Next",
            f"    DescribeLastErrors\n{calls}",
            "End Sub",
            "",
            "Public Sub DescribeLastErrors()",
            f'    Described "{LAST_ERRORS}", {text(LAST_ERRORS_SUMMARY)}, "scalesheet"',
            "End Sub",
            "",
            *map(_about, REGISTRY.values()),
            "Private Sub Described(ByVal called As String, ByVal summary As String, _",
            "    ByVal category As String, Optional ByVal arguments As Variant)",
            '    called = "\'" & ThisWorkbook.Name & "\'!" & called',
            "    If IsMissing(arguments) Then",
            "        Application.MacroOptions Macro:=called, Description:=summary, _",
            "            Category:=category",
            "    Else",
            "        Application.MacroOptions Macro:=called, Description:=summary, _",
            "            Category:=category, ArgumentDescriptions:=arguments",
            "    End If",
            "End Sub",
        ]
    )


def _about(record: Function) -> str:
    # The last description would lose its end where Excel counts wrongly, hence the space.
    helps = ", _\n        ".join(text(help_text(p.domain) + " ") for p in record.parameters)
    return _lines(
        f"Private Sub About_{record.name}()",
        f'    Described "{record.name}", {text(record.summary)}, _',
        f"        {text(category(record))}, Array( _\n        {helps})",
        "End Sub",
    )


def category(record: Function) -> str:
    """A function's category in the wizard."""
    return f"scalesheet: {record.category}"


def help_text(domain: Domain) -> str:
    """What the wizard says of an argument: what it is and what it may be."""
    return f"{domain.words} [{domain.unit}]: {domain.rule}"


def text(value: str) -> str:
    """A text of VBA, of as many letters as a description may have."""
    short = textwrap.shorten(value, LONGEST_DESCRIPTION - 1, placeholder="...")
    end = " " if value.endswith(" ") else ""
    return '"' + (short + end).replace('"', '""') + '"'


def _checked(name: str) -> str:
    """A name that VBA takes."""
    if name.lower() in RESERVED or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,253}", name):
        raise ValueError(f"{name} is no name in VBA")
    return name


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"
