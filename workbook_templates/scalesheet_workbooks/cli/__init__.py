"""The command ``scalesheet``: arguments, what is printed, and exit codes.

0 is fine; 2 is a usage error, unreadable input or a formula in error. A user's mistake is one line
on stderr.
"""

import contextlib
import errno
import io
import sys
from collections.abc import Iterable
from typing import Any

import click

from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.cli.addin import addin
from scalesheet_workbooks.cli.backtest import backtest
from scalesheet_workbooks.cli.demo import demo
from scalesheet_workbooks.cli.doctor import doctor
from scalesheet_workbooks.cli.evaluate import evaluate
from scalesheet_workbooks.cli.fit import fit
from scalesheet_workbooks.cli.functions import functions
from scalesheet_workbooks.cli.new import new
from scalesheet_workbooks.cli.prices import prices
from scalesheet_workbooks.cli.review import review
from scalesheet_workbooks.cli.risk import risk
from scalesheet_workbooks.cli.templates import templates

__all__ = ["main"]


class _Refused(click.ClickException):
    """A mistake that the user can mend: one line for each, no traceback."""

    exit_code = 2

    def __init__(self, problems: Iterable[str]) -> None:
        self.lines = [" ".join(problem.splitlines()) for problem in problems]
        super().__init__("\n".join(self.lines))

    def show(self, file: Any = None) -> None:
        for line in self.lines:
            click.echo(f"Error: {line}", file=file, err=file is None)


class _Commands(click.Group):
    """The commands, with the errors of users turned into messages and those of ours left alone."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ScalesheetError as error:
            raise _Refused(getattr(error, "problems", [str(error)])) from None
        except OSError as error:
            if (
                error.errno == errno.EPIPE
            ):  # the reader has gone, as in "| head": click ends quietly
                raise
            reason = (error.strerror or str(error)).lower()
            raise _Refused([f"{error.filename}: {reason}" if error.filename else reason]) from None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  scalesheet demo
  scalesheet new training_run_budget -o budget.xlsx
  scalesheet eval '=TRAIN_COST(64,120,2.5,80%,15%,200,150)'
  scalesheet functions TRAIN_COST
  scalesheet addin install libreoffice""",
)
@click.version_option(package_name="scalesheet", prog_name="scalesheet")
def main() -> None:
    """AI-training cluster economics in spreadsheets: functions and budget workbooks."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without a letter shows a question mark for it instead of failing.
        with contextlib.suppress(AttributeError, io.UnsupportedOperation):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


for command in (
    demo,
    templates,
    new,
    evaluate,
    functions,
    prices,
    risk,
    fit,
    backtest,
    review,
    addin,
    doctor,
):
    main.add_command(command)
