"""``scalesheet functions``: what functions there are, and what each of them takes."""

import click


@click.command(
    short_help="List the functions, or explain one.",
    epilog="""\b
Examples:
  scalesheet functions
  scalesheet functions TRAIN_COST
  scalesheet functions TRAIN_COST --lambda""",
)
@click.argument("name", required=False)
@click.option(
    "--lambda",
    "as_lambda",
    is_flag=True,
    help="Print the LAMBDA to paste into Excel's Name Manager.",
)
def functions(name: str | None, as_lambda: bool) -> None:
    """List the worksheet functions, or say all about the function NAME."""
    from scalesheet_workbooks.cli import function_text

    if name is None:
        if as_lambda:
            raise click.UsageError("--lambda needs the name of a function")
        lines = function_text.listing()
    elif as_lambda:
        lines = function_text.lambda_lines(name)
    else:
        lines = function_text.page(name)
    for line in lines:
        click.echo(line)
