"""10,000 add-in cells recalculated in LibreOffice Calc, beside as many of an empty add-in.

Run ``python tests/benchmarks/bench_libreoffice.py [ROUNDS]``; the goal is a ratio of 1.5 or less.
LibreOffice recalculates a document now at one speed and now at a third of it, with either add-in,
so both take turns on many documents.
"""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from calc import Calc, calc_with
from scalesheet.surfaces.archive import pack
from scalesheet.surfaces.libreoffice.extension import MANIFEST, build

ROWS = 5000
OURS = ("SCALING_EFF(A{0};B{0};C{0})", "TRAIN_COST(D{0};E{0};F{0};C{0};G{0};H{0};I{0})")
EMPTY = ("EMPTY_3(A{0};B{0};C{0})", "EMPTY_7(D{0};E{0};F{0};C{0};G{0};H{0};I{0})")

EMPTY_IDL = """\
module org { module scalesheet { module empty {
interface XFunctions {
  sequence< sequence<any> > EMPTY_3([in] any a, [in] any b, [in] any c);
  sequence< sequence<any> > EMPTY_7([in] any a, [in] any b, [in] any c, [in] any d, [in] any e,
    [in] any f, [in] any g);
};
}; }; };
"""
EMPTY_COMPONENT = """\
import unohelper
from com.sun.star.sheet import XAddIn
from com.sun.star.lang import Locale, XServiceInfo, XServiceName
from org.scalesheet.empty import XFunctions


class Functions(unohelper.Base, XFunctions, XAddIn, XServiceName, XServiceInfo):
    def __init__(self, context):
        self.locale = Locale("en", "US", "")

    def EMPTY_3(self, a, b, c):
        return ((1.0,),)

    def EMPTY_7(self, a, b, c, d, e, f, g):
        return ((1.0,),)

    def getServiceName(self):
        return "EMPTYADDIN"

    def getImplementationName(self):
        return "org.scalesheet.empty.Functions"

    def getSupportedServiceNames(self):
        return ("com.sun.star.sheet.AddIn", "EMPTYADDIN")

    def supportsService(self, name):
        return name in self.getSupportedServiceNames()

    def setLocale(self, locale):
        self.locale = locale

    def getLocale(self):
        return self.locale

    def getProgrammaticFuntionName(self, name):
        return name

    def getDisplayFunctionName(self, name):
        return name

    def getFunctionDescription(self, name):
        return ""

    def getDisplayArgumentName(self, name, place):
        return ""

    def getArgumentDescription(self, name, place):
        return ""

    def getProgrammaticCategoryName(self, name):
        return "Add-In"

    def getDisplayCategoryName(self, name):
        return "Add-In"


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(
    Functions, "org.scalesheet.empty.Functions", ("com.sun.star.sheet.AddIn", "EMPTYADDIN")
)
"""
EMPTY_DESCRIPTION = """\
<?xml version="1.0" encoding="UTF-8"?>
<description xmlns="http://openoffice.org/extensions/description/2006">
 <identifier value="org.scalesheet.empty"/><version value="1"/>
</description>
"""
EMPTY_CONFIGURATION = """\
<?xml version="1.0" encoding="UTF-8"?>
<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" oor:name="CalcAddIns" \
oor:package="org.openoffice.Office"><node oor:name="AddInInfo"/></oor:component-data>
"""


def empty_addin() -> bytes:
    """An extension whose functions give 1 and do nothing."""
    parts = {
        "META-INF/manifest.xml": MANIFEST,
        "description.xml": EMPTY_DESCRIPTION,
        "XFunctions.idl": EMPTY_IDL,
        "CalcAddIns.xcu": EMPTY_CONFIGURATION,
        "component.py": EMPTY_COMPONENT,
    }
    return pack({name: text.encode() for name, text in parts.items()})


def seconds(calc: Calc, calls: tuple[str, str], recalculations: int = 3) -> list[float]:
    """How long recalculations of a new document took."""
    [title, *_] = calc.open()
    inputs = [
        (4 + row % 4, "NDR", 0.5, 64 + row % 64, 120, 2.5, 0.15, 200, 150) for row in range(ROWS)
    ]
    calc.put(sheet=title, area=f"A1:I{ROWS}", rows=inputs)
    formulas = [["=" + call.format(row) for call in calls] for row in range(1, ROWS + 1)]
    calc.fill(sheet=title, area=f"K1:L{ROWS}", rows=formulas)
    if not all(isinstance(value, float) for value in calc.cells(title, f"K{ROWS}:L{ROWS}")[0]):
        raise RuntimeError(f"not calculated: {calc.formulas(sheet=title, area='K1:L1')}")
    return [calc.recalculate() for _ in range(recalculations)]


def main(rounds: int = 6) -> None:
    """Print the medians and their ratio."""
    ours: list[float] = []
    empty: list[float] = []
    with calc_with({"scalesheet.oxt": build("0"), "empty.oxt": empty_addin()}) as calc:
        for _ in range(rounds):
            empty += seconds(calc, EMPTY)
            ours += seconds(calc, OURS)
    one, other = statistics.median(ours), statistics.median(empty)
    print(f"{2 * ROWS} cells of scalesheet:       {1000 * one:6.1f} ms")
    print(f"{2 * ROWS} cells of an empty add-in:  {1000 * other:6.1f} ms")
    print(f"ratio {one / other:.2f} (goal: at most 1.5)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
