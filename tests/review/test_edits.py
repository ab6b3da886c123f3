"""Seeded edits: each gives exactly its one finding, at its cell, and nothing else above info."""

import pytest

from review.edits import SEEDS, Seed
from review.workbooks import above_info, reviewed, said
from scalesheet_workbooks.review.rules import RULES

NOT_SEEDED = {
    "S121",  # info: names lost by LibreOffice, in test_clean
    "S131",  # info: hidden cells that feed nothing
    "S143",  # beside S102 in a formula of the template
    "S151", "S152", "S154", "S160", "S161", "S162", "S165",  # info: test_notices
    "S171",  # 1904 dates: test_bad_files
    "S190", "R321", "R322",  # foreign workbooks: test_generic
    "I213", "I218", "R324", "R325", "R326", "R327", "R328",
    "R329",  # foreign workbooks: test_foreign_books
    "R323",  # a function of another program: test_user_cases
    "R302",  # info: files saved by openpyxl, in test_clean
    "R303",  # a fault of ours
    "I214", "I215", "I216", "I217",  # test_amounts
    "I224", "I225", "I226", "I233", "I234", "I245", "R339",  # test_economics
    "I209", "I222", "I223", "I244",  # of a cluster proposal: test_cluster_edits
    "I232", "I242", "I243", "R330", "R331", "R332", "R333", "R334", "R335", "R336", "R337",
    "R338",  # of a cluster proposal: test_cluster_edits, test_decisions
    "R306", "R307",  # function check and scaling study: test_clean, test_scaling_study
    "R304", "R305", "R310", "R311", "R320",  # what no root explains: test_results
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_an_edit_gives_its_one_finding(seed: Seed) -> None:
    found = above_info(reviewed(seed.make()))
    assert [(one.rule.id, one.where, one.severity) for one in found] == [
        (seed.rule, seed.where, seed.severity)
    ], said(found)


def test_there_are_enough_seeds_and_each_rule_has_one() -> None:
    assert len(SEEDS) >= 60
    assert {seed.rule for seed in SEEDS} | NOT_SEEDED == set(RULES)
    assert not {seed.rule for seed in SEEDS} & NOT_SEEDED
