"""The command ``scalesheet``: arguments, what is printed, and exit codes.

0 is fine; 2 is a usage error, unreadable input or a formula in error. A user's mistake is one line
on stderr.
"""

import contextlib
import errno
import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

import click

from scalesheet.errors import ScalesheetError

__all__ = ["main"]

MODULES = {
    "demo": "demo",
    "templates": "templates",
    "new": "new",
    "eval": "evaluate",
    "functions": "functions",
    "prices": "prices",
    "risk": "risk",
    "fit": "fit",
    "backtest": "backtest",
    "review": "review",
    "addin": "addin",
    "doctor": "doctor",
}
"""Where each command is, which names itself as its module does; the order is that of the help."""


class _Refused(click.ClickException):
    """A mistake that the user can mend: one line for each, no traceback."""

    exit_code = 2

    def __init__(self, problems: Iterable[str]) -> None:
        self.lines = [" ".join(problem.splitlines()) for problem in problems]
        super().__init__("\n".join(self.lines))

    def show(self, file: Any = None) -> None:
        for line in self.lines:
            click.echo(f"Error: {line}", file=file, err=file is None)


class _Commands(Mapping[str, click.Command]):
    """The commands, each imported when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        module = MODULES[name]
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), module)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


class _Main(click.Group):
    """The commands in their order, with the errors of users turned into messages and those of ours
    left alone."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

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
    cls=_Main,
    commands=_Commands(),
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
