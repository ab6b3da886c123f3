"""The backtest reaches its targets, reproduces what was measured before, and learns nothing it may
not."""

import math
import random
from statistics import median

import pytest

from scalesheet.calibration import fit
from scalesheet.calibration.backtest import (
    FORECASTERS,
    OURS,
    SEED_CONSTANTS,
    TASKS,
    Miss,
    Score,
    backtest,
    forecasts,
    score,
    scores,
)
from scalesheet.calibration.models import ALPHA_BETA, AMDAHL, USL
from scalesheet.calibration.plain_fits import fit_model
from scalesheet.calibration.robustness import (
    BY_GPUS,
    HELD_OUT,
    MLPERF,
    NESTED,
    elsewhere,
    nested,
    nested_held_out,
    paired,
)
from scalesheet.measurements import backtest_series, holdout_series

LARGEST, FIRST_2, FIRST_3 = (task.name for task in TASKS)


@pytest.fixture(scope="module")
def table() -> dict[tuple[str, str], Score]:
    return {(row.model, row.task): row for row in scores(backtest())}


# --- The targets of issue 6, in %; reached: 1.19/6.6/0.72, 86 % in 8.7, 2.03 and 1.40 ------------


def test_the_largest_size_is_forecast_within_the_targets(
    table: dict[tuple[str, str], Score],
) -> None:
    ours = table[OURS, LARGEST]
    assert ours.count == 111
    assert ours.median <= 0.015
    assert ours.p90 <= 0.07
    assert ours.family_median <= 0.014
    assert ours.inside is not None
    assert 0.75 <= ours.inside <= 0.88
    assert ours.median_width is not None
    assert ours.median_width <= 0.12


def test_two_and_three_sizes_are_enough_for_the_targets(
    table: dict[tuple[str, str], Score],
) -> None:
    assert table[OURS, FIRST_2].median <= 0.025
    assert table[OURS, FIRST_3].median <= 0.015


# --- What was measured before: scaling.md, "Which model predicts" --------------------------------


@pytest.mark.parametrize(
    ("model", "largest", "first_2", "first_3"),
    [
        ("no loss", (6.5, 18, 6.9), (7.6, 19, 8.5), (6.3, 16, 6.8)),
        ("seed linear", (7.4, 30, 6.4), (12.1, 42, 11.3), (6.8, 33, 5.9)),
        ("Amdahl", (6.8, 20, 4.9), (9.4, 35, 10.6), (6.1, 20, 5.3)),
        ("USL", (6.7, 22, 4.7), (9.4, 35, 10.6), (7.4, 40, 6.4)),
        ("power", (2.9, 13, 2.7), (4.5, 14, 5.3), (2.7, 9.4, 2.4)),
        ("alpha-beta", (2.3, 7.8, 2.2), (3.5, 11, 5.3), (3.5, 11, 3.2)),
        ("step time", (1.35, 6.4, 1.3), (2.3, 9.1, 2.7), (1.35, 5.2, 1.2)),
    ],
)
def test_the_plain_models_come_out_as_before(
    table: dict[tuple[str, str], Score],
    model: str,
    largest: tuple[float, float, float],
    first_2: tuple[float, float, float],
    first_3: tuple[float, float, float],
) -> None:
    for task, printed in zip((LARGEST, FIRST_2, FIRST_3), (largest, first_2, first_3), strict=True):
        row = table[model, task]
        for found, shown in zip((row.median, row.p90, row.family_median), printed, strict=True):
            half_a_digit = 0.5 if shown >= 10 else 0.1
            assert 100 * found == pytest.approx(shown, abs=half_a_digit)


def test_the_seed_as_it_stands_misses_large_sizes() -> None:
    # scaling.md: at 16 nodes and more a median 42 %, and 9.5 % for no loss at all (43 % here: the
    # seed's class of each fabric is a choice).
    large = [miss for miss in backtest() if miss.nodes >= 16 and miss.task == LARGEST]
    seed = [miss.error for miss in large if miss.model == SEED_CONSTANTS]
    assert median(seed) == pytest.approx(0.42, abs=0.02)


# --- Nothing is learned from what is forecast ----------------------------------------------------


def test_a_forecast_sees_only_the_sizes_given() -> None:
    seen = []

    def spy(series: object, given: object, nodes: float) -> tuple[float, None, None]:
        seen.append((given, nodes))
        return 1.0, None, None

    series = backtest_series()[:3]
    forecasts(series, "spy", spy)
    for given, nodes in seen:
        assert all(size < nodes for size, _ in given)


def test_the_prior_chosen_on_other_families_does_as_well() -> None:
    """Reached 1.28/6.6/1.44, 2.16 and 1.51, 89 % inside; the guard leaves room.

    The held-out publishers have a say in the choice, and they lose more with nodes.
    """
    rows = {row.task: row for row in scores(nested())}
    assert rows[LARGEST].model == NESTED
    assert {task: row.count for task, row in rows.items()} == {
        LARGEST: 111,
        FIRST_2: 111,
        FIRST_3: 51,
    }
    assert rows[LARGEST].median <= 0.015
    assert rows[LARGEST].p90 <= 0.08
    assert rows[LARGEST].family_median <= 0.015
    assert rows[FIRST_2].median <= 0.025
    assert rows[FIRST_3].median <= 0.02
    assert rows[LARGEST].inside is not None
    assert rows[LARGEST].inside >= 0.75


# --- Other regimes -------------------------------------------------------------------------------


@pytest.mark.parametrize(("regime", "count", "inside"), [(MLPERF, 15, 0.7), (BY_GPUS, 161, 0.6)])
def test_elsewhere_no_model_is_much_nearer(regime: str, count: int, inside: float) -> None:
    """Reached 24.3 % and 2.31 %; the best of the others: power 22.3 %, step time 2.30 %, each of
    them far off in the other regime."""
    rows = {row.model: row for row in scores(elsewhere()[regime])}
    ours = rows.pop(OURS)
    assert ours.count == count
    assert ours.median <= min(row.median for row in rows.values()) * 1.1
    assert ours.inside is not None
    assert ours.inside >= inside


def test_on_publishers_held_out_ours_is_nearest() -> None:
    """Reached 2.77/23.6/3.90; alpha-beta 3.07/25.2/3.95, Amdahl 4.97/25.9/5.87, USL 6.05/22.0/6.80.

    Before any of them was looked at, and with two levels of noise, it was 3.35/24.4/4.80.
    """
    rows = {row.model: row for row in scores(elsewhere()[HELD_OUT])}
    ours = rows.pop(OURS)
    assert ours.count == len(holdout_series()) == 43
    assert ours.median <= min(row.median for row in rows.values())
    assert ours.family_median <= min(row.family_median for row in rows.values()) * 1.05
    assert ours.p90 <= min(row.p90 for row in rows.values()) * 1.1
    assert ours.inside is not None
    assert ours.inside >= 0.69


def test_the_prior_chosen_without_the_publisher_does_as_well_there() -> None:
    """Reached 2.50/24.7/3.90, 70 % inside."""
    held_out = {one.family for one in holdout_series()}
    row = next(row for row in scores(nested_held_out()) if row.task == LARGEST)
    assert {miss.family for miss in nested_held_out()} == held_out
    assert row.count == 43
    assert row.median <= 0.03
    assert row.p90 <= 0.26
    assert row.family_median <= 0.045
    assert row.inside is not None
    assert row.inside >= 0.69


def simulated(seed: int) -> list[list[tuple[int, float]]]:
    """Series to 128 nodes: a loss at once and one that grows in some shape, noise 0.5-3 %."""
    draw = random.Random(seed)
    grows = (lambda n: n - 1, lambda n: math.sqrt(n) - 1, math.log, lambda n: n * (n - 1))
    ladders = (
        (1, 2, 4, 8, 16, 32, 64, 128),
        (1, 2, 4, 8, 16),
        (8, 16, 32, 64, 128),
        (1, 4, 16, 64),
    )
    series = []
    for nodes in ladders * 30:
        largest, shape, noise = nodes[-1], draw.choice(grows), draw.uniform(0.005, 0.03)
        loss = 1 / draw.uniform(0.35, 0.97) - 1
        at_once = loss * draw.random()

        growing = loss - at_once
        times = [
            1
            + at_once * (n - 1) / n * largest / (largest - 1)
            + growing * shape(n) / shape(largest)
            for n in nodes
        ]
        series.append(
            [
                (n, n / time * math.exp(draw.gauss(0, noise)))
                for n, time in zip(nodes, times, strict=True)
            ]
        )
    return series


def test_on_simulated_regimes_nearer_than_each_plain_model() -> None:
    """Reached a median of 3.9 %: alpha-beta 5.1, Amdahl 16, USL 16."""
    series = simulated(20_261)

    def middle(forecast: object) -> float:
        return median(
            abs(forecast(sizes[:-1]).throughput(sizes[-1][0]) / sizes[-1][1] - 1)
            for sizes in series
        )

    ours = middle(fit)
    for model in (ALPHA_BETA, AMDAHL, USL):
        assert ours <= middle(lambda sizes, model=model: fit_model(model, sizes)) * 1.05
    inside = [
        forecast.low <= sizes[-1][1] <= forecast.high
        for sizes in series
        for forecast in [fit(sizes[:-1]).forecast(sizes[-1][0])]
    ]
    assert sum(inside) >= 0.7 * len(inside)


def test_paired_differences_by_family(table: dict[tuple[str, str], Score]) -> None:
    """Over families ours is nearer than alpha-beta, and the bootstrap agrees on the sign."""

    def of(model: str) -> list[Miss]:
        return [miss for miss in backtest() if miss.model == model and miss.task == LARGEST]

    found = paired(of(OURS), of("alpha-beta"))
    assert found.families == 5
    assert found.low <= found.difference <= found.high < 0
    assert paired(of(OURS), of(OURS)).difference == 0
    assert paired(of(OURS), of("alpha-beta")) == found


# --- The table -----------------------------------------------------------------------------------


def miss(family: str, log_error: float, below: float | None = None) -> Miss:
    above = None if below is None else -below
    return Miss("s", family, "c", LARGEST, "m", 2, 4, 1.0, log_error, below, above)


def test_a_row_of_the_table() -> None:
    errors = [0.01, 0.02, 0.03, 0.30]
    families = ["a", "a", "a", "b"]
    row = score(
        [
            miss(family, -math.log1p(error), -0.05)
            for family, error in zip(families, errors, strict=True)
        ]
    )
    assert row.median == pytest.approx(0.025)
    assert row.p90 == pytest.approx(0.03 + 0.7 * 0.27)
    assert row.family_median == pytest.approx((0.02 + 0.30) / 2)
    assert row.inside == 0.75
    assert row.median_width == pytest.approx(math.exp(0.05) - math.exp(-0.05))


def test_the_table_has_every_model_and_class() -> None:
    models = {row.model for row in scores(backtest())}
    assert models == set(FORECASTERS)
    groups = {row.group for row in scores(backtest(), by=lambda miss: miss.fabric_class)}
    assert groups == {one.fabric_class for one in backtest_series()}


def test_only_models_with_a_band_claim_one() -> None:
    for row in scores(backtest()):
        assert (row.inside is not None) == (row.model == OURS)
