"""``scalesheet prices``: what GPUs cost, how old the figures are, and price lists read in."""

import datetime
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scalesheet_workbooks.cli.options import day

if TYPE_CHECKING:
    from scalesheet_workbooks.price_files import Rate

LIST = "list"
RATE = re.compile(r"(?P<code>[A-Z]{3})=(?P<usd>[0-9]+(?:\.[0-9]+)?)(?:@(?P<day>.+))?")


class _Prices(click.Group):
    """Without the name of a command, what follows is a GPU and options of the list."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [LIST, *args]
        return super().parse_args(ctx, args)


def _rates(ctx: click.Context, option: click.Parameter, values: Sequence[str]) -> dict[str, "Rate"]:
    """Currencies and what one unit of each costs in USD, with a day if one likes: EUR=1.08."""
    from scalesheet.catalog.cells import iso_date
    from scalesheet_workbooks.price_files import Rate

    rates = {}
    for value in values:
        parts = RATE.fullmatch(value)
        try:
            if parts is None or float(parts["usd"]) == 0:
                raise ValueError(value)
            day = iso_date(parts["day"]) if parts["day"] else None
        except ValueError:
            raise click.BadParameter(
                f"{value} is no rate: write it as EUR=1.08 or EUR=1.08@2026-09-06"
            ) from None
        rates[parts["code"]] = Rate(float(parts["usd"]), day)
    return rates


@click.group(
    cls=_Prices,
    short_help="List GPU prices, or import a price list.",
    epilog="""\b
Examples:
  scalesheet prices
  scalesheet prices H100 --term on-demand
  scalesheet prices H200 --provider Nebius --as-of 2026-09-01
  scalesheet prices import vms.csv --provider Nebius --as-of 2026-09-06

Imported prices go to a file of your own, which overrides the shipped rows of the same GPU, provider
and term. SCALESHEET_PRICES names another place for it.""",
)
def prices() -> None:
    """List the prices of the catalog with their age and spread, or import a price list."""


@prices.command(
    LIST,
    short_help="List prices (this word may be left out).",
    epilog="""\b
Example:
  scalesheet prices list H100""",
)
@click.argument("gpu", required=False, default="")
@click.option("--provider", default="", metavar="NAME", help="Of this provider only.")
@click.option("--term", default="", metavar="TERM", help="Of this term only, as on-demand or spot.")
@click.option("--as-of", callback=day, metavar="DATE", help="As of a day (today without).")
@click.option("--json", "as_json", is_flag=True, help="Print every field, as JSON.")
def list_(gpu: str, provider: str, term: str, as_of: datetime.date | None, as_json: bool) -> None:
    """List the prices of GPU, or all of them; USD for one GPU and hour."""
    from scalesheet import catalog
    from scalesheet_workbooks.cli import price_text

    day = as_of or datetime.date.today()
    held = catalog.current()
    found = [row for row in catalog.prices(gpu, provider, term, held) if row.as_of <= day]
    if as_json:
        click.echo(price_text.as_json(found, day))
        return
    if not found:
        click.echo("There are no such prices: try it without --provider, --term or --as-of.")
        return
    price_text.show(price_text.price_table(found, day))
    if not provider:
        spreads = {
            (row.gpu, row.term): catalog.typical_price(row.gpu, row.term, day, held)
            for row in found
        }
        click.echo("The newest price of each provider:")
        known = {key: spread for key, spread in spreads.items() if spread}
        price_text.show(price_text.spread_table(known))
    for line in price_text.legend(found, day, held.price_file):
        click.echo(line)


@prices.command(
    "import",
    short_help="Add a price list to your own prices.",
    epilog="""\b
Examples:
  scalesheet prices import vms.csv --provider Nebius --as-of 2026-09-06
  scalesheet prices import offers.csv --rate EUR=1.08 --skip-bad

\b
Formats, told apart by the header:
  skypilot-catalog  vms.csv; hosts and GPUs priced apart are added up
  gpuhunt           one file a provider
  own               gpu, provider, term, price, unit (USD/GPU-h,
                    EUR/instance-h, USD/node-month, ...), gpus_per_instance,
                    as_of, region, instance, source, note, part (host, gpus);
                    or on_demand, spot, reserved_1y, reserved_3y for price

Prices of instances are divided by their GPUs; what the list said is kept beside
the result. An empty price is unknown, never 0. Nothing is stored while a line
has a problem, unless --skip-bad is given.""",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as-of", callback=day, metavar="DATE", help="The day of the prices.")
@click.option("--provider", default="", metavar="NAME", help="Whose prices they are.")
@click.option("--source", default="", metavar="TEXT", help="Where the list is from.")
@click.option("--region", default="", metavar="NAME", help="Take this region only.")
@click.option(
    "--rate",
    "rates",
    callback=_rates,
    multiple=True,
    metavar="EUR=1.08",
    help="USD for one EUR.",
)
@click.option("--skip-bad", is_flag=True, help="Store the good lines, list the others.")
@click.option("--force", is_flag=True, help="Replace prices of the same day.")
def import_(
    file: Path,
    as_of: datetime.date | None,
    provider: str,
    source: str,
    region: str,
    rates: dict[str, "Rate"],
    skip_bad: bool,
    force: bool,
) -> None:
    """Add the prices in FILE to your own price file; all its problems are said at once."""
    from scalesheet.catalog import reload
    from scalesheet_workbooks.cli import price_text
    from scalesheet_workbooks.price_files import PriceFileError, Terms, read_listing
    from scalesheet_workbooks.price_files.store import add

    terms = Terms(datetime.date.today(), as_of, provider, source, region, rates)
    listing = read_listing(file, terms)
    if listing.problems and not skip_bad:
        last = "nothing is stored: mend these lines, or add --skip-bad to leave them out"
        raise PriceFileError([*listing.problems, last])
    for problem in listing.problems:
        click.echo(f"Left out: {problem}", err=True)
    for remark in listing.remarks:
        click.echo(f"Note: {remark}", err=True)
    if not listing.prices:
        raise PriceFileError([f"{listing.name}: there is no price to store"])
    path = add(listing.prices, force)
    reload()
    price_text.show(price_text.import_table(listing))
    click.echo(f"{listing.format} list: {len(listing.prices)} prices written to {path}")
