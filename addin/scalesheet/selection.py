"""Which GPUs serve a language model: memory, latency, power and price, each step with its reason.

A model of what binds when tokens are generated one after another: the weights and the cache of all
sequences are read from memory for every token, and must fit in it. Good for a first choice among
tiers; it knows nothing of a model's own shape, of quantisation or of speculative decoding.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scalesheet import catalog
from scalesheet.catalog import TIERS, Gpu
from scalesheet.domains import LAST_DAY
from scalesheet.hints import (
    BudgetPerGpuHour,
    Concurrency,
    ContextTokens,
    KwAvailable,
    LatencyMsPerToken,
    Lines,
    ParametersBillion,
)
from scalesheet.ownership import owned_gpu_hour
from scalesheet.registry import function

BYTES_PER_PARAMETER = 2.0
"""BF16."""
CACHE_KB_PER_TOKEN, CACHE_MODEL_BILLION, CACHE_EXPONENT = 131.072, 8.0, 0.36
"""Grouped-query attention in BF16. Llama 3 8B, 70B and 405B (32, 80 and 126 layers, 8 heads of 128,
arXiv:2407.21783 table 3) take 131, 328 and 516 kB; the power between them is an estimate."""
MEMORY_OVERHEAD = 1.1
"""Memory needed over weights and cache."""
BANDWIDTH_SHARE, PEAK_SHARE = 0.6, 0.4
"""What is reached of memory bandwidth and of the dense BF16 peak."""
HOST_FACTOR = 10.2 / 5.6
"""A DGX H100 draws up to 10.2 kW for eight GPUs of 0.7 kW."""
OWNED_YEARS, KWH_PRICE, PUE = 4.0, 0.13, 1.56
"""Of a card that nobody rents out: years in use, USD/kWh, power of the site over its computers'."""
CARDS, NODES = (1, 2, 4, 8), (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""How many of either are tried."""
WHOLE_NODES, CLUSTER = TIERS[2:], TIERS[3]
"""Tiers that come as whole nodes, and what several nodes are."""
ASSUMES = (
    "estimates of ours: BF16, a dense model, grouped-query attention; "
    f"{BANDWIDTH_SHARE:.0%} of memory bandwidth and {PEAK_SHARE:.0%} of peak are reached; "
    f"power {HOST_FACTOR:.2f} times the GPUs' own; whole nodes; USD"
)


class Need(NamedTuple):
    """What the workload asks of the GPUs."""

    weights_gb: float
    cache_gb: float
    """Of one sequence."""
    flops: float
    """Of one token."""
    concurrency: float
    latency_ms_per_token: float
    budget_per_gpu_hour: float
    kw_available: float


@dataclass(frozen=True)
class Offer:
    """So many GPUs of one kind, how they do on each count, and what they miss."""

    gpu: Gpu
    count: int
    tier: str
    usd_per_hour: float
    worst: float
    """How many times too little memory, too slow, too much power or too dear: at most 1 fits."""
    misses: tuple[str, ...]

    @property
    def words(self) -> str:
        """How it reads in a table."""
        return f"{self.count} x {self.gpu.words}, {self.usd_per_hour:,.2f} USD/h"


@function(category="Catalog", source="selection")
def gpu_fit(
    parameters_billion: ParametersBillion,
    context_tokens: ContextTokens,
    concurrency: Concurrency,
    latency_ms_per_token: LatencyMsPerToken,
    budget_per_gpu_hour: BudgetPerGpuHour,
    kw_available: KwAvailable,
) -> Lines:
    """Table of the GPUs to take for serving a language model, the runner-up, and the reasons.

    The cheapest GPUs, together, that hold weights and cache, keep the latency, and stay within the
    power and the price of one GPU-hour; for every tier what fits, or what the nearest lacks. Prices
    are the lowest on-demand ones of the catalog, or of owning a card that nobody rents out.

    >>> for row in gpu_fit(8, 8192, 4, 50, 10, 20)[:2]:
    ...     print(row)
    ['Recommended', 'workstation card: 1 x NVIDIA RTX 6000 Ada Generation, 0.30 USD/h']
    ['Runner-up', 'server card: 1 x NVIDIA L40S, 0.90 USD/h']
    """
    cache_kb = CACHE_KB_PER_TOKEN * (parameters_billion / CACHE_MODEL_BILLION) ** CACHE_EXPONENT
    need = Need(
        parameters_billion * BYTES_PER_PARAMETER,
        cache_kb * context_tokens / 1e6,
        2 * parameters_billion * 1e9,
        concurrency,
        latency_ms_per_token,
        budget_per_gpu_hour,
        kw_available,
    )
    prices = {gpu.id: _price(gpu) for gpu in catalog.gpus()}
    offers = [
        offer
        for gpu in catalog.gpus()
        if (price := prices[gpu.id]) is not None
        for offer in _offers(gpu, price, need)
    ]
    best: dict[str, Offer] = {}
    for offer in sorted(offers, key=lambda offer: offer.usd_per_hour):
        if not offer.misses:
            best.setdefault(offer.gpu.id, offer)
    first, second = ([f"{o.tier}: {o.words}" for o in best.values()] + ["none", "none"])[:2]
    not_judged = [name for name, price in prices.items() if price is None]
    cache_gb = need.cache_gb * concurrency
    memory = (
        f"weights {need.weights_gb:,.0f} GB, cache {cache_gb:,.0f} GB, with "
        f"{MEMORY_OVERHEAD - 1:.0%} on top {(need.weights_gb + cache_gb) * MEMORY_OVERHEAD:,.0f} GB"
    )
    tiers: Lines = [[tier[0].upper() + tier[1:], _reason(tier, offers)] for tier in TIERS]
    return [
        ["Recommended", first],
        ["Runner-up", second],
        ["Memory needed", memory],
        *tiers,
        ["Not judged", ", ".join(not_judged) or "none"],
        ["Assumes", ASSUMES],
    ]


def _reason(tier: str, offers: Sequence[Offer]) -> str:
    """What fits in a tier, or what the nearest lacks."""
    of_tier = [offer for offer in offers if offer.tier == tier]
    nearest = min(of_tier, key=lambda o: (max(1.0, o.worst), o.usd_per_hour), default=None)
    if nearest is None:
        return "none with a known price"
    lacks = "; ".join(nearest.misses)
    return f"no: the nearest, {nearest.words}: {lacks}" if lacks else f"fits: {nearest.words}"


def _price(gpu: Gpu) -> float | None:
    """The lowest on-demand price of a GPU-hour or, where nobody rents it out, of owning it.

    None when that is not known, or another figure that a choice needs.
    """
    if None in (gpu.memory_gb_per_second, gpu.bf16_flops_per_second, gpu.watts):
        return None
    rented = catalog.typical_price(gpu.id, "on-demand", LAST_DAY)
    if rented:
        return rented.low
    bought = [row.usd_per_gpu for row in catalog.purchases(gpu.id) if row.usd_per_gpu]
    if not bought or not gpu.watts:
        return None
    kw = gpu.watts / 1000 * HOST_FACTOR
    return owned_gpu_hour(min(bought), 0, OWNED_YEARS, 0, kw, PUE, KWH_PRICE, 0)


def _offers(gpu: Gpu, price: float, need: Need) -> list[Offer]:
    """Every number of one kind of GPU that is worth a thought."""
    if gpu.tier in WHOLE_NODES:
        return [_offer(gpu, price, gpu.gpus_per_node, nodes, need) for nodes in NODES]
    return [_offer(gpu, price, cards, 1, need) for cards in CARDS if cards <= gpu.gpus_per_node]


def _offer(gpu: Gpu, price: float, gpus_per_node: int, nodes: int, need: Need) -> Offer:
    """So many nodes: a copy of the model on each where it fits, else one over all of them.

    Stages on several nodes follow one another, so that a token takes as long as on one node with
    all of the memory.
    """
    node_gb = gpus_per_node * gpu.memory_gb
    copies = nodes if (need.weights_gb + need.cache_gb) * MEMORY_OVERHEAD <= node_gb else 1
    sequences = math.ceil(need.concurrency / copies)
    read_gb = need.weights_gb + need.cache_gb * sequences
    bandwidth = gpus_per_node * (gpu.memory_gb_per_second or 0) * BANDWIDTH_SHARE
    peak = gpus_per_node * (gpu.bf16_flops_per_second or 0) * PEAK_SHARE
    ms = 1000 * max(read_gb / bandwidth, need.flops * sequences / peak)
    held, needed = nodes // copies * node_gb, read_gb * MEMORY_OVERHEAD
    kw = nodes * gpus_per_node * (gpu.watts or 0) / 1000 * HOST_FACTOR
    checks = (
        (needed / held, f"{held:,.0f} GB of {needed:,.0f}"),
        (ms / need.latency_ms_per_token, f"{ms:,.1f} ms a token"),
        (kw / need.kw_available, f"{kw:,.1f} kW"),
        (price / need.budget_per_gpu_hour, f"{price:,.2f} USD/GPU-h"),
    )
    count = nodes * gpus_per_node
    tier = CLUSTER if nodes > 1 else gpu.tier
    misses = tuple(words for ratio, words in checks if ratio > 1)
    return Offer(gpu, count, tier, count * price, max(ratio for ratio, _ in checks), misses)
