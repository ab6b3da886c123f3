"""General checks for a workbook of no template of ours."""

from dataclasses import replace
from typing import TYPE_CHECKING

from scalesheet_workbooks.read import Book

if TYPE_CHECKING:
    from scalesheet_workbooks.review.run import Review


def generic_review(base: "Review", book: Book) -> "Review":
    """Findings that need no template."""
    return replace(base)
