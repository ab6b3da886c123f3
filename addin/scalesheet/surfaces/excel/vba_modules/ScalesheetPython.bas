Option Explicit
Option Private Module

{declarations}

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
