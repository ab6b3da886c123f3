"""``scalesheet doctor``: what is installed, and where the functions would work."""

import click

MARKS = {"good": "yes", "absent": "no", "broken": "BAD"}


@click.command(
    short_help="Say what is installed and what would work here.",
    epilog="""\b
Example:
  scalesheet doctor

It ends with 1 when something is installed that does not work, else with 0.""",
)
def doctor() -> None:
    """Say what is installed, where the functions work here, why not elsewhere, and the remedy."""
    from scalesheet_workbooks.cli.text import two_columns
    from scalesheet_workbooks.diagnosis import findings

    found = list(findings())
    width = max(len(finding.subject) for finding in found) + 5
    for heading in dict.fromkeys(finding.heading for finding in found):
        click.echo(heading)
        for finding in found:
            if finding.heading == heading:
                label = f"{MARKS[finding.state]:<4} {finding.subject}"
                for line in two_columns(label, finding.text, width):
                    click.echo(line)
        click.echo()
    if any(finding.state == "broken" for finding in found):
        raise click.exceptions.Exit(1)
