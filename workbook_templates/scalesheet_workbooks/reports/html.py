"""A review as one HTML page that needs nothing else; its first page prints on one sheet."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from scalesheet_workbooks.reports.style import CSS
from scalesheet_workbooks.reports.waterfall import waterfall
from scalesheet_workbooks.reports.words import (
    WHAT_IT_IS,
    WHAT_IT_IS_NOT,
    accepted_words,
    counts,
    effect_words,
    file_name,
    heaviest,
    money,
    percent,
    place_words,
    quiet_words,
    recognised,
    total_words,
)
from scalesheet_workbooks.review.bridge import Bridge
from scalesheet_workbooks.review.findings import Finding, printable
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.rules import BANDS

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
"""
LOOK = {
    "RETURN TO PREPARER": "bad",
    "NOT READ": "bad",
    "QUESTIONS BEFORE APPROVAL": "warn",
    "GENERAL CHECKS ONLY": "warn",
    "NO OBJECTION": "good",
}
ON_PAGE_ONE = 110
"""Letters of what is seen that fit a line of the first page."""


def document(reviews: Sequence[Review]) -> str:
    """The page of one or several reviews; several begin with a table of all."""
    title = (
        f"Review of {reviews[0].file}" if len(reviews) == 1 else f"Review of {len(reviews)} files"
    )
    parts = [HEAD.format(title=_text(title), css=CSS)]
    if len(reviews) > 1:
        parts += _overview(reviews)
    for review in reviews:
        parts += _first_page(review)
        if not review.unreadable:
            parts += _details(review)
    parts.append("</body>\n</html>\n")
    return "\n".join(parts)


def _text(text: object) -> str:
    return escape(printable(str(text)), quote=True)


def _overview(reviews: Sequence[Review]) -> Iterator[str]:
    yield '<section class="sheet"><h1>Files under review</h1>'
    yield "<table><tr><th>File</th><th>Verdict</th><th>Template</th><th class=n>High</th>"
    yield "<th class=n>Medium</th><th class=n>Low</th></tr>"
    for one in reviews:
        name = one.recognised.name if one.recognised else "-"
        yield (
            f"<tr><td>{_text(one.file)}</td><td><b class={LOOK[one.verdict]}>{one.verdict}</b></td>"
            f"<td>{_text(name)}</td><td class=n>{one.count('high')}</td>"
            f"<td class=n>{one.count('medium')}</td><td class=n>{one.count('low')}</td></tr>"
        )
    yield "</table></section>"


def _first_page(review: Review) -> Iterator[str]:
    yield '<section class="sheet first">'
    yield f'<header class="{LOOK[review.verdict]}"><div><p class=kind>Budget review</p>'
    yield f"<h1>{review.verdict}</h1></div><p class=file>{_text(file_name(review.file))}<br>"
    yield f"{_text(review.title[:80])}</p></header>"
    if review.unreadable:
        yield f"<p class=lead><b>{_text(review.reason)}</b>: {_text(review.unreadable)}</p>"
        yield "<p>Nothing in this file was checked.</p></section>"
        return
    if review.not_compared:
        yield f"<p class=lead><b>Not compared</b>: {_text(review.not_compared)}</p>"
    yield "<dl>"
    for label, text in (
        ("Recognised", recognised(review)),
        ("SHA-256", review.sha256),
        ("Saved by", review.program[:90] or "not said"),
        (
            "Reviewed",
            f"{review.on} by scalesheet review, materiality {100 * review.materiality:g} %",
        ),
        ("Findings", counts(review)),
    ):
        yield f"<dt>{label}</dt><dd>{_text(text)}</dd>"
    yield "</dl>"
    yield from _totals(review)
    if review.foremost_bridge:
        yield from _bridge(review.foremost_bridge)
    yield from _weighing(review)
    yield '<div class="two">'
    yield from _list("What flips the decision", review.drivers)
    yield from _list("Checked", review.done)
    yield from _list("Not checked", review.not_done)
    yield "</div>"
    yield '<div class="sign"><p>Reviewer</p><p>Date</p><p>Decision</p></div></section>'


def _totals(review: Review) -> Iterator[str]:
    if not review.totals:
        return
    yield f"<h2>Total in {_text(review.currency or 'the currency of the file')}</h2>"
    yield "<table><tr><th>Scenario</th><th class=n>Stated</th><th class=n>Calculated</th>"
    yield "<th></th></tr>"
    for total in review.totals:
        words = total_words(total)
        look = "good" if words == "reproduced" else "warn" if words == "not stored" else "bad"
        stated = "none" if total.stated is None else money(total.stated)
        name = f"{total.scenario[:60]}{' (proposed)' if total.proposed else ''}"
        yield (
            f"<tr><td>{_text(name)}</td><td class=n>{stated}</td>"
            f"<td class=n>{money(total.recomputed)}</td><td class={look}>{words}</td></tr>"
        )
    yield "</table>"


def _bridge(bridge: Bridge) -> Iterator[str]:
    yield f"<h2>From {_text(bridge.before)} to now: {_text(bridge.scenario)}</h2>"
    yield waterfall(bridge)


def _weighing(review: Review) -> Iterator[str]:
    top = heaviest(review.findings)
    yield "<h2>What weighs most</h2>"
    if not top:
        yield f"<p class=lead>{escape(quiet_words(review))}</p>"
        return
    yield "<ol class=top>"
    for one in top:
        seen = one.seen if len(one.seen) <= ON_PAGE_ONE else one.seen[: ON_PAGE_ONE - 3] + "..."
        words = effect_words(one.effect, review.currency)
        yield (
            f"<li><b class=tag-{one.severity}>{one.severity}</b> {_text(one.rule.title)} at "
            f"<code>{_text(one.where or 'the file')}</code>: {_text(seen)}"
            + (f"<br><span class=money>{_text(words)}</span>" if words else "")
            + "</li>"
        )
    yield "</ol>"


def _list(title: str, entries: Iterable[str]) -> Iterator[str]:
    found = list(entries)
    if found:
        yield f"<div><h2>{title}</h2><ul>"
        yield from (f"<li>{_text(entry)}</li>" for entry in found)
        yield "</ul></div>"


def _details(review: Review) -> Iterator[str]:
    yield '<section class="sheet">'
    yield f"<h1>Findings</h1><p class=what>{WHAT_IT_IS} {WHAT_IT_IS_NOT}</p>"
    for band in BANDS:
        members = [one for one in review.findings if one.rule.band == band]
        yield f"<h2>{band} <small>{len(members)}</small></h2>"
        if not members:
            yield "<p class=good>Nothing found.</p>"
        for one in members:
            yield from _card(one, review.currency)
    for title, entries in (
        ("Accepted in the baseline", accepted_words(review)),
        ("Notes", review.notes),
        ("Changed without effect on a total", review.without_effect),
    ):
        yield from _list(title, entries)
    for bridge in review.bridges:
        yield from _bridge_table(bridge)
    yield "</section>"


def _card(one: Finding, currency: str) -> Iterator[str]:
    yield f'<article class="{one.severity}"><p class=head>'
    yield f"<b class=tag-{one.severity}>{one.severity}</b> <code>{one.rule.id}</code> "
    yield f"<b>{_text(one.rule.title)}</b> {_text(place_words(one))}</p>"
    yield "<dl>"
    pairs = [("Seen", one.seen), ("Should be", one.expected), ("Rule", one.rule.rule)]
    pairs.append(("Money", effect_words(one.effect, currency)))
    others = [effect for effect in one.effects if effect is not one.effect]
    if len(others) > 0:
        words = ", ".join(
            f"{e.scenario} {'undetermined' if e.amount is None else f'{e.amount:+,.2f}'}"
            f" ({percent(e.share)})"
            for e in others
        )
        pairs.append(("Elsewhere", words))
    pairs += [("Also", text) for text in one.consequences]
    pairs += [("Do", one.remedy), ("Fingerprint", one.fingerprint)]
    for label, text in pairs:
        if text:
            yield f"<dt>{label}</dt><dd>{_text(text)}</dd>"
    yield "</dl></article>"


def _bridge_table(bridge: Bridge) -> Iterator[str]:
    yield f"<h2>From {_text(bridge.before)} to now: {_text(bridge.scenario)}</h2><table>"
    yield f"<tr><td>before</td><td class=n>{money(bridge.start)}</td><td></td></tr>"
    for bar in bridge.bars:
        amount = "undetermined" if bar.amount is None else f"{bar.amount:+,.2f}"
        changes = "<br>".join(map(_text, bar.changes))
        yield f"<tr><td>{bar.name}</td><td class=n>{amount}</td><td>{changes}</td></tr>"
    yield f"<tr><th>now</th><th class=n>{money(bridge.end)}</th><th></th></tr></table>"
