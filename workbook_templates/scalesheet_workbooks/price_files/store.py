"""The user's own price file: imported prices added to it, whole or not at all."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from scalesheet.catalog import Price, shipped
from scalesheet.catalog.loading import price_file, read_prices
from scalesheet.catalog.records import PRICE_UNIT
from scalesheet.catalog.rows import USER
from scalesheet_workbooks.output import OutputError, write_whole

COLUMNS = (
    "id",
    "gpu",
    "provider",
    "term",
    "price",
    "unit",
    "as_of",
    "region",
    "instance",
    "original_price",
    "original_unit",
    "gpus_per_instance",
    "line",
    "source",
    "locator",
    "confidence",
    "note",
)


def add(prices: Sequence[Price], force: bool = False) -> Path:
    """Add prices to the user's file and say where it is.

    Prices of a GPU, provider, term and day that the file has already are replaced with ``force``
    and refused without; those of other days stay, so that a look-up at an earlier day finds them.
    """
    path = price_file()
    old = read_prices(path, shipped(), USER) if path.exists() else ()
    days = {(price.key, price.as_of) for price in prices}
    kept = [price for price in old if (price.key, price.as_of) not in days]
    if len(kept) < len(old) and not force:
        again = next(price for price in old if (price.key, price.as_of) in days)
        raise OutputError(
            f"{path}: has prices of {again.gpu} {again.term} at {again.provider} of {again.as_of} "
            "already: add --force to replace them"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, price_text([*kept, *prices]).encode(), force=True)
    return path


def price_text(prices: Iterable[Price]) -> str:
    """Prices in the catalog's own form."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for price in prices:
        cells = {
            "price": f"{price.usd_per_gpu_hour:.15g}",
            "unit": PRICE_UNIT,
            "original_price": f"{price.original_price:.15g}",
            "line": price.line or "",
        }
        writer.writerow(
            [cells[name] if name in cells else getattr(price, name) for name in COLUMNS]
        )
    return out.getvalue()
