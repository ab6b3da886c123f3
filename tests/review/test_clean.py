"""Files in which nothing is wrong: as built, saved again by other programs, filled with care.

A false finding costs a reviewer's trust, so these tests count for as much as those of edits.
"""

from pathlib import Path

import formulon
import openpyxl
import pytest

from rendering import convert
from review.workbooks import (
    BUDGET,
    above_info,
    edited,
    filled,
    put_at,
    reviewed,
    said,
    shifted,
)
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.review.run import Review
from workbooks.budgets import EIGHT


def by_libreoffice(data: bytes, folder: Path) -> bytes:
    path = folder / "file.xlsx"
    path.write_bytes(data)
    (folder / "out").mkdir()
    return convert(path, folder / "out", "xlsx").read_bytes()


def by_formulon(data: bytes, folder: Path) -> bytes:
    with formulon.Workbook.load(data) as book:
        book.recalc()
        return bytes(book.save())


def by_openpyxl(data: bytes, folder: Path) -> bytes:
    return edited(data=data)


SAVED_BY = {
    "libreoffice": by_libreoffice,
    "formulon": by_formulon,
    "openpyxl": by_openpyxl,
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_fresh_template_has_nothing_above_info(name: str) -> None:
    review = reviewed(build(name))
    assert said(above_info(review)) == []
    assert review.verdict == "NO OBJECTION"
    assert review.recount.stale == review.recount.not_stored == review.recount.core_differs == 0
    assert review.recount.as_stored == review.recount.formulas > 0


@pytest.mark.parametrize("program", SAVED_BY)
@pytest.mark.parametrize("name", TEMPLATES)
def test_saved_again_it_has_nothing_above_info(name: str, program: str, tmp_path: Path) -> None:
    review = reviewed(SAVED_BY[program](build(name), tmp_path))
    assert said(above_info(review)) == []


@pytest.mark.parametrize("program", SAVED_BY)
def test_the_verdict_on_a_filled_file_is_the_same_when_saved_again(
    program: str, tmp_path: Path
) -> None:
    before = reviewed(filled())
    after = reviewed(SAVED_BY[program](filled(), tmp_path))
    assert said(above_info(after)) == said(above_info(before)) == []
    assert [total.recomputed for total in after.totals] == pytest.approx(
        [total.recomputed for total in before.totals], rel=1e-12
    )


@pytest.mark.parametrize("program", SAVED_BY)
def test_an_edit_is_found_the_same_when_saved_again(program: str, tmp_path: Path) -> None:
    """GSA-TTS/FAC#2409 (case A02): no finding hangs on which program saved the file."""
    edit = edited(put_at("Calc", "E29", 1000))
    before = above_info(reviewed(edit))
    after = above_info(reviewed(SAVED_BY[program](edit, tmp_path)))
    assert [(one.rule.id, one.where, one.severity) for one in after] == [
        (one.rule.id, one.where, one.severity) for one in before
    ]
    assert [one.fingerprint for one in after] == [one.fingerprint for one in before]


def test_eight_scenarios_are_recognised() -> None:
    review = reviewed(build(BUDGET, EIGHT))
    assert len(review.totals) == 8
    assert [one for one in review.findings if one.rule.band == "Structure"] == []


def test_inserted_rows_and_columns_are_no_findings() -> None:
    """Case D01: rows are matched by id; what is only moved is not changed."""
    for sheet, row in (("Calc", 8), ("Inputs", 9), ("Efficiency", 7), ("Checks", 8), ("Lists", 5)):
        review = reviewed(edited(shifted(sheet, row, 2)))
        assert said(above_info(review)) == [], sheet
        assert [one.where for one in review.findings if one.rule.id == "S165"] == [sheet]


def test_a_clean_file_gives_assurance() -> None:
    review: Review = reviewed(filled())
    assert review.recount.as_stored == review.recount.formulas > 400
    assert review.recount.by_core > 20
    assert all(total.stated == total.recomputed for total in review.totals)
    assert any("compared with the template" in done for done in review.done)
    assert review.not_done


def test_calls_that_a_program_does_not_know_are_a_notice(tmp_path: Path) -> None:
    """LibreOffice without the add-in stores errors: its verdict, not a fault of the file."""
    review = reviewed(by_libreoffice(build("function_check_addin"), tmp_path))
    assert [(one.rule.id, one.severity) for one in review.findings] == [("R306", "info")]


def test_a_wrong_value_in_a_function_check_is_no_notice() -> None:
    """The expected value of the first call, 0.015, typed over: calls and verdicts are compared."""
    review = reviewed(edited(put_at("FunctionCheck", "E5", 0.5), data=build("function_check")))
    assert [(one.rule.id, one.where) for one in above_info(review)] == [
        ("S110", "FunctionCheck!E5")
    ]


def test_without_its_rows_a_budget_gets_the_general_checks() -> None:
    """What its property says is not enough: no row of the template is there to be compared."""

    def without_rows(book: openpyxl.Workbook) -> None:
        for sheet in book.worksheets[1:]:
            book.remove(sheet)

    review = reviewed(edited(without_rows))
    assert review.recognised is None
    assert "S190" in {one.rule.id for one in review.findings}
    assert any("no template of ours" in text for text in review.not_done)
