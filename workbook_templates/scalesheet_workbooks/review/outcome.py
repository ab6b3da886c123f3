"""What comes out of a review."""

import datetime
from dataclasses import dataclass

from scalesheet_workbooks.review.bridge import Bridge
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.results import (
    Recount,
)
from scalesheet_workbooks.review.rules import SEVERITIES
from scalesheet_workbooks.review.template import Recognised

NOTHING_COUNTED = Recount()


@dataclass(frozen=True, slots=True)
class Total:
    """The total of one scenario: as stored, by the file's formulas, by the template."""

    scenario: str
    stated: float | None
    recomputed: float | None
    by_template: float | None


@dataclass(frozen=True)
class Review:
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
    previous: str = ""

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
