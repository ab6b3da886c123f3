"""``scalesheet new``: one workbook built."""

from pathlib import Path

import click


@click.command(
    short_help="Build a workbook.",
    epilog="""\b
Examples:
  scalesheet new training_run_budget -o budget.xlsx
  scalesheet new training_run_budget -o budget.xlsx --scenarios my_scenarios.toml

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
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def new(template: str, output: Path, scenario_file: Path | None, force: bool) -> None:
    """Build the workbook TEMPLATE; the file is written whole or not at all."""
    from scalesheet_workbooks.build import TEMPLATES, build
    from scalesheet_workbooks.output import check_target, write_whole
    from scalesheet_workbooks.scenarios import load

    if template not in TEMPLATES:
        raise click.UsageError(_unknown(template, list(TEMPLATES)))
    if output.suffix.lower() != ".xlsx":
        raise click.UsageError(f"{output} must end in .xlsx: spreadsheets open nothing else")
    if scenario_file and not TEMPLATES[template].uses_scenarios:
        raise click.UsageError(f"{template} shows no scenarios: leave out --scenarios")
    check_target(output, force)
    study = load(scenario_file) if scenario_file else None
    write_whole(output, build(template, study), force)
    click.echo(f"{output} written")
    if study and any(scenario.risk for scenario in study.scenarios):
        click.echo(f"Ranges are not shown in it: scalesheet risk {scenario_file}")


def _unknown(template: str, known: list[str]) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(template.lower().replace("-", "_"), known, 1) or known
    return f"{template} is no template: type {' or '.join(nearest)}"
