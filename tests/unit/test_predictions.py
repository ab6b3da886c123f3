"""SCALING_PREDICT and its kin as published: properties that hold for any measured sizes."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scalesheet

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
