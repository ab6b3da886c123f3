"""The plain models, the fit of measured sizes, its notes, the value of doublings, batch size."""

import math
import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalesheet.batch_size import (
    batch_samples_ratio,
    critical_batch,
    time_to_train_eff,
)
from scalesheet.calibration import fit
from scalesheet.calibration.curves import PRIOR, all_curves
from scalesheet.calibration.models import (
    ALPHA_BETA,
    AMDAHL,
    MODELS,
    POWER,
    RING,
    SEED_LINEAR,
    STEP_TIME,
    USL,
    Model,
    alpha_beta_eff,
    amdahl_eff,
    no_loss_eff,
    ring_eff,
    seed_linear_eff,
    step_time_eff,
    usl_eff,
)
from scalesheet.calibration.plain_fits import fit_exactly, fit_model
from scalesheet.calibration.step_time import fit_shrunk_step_time
from scalesheet.calibration.value import ladder, stops_paying
from scalesheet.errors import MissingValue, OutOfDomain, ScalesheetError, UnknownChoice
from scalesheet.fabric_classes import fabric_classes
from scalesheet.measurements import load_series

DOUBLINGS = (1, 2, 4, 8, 16, 32, 64)

# --- Plain models: each at a value of its source -------------------------------------------------


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (no_loss_eff(1000), 1),
        # The public calculator: Ethernet 79 % and NDR 95.5 % at 4 nodes.
        (seed_linear_eff(4, 0.07), 0.79),
        (seed_linear_eff(4, 0.015), 0.955),
        (seed_linear_eff(64, 0.07), 0.5),
        # Amdahl 1967: 5 % serial work on 20 processors speeds up 20/1.95.
        (20 * amdahl_eff(20, 0.05), 20 / 1.95),
        # Gunther: capacity peaks at sqrt((1 - sigma)/kappa); with kappa = 0 it is Amdahl's.
        (usl_eff(20, 0.05, 0), amdahl_eff(20, 0.05)),
        # Patarasuk and Yuan: 2 (n-1)/n of the bytes, so 1.5 times those at 2 nodes at 4.
        ((1 / ring_eff(4, 0.2) - 1) / (1 / ring_eff(2, 0.2) - 1), 1.5),
        # Thakur et al.: alpha for each of n - 1 hops, beta for (n-1)/n of the bytes.
        (1 / alpha_beta_eff(8, 0.8, 0.01), 1 + 0.8 * 7 / 8 + 0.01 * 7),
        (1 / step_time_eff(9, 0.9, 0.05), 1 + 0.9 * 8 / 9 + 0.05 * 2),
    ],
)
def test_model_values(found: float, expected: float) -> None:
    assert found == pytest.approx(expected, rel=1e-12)


def test_usl_peaks_where_its_author_says() -> None:
    contention, coherency = 0.05, 0.0005
    peak = math.sqrt((1 - contention) / coherency)
    capacities = {n: n * usl_eff(n, contention, coherency) for n in range(1, 200)}
    assert abs(max(capacities, key=capacities.__getitem__) - peak) < 1


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_model_keeps_everything_at_one_node_and_without_loss(model: Model) -> None:
    some, none = (0.1,) * len(model.parameters), (0.0,) * len(model.parameters)
    assert model.efficiency(1, *some) == 1
    assert model.efficiency(64, *none) == 1


def plain_series(model: Model, values: tuple[float, ...], count: int) -> list[tuple[int, float]]:
    return [(n, 100 * n * model.efficiency(n, *values)) for n in DOUBLINGS[:count]]


@pytest.mark.parametrize("model", [AMDAHL, RING, USL, ALPHA_BETA, STEP_TIME], ids=lambda m: m.name)
def test_fits_agree_with_scipy(model: Model) -> None:
    """200 series over the five models whose optimum has no corners, noise 2 %."""
    optimize = pytest.importorskip("scipy.optimize")
    draw = random.Random(3)
    for _ in range(40):
        sizes = [
            (n, throughput * math.exp(draw.gauss(0, 0.02)))
            for n, throughput in plain_series(
                model, tuple(10 ** draw.uniform(-3, -0.5) for _ in model.parameters),
                draw.randint(len(model.parameters) + 2, 7),
            )
        ]  # fmt: skip

        def residuals(values: list[float], sizes: list[tuple[int, float]] = sizes) -> list[float]:
            return [
                math.log(x / n / model.efficiency(n, *values[1:])) - values[0] for n, x in sizes
            ]

        count = len(model.parameters)
        tried = [
            optimize.least_squares(
                residuals,
                [math.log(100.0)] + [start] * count,
                bounds=([-math.inf] + [0.0] * count, math.inf),
                xtol=1e-15,
                ftol=1e-15,
                gtol=1e-15,
            )
            for start in (1e-4, 1e-2, 1.0)
        ]
        best = min(tried, key=lambda one: one.cost)
        assert fit_model(model, sizes).parameters == pytest.approx(list(best.x[1:]), abs=1e-6)


def test_two_sizes_show_one_loss_and_no_more() -> None:
    sizes = [(1, 100.0), (2, 180.0)]
    assert fit_model(ALPHA_BETA, sizes).parameters == pytest.approx((2 / 9, 0.0), abs=1e-9)
    assert fit_model(USL, sizes).parameters == pytest.approx((1 / 9, 0.0), abs=1e-9)
    assert fit_model(AMDAHL, [(4, 480.0)]).parameters == (0.0,)


def test_models_refuse_gains() -> None:
    sizes = [(1, 100.0), (2, 220.0), (4, 460.0)]
    for model in MODELS:
        assert sum(fit_model(model, sizes).parameters) == pytest.approx(0, abs=1e-12)


# --- The forecast --------------------------------------------------------------------------------

NOISE_FREE = [
    (SEED_LINEAR, (0.004,)),
    (AMDAHL, (0.03,)),
    (POWER, (0.12,)),
    (RING, (0.4,)),
    (USL, (0.01, 0.0008)),
    (ALPHA_BETA, (0.2, 0.01)),
    (STEP_TIME, (0.1, 0.05)),
]


@pytest.mark.parametrize("count", [4, 5, 6])
@pytest.mark.parametrize(("model", "values"), NOISE_FREE, ids=lambda value: str(value)[:20])
def test_noise_free_sizes_are_continued(
    model: Model, values: tuple[float, ...], count: int
) -> None:
    """Issue: within 1 % at twice the largest size."""
    nodes = 2 * DOUBLINGS[count - 1]
    expected = 100 * nodes * model.efficiency(nodes, *values)
    found = fit(plain_series(model, values, count))
    assert found.throughput(nodes) == pytest.approx(expected, rel=0.01)
    assert any("exactly" in note for note in found.notes)


def test_measured_sizes_are_gone_through() -> None:
    found = fit([(1, 100), (2, 190), (4, 385), (16, 1400)])
    assert [found.throughput(n) for n in (1, 2, 4, 16)] == [100, 190, 385, 1400]
    assert 385 < found.throughput(8) < 770


def test_between_and_beyond_no_step_in_the_curve() -> None:
    found = fit([(1, 100), (2, 190), (4, 385), (1000, 70_000)])
    for nodes in (999, 1000):
        assert found.throughput(nodes + 1) / found.throughput(nodes) == pytest.approx(1, abs=0.01)


def test_the_band_grows_with_the_reach_and_holds_the_forecast() -> None:
    found = fit([(1, 100), (2, 195), (4, 375), (8, 730)])
    widths = []
    for nodes in (8, 16, 32, 64, 256, 4096):
        forecast = found.forecast(nodes)
        assert forecast.low <= forecast.throughput <= forecast.high
        widths.append((forecast.high - forecast.low) / forecast.throughput)
    assert widths == sorted(widths)
    assert widths[0] < 0.03 < widths[1] < widths[-1]


def test_efficiency_is_against_one_node_and_not_capped() -> None:
    # apache/mxnet#2283 (C06): 116/s on one, 480/s on four, 815/s on eight.
    found = fit([(1, 116), (4, 480), (8, 815)])
    assert found.efficiency(1) == 1
    assert found.efficiency(4) == pytest.approx(1.0344828, abs=1e-7)
    assert found.efficiency(8) == pytest.approx(0.8782328, abs=1e-7)


def test_without_one_node_its_throughput_is_forecast() -> None:
    found = fit([(4, 390), (8, 760), (16, 1470)])
    assert 97.5 < found.throughput(1) < 110
    assert 0.85 < found.efficiency(16) < 0.96
    assert any("forecast for one node" in note for note in found.notes)


def test_repeats_count_by_their_median_and_widen_the_band() -> None:
    once = fit([(1, 100), (2, 190), (4, 370)])
    twice = fit([(1, 100), (2, 190), (4, 370), (4, 400), (4, 340)])
    assert twice.sizes[-1].count == 3
    assert twice.throughput(4) == 370
    assert twice.high(4) - twice.low(4) > 1.5 * (once.high(4) - once.low(4))
    assert any("3 measurements at 4 nodes" in note for note in twice.notes)


def test_a_bad_first_size_hardly_moves_the_forecast() -> None:
    # llm-foundry, 13B on A100-40GB: one node is short of memory, 13,347 tokens/s.
    rest = [(2, 31_900), (4, 63_946), (8, 126_479)]
    with_it, without = fit([(1, 13_347), *rest]), fit(rest)
    assert with_it.throughput(16) == pytest.approx(without.throughput(16), rel=0.02)
    # Measured: 252,444.
    assert with_it.throughput(16) == pytest.approx(252_444, rel=0.02)


def test_one_size_takes_the_class_or_usual_losses() -> None:
    median = fabric_classes()["A100 HDR"].median
    of_class = fit([(4, 480)], "A100 HDR")
    assert of_class.throughput(8) == pytest.approx(960 * 2**-median, rel=0.003)
    assert fit([(4, 480)]).throughput(8) < 960
    for found in (of_class, fit([(4, 480)])):
        assert "One size only" in found.notes[0]
        assert found.low(8) < found.throughput(8) < found.high(8)


def test_the_class_does_not_move_two_sizes_or_more() -> None:
    sizes = [(1, 100), (2, 190)]
    assert fit(sizes, "EDR shared").forecast(8) == fit(sizes, "RoCE 1600").forecast(8)


# --- Properties ----------------------------------------------------------------------------------

points = st.lists(st.tuples(st.integers(1, 100_000), st.floats(1e-6, 1e12)), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(points, st.integers(1, 10_000_000))
def test_a_forecast_is_a_number_within_its_band(
    points: list[tuple[int, float]], nodes: int
) -> None:
    forecast = fit(points).forecast(nodes)
    assert 0 <= forecast.low <= forecast.throughput <= forecast.high < math.inf
    assert math.isfinite(fit(points).efficiency(nodes))
    assert math.isfinite(fit(points).error)


@settings(max_examples=30, deadline=None)
@given(points, st.floats(1e-6, 1e6))
def test_the_unit_of_throughput_scales_through(
    points: list[tuple[int, float]], unit: float
) -> None:
    scaled = [(nodes, throughput * unit) for nodes, throughput in points]
    for nodes in (1, 7, 64):
        one, other = fit(points).forecast(nodes), fit(scaled).forecast(nodes)
        assert other.throughput == pytest.approx(one.throughput * unit, rel=1e-9)
        assert other.low == pytest.approx(one.low * unit, rel=1e-9)


@pytest.mark.parametrize(
    "points",
    [
        [(30060, 1.0), (30765, 21566075929.0), (34075, 1.0)],
        [(30060, 1.0), (30765, 21566075769.0), (34077, 1.0)],
    ],
)
def test_a_series_that_leaps_is_no_fault_of_ours(points: list[tuple[int, float]]) -> None:
    """A model so steep that nothing is left of it, and a slope beyond what a power holds."""
    forecast = fit(points).forecast(64)
    assert 0 <= forecast.low <= forecast.throughput <= forecast.high < math.inf
    assert all("%" in note or "nodes" in note for note in fit(points).notes)


def test_the_order_of_points_does_not_matter() -> None:
    sizes = [(1, 100), (4, 380), (2, 196), (4, 376)]
    found = {fit(order).forecast(16) for order in permutations(sizes)}
    assert len(found) == 1


def test_the_same_points_are_fitted_once() -> None:
    sizes = [(1, 100.0), (2, 196.0), (4, 380.0)]
    assert fit(sizes) is fit(reversed(sizes))


def test_the_curves_of_the_prior_weigh_one() -> None:
    curves = all_curves(PRIOR)
    assert math.fsum(curves.weights) == pytest.approx(1, abs=1e-12)
    assert min(curves.weights) > 0


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "fabric_class", "error", "message"),
    [
        ([], "other", MissingValue, "measured_nodes has no sizes"),
        ([(0, 100)], "other", OutOfDomain, "nodes must be 1 to 10,000,000, not 0"),
        ([(1.5, 100)], "other", OutOfDomain, "measured_nodes must be whole, not 1.5"),
        ([(2, 0)], "other", OutOfDomain, "measured_throughput must be above 0"),
        ([(2, math.nan)], "other", OutOfDomain, "measured_throughput must be above 0"),
        ([(math.nan, 5)], "other", OutOfDomain, "nodes must be 1 to 10,000,000"),
        ([(1, 100)], "NDR", UnknownChoice, 'fabric_class "NDR" is not known'),
        ([(1, 100)], "Ethernet 10 K80", OutOfDomain, "fewer than 5"),
    ],
)
def test_mistakes(
    points: list[tuple[float, float]], fabric_class: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        fit(points, fabric_class)
    assert isinstance(raised.value, ScalesheetError)
    assert "\n" not in str(raised.value)


# --- Notes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([(1, 100)], "One size only"),
        ([(4, 400), (8, 780)], "The smallest size is 4 nodes"),
        # apache/mxnet#2283 (C06).
        ([(1, 116), (4, 480), (8, 815)], "Super-linear: 103.4%"),
        # awslabs/sockeye#667 (C08): per-GPU figures entered as totals.
        ([(1, 122), (8, 110), (16, 80)], "per GPU"),
        # Worker logs of 161.8/s on each of 3 nodes (C08).
        ([(1, 161.8), (3, 161.8)], "per GPU"),
        # llm-foundry, 1B on A100-40GB: 4 nodes 18 % below 2 and 8 nodes.
        ([(1, 154_171), (2, 305_372), (4, 497_782), (8, 1_216_100)], "4 nodes lies 18% below"),
        # scaling.md: one Ethernet cluster keeps 84.5 % at 32 nodes and 51 % at 64.
        ([(8, 800), (16, 1500), (32, 2704), (64, 3264)], "It bends"),
        # apache/mxnet#14516 (C06): 6,982.74, 9,908.78 and 9,128.08 on 1, 2 and 4.
        ([(1, 6982.74), (2, 9908.78), (4, 9128.08)], "Throughput falls from 2 to 4 nodes"),
        ([(1, 100), (2, 180), (2, 200)], "The 2 measurements at 2 nodes"),
        ([(1, 100), (2, 200), (4, 400)], "exactly"),
    ],
)
def test_each_note(points: list[tuple[float, float]], says: str) -> None:
    assert any(says in note for note in fit(points).notes), fit(points).notes


def test_sound_sizes_have_no_notes() -> None:
    found = fit([(1, 100), (2, 196), (4, 380), (8, 735)])
    assert found.notes_at(16) == ()


def test_a_far_reach_is_noted_where_it_is_far() -> None:
    found = fit([(1, 100), (2, 196), (4, 380)])
    assert found.notes_at(16) == ()
    assert "3.0 doublings past" in found.notes_at(32)[0]
    assert "below the smallest" in fit([(64, 6000), (128, 11_500)]).notes_at(8)[-1]


def test_the_table_says_what_was_used() -> None:
    table = dict(fit([(1, 100), (2, 190), (4, 370), (4, 374)]).table())
    assert (table["Sizes used"], table["Measurements used"]) == (3, 4)
    assert table["Largest size, nodes"] == 4
    assert table["Method"] == "weighted curves"
    assert 0 < table["Error of a step between sizes"] < 0.05


# --- Value of doublings --------------------------------------------------------------------------


def test_ladder_gains_and_costs() -> None:
    found = fit([(1, 100), (2, 190), (4, 350)])
    steps = ladder(found, node_hour_price=36.0)
    one, two = steps[0], steps[1]
    assert one.gain_of_doubling == pytest.approx(0.9)
    # 36 an hour is 0.01 a second, for 100 units; the second node's 90 units cost as much.
    assert one.cost_per_unit == pytest.approx(0.01 / 100)
    assert one.cost_of_added_unit == pytest.approx(0.01 / 90)
    assert two.cost_per_unit == pytest.approx(0.02 / 190)
    assert [step.measured for step in steps] == [True, True, True, False, False, False]
    by_minute = ladder(found, node_hour_price=36.0, throughput_seconds=60.0)[0]
    assert by_minute.cost_per_unit == pytest.approx(60 * 0.01 / 100)


def test_where_throughput_falls_added_work_has_no_price() -> None:
    steps = ladder(fit([(1, 100), (2, 150), (4, 140)]), node_hour_price=1.0)
    assert steps[1].gain_of_doubling < 0
    assert steps[1].cost_of_added_unit is None


def test_where_adding_nodes_stops_paying() -> None:
    flat = ladder(fit([(1, 100), (2, 180), (4, 290), (8, 380), (16, 400)]))
    assert stops_paying(flat) == 4
    assert stops_paying(flat, least_gain=0.7) == 2
    assert stops_paying(ladder(fit([(1, 100), (2, 199), (4, 396)]))) is None


def test_a_ladder_without_a_price_has_no_costs() -> None:
    assert all(step.cost_per_unit is None for step in ladder(fit([(1, 100), (2, 190)])))


# --- Batch size ----------------------------------------------------------------------------------


def test_at_the_critical_batch_a_run_needs_twice_the_samples() -> None:
    # McCandlish et al. 2018: E = E_min (1 + B/B_crit), S = S_min (1 + B_crit/B).
    assert batch_samples_ratio(1000, 1e-9, 1000) == pytest.approx(2)
    assert critical_batch(batch_samples_ratio(64, 8, 16), 64, 8) == pytest.approx(16)


def test_extra_samples_explain_a_published_time_to_train() -> None:
    """Oracle, MLPerf v4.1, Llama 2 70B LoRA: batch 8, 16, 64 on 64, 128, 512 GPUs."""
    series = {one.name: one.points for one in load_series()}
    name = "mlperf-v4.1-oracle-nvidia-h100-sxm5-8-llama2_70b_lora"
    kept = {}
    for kind in ("thr", "ttt"):
        first, *others = series[f"{name}-{kind}"]
        kept[kind] = [p.throughput / p.nodes / (first.throughput / first.nodes) for p in others]
    # scaling.md: 99 % of throughput and 29 % of ideal time to train at 512 GPUs.
    assert kept["thr"][1] == pytest.approx(0.99, abs=0.005)
    assert kept["ttt"][1] == pytest.approx(0.29, abs=0.005)
    critical = critical_batch(kept["thr"][1] / kept["ttt"][1], 64, 8)
    between = time_to_train_eff(kept["thr"][0], batch_samples_ratio(16, 8, critical))
    assert between == pytest.approx(kept["ttt"][0], rel=0.06)


# --- The form that was best before ---------------------------------------------------------------


def test_the_shrunk_step_time_is_linear_in_the_unit() -> None:
    one = fit_shrunk_step_time([(1, 100), (2, 196), (4, 380)])
    other = fit_shrunk_step_time([(1, 1e5), (2, 1.96e5), (4, 3.8e5)])
    assert other.throughput(16) == pytest.approx(1000 * one.throughput(16), rel=1e-12)


def test_nearly_exact_needs_two_sizes_to_spare() -> None:
    rounded = [(n, round(x, 1)) for n, x in plain_series(AMDAHL, (0.03,), 5)]
    assert fit_exactly(rounded) is not None
    assert fit_exactly([(1, 100.0), (2, 194.3), (4, 367.2)]) is None
