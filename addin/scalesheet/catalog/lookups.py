"""What a GPU costs and can do at a date, and in words where the figure comes from.

Every look-up takes the catalog of this computer (the shipped rows, overridden by the user's price
file) unless it is handed another one. Dates are days; money is in USD.
"""

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from scalesheet.catalog import rows
from scalesheet.catalog.loading import current
from scalesheet.catalog.names import folded_name, meaning
from scalesheet.catalog.notes import Quote, remarks
from scalesheet.catalog.rows import TERMS, Catalog, Figure, Gpu, Interconnect, Price, Purchase
from scalesheet.errors import OutOfDomain, UnknownChoice

SPEC_FIELDS = (
    "memory_gb",
    "memory_gb_per_second",
    "watts",
    "gpus_per_node",
    *(f"{precision}_flops_per_second" for precision in rows.PRECISIONS),
)


class Spread(NamedTuple):
    """Prices across providers, the newest of each; USD per GPU-hour."""

    low: float
    median: float
    high: float
    providers: int
    stale: int


def gpu_price(
    gpu: str,
    provider: str,
    term: str,
    as_of: datetime.date,
    catalog: Catalog | None = None,
) -> float:
    """The price of one GPU for one hour in USD: the newest row dated on or before a day.

    Of several rows of that day (regions, instances, sources that differ) the highest counts.

    >>> gpu_price("H200", "Nebius", "on-demand", datetime.date(2026, 9, 1))
    4.5
    >>> gpu_price("h200", "nebius", "on demand", datetime.date(2026, 8, 1))
    3.5
    """
    return quote(gpu, provider, term, as_of, catalog).row.usd_per_gpu_hour


def gpu_price_note(
    gpu: str,
    provider: str,
    term: str,
    as_of: datetime.date,
    catalog: Catalog | None = None,
) -> str:
    """Where the price of ``gpu_price`` comes from, its date and age, and every reason for doubt.

    >>> gpu_price_note("H200", "Nebius", "spot", datetime.date(2026, 9, 1))
    'H200 spot at Nebius: 2.45 USD/GPU-h of 2026-08-28 (4 days old), ...; shipped catalog; ...'
    """
    found = quote(gpu, provider, term, as_of, catalog)
    return "; ".join(remarks(found, as_of))


def gpu_spec(gpu: str, field: str, catalog: Catalog | None = None) -> float:
    """One figure of a GPU: memory_gb, watts, bf16_flops_per_second and the others of SPEC_FIELDS.

    Peaks are dense. A precision alone (bf16) means its FLOP/s.

    >>> gpu_spec("H100", "bf16"), gpu_spec("L40S", "BF16_FLOPS_PER_SECOND")
    (989000000000000.0, 362000000000000.0)
    """
    row = find_gpu(gpu, catalog)
    short = {folded_name(name): f"{name}_flops_per_second" for name in rows.PRECISIONS}
    wanted = short.get(folded_name(field), field)
    name, _ = meaning("field", wanted, SPEC_FIELDS, ())
    value = getattr(row, name)
    if value is None:
        raise UnknownChoice(
            f"no source gives {name} of {row.id}: enter a figure of your own and its source"
        )
    return float(value)


def gpu_spec_note(gpu: str, catalog: Catalog | None = None) -> str:
    """Where the figures of a GPU come from, and what its name was taken for.

    >>> gpu_spec_note("H200")
    'H200, NVIDIA H200 SXM: stas00/ml-engineering@744d01e, ..., as of 2026-08-22 (read)'
    """
    held = catalog or current()
    name, taken = meaning("gpu", gpu, held.gpu_names, held.aliases)
    row = next(row for row in held.gpus if row.id == name)
    origin = f"{row.source}, {row.locator}, as of {row.as_of} ({row.confidence})"
    parts = [f"{row.id}, {row.words}: {origin}", taken, row.note]
    return "; ".join(part for part in parts if part)


def quote(
    gpu: str,
    provider: str,
    term: str,
    as_of: datetime.date,
    catalog: Catalog | None = None,
) -> Quote:
    """The row behind ``gpu_price``, and the rows that say otherwise.

    Raises UnknownChoice for a name or a combination that the catalog does not have, OutOfDomain for
    a day before its first row.
    """
    held = catalog or current()
    names = (
        meaning("gpu", gpu, held.gpu_names, held.aliases),
        meaning("provider", provider, held.providers, held.aliases),
        meaning("term", term, TERMS, held.aliases),
    )
    key = (names[0][0], names[1][0], names[2][0])
    of_key = [price for price in held.prices if price.key == key]
    if not of_key:
        raise UnknownChoice(_no_such_price(key, held))
    known = [price for price in of_key if price.as_of <= as_of]
    if not known:
        first = min(price.as_of for price in of_key)
        raise OutOfDomain(
            f"as_of must be {first} or later for {key[0]} {key[2]} at {key[1]}, not {as_of}: "
            "the catalog has no earlier price"
        )
    newest = max(price.as_of for price in known)
    of_day = sorted(
        (price for price in known if price.as_of == newest),
        key=lambda price: -price.usd_per_gpu_hour,
    )
    earlier = [price for price in known if price.as_of < newest]
    return Quote(
        of_day[0],
        tuple(of_day[1:]),
        max(earlier, key=lambda price: (price.as_of, price.usd_per_gpu_hour), default=None),
        tuple(taken for _, taken in names if taken),
    )


def find_gpu(gpu: str, catalog: Catalog | None = None) -> Gpu:
    """The row of a GPU by any of its names.

    >>> find_gpu("a100 40gb").memory_gb, find_gpu("H100").id
    (40.0, 'H100-80GB')
    """
    held = catalog or current()
    name, _ = meaning("gpu", gpu, held.gpu_names, held.aliases)
    return next(row for row in held.gpus if row.id == name)


def gpus(catalog: Catalog | None = None) -> tuple[Gpu, ...]:
    """Every GPU: memory, bandwidth, watts, peaks and tier, as a choice among them needs it."""
    return (catalog or current()).gpus


def typical_price(
    gpu: str, term: str, as_of: datetime.date, catalog: Catalog | None = None
) -> Spread | None:
    """The spread of a GPU's price across providers at a day; None when nobody's price is known.

    >>> typical_price("H200", "on-demand", datetime.date(2026, 11, 30))
    Spread(low=4.29, median=4.395, high=4.5, providers=2, stale=1)
    """
    from statistics import median

    held = catalog or current()
    name, _ = meaning("gpu", gpu, held.gpu_names, held.aliases)
    kind, _ = meaning("term", term, TERMS, held.aliases)
    newest = [
        quote(name, provider, kind, as_of, held).row
        for provider in held.providers
        if any(p.key == (name, provider, kind) and p.as_of <= as_of for p in held.prices)
    ]
    if not newest:
        return None
    values = [price.usd_per_gpu_hour for price in newest]
    stale = sum(price.is_stale(as_of) for price in newest)
    return Spread(min(values), median(values), max(values), len(values), stale)


def prices(
    gpu: str = "", provider: str = "", term: str = "", catalog: Catalog | None = None
) -> tuple[Price, ...]:
    """The rows of a GPU, a provider and a term, each of them optional, in the order of a list."""
    held = catalog or current()
    wanted = (
        meaning("gpu", gpu, held.gpu_names, held.aliases)[0] if gpu else "",
        meaning("provider", provider, held.providers, held.aliases)[0] if provider else "",
        meaning("term", term, TERMS, held.aliases)[0] if term else "",
    )
    found = [
        price
        for price in held.prices
        if all(not part or part == own for part, own in zip(wanted, price.key, strict=True))
    ]
    order = held.gpu_names
    found.sort(
        key=lambda p: (
            order.index(p.gpu),
            TERMS.index(p.term),
            p.provider.lower(),
            -p.as_of.toordinal(),
            -p.usd_per_gpu_hour,
        )
    )
    return tuple(found)


def purchases(gpu: str, catalog: Catalog | None = None) -> tuple[Purchase, ...]:
    """What a GPU costs to buy, by every source that says so."""
    held = catalog or current()
    name, _ = meaning("gpu", gpu, held.gpu_names, held.aliases)
    return tuple(row for row in held.purchases if row.gpu == name)


def figures(topic: str, catalog: Catalog | None = None) -> tuple[Figure, ...]:
    """The sourced numbers of a topic: pue, electricity, egress, failure, checkpoint.

    >>> [figure.value for figure in figures("pue")]
    [1.55, 1.58]
    """
    held = catalog or current()
    known = list(dict.fromkeys(figure.topic for figure in held.figures))
    name, _ = meaning("topic", topic, known, ())
    return tuple(figure for figure in held.figures if figure.topic == name)


def interconnects(catalog: Catalog | None = None) -> tuple[Interconnect, ...]:
    """The classes of network with their bandwidth and loss per extra node."""
    return (catalog or current()).interconnects


def _no_such_price(key: Sequence[str], held: Catalog) -> str:
    gpu, provider, term = key
    terms = sorted({p.term for p in held.prices if (p.gpu, p.provider) == (gpu, provider)})
    others = sorted({p.provider for p in held.prices if (p.gpu, p.term) == (gpu, term)})
    known = []
    if terms:
        known.append(f"{provider} has it {' and '.join(terms)}")
    if others:
        known.append(f"{term} is known at {', '.join(others)}")
    if not known:
        known.append("import a price list with 'scalesheet prices import'")
    return f"there is no {term} price of {gpu} at {provider}: {'; '.join(known)}"
