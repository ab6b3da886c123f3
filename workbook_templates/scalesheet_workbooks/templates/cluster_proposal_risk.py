"""Ranges of the drivers, the ends when all goes well or badly, and percentiles from the core."""

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT, ENDS, SPREADS
from scalesheet_workbooks.proposal_risk import PROBABILITIES
from scalesheet_workbooks.spec import Constant, Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates import lines
from scalesheet_workbooks.templates.cluster_proposal_compare import DIFFERENCE
from scalesheet_workbooks.templates.cluster_proposal_own import FLAG, MONEY_HOUR, NODES_CHARGED
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS, constant, imported
from scalesheet_workbooks.templates.lines import ALERTS, flag, linked, own
from scalesheet_workbooks.templates.marked import MARK, same

CONSTANTS = (
    Constant(
        "const.off_plan",
        "Likeliest may differ from the plan by",
        "share",
        0.01,
        "0.0%",
        "of the total; more is an alert",
    ),
)
SAME = "[risk.same]=1"
WRITTEN = (
    ("mark", "Mark of the inputs they belong to", MARK),
    *((name, f"{name.upper()} as written", AMOUNT) for name in PROBABILITIES),
    ("mean", "Mean as written", AMOUNT),
)
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
                linked("risk.contingency", "Contingency", q.RATIO, "cost.contingency_share"),
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
                    "risk.mark",
                    "Mark of these inputs",
                    MARK,
                    "SUMPRODUCT([risk.weights],[risk.ideal_hours_low]:[risk.contingency])",
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
MARKED = SPREAD.sections[0].lines[:-4]
"""The rows that the mark is made from."""

RENTED, OWNED = "[ends.rented]=1", "[ends.owned]=1"


def _end(name: str, label: str, hours: str, _: str) -> tuple[Line, ...]:
    """Rent or cost of owning, and the total, with all drivers at one end."""
    price, server = f"[ends.price_{hours}]", f"[ends.server_{hours}]"
    used = f"[ends.used_{name}]"
    return (
        own(
            f"ends.rent_{name}",
            f"{label}: rent",
            AMOUNT,
            f"[ends.committed]*{price}+MAX(0,{used}-[ends.committed])"
            f"*([ends.overflow]*[ends.is_reserved]+{price}*(1-[ends.is_reserved]))",
            RENTED,
        ),
        own(
            f"ends.power_{name}",
            f"{label}: power",
            AMOUNT,
            f"{used}*[ends.busy]+MAX(0,[ends.available]-{used})*[ends.idle]",
            OWNED,
        ),
        own(
            f"ends.owned_{name}",
            f"{label}: owning",
            AMOUNT,
            f"[ends.kept]+{server}*[ends.per_price]+[ends.power_{name}]",
            OWNED,
        ),
        own(
            f"ends.{name}",
            f"{label}: total",
            AMOUNT,
            f"(N([ends.rent_{name}])+N([ends.owned_{name}])+[ends.fixed])*(1+[ends.tax])"
            "*(1+[ends.contingency])",
            "[ends.given]=1",
            total=True,
        ),
    )


ENDS_SHEET = ModelSheet(
    "Ends",
    "All at one end",
    "The total when every driver is at its good end, its likeliest value, or its bad end; live",
    (
        Section(
            "Brought in",
            (
                linked("ends.given", "Ranges given", FLAG, "risk.given"),
                linked("ends.is_reserved", "Hours are committed", FLAG, "risk.is_reserved"),
                linked("ends.is_own", "GPUs are owned", FLAG, "risk.is_own"),
                *(
                    linked(
                        f"ends.used_{name}", f"{label}: GPU-hours", GPU_HOURS, f"risk.used_{name}"
                    )
                    for name, label, *_ in CASES
                ),
                *(
                    linked(f"ends.{short}_{end}", f"{words}, {end}", quantity, f"risk.{name}_{end}")
                    for short, words, quantity, name in (
                        ("price", "GPU-hour price", q.GPU_HOUR_PRICE, "gpu_hour_price"),
                        ("server", "Server, if owned", AMOUNT, "server_price"),
                    )
                    for end in ENDS
                ),
                linked("ends.committed", "Committed GPU-hours", GPU_HOURS, "risk.committed"),
                linked(
                    "ends.overflow",
                    "Price of hours not committed",
                    q.GPU_HOUR_PRICE,
                    "risk.overflow",
                ),
                linked("ends.running", "Running, if owned", AMOUNT, "risk.running"),
                linked("ends.depreciation", "Depreciation, if owned", AMOUNT, "risk.depreciation"),
                linked("ends.server", "Server as planned", AMOUNT, "risk.server"),
                linked(
                    "ends.per_price",
                    "Depreciation for 1 of its price",
                    NODES_CHARGED,
                    "risk.per_price",
                ),
                linked("ends.busy", "Power, busy hour", MONEY_HOUR, "risk.busy"),
                linked("ends.idle", "Power, idle hour", MONEY_HOUR, "risk.idle"),
                linked("ends.available", "GPU-hours on the calendar", GPU_HOURS, "risk.available"),
                linked("ends.fixed", "Lines besides compute", AMOUNT, "risk.fixed"),
                linked("ends.tax", "Tax that is a cost", q.RATIO, "risk.tax"),
                linked("ends.contingency", "Contingency", q.RATIO, "risk.contingency"),
            ),
        ),
        Section(
            "Totals",
            (
                flag("ends.rented", "Rented, with ranges", "[ends.given]*(1-[ends.is_own])=1"),
                flag("ends.owned", "Owned, with ranges", "[ends.given]*[ends.is_own]=1"),
                own(
                    "ends.kept",
                    "Owned, besides servers and power",
                    AMOUNT,
                    "[ends.running]+[ends.depreciation]-[ends.server]*[ends.per_price]",
                    OWNED,
                ),
                *(line for case in CASES for line in _end(*case)),
            ),
        ),
    ),
)

RAISED = (
    flag("risk.below_p50", "Total below its own P50", "[risk.total]<N([risk.p50])"),
    flag(
        "risk.over_range",
        "P90 or all bad passes the budget",
        "MAX(N([risk.p90]),N([risk.all_bad]))>[risk.budget]",
    ),
    flag(
        "risk.off_likeliest",
        "The likeliest is not the plan",
        "ABS(N([risk.all_mode])-[risk.total])*[risk.has]>[risk.off_plan]*[risk.total]",
    ),
)
"""What is worth a look, 1 where it is so."""

RISK = ModelSheet(
    "Risk",
    "Risk",
    "Drivers independent: work, efficiency, rework, and the price of an hour or, owned, a server",
    (
        Section(
            "Ends, live: all drivers together",
            (
                linked("risk.has", "Ranges given", FLAG, "risk.given"),
                linked("risk.total", "Total in the budget", AMOUNT, "cost.total"),
                imported("budget", "risk.budget"),
                lines.constant(CONSTANTS, "const.off_plan", "risk.off_plan"),
                *(
                    linked(f"risk.all_{name}", label, AMOUNT, f"ends.{name}")
                    for name, label, *_ in CASES
                ),
            ),
        ),
        Section(
            "Written by the program when the workbook was built",
            (
                linked("risk.mark_now", "Mark of the inputs as they are", MARK, "risk.mark"),
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
                flag(
                    "risk.same",
                    "The inputs are those",
                    f"AND([risk.has]=1,{same('risk', 'mark_now')})",
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
                *RAISED,
            ),
        ),
    ),
)
"""Rows that a program writes hold a value, not the formula that stands for it here."""
