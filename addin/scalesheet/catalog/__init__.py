"""Dated and sourced figures: GPUs, prices, networks, power, failures.

Plain CSV files beside the modules, each row with a source, a date and how far to trust it. Sources
that contradict each other stay side by side. Nothing is read before somebody asks for a figure.

>>> import datetime
>>> from scalesheet.catalog import gpu_price
>>> gpu_price("H100", "AWS", "on-demand", datetime.date(2026, 9, 30))
6.88
"""

from scalesheet.catalog.cells import CatalogError
from scalesheet.catalog.loading import current, price_file, reload, shipped
from scalesheet.catalog.lookups import (
    SPEC_FIELDS,
    Spread,
    figures,
    find_gpu,
    gpu_price,
    gpu_price_note,
    gpu_spec,
    gpu_spec_note,
    gpus,
    interconnects,
    prices,
    purchases,
    quote,
    typical_price,
)
from scalesheet.catalog.notes import Quote
from scalesheet.catalog.rows import (
    STALE_DAYS,
    TERMS,
    TIERS,
    Catalog,
    Figure,
    Gpu,
    Interconnect,
    Price,
    Purchase,
)
from scalesheet.catalog.units import (
    UNITS,
    price_per_gpu_hour,
    price_per_instance_hour,
)

__all__ = [
    "SPEC_FIELDS",
    "STALE_DAYS",
    "TERMS",
    "TIERS",
    "UNITS",
    "Catalog",
    "CatalogError",
    "Figure",
    "Gpu",
    "Interconnect",
    "Price",
    "Purchase",
    "Quote",
    "Spread",
    "current",
    "figures",
    "find_gpu",
    "gpu_price",
    "gpu_price_note",
    "gpu_spec",
    "gpu_spec_note",
    "gpus",
    "interconnects",
    "price_file",
    "price_per_gpu_hour",
    "price_per_instance_hour",
    "prices",
    "purchases",
    "quote",
    "reload",
    "shipped",
    "typical_price",
]
