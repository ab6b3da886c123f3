"""What ``scalesheet prices`` prints."""

import datetime
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scalesheet.catalog import STALE_DAYS, Price, Spread
from scalesheet.catalog.rows import USER
from scalesheet_workbooks.cli.text import WIDTH, two_columns
from scalesheet_workbooks.price_files import Listing

if TYPE_CHECKING:
    from rich.table import Table

STALE, ESTIMATE, USERS = "old", "est.", "yours"
MAY_SHRINK = ("Provider", "")
"""Columns that are shortened when the others need the room."""


def show(table: "Table") -> None:
    """A table on the terminal, 80 columns wide."""
    from rich.console import Console

    Console(highlight=False, width=WIDTH).print(table)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    """A plain table; columns that hold numbers are on the right and never shortened."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, heading in enumerate(headings):
        cells = [row[place] for row in rows]
        is_number = all(cell[:1].isdigit() for cell in cells)
        width = max(len(text) for text in (heading, *cells))
        table.add_column(
            heading,
            justify="right" if is_number else "left",
            no_wrap=True,
            overflow="ellipsis",
            min_width=0 if heading in MAY_SHRINK else width,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def price_table(found: Sequence[Price], day: datetime.date) -> "Table":
    sources = _sources(found)
    return _table(
        ("GPU", "Term", "Provider", "USD/GPU-h", "As of", "Days", "From", ""),
        [
            (
                row.gpu,
                row.term,
                row.provider,
                f"{row.usd_per_gpu_hour:,.2f}",
                f"{row.as_of}",
                f"{row.age_days(day)}",
                f"{sources.index(row.source) + 1}",
                " ".join(_marks(row, day)),
            )
            for row in found
        ],
    )


def _sources(found: Sequence[Price]) -> list[str]:
    return list(dict.fromkeys(row.source for row in found))


def _marks(row: Price, day: datetime.date) -> list[str]:
    return [
        mark
        for mark, is_so in (
            (STALE, row.is_stale(day)),
            (ESTIMATE, row.is_estimate),
            (USERS, row.catalog == USER),
        )
        if is_so
    ]


def spread_table(spreads: dict[tuple[str, str], Spread]) -> "Table":
    return _table(
        ("GPU", "Term", "Providers", "Lowest", "Median", "Highest", "Old"),
        [
            (
                gpu,
                term,
                f"{spread.providers}",
                f"{spread.low:,.2f}",
                f"{spread.median:,.2f}",
                f"{spread.high:,.2f}",
                f"{spread.stale}",
            )
            for (gpu, term), spread in spreads.items()
        ],
    )


def legend(found: Sequence[Price], day: datetime.date, own: Path | None) -> list[str]:
    """The sources, what the marks mean, and which catalog the rows are of."""
    numbered = enumerate(_sources(found), 1)
    said = [line for number, text in numbered for line in two_columns(f"{number}", text, 2)]
    marks = {mark for row in found for mark in _marks(row, day)}
    if STALE in marks:
        said.append(f"{STALE}: more than {STALE_DAYS} days before {day}; ask for a new price.")
    if ESTIMATE in marks:
        said.append(f"{ESTIMATE}: nobody could source it.")
    if USERS in marks:
        said.append(f"{USERS}: from {own}; the other rows are of the shipped catalog.")
    else:
        said.append("All rows are of the shipped catalog.")
    return said


def import_table(listing: Listing) -> "Table":
    """The prices per GPU and per instance side by side, so that a wrong unit shows."""
    groups: dict[tuple[str, str, str], list[Price]] = {}
    for price in listing.prices:
        groups.setdefault(price.key, []).append(price)
    rows = []
    for (gpu, provider, term), of_key in groups.items():
        high = max(of_key, key=lambda price: price.usd_per_gpu_hour)
        low = f"{min(price.usd_per_gpu_hour for price in of_key):,.2f}"
        highest = f"{high.usd_per_gpu_hour:,.2f}"
        rows.append(
            (
                gpu,
                term,
                provider,
                f"{len(of_key)}",
                highest if low == highest else f"{low} to {highest}",
                f"{high.original_price:,.2f} {high.original_unit.removeprefix('USD/')}",
                f"{high.gpus_per_instance}",
            )
        )
    headings = ("GPU", "Term", "Provider", "Rows", "USD/GPU-h", "as listed", "GPUs")
    return _table(headings, rows)


def as_json(found: Sequence[Price], day: datetime.date) -> str:
    rows = [
        {**asdict(row), "age_days": row.age_days(day), "stale": row.is_stale(day)} for row in found
    ]
    return json.dumps(rows, indent=1, default=str)
