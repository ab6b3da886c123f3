"""A study: the scenarios of one workbook, by input id, and what stands on its cover."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scalesheet.pert import Spread
from scalesheet_workbooks.inputs import MODEL_SIZE, TOTAL_GPU_HOURS


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured sizes, pairs of nodes and total throughput, and the class of their fabric."""

    points: tuple[tuple[float, float], ...]
    fabric_class: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario: its name and the value of every input that it gives, by id.

    ``risk`` holds low, mode and high of the inputs that are uncertain, by parameter; ``measured``
    the sizes that were measured, where there are any.
    """

    name: str
    values: Mapping[str, float | str]
    note: str = ""
    risk: Mapping[str, Spread] = field(default_factory=dict)
    measured: Measured | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """What one unit of a currency costs in the currency of the workbook, and who says so."""

    currency: str
    rate: float
    as_of: datetime.date | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Who answers for an input, where it is from, of which day, and how far to trust it.

    Of a price also the offer: supplier, number, kind, the day until which it is to be signed.
    """

    owner: str = ""
    source: str = ""
    as_of: datetime.date | None = None
    valid_to: datetime.date | None = None
    confidence: str = ""
    supplier: str = ""
    number: str = ""
    kind: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What only a proposal shows: texts of the cover, figures for the whole workbook, sources.

    ``said`` is what is stated by the ids of its rows, a day as a date; ``beside`` the currency or
    the tag of a row, ``labels`` the names of the spare rows.
    """

    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    once: Mapping[str, float | str] = field(default_factory=dict)
    said: Mapping[str, str | datetime.date] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    rates: tuple[Rate, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Study:
    """1 to 8 scenarios side by side; the currency is an ISO code."""

    title: str
    scenarios: tuple[Scenario, ...]
    owner: str = ""
    currency: str = "USD"
    as_of: datetime.date | None = None
    proposal: Proposal = Proposal()


def with_gpu_hours(study: Study) -> Study:
    """The study for a template that takes work in hours only: a model's size becomes GPU-hours."""
    return replace(study, scenarios=tuple(_in_gpu_hours(case) for case in study.scenarios))


def _in_gpu_hours(scenario: Scenario) -> Scenario:
    if scenario.values.get("in.work_basis") != MODEL_SIZE:
        return scenario
    return replace(scenario, values={**scenario.values, "in.work_basis": TOTAL_GPU_HOURS})
