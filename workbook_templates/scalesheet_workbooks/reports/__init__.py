"""Findings as text, Markdown, JSON, one HTML page and a workbook: one module a format."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scalesheet_workbooks.review.run import Review


def report(reviews: Sequence["Review"], format_: str) -> bytes:
    """The report on one file or on several, in a format."""
    from scalesheet_workbooks.reports import text

    parts = ["\n".join(text.lines(one)) + "\n" for one in reviews]
    return "\n".join(parts).encode()


def counts(review: "Review") -> str:
    """How many findings of each severity."""
    from scalesheet_workbooks.reports.words import counts as words

    return "not read" if review.unreadable else words(review)


def rule_lines() -> Iterator[str]:
    """The table of findings, one a line."""
    from scalesheet_workbooks.review.rules import RULES

    for rule in RULES.values():
        yield f"{rule.id}  {rule.severity:<7} {rule.title}: {rule.rule}"
