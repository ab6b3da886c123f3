"""Amounts that do not fit those beside them, and inputs far beyond what is usual."""

import openpyxl
import pytest

from review import clusters, workbooks
from review.workbooks import Edit, above_info, edited, reviewed
from scalesheet_workbooks.review.findings import Finding


def budget(line: str, value: float, column: str = "E") -> list[Finding]:
    return above_info(reviewed(edited(workbooks.put(line, column, value))))


def proposal(*edits: Edit) -> dict[str, Finding]:
    found = above_info(reviewed(edited(*edits, data=clusters.filled())))
    return {one.rule.id: one for one in found}


@pytest.mark.parametrize(
    ("line", "value", "rule"),
    [
        ("in.rework", 2.9, "I231"),
        ("in.ideal_hours", 3e7, "I204"),
        ("in.storage", 2e6, "I215"),
        ("in.egress", 6e8, "I215"),
    ],
)
def test_what_no_run_costs_goes_back(line: str, value: float, rule: str) -> None:
    """The amount that it adds is shown, and is material: the severity follows it."""
    (one,) = budget(line, value)
    assert (one.rule.id, one.severity, one.where) == (rule, "high", "!".join(workbooks.at(line)))
    assert one.effect is not None
    assert one.effect.share > 0.5


def test_what_is_somewhat_unusual_is_a_question() -> None:
    """Waste of 50 %, where 30 % is the most that is usual, is below ten times that."""
    one = proposal(clusters.put("in.waste", "E", 0.5))["I204"]
    assert one.severity == "medium"


def test_only_the_amount_that_is_unlike_all_others_is_named() -> None:
    """Others far from it alone, here two that are alike, are not."""
    (one,) = budget("in.egress", 5e5, "F")
    assert one.cells == (workbooks.at("in.egress", "F")[1],)


def test_a_currency_with_two_rates_is_found_with_its_money() -> None:
    """The table has the workbook's own currency at 1; a second row of it at 1.08 makes 1.04."""
    again = clusters.put("in.fx_2", "C", "USD"), clusters.put("in.fx_2", "E", 1.08)
    one = proposal(*again)["I214"]
    assert (one.severity, one.where) == ("high", clusters.cell("in.fx_2", "C"))
    assert max(effect.share for effect in one.effects) == pytest.approx(0.04, abs=0.01)


@pytest.mark.parametrize(("given", "severity"), [(-2e6, "medium"), (-9e6, "high")])
def test_credits_that_eat_the_total(given: float, severity: str) -> None:
    """The total is 2.56 million; what is left of it, or less than nothing, is said."""
    one = proposal(clusters.put("in.credits", "E", given))["I217"]
    assert (one.severity, one.where) == (severity, clusters.cell("in.credits"))
    assert "which leaves" in one.seen


def test_usual_credits_are_no_finding() -> None:
    assert "I217" not in proposal(clusters.put("in.credits", "E", -5e5))


def test_a_scenario_copied_over_another_is_found() -> None:
    def copied(book: openpyxl.Workbook) -> None:
        name = int(workbooks.at("in.scenario")[1][1:])
        for row in range(name + 1, book["Inputs"].max_row + 1):
            source, target = book["Inputs"][f"E{row}"], book["Inputs"][f"G{row}"]
            if not target.protection.locked:
                target.value = source.value

    (one,) = above_info(reviewed(edited(copied)))
    assert (one.rule.id, one.where) == ("I216", "!".join(workbooks.at("in.scenario", "G")))
