"""A review for a terminal of 80 columns."""

import textwrap
from collections.abc import Iterator, Sequence

from scalesheet_workbooks.reports.words import (
    WHAT_IT_IS_NOT,
    accepted_words,
    counts,
    effect_words,
    file_name,
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

WIDTH = 79


def lines(review: Review) -> Iterator[str]:
    """The report line by line."""
    yield from _wrapped(f"{review.verdict}: {printable(file_name(review.file))}")
    if review.unreadable:
        yield from _wrapped(f"Not read ({review.reason}): {review.unreadable}", 2)
        yield from _wrapped("Nothing in this file was checked.", 2)
        return
    if review.not_compared:
        yield from _wrapped(f"NOT COMPARED: {printable(review.not_compared)}", 2)
    yield from _pair("Recognised", recognised(review))
    yield from _pair("File", printable(review.file))
    yield from _pair("SHA-256", f"{review.sha256[:48]}..., {review.size:,} bytes")
    yield from _pair("Saved by", printable(review.program)[:120] or "not said")
    yield from _pair("Reviewed", f"{review.on}, materiality {100 * review.materiality:g} %")
    yield from _pair("Findings", counts(review))
    yield ""
    yield from _totals(review)
    if review.bridges:
        yield from _bridges(review)
    if review.without_effect:
        yield f"CHANGED WITHOUT EFFECT ON A TOTAL ({len(review.without_effect)})"
        for change in review.without_effect:
            yield from _bullet(change)
        yield ""
    yield from _weighing(review)
    for band in BANDS:
        members = [one for one in review.findings if one.rule.band == band]
        if members:
            yield f"{band.upper()} ({len(members)})"
            for one in members:
                yield from _finding(one, review.currency)
            yield ""
    if review.accepted:
        yield f"ACCEPTED IN THE BASELINE ({len(review.accepted)})"
        for words in accepted_words(review):
            yield from _wrapped(words, 2)
        yield ""
    for note in review.notes:
        yield from _wrapped(f"Note: {note}")
    if review.drivers:
        yield "WHAT MOVES THE TOTAL, WHAT FLIPS THE DECISION"
        for driver in review.drivers:
            yield from _bullet(driver)
        yield ""
    yield "CHECKED"
    for done in review.done:
        yield from _bullet(done)
    yield "NOT CHECKED"
    for not_done in review.not_done:
        yield from _bullet(not_done)
    yield from _wrapped(WHAT_IT_IS_NOT)


def summary(reviews: Sequence[Review]) -> Iterator[str]:
    """One line a file."""
    yield f"{len(reviews)} FILES"
    for one in reviews:
        name = printable(one.file)
        name = name if len(name) <= 38 else "..." + name[-35:]
        found = "/".join(str(one.count(level)) for level in ("high", "medium", "low"))
        yield f"  {name:<38} {one.verdict:<26} {found if not one.unreadable else one.reason}"
    yield "  (findings: high/medium/low)"


def _totals(review: Review) -> Iterator[str]:
    if not review.totals:
        return
    yield f"{'TOTAL ' + review.currency:<26}{'stated':>17}{'calculated':>17}  "
    for total in review.totals:
        stated = "none" if total.stated is None else money(total.stated)
        name = printable(total.scenario)
        name = name if len(name) <= 25 else name[:22] + "..."
        yield f"{name:<26}{stated:>17}{money(total.recomputed):>17}  {total_words(total)}"
    yield ""


def _bridges(review: Review) -> Iterator[str]:
    for bridge in review.bridges:
        yield from _wrapped(f"FROM {printable(bridge.before)} TO NOW: {printable(bridge.scenario)}")
        yield f"  {'before':<40}{money(bridge.start):>20}"
        for bar in bridge.bars:
            if bar.changes or bar.amount is None or abs(bar.amount) >= 0.005:
                yield f"  {bar.name:<40}{_signed(bar.amount):>20}"
                for change in bar.changes:
                    yield from _wrapped(change, 6)
        yield f"  {'now':<40}{money(bridge.end):>20}"
        yield ""


def _signed(amount: float | None) -> str:
    return "undetermined" if amount is None else f"{amount:+,.2f}"


def _weighing(review: Review) -> Iterator[str]:
    top = heaviest(review.findings)
    if not top:
        yield from _wrapped(quiet_words(review))
        yield ""
        return
    yield "WHAT WEIGHS MOST"
    for place, one in enumerate(top, 1):
        words = effect_words(one.effect, review.currency) or one.severity
        yield from _wrapped(
            f"{place}. {one.rule.title} at {one.where or 'the file'}: {words}", 2, 5
        )
    yield ""


def _finding(one: Finding, currency: str) -> Iterator[str]:
    yield from _wrapped(
        f"[{one.severity}] {one.rule.id} {one.rule.title}: {place_words(one)}", 2, 4
    )
    yield from _wrapped(f"seen: {one.seen}", 4, 6)
    if one.expected:
        yield from _wrapped(f"should be: {one.expected}", 4, 6)
    if one.effect:
        yield from _wrapped(f"money: {effect_words(one.effect, currency)}", 4, 6)
    for consequence in one.consequences:
        yield from _wrapped(f"also: {consequence}", 4, 6)
    yield from _wrapped(f"do: {one.remedy}   ({one.fingerprint})", 4, 6)


def _pair(label: str, text: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=f"  {label:<12}", subsequent_indent=" " * 14
    ) or [f"  {label}"]


def _bullet(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent="  - ", subsequent_indent="    ")


def _wrapped(text: str, indent: int = 0, hang: int | None = None) -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent if hang is None else hang),
        break_on_hyphens=False,
    )
