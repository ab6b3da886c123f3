"""The functions as LibreOffice Calc calls them; runs inside LibreOffice, Python 3.8 and later."""

import struct

import scalesheet_calc.functions  # noqa: F401  (importing them fills the registry)
import unohelper
from com.sun.star.lang import Locale, XServiceInfo, XServiceName
from com.sun.star.sheet import LocalizedName, XAddIn, XCompatibilityNames
from org.scalesheet import XFunctions
from scalesheet_calc.errors import CellError
from scalesheet_calc.registry import REGISTRY
from scalesheet_calc.surfaces.cells import answer

SERVICE = "SCALESHEET"
IMPLEMENTATION = "org.scalesheet.Functions"
SERVICES = ("com.sun.star.sheet.AddIn", SERVICE)

# Calc shows a NaN that carries one of its own error numbers as that error.
ERROR_NUMBERS = {
    "#NUM!": 503,
    "#VALUE!": 519,
    "#REF!": 524,
    "#NAME?": 525,
    "#DIV/0!": 532,
    "#NULL!": 521,
    "#N/A": 32767,
}


def error_value(number):
    """A NaN that carries an error number of Calc."""
    return struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000 | number))[0]


ERRORS = {code: error_value(number) for code, number in ERROR_NUMBERS.items()}


def shown(value):
    """A value as a cell takes it: always a float or a text."""
    if isinstance(value, CellError):
        return ERRORS.get(value.code, ERRORS["#VALUE!"])
    return value if isinstance(value, str) else float(value)


def method(record):
    """The method by which Calc calls one function."""

    def call(self, *arguments):
        result = answer(record, arguments)
        if type(result) is float:
            return ((result,),)
        if isinstance(result, list):
            return tuple(tuple(shown(cell) for cell in row) for row in result)
        return ((shown(result),),)

    return call


class Functions(
    unohelper.Base, XFunctions, XAddIn, XCompatibilityNames, XServiceName, XServiceInfo
):
    """The add-in: the functions, and what the function wizard says of them."""

    def __init__(self, context):
        self.locale = Locale("en", "US", "")

    def getServiceName(self):
        return SERVICE

    def getImplementationName(self):
        return IMPLEMENTATION

    def getSupportedServiceNames(self):
        return SERVICES

    def supportsService(self, name):
        return name in SERVICES

    def setLocale(self, locale):
        self.locale = locale

    def getLocale(self):
        return self.locale

    def getProgrammaticFuntionName(self, name):  # the interface spells it so
        return name

    def getDisplayFunctionName(self, name):
        return name

    def getFunctionDescription(self, name):
        return REGISTRY[name].summary if name in REGISTRY else ""

    def getDisplayArgumentName(self, name, place):
        return self._parameter(name, place, lambda parameter: parameter.name)

    def getArgumentDescription(self, name, place):
        return self._parameter(
            name, place, lambda parameter: parameter.domain.words + ": " + parameter.domain.rule
        )

    def _parameter(self, name, place, text):
        if name not in REGISTRY or not 0 <= place < len(REGISTRY[name].parameters):
            return ""
        return text(REGISTRY[name].parameters[place])

    def getProgrammaticCategoryName(self, name):
        return "Add-In"

    def getDisplayCategoryName(self, name):
        return "Add-In"

    def getCompatibilityNames(self, name):
        return (LocalizedName(Locale("en", "", ""), name),)


for _record in REGISTRY.values():
    setattr(Functions, _record.name, method(_record))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, IMPLEMENTATION, SERVICES)
