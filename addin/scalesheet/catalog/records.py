"""How a line of each data file becomes a row, and what it may not be."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from scalesheet.catalog import rows
from scalesheet.catalog.cells import Cells
from scalesheet.catalog.names import meaning
from scalesheet.catalog.rows import Alias, Catalog, Figure, Gpu, Interconnect, Price, Purchase
from scalesheet.catalog.units import price_per_gpu_hour
from scalesheet.errors import ScalesheetError
from scalesheet.quantities import GPU_HOUR_PRICE

PRICE_UNIT = "USD/GPU-h"
PURCHASE_UNITS = ("USD/GPU", "USD/node", "USD/switch")
FIGURE_UNITS = ("ratio", "USD/kWh", "USD/GB", "GPU-h/failure", "s")
TOPICS = ("pue", "electricity", "egress", "failure", "checkpoint")
PURCHASE_KINDS = ("GPU", "node", "switch", "network")
TERA = 1e12
SAME_PRICE = 1e-9
"""Relative difference that rounding of a quotient may leave."""

T = TypeVar("T")


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


def gpu(cells: Cells) -> Gpu:
    """A GPU, its peaks in FLOP/s."""
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


def price(cells: Cells, base: Catalog, catalog: str) -> Price:
    """A price, per GPU and in USD, consistent with what its source said."""
    unit = cells.needed("unit")
    if unit != PRICE_UNIT:
        raise cells.refusal(
            f'unit must be {PRICE_UNIT}, not "{unit}": '
            "'scalesheet prices import' divides prices of instances and converts currencies"
        )
    value = cells.number("price")
    if not GPU_HOUR_PRICE.admits(value):
        raise cells.refusal(GPU_HOUR_PRICE.refusal("price", value, in_cell=False))
    gpus = cells.maybe_count("gpus_per_instance") or 1
    original = cells.maybe_number("original_price")
    original_unit = cells.text("original_unit") or PRICE_UNIT
    currency, _, per = original_unit.partition("/")
    if original is not None and currency == "USD":
        expected = _named(cells, lambda: price_per_gpu_hour(original, per, gpus))
        if abs(value - expected) > SAME_PRICE * expected:
            raise cells.refusal(
                f"{original:g} {original_unit} over {gpus} GPUs is {expected:.6g} {PRICE_UNIT}, "
                f"and the price here is {value:g}"
            )
    return Price(
        **_origin(cells, id=cells.place, locator=cells.place, confidence="read"),
        gpu=_name(cells, "gpu", base.gpu_names, base),
        provider=_provider(cells, base),
        term=_name(cells, "term", rows.TERMS, base),
        usd_per_gpu_hour=value,
        region=cells.text("region"),
        instance=cells.text("instance"),
        original_price=value if original is None else original,
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

    >>> from scalesheet.catalog.loading import shipped
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


def purchase(cells: Cells, gpu_names: Sequence[str]) -> Purchase:
    """What something costs to buy."""
    of_gpu = cells.text("gpu")
    return Purchase(
        **_origin(cells),
        kind=cells.choice("kind", PURCHASE_KINDS),
        gpu=cells.choice("gpu", gpu_names) if of_gpu else "",
        words=cells.needed("words"),
        price=cells.number("price"),
        unit=cells.choice("unit", PURCHASE_UNITS),
        gpus_per_unit=cells.maybe_count("gpus_per_unit"),
    )


def interconnect(cells: Cells) -> Interconnect:
    """A class of network."""
    return Interconnect(
        **_origin(cells),
        words=cells.needed("words"),
        gbps=cells.number("gbps"),
        loss_per_extra_node=cells.number("loss_per_extra_node"),
    )


def figure(cells: Cells) -> Figure:
    """One sourced number."""
    return Figure(
        **_origin(cells),
        topic=cells.choice("topic", TOPICS),
        words=cells.needed("words"),
        value=cells.number("value"),
        unit=cells.choice("unit", FIGURE_UNITS),
    )


def alias(cells: Cells) -> Alias:
    """Another name."""
    kind = cells.choice("kind", ("gpu", "provider", "term"))
    return Alias(kind, cells.needed("name"), cells.needed("means"), cells.text("note"))
