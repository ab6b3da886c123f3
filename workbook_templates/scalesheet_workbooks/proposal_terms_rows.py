"""Rows of the proposal's Terms sheet: compute, storage, data moved out, other costs."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet_workbooks.inputs import Input, Pick
from scalesheet_workbooks.proposal_words import (
    AMOUNT,
    BY,
    CREDIT,
    CURRENCY,
    DECIMAL_UNITS,
    DELAY,
    EGRESS,
    KEPT_MONTHS,
    MONTHS,
    NO_YES,
    OTHER,
    OTHER_COSTS,
    PER_GPU,
    PER_INSTANCE,
    PRICE,
    REPEATS,
    RESERVED,
    SHARE,
    STATE,
    STORAGE,
    STORED,
    TAG,
    shared,
)

COMMITTED = {"required": False, "used_by": (STATE, RESERVED)}
TIER = {"default": 0.0, "beside": CURRENCY}

TERMS_SHEET: tuple[Input, ...] = (
    Input(
        "in.price_basis",
        "Price is per",
        Pick("what the price is for", (PER_GPU, PER_INSTANCE), "lst_price_bases"),
        PRICE,
        default=PER_GPU,
    ),
    shared(
        "in.gpu_hour_price",
        PRICE,
        label="GPU-hour (own: of the rent instead)",
        required=False,
        beside=CURRENCY,
        used_by=(BY, PER_GPU),
    ),
    Input(
        "in.instance_hour_price",
        "Instance-hour",
        q.INSTANCE_HOUR_PRICE,
        PRICE,
        required=False,
        beside=CURRENCY,
        used_by=(BY, PER_INSTANCE),
    ),
    Input(
        "in.gpus_per_instance",
        "GPUs of the instance",
        q.GPUS_PER_NODE,
        PRICE,
        required=False,
        used_by=(BY, PER_INSTANCE),
    ),
    Input(
        "in.whole_nodes",
        "Whole nodes are billed",
        Pick("whether whole nodes are billed", NO_YES, "lst_no_yes"),
        PRICE,
        key="bill.whole_nodes",
        default="no",
    ),
    Input(
        "in.increment_hours",
        "Billing increment",
        replace(q.INCREMENT_HOURS, number_format="#,##0.00##"),
        PRICE,
        key="bill.increment_hours",
        default=1.0,
    ),
    Input(
        "in.committed_gpu_hours",
        "Committed GPU-hours, whole term",
        replace(q.USED_GPU_HOURS, number_format="#,##0"),
        PRICE,
        key="commitment.committed_gpu_hours",
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.overflow_price",
        "GPU-hour above the commitment",
        q.GPU_HOUR_PRICE,
        PRICE,
        key="commitment.overflow_price",
        beside=CURRENCY,
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.early_end_cost",
        "Ended early: due, of what is left",
        SHARE,
        PRICE,
        key="commitment.early_end_cost",
        default=1.0,
        hint="what is still due of the commitment that is left when it is ended early",
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.term_months",
        "Term of the commitment",
        MONTHS,
        PRICE,
        key="commitment.term_months",
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.prepaid_share",
        "Share of the rent paid in advance",
        SHARE,
        PRICE,
        key="commitment.prepaid_share",
        default=0.0,
    ),
    Input(
        "in.payment_months",
        "Months until bills are paid",
        DELAY,
        PRICE,
        key="bill.payment_months",
        default=0.0,
    ),
    shared("in.storage", STORAGE, domain=AMOUNT, label="Storage, lump sum", beside=TAG),
    Input("in.stored_amount", "Amount stored", STORED, STORAGE, key="stored.amount", default=0.0),
    Input(
        "in.stored_unit",
        "Unit of the amount and of its price",
        Pick("the unit of what is stored", DECIMAL_UNITS, "lst_stored_units"),
        STORAGE,
        key="stored.unit",
        default="GB",
    ),
    Input(
        "in.stored_price",
        "Price of that unit for 730 hours",
        replace(q.GB_MONTH_PRICE, unit=f"{q.MONEY}/unit"),
        STORAGE,
        key="stored.price",
        default=0.0,
        beside=CURRENCY,
    ),
    Input(
        "in.stored_months", "Months kept", KEPT_MONTHS, STORAGE, key="stored.months", default=0.0
    ),
    shared("in.egress", EGRESS, domain=AMOUNT, label="Moved out, lump sum", beside=TAG),
    Input(
        "in.moved_gb",
        "Moved out at one time",
        replace(q.GIGABYTES, number_format="#,##0"),
        EGRESS,
        key="moved.gb",
        default=0.0,
    ),
    Input("in.moved_times", "How many times", REPEATS, EGRESS, key="moved.times", default=0.0),
    Input(
        "in.tier_1_limit",
        "First tier ends at",
        replace(q.TIER_LIMIT, number_format="#,##0"),
        EGRESS,
        key="moved.tier_1_limit",
        default=10_240.0,
    ),
    Input(
        "in.tier_2_limit",
        "Second tier ends at",
        replace(q.TIER_LIMIT, number_format="#,##0"),
        EGRESS,
        key="moved.tier_2_limit",
        default=51_200.0,
    ),
    *(
        Input(
            f"in.tier_{number}_price",
            f"{words} tier",
            q.TIER_PRICE,
            EGRESS,
            key=f"moved.tier_{number}_price",
            **TIER,  # type: ignore[arg-type]
        )
        for number, words in enumerate(("First", "Second", "Third"), 1)
    ),
    Input("in.people", "People", AMOUNT, OTHER, key="costs.people", default=0.0, beside=TAG),
    Input(
        "in.support",
        "Software and support",
        AMOUNT,
        OTHER,
        key="costs.support",
        default=0.0,
        beside=TAG,
    ),
    Input(
        "in.network",
        "Network (0: in the rent)",
        AMOUNT,
        OTHER,
        key="costs.network",
        default=0.0,
        beside=TAG,
    ),
    Input(
        "in.other_tax",
        "Property tax, duties (lump sum)",
        AMOUNT,
        OTHER,
        key="costs.other_tax",
        default=0.0,
        beside=TAG,
    ),
    *(
        Input(
            f"in.other_{number}",
            f"Other cost {number}",
            AMOUNT,
            OTHER,
            key=f"costs.other_{number}",
            default=0.0,
            beside=TAG,
            names_itself=True,
        )
        for number in range(1, OTHER_COSTS + 1)
    ),
    Input(
        "in.credits",
        "Credits, below zero",
        CREDIT,
        OTHER,
        key="costs.credits",
        default=0.0,
        beside=TAG,
    ),
    Input(
        "in.exit_cost",
        "Exit: end early, move out, clear",
        AMOUNT,
        OTHER,
        key="costs.exit_cost",
        default=0.0,
        beside=TAG,
    ),
)
