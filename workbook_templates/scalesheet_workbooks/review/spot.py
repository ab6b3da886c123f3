"""Spot beside on demand in one file: what is taken back at any time costs less and fails more."""

import datetime
from collections.abc import Collection, Iterator

from scalesheet_workbooks.proposal_words import ON_DEMAND, SPOT
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.doubts import Doubt, used_number
from scalesheet_workbooks.review.hardware import GPU, STATE, hour_band, named_gpus
from scalesheet_workbooks.review.rules import LOW

PRICE = "in.gpu_hour_price"
LOSSES = ("in.rework", "in.waste")


def spot_doubts(
    case: Case, scenario: int, today: datetime.date, doubted: Collection[str]
) -> Iterator[Doubt]:
    """Spot that is dearer than the same GPU on demand, or loses no more time; no price is held
    against one that is ``doubted`` itself."""
    if STATE not in case.expected.inputs or not case.picks(STATE, scenario, (SPOT,)):
        return
    others = [at for at in range(case.expected.scenarios) if case.picks(STATE, at, (ON_DEMAND,))]
    if PRICE not in doubted:
        yield from _dearer(case, scenario, today, others)
    yield from _safe(case, scenario, others)


def _dearer(
    case: Case, scenario: int, today: datetime.date, others: Collection[int]
) -> Iterator[Doubt]:
    price, gpus = used_number(case, PRICE, scenario), named_gpus(case, scenario)
    alike = [at for at in others if GPU in case.expected.inputs and named_gpus(case, at) == gpus]
    prices = [
        given
        for at in alike
        if (given := used_number(case, PRICE, at))
        and not ((band := hour_band(case, at, today)) and given < band.low)
    ]
    if price and prices and price > min(prices):
        yield Doubt(
            "I223",
            PRICE,
            scenario,
            f"{price:,.10g} for spot, {min(prices):,.10g} on demand",
            "at most the price on demand of the same GPU",
            ((PRICE, min(prices)),),
            "correct the price, or take the hours on demand",
        )


def _safe(case: Case, scenario: int, others: Collection[int]) -> Iterator[Doubt]:
    """Rework, or time lost, of no more than on demand, which nobody takes back."""
    told = []
    for line in LOSSES:
        own = used_number(case, line, scenario)
        rest = [given for at in others if (given := used_number(case, line, at)) is not None]
        if own is not None and rest and own <= min(rest):
            told.append((line, own, min(rest)))
    if told:
        line, own, least = told[0]
        more = f", and {case.expected.label(told[1][0])}" if len(told) > 1 else ""
        yield Doubt(
            "I233",
            line,
            scenario,
            f"{own:.1%}{more}: no more than on demand",
            f"more than {least:.1%}: spot is taken back at any time",
            ((line, least),),
            most=LOW,
        )
