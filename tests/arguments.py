"""Random arguments of the functions, within limits; of few digits, so that files keep them."""

import math
import random

from scalesheet import catalog
from scalesheet.domains import SERIAL_ZERO, Choice, Domain, Name, Quantity, Vector
from scalesheet.fabric_classes import OTHER, usable_classes
from scalesheet.registry import Function, argument_names

Argument = float | str | tuple[float, ...]
DIGITS = 6
HIGHEST = 1e6
SMALLEST = 1e-3


def arguments(rng: random.Random, record: Function, length: int = 3) -> list[Argument]:
    """One set of arguments that the limits and the rules allow, ranges of a given length."""
    if record.category == "Catalog" and any(isinstance(p.domain, Name) for p in record.parameters):
        return _of_catalog(rng, record)
    while True:
        values = [_argument(rng, parameter.domain, length) for parameter in record.parameters]
        if record.name == "SCALING_EFF_PUBLISHED":
            values[1] = rng.choice(usable_classes())
        if record.name == "EGRESS_COST":
            gb, limits, prices = values
            assert isinstance(limits, tuple)
            limits = tuple(sorted(limits))
            values = [min(float(str(gb)), limits[-1]), limits, prices]
        if record.category == "Risk":
            values = [tuple(sorted(v)) if isinstance(v, tuple) else v for v in values]
        by_name = dict(zip((p.name for p in record.parameters), values, strict=True))
        if all(rule(*(by_name[name] for name in argument_names(rule))) for rule in record.rules):
            return values


def _of_catalog(rng: random.Random, record: Function) -> list[Argument]:
    """Names that go together, and a day on which their price is known."""
    price = rng.choice(catalog.prices())
    known = {
        "gpu": price.gpu,
        "provider": price.provider,
        "term": price.term,
        "as_of": float((price.as_of - SERIAL_ZERO).days + rng.randint(0, 400)),
        "field": rng.choice(("memory_gb", "memory_gb_per_second", "gpus_per_node")),
    }
    if record.name == "GPU_PURCHASE_PRICE":
        known["gpu"] = rng.choice(("H100-80GB", "B200", "A100-80GB"))
    return [known[parameter.name] for parameter in record.parameters]


def _argument(rng: random.Random, domain: Domain, length: int) -> Argument:
    if isinstance(domain, Choice):
        return rng.choice([name for option in domain.options for name in option])
    if isinstance(domain, Name):  # outside the catalog that is a class of fabric
        return rng.choice([*usable_classes(), OTHER])
    if isinstance(domain, Quantity):
        return _number(rng, domain)
    assert isinstance(domain, Vector)
    return tuple(_number(rng, domain.item) for _ in range(domain.count or length))


def _number(rng: random.Random, quantity: Quantity) -> float:
    low, high = quantity.usual or (quantity.low, min(quantity.high, HIGHEST))
    if rng.random() < 0.3:
        low, high = quantity.low, min(quantity.high, HIGHEST)
    if low >= 0 and high > 1:
        value = math.exp(rng.uniform(math.log(max(low, SMALLEST)), math.log(high)))
    else:
        value = rng.uniform(max(low, -HIGHEST), high)
    value = float(round(value)) if quantity.whole else float(f"{value:.{DIGITS}g}")
    return value if quantity.admits(value) else _number(rng, quantity)
