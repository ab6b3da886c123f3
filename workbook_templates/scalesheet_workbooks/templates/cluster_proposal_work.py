"""From prices as quoted and the work to the hours that are billed and what they cost."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.billing import GB_PER_GIB
from scalesheet.catalog import STALE_DAYS
from scalesheet.domains import WHOLE_SLACK
from scalesheet.ownership import NO_RATE
from scalesheet.quantities import HOURS_PER_MONTH
from scalesheet.workload import FLOPS_PER_PARAMETER_TOKEN, SECONDS_PER_HOUR
from scalesheet_workbooks.proposal_inputs import AMOUNT, CURRENCY, DAY, PROPOSAL_INPUTS
from scalesheet_workbooks.spec import Constant, Import, Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates import lines
from scalesheet_workbooks.templates.lines import called, flag, linked, own, picked

CONSTANTS = (
    Constant("const.hours_per_day", "Hours per day", "h/day", 24, "0", "definition"),
    Constant(
        "const.hours_per_month",
        "Hours per month",
        "h/month",
        HOURS_PER_MONTH,
        "0",
        "a twelfth of 8,760: how providers bill a month",
    ),
    Constant("const.months_per_year", "Months per year", "months", 12, "0", "definition"),
    Constant(
        "const.flops_per_parameter_token",
        "Operations for one parameter and token",
        "FLOP",
        FLOPS_PER_PARAMETER_TOKEN,
        "0",
        "Kaplan et al., arXiv:2001.08361: forward 2, backward 4",
    ),
    Constant(
        "const.seconds_per_hour", "Seconds per hour", "s/h", SECONDS_PER_HOUR, "#,##0", "definition"
    ),
    Constant(
        "const.whole_slack",
        "Rounding noise that is not one more",
        "share",
        WHOLE_SLACK,
        "0E+0",
        "of the function library",
    ),
    Constant(
        "const.gb_per_gib",
        "Gigabytes in a gibibyte",
        "GB/GiB",
        GB_PER_GIB,
        "0.000000000",
        "2^30 / 10^9",
    ),
    Constant(
        "const.hours_per_year", "Hours per year", "h/year", 8760, "#,##0", "365 days of 24 hours"
    ),
    Constant("const.half", "Half a year: the middle of it", "years", 0.5, "0.0", "mid-year flows"),
    Constant(
        "const.no_rate",
        "Rate below which a straight line is taken",
        "share",
        NO_RATE,
        "0E+0",
        "of the function library",
    ),
    Constant(
        "const.stale_days",
        "Age from which a source is old",
        "days",
        STALE_DAYS,
        "0",
        "that of prices in the catalog: they change within months",
    ),
    Constant(
        "const.same",
        "Difference up to which two marks are one",
        "mark",
        1e-12,
        "0E+0",
        "rounding of sums, as a share",
    ),
    Constant("const.decimals", "Decimals of a million", "1", 2, "0", "for the words on the Cover"),
    Constant("const.million", "One million", "1", 1e6, "#,##0", "for the words on the Cover"),
    Constant("const.own_place", "Place of owning in its list", "place", 4, "0", "the Lists sheet"),
)

HOURS = replace(q.WORK_HOURS, number_format="#,##0.0")
GPU_HOURS = replace(q.TOTAL_GPU_HOURS, number_format="#,##0")
GPUS = q.GPUS
RATIO = q.RATIO


def constant(name: str, line_id: str) -> Line:
    """A constant of this template as a line."""
    return lines.constant(CONSTANTS, f"const.{name}", line_id)


def imported(name: str, line_id: str, label: str = "") -> Line:
    """An input of the proposal as a line."""
    entry = next(entry for entry in PROPOSAL_INPUTS if entry.id == f"in.{name}")
    domain = entry.domain
    return Line(
        line_id,
        label or entry.label,
        domain.unit,
        domain.number_format,
        Import(entry.id),
        aside=entry.id if entry.beside else "",
    )


# --- Prices --------------------------------------------------------------------------------------

PRICED = tuple(entry for entry in PROPOSAL_INPUTS if entry.beside == CURRENCY)


def _price_rows(names: tuple[str, ...]) -> tuple[Line, ...]:
    """Each price as quoted, with its rate, and in the currency of the workbook."""
    rows: list[Line] = []
    for entry in PRICED:
        name = entry.id.removeprefix("in.")
        if name not in names:
            continue
        words = LABELS.get(name, entry.label)
        quoted = f"quote.{name}"
        rows.append(replace(imported(name, quoted, f"{words}, as quoted"), unit="as quoted"))
        unit = entry.domain.unit
        number_format = entry.domain.number_format
        text = f"[{quoted}]*[aside.{entry.id}]"
        rows.append(
            Line(
                f"price.{name}",
                words,
                unit,
                number_format,
                Own(text),
                f"ISNUMBER([{quoted}])",
            )
        )
    return tuple(rows)


LABELS = {
    "gpu_hour_price": "GPU-hour",
    "instance_hour_price": "Instance-hour",
    "overflow_price": "GPU-hour above commitment",
    "stored_price": "Stored, a month",
    "tier_1_price": "Moved out, first tier",
    "tier_2_price": "Moved out, second tier",
    "tier_3_price": "Moved out, third tier",
    "node_price": "Server",
    "fabric_per_node": "Fabric, a node",
    "install_per_node": "Install, a node",
    "facility_per_node": "Facility, a node",
    "residual_per_gpu": "Residual, a GPU",
    "kwh_price": "Electricity",
    "opex_per_gpu_year": "Space, staff, support",
}

PRICES = ModelSheet(
    "Prices",
    "Prices in one currency",
    "Each price as quoted, its exchange rate, and the price that is calculated with",
    (
        Section(
            "Compute",
            (
                *_price_rows(("gpu_hour_price", "instance_hour_price", "overflow_price")),
                imported("gpus_per_instance", "price.gpus_per_instance"),
                picked(
                    "in.price_basis",
                    "lst_price_bases",
                    "price.basis",
                    "Price per: 1 GPU, 2 instance",
                ),
                called(
                    "price.gpu_hour_from_instance",
                    "GPU-hour from the instance",
                    "INSTANCE_GPU_PRICE",
                    "ISNUMBER([price.instance_hour_price])",
                    {
                        "instance_hour_price": "price.instance_hour_price",
                        "gpus_per_node": "price.gpus_per_instance",
                    },
                ),
                own(
                    "price.gpu_hour",
                    "Price of a GPU-hour",
                    q.GPU_HOUR_PRICE,
                    "IF([price.basis]=1,[price.gpu_hour_price],[price.gpu_hour_from_instance])",
                    total=True,
                ),
            ),
        ),
        Section(
            "Storage and data",
            _price_rows(("stored_price", "tier_1_price", "tier_2_price", "tier_3_price")),
        ),
        Section(
            "Owning",
            _price_rows(
                (
                    "node_price",
                    "fabric_per_node",
                    "install_per_node",
                    "facility_per_node",
                    "residual_per_gpu",
                    "kwh_price",
                    "opex_per_gpu_year",
                )
            ),
        ),
    ),
    aside="Rate",
)

# --- Work and time -------------------------------------------------------------------------------

GIVEN_SIZE = "COUNT([calc.parameters]:[calc.mfu])=ROWS([calc.parameters]:[calc.mfu])"

HAS_MODEL = "[calc.has_model]=1"

CALC = ModelSheet(
    "Calc",
    "Work and time",
    "From the work to the day on which it is done; green rows bring in, black rows calculate",
    (
        Section(
            "Work",
            (
                imported("gpus", "calc.gpus"),
                picked(
                    "in.work_basis",
                    "lst_work_bases",
                    "calc.work_basis",
                    "Work as: 1 hours, 2 GPU-hours, 3 model",
                ),
                imported("parameters", "calc.parameters"),
                imported("tokens", "calc.tokens"),
                imported("peak_flops_per_second", "calc.peak_flops_per_second"),
                imported("mfu", "calc.mfu"),
                flag("calc.has_model", "Size of the model is given", GIVEN_SIZE),
                constant("flops_per_parameter_token", "calc.flops_per_parameter_token"),
                constant("seconds_per_hour", "calc.seconds_per_hour"),
                called("calc.train_flops", "Operations of the main run", "TRAIN_FLOPS", HAS_MODEL),
                imported("ideal_hours", "calc.ideal_hours_entered", "Ideal hours as entered"),
                own(
                    "calc.work_from_hours",
                    "GPU-hours from ideal hours",
                    GPU_HOURS,
                    "[calc.gpus]*[calc.ideal_hours_entered]",
                    "ISNUMBER([calc.ideal_hours_entered])",
                ),
                imported("total_gpu_hours", "calc.total_gpu_hours_entered", "GPU-hours as entered"),
                replace(
                    called(
                        "calc.work_from_model",
                        "GPU-hours from the model's size",
                        "WORK_GPU_HOURS",
                        HAS_MODEL,
                    ),
                    number_format="#,##0",
                ),
                own(
                    "calc.main_run",
                    "Main run, productive GPU-hours",
                    GPU_HOURS,
                    "INDEX([calc.work_from_hours]:[calc.work_from_model],[calc.work_basis])",
                ),
                imported("experiments", "calc.experiments"),
                own(
                    "calc.total_gpu_hours",
                    "All work, productive GPU-hours",
                    GPU_HOURS,
                    "[calc.main_run]*(1+[calc.experiments])",
                    total=True,
                ),
            ),
        ),
        Section(
            "Time",
            (
                linked("calc.efficiency", "Scaling efficiency", q.EFFICIENCY, "eff.efficiency"),
                replace(
                    called(
                        "calc.ideal_hours", "Ideal hours of the cluster", "IDEAL_HOURS_FROM_WORK"
                    ),
                    number_format="#,##0.0",
                ),
                replace(
                    called("calc.wall_clock_hours", "Hours at that efficiency", "WALL_CLOCK_HOURS"),
                    number_format="#,##0.0",
                ),
                imported("waste", "calc.waste"),
                own(
                    "calc.run_hours",
                    "Hours with checkpoints and failures",
                    HOURS,
                    "[calc.wall_clock_hours]/(1-[calc.waste])",
                ),
                imported("rework", "calc.rework"),
                own(
                    "calc.paid_hours",
                    "Hours that are paid, rework included",
                    HOURS,
                    "[calc.run_hours]*(1+[calc.rework])",
                ),
                picked(
                    "in.rework_takes_time",
                    "lst_no_yes",
                    "calc.rework_takes_time",
                    "Rework takes time: 1 no, 2 yes",
                ),
                own(
                    "calc.calendar_hours",
                    "Hours on the calendar",
                    HOURS,
                    "IF([calc.rework_takes_time]=1,[calc.run_hours],[calc.paid_hours])",
                ),
                constant("hours_per_day", "calc.hours_per_day"),
                own(
                    "calc.days",
                    "Days from start to finish",
                    replace(q.DAYS, number_format="#,##0.0"),
                    "[calc.calendar_hours]/[calc.hours_per_day]",
                    total=True,
                ),
                imported("start", "calc.start"),
                own("calc.finish", "Day of the finish", DAY, "[calc.start]+[calc.days]"),
            ),
        ),
    ),
)

# --- Billing of the compute ----------------------------------------------------------------------

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
                    "GPU-hours billed for use",
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
    ),
)

# --- Storage and data ----------------------------------------------------------------------------

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
            ),
        ),
    ),
)

BODY_CONSTANTS = {
    "FLOPS_PER_PARAMETER_TOKEN": "calc.flops_per_parameter_token",
    "SECONDS_PER_HOUR": "calc.seconds_per_hour",
    "WHOLE_SLACK": "bill.whole_slack",
    "GB_PER_GIB": "data.gb_per_gib",
    "HOURS_PER_MONTH": "data.hours_per_month",
}
"""Constants of the function bodies, by the lines that bring them in."""
