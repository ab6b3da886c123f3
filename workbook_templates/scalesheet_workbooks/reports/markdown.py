"""A review as Markdown, for a pull request or a message."""

from collections.abc import Iterator

from scalesheet_workbooks.reports.words import (
    WHAT_IT_IS_NOT,
    accepted_words,
    counts,
    effect_words,
    heaviest,
    money,
    place_words,
    quiet_words,
    recognised,
    total_words,
)
from scalesheet_workbooks.review.findings import Finding, printable
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.rules import BANDS

SPECIAL = "\\`*_{}[]<>()#|!~$&"


def lines(review: Review) -> Iterator[str]:
    """The report line by line."""
    yield f"# {safe(review.file)}: {review.verdict}"
    yield ""
    if review.unreadable:
        yield f"Not read ({review.reason}): {safe(review.unreadable)}. Nothing in it was checked."
        yield ""
        return
    if review.not_compared:
        yield f"**Not compared**: {safe(review.not_compared)}"
        yield ""
    yield f"- Recognised: {safe(recognised(review))}"
    yield f"- File: SHA-256 `{review.sha256}`, {review.size:,} bytes"
    yield f"- Saved by: {safe(review.program[:120]) or 'not said'}"
    yield f"- Reviewed: {review.on}, materiality {100 * review.materiality:g} %"
    yield f"- Findings: {counts(review)}"
    yield ""
    if review.totals:
        yield f"| Total {safe(review.currency)} | Stated | Calculated | |"
        yield "| --- | ---: | ---: | --- |"
        for total in review.totals:
            stated = "none" if total.stated is None else money(total.stated)
            yield (
                f"| {safe(total.scenario)} | {stated} | {money(total.recomputed)} "
                f"| {total_words(total)} |"
            )
        yield ""
    for bridge in review.bridges:
        yield f"## From {safe(bridge.before)} to now: {safe(bridge.scenario)}"
        yield ""
        yield "| | Amount | Inputs |"
        yield "| --- | ---: | --- |"
        yield f"| before | {money(bridge.start)} | |"
        for bar in bridge.bars:
            amount = "undetermined" if bar.amount is None else f"{bar.amount:+,.2f}"
            yield f"| {bar.name} | {amount} | {safe('; '.join(bar.changes))} |"
        yield f"| now | {money(bridge.end)} | |"
        yield ""
    if review.without_effect:
        yield "## Changed without effect on a total"
        yield ""
        yield from (f"- {safe(change)}" for change in review.without_effect)
        yield ""
    yield "## What weighs most"
    yield ""
    top = heaviest(review.findings)
    for place, one in enumerate(top, 1):
        words = effect_words(one.effect, review.currency) or one.severity
        yield f"{place}. {one.rule.title} at {safe(one.where or 'the file')}: {safe(words)}"
    if not top:
        yield safe(quiet_words(review))
    yield ""
    for band in BANDS:
        members = [one for one in review.findings if one.rule.band == band]
        if members:
            yield f"## {band}"
            yield ""
            for one in members:
                yield from _finding(one, review.currency)
            yield ""
    for title, entries in (
        ("Accepted in the baseline", accepted_words(review)),
        ("Notes", review.notes),
        ("What moves the total, what flips the decision", review.drivers),
        ("Checked", review.done),
        ("Not checked", (*review.not_done, WHAT_IT_IS_NOT)),
    ):
        if entries:
            yield f"## {title}"
            yield ""
            yield from (f"- {safe(entry)}" for entry in entries)
            yield ""


def _finding(one: Finding, currency: str) -> Iterator[str]:
    yield f"- **{one.severity}** `{one.rule.id}` {one.rule.title}: {safe(place_words(one))}"
    yield f"  - seen: {safe(one.seen)}"
    if one.expected:
        yield f"  - should be: {safe(one.expected)}"
    if one.effect:
        yield f"  - money: {safe(effect_words(one.effect, currency))}"
    yield from (f"  - also: {safe(consequence)}" for consequence in one.consequences)
    yield f"  - do: {safe(one.remedy)} (`{one.fingerprint}`)"


def safe(text: str) -> str:
    r"""A text that Markdown shows as it stands.

    >>> safe("<b>|x")
    '\\<b\\>\\|x'
    """
    return "".join(f"\\{letter}" if letter in SPECIAL else letter for letter in printable(text))
