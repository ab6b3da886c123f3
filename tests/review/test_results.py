"""Recomputation: three states of a formula, the core beside the engine, what no root explains."""

import re
from io import BytesIO

import openpyxl
import pytest

from review.workbooks import (
    TODAY,
    above_info,
    at,
    edited,
    filled,
    packed,
    parts_of,
    put,
    reviewed,
    sheet_part,
    with_value,
)
from scalesheet_workbooks.read import read_bytes
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.results import recalculated, result_findings
from scalesheet_workbooks.review.run import review_bytes
from scalesheet_workbooks.review.template import recognise


def case(data: bytes) -> Case:
    book = read_bytes(data)
    recognised = recognise(book)
    assert recognised is not None
    return Case(book, recognised)


def without_values(data: bytes, *sheets: str) -> bytes:
    """A file whose formulas store nothing on some sheets."""
    parts = parts_of(data)
    for sheet in sheets:
        name = sheet_part(sheet)
        text = re.sub(r"(</f>)<v>[^<]*</v>", r"\1", parts[name].decode())
        parts[name] = text.encode()
    return packed(parts)


def test_three_states_of_a_formula() -> None:
    """Case A01: as stored, out of date, not stored; all three in one file."""
    data = without_values(with_value(*at("calc.train_cost"), 20000), "Efficiency")
    counts = recalculated(case(data)).counts
    assert counts.formulas == counts.as_stored + counts.stale + counts.not_stored
    assert counts.stale == 1
    assert counts.not_stored > 50
    assert counts.as_stored > 200


def test_a_missing_value_is_never_zero() -> None:
    """Cases A01 and A02: the total is calculated, and that it was not stored is said once."""
    review = reviewed(without_values(filled(), "Calc", "Efficiency", "Cover"))
    assert [total.stated for total in review.totals] == [None] * 3
    assert [total.recomputed for total in review.totals] == [
        total.recomputed for total in reviewed(filled()).totals
    ]
    assert [one.rule.id for one in review.findings] == ["R302"]


def test_both_values_of_a_stale_total_are_shown() -> None:
    (found,) = reviewed(with_value(*at("calc.train_cost"), 20000)).findings
    assert found.seen == "stored 20,000, calculated 27,957"
    assert found.effect is not None
    assert found.effect.amount == pytest.approx(-7957)


def test_the_core_and_the_engine_agree_on_every_call() -> None:
    counted = recalculated(case(filled()))
    assert counted.counts.by_core > 20
    assert counted.core == []


def test_a_disagreement_of_the_core_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from scalesheet_workbooks.review import core

    right = core.answer
    monkeypatch.setattr(core, "answer", lambda *given: right(*given) * 1.001)  # type: ignore[operator]
    found = review_bytes(filled(), "x", TODAY).findings
    assert {one.rule.id for one in found} == {"R303"}
    assert {one.severity for one in found} == {"high"}


def test_what_no_root_explains_is_found() -> None:
    """The same edit with its root held back: total, checks and errors speak for themselves."""
    for value, ids in ((1000, {"R304", "R310"}), ("=1/0", {"R305", "R310", "R320"})):
        one = case(edited(put("calc.rework_cost", "E", value)))
        found = result_findings(one, recalculated(one), {}, set())
        assert {finding.rule.id for finding in found} - {"R302"} == ids


def test_alerts_are_said_as_info() -> None:
    review = reviewed(edited(put("in.efficiency", "E", 0.6)))
    assert [(o.rule.id, o.severity, o.line) for o in review.findings if o.rule.id != "R302"] == [
        ("R311", "info", "chk.low_efficiency")
    ]


def test_consequences_are_nested_under_their_root() -> None:
    (found,) = [
        one
        for one in reviewed(edited(put("calc.rework_cost", "E", 1000))).findings
        if one.severity != "info"
    ]
    assert found.rule.id == "S101"
    assert any("1 total among them" in text for text in found.consequences)
    assert any("chk.overhead" in text for text in found.consequences)


def test_effects_are_what_restoring_changes() -> None:
    """27,957 with 3,600 of rework: typing 1,000 takes 2,600 off."""
    (found,) = [
        one
        for one in reviewed(edited(put("calc.rework_cost", "E", 1000))).findings
        if one.severity != "info"
    ]
    assert found.effect is not None
    assert found.effect.scenario == "Baseline 64 of ours"
    assert found.effect.amount == pytest.approx(-2600)
    assert found.effect.share == pytest.approx(2600 / 27957)


def _on_the_cover() -> tuple[str, float]:
    """The cell of the Cover that shows the first scenario's total, and that."""
    book = openpyxl.load_workbook(BytesIO(filled()), data_only=True)
    sheet, address = at("calc.train_cost")
    total = book[sheet][address].value
    cells = (cell for row in book["Cover"].iter_rows() for cell in row)
    return next((cell.coordinate, total) for cell in cells if cell.value == total)


def test_a_total_stored_wrong_on_the_cover_weighs_as_the_total() -> None:
    """A preview and a print show what is stored."""
    address, total = _on_the_cover()
    (one,) = above_info(reviewed(with_value("Cover", address, total * 0.75)))
    assert (one.rule.id, one.severity, one.where) == ("R301", "high", f"Cover!{address}")
    assert one.effect is not None
    assert one.effect.amount == pytest.approx(-0.25 * total)


@pytest.mark.parametrize("code", ['"99,000"', '"$ 99"0', '"99,000";"1"'])
def test_a_format_that_shows_another_figure(code: str) -> None:
    address, _ = _on_the_cover()

    def dress(book: openpyxl.Workbook) -> None:
        book["Cover"][address].number_format = code

    (one,) = above_info(reviewed(edited(dress)))
    assert (one.rule.id, one.severity, one.where) == ("S113", "high", f"Cover!{address}")


def test_white_figures_are_hidden_ones() -> None:
    def dress(book: openpyxl.Workbook) -> None:
        sheet, address = at("calc.train_cost")
        book[sheet][address].number_format = "[White]#,##0"

    (one,) = above_info(reviewed(edited(dress)))
    assert (one.rule.id, one.where) == ("S130", "!".join(at("calc.train_cost")))
