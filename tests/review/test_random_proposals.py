"""Random proposals: filled with care they raise no question, and bridges between them add up.

``--proposals N`` tries N of each kind; without it a small sample is tried.
"""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from review import clusters, workbooks
from review.test_bridge import CENT, adds_up, case
from review.workbooks import reviewed, said
from scalesheet_workbooks.build import build
from scalesheet_workbooks.review.bridge import compared
from scalesheet_workbooks.study import Study

Make = Callable[[int], Study]
MAKERS: dict[str, Make] = {
    workbooks.BUDGET: workbooks.plausible,
    clusters.PROPOSAL: clusters.plausible,
}
SAMPLE = {workbooks.BUDGET: (40, 20), clusters.PROPOSAL: (10, 6)}
"""For each template how many files, and how many pairs, are tried."""
OTHER = 500
"""From the seed of a proposal to that of the one whose inputs are mixed into it."""
MIXED = (
    *("in.gpu_hour_price", "in.rework", "in.storage", "in.egress", "in.gpus", "in.people"),
    *("in.contingency", "in.committed_gpu_hours", "in.waste", "in.efficiency", "in.node_price"),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    asked = metafunc.config.getoption("proposals")
    place = int("bridge" in metafunc.function.__name__)
    cases = [
        (name, seed)
        for name, counts in SAMPLE.items()
        for seed in range(asked if asked is not None else counts[place])
    ]
    metafunc.parametrize(("template", "seed"), cases, ids=[f"{n}-{s}" for n, s in cases])


def test_a_plausible_proposal_has_nothing_above_low(template: str, seed: int) -> None:
    review = reviewed(build(template, MAKERS[template](seed)))
    assert [one for one in said(review.findings) if " high " in one or " medium " in one] == []


def pair(make: Make, seed: int) -> tuple[Study, Study]:
    """A proposal and the next one: the same scenarios with some inputs of another."""
    random_ = random.Random(1000 + seed)
    before, other = make(seed), make(seed + OTHER)
    scenarios = []
    for place, scenario in enumerate(before.scenarios):
        donor = other.scenarios[place % len(other.scenarios)].values
        known = [key for key in MIXED if key in donor and key in scenario.values]
        if random_.random() < 0.5:
            values = dict(donor)
        else:
            chosen = random_.sample(known, random_.randint(0, 4))
            values = {**scenario.values, **{key: donor[key] for key in chosen}}
        scenarios.append(replace(scenario, values=values))
    return before, replace(before, scenarios=tuple(scenarios))


def test_a_bridge_adds_up_to_the_cent(template: str, seed: int) -> None:
    before, now = pair(MAKERS[template], seed)
    old, new = case(build(template, before)), case(build(template, now))
    found = compared(old, new, "before.xlsx").bridges
    changed = sum(
        abs(a - b) > CENT  # type: ignore[operator]
        for a, b in zip(old.recomputed, new.recomputed, strict=True)
    )
    assert len(found) >= changed
    assert all(adds_up(bridge) for bridge in found)
    moved = [bar for bridge in found for bar in bridge.bars if abs(bar.amount or 0.0) > CENT]
    assert all(bar.changes for bar in moved)
