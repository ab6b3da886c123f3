"""LibreOffice with the VBA of an add-in running in it: the other driver, and macros.

LibreOffice has no ``Value2`` and no library of xlwings', so VBA runs with stand-ins for the two.
What VBA would send to Python goes out as a line of JSON, and the reply comes in as one. Numbers of
errors come as texts with a sign before them, since UNO keeps no width of a whole number.
"""

import json
import sys

import unohelper
from com.sun.star.container import XNameReplace
from libreoffice_driver import Calc, main, properties, url

FILTER = "Calc MS Excel 2007 VBA XML"
MACROS_RUN = 4

CONNECTION = """
Option VBASupport 1
Option Explicit
Public remote As Object
Public started As Long

Public Function SetRemote(given)
    Set remote = given
    SetRemote = True
End Function

Public Function Started_Count()
    Started_Count = started
End Function

Public Sub Connect(ByRef found As Object)
    started = started + 1
    Set found = remote
End Sub

Public Function CallUDF(link As Object, script As String, called As String, sent As Variant)
    Dim place As Long, delivered() As Variant
    ReDim delivered(0 To UBound(sent))
    For place = 0 To UBound(sent)
        delivered(place) = OverCom(sent(place))
    Next place
    link.replaceByName(script, Array(script, called, delivered))
    CallUDF = Returned(link.getByName(script))
End Function

Public Function Wide(given) As Boolean
    Dim bound As Long
    On Error GoTo single_row
    bound = UBound(given, 2)
    Wide = True
    Exit Function
single_row:
    Wide = False
End Function

Private Function OverCom(given)
    Dim place As Long, copied() As Variant
    If IsArray(given) Then
        OverCom = given
        If Wide(given) Then Exit Function
        ReDim copied(0 To UBound(given))
        For place = 0 To UBound(given)
            copied(place) = OverCom(given(place))
        Next place
        OverCom = copied
    ElseIf IsError(given) Then
        OverCom = "@" & Mid(CStr(given), 7)
    Else
        OverCom = given
    End If
End Function

Private Function Returned(given)
    Dim row As Long, column As Long, found() As Variant
    If Not IsArray(given) Then
        Returned = Whole(given)
    ElseIf Not IsArray(given(0)) Then
        ReDim found(0 To UBound(given))
        For row = 0 To UBound(given)
            found(row) = Whole(given(row))
        Next row
        Returned = found
    Else
        ReDim found(0 To UBound(given), 0 To UBound(given(0)))
        For row = 0 To UBound(given)
            For column = 0 To UBound(given(0))
                found(row, column) = Whole(given(row)(column))
            Next column
        Next row
        Returned = found
    End If
End Function

Private Function Whole(given)
    If TypeName(given) = "String" Then
        If Left(given, 1) = "@" Then
            Whole = CLng(Mid(given, 2))
            Exit Function
        End If
    End If
    Whole = given
End Function
"""

CASES = """
Option VBASupport 1
Option Explicit

' A result for the test: whether it IsError stands in a text.
Private Function Seen(given)
    Dim row As Long, rows() As Variant
    If Not IsArray(given) Then
        Seen = One(given)
    ElseIf Wide(given) Then
        ReDim rows(LBound(given, 1) To UBound(given, 1))
        For row = LBound(given, 1) To UBound(given, 1)
            rows(row) = RowOf(given, row)
        Next row
        Seen = rows
    Else
        ReDim rows(LBound(given) To UBound(given))
        For row = LBound(given) To UBound(given)
            rows(row) = One(given(row))
        Next row
        Seen = rows
    End If
End Function

Private Function RowOf(given, row As Long)
    Dim column As Long, cells() As Variant
    ReDim cells(LBound(given, 2) To UBound(given, 2))
    For column = LBound(given, 2) To UBound(given, 2)
        cells(column) = One(given(row, column))
    Next column
    RowOf = cells
End Function

Private Function One(given)
    If IsError(given) Then
        One = "IsError " & Mid(CStr(given), 7)
    Else
        One = given
    End If
End Function
"""


class Python(unohelper.Base, XNameReplace):
    """What VBA takes for Python: it asks by one method and reads the reply by another."""

    def __init__(self):
        self.reply = None

    def replaceByName(self, name, question):
        print(json.dumps({"result": {"asked": question}}), flush=True)
        self.reply = json.loads(sys.stdin.readline())
        if self.reply == {"dead": True}:
            raise RuntimeError("the process is gone")

    def getByName(self, name):
        return rows(self.reply)

    def getElementNames(self):
        return ()

    def hasByName(self, name):
        return True

    def hasElements(self):
        return True

    def getElementType(self):
        return None


def rows(value):
    """Lists as the sequences of UNO."""
    return tuple(map(rows, value)) if isinstance(value, list) else value


class AddIn(Calc):
    """LibreOffice with an add-in loaded as a workbook."""

    def load(self, path, library, cases):
        """Load an add-in, put the stand-ins in place and add functions; what its modules are."""
        self.close()
        self.document = self.desktop.loadComponentFromURL(
            url(path),
            "_blank",
            0,
            properties(Hidden=True, MacroExecutionMode=MACROS_RUN, FilterName=FILTER),
        )
        self.library = library
        modules = self.document.BasicLibraries.getByName(library)
        found = {name: modules.getByName(name) for name in modules.ElementNames}
        modules.replaceByName("ScalesheetPython", CONNECTION)
        calls = found["ScalesheetCalls"]
        for ours, stand_in in ((".Value2", ".Value"), ("link.CallUDF(", "CallUDF(link, ")):
            assert calls.count(ours) == 1, ours
            calls = calls.replace(ours, stand_in)
        modules.replaceByName("ScalesheetCalls", calls)
        modules.insertByName("Cases", CASES + cases)
        self._run("ScalesheetPython.SetRemote", Python())
        return found

    def macro(self, name):
        """What a macro gives."""
        return self._run(name)

    def _run(self, name, *arguments):
        address = "vnd.sun.star.script:{}.{}?language=Basic&location=document"
        script = self.document.getScriptProvider().getScript(address.format(self.library, name))
        return script.invoke(arguments, (), ())[0]


if __name__ == "__main__":
    main(*sys.argv[1:], AddIn)
