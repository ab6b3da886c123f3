"""Inputs in the wrong unit, and prices that do not fit those beside them."""

import datetime
from collections.abc import Collection, Iterator
from functools import lru_cache

from scalesheet import catalog
from scalesheet_workbooks.proposal_words import OWN, RESERVED, STATE
from scalesheet_workbooks.review.beside import currency_of
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.doubts import Doubt, given_number, used_number
from scalesheet_workbooks.review.hardware import named_gpus, peak_doubts
from scalesheet_workbooks.review.rules import MEDIUM

PEAK = "in.peak_flops_per_second"
UNITS: dict[str, tuple[tuple[float, float, str], ...]] = {
    "in.parameters": ((1e4, 1e9, "billions"), (1e6, 1e6, "millions")),
    "in.tokens": ((1e3, 1e12, "trillions"), (1e6, 1e9, "billions")),
    PEAK: ((10.0, 1e15, "PFLOP/s"), (1e6, 1e12, "TFLOP/s")),
}
"""For each input: a number below this is one in that unit, so many times the row's own. No model
that needs a cluster has a million parameters or tokens, no GPU a peak of a million FLOP/s."""
SAME_PEAK, SPARSE = 2e-3, 2.0
"""Two peaks this close are one; a sparse peak is twice the dense one."""
DEAR = 3
"""A server that costs so many times the dearest of its GPUs is another unit or several servers."""
KEPT, KEPT_YEARS = 0.6, 3
"""No GPU of the last ten years was worth so much of its price after so many years."""
NODE, RESIDUAL, LIFE, PRICE, OVERFLOW = (
    "in.node_price",
    "in.residual_per_gpu",
    "in.life_years",
    "in.gpu_hour_price",
    "in.overflow_price",
)


def size_doubts(
    case: Case, scenario: int, today: datetime.date, doubted: Collection[str]
) -> Iterator[Doubt]:
    """What a scenario gives in another unit, or beside what it does not fit.

    No price is held against one that is ``doubted`` itself.
    """
    units = [*_units(case, scenario), *_sparse(case, scenario)]
    yield from units
    if PEAK not in {one.line for one in units}:
        yield from peak_doubts(case, scenario)
    yield from _owned(case, scenario, today)
    if not {PRICE, OVERFLOW} & set(doubted):
        yield from _overflow(case, scenario)


def _units(case: Case, scenario: int) -> Iterator[Doubt]:
    for line, units in UNITS.items():
        value = used_number(case, line, scenario)
        found = next((unit for unit in units if value and 0 < value < unit[0]), None)
        if value and found:
            _, factor, words = found
            yield Doubt(
                "I222",
                line,
                scenario,
                f"{value:,.10g}",
                f"{value * factor:.4g}, if it is in {words}",
                ((line, value * factor),),
                f"type {value * factor:.4g}, or say what it is",
            )


@lru_cache(maxsize=1)
def _dense_peaks() -> dict[float, str]:
    return {
        float(gpu.bf16_flops_per_second): gpu.words
        for gpu in reversed(catalog.gpus())
        if gpu.bf16_flops_per_second
    }


def _sparse(case: Case, scenario: int) -> Iterator[Doubt]:
    """Twice the dense peak of a GPU: the sparse one, unless the training is in eight bits."""
    value = used_number(case, PEAK, scenario)
    peaks = _dense_peaks()
    if not value or any(abs(value / peak - 1) < SAME_PEAK for peak in peaks):
        return
    for peak, words in peaks.items():
        if abs(value / (SPARSE * peak) - 1) < SAME_PEAK:
            yield Doubt(
                "I222",
                PEAK,
                scenario,
                f"{value:.4g}, twice the dense BF16 peak of {words}",
                f"{peak:.4g} dense; {value:.4g} is sparse, or the peak in FP8",
                ((PEAK, peak),),
                f"type {peak:.4g}, or confirm that the training is in FP8",
                MEDIUM,
            )
            return


def _owned(case: Case, scenario: int, today: datetime.date) -> Iterator[Doubt]:
    """Servers that cost less than their GPUs, or are worth more at the end than they cost."""
    price, gpus = (given_number(case, line, scenario) for line in (NODE, "in.gpus_per_node"))
    if not price or not gpus or gpus <= 1 or STATE not in case.expected.inputs:
        return
    if not case.picks(STATE, scenario, (OWN,)):
        return
    cheapest = _cheapest_gpu(today)
    if cheapest and price < gpus * cheapest and currency_of(case, NODE) in ("", "USD"):
        yield Doubt(
            "I223",
            NODE,
            scenario,
            f"{price:,.10g} for a server with {gpus:,g} GPUs",
            f"at least {gpus * cheapest:,.0f}: {gpus:,g} of the cheapest GPUs of the catalog",
            ((NODE, price * gpus),),
            "enter the price of the whole server; this one looks like that of one GPU",
        )
        return
    dearest = _dearest_gpu(case, scenario, today)
    if dearest and price > DEAR * gpus * dearest and currency_of(case, NODE) in ("", "USD"):
        yield Doubt(
            "I223",
            NODE,
            scenario,
            f"{price:,.10g} for a server with {gpus:,g} GPUs",
            f"about {gpus * dearest:,.0f}: {gpus:,g} GPUs at the highest price of the catalog",
            ((NODE, gpus * dearest),),
            "enter the price of one server, or ask for the quote",
        )
        return
    yield from _residual(case, scenario, price, gpus)


def _residual(case: Case, scenario: int, price: float, gpus: float) -> Iterator[Doubt]:
    """Servers that are worth too much at the end of their life."""
    residual, years = (given_number(case, line, scenario) for line in (RESIDUAL, LIFE))
    if not residual or not _same_currency(case, NODE, RESIDUAL):
        return
    share = residual * gpus / price
    if share > 1 or (share > KEPT and (years or 0) >= KEPT_YEARS):
        yield Doubt(
            "I223",
            RESIDUAL,
            scenario,
            f"{residual:,.10g} for a GPU, {residual * gpus:,.10g} for a server",
            f"below {'' if share > 1 else f'{KEPT:.0%} of '}the price of the server, {price:,.10g}",
            ((RESIDUAL, residual / gpus if share > 1 else KEPT * price / gpus),),
            "enter what one GPU's share of the server sells for at the end",
        )


def _cheapest_gpu(today: datetime.date) -> float | None:
    """The lowest dated price at which a GPU of the catalog was bought, in USD."""
    return min(
        (
            row.usd_per_gpu
            for gpu in catalog.gpus()
            for row in catalog.purchases(gpu.id)
            if row.usd_per_gpu is not None and row.as_of <= today
        ),
        default=None,
    )


def _dearest_gpu(case: Case, scenario: int, today: datetime.date) -> float | None:
    """The highest dated price at which the GPU named was bought, else any of the catalog."""
    of_all, of_named = (
        max(
            (
                row.usd_per_gpu
                for gpu in gpus
                for row in catalog.purchases(gpu.id)
                if row.usd_per_gpu is not None and row.as_of <= today
            ),
            default=None,
        )
        for gpus in (catalog.gpus(), named_gpus(case, scenario))
    )
    return of_named or of_all


def _overflow(case: Case, scenario: int) -> Iterator[Doubt]:
    """Hours beyond a commitment that cost less than those that are committed."""
    if STATE not in case.expected.inputs or not case.picks(STATE, scenario, (RESERVED,)):
        return
    price, further = (used_number(case, line, scenario) for line in (PRICE, OVERFLOW))
    if not price or not further or further >= price or not _same_currency(case, PRICE, OVERFLOW):
        return
    yield Doubt(
        "I223",
        OVERFLOW,
        scenario,
        f"{further:,.10g} above the commitment, {price:,.10g} committed",
        "at least the committed price",
        ((OVERFLOW, price),),
        "ask the provider at which price further hours are billed",
    )


def _same_currency(case: Case, one: str, other: str) -> bool:
    return currency_of(case, one) == currency_of(case, other)
