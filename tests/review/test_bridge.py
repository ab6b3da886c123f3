"""From a previous file to this one: bars in a fixed order that add up without a plug."""

from dataclasses import replace

import pytest

from review.workbooks import (
    BUDGET,
    TODAY,
    edited,
    filled,
    proposal,
    put,
    reviewed,
    with_scenario,
)
from scalesheet_workbooks.build import build
from scalesheet_workbooks.read import read_bytes
from scalesheet_workbooks.review.bridge import ORDER, OVERRIDES, Bridge
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


def test_an_undetermined_total_gives_no_false_bridge() -> None:
    review = against(edited(put("in.gpu_hour_price", "E", "$2.50")), filled())
    (bridge,) = review.bridges
    assert bridge.end is None
    assert any(bar.amount is None for bar in bridge.bars)


def test_the_review_after_a_bridge_is_the_same() -> None:
    """A bridge changes inputs in the engine and must put them back."""
    now = build(BUDGET, with_scenario(proposal(), 0, gpu_hour_price=3.0))
    assert against(now, filled()).totals == reviewed(now).totals
