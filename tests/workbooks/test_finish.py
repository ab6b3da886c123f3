"""Finished workbooks: equal bytes from every build, and nothing of the sample lost.

Run as a script, this file saves the sample with openpyxl and finishes it; the byte-identity
test does that under other hash seeds, with lxml and without.
"""

import csv
import hashlib
import io
import os
import posixpath
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import formulon
import ironcalc
import openpyxl
import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference, ScatterChart, Series
from openpyxl.chart.label import DataLabelList
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule, DataBarRule
from openpyxl.packaging.custom import IntProperty, StringProperty
from openpyxl.styles import Font, PatternFill, Protection
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.errors import CellError
from scalesheet_workbooks.finish import finish

MODIFIED = datetime(2026, 1, 1)
QUOTED = "Node's data"
REFERENCE = "'Node''s data'!"

VALUES: dict[tuple[str, str], float | int | str | bool | CellError] = {
    ("Inputs", "C2"): 1.5 * 1.1,
    ("Inputs", "C3"): 27950.0,
    ("Inputs", "C4"): CellError("#DIV/0!"),
    ("Inputs", "C5"): 0.1,
    ("Inputs", "E2"): 3.0,
    ("Inputs", "E3"): 50818.18181818182,
    (QUOTED, "A1"): "small <&>",
    (QUOTED, "A2"): True,
    (QUOTED, "A3"): CellError("#NUM!"),
    (QUOTED, "A4"): 42,
    (QUOTED, "A5"): "",
}

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def fill_inputs(sheet: Worksheet) -> None:
    """Typed cells, formulas and everything that hangs on cells."""
    rows = [("small", 1.5, "=B2*1.1"), ("wide", 25409.090909090908, "=B3*1.1")]
    rows += [("empty é", None, "=1/B4"), (" padded\n", 2, "=0.1")]
    for row in [("Cluster", "Price", "Cost"), *rows]:
        sheet.append(row)
    sheet["B2"].number_format = "0.00"
    sheet["C2"].number_format = '"$"#,##0.0'
    sheet["B5"].protection = Protection(locked=False)
    sheet["D1"], sheet["D2"], sheet["D3"] = "Cluster", True, "#N/A"
    sheet["D4"], sheet["D5"] = "  ", ""
    sheet["D5"].font = Font(bold=True)
    sheet["D6"] = datetime(2026, 1, 2)
    sheet["E2"] = ArrayFormula("E2:E3", "=B2:B3*2")
    limits = DataValidation(type="decimal", operator="between", formula1="0", formula2="10")
    for area in ("B2:B3", "B5", "D8:D9", "F1:F3"):
        limits.add(area)
    sheet.add_data_validation(limits)
    yellow = PatternFill(bgColor="FFFF00")
    sheet.conditional_formatting.add("B2:B5", CellIsRule("greaterThan", ["1"], fill=yellow))
    sheet.conditional_formatting.add("C2:C5", DataBarRule("min", 0, "max", 0, color="FF0000"))
    sheet.protection.sheet = True
    sheet["A2"].hyperlink = Hyperlink(ref="A2", location=f"{REFERENCE}A1", display="go")
    sheet["A3"].comment = Comment("two\nlines", "owner")
    sheet.print_title_rows = "1:2"
    sheet.freeze_panes = "B2"


def fill_quoted(sheet: Worksheet) -> None:
    """Formulas of every result type, a table and a link to the web."""
    formulas = ('=Inputs!A2&" <&>"', "=1>0", "=SQRT(-1)", "=HPC.DOUBLE(21)", '=IF(A2,"","no")')
    for formula in formulas:
        sheet.append([formula])
    for row in (["key", "value"], ["a", 3], ["b", 4]):
        sheet.append(row)
    sheet.add_table(Table(displayName="Pairs", ref="A6:B8"))
    sheet["A12"].hyperlink = "https://example.org/x"
    sheet["A13"].hyperlink = "/shared/plan.docx"


def add_charts(inputs: Worksheet, quoted: Worksheet) -> None:
    """Bars over text labels, and points over numbers of another sheet."""
    bars = BarChart()
    bars.add_data(Reference(inputs, min_col=2, max_col=3, min_row=1, max_row=5), None, True)
    bars.set_categories(Reference(inputs, min_col=1, min_row=2, max_row=5))
    bars.dataLabels = DataLabelList(showVal=True, numFmt="0.0")
    bars.title, bars.x_axis.delete, bars.y_axis.delete = "Price and cost", False, False
    inputs.add_chart(bars, "G2")
    points = ScatterChart()
    numbers = Reference(quoted, min_col=2, min_row=7, max_row=8)
    points.series.append(Series(numbers, numbers, title="pairs"))
    quoted.add_chart(points, "G2")


def sample() -> Workbook:
    """Workbook with everything a finished file must keep."""
    book = Workbook()
    inputs, quoted = book.active, book.create_sheet(QUOTED)
    inputs.title = "Inputs"
    fill_inputs(inputs)
    fill_quoted(quoted)
    add_charts(inputs, quoted)
    book.defined_names["in.price"] = DefinedName("in.price", attr_text="Inputs!$B$2")
    book.defined_names["HPC.DOUBLE"] = DefinedName(
        "HPC.DOUBLE", attr_text="_xlfn.LAMBDA(_xlpm.x,_xlpm.x*2)", comment='Twice, "q" & <b>'
    )
    book.custom_doc_props.append(StringProperty(name="template", value="abc"))
    book.custom_doc_props.append(IntProperty(name="version", value=3))
    book.calculation.fullCalcOnLoad = False
    return book


def saved(book: Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def one_cell(value: object) -> bytes:
    """Saved workbook with one cell A1 on a sheet named Model."""
    book = Workbook()
    book.active.title = "Model"
    book.active["A1"] = value
    return saved(book)


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Archive with one part changed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for part, content in parts(data).items():
            archive.writestr(part, change(content) if part == name else content)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def finished() -> bytes:
    return finish(saved(sample()), VALUES, MODIFIED)


@pytest.fixture(scope="module")
def trees(finished: bytes) -> dict[str, ET.Element]:
    return {name: ET.fromstring(data) for name, data in parts(finished).items()}


@pytest.fixture(scope="module")
def office(finished: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the sample as LibreOffice re-saved and exported it."""
    folder = tmp_path_factory.mktemp("office")
    (folder / "sample.xlsx").write_bytes(finished)
    every_sheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
    for target, place in ((every_sheet, folder), ("xlsx", folder / "again")):
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", target]
        command += ["--outdir", str(place), str(folder / "sample.xlsx")]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    return folder


# Bytes


def test_same_bytes_for_every_hash_seed_with_and_without_lxml(tmp_path: Path) -> None:
    libraries, raw, shipped = set(), set(), set()
    for seed in ("1", "2"):
        for lxml in ("True", "False"):
            settings = {"PYTHONHASHSEED": seed, "OPENPYXL_LXML": lxml}
            settings["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
            command = [sys.executable, __file__, str(tmp_path / "raw"), str(tmp_path / "shipped")]
            done = subprocess.run(
                command, env=os.environ | settings, check=True, capture_output=True, text=True
            )
            libraries.add(done.stdout.strip())
            sheet = parts((tmp_path / "raw").read_bytes())["xl/worksheets/sheet1.xml"]
            raw.add(sheet)
            shipped.add(hashlib.sha256((tmp_path / "shipped").read_bytes()).hexdigest())
    assert libraries == {"lxml", "etree"}, "lxml is missing; install the test extra"
    assert len(raw) == 2, "openpyxl no longer writes other bytes with lxml"
    assert len(shipped) == 1


def test_whitespace_and_line_ends_are_the_same_from_both_libraries() -> None:
    # What lxml and ElementTree write for the one cell "a\r\nb".
    data = one_cell("a?b")
    lxml, etree = (
        with_part(data, "xl/worksheets/sheet1.xml", lambda part, end=end: part.replace(b"?", end))
        for end in (b"&#13;\n", b"\r\n")
    )
    assert finish(lxml, {}, MODIFIED) == finish(etree, {}, MODIFIED)


def test_the_order_of_attributes_does_not_matter() -> None:
    plain, swapped = b'<c r="A1" t="n">', b'<c t="n" r="A1">'
    data = one_cell(1)
    sheet = "xl/worksheets/sheet1.xml"
    assert plain in parts(data)[sheet]
    other = with_part(data, sheet, lambda part: part.replace(plain, swapped))
    assert finish(other, {}, MODIFIED) == finish(data, {}, MODIFIED)


def test_zip_is_fixed(finished: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(finished)) as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    assert names[:2] == ["[Content_Types].xml", "_rels/.rels"]
    assert names[2:] == sorted(names[2:])
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.create_system for entry in entries} == {3}
    assert {entry.external_attr for entry in entries} == {0o644 << 16}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}


def test_every_part_has_the_usual_prefixes(finished: bytes) -> None:
    roots = {
        "[Content_Types].xml": b"<Types ",
        "xl/workbook.xml": b"<workbook ",
        "xl/charts/chart1.xml": b"<c:chartSpace ",
        "xl/drawings/drawing1.xml": b"<xdr:wsDr ",
        "xl/theme/theme1.xml": b"<a:theme ",
        "docProps/core.xml": b"<cp:coreProperties ",
    }
    shipped = parts(finished)
    for name, data in shipped.items():
        assert b"ns0" not in data, name
        assert data.startswith(b"<?xml") != name.endswith(".vml"), name
        assert not name.endswith(".xml") or b'standalone="yes"?>\n<' in data[:60], name
        assert roots.get(name, b"<") in data
    assert b"<v:shape " in shipped["xl/drawings/commentsDrawing1.vml"]


def test_prefixes_named_in_values_stay_declared() -> None:
    new = f'<worksheet xmlns:mc="{COMPATIBILITY}" xmlns:xr="urn:xr" mc:Ignorable="xr" '.encode()
    sheet = "xl/worksheets/sheet1.xml"
    data = with_part(one_cell(1), sheet, lambda part: part.replace(b"<worksheet ", new, 1))
    root = parts(finish(data, {}, MODIFIED))[sheet].split(b">", 2)[1]
    assert b'mc:Ignorable="xr"' in root
    assert b'xmlns:xr="urn:xr"' in root
    assert f'xmlns:mc="{COMPATIBILITY}"'.encode() in root


def test_a_finished_workbook_is_refused(finished: bytes) -> None:
    with pytest.raises(ValueError, match="shared strings already"):
        finish(finished, VALUES, MODIFIED)


# Cells


def cell(trees: dict[str, ET.Element], sheet: int, at: str) -> ET.Element:
    root = trees[f"xl/worksheets/sheet{sheet}.xml"]
    return next(found for found in root.iter(f"{MAIN}c") if found.get("r") == at)


@pytest.mark.parametrize(
    ("sheet", "at", "kind", "text", "formula"),
    [
        (1, "C2", None, "1.6500000000000001", "B2*1.1"),
        (1, "C3", None, "27950", "B3*1.1"),
        (1, "C4", "e", "#DIV/0!", "1/B4"),
        (1, "E2", None, "3", "B2:B3*2"),
        (1, "E3", None, "50818.18181818182", None),
        (2, "A1", "str", "small <&>", 'Inputs!A2&" <&>"'),
        (2, "A2", "b", "1", "1>0"),
        (2, "A3", "e", "#NUM!", "SQRT(-1)"),
        (2, "A4", None, "42", "HPC.DOUBLE(21)"),
        (2, "A5", "str", None, 'IF(A2,"","no")'),
    ],
)
def test_cached_value(
    trees: dict[str, ET.Element],
    sheet: int,
    at: str,
    kind: str | None,
    text: str | None,
    formula: str | None,
) -> None:
    found = cell(trees, sheet, at)
    assert found.get("t") == kind
    assert [value.text for value in found.iter(f"{MAIN}v")] == [text]
    assert found.findtext(f"{MAIN}f") == formula


def test_cached_cells_keep_style_and_array(trees: dict[str, ET.Element]) -> None:
    assert cell(trees, 1, "C2").get("s") is not None
    array = cell(trees, 1, "E2").find(f"{MAIN}f")
    assert array is not None
    assert array.attrib == {"t": "array", "ref": "E2:E3"}


def test_cells_made_for_an_array_stand_in_order_and_count_for_the_used_range() -> None:
    book = Workbook()
    book.active.title = "Model"
    book.active["B2"] = ArrayFormula("B2:C3", "={1,2;3,4}")
    book.active["D2"] = book.active["D4"] = 9
    values = {("Model", at): n for n, at in enumerate(("B2", "C2", "B3", "C3"), 1)}
    done = ET.fromstring(parts(finish(saved(book), values, MODIFIED))["xl/worksheets/sheet1.xml"])
    found = [(found.get("r"), found.findtext(f"{MAIN}v")) for found in done.iter(f"{MAIN}c")]
    made = [("B2", "1"), ("C2", "2"), ("D2", "9"), ("B3", "3"), ("C3", "4"), ("D4", "9")]
    assert found == made
    assert [area.get("ref") for area in done.iter(f"{MAIN}dimension")] == ["B2:D4"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1 + 0.2, "0.30000000000000004"), (1e22, "1e+22"), (-0.0, "0"), (7, "7"), (5e-324, None)],
)
def test_numbers_round_trip(value: float, text: str | None) -> None:
    data = finish(one_cell("=1"), {("Model", "A1"): value}, MODIFIED)
    written = ET.fromstring(parts(data)["xl/worksheets/sheet1.xml"]).findtext(f".//{MAIN}v")
    assert written is not None
    assert float(written) == value
    assert text is None or written == text


def test_a_formula_without_a_value_is_an_error() -> None:
    with pytest.raises(ValueError, match="Model!A1: the formula has no value"):
        finish(one_cell("=1+1"), {("Model", "A2"): 2.0, ("Other", "A1"): 2.0}, MODIFIED)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_no_cell_can_show_is_an_error(value: float) -> None:
    with pytest.raises(ValueError, match="Model!A1: a cell cannot show"):
        finish(one_cell("=1+1"), {("Model", "A1"): value}, MODIFIED)


def test_texts_are_shared(trees: dict[str, ET.Element]) -> None:
    table = trees["xl/sharedStrings.xml"]
    texts = ["".join(item.itertext()) for item in table]
    first = ["Cluster", "Price", "Cost", "small", "wide", "empty é", "  ", " padded\n"]
    assert texts == [*first, "key", "value", "a", "b", "https://example.org/x", "/shared/plan.docx"]
    cells = [found for n in (1, 2) for found in trees[f"xl/worksheets/sheet{n}.xml"].iter()]
    shared = [found for found in cells if found.tag == f"{MAIN}c" and found.get("t") == "s"]
    assert table.attrib == {"count": str(len(shared)), "uniqueCount": str(len(texts))}
    assert len(shared) == len(texts) + 1  # "Cluster" stands in A1 and in D1
    assert {found.get("t") for found in cells if found.tag == f"{MAIN}c"}.isdisjoint({"inlineStr"})
    assert not any(found.tag == f"{MAIN}is" for found in cells)
    kept = {text.text for text in table.iter(f"{MAIN}t") if text.get(SPACE) == "preserve"}
    assert kept == {"  ", " padded\n"}


def test_the_strings_part_is_typed_and_linked(trees: dict[str, ET.Element]) -> None:
    typed = {part.get("PartName"): part.get("ContentType") for part in trees["[Content_Types].xml"]}
    assert str(typed["/xl/sharedStrings.xml"]).endswith("spreadsheetml.sharedStrings+xml")
    links = [dict(link.attrib) for link in trees["xl/_rels/workbook.xml.rels"]]
    targets = {str(link["Type"]).rpartition("/")[2]: link["Target"] for link in links}
    assert targets["sharedStrings"] == "sharedStrings.xml"
    assert len({link["Id"] for link in links}) == len(links)


def test_a_workbook_without_text_has_no_strings_part() -> None:
    assert "xl/sharedStrings.xml" not in parts(finish(one_cell(1), {}, MODIFIED))


def test_an_empty_text_becomes_a_plain_styled_cell(trees: dict[str, ET.Element]) -> None:
    found = cell(trees, 1, "D5")
    assert found.keys() == ["r", "s"]
    assert len(found) == 0


# Charts


def cache(reference: ET.Element) -> tuple[str, str | None, str, dict[str, tuple[str, str | None]]]:
    """Kind, format, point count and points of the cache in a reference."""
    kind = reference.tag.removeprefix(CHART).removesuffix("Ref")
    assert [child.tag for child in reference] == [f"{CHART}f", f"{CHART}{kind}Cache"]
    held = reference[1]
    points = {
        str(point.get("idx")): (str(point.findtext(f"{CHART}v")), point.get("formatCode"))
        for point in held.iter(f"{CHART}pt")
    }
    count = next(held.iter(f"{CHART}ptCount"))
    return kind, held.findtext(f"{CHART}formatCode"), str(count.get("val")), points


def caches(chart: ET.Element, owner: str) -> list[object]:
    return [cache(found[0]) for found in chart.iter(f"{CHART}{owner}") if found[0].tag != "rich"]


def test_bar_chart_caches(trees: dict[str, ET.Element]) -> None:
    chart = trees["xl/charts/chart1.xml"]
    series = list(chart.iter(f"{CHART}ser"))
    titles = [caches(each, "tx")[0] for each in series]
    assert titles == [
        ("str", None, "1", {"0": ("Price", None)}),
        ("str", None, "1", {"0": ("Cost", None)}),
    ]
    labels = {str(n): (text, None) for n, text in enumerate(("small", "wide", "empty é"))}
    labels["3"] = (" padded\n", None)
    assert caches(chart, "cat") == [("str", None, "4", labels)] * 2
    price, cost = caches(chart, "val")
    # B4 is blank and C4 an error; the first point sets the format, the others say theirs.
    numbers = {"0": ("1.5", None), "1": ("25409.09090909091", "General"), "3": ("2", "General")}
    assert price == ("num", "0.00", "4", numbers)
    numbers = {"0": ("1.6500000000000001", None), "1": ("27950", "General")}
    numbers["3"] = ("0.1", "General")
    assert cost == ("num", '"$"#,##0.0', "4", numbers)


def test_scatter_chart_caches_from_a_quoted_sheet(trees: dict[str, ET.Element]) -> None:
    chart = trees["xl/charts/chart2.xml"]
    expected = [("num", "General", "2", {"0": ("3", None), "1": ("4", None)})]
    assert caches(chart, "xVal") == expected
    assert caches(chart, "yVal") == expected


def test_number_formats_in_charts_are_not_linked_to_the_source(
    trees: dict[str, ET.Element],
) -> None:
    formats = list(trees["xl/charts/chart1.xml"].iter(f"{CHART}numFmt"))
    assert "0.0" in {found.get("formatCode") for found in formats}
    assert {found.get("sourceLinked") for found in formats} == {"0"}


@pytest.mark.parametrize("reference", ["'Inputs'!$A:$A", "'Gone'!$A$1:$A$2", "in.price"])
def test_a_chart_of_anything_but_cells_is_an_error(reference: str) -> None:
    book = sample()
    book["Inputs"]._charts[0].series[0].val.numRef.f = reference
    with pytest.raises(ValueError, match=r"range of cells|names no sheet"):
        finish(saved(book), VALUES, MODIFIED)


# Package


def test_relationships_are_relative_and_resolve(trees: dict[str, ET.Element]) -> None:
    external = []
    for name in (name for name in trees if name.endswith(".rels")):
        folder = posixpath.dirname(posixpath.dirname(name))
        for link in trees[name]:
            target = link.attrib["Target"]
            if link.get("TargetMode") == "External":
                external.append(target)
                continue
            assert not target.startswith("/"), (name, target)
            assert posixpath.normpath(posixpath.join(folder, target)) in trees, (name, target)
    assert external == ["https://example.org/x", "/shared/plan.docx"]


@pytest.mark.parametrize(
    "modified",
    [
        datetime(2026, 1, 1),
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_properties_hold_the_given_date_and_no_version_of_openpyxl(modified: datetime) -> None:
    data = finish(one_cell(1), {}, modified)
    terms = "{http://purl.org/dc/terms/}"
    core = ET.fromstring(parts(data)["docProps/core.xml"])
    for tag in ("created", "modified"):
        assert core.findtext(f"{terms}{tag}") == "2026-01-01T00:00:00Z"
    application = ET.fromstring(parts(data)["docProps/app.xml"])
    assert [child.text for child in application] == ["Microsoft Excel Compatible / scalesheet"]


def test_excel_recalculates_on_load(trees: dict[str, ET.Element]) -> None:
    calculation = list(trees["xl/workbook.xml"].iter(f"{MAIN}calcPr"))
    assert [found.get("fullCalcOnLoad") for found in calculation] == ["1"]


# Readers


def test_openpyxl_reads_the_cached_values(finished: bytes) -> None:
    book = load_workbook(io.BytesIO(finished), data_only=True)
    for (title, at), value in VALUES.items():
        expected = value.code if isinstance(value, CellError) else value
        assert book[title][at].value == (None if expected == "" else expected), (title, at)
    assert book["Inputs"]["A5"].value == " padded\n"
    assert book["Inputs"]["D6"].value == datetime(2026, 1, 2)


def check_kept(book: Workbook) -> None:
    """Everything of the sample that LibreOffice keeps too."""
    inputs, quoted = book["Inputs"], book[QUOTED]
    assert [len(sheet._charts) for sheet in (inputs, quoted)] == [1, 1]
    (limits,) = inputs.data_validations.dataValidation
    assert set(str(limits.sqref).split()) == {"B2:B3", "B5", "D8:D9", "F1:F3"}
    rules = {str(area.sqref): area.rules[0].type for area in inputs.conditional_formatting}
    assert rules == {"B2:B5": "cellIs", "C2:C5": "dataBar"}
    assert inputs.protection.sheet
    assert not inputs["B5"].protection.locked
    assert inputs["A2"].hyperlink.location.replace("'", "").endswith("Nodes data!A1")
    assert inputs["A2"].hyperlink.target is None
    assert inputs["A3"].comment.text == "two\nlines"
    assert inputs.print_title_rows in ("1:2", "$1:$2")
    assert book.defined_names["in.price"].attr_text.replace("$", "") == "Inputs!B2"
    assert "Pairs" in quoted.tables
    properties = {each.name: each.value for each in book.custom_doc_props.props}
    assert properties == {"template": "abc", "version": 3}


def test_openpyxl_finds_everything(finished: bytes) -> None:
    book = load_workbook(io.BytesIO(finished))
    check_kept(book)
    twice = book.defined_names["HPC.DOUBLE"]
    assert twice.attr_text == "_xlfn.LAMBDA(_xlpm.x,_xlpm.x*2)"
    assert twice.comment == 'Twice, "q" & <b>'
    assert book["Inputs"]["A3"].comment.author == "owner"
    assert book["Inputs"].freeze_panes == "B2"


def test_libreoffice_keeps_everything(office: Path) -> None:
    check_kept(load_workbook(office / "again" / "sample.xlsx"))


def test_libreoffice_shows_the_cached_values(office: Path) -> None:
    def table(title: str) -> list[list[str]]:
        with (office / f"sample-{title}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    inputs, quoted = table("Inputs"), table(QUOTED)
    assert [row[2] for row in inputs[1:5]] == ["1.65", "27950", "#DIV/0!", "0.1"]
    assert [row[4] for row in inputs[1:3]] == ["3", "50818.1818181818"]
    assert inputs[3][0] == "empty é"
    # LibreOffice 7.4 has no LAMBDA, so A4 cannot show its value there.
    assert [row[0] for row in (quoted[0], quoted[1], quoted[4])] == ["small <&>", "TRUE", ""]
    assert quoted[6][:2] == ["a", "3"]


def test_libreoffice_shows_a_cached_text_it_could_not_calculate(tmp_path: Path) -> None:
    # This is what the name of the application in docProps/app.xml is for.
    formula = '=_xlfn.XLOOKUP(1,B1:B2,B1:B2,"none")'
    data = finish(one_cell(formula), {("Model", "A1"): "none"}, MODIFIED)
    (tmp_path / "text.xlsx").write_bytes(data)
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", "csv"]
    command += ["--outdir", str(tmp_path), str(tmp_path / "text.xlsx")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert (tmp_path / "text.csv").read_text().strip() == "none"


def test_formulon_reads_calculates_and_finds_everything(finished: bytes) -> None:
    book = formulon.Workbook.load(finished)
    losses = vars(book.read_diagnostics())
    assert losses
    assert set(losses.values()) == {0}
    book.recalc()
    for (title, at), value in VALUES.items():
        sheet, row, column = int(title == QUOTED), int(at[1:]) - 1, ord(at[0]) - ord("A")
        if isinstance(value, CellError):
            assert book.get_display_text(sheet, row, column)[0] == value.code
            continue
        got = book.get_value(sheet, row, column)
        found = next(x for x in (got.boolean, got.text, got.number) if x is not None)
        assert found == (pytest.approx(value, rel=1e-12) if type(value) is float else value)
    assert [len(book.list_drawing_objects(sheet)) for sheet in (0, 1)] == [1, 1]
    assert len(book.get_validations(0)) == 1
    assert len(book.get_conditional_formats(0)) == 2
    assert [link.location for link in book.get_hyperlinks(0)] == [f"{REFERENCE}A1"]
    assert [note.text for note in book.get_comments(0)] == ["two\nlines"]
    assert book.get_print_titles(0)[0] == "1:2"
    assert book.get_sheet_protection(0).enabled
    names = {name.name: name.comment for name in book.iter_defined_names()}
    assert names["HPC.DOUBLE"] == 'Twice, "q" & <b>'


def test_ironcalc_reads_what_it_refused_before(finished: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(saved(sample()))
    with pytest.raises(ironcalc.WorkbookError):
        ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    path.write_bytes(finished)
    model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    model.evaluate()
    column = [model.get_formatted_cell_value(1, row, 1) for row in range(1, 6)]
    assert column == ["small <&>", "TRUE", "#NUM!", "42", ""]
    assert model.get_formatted_cell_value(0, 3, 3) == "27950"


if __name__ == "__main__":
    raw = saved(sample())
    Path(sys.argv[1]).write_bytes(raw)
    Path(sys.argv[2]).write_bytes(finish(raw, VALUES, MODIFIED))
    print("lxml" if openpyxl.LXML else "etree")
