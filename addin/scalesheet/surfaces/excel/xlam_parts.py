"""The parts of the add-in's package that never change: a workbook of one empty sheet."""

CONTENT_TYPES = "[Content_Types].xml"

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument"

PARTS = {
    CONTENT_TYPES: f"""{_HEAD}<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>
<Override PartName="/xl/workbook.xml" \
ContentType="application/vnd.ms-excel.addin.macroEnabled.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.spreadsheetml.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.spreadsheetml.styles+xml"/>
<Override PartName="/docProps/app.xml" ContentType="{_TYPES}.extended-properties+xml"/>
<Override PartName="/docProps/custom.xml" ContentType="{_TYPES}.custom-properties+xml"/>
</Types>""",
    "_rels/.rels": f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/>
<Relationship Id="rId2" Type="{_OFFICE}/relationships/extended-properties" \
Target="docProps/app.xml"/>
<Relationship Id="rId3" Type="{_OFFICE}/relationships/custom-properties" \
Target="docProps/custom.xml"/>
<Relationship Id="rId4" Type="http://schemas.microsoft.com/office/2006/relationships/ui/\
extensibility" Target="customUI/customUI.xml"/>
</Relationships>""",
    "xl/workbook.xml": f"""{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}/relationships">
<fileVersion appName="xl" lastEdited="7" lowestEdited="7"/>
<workbookPr codeName="ThisWorkbook"/>
<sheets><sheet name="scalesheet" sheetId="1" r:id="rId1"/></sheets>
</workbook>""",
    "xl/_rels/workbook.xml.rels": f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="{_OFFICE}/relationships/styles" Target="styles.xml"/>
<Relationship Id="rId3" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" \
Target="vbaProject.bin"/>
</Relationships>""",
    "xl/worksheets/sheet1.xml": f"""{_HEAD}<worksheet xmlns="{_MAIN}">
<sheetPr codeName="Sheet1"/><sheetData/></worksheet>""",
    "xl/styles.xml": f"""{_HEAD}<styleSheet xmlns="{_MAIN}">
<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>""",
    "docProps/app.xml": f"""{_HEAD}<Properties xmlns="{_OFFICE}/extended-properties">
<Application>Microsoft Excel</Application></Properties>""",
    "docProps/custom.xml": f"""{_HEAD}<Properties xmlns="{_OFFICE}/custom-properties" \
xmlns:vt="{_OFFICE}/docPropsVTypes">
<property fmtid="{{{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}}}" pid="2" name="scalesheet version">\
<vt:lpwstr>{{scalesheet}}</vt:lpwstr></property>
<property fmtid="{{{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}}}" pid="3" name="xlwings version">\
<vt:lpwstr>{{xlwings}}</vt:lpwstr></property>
</Properties>""",
}
