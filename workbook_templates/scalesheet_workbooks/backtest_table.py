"""The figures of the backtest, as the command prints them and ``addin/README.md`` shows them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from scalesheet.calibration.backtest import CONSTANTS, OURS, TASKS, Miss, Score, scores
from scalesheet.calibration.backtest import backtest as all_forecasts
from scalesheet.calibration.robustness import (
    HELD_OUT,
    Paired,
    elsewhere,
    nested,
    nested_held_out,
    paired,
)
from scalesheet.calibration.robustness import NESTED as NESTED_MODEL

NESTED = f"{OURS}, nested"
"""Ours with its prior chosen, for each family, on the others: a name that fits a table."""
GROUPS: dict[str | None, Callable[[Miss], str]] = {
    None: lambda miss: "all",
    "class": lambda miss: miss.fabric_class,
    "family": lambda miss: miss.family,
}
LARGEST = TASKS[0].name
AGAINST = ("step time", "alpha-beta", "power", "Amdahl", "USL")
"""The models whose errors are set against ours, forecast by forecast."""


@dataclass(frozen=True)
class Backtest:
    """Every forecast: of the backtest, nested by family, and of other regimes."""

    misses: tuple[Miss, ...]
    nested: tuple[Miss, ...]
    elsewhere: dict[str, tuple[Miss, ...]]

    def rows(self, by: str | None = None) -> list[Score]:
        """A row for each model, task and group; ours first, then ours nested."""
        group = GROUPS[by]
        ours = [miss for miss in self.misses if miss.model == OURS]
        others = [miss for miss in self.misses if miss.model != OURS]
        in_table = [replace(row, model=NESTED) for row in scores(self.nested, group)]
        return [*scores(ours, group), *in_table, *scores(others, group)]

    def paired(self) -> dict[str, Paired]:
        """Ours, nested, against each of the best others on the largest sizes."""
        ours = [miss for miss in self.nested if miss.task == LARGEST]
        return {
            model: paired(
                ours, [one for one in self.misses if (one.model, one.task) == (model, LARGEST)]
            )
            for model in AGAINST
        }


def measured(say: Callable[[str], object] = lambda step: None) -> Backtest:
    """All of it, about a minute; ``say`` is told each step as it begins."""
    say("Forecasting the published series with every model (1 of 3)...")
    misses = all_forecasts()
    say("Choosing the prior anew without each family (2 of 3)...")
    by_family = nested()
    say("Forecasting series of other regimes (3 of 3)...")
    other = elsewhere()
    return Backtest(misses, by_family, {**other, HELD_OUT: (*other[HELD_OUT], *nested_held_out())})


def figures(row: Score) -> tuple[str, str, str]:
    """Median, 90th percentile and median over families, in percent.

    >>> figures(Score("USL", "first 2", "all", 3, 0.0123, 0.2, 0.006, None, None))
    ('1.23', '20', '0.60')
    """
    return percent(row.median), percent(row.p90), percent(row.family_median)


def percent(share: float) -> str:
    """Percent with two decimals below two and one below ten.

    >>> percent(0.0124), percent(0.0199), percent(0.0994), percent(0.0996)
    ('1.24', '1.99', '9.9', '10')
    """
    decimals = 2 if share < 0.01995 else 1 if share < 0.0995 else 0
    return f"{100 * share:.{decimals}f}"


def band(row: Score) -> str:
    """How much of the measurements the band held, and its median width; "" without a band.

    >>> band(Score("ours", "first 2", "all", 3, 0.01, 0.2, 0.01, 0.857, 0.0872))
    '86 / 8.7'
    """
    if row.inside is None or row.median_width is None:
        return ""
    return f"{100 * row.inside:.0f} / {percent(row.median_width)}"


def markdown(found: Backtest) -> str:
    """The generated block of ``addin/README.md``."""
    return "\n".join(_markdown(found)) + "\n"


def _markdown(found: Backtest) -> Iterator[str]:
    rows = found.rows()
    tasks = [task.name for task in TASKS]
    counts = {row.task: row.count for row in rows}
    yield (
        "| model | " + " | ".join(f"{task} (n = {counts[task]})" for task in tasks)
        + " | 80 % band: inside / width |"
    )  # fmt: skip
    yield "|---|" + "---|" * (len(tasks) + 1)
    for model in dict.fromkeys(row.model for row in rows):
        of_model = {row.task: row for row in rows if row.model == model}
        cells = [" / ".join(figures(of_model[task])) for task in tasks]
        name = f"**{model}**" if model in (OURS, NESTED) else model
        yield f"| {name} | {' | '.join(cells)} | {band(of_model[LARGEST])} |"
    yield ""
    yield "Published series of other regimes, none of them in the table above, all but the largest:"
    yield ""
    names, by_model = regimes(found)
    yield "| model | " + " | ".join(f"{name} (n = {n})" for name, n in names) + " |"
    yield "|---|" + "---|" * len(found.elsewhere)
    for model, of_regime in by_model.items():
        name = f"**{model}**" if model in (OURS, NESTED) else model
        cells = [" / ".join(figures(of_regime[n])) if n in of_regime else "" for n, _ in names]
        yield f"| {name} | {' | '.join(cells)} |"
    for model in (OURS, NESTED):
        of_regime = by_model.get(model, {})
        cells = [band(of_regime[n]) if n in of_regime else "" for n, _ in names]
        yield f"| {model}, 80 % band: inside / width | {' | '.join(cells)} |"
    yield ""
    yield (
        "Our error, nested, less another model's on the same series, mean over families (in "
        "brackets the 80 % range when families are drawn again): "
        + "; ".join(
            f"{model} {signed(one.difference)} ({signed(one.low)} to {signed(one.high)})"
            for model, one in found.paired().items()
        )
        + " percentage points."
    )
    yield ""
    yield from (f"- {constant}" for constant in CONSTANTS)


def regimes(found: Backtest) -> tuple[list[tuple[str, int]], dict[str, dict[str, Score]]]:
    """The other regimes with the number of their series; the rows by model and regime."""
    by_model: dict[str, dict[str, Score]] = {}
    for regime, misses in found.elsewhere.items():
        for row in scores(miss for miss in misses if miss.task == LARGEST):
            name = NESTED if row.model == NESTED_MODEL else row.model
            by_model.setdefault(name, {})[regime] = replace(row, model=name)
    names = [(regime, row.count) for regime, row in by_model[OURS].items()]
    in_order = sorted(by_model, key=lambda model: (model != OURS, model != NESTED))
    return names, {model: by_model[model] for model in in_order}


def signed(share: float) -> str:
    """Percentage points with their sign.

    >>> signed(-0.0123), signed(0.0)
    ('-1.2', '+0.0')
    """
    return f"{100 * share:+.1f}"
