"""``scalesheet demo``: every workbook built, recalculated and summed up."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from scalesheet_workbooks.recalculation import Recalculation

FOLDER = Path("scalesheet-demo")
BUDGET = "training_run_budget"


@click.command(
    short_help="Build every workbook, recalculate it, show the scenarios.",
    epilog="""\b
Examples:
  scalesheet demo
  scalesheet demo -o somewhere/else""",
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    default=FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Where to write; it is made when missing.",
)
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def demo(folder: Path, force: bool) -> None:
    """Build every workbook into a folder, recalculate each, and show the scenarios."""
    from rich.console import Console

    from scalesheet_workbooks.build import TEMPLATES, build
    from scalesheet_workbooks.output import OutputError, check_target, write_whole
    from scalesheet_workbooks.recalculation import recalculate
    from scalesheet_workbooks.scenarios import shipped

    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder}: is a file: name a folder")
    built = {folder / f"{name}.xlsx": build(name) for name in TEMPLATES}
    folder.mkdir(parents=True, exist_ok=True)
    # A second demo finds its own files, equal to the last byte, and leaves them.
    changed = [path for path, data in built.items() if not _holds(path, data)]
    for path in changed:
        check_target(path, force)
    for path in changed:
        write_whole(path, built[path], force)
    books = {path: recalculate(path.read_bytes()) for path in built}
    budget = folder / f"{BUDGET}.xlsx"
    Console(highlight=False).print(_table(books[budget], shipped().currency))
    for path, book in books.items():
        click.echo(f"{path}: {_verdict(book)}")
    click.echo(f"Next: open {budget} and fill its yellow cells.")
    if any(book.differing for book in books.values()):
        raise click.exceptions.Exit(1)


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _verdict(book: "Recalculation") -> str:
    count = len(book.values)
    if not book.differing:
        return f"{count} formulas recomputed, equal"
    return f"{count} formulas recomputed, {len(book.differing)} differ, first {book.differing[0]}"


def _table(book: "Recalculation", currency: str) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from scalesheet_workbooks.recalculation import scenario_results

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Scenario", overflow="ellipsis", no_wrap=True, max_width=22)
    headings = (
        ("GPUs", "{:,.0f}"),
        ("Efficiency", "{:.1%}"),
        ("Days", "{:,.2f}"),
        ("GPU-hours", "{:,.0f}"),
        (f"Total {currency}", "{:,.0f}"),
        ("per useful\nGPU-hour", "{:,.2f}"),
    )
    for heading, _ in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, values in scenario_results(book):
        shown = (
            form.format(value) if isinstance(value, float) else str(value)
            for value, (_, form) in zip(values, headings, strict=True)
        )
        # Text, so that brackets in a name are not taken for rich's markup.
        table.add_row(Text(name), *shown)
    return table
