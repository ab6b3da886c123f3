"""Seeded edits of a cluster proposal: each gives its one finding, and nothing else above info."""

import pytest

from review.cluster_edits import SEEDS, Seed
from review.clusters import PROPOSAL, filled, proposal
from review.workbooks import above_info, edited, places, put_at, reviewed, said
from scalesheet_workbooks.build import build


def test_the_filled_proposal_has_no_findings() -> None:
    review = reviewed(filled())
    assert said(above_info(review)) == []
    assert review.verdict == "NO OBJECTION"


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_an_edit_gives_its_one_finding(seed: Seed) -> None:
    found = above_info(reviewed(seed.make()))
    assert [(one.rule.id, one.where, one.severity) for one in found] == [
        (seed.rule, seed.where, seed.severity)
    ], said(found)


def test_there_are_enough_seeds() -> None:
    assert len(SEEDS) >= 80
    assert len({seed.name for seed in SEEDS}) == len(SEEDS)


def test_evidence_on_sheets_of_sources_is_read() -> None:
    """Beyond four scenarios owners, sources and dates stand on sheets of their own."""
    many = build(PROPOSAL, proposal(*({"in.people": people} for people in (3e5, 3.1e5, 3.2e5))))
    assert said(above_info(reviewed(many))) == []
    home, row = places(many)["src.gpu_hour_price"]
    assert home == "TermsSources"
    (found,) = above_info(reviewed(edited(put_at(home, f"D{row}", None), data=many)))
    assert (found.rule.id, found.where, found.severity) == ("I240", f"{home}!D{row}", "medium")
