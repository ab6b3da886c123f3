"""``scalesheet addin``: the functions in a spreadsheet program."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

FILE_NAME = "scalesheet.oxt"
EXCEL = "excel"
SUFFIXES = {EXCEL: ".xlam", "libreoffice": ".oxt"}

program_argument = click.argument("program", type=click.Choice(list(SUFFIXES)))


def profile_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option of commands that change an installed program."""
    return click.option(
        "--profile",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="A LibreOffice profile other than your own.",
    )(command)


@click.group(
    short_help="Build, install or remove the add-in.",
    epilog="""\b
Examples:
  scalesheet addin install libreoffice
  scalesheet addin uninstall libreoffice
  scalesheet addin install excel
  scalesheet addin build excel -o scalesheet.xlam""",
)
def addin() -> None:
    """The functions as an add-in of a spreadsheet program."""


@addin.command(
    short_help="Write the add-in as a file.",
    epilog="""\b
Examples:
  scalesheet addin build libreoffice -o scalesheet.oxt
  scalesheet addin build excel -o scalesheet.xlam

LibreOffice opens its file, or takes it in Tools > Extension Manager > Add. Excel for Windows takes
its in File > Options > Add-ins > Go > Browse; it needs the Python and the xlwings that built it.
""",
)
@program_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The file to write (.oxt or .xlam).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def build(program: str, output: Path, force: bool) -> None:
    """Write the add-in for PROGRAM (libreoffice or excel), on any system."""
    from scalesheet_workbooks.output import check_target, write_whole

    suffix = SUFFIXES[program]
    if output.suffix.lower() != suffix:
        opener = "Excel" if program == EXCEL else "LibreOffice"
        raise click.UsageError(f"{output} must end in {suffix}: {opener} opens nothing else")
    check_target(output, force)
    write_whole(output, _xlam() if program == EXCEL else _extension(), force)
    click.echo(f"{output} written")


@addin.command(
    short_help="Install the add-in, or a newer one.",
    epilog="""\b
Examples:
  scalesheet addin install libreoffice
  scalesheet addin install excel""",
)
@program_argument
@profile_option
def install(program: str, profile: Path | None) -> None:
    """Install the add-in in PROGRAM (libreoffice or excel) for yourself, over an older one."""
    if program == EXCEL:
        _install_in_excel(profile)
    else:
        _install_in_libreoffice(profile)


def _install_in_libreoffice(profile: Path | None) -> None:
    from scalesheet.surfaces.libreoffice import install as libreoffice

    with tempfile.TemporaryDirectory() as folder:
        oxt = Path(folder, FILE_NAME)
        oxt.write_bytes(_extension())
        libreoffice.install(oxt, profile)
    click.echo(f"scalesheet {libreoffice.installed(profile)} installed in LibreOffice")
    click.echo("Next: start Calc and type =TRAIN_COST(64;120;2.5;80%;15%;200;150)")


@addin.command(
    short_help="Remove the add-in.",
    epilog="""\b
Examples:
  scalesheet addin uninstall libreoffice
  scalesheet addin uninstall excel""",
)
@program_argument
@profile_option
def uninstall(program: str, profile: Path | None) -> None:
    """Remove the add-in from PROGRAM (libreoffice or excel)."""
    if program == EXCEL:
        _uninstall_from_excel(profile)
    else:
        _uninstall_from_libreoffice(profile)


def _uninstall_from_libreoffice(profile: Path | None) -> None:
    from scalesheet.surfaces.libreoffice import install as libreoffice

    if libreoffice.uninstall(profile):
        click.echo("scalesheet removed from LibreOffice")
    else:
        click.echo("scalesheet is not installed in LibreOffice")


def _install_in_excel(profile: Path | None) -> None:
    from scalesheet.surfaces.excel import install as excel
    from scalesheet_workbooks.output import write_whole

    _refuse_profile(profile)
    where = excel.places()
    excel.install(
        _xlam(), Path(sys.executable), where, lambda path, data: write_whole(path, data, force=True)
    )
    click.echo(f"scalesheet {_version()} installed in Excel: {where.xlam}")
    click.echo(f"It starts {sys.executable}")
    click.echo("Next: start Excel anew and type =TRAIN_COST(64,120,2.5,80%,15%,200,150)")


def _uninstall_from_excel(profile: Path | None) -> None:
    from scalesheet.surfaces.excel import install as excel

    _refuse_profile(profile)
    if excel.uninstall(excel.places()):
        click.echo("scalesheet removed from Excel")
    else:
        click.echo("scalesheet is not installed in Excel")


def _refuse_profile(profile: Path | None) -> None:
    if profile is not None:
        raise click.UsageError("--profile is for LibreOffice: leave it out")


def _xlam() -> bytes:
    from scalesheet.surfaces.excel.xlam import build
    from scalesheet_workbooks.build import TEMPLATES

    budgets = {
        name: template.title for name, template in TEMPLATES.items() if template.uses_scenarios
    }
    return build(_version(), budgets)


def _extension() -> bytes:
    from scalesheet.surfaces.libreoffice.extension import build

    return build(_version())


def _version() -> str:
    from importlib.metadata import version

    return version("scalesheet")
