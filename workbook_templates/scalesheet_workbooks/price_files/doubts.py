"""What looks wrong with prices that can be read: remarked on, never corrected."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from scalesheet.catalog import Catalog, Price
from scalesheet.catalog.rows import ON_DEMAND, SPOT, THREE_YEARS
from scalesheet_workbooks.price_files.sheet import Line, Sheet

SAME = 0.01
"""Prices that differ by less, relatively, are one price."""
ROOM = 1.25
"""A price this factor outside the catalog's range is still within it."""
FAR = 2.5
"""From this factor outside the catalog's range a price is remarked on, whatever may explain it."""
USUAL_NODES = (8, 4, 2)
THREE_YEAR_SHARE = (0.35, 0.45)
"""A three-year price as a share of the price on demand, in Epoch's rows of V100 and A100."""
SLACK = 4 / 3
"""A share this factor outside the band is far off."""


def doubts(prices: Sequence[Price], base: Catalog) -> Iterator[str]:
    """One line for each kind of doubt about a file's prices; unit traps first."""
    yield from _undivided(prices)
    yield from _one_price_in_two_units(prices)
    yield from _off_the_range(prices, base)
    yield from _spot_above(prices)
    yield from _three_years(prices)


def repeats(sheet: Sheet) -> tuple[list[str], set[int]]:
    """What to say of lines that repeat another one, and their numbers.

    Only lines with every cell the same count: one instance in two zones is two lines.
    """
    by_cells: dict[tuple[str, ...], list[Line]] = defaultdict(list)
    for line in sheet.lines:
        by_cells[tuple(line.cells.values())].append(line)
    remarks: list[str] = []
    again: set[int] = set()
    for same in by_cells.values():
        if len(same) > 1:
            numbers = _listed(line.number for line in same[1:])
            remarks.append(f"{numbers} repeat line {same[0].number}: taken once")
            again.update(line.number for line in same[1:])
    return remarks, again


def _undivided(prices: Sequence[Price]) -> Iterator[str]:
    """One price for instances of different sizes: a price per GPU that stands for the instance."""
    by_key: dict[tuple[str, ...], list[Price]] = defaultdict(list)
    for price in prices:
        if price.original_unit.endswith("/instance-h"):
            by_key[(*price.key, price.region)].append(price)
    for of_key in by_key.values():
        one = min(of_key, key=lambda price: price.gpus_per_instance)
        same = [
            price
            for price in of_key
            if price.gpus_per_instance > one.gpus_per_instance
            and abs(price.original_price - one.original_price) <= SAME * one.original_price
        ]
        if same:
            yield (
                f"{_lines(same)}: {same[0].gpus_per_instance} x {one.gpu} cost as much as "
                f"{one.gpus_per_instance} (line {one.line}): is {one.original_price:g} the price "
                "of one GPU?"
            )


def _one_price_in_two_units(prices: Sequence[Price]) -> Iterator[str]:
    """The same figure as the price of a GPU and as that of an instance with several."""
    per_gpu = {
        (price.key, price.original_price): price
        for price in prices
        if price.original_unit.endswith("/GPU-h")
    }
    for price in prices:
        twin = per_gpu.get((price.key, price.original_price))
        is_instance = price.original_unit.endswith("/instance-h") and price.gpus_per_instance > 1
        if twin and is_instance:
            yield (
                f"lines {twin.line} and {price.line}: {price.original_price:g} is given per GPU "
                f"and for an instance of {price.gpus_per_instance}: which one is it?"
            )


def _off_the_range(prices: Sequence[Price], base: Catalog) -> Iterator[str]:
    """Prices outside what the catalog has, above all by a factor that is a number of GPUs."""
    known: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in base.prices:
        known[row.gpu, row.term].append(row.usd_per_gpu_hour)
    said: dict[str, list[Price]] = defaultdict(list)
    for price in prices:
        of_gpu = known.get((price.gpu, price.term))
        if of_gpu:
            doubt = _off(price, min(of_gpu), max(of_gpu))
            if doubt:
                said[doubt].append(price)
    for doubt, of_doubt in said.items():
        yield f"{_lines(of_doubt)}: {doubt}"


def _off(price: Price, low: float, high: float) -> str:
    value, gpus = price.usd_per_gpu_hour, price.gpus_per_instance
    known = f"the catalog has {price.gpu} {price.term} from {low:.4g} to {high:.4g}"
    what = f"{value:.4g} USD/GPU-h"

    def fits(number: float) -> bool:
        return low / ROOM <= number <= high * ROOM

    if fits(value):
        return ""
    sizes = (gpus,) if gpus > 1 else USUAL_NODES
    if value > high:
        size = next((size for size in sizes if fits(value / size)), None)
        if size:
            return f"{what}, and {known}: is it the price of an instance of {size} GPUs?"
    elif gpus > 1 and fits(value * gpus):
        return f"{what}, and {known}: was it the price of one GPU before it was divided by {gpus}?"
    if not low / FAR <= value <= high * FAR:
        return f"{what}, and {known}: is something left out or the wrong unit?"
    return ""


def _spot_above(prices: Sequence[Price]) -> Iterator[str]:
    on_demand = {
        (p.gpu, p.provider, p.region, p.instance, p.line): p for p in prices if p.term == ON_DEMAND
    }
    above = [
        price
        for price in prices
        if price.term == SPOT
        and (
            twin := on_demand.get(
                (price.gpu, price.provider, price.region, price.instance, price.line)
            )
        )
        and price.usd_per_gpu_hour > twin.usd_per_gpu_hour
    ]
    if above:
        yield f"{_lines(above)}: the spot price is above the one on demand: are they swapped?"


def _three_years(prices: Sequence[Price]) -> Iterator[str]:
    on_demand = {(p.gpu, p.provider, p.region, p.as_of): p for p in prices if p.term == ON_DEMAND}
    low, high = THREE_YEAR_SHARE
    for price in prices:
        twin = on_demand.get((price.gpu, price.provider, price.region, price.as_of))
        if price.term != THREE_YEARS or twin is None:
            continue
        share = price.usd_per_gpu_hour / twin.usd_per_gpu_hour
        if not low / SLACK <= share <= high * SLACK:
            yield (
                f"line {price.line}: the three-year price is {share:.0%} of the one on demand, "
                f"and {low:.0%} to {high:.0%} is usual: is it per GPU and hour?"
            )


def _lines(prices: Sequence[Price]) -> str:
    return _listed(price.line or 0 for price in prices)


def _listed(numbers: Iterable[int], most: int = 5) -> str:
    """Line numbers in words.

    >>> _listed([3]), _listed([3, 4, 9])
    ('line 3', 'lines 3, 4, 9')
    """
    found = sorted(set(numbers))
    shown = ", ".join(str(number) for number in found[:most])
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return f"line{'s' if len(found) > 1 else ''} {shown}{more}"
