"""Ranges of the drivers as one reads them in, and the GPU-hours when all goes well or badly."""

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT, ENDS, SPREADS
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates.checksum import CHECKSUM
from scalesheet_workbooks.templates.cluster_proposal_own import FLAG, MONEY_HOUR, NODES_CHARGED
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS, imported
from scalesheet_workbooks.templates.lines import ALERTS, flag, linked, own

CASES = (
    ("good", "All goes well", "low", "high"),
    ("mode", "All as is likeliest", "mode", "mode"),
    ("bad", "All goes badly", "high", "low"),
)
"""The ends: of hours, price and rework, and that of the efficiency."""


def _range(first: str, last: str = "") -> str:
    return f"[risk.{first}_{ENDS[0]}]:[risk.{last or first}_{ENDS[-1]}]"


def _used(name: str, label: str, hours: str, efficiency: str) -> Line:
    return own(
        f"risk.used_{name}",
        f"{label}: GPU-hours",
        GPU_HOURS,
        f"[risk.gpus_at_work]*[risk.ideal_hours_{hours}]/[risk.efficiency_{efficiency}]"
        f"*(1+[risk.rework_{hours}])",
        "[risk.given]=1",
    )


SPREAD = ModelSheet(
    "Spread",
    "Ranges of the drivers",
    "Low, likeliest and high from Ranges, and what the written percentiles belong to",
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
                linked("risk.is_reserved", "Hours are committed", FLAG, "bill.is_reserved"),
                linked("risk.is_own", "GPUs are owned", FLAG, "bill.is_own"),
                linked(
                    "risk.committed",
                    "Committed GPU-hours",
                    GPU_HOURS,
                    "bill.committed_gpu_hours",
                ),
                linked(
                    "risk.overflow",
                    "Price of hours not committed",
                    q.GPU_HOUR_PRICE,
                    "bill.overflow_price",
                ),
                linked("risk.running", "Running, if owned", AMOUNT, "own.running"),
                linked("risk.depreciation", "Depreciation, if owned", AMOUNT, "own.depreciation"),
                linked("risk.server", "Server as planned", AMOUNT, "own.node_price"),
                linked(
                    "risk.per_price",
                    "Depreciation for 1 of its price",
                    NODES_CHARGED,
                    "own.per_price",
                ),
                linked("risk.busy", "Power, busy hour", MONEY_HOUR, "own.power_hour"),
                linked("risk.idle", "Power, idle hour", MONEY_HOUR, "own.idle_power_hour"),
                linked(
                    "risk.available",
                    "GPU-hours on the calendar",
                    GPU_HOURS,
                    "own.available_gpu_hours",
                ),
                linked("risk.fixed", "Lines besides compute", AMOUNT, "cost.fixed_lines"),
                linked("risk.tax", "Tax that is a cost", q.RATIO, "cost.tax_share"),
                own(
                    "risk.of_work",
                    "Ranges of the work, filled",
                    ALERTS,
                    f"COUNT({_range('ideal_hours')})+COUNT({_range('efficiency', 'rework')})",
                ),
                own(
                    "risk.of_price",
                    "Ranges of the price, filled",
                    ALERTS,
                    f"IF([risk.is_own]=1,COUNT({_range('server_price')}),"
                    f"COUNT({_range('gpu_hour_price')}))",
                ),
                flag(
                    "risk.given",
                    "Ranges given",
                    f"[risk.of_work]+[risk.of_price]=ROWS({_range('ideal_hours', 'rework')})",
                ),
                own(
                    "risk.checksum",
                    "Checksum of these inputs",
                    CHECKSUM,
                    "SUMPRODUCT([risk.weights],[risk.ideal_hours_low]:[risk.tax])",
                ),
            ),
        ),
        Section(
            "GPU-hours at the ends",
            (
                own(
                    "risk.gpus_at_work",
                    "GPUs over the share of time not lost",
                    q.GPU_EQUIVALENTS,
                    "[risk.paid_gpus]/(1-[risk.waste])",
                ),
                *(_used(*case) for case in CASES),
            ),
        ),
    ),
    aside="Weight",
)
SUMMED = SPREAD.sections[0].lines[:-4]
"""The rows that the checksum is made from."""
