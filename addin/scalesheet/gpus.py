"""What a GPU costs and can do, by the dated and sourced catalog.

Prices are in USD, the catalog's currency. The user's own price file counts before the shipped rows;
a note says which one it was. A workbook keeps price, source and date as values: a new catalog never
moves a signed total.
"""

from scalesheet import catalog
from scalesheet.errors import OutOfDomain, UnknownChoice
from scalesheet.hints import (
    AsOf,
    GpuFigure,
    GpuHourPrice,
    GpuName,
    GpuPurchasePrice,
    Note,
    Provider,
    SpecField,
    Term,
)
from scalesheet.registry import function


@function(category="Catalog", source="catalog")
def gpu_price(gpu: GpuName, provider: Provider, term: Term, as_of: AsOf) -> GpuHourPrice:
    """Price of one GPU for one hour in USD: the newest row of the catalog up to a day.

    Of several rows of one day (regions, sources that differ) the highest counts; GPU_PRICE_NOTE
    says so, and when the price is older than 180 days.

    >>> from datetime import date
    >>> gpu_price("H200", "Nebius", "on-demand", date(2026, 9, 1))
    4.5
    """
    return catalog.gpu_price(gpu, provider, term, as_of)


@function(category="Catalog", source="catalog")
def gpu_price_note(gpu: GpuName, provider: Provider, term: Term, as_of: AsOf) -> Note:
    """Where the price of GPU_PRICE comes from, how old it is, and every reason to doubt it.

    >>> from datetime import date
    >>> gpu_price_note("H200", "Nebius", "spot", date(2026, 9, 1))
    'H200 spot at Nebius: 2.45 USD/GPU-h of 2026-08-28 (4 days old), ...; shipped catalog; ...'
    """
    return catalog.gpu_price_note(gpu, provider, term, as_of)


@function(category="Catalog", source="catalog")
def gpu_purchase_price(gpu: GpuName, as_of: AsOf) -> GpuPurchasePrice:
    """Price of buying one GPU in USD, its share of the server in it: the newest row up to a day.

    Of several rows of one day the highest counts.

    >>> from datetime import date
    >>> gpu_purchase_price("H100", date(2026, 9, 1))
    46875.0
    """
    rows = catalog.purchases(gpu)
    if not any(row.usd_per_gpu for row in rows):
        raise UnknownChoice(f"no purchase price of {gpu} is known: enter one and its source")
    known = [(row.as_of, row.usd_per_gpu) for row in rows if row.usd_per_gpu and row.as_of <= as_of]
    if not known:
        first = min(row.as_of for row in rows if row.usd_per_gpu)
        raise OutOfDomain(
            f"as_of must be {first} or later for {gpu}, not {as_of}: no earlier price"
        )
    return max(known)[1]


@function(category="Catalog", source="catalog")
def gpu_spec(gpu: GpuName, field: SpecField) -> GpuFigure:
    """Figure of a GPU: memory_gb, watts, bf16_flops_per_second (dense) and others, by name.

    >>> gpu_spec("H100", "memory_gb"), gpu_spec("H100", "bf16_flops_per_second")
    (80.0, 989000000000000.0)
    """
    return catalog.gpu_spec(gpu, field)
