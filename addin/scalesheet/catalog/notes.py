"""What there is to say of a price: source, date, age, and every reason for doubt."""

import datetime
from typing import NamedTuple

from scalesheet.catalog import rows
from scalesheet.catalog.records import PRICE_UNIT
from scalesheet.catalog.rows import STALE_DAYS, Price


class Quote(NamedTuple):
    """The price that counts at a date and what else there is to say of it.

    ``rivals`` are the other rows of the same day, ``before`` the newest of an earlier day, and
    ``taken`` says what a short name was taken for.
    """

    row: Price
    rivals: tuple[Price, ...]
    before: Price | None
    taken: tuple[str, ...]


def remarks(found: Quote, at: datetime.date) -> list[str]:
    """The parts of a note, the price and its source first, doubts after them."""
    row = found.row
    age = row.age_days(at)
    days = "1 day old" if age == 1 else f"{age} days old"
    what = f"{row.gpu} {row.term} at {row.provider}"
    said = [
        f"{what}: {row.usd_per_gpu_hour:.6g} USD/GPU-h of {row.as_of} ({days}), "
        f"{row.source}, {row.locator}",
        "your price file" if row.catalog == rows.USER else "shipped catalog",
    ]
    if row.is_estimate:
        said.append("ESTIMATE: no source")
    elif row.confidence != "read":
        said.append(row.confidence)
    if row.is_stale(at):
        said.append(f"STALE: older than {STALE_DAYS} days, ask for a new price")
    lows = [rival.usd_per_gpu_hour for rival in found.rivals]
    if lows and min(lows) < row.usd_per_gpu_hour:
        said.append(
            f"{len(lows) + 1} rows of that day differ, from {min(lows):.6g} to "
            f"{row.usd_per_gpu_hour:.6g}: the highest is taken"
        )
    if found.before and found.before.usd_per_gpu_hour != row.usd_per_gpu_hour:
        old = found.before
        said.append(f"{old.usd_per_gpu_hour:.6g} on {old.as_of} ({old.source})")
    said.extend(_place(row))
    said.extend(found.taken)
    if row.note:
        said.append(row.note)
    return said


def _place(row: Price) -> list[str]:
    where = [part for part in (row.instance, row.region) if part]
    if row.original_unit != PRICE_UNIT:
        where.append(
            f"{row.original_price:.10g} {row.original_unit} for {row.gpus_per_instance} GPU"
            + ("s" if row.gpus_per_instance > 1 else "")
        )
    return [", ".join(where)] if where else []
