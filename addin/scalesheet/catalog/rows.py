"""What a row of the catalog is: a figure with its unit, its source and its date.

A date is a full day. Where a source says less, the first day that it can be is taken (2025-12 is
2025-12-01): the cautious choice, as it makes a figure older. A page without any date, which is
allowed for specifications and not for prices, counts as of the day it was read.
"""

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

STALE_DAYS = 180
"""A price older than this is flagged wherever it is used."""

ON_DEMAND, SPOT, ONE_YEAR, THREE_YEARS = "on-demand", "spot", "reserved-1y", "reserved-3y"
TERMS = (ON_DEMAND, SPOT, ONE_YEAR, THREE_YEARS)
TIERS = ("workstation card", "server card", "8-GPU node", "multi-node cluster")
"""The smallest thing that one buys to have a GPU, in ascending size."""
PRECISIONS = ("tf32", "bf16", "fp16", "fp8")
ESTIMATE = "estimate"
CONFIDENCES = ("read", "computed", "second-hand", ESTIMATE)
"""Read in the source named; computed from its figures; quoted by it from elsewhere; nobody's."""
SHIPPED, USER = "shipped", "user"


@dataclass(frozen=True, slots=True)
class Row:
    """What every row says of itself; ``locator`` is the file, page or row within the source."""

    id: str
    source: str
    locator: str
    as_of: datetime.date
    confidence: str
    note: str

    @property
    def is_estimate(self) -> bool:
        """Whether nobody could source the figure."""
        return self.confidence == ESTIMATE

    def age_days(self, at: datetime.date) -> int:
        """Days from the row's date to another; below zero when the row is of a later day."""
        return (at - self.as_of).days

    def is_stale(self, at: datetime.date) -> bool:
        """Whether the row is older than STALE_DAYS at a date."""
        return self.age_days(at) > STALE_DAYS


@dataclass(frozen=True, slots=True)
class Gpu(Row):
    """One GPU; its id is its name in the catalog.

    Peaks are dense, in FLOP/s, never the figure for sparse matrices, and with FP32 accumulation.
    None is a figure that no source gave. ``watts`` is the maximum of one GPU, without its server.
    """

    words: str
    tier: str
    gpus_per_node: int
    memory_gb: float
    memory_gb_per_second: float
    watts: float | None
    tf32_flops_per_second: float | None
    bf16_flops_per_second: float | None
    fp16_flops_per_second: float | None
    fp8_flops_per_second: float | None


@dataclass(frozen=True, slots=True)
class Price(Row):
    """What one GPU costs for one hour, in USD, and what the source said before it was divided.

    ``line`` is the line of the price list that the row was imported from, None for shipped rows.
    """

    gpu: str
    provider: str
    term: str
    usd_per_gpu_hour: float
    region: str
    instance: str
    original_price: float
    original_unit: str
    gpus_per_instance: int
    line: int | None
    catalog: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What a price is of: GPU, provider and term."""
        return self.gpu, self.provider, self.term


@dataclass(frozen=True, slots=True)
class Purchase(Row):
    """What a GPU, a node, a switch or the network of a node costs to buy, in USD."""

    kind: str
    gpu: str
    words: str
    price: float
    unit: str
    gpus_per_unit: int | None

    @property
    def usd_per_gpu(self) -> float | None:
        """The price of one GPU's share, where the row is of a GPU or of a node of them."""
        if self.unit == "USD/node" and self.gpu and self.gpus_per_unit:
            return self.price / self.gpus_per_unit
        return self.price if self.unit == "USD/GPU" else None


@dataclass(frozen=True, slots=True)
class Interconnect(Row):
    """A class of network; its id is the short name that LOSS_PER_NODE takes."""

    words: str
    gbps: float
    loss_per_extra_node: float


@dataclass(frozen=True, slots=True)
class Figure(Row):
    """One sourced number: PUE, electricity, egress, failures, checkpoints."""

    topic: str
    words: str
    value: float
    unit: str


class Alias(NamedTuple):
    """Another name for a GPU, a provider or a term; the note says what was taken."""

    kind: str
    name: str
    means: str
    note: str


class Catalog(NamedTuple):
    """All rows, and where the user's own prices came from (None without any)."""

    gpus: tuple[Gpu, ...]
    prices: tuple[Price, ...]
    purchases: tuple[Purchase, ...]
    interconnects: tuple[Interconnect, ...]
    figures: tuple[Figure, ...]
    aliases: tuple[Alias, ...]
    price_file: Path | None = None

    @property
    def gpu_names(self) -> list[str]:
        """The GPUs that the catalog knows, as it writes them."""
        return [gpu.id for gpu in self.gpus]

    @property
    def providers(self) -> list[str]:
        """The providers of its prices."""
        return sorted({price.provider for price in self.prices}, key=str.lower)
