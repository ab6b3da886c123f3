"""SCALING_PREDICT and its kin as published: properties that hold for any measured sizes."""

import math
from collections.abc import Sequence
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scalesheet
from scalesheet import calibration
from scalesheet.calibration.ahead import FEW_CURVES, KNOTS_PER_DOUBLING
from scalesheet.calibration.backtest import whole_nodes
from scalesheet.errors import NUM
from scalesheet.measurements import load_series
from scalesheet.registry import REGISTRY
from scalesheet.surfaces.cells import answer as cells_answer

Points = Sequence[tuple[int, float]]


@st.composite
def measurements(draw: st.DrawFn) -> Points:
    """Sizes in any order, also twice, each within ten times of a common throughput a node."""
    of_node = draw(st.floats(1e-3, 1e6))
    sizes = draw(
        st.lists(st.tuples(st.integers(1, 4096), st.floats(0.1, 10)), min_size=1, max_size=7)
    )
    return [(nodes, of_node * nodes * factor) for nodes, factor in sizes]


points = measurements()
wanted = st.integers(1, 1_000_000)
few = settings(max_examples=40, deadline=None)


def forecast(function: str, nodes: float, measured: Points) -> float:
    result: float = getattr(scalesheet, function)(
        nodes, "other", [n for n, _ in measured], [x for _, x in measured]
    )
    return result


@few
@given(points, wanted)
def test_a_number_within_its_band(measured: Points, nodes: int) -> None:
    low, middle, high = (
        forecast(f"scaling_{end}", nodes, measured) for end in ("low", "predict", "high")
    )
    assert math.isfinite(low)
    assert math.isfinite(high)
    assert 0 <= low <= middle <= high


@few
@given(points, wanted, st.sampled_from([2.0**-10, 0.001, 1 / 60, 3.7, 1000.0, 2.0**10]))
def test_the_unit_of_throughput_scales_through(measured: Points, nodes: int, unit: float) -> None:
    scaled = [(n, unit * x) for n, x in measured]
    for end in ("low", "predict", "high"):
        assert forecast(f"scaling_{end}", nodes, scaled) == pytest.approx(
            unit * forecast(f"scaling_{end}", nodes, measured), rel=1e-9
        )


@few
@given(points, wanted, st.integers(0, 1000))
def test_the_order_of_points_does_not_matter(measured: Points, nodes: int, seed: int) -> None:
    shuffled = Random(seed).sample(measured, len(measured))
    for end in ("low", "predict", "high"):
        name = f"scaling_{end}"
        assert forecast(name, nodes, shuffled) == forecast(name, nodes, measured)


@few
@given(points, wanted)
def test_predict_and_efficiency_agree(measured: Points, nodes: int) -> None:
    of_one, here = (forecast("scaling_predict", n, measured) for n in (1, nodes))
    expected = here / nodes / of_one
    if 0.01 <= expected <= 1.5:  # what a cell may show as an efficiency
        found = forecast("scaling_eff_fitted", nodes, measured)
        assert found == pytest.approx(expected, rel=1e-12)


def test_many_sizes_over_the_same_points_cost_one_fit_and_few_questions() -> None:
    """An array or single cells: the fit is made once, its curves are asked at knots only."""
    given_sizes, throughputs = (1.0, 2.0, 4.0, 8.0), (100.0, 195.0, 377.0, 721.0)
    wanted_sizes = [[float(nodes)] for nodes in range(1, 1001)]
    calibration._fit.cache_clear()
    column = scalesheet.scaling_predict(wanted_sizes, "other", given_sizes, throughputs)
    cells = [
        [scalesheet.scaling_predict(nodes, " Other", given_sizes, throughputs)]
        for (nodes,) in wanted_sizes
    ]
    assert column == cells
    assert calibration._fit.cache_info().misses == 1
    found = calibration.fit(list(zip(given_sizes, throughputs, strict=True)))
    assert len(found.ahead.curves.weights) > FEW_CURVES
    assert len(found.ahead.asked) <= KNOTS_PER_DOUBLING * 7 + 20


def test_between_knots_the_curves_are_met() -> None:
    """Published series, to three doublings past the last size; the narrowest band has 1.3 %."""
    off = []
    for series in load_series():
        if len(sizes := whole_nodes(series)) >= 2:
            ahead = calibration.fit(sizes).ahead
            for factor in (0.7, 1.5, 3.3, 7.1):
                nodes = max(2.0, round(ahead.nodes[-1] * factor))
                off.append(abs(ahead.at(nodes).middle - ahead._ask(nodes).middle))
    assert fmean(off) < 2e-4
    assert sorted(off)[len(off) * 99 // 100] < 2e-3


@few
@given(points, st.integers(0, 8))
def test_powers_of_two_past_the_largest_size_are_knots(measured: Points, power: int) -> None:
    ahead = calibration.fit(measured).ahead
    nodes = ahead.nodes[-1] * 2.0**power
    assert ahead.at(nodes) == ahead._ask(nodes)


def test_a_refused_range_is_refused_in_each_cell() -> None:
    record = REGISTRY["SCALING_PREDICT"]
    found = cells_answer(record, [[[8.0], [16.0]], "other", [1.0, -2.0], [100.0, 190.0]])
    assert found == [[NUM], [NUM]]
