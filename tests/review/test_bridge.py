"""From a previous file to this one: bars in a fixed order that add up without a plug."""

import datetime
from dataclasses import replace

import openpyxl
import pytest

from review import clusters
from review.workbooks import (
    BUDGET,
    TODAY,
    Edit,
    edited,
    filled,
    proposal,
    put,
    reviewed,
    with_scenario,
)
from scalesheet_workbooks.build import build
from scalesheet_workbooks.read import read_bytes
from scalesheet_workbooks.review.bridge import ELSEWHERE, ORDER, OVERRIDES, Bridge
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.run import Review, review_bytes
from scalesheet_workbooks.review.template import recognise

CENT = 0.005


def case(data: bytes) -> Case:
    book = read_bytes(data)
    recognised = recognise(book)
    assert recognised is not None
    return Case(book, recognised)


def against(now: bytes, before: bytes) -> Review:
    return review_bytes(now, "now.xlsx", TODAY, 0.01, case(before), "before.xlsx")


def adds_up(bridge: Bridge) -> bool:
    assert bridge.start is not None
    assert bridge.end is not None
    amounts = [bar.amount for bar in bridge.bars]
    assert None not in amounts
    return abs(bridge.start + sum(a for a in amounts if a) - bridge.end) < CENT


def test_bars_by_hand() -> None:
    """64 GPUs x 120 h x 2.50 / 0.80 x 1.15 + 207 + 150 = 27,957; every step by hand."""
    now = build(
        BUDGET,
        with_scenario(proposal(), 0, gpus=96.0, efficiency=0.72, gpu_hour_price=2.1, storage=500.0),
    )
    (bridge,) = against(now, filled()).bridges
    amounts = {bar.name: bar.amount for bar in bridge.bars}
    assert list(amounts) == [*ORDER, OVERRIDES]
    assert (bridge.scenario, bridge.start) == ("Baseline 64 of ours", 27957.0)
    assert amounts["volume"] == pytest.approx(32 * 120 * 2.5 / 0.8 * 1.15)
    assert amounts["efficiency"] == pytest.approx(96 * 120 * 2.5 * (1 / 0.72 - 1 / 0.8) * 1.15)
    assert amounts["price"] == pytest.approx(96 * 120 * (2.1 - 2.5) / 0.72 * 1.15)
    assert amounts["rework"] == 0
    assert amounts["fixed"] == pytest.approx(500 - 207)
    assert amounts[OVERRIDES] == 0
    assert adds_up(bridge)


def test_each_changed_input_is_named_with_its_own_effect() -> None:
    now = build(BUDGET, with_scenario(proposal(), 0, gpu_hour_price=3.0))
    (bridge,) = against(now, filled()).bridges
    (change,) = next(bar.changes for bar in bridge.bars if bar.name == "price")
    assert change == "Price of a GPU-hour: 2.5 -> 3 (alone +5,520.00)"


def test_a_formula_override_is_a_bar_of_its_own() -> None:
    (bridge,) = against(edited(put("calc.rework_cost", "E", 1000)), filled()).bridges
    assert {bar.name: bar.amount for bar in bridge.bars if bar.amount} == {
        OVERRIDES: pytest.approx(-2600)
    }
    (back,) = against(filled(), edited(put("calc.rework_cost", "E", 1000))).bridges
    assert {bar.name: bar.amount for bar in back.bars if bar.amount} == {
        OVERRIDES: pytest.approx(2600)
    }


def test_a_save_alone_is_no_change() -> None:
    assert against(edited(), filled()).bridges == ()


def test_scenarios_are_matched_by_name_and_said_when_added() -> None:
    study = proposal()
    reordered = replace(study, scenarios=study.scenarios[::-1])
    assert against(build(BUDGET, reordered), filled()).bridges == ()
    fewer = replace(study, scenarios=study.scenarios[:2])
    assert against(build(BUDGET, fewer), filled()).notes == (
        "scenario gone: Pre-train 256 of ours",
    )
    assert against(filled(), build(BUDGET, fewer)).notes == (
        "scenario added: Pre-train 256 of ours",
    )


def test_another_currency_is_no_small_matter() -> None:
    """The same figures in another money are another budget."""
    before = clusters.filled()
    now = build(clusters.PROPOSAL, replace(clusters.proposal(), currency="EUR"))
    found = against(now, before).findings
    (one,) = [one for one in found if one.rule.id == "S114"]
    assert one.severity == "high"
    assert (one.seen, one.expected) == (
        "the budget is in EUR",
        "USD, as in the previous file",
    )


def test_that_nothing_changed_is_said() -> None:
    review = against(filled(), filled())
    assert review.notes[-1].endswith("no input and no formula differs")


def test_an_undetermined_total_gives_no_false_bridge() -> None:
    review = against(edited(put("in.gpu_hour_price", "E", "$2.50")), filled())
    (bridge,) = review.bridges
    assert bridge.end is None
    assert any(bar.amount is None for bar in bridge.bars)


def test_the_review_after_a_bridge_is_the_same() -> None:
    """A bridge changes inputs in the engine and must put them back."""
    now = build(BUDGET, with_scenario(proposal(), 0, gpu_hour_price=3.0))
    assert against(now, filled()).totals == reviewed(now).totals


# --- What the bars name --------------------------------------------------------------------------


CURRENCY, OWNER, SOURCE, AS_OF = "G", "K", "L", "M"
"""Columns of the cluster proposal, which has two scenarios."""


def cluster(*edits: Edit) -> Review:
    """The cluster proposal with edits, against the one without."""
    return against(clusters.changed(*edits)(), clusters.filled())


def changes(review: Review) -> dict[str, dict[str, tuple[str, ...]]]:
    """What each bar names, by scenario."""
    return {
        one.scenario: {bar.name: bar.changes for bar in one.bars if bar.changes}
        for one in review.bridges
    }


def test_the_currency_of_a_price_is_named() -> None:
    """970,752 GPU-hours at 2.10 USD, as all are committed; 1 EUR is 1.08 USD, so 8 % more."""
    review = cluster(clusters.put("in.gpu_hour_price", CURRENCY, "EUR"))
    found = changes(review)["Reserved of ours"]
    more = 970_752 * 2.10 * 0.08
    label = "GPU-hour (own: of the rent instead), currency"
    assert found == {"price": (f'{label}: "USD" -> "EUR" (alone {more:+,.2f})',)}
    assert all(adds_up(bridge) for bridge in review.bridges)


def test_an_exchange_rate_has_a_name() -> None:
    """What is paid in EUR rises by a ninth: 1.08 x 10/9 is 1.2."""
    before = clusters.changed(clusters.put("in.gpu_hour_price", CURRENCY, "EUR"))()
    now = edited(clusters.put("in.fx_1", "E", 1.2), data=before)
    found = changes(against(now, before))
    (change,) = found["On demand of ours"]["price"]
    assert change.startswith("Exchange rates, EUR: 1.08 -> 1.2 (alone +")


def test_an_override_names_cell_and_formula() -> None:
    """64 x 120 h x 2.50 / 0.80 x 0.15 are 3,600 of rework; 1,000 is 2,600 less."""
    now, before = edited(put("calc.rework_cost", "E", 1000)), filled()
    (bridge,) = against(now, before).bridges
    (change,) = bridge.bars[-1].changes
    assert change.startswith("Calc!E")
    assert " Rework: =E" in change
    assert change.endswith(" -> 1,000 (alone -2,600.00)")
    (back,) = against(before, now).bridges
    (change,) = back.bars[-1].changes
    assert ": 1,000 -> =" in change
    assert change.endswith("(alone +2,600.00)")


def test_an_override_below_an_error_is_measured_alone() -> None:
    """No total of the scenario can be calculated; in the template it can."""
    now = edited(put("calc.rework_cost", "E", 1000), put("calc.storage", "E", "=1/0"))
    (bridge,) = against(now, filled()).bridges
    assert bridge.end is None
    told = " ".join(bridge.bars[-1].changes)
    assert "-> 1,000 (alone -2,600.00)" in told
    assert "-> =1/0 (undetermined)" in told


def test_an_override_that_cannot_be_measured_is_not_without_effect() -> None:
    """An input in error leaves the template without a total too."""
    now = edited(put("calc.rework_cost", "E", 1000), put("in.storage", "E", "500 USD"))
    review = against(now, filled())
    assert review.without_effect == ()
    (change,) = changes(review)["Baseline 64 of ours"][OVERRIDES]
    assert change.endswith("-> 1,000 (undetermined)")
    (found,) = (one for one in review.findings if one.rule.id == "S101")
    assert "to the total of Baseline 64 of ours can be told when" in found.consequences[0]


def test_an_override_that_both_files_have_is_no_change() -> None:
    both = put("calc.rework_cost", "E", 1000)
    review = against(edited(both, put("in.storage", "E", 500)), edited(both))
    assert changes(review)["Baseline 64 of ours"].keys() == {"fixed"}


def test_a_constant_is_named() -> None:
    """At 12 hours a day a run takes twice the days; the totals of those who rent stay."""
    review = cluster(clusters.put("const.hours_per_day", "E", 12))
    words = [change for bars in changes(review).values() for change in bars[OVERRIDES]]
    words += review.without_effect
    assert words
    assert all(one.startswith("Lists!E") and "Hours per day: 24 -> 12" in one for one in words)


def test_what_is_no_cell_of_the_template_is_said_to_be_so() -> None:
    """A name that stands for other rows moves the totals, and no cell differs."""

    def elsewhere(book: openpyxl.Workbook) -> None:
        book.defined_names["lst_losses"].attr_text = "Lists!$E$6:$E$9"

    by_interconnect = (
        put("in.efficiency_method", "E", "interconnect"),
        put("in.interconnect", "E", "HDR"),
        put("in.efficiency_floor", "E", 0.5),
    )
    now, before = edited(*by_interconnect, elsewhere), edited(*by_interconnect)
    (bridge,) = against(now, before).bridges
    assert bridge.bars[-1].changes == (ELSEWHERE,)


def test_dates_are_dates() -> None:
    start = clusters.put("in.start", "E", datetime.datetime(2027, 3, 1))
    (change,) = cluster(start).without_effect
    assert change.startswith("First day of the programme: 2027-")
    assert change.endswith("-> 2027-03-01 (in Reserved of ours)")


@pytest.mark.parametrize(
    ("line", "column", "value", "words"),
    [
        ("in.live_scenario", "E", 2, "Scenario proposed: its number: 1 -> 2"),
        ("in.budget", "E", 9e6, "Approved budget: 8,000,000 -> 9,000,000"),
        ("in.people", CURRENCY, "sunk", 'People, tag: "incremental" -> "sunk"'),
        ("in.people", OWNER, "X. New", 'People, owner: "B. Owner" -> "X. New"'),
        ("in.people", SOURCE, "quote 18", 'People, source: "References 1" -> "quote 18"'),
        ("in.people", AS_OF, datetime.datetime(2026, 11, 3), "2026-11-02 -> 2026-11-03"),
        ("in.gpu_hour_price_high", "E", 3.5, "(in Reserved of ours)"),
        ("log.gate_1", "H", "approved", 'log.gate_1, decision: nothing -> "approved"'),
    ],
)
def test_what_moves_no_total_is_said_once(
    line: str, column: str, value: object, words: str
) -> None:
    """Whatever the number of scenarios: no bridge repeats it."""
    review = cluster(clusters.put(line, column, value))
    assert review.bridges == ()
    (change,) = review.without_effect
    assert words in change


def test_the_same_change_of_many_lines_is_one_line() -> None:
    lines = ("in.people", "in.support", "in.network", "in.other_tax", "in.credits")
    review = cluster(*(clusters.put(line, OWNER, "X. New") for line in lines))
    assert review.without_effect == ('5 lines, owner: "B. Owner" -> "X. New"',)


def test_a_scenario_with_another_name_is_said() -> None:
    review = cluster(clusters.put("in.scenario", "E", "Reserved B"))
    assert review.bridges == ()
    assert review.notes == ("scenario renamed: Reserved of ours -> Reserved B",)


def test_a_row_of_the_log_that_is_overwritten_is_no_new_one() -> None:
    """300,007 for people become 400,000; the first row of the log tells another story than it
    did."""
    people = clusters.put("in.people", "E", 400_000)
    found = cluster(people, clusters.put("log.1", "F", "one more person")).findings
    (one,) = (one for one in found if one.rule.id == "I243")
    assert one.seen.endswith("has no new row: one that was there says something else now")
    told = clusters.put("log.2", "C", "0.2"), clusters.put("log.2", "F", "one more person")
    assert not [one for one in cluster(people, *told).findings if one.rule.id == "I243"]
