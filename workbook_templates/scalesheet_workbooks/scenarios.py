"""Scenario files: TOML in, a study out; what is wrong with a file is said all at once, in lines.

A line says file, scenario, field, rule, value and remedy. The limits and their words are the
registry's; here is only what a file can get wrong beyond them: keys, kinds and counts.
"""

import datetime
import importlib.resources
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from scalesheet.domains import Quantity, spelled
from scalesheet.errors import ScalesheetError
from scalesheet.pert import Spread, rises
from scalesheet.quantities import (
    EXPONENT,
    GPU_HOUR_PRICE,
    GPUS_PER_NODE,
    INTERCONNECT,
    NODES,
    THROUGHPUT,
)
from scalesheet.scaling import scaling_exponent
from scalesheet_workbooks.inputs import (
    BY_INTERCONNECT,
    BY_PILOT,
    IDEAL_HOURS,
    INPUT_BY_ID,
    TOTAL_GPU_HOURS,
    TYPED,
)
from scalesheet_workbooks.scenario_text import (
    ScenarioError,
    Table,
    cleaned,
    file_text,
    toml_tables,
)
from scalesheet_workbooks.study import MAX_SCENARIOS, Scenario, Study

__all__ = ["ScenarioError", "load", "parse", "shipped"]

SHIPPED = "training_run_budget.toml"
DEFAULT_TITLE = "Training run budget"
DEFAULT_CURRENCY = "USD"

MAX_NAME_LENGTH = 300
MAX_NOTE_LENGTH = 2000
FIRST_DATE = datetime.date(1900, 3, 1)
"""Excel's calendar has a 29 February 1900 that never was; from the day after it is right."""

Refuse = Callable[[str], None]
"""Takes one problem, without its place; the place is put before it."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to give the work or the efficiency: its name on the Inputs sheet and its keys."""

    name: str
    keys: tuple[str, ...]
    example: str


WORK_WAYS = (
    Way(IDEAL_HOURS, ("ideal_hours",), "{ ideal_hours = 120 }"),
    Way(TOTAL_GPU_HOURS, ("total_gpu_hours",), "{ total_gpu_hours = 7680 }"),
)
EFFICIENCY_WAYS = (
    Way(TYPED, ("typed",), "{ typed = 0.8 }"),
    Way(
        BY_INTERCONNECT,
        ("interconnect", "efficiency_floor"),
        '{ interconnect = "NDR", efficiency_floor = 0.5 }',
    ),
    Way(BY_PILOT, ("pilot",), "{ pilot = [[1, 116], [4, 480]] }"),
)
LATER_WORK = ("parameters", "tokens", "peak_flops_per_second", "mfu")
LATER_EFFICIENCY = ("measured", "fabric_class")
"""Keys of the schema that this version does not read: refused, so that none is ignored."""

RISK_EXAMPLES = {
    "gpu_hour_price": "[2.0, 2.5, 3.5]",
    "ideal_hours": "[100, 120, 160]",
    "efficiency": "[0.7, 0.8, 0.85]",
    "rework": "[0.05, 0.15, 0.4]",
}
"""Inputs that may be given as low, mode and high."""
RISK_EXAMPLE = "risk = { gpu_hour_price = [2.0, 2.5, 3.5] }"
RISK_ENDS = ("low", "mode", "high")

FILE_KEYS = ("workbook", "scenario")
WORKBOOK_KEYS = ("title", "owner", "currency", "as_of")
NUMBERS_BEFORE_WORK = ("gpus", "gpus_per_node")
NUMBERS_AFTER_WORK = ("rework", "storage", "egress", "gpu_throughput")
SCENARIO_KEYS = (
    "name",
    "note",
    *NUMBERS_BEFORE_WORK,
    "gpu_hour_price",
    "work",
    "efficiency",
    *NUMBERS_AFTER_WORK,
    "risk",
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


def load(path: Path) -> Study:
    """The study in a scenario file; ScenarioError with every problem when it has any."""
    return parse(file_text(path), path.name)


def shipped() -> Study:
    """The study that comes with the package.

    >>> [scenario.name for scenario in shipped().scenarios]
    ['Baseline 64', 'Fine-tune 32', 'Pre-train 256', 'Single node 8', 'Spot 64']
    """
    folder = importlib.resources.files("scalesheet_workbooks") / "scenarios"
    return parse((folder / SHIPPED).read_text(encoding="utf-8"), SHIPPED)


def parse(text: str, source: str) -> Study:
    """The study in the text of a scenario file; ``source`` is its name in messages."""
    problems: list[str] = []

    def refuse(problem: str) -> None:
        problems.append(f"{source}: {problem}")

    data = toml_tables(text, source)
    _refuse_unknown(data, FILE_KEYS, "", refuse)
    cover = _cover(data.get("workbook", {}), refuse)
    scenarios = _scenarios(data.get("scenario", []), refuse)
    if problems:
        raise ScenarioError(problems)
    return Study(scenarios=scenarios, **cover)


# --- The cover -----------------------------------------------------------------------------------


def _cover(table: object, refuse: Refuse) -> dict[str, Any]:
    """Title, owner, currency and date, each with what stands for it when it is left out."""
    if not isinstance(table, dict):
        refuse(f"workbook must be a table, not {_shown(table)}: write [workbook]")
        return {}
    _refuse_unknown(table, WORKBOOK_KEYS, "workbook.", refuse)
    return {
        "title": _line(table, "title", "workbook.title", MAX_NAME_LENGTH, refuse) or DEFAULT_TITLE,
        "owner": _line(table, "owner", "workbook.owner", MAX_NAME_LENGTH, refuse),
        "currency": _currency(table.get("currency", DEFAULT_CURRENCY), refuse),
        "as_of": _date(table.get("as_of"), refuse),
    }


def _currency(value: object, refuse: Refuse) -> str:
    if isinstance(value, str) and re.fullmatch("[A-Z]{3}", value):
        return value
    capitals = value.strip().upper() if isinstance(value, str) else ""
    likely = capitals if re.fullmatch("[A-Z]{3}", capitals) else DEFAULT_CURRENCY
    refuse(
        "workbook.currency must be an ISO code of three capital letters, "
        f'not {_shown(value)}: write "{likely}"'
    )
    return ""


def _date(value: object, refuse: Refuse) -> datetime.date | None:
    """A TOML date or its ISO text; left out or empty means none."""
    if value is None or value == "":
        return None
    date = value
    if isinstance(value, str):
        try:
            date = datetime.date.fromisoformat(value.strip())
        except ValueError:
            date = None
    if isinstance(date, datetime.datetime) or not isinstance(date, datetime.date):
        likely = date.date() if isinstance(date, datetime.datetime) else "2026-03-31"
        refuse(f"workbook.as_of must be a date, not {_shown(value)}: write as_of = {likely}")
    elif date < FIRST_DATE:
        refuse(f"workbook.as_of must be from {FIRST_DATE}, not {date}: spreadsheets begin there")
    else:
        return date
    return None


# --- Scenarios -----------------------------------------------------------------------------------


def _scenarios(tables: object, refuse: Refuse) -> tuple[Scenario, ...]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        refuse("scenario must be written [[scenario]], in two brackets, once for each scenario")
        return ()
    if not 1 <= len(tables) <= MAX_SCENARIOS:
        remedy = "write at least one [[scenario]]" if not tables else "keep the main ones"
        refuse(f"must have from 1 to {MAX_SCENARIOS} scenarios, not {len(tables)}: {remedy}")
    return tuple(_scenario(number, table, refuse) for number, table in enumerate(tables, 1))


def _scenario(number: int, table: Table, refuse: Refuse) -> Scenario:
    named = cleaned(table["name"]) if isinstance(table.get("name"), str) else ""
    place = f'scenario {number} "{_short(named)}"' if _is_visible(named) else f"scenario {number}"

    def refuse_here(problem: str) -> None:
        refuse(f"{place}: {problem}")

    _refuse_unknown(table, SCENARIO_KEYS, "", refuse_here)
    name = _name(table, refuse_here)
    note = _line(table, "note", "note", MAX_NOTE_LENGTH, refuse_here)
    values = {
        **_numbers(table, NUMBERS_BEFORE_WORK, refuse_here),
        **_price(table, refuse_here),
        **_work(table, refuse_here),
        **_efficiency(table, refuse_here),
        **_numbers(table, NUMBERS_AFTER_WORK, refuse_here),
    }
    return Scenario(name, values, note, _risk(table, refuse_here))


def _name(table: Table, refuse: Refuse) -> str:
    """Any visible name, also one that another scenario has: columns are told apart by place."""
    if "name" not in table:
        refuse('name is missing: write name = "Baseline"')
        return ""
    name = _line(table, "name", "name", MAX_NAME_LENGTH, refuse)
    if isinstance(table["name"], str) and not _is_visible(name):
        refuse('name is empty: write name = "Baseline"')
    return name


def _numbers(table: Table, keys: Iterable[str], refuse: Refuse) -> dict[str, float]:
    """The plain numbers among the inputs, by id; optional ones only when they are given."""
    return {
        f"in.{key}": number
        for key in keys
        if key in table or INPUT_BY_ID[f"in.{key}"].required
        if (number := _input(table, key, key, f"in.{key}", refuse)) is not None
    }


def _price(table: Table, refuse: Refuse) -> dict[str, float]:
    """The price of a GPU-hour, given as such or as that of an instance with several GPUs."""
    given, field = table.get("gpu_hour_price"), "gpu_hour_price"
    if not isinstance(given, dict):
        price = _input(table, field, field, "in.gpu_hour_price", refuse)
    else:
        _refuse_unknown(given, INSTANCE_KEYS, f"{field}.", refuse)
        instance = _number(
            given.get("per_instance_hour"), f"{field}.per_instance_hour", INSTANCE_PRICE, refuse
        )
        gpus = _number(
            given.get("gpus_per_instance"), f"{field}.gpus_per_instance", GPUS_PER_NODE, refuse
        )
        if instance is None or gpus is None:
            return {}
        price = _number(instance / gpus, field, GPU_HOUR_PRICE, refuse)
    return {} if price is None else {"in.gpu_hour_price": price}


def _work(table: Table, refuse: Refuse) -> dict[str, float | str]:
    way = _way(table, "work", WORK_WAYS, LATER_WORK, refuse)
    if way is None:
        return {}
    (key,) = way.keys
    hours = _input(table["work"], key, f"work.{key}", f"in.{key}", refuse)
    return {} if hours is None else {"in.work_basis": way.name, f"in.{key}": hours}


def _efficiency(table: Table, refuse: Refuse) -> dict[str, float | str]:
    way = _way(table, "efficiency", EFFICIENCY_WAYS, LATER_EFFICIENCY, refuse)
    if way is None:
        return {}
    given = table["efficiency"]
    values: dict[str, float | str | None] = {"in.efficiency_method": way.name}
    if way.name == TYPED:
        values["in.efficiency"] = _input(
            given, "typed", "efficiency.typed", "in.efficiency", refuse
        )
    elif way.name == BY_INTERCONNECT:
        values["in.interconnect"] = _interconnect(given.get("interconnect"), refuse)
        values["in.efficiency_floor"] = _input(
            given, "efficiency_floor", "efficiency.efficiency_floor", "in.efficiency_floor", refuse
        )
    else:
        values |= _pilot(given["pilot"], refuse)
    return {key: value for key, value in values.items() if value is not None}


def _interconnect(value: object, refuse: Refuse) -> str | None:
    field = "efficiency.interconnect"
    if isinstance(value, (dict, list)):
        refuse(f"{field} must be a name, not {_shown(value)}: enter {FABRIC.rule}")
        return None
    try:
        return FABRIC.read(field, value)
    except ScalesheetError as error:
        refuse(str(error))
        return None


def _pilot(value: object, refuse: Refuse) -> dict[str, float]:
    """The two runs of a pilot, the smaller one first whatever their order in the file."""
    field, example = "efficiency.pilot", EFFICIENCY_WAYS[-1].example
    if not isinstance(value, list) or len(value) != 2:
        count = f"{len(value)} of them" if isinstance(value, list) else _shown(value)
        refuse(f"{field} must be two points [nodes, throughput], not {count}: write {example}")
        return {}
    points = [
        _point(point, f"{field} point {place}", refuse) for place, point in enumerate(value, 1)
    ]
    runs = sorted(point for point in points if point is not None)
    if len(runs) < 2:
        return {}
    (base_nodes, base_throughput), (nodes, throughput) = runs
    if base_nodes == nodes:
        count = spelled(nodes, in_cell=False)
        refuse(f"{field} must have two sizes, not {count} nodes twice: measure at two sizes")
        return {}
    exponent = _exponent(base_nodes, base_throughput, nodes, throughput)
    if not EXPONENT.admits(exponent):
        refuse(
            f"{field} must give an exponent {EXPONENT.rule}, not {exponent:.3g}: "
            "each throughput is the total of its run, not that of one GPU or node"
        )
        return {}
    return {
        "in.pilot_base_nodes": base_nodes,
        "in.pilot_base_throughput": base_throughput,
        "in.pilot_nodes": nodes,
        "in.pilot_throughput": throughput,
    }


def _exponent(base_nodes: float, base_throughput: float, nodes: float, throughput: float) -> float:
    try:
        return scaling_exponent(base_nodes, base_throughput, nodes, throughput)
    except (ArithmeticError, ValueError):
        return math.inf


def _point(value: object, field: str, refuse: Refuse) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        count = f"{len(value)} of them" if isinstance(value, list) else _shown(value)
        refuse(f"{field} must be two numbers, not {count}: write [nodes, throughput]")
        return None
    nodes = _number(value[0], f"{field} nodes", NODES, refuse)
    throughput = _number(value[1], f"{field} throughput", THROUGHPUT, refuse)
    return None if nodes is None or throughput is None else (nodes, throughput)


def _risk(table: Table, refuse: Refuse) -> dict[str, Spread]:
    """Low, mode and high of the inputs that are uncertain; a left-out table has none."""
    if "risk" not in table:
        return {}
    given = table["risk"]
    if not isinstance(given, dict):
        refuse(f"risk must be a table, not {_shown(given)}: write {RISK_EXAMPLE}")
        return {}
    if not given:
        refuse(f"risk is empty: write {RISK_EXAMPLE}")
    _refuse_unknown(given, tuple(RISK_EXAMPLES), "risk.", refuse)
    return {
        key: spread
        for key in RISK_EXAMPLES
        if key in given and (spread := _spread(given[key], key, refuse)) is not None
    }


def _spread(value: object, key: str, refuse: Refuse) -> Spread | None:
    """Three numbers, none below the one before it, each within the limits of the input."""
    field = f"risk.{key}"
    if not isinstance(value, list) or len(value) != len(RISK_ENDS):
        count = f"{len(value)} of them" if isinstance(value, list) else _shown(value)
        remedy = f"write {key} = {RISK_EXAMPLES[key]}"
        refuse(f"{field} must be three numbers [low, mode, high], not {count}: {remedy}")
        return None
    domain = INPUT_BY_ID[f"in.{key}"].domain
    assert isinstance(domain, Quantity)
    numbers = [
        _number(item, f"{field} {end}", domain, refuse)
        for item, end in zip(value, RISK_ENDS, strict=True)
    ]
    low, mode, high = numbers
    if low is None or mode is None or high is None:
        return None
    if not rises((low, mode, high)):
        shown = ", ".join(spelled(number, in_cell=False) for number in (low, mode, high))
        risen = ", ".join(spelled(number, in_cell=False) for number in sorted((low, mode, high)))
        refuse(f"{field} must rise from low to high, not be [{shown}]: write [{risen}]")
        return None
    return low, mode, high


# --- Fields --------------------------------------------------------------------------------------


def _way(
    table: Table, field: str, ways: Sequence[Way], later: Sequence[str], refuse: Refuse
) -> Way | None:
    """The one way in which a table gives the work or the efficiency."""
    given = table.get(field)
    remedy = f"write {field} = " + " or ".join(way.example for way in ways)
    if given is None:
        refuse(f"{field} is missing: {remedy}")
        return None
    if not isinstance(given, dict):
        refuse(f"{field} must be a table, not {_shown(given)}: {remedy}")
        return None
    known = [key for way in ways for key in way.keys]
    unknown = _refuse_unknown(given, known, f"{field}.", refuse, later, remedy)
    used = [way for way in ways if any(key in given for key in way.keys)]
    if len(used) == 1:
        return used[0]
    if used:
        names = " and ".join(way.keys[0] for way in used)
        refuse(f"{field} must be given in one way, not by {names}: keep one of them")
    elif not unknown:
        refuse(f"{field} is empty: {remedy}")
    return None


def _refuse_unknown(
    table: Table,
    known: Sequence[str],
    prefix: str,
    refuse: Refuse,
    later: Sequence[str] = (),
    instead: str = "",
) -> bool:
    """Whether a table has keys that are not read, after saying so.

    ``later`` are keys of the schema that this version does not read and ``instead`` what it takes.
    """
    unknown = [key for key in table if key not in known]
    not_yet = [key for key in unknown if key in later]
    if not_yet:
        refuse(f"{prefix}{not_yet[0]} is not used by this version: {instead}")
    for key in unknown:
        if key in not_yet:
            continue
        spelling = re.sub(r"[\s-]+", "_", key.strip().lower())
        nearest = get_close_matches(spelling, known, 1)
        remedy = f"write {nearest[0]}" if nearest else f"the keys here are {', '.join(known)}"
        refuse(f"{prefix}{_short(cleaned(key))} is not a key of a scenario file: {remedy}")
    return bool(unknown)


def _input(table: Table, key: str, field: str, input_id: str, refuse: Refuse) -> float | None:
    """The number that an input row of the workbook takes."""
    domain = INPUT_BY_ID[input_id].domain
    assert isinstance(domain, Quantity)
    return _number(table.get(key), field, domain, refuse)


def _number(value: object, field: str, quantity: Quantity, refuse: Refuse) -> float | None:
    if isinstance(value, (dict, list)):
        refuse(f"{field} must be a number, not {_shown(value)}: enter {quantity.words}")
        return None
    if isinstance(value, int) and abs(value) > 10**300:
        value = math.inf if value > 0 else -math.inf
    try:
        number = quantity.read(field, value, in_cell=False)
        return float(quantity.check(field, number, in_cell=False))
    except ScalesheetError as error:
        refuse(str(error))
        return None


def _line(table: Table, key: str, field: str, limit: int, refuse: Refuse) -> str:
    """A text on one line, without the characters that a workbook cannot hold."""
    value = table.get(key, "")
    if not isinstance(value, str):
        refuse(f"{field} must be text, not {_shown(value)}: put it in double quotes")
        return ""
    text = cleaned(value)
    if len(text) > limit:
        refuse(f"{field} must have at most {limit} characters, not {len(text)}: shorten it")
    return text


def _is_visible(text: str) -> bool:
    return any(character.isprintable() and not character.isspace() for character in text)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _shown(value: object) -> str:
    """A value as a message shows it; tables and lists by their kind."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > 10**15:
        return "so large a number"
    return spelled(value, in_cell=False)
