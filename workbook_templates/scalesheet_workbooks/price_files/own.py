"""Our own price list: one price a line with its unit, or a column for each term.

The unit is part of every price: GPU-h, instance-h, node-month and so on, after the currency, as
USD/GPU-h. A price can be of the host or of the GPUs alone (column ``part``); the two are added up.
"""

import re
from dataclasses import replace

from scalesheet.catalog import TERMS
from scalesheet.catalog.names import meaning
from scalesheet.catalog.rows import CONFIDENCES, ON_DEMAND, ONE_YEAR, SPOT, THREE_YEARS
from scalesheet.catalog.units import UNITS, known_unit
from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.price_files.offers import Offer, Reader, words
from scalesheet_workbooks.price_files.sheet import Line, Wrong

OWN = ("gpu", "unit")
WIDE = {
    "on_demand": ON_DEMAND,
    "spot": SPOT,
    "reserved_1y": ONE_YEAR,
    "reserved_3y": THREE_YEARS,
    "price per chip-hour (on-demand)": ON_DEMAND,
    "price per chip-hour (1-year cud)": ONE_YEAR,
    "price per chip-hour (3-year cud)": THREE_YEARS,
}
"""Columns that hold the price of one term; the long names are those of Epoch's price list."""
ALL_IN, HOST, GPUS = "all-in", "host", "gpus"
PARTS = (ALL_IN, HOST, GPUS)
SAME = 0.01
"""Two ways to write one price may differ by this share, from rounding."""
ISO_CODE = re.compile("[A-Z]{3}")


def own(reader: Reader) -> None:
    """Every price of every line; the parts of an instance joined."""
    parts: dict[tuple[str, ...], dict[str, Offer]] = {}
    for line in reader.sheet.lines:
        try:
            part = line.text("part").lower() or ALL_IN
            if part not in PARTS:
                raise Wrong(f'part must be one of {", ".join(PARTS)}, not "{part}"')
            for offer in _offers(reader, line):
                if part == ALL_IN:
                    reader.offers.append(offer)
                else:
                    _keep_part(parts, part, offer)
        except (Wrong, ScalesheetError) as wrong:
            reader.refuse(line, words(wrong))
    for of_instance in parts.values():
        _join(reader, of_instance)


def _offers(reader: Reader, line: Line) -> list[Offer]:
    sheet, terms = reader.sheet, reader.terms
    name = line.text("gpu")
    if not name:
        raise Wrong("gpu is missing: which GPU is it?")
    gpu, _ = meaning("gpu", name, reader.base.gpu_names, reader.base.aliases)
    provider = line.text("provider") or terms.provider
    if not provider:
        raise Wrong("provider is missing: fill it in or add --provider NAME")
    currency, per = _unit(line)
    confidence = line.text("confidence") or "read"
    if confidence not in CONFIDENCES:
        raise Wrong(f'confidence must be one of {", ".join(CONFIDENCES)}, not "{confidence}"')
    base = Offer(
        line.number,
        gpu,
        provider,
        "",
        0.0,
        currency,
        per,
        _gpus(reader, line, per),
        reader.day(line.text("as_of")),
        line.text("region"),
        line.text("instance"),
        line.text("source"),
        confidence,
        line.text("note"),
    )
    found = []
    if "price" in sheet.header:
        price = sheet.number(line, "price")
        if price is None:
            raise Wrong("price is missing: fill it in or drop the line")
        term, _ = meaning("term", line.text("term"), TERMS, reader.base.aliases)
        found.append(replace(base, term=term, price=price))
    else:
        prices = [(term, sheet.number(line, column)) for column, term in WIDE.items()]
        found = [replace(base, term=term, price=price) for term, price in prices if price]
        if not found:
            raise Wrong("there is no price: fill in one of them or drop the line")
    for offer in found:
        _hold_against_instance(reader, line, offer)
    return found


def _unit(line: Line) -> tuple[str, str]:
    """The currency and what a price is for."""
    text = line.text("unit")
    if not text:
        raise Wrong(f"unit is missing: write USD/GPU-h, or USD/ and one of {', '.join(UNITS)}")
    before, slash, after = text.partition("/")
    named = line.text("currency")
    code = before.strip() if slash and ISO_CODE.fullmatch(before.strip()) else ""
    if code and named and code != named:
        raise Wrong(f"currency is {named} and unit says {code}: which one is it?")
    per = known_unit(after if code else text)
    if not (code or named):
        raise Wrong(f"currency is missing: write unit as USD/{per}")
    if not ISO_CODE.fullmatch(code or named):
        raise Wrong(f'currency must be a code of three capital letters, as USD, not "{named}"')
    return code or named, per


def _gpus(reader: Reader, line: Line, per: str) -> int:
    """The GPUs of an instance; needed where the price is of one."""
    if line.text("gpus_per_instance") or UNITS[per][1]:
        return reader.count(line, "gpus_per_instance")
    return 1


def _hold_against_instance(reader: Reader, line: Line, offer: Offer) -> None:
    """Refuse a price per GPU that the price of the instance beside it contradicts."""
    whole = reader.sheet.number(line, "instance_price")
    if whole is None:
        return
    if UNITS[offer.per][1]:
        raise Wrong("price is of an instance already: leave instance_price empty")
    expected = offer.price * offer.gpus
    if offer.gpus > 1 and abs(whole - offer.price) <= SAME * whole:
        raise Wrong(
            f"price {offer.price:g} per GPU is the price of the instance of {offer.gpus} GPUs: "
            f"per GPU it is {whole / offer.gpus:.6g}"
        )
    if abs(whole - expected) > SAME * whole:
        raise Wrong(
            f"{offer.gpus} GPUs at {offer.price:g} are {expected:.6g} and instance_price is "
            f"{whole:g}, which is {whole / offer.gpus:.6g} per GPU: correct one of them"
        )


def _keep_part(parts: dict[tuple[str, ...], dict[str, Offer]], part: str, offer: Offer) -> None:
    key = (offer.gpu, offer.provider, offer.term, offer.region, offer.instance, str(offer.as_of))
    known = parts.setdefault(key, {})
    if part in known:
        raise Wrong(
            f"the {part} price of this instance is in line {known[part].line} already: drop one"
        )
    known[part] = offer


def _join(reader: Reader, parts: dict[str, Offer]) -> None:
    """One price of host and GPUs; a part alone is no price of a GPU-hour."""
    host, gpus = parts.get(HOST), parts.get(GPUS)
    here = Line((gpus or host or next(iter(parts.values()))).line, {})
    if host is None or gpus is None:
        have, lack = (GPUS, HOST) if host is None else (HOST, GPUS)
        reader.refuse(here, f"is the price of the {have} alone: add the line of part {lack}")
    elif (host.currency, host.per, host.gpus) != (gpus.currency, gpus.per, gpus.gpus):
        reader.refuse(here, f"and its host in line {host.line} differ in unit or number of GPUs")
    else:
        note = f"host {host.price:g} of line {host.line} and GPUs {gpus.price:g}, added up"
        note = f"{gpus.note}; {note}" if gpus.note else note
        reader.offers.append(replace(gpus, price=host.price + gpus.price, note=note))
