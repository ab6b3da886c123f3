"""The data files read and checked, once and not before somebody asks for a figure.

A user's own price file overrides the shipped rows of the same GPU, provider and term: the two are
not mixed. A price file that cannot be read is an error, never passed over.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from scalesheet.catalog import rows
from scalesheet.catalog.cells import CatalogError, Cells, lines
from scalesheet.catalog.names import meaning
from scalesheet.catalog.rows import Alias, Figure, Gpu, Interconnect, Price, Purchase
from scalesheet.catalog.units import price_per_gpu_hour
from scalesheet.errors import ScalesheetError
from scalesheet.quantities import GPU_HOUR_PRICE

DATA = Path(__file__).parent
PRICE_FILE_VARIABLE = "SCALESHEET_PRICES"
PRICE_FILE_NAME = "prices.csv"

PRICE_UNIT = "USD/GPU-h"
PURCHASE_UNITS = ("USD/GPU", "USD/node", "USD/switch")
FIGURE_UNITS = ("ratio", "USD/kWh", "USD/GB", "GPU-h/failure", "s")
TOPICS = ("pue", "electricity", "egress", "failure", "checkpoint")
PURCHASE_KINDS = ("GPU", "node", "switch", "network")
TERA = 1e12
SAME_PRICE = 1e-9
"""Relative difference that rounding of a quotient may leave."""

ROW_COLUMNS = ("id", "source", "locator", "as_of", "confidence")
PRICE_COLUMNS = ("gpu", "provider", "term", "price", "unit", "as_of", "source")
"""The columns that a price file needs; the others of the shipped one may be left out."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Catalog:
    """All rows, and where the user's own prices came from (None without any)."""

    gpus: tuple[Gpu, ...]
    prices: tuple[Price, ...]
    purchases: tuple[Purchase, ...]
    interconnects: tuple[Interconnect, ...]
    figures: tuple[Figure, ...]
    aliases: tuple[Alias, ...]
    price_file: Path | None = None

    @property
    def gpu_names(self) -> list[str]:
        """The GPUs that the catalog knows, as it writes them."""
        return [gpu.id for gpu in self.gpus]

    @property
    def providers(self) -> list[str]:
        """The providers of its prices."""
        return sorted({price.provider for price in self.prices}, key=str.lower)


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    """The catalog that comes with the package."""
    aliases = tuple(_table("aliases.csv", _alias, ("kind", "name", "means", "note")))
    gpus = tuple(_table("gpus.csv", _gpu, ROW_COLUMNS))
    base = Catalog(gpus, (), (), (), (), aliases)
    prices = read_prices(DATA / PRICE_FILE_NAME, base, rows.SHIPPED)

    def purchase(cells: Cells) -> Purchase:
        return _purchase(cells, base.gpu_names)

    return Catalog(
        gpus,
        prices,
        tuple(_table("purchases.csv", purchase, ROW_COLUMNS)),
        tuple(_table("interconnects.csv", _interconnect, ROW_COLUMNS)),
        tuple(_table("figures.csv", _figure, ROW_COLUMNS)),
        aliases,
    )


@lru_cache(maxsize=1)
def current() -> Catalog:
    """The shipped catalog with the user's prices in place of the shipped ones, if he has any."""
    base = shipped()
    path = price_file()
    if not path.exists():
        if os.environ.get(PRICE_FILE_VARIABLE, "").strip():
            raise CatalogError(
                f"{path}: {PRICE_FILE_VARIABLE} names this file and there is none: "
                "unset it, or make the file with 'scalesheet prices import'"
            )
        return base
    return overridden(base, read_prices(path, base, rows.USER), path)


def reload() -> None:
    """Forget what was read: the next look-up reads the files again."""
    shipped.cache_clear()
    current.cache_clear()


def overridden(base: Catalog, own: Sequence[Price], path: Path) -> Catalog:
    """A catalog in which some prices take the place of all rows of their GPU, provider and term."""
    keys = {price.key for price in own}
    kept = [price for price in base.prices if price.key not in keys]
    return Catalog(
        base.gpus,
        (*kept, *own),
        base.purchases,
        base.interconnects,
        base.figures,
        base.aliases,
        path,
    )


def price_file() -> Path:
    """Where the user's own prices are: the variable SCALESHEET_PRICES, or the usual place."""
    named = os.environ.get(PRICE_FILE_VARIABLE, "").strip()
    if named:
        return Path(os.path.expanduser(named))
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return folder / "scalesheet" / PRICE_FILE_NAME


def read_prices(path: Path, base: Catalog, catalog: str) -> tuple[Price, ...]:
    """The prices of a file in the catalog's own form, checked."""
    found = [_price(cells, base, catalog) for cells in lines(path, PRICE_COLUMNS)]
    return tuple(_unique(found, path.name))


# --- The rows ------------------------------------------------------------------------------------


def _table(name: str, read: Callable[[Cells], T], columns: Sequence[str]) -> list[T]:
    return list(_unique([read(cells) for cells in lines(DATA / name, columns)], name))


def _unique(found: list[T], name: str) -> Iterable[T]:
    seen: set[str] = set()
    for row in found:
        if isinstance(row, rows.Row):
            if row.id in seen:
                raise CatalogError(f"{name}: the id {row.id} is there twice: change one of them")
            seen.add(row.id)
    return found


def _origin(cells: Cells, **instead: str) -> dict[str, Any]:
    """The part that all rows have; ``instead`` is what stands for an empty cell."""
    confidence = cells.text("confidence") or instead.get("confidence", "")
    if confidence not in rows.CONFIDENCES:
        confidence = cells.choice("confidence", rows.CONFIDENCES)
    return {
        "id": cells.text("id") or instead.get("id") or cells.needed("id"),
        "source": cells.needed("source"),
        "locator": cells.text("locator") or instead.get("locator") or cells.needed("locator"),
        "as_of": cells.day("as_of"),
        "confidence": confidence,
        "note": cells.text("note"),
    }


def _gpu(cells: Cells) -> Gpu:
    peaks: dict[str, Any] = {}
    for precision in rows.PRECISIONS:
        tflops = cells.maybe_number(f"{precision}_tflops")
        peaks[f"{precision}_flops_per_second"] = None if tflops is None else tflops * TERA
    _dense(cells, peaks)
    return Gpu(
        **_origin(cells),
        words=cells.needed("words"),
        tier=cells.choice("tier", rows.TIERS),
        gpus_per_node=cells.count("gpus_per_node"),
        memory_gb=cells.number("memory_gb"),
        memory_gb_per_second=cells.number("memory_gb_per_second"),
        watts=cells.maybe_number("watts"),
        **peaks,
    )


def _dense(cells: Cells, peaks: dict[str, Any]) -> None:
    """A sparse figure is twice the dense one, and betrays itself beside the other precisions."""
    half, full, double = (peaks[f"{name}_flops_per_second"] for name in ("tf32", "bf16", "fp8"))
    for low, high, names in ((half, full, "TF32 to BF16"), (full, double, "BF16 to FP8")):
        if low and high and not 1.9 <= high / low <= 2.1:
            raise cells.refusal(
                f"from {names} the dense peak doubles, and here it is times {high / low:.3g}: "
                "one of the two is the figure with sparsity"
            )


def _price(cells: Cells, base: Catalog, catalog: str) -> Price:
    unit = cells.needed("unit")
    if unit != PRICE_UNIT:
        raise cells.refusal(
            f'unit must be {PRICE_UNIT}, not "{unit}": '
            "'scalesheet prices import' divides prices of instances and converts currencies"
        )
    price = cells.number("price")
    if not GPU_HOUR_PRICE.admits(price):
        raise cells.refusal(GPU_HOUR_PRICE.refusal("price", price, in_cell=False))
    gpus = cells.maybe_count("gpus_per_instance") or 1
    original = cells.maybe_number("original_price")
    original_unit = cells.text("original_unit") or PRICE_UNIT
    currency, _, per = original_unit.partition("/")
    if original is not None and currency == "USD":
        expected = _named(cells, lambda: price_per_gpu_hour(original, per, gpus))
        if abs(price - expected) > SAME_PRICE * expected:
            raise cells.refusal(
                f"{original:g} {original_unit} over {gpus} GPUs is {expected:.6g} {PRICE_UNIT}, "
                f"and the price here is {price:g}"
            )
    return Price(
        **_origin(cells, id=cells.place, locator=cells.place, confidence="read"),
        gpu=_name(cells, "gpu", base.gpu_names, base),
        provider=_provider(cells, base),
        term=_name(cells, "term", rows.TERMS, base),
        usd_per_gpu_hour=price,
        region=cells.text("region"),
        instance=cells.text("instance"),
        original_price=price if original is None else original,
        original_unit=original_unit,
        gpus_per_instance=gpus,
        line=cells.maybe_count("line"),
        catalog=catalog,
    )


def _name(cells: Cells, column: str, known: Sequence[str], base: Catalog) -> str:
    text = cells.needed(column)
    return _named(cells, lambda: meaning(column, text, known, base.aliases)[0])


def _provider(cells: Cells, base: Catalog) -> str:
    """A provider by the name that the catalog has for it, or as it is written."""
    return provider_name(cells.needed("provider"), base)


def provider_name(text: str, base: Catalog) -> str:
    """The catalog's name for a provider; a provider that it does not know keeps his own.

    >>> provider_name("amazon web services", shipped()), provider_name("Hetzner", shipped())
    ('AWS', 'Hetzner')
    """
    known = [*base.providers, *(a.means for a in base.aliases if a.kind == "provider")]
    try:
        return meaning("provider", text, list(dict.fromkeys(known)), base.aliases)[0]
    except ScalesheetError:
        return " ".join(text.split())


def _named(cells: Cells, ask: Callable[[], T]) -> T:
    """An answer, or its refusal with file and line before it."""
    try:
        return ask()
    except ScalesheetError as error:
        raise cells.refusal(str(error)) from None


def _purchase(cells: Cells, gpu_names: Sequence[str]) -> Purchase:
    gpu = cells.text("gpu")
    return Purchase(
        **_origin(cells),
        kind=cells.choice("kind", PURCHASE_KINDS),
        gpu=cells.choice("gpu", gpu_names) if gpu else "",
        words=cells.needed("words"),
        price=cells.number("price"),
        unit=cells.choice("unit", PURCHASE_UNITS),
        gpus_per_unit=cells.maybe_count("gpus_per_unit"),
    )


def _interconnect(cells: Cells) -> Interconnect:
    return Interconnect(
        **_origin(cells),
        words=cells.needed("words"),
        gbps=cells.number("gbps"),
        loss_per_extra_node=cells.number("loss_per_extra_node"),
    )


def _figure(cells: Cells) -> Figure:
    return Figure(
        **_origin(cells),
        topic=cells.choice("topic", TOPICS),
        words=cells.needed("words"),
        value=cells.number("value"),
        unit=cells.choice("unit", FIGURE_UNITS),
    )


def _alias(cells: Cells) -> Alias:
    kind = cells.choice("kind", ("gpu", "provider", "term"))
    return Alias(kind, cells.needed("name"), cells.needed("means"), cells.text("note"))
