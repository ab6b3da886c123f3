"""Marks that stand in an expected template for what a study says: title, names, dates.

Its texts so tell what is fixed and what the builder put in.
"""

import datetime
import re
from functools import lru_cache
from typing import Any

TITLE, OWNER, CURRENCY, NOTE = "«title»", "«owner»", "XXX", "«note»"
DAY = datetime.date(1999, 9, 9)
DAY_SERIAL = float((DAY - datetime.date(1899, 12, 30)).days)
MARKS = re.compile(f"{TITLE}|{OWNER}|{CURRENCY}|{NOTE}|{DAY.isoformat()}|«scenario [0-9]»")


def is_marked(text: str) -> bool:
    """Whether a text has marks of ours, so that a filled file says something else there."""
    return MARKS.search(text) is not None


def _kind(mark: str) -> str:
    kinds = {TITLE: "title", OWNER: "owner", CURRENCY: "currency", NOTE: "note"}
    return kinds.get(mark, "date" if mark == DAY.isoformat() else "scenario")


def marked_text(text: str, shown: str) -> dict[str, str] | None:
    """What a filled file says in the places of the marks; None where it does not fit.

    >>> marked_text("Total, XXX of «owner»", "Total, USD of Ann of Ops")
    {'m0_currency': 'USD', 'm1_owner': 'Ann of Ops'}
    >>> marked_text("Total, XXX", "Sum, USD"), marked_text("Total", "Total")
    (None, None)
    """
    before, *parts = _parts(" ".join(text.split()))
    at = len(before)
    if not parts or not shown.startswith(before):
        return None
    found: dict[str, str] = {}
    for place, (kind, after) in enumerate(parts, 1):
        is_last = place == len(parts)
        end = len(shown) - len(after) if is_last else shown.find(after, at)
        if end < at or not shown.startswith(after, end):
            return None
        found[f"m{place - 1}_{kind}"] = shown[at:end]
        at = end + len(after)
    return found


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[Any, ...]:
    """What stands before the first mark; then for each mark its kind and what stands after it."""
    before, *after = MARKS.split(text)
    return before, *zip(map(_kind, MARKS.findall(text)), after, strict=True)
