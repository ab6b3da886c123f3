"""Percentiles and ends of the cost, with and without contingency, and the request against them."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT
from scalesheet_workbooks.proposal_risk import SHOWN
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates import lines
from scalesheet_workbooks.templates.cluster_proposal_compare import DIFFERENCE
from scalesheet_workbooks.templates.cluster_proposal_percentiles import CONSTANTS, COVERED
from scalesheet_workbooks.templates.cluster_proposal_spread import CASES
from scalesheet_workbooks.templates.cluster_proposal_work import imported
from scalesheet_workbooks.templates.lines import flag, linked, own

RAISED = (
    flag(
        "risk.below_p50",
        "Request with contingency below P50",
        "[risk.total]<N([risk.p50])",
    ),
    flag("risk.over_p90", "P90 is above the approved budget", "N([risk.p90])>[risk.budget]"),
    flag(
        "risk.over_bad",
        "All bad at once is above the budget",
        "N([risk.all_bad])>[risk.budget]",
    ),
    flag(
        "risk.off_likeliest",
        "The likeliest is not the plan",
        "ABS(N([risk.all_mode])-[risk.planned])*COUNT([risk.all_mode])"
        ">[risk.off_plan]*[risk.planned]",
    ),
)
"""What is worth a look, 1 where it is so; percentiles and ends are those before contingency."""


def _with(name: str, label: str) -> Line:
    """A figure with contingency on top."""
    figure = f"[risk.{name}]"
    return own(
        f"risk.with_{name}",
        label,
        AMOUNT,
        f"{figure}*(1+[risk.contingency])",
        f"ISNUMBER({figure})",
    )


RISK = ModelSheet(
    "Risk",
    "Risk",
    "Drivers independent: work, efficiency, rework, and the price of an hour or, owned, a server",
    (
        Section(
            "Cost before contingency: growth of the work, rework and prices are in it",
            (
                *(
                    linked(
                        f"risk.{name}",
                        f"Not exceeded in {name[1:]} of 100 cases (P{name[1:]})",
                        AMOUNT,
                        f"pct.{name}",
                    )
                    for name in SHOWN
                ),
                linked("risk.mean", "Mean", AMOUNT, "pct.mean"),
                *(
                    linked(f"risk.all_{name}", label, AMOUNT, f"ends.{name}")
                    for name, label, *_ in CASES
                ),
            ),
        ),
        Section(
            "The same with contingency on top: counts growth of the work twice",
            (
                linked("risk.contingency", "Contingency", q.RATIO, "cost.contingency_share"),
                *(_with(name, f"{name.upper()} with contingency") for name in SHOWN),
                _with("all_bad", "All goes badly, with contingency"),
            ),
        ),
        Section(
            "The request against the cost before contingency",
            (
                linked("risk.total", "Requested total incl. contingency", AMOUNT, "cost.total"),
                linked("risk.set_aside", "of it contingency", AMOUNT, "cost.contingency"),
                imported("budget", "risk.budget"),
                lines.constant(CONSTANTS, "const.off_plan", "risk.off_plan"),
                own(
                    "risk.planned",
                    "Requested before contingency",
                    AMOUNT,
                    "[risk.total]-[risk.set_aside]",
                ),
                replace(
                    linked("risk.covered", "Contingency covers up to", COVERED, "pct.covered"),
                    total=True,
                ),
                own(
                    "risk.reserve",
                    "P80 less the requested total",
                    DIFFERENCE,
                    "[risk.p80]-[risk.total]",
                    "ISNUMBER([risk.p80])",
                ),
                *RAISED,
            ),
        ),
    ),
)
