"""One cause, one root: what fails or cannot be told because of it is nested below it."""

import pytest

from review import clusters
from review.clusters import put
from review.workbooks import above_info, edited, reviewed, said
from scalesheet_workbooks.review.checks import failing_checks
from scalesheet_workbooks.review.placeholders import is_placeholder

RESULT_OF_IT = ("R305", "R310", "R311", "R320")


@pytest.mark.parametrize(
    "line",
    ["in.support", "in.credits", "in.waste", "in.stored_price", "in.payment_months", "in.gpus"],
)
def test_an_emptied_input_is_the_only_root(line: str) -> None:
    """Its checks fail and its totals are undetermined: said below it, and no alert is raised."""
    review = reviewed(edited(put(line, "F", None), data=clusters.filled()))
    assert [(one.rule.id, one.where) for one in above_info(review)] == [
        ("I203", clusters.cell(line, "F"))
    ]
    before = set(said(reviewed(clusters.filled()).findings))
    result = [one for one in said(review.findings) if one.startswith(RESULT_OF_IT)]
    assert set(result) <= before
    (root,) = above_info(review)
    assert any(text.startswith("checks fail: ") for text in root.consequences)


def test_an_optional_input_that_is_emptied_is_none() -> None:
    review = reviewed(edited(put("in.authority_limit", "E", None), data=clusters.filled()))
    assert said(above_info(review)) == []


def test_a_day_typed_as_text_is_read() -> None:
    review = reviewed(edited(put("in.people", "M", "2026-11-02"), data=clusters.filled()))
    assert said(above_info(review)) == []
    (old,) = above_info(
        reviewed(edited(put("in.people", "M", "2025-11-02"), data=clusters.filled()))
    )
    assert old.rule.id == "I241"


def test_the_input_that_makes_the_work_too_long_is_named_with_what_the_others_have() -> None:
    (one,) = above_info(reviewed(edited(put("in.gpus", "F", 32), data=clusters.filled())))
    assert one.expected == "256 in the other scenarios, and the hours would fit"
    assert "checks fail: chk.fits" in one.consequences


def test_no_check_fails_in_the_filled_proposal() -> None:
    from review.test_bridge import case

    assert failing_checks(case(clusters.filled())) == {}


@pytest.mark.parametrize("text", ["TBD", "t.b.d.", "?", "n/a", "-", "xxx", "See above"])
def test_words_that_say_nothing(text: str) -> None:
    assert is_placeholder(text)
    assert not is_placeholder(f"{text} of the quote 17 of Example Cloud")
