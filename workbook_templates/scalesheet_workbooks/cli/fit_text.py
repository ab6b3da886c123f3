"""How ``scalesheet fit`` prints a study: for people within 80 columns, or as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from scalesheet.calibration.notes import WEIGHTED
from scalesheet.calibration.value import LEAST_GAIN
from scalesheet_workbooks.cli.risk_text import Symbols
from scalesheet_workbooks.cli.text import WIDTH, paragraph, two_columns
from scalesheet_workbooks.fit_study import Row, Study
from scalesheet_workbooks.measurement_files import THROUGHPUT

INDENT = "  "
BAR_WIDTH = 24
MANY = {1e3: "1,000", 1e6: "million", 1e9: "billion", 1e12: "trillion"}


def page(study: Study, marks: Symbols) -> Iterator[str]:
    """All that is to be said, the figures first, then the reasons to doubt them."""
    yield from paragraph(_heading(study))
    yield marks.rule * (WIDTH - 1)
    yield from _fit(study)
    yield ""
    yield from _expected(study, marks)
    if study.samples:
        yield ""
        yield from _samples(study)
    yield ""
    yield from _doublings(study)
    yield from paragraph(_where_it_stops(study))
    if study.notes:
        yield ""
        yield "To know"
        for note in study.notes:
            yield from two_columns(f"{INDENT}-", note, 3)
    yield ""
    yield "For a cell, with ranges in place of the braces if you like:"
    yield study.formula


def _heading(study: Study) -> str:
    one = study.measurements
    many = one.gpus_per_node
    node = f", {many} GPU{'' if many == 1 else 's'} a node" if many else ""
    scale = one.scale
    return f"{one.name}: {scale.measure.name} in {scale.unit.name}, {one.scaling} scaling{node}"


def _fit(study: Study) -> Iterator[str]:
    found = study.found
    count = sum(size.count for size in found.sizes)
    sizes = f"{len(found.sizes)} size{'' if len(found.sizes) == 1 else 's'}"
    if count != len(found.sizes):
        sizes += f" ({count} measurements)"
    yield f"Fit of {sizes} by {found.method}"
    for name, value in found.parameters:
        share = percent(value) if found.method == WEIGHTED else f"{value:.4g}"
        yield f"{INDENT}{name:<34}{share:>9}"
    if len(found.sizes) > 1:
        yield f"{INDENT}{'Error of a step between sizes':<34}{percent(found.error):>9}"


def _expected(study: Study, marks: Symbols) -> Iterator[str]:
    """Figures with their band and efficiency; efficiency above 1 fills the bar."""
    with_gpus = study.measurements.gpus_per_node not in (None, 1)
    gpus = f"{'GPUs':>9}" if with_gpus else ""
    unit = study.measurements.scale.unit.name
    yield f"What to expect, with the ends of the 80 % band; {marks.pointer} measured"
    yield f"{INDENT}{'nodes':>6}{gpus}{'low':>11}{unit:>13}{'high':>11}  efficiency"
    for row in study.rows:
        count = f"{row.gpus:>9,}" if with_gpus else ""
        pointer = f" {marks.pointer}" if row.measured else "  "
        room = BAR_WIDTH - (9 if with_gpus else 0)
        drawn = bar(min(row.efficiency, 1.0), marks, room)
        yield (
            f"{INDENT}{row.nodes:>6,}{count}{number(row.low):>11}{number(row.figure):>11}{pointer}"
            f"{number(row.high):>11}{percent(row.efficiency):>9} {drawn}"
        ).rstrip()


def _samples(study: Study) -> Iterator[str]:
    yield "Why time to train scales worse than throughput"
    yield (
        f"{INDENT}{'nodes':>6}{'throughput keeps':>20}{'samples needed':>18}"
        f"{'time to train keeps':>22}"
    )
    for one in study.samples:
        yield (
            f"{INDENT}{one.nodes:>6,}{percent(one.throughput_efficiency):>20}"
            f"{f'{one.samples_ratio:.2f} times':>18}{percent(one.time_to_train_efficiency):>22}"
        )


def _doublings(study: Study) -> Iterator[str]:
    price = study.price
    work = "throughput" if study.measurements.scale.measure is THROUGHPUT else "work done"
    if price is None:
        yield "What doubling brings"
        yield f"{INDENT}{'from':>6}{'to':>9}{work:>13}"
        for row in study.rows:
            yield f"{INDENT}{row.nodes:>6,}{2 * row.nodes:>9,}{gain(row):>13}"
        return
    yield from paragraph(f"What doubling brings; cost {_per_work(study)} at {price.said}")
    yield f"{INDENT}{'from':>6}{'to':>9}{work:>13}{'cost':>13}{'of added work':>17}"
    for row in study.rows:
        added = "never" if row.cost_of_added is None else number(row.cost_of_added)
        yield (
            f"{INDENT}{row.nodes:>6,}{2 * row.nodes:>9,}{gain(row):>13}"
            f"{number(row.cost or 0.0):>13}{added:>17}"
        )


def _per_work(study: Study) -> str:
    """Currency and the work that it is for.

    The work is in the plural where several units are meant.
    """
    work = study.measurements.scale.work
    per = f"per {MANY[study.units]} {work}" if study.units > 1 else f"per {work.removesuffix('s')}"
    currency = study.price.currency if study.price else ""
    return f"in {currency} {per}" if currency else per


def _where_it_stops(study: Study) -> str:
    last = study.rows[-1].nodes
    if study.stops_at is None:
        return (
            f"Adding nodes goes on paying to {2 * last:,} nodes, the end of the table: every "
            f"doubling brings at least {LEAST_GAIN:.0%} more.".replace("%", " %")
        )
    measured = " (forecast)" if 2 * study.stops_at > study.last_measured else " (measured)"
    return (
        f"Adding nodes stops paying at {study.stops_at:,} nodes{measured}: doubling them brings "
        f"less than {LEAST_GAIN:.0%} more.".replace("%", " %")
    )


# --- Numbers -------------------------------------------------------------------------------------


def bar(share: float, marks: Symbols, width: int) -> str:
    """A bar of this share of the width, to the part of a letter.

    >>> bar(0.5, Symbols("#", "<", "-", "+-"), 8)
    '####'
    """
    whole, part = divmod(round(share * width * len(marks.bar)), len(marks.bar))
    return marks.bar[-1] * whole + (marks.bar[part - 1] if part else "")


def number(value: float) -> str:
    """A figure within 10 letters, with four digits or whole.

    >>> number(1216100.0), number(745.312), number(0.0123456), number(3.2e12), number(100.0)
    ('1,216,100', '745.3', '0.01235', '3.2e+12', '100.0')
    """
    if abs(value) >= 1000:
        text = f"{value:,.0f}"
        return text if len(text) <= 10 else f"{value:.4g}"
    return f"{value:#.4g}".rstrip(".") if abs(value) >= 1e-4 else f"{value:.3g}"


def percent(share: float) -> str:
    """A share with a decimal.

    >>> percent(0.9312), percent(1.0345), percent(1.0), percent(0.00004)
    ('93.1 %', '103.5 %', '100.0 %', '0.0 %')
    """
    return f"{100 * share:.1f} %"


def gain(row: Row) -> str:
    """What a doubling brings.

    >>> gain(Row(1, 8, True, 1, 1, 1, 1, 0.96, None, None))
    '+96.0 %'
    """
    return f"{100 * row.gain_of_doubling:+.1f} %"


def as_json(study: Study) -> str:
    """The same figures for programs."""
    one, found, price = study.measurements, study.found, study.price
    document: dict[str, Any] = {
        "source": one.name,
        "measure": one.scale.measure.name,
        "unit": one.scale.unit.name,
        "scaling": one.scaling,
        "gpus_per_node": one.gpus_per_node,
        "points": [asdict(point) for point in one.points],
        "fit": {
            "fabric_class": found.fabric_class,
            "method": found.method,
            "parameters": dict(found.parameters),
            "error": found.error,
        },
        "sizes": [asdict(row) for row in study.rows],
        "samples": [asdict(row) for row in study.samples],
        "stops_paying_at": study.stops_at,
        "least_gain": LEAST_GAIN,
        "price": price and {**asdict(price), "work": one.scale.work, "units": study.units},
        "notes": list(study.notes),
        "formula": study.formula,
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
