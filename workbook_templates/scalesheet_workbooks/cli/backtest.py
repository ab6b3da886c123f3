"""``scalesheet backtest``: how far off the forecasts would have been, beside other models'."""

import sys
from pathlib import Path

import click


@click.command(
    short_help="How far off forecasts are, on published series.",
    epilog="""\b
Examples:
  scalesheet backtest
  scalesheet backtest --by class
  scalesheet backtest --json --plot backtest.svg

The table needs a minute or two. It is also in addin/README.md.""",
)
@click.option(
    "--by",
    type=click.Choice(["class", "family"]),
    help="One table for each class of fabric, or for each publisher.",
)
@click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw it (.png or .svg)."
)
@click.option("--force", is_flag=True, help="Overwrite an existing plot.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def backtest(by: str | None, plot: Path | None, force: bool, as_json: bool) -> None:
    """Forecast the largest size of published series from smaller ones, with every model.

    Sizes are held back in three ways: the largest only, and all but the first two or three. Ours is
    shown beside the plain models and the seed's, with its constants as shipped and with its prior
    chosen on other families alone.
    """
    from scalesheet_workbooks import plots
    from scalesheet_workbooks.backtest_table import measured
    from scalesheet_workbooks.cli import backtest_text
    from scalesheet_workbooks.output import check_target, write_whole

    if plot:
        plots.check(plot)
        check_target(plot, force)
    found = measured(lambda step: click.echo(step, err=True))
    if plot:
        write_whole(plot, plots.backtest_plot(found.rows(), plot.suffix), force)
        click.echo(f"{plot} written", err=True)
    if as_json:
        click.echo(backtest_text.as_json(found, by))
        return
    for line in backtest_text.page(found, by, sys.stdout.encoding):
        click.echo(line)
