"""``scalesheet eval``: one formula calculated."""

import click


@click.command(
    "eval",
    short_help="Calculate a formula.",
    # A formula may begin with a minus sign.
    context_settings={"ignore_unknown_options": True},
    epilog="""\b
Examples:
  scalesheet eval '=TRAIN_COST(64,120,2.5,80%,15%,200,150)'
  scalesheet eval 'SCALING_EFF({1;2;4;8},"NDR",50%)'
  scalesheet eval 'ROUND(100*COST_OVERHEAD(80%,15%),1)&"%"'
  scalesheet eval '=GPU_PRICE("H100","AWS","on-demand",DATE(2026,9,30))'

In a shell, put the formula in single quotes (in cmd.exe in double quotes, and double those inside).
""",
)
@click.argument("formula")
def evaluate(formula: str) -> None:
    """Calculate FORMULA as a cell would, with the functions of scalesheet and of spreadsheets.

    Numbers are printed with 15 digits, several values as rows with tabs between them (on a terminal
    lined up instead). A formula in error prints the error, says why on stderr, and ends with 2.
    """
    import sys

    from scalesheet.errors import CellError
    from scalesheet_workbooks import calculation
    from scalesheet_workbooks.cli.text import cell_text, table

    result = calculation.evaluate(formula)
    rows = [[cell_text(cell) for cell in row] for row in result.rows]
    is_table = len(rows[0]) > 1 and sys.stdout.isatty()
    for line in table(rows) if is_table else map("\t".join, rows):
        click.echo(line)
    if result.is_error:
        codes = (cell.code for row in result.rows for cell in row if isinstance(cell, CellError))
        for message in result.messages or (f"the formula gives {next(codes)}",):
            click.echo(f"Error: {' '.join(message.splitlines())}", err=True)
        raise click.exceptions.Exit(2)
