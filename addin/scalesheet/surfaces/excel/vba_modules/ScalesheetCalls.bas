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
