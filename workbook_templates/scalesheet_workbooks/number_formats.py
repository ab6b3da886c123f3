"""Number formats that do not show the number that stands in a cell."""

import re

TEXT = re.compile(r'"([^"]*)"|\\(.)')
BRACKETS = re.compile(r"\[[^\]]*\]")
WHITE = re.compile(r"\[white\]", re.IGNORECASE)
FIGURE = re.compile(r"[\s$€£¥(+-]*[0-9][0-9.,\s]*[)%kKmM]?\s*")
SCALED = re.compile(r"[0#?],+(?![0#?,])")


def hides(code: str) -> bool:
    """Whether a format shows nothing for a number above zero, or shows it in white.

    >>> [hides(code) for code in (";;;", '"";""', "0.0%", "[Red]0;-0;", '"pass";0', "[White]0")]
    [True, True, False, False, False, True]
    """
    first, *rest = _sections(code)
    return (bool(rest) and not first) or WHITE.search(code) is not None


def says_another(code: str) -> bool:
    """Whether a format has a figure of its own in it, which is shown whatever the cell holds.

    >>> [says_another(code) for code in ('"99,000"', '"$ 2.10"', '"9"0', '"P"0', '"≤ P10"', "0.00")]
    [True, True, True, False, False, False]
    """
    return any(FIGURE.fullmatch(text[1] or text[2] or "") for text in TEXT.finditer(code))


def scales(code: str) -> bool:
    """Whether a format shows thousands or millions and does not say so.

    >>> [scales(code) for code in ("0.0,,", "#,##0,", '#,##0.0,,"M"', "#,##0", "0.0,, \\\\k")]
    [True, True, False, False, False]
    """
    return any(SCALED.search(part) and "T" not in part for part in _sections(code))


def shows_percent(code: str) -> bool:
    """Whether a format shows a number times a hundred.

    >>> [shows_percent(code) for code in ("0.0%", '0" %"', "0")]
    [True, False, False]
    """
    return any("%" in part for part in _sections(code))


def _sections(code: str) -> list[str]:
    """The parts of a format, a T for every text in it, without colours and conditions."""
    plain = TEXT.sub(lambda found: "T" if (found[1] or found[2] or "").strip() else "", code)
    return [part.strip() for part in BRACKETS.sub("", plain).split(";")]
