"""Number formats that do not show the number that stands in a cell."""

import re

TEXT = re.compile(r'"([^"]*)"|\\(.)')
BRACKETS = re.compile(r"\[[^\]]*\]")
SCALED = re.compile(r"[0#?],+(?![0#?,])")


def hides(code: str) -> bool:
    """Whether a format shows nothing for a number above zero.

    >>> [hides(code) for code in (";;;", '"";""', "0.0%", "[Red]0;-0;", '"pass";0')]
    [True, True, False, False, False]
    """
    first, *rest = _sections(code)
    return bool(rest) and not first


def scales(code: str) -> bool:
    """Whether a format shows thousands or millions and does not say so.

    >>> [scales(code) for code in ("0.0,,", "#,##0,", '#,##0.0,,"M"', "#,##0", "0.0,, \\\\k")]
    [True, True, False, False, False]
    """
    return any(SCALED.search(part) and "T" not in part for part in _sections(code))


def _sections(code: str) -> list[str]:
    """The parts of a format, a T for every text in it, without colours and conditions."""
    plain = TEXT.sub(lambda found: "T" if (found[1] or found[2] or "").strip() else "", code)
    return [part.strip() for part in BRACKETS.sub("", plain).split(";")]
