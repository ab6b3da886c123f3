"""Marks that stand in an expected template for what a study says: title, names, dates.

Its texts so tell what is fixed and what the builder put in.
"""

import datetime
import re

TITLE, OWNER, CURRENCY, NOTE = "«title»", "«owner»", "XXX", "«note»"
DAY = datetime.date(1999, 9, 9)
DAY_SERIAL = float((DAY - datetime.date(1899, 12, 30)).days)
MARKS = re.compile(f"{TITLE}|{OWNER}|{CURRENCY}|{NOTE}|{DAY.isoformat()}|«scenario [0-9]»")


def marked(text: str) -> re.Pattern[str] | None:
    """What a text with marks of ours looks like in a filled file; None for a fixed text."""
    if not MARKS.search(text):
        return None
    pattern, at = "", 0
    for place, found in enumerate(MARKS.finditer(text)):
        pattern += re.escape(text[at : found.start()]) + f"(?P<m{place}_{_kind(found[0])}>.*?)"
        at = found.end()
    return re.compile(pattern + re.escape(text[at:]), re.DOTALL)


def _kind(mark: str) -> str:
    kinds = {TITLE: "title", OWNER: "owner", CURRENCY: "currency", NOTE: "note"}
    return kinds.get(mark, "date" if mark == DAY.isoformat() else "scenario")


def marked_text(text: str, shown: str) -> dict[str, str] | None:
    """What a filled file says in the places of the marks; None where it does not fit."""
    pattern = marked(" ".join(text.split()))
    found = pattern.fullmatch(shown) if pattern else None
    return found.groupdict() if found else None
