"""``scalesheet new``: one workbook built."""

from pathlib import Path

import click

POINTS_TEMPLATE = "scaling_study"


@click.command(
    short_help="Build a workbook.",
    epilog="""\b
Examples:
  scalesheet new training_run_budget -o budget.xlsx
  scalesheet new training_run_budget -o budget.xlsx --scenarios my_scenarios.toml
  scalesheet new scaling_study -o study.xlsx --points bench.csv --scaling weak

'scalesheet templates' lists the templates. Without --scenarios the workbook holds the five that
come with the package.
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
@click.option("--gpus-per-node", type=click.IntRange(1, 1000), metavar="N", help="Of the points.")
@click.option("--class", "fabric_class", metavar="NAME", help="Class of fabric of the points.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def new(
    template: str,
    output: Path,
    scenario_file: Path | None,
    point_file: Path | None,
    scaling: str | None,
    gpus_per_node: int | None,
    fabric_class: str | None,
    force: bool,
) -> None:
    """Build the workbook TEMPLATE; the file is written whole or not at all."""
    from scalesheet_workbooks.build import TEMPLATES, build, ignored
    from scalesheet_workbooks.cli.text import paragraph
    from scalesheet_workbooks.measurement_files import Asked
    from scalesheet_workbooks.output import check_target, write_whole
    from scalesheet_workbooks.scaling_workbook import study_of_file
    from scalesheet_workbooks.scenarios import load

    if template not in TEMPLATES:
        raise click.UsageError(_unknown(template, list(TEMPLATES)))
    if output.suffix.lower() != ".xlsx":
        raise click.UsageError(f"{output} must end in .xlsx: spreadsheets open nothing else")
    if scenario_file and not TEMPLATES[template].uses_scenarios:
        raise click.UsageError(f"{template} shows no scenarios: leave out --scenarios")
    if point_file and template != POINTS_TEMPLATE:
        raise click.UsageError(f"{template} takes no points: leave out --points")
    if not point_file and (scaling or gpus_per_node or fabric_class):
        raise click.UsageError("no points are given that this is of: add --points FILE")
    check_target(output, force)
    if point_file:
        asked = Asked(scaling=scaling or "", gpus_per_node=gpus_per_node)
        write_whole(output, study_of_file(point_file, asked, fabric_class or "other"), force)
        click.echo(f"{output} written")
        return
    study = load(scenario_file) if scenario_file else None
    write_whole(output, build(template, study), force)
    click.echo(f"{output} written")
    if study and (unused := ignored(template, study)):
        for line in paragraph(f"Not shown in it: {', '.join(unused)}"):
            click.echo(line)
    ranges = study and any(scenario.risk for scenario in study.scenarios)
    if ranges and not TEMPLATES[template].shows_ranges:
        click.echo(f"Ranges are not shown in it: scalesheet risk {scenario_file}")


def _unknown(template: str, known: list[str]) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(template.lower().replace("-", "_"), known, 1) or known
    return f"{template} is no template: type {' or '.join(nearest)}"
