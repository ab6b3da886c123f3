"""How the command prints what a workbook comes to."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scalesheet_workbooks.cli.text import cell_text, paragraph
from scalesheet_workbooks.headline import Headline

if TYPE_CHECKING:
    from rich.table import Table

FIGURES = (
    ("Total {currency}", "{:,.0f}"),
    ("Days", "{:,.2f}"),
    ("Efficiency", "{:.1%}"),
    ("per useful\nGPU-hour", "{:,.2f}"),
)
"""Head and form of a template's headline figures, in their order."""


def scenario_table(headline: Headline, currency: str) -> "Table":
    """The scenarios with their figures."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Scenario", overflow="ellipsis", no_wrap=True, max_width=22)
    for head, _ in FIGURES:
        table.add_column(head.format(currency=currency), justify="right", no_wrap=True)
    for name, values in headline.scenarios:
        shown = (
            form.format(value) if isinstance(value, float) else cell_text(value or "")
            for value, (_, form) in zip(values, FIGURES, strict=True)
        )
        # Text, so that brackets in a name are not taken for rich's markup.
        table.add_row(Text(name), *shown)
    return table


def verdict(headline: Headline) -> Iterator[str]:
    """What the checks say, in lines of a terminal's width."""
    if not headline.checks:
        return
    alerts = f"; {headline.alerts} alerts, see Checks" if headline.alerts else "; no alerts"
    if not headline.failing:
        yield f"Checks: all {headline.checks} pass{alerts}"
        return
    yield f"Checks: {len(headline.failing)} of {headline.checks} fail{alerts}"
    for label in headline.failing:
        yield from paragraph(f"fails: {label}", 2)
