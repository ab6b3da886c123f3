"""What a proposal means for who decides: figures by hand, and found whatever its own alerts say."""

import pytest

from review.cluster_edits import COMMITTED, covered_thrice, own, typed_over, with_inputs
from review.clusters import cell, changed, filled, put
from review.workbooks import TODAY, above_info, reviewed, said
from scalesheet_workbooks.read import read_bytes
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.decisions import ALERTS
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.remarks import CHECKS, Figures
from scalesheet_workbooks.review.run import Review, review_bytes
from scalesheet_workbooks.review.template import recognise

# 256 GPUs x 3,792 h are 970,752 GPU-hours used, at 2.10 committed and 2.95 beyond; other lines of
# the reserved scenario: tests/review/clusters.py.


def found(review: Review, rule: str) -> Finding:
    (one,) = [one for one in review.findings if one.rule.id == rule]
    return one


def amount(one: Finding) -> float:
    assert one.effect is not None
    assert one.effect.amount is not None
    return one.effect.amount


def case(data: bytes) -> Case:
    book = read_bytes(data)
    recognised = recognise(book)
    assert recognised is not None
    return Case(book, recognised)


def against(now: bytes, before: bytes) -> Review:
    return review_bytes(now, "now.xlsx", TODAY, 0.01, case(before), "before.xlsx")


def test_idle_hours_are_what_the_commitment_costs_beyond_the_use() -> None:
    """1,100,000 committed less 970,752 used are 129,248, at 2.10: 271,420.80."""
    one = found(reviewed(with_inputs(0, committed_gpu_hours=1.1e6)()), "R330")
    assert one.seen == "Reserved of ours: 129,248 of 1,100,000 GPU-hours paid and not used"
    assert amount(one) == pytest.approx(129_248 * 2.10)
    assert one.where == cell(COMMITTED)


def test_overflow_is_paid_at_its_own_price() -> None:
    """970,752 used less 500,000 committed are 470,752, at 0.85 more."""
    one = found(reviewed(with_inputs(0, committed_gpu_hours=5e5)()), "R331")
    assert amount(one) == pytest.approx(470_752 * 0.85)


@pytest.mark.parametrize(
    ("alert", "rule", "make"),
    [
        ("chk.idle_hours", "R330", with_inputs(0, committed_gpu_hours=1.1e6)),
        ("chk.over_budget", "R333", changed(put("in.budget", "E", 2.4e6))),
        (
            "chk.same_risk",
            "I232",
            covered_thrice("yes"),
        ),
    ],
)
def test_an_alert_of_the_file_is_named_and_not_needed(alert: str, rule: str, make: object) -> None:
    """Typed over, the alert is a finding of its own and hides nothing."""
    data = make()  # type: ignore[operator]
    place = cell(alert, "H")
    review = reviewed(data)
    assert f"the file's own alert, {place}, says so" in found(review, rule).consequences
    assert alert not in {one.line for one in review.findings if one.rule.id == "R311"}
    silenced = reviewed(typed_over(alert, data))
    ours = found(silenced, rule)
    assert f"the file's own alert, {place}, does not say so" in ours.consequences
    assert amount(ours) == amount(found(review, rule))
    assert found(silenced, "S101").where == place


def test_every_alert_that_is_named_is_in_the_template() -> None:
    assert set(ALERTS.values()) <= case(filled()).check_places.keys()


def test_every_figure_that_a_remark_reads_is_in_the_template() -> None:
    """A line that the template renames would silence a rule: each is asked for and is there."""
    one = case(own(12.0)())
    asked: set[str] = set()

    class Asking(Figures):
        def __call__(self, line: str) -> float | None:
            asked.add(line)
            return super().__call__(line)

    for scenario in range(one.expected.scenarios):
        for check in CHECKS:
            list(check(Asking(one, scenario)))
    assert len(asked) > 20
    assert asked <= one.expected.ids.keys()


def test_headroom_of_the_total_and_none_of_the_cash() -> None:
    """workbooks.md 7: the own scenario shows headroom while cash exceeds the budget.

    32 nodes x (310,000 + 14,000 x 1.08 + 4,000 + 50,000) are 12,131,840 to buy.
    """
    review = reviewed(own(12.0, budget=6e6, capital_budget=1e6)())
    capital, cash = found(review, "R335"), found(review, "R334")
    assert amount(capital) == pytest.approx(12_131_840 - 1e6)
    assert any("of the budget and the cash does not" in text for text in cash.consequences)
    assert (capital.severity, cash.severity) == ("medium", "medium")
    assert "R333" not in {one.rule.id for one in review.findings}
    assert review.verdict == "QUESTIONS BEFORE APPROVAL"


def test_a_programme_shorter_than_the_life_of_what_is_bought() -> None:
    """Servers: 32 x 329,120 less 256 x 4,000 residual over 48 months; facility: 1,600,000 over 144.

    After 12 months (10,531,840 - 1,024,000) / 4 + 1,600,000 / 12 is written off.
    """
    one = found(reviewed(own(12.0)()), "R336")
    written_off = (32 * 329_120 - 1_024_000) / 4 + 1_600_000 / 12
    assert amount(one) == pytest.approx(12_131_840 - written_off)
    assert "12 months of programme, 48 of useful life" in one.seen
    assert one.severity == "low"


def test_what_is_bought_for_its_whole_life_is_no_remark() -> None:
    rules = {one.rule.id for one in reviewed(own(36.0, life_years=3.0)()).findings}
    assert "R336" not in rules
    unusual = found(reviewed(own(36.0, life_years=2.0)()), "I204")
    assert "36 months of programme, 24 of useful life" in "".join(unusual.consequences)


def test_the_smallest_of_three_reserves_is_the_money() -> None:
    """Without failures (4 % of the time) 3,640 h are billed, and all that is used is committed, so
    nothing changes; contingency of 8 % is the smallest that moves the total of on demand."""
    one = found(reviewed(covered_thrice("yes")()), "I232")
    total = 3_389_379.0 * 1.08
    without_waste = 256 * 3640 * 2.95 - 256 * 3792 * 2.95
    assert amount(one) == pytest.approx(-without_waste * 1.08)
    assert one.effect is not None
    assert one.effect.total == pytest.approx(total)


def test_reserves_that_are_kept_apart_are_no_remark() -> None:
    """The Cover says whether contingency covers failures and rework too; no word is no answer."""
    assert "I232" not in {one.rule.id for one in reviewed(covered_thrice("no")()).findings}
    assert found(reviewed(covered_thrice(None)()), "I232").severity == "low"


def test_the_cheaper_scenario_is_named() -> None:
    one = found(reviewed(changed(put("in.live_scenario", "E", 2))()), "R337")
    assert one.seen == "On demand of ours: Reserved of ours costs 825,139 less"
    assert amount(one) == pytest.approx(3_389_379 - 2_564_239.8)


def test_scenarios_of_other_work_are_not_compared() -> None:
    """Half the work costs less, and is no alternative."""
    review = reviewed(with_inputs(1, total_gpu_hours=3e5)())
    assert not {"R337", "R338"} & {one.rule.id for one in review.findings}


def test_what_flips_the_decision_is_the_smallest_change() -> None:
    """At 2.78 reserved costs 970,752 x 0.17 less, 165,027.84.

    A tenth less efficiency bills 4,213 h, 107,776 GPU-hours beyond the commitment at 2.95: 317,939.
    So 5.2 % less is enough.
    """
    one = found(reviewed(changed(put("in.gpu_hour_price", "E", 2.78))()), "R338")
    assert "-5.2% makes On demand of ours cheaper" in one.seen
    assert amount(one) == pytest.approx(165_027.84)


def test_what_follows_from_a_doubtful_input_is_nested_under_it() -> None:
    """A price of an instance (C01) takes on demand beyond every budget: one thing to mend."""
    (one,) = above_info(reviewed(changed(put("in.gpu_hour_price", "F", 55.04))()))
    assert one.rule.id == "I221"
    assert any(text.startswith("Total above the approved budget") for text in one.consequences)


# --- The log -------------------------------------------------------------------------------------


def test_a_change_without_a_new_row_in_the_log() -> None:
    """300,007 for people become 400,000: 99,993 more, 3.9 % of the total."""
    now = changed(put("in.people", "E", 400_000))()
    one = found(against(now, filled()), "I243")
    assert (one.where, one.severity) == (cell("log.2", "C"), "medium")
    assert one.seen.startswith("the total of Reserved of ours changed by +99,993.00, and the log")


def test_a_change_that_the_log_tells_is_none() -> None:
    told = (
        put("log.2", "C", "0.2"),
        put("log.2", "E", "A. Owner"),
        put("log.2", "F", "one more person"),
    )
    review = against(changed(put("in.people", "E", 400_000), *told)(), filled())
    assert said(above_info(review)) == []


def test_a_save_alone_needs_no_row_in_the_log() -> None:
    assert said(above_info(against(changed()(), filled()))) == []


def test_the_sign_off_that_is_whole_is_no_finding() -> None:
    cells = {"D": "C. Officer", "F": 46_350, "G": "approved"}
    edits = [put("in.sign_4", column, value) for column, value in cells.items()]
    edits.append(put("in.recomputed_result", "E", "no objection"))
    assert said(above_info(reviewed(changed(*edits)()))) == []
