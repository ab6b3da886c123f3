"""What every report says in the same words: money, the totals, the findings that weigh most."""

from collections.abc import Sequence

from scalesheet_workbooks.review.findings import Effect, Finding, printable, weight
from scalesheet_workbooks.review.outcome import Review, Total

TOP = 5
WHAT_IT_IS = (
    "Compares a budget workbook with its template, built anew; calculates every formula again; "
    "holds inputs against limits, dated prices and published measurements."
)
WHAT_IT_IS_NOT = "Macros and links are listed, never run or followed. No opinion on the purchase."


def money(amount: float | None) -> str:
    """An amount in full; nothing is rounded away that a reader could miss.

    >>> money(27950.0), money(-0.004), money(None)
    ('27,950.00', '0.00', 'undetermined')
    """
    if amount is None:
        return "undetermined"
    return (
        f"{amount + 0.0:,.2f}".replace("-0.00", "0.00") if abs(amount) < 0.005 else f"{amount:,.2f}"
    )


def percent(share: float) -> str:
    """A share with the digits that it needs.

    >>> percent(0.25), percent(0.0004), percent(12.0)
    ('25.0 %', '0.04 %', '1200 %')
    """
    return (
        f"{100 * share:.0f} %" if share >= 10 else f"{100 * share:.{1 if share >= 0.01 else 2}f} %"
    )


def effect_words(effect: Effect | None, currency: str) -> str:
    """What a finding means in money; the currency of a workbook of no template is not known.

    >>> effect_words(Effect("Plan!B7", -20.0, 400.0, "in"), "")
    '-20.00 in Plan!B7 (5.0 %)'
    """
    if effect is None:
        return ""
    if effect.amount is None:
        return f"the total of {effect.scenario} is undetermined"
    sign = "+" if effect.amount > 0 else "-"
    amount = f"{sign}{money(abs(effect.amount))} {currency}".rstrip()
    return f"{amount} {effect.words} {effect.scenario} ({percent(effect.share)})"


def heaviest(findings: Sequence[Finding], most: int = TOP) -> list[Finding]:
    """The findings that weigh most in money, those without an effect by severity after them."""
    moving = sorted(
        (one for one in findings if one.effect is not None),
        key=lambda one: -weight(one.effect) if one.effect else 0.0,
    )
    rest = [one for one in findings if one.effect is None and one.severity in ("high", "medium")]
    return [*moving, *rest][:most]


def file_name(path: str) -> str:
    """The name of a file without its folder.

    >>> file_name("a/b.xlsx"), file_name("b.xlsx")
    ('b.xlsx', 'b.xlsx')
    """
    return path.replace("\\", "/").rpartition("/")[2]


def counts(review: Review) -> str:
    """How many findings of each severity."""
    parts = [f"{review.count(name)} {name}" for name in ("high", "medium", "low", "info")]
    return ", ".join(parts)


def recognised(review: Review) -> str:
    """What the file was taken for; said first in every report."""
    if review.recognised is None:
        return "no template of ours: general checks only"
    one = review.recognised
    version = f" {one.version}" if one.version else ", version not said"
    return f"{one.name}{version} (by {one.by})"


def accepted_words(review: Review) -> list[str]:
    """What is accepted in the baseline: where, what it means in money, why."""
    return [
        f"{one.rule.id} {one.where}: "
        + "; ".join(filter(None, (effect_words(one.effect, review.currency), one.accepted)))
        for one in review.accepted
    ]


def quiet_words(review: Review) -> str:
    """What is said where no finding weighs anything."""
    if review.accepted:
        return "Nothing was found beyond what is accepted below."
    if review.bridges:
        return f"Nothing was found but what has changed since {printable(review.previous)}."
    return "Nothing was found that moves a total or needs an answer."


def total_words(total: Total) -> str:
    """How the stored total of a scenario compares with what was calculated."""
    if total.recomputed is None:
        return "undetermined"
    if total.stated is None:
        return "not stored"
    if abs(total.stated - total.recomputed) > 0.005:
        return "out of date"
    if total.by_template is not None and abs(total.recomputed - total.by_template) > 0.005:
        return "not the template's"
    return "reproduced"


def place_words(one: Finding) -> str:
    """Where a finding is, with its label."""
    label = one.label or one.line
    return f"{one.where} · {label}" if label and one.where else (one.where or label or "the file")
