"""Files to review: a filled proposal, and ways to change it, on cells or on the XML of parts."""

import datetime
import io
import random
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import openpyxl

from scalesheet_workbooks.build import build
from scalesheet_workbooks.cell_references import TOKEN, address, place_of, sheet_title
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.run import Review, review_bytes
from scalesheet_workbooks.scenarios import shipped
from scalesheet_workbooks.study import Scenario, Study

BUDGET = "training_run_budget"
TODAY = datetime.date(2026, 11, 30)
Edit = Callable[[openpyxl.Workbook], Any]


def proposal() -> Study:
    """A filled proposal with an owner and a date; no value is the example's."""
    scenarios = [
        Scenario(
            f"{one.name} of ours",
            {**one.values, "in.storage": float(one.values["in.storage"]) + 7},
            "What it is for.",
        )
        for one in shipped().scenarios[:3]
    ]
    return Study("Our run", tuple(scenarios), "A. Owner", "USD", datetime.date(2026, 11, 1))


@cache
def filled() -> bytes:
    """The proposal as a file."""
    return build(BUDGET, proposal())


@cache
def places(data: bytes) -> dict[str, tuple[str, int]]:
    """Sheet and row of every id of a file."""
    return {
        cell.value: (sheet.title, cell.row)
        for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets
        for cell in sheet["B"]
        if isinstance(cell.value, str) and re.fullmatch(r"[a-z]+\.[a-z0-9_]+", cell.value)
    }


def at(line: str, column: str = "E") -> tuple[str, str]:
    """Sheet and address of a line of the filled proposal."""
    sheet, row = places(filled())[line]
    return sheet, f"{column}{row}"


def edited(*edits: Edit, data: bytes | None = None) -> bytes:
    """A file changed and saved by openpyxl, which drops all stored values."""
    book = openpyxl.load_workbook(io.BytesIO(data or filled()))
    for edit in edits:
        edit(book)
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def put(line: str, column: str, value: object) -> Edit:
    """An edit of one cell of a line."""
    sheet, cell = at(line, column)
    return put_at(sheet, cell, value)


def put_at(sheet: str, cell: str, value: object) -> Edit:
    """An edit of one cell."""

    def edit(book: openpyxl.Workbook) -> None:
        book[sheet][cell] = value

    return edit


def parts_of(data: bytes) -> dict[str, bytes]:
    """Every part of a package."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    """A package of parts."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return saved.getvalue()


def with_xml(part: str, old: str, new: str, data: bytes | None = None) -> bytes:
    """A file with a piece of one part replaced; all else, stored values too, stays as it is."""
    parts = parts_of(data or filled())
    text = parts[part].decode()
    assert old in text, old
    parts[part] = text.replace(old, new, 1).encode()
    return packed(parts)


def sheet_part(title: str, data: bytes | None = None) -> str:
    """The part of a sheet, which openpyxl and our builder number in order."""
    titles = openpyxl.load_workbook(io.BytesIO(data or filled()), read_only=True).sheetnames
    return f"xl/worksheets/sheet{titles.index(title) + 1}.xml"


def with_value(sheet: str, cell: str, value: float) -> bytes:
    """A file with the number in a cell replaced and nothing calculated again."""
    part = sheet_part(sheet)
    parts = parts_of(filled())
    text = parts[part].decode()
    changed, count = re.subn(
        rf'(<c r="{cell}"[^>]*>(?:<f>[^<]*</f>)?<v>)[^<]*(</v>)', rf"\g<1>{value}\g<2>", text
    )
    assert count == 1, cell
    return packed(parts | {part: changed.encode()})


def shifted(sheet: str, row: int, count: int) -> Edit:
    """Rows put in before a row (or, below zero, taken out from it on), as a spreadsheet does it:
    every formula, name and validation follows."""

    def edit(book: openpyxl.Workbook) -> None:
        ws = book[sheet]
        texts = {
            (one.title, cell.coordinate): _follow(cell.value, one.title, sheet, row, count)
            for one in book.worksheets
            for line in one.iter_rows()
            for cell in line
            if cell.data_type == "f" and isinstance(cell.value, str)
        }
        for (title, cell), text in texts.items():
            book[title][cell] = text
        for name in book.defined_names.values():
            if "LAMBDA" not in name.attr_text:
                name.attr_text = _follow(name.attr_text, "", sheet, row, count)
        for rule in ws.data_validations.dataValidation:
            rule.sqref = openpyxl.worksheet.cell_range.MultiCellRange(
                _follow(str(rule.sqref), sheet, sheet, row, count)
            )
        if count > 0:
            ws.insert_rows(row, count)
        else:
            ws.delete_rows(row, -count)

    return edit


def _follow(formula: str, home: str, sheet: str, row: int, count: int) -> str:
    def token(found: re.Match[str]) -> str:
        if not found["ref"] or (sheet_title(found["sheet"]) or home) != sheet:
            return found[0]
        ends = []
        for end in found["ref"].split(":"):
            at_row, column = place_of(end)
            if count < 0 and row <= at_row < row - count:
                return "#REF!"
            fixed = "$" if "$" in end else ""
            new = at_row + count if at_row >= row else at_row
            ends.append(f"{fixed}{address(1, column)[:-1]}{fixed}{new}")
        return (found["sheet"] or "") + ":".join(ends)

    return TOKEN.sub(token, formula)


def reviewed(data: bytes, today: datetime.date = TODAY) -> Review:
    """The review of a file that must be readable."""
    found = review_bytes(data, "proposal.xlsx", today)
    assert not found.unreadable, found.unreadable
    return found


def above_info(review: Review) -> list[Finding]:
    """The findings that someone should act on."""
    return [one for one in review.findings if one.severity != "info"]


def said(findings: Iterable[Finding]) -> list[str]:
    """Findings in a line each, for messages of tests."""
    return [f"{one.rule.id} {one.severity} {one.where} {one.seen}" for one in findings]


def plausible(seed: int) -> Study:
    """A proposal as a careful preparer fills it: nothing in it is remarkable."""
    random_ = random.Random(seed)
    names = [f"Case {place}" for place in range(1, random_.randint(2, 4))]
    scenarios = tuple(Scenario(name, _plausible(random_)) for name in names)
    day = TODAY - datetime.timedelta(random_.randint(0, 60))
    return Study(f"Run {seed}", scenarios, "B. Owner", random_.choice(("USD", "EUR")), day)


def _plausible(random_: random.Random) -> dict[str, float | str]:
    per_node = random_.choice((4, 8, 8, 8))
    nodes = random_.choice((1, 2, 4, 8, 16, 32))
    values: dict[str, float | str] = {
        "in.gpus": float(per_node * nodes),
        "in.gpus_per_node": float(per_node),
        "in.gpu_hour_price": round(random_.uniform(1.2, 4.5), 3),
        "in.rework": round(random_.uniform(0.03, 0.3), 3),
        "in.storage": round(random_.uniform(0, 5e4), 2),
        "in.egress": round(random_.uniform(0, 1e4), 2),
    }
    values |= random_.choice(
        (
            {"in.work_basis": "ideal hours", "in.ideal_hours": round(random_.uniform(10, 900), 1)},
            {"in.work_basis": "GPU-hours", "in.total_gpu_hours": round(random_.uniform(1e3, 1e6))},
        )
    )
    base = random_.choice((1.0, 2.0))
    rate = random_.uniform(100, 5e4)
    ways: tuple[dict[str, float | str], ...] = (
        {"in.efficiency_method": "typed", "in.efficiency": round(random_.uniform(0.7, 0.93), 3)},
        {
            "in.efficiency_method": "interconnect",
            "in.interconnect": random_.choice(("NDR", "HDR")),
            "in.efficiency_floor": 0.3,
        },
        {
            "in.efficiency_method": "pilot",
            "in.pilot_base_nodes": base,
            "in.pilot_base_throughput": base * rate,
            "in.pilot_nodes": base * 4,
            "in.pilot_throughput": base * 4 * rate * random_.uniform(0.88, 0.95),
        },
    )
    return values | ways[0 if nodes > 8 else random_.randrange(3)]


def with_scenario(study: Study, place: int, **changes: float | str) -> Study:
    """A study with some inputs of one scenario changed, named without their prefix."""
    scenarios = list(study.scenarios)
    values = {**scenarios[place].values, **{f"in.{key}": value for key, value in changes.items()}}
    scenarios[place] = replace(scenarios[place], values=values)
    return replace(study, scenarios=tuple(scenarios))
