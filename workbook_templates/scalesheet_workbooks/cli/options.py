"""Options that several commands have, read alike."""

import datetime

import click


def day(ctx: click.Context, option: click.Parameter, value: str | None) -> datetime.date | None:
    """A date as 2026-09-06."""
    from scalesheet.catalog.cells import iso_date

    try:
        return iso_date(value) if value else None
    except ValueError:
        raise click.BadParameter(f"{value} is no date: write it as 2026-09-06") from None
