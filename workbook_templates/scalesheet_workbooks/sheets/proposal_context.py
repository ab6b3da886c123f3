"""What the sheets of a proposal are given: the context, and what stands in each yellow cell."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.inputs import IDEAL_HOURS, TOTAL_GPU_HOURS, Input
from scalesheet_workbooks.layout import HEADER_ROW
from scalesheet_workbooks.proposal_words import CONFIDENCES, OWN
from scalesheet_workbooks.scenario_proposal import (
    DEFAULT_SOURCE,
    SERIAL_ZERO,
    point_values,
    spread_values,
)
from scalesheet_workbooks.sheets.context import Context, heading_look
from scalesheet_workbooks.study import Rate, Source
from scalesheet_workbooks.styles import COLUMN_HEADING, Formula, put

ONLY_FOR = {
    "in.ideal_hours": ("in.work_basis", IDEAL_HOURS),
    "in.total_gpu_hours": ("in.work_basis", TOTAL_GPU_HOURS),
}
"""Inputs that a scenario file may bring along though its scenario is entered another way."""
RENTS = ("in.gpu_hour_price", "in.instance_hour_price")
"""Prices whose confidence Statements has scenario by scenario; that of the row is the least."""


@dataclass(frozen=True)
class ProposalContext(Context):
    """The workbook being built, with the titles of its sheets."""

    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def today(self) -> float:
        """The date of the proposal as a serial number; the first of 2026 when none is given."""
        day = self.study.as_of or datetime.date(2026, 1, 1)
        return float((day - SERIAL_ZERO).days)

    def value(self, entry: Input, place: int) -> float | str | None:
        """What stands in the cell of an input for one scenario, or the first for a row of one."""
        proposal = self.study.proposal
        if entry.id == "in.as_of":
            return self.today
        if entry.id.startswith("in.fx_"):
            rate = self.rate(entry)
            return rate.rate if rate else None
        if entry.once:
            return proposal.once.get(entry.id, entry.default)
        scenario = self.study.scenarios[place]
        values = {
            **spread_values(scenario.risk),
            **point_values(scenario.measured),
            **scenario.values,
        }
        pick, option = ONLY_FOR.get(entry.id, ("", ""))
        if pick and values.get(pick) != option:
            return None
        if entry.id == "in.gpu_hour_price" and "in.instance_hour_price" in values:
            return None
        return values.get(entry.id, entry.default)

    def rate(self, entry: Input) -> Rate | None:
        """The exchange rate of a row, if one is given."""
        place = int(entry.id.rpartition("_")[2]) - 1
        rates = self.study.proposal.rates
        return rates[place] if place < len(rates) else None

    def label(self, entry: Input) -> str:
        """The label of a spare row, or the currency of a rate."""
        if entry.id.startswith("in.fx_"):
            rate = self.rate(entry)
            return rate.currency if rate else ""
        return self.study.proposal.labels.get(entry.id, entry.label)

    def source(self, entry: Input) -> Source:
        """Who answers for an input and where it is from."""
        sources = self.study.proposal.sources
        rate = self.rate(entry) if entry.id.startswith("in.fx_") else None
        usual = sources.get(DEFAULT_SOURCE, Source())
        if rate:
            return Source(usual.owner, rate.source, rate.as_of, None, usual.confidence)
        found = sources.get(entry.id, usual)
        if entry.id not in RENTS:
            return found
        return replace(found, confidence=self._least_sure(entry.id, found.confidence))

    def _least_sure(self, input_id: str, confidence: str) -> str:
        """The least of a confidence and of what the scenarios rented at this price say of it."""
        said = [
            str(scenario.values.get("in.price_sure", ""))
            for scenario in self.study.scenarios
            if input_id in scenario.values and scenario.values.get("in.acquisition") != OWN
        ]
        given = [word for word in CONFIDENCES if word in (confidence, *said)]
        return given[-1] if given else ""

    def link_name(self, ws: Worksheet, at: str, column: str, width: float) -> None:
        """A scenario's name as the head of its column, linked to where it is entered."""
        place = self.layout.columns.index(column)
        name = self.study.scenarios[place].name
        put(
            ws,
            at,
            Formula(f"Inputs!{column}{HEADER_ROW}"),
            heading_look(COLUMN_HEADING, name, width),
        )
