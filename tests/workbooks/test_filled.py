"""Budgets filled with random plausible sets of scenarios, as by a user in a spreadsheet.

``pytest tests/workbooks/test_filled.py --sets 500`` is the full run. One workbook is open in an
engine and its yellow cells are overwritten again and again; nothing is built anew.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import ironcalc
import pytest
from openpyxl.utils.cell import coordinate_to_tuple

from engines import Cell, Cells, ironcalc_cells
from scalesheet.errors import CellError
from scalesheet_workbooks.build import build
from scalesheet_workbooks.inputs import INPUTS
from scalesheet_workbooks.layout import MAX_SCENARIOS
from scalesheet_workbooks.proposal_inputs import ACQUISITIONS, PROPOSAL_INPUTS
from scalesheet_workbooks.study import Study
from workbooks import test_budget, test_proposal
from workbooks.budgets import BUDGET, EIGHT, Book, plausible_study
from workbooks.proposals import PROPOSAL, of_scenarios, plausible

FIRST_SEED = 1000
"""Other sets than those of the tests that build or rewrite files."""


class Open:
    """A workbook that is open in the engine."""

    def __init__(self, book: Book, path: Path) -> None:
        self.model = ironcalc.load_from_xlsx(str(book.save(path)))
        self.sheets = {
            sheet["name"]: place
            for place, sheet in enumerate(self.model.get_worksheets_properties())
        }

    def filled(self, changes: Mapping[tuple[str, str], Cell]) -> Cells:
        """All cells after some were overwritten; None empties one."""
        for (title, address), value in changes.items():
            sheet = self.sheets[title]
            row, column = coordinate_to_tuple(address)
            if value is None:
                self.model.clear_cell_contents(sheet, row, column)
            elif isinstance(value, str):
                self.model.update_cell_with_text(sheet, row, column, value)
            else:
                assert isinstance(value, float | int)
                self.model.update_cell_with_number(sheet, row, column, float(value))
        self.model.evaluate()
        return ironcalc_cells(self.model)


def budget_inputs(book: Book, study: Study) -> dict[tuple[str, str], Cell]:
    """What stands in the yellow cells of a budget."""
    return {
        book.at(entry.id, place): scenario.values.get(entry.id)
        for place, scenario in enumerate(study.scenarios)
        for entry in INPUTS
    }


def proposal_inputs(book: Book, study: Study) -> dict[tuple[str, str], Cell]:
    """What stands in the yellow cells of a proposal, but for those of the whole workbook."""
    cells: dict[tuple[str, str], Cell] = {
        book.at(entry.id, place): scenario.values.get(entry.id, entry.default)
        for place, scenario in enumerate(study.scenarios)
        for entry in PROPOSAL_INPUTS
        if not entry.once
    }
    return cells | {book.at("in.live_scenario"): study.proposal.once["in.live_scenario"]}


def errors(cells: Cells) -> list[tuple[str, str]]:
    return [at for at, value in cells.items() if isinstance(value, CellError)]


def sets_filled(
    book: Book,
    path: Path,
    sets: int,
    study_of: Callable[[int, int], Study],
    inputs: Callable[[Book, Study], dict[tuple[str, str], Cell]],
) -> Iterator[tuple[int, Study, Cells]]:
    """Seed, study and all cells for one set of scenarios after another; no cell is in error."""
    opened = Open(book, path)
    for seed in range(FIRST_SEED, FIRST_SEED + sets):
        study = study_of(seed, MAX_SCENARIOS)
        cells = opened.filled(inputs(book, study))
        assert errors(cells) == [], seed
        yield seed, study, cells


def test_budget_of_any_scenarios(sets: int, tmp_path: Path) -> None:
    book, path = Book(build(BUDGET, EIGHT)), tmp_path / "budget.xlsx"
    ways: Counter[object] = Counter()
    for seed, study, cells in sets_filled(book, path, sets, plausible_study, budget_inputs):
        assert test_budget.failing(book, cells) == set(), seed
        test_budget.assert_core_agrees(book, cells)
        ways.update(scenario.values["in.efficiency_method"] for scenario in study.scenarios)
    assert len(ways) == 3
    assert ways.total() == sets * MAX_SCENARIOS


def test_proposal_of_any_scenarios(sets: int, tmp_path: Path) -> None:
    book, path = Book(build(PROPOSAL, of_scenarios(MAX_SCENARIOS))), tmp_path / "proposal.xlsx"
    ways: Counter[object] = Counter()
    for seed, study, cells in sets_filled(book, path, sets, plausible, proposal_inputs):
        assert test_proposal.failing(book, cells) == set(), seed
        test_proposal.assert_core_agrees(book, cells)
        ways.update(scenario.values["in.acquisition"] for scenario in study.scenarios)
    assert set(ways) == set(ACQUISITIONS)
    assert ways.total() == sets * MAX_SCENARIOS


@pytest.mark.parametrize("input_id", ["in.gpus", "in.rework"])
def test_a_wrong_set_is_noticed(input_id: str, tmp_path: Path) -> None:
    """The test itself: a value that no scenario may have turns a check red."""
    book = Book(build(BUDGET, EIGHT))
    opened = Open(book, tmp_path / "budget.xlsx")
    study = plausible_study(FIRST_SEED, MAX_SCENARIOS)
    assert test_budget.failing(book, opened.filled(budget_inputs(book, study))) == set()
    assert test_budget.failing(book, opened.filled({book.at(input_id, 3): -1.0})) != set()
