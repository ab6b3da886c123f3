"""The ranges of a scenario: low, mode and high of the inputs that are uncertain."""

from scalesheet.domains import Quantity, spelled
from scalesheet.pert import Spread, rises
from scalesheet_workbooks.proposal_inputs import PROPOSAL_BY_ID
from scalesheet_workbooks.scenario_text import Table
from scalesheet_workbooks.scenario_values import Refuse, read_number, refuse_unknown, shown

RISK_EXAMPLES = {
    "gpu_hour_price": "[2.0, 2.5, 3.5]",
    "ideal_hours": "[100, 120, 160]",
    "efficiency": "[0.7, 0.8, 0.85]",
    "rework": "[0.05, 0.15, 0.4]",
    "server_price": "[290_000, 310_000, 380_000]",
}
"""Inputs that may be given as low, mode and high; the last one is for a proposal that owns."""
RISK_EXAMPLE = "risk = { gpu_hour_price = [2.0, 2.5, 3.5] }"
RISK_ENDS = ("low", "mode", "high")


def risk_spreads(table: Table, refuse: Refuse) -> dict[str, Spread]:
    """Low, mode and high of the inputs that are uncertain; a left-out table has none."""
    if "risk" not in table:
        return {}
    given = table["risk"]
    if not isinstance(given, dict):
        refuse(f"risk must be a table, not {shown(given)}: write {RISK_EXAMPLE}")
        return {}
    if not given:
        refuse(f"risk is empty: write {RISK_EXAMPLE}")
    refuse_unknown(given, tuple(RISK_EXAMPLES), "risk.", refuse)
    return {
        key: spread
        for key in RISK_EXAMPLES
        if key in given and (spread := _spread(given[key], key, refuse)) is not None
    }


def _spread(value: object, key: str, refuse: Refuse) -> Spread | None:
    """Three numbers, none below the one before it, each within the limits of the input."""
    field = f"risk.{key}"
    if not isinstance(value, list) or len(value) != len(RISK_ENDS):
        count = f"{len(value)} of them" if isinstance(value, list) else shown(value)
        remedy = f"write {key} = {RISK_EXAMPLES[key]}"
        refuse(f"{field} must be three numbers [low, mode, high], not {count}: {remedy}")
        return None
    domain = PROPOSAL_BY_ID[f"in.{key}_{RISK_ENDS[0]}"].domain
    assert isinstance(domain, Quantity)
    numbers = [
        read_number(item, f"{field} {end}", domain, refuse)
        for item, end in zip(value, RISK_ENDS, strict=True)
    ]
    low, mode, high = numbers
    if low is None or mode is None or high is None:
        return None
    if not rises((low, mode, high)):
        between = ", ".join(spelled(number, in_cell=False) for number in (low, mode, high))
        risen = ", ".join(spelled(number, in_cell=False) for number in sorted((low, mode, high)))
        refuse(f"{field} must rise from low to high, not be [{between}]: write [{risen}]")
        return None
    return low, mode, high
