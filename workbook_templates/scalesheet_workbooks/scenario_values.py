"""Values of a scenario file: numbers, texts, dates, picks, each with the registry's own words."""

import datetime
import math
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from scalesheet.domains import Quantity, spelled
from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.inputs import INPUT_BY_ID, Pick
from scalesheet_workbooks.scenario_text import Table, cleaned

MAX_NAME_LENGTH = 300
MAX_NOTE_LENGTH = 2000
FIRST_DATE = datetime.date(1900, 3, 1)
"""Excel's calendar has a 29 February 1900 that never was; from the day after it is right."""

Refuse = Callable[[str], None]
"""Takes one problem, without its place; the place is put before it."""


def read_numbers(table: Table, keys: Iterable[str], refuse: Refuse) -> dict[str, float]:
    """The plain numbers among the inputs, by id; optional ones only when they are given."""
    return {
        f"in.{key}": number
        for key in keys
        if key in table or INPUT_BY_ID[f"in.{key}"].required
        if (number := read_input(table, key, key, f"in.{key}", refuse)) is not None
    }


def read_input(table: Table, key: str, field: str, input_id: str, refuse: Refuse) -> float | None:
    """The number that an input row of the workbook takes."""
    domain = INPUT_BY_ID[input_id].domain
    assert isinstance(domain, Quantity)
    return read_number(table.get(key), field, domain, refuse)


def read_number(value: object, field: str, quantity: Quantity, refuse: Refuse) -> float | None:
    if isinstance(value, (dict, list)):
        refuse(f"{field} must be a number, not {shown(value)}: enter {quantity.words}")
        return None
    if isinstance(value, int) and abs(value) > 10**300:
        value = math.inf if value > 0 else -math.inf
    try:
        number = quantity.read(field, value, in_cell=False)
        return float(quantity.check(field, number, in_cell=False))
    except ScalesheetError as error:
        refuse(str(error))
        return None


def read_line(table: Table, key: str, field: str, limit: int, refuse: Refuse) -> str:
    """A text on one line, without the characters that a workbook cannot hold."""
    value = table.get(key, "")
    if not isinstance(value, str):
        refuse(f"{field} must be text, not {shown(value)}: put it in double quotes")
        return ""
    text = cleaned(value)
    if len(text) > limit:
        refuse(f"{field} must have at most {limit} characters, not {len(text)}: shorten it")
    return text


def read_date(value: object, refuse: Refuse, field: str = "workbook.as_of") -> datetime.date | None:
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
        key = field.rpartition(".")[2]
        likely = date.date() if isinstance(date, datetime.datetime) else "2026-03-31"
        refuse(f"{field} must be a date, not {shown(value)}: write {key} = {likely}")
    elif date < FIRST_DATE:
        refuse(f"{field} must be from {FIRST_DATE}, not {date}: spreadsheets begin there")
    else:
        return date
    return None


def refuse_unknown(
    table: Table,
    known: Sequence[str],
    prefix: str,
    refuse: Refuse,
) -> bool:
    """Whether a table has keys that are not read, after saying so."""
    unknown = [key for key in table if key not in known]
    for key in unknown:
        spelling = re.sub(r"[\s-]+", "_", key.strip().lower())
        nearest = get_close_matches(spelling, known, 1)
        remedy = f"write {nearest[0]}" if nearest else f"the keys here are {', '.join(known)}"
        refuse(f"{prefix}{short(cleaned(key))} is not a key of a scenario file: {remedy}")
    return bool(unknown)


def is_visible(text: str) -> bool:
    return any(character.isprintable() and not character.isspace() for character in text)


def short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def shown(value: object) -> str:
    """A value as a message shows it; tables and lists by their kind."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > 10**15:
        return "so large a number"
    return spelled(value, in_cell=False)


def read_pick(value: object, field: str, pick: Pick, refuse: Refuse) -> str | None:
    """One of a few words; true and false stand for yes and no."""
    if isinstance(value, bool) and pick.options == ("no", "yes"):
        return pick.options[value]
    if isinstance(value, str):
        folded = " ".join(value.lower().replace("-", " ").replace("_", " ").split())
        for option in pick.options:
            if folded == option.lower().replace("-", " "):
                return option
    wanted = "true or false" if pick.options == ("no", "yes") else pick.rule
    refuse(f"{field} must be {wanted}, not {shown(value)}: enter {pick.words}")
    return None


def read_table(table: Table, field: str, refuse: Refuse) -> Table:
    """A table within a table; one that is left out is empty."""
    given = table.get(field.rpartition(".")[2], {})
    if isinstance(given, dict):
        return given
    refuse(f"{field} must be a table, not {shown(given)}: write {field} = {{ ... }}")
    return {}
