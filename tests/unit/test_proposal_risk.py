"""Whether a stored figure is a percentile: told without the search for the percentile."""

import pytest

from scalesheet.lattice import POINTS
from scalesheet.risk import cost_risk
from scalesheet_workbooks.proposal_risk import SumRisk, TotalRisk

WORK = [10.0 + place / POINTS for place in range(POINTS)]
DISTRIBUTIONS = {
    "product": cost_risk(8, (10, 20, 30), (2, 3, 5), (0.7, 0.8, 0.9), (0, 0.1, 0.3), 5, 0),
    "sum": SumRisk(WORK, 2.0, (1, 2, 3)),
    "sum with a price that is certain": SumRisk(WORK, 2.0, (2, 2, 2)),
    "certain": cost_risk(8, (10, 10, 10), (2, 2, 2), (1, 1, 1), (0, 0, 0), 5, 0),
}


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_percentile_is_told_from_its_neighbours(name: str, probability: float) -> None:
    risk = TotalRisk(DISTRIBUTIONS[name], 7.0, 1.1)
    total = risk.percentile(probability)
    assert risk.is_percentile(total, probability, 1e-9)
    assert risk.is_percentile(total * (1 + 5e-10), probability, 1e-9)
    assert not risk.is_percentile(total * 1.001, probability, 1e-9)
    assert not risk.is_percentile(total * 0.999, probability, 1e-9)
