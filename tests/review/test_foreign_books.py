"""Sound workbooks of others raise no alarm; the same with one fault are found at its cell."""

from collections.abc import Callable

import pytest

from review.foreign_books import CLEAN, FAULTS, Book, Fault, saved
from review.workbooks import above_info, reviewed, said


@pytest.mark.parametrize("make", CLEAN, ids=lambda make: make.__name__)
def test_a_sound_workbook_raises_no_alarm(make: Callable[[], Book]) -> None:
    found = reviewed(saved(make())).findings
    assert said(one for one in found if one.severity in ("high", "medium")) == []
    assert {one.rule.id for one in found} <= {"S190", "R302", "R323", "R324", "R326"}, said(found)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_is_found_at_its_cell(fault: Fault) -> None:
    found = above_info(reviewed(saved(fault.book(), *fault.edits)))
    at_cell = [one for one in found if one.where == fault.where]
    assert [(one.rule.id, one.severity) for one in at_cell] == [(fault.rule, fault.severity)], said(
        found
    )
    effect = at_cell[0].effect
    assert (effect and effect.amount) == pytest.approx(fault.amount)
