"""Formulas calculated with our functions, one at a time and a whole workbook."""

import datetime
import io
from dataclasses import replace

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

import scalesheet
from scalesheet.errors import CellError, ScalesheetError
from scalesheet.registry import REGISTRY
from scalesheet.surfaces.excel.lambdas import lambda_names
from scalesheet_workbooks.calculation import (
    MAX_FORMULA_LENGTH,
    FormulaError,
    cached_values,
    evaluate,
    nearest_functions,
)
from scalesheet_workbooks.examples import examples
from scalesheet_workbooks.recalculation import is_equal, recalculate, stored_values

CALL = "TRAIN_COST(64,120,2.5,80%,15%,200,150)"

VALUES = {
    "published example": (f"={CALL}", 27950.0),
    "no equals sign": (CALL, 27950.0),
    "small letters": (f"={CALL.lower()}", 27950.0),
    "spaces and lines": ("  = " + CALL.replace(",", " ,\n ") + " ", 27950.0),
    "negated": (f"-{CALL}", -27950.0),
    "nested": ('=GPUS_LOST(4,8,SCALING_EFF(4,"Eth25",50%))', 6.72),
    "in Excel's own": ('=SUM(SCALING_EFF({1,2,3},"NDR",50%))', 2.955),
    "Excel's own inside": ("=GPU_HOURS(MAX(8,64),SUM({100,20}),ROUND(0.801,1))", 9600.0),
    "text": ('="about "&TEXT(TRAIN_COST(64,120,2.5,80%,15%,200,150),"#,##0")', "about 27,950"),
    "comparison": (f"={CALL}>27000", True),
    "range as a whole": ("=EGRESS_COST(12500,{1024,10240,1E9},{0.12,0.11,0.08})", 1317.44),
    "LET": ("=LET(efficiency,80%,GPU_HOURS(64,120,efficiency))", 9600.0),
    "omitted in Excel's own": ("=IF(FALSE,5,)", 0.0),
    "date as its number": ("=DATE(2026,3,31)", 46112.0),
    "caught error": ("=IFERROR(GPU_HOURS(0,1,1),-1)", -1.0),
}


@pytest.mark.parametrize(("formula", "value"), VALUES.values(), ids=VALUES)
def test_value(formula: str, value: float | str | bool) -> None:
    result = evaluate(formula)
    assert not result.is_error
    assert not isinstance(result.value, list)
    assert type(result.value) is type(value)
    assert is_equal(result.value, value)


def test_arrays_are_rows() -> None:
    assert evaluate('=SCALING_EFF({1;2;4},{"NDR","Eth25"},50%)').value == [
        [1.0, 1.0],
        [0.985, pytest.approx(0.93)],
        [0.955, 0.79],
    ]
    assert evaluate("=SEQUENCE(1,3)").value == [[1.0, 2.0, 3.0]]
    assert evaluate('={1,"a";TRUE,#N/A}').value == [[1.0, "a"], [True, CellError("#N/A")]]


def test_a_table_is_rows() -> None:
    rows = evaluate("=TRAIN_COST_LINES(64,120,2.5,80%,15%,200,150)").rows
    assert rows[0] == ["Wall-clock hours", 150.0]
    assert rows[-1] == ["Total cost", 27950.0]


@pytest.mark.parametrize("name", REGISTRY)
def test_same_as_python_for_each_function(name: str) -> None:
    """The engine's way in and out changes nothing: numbers to the last bit, texts, dates."""
    for example in examples(REGISTRY[name]):
        expected = getattr(scalesheet, name.lower())(*example.arguments)
        rows = expected if isinstance(expected, list) else [[expected]]
        assert evaluate(f"={example.text}").rows == rows


WORK_HOURS = "the wall-clock hours of the whole cluster at perfect scaling"
ERRORS = {
    "percent forgotten": (
        "=TRAIN_COST(64,120,2.5,80,15%,200,150)",
        "#NUM!",
        ["efficiency must be from 0.01 to 1.5, not 80: type 80% or 0.8"],
    ),
    "text for a number": (
        '=TRAIN_COST(64,120,"2.5",80%,15%,200,150)',
        "#VALUE!",
        ['gpu_hour_price must be a number, not the text "2.5": type 2.5 without quotes'],
    ),
    "omitted": (
        "=TRAIN_COST(64,,2.5,80%,15%,200,150)",
        "#VALUE!",
        [f"ideal_hours is missing: enter {WORK_HOURS} (above 0 to 1,000,000,000,000)"],
    ),
    # The engine would hand over 0, which is a valid amount of money.
    "omitted where 0 is valid": (
        "=1+IFERROR(TRAIN_COST(64,120,2.5,80%,15%,,),0)",
        "#VALUE!",
        [
            "storage is missing: enter an amount of money for the whole run "
            "(from 0 to 1,000,000,000,000)",
            "egress is missing: enter an amount of money for the whole run "
            "(from 0 to 1,000,000,000,000)",
        ],
    ),
    "omitted range": (
        "=EGRESS_COST(1,,{1})",
        "#VALUE!",
        ["tier_limits is missing: select a range with the upper end of each tier in GB"],
    ),
    "omitted name": (
        "=LOSS_PER_NODE(IF(TRUE,,))+SCALING_EFF(4,,50%)",
        "#VALUE!",
        ["interconnect is missing: enter one of NDR, HDR, RoCE100, Eth25"],
    ),
    "omitted date": (
        '=GPU_PRICE("H100","AWS","on-demand",)',
        "#VALUE!",
        [
            "as_of is missing: enter the day for which the price is asked "
            "(a date from 2000-01-01 to 2199-12-31)"
        ],
    ),
    "omitted name of the catalog": (
        '=GPU_SPEC(,"watts")',
        "#VALUE!",
        ['gpu is missing: enter a name such as "H100-80GB"'],
    ),
    "date that is none": (
        '=GPU_PRICE("H100","AWS","on-demand","30/09/2026")',
        "#VALUE!",
        ['as_of must be a date, not the text "30/09/2026": type DATE(2026,9,30) or 2026-09-30'],
    ),
    "before the first price": (
        '=GPU_PRICE("H100","AWS","on-demand",DATE(2020,1,1))',
        "#NUM!",
        [
            "as_of must be 2026-09-06 or later for H100-80GB on-demand at AWS, not 2020-01-01: "
            "the catalog has no earlier price"
        ],
    ),
    "two of three numbers": (
        "=TRAIN_COST_RISK(80%,8,{1,2},{1,2,3},{0.7,0.8,0.9},{0,0,0},0,0)",
        "#VALUE!",
        ["ideal_hours needs three numbers: low, mode (the likeliest) and high; 2 given"],
    ),
    "numbers that fall": (
        "=TRAIN_COST_RISK(80%,8,{1,2,3},{1,2,3},{0.9,0.8,0.7},{0,0,0},0,0)",
        "#NUM!",
        ["efficiency must be three numbers, low, mode and high, none below the one before it"],
    ),
    "too few": (
        "=GPU_HOURS(64)",
        "#VALUE!",
        ["ideal_hours, efficiency missing: type GPU_HOURS(gpus, ideal_hours, efficiency)"],
    ),
    "too many": (
        "=GPU_HOURS(64,120,80%,1)",
        "#VALUE!",
        ["too many arguments (4): type GPU_HOURS(gpus, ideal_hours, efficiency)"],
    ),
    "misspelt": (
        "=TRAINCOST(64)",
        "#NAME?",
        ["TRAINCOST is no function here: type TRAIN_COST or TRAIN_COST_WORK or TRAIN_COST_RISK"],
    ),
    "unknown": (
        "=FROBNICATE(1)",
        "#NAME?",
        ["FROBNICATE is no function here: see scalesheet functions"],
    ),
    "text without quotes": (
        "=SCALING_EFF(4,NDR,50%)",
        "#NAME?",
        ['NDR is no name here: type text in double quotes, as "NDR"'],
    ),
    "amount with its currency": (
        "=$8*$80000",
        "#NAME?",
        [
            "$8 is no name here: leave the $ out, as 8",
            "$80000 is no name here: leave the $ out, as 80000",
        ],
    ),
    "argument in error": (
        "=GPU_HOURS(1/0,120,80%)",
        "#DIV/0!",
        ["gpus is a cell in error (#DIV/0!): mend that cell first"],
    ),
    "Excel's own error": ("=1/0", "#DIV/0!", []),
    "beyond floats": ("=1E400", "#NUM!", []),
}


@pytest.mark.parametrize(("formula", "code", "messages"), ERRORS.values(), ids=ERRORS)
def test_error(formula: str, code: str, messages: list[str]) -> None:
    result = evaluate(formula)
    assert result.value == CellError(code)
    assert list(result.messages) == messages


def test_every_argument_of_every_function_is_refused_when_omitted() -> None:
    for record in REGISTRY.values():
        for omitted in range(len(record.parameters)):
            arguments = ["1"] * len(record.parameters)
            arguments[omitted] = ""
            # One empty argument alone is no argument, for a spreadsheet too.
            result = evaluate(f"={record.name}({','.join(arguments)})")
            assert result.value == CellError("#VALUE!"), record.name
            assert record.parameters[omitted].name in result.messages[0]


def test_elements_of_an_array_have_their_own_errors() -> None:
    result = evaluate('=SCALING_EFF({4;0;0},"NDR",50%)')
    assert result.value == [[0.955], [CellError("#NUM!")], [CellError("#NUM!")]]
    assert result.is_error
    assert result.messages == ("nodes must be a whole number from 1 to 10,000,000, not 0",)


UNREADABLE = {
    "empty": ("", f"the formula is empty: type one, for example ={CALL}"),
    "only the sign": (" = ", f"the formula is empty: type one, for example ={CALL}"),
    "half a sum": (
        "=1+",
        "the formula ends too early at character 4: complete it, close every bracket and quote",
    ),
    "open bracket": (
        "=GPU_HOURS(64",
        "the formula ends too early at character 14: complete it, close every bracket and quote",
    ),
    "open bracket, no sign": (
        "GPU_HOURS(64",
        "the formula ends too early at character 13: complete it, close every bracket and quote",
    ),
    "open quote": (
        '=LOSS_PER_NODE("NDR)',
        "the formula ends too early at character 21: complete it, close every bracket and quote",
    ),
    "bracket too many": (
        "=SUM(1,2))",
        "character 10: ) closes no bracket: take it out or open one",
    ),
    "after other letters": ('="é")', "character 5: ) closes no bracket: take it out or open one"),
    "semicolons": (
        "=GPU_HOURS(64;120;80%)",
        "character 14: a semicolon between arguments: use a comma",
    ),
    "two numbers": (
        "=1 2",
        "character 4: cannot be read from here: 2: check brackets, quotes and commas",
    ),
    "cell": (
        "=GPU_HOURS(A1,120,80%)",
        "A1 is a cell and there is no sheet here: "
        'type its value, or "A1" in double quotes if it is a text',
    ),
    "name that reads as a cell": (
        "=SCALING_EFF(4,Eth25,50%)",
        "Eth25 is a cell and there is no sheet here: "
        'type its value, or "Eth25" in double quotes if it is a text',
    ),
    "range": (
        "=SUM(Inputs!A1:B2)",
        "Inputs!A1:B2 is a cell and there is no sheet here: "
        'type its value, or "Inputs!A1:B2" in double quotes if it is a text',
    ),
    "LAMBDA": (
        "=LAMBDA(x,x+1)(2)",
        "the formula cannot be calculated: a function in it is not known here",
    ),
    "too long": (
        "=" + "1+" * MAX_FORMULA_LENGTH + "1",
        "the formula must have at most 8192 characters, as in a spreadsheet, not 16386: shorten it",
    ),
    "too deep": (
        "=" + "(" * 100 + "1" + ")" * 100,
        "the formula is nested too deeply: take it apart",
    ),
    "bytes": ("=\udcff", "the formula holds bytes that are no text: type it in UTF-8"),
}


@pytest.mark.parametrize(("formula", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(formula: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        evaluate(formula)
    assert str(caught.value) == message


def test_a_fault_of_ours_is_not_hidden_as_an_error_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: float) -> float:
        raise KeyError("a fault of ours")

    record = REGISTRY["GPU_HOURS"]
    monkeypatch.setitem(REGISTRY, "GPU_HOURS", replace(record, body=_named(broken, "gpu_hours")))
    with pytest.raises(KeyError, match="a fault of ours"):
        evaluate("=IFERROR(GPU_HOURS(64,120,80%),0)")


def _named(body: object, name: str) -> object:
    body.__name__ = name  # type: ignore[attr-defined]
    return body


def test_nearest_functions() -> None:
    assert nearest_functions("gpu-hours")[0] == "GPU_HOURS"
    assert nearest_functions("frobnicate") == []


# --- A workbook ----------------------------------------------------------------------------------


def workbook(**formulas: object) -> bytes:
    """A workbook with cells in one sheet, whose title needs quotes, and no stored values."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "It's 1"
    for at, value in formulas.items():
        sheet[at] = value
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def values(xlsx: bytes) -> dict[str, object]:
    return {at: value for (title, at), value in cached_values(xlsx).items() if title == "It's 1"}


def test_only_formula_cells_have_a_value() -> None:
    found = values(
        workbook(
            A1=64,
            A2="=GPU_HOURS(A1,120,80%)",
            A3='="x"&A1',
            A4="=A1>1",
            A5='=""',
            A6="=1/0",
            A7="=A9",
            A8="=_xlfn.SWITCH(A1,64,5)",
            B1="text",
            B2="=GPU_HOURS(A9,120,80%)",
            B3="=GPU_HOURS(A6,120,80%)",
        )
    )
    assert found == {
        "A2": 9600.0,
        "A3": "x64",
        "A4": True,
        "A5": "",
        "A6": CellError("#DIV/0!"),
        "A7": 0.0,
        "A8": 5.0,
        "B2": CellError("#VALUE!"),
        "B3": CellError("#DIV/0!"),
    }
    assert type(found["A4"]) is bool


def test_every_cell_of_an_array_formula_has_a_value() -> None:
    found = values(
        workbook(
            A1=1,
            A2=2,
            B1=ArrayFormula("B1:B2", '=SCALING_EFF(A1:A2,"NDR",0.5)'),
            C1=ArrayFormula("C1", "=SUM(A1:A2*2)"),
        )
    )
    assert found == {"B1": 1.0, "B2": 0.985, "C1": 6.0}


def test_dates_names_and_ranges_in_cells() -> None:
    """A date in a cell is a date, and a total over what it gives is a number."""
    rows = {"low": (100, 2, 0.7, 0), "mode": (120, 2.5, 0.8, 0.1), "high": (160, 3.5, 0.85, 0.4)}
    cells = {
        f"{column}{row}": value
        for row, spread in enumerate(rows.values(), 5)
        for column, value in zip("ABCD", spread, strict=True)
    }
    found = values(
        workbook(
            A1="H100",
            B1="AWS",
            C1="on-demand",
            D1=datetime.date(2026, 9, 30),
            E1="=GPU_PRICE(A1,B1,C1,D1)",
            E2="=8*GPU_PRICE(A1,B1,C1,D1+90)",
            E3="=LEN(GPU_PRICE_NOTE(A1,B1,C1,D1))",
            E5="=TRAIN_COST_RISK(50%,64,A5:A7,B5:B7,C5:C7,D5:D7,200,150)",
            **cells,
        )
    )
    spreads = list(zip(*rows.values(), strict=True))
    day = datetime.date(2026, 9, 30)
    assert found == {
        "E1": 6.88,
        "E2": 8 * 6.88,
        "E3": len(scalesheet.gpu_price_note("H100", "AWS", "on-demand", day)),
        "E5": scalesheet.train_cost_risk(0.5, 64, *spreads, 200, 150),
    }


def test_clock_does_not_run() -> None:
    xlsx = workbook(A1="=TODAY()", A2="=NOW()")
    assert values(xlsx) == {"A1": 46023.0, "A2": 46023.0}
    clock = datetime.datetime(2026, 3, 31, 12, tzinfo=datetime.UTC)
    assert cached_values(xlsx, clock) == {("It's 1", "A1"): 46112.0, ("It's 1", "A2"): 46112.5}


@pytest.mark.parametrize(
    ("formula", "reason"),
    [("=A1", "it refers to itself"), ("=_xlfn.LAMBDA(_xlpm.x,_xlpm.x)(1)", "a function in it")],
)
def test_what_the_engine_cannot_calculate_is_refused(formula: str, reason: str) -> None:
    with pytest.raises(ValueError, match=rf"It's 1!A1: the formula cannot be calculated: {reason}"):
        cached_values(workbook(A1=formula))


def test_our_functions_stand_in_for_lambda_names() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    names = lambda_names()
    for row, name in enumerate(names, 1):
        book.defined_names[name.name] = DefinedName(
            name.name, attr_text=name.stored, comment=name.description
        )
        count = len(REGISTRY[name.name].parameters)
        sheet.cell(row, 1, f"={name.name}({','.join(['B1'] * count)})")
    sheet["B2"] = f"={CALL}"
    saved = io.BytesIO()
    book.save(saved)
    found = cached_values(saved.getvalue())
    # A blank argument is refused by ours; a name that is not known would be #NAME?.
    assert {found["Sheet", f"A{row}"] for row in range(1, len(names) + 1)} == {CellError("#VALUE!")}
    assert found["Sheet", "B2"] == 27950.0


def test_recalculation_names_what_differs() -> None:
    """openpyxl stores no values, so that every formula differs but the empty text."""
    book = recalculate(workbook(A1=2, A2="=A1*2", A3='=""'))
    assert book.stored == {("It's 1", "A1"): 2}
    assert book.differing == ("It's 1!A2",)


def test_stored_values_have_the_types_of_recalculated_ones() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["A2"], sheet["A3"] = datetime.date(2026, 3, 31), True, "#N/A"
    saved = io.BytesIO()
    book.save(saved)
    assert stored_values(saved.getvalue()) == {
        ("Sheet", "A1"): 46112.0,
        ("Sheet", "A2"): True,
        ("Sheet", "A3"): CellError("#N/A"),
    }


def test_errors_are_the_users() -> None:
    assert issubclass(FormulaError, ScalesheetError)
