"""What a reviewer is told and nobody has to mend: info findings."""

import openpyxl
import pytest
from openpyxl.styles import Protection

from review.workbooks import Edit, above_info, at, edited, reviewed, said, shifted


def protection_off(book: openpyxl.Workbook) -> None:
    book["Calc"].protection.sheet = False


def no_validations(book: openpyxl.Workbook) -> None:
    book["Inputs"].data_validations.dataValidation.clear()


def locked_input(book: openpyxl.Workbook) -> None:
    sheet, address = at("in.storage")
    book[sheet][address].protection = Protection(locked=True)


def own_sheet(book: openpyxl.Workbook) -> None:
    book.create_sheet("Mine").append(["my sums", 1, 2])


def hidden_own_sheet(book: openpyxl.Workbook) -> None:
    own_sheet(book)
    book["Mine"].sheet_state = "hidden"


def renamed(book: openpyxl.Workbook) -> None:
    book["Notes"].title = "Remarks"


def remark_beside(book: openpyxl.Workbook) -> None:
    book["Calc"]["M30"] = "see the contract"


@pytest.mark.parametrize(
    ("edit", "rule", "where"),
    [
        (protection_off, "S152", ""),
        (no_validations, "S151", "Inputs"),
        (locked_input, "S154", f"Inputs!{at('in.storage')[1]}"),
        (own_sheet, "S160", "Mine"),
        (hidden_own_sheet, "S131", "Mine"),
        (renamed, "S162", "Remarks"),
        (remark_beside, "S161", "Calc!M30"),
    ],
)
def test_a_notice(edit: Edit, rule: str, where: str) -> None:
    review = reviewed(edited(edit))
    assert said(above_info(review)) == []
    assert (rule, where) in [(one.rule.id, one.where) for one in review.findings]
    assert review.verdict == "NO OBJECTION"


def test_rows_put_in_and_filled_are_told_once_each() -> None:
    def edit(book: openpyxl.Workbook) -> None:
        shifted("Calc", 8, 2)(book)
        book["Calc"]["C8"] = "a remark of ours"

    found = reviewed(edited(edit)).findings
    assert [(one.rule.id, one.where) for one in found if one.rule.id != "R302"] == [
        ("S161", "Calc!C8"),
        ("S165", "Calc"),
    ]
