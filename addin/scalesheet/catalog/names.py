"""Names as people write them: without regard to case, spaces, hyphens and underscores."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from scalesheet.catalog.rows import Alias
from scalesheet.errors import MissingValue, UnknownChoice

NEAREST, LIKENESS = 3, 0.5
"""How many known names a refusal offers, and how alike they must be (difflib's ratio)."""


@lru_cache(maxsize=4096)
def folded_name(text: str) -> str:
    """A name with only what counts in it.

    >>> folded_name(" H100 80GB"), folded_name("h100-80gb")
    ('h10080gb', 'h10080gb')
    """
    return re.sub(r"[\s_-]+", "", text).lower()


def meaning(
    kind: str, text: str, known: Sequence[str], aliases: Iterable[Alias]
) -> tuple[str, str]:
    """The catalog's name for what a user wrote, and what was taken where that is a choice.

    UnknownChoice names the nearest known names; ``kind`` is what it is a name of.
    """
    wanted = folded_name(text)
    if not wanted:
        raise MissingValue(f"{kind} is missing: enter one of {', '.join(known)}")
    spellings = {folded_name(name): (name, "") for name in known}
    for alias in aliases:
        if alias.kind == kind and alias.means in known:
            taken = f"{alias.name} is taken as {alias.means}"
            words = f"{taken}, {alias.note}" if alias.note else ""
            spellings.setdefault(folded_name(alias.name), (alias.means, words))
    if wanted in spellings:
        return spellings[wanted]
    from difflib import get_close_matches

    close = get_close_matches(wanted, spellings, 2 * NEAREST, LIKENESS)
    nearest = list(dict.fromkeys(spellings[name][0] for name in close))[:NEAREST]
    remedy = f"nearest are {', '.join(nearest)}" if nearest else f"known are {', '.join(known)}"
    raise UnknownChoice(f"{kind} must be a name of the catalog, not {_quoted(text)}: {remedy}")


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f'the text "{line}"' if len(line) <= 40 else f'the text "{line[:37]}..."'
