"""LibreOffice Calc on strings: a JSON object a line in, a JSON object a line out.

Runs in the Python that LibreOffice's ``uno`` module belongs to, so it keeps to the standard
library and imports nothing of ours. It starts LibreOffice with the profile that it is given and
ends it when its input ends. ``tests/calc.py`` speaks with it.
"""

import contextlib
import json
import subprocess
import sys
import time
import traceback

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import DisposedException

ERROR = uno.getConstantByName("com.sun.star.sheet.FormulaResult.ERROR")
FILTERS = {"ods": "calc8", "xlsx": "Calc MS Excel 2007 XML"}
START_SECONDS = 60


def properties(**values):
    """Arguments of a UNO call by name."""
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def url(path):
    """A path as LibreOffice takes it."""
    return uno.systemPathToFileUrl(path)


class Calc:
    """One LibreOffice and the document that is open in it."""

    def __init__(self, soffice, profile):
        pipe = "scalesheet" + str(time.monotonic_ns())
        self.process = subprocess.Popen(
            [
                soffice,
                "-env:UserInstallation=" + url(profile),
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "--accept=pipe,name=" + pipe + ";urp",
            ],
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
        )
        context = self._connected("uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext")
        manager = context.ServiceManager
        self.desktop = manager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.document = None

    def _connected(self, address):
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                return resolver.resolve(address)
            except NoConnectException:
                if self.process.poll() not in (None, 81) or time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def open(self, path=None):
        """Open a file, or a new document; the titles of its sheets."""
        self.close()
        address = url(path) if path else "private:factory/scalc"
        self.document = self.desktop.loadComponentFromURL(
            address, "_blank", 0, properties(Hidden=True)
        )
        return list(self.document.Sheets.ElementNames)

    def close(self):
        """Close the document without saving it."""
        if self.document:
            self.document.close(True)
            self.document = None

    def add_sheet(self, title):
        """A new sheet at the end."""
        self.document.Sheets.insertNewByName(title, self.document.Sheets.Count)

    def _range(self, sheet, area):
        return self.document.Sheets.getByName(sheet).getCellRangeByName(area)

    def put(self, sheet, area, rows):
        """Inputs as they are: numbers to the last bit, texts, None for a blank."""
        data = tuple(tuple("" if cell is None else cell for cell in row) for row in rows)
        self._range(sheet, area).setDataArray(data)

    def type(self, sheet, cells, local=True):
        """Contents as a user types them: in the separators of the locale, or in English."""
        for address, text in cells.items():
            cell = self._range(sheet, address)
            if local:
                cell.FormulaLocal = text
            else:
                cell.setFormula(text)

    def type_array(self, sheet, area, text):
        """An array formula, as with Ctrl+Shift+Enter."""
        self._range(sheet, area).setArrayFormula(text)

    def fill(self, sheet, area, rows):
        """Formulas of a whole range in one call, in English."""
        self._range(sheet, area).setFormulaArray(tuple(map(tuple, rows)))

    def read(self, sheet, area):
        """What the cells of a range show: a number, a text, an error's number, None for a blank."""
        cells = self._range(sheet, area)
        contents = cells.getFormulaArray()
        rows = [
            [shown if contents[row][column] else None for column, shown in enumerate(cells)]
            for row, cells in enumerate(cells.getDataArray())
        ]
        corner = cells.RangeAddress
        for found in cells.queryFormulaCells(ERROR).RangeAddresses:
            for row in range(found.StartRow - corner.StartRow, found.EndRow - corner.StartRow + 1):
                for column in range(
                    found.StartColumn - corner.StartColumn, found.EndColumn - corner.StartColumn + 1
                ):
                    error = cells.getCellByPosition(column, row).getError()
                    rows[row][column] = {"error": error}
        return rows

    def formulas(self, sheet, area):
        """What stands in the cells of a range: formulas, numbers, texts."""
        return [list(row) for row in self._range(sheet, area).getFormulaArray()]

    def recalculate(self):
        """Every formula calculated again, changed or not; the seconds that it took."""
        began = time.perf_counter()
        self.document.calculateAll()
        return time.perf_counter() - began

    def save(self, path):
        """Save a copy in the form that the file's name ends in."""
        form = FILTERS[path.rpartition(".")[2]]
        self.document.storeToURL(url(path), properties(FilterName=form, Overwrite=True))

    def quit(self):
        """End LibreOffice."""
        self.close()
        with contextlib.suppress(DisposedException):
            self.desktop.terminate()
        self.process.wait(30)


def main(soffice, profile, kind=Calc):
    """Answer until the input ends."""
    calc = kind(soffice, profile)
    print(json.dumps({"result": "ready"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"result": getattr(calc, request["do"])(**request["with"])}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), flush=True)
    calc.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
