"""Every delivery of every runtime, in every argument of every function: a value or a true error."""

import datetime as dt
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy
import pytest

from arguments import Argument, arguments
from scalesheet.domains import SERIAL_ZERO, Choice, Date, Domain, Name, Quantity, Table, Vector
from scalesheet.errors import CellError, ScalesheetError
from scalesheet.registry import REGISTRY, Function
from scalesheet.surfaces import calls, columns
from scalesheet.surfaces.deliveries import (
    COM_ERRORS,
    COM_MISSING,
    ERROR_NUMBERS,
    SHEET_COLUMNS,
    SHEET_ROWS,
    Block,
    cell,
    cleaned,
)
from scalesheet.surfaces.reference import markdown

VALUE = CellError("#VALUE!")
RECORDS = list(REGISTRY.values())
GOOD = {record.name: arguments(random.Random(7), record) for record in RECORDS}
OF_A_DAY = [
    record for record in RECORDS if any(isinstance(p.domain, Date) for p in record.parameters)
]


def by_name(record: Function) -> str:
    return record.name


# --- One cell ------------------------------------------------------------------------------------

BLANK: dict[str, object] = {
    "COM, a blank cell": None,
    "COM, the empty part of a spill": "",
    "spaces": "   ",
    "COM, an argument left out": COM_MISSING,
    "Office.js, a blank cell of a data type": {"type": "Empty", "basicType": "Empty"},
    "Office.js, the same with its basic value": {"type": "Empty", "basicValue": ""},
}
WRONG_KIND: dict[str, object] = {
    "text": "no such name",
    "a number as text": "12.5",
    "a percentage as text": "80%",
    "TRUE": True,
    "FALSE": False,
    "NumPy's TRUE": numpy.bool_(True),
    "Office.js, TRUE": {"type": "Boolean", "basicType": "Boolean", "basicValue": True},
    "Office.js, a text": {"type": "String", "basicType": "String", "basicValue": "no such"},
}
DAY: dict[str, Callable[[dt.date], object]] = {
    "COM, a date": lambda day: dt.datetime(day.year, day.month, day.day, 18, 30),
    "openpyxl, a date": lambda day: day,
    "NumPy, a date": lambda day: numpy.datetime64(day),
}
SERIAL_DAY: dict[str, Callable[[dt.date], object]] = {
    "Value2, a date": lambda day: float((day - SERIAL_ZERO).days),
    "Value2, a date with its hour": lambda day: (day - SERIAL_ZERO).days + 0.75,
    "a whole number": lambda day: (day - SERIAL_ZERO).days,
    "Office.js, a date": lambda day: {
        "type": "FormattedNumber",
        "basicType": "Double",
        "basicValue": (day - SERIAL_ZERO).days,
        "numberFormat": "yyyy-mm-dd",
    },
    "year, month and day as text": lambda day: f" {day} ",
}
"""What is a date where one is asked for, and elsewhere a number or a text like any other."""
NO_DAY: dict[str, object] = {
    "a date in another order": "30/09/2026",
    "a month": "2026-09",
    "a day that is none": "2026-02-30",
}
ERROR: dict[str, tuple[object, str]] = {
    **{f"COM, {name}": (COM_ERRORS + number, name) for number, name in ERROR_NUMBERS.items()},
    **{f"err_to_str, {name}": (name, name) for name in ERROR_NUMBERS.values()},
    "COM, an error of a later Excel": (COM_ERRORS + 2077, "#UNKNOWN!"),
    **{
        f"Office.js, {text}": (
            {"type": "Error", "errorType": kind, "basicType": "Error", "basicValue": text},
            text,
        )
        for kind, text in {"Div0": "#DIV/0!", "NotAvailable": "#N/A", "Spill": "#SPILL!"}.items()
    },
    "Office.js, without a basic value": ({"type": "Error", "errorType": "NotAvailable"}, "#N/A"),
    "Office.js, Calc without one": ({"type": "Error", "errorType": "Calc"}, "#CALC!"),
    "Office.js, of a kind not known": ({"type": "Error", "errorType": "Odd"}, "#UNKNOWN!"),
    "Office.js, a stock": ({"type": "LinkedEntity", "basicValue": "#VALUE!"}, "#VALUE!"),
    "Office.js, no value at all": ({"type": "WebImage"}, "#UNKNOWN!"),
    "the core's own": (CellError("#NUM!"), "#NUM!"),
}
NUMBER: dict[str, Callable[[float], object]] = {
    "a float": float,
    "a whole number": int,
    "COM, a cell formatted as currency": lambda value: Decimal(repr(value)),
    "NumPy's float": numpy.float64,
    "NumPy's float of half the bits": numpy.float32,
    "NumPy's array without a dimension": lambda value: numpy.array(value),
    "NumPy's int": lambda value: numpy.int64(int(value)),
    "Office.js, a double": lambda value: {"type": "Double", "basicValue": value},
    "Office.js, a number with a format": lambda value: {
        "type": "FormattedNumber",
        "basicType": "Double",
        "basicValue": value,
        "numberFormat": "$0.00",
    },
}
WHOLE_ONLY = {"a whole number", "NumPy's int"}
INEXACT = {"NumPy's float of half the bits"}


def places(record: Function) -> Iterator[tuple[int, Domain]]:
    return enumerate(parameter.domain for parameter in record.parameters)


def called(record: Function, place: int, delivered: object) -> Any:
    """The answer with one argument delivered in another way."""
    given: list[Any] = list(GOOD[record.name])
    alone = isinstance(record.parameters[place].domain, Vector)
    given[place] = [delivered] * len(given[place]) if alone else delivered
    return calls.answer(record, given)


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_what_is_no_number_is_never_taken_for_one(record: Function) -> None:
    for place, domain in places(record):
        days = {what: made(dt.date(2026, 3, 4)) for what, made in DAY.items()}
        wrong = {**WRONG_KIND, **(NO_DAY if isinstance(domain, Date) else days)}
        for what, value in {**BLANK, **wrong}.items():
            assert called(record, place, value) == VALUE, f"{record.name} {place}: {what}"


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_an_error_is_passed_on_as_it_is(record: Function) -> None:
    for place, _ in places(record):
        for what, (value, name) in ERROR.items():
            found = called(record, place, value)
            assert found == CellError(name), f"{record.name} {place}: {what}"


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_a_number_is_one_however_it_is_delivered(record: Function) -> None:
    expected = calls.answer(record, GOOD[record.name])
    assert not isinstance(expected, CellError)
    for place, domain in places(record):
        value = GOOD[record.name][place]
        for what, delivered in NUMBER.items():
            exact = isinstance(value, float) and what not in INEXACT
            if (
                isinstance(domain, Quantity)
                and exact
                and (what not in WHOLE_ONLY or value % 1 == 0)
            ):
                assert called(record, place, delivered(value)) == expected, f"{place}: {what}"


@pytest.mark.parametrize("record", OF_A_DAY, ids=by_name)
def test_a_date_is_one_however_it_is_delivered(record: Function) -> None:
    """And the day counts: a year before the first price is another answer."""
    expected = calls.answer(record, GOOD[record.name])
    for place, domain in places(record):
        if isinstance(domain, Date):
            serial = GOOD[record.name][place]
            assert isinstance(serial, float)
            day = SERIAL_ZERO + dt.timedelta(serial)
            for what, made in {**DAY, **SERIAL_DAY}.items():
                assert called(record, place, made(day)) == expected, f"{place}: {what}"
                early = called(record, place, made(dt.date(2001, 1, 1)))
                assert early == CellError("#NUM!"), f"{place}: {what}"


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_a_known_name_and_an_unknown_one(record: Function) -> None:
    for place, domain in places(record):
        if isinstance(domain, Choice):
            short, long = domain.options[0]
            names = [short, short.lower(), f"  {long} ", {"type": "String", "basicValue": short}]
            assert len({str(called(record, place, name)) for name in names}) == 1
            assert not isinstance(called(record, place, short), CellError)
        elif isinstance(domain, Name):
            known = str(GOOD[record.name][place])
            expected = calls.answer(record, GOOD[record.name])
            spellings = [known.lower(), f"  {known} ", {"type": "String", "basicValue": known}]
            assert [called(record, place, name) for name in spellings] == [expected] * 3
        else:
            continue
        for wrong in ("EFA", 400.0, True, dt.date(2026, 3, 4)):
            assert called(record, place, wrong) == VALUE


def zeros() -> list[str]:
    """The generated list of arguments whose limits hold what a hidden blank is delivered as."""
    text = markdown().partition("cannot be told from a typed 0:\n\n")[2]
    return text.partition(".")[0].split(", ")


@pytest.mark.parametrize("record", RECORDS, ids=by_name)
def test_a_blank_delivered_as_0_passes_in_the_listed_arguments_alone(record: Function) -> None:
    listed = zeros()
    assert "storage" in listed
    assert "gpus" not in listed
    for place, domain in places(record):
        if not isinstance(domain, Vector) and record.parameters[place].name not in listed:
            assert isinstance(called(record, place, 0.0), CellError), f"{record.name} {place}"


def test_half_the_bits_is_another_number() -> None:
    assert cell(numpy.float32(0.8)) == float(numpy.float32(0.8)) != 0.8


def test_an_amount_keeps_its_digits() -> None:
    assert cell(Decimal("0.00012345")) == 0.00012345


@pytest.mark.parametrize("text", ["#n/a", "#N/A ", "N/A", "#NUM", "#"])
def test_a_text_that_spells_no_error_stays_one(text: str) -> None:
    assert cell(text) == text


# --- Ranges --------------------------------------------------------------------------------------

EFF = REGISTRY["SCALING_EFF"]
NUM = CellError("#NUM!")


@dataclass(frozen=True)
class Shape:
    """A range as a runtime hands it over, and the shape of the answer."""

    delivered: object
    answer: Any


SHAPES = {
    "COM, a row": Shape(((4.0, 0.0, None),), [[0.955, NUM, VALUE]]),
    "COM, a column": Shape(((4.0,), (0.0,), (None,)), [[0.955], [NUM], [VALUE]]),
    "COM, a block": Shape(((4.0, 0.0), (None, "x")), [[0.955, NUM], [VALUE, VALUE]]),
    "xlwings, one dimension": Shape([4.0, 0.0, None], [[0.955, NUM, VALUE]]),
    "xlwings, two dimensions": Shape([[4.0], [0.0]], [[0.955], [NUM]]),
    "Office.js, one cell": Shape([[4]], 0.955),
    "Office.js, a column": Shape([[4], [0], ["#N/A"]], [[0.955], [NUM], [CellError("#N/A")]]),
    "NumPy, a row": Shape(numpy.array([4.0, 0.0]), [[0.955, NUM]]),
    "NumPy, a column": Shape(numpy.array([[4.0], [0.0]]), [[0.955], [NUM]]),
    "NumPy, objects": Shape(numpy.array([[4.0, None]], dtype=object), [[0.955, VALUE]]),
    "a range without cells": Shape([], VALUE),
    "rows without cells": Shape([[]], VALUE),
    "rows of two lengths": Shape([[4.0], [4.0, 4.0]], VALUE),
    "rows of two lengths, the first longer": Shape([[4.0, 4.0], [4.0]], VALUE),
    "a row that is none": Shape([[4.0], 4.0], VALUE),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_shapes(shape: Shape) -> None:
    assert calls.answer(EFF, [shape.delivered, "NDR", 0.5]) == shape.answer


def test_a_row_against_a_column_gives_the_grid() -> None:
    found = calls.answer(EFF, [((4.0,), (16.0,)), (("NDR", "Eth25"),), 0.5])
    assert found == [[0.955, 0.79], [0.775, 0.5]]


def test_other_shapes_are_refused_with_the_sizes() -> None:
    said: list[str] = []
    found = calls.answer(EFF, [((4.0,), (16.0,)), (("NDR",), ("NDR",), ("NDR",)), 0.5], said.append)
    assert found == VALUE
    assert "nodes has 2 x 1 cells and the others ask for 3 x 1" in said[0]


def test_a_message_has_its_place() -> None:
    said: list[str] = []
    calls.answer(EFF, [((4.0,), (None,)), (("NDR", "NDR"),), 0.5], said.append)
    assert [message.partition(":")[0] for message in said] == [
        "row 2, column 1",
        "row 2, column 2",
    ]


def test_a_table_takes_no_ranges_but_a_range_of_one_cell() -> None:
    lines = REGISTRY["TRAIN_COST_LINES"]
    given: list[Any] = [64.0, 120.0, 2.5, 0.8, 0.15, 200.0, 150.0]
    assert calls.answer(lines, [[[64.0]], *given[1:]]) == calls.answer(lines, given)
    assert calls.answer(lines, [[[64.0], [64.0]], *given[1:]]) == VALUE


def test_too_few_and_too_many_arguments() -> None:
    for given in ([4.0], [((4.0,), (4.0,))], [4.0, "NDR", 0.5, 1.0], [((4.0,), (1.0,))] * 4):
        assert calls.answer(EFF, given) == VALUE


def test_ranges_taken_as_a_whole_drop_pairs_with_a_blank() -> None:
    egress = REGISTRY["EGRESS_COST"]
    whole = calls.answer(egress, [12500.0, ((1024.0, 10240.0, 1e9),), ((0.12, 0.11, 0.08),)])
    column = ((1024.0,), (None,), (10240.0,), ("",), (1e9,))
    prices = ((0.12,), (None,), (0.11,), (0.5,), (0.08,))
    assert calls.answer(egress, [12500.0, column, prices]) == whole


# --- Whole columns and rows ----------------------------------------------------------------------


def tall(*values: object, height: int = SHEET_ROWS) -> tuple[tuple[object], ...]:
    return tuple((value,) for value in values) + ((None,),) * (height - len(values))


def test_a_whole_column_is_cut_to_its_used_part() -> None:
    found = calls.answer(EFF, [tall(4.0, None, 8.0), "NDR", 0.5])
    assert found == [[0.955], [VALUE], [0.895]]


def test_whole_columns_are_cut_together() -> None:
    found = calls.answer(EFF, [tall(4.0, 4.0), tall("NDR", "", "NDR", "  "), 0.5])
    assert found == [[0.955], [VALUE], [VALUE]]


def test_an_empty_whole_column_is_a_missing_argument() -> None:
    said: list[str] = []
    assert calls.answer(EFF, [tall(), "NDR", 0.5], said.append) == VALUE
    assert "nodes is missing" in said[0]


def test_a_whole_column_beside_a_range_must_fit_it() -> None:
    fits, short = ((0.5,), (0.5,)), ((0.5,),) * 3
    assert calls.answer(EFF, [tall(4.0, 4.0), "NDR", fits]) == [[0.955], [0.955]]
    assert calls.answer(EFF, [tall(4.0, 4.0), "NDR", short]) == VALUE


def test_whole_rows() -> None:
    row = ((4.0, 8.0, *[None] * (SHEET_COLUMNS - 2)),)
    assert calls.answer(EFF, [row, "NDR", 0.5]) == [[0.955, 0.895]]


def test_several_whole_columns_in_one_argument() -> None:
    rows = ((4.0, None), (None, 8.0), *((None, None),) * (SHEET_ROWS - 2))
    assert calls.answer(EFF, [rows, "NDR", 0.5]) == [[0.955, VALUE], [VALUE, 0.895]]


def test_a_range_that_only_ends_in_blanks_keeps_its_height() -> None:
    assert calls.answer(EFF, [tall(4.0, height=3), "NDR", 0.5]) == [[0.955], [VALUE], [VALUE]]


def test_a_column_that_the_runtime_has_cut() -> None:
    given = [tall(4.0, height=3), tall("NDR", "NDR", height=3), 0.5]
    assert calls.answer(EFF, given, wholes="cc-") == [[0.955], [VALUE]]
    assert calls.answer(EFF, [[[4.0, None]], "NDR", 0.5], wholes="r--") == 0.955
    assert calls.answer(EFF, [4.0, "NDR", 0.5], wholes="c--") == 0.955


def test_cleaning_leaves_a_block_as_wide_as_it_was() -> None:
    (block,) = cleaned([((1.0, 2.0), (3.0, 4.0))])
    assert isinstance(block, Block)
    assert [list(row) for row in block] == [[1.0, 2.0], [3.0, 4.0]]
    assert block.only_floats


# --- Many at once --------------------------------------------------------------------------------

MANY = columns.SMALLEST + 88
SPOILT: list[Any] = [
    None,
    "x",
    "",
    True,
    -1e300,
    1e300,
    float("nan"),
    "#N/A",
    0.0,
    COM_ERRORS + 2050,
]


def many(record: Function, rng: random.Random) -> list[list[list[object]]]:
    """Columns of arguments, one in eight of them spoilt."""
    sets = [arguments(rng, record) for _ in range(MANY)]
    spoilt: list[list[object]] = [
        [rng.choice(SPOILT) if rng.random() < 0.125 else value for value in given] for given in sets
    ]
    return [[[value] for value in column] for column in zip(*spoilt, strict=True)]


BY_COLUMN = [
    record
    for record in RECORDS
    if not isinstance(record.result, Table)
    and not any(isinstance(parameter.domain, Vector) for parameter in record.parameters)
]
LOOKED_UP = [
    record for record in BY_COLUMN if any(isinstance(p.domain, Name) for p in record.parameters)
]
"""Functions that look a name up, which no expression over columns does."""


def told(record: Function, given: list[Any]) -> tuple[Any, list[str]]:
    said: list[str] = []
    return calls.answer(record, given, said.append), said


@pytest.mark.parametrize("record", BY_COLUMN, ids=by_name)
def test_many_at_once_are_the_same_to_the_last_bit(
    record: Function, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = many(record, random.Random(record.name))
    found = told(record, given)
    monkeypatch.setattr(columns, "SMALLEST", MANY + 1)
    assert found == told(record, given)
    assert any(isinstance(row[0], float | str) for row in found[0])
    assert any(isinstance(row[0], CellError) for row in found[0])


@pytest.mark.parametrize("record", BY_COLUMN, ids=by_name)
def test_good_columns_are_left_to_nobody_but_by_those_that_look_up(record: Function) -> None:
    rng = random.Random(1)
    given = [[[value] for value in column] for column in _sets(record, rng)]
    values, left = columns.results(record, cleaned(given), MANY, 1)
    if record in LOOKED_UP:
        assert (values, left) == ([None] * MANY, range(MANY))
        return
    assert list(left) == []
    assert values == [
        record.one(*row) for row in zip(*_sets(record, random.Random(1)), strict=True)
    ]


def _sets(record: Function, rng: random.Random) -> list[tuple[Argument, ...]]:
    """Columns of arguments, each set of which the function takes."""
    sets = []
    while len(sets) < MANY:
        given = arguments(rng, record)
        try:
            record.one(*given)
        except ScalesheetError:
            continue
        sets.append(given)
    return list(zip(*sets, strict=True))


def test_without_numpy_all_are_done_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    record = REGISTRY["TRAIN_COST"]
    given = many(record, random.Random(2))
    found = told(record, given)
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    assert columns.results(record, cleaned(given), MANY, 1) == ([None] * MANY, range(MANY))
    assert told(record, given) == found


def test_a_grid_at_once() -> None:
    nodes = [[float(number)] for number in range(1, 101)]
    floors: list[list[object]] = [[0.5, 0.6, None, 0.7, 0.8, 2.0, 0.9, 0.95]]
    found = calls.answer(EFF, [nodes, "NDR", floors])
    expected = [[calls.answer(EFF, [row[0], "NDR", floor]) for floor in floors[0]] for row in nodes]
    assert found == expected
