"""The table of exchange rates: one row for each currency, at a rate that can be."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from scalesheet_workbooks.cell_references import Place, areas
from scalesheet_workbooks.review.beside import BASE_RATE, currency_of, is_given, kinds, rates
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.doubts import Doubt, given_number
from scalesheet_workbooks.review.findings import Finding, by_money, finding, shown, with_effects
from scalesheet_workbooks.review.rules import MEDIUM

CURRENCIES = "lst_currencies"
MAJOR, LEAST, MOST = frozenset({"USD", "EUR", "GBP", "CHF"}), 0.5, 2.0
"""Currencies of which none has cost less than half of another, or more than twice as much, for
fifteen years. Of others nothing is told: what they cost goes over many digits."""


class Double(NamedTuple):
    """A currency that stands in the table again, the cells that say so, and a currency that prices
    are in and that has no row: the one that stood there, most likely."""

    currency: str
    again: tuple[Place, ...]
    lost: str


def doubles(case: Case) -> list[Double]:
    """The currencies that stand twice in the table."""
    rows = _rows(case)
    lost = sorted({name for line in _priced(case) if (name := currency_of(case, line)) not in rows})
    return [
        Double(currency, mine, lost[0] if len(lost) == 1 and len(mine) == 1 else "")
        for currency, (_, *again) in rows.items()
        if (mine := tuple(home for home in again if home in case.given))
    ]


def _rows(case: Case) -> dict[str, list[Place]]:
    name = case.expected.book.names.get(CURRENCIES)
    rows: dict[str, list[Place]] = defaultdict(list)
    for title, top, left, bottom, right in areas(name.text, "") if name else ():
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                home = title, row, column
                place = case.alignment.place(*home)
                value = case.session.value(place) if place else None
                if isinstance(value, str) and value.strip():
                    rows[value.strip().upper()].append(home)
    return rows


def _priced(case: Case) -> Iterator[str]:
    """The prices that are given and say in which currency."""
    return (line for line, _, value in kinds(case) if value and is_given(case, line))


def double_findings(case: Case) -> Iterator[Finding]:
    """Currencies that stand twice: formulas take the mean of their rates."""
    for currency, again, lost in doubles(case):
        effects = case.if_input(dict.fromkeys(again, lost or None))
        places = case.places_of(again)
        found = finding(
            "I214",
            places[0][0],
            addresses(places),
            f"{shown(currency)} a second time: formulas take the mean of its rates",
            f'"{lost}", which prices are in' if lost else "one rate for each currency",
            remedy=f"type {lost} again" if lost else "",
        )
        yield with_effects(found, effects, by_money(effects, case.materiality, MEDIUM))


def rate_doubts(case: Case) -> Iterator[Doubt]:
    """Rates that no major currency has had against the workbook's own."""
    if BASE_RATE not in case.expected.ids or case.currency not in MAJOR:
        return
    used = {currency_of(case, line) for line in _priced(case)}
    for name, line in rates(case).items():
        rate = given_number(case, line, 0)
        if not rate or name not in MAJOR & used or name == case.currency:
            continue
        words = f"from {LEAST:g} to {MOST:g} {case.currency} for 1 {name}"
        if not LEAST <= rate <= MOST:
            nearest = LEAST if rate < LEAST else MOST
            yield Doubt("I224", line, 0, f"{rate:,.10g}", words, ((line, nearest),))
        elif rate == 1:
            yield Doubt("I224", line, 0, "1", "the rate of a day", most=MEDIUM)
