"""The add-in in LibreOffice Calc, end to end: formulas typed, inputs changed, files saved and read.

Calc runs as a new user would have it: nothing is set but the locale.
"""

import datetime
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

import scalesheet
from arguments import Argument, arguments
from calc import Calc, calc_with, version
from engines import Cell
from scalesheet.domains import Quantity, Vector
from scalesheet.errors import CellError
from scalesheet.registry import REGISTRY, Function
from scalesheet.surfaces.cells import Answer, answer
from scalesheet.surfaces.libreoffice import dotted
from scalesheet.surfaces.libreoffice.extension import build as build_extension
from scalesheet.surfaces.reference import markdown
from scalesheet_workbooks.build import build
from scalesheet_workbooks.calculation import evaluate
from scalesheet_workbooks.templates.function_check import checkable
from surfaces.winstub import windows

TOLERANCE = 1e-12
TYPED = "Typed"
SETS = 5
WIDTH = 16
"""The cells of the longest call: four spreads of three numbers, and four numbers."""
BARE_NAMES_IN_FILES = 25
"""The first release tried that finds bare names of an add-in in a file; 7.4 does not."""


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    """Calc with the add-in."""
    with calc_with({"scalesheet.oxt": build_extension("0")}) as running:
        yield running


@pytest.fixture
def sheet(calc: Calc) -> str:
    """The first sheet of a new document."""
    titles: list[str] = calc.open()
    return titles[0]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbooks that the tests open."""
    folder = tmp_path_factory.mktemp("built")
    checks = ("function_check", "function_check_addin", "function_check_libreoffice")
    for name in ("training_run_budget", *checks):
        (folder / f"{name}.xlsx").write_bytes(build(name))
    return folder


def is_same(found: Cell, expected: Cell) -> bool:
    """Whether Calc shows what the core answers."""
    if isinstance(found, float) and isinstance(expected, (int, float)):
        return abs(found - expected) <= TOLERANCE * max(abs(found), abs(expected))
    return found == expected


def assert_same(found: Sequence[Cell], expected: Sequence[Cell], what: Sequence[object]) -> None:
    """Every cell is what the core answers."""
    assert len(found) == len(expected)
    wrong = [
        f"{text}: {one} instead of {other}"
        for text, one, other in zip(what, found, expected, strict=True)
        if not is_same(one, other)
    ]
    assert not wrong, "\n".join(wrong[:20])


def rows(result: Answer) -> list[list[Cell]]:
    """An answer of the core as rows."""
    return result if isinstance(result, list) else [[result]]


# --- Typed ---------------------------------------------------------------------------------------


def test_bare_names_as_a_user_types_them(calc: Calc, sheet: str) -> None:
    formulas = [
        '=SCALING_EFF(4,"NDR",50%)',
        '=scaling_eff(4;"ndr";0.5)',
        "=TRAIN_COST(64,120,2.5,80%,15%,200,150)",
        '=SUM(1,SCALING_EFF(4,"NDR",50%)*2)',
        '=IF(SCALING_EFF(1,"NDR",50%)=1,"one node","?")',
    ]
    assert calc.column(sheet, "A", formulas) == [0.955, 0.955, 27950.0, 2.91, "one node"]
    assert calc.formulas(sheet=sheet, area="A1") == [[f'={dotted("SCALING_EFF")}(4;"NDR";50%)']]


@pytest.mark.parametrize("name", ["SCALING_EFF", dotted("SCALING_EFF")])
def test_names_in_macros(calc: Calc, sheet: str, name: str) -> None:
    calc.type(sheet=sheet, cells={"A1": f'={name}(4;"NDR";0.5)'}, local=False)
    assert calc.cell(sheet, "A1") == 0.955


def test_names_with_the_separators_of_another_locale() -> None:
    with calc_with({"scalesheet.oxt": build_extension("0")}, locale="de-DE") as german:
        [sheet, *_] = german.open()
        formulas = ['=SCALING_EFF(4;"NDR";0,5)', "=TRAIN_COST(64;120;2,5;80%;15%;200;150)"]
        assert german.column(sheet, "A", formulas) == [0.955, 27950.0]


# --- Our workbooks -------------------------------------------------------------------------------

BELOW_ALL = 200
"""A row below all functions of a check."""


def verdicts(calc: Calc, workbook: Path) -> set[str]:
    """What the verdicts of a check begin with."""
    [title] = calc.open(path=calc.take(workbook))
    found = [row[0] for row in calc.cells(title, f"F5:F{BELOW_ALL}")]
    calc.recalculate()
    assert found == [row[0] for row in calc.cells(title, f"F5:F{BELOW_ALL}")]
    assert found[-1] is None
    return {str(verdict)[0] for verdict in found if verdict is not None}


def test_every_function_works_in_the_check_for_libreoffice(calc: Calc, built: Path) -> None:
    assert verdicts(calc, built / "function_check_libreoffice.xlsx") == {"✓"}
    [summary] = [
        row for row in calc.cells("FunctionCheck", f"B5:F{BELOW_ALL}") if row[0] == "Verdict"
    ]
    assert summary[2] == summary[3] == len(checkable()) > 50


def test_bare_names_in_a_file_need_a_newer_libreoffice(calc: Calc, built: Path) -> None:
    found = verdicts(calc, built / "function_check_addin.xlsx")
    assert found == ({"✓"} if version()[0] >= BARE_NAMES_IN_FILES else {"✗"})


def test_no_check_says_that_functions_work_where_they_do_not(built: Path) -> None:
    with calc_with({}) as bare:
        for name in ("function_check", "function_check_addin", "function_check_libreoffice"):
            assert verdicts(bare, built / f"{name}.xlsx") == {"✗"}


Held = float | str | None
"""What a cell holds before anything is calculated."""


def padded(cells: Sequence[Held]) -> list[Held]:
    """A row of as many cells as the longest call has."""
    assert len(cells) <= WIDTH
    return [*cells, *[None] * (WIDTH - len(cells))]


def flat(given: Sequence[Held | tuple[Held, ...]]) -> list[Held]:
    """Arguments in cells side by side, a range in several of them."""
    found: list[Held] = []
    for argument in given:
        found += argument if isinstance(argument, tuple) else [argument]
    return found


def references(given: Sequence[object], column: int, row: int) -> list[str]:
    """The cells of arguments that stand side by side from a column on."""
    found = []
    for argument in given:
        width = len(argument) if isinstance(argument, tuple) else 1
        last = f":{get_column_letter(column + width - 1)}{row}" if width > 1 else ""
        found.append(f"{get_column_letter(column)}{row}{last}")
        column += width
    return found


@dataclass(frozen=True, slots=True)
class Call:
    """A call in a row of a sheet: its formula in column A, its arguments beside it."""

    name: str
    arguments: list[Argument]

    @property
    def row(self) -> list[float | str | None]:
        """The arguments in cells side by side, a range in several of them."""
        return padded(flat(self.arguments))

    def formula(self, row: int) -> str:
        """The call as it is typed."""
        return f"={self.name}({','.join(references(self.arguments, 2, row))})"

    @property
    def expected(self) -> Cell:
        """What the core answers; of a table, what its first cell shows."""
        return rows(answer(REGISTRY[self.name], self.arguments))[0][0]


def calls(seed: str) -> list[Call]:
    """Every function with random arguments."""
    rng = random.Random(seed)
    return [
        Call(record.name, arguments(rng, record))
        for record in REGISTRY.values()
        for _ in range(SETS)
    ]


def enter(calc: Calc, entered: list[Call]) -> None:
    """Put the arguments of the calls into their cells."""
    last = get_column_letter(1 + WIDTH)
    calc.put(sheet=TYPED, area=f"B1:{last}{len(entered)}", rows=[call.row for call in entered])


def assert_calls(calc: Calc, entered: list[Call]) -> None:
    """The sheet shows what the core answers to the calls."""
    found = [row[0] for row in calc.cells(TYPED, f"A1:A{len(entered)}")]
    assert_same(found, [call.expected for call in entered], entered)


def test_all_functions_in_the_budget_typed_changed_saved_and_reopened(
    calc: Calc, built: Path
) -> None:
    calc.open(path=calc.take(built / "training_run_budget.xlsx"))
    calc.add_sheet(title=TYPED)
    first, second = calls("first"), calls("second")
    formulas = {f"A{row}": call.formula(row) for row, call in enumerate(first, 1)}
    calc.type(sheet=TYPED, cells=formulas)
    enter(calc, first)
    assert_calls(calc, first)
    enter(calc, second)
    assert_calls(calc, second)
    for form in ("ods", "xlsx"):
        saved = str(calc.folder / f"saved.{form}")
        calc.save(path=saved)
        calc.open(path=saved)
        assert_calls(calc, second)
        calc.recalculate()
        assert_calls(calc, second)
        enter(calc, first)
        assert_calls(calc, first)
        enter(calc, second)


def test_a_total_over_the_cells_of_the_budget(calc: Calc, built: Path) -> None:
    path = built / "training_run_budget.xlsx"
    book = openpyxl.load_workbook(path)
    place = {
        str(cell.value): cell.row
        for title in ("Inputs", "Calc")
        for cell in book[title]["B"]
        if cell.value
    }
    names = [parameter.name for parameter in REGISTRY["TRAIN_COST"].parameters]
    calc.open(path=calc.take(path))
    calc.add_sheet(title=TYPED)
    typed = {}
    for column in "EFGHI":
        references = [f"Calc.{column}{place[f'calc.{name}']}" for name in names]
        typed[f"{column}1"] = f"=TRAIN_COST({','.join(references)})"
    calc.type(sheet=TYPED, cells=typed)
    total = f"E{place['calc.train_cost']}:I{place['calc.train_cost']}"
    [before] = calc.cells(TYPED, "E1:I1")
    assert_same(before, calc.cells("Calc", total)[0], list(typed.values()))
    price = place["in.gpu_hour_price"]
    calc.put(sheet="Inputs", area=f"E{price}:I{price}", rows=[[3.1] * 5])
    [after] = calc.cells(TYPED, "E1:I1")
    assert_same(after, calc.cells("Calc", total)[0], list(typed.values()))
    assert all(float(str(one)) != float(str(two)) for one, two in zip(before, after, strict=True))


# --- Ranges --------------------------------------------------------------------------------------


def test_an_array_formula_over_a_column(calc: Calc, sheet: str) -> None:
    calc.put(sheet=sheet, area="A1:A5", rows=[[4.0], ["x"], [None], [0.0], [16.0]])
    calc.type_array(sheet=sheet, area="B1:B5", text='=SCALING_EFF(A1:A5;"NDR";0.5)')
    value, number = CellError("#VALUE!"), CellError("#NUM!")
    assert calc.cells(sheet, "B1:B5") == [[0.955], [value], [value], [number], [0.775]]
    totals = [
        "=SUM(B1:B5)",
        '=SUM(SCALING_EFF(A1:A3,"NDR",0.5))',
        '=SUM(SCALING_EFF(A4:A5,"NDR",0.5))',
        '=SUMPRODUCT(SCALING_EFF({1;4},"NDR",0.5))',
        '=SUM(SCALING_EFF({1,4},"NDR",0.5))',
        '=INDEX(SCALING_EFF({1;4},"NDR",0.5),2)',
        '=SUMPRODUCT(SCALING_EFF(A1:A1*2,"NDR",0.5))',
    ]
    assert calc.column(sheet, "D", totals) == [value, value, number, 1.955, 1.955, 0.955, 0.895]


def test_a_row_against_a_column(calc: Calc, sheet: str) -> None:
    nodes, losses = [1.0, 4.0, 16.0], [0.015, 0.07]
    calc.put(sheet=sheet, area="A2:A4", rows=[[value] for value in nodes])
    calc.put(sheet=sheet, area="B1:C1", rows=[losses])
    calc.type_array(sheet=sheet, area="B2:C4", text="=SCALING_EFF_LINEAR(A2:A4;B1:C1;0.5)")
    expected = answer(REGISTRY["SCALING_EFF_LINEAR"], [[[n] for n in nodes], [losses], 0.5])
    assert calc.cells(sheet, "B2:C4") == expected == [[1.0, 1.0], [0.955, 0.79], [0.775, 0.5]]


def test_ranges_that_do_not_fit(calc: Calc, sheet: str) -> None:
    calc.put(sheet=sheet, area="A1:B3", rows=[[1.0, 1.0]] * 3)
    formulas = [
        "=SCALING_EFF_LINEAR(A1:A3,B1:B2,0.5)",
        "=EGRESS_COST(1,A1:A3,B1:B2)",
        "=EGRESS_COST(1,A1:A3,B1:B3)",
    ]
    expected = [CellError("#VALUE!"), CellError("#VALUE!"), CellError("#NUM!")]
    assert calc.column(sheet, "D", formulas) == expected


def test_a_table(calc: Calc, sheet: str) -> None:
    call = (64.0, 120.0, 2.5, 0.8, 0.15, 200.0, 150.0)
    formula = f"=TRAIN_COST_LINES({';'.join(map(str, call))})"
    calc.type_array(sheet=sheet, area="A1:B9", text=formula)
    assert calc.cells(sheet, "A1:B9") == answer(REGISTRY["TRAIN_COST_LINES"], call)
    calc.type_array(sheet=sheet, area="D1:E9", text=formula.replace("0.8", "80"))
    assert {cell for row in calc.cells(sheet, "D1:E9") for cell in row} == {CellError("#NUM!")}


def test_tiers_with_blanks(calc: Calc, sheet: str) -> None:
    tiers = [(1024.0, 0.12), (None, None), (10240.0, 0.11), (1e9, 0.08), (None, 0.05)]
    calc.put(sheet=sheet, area="A1:B5", rows=tiers)
    calc.type(sheet=sheet, cells={"D1": "=EGRESS_COST(12500,A1:A5,B1:B5)"})
    limits, prices = zip(*tiers, strict=True)
    expected = answer(REGISTRY["EGRESS_COST"], [12500.0, limits, prices])
    assert is_same(calc.cell(sheet, "D1"), expected)
    calc.type(sheet=sheet, cells={"D2": "=EGRESS_COST(12500,F1:F5,G1:G5)"})
    assert calc.cell(sheet, "D2") == CellError("#VALUE!")


def test_an_error_inside_a_range_is_an_error_of_the_whole_call(calc: Calc, sheet: str) -> None:
    """Calc itself refuses such a range: the function is not even called."""
    calc.put(sheet=sheet, area="A1:A3", rows=[[4.0], [None], [16.0]])
    calc.type(sheet=sheet, cells={"A2": "=1/0"})
    calc.type_array(sheet=sheet, area="B1:B3", text='=SCALING_EFF(A1:A3;"NDR";0.5)')
    assert calc.cells(sheet, "B1:B3") == [[CellError("Err:504")]] * 3
    formulas = ["=SUM(B1:B3)", "=EGRESS_COST(1,A1:A3,A1:A3)"]
    assert calc.column(sheet, "D", formulas) == [CellError("Err:504")] * 2


def test_large_ranges_end(calc: Calc, sheet: str) -> None:
    calc.put(sheet=sheet, area="A1:A20000", rows=[[row] for row in range(1, 20001)])
    formulas = ['=SUM(SCALING_EFF(A1:A20000,"NDR",0.5))', "=EGRESS_COST(1,B:B,C:C)"]
    every = rows(answer(REGISTRY["SCALING_EFF"], [[[n] for n in range(1, 20001)], "NDR", 0.5]))
    total = sum(float(str(cell)) for row in every for cell in row)
    found, blank = calc.column(sheet, "E", formulas)
    assert found == pytest.approx(total, rel=TOLERANCE)
    assert blank == CellError("#VALUE!")


# --- The catalog and the risk --------------------------------------------------------------------


def test_the_catalog_lies_in_the_installed_extension(calc: Calc, sheet: str) -> None:
    formulas = [
        '=GPU_PRICE("H100","AWS","on-demand",DATE(2026,9,30))',
        '=gpu_price("h100";" aws ";"on demand";"2026-09-30")',
        '=8*730*GPU_PRICE("H100","Nebius","on-demand",DATE(2026,9,30))',
        '=GPU_PURCHASE_PRICE("H100",DATE(2026,9,1))',
        '=GPU_SPEC("H100","bf16_flops_per_second")/1E12',
        '=GPU_PRICE("H1000","AWS","on-demand",DATE(2026,9,30))',
        '=GPU_PRICE("H100","AWS","on-demand",DATE(2020,1,1))',
    ]
    value, number = CellError("#VALUE!"), CellError("#NUM!")
    # 2.95 USD at Nebius, the published dense peak of an H100 SXM, 375,000 USD for eight.
    expected = [6.88, 6.88, 8 * 730 * 2.95, 46875.0, 989.0, value, number]
    assert_same(calc.column(sheet, "A", formulas), expected, formulas)


def test_a_note_is_a_text(calc: Calc, sheet: str) -> None:
    formula = 'GPU_PRICE_NOTE("H100","AWS","on-demand",DATE(2026,9,30))'
    day = datetime.date(2026, 9, 30)
    note = scalesheet.gpu_price_note("H100", "AWS", "on-demand", day)
    assert "(24 days old)" in note
    found = calc.column(sheet, "A", [f"={formula}", f"=LEN({formula})", f"=ISTEXT({formula})"])
    assert found == [note, float(len(note)), 1.0]


def test_a_choice_of_gpus_is_an_array_formula(calc: Calc, sheet: str) -> None:
    call = (70.0, 8192.0, 16.0, 50.0, 10.0, 20.0)
    table = answer(REGISTRY["GPU_FIT"], call)
    assert isinstance(table, list)
    formula = f"=GPU_FIT({';'.join(map(str, call))})"
    calc.type_array(sheet=sheet, area=f"A1:B{len(table)}", text=formula)
    assert calc.cells(sheet, f"A1:B{len(table)}") == table
    calc.type(sheet=sheet, cells={"D1": f"=INDEX({formula[1:]};1;2)"})
    assert calc.cell(sheet, "D1") == table[0][1]


def test_the_users_own_prices_count() -> None:
    """Those that ``scalesheet prices import`` writes, found where LibreOffice's user has them."""
    text = (
        "gpu,provider,term,price,unit,as_of,source\nh100,aws,on-demand,2.1,USD/GPU-h,2026-09-10,me"
    )
    with calc_with({"scalesheet.oxt": build_extension("0")}, prices=text) as own:
        [sheet, *_] = own.open()
        formulas = [
            '=GPU_PRICE("H100","AWS","on-demand",DATE(2026,9,30))',
            '=GPU_PRICE("H200","Nebius","on-demand",DATE(2026,9,1))',
            '=ISNUMBER(FIND("your price file",GPU_PRICE_NOTE("H100","AWS","on-demand",46295)))',
        ]
        assert own.column(sheet, "A", formulas) == [2.1, 4.5, 1.0]


def test_the_risk_is_the_same_number_on_every_surface(calc: Calc, sheet: str) -> None:
    """To the last bit: in Python, for Excel through xlwings, in LibreOffice, in the command."""
    record, rng = REGISTRY["TRAIN_COST_RISK"], random.Random(11)
    entered = [Call(record.name, arguments(rng, record)) for _ in range(20)]
    in_python = [scalesheet.train_cost_risk(*call.arguments) for call in entered]
    assert len(set(in_python)) == len(entered)
    calc.put(
        sheet=sheet,
        area=f"B1:{get_column_letter(1 + WIDTH)}{len(entered)}",
        rows=[call.row for call in entered],
    )
    formulas = [call.formula(row) for row, call in enumerate(entered, 1)]
    assert calc.column(sheet, "A", formulas) == in_python
    assert [
        evaluate(f"{call.name}({','.join(map(_typed, call.arguments))})").value for call in entered
    ] == in_python
    with windows() as excel:
        bridge = "scalesheet.surfaces.excel.bridge"
        for call, expected in zip(entered, in_python, strict=True):
            given = [(item,) if isinstance(item, tuple) else item for item in call.arguments]
            sent = (call.name, "-" * len(given), *given)
            assert excel.server.CallUDF(bridge, "answer", sent) == expected


# --- Wrong arguments -----------------------------------------------------------------------------

ERRORS = {
    "=1/0": "#DIV/0!",
    "=NA()": "#N/A",
    "=NOSUCH(1)": "#NAME?",
    "=#REF!": "#REF!",
    '="x"+1': "#VALUE!",
    "=1E308*10": "#NUM!",
    "=SQRT(-1)": "Err:502",
}
"""Cells in error, as typed and as Calc shows them."""

WRONG: dict[str, tuple[str | float | None, object]] = {
    "blank": (None, 0.0),
    "text": ("text", "text"),
    "a percentage as text": ("80%", "80%"),
    "a number as text": ("4", "4"),
    "a long text": ('=REPT("x",30000)', "x" * 30_000),
    "an empty text": ('=""', ""),
    "TRUE": ("=TRUE()", 1.0),
    "FALSE": ("=FALSE()", 0.0),
    "a date": ("=DATE(2026,3,4)", 46085.0),
    "below zero": (-1.0, -1.0),
    "zero": (0.0, 0.0),
    "a fraction": (0.5, 0.5),
    "a percentage without its sign": (80.0, 80.0),
    "huge": (1e308, 1e308),
    "huge below zero": (-1e308, -1e308),
    "tiny": (1e-300, 1e-300),
}
"""What a cell holds, and what LibreOffice hands over for it."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A call with one argument, or the middle of three numbers, replaced."""

    name: str
    place: int
    kind: str
    arguments: list[Held | tuple[Held, ...]]
    expected: Cell


def wrong_calls() -> list[Wrong]:
    """Every function with each argument replaced by each kind of wrong cell."""
    found = []
    for record in REGISTRY.values():
        good = good_cells(record)
        for place, (kind, (held, delivered)) in itertools.product(range(len(good)), WRONG.items()):
            in_range = isinstance(good[place], tuple)
            # In a range a blank is what it is.
            given = _replaced(good, place, None if in_range and held is None else delivered)
            expected = rows(answer(record, given))[0][0]
            found.append(Wrong(record.name, place, kind, _replaced(good, place, held), expected))
        for place, (typed, shown) in itertools.product(range(len(good)), ERRORS.items()):
            in_range = isinstance(good[place], tuple)
            expected = CellError("Err:504" if in_range else shown)
            found.append(Wrong(record.name, place, shown, _replaced(good, place, typed), expected))
    return found


def good_cells(record: Function) -> list[Held | tuple[Held, ...]]:
    """Arguments that a function takes, ranges of any length in one cell.

    Of their numbers it is the last one, which is the highest limit.
    """
    given = arguments(random.Random(record.name), record)
    return [
        argument[-1]
        if isinstance(parameter.domain, Vector) and not parameter.domain.count
        else argument
        for parameter, argument in zip(record.parameters, given, strict=True)
    ]


def _replaced(good: list[Any], place: int, value: Any) -> list[Any]:
    """Arguments with one in another's place, of a range its middle."""
    new = value
    if isinstance(good[place], tuple):
        middle = len(good[place]) // 2
        new = (*good[place][:middle], value, *good[place][middle + 1 :])
    return [*good[:place], new, *good[place + 1 :]]


def test_wrong_arguments_give_true_errors(calc: Calc, sheet: str) -> None:
    table = wrong_calls()
    inputs, formulas, typed = [], [], {}
    for row, wrong in enumerate(table, 1):
        call = ";".join(references(wrong.arguments, 3, row))
        formulas.append([f"={wrong.name}({call})", f"=SUM(A{row};100)"])
        inputs.append(padded(flat(wrong.arguments)))
        for place, held in enumerate(inputs[-1]):
            if isinstance(held, str) and held.startswith("="):
                typed[f"{get_column_letter(3 + place)}{row}"] = held
                inputs[-1][place] = None
    calc.put(sheet=sheet, area=f"C1:{get_column_letter(2 + WIDTH)}{len(table)}", rows=inputs)
    calc.type(sheet=sheet, cells=typed)
    calc.fill(sheet=sheet, area=f"A1:B{len(table)}", rows=formulas)
    found = calc.cells(sheet, f"A1:B{len(table)}")
    what = [f"{wrong.name}, argument {wrong.place + 1}: {wrong.kind}" for wrong in table]
    assert_same([row[0] for row in found], [wrong.expected for wrong in table], what)
    totals = [row[1] for row, wrong in zip(found, table, strict=True) if _is_error(wrong.expected)]
    assert len(totals) > len(table) / 2
    assert all(map(_is_error, totals))


def _is_error(cell: Cell) -> bool:
    return isinstance(cell, CellError)


def test_too_few_and_too_many_arguments(calc: Calc, sheet: str) -> None:
    missing, surplus = [], []
    for record in REGISTRY.values():
        texts = [_typed(item) for item in good_cells(record)]
        left_out = [[*texts[:place], "", *texts[place + 1 :]] for place in range(len(texts))]
        missing += [f"={record.name}({','.join(given)})" for given in [*left_out, texts[:-1]]]
        surplus.append(f"={record.name}({','.join([*texts, '1'])})")
    assert set(calc.column(sheet, "A", missing)) == {CellError("#VALUE!")}
    assert set(calc.column(sheet, "B", surplus)) == {CellError("Err:504")}


def _typed(argument: object) -> str:
    """An argument as it is typed."""
    if isinstance(argument, tuple):
        return "{" + ",".join(map(_typed, argument)) + "}"
    return f'"{argument}"' if isinstance(argument, str) else repr(argument)


def test_the_reference_lists_every_argument_in_which_something_is_hidden() -> None:
    _, listed = markdown().split("### What some programs hide")
    zero, rest = listed.split("And TRUE")
    one, date = rest.split("LibreOffice delivers a date")
    lists = {"blank": zero, "TRUE": one, "a date": date}
    for wrong in wrong_calls():
        parameter = REGISTRY[wrong.name].parameters[wrong.place]
        item = parameter.domain.item if isinstance(parameter.domain, Vector) else parameter.domain
        if wrong.kind in lists and isinstance(item, Quantity) and not _is_error(wrong.expected):
            names = lists[wrong.kind].strip().split("\n\n")[-1].rstrip(".").split(", ")
            assert parameter.name in names, f"{parameter.name}: {wrong.kind}"
