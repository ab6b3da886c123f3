"""TRAIN_COST_RISK: against 10,000,000 draws, exact where it can be, and the same every time."""

import json
import math
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lattice_search import best_multiplier
from risk_reference import CASES, DRAWS, HARD, PROBABILITIES, SEED, cases
from scalesheet.cost import train_cost
from scalesheet.lattice import MULTIPLIER, POINTS, STEPS, orders, weights
from scalesheet.pert import cumulative, pert_mean, pert_quantile, quantile, rises, shape
from scalesheet.risk import RISK_RULES, CostRisk, cost_risk, train_cost_risk
from scalesheet.simulation import Draws, simulate

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "golden" / "risk_reference.json").read_text(encoding="utf-8")
)
WITHIN = 0.001  # issue 5 asks for 0.3 % of ten million draws; the command says 0.1 %

HOURS, PRICE = (100.0, 120.0, 160.0), (2.0, 2.5, 3.5)
EFFICIENCY, REWORK = (0.7, 0.8, 0.85), (0.05, 0.15, 0.4)
BUDGET = (64.0, HOURS, PRICE, EFFICIENCY, REWORK, 200.0, 150.0)


def arguments(case: dict[str, Any]) -> list[Any]:
    """The arguments of a reference case after the probability, in order."""
    kept = {name: value for name, value in case.items() if name != "percentiles"}
    return [tuple(value) if isinstance(value, list) else value for value in kept.values()]


# --- The reference -------------------------------------------------------------------------------


def test_the_reference_is_of_these_cases() -> None:
    stored = [{k: v for k, v in case.items() if k != "percentiles"} for case in REFERENCE["cases"]]
    assert stored == json.loads(json.dumps(cases()))
    assert (REFERENCE["draws"], REFERENCE["seed"]) == (DRAWS, SEED) == (10_000_000, 20_261_130)
    assert REFERENCE["probabilities"] == list(PROBABILITIES)
    assert len(stored) == CASES == 20


def test_the_reference_holds_the_hard_shapes() -> None:
    def kind(spread: list[float]) -> str:
        low, mode, high = spread
        if low == high:
            return "constant"
        return {low: "low", high: "high"}.get(mode, "inside")

    names = ("ideal_hours", "gpu_hour_price", "efficiency", "rework")
    kinds = [tuple(kind(case[name]) for name in names) for case in REFERENCE["cases"]]
    assert tuple(kinds[: len(HARD)]) == HARD
    later = [entry for each in kinds[len(HARD) :] for entry in each]
    assert {entry: later.count(entry) >= 5 for entry in set(later)} == dict.fromkeys(
        ("constant", "low", "high", "inside"), True
    )


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=range(CASES))
def test_percentiles_are_those_of_ten_million_draws(case: dict[str, Any]) -> None:
    for probability, expected in zip(PROBABILITIES, case["percentiles"], strict=True):
        found = train_cost_risk(probability, *arguments(case))
        assert found == pytest.approx(expected, rel=WITHIN), probability


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=range(CASES))
def test_chances_are_those_of_ten_million_draws(case: dict[str, Any]) -> None:
    risk = cost_risk(*arguments(case))
    if risk.low == risk.high:
        assert risk.chance(risk.low) == 1
        assert risk.chance(math.nextafter(risk.low, 0)) == 0
        return
    for probability, total in zip(PROBABILITIES, case["percentiles"], strict=True):
        assert risk.chance(total) == pytest.approx(probability, abs=0.001)


# --- Exact ---------------------------------------------------------------------------------------

MONEY = st.floats(0, 1e6)
CERTAIN = st.tuples(
    st.integers(1, 10_000_000).map(float),
    st.floats(1e-3, 1e6),
    st.floats(1e-3, 1e6),
    st.floats(0.01, 1.5),
    st.floats(0, 3),
    MONEY,
    MONEY,
)


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), CERTAIN)
@example(0.8, (64.0, 120.0, 2.5, 0.8, 0.15, 200.0, 150.0))
@example(0.5, (32.0, 80.0, 2.0, 0.85, 0.1, 100.0, 50.0))
def test_certain_inputs_give_the_exact_cost(probability: float, inputs: tuple[float, ...]) -> None:
    gpus, hours, price, efficiency, rework, storage, egress = inputs
    spreads = [(value, value, value) for value in (hours, price, efficiency, rework)]
    risk = CostRisk(gpus, *spreads, storage, egress)  # type: ignore[arg-type]
    exact = train_cost(*inputs)
    assert train_cost_risk(probability, gpus, *spreads, storage, egress) == exact  # type: ignore[arg-type]
    assert (risk.low, risk.mean, risk.high) == (exact, exact, exact)
    assert risk.shares == [0, 0, 0, 0]


def test_one_uncertain_input_is_its_own_percentile() -> None:
    """Only the price varies, from 2 up with its mode at 2: 1 - (1 - x)^5 has a closed inverse."""
    spreads = ((120.0,) * 3, (2.0, 2.0, 3.0), (0.8,) * 3, (0.15,) * 3)
    for probability in (0.001, 0.1, 0.5, 0.9, 0.999):
        price = 3 - (1 - probability) ** 0.2
        expected = train_cost(64, 120, price, 0.8, 0.15, 200, 150)
        found = train_cost_risk(probability, 64, *spreads, 200, 150)  # type: ignore[arg-type]
        assert found == pytest.approx(expected, rel=1e-6)


def test_the_best_and_the_worst_case_bound_every_percentile() -> None:
    risk = CostRisk(*BUDGET)
    assert risk.low == train_cost(64, 100, 2, 0.85, 0.05, 200, 150)
    assert risk.high == train_cost(64, 160, 3.5, 0.7, 0.4, 200, 150)
    assert risk.low < risk.percentile(1e-12) < risk.percentile(1 - 1e-12) < risk.high
    assert [risk.chance(total) for total in (0, risk.low, risk.high, 1e9)] == [0, 0, 1, 1]


@pytest.mark.parametrize("tiny", [1e-300, 5e-324])
def test_extremes_have_an_answer(tiny: float) -> None:
    wide = ((1e-6, 1.0, 1e12), (tiny, 1.0, 1e6), (0.01, 0.8, 1.5), (0.0, 0.0, 3.0))
    risk = CostRisk(1e7, *wide, 0, 0)
    found = [risk.percentile(p) for p in (1e-9, 0.01, 0.5, 0.99, 1 - 1e-9)]
    assert found == sorted(found)
    assert all(math.isfinite(total) and total > 0 for total in found)


def test_neighbouring_floats_are_a_range() -> None:
    above = math.nextafter(2.5, 3)
    spreads = ((120.0,) * 3, (2.5, 2.5, above), (0.8,) * 3, (0.15,) * 3)
    found = train_cost_risk(0.5, 64, *spreads, 200, 150)  # type: ignore[arg-type]
    assert found == pytest.approx(27950, rel=1e-14)


# --- The same every time -------------------------------------------------------------------------


def test_a_call_is_the_same_again() -> None:
    once = CostRisk(*BUDGET).percentile(0.8)
    assert all(CostRisk(*BUDGET).percentile(0.8) == once for _ in range(3))
    assert train_cost_risk(0.8, *BUDGET) == once


def test_another_process_gives_the_same() -> None:
    script = f"from scalesheet.risk import *; print(repr(train_cost_risk(0.8, *{BUDGET})))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == train_cost_risk(0.8, *BUDGET)


def test_what_was_asked_before_does_not_count() -> None:
    alone = CostRisk(*BUDGET).percentile(0.1)
    risk = CostRisk(*BUDGET)
    for probability in (0.9, 0.5, 0.01):
        risk.percentile(probability)
    assert risk.percentile(0.1) == alone


def test_it_needs_no_numerical_library() -> None:
    script = (
        "import sys; from scalesheet.risk import *; "
        f"train_cost_risk(0.8, *{BUDGET}); print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


# --- How it moves --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=range(CASES))
def test_it_rises_with_the_probability(case: dict[str, Any]) -> None:
    risk = cost_risk(*arguments(case))
    found = [risk.percentile(step / 40) for step in range(1, 40)]
    assert found == sorted(found)
    assert risk.low == risk.high or len(set(found)) == len(found)


@pytest.mark.parametrize("probability", [0.01, 0.5, 0.99])
def test_percentile_and_chance_are_inverse(probability: float) -> None:
    risk = CostRisk(*BUDGET)
    assert risk.chance(risk.percentile(probability)) == pytest.approx(probability, abs=1e-12)


@pytest.mark.parametrize("place", range(4))
def test_a_worse_input_costs_more(place: int) -> None:
    """All three numbers are moved: a higher low alone also narrows the range, up to the high."""
    spreads = [HOURS, PRICE, EFFICIENCY, REWORK]
    step = -0.001 if spreads[place] is EFFICIENCY else 0.001
    low, mode, high = spreads[place]
    spreads[place] = low + step, mode + step, high + step
    for probability in (0.01, 0.5, 0.99):
        worse = train_cost_risk(probability, 64, *spreads, 200, 150)
        assert worse > train_cost_risk(probability, *BUDGET)


def test_fixed_costs_only_shift() -> None:
    for probability in (0.1, 0.9):
        without = train_cost_risk(probability, *BUDGET[:5], 0, 0)
        assert train_cost_risk(probability, *BUDGET) == without + 200 + 150


def test_mean_and_shares_are_those_of_draws() -> None:
    risk = CostRisk(*BUDGET)
    draws = 400_000
    totals = simulate(*BUDGET, draws)
    assert risk.mean == pytest.approx(totals.mean(), abs=4 * totals.std() / math.sqrt(draws))
    # One input let loose at a time around the means: the product form makes that the first order.
    centre = [pert_mean(HOURS), pert_mean(PRICE), mean_of_inverse(EFFICIENCY), pert_mean(REWORK)]
    spreads = (HOURS, PRICE, EFFICIENCY, REWORK)
    for place, share in enumerate(risk.shares):
        only = [spreads[place] if at == place else (centre[at],) * 3 for at in range(4)]
        alone = simulate(64, *only, 200, 150, draws)  # type: ignore[arg-type]
        assert share == pytest.approx(alone.var() / totals.var(), rel=0.02)
    assert 0.97 < sum(risk.shares) < 1


def mean_of_inverse(spread: tuple[float, float, float]) -> float:
    """The value whose inverse is the mean of the inverses."""
    steps = [pert_quantile(spread, (place + 0.5) / 4000) for place in range(4000)]
    return statistics.harmonic_mean(steps)


# --- Its parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.05, 0.25, 0.5, 0.9, 1.0])
def test_pert_has_its_mean_and_variance(share: float) -> None:
    """(low + 4 mode + high)/6, and (mean - low)(high - mean)/7 of the beta with a + b = 6."""
    spread = (10.0, 10 + 20 * share, 30.0)
    values = [pert_quantile(spread, (place + 0.5) / 20_000) for place in range(20_000)]
    mean = (10 + 4 * spread[1] + 30) / 6
    assert pert_mean(spread) == pytest.approx(mean, rel=1e-15)
    assert statistics.fmean(values) == pytest.approx(mean, rel=1e-5)
    variance = statistics.pvariance(values)
    assert variance == pytest.approx((mean - 10) * (30 - mean) / 7, rel=1e-3)


def test_pert_with_whole_shapes_is_a_polynomial() -> None:
    """Beta(3, 3): 10 x^3 - 15 x^4 + 6 x^5; Beta(5, 1): x^5; Beta(2, 4): its binomial tail."""
    exact = {
        3.0: lambda x: 10 * x**3 - 15 * x**4 + 6 * x**5,
        5.0: lambda x: x**5,
        2.0: lambda x: 1 - (1 - x) ** 5 - 5 * x * (1 - x) ** 4,
    }
    for first, chance in exact.items():
        for x in (0.02, 0.1, 0.37, 0.5, 0.81, 0.99):
            assert quantile(first, chance(x)) == pytest.approx(x, abs=1e-5)


@pytest.mark.parametrize("first", [1.0, 1.2, 2.5, 4.9, 5.0])
def test_pert_is_a_distribution_and_its_mirror_image(first: float) -> None:
    chances = cumulative(first)
    assert (chances[0], chances[-1]) == (0, 1)
    assert list(chances) == sorted(chances)
    mirrored = [1 - chance for chance in reversed(cumulative(6 - first))]
    assert chances == pytest.approx(mirrored, abs=1e-12)


def test_which_numbers_rise() -> None:
    assert rises((1, 1, 1)) and rises((0, 1, 2)) and rises((0, 2, 2))  # noqa: PT018
    wrong = [(2, 1, 3), (1, 3, 2), (1, 2), (1, 2, 3, 4), ()]
    assert not any(rises(spread) for spread in wrong)  # type: ignore[arg-type]
    assert [shape((0, mode, 4)) for mode in (0, 1, 2, 4)] == [1, 2, 3, 5]
    assert all((rule.__doc__ or "").startswith(rule.__code__.co_varnames[0]) for rule in RISK_RULES)
    assert [rule(BUDGET[place]) for place, rule in enumerate(RISK_RULES, 1)] == [True] * 4
    assert [rule((3, 2, 1)) for rule in RISK_RULES] == [False] * 4


def test_the_lattice_is_the_best_of_its_kind() -> None:
    assert best_multiplier() == MULTIPLIER


def test_each_coordinate_takes_every_step_once() -> None:
    assert all(sorted(pick(STEPS)) == list(STEPS) for pick in orders())
    points = {tuple(point) for point in zip(*(pick(STEPS) for pick in orders()), strict=True)}
    assert len(points) == len(weights()) == POINTS
    assert math.fsum(weights()) == pytest.approx(1, rel=1e-15)


# --- Draws ---------------------------------------------------------------------------------------


def test_draws_agree_with_the_fixed_points() -> None:
    draws = Draws(simulate(*BUDGET, 250_001))  # the last chunk is of one draw
    assert draws.count == 250_001
    risk = CostRisk(*BUDGET)
    assert risk.low < draws.low < draws.high < risk.high
    for probability in (0.05, 0.5, 0.95):
        error = draws.standard_error(probability)
        assert 0 < error < 0.002 * draws.percentile(probability)
        assert abs(draws.percentile(probability) - risk.percentile(probability)) < 4 * error
        assert draws.chance(draws.percentile(probability)) == pytest.approx(probability, abs=1e-5)


def test_a_seed_gives_the_same_draws() -> None:
    assert simulate(*BUDGET, 1000).tolist() == simulate(*BUDGET, 1000).tolist()
    assert simulate(*BUDGET, 1000, seed=1).tolist() != simulate(*BUDGET, 1000, seed=2).tolist()


def test_draws_of_certain_inputs_are_the_exact_cost() -> None:
    certain = ((120.0,) * 3, (2.5,) * 3, (0.8,) * 3, (0.15,) * 3)
    assert set(simulate(64, *certain, 200, 150, 10).tolist()) == {27950.0}  # type: ignore[arg-type]


def test_the_standard_error_is_that_of_repeated_draws() -> None:
    medians = [Draws(simulate(*BUDGET, 2001, seed=seed)).percentile(0.5) for seed in range(200)]
    claimed = Draws(simulate(*BUDGET, 2001)).standard_error(0.5)
    assert claimed == pytest.approx(statistics.stdev(medians), rel=0.3)


def test_draws_read_like_numpys_quantiles() -> None:
    totals = simulate(*BUDGET, 1001)
    expected = {p: float(numpy.quantile(totals, p)) for p in (0.001, 0.1, 0.3333, 0.9, 0.9999)}
    draws = Draws(totals)
    assert {p: draws.percentile(p) for p in expected} == pytest.approx(expected, rel=1e-12)
    assert [draws.chance(total) for total in (0, draws.high + 1)] == [0, 1]
