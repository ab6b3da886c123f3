"""Rules for typing into cells, as a sheet's XML has them."""

from collections.abc import Mapping
from typing import NamedTuple

UNRANGED = ("list", "custom", "none")


class Validation(NamedTuple):
    """A rule for typing into cells, without its words."""

    kind: str
    operator: str
    first: str
    second: str
    area: str
    refuses: bool = True
    """Whether what breaks the rule is refused; if not it is warned of at most."""


def validation(written: Mapping[str, str]) -> Validation:
    """A rule as it counts: what programs add or leave out does not.

    An alert that is not asked for is not shown, and nothing is refused then (ECMA-376, 18.3.1.32).

    >>> validation({"type": "whole", "formula1": "=1", "formula2": "8", "sqref": "E7"})
    Validation(kind='whole', operator='between', first='1', second='8', area='E7', refuses=False)
    """
    kind = written.get("type", "none")
    operator = written.get("operator", "between") if kind not in UNRANGED else ""
    first = written.get("formula1", "").strip().lstrip("=")
    second = written.get("formula2", "").strip().lstrip("=")
    alert = written.get("showErrorMessage") in ("1", "true")
    return Validation(
        kind,
        operator,
        first,
        second if operator in ("between", "notBetween") else "",
        written.get("sqref", ""),
        alert and written.get("errorStyle", "stop") == "stop",
    )
