"""``scalesheet templates``: what can be built."""

import click


@click.command(
    short_help="List the workbooks that can be built.",
    epilog="""\b
Example:
  scalesheet templates""",
)
def templates() -> None:
    """List the workbooks that 'scalesheet new' builds."""
    from scalesheet_workbooks.build import TEMPLATES
    from scalesheet_workbooks.cli.text import two_columns

    width = max(map(len, TEMPLATES))
    for name, template in TEMPLATES.items():
        scenarios = " (takes --scenarios)" if template.uses_scenarios else ""
        for line in two_columns(name, f"{template.title}. {template.summary}{scenarios}", width):
            click.echo(line)
