"""Findings as text, Markdown, JSON, one HTML page and a workbook: one module a format."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scalesheet_workbooks.review.outcome import Review


def report(reviews: Sequence["Review"], format_: str) -> bytes:
    """The report on one file or on several: text, md, json, html or xlsx."""
    if format_ == "json":
        from scalesheet_workbooks.reports import as_json

        return as_json.document(reviews).encode()
    if format_ == "html":
        from scalesheet_workbooks.reports import html

        return html.document(reviews).encode()
    if format_ == "xlsx":
        from scalesheet_workbooks.reports import workbook

        return workbook.document(reviews)
    from scalesheet_workbooks.reports import markdown, text

    lines = markdown.lines if format_ == "md" else text.lines
    parts = ["\n".join(lines(one)) + "\n" for one in reviews]
    if format_ == "text" and len(reviews) > 1:
        parts.append("\n".join(text.summary(reviews)) + "\n")
    return "\n".join(parts).encode()


def counts(review: "Review") -> str:
    """How many findings of each severity."""
    from scalesheet_workbooks.reports.words import counts as words

    return f"not read: {review.reason}" if review.unreadable else words(review)


def rule_lines() -> Iterator[str]:
    """The table of findings, one a line."""
    from scalesheet_workbooks.review.rules import RULES

    for rule in RULES.values():
        yield f"{rule.id}  {rule.severity:<7} {rule.title}: {rule.rule}"
