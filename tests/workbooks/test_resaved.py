"""Every template saved again by another program: it opens, calculates the same, and what is lost
is what the README says."""

import math
import re
import textwrap
from pathlib import Path

import formulon
import openpyxl
import pytest

from engines import Cell, Cells, cached_values, formualizer_values, formulon_values
from scalesheet.errors import CellError
from scalesheet_workbooks.build import TEMPLATES, build
from workbooks.budgets import Book
from workbooks.resaved import FEATURES, LOST, PROGRAMS, Saved, lost, table

README = Path(__file__).parents[2] / "workbook_templates" / "README.md"
CALCULATED = [name for name in TEMPLATES if not name.startswith("function_check")]
"""Those without calls of LAMBDA names or of an add-in, which not every program answers."""
CASES = [(program, name) for program in PROGRAMS for name in TEMPLATES]

Files = dict[tuple[str, str], Path]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("built")
    files = {name: folder / f"{name}.xlsx" for name in TEMPLATES}
    for name, path in files.items():
        path.write_bytes(build(name))
    return files


@pytest.fixture(scope="module")
def resaved(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Every template as each program saves it."""
    folders = {program: tmp_path_factory.mktemp(program) for program in PROGRAMS}
    return {
        (program, name): PROGRAMS[program](built[name], folders[program]) for program, name in CASES
    }


def same(one: Cell, other: Cell) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)
    return type(one) is type(other) and one == other


@pytest.mark.parametrize("name", CALCULATED)
@pytest.mark.parametrize("program", PROGRAMS)
def test_figures_are_the_same(
    built: dict[str, Path], resaved: Files, program: str, name: str
) -> None:
    """Recalculated from the saved file, against what the built one stores; all checks pass."""
    book, before = Book(built[name].read_bytes()), cached_values(built[name])
    after = formualizer_values(resaved[program, name])
    differing = [at for at in book.formulas if not same(before.get(at), after.get(at))]
    assert len(book.formulas) > 500
    assert differing == []
    assert [at for at, value in after.items() if isinstance(value, CellError)] == []
    assert after[book.at("chk.master")] == 0


@pytest.mark.parametrize("name", CALCULATED)
def test_stored_by_libreoffice_is_what_the_template_stores(
    built: dict[str, Path], resaved: Files, name: str
) -> None:
    """LibreOffice calculates all of it itself before it saves."""
    book, before = Book(built[name].read_bytes()), cached_values(built[name])
    after: Cells = cached_values(resaved["LibreOffice", name])
    assert [at for at in book.formulas if not same(before.get(at), after.get(at))] == []


@pytest.mark.parametrize(("program", "name"), CASES)
def test_the_file_opens_undamaged(resaved: Files, program: str, name: str) -> None:
    """Nothing in it is dropped by a reader that counts what it drops."""
    with formulon.Workbook.load(resaved[program, name].read_bytes()) as workbook:
        dropped = vars(workbook.read_diagnostics())
        assert dropped
        assert set(dropped.values()) == {0}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_lost_is_what_is_listed(
    built: dict[str, Path], resaved: Files, program: str
) -> None:
    """LibreOffice by its version 7.4; newer ones keep some of it."""
    found = {
        feature
        for name in TEMPLATES
        for feature in lost(Saved(built[name]), Saved(resaved[program, name]))
    }
    listed = set(LOST[program])
    assert found <= listed
    assert program == "LibreOffice" or found == listed


def test_no_feature_is_kept_for_want_of_it(built: dict[str, Path], tmp_path: Path) -> None:
    """Bare sheets of the same names differ from a template in everything but those names."""
    differing: set[str] = set()
    for path in built.values():
        template, bare = Saved(path), openpyxl.Workbook()
        bare.remove(bare.active)
        for title in template.book.sheetnames:
            bare.create_sheet(title)["A1"] = "=1"
        bare.calculation.fullCalcOnLoad = False
        bare.save(tmp_path / "bare.xlsx")
        differing |= lost(template, Saved(tmp_path / "bare.xlsx"))
    assert set(FEATURES) - differing == {"sheets and their order"}


def test_the_readme_has_the_table() -> None:
    text = re.sub(r"\s+", " ", README.read_text(encoding="utf-8"))
    for line in table():
        assert re.sub(r"\s+", " ", line) in text, textwrap.fill(line, 100)


def test_formulon_calculates_what_openpyxl_saved(built: dict[str, Path], resaved: Files) -> None:
    """A second engine on the file without stored values."""
    name = CALCULATED[1]
    book, before = Book(built[name].read_bytes()), cached_values(built[name])
    after = formulon_values(resaved["openpyxl", name])
    assert [at for at in book.formulas if not same(before.get(at), after.get(at))] == []
