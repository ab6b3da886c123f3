"""``scalesheet new``: one workbook built, and what it comes to."""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scalesheet_workbooks.cli.options import day

if TYPE_CHECKING:
    from scalesheet_workbooks.study import Study

POINTS_TEMPLATE = "scaling_study"


@click.command(
    short_help="Build a workbook.",
    epilog="""\b
Examples:
  scalesheet new training_run_budget -o budget.xlsx
  scalesheet new training_run_budget -o budget.xlsx --scenarios mine.toml
  scalesheet new training_run_budget -o budget.xlsx
      --owner "A. Owner" --as-of 2026-09-06
  scalesheet new cluster_proposal -o proposal.xlsx --set in.gpus=512
  scalesheet new cluster_proposal -o proposal.xlsx --title "Cluster 2027"
      --set in.gpu_hour_price=2.10 --scenario "On demand" --scenario Spot
  scalesheet new cluster_proposal -o proposal.xlsx
      --set in.rework=5% --set "Spot:in.rework=40%" --currency EUR
  scalesheet new scaling_study -o study.xlsx
      --points bench.csv --scaling weak --unit tokens/s --as-of 2026-09-06

\b
--set takes the ids of column B of the workbook's inputs, with the values of
its cells. It counts for all scenarios; with --scenario for those named,
wherever the options stand; with "NAME:" before the id for that one alone. Of
two settings of one cell the last counts.

'scalesheet templates' lists the templates. Without --scenarios the workbook
holds those that come with the package.
""",
)
@click.argument("template")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The workbook to write (.xlsx).",
)
@click.option(
    "--scenarios",
    "scenario_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Scenarios to put in (.toml).",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="[NAME:]ID=VALUE",
    help="An input to set, as in.gpu_hour_price=2.10; may be repeated.",
)
@click.option(
    "--scenario",
    "names",
    multiple=True,
    metavar="NAME",
    help="The scenario, or its number, that --set counts for; may be repeated.",
)
@click.option("--title", metavar="TEXT", help="Title on the cover.")
@click.option("--owner", metavar="TEXT", help="Who answers for the numbers.")
@click.option(
    "--as-of",
    callback=day,
    metavar="DATE",
    help="Day of the prices, the proposal or the study (without: that of the scenarios).",
)
@click.option("--currency", metavar="CODE", help="ISO code of all amounts; nothing is converted.")
@click.option(
    "--points",
    "point_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Measured sizes for scaling_study (.csv, .xlsx), read as scalesheet fit does.",
)
@click.option(
    "--scaling",
    type=click.Choice(["weak", "strong"]),
    help="Of the points. Weak: each GPU's batch stays. Strong: the total batch stays.",
)
@click.option("--unit", default="", metavar="UNIT", help="Of the points, as tokens/s.")
@click.option("--gpus-per-node", type=click.IntRange(1, 1000), metavar="N", help="Of the points.")
@click.option("--class", "fabric_class", metavar="NAME", help="Class of fabric of the points.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def new(
    template: str,
    output: Path,
    scenario_file: Path | None,
    settings: tuple[str, ...],
    names: tuple[str, ...],
    title: str | None,
    owner: str | None,
    as_of: datetime.date | None,
    currency: str | None,
    point_file: Path | None,
    scaling: str | None,
    unit: str,
    gpus_per_node: int | None,
    fabric_class: str | None,
    force: bool,
) -> None:
    """Build the workbook TEMPLATE; the file is written whole or not at all."""
    from scalesheet_workbooks.build import TEMPLATES, build
    from scalesheet_workbooks.measurement_files import Asked
    from scalesheet_workbooks.output import check_target, write_whole
    from scalesheet_workbooks.scaling_workbook import study_of_file
    from scalesheet_workbooks.scenarios import load, shipped
    from scalesheet_workbooks.settings import outside_ranges

    if template not in TEMPLATES:
        raise click.UsageError(_unknown(template, list(TEMPLATES)))
    if output.suffix.lower() != ".xlsx":
        raise click.UsageError(f"{output} must end in .xlsx: spreadsheets open nothing else")
    of_scenarios = {
        "--scenarios": scenario_file,
        "--set": settings,
        "--scenario": names,
        "--title": title,
        "--owner": owner,
        "--currency": currency,
        "--as-of": None if point_file else as_of,
    }
    given = [option for option, value in of_scenarios.items() if value]
    if given and not TEMPLATES[template].uses_scenarios:
        raise click.UsageError(f"{template} shows no scenarios: leave out {given[0]}")
    if names and not settings:
        raise click.UsageError("--scenario says what --set counts for: add --set ID=VALUE")
    if point_file and template != POINTS_TEMPLATE:
        raise click.UsageError(f"{template} takes no points: leave out --points")
    if not point_file and (scaling or unit or gpus_per_node or fabric_class):
        raise click.UsageError("no points are given that this is of: add --points FILE")
    check_target(output, force)
    study = None
    if point_file:
        asked = Asked(scaling=scaling or "", unit=unit, gpus_per_node=gpus_per_node)
        data = study_of_file(point_file, asked, fabric_class or "other", as_of)
    elif TEMPLATES[template].uses_scenarios:
        study = load(scenario_file) if scenario_file else shipped(template)
        study = _covered(
            study, {"title": title, "owner": owner, "currency": currency, "as_of": as_of}
        )
        study = _set(study, template, settings, names)
        data = build(template, study)
    else:
        data = build(template)
    write_whole(output, data, force)
    click.echo(f"{output} written")
    _sum_up(template, data, study)
    if study:
        for line in outside_ranges(study) if TEMPLATES[template].shows_ranges else ():
            click.echo(line)
    if study and scenario_file:
        _say_what_is_not_shown(template, study, scenario_file)


def _covered(study: "Study", given: Mapping[str, object]) -> "Study":
    """The study with another cover, each entry within the limits of a scenario file."""
    from scalesheet_workbooks.scenario_text import ScenarioError
    from scalesheet_workbooks.scenarios import cover

    table = {key: value for key, value in given.items() if value}
    problems: list[str] = []
    options = {f"workbook.{key}": f"--{key.replace('_', '-')}" for key in given}
    read = cover(table, lambda problem: problems.append(_with_options(problem, options)))
    if problems:
        raise ScenarioError(problems)
    return replace(study, **{key: read[key] for key in table})


def _with_options(problem: str, options: Mapping[str, str]) -> str:
    """A problem of a scenario file, about the option that gave the entry."""
    key, _, rest = problem.partition(" ")
    return f"{options.get(key, key)} {rest}"


def _set(
    study: "Study", template: str, settings: tuple[str, ...], names: tuple[str, ...]
) -> "Study":
    from scalesheet_workbooks.build import TEMPLATES
    from scalesheet_workbooks.settings import parsed, with_settings

    if not settings:
        return study
    inputs = {entry.id: entry for entry in TEMPLATES[template].inputs}
    return with_settings(study, inputs, [*map(parsed, settings)], names, _elsewhere(template))


def _elsewhere(template: str) -> Callable[[str], str]:
    """What an id of a template is that is no input: looked up in the workbook, when asked."""

    def words(name: str) -> str:
        from scalesheet_workbooks.build import build
        from scalesheet_workbooks.headline import where_is

        return where_is(build(template), name)

    return words


def _sum_up(template: str, data: bytes, study: "Study | None") -> None:
    from rich.console import Console

    from scalesheet_workbooks.build import TEMPLATES
    from scalesheet_workbooks.cli.headline_text import scenario_table, verdict
    from scalesheet_workbooks.headline import FIGURES, headline

    entry = TEMPLATES[template]
    found = headline(data, FIGURES.get(template, ()))
    counted = f"{found.sheets} sheets" if found.sheets > 1 else "1 sheet"
    count = len(found.scenarios)
    if count:
        counted += f", {count} scenarios" if count > 1 else ", 1 scenario"
    click.echo(f"{template} {entry.version}: {counted}")
    if study and count:
        Console(highlight=False, width=80).print(scenario_table(found, study.currency))
    for line in verdict(found):
        click.echo(line)


def _say_what_is_not_shown(template: str, study: "Study", scenario_file: Path) -> None:
    from scalesheet_workbooks.build import TEMPLATES, ignored
    from scalesheet_workbooks.cli.text import paragraph

    if unused := ignored(template, study):
        for line in paragraph(f"Not shown in it: {', '.join(unused)}"):
            click.echo(line)
    has_ranges = any(scenario.risk for scenario in study.scenarios)
    if has_ranges and not TEMPLATES[template].shows_ranges:
        click.echo(f"Ranges are not shown in it: scalesheet risk {scenario_file}")


def _unknown(template: str, known: list[str]) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(template.lower().replace("-", "_"), known, 1) or known
    return f"{template} is no template: type {' or '.join(nearest)}"
