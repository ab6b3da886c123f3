"""How ``scalesheet risk`` prints an outlook: for people within 80 columns, or as JSON."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size

from scalesheet.quantities import EFFICIENCY
from scalesheet_workbooks.cli.text import WIDTH, paragraph
from scalesheet_workbooks.inputs import INPUT_BY_ID
from scalesheet_workbooks.risk_study import Bar, Driver, Outlook, Percentile

LONGEST = 13
"""Digits and commas of the largest amount that is written out; beyond it, powers of ten."""
BAR_WIDTH, POINTER_WIDTH = 30, 17
ERROR = 11
INDENT = "  "
WITHOUT_NUMPY = (
    "NumPy is not installed, so nothing was drawn: the figures come from TRAIN_COST_RISK's fixed "
    "points, which are within 0.1 % where high is at most four times low. For draws: "
    'pip install "scalesheet[fit]"'
)
LEGEND = (
    "The inputs are taken as independent, each a PERT distribution of low, mode and high. Where "
    "they go wrong together the spread is wider: the column 'all together' has every input at its "
    "own percentile in the bad direction. 'Variance' is what an input alone gives of the total's "
    "variance (first-order index); the rest arises jointly. 'Total at' moves one input, the others "
    "as planned."
)


@dataclass(frozen=True, slots=True)
class Symbols:
    """The marks of a histogram: parts of a full bar, rising, a pointer, a line."""

    bar: str
    pointer: str
    rule: str
    error: str


BLOCKS = Symbols("▏▎▍▌▋▊▉█", "◂", "─", "±")
PLAIN = Symbols("#", "<", "-", "+-")


def symbols(encoding: str | None) -> Symbols:
    """What a terminal can show.

    >>> symbols("utf-8") is BLOCKS, symbols("cp1252") is PLAIN, symbols(None) is PLAIN
    (True, True, True)
    """
    marks = BLOCKS.bar + BLOCKS.pointer + BLOCKS.rule + BLOCKS.error
    try:
        marks.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return BLOCKS


def page(
    outlooks: Sequence[Outlook],
    left_out: Sequence[str],
    currency: str,
    seed: int,
    marks: Symbols,
) -> Iterator[str]:
    """Every outlook, and at the end how to read them; ``left_out`` are scenarios without ranges."""
    for outlook in outlooks:
        yield from _outlook(outlook, currency, marks)
        yield ""
    if left_out:
        yield from paragraph(f"Without ranges, so not shown: {', '.join(left_out)}.")
    yield from paragraph(LEGEND)
    draws = outlooks[0].draws
    if draws:
        yield from paragraph(
            f"{draws:,} draws a scenario, seed {seed}; {marks.error} is the 95 % Monte Carlo "
            "error. 'In a cell' is what TRAIN_COST_RISK shows: fixed points, the same each time."
        )
    else:
        yield from paragraph(WITHOUT_NUMPY)


def _outlook(outlook: Outlook, currency: str, marks: Symbols) -> Iterator[str]:
    yield _heading(outlook.name, currency)
    yield marks.rule * (WIDTH - 1)
    yield from _summary(outlook)
    yield ""
    yield from _percentiles(outlook, marks)
    if outlook.bars:
        yield ""
        yield from _histogram(outlook, marks)
    yield ""
    yield from _drivers(outlook)
    yield from _remarks(outlook)


def _heading(name: str, currency: str) -> str:
    room = WIDTH - 1 - len(currency) - 2
    shown = name if cell_len(name) <= room else set_cell_size(name, room - 3) + "..."
    return set_cell_size(shown, room) + INDENT + currency


def _summary(outlook: Outlook) -> Iterator[str]:
    planned, above = outlook.planned, outlook.chance_above_planned
    p80 = next(entry.total for entry in outlook.percentiles if entry.probability == 0.8)
    reserve = p80 - planned
    highest = outlook.highest_draw
    rows = [
        ("Planned total", money(planned), f"{percent(above)} chance to exceed it"),
        ("Mean", money(outlook.mean), _against(outlook.mean, planned)),
        (
            "Reserve for P80",
            money(max(reserve, 0.0)),
            "on top of the plan, to be 80 % sure" if reserve > 0 else "none: the plan is 80 % sure",
        ),
        ("Best case", money(outlook.best), "all inputs at their good end at once"),
        ("Worst case", money(outlook.worst), "all inputs at their bad end at once"),
    ]
    if highest is not None:
        rows.append(("Highest draw", money(highest), f"of {outlook.draws:,} independent ones"))
    for label, amount, remark in rows:
        yield f"{INDENT}{label:<17}{amount:>{LONGEST}}   {remark}"


def _against(total: float, planned: float) -> str:
    change = total / planned - 1
    if abs(change) < 0.0005:
        return "as planned"
    return f"{abs(change):.1%} {'above' if change > 0 else 'below'} plan".replace("%", " %")


def _percentiles(outlook: Outlook, marks: Symbols) -> Iterator[str]:
    drawn = outlook.draws > 0
    error = f"{marks.error:>{ERROR}}" if drawn else ""
    in_cell = f"{'in a cell':>{LONGEST + 3}}" if drawn else ""
    yield f"Total stays below{'':>2}{'':>{LONGEST}}{error}{in_cell}{'all together':>{LONGEST + 3}}"
    for entry in outlook.percentiles:
        yield _percentile(entry)


def _percentile(entry: Percentile) -> str:
    drawn = entry.error is not None
    error = f"{money(entry.error, entry.total):>{ERROR}}" if entry.error is not None else ""
    in_cell = f"{money(entry.in_cell):>{LONGEST + 3}}" if drawn else ""
    label = f"P{100 * entry.probability:.0f}"
    return (
        f"{INDENT}{label:<17}{money(entry.total):>{LONGEST}}{error}{in_cell}"
        f"{money(entry.together):>{LONGEST + 3}}"
    )


def _histogram(outlook: Outlook, marks: Symbols) -> Iterator[str]:
    yield "How likely each total is"
    largest = max(bar.share for bar in outlook.bars)
    pointers = {
        "plan": outlook.planned,
        **{f"P{100 * entry.probability:.0f}": entry.total for entry in outlook.percentiles},
    }
    labels = [_range(bar) for bar in outlook.bars]
    width = max(map(len, labels))
    room = min(BAR_WIDTH, WIDTH - 1 - len(INDENT) - width - 10 - POINTER_WIDTH)
    for bar, label in zip(outlook.bars, labels, strict=True):
        here = [name for name, total in pointers.items() if bar.start <= total < bar.end]
        pointer = f" {marks.pointer} {', '.join(here)}" if here else ""
        drawn = _bar(bar.share / largest, marks, room)
        yield f"{INDENT}{label:>{width}}  {percent(bar.share):>6}  {drawn}{pointer}".rstrip()


def _range(bar: Bar) -> str:
    if math.isinf(bar.start):
        return f"below {money(bar.end)}"
    if math.isinf(bar.end):
        return f"above {money(bar.start)}"
    return f"{money(bar.start)} - {money(bar.end)}"


def _bar(share: float, marks: Symbols, width: int) -> str:
    """A bar of this share of the width, to the part of a letter.

    >>> _bar(0.5, PLAIN, 8), _bar(0.5, BLOCKS, 5), _bar(0.0, BLOCKS, 5)
    ('####', '██▌', '')
    """
    parts = len(marks.bar)
    whole, part = divmod(round(share * width * parts), parts)
    return marks.bar[-1] * whole + (marks.bar[part - 1] if part else "")


def _drivers(outlook: Outlook) -> Iterator[str]:
    yield f"What drives the spread, most of all {outlook.drivers[0].name}"
    yield (
        f"{INDENT}{'':<15}{'low':>8}{'mode':>8}{'high':>8}"
        f"{'total at low':>15}{'at high':>14}{'variance':>9}"
    )
    for driver in outlook.drivers:
        low, mode, high = (amount_of(driver, value) for value in driver.spread)
        share = percent(driver.share)
        yield (
            f"{INDENT}{driver.name:<15}{low:>8}{mode:>8}{high:>8}"
            f"{money(driver.total_at_low):>15}{money(driver.total_at_high):>14}{share:>9}"
        )


def _remarks(outlook: Outlook) -> Iterator[str]:
    """Plans that the ranges do not expect."""
    for driver in outlook.drivers:
        low, mode, high = driver.spread
        planned = amount_of(driver, driver.planned)
        if not low <= driver.planned <= high:
            yield from paragraph(
                f"! {driver.name} is planned at {planned}, outside its own range: check both", 2
            )
        elif driver.planned != mode:
            shown = amount_of(driver, mode)
            yield from paragraph(
                f"{driver.name} is planned at {planned}; its most likely value is {shown}", 2
            )


# --- Numbers -------------------------------------------------------------------------------------


def money(amount: float, like: float | None = None) -> str:
    """An amount within LONGEST letters, with the decimals of another one where that is given.

    >>> money(27950.0), money(1111.0526), money(12.345), money(0.0), money(4.5e15)
    ('27,950', '1,111', '12.35', '0', '4.5e+15')
    >>> money(12.345, like=27950.0)
    '12'
    """
    size = abs(amount if like is None else like)
    text = f"{amount:,.{0 if size >= 100 or size == 0 else 2}f}"
    return text if len(text) <= LONGEST else f"{amount:.6g}"


def percent(share: float) -> str:
    """A share in whole percent, small ones with a decimal.

    >>> percent(0.612), percent(0.0123), percent(0.0), percent(1.0), percent(0.0001)
    ('61 %', '1.2 %', '0 %', '100 %', '<0.1 %')
    """
    if 0 < share < 0.0005:
        return "<0.1 %"
    return f"{100 * share:.1f} %" if 0 < share < 0.0995 else f"{100 * share:.0f} %"


def amount_of(driver: Driver, value: float) -> str:
    """A value of an input as its cells show it: a percentage or a number."""
    domain = INPUT_BY_ID[f"in.{driver.name}"].domain
    if domain.number_format == EFFICIENCY.number_format:
        return f"{100 * value:.3g} %"
    text = f"{value:,.2f}" if value < 1000 else f"{value:,.0f}"
    return text if len(text) <= 7 else f"{value:.3g}"


def as_json(outlooks: Sequence[Outlook], currency: str, seed: int) -> str:
    """The same figures for programs; open ends of the histogram are null."""
    draws = outlooks[0].draws
    document = {
        "currency": currency,
        "method": "random draws" if draws else "fixed points",
        "draws": draws,
        "seed": seed if draws else None,
        "inputs": "independent",
        "scenarios": [_record(outlook) for outlook in outlooks],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _record(outlook: Outlook) -> dict[str, Any]:
    record = asdict(outlook)
    del record["draws"]
    for bar in record["bars"]:
        bar.update({key: None for key in ("start", "end") if math.isinf(bar[key])})
    return record
