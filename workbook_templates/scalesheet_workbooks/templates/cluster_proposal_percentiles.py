"""What the program computed from the ranges, before contingency, and where the request stands.

Growth of the work, rework and prices are in the percentiles, and contingency is set aside for just
that: so they are percentiles of the cost before it, and the request with it is read against them.
"""

from itertools import pairwise

from scalesheet.domains import Quantity
from scalesheet_workbooks.proposal_inputs import AMOUNT
from scalesheet_workbooks.proposal_risk import LEVELS, PROBABILITIES, STEP
from scalesheet_workbooks.spec import Constant, Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates import lines
from scalesheet_workbooks.templates.checksum import CHECKSUM, same
from scalesheet_workbooks.templates.cluster_proposal_own import FLAG
from scalesheet_workbooks.templates.cluster_proposal_work import constant
from scalesheet_workbooks.templates.lines import flag, linked, own

STEPS = tuple(pairwise(LEVELS))
FIRST_LEVEL, LAST_LEVEL = min(LEVELS.values()), max(LEVELS.values())
PERCENTILE = Quantity("a percentile", "percentile", "0")
COVERED = Quantity(
    "the percentile up to which it covers",
    "percentile",
    f'[<={FIRST_LEVEL}]"≤ P{FIRST_LEVEL}";[>={LAST_LEVEL}]"≥ P{LAST_LEVEL}";"P"0',
)
PART = Quantity("the part of the way from one to the next", "share", "0.0%")
CONSTANTS = (
    Constant(
        "const.off_plan",
        "Likeliest may differ from the plan by",
        "share",
        0.01,
        "0.0%",
        "of the cost before contingency; more is an alert",
    ),
    Constant(
        "const.percentile_step",
        "From one written percentile to the next",
        "percentile",
        STEP,
        "0",
        "the first of them as well",
    ),
)
PARTS = f"[pct.part_{STEPS[0][1]}]:[pct.part_{STEPS[-1][1]}]"
SAME = "[risk.same]=1"
WRITTEN = (
    ("checksum", "Checksum of the inputs of then", CHECKSUM),
    *((name, f"{name.upper()} as written", AMOUNT) for name in PROBABILITIES),
    ("mean", "Mean as written", AMOUNT),
)


def _part(lower: str, upper: str) -> Line:
    """How far the request is from one percentile to the next; equal ones are told apart by less
    than a cent."""
    width = f"MAX([pct.{upper}]-[pct.{lower}],[risk.tolerance])"
    return own(
        f"pct.part_{upper}",
        f"Way from {lower.upper()} to {upper.upper()} covered",
        PART,
        f"MAX(0,MIN(1,([pct.request]-[pct.{lower}])/{width}))",
        SAME,
    )


PERCENTILES = ModelSheet(
    "Percentiles",
    "Percentiles",
    "What the program computed from the ranges, before contingency; where the request stands in it",
    (
        Section(
            "Written by the program when the workbook was built: cost before contingency",
            (
                linked(
                    "risk.checksum_now", "Checksum of the inputs now", CHECKSUM, "risk.checksum"
                ),
                *(
                    Line(
                        f"risk.written_{name}",
                        label,
                        quantity.unit,
                        quantity.number_format,
                        Own("0"),
                    )
                    for name, label, quantity in WRITTEN
                ),
                constant("same", "risk.tolerance"),
            ),
        ),
        Section(
            "Shown while the inputs are those; else build the workbook again",
            (
                linked("risk.has", "Ranges given", FLAG, "risk.given"),
                flag(
                    "risk.same",
                    "The inputs are those",
                    f"AND([risk.has]=1,{same('risk', 'checksum_now')})",
                ),
                *(
                    own(
                        f"pct.{name}",
                        f"{name.upper()} before contingency",
                        AMOUNT,
                        f"[risk.written_{name}]",
                        SAME,
                    )
                    for name in PROBABILITIES
                ),
                own("pct.mean", "Mean before contingency", AMOUNT, "[risk.written_mean]", SAME),
            ),
        ),
        Section(
            "Where the request stands: on straight lines between the percentiles",
            (
                linked("pct.request", "Requested total incl. contingency", AMOUNT, "cost.total"),
                lines.constant(CONSTANTS, "const.percentile_step", "pct.step"),
                *(_part(lower, upper) for lower, upper in STEPS),
                own(
                    "pct.last_level",
                    "The last percentile",
                    PERCENTILE,
                    f"[pct.step]*(1+ROWS({PARTS}))",
                ),
                own(
                    "pct.covered",
                    "Covers the cost before it up to",
                    COVERED,
                    f"[pct.step]*(1+SUM({PARTS}))",
                    SAME,
                    total=True,
                ),
            ),
        ),
    ),
)
"""Rows that a program writes hold a value, not the formula that stands for it here."""
