"""Plots of a fit and of the backtest: matplotlib, asked for only when something is drawn.

The same figures give the same bytes with the same matplotlib: no dates, no random ids, and nothing
of the user's own matplotlibrc.
"""

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scalesheet.calibration.backtest import OURS, Score
from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.fit_study import Study, curve

SUFFIXES = (".png", ".svg")
BLUE, VERMILION, GREY, INK = "#0072B2", "#D55E00", "#8A8F98", "#22272E"
"""Blue and vermilion of Okabe and Ito: told apart by colour-blind readers and in print."""
SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "scalesheet",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
}
DOTS_PER_INCH = 160
MOST_TICKS = 12
FEW_TICKS = 8
"""An axis that spans a smaller factor has its marks evenly apart in value."""


class PlotError(ScalesheetError):
    """A plot that cannot be drawn; the text is one line."""


def check(path: Path) -> None:
    """PlotError where a plot could not be drawn into this file."""
    if path.suffix.lower() not in SUFFIXES:
        raise PlotError(f"{path}: must end in {' or '.join(SUFFIXES)}: no other plot is drawn")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PlotError(
            'a plot needs matplotlib, which is not installed: pip install "scalesheet[plot]"'
        ) from None


@contextmanager
def _figure(width: float, height: float) -> Iterator[Any]:
    """An empty figure, in our own settings while it is drawn and written."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # letters that the font has not
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)  # type: ignore[arg-type, unused-ignore]
        yield Figure(figsize=(width, height), layout="constrained")


def _written(figure: Any, suffix: str, description: str) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)
    kind = suffix.lower().lstrip(".")
    own = {"Date": None, "Creator": "scalesheet"} if kind == "svg" else {"Software": "scalesheet"}
    metadata: dict[str, Any] = {"Description": description, **own}
    held = io.BytesIO()
    figure.savefig(held, format=kind, dpi=DOTS_PER_INCH, metadata=metadata, facecolor="white")
    return held.getvalue()


# --- A fit ---------------------------------------------------------------------------------------


def fit_plot(study: Study, suffix: str) -> bytes:
    """Measured points, the forecast with its band, and perfect scaling, on logarithmic axes."""
    scale, found = study.measurements.scale, study.found
    last = study.rows[-1].nodes
    with _figure(7.2, 4.6) as figure:
        axes = figure.add_subplot()
        nodes = curve(found, last)
        forecasts = [found.forecast(n) for n in nodes]

        def shown(rates: Sequence[float]) -> list[float]:
            return [scale.shown(n, rate) for n, rate in zip(nodes, rates, strict=True)]

        first = found.sizes[0]
        ideal = shown([first.throughput / first.nodes * n for n in nodes])
        axes.plot(nodes, ideal, "--", color=GREY, linewidth=1.2,
                  label=f"perfect from {first.nodes} node{'s' * (first.nodes > 1)}")  # fmt: skip
        axes.fill_between(
            nodes, shown([f.low for f in forecasts]), shown([f.high for f in forecasts]),
            color=BLUE, alpha=0.18, linewidth=0, label="80 % band",
        )  # fmt: skip
        axes.plot(nodes, shown([f.throughput for f in forecasts]), color=BLUE, linewidth=1.8,
                  label="forecast")  # fmt: skip
        points = study.measurements.points
        axes.plot([p.nodes for p in points], [scale.shown(p.nodes, p.rate) for p in points],
                  "o", color=VERMILION, markersize=6, markeredgecolor="white", markeredgewidth=0.8,
                  label="measured", zorder=5)  # fmt: skip
        _log_axes(axes, [row.nodes for row in study.rows])
        axes.set_xlabel(_nodes_label(study))
        axes.set_ylabel(f"{scale.measure.name} in {scale.unit.name}")
        axes.set_title(
            f"{scale.measure.name.capitalize()}, {study.measurements.scaling} scaling: "
            f"{study.measurements.name}",
            loc="left",
        )
        axes.legend(frameon=False)
        return _written(figure, suffix, study.formula)


def _nodes_label(study: Study) -> str:
    of_node = study.measurements.gpus_per_node
    return "nodes" if of_node is None else f"nodes of {of_node} GPU{'' if of_node == 1 else 's'}"


def _log_axes(axes: Any, nodes: Sequence[int]) -> None:
    """Logarithmic axes with plain numbers; a mark at each size, thinned where they are many."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

    axes.set_xscale("log")
    axes.set_yscale("log")
    every = -(-len(nodes) // MOST_TICKS)
    axes.xaxis.set_major_locator(FixedLocator(list(nodes)[::every]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(
        LogLocator(subs=(1.0, 2.0, 5.0)) if high / low > FEW_TICKS else MaxNLocator(6)
    )
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
    axes.grid(True, color=GREY, alpha=0.25, linewidth=0.6)


def plain(value: float) -> str:
    """A number on an axis.

    >>> plain(2000.0), plain(0.05), plain(5e6), plain(2e12)
    ('2,000', '0.05', '5,000,000', '2e+12')
    """
    return f"{value:,.10g}" if 1e-4 <= value < 1e8 else f"{value:.10g}"


# --- The backtest --------------------------------------------------------------------------------


def backtest_plot(rows: Sequence[Score], suffix: str) -> bytes:
    """For each task the errors of every model: median, 90th percentile, median over families."""
    tasks = list(dict.fromkeys(row.task for row in rows))
    models = list(dict.fromkeys(row.model for row in rows))
    with _figure(9.6, 0.36 * len(models) + 1.5) as figure:
        panels = figure.subplots(1, len(tasks), sharey=True, sharex=True, squeeze=False)[0]
        for axes, task in zip(panels, tasks, strict=True):
            for place, model in enumerate(models):
                row = next(one for one in rows if (one.model, one.task) == (model, task))
                _spread(axes, place, row, BLUE if model.startswith(OURS) else GREY)
            axes.set_title(f"{task} (n = {row.count})", loc="left", fontsize=10)
            _error_axis(axes)
        panels[0].set_yticks(range(len(models)), models)
        panels[0].invert_yaxis()
        figure.supxlabel("absolute error of the forecast for the largest size, %", fontsize=10)
        figure.legend(*_marks(), loc="outside upper left", ncols=3, frameon=False, fontsize=9)
        return _written(figure, suffix, described(rows))


def _spread(axes: Any, place: int, row: Score, colour: str) -> None:
    middle, far, families = (100 * x for x in (row.median, row.p90, row.family_median))
    axes.plot([middle, far], [place, place], color=colour, linewidth=1.6, zorder=2)
    axes.plot([far], [place], "|", color=colour, markersize=9, markeredgewidth=1.6, zorder=2)
    axes.plot([families], [place], "D", color="white", markeredgecolor=VERMILION, markersize=5,
              zorder=4)  # fmt: skip
    axes.plot([middle], [place], "o", color=colour, markersize=7, zorder=3)


def _error_axis(axes: Any) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator([0.5, 1, 2, 5, 10, 20, 50]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(True, axis="x", color=GREY, alpha=0.3, linewidth=0.6)
    axes.tick_params(axis="y", length=0)


def _marks() -> tuple[list[Any], list[str]]:
    """The marks of the legend, and what they are."""
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], marker="o", linestyle="", color=INK, markersize=7),
        Line2D([], [], marker="|", color=INK, markersize=9, markeredgewidth=1.6),
        Line2D([], [], marker="D", linestyle="", color="white", markeredgecolor=VERMILION),
    ], ["median", "90th percentile", "median over families"]


def described(rows: Sequence[Score]) -> str:
    """The figures of a plot of the backtest in words, which stand in its file.

    >>> described([Score("USL", "first 2", "all", 3, 0.0123, 0.2, 0.01, None, None)])
    'first 2, USL: median 1.23 %, 90th percentile 20.0 %, over families 1.00 %'
    """
    return "; ".join(
        f"{row.task}, {row.model}: median {100 * row.median:#.3g} %, 90th percentile "
        f"{100 * row.p90:#.3g} %, over families {100 * row.family_median:#.3g} %"
        for row in rows
    )
