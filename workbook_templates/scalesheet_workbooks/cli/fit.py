"""``scalesheet fit``: what one's own benchmark of a few sizes says about larger ones."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from scalesheet_workbooks.fit_study import Price

MEASURES = ("throughput", "step-time", "step-rate", "epoch-time", "time-to-train")
MOST_NODES = 100_000
PRICE = re.compile(
    r"(?P<amount>[0-9]+(?:\.[0-9]+)?)\s*(?P<currency>[A-Za-z]{3})?\s*/\s*"
    r"(?P<what>gpu|node|instance)-?\s*h(?:our|r)?",
    re.IGNORECASE,
)


def _sizes(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Whole numbers of nodes with commas between them."""
    try:
        found = tuple(int(part) for part in value.split(",")) if value else ()
    except ValueError:
        raise click.BadParameter(f"{value} are no sizes: write them as 8,16,32") from None
    if any(not 1 <= nodes <= MOST_NODES for nodes in found):
        raise click.BadParameter(f"nodes must be 1 to {MOST_NODES:,}, not {value}")
    return found


def _only(ctx: click.Context, option: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """Columns and the text that lines must have there."""
    parted = [value.partition("=") for value in values]
    for name, sign, _ in parted:
        if not sign or not name.strip():
            raise click.BadParameter(f"{name} names no value: write it as COLUMN=VALUE")
    return {name.strip(): text.strip() for name, _, text in parted}


def _price(value: str, gpus_per_node: int | None) -> "Price":
    """A price as 2.5/GPU-h or 20/node-h, with a currency if one likes: 2.5EUR/GPU-h."""
    from scalesheet_workbooks.fit_study import Price

    parts = PRICE.fullmatch(value.strip())
    if parts is None or float(parts["amount"]) == 0:
        raise click.BadParameter(
            f"{value} is no price: say of what, as 2.5/GPU-h or 20/node-h", param_hint="'--price'"
        )
    amount, currency = float(parts["amount"]), (parts["currency"] or "").upper()
    if parts["what"].lower() != "gpu":
        return Price(amount, currency, f"{amount:,.10g} {currency}/node-h".replace(" /", "/"))
    if gpus_per_node is None:
        raise click.UsageError("a price per GPU needs the GPUs of a node: add --gpus-per-node")
    said = f"{amount:,.10g} {currency}/GPU-h x {gpus_per_node} GPUs".replace(" /", "/")
    return Price(amount * gpus_per_node, currency, said)


@click.command(
    short_help="Fit your own benchmark: larger sizes, cost, limits.",
    epilog="""\b
Examples:
  scalesheet fit bench.csv --scaling weak
  scalesheet fit bench.xlsx --sheet Runs --scaling weak --price 2.5/GPU-h
  scalesheet fit bench.csv --scaling weak --sizes 16,32 --plot curve.svg

\b
FILE is CSV or .xlsx with a header, for example
  nodes,gpus_per_node,tokens/s        gpus,step time (ms)
  1,8,100000                          8,251
  2,8,196000                          16,262
  4,8,380000                          32,275
or a time to train, with the samples of the runs if they are known. What the
header does not say is asked for, as the unit of a plain "throughput"; batch
sizes beside say whether scaling is weak or strong. Lines without a figure are
left out; a size may stand there again.""",
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--sheet", metavar="NAME", help="The sheet, where several have measurements.")
@click.option("--column", default="", metavar="NAME", help="The column to read.")
@click.option("--measure", type=click.Choice(MEASURES), help="What the figures are.")
@click.option("--unit", default="", metavar="UNIT", help="Their unit, as tokens/s, ms or min.")
@click.option(
    "--scaling",
    type=click.Choice(["weak", "strong"]),
    help="Weak: each GPU's batch stays. Strong: the total batch stays.",
)
@click.option("--gpus-per-node", type=click.IntRange(1, 1000), metavar="N", help="GPUs in a node.")
@click.option("--per-gpu", "basis", flag_value="GPU", default=None, help="Figures are per GPU.")
@click.option("--per-node", "basis", flag_value="node", help="Figures are per node.")
@click.option("--total", "basis", flag_value="run", help="Figures are totals, whatever they look.")
@click.option(
    "--only",
    callback=_only,
    multiple=True,
    metavar="COLUMN=VALUE",
    help="Take only lines with this text (more than once if you like).",
)
@click.option("--class", "fabric_class", default="other", metavar="NAME", help="Class of fabric.")
@click.option("--price", metavar="PRICE", help="As 2.5/GPU-h or 20/node-h, or 2.5EUR/GPU-h.")
@click.option(
    "--sizes", callback=_sizes, metavar="8,16,32", help="Nodes to forecast (doublings without)."
)
@click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw it (.png or .svg)."
)
@click.option("--force", is_flag=True, help="Overwrite an existing plot.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def fit(
    file: Path,
    sheet: str | None,
    column: str,
    measure: str | None,
    unit: str,
    scaling: str | None,
    gpus_per_node: int | None,
    basis: str | None,
    only: dict[str, str],
    fabric_class: str,
    price: str | None,
    sizes: tuple[int, ...],
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Fit the measured sizes in FILE and say what larger ones will do and cost.

    Prints the fit, forecasts with their 80 % band, the efficiency, what each doubling brings and
    costs, where adding nodes stops paying, and every reason to doubt it.
    """
    from scalesheet_workbooks import plots
    from scalesheet_workbooks.cli import fit_text
    from scalesheet_workbooks.cli.risk_text import symbols
    from scalesheet_workbooks.fit_study import study
    from scalesheet_workbooks.measurement_files import MEASURES as KINDS
    from scalesheet_workbooks.measurement_files import Asked, read_measurements
    from scalesheet_workbooks.output import check_target, write_whole

    if plot:
        plots.check(plot)
        check_target(plot, force)
    asked = Asked(
        sheet,
        KINDS[measure] if measure else None,
        column,
        unit,
        scaling or "",
        gpus_per_node,
        basis or "",
        only,
    )
    measurements = read_measurements(file, asked)
    of_node = price and _price(price, measurements.gpus_per_node)
    found = study(measurements, fabric_class, of_node or None, sizes)
    if plot:
        write_whole(plot, plots.fit_plot(found, plot.suffix), force)
        click.echo(f"{plot} written", err=True)
    if as_json:
        click.echo(fit_text.as_json(found))
        return
    for line in fit_text.page(found, symbols(sys.stdout.encoding)):
        click.echo(line)
