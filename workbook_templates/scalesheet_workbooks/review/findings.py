"""A finding: which rule, where, what is seen, what it means in money."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM, RULES, SEVERITIES, Rule

MATERIALITY = 0.01
SMALL = 0.1
"""A tenth of materiality: below it an effect is only worth mending."""
IN_TOTAL = "in the total of"
RELATIVE, CENT = 1e-9, 0.005


class Effect(NamedTuple):
    """What a finding does to the total of a scenario; None is a total that is then undetermined."""

    scenario: str
    amount: float | None
    total: float | None
    words: str = IN_TOTAL
    """What the amount is, before the name of the scenario."""

    @property
    def share(self) -> float:
        """The effect over the total; an undetermined one counts as all of it."""
        if self.amount is None or not self.total:
            return 1.0 if self.amount is None or abs(self.amount) > CENT else 0.0
        return abs(self.amount / self.total)


class Finding(NamedTuple):
    """One thing that someone should know."""

    rule: Rule
    severity: str
    sheet: str
    cells: tuple[str, ...]
    seen: str
    expected: str = ""
    line: str = ""
    label: str = ""
    effects: tuple[Effect, ...] = ()
    consequences: tuple[str, ...] = ()
    remedy: str = ""
    fingerprint: str = ""
    origin: tuple[Place, ...] = ()
    """Cells that are wrong because of it, where those are others than its own."""
    accepted: str = ""
    """The reason in the baseline file, where it is accepted there."""

    @property
    def where(self) -> str:
        """Sheet and cells, shortened."""
        if not self.cells:
            return self.sheet
        shown = ", ".join(self.cells[:4]) + (" ..." if len(self.cells) > 4 else "")
        return f"{self.sheet}!{shown}" if self.sheet else shown

    @property
    def effect(self) -> Effect | None:
        """The effect that weighs most."""
        known = [effect for effect in self.effects if effect.share > 0]
        return max(known, key=weight, default=None)

    @property
    def rank(self) -> tuple[int, float, str]:
        """Place in a list: severity, then money, then id."""
        worst = self.effect
        return SEVERITIES.index(self.severity), -(weight(worst) if worst else 0.0), self.rule.id


def weight(effect: Effect) -> float:
    """How much an effect weighs; what is undetermined most of all."""
    return float("inf") if effect.amount is None else abs(effect.amount)


def finding(
    rule_id: str,
    sheet: str,
    cells: Sequence[str],
    seen: str,
    expected: str = "",
    *,
    line: str = "",
    label: str = "",
    severity: str = "",
    remedy: str = "",
    effects: Sequence[Effect] = (),
    consequences: Sequence[str] = (),
    origin: Sequence[Place] = (),
) -> Finding:
    """A finding of a rule, with its fingerprint: rule, line and what is seen, not the address."""
    rule = RULES[rule_id]
    key = "\n".join((rule_id, sheet, line or ",".join(cells), seen))
    return Finding(
        rule,
        severity or rule.severity,
        sheet,
        tuple(cells),
        seen,
        expected,
        line,
        label,
        tuple(effects),
        tuple(consequences),
        remedy or rule.remedy,
        hashlib.sha256(key.encode()).hexdigest()[:12],
        tuple(origin),
    )


def by_money(effects: Sequence[Effect], materiality: float, least: str = LOW) -> str:
    """The severity of what moves totals: material, a tenth of that, or less."""
    share = max((effect.share for effect in effects), default=0.0)
    found = HIGH if share >= materiality else MEDIUM if share >= SMALL * materiality else LOW
    return min(found, least, key=SEVERITIES.index)


def with_effects(one: Finding, effects: Sequence[Effect], severity: str) -> Finding:
    """A finding with what it means in money."""
    return one._replace(effects=tuple(effects), severity=severity)


def same(one: object, other: object) -> bool:
    """Whether two values are the same for money: to half a cent or nine digits.

    >>> same(76523.98000000001, 76523.98), same(1.0, 1.1), same(True, 1.0)
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= max(RELATIVE * max(abs(one), abs(other)), 1e-12)
    return one == other


def printable(text: str) -> str:
    """A text without control characters, so that a name cannot steer a terminal."""
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in text
    )


def shown(value: Value) -> str:
    """A value in a report: numbers in full, texts in quotes, cut."""
    if value is None:
        return "nothing"
    if isinstance(value, CellError):
        return value.code
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return f'"{short(printable(value))}"'
    return f"{value:,.10g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.10g}"


def short(text: str) -> str:
    """A text in a report, cut."""
    text = printable(text)
    return text if len(text) <= 120 else text[:117] + "..."
