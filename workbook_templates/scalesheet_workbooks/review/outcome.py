"""What comes out of a review."""

import datetime
from typing import NamedTuple

from scalesheet_workbooks.review.bridge import Bridge
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.results import (
    Recount,
)
from scalesheet_workbooks.review.rules import SEVERITIES
from scalesheet_workbooks.review.template import Recognised

NOTHING_COUNTED = Recount()


class Total(NamedTuple):
    """The total of one scenario: as stored, by the file's formulas, by the template.

    Beside it what scenarios are compared by, from the template with the file's inputs.
    """

    scenario: str
    stated: float | None
    recomputed: float | None
    by_template: float | None
    proposed: bool = False
    days: float | None = None
    efficiency: float | None = None
    cost_per_gpu_hour: float | None = None
    """For a productive GPU-hour."""
    contingency: float | None = None


class Review(NamedTuple):
    """What a review found, and what it looked at."""

    file: str
    sha256: str
    size: int
    on: datetime.date
    materiality: float
    recognised: Recognised | None = None
    title: str = ""
    program: str = ""
    currency: str = ""
    totals: tuple[Total, ...] = ()
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    recount: Recount = NOTHING_COUNTED
    done: tuple[str, ...] = ()
    not_done: tuple[str, ...] = ()
    unreadable: str = ""
    reason: str = ""
    drivers: tuple[str, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    without_effect: tuple[str, ...] = ()
    """What changed since the previous file and moves no total."""
    previous: str = ""
    not_compared: str = ""
    """Why the file was not compared with the previous one that was given."""

    @property
    def counted(self) -> tuple[Total, ...]:
        """The totals that a portfolio counts: of the scenario proposed, else of all."""
        return tuple(one for one in self.totals if one.proposed) or self.totals

    @property
    def foremost_bridge(self) -> Bridge | None:
        """The bridge of what is proposed, else the largest that is determined."""

        def rank(bridge: Bridge) -> tuple[bool, bool, float]:
            proposed = any(one.proposed and one.scenario == bridge.scenario for one in self.totals)
            if bridge.start is None or bridge.end is None:
                return proposed, False, 0.0
            return proposed, True, abs(bridge.end - bridge.start)

        return max(self.bridges, key=rank, default=None)

    def count(self, severity: str) -> int:
        """Findings of a severity."""
        return sum(one.severity == severity for one in self.findings)

    def at_least(self, severity: str) -> bool:
        """Whether there is a finding of this severity or a worse one."""
        worst = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(one.severity in worst for one in self.findings)

    @property
    def verdict(self) -> str:
        """One line on the whole file."""
        if self.unreadable:
            return "NOT READ"
        if self.count("high"):
            return "RETURN TO PREPARER"
        if self.count("medium"):
            return "QUESTIONS BEFORE APPROVAL"
        return "NO OBJECTION" if self.recognised else "GENERAL CHECKS ONLY"
