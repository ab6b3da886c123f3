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
