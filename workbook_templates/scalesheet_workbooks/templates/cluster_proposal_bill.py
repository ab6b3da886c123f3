"""Hours that are billed and their rent; storage and data moved out."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT
from scalesheet_workbooks.spec import ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_work import (
    GPU_HOURS,
    GPUS,
    HOURS,
    RATIO,
    constant,
    imported,
)
from scalesheet_workbooks.templates.lines import called, flag, linked, own, picked

BILL = ModelSheet(
    "Bill",
    "Hours billed and rent",
    "Whole nodes, increments, committed hours that bill when idle, and what overflows",
    (
        Section(
            "GPUs and hours billed",
            (
                linked("bill.gpus", "GPUs in the run", q.GPUS, "calc.gpus"),
                linked("bill.billed_gpus", "GPUs in whole nodes", q.GPUS, "eff.billed_gpus"),
                picked(
                    "in.whole_nodes", "lst_no_yes", "bill.whole_nodes", "Whole nodes: 1 no, 2 yes"
                ),
                own(
                    "bill.paid_gpus",
                    "GPUs that are paid",
                    GPUS,
                    "IF([bill.whole_nodes]=1,[bill.gpus],[bill.billed_gpus])",
                ),
                linked("bill.paid_hours", "Hours that are paid", HOURS, "calc.paid_hours"),
                imported("increment_hours", "bill.increment_hours"),
                constant("whole_slack", "bill.whole_slack"),
                replace(
                    called(
                        "bill.billed_hours",
                        "Hours that are billed",
                        "BILLED_HOURS",
                        given={"hours": "bill.paid_hours"},
                    ),
                    number_format="#,##0.0",
                ),
                own(
                    "bill.used_gpu_hours",
                    "GPU-hours used, as billed",
                    GPU_HOURS,
                    "[bill.paid_gpus]*[bill.billed_hours]",
                    total=True,
                ),
            ),
        ),
        Section(
            "Rent",
            (
                picked(
                    "in.acquisition",
                    "lst_acquisitions",
                    "bill.acquisition",
                    "Had by: 1 hour, 2 reserved, 3 spot, 4 own",
                ),
                constant("own_place", "bill.own_place"),
                flag("bill.is_reserved", "Hours are committed", "[bill.acquisition]-1=1"),
                flag("bill.is_own", "GPUs are owned", "[bill.acquisition]=[bill.own_place]"),
                imported("committed_gpu_hours", "bill.committed_entered", "Committed, as entered"),
                own(
                    "bill.committed_gpu_hours",
                    "Committed GPU-hours",
                    GPU_HOURS,
                    "IF([bill.is_reserved]=1,[bill.committed_entered],0)",
                ),
                linked("bill.price", "Price of a GPU-hour", q.GPU_HOUR_PRICE, "price.gpu_hour"),
                linked(
                    "bill.overflow_quoted",
                    "Price above the commitment",
                    q.GPU_HOUR_PRICE,
                    "price.overflow_price",
                ),
                own(
                    "bill.overflow_price",
                    "Price of hours not committed",
                    q.GPU_HOUR_PRICE,
                    "IF([bill.is_reserved]=1,[bill.overflow_quoted],[bill.price])",
                ),
                replace(
                    called(
                        "bill.committed_cost",
                        "Rent of these hours",
                        "COMMITTED_COST",
                        given={"committed_price": "bill.price"},
                        total=True,
                    ),
                    number_format=AMOUNT.number_format,
                ),
                own(
                    "bill.idle_gpu_hours",
                    "Committed GPU-hours left idle",
                    GPU_HOURS,
                    "MAX(0,[bill.committed_gpu_hours]-[bill.used_gpu_hours])",
                ),
                own(
                    "bill.idle_cost",
                    "Rent paid for idle hours",
                    AMOUNT,
                    "[bill.idle_gpu_hours]*[bill.price]",
                ),
                own(
                    "bill.overflow_gpu_hours",
                    "GPU-hours not committed",
                    GPU_HOURS,
                    "MAX(0,[bill.used_gpu_hours]-[bill.committed_gpu_hours])",
                ),
                own(
                    "bill.coverage",
                    "Share of the use that is committed",
                    RATIO,
                    "1-[bill.overflow_gpu_hours]/[bill.used_gpu_hours]",
                ),
            ),
        ),
        Section(
            "Hours paid, the commitment, and its early end",
            (
                linked("bill.work", "Productive GPU-hours", GPU_HOURS, "calc.total_gpu_hours"),
                own(
                    "bill.paid_gpu_hours",
                    "GPU-hours paid: used and idle",
                    GPU_HOURS,
                    "[bill.used_gpu_hours]+[bill.idle_gpu_hours]",
                ),
                own(
                    "bill.productive_share",
                    "Utilization: productive of paid",
                    RATIO,
                    "[bill.work]/[bill.paid_gpu_hours]",
                ),
                own(
                    "bill.paid_hour_cost",
                    "Rent of a GPU-hour paid",
                    q.GPU_HOUR_PRICE,
                    "[bill.committed_cost]/[bill.paid_gpu_hours]",
                ),
                own(
                    "bill.discount",
                    "Discount against the further hours",
                    RATIO,
                    "1-[bill.price]/[bill.overflow_price]",
                    "[bill.overflow_price]>0",
                ),
                own(
                    "bill.minimum_spend",
                    "Minimum spend of the commitment",
                    AMOUNT,
                    "[bill.committed_gpu_hours]*[bill.price]",
                ),
                imported("early_end_cost", "bill.early_end_share", "Due of what is left, as given"),
                constant("midway", "bill.midway"),
                own(
                    "bill.early_end",
                    "Still due if ended at half the term",
                    AMOUNT,
                    "[bill.minimum_spend]*(1-[bill.midway])*[bill.early_end_share]",
                    "ISNUMBER([bill.early_end_share])",
                ),
            ),
        ),
    ),
)

MOVED = replace(q.GIGABYTES, number_format="#,##0")

DATA = ModelSheet(
    "Data",
    "Storage and data moved out",
    "Amounts in one unit, months of 730 hours, one row for each price tier",
    (
        Section(
            "Storage",
            (
                imported("stored_amount", "data.stored_amount"),
                picked(
                    "in.stored_unit", "lst_stored_units", "data.stored_unit", "Unit: 1 GB, 2 GiB"
                ),
                constant("gb_per_gib", "data.gb_per_gib"),
                replace(
                    called(
                        "data.stored_gb_if_gib",
                        "Gigabytes, were it gibibytes",
                        "GB_FROM_GIB",
                        given={"gib": "data.stored_amount"},
                    ),
                    number_format="#,##0",
                ),
                own(
                    "data.gb",
                    "Stored",
                    MOVED,
                    "IF([data.stored_unit]=1,[data.stored_amount],[data.stored_gb_if_gib])",
                ),
                linked(
                    "data.price_quoted",
                    "Price, for a month and unit above",
                    replace(q.GB_MONTH_PRICE, unit=f"{q.MONEY}/unit"),
                    "price.stored_price",
                ),
                own(
                    "data.gb_month_price",
                    "Price of a gigabyte for a month",
                    q.GB_MONTH_PRICE,
                    "IF([data.stored_unit]=1,[data.price_quoted],"
                    "[data.price_quoted]/[data.gb_per_gib])",
                ),
                imported("stored_months", "data.stored_months"),
                constant("hours_per_month", "data.hours_per_month"),
                own(
                    "data.stored_hours",
                    "Hours kept",
                    replace(q.STORED_HOURS, number_format="#,##0"),
                    "[data.stored_months]*[data.hours_per_month]",
                ),
                replace(
                    called("data.storage_cost", "Storage by the month", "STORAGE_COST", total=True),
                    number_format=AMOUNT.number_format,
                ),
            ),
        ),
        Section(
            "Data moved out",
            (
                imported("moved_gb", "data.moved_gb"),
                imported("moved_times", "data.moved_times"),
                imported("tier_1_limit", "data.tier_1_limit"),
                imported("tier_2_limit", "data.tier_2_limit"),
                *(
                    linked(
                        f"data.tier_{n}_price",
                        f"Price in the {w} tier",
                        q.TIER_PRICE,
                        f"price.tier_{n}_price",
                    )
                    for n, w in enumerate(("first", "second", "third"), 1)
                ),
                own(
                    "data.tier_1_gb",
                    "In the first tier, each time",
                    MOVED,
                    "MIN([data.moved_gb],[data.tier_1_limit])",
                ),
                own(
                    "data.tier_2_gb",
                    "In the second tier, each time",
                    MOVED,
                    "MAX(0,MIN([data.moved_gb],[data.tier_2_limit])-[data.tier_1_limit])",
                ),
                own(
                    "data.tier_3_gb",
                    "In the third tier, each time",
                    MOVED,
                    "MAX(0,[data.moved_gb]-[data.tier_2_limit])",
                ),
                own(
                    "data.egress_once",
                    "Cost each time",
                    AMOUNT,
                    "[data.tier_1_gb]*[data.tier_1_price]+[data.tier_2_gb]*[data.tier_2_price]"
                    "+[data.tier_3_gb]*[data.tier_3_price]",
                ),
                own(
                    "data.egress_cost",
                    "Data moved out by tier",
                    AMOUNT,
                    "[data.egress_once]*[data.moved_times]",
                    total=True,
                ),
                own(
                    "data.move_all",
                    "Moving out all that is stored, once",
                    AMOUNT,
                    "MIN([data.gb],[data.tier_1_limit])*[data.tier_1_price]"
                    "+MAX(0,MIN([data.gb],[data.tier_2_limit])-[data.tier_1_limit])"
                    "*[data.tier_2_price]"
                    "+MAX(0,[data.gb]-[data.tier_2_limit])*[data.tier_3_price]",
                ),
            ),
        ),
    ),
)
