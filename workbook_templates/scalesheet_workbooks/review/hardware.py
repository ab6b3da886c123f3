"""The GPU that a scenario names, beside the catalog: what an hour of it costs, and its peak."""

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple

from scalesheet import catalog
from scalesheet_workbooks.proposal_words import ACQUISITIONS, ON_DEMAND
from scalesheet_workbooks.review.case import Case
from scalesheet_workbooks.review.doubts import Doubt, used_number

GPU, STATE, PEAK = "in.gpu", "in.acquisition", "in.peak_flops_per_second"
WORDS = re.compile("[a-z]+[0-9]+[a-z]*|[0-9]+|[a-z]+")
ENOUGH = 3
"""Dated prices on demand that make a range of one GPU; with fewer that of all GPUs is taken."""
NEAR, ROUNDED, SPARSE = 0.3, 2e-3, 2.0
"""A GPU runs below its boost clock, so its peak may be given so much off; FP8 and sparse peaks are
figures of data sheets."""


class Band(NamedTuple):
    """What an hour of a GPU has cost, with the day of the newest price."""

    low: float
    high: float
    words: str
    newest: datetime.date


def gpus_in(text: str) -> tuple[catalog.Gpu, ...]:
    """The GPUs of the catalog that a text may mean; none where it names no model.

    >>> [gpu.id for gpu in gpus_in("NVIDIA H100 SXM 80 GB")], gpus_in("own cards")
    (['H100-80GB'], ())
    >>> [gpu.id for gpu in gpus_in("8 x A100 80GB")]
    ['A100-80GB', 'A100-80GB-PCIe']
    """
    said = set(WORDS.findall(text.lower()))
    shared = {
        gpu: len(said & set(WORDS.findall(gpu.words.lower())))
        for gpu in catalog.gpus()
        if _model(gpu) <= said
    }
    most = max(shared.values(), default=0)
    return tuple(gpu for gpu, count in shared.items() if count == most)


def _model(gpu: catalog.Gpu) -> set[str]:
    """What must be said of a GPU: its model without its memory and its form."""
    first, *rest = gpu.id.lower().split("-")
    return {first, *rest} if first == "rtx" else {first}


def named_gpus(case: Case, scenario: int) -> tuple[catalog.Gpu, ...]:
    """The GPUs of the catalog that a scenario may mean by what it says that it buys."""
    if GPU not in case.expected.inputs:
        return ()
    text = case.input_value(GPU, scenario)
    return gpus_in(text) if isinstance(text, str) else ()


def hour_band(case: Case, scenario: int, today: datetime.date) -> Band | None:
    """What an hour of the GPU named has cost, had as the scenario has it, up to a day.

    A commitment and spot cost as little as the cheapest spot hour, and no more than on demand.
    None where the catalog has few prices, or the peak is of another GPU than the one named.
    """
    if any(peak_doubts(case, scenario)):
        return None
    ids = {gpu.id for gpu in named_gpus(case, scenario)}
    rows = [row for row in catalog.prices() if row.gpu in ids and row.as_of <= today]
    listed = [row for row in rows if row.term == "on-demand"]
    if len(listed) < ENOUGH:
        return None
    is_on_demand = case.picks(STATE, scenario, (ON_DEMAND,))
    prices = [row.usd_per_gpu_hour for row in (listed if is_on_demand else rows)]
    had = next((one for one in ACQUISITIONS if case.picks(STATE, scenario, (one,))), "")
    words = f"for {'/'.join(sorted(ids))}" + (f", {had}," if is_on_demand else "")
    return Band(min(prices), max(prices), words, max(row.as_of for row in rows))


def peak_doubts(case: Case, scenario: int) -> Iterator[Doubt]:
    """A peak that is not that of the GPU named."""
    value = used_number(case, PEAK, scenario)
    gpus = named_gpus(case, scenario)
    if not value or not gpus or any(_has_peak(gpu, value) for gpu in gpus):
        return
    own = gpus[0].bf16_flops_per_second or 0.0
    others = [gpu.words for gpu in catalog.gpus() if gpu.bf16_flops_per_second == value]
    yield Doubt(
        "I226",
        PEAK,
        scenario,
        f"{value:.4g}" + (f", that of {others[0]}" if others else ""),
        f"{own:.4g}, the dense BF16 peak of {gpus[0].words}, which Statements names",
        ((PEAK, own),),
        "correct the peak, or the GPU that is named",
    )


def _has_peak(gpu: catalog.Gpu, value: float) -> bool:
    """Whether a peak may be that of a GPU; one whose peak is not known may have any."""
    dense = gpu.bf16_flops_per_second
    if dense is None or abs(value / dense - 1) < NEAR:
        return True
    sheet = [SPARSE * dense, gpu.fp8_flops_per_second, SPARSE * (gpu.fp8_flops_per_second or 0.0)]
    return any(one and abs(value / one - 1) < ROUNDED for one in sheet)
