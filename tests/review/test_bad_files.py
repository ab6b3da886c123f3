"""Files that are no good: each is refused by name, or read with a finding; never a traceback."""

import io
import os
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from review.workbooks import (
    TODAY,
    above_info,
    edited,
    filled,
    packed,
    parts_of,
    put_at,
    reviewed,
    said,
    sheet_part,
    with_xml,
)
from scalesheet_workbooks import read_strings
from scalesheet_workbooks.package_parts import Unreadable, open_package
from scalesheet_workbooks.read_sheets import Allowance, Styles, read_sheet
from scalesheet_workbooks.review.run import review, review_bytes

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def ole(*streams: str) -> bytes:
    """The start of an OLE file and the names of its streams."""
    return OLE + b"".join(name.encode("utf-16-le") + bytes(64) for name in streams)


def bomb() -> bytes:
    return packed(parts_of(filled()) | {sheet_part("Notes"): b"<worksheet>" + b" " * 60_000_000})


def lying_bomb() -> bytes:
    """A part that says it is small and is not: what is declared is not believed."""
    data = bytearray(packed(parts_of(filled()) | {sheet_part("Notes"): b"<a>" + b" " * 10_000_000}))
    size = struct.pack("<I", 10_000_003)
    assert data.count(size) == 2
    return bytes(data.replace(size, struct.pack("<I", 4_000)))


def encrypted_part() -> bytes:
    data = bytearray(filled())
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    return bytes(data)


def entities() -> bytes:
    part = sheet_part("Inputs")
    text = parts_of(filled())[part].decode().split("?>", 1)[1]
    declared = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    return packed(parts_of(filled()) | {part: (declared + text).encode()})


def without(part: str) -> bytes:
    return packed({name: data for name, data in parts_of(filled()).items() if name != part})


def many_sheets() -> bytes:
    return with_xml(
        "xl/workbook.xml",
        "</sheets>",
        "".join(f'<sheet name="s{n}" sheetId="{n + 99}" r:id="rId1"/>' for n in range(1001))
        + "</sheets>",
    )


def twice(part: str) -> bytes:
    """A package in which a part stands a second time."""
    target = io.BytesIO(filled())
    with warnings.catch_warnings(), zipfile.ZipFile(target, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(part, b"<worksheet/>")
    return target.getvalue()


UNREADABLE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "empty"),
    "encrypted (A10)": (lambda: ole("EncryptionInfo", "EncryptedPackage"), "encrypted"),
    "encrypted part": (encrypted_part, "encrypted"),
    "old xls (A10)": (lambda: ole("Workbook"), "old_xls"),
    "another OLE file": (lambda: ole("WordDocument"), "not_xlsx"),
    "xlsb": (lambda: packed({"xl/workbook.bin": b"\0"}), "xlsb"),
    "ods": (lambda: packed({"content.xml": b"<a/>"}), "ods"),
    "csv renamed": (lambda: b"Item,Cost\nGPUs,100\n", "csv"),
    "web page renamed": (lambda: b"<html><table></table></html>", "not_xlsx"),
    "picture renamed": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), "not_xlsx"),
    "a part twice": (lambda: twice(sheet_part("Calc")), "damaged"),
    "a sheet missing": (lambda: without(sheet_part("Calc")), "damaged"),
    "shared texts missing": (lambda: without("xl/sharedStrings.xml"), "damaged"),
    "truncated": (lambda: filled()[: len(filled()) // 2], "truncated"),
    "no workbook in the zip": (lambda: packed({"a.txt": b"a"}), "no_workbook"),
    "part missing": (lambda: without("xl/workbook.xml"), "no_workbook"),
    "zip bomb (A15)": (bomb, "zip_bomb"),
    "zip bomb that lies (A15)": (lying_bomb, "damaged"),
    "entities (A15)": (entities, "entities"),
    "no XML": (lambda: packed(parts_of(filled()) | {sheet_part("Calc"): b"<a><b></a>"}), "damaged"),
    "no sheets": (lambda: with_xml("xl/workbook.xml", "<sheets>", "<x>"), "damaged"),
    "thousand sheets": (many_sheets, "too_large"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_named(name: str) -> None:
    make, reason = UNREADABLE[name]
    found = review_bytes(make(), "file.xlsx", TODAY)
    assert (found.reason, found.verdict) == (reason, "NOT READ")
    assert found.findings == ()
    assert found.done == ()
    assert "\n" not in found.unreadable
    assert ":" in found.unreadable


def test_a_folder_and_a_missing_file_are_named(tmp_path: Path) -> None:
    assert review(tmp_path).reason == "folder"
    assert review(tmp_path / "none.xlsx").reason == "not_found"


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFSOCK])
def test_what_is_no_ordinary_file_is_not_opened(tmp_path: Path, kind: int) -> None:
    """To open a pipe that nobody writes into is to wait for ever."""
    path = tmp_path / "pipe.xlsx"
    os.mknod(path, kind | 0o600)
    found = review(path, TODAY)
    assert (found.reason, found.verdict) == ("no_file", "NOT READ")
    assert "no ordinary file" in found.unreadable


def test_a_device_is_not_opened() -> None:
    assert review(Path(os.devnull), TODAY).reason == "no_file"


def test_strict_open_xml_reads_the_same() -> None:
    """Case A09: the other namespace of the same format."""
    parts = {
        name: data.replace(
            b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        ).replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        )
        for name, data in parts_of(filled()).items()
    }
    review_ = reviewed(packed(parts))
    assert said(above_info(review_)) == []
    assert review_.recount.as_stored == review_.recount.formulas > 400


def test_names_with_prefixes_read_the_same() -> None:
    """Some libraries write <x:row>."""
    part = sheet_part("Calc")
    text = parts_of(filled())[part].decode()
    for tag in ("worksheet", "sheetData", "row", "c", "f", "v"):
        text = text.replace(f"<{tag} ", f"<x:{tag} ").replace(f"<{tag}>", f"<x:{tag}>")
        text = text.replace(f"</{tag}>", f"</x:{tag}>")
    text = text.replace('xmlns="', 'xmlns:x="', 1)
    assert said(above_info(reviewed(packed(parts_of(filled()) | {part: text.encode()})))) == []


def test_a_wrong_dimension_is_not_believed() -> None:
    """Case A19: openpyxl's read-only mode stops where the dimension says."""
    part = sheet_part("Calc")
    text = parts_of(filled())[part].decode()
    start = text.index("<dimension")
    end = text.index("/>", start) + 2
    for other in ("", '<dimension ref="A1"/>', '<dimension ref="A1:XFD1048576"/>'):
        changed = text[:start] + other + text[end:]
        found = reviewed(packed(parts_of(filled()) | {part: changed.encode()}))
        assert said(above_info(found)) == []


def test_empty_styled_rows_cost_nothing() -> None:
    """Case A14: the rows after a gap count, empty ones do not."""
    part = sheet_part("Notes")
    text = parts_of(filled())[part].decode()
    rows = "".join(f'<row r="{r}"><c r="A{r}" s="3"/></row>' for r in range(200, 20_200))
    last = '<row r="1048576"><c r="B1048576" s="3"/></row>'
    changed = text.replace("</sheetData>", f"{rows}{last}</sheetData>")
    found = reviewed(packed(parts_of(filled()) | {part: changed.encode()}))
    assert said(above_info(found)) == []
    assert said(found.findings) == []


@pytest.mark.parametrize(
    "content",
    [
        f'<c r="B900" t="inlineStr"><is><t>{"x" * 1_000_000}</t></is></c>',
        f'<c r="B900"><f>{"(" * 3000}1{")" * 3000}</f></c>',
        f'<c r="B900"><f>{"1+" * 20_000}1</f></c>',
        '<c r="B900"><f>B901</f></c></row><row r="901"><c r="B901"><f>B900</f></c>',
        '<c r="B900" t="s"><v>99999999</v></c>',
        '<c r="B900"><v>1e400</v></c>',
        '<c r="B900" t="e"><v>#NO!</v></c>',
    ],
    ids=["long text", "deep", "long formula", "circle", "no such string", "infinite", "odd error"],
)
def test_odd_cells_are_read(content: str) -> None:
    part = sheet_part("Notes")
    text = parts_of(filled())[part].decode()
    changed = text.replace("</sheetData>", f'<row r="900">{content}</row></sheetData>')
    found = reviewed(packed(parts_of(filled()) | {part: changed.encode()}))
    assert [one for one in found.findings if one.rule.id == "S161"]
    assert [total.recomputed for total in found.totals] == [
        total.recomputed for total in reviewed(filled()).totals
    ]


def test_names_in_a_circle_are_read() -> None:
    names = '<definedName name="aa">bb</definedName><definedName name="bb">aa</definedName>'
    data = with_xml("xl/workbook.xml", "</definedNames>", f"{names}</definedNames>")
    assert said(above_info(reviewed(data))) == []


def test_dates_from_1904_are_said() -> None:
    text = parts_of(filled())["xl/workbook.xml"].decode()
    new = '<workbookPr date1904="1"' if "<workbookPr" in text else ""
    assert new
    found = above_info(reviewed(with_xml("xl/workbook.xml", "<workbookPr", new)))
    assert [(one.rule.id, one.severity) for one in found] == [("S171", "low")]


def test_names_cannot_steer_a_terminal_or_a_page() -> None:
    from scalesheet_workbooks.reports import report

    name = "\u202e<script>alert(1)</script>|=1+1"
    found = reviewed(edited(put_at("Inputs", "E4", name), put_at("Calc", "E33", 1.0)))
    text = report([found], "text").decode()
    page = report([found], "html").decode()
    assert "\x1b" not in text
    assert "\u202e" not in text + page
    assert "<script" not in page


def test_the_file_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "proposal.xlsx"
    path.write_bytes(filled())
    path.chmod(0o444)
    review(path, TODAY)
    assert path.read_bytes() == filled()
    assert list(tmp_path.iterdir()) == [path]


def test_links_are_listed_and_not_followed() -> None:
    parts = parts_of(filled()) | {
        "xl/externalLinks/externalLink1.xml": b"<externalLink/>",
        "xl/externalLinks/_rels/externalLink1.xml.rels": (
            b'<Relationships><Relationship Id="rId1" Type="x/externalLinkPath" '
            b'Target="http://192.0.2.1/costs.xlsx" TargetMode="External"/></Relationships>'
        ),
    }
    found = above_info(reviewed(packed(parts)))
    assert [(one.rule.id, one.severity) for one in found] == [("S140", "low")]
    assert "192.0.2.1" in found[0].seen


def test_a_workbook_of_another_program_is_read() -> None:
    """No styles, no names, no properties: what the smallest writers make."""
    book = openpyxl.Workbook()
    book.active["A1"] = "nothing of ours"
    saved = io.BytesIO()
    book.save(saved)
    found = reviewed(saved.getvalue())
    assert found.recognised is None
    assert found.verdict == "GENERAL CHECKS ONLY"
    assert zipfile.is_zipfile(io.BytesIO(saved.getvalue()))


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("cells", '<c r="B900"><v>1</v></c>'),
        ("letters", '<c r="B900" t="inlineStr"><is><t>abcd</t></is></c>'),
        ("letters", '<c r="B900" t="s"><v>0</v></c>'),
        ("formulas", '<c r="B900"><f>1+1</f></c>'),
        ("formula letters", '<c r="B900"><f>1+1</f></c>'),
    ],
)
def test_a_workbook_may_hold_so_much(name: str, contents: str) -> None:
    """A small file can stand for gigabytes of cells, and one text can be meant a million times."""
    exact = Allowance()
    part = sheet_part("Notes")
    text = parts_of(filled())[part].decode()
    changed = text.replace("</sheetData>", f'<row r="900">{contents}</row></sheetData>').encode()
    package = open_package(packed(parts_of(filled()) | {part: changed}))
    key = name.replace(" ", "_")
    read_sheet(package, part, "Notes", "visible", ["abcd"] * 999, Styles(), exact)
    used = getattr(Allowance(), key) - getattr(exact, key)
    read_sheet(
        package, part, "Notes", "visible", ["abcd"] * 999, Styles(), Allowance(**{key: used})
    )
    with pytest.raises(Unreadable, match=f"more than .* {name}: ") as error:
        read_sheet(
            package,
            part,
            "Notes",
            "visible",
            ["abcd"] * 999,
            Styles(),
            Allowance(**{key: used - 1}),
        )
    assert error.value.reason == "too_large"


def test_folders_of_windows_are_read() -> None:
    """Some programs write the names of the parts with backslashes."""
    parts = parts_of(filled())
    data = packed({name.replace("/", "\\"): content for name, content in parts.items()})
    assert reviewed(data).totals == reviewed(filled()).totals


def test_shared_texts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}
    texts = "<sst><si><t>a</t></si><si><r><t>b</t></r><rPh><t>x</t></rPh><r><t>c</t></r></si></sst>"
    package = open_package(packed(parts | {"xl/sharedStrings.xml": texts.encode()}))
    assert read_strings.read_strings(package, "xl/sharedStrings.xml") == ["a", "bc"]
    monkeypatch.setattr(read_strings, "MOST_STRINGS", 1)
    with pytest.raises(Unreadable, match="more than 1 texts"):
        read_strings.read_strings(package, "xl/sharedStrings.xml")
