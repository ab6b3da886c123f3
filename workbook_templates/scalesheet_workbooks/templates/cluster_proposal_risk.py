"""Ranges of the drivers, the ends when all goes well or badly, and percentiles from the core."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT, ENDS, SPREADS
from scalesheet_workbooks.spec import Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates.cluster_proposal_compare import DIFFERENCE
from scalesheet_workbooks.templates.cluster_proposal_cost import FLAG
from scalesheet_workbooks.templates.cluster_proposal_work import constant, imported
from scalesheet_workbooks.templates.lines import flag, linked, own

MARK = replace(q.RATIO, unit="mark", number_format="0.000000")
GIVEN, SAME = "[risk.given]=1", "[risk.same]=1"
PROBABILITIES = {"p10": 0.1, "p50": 0.5, "p80": 0.8, "p90": 0.9}
WRITTEN = (
    ("written_mark", "Mark of the inputs they belong to", MARK),
    *((f"written_{name}", f"{name.upper()} as written", AMOUNT) for name in PROBABILITIES),
    ("written_mean", "Mean as written", AMOUNT),
)


def _end(name: str, label: str, hours: str, efficiency: str) -> tuple[Line, Line]:
    """Compute and total with all drivers at one end."""
    compute = own(
        f"risk.{name}_compute",
        f"{label}: compute",
        AMOUNT,
        f"[risk.gpus_at_work]*[risk.ideal_hours_{hours}]/[risk.efficiency_{efficiency}]"
        f"*[risk.gpu_hour_price_{hours}]*(1+[risk.rework_{hours}])",
        GIVEN,
    )
    total = own(
        f"risk.{name}",
        f"{label}: total",
        AMOUNT,
        f"([risk.{name}_compute]+[risk.fixed])*(1+[risk.tax])*(1+[risk.contingency])",
        GIVEN,
        total=True,
    )
    return compute, total


RANGES = f"[risk.ideal_hours_{ENDS[0]}]:[risk.rework_{ENDS[-1]}]"

SPREAD = ModelSheet(
    "Spread",
    "Ranges of the drivers",
    "Low, likeliest and high from Ranges, what they belong to, and the totals with all at one end",
    (
        Section(
            "Ranges, and what they belong to",
            (
                *(
                    imported(f"{name}_{end}", f"risk.{name}_{end}")
                    for name, _, _ in SPREADS
                    for end in ENDS
                ),
                linked("risk.paid_gpus", "GPUs that are paid", q.GPUS, "bill.paid_gpus"),
                linked("risk.waste", "Time lost to failures", q.WASTE, "calc.waste"),
                linked("risk.fixed", "Lines besides compute", AMOUNT, "cost.fixed_lines"),
                linked("risk.tax", "Tax that is a cost", q.RATIO, "cost.tax_share"),
                linked("risk.contingency", "Contingency", q.RATIO, "cost.contingency_share"),
                linked("risk.is_reserved", "Hours are committed", FLAG, "bill.is_reserved"),
                linked("risk.is_own", "GPUs are owned", FLAG, "bill.is_own"),
                flag(
                    "risk.given",
                    "Ranges given, rent by use",
                    f"COUNT({RANGES})*(1-[risk.is_reserved])*(1-[risk.is_own])=ROWS({RANGES})",
                ),
                own(
                    "risk.mark",
                    "Mark of these inputs",
                    MARK,
                    "SUMPRODUCT([risk.weights],[risk.ideal_hours_low]:[risk.is_own])",
                ),
            ),
        ),
        Section(
            "All at one end, live",
            (
                own(
                    "risk.gpus_at_work",
                    "GPUs over the share of time not lost",
                    q.GPU_EQUIVALENTS,
                    "[risk.paid_gpus]/(1-[risk.waste])",
                ),
                *_end("good", "All goes well", "low", "high"),
                *_end("mode", "All as is likeliest", "mode", "mode"),
                *_end("bad", "All goes badly", "high", "low"),
            ),
        ),
    ),
    aside="Weight",
)

RISK = ModelSheet(
    "Risk",
    "Risk",
    "Rent by use; hours that are committed or owned do not follow the work. Drivers independent",
    (
        Section(
            "Ends, live: all drivers together",
            (
                linked("risk.has", "Ranges given, rent by use", FLAG, "risk.given"),
                linked("risk.total", "Total in the budget", AMOUNT, "cost.total"),
                linked("risk.all_good", "All goes well", AMOUNT, "risk.good"),
                linked("risk.all_mode", "All as is likeliest", AMOUNT, "risk.mode"),
                linked("risk.all_bad", "All goes badly", AMOUNT, "risk.bad"),
            ),
        ),
        Section(
            "Written by the program when the workbook was built",
            (
                linked("risk.mark_now", "Mark of the inputs as they are", MARK, "risk.mark"),
                *(
                    Line(f"risk.{name}", label, quantity.unit, quantity.number_format, Own("0"))
                    for name, label, quantity in WRITTEN
                ),
                constant("same", "risk.tolerance"),
            ),
        ),
        Section(
            "Shown while the inputs are those; else build the workbook again",
            (
                flag(
                    "risk.same",
                    "The inputs are those",
                    "[risk.has]*(ABS(N([risk.written_mark])-[risk.mark_now])<[risk.tolerance])=1",
                ),
                *(
                    own(
                        f"risk.{name}",
                        f"Not exceeded in {name[1:]} of 100 cases (P{name[1:]})",
                        AMOUNT,
                        f"[risk.written_{name}]",
                        SAME,
                        total=name == "p80",
                    )
                    for name in PROBABILITIES
                ),
                own("risk.mean", "Mean", AMOUNT, "[risk.written_mean]", SAME),
                own(
                    "risk.reserve",
                    "P80 above the total",
                    DIFFERENCE,
                    "[risk.p80]-[risk.total]",
                    SAME,
                ),
            ),
        ),
    ),
)
"""Rows that a program writes hold a value, not the formula that stands for it here."""
