"""Our VBA at work: LibreOffice loads the add-in and runs it, and the real xlwings answers.

A call goes from VBA through a stand-in for the connection to xlwings' own ``CallUDF`` in this
process, and the result back into VBA, where ``IsError`` is asked of it.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arguments import Argument, arguments
from calc import DRIVER, Calc, new_profile, own, user_folder
from scalesheet.domains import Table, Vector
from scalesheet.errors import CellError
from scalesheet.registry import REGISTRY
from scalesheet.surfaces import calls
from scalesheet.surfaces.deliveries import COM_ERRORS, ERROR_NUMBERS
from scalesheet.surfaces.excel.xlam import PROJECT, build
from surfaces.winstub import windows

NUMBERS = {name: number for number, name in ERROR_NUMBERS.items()}
TYPED = 'SCALING_EFF({},"NDR",0.5)'
BAD: dict[str, Any] = {
    "text": "x",
    "blank": "",
    "TRUE": True,
    "far too small": -1e300,
    "#N/A": CellError("#N/A"),
    "#SPILL!": CellError("#SPILL!"),
}


class AddIn(Calc):
    """LibreOffice with the add-in, and Python behind it."""

    drivers = (DRIVER.with_name("vba_driver.py"), DRIVER)

    def __init__(self, folder: Path, profile: Path, library: SimpleNamespace) -> None:
        self.xlwings, self.asked, self.deaths = library, 0, 0
        super().__init__(folder, profile)

    def _answer(self) -> Any:
        while isinstance(answer := super()._answer(), dict) and "asked" in answer:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(self._reply(*answer["asked"])) + "\n")
            self.process.stdin.flush()
        return answer

    def _reply(self, script: str, called: str, sent: list[Any]) -> Any:
        self.asked += 1
        if self.deaths:
            self.deaths -= 1
            return {"dead": True}
        return _signed(self.xlwings.server.CallUDF(script, called, _over_com(sent)))


def _over_com(value: Any) -> Any:
    """Arrays and errors as pywin32 hands them over."""
    if isinstance(value, list):
        return tuple(map(_over_com, value))
    return int(value[1:]) + COM_ERRORS if isinstance(value, str) and value[:1] == "@" else value


def _signed(value: Any) -> Any:
    """Whole numbers, which are errors, so that they get through."""
    if isinstance(value, list):
        return [_signed(item) for item in value]
    return f"@{value}" if type(value) is int else value


# --- Calls in VBA --------------------------------------------------------------------------------


def literal(value: Any) -> str:
    """A value as VBA writes it."""
    if isinstance(value, (list, tuple)):
        return f"Array({', '.join(map(literal, value))})"
    if isinstance(value, CellError):
        return f"CVErr({NUMBERS[value.code]})"
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return str(value) if isinstance(value, bool) else repr(value)


def seen(value: Any) -> Any:
    """A result as the macros report it."""
    if isinstance(value, list):
        rows = [[seen(cell) for cell in row] for row in value]
        return rows[0] if len(rows) == 1 else rows  # xlwings makes one row of an array
    return f"IsError {NUMBERS[value.code]}" if isinstance(value, CellError) else value


def cases() -> Iterator[tuple[str, str, list[Any]]]:
    """Calls: what is special, the function, the arguments."""
    rng = random.Random(3)
    for record in REGISTRY.values():
        good: list[Any] = list(arguments(rng, record))
        yield "good", record.name, good
        for place, parameter in enumerate(record.parameters):
            for what, bad in BAD.items():
                worse = [bad] if isinstance(parameter.domain, Vector) else bad
                yield f"{parameter.name} {what}", record.name, _with(good, place, worse)
        if not isinstance(record.result, Table):
            place = next(
                place
                for place, parameter in enumerate(record.parameters)
                if not isinstance(parameter.domain, Vector)
            )
            row = [good[place], *BAD.values()]
            yield "a row", record.name, _with(good, place, row)


def _with(good: list[Argument], place: int, value: Any) -> list[Any]:
    return [*good[:place], value, *good[place + 1 :]]


CASES = list(cases())


def macro(number: int, name: str, given: list[Any]) -> str:
    call = f"{name}({', '.join(map(literal, given))})"
    return f"Public Function Case_{number}()\n    Case_{number} = Seen({call})\nEnd Function\n"


@pytest.fixture(scope="module")
def addin() -> Iterator[AddIn]:
    """The add-in that users install, loaded."""
    macros = [macro(number, name, given) for number, (_, name, given) in enumerate(CASES)]
    macros += [macro(9999, "GPU_HOURS", [64.0, 120.0])]
    with windows() as library, user_folder() as folder:
        path = folder / "scalesheet.xlam"
        path.write_bytes(build("0", {"training_run_budget": "Budget"}))
        own(path)
        calc = AddIn(folder, new_profile(folder), library)
        try:
            calc.modules = calc.load(path=str(path), library=PROJECT, cases="\n".join(macros))
            yield calc
        finally:
            calc.end()


def test_every_module_is_there(addin: AddIn) -> None:
    assert {"ScalesheetFunctions", "ScalesheetAbout", "ScalesheetRibbon"} <= set(addin.modules)
    assert "Public Function TRAIN_COST(" in addin.modules["ScalesheetFunctions"]


@pytest.mark.parametrize("name", REGISTRY)
def test_values_and_true_errors(addin: AddIn, name: str) -> None:
    found, expected = {}, {}
    for number, (what, called, given) in enumerate(CASES):
        if called == name:
            found[what] = addin.macro(name=f"Cases.Case_{number}")
            expected[what] = seen(calls.answer(REGISTRY[name], given))
    assert found == expected
    failing = [what for what in expected if what not in ("good", "a row")]
    assert all(str(found[what]).startswith("IsError ") for what in failing)


def test_a_missing_argument_is_a_true_error(addin: AddIn) -> None:
    assert addin.macro(name="Cases.Case_9999") == "IsError 2015"


# --- Calls in cells; LibreOffice shows an error made by CVErr as a text ---------------------------


@pytest.fixture
def sheet(addin: AddIn) -> str:
    """The add-in's own sheet: LibreOffice knows its functions in no other file."""
    rows = [[4.0, 0.5, 0.9], [0.0, None, None], [None, None, None], ["x", None, None]]
    addin.put(sheet="scalesheet", area="A1:C4", rows=rows)
    return "scalesheet"


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ('SCALING_EFF(A1;"NDR";B1)', 0.955),
        ('SCALING_EFF(A2;"NDR";B1)', "Error 2036"),
        ('SCALING_EFF(A3;"NDR";B1)', "Error 2015"),
        ('SCALING_EFF(A4;"NDR";B1)', "Error 2015"),
        ('SCALING_EFF(4;"ndr";B1)', 0.955),
    ],
)
def test_in_a_cell(addin: AddIn, sheet: str, formula: str, shown: Any) -> None:
    addin.type(sheet=sheet, cells={"E1": "=" + formula})
    assert addin.cell(sheet, "E1") == shown


def test_the_latest_messages(addin: AddIn, sheet: str) -> None:
    addin.type(sheet=sheet, cells={"E1": '=SCALING_EFF(4;"NDR";50)'})
    assert addin.cell(sheet, "E1") == "Error 2036"
    addin.type_array(sheet=sheet, area="E14:E16", text="=LAST_ERRORS()")
    shown = [str(row[0]) for row in addin.cells(sheet, "E14:E16")]
    assert any(message.startswith("SCALING_EFF: efficiency_floor must be") for message in shown)


def test_a_column_against_a_row(addin: AddIn, sheet: str) -> None:
    addin.type_array(sheet=sheet, area="E3:F6", text='=SCALING_EFF(A1:A4;"NDR";B1:C1)')
    errors = [["Error 2036"] * 2, ["Error 2015"] * 2, ["Error 2015"] * 2]
    assert addin.cells(sheet, "E3:F6") == [[0.955, 0.955], *errors]


def test_a_whole_column_is_cut_to_what_it_holds(addin: AddIn, sheet: str) -> None:
    addin.put(
        sheet=sheet, area="J30", rows=[[1.0]]
    )  # the sheet is used further down than the column
    addin.type_array(sheet=sheet, area="E8:E12", text='=SCALING_EFF(A:A;"NDR";0.5)')
    found = [row[0] for row in addin.cells(sheet, "E8:E12")]
    assert found[:4] == [0.955, "Error 2036", "Error 2015", "Error 2015"]
    assert found[4] not in (0.955, "Error 2015")  # past the end of the answer


# --- When Python is gone -------------------------------------------------------------------------


def test_a_dead_process_is_started_again(addin: AddIn) -> None:
    good = next(number for number, case in enumerate(CASES) if case[0] == "good")
    expected = addin.macro(name=f"Cases.Case_{good}")
    started = addin.macro(name="ScalesheetPython.Started_Count")
    addin.deaths = 1
    assert addin.macro(name=f"Cases.Case_{good}") == expected
    assert addin.macro(name="ScalesheetPython.Started_Count") == started + 1


def test_one_connection_serves_all_calls(addin: AddIn) -> None:
    started = addin.macro(name="ScalesheetPython.Started_Count")
    for number in range(3):
        addin.macro(name=f"Cases.Case_{number}")
    assert addin.macro(name="ScalesheetPython.Started_Count") == started


def test_without_python_each_cell_is_in_error_at_once(addin: AddIn) -> None:
    addin.deaths = 2
    assert addin.macro(name="Cases.Case_0") == "IsError 2015"
    asked = addin.asked
    assert addin.macro(name="Cases.Case_0") == "IsError 2015"
    assert addin.asked == asked  # nobody waits for the same process twice
