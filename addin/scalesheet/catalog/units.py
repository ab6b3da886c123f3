"""Prices in the units that people quote them in, as the price of one GPU for one hour."""

import math
import re

from scalesheet.errors import OutOfDomain, UnknownChoice
from scalesheet.quantities import HOURS_PER_MONTH

GPU_HOUR, INSTANCE_HOUR = "GPU-h", "instance-h"
UNITS = {
    GPU_HOUR: (1.0, False),
    INSTANCE_HOUR: (1.0, True),
    "node-h": (1.0, True),
    "GPU-month": (HOURS_PER_MONTH, False),
    "instance-month": (HOURS_PER_MONTH, True),
    "node-month": (HOURS_PER_MONTH, True),
}
"""Hours that a unit bills, and whether it is of a whole instance and so of all its GPUs."""


def price_per_gpu_hour(price: float, unit: str, gpus_per_instance: float) -> float:
    """The price of one GPU for one hour, whatever it was quoted for.

    >>> price_per_gpu_hour(23.60, "instance-h", 8), price_per_gpu_hour(2.95, "GPU-h", 8)
    (2.95, 2.95)
    >>> price_per_gpu_hour(17228, "node-month", 8)
    2.95
    """
    hours, of_instance = UNITS[known_unit(unit)]
    return price / hours / (whole_gpus(gpus_per_instance) if of_instance else 1)


def price_per_instance_hour(price: float, unit: str, gpus_per_instance: float) -> float:
    """The price of the whole instance for one hour: the figure to hold against the price list.

    >>> price_per_instance_hour(2.95, "GPU-h", 8)
    23.6
    """
    return price_per_gpu_hour(price, unit, gpus_per_instance) * whole_gpus(gpus_per_instance)


def known_unit(unit: str) -> str:
    """A unit as it is written here, from any case and with or without "per".

    >>> known_unit("per instance-hour"), known_unit("gpu-h")
    ('instance-h', 'GPU-h')
    """
    wanted = re.sub(r"^per\b", "", unit.strip().lower()).replace("hour", "h")
    wanted = re.sub(r"[\s_/-]+", "-", wanted.strip())
    for name in UNITS:
        if name.lower() == wanted:
            return name
    raise UnknownChoice(f'unit must be one of {", ".join(UNITS)}, not the text "{unit.strip()}"')


def whole_gpus(gpus: float) -> int:
    """A count of GPUs in an instance; a share of a GPU is a matter of price, not of count.

    >>> whole_gpus(8.0)
    8
    """
    if not (math.isfinite(gpus) and gpus >= 1 and gpus == math.floor(gpus)):
        raise OutOfDomain(
            f"GPUs per instance must be a whole number from 1, not {gpus:g}: "
            "a share of a GPU is priced as what the whole GPU would cost"
        )
    return int(gpus)
