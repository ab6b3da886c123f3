"""How ``scalesheet backtest`` prints its table: for people within 80 columns, or as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from scalesheet.calibration.backtest import CONSTANTS, OURS, TASKS, Score
from scalesheet_workbooks.backtest_table import (
    LARGEST,
    NESTED,
    Backtest,
    band,
    figures,
    regimes,
    signed,
)
from scalesheet_workbooks.cli.risk_text import symbols
from scalesheet_workbooks.cli.text import WIDTH, paragraph, two_columns

NAME_WIDTH, CELL_WIDTH = 25, 17
ABREAST = 3
LEGEND = (
    "Absolute error of the forecast for the largest size in %: median / 90th percentile / median "
    "over the families' medians. 'nested': the prior chosen without the family that is forecast."
)


def page(found: Backtest, by: str | None, encoding: str | None) -> Iterator[str]:
    """The table, once or for each group, the bands, the other regimes and the constants."""
    rule = symbols(encoding).rule * (WIDTH - 1)
    yield from paragraph(LEGEND)
    rows = found.rows(by)
    for group in dict.fromkeys(row.group for row in rows):
        yield ""
        yield from _table([row for row in rows if row.group == group], group, rule)
    yield ""
    yield from _bands(found.rows(), rule)
    yield ""
    yield from _elsewhere(found, rule)
    yield ""
    yield "Ours, nested, less another model's error: mean over families; 80 % range"
    yield "when families are drawn again, in percentage points"
    yield rule
    for model, one in found.paired().items():
        yield (
            f"{model:<{NAME_WIDTH}}{signed(one.difference):>6}"
            f"  ({signed(one.low)} to {signed(one.high)})"
        )
    yield ""
    yield "What was chosen on what"
    for constant in CONSTANTS:
        yield from two_columns("  -", constant, 3)


def _table(rows: Sequence[Score], group: str, rule: str) -> Iterator[str]:
    counts = {row.task: row.count for row in rows}
    title = "" if group == "all" else group
    yield f"{title:<{NAME_WIDTH}}{_heads()}"
    numbers = [f"n = {counts.get(task.name, 0)}" for task in TASKS]
    yield " " * NAME_WIDTH + _cells(numbers)
    yield rule
    for model in dict.fromkeys(row.model for row in rows):
        of_model = {row.task: row for row in rows if row.model == model}
        cells = [_cell(of_model[task.name]) if task.name in of_model else "-" for task in TASKS]
        yield f"{model:<{NAME_WIDTH}}{_cells(cells)}"


def _heads() -> str:
    return _cells([task.name.replace(" the ", " ") for task in TASKS])


def _cell(row: Score) -> str:
    return "".join(f"{figure:>5}" for figure in figures(row))


def _bands(rows: Sequence[Score], rule: str) -> Iterator[str]:
    yield f"{'80 % band: inside, width':<{NAME_WIDTH}}{_heads()}"
    yield rule
    for model in (OURS, NESTED):
        of_model = {row.task: row for row in rows if row.model == model}
        cells = [band(of_model[task.name]) for task in TASKS]
        yield f"{model:<{NAME_WIDTH}}{_cells(cells)}"


def _elsewhere(found: Backtest, rule: str) -> Iterator[str]:
    """The other regimes, side by side as far as there is room."""
    names, by_model = regimes(found)
    for start in range(0, len(names), ABREAST):
        shown = slice(start, start + ABREAST)
        firsts, lasts, counts = [], [], []
        for name, count in names[shown]:
            *first, last = name.split()
            firsts.append(" ".join(first))
            lasts.append(last)
            counts.append(f"n = {count}")
        yield f"{'Other regimes,':<{NAME_WIDTH}}{_cells(firsts)}".rstrip()
        yield f"{'all but the largest':<{NAME_WIDTH}}{_cells(lasts)}"
        yield f"{'':<{NAME_WIDTH}}{_cells(counts)}"
        yield rule
        for model, rows in by_model.items():
            cells = [_cell(rows[name]) if name in rows else "-" for name, _ in names[shown]]
            yield f"{model:<{NAME_WIDTH}}{_cells(cells)}"
        for model in (OURS, NESTED):
            rows = by_model.get(model, {})
            cells = [band(rows[name]) if name in rows else "-" for name, _ in names[shown]]
            yield f"{f'{model}: band':<{NAME_WIDTH}}{_cells(cells)}"


def _cells(texts: Sequence[str]) -> str:
    return "".join(f"{text:>{CELL_WIDTH}}" for text in texts)


def as_json(found: Backtest, by: str | None) -> str:
    """The same figures for programs: errors and widths are shares, 0-1."""
    _, other = regimes(found)
    document = {
        "task_of_paired": LARGEST,
        "rows": [asdict(row) for row in found.rows(by)],
        "elsewhere": [
            {"regime": regime, **asdict(row)}
            for rows in other.values()
            for regime, row in rows.items()
        ],
        "paired": {model: asdict(one) for model, one in found.paired().items()},
        "constants": list(CONSTANTS),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
