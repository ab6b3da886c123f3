"""The data files read and checked, once and not before somebody asks for a figure.

A user's own price file overrides the shipped rows of the same GPU, provider and term: the two are
not mixed. A price file that cannot be read is an error, never passed over.
"""

import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from scalesheet.catalog import records, rows
from scalesheet.catalog.cells import CatalogError, Cells, lines
from scalesheet.catalog.rows import Catalog, Price, Purchase

DATA = Path(__file__).parent
PRICE_FILE_VARIABLE = "SCALESHEET_PRICES"
PRICE_FILE_NAME = "prices.csv"

ROW_COLUMNS = ("id", "source", "locator", "as_of", "confidence")
PRICE_COLUMNS = ("gpu", "provider", "term", "price", "unit", "as_of", "source")
"""The columns that a price file needs; the others of the shipped one may be left out."""

T = TypeVar("T")


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    """The catalog that comes with the package."""
    aliases = tuple(_table("aliases.csv", records.alias, ("kind", "name", "means", "note")))
    gpus = tuple(_table("gpus.csv", records.gpu, ROW_COLUMNS))
    base = Catalog(gpus, (), (), (), (), aliases)
    prices = read_prices(DATA / PRICE_FILE_NAME, base, rows.SHIPPED)

    def purchase(cells: Cells) -> Purchase:
        return records.purchase(cells, base.gpu_names)

    return Catalog(
        gpus,
        prices,
        tuple(_table("purchases.csv", purchase, ROW_COLUMNS)),
        tuple(_table("interconnects.csv", records.interconnect, ROW_COLUMNS)),
        tuple(_table("figures.csv", records.figure, ROW_COLUMNS)),
        aliases,
    )


def current() -> Catalog:
    """The shipped catalog with the user's prices in place of the shipped ones, if he has any.

    A price file that has changed is read again, also in a spreadsheet that was open before.
    """
    path = price_file()
    return _with_prices(path, _version(path))


@lru_cache(maxsize=1)
def _with_prices(path: Path, version: tuple[int, int] | None) -> Catalog:
    """The shipped catalog and a price file in one of its states."""
    base = shipped()
    if version is None:
        if os.environ.get(PRICE_FILE_VARIABLE, "").strip():
            raise CatalogError(
                f"{path}: {PRICE_FILE_VARIABLE} names this file and there is none: "
                "unset it, or make the file with 'scalesheet prices import'"
            )
        return base
    return overridden(base, read_prices(path, base, rows.USER), path)


def _version(path: Path) -> tuple[int, int] | None:
    """What tells one state of a file from another; None when there is no file."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return 0, 0  # it may not be looked at, and reading it says why
    return found.st_mtime_ns, found.st_size


def reload() -> None:
    """Forget what was read: the next look-up reads the files again."""
    shipped.cache_clear()
    _with_prices.cache_clear()


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
    found = [records.price(cells, base, catalog) for cells in lines(path, PRICE_COLUMNS)]
    return tuple(_unique(found, path.name))


def _table(name: str, read: Callable[[Cells], T], columns: Sequence[str]) -> list[T]:
    return _unique([read(cells) for cells in lines(DATA / name, columns)], name)


def _unique(found: list[T], name: str) -> list[T]:
    seen: set[str] = set()
    for row in found:
        if isinstance(row, rows.Row):
            if row.id in seen:
                raise CatalogError(f"{name}: the id {row.id} is there twice: change one of them")
            seen.add(row.id)
    return found
