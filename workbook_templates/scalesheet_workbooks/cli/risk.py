"""``scalesheet risk``: what ranges of the inputs mean for the total."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from scalesheet_workbooks.study import Scenario, Study

LEAST_DRAWS, MOST_DRAWS = 1_000, 20_000_000


@click.command(
    short_help="Percentiles of the total when inputs are ranges.",
    epilog="""\b
Examples:
  scalesheet risk my_scenarios.toml
  scalesheet risk my_scenarios.toml --scenario "Baseline 64" --json

\b
Ranges are low, mode (the most likely value) and high, under a scenario:
  [scenario.risk]
  gpu_hour_price = [2.0, 2.5, 3.5]
  efficiency = [0.70, 0.80, 0.85]

ideal_hours and rework may be ranges too; what has none stays as planned.
""",
)
@click.argument("scenario_file", type=click.Path(path_type=Path), metavar="SCENARIOS.toml")
@click.option("--scenario", "name", metavar="NAME", help="Only the scenario of this name.")
@click.option(
    "--draws",
    type=click.IntRange(LEAST_DRAWS, MOST_DRAWS),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Random draws a scenario.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def risk(scenario_file: Path, name: str | None, draws: int, as_json: bool) -> None:
    """Say what the total may come to when inputs are known only as ranges.

    Every scenario with a [scenario.risk] table is drawn at random: percentiles, a histogram, the
    best and the worst case, and which input drives the spread.
    """
    from scalesheet.simulation import SEED
    from scalesheet_workbooks.cli import risk_text
    from scalesheet_workbooks.risk_study import outlook
    from scalesheet_workbooks.scenarios import load

    study = load(scenario_file)
    asked = _asked(study, name, scenario_file.name)
    outlooks = [outlook(scenario, draws, SEED) for scenario in asked if scenario.risk]
    if as_json:
        click.echo(risk_text.as_json(outlooks, study.currency, SEED))
        return
    marks = risk_text.symbols(sys.stdout.encoding)
    left_out = [scenario.name for scenario in asked if not scenario.risk]
    for line in risk_text.page(outlooks, left_out, study.currency, SEED, marks):
        click.echo(line)


def _asked(study: "Study", name: str | None, source: str) -> list["Scenario"]:
    """The scenarios asked for; ScenarioError when there is none, or none of them has ranges."""
    from scalesheet_workbooks.scenario_text import ScenarioError
    from scalesheet_workbooks.scenarios import RISK_EXAMPLE

    asked = [
        scenario
        for scenario in study.scenarios
        if name is None or scenario.name.casefold() == name.strip().casefold()
    ]
    if not asked:
        names = ", ".join(f'"{scenario.name}"' for scenario in study.scenarios)
        raise ScenarioError([f'{source}: there is no scenario "{name}": type one of {names}'])
    if not any(scenario.risk for scenario in asked):
        which = "no scenario has" if name is None else f'scenario "{asked[0].name}" has no'
        raise ScenarioError([f"{source}: {which} ranges: write under a scenario {RISK_EXAMPLE}"])
    return asked
