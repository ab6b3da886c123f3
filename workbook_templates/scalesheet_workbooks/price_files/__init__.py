"""Other people's price lists, read so that nothing is wrong silently.

Three formats are told apart by their header: skypilot-catalog's ``vms.csv``, gpuhunt's CSV, and our
own. Prices are divided by the GPUs of their instance and converted to USD; what the source said
stays beside the result. Of several regions and instances every row is kept, and a look-up takes the
highest of a day: the cautious choice.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from scalesheet.catalog import Price, shipped
from scalesheet.catalog.records import provider_name
from scalesheet.catalog.rows import USER
from scalesheet.catalog.units import price_per_gpu_hour
from scalesheet.quantities import GPU_HOUR_PRICE
from scalesheet_workbooks.price_files.doubts import doubts, repeats
from scalesheet_workbooks.price_files.foreign import GPUHUNT, SKYPILOT, gpuhunt, skypilot
from scalesheet_workbooks.price_files.offers import (
    USD,
    Offer,
    Rate,
    Reader,
    Terms,
    same_name,
)
from scalesheet_workbooks.price_files.own import OWN, own
from scalesheet_workbooks.price_files.sheet import PriceFileError, Sheet, Wrong, read_sheet

__all__ = ["Listing", "PriceFileError", "Rate", "Terms", "read_listing"]

FORMATS = {
    "skypilot-catalog": (SKYPILOT, skypilot),
    "gpuhunt": (GPUHUNT, gpuhunt),
    "own": (OWN, own),
}
FOREIGN = ("skypilot-catalog", "gpuhunt")
NAMED = 8
"""So many unknown GPUs are named, the commonest first."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a price list holds: good prices, problems with their lines, and remarks."""

    name: str
    format: str
    prices: tuple[Price, ...]
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def read_listing(path: Path, terms: Terms) -> Listing:
    """The prices of a file of any known format.

    Raises PriceFileError when the file as a whole cannot be read; problems of single lines are in
    the listing, all of them.
    """
    base = shipped()
    sheet = read_sheet(path)
    kind = _format(sheet)
    if kind in FOREIGN:
        terms = _known_of_file(sheet, terms)
    again, repeated = repeats(sheet)
    once = tuple(line for line in sheet.lines if line.number not in repeated)
    reader = Reader(replace(sheet, lines=once), terms, base)
    FORMATS[kind][1](reader)
    prices: dict[tuple[object, ...], Price] = {}
    for offer in reader.offers:
        if terms.region and not same_name(terms.region, offer.region):
            continue
        try:
            price = _price(offer, reader)
            prices.setdefault(_what_counts(price), price)
        except Wrong as wrong:
            reader.problems.append((offer.line, str(wrong)))
    found = tuple(prices.values())
    remarks = [*again, *reader.remarks, *_left_out(reader), *doubts(found, base)]
    if not found and not reader.problems:
        remarks.append("there is no price of a GPU of the catalog in it")
    return Listing(
        sheet.name,
        kind,
        found,
        tuple(f"{sheet.name}: line {line}: {what}" for line, what in sorted(reader.problems)),
        tuple(f"{sheet.name}: {remark}" for remark in remarks),
    )


def _format(sheet: Sheet) -> str:
    for name, (columns, _) in FORMATS.items():
        if set(columns) <= set(sheet.header):
            return name
    known = "; ".join(f"{name} has {', '.join(columns)}" for name, (columns, _) in FORMATS.items())
    raise PriceFileError([f"{sheet.name}: line 1: not a header of a known price list: {known}"])


def _known_of_file(sheet: Sheet, terms: Terms) -> Terms:
    """Refuse at once what would be missing in every line."""
    missing = []
    if not terms.provider and "provider" not in sheet.header:
        missing.append("the file does not name its provider: add --provider NAME")
    if terms.as_of is None:
        missing.append("the file does not say of which day it is: add --as-of DATE")
    elif terms.as_of > terms.today:
        missing.append(f"--as-of {terms.as_of} is yet to come: give the day of the prices")
    if missing:
        raise PriceFileError([f"{sheet.name}: {problem}" for problem in missing])
    return terms


def _price(offer: Offer, reader: Reader) -> Price:
    """An offer per GPU-hour in USD; Wrong when it cannot be that."""
    note = offer.note
    per_gpu = price_per_gpu_hour(offer.price, offer.per, offer.gpus)
    if offer.currency != USD:
        rate = reader.terms.rates.get(offer.currency)
        if rate is None:
            raise Wrong(
                f"is in {offer.currency}, and the catalog in {USD}: add --rate "
                f"{offer.currency}=RATE, what one {offer.currency} costs in {USD}"
            )
        per_gpu *= rate.usd
        day = rate.day or offer.as_of
        said = f"1 {offer.currency} = {rate.usd:g} {USD}, rate of {day}"
        note = f"{note}; {said}" if note else said
    if not GPU_HOUR_PRICE.admits(per_gpu):
        raise Wrong(GPU_HOUR_PRICE.refusal("the price per GPU-hour", per_gpu, in_cell=False))
    provider = provider_name(offer.provider, reader.base)
    slug = f"{provider}-{offer.gpu}-{offer.term}-{offer.as_of}-{offer.line}"
    return Price(
        id=slug.lower().replace(" ", "-"),
        source=offer.source or reader.terms.source or reader.sheet.name,
        locator=f"{reader.sheet.name}: line {offer.line}",
        as_of=offer.as_of,
        confidence=offer.confidence,
        note=note,
        gpu=offer.gpu,
        provider=provider,
        term=offer.term,
        usd_per_gpu_hour=per_gpu,
        region=offer.region,
        instance=offer.instance,
        original_price=offer.price,
        original_unit=f"{offer.currency}/{offer.per}",
        gpus_per_instance=offer.gpus,
        line=offer.line,
        catalog=USER,
    )


def _what_counts(price: Price) -> tuple[object, ...]:
    """Zones of one region with one price are one row."""
    return (
        *price.key,
        price.as_of,
        price.region,
        price.instance,
        price.gpus_per_instance,
        price.original_price,
        price.original_unit,
    )


def _left_out(reader: Reader) -> list[str]:
    remarks = [f"{_counted(count)} {what}: left out" for what, count in reader.left_out.items()]
    if reader.unknown:
        commonest = [name for name, _ in reader.unknown.most_common(NAMED)]
        more = len(reader.unknown) - len(commonest)
        names = ", ".join(commonest) + (f" and {more} more" if more else "")
        remarks.append(
            f"{_counted(reader.unknown.total())} of GPUs that the catalog does not have ({names}): "
            "left out"
        )
    return remarks


def _counted(lines: int) -> str:
    return f"{lines:,} line{'' if lines == 1 else 's'}"
