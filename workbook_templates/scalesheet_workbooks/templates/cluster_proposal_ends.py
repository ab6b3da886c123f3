"""The cost before contingency when every driver is at one end, live."""

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT, ENDS
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_own import FLAG, MONEY_HOUR, NODES_CHARGED
from scalesheet_workbooks.templates.cluster_proposal_spread import CASES
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS
from scalesheet_workbooks.templates.lines import flag, linked, own

RENTED, OWNED = "[ends.rented]=1", "[ends.owned]=1"


def _end(name: str, label: str, hours: str, _: str) -> tuple[Line, ...]:
    """Rent or cost of owning, and with the other lines and tax, with all drivers at one end."""
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
            f"{label}: with lines and tax",
            AMOUNT,
            f"(N([ends.rent_{name}])+N([ends.owned_{name}])+[ends.fixed])*(1+[ends.tax])",
            "[ends.given]=1",
            total=True,
        ),
    )


ENDS_SHEET = ModelSheet(
    "Ends",
    "All at one end",
    "Before contingency, every driver at its good end, its likeliest value, or its bad end; live",
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
            ),
        ),
        Section(
            "Cost before contingency",
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
