"""The parts of our VBA that are the same for every function.

Only what VBA must do is done in VBA: reading cells, keeping the connection, and turning error
numbers into errors. A number always comes back from Python as a Double, so a Long is an error's
number. Nothing here asks who called: a worksheet, a macro and a conditional format are served
alike. What must not be called from a cell of somebody's workbook is a Sub, for a cell calls none.
"""

CALLS = r"""
Option Explicit
Option Private Module

Private Const BRIDGE As String = "scalesheet.surfaces.excel.bridge"
Private Const VALUE_ERROR As Long = 2015
Private Const FAILED As Long = -2147220991 ' vbObjectError + 513
Private Const PAUSE_SECONDS As Integer = 10

Private link As Object
Private pausedUntil As Date
Private pauseReason As String
Private lastFailure As String

' The answer to one call of a worksheet function: a value, an array, true errors in either.
Public Function Answered(ByVal called As String, ByVal given As Variant) As Variant
    Dim sent() As Variant, found As Variant, place As Long, wholes As String
    On Error GoTo failed
    ReDim sent(0 To UBound(given) + 2)
    For place = 0 To UBound(given)
        wholes = wholes & WholeOf(given, place)
    Next place
    sent(0) = called
    sent(1) = wholes
    For place = 0 To UBound(given)
        sent(place + 2) = CellsOf(given, place)
    Next place
    AskPython "answer", sent, found
    Answered = WithErrors(found)
    Exit Function
failed:
    lastFailure = called & ": " & Err.Description
    Answered = CVErr(VALUE_ERROR)
End Function

' The latest messages, newest first.
Public Function LatestErrors() As Variant
    Dim sent() As Variant, found As Variant
    On Error GoTo failed
    ReDim sent(0 To 0)
    sent(0) = lastFailure
    AskPython "latest_errors", sent, found
    LatestErrors = found
    lastFailure = "" ' Python keeps it now
    Exit Function
failed:
    LatestErrors = Err.Description
End Function

' One call of Python over the one connection. A process that has died is started again, once;
' when that fails too, the other cells of a sheet do not wait for it in turn.
Public Sub AskPython(ByVal called As String, ByRef sent() As Variant, ByRef found As Variant)
    Dim attempt As Integer, reason As String
    If Now < pausedUntil Then Err.Raise FAILED, "scalesheet", pauseReason
again:
    attempt = attempt + 1
    On Error GoTo lost
    If link Is Nothing Then Connect link
    found = link.CallUDF(BRIDGE, called, sent)
    Exit Sub
lost:
    reason = Err.Description
    Set link = Nothing
    If attempt = 1 Then Resume again
    pauseReason = reason
    pausedUntil = Now + TimeSerial(0, 0, PAUSE_SECONDS)
    Err.Raise FAILED, "scalesheet", reason
End Sub

' Numbers of errors as errors, in a single value and in each element of an array.
Public Function WithErrors(ByRef found As Variant) As Variant
    Dim row As Long, column As Long
    If Not IsArray(found) Then
        WithErrors = TrueError(found)
        Exit Function
    End If
    If IsBlock(found) Then
        For row = LBound(found, 1) To UBound(found, 1)
            For column = LBound(found, 2) To UBound(found, 2)
                If VarType(found(row, column)) = vbLong Then
                    found(row, column) = TrueError(found(row, column))
                End If
            Next column
        Next row
    Else
        For row = LBound(found) To UBound(found)
            If VarType(found(row)) = vbLong Then found(row) = TrueError(found(row))
        Next row
    End If
    WithErrors = found
End Function

Private Function TrueError(ByVal found As Variant) As Variant
    If VarType(found) = vbLong Then
        TrueError = CVErr(found)
    Else
        TrueError = found
    End If
End Function

' Whether an array has rows and columns.
Private Function IsBlock(ByRef found As Variant) As Boolean
    Dim bound As Long
    On Error GoTo single_row
    bound = UBound(found, 2)
    IsBlock = True
    Exit Function
single_row:
    IsBlock = False
End Function

' What an argument holds, in one reading: never a date, never money of four decimals.
Private Function CellsOf(ByRef given As Variant, ByVal place As Long) As Variant
    If Not IsObject(given(place)) Then
        CellsOf = given(place)
    ElseIf given(place).Areas.Count > 1 Then
        Err.Raise FAILED, "scalesheet", "argument " & place + 1 & " is several ranges: select one"
    Else
        CellsOf = UsedPart(given, place).Value2
    End If
End Function

' c for whole columns, r for whole rows: Python cuts them to what they hold.
Private Function WholeOf(ByRef given As Variant, ByVal place As Long) As String
    WholeOf = "-"
    If Not IsObject(given(place)) Then Exit Function
    If given(place).Rows.Count = given(place).Worksheet.Rows.Count Then
        WholeOf = "c"
    ElseIf given(place).Columns.Count = given(place).Worksheet.Columns.Count Then
        WholeOf = "r"
    End If
End Function

' Whole columns to the last row in use of any of them, for a million empty cells take a second.
Private Function UsedPart(ByRef given As Variant, ByVal place As Long) As Object
    Select Case WholeOf(given, place)
        Case "c"
            Set UsedPart = given(place).Resize(LastUsed(given, "c"))
        Case "r"
            Set UsedPart = given(place).Resize(given(place).Rows.Count, LastUsed(given, "r"))
        Case Else
            Set UsedPart = given(place)
    End Select
End Function

Private Function LastUsed(ByRef given As Variant, ByVal whole As String) As Long
    Dim place As Long, last As Long
    LastUsed = 1
    For place = 0 To UBound(given)
        If WholeOf(given, place) = whole Then
            With given(place).Worksheet.UsedRange
                If whole = "c" Then
                    last = .Row + .Rows.Count - 1
                Else
                    last = .Column + .Columns.Count - 1
                End If
            End With
            If last > LastUsed Then LastUsed = last
        End If
    Next place
End Function
"""

PYTHON = r'''
#If Mac Then
#ElseIf VBA7 Then
Private Declare PtrSafe Function LoadLibraryW Lib "kernel32" (ByVal path As LongPtr) As LongPtr
#Else
Private Declare Function LoadLibraryW Lib "kernel32" (ByVal path As Long) As Long
#End If

Private Const FAILED As Long = -2147220991 ' vbObjectError + 513
Private Const AGAIN As String = ": run scalesheet addin install excel"

' A new connection to Python. The interpreter is the one that was written down at installation and
' no other: neither a workbook nor a file beside it may name a program to run.
Public Sub Connect(ByRef found As Object)
#If Mac Then
    Err.Raise FAILED, "scalesheet", "these functions run in Excel on Windows only"
#Else
    Dim files As Object, interpreter As String, made As Variant
    Set files = CreateObject("Scripting.FileSystemObject")
    interpreter = WrittenDown(files)
    LoadXlwings files, interpreter
    If XLPyDLLActivateAuto(made, StartOf(interpreter), 1) <> 0 Then
        Err.Raise FAILED, "scalesheet", "Python does not start: " & made
    End If
    Set found = made
#End If
End Sub

#If Mac Then
#Else
Private Function WrittenDown(ByVal files As Object) As String
    Dim path As String
    path = CreateObject("WScript.Shell").ExpandEnvironmentStrings("{settings}")
    If Not files.FileExists(path) Then Err.Raise FAILED, "scalesheet", "no Python is set" & AGAIN
    path = files.OpenTextFile(path, 1, False, -1).ReadLine
    If Not files.FileExists(path) Then Err.Raise FAILED, "scalesheet", path & " is gone" & AGAIN
    ' xlwings' library takes only letters of the code page; short names have no others.
    If StrConv(StrConv(path, vbFromUnicode), vbUnicode) <> path Then
        path = files.GetFile(path).ShortPath
    End If
    WrittenDown = path
End Function

' xlwings' library lies beside the interpreter, or above it in a virtual environment.
Private Sub LoadXlwings(ByVal files As Object, ByVal interpreter As String)
    Dim folder As String, above As String
    folder = files.GetParentFolderName(interpreter)
    above = files.GetParentFolderName(folder)
    If LoadLibraryW(StrPtr(files.BuildPath(folder, XLPyDLLName))) <> 0 Then Exit Sub
    If LoadLibraryW(StrPtr(files.BuildPath(above, XLPyDLLName))) <> 0 Then Exit Sub
    Err.Raise FAILED, "scalesheet", XLPyDLLName & " is not with " & interpreter & AGAIN
End Sub

' How Python is started: without the current folder among its modules.
Private Function StartOf(ByVal interpreter As String) As String
    StartOf = "cmd.exe /K """"" & interpreter & """ -P -B -c ""import xlwings; " & _
        "xlwings.serve('$(CLSID)')"""""
End Function
#End If
'''

RIBBON = r"""
Option Explicit

Private Const TITLE As String = "scalesheet"

' Descriptions for the function wizard. Excel describes no macro of a hidden workbook, so if it
' refuses, the add-in is shown for as long as that takes.
Public Sub RegisterFunctions()
    On Error Resume Next
    Application.ScreenUpdating = False
    Err.Clear
    DescribeLastErrors
    If Err.Number <> 0 Then ThisWorkbook.IsAddin = False
    DescribeFunctions
    If Not ThisWorkbook.IsAddin Then ThisWorkbook.IsAddin = True
    ThisWorkbook.Saved = True
    Application.ScreenUpdating = True
End Sub

Public Sub ScalesheetNewBudget(ByVal control As Object)
    Dim target As Variant
    On Error GoTo failed
    target = Application.GetSaveAsFilename(control.Tag & ".xlsx", "Excel (*.xlsx), *.xlsx")
    If VarType(target) = vbBoolean Then Exit Sub
    If Dir(target) <> "" Then
        If MsgBox("Replace " & target & "?", vbYesNo + vbQuestion, TITLE) <> vbYes Then Exit Sub
    End If
    If Commanded("new", control.Tag, "-o", target, "--force") Then Workbooks.Open target
    Exit Sub
failed:
    MsgBox Err.Description, vbExclamation, TITLE
End Sub

Public Sub ScalesheetReview(ByVal control As Object)
    Dim copied As String
    On Error GoTo failed
    If ActiveWorkbook Is Nothing Then
        MsgBox "Open the workbook to review first.", vbInformation, TITLE
        Exit Sub
    End If
    ' A copy, so that what is reviewed is what is seen, saved or not, in the cloud or not.
    copied = Environ("TEMP") & "\scalesheet review of " & ActiveWorkbook.Name
    If InStr(ActiveWorkbook.Name, ".") = 0 Then copied = copied & ".xlsx"
    ActiveWorkbook.SaveCopyAs copied
    If Commanded("review", copied) Then Kill copied
    Exit Sub
failed:
    MsgBox Err.Description, vbExclamation, TITLE
End Sub

Public Sub ScalesheetHelp(ByVal control As Object)
    Dim sent() As Variant, found As Variant
    On Error GoTo failed
    ReDim sent(0 To 0)
    sent(0) = ""
    AskPython "help_page", sent, found
    ThisWorkbook.FollowHyperlink found
    Exit Sub
failed:
    MsgBox Err.Description, vbExclamation, TITLE
End Sub

' The command scalesheet with some words; whether it ended well. What it says is shown.
Private Function Commanded(ParamArray words() As Variant) As Boolean
    Dim sent() As Variant, place As Long, reply As Variant
    ReDim sent(0 To UBound(words))
    For place = 0 To UBound(words)
        sent(place) = words(place)
    Next place
    AskPython "command", sent, reply
    Commanded = (reply(0) = 0)
    If Not Commanded Or words(0) = "review" Then
        MsgBox Left(reply(1), 1000), IIf(Commanded, vbInformation, vbExclamation), TITLE
    End If
End Function
"""

THIS_WORKBOOK = r"""
Option Explicit

Private Sub Workbook_Open()
    ' Once Excel is up: at its start there may be no workbook yet, and then nothing is described.
    On Error Resume Next
    Application.OnTime Now, "'" & ThisWorkbook.Name & "'!RegisterFunctions"
End Sub
"""
