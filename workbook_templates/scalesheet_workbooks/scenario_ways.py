"""The work, the price and the efficiency of a scenario: each given in one of several ways."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scalesheet.errors import ScalesheetError
from scalesheet.quantities import (
    GPU_HOUR_PRICE,
    GPUS_PER_NODE,
    INTERCONNECT,
    MFU,
    PARAMETERS,
    PEAK_FLOPS_PER_SECOND,
    TOKENS,
    TOTAL_GPU_HOURS,
)
from scalesheet.workload import work_gpu_hours
from scalesheet_workbooks import inputs
from scalesheet_workbooks.inputs import (
    BY_INTERCONNECT,
    BY_PILOT,
    IDEAL_HOURS,
    MEASURED,
    MODEL_SIZE,
    TYPED,
)
from scalesheet_workbooks.scenario_runs import (
    MEASURED_EXAMPLE,
    MEASURED_KEYS,
    PILOT_EXAMPLE,
    PILOT_KEYS,
    measured_values,
    pilot_values,
)
from scalesheet_workbooks.scenario_text import Table
from scalesheet_workbooks.scenario_values import (
    Refuse,
    read_input,
    read_number,
    refuse_unknown,
    shown,
)
from scalesheet_workbooks.study import Measured


@dataclass(frozen=True, slots=True)
class Way:
    """One way to give the work or the efficiency: its name on the Inputs sheet and its keys."""

    name: str
    keys: tuple[str, ...]
    example: str


WORK_WAYS = (
    Way(IDEAL_HOURS, ("ideal_hours",), "{ ideal_hours = 120 }"),
    Way(inputs.TOTAL_GPU_HOURS, ("total_gpu_hours",), "{ total_gpu_hours = 7680 }"),
    Way(
        MODEL_SIZE,
        ("parameters", "tokens", "peak_flops_per_second", "mfu"),
        "{ parameters = 70e9, tokens = 15e12, peak_flops_per_second = 989e12, mfu = 0.4 }",
    ),
)
EFFICIENCY_WAYS = (
    Way(TYPED, ("typed",), "{ typed = 0.8 }"),
    Way(
        BY_INTERCONNECT,
        ("interconnect", "efficiency_floor"),
        '{ interconnect = "NDR", efficiency_floor = 0.5 }',
    ),
    Way(BY_PILOT, PILOT_KEYS, PILOT_EXAMPLE),
    Way(MEASURED, MEASURED_KEYS, MEASURED_EXAMPLE),
)
MODEL_QUANTITIES = dict(
    zip(WORK_WAYS[-1].keys, (PARAMETERS, TOKENS, PEAK_FLOPS_PER_SECOND, MFU), strict=True)
)

INSTANCE_KEYS = ("per_instance_hour", "gpus_per_instance")
INSTANCE_PRICE = replace(
    GPU_HOUR_PRICE,
    words="the price of one instance for one hour",
    high=GPU_HOUR_PRICE.high * GPUS_PER_NODE.high,
)
FABRIC = replace(
    INTERCONNECT, elsewhere="for another fabric write efficiency = { typed = ... } or a pilot"
)


def price_values(table: Table, refuse: Refuse) -> dict[str, float | str]:
    """The price of a GPU-hour, given as such or as that of an instance with several GPUs."""
    given, field = table.get("gpu_hour_price"), "gpu_hour_price"
    if not isinstance(given, dict):
        price = read_input(table, field, field, "in.gpu_hour_price", refuse)
        return {} if price is None else {"in.gpu_hour_price": price}
    refuse_unknown(given, INSTANCE_KEYS, f"{field}.", refuse)
    instance = read_number(
        given.get("per_instance_hour"), f"{field}.per_instance_hour", INSTANCE_PRICE, refuse
    )
    gpus = read_number(
        given.get("gpus_per_instance"), f"{field}.gpus_per_instance", GPUS_PER_NODE, refuse
    )
    if instance is None or gpus is None:
        return {}
    price = read_number(instance / gpus, field, GPU_HOUR_PRICE, refuse)
    if price is None:
        return {}
    return {
        "in.gpu_hour_price": price,
        "in.price_basis": "instance-hour",
        "in.instance_hour_price": instance,
        "in.gpus_per_instance": gpus,
    }


def work_values(table: Table, refuse: Refuse) -> dict[str, float | str]:
    """The work; one given by the size of the model comes with the GPU-hours that follow."""
    way = _way(table, "work", WORK_WAYS, refuse)
    if way is None:
        return {}
    if way.name == MODEL_SIZE:
        return _model_work(table["work"], refuse)
    (key,) = way.keys
    hours = read_input(table["work"], key, f"work.{key}", f"in.{key}", refuse)
    return {} if hours is None else {"in.work_basis": way.name, f"in.{key}": hours}


def _model_work(given: Table, refuse: Refuse) -> dict[str, float | str]:
    values = {
        key: read_number(given.get(key), f"work.{key}", quantity, refuse)
        for key, quantity in MODEL_QUANTITIES.items()
    }
    numbers = {key: value for key, value in values.items() if value is not None}
    if len(numbers) < len(values):
        return {}
    hours = work_gpu_hours(**numbers)
    total = read_number(hours, "work, as GPU-hours,", TOTAL_GPU_HOURS, refuse)
    if total is None:
        return {}
    return {
        "in.work_basis": MODEL_SIZE,
        "in.total_gpu_hours": total,
        **{f"in.{key}": value for key, value in numbers.items()},
    }


def efficiency_values(
    table: Table, measured: Measured | None, refuse: Refuse
) -> dict[str, float | str]:
    """The efficiency by the way in which it is given; ``measured`` are the points read before."""
    way = _way(table, "efficiency", EFFICIENCY_WAYS, refuse)
    if way is None:
        return {}
    given = table["efficiency"]
    values: dict[str, float | str | None] = {"in.efficiency_method": way.name}
    if way.name == TYPED:
        values["in.efficiency"] = read_input(
            given, "typed", "efficiency.typed", "in.efficiency", refuse
        )
    elif way.name == BY_INTERCONNECT:
        values["in.interconnect"] = _interconnect(given.get("interconnect"), refuse)
        values["in.efficiency_floor"] = read_input(
            given, "efficiency_floor", "efficiency.efficiency_floor", "in.efficiency_floor", refuse
        )
    elif way.name == BY_PILOT:
        values |= pilot_values(given["pilot"], refuse)
    else:
        values |= measured_values(given, measured, refuse)
    return {key: value for key, value in values.items() if value is not None}


def _interconnect(value: object, refuse: Refuse) -> str | None:
    field = "efficiency.interconnect"
    if isinstance(value, (dict, list)):
        refuse(f"{field} must be a name, not {shown(value)}: enter {FABRIC.rule}")
        return None
    try:
        return FABRIC.read(field, value)
    except ScalesheetError as error:
        refuse(str(error))
        return None


def _way(table: Table, field: str, ways: Sequence[Way], refuse: Refuse) -> Way | None:
    """The one way in which a table gives the work or the efficiency."""
    given = table.get(field)
    remedy = f"write {field} = " + " or ".join(way.example for way in ways)
    if given is None:
        refuse(f"{field} is missing: {remedy}")
        return None
    if not isinstance(given, dict):
        refuse(f"{field} must be a table, not {shown(given)}: {remedy}")
        return None
    known = [key for way in ways for key in way.keys]
    unknown = refuse_unknown(given, known, f"{field}.", refuse)
    used = [way for way in ways if any(key in given for key in way.keys)]
    if len(used) == 1:
        return used[0]
    if used:
        names = " and ".join(way.keys[0] for way in used)
        refuse(f"{field} must be given in one way, not by {names}: keep one of them")
    elif not unknown:
        refuse(f"{field} is empty: {remedy}")
    return None
