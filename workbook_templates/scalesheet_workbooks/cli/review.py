"""``scalesheet review``: what is wrong with a budget workbook that came back filled in."""

import datetime
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scalesheet_workbooks.cli.options import day

if TYPE_CHECKING:
    from scalesheet_workbooks.review.baseline import Acceptance
    from scalesheet_workbooks.review.outcome import Review

FORMATS = ("text", "md", "json", "html", "xlsx")
FAIL_ON = ("high", "medium", "low", "never")
SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm")
UNREADABLE, FOUND = 2, 1


def _share(ctx: click.Context, option: click.Parameter, value: str) -> float:
    """A share written 1% or 0.01."""
    text = value.strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise click.BadParameter(f"{value} is no share: write 1% or 0.01") from None
    if not 0 < share <= 0.5:
        raise click.BadParameter(f"{value} must be above 0 % to 50 %: write 1% or 0.01")
    return share


@click.command(
    short_help="Review a budget workbook that came back filled in.",
    epilog="""\b
Examples:
  scalesheet review proposal.xlsx
  scalesheet review proposal.xlsx --against last_month.xlsx
  scalesheet review proposal.xlsx --format html -o review.html
  scalesheet review proposals/ --fail-on medium

\b
Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 a file that cannot
be read. The file is never written; macros and links are listed, never run.
""",
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--against", type=click.Path(path_type=Path), metavar="PREVIOUS", help="A previous file."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Of the report.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write the report to this file.",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="high",
    show_default=True,
    help="Exit with 1 from this severity on.",
)
@click.option(
    "--materiality",
    default="1%",
    show_default=True,
    callback=_share,
    metavar="SHARE",
    help="Of a total: what counts as material.",
)
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Accepted findings (.toml)."
)
@click.option(
    "--as-of",
    "today",
    callback=day,
    metavar="DATE",
    help="The day of the review (today without).",
)
@click.option("--rules", is_flag=True, help="Print the table of findings and stop.")
@click.option("--force", is_flag=True, help="Overwrite an existing report.")
def review(
    files: Sequence[Path],
    against: Path | None,
    format_: str,
    output: Path | None,
    fail_on: str,
    materiality: float,
    baseline: Path | None,
    today: datetime.date | None,
    rules: bool,
    force: bool,
) -> None:
    """Say what was touched, what is hard to believe and what the total is.

    The workbook is compared with its template, built anew; every formula is calculated again;
    inputs are held against limits, dated prices and published measurements.
    """
    from scalesheet_workbooks import reports
    from scalesheet_workbooks.output import check_target, write_whole
    from scalesheet_workbooks.review.baseline import load_baseline

    if rules:
        for line in reports.rule_lines():
            click.echo(line)
        return
    if not files:
        raise click.UsageError("name a workbook: scalesheet review proposal.xlsx")
    if format_ == "xlsx" and output is None:
        raise click.UsageError("a workbook needs a file: add -o review.xlsx")
    paths = list(dict.fromkeys(_found(files)))
    if not paths:
        raise click.UsageError("there is no workbook (.xlsx, .xlsm) in the folders named")
    if output is not None:
        check_target(output, force)
        given = (*paths, *filter(None, (against, baseline)))
        if any(output.exists() and output.samefile(path) for path in given if path.exists()):
            raise click.UsageError(
                f"{output} is read for this review: name another file for the report"
            )
    accepted = load_baseline(baseline) if baseline else ()
    found = list(_reviewed(paths, today, materiality, against, accepted, output is not None))
    if len(found) == 1 and found[0].not_compared:
        raise click.UsageError(f"--against {found[0].not_compared}: compare files of one template")
    data = reports.report(found, format_)
    if output is not None:
        write_whole(output, data, force)
        for one in found:
            click.echo(f"{one.file}: {one.verdict} ({reports.counts(one)})")
            if one.not_compared:
                click.echo(f"  NOT COMPARED: {one.not_compared}")
        click.echo(f"{output} written")
    else:
        click.echo(data.decode(), nl=False)
    raise click.exceptions.Exit(exit_code(found, fail_on))


def exit_code(found: Sequence["Review"], fail_on: str) -> int:
    """2 where a file was not read, 1 where a finding is at or above the bar, else 0."""
    if any(one.unreadable for one in found):
        return UNREADABLE
    if fail_on != "never" and any(one.at_least(fail_on) for one in found):
        return FOUND
    return 0


def _found(files: Sequence[Path]) -> Iterator[Path]:
    """Files as named, workbooks of folders, and what a pattern matches."""
    for path in files:
        if path.is_dir():
            yield from sorted(
                one
                for one in path.rglob("*")
                if one.suffix.lower() in SUFFIXES and not one.name.startswith(("~$", "."))
            )
        elif not path.exists() and any(letter in path.name for letter in "*?["):
            yield from sorted(path.parent.glob(path.name))
        else:
            yield path


def _reviewed(
    paths: Sequence[Path],
    today: datetime.date | None,
    materiality: float,
    against: Path | None,
    accepted: Sequence["Acceptance"],
    bar: bool,
) -> Iterator["Review"]:
    from scalesheet_workbooks.review.many import reviews

    found = reviews(paths, today, materiality, against, accepted)
    if len(paths) == 1 or not bar:
        yield from found
        return
    progress = click.progressbar(length=len(paths), label="Reviewing", file=sys.stderr)
    with progress:
        for one in found:
            yield one
            progress.update(1)
