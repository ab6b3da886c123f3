"""A scaling study that comes back: held against its template, its points and the core."""

import pytest

from review.studies import SEEDS, Seed, filled, plausible
from review.workbooks import above_info, edited, put_at, reviewed, said
from workbooks.scaling_studies import at


def test_a_filled_study_has_no_findings_and_gives_assurance() -> None:
    review = reviewed(filled())
    assert said(above_info(review)) == []
    assert review.verdict == "NO OBJECTION"
    assert review.recognised is not None
    assert review.recognised.name == "scaling_study"
    assert review.recount.as_stored == review.recount.formulas > 1500


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_an_edit_gives_its_one_finding(seed: Seed) -> None:
    found = above_info(reviewed(seed.make()))
    assert [(one.rule.id, one.where, one.severity) for one in found] == [
        (seed.rule, seed.where, seed.severity)
    ], said(found)


def test_points_changed_since_are_an_alert_and_no_fault() -> None:
    """The file drops the core's figures by itself when a point changes."""
    review = reviewed(edited(put_at(*at("in.throughput", "point_4"), 690.0), data=filled()))
    assert said(above_info(review)) == []
    assert "chk.stale" in {one.line for one in review.findings if one.rule.id == "R311"}


@pytest.mark.parametrize("seed", range(8))
def test_plausible_studies_have_nothing_above_low(seed: int) -> None:
    review = reviewed(plausible(seed))
    assert [one for one in said(review.findings) if " high " in one or " medium " in one] == []


def test_it_is_recognised_by_its_ids_alone() -> None:
    def nameless(book: object) -> None:
        props = book.custom_doc_props  # type: ignore[attr-defined]
        for name in [prop.name for prop in props.props]:
            del props[name]

    review = reviewed(edited(nameless, data=filled()))
    assert review.recognised is not None
    assert (review.recognised.name, review.recognised.by) == (
        "scaling_study",
        "the ids in column B",
    )
    assert said(above_info(review)) == []
