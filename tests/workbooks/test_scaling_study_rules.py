"""The rules of a good model, for the scaling study: tables of columns in place of scenarios.

One column, one formula, but for the rows that a table names as special. The sheets of the model
bring figures in before they calculate; names of lists stand for the measured and written columns.
"""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from datetime import datetime

from openpyxl.formula import Tokenizer
from openpyxl.formula.translate import Translator
from openpyxl.utils import range_boundaries
from openpyxl.utils.datetime import to_excel

from scalesheet.domains import Quantity
from scalesheet_workbooks.scaling_inputs import (
    INPUTS,
)
from scalesheet_workbooks.sheets.study_table import CALCULATED, IMPORTED, Entries, Table
from scalesheet_workbooks.templates import scaling_study
from workbooks.scaling_studies import at, book, cells_of, input_cells

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
INPUT_FILL, INPUT_FONT, LINK_GREEN, INK = "00FFF9DB", "000000FF", "0000703C", "001A1A1A"

STEPS = tuple(sheet.name for sheet in scaling_study.MODEL)
MODEL = ("Points", *STEPS)
ALLOWED = {
    *("SUM", "SUMPRODUCT", "MIN", "MAX", "ABS", "INDEX", "MATCH", "IF", "AND", "ISNUMBER"),
    *("ISTEXT", "N", "COUNT", "COUNTA", "COUNTIF", "COUNTIFS", "SUMIF", "ROWS", "ROUNDUP"),
    *("SMALL", "LARGE", "LN", "EXP", "SQRT", "HYPERLINK"),
}
UNITS = {
    *("GPUs/node", "nodes", "share", "share/node", "units/s", "units", "exponent", "name", "pick"),
    *("0/1", "count", "log", "ratio", "text", "h", "s/h", "sum", "limit", "USD", "USD/GPU-h"),
    "rows",
}
OUTPUTS = {
    "pln.low",
    "pln.high",
    "pln.marginal_node",
    "pln.doubling",
    "pln.cost",
    "pln.pilot_planned",
}
"""Entries that are read off the sheet and that nothing else needs."""


def formulas(*sheets: str) -> list[tuple[str, str, str]]:
    """Sheet, address and text; badges and links back, in rows 1 and 2, are left out."""
    return [
        (sheet, address, text)
        for (sheet, address), text in book().formulas.items()
        if sheet in (sheets or (*MODEL, "Cover", "Checks")) and row_of(address) > 2
    ]


def row_of(address: str) -> int:
    return int(re.sub(r"[^\d]", "", address))


def operands(text: str, kind: str) -> list[str]:
    return [
        token.value
        for token in Tokenizer(text).items
        if token.type == "OPERAND" and token.subtype == kind
    ]


def references(text: str) -> list[str]:
    return operands(text, "RANGE")


def functions(text: str) -> set[str]:
    return {t.value[:-1] for t in Tokenizer(text).items if t.type == "FUNC" and t.value[-1] == "("}


def depth_of_if(text: str) -> int:
    deepest = now = 0
    stack: list[bool] = []
    for token in Tokenizer(text).items:
        if token.type in ("FUNC", "PAREN") and token.subtype == "OPEN":
            stack.append(token.value == "IF(")
            now += stack[-1]
            deepest = max(deepest, now)
        elif token.type in ("FUNC", "PAREN") and token.subtype == "CLOSE":
            now -= stack.pop()
    return deepest


# --- Inputs --------------------------------------------------------------------------------------


def test_limits_beside_the_inputs_are_the_registrys() -> None:
    for entry in INPUTS:
        _, address = at(entry.id)
        row = row_of(address)
        ws = book().written["Points"]
        domain = entry.domain
        limits = [domain.low, domain.high] if isinstance(domain, Quantity) else [None, None]
        shown = [ws[f"{column}{row}"].value for column in "FG"]
        numbers = [to_excel(one) if isinstance(one, datetime) else one for one in shown]
        assert numbers == limits, entry.id


def test_ids_are_unique_and_in_column_b() -> None:
    heads = "|".join([*{sheet.head for sheet in scaling_study.MODEL}, "in", "chk", "const"])
    form = re.compile(rf"({heads})\.[a-z0-9_]+")
    found = [
        (cell.value, cell.column_letter)
        for sheet in book().sheets
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str) and form.fullmatch(cell.value)
    ]
    assert len(found) > 250
    assert {column for _, column in found} == {"B"}
    assert [name for name, count in Counter(name for name, _ in found).items() if count > 1] == []


# --- Formulas ------------------------------------------------------------------------------------


def test_formulas_are_short_and_plain() -> None:
    for sheet, address, text in formulas(*MODEL):
        where = f"{sheet}!{address}: {text}"
        assert len(text) <= 81, where
        assert len(set(references(text))) <= 6, where
        assert depth_of_if(text) <= 1, where
    for sheet, address, text in formulas():
        where = f"{sheet}!{address}: {text}"
        assert functions(text) <= ALLOWED, where
        # 2 stands in PEAK_NODES' own definition, -1 where a floor is off the chart.
        allowed = {"0", "1", "2"} if sheet == "Fabrics" else {"0", "1"}
        assert set(operands(text, "NUMBER")) <= allowed, where
        assert "#REF" not in text, where


def test_one_column_one_formula() -> None:
    for sheet in scaling_study.MODEL:
        for table in sheet.blocks:
            if not isinstance(table, Table):
                continue
            for column in table.columns:
                if column.kind not in (CALCULATED, IMPORTED) or not column.source:
                    continue
                moved = set()
                for key in table.keys:
                    if key not in column.special:
                        title, address = at(column.id, key)
                        text = book().formulas[title, address]
                        top = at(column.id, table.keys[0])[1]
                        moved.add(Translator(text, address).translate_formula(top))
                assert len(moved) == 1, (column.id, moved)


LINK = r"(?:'?[A-Za-z]+'?!\$?[A-Z]+\$?\d+)"
IMPORTS = re.compile(
    rf"={LINK}"
    rf'|=IF\(IS(?:NUMBER|TEXT)\(({LINK})\),\1,(?:"–"|\$?[A-Z]+\$?\d+|{LINK})\)'
    rf'|=IF\(ISNUMBER\({LINK}\),"median of "&{LINK},"no class"\)'
    rf'|=IF\({LINK}=1,{LINK},"–"\)'
)


def test_other_sheets_are_read_in_import_cells_only() -> None:
    """A link, its test for a number or text, or what is shown in its place."""
    for sheet, address, text in formulas(*STEPS):
        if any("!" in reference for reference in references(text)):
            assert IMPORTS.fullmatch(text), f"{sheet}!{address}: {text}"


def test_imports_are_green_and_calculations_black() -> None:
    for sheet, address, text in formulas(*STEPS):
        cell = book().written[sheet][address]
        expected = LINK_GREEN if any("!" in one for one in references(text)) else INK
        assert cell.font.color.rgb == expected, f"{sheet}!{address}: {text}"


def test_flow_is_downwards() -> None:
    order = list(scaling_study.SHEETS)
    for sheet, address, text in formulas(*STEPS):
        for reference in references(text):
            home, _, cells = reference.rpartition("!")
            where = f"{sheet}!{address}: {text}"
            if home and home != "Lists":
                assert order.index(home) < order.index(sheet), where
            if not home and not cells.startswith("lst_"):
                last = range_boundaries(cells.replace("$", ""))[3]
                assert last <= row_of(address), where


def test_no_reference_to_an_empty_cell() -> None:
    """Inputs may be empty, and so may rows between them."""
    inputs = input_cells()
    for sheet, address, text in formulas():
        for reference in references(text):
            home, _, cells = reference.rpartition("!")
            if cells.startswith(("lst_", "chk_")) or home == "Points":
                continue
            for place in cells_of(home or sheet, cells.replace("$", "")) - inputs:
                assert book().written[place[0]][place[1]].value is not None, (
                    f"{sheet}!{address}: {text}"
                )


def test_every_entry_is_used_or_an_output() -> None:
    read: set[tuple[str, str]] = set()
    named = {
        name: defined.attr_text
        for name, defined in book().written.defined_names.items()
        if "(" not in defined.attr_text
    }
    for (sheet, _), text in book().formulas.items():
        for reference in references(text):
            home, _, cells = named.get(reference, reference).rpartition("!")
            read |= cells_of(home or sheet, cells.replace("$", ""))
    for target in named.values():
        home, _, cells = target.rpartition("!")
        read |= cells_of(home, cells.replace("$", ""))
    for _, tree in charts():
        for formula in tree.iter(f"{CHART}f"):
            home, _, cells = str(formula.text).replace("'", "").rpartition("!")
            read |= cells_of(home, cells.replace("$", ""))
    entries = [
        entry.id
        for sheet in scaling_study.MODEL
        for block in sheet.blocks
        if isinstance(block, Entries)
        for entry in block.entries
    ]
    unused = {entry for entry in entries if at(entry) not in read} - OUTPUTS
    assert unused == set()


# --- Labels, units, charts -----------------------------------------------------------------------


def test_labels_are_unique_and_units_known() -> None:
    for sheet in scaling_study.MODEL:
        entries = [e for block in sheet.blocks if isinstance(block, Entries) for e in block.entries]
        labels = [entry.label for entry in entries]
        assert len(set(labels)) == len(labels), sheet.name
        for entry in entries:
            title, address = at(entry.id)
            assert book().written[title][f"D{row_of(address)}"].value in UNITS, entry.id


def charts() -> list[tuple[str, ET.Element]]:
    return [
        (name, ET.fromstring(part))
        for name, part in book().parts().items()
        if name.startswith("xl/charts/chart")
    ]


def test_charts_have_few_series_and_no_gaps() -> None:
    """At most seven series, each point a number."""
    assert len(charts()) == 4
    for name, tree in charts():
        assert 1 < len(list(tree.iter(f"{CHART}ser"))) <= 7, name
        for reference in tree.iter(f"{CHART}numRef"):
            cells = str(reference.findtext(f"{CHART}f")).rpartition("!")[2]
            left, top, right, bottom = range_boundaries(cells.replace("$", ""))
            points = list(reference.iterfind(f"{CHART}numCache/{CHART}pt/{CHART}v"))
            assert len(points) == (right - left + 1) * (bottom - top + 1), (name, cells)


def test_titles_of_charts_say_what_is_measured() -> None:
    texts = ["".join(t.text or "" for t in tree.iter(f"{DRAWING}t")) for _, tree in charts()]
    assert sum("efficiency" in text for text in texts) == 3
    assert sum("throughput" in text for text in texts) == 1
