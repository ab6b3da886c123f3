"""The capital charge of OWNED_GPU_HOUR against annuities that others wrote."""

import random

import numpy_financial
import pytest

from engines import ENGINES, evaluate
from scalesheet.ownership import HOURS_PER_YEAR, MONTHS_PER_YEAR, owned_gpu_hour

SETS = 200
RNG = random.Random("annuity")
CASES = [
    (
        capital := round(RNG.uniform(1_000, 500_000), 2),
        round(RNG.uniform(0, 1) * capital, 2),
        RNG.choice((1.0, 2.5, 3.0, 4.0, 5.0, 7.0)),
        RNG.choice((0.0, 0.005, 0.04, 0.085, 0.12, 0.2, 1.0)),
    )
    for _ in range(SETS)
]
"""Capital, residual, years and yearly rate."""


def charge(case: tuple[float, float, float, float]) -> float:
    """What one month costs, by the function: no power, no running cost."""
    return owned_gpu_hour(*case, 0, 1, 0, 0) * HOURS_PER_YEAR / MONTHS_PER_YEAR


def test_numpy_financial_agrees() -> None:
    for capital, residual, years, rate in CASES:
        monthly = (1 + rate) ** (1 / 12) - 1
        expected = numpy_financial.pmt(monthly, 12 * years, -capital, residual)
        assert charge((capital, residual, years, rate)) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_pmt_agrees(engine: str) -> None:
    formulas = [
        f"=PMT((1+{rate!r})^(1/12)-1,12*{years!r},-{capital!r},{residual!r})"
        for capital, residual, years, rate in CASES
    ]
    for case, found in zip(CASES, evaluate(engine, formulas), strict=True):
        assert isinstance(found, float), (case, found)
        assert charge(case) == pytest.approx(found, rel=1e-11), case
