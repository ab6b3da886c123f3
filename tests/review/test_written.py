"""Figures that the core wrote into a proposal: computed again, found where they were changed."""

from dataclasses import replace
from functools import cache

import pytest

from review import clusters
from review.clusters import PROPOSAL
from review.workbooks import above_info, edited, places, put_at, reviewed, said
from scalesheet_workbooks.build import build
from scalesheet_workbooks.inputs import MEASURED
from scalesheet_workbooks.scenarios import shipped


@cache
def filled() -> bytes:
    """On demand, with the efficiency from the core's fit of measured points, and with ranges."""
    study, example = clusters.proposal(), shipped(PROPOSAL).scenarios[0]
    values = {
        **study.scenarios[1].values,
        "in.efficiency_method": MEASURED,
        **{key: value for key, value in example.values.items() if "measured" in key},
        "in.fabric_class": "other",
    }
    case = replace(study.scenarios[1], values=values, risk=example.risk, measured=example.measured)
    return build(PROPOSAL, replace(study, scenarios=(case,)))


def at(line: str) -> tuple[str, str]:
    sheet, row = places(filled())[line]
    return sheet, f"E{row}"


def test_what_the_core_wrote_is_found_to_be_its_own() -> None:
    review = reviewed(filled())
    assert said(above_info(review)) == []
    assert review.totals[0].recomputed == pytest.approx(3.3e6, rel=0.1)


@pytest.mark.parametrize(
    ("line", "value", "severity"),
    [
        ("fit.written_efficiency", 0.99, "high"),
        ("fit.written_low", 0.2, "medium"),
        ("risk.written_p50", 3e6, "medium"),
        ("risk.written_p90", 3.1e6, "medium"),
    ],
)
def test_a_figure_of_the_core_that_was_typed_over(line: str, value: float, severity: str) -> None:
    """The fitted efficiency moves the total, a percentile is only what is said of it."""
    (one,) = above_info(reviewed(edited(put_at(*at(line), value), data=filled())))
    assert (one.rule.id, one.where, one.severity) == ("R307", "!".join(at(line)), severity)
    assert (one.effect is not None) == (line == "fit.written_efficiency")


def test_ranges_changed_since_are_no_fault_of_the_figures() -> None:
    """The file drops the percentiles by itself, for its mark no longer fits."""
    review = reviewed(edited(put_at(*at("in.rework_high"), 0.4), data=filled()))
    assert "R307" not in {one.rule.id for one in review.findings}
    assert said(above_info(review)) == []
