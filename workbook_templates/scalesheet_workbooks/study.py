"""A study: the scenarios of one workbook, by input id, and what stands on its cover."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from scalesheet.pert import Spread

MAX_SCENARIOS = 8


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario: its name and the value of every input that it gives, by id.

    ``risk`` holds low, mode and high of the inputs that are uncertain, by parameter.
    """

    name: str
    values: Mapping[str, float | str]
    note: str = ""
    risk: Mapping[str, Spread] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Study:
    """1 to 8 scenarios side by side; the currency is an ISO code."""

    title: str
    scenarios: tuple[Scenario, ...]
    owner: str = ""
    currency: str = "USD"
    as_of: datetime.date | None = None
