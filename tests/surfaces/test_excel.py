"""Excel on Windows without Windows: xlwings' own code, the generated VBA, the add-in's file."""

import datetime as dt
import io
import random
import re
import warnings
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from olefile import OleFileIO
from openpyxl import Workbook

import scalesheet
from arguments import arguments
from scalesheet.errors import CellError
from scalesheet.registry import REGISTRY, Function
from scalesheet.surfaces import calls
from scalesheet.surfaces.deliveries import COM_ERRORS, COM_MISSING, ERROR_NUMBERS
from scalesheet.surfaces.excel import ovba, vba, xlam, xlwings_support
from scalesheet.surfaces.excel.ole import compound
from scalesheet.surfaces.excel.vba_project import Module, project, stirred
from surfaces.winstub import FakeRange, Trips, windows

with warnings.catch_warnings(action="ignore"):  # it speaks to an older pyparsing
    from oletools.olevba import VBA_Parser, decompress_stream

BRIDGE, UDFS = "scalesheet.surfaces.excel.bridge", "scalesheet.surfaces.excel.udfs"
NUMBERS = {name: number for number, name in ERROR_NUMBERS.items()}
RECORDS = list(REGISTRY.values())
BUDGET = [64.0, 120.0, 2.5, 0.8, 0.15, 200.0, 150.0]
TEMPLATES = {"training_run_budget": 'A "run" & its budget'}


@pytest.fixture(scope="module")
def excel() -> Iterator[SimpleNamespace]:
    """The real xlwings as on Windows."""
    with windows() as library:
        yield library


def by_name(record: Function) -> str:
    return record.name


# --- What our VBA calls --------------------------------------------------------------------------


def ours(excel: SimpleNamespace, name: str, *given: Any) -> Any:
    """A call as our VBA makes it: with values, never with ranges."""
    values = [item.Value2 if isinstance(item, FakeRange) else item for item in given]
    return excel.server.CallUDF(BRIDGE, "answer", (name, "-" * len(values), *values))


def over_com(answer: Any) -> Any:
    """An answer as it goes over COM: errors as whole numbers, one row as one dimension."""
    if isinstance(answer, CellError):
        return NUMBERS[answer.code]
    if isinstance(answer, list):
        rows = [[over_com(cell) for cell in row] for row in answer]
        return rows[0] if len(rows) == 1 else rows
    return answer


DELIVERIES = {
    "blank": None,
    "empty text": "",
    "left out": COM_MISSING,
    "text": "12.5",
    "TRUE": True,
    "#N/A": COM_ERRORS + 2042,
    "#SPILL!": COM_ERRORS + 2045,
    "#CALC!": COM_ERRORS + 2050,
    "far too small": -1e300,
}


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_every_function_through_xlwings(excel: SimpleNamespace, record: Function) -> None:
    given: list[Any] = list(arguments(random.Random(5), record))
    expected = over_com(calls.answer(record, given))
    assert ours(excel, record.name, *given) == expected
    assert not isinstance(expected, int)
    for place in range(len(given)):
        for what, delivered in DELIVERIES.items():
            bad = [*given[:place], delivered, *given[place + 1 :]]
            found = ours(excel, record.name, *bad)
            assert found == over_com(calls.answer(record, bad)), f"{place}: {what}"
            assert type(found) is int, f"{record.name} {place}: {what} is no error"


def test_errors_among_values(excel: SimpleNamespace) -> None:
    column = ((4.0,), (0.0,), (None,), (COM_ERRORS + 2045,))
    assert ours(excel, "SCALING_EFF", column, "NDR", 0.5) == [[0.955], [2036], [2015], [2045]]
    row = (4.0, 0.0)  # as VBA sends {4,0}
    assert ours(excel, "SCALING_EFF", row, "NDR", 0.5) == [0.955, 2036]


def test_a_number_is_never_a_whole_number_to_com(excel: SimpleNamespace) -> None:
    for record in RECORDS:
        found = ours(excel, record.name, *arguments(random.Random(6), record))
        cells = [cell for row in found for cell in row] if isinstance(found, list) else [found]
        assert not [cell for cell in cells if type(cell) is int]


def test_a_whole_column_that_vba_has_cut(excel: SimpleNamespace) -> None:
    column = ((4.0,), (8.0,), (None,), (None,))
    call = ("SCALING_EFF", "c--", column, "NDR", 0.5)
    assert excel.server.CallUDF(BRIDGE, "answer", call) == [[0.955], [0.895]]


def test_names_a_date_and_a_note(excel: SimpleNamespace) -> None:
    """Our VBA reads a date cell's number; xlwings' own hands over a date."""
    names = ("H100", "AWS", "on-demand")
    note = scalesheet.gpu_price_note(*names, dt.date(2026, 9, 30))
    assert ours(excel, "GPU_PRICE", *names, 46295.0) == 6.88
    assert ours(excel, "GPU_PRICE_NOTE", *names, FakeRange(46295.0)) == note
    cell = FakeRange(dt.datetime(2026, 9, 30, tzinfo=dt.UTC))
    assert excel.server.CallUDF(UDFS, "GPU_PRICE", (*names, cell)) == 6.88
    days = ((46295.0,), (43831.0,), ("30/09/2026",), (None,))
    found = ours(excel, "GPU_PRICE", *names, FakeRange(days))
    assert found == [[6.88], [NUMBERS["#NUM!"]], [NUMBERS["#VALUE!"]], [NUMBERS["#VALUE!"]]]


def test_a_choice_of_gpus_is_a_block_of_texts(excel: SimpleNamespace) -> None:
    given = (70.0, 8192.0, 16.0, 50.0, 10.0, 20.0)
    found = ours(excel, "GPU_FIT", *given)
    assert found == scalesheet.gpu_fit(*given)
    assert {type(cell) for row in found for cell in row} == {str}


def test_spreads_are_ranges_of_three(excel: SimpleNamespace) -> None:
    spreads = [(100.0, 120.0, 160.0), (2.0, 2.5, 3.5), (0.7, 0.8, 0.85), (0.05, 0.15, 0.4)]
    rows = [FakeRange((spread,)) for spread in spreads]
    columns = [FakeRange(tuple((value,) for value in spread)) for spread in spreads]
    expected = scalesheet.train_cost_risk(0.8, 64, *spreads, 200, 150)
    for given in (rows, columns, [rows[0], *columns[1:]]):
        assert ours(excel, "TRAIN_COST_RISK", 0.8, 64.0, *given, 200.0, 150.0) == expected
        udf = (0.8, 64.0, *given, 200.0, 150.0)
        assert excel.server.CallUDF(UDFS, "TRAIN_COST_RISK", udf) == expected
    short = [FakeRange(((100.0, None, 160.0),)), *rows[1:]]
    assert ours(excel, "TRAIN_COST_RISK", 0.8, 64.0, *short, 200.0, 150.0) == NUMBERS["#VALUE!"]
    chances = ((0.1, 0.5, 0.8),)
    found = ours(excel, "TRAIN_COST_RISK", chances, 64.0, *rows, 200.0, 150.0)
    assert found[2] == expected
    assert found == sorted(found)


def test_no_round_trip_for_an_argument(excel: SimpleNamespace) -> None:
    column = tuple((float(number),) for number in range(1, 9))
    trips = Trips()
    given = [FakeRange(column, trips), *BUDGET[1:]]
    values = [given[0].Value2, *BUDGET[1:]]  # VBA's one reading of each range
    trips.count = 0
    mine = excel.server.CallUDF(BRIDGE, "answer", ("TRAIN_COST", "-------", *values))
    assert trips.count == 0
    theirs = excel.server.CallUDF(UDFS, "TRAIN_COST", tuple(given))
    assert trips.count == 13
    assert mine == theirs


def test_the_latest_messages(excel: SimpleNamespace) -> None:
    ours(excel, "TRAIN_COST", *BUDGET[:3], 80.0, *BUDGET[4:])
    ours(excel, "GPU_HOURS", 64.0, ((120.0,), (None,)), 0.8)
    found = excel.server.CallUDF(BRIDGE, "latest_errors", ("",))
    assert found[0][0].startswith("GPU_HOURS: row 2, column 1: ideal_hours is missing")
    assert found[1][0] == (
        "TRAIN_COST: efficiency must be from 0.01 to 1.5, not 80: type 80% or 0.8"
    )
    told = excel.server.CallUDF(BRIDGE, "latest_errors", ("X: from VBA",))
    assert [row[0] for row in told[:2]] == ["X: from VBA", found[0][0]]


def test_a_skipped_argument_is_named(excel: SimpleNamespace) -> None:
    for skipped in (None, COM_MISSING):
        assert ours(excel, "TRAIN_COST", 64.0, skipped, *BUDGET[2:]) == 2015
        latest = excel.server.CallUDF(BRIDGE, "latest_errors", ("",))
        assert latest[0][0].startswith("TRAIN_COST: ideal_hours is missing")


def test_a_function_that_is_not_known_yet(excel: SimpleNamespace) -> None:
    assert ours(excel, "OF_TOMORROW", 1.0) == 2029
    latest = excel.server.CallUDF(BRIDGE, "latest_errors", ("",))
    assert "pip install -U scalesheet" in latest[0][0]


def test_a_mistake_of_ours_is_an_error_and_no_lost_connection(
    excel: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excel.bridge.calls, "answer", lambda *given: 1 / 0)
    assert ours(excel, "TRAIN_COST", *BUDGET) == 2015
    latest = excel.server.CallUDF(BRIDGE, "latest_errors", ("",))
    assert (
        latest[0][0] == "TRAIN_COST: a mistake in scalesheet, ZeroDivisionError: division by zero"
    )


# --- What the ribbon calls -----------------------------------------------------------------------


def test_a_new_budget_from_the_ribbon(excel: SimpleNamespace, tmp_path: Path) -> None:
    path = tmp_path / "my budget.xlsx"
    words = ("new", "training_run_budget", "-o", str(path), "--force")
    code, _ = excel.server.CallUDF(BRIDGE, "command", words)
    assert code == 0.0
    assert zipfile.is_zipfile(path)


def test_the_ribbon_runs_two_commands_and_no_other(excel: SimpleNamespace) -> None:
    for words in ((), ("demo",), ("eval", "1+1"), ("--help",)):
        code, said = excel.server.CallUDF(BRIDGE, "command", words)
        assert (code, said) == (2.0, "the ribbon runs new and review only")


def test_what_the_command_refuses_is_said(excel: SimpleNamespace, tmp_path: Path) -> None:
    words = ("new", "training_run_budget", "-o", str(tmp_path / "no folder" / "b.xlsx"), "--force")
    code, said = excel.server.CallUDF(BRIDGE, "command", words)
    assert code == 2.0
    assert "there is no folder" in said
    assert "Traceback" not in said


def test_a_review_opens_as_a_page(
    excel: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(excel.bridge.webbrowser, "open", opened.append)
    monkeypatch.setattr(excel.bridge.tempfile, "gettempdir", lambda: str(tmp_path))
    path = tmp_path / "not ours.xlsx"
    book = Workbook()
    book.active["A1"] = "=$8*$80000"
    book.save(path)
    code, said = excel.server.CallUDF(BRIDGE, "command", ("review", str(path)))
    assert code == 0.0, said
    assert opened == [(tmp_path / "scalesheet review.html").as_uri()]
    assert "Not a valid formula" in (tmp_path / "scalesheet review.html").read_text("utf-8")


def test_a_review_of_nothing_is_refused(excel: SimpleNamespace, tmp_path: Path) -> None:
    code, said = excel.server.CallUDF(BRIDGE, "command", ("review", str(tmp_path / "none.xlsx")))
    assert code == 2.0
    assert "none.xlsx" in said


def test_the_page_of_the_functions(excel: SimpleNamespace) -> None:
    place = excel.server.CallUDF(BRIDGE, "help_page", ("",))
    with open(place, encoding="utf-8") as file:
        page = file.read()
    assert all(f"={record.signature}" in page for record in RECORDS)


# --- xlwings' own Import Functions ---------------------------------------------------------------


def test_the_module_for_import_functions(excel: SimpleNamespace) -> None:
    assert set(excel.module.__all__) == {*REGISTRY, "LAST_ERRORS"}
    for record in RECORDS:
        known = getattr(excel.module, record.name).__xlfunc__
        assert known["category"] == f"scalesheet: {record.category}"
        assert known["ret"]["doc"] == record.summary
        assert [arg["name"] for arg in known["args"]] == [p.name for p in record.parameters]
        assert all(arg["options"] == {"convert": "raw"} for arg in known["args"])
        assert all(len(arg["doc"]) <= 255 for arg in known["args"])


def test_import_functions_gives_values_and_texts_of_errors(excel: SimpleNamespace) -> None:
    column = FakeRange(((64.0,), (COM_ERRORS + 2042,), (0.5,), (None,)))
    found = excel.server.CallUDF(UDFS, "TRAIN_COST", (column, *BUDGET[1:]))
    assert found == [[27950.0], ["#N/A"], ["#NUM!"], ["#VALUE!"]]
    assert excel.server.CallUDF(UDFS, "GPU_HOURS", (64.0, "#NUM!", 0.8)) == "#NUM!"
    assert isinstance(excel.server.CallUDF(UDFS, "LAST_ERRORS", ()), (str, list))


def test_the_vba_that_xlwings_writes_compiles(excel: SimpleNamespace) -> None:
    text = io.StringIO()
    book = SimpleNamespace(Name="book.xlam")
    excel.udfs.generate_vba_wrapper(UDFS, excel.module, text, book)
    faults(text.getvalue())
    assert set(re.findall(r"^Function (\w+)\(", text.getvalue(), re.M)) == {
        *REGISTRY,
        "LAST_ERRORS",
    }


def test_on_other_systems_the_module_is_plain_python() -> None:
    from scalesheet.surfaces.excel import udfs

    assert udfs.TRAIN_COST(*BUDGET) == 27950.0  # type: ignore[attr-defined]
    assert udfs.TRAIN_COST(*BUDGET[:6], None) == "#VALUE!"  # type: ignore[attr-defined]


# --- Our VBA -------------------------------------------------------------------------------------

OPENS = re.compile(
    r"^(?:Public |Private )?(Function|Sub) |^(With|For|Select Case|#?If)\b(?!.*\bThen \S)"
)
CLOSES = re.compile(r"^(?:End (Function|Sub|With|Select|If)|(Next)|#(End If))\b")
PAIRS = {"Select Case": "Select", "For": "Next", "#If": "End If"}


def faults(code: str) -> None:
    """Fail where VBA would: names, lengths, continuations, blocks that do not close."""
    waiting: list[str] = []
    continued = 0
    for line in code.splitlines():
        assert len(line) <= vba.LONGEST_LINE
        assert line.isascii()
        continued = continued + 1 if line.endswith(" _") else 0
        assert continued <= 24
        stripped = line.strip()
        if opened := OPENS.match(stripped):
            word = opened[1] or opened[2]
            waiting.append(PAIRS.get(word, word))
        elif closed := CLOSES.match(stripped):
            assert waiting.pop() == next(filter(None, closed.groups())), line
    assert waiting == []
    for name, given in re.findall(
        r"^(?:Public |Private )?(?:Function|Sub) (\w+)\((.*)\)", code, re.M
    ):
        names = [name, *re.findall(r"(?:^|, )(?:Optional |ByVal |ByRef |ParamArray )*(\w+)", given)]
        assert not {word.lower() for word in names} & vba.RESERVED
        assert len({word.lower() for word in names}) == len(names)


SUPPORT = xlwings_support.read_support()
OUR_MODULES = {module.name: module for module in vba.modules("1.2.3", SUPPORT)}


@pytest.mark.parametrize("name", OUR_MODULES)
def test_our_vba_compiles(name: str) -> None:
    faults(OUR_MODULES[name].code)


@pytest.mark.parametrize("word", ["currency", "Date", "a b", "1st", "naïve"])
def test_a_name_that_vba_refuses_is_seen(word: str) -> None:
    with pytest.raises(ValueError, match="is no name in VBA"):
        vba._checked(word)


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_each_function_is_there_and_described(record: Function) -> None:
    functions, about = OUR_MODULES[vba.FUNCTIONS].code, OUR_MODULES[vba.ABOUT].code
    names = ", ".join(parameter.name for parameter in record.parameters)
    assert f'    {record.name} = Answered("{record.name}", Array({names}))' in functions
    described = about.partition(f"Private Sub About_{record.name}()")[2].partition("End Sub")[0]
    texts = re.findall(r'"((?:[^"]|"")*)"', described)
    assert texts[0] == record.name
    assert texts[1].replace('""', '"') == record.summary
    assert texts[2] == f"scalesheet: {record.category}"
    assert len(texts) == 3 + len(record.parameters)
    assert all(len(text.replace('""', '"')) <= 255 for text in texts)
    assert f"    About_{record.name}\n" in about


def test_a_long_description_is_cut_between_words() -> None:
    assert len(vba.text("word " * 80)) <= 257
    assert vba.text("word " * 80).strip('" ').endswith("word...")


def test_vba_asks_no_caller_and_reads_values() -> None:
    calls_module = OUR_MODULES[vba.CALLS].code
    assert "Caller" not in "".join(module.code for module in OUR_MODULES.values())
    assert calls_module.count(".Value2") == 1
    assert ".Value\n" not in calls_module


# --- The file ------------------------------------------------------------------------------------

BUILT = xlam.build("1.2.3", TEMPLATES)


def test_built_twice_it_is_the_same() -> None:
    assert xlam.build("1.2.3", TEMPLATES) == BUILT
    assert xlam.build("1.2.4", TEMPLATES) != BUILT


def test_oletools_reads_the_same_sources() -> None:
    parser = VBA_Parser("scalesheet.xlam", data=BUILT)
    read = {path.rpartition("/")[2]: code for _, path, _, code in parser.extract_macros()}
    assert set(read) == set(OUR_MODULES)
    for name, module in OUR_MODULES.items():
        assert read[name].splitlines() == module.source.splitlines()


def test_a_cell_can_call_no_more_than_the_functions() -> None:
    """A public function of an add-in can be called from a cell of any workbook; a Sub cannot."""
    public = {
        name
        for module in OUR_MODULES.values()
        for name in re.findall(r"^\s*(?:Public )?(?:Declare .*)?Function (\w+)", module.code, re.M)
    }
    harmless = {"Answered", "LatestErrors", "WithErrors"}
    assert public == {*REGISTRY, vba.LAST_ERRORS, *harmless}
    assert set(re.findall(r"^Public Sub (\w+)", OUR_MODULES[vba.CALLS].code, re.M)) == {"AskPython"}
    options = [name for name in OUR_MODULES if "Option Private Module" in OUR_MODULES[name].code]
    assert options == [vba.CALLS, vba.PYTHON, vba.ABOUT]


# --- What is taken of xlwings --------------------------------------------------------------------


def test_the_licence_and_the_declarations_of_xlwings_are_taken() -> None:
    assert SUPPORT.version == version("xlwings")
    text = SUPPORT.declarations
    assert "Redistributions in binary form must reproduce the above copyright" in text
    assert re.search(r"Private Declare PtrSafe Function XLPyDLLActivateAuto .*ByRef Result", text)
    assert f'Private Const XLPyDLLName As String = "xlwings64-{SUPPORT.version}.dll"' in text
    assert not re.search(r"^\s*(Public |Declare )", text, re.M)
    assert text in OUR_MODULES[vba.PYTHON].code.replace("\r", "")


def test_an_xlwings_of_another_form_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("", 'Public Const XLWINGS_VERSION As String = "1.0"\nFunction X()\n'):
        with pytest.raises(xlam.BuildError, match="of a form not known here"):
            xlwings_support.support_from(text)
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    for found, words in ((spec, "has no file"), (None, "is not installed")):
        monkeypatch.setattr(xlwings_support, "find_spec", lambda name, found=found: found)
        with pytest.raises(xlam.BuildError, match=words):
            xlam.build("1", TEMPLATES)


# --- The package ---------------------------------------------------------------------------------


def test_the_versions_are_recorded() -> None:
    assert xlam.built_with(BUILT) == xlam.Versions("1.2.3", version("xlwings"))
    for wrong in (b"", b"PK", compound({"a": b""})):
        with pytest.raises(xlam.BuildError, match="no add-in of scalesheet's"):
            xlam.built_with(wrong)


def test_the_package_is_whole() -> None:
    with zipfile.ZipFile(io.BytesIO(BUILT)) as package:
        assert package.testzip() is None
        names = package.namelist()
        parts = {name: package.read(name) for name in names}
    assert names[0] == "[Content_Types].xml"
    for name, data in parts.items():
        if name.endswith((".xml", ".rels")):
            ElementTree.fromstring(data)
    types = parts["[Content_Types].xml"].decode()
    assert "application/vnd.ms-excel.addin.macroEnabled.main+xml" in types
    assert 'Extension="bin" ContentType="application/vnd.ms-office.vbaProject"' in types
    for name in re.findall(r'PartName="/([^"]+)"', types):
        assert name in parts
    for name in [name for name in parts if name.endswith(".rels")]:
        folder = name.partition("_rels/")[0]
        for target in re.findall(r'Target="([^"]+)"', parts[name].decode()):
            assert folder + target in parts


def test_the_ribbon_calls_what_there_is() -> None:
    ribbon = xlam.ribbon(TEMPLATES)
    tree = ElementTree.fromstring(ribbon)
    buttons = [node for node in tree.iter() if node.get("onAction")]
    assert [node.get("label") for node in buttons] == [
        'A "run" & its budget',
        "Review this workbook",
        "Function help",
    ]
    assert buttons[0].get("tag") == "training_run_budget"
    code = OUR_MODULES[vba.RIBBON].code
    for node in buttons:
        module, _, macro = str(node.get("onAction")).partition(".")
        assert module == vba.RIBBON
        assert f"Public Sub {macro}(ByVal control As Object)" in code


# --- The formats under it ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 4095, 4096, 4097, 12000])
def test_compression_is_undone_by_others(size: int) -> None:
    rng = random.Random(size)
    words = [b"Public ", b"Function ", b"End ", b"\r\n", b"x"]
    data = b"".join(rng.choice(words) for _ in range(size))[:size]
    assert ovba.decompress(ovba.compress(data)) == data
    assert bytes(decompress_stream(bytearray(ovba.compress(data)))) == data


def test_what_does_not_compress_stays_as_it_is() -> None:
    data = random.Random(0).randbytes(4096)
    assert ovba.decompress(ovba.compress(data)) == data


@pytest.mark.parametrize("count", range(1, 18))
def test_a_compound_file_is_read_by_others(count: int) -> None:
    streams = {f"Folder/s{number}": bytes([number]) * number * 700 for number in range(count)}
    streams |= {"top": b"t" * 5000, "a/b/c": b"deep", "none": b""}
    with OleFileIO(io.BytesIO(compound(streams))) as file:
        found = {"/".join(path): file.openstream(path).read() for path in file.listdir()}
        assert found == streams
        assert file.parsing_issues == []


def test_a_project_names_its_modules_by_kind() -> None:
    modules = [
        Module("ThisWorkbook", "", "workbook"),
        Module("Work", "x = 1"),
        Module("K", "", "class"),
    ]
    with OleFileIO(io.BytesIO(project("p", modules))) as file:
        text = file.openstream("PROJECT").read().decode()
        assert file.openstream("VBA/_VBA_PROJECT").read()[:4] == b"\xcc\x61\xff\xff"
    assert "Document=ThisWorkbook/&H00000000\r\nModule=Work\r\nClass=K\r\n" in text


def test_the_secrets_of_a_project_say_that_there_are_none() -> None:
    for data in (bytes(4), bytes(1), b"\xff"):
        for key in (0, 77, 255):
            assert _unstirred(bytes.fromhex(stirred(data, key))) == (key, data)


def _unstirred(coded: bytes) -> tuple[int, bytes]:
    """The reverse, as MS-OVBA 2.4.3.3 has it."""
    seed, version, key = coded[0], coded[1] ^ coded[0], coded[2] ^ coded[0]
    assert version == 2
    plain, one, two, found = key, coded[2], coded[1], b""
    for byte in coded[3:]:
        plain = byte ^ (two + plain) & 0xFF
        two, one = one, byte
        found += bytes([plain])
    ignored = (seed & 6) // 2
    length = int.from_bytes(found[ignored : ignored + 4], "little")
    assert len(found) == ignored + 4 + length
    return key, found[ignored + 4 :]


def test_vba_takes_no_letter_that_its_code_page_lacks() -> None:
    with pytest.raises(ValueError, match="which VBA cannot"):
        project("p", [Module("M", "' \u2211")])
