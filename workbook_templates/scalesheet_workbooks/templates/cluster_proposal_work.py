"""From the work to the day on which it is done; constants, and lines that bring inputs in."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.billing import GB_PER_GIB
from scalesheet.catalog import STALE_DAYS
from scalesheet.domains import WHOLE_SLACK
from scalesheet.ownership import NO_RATE
from scalesheet.quantities import HOURS_PER_MONTH
from scalesheet.workload import FLOPS_PER_PARAMETER_TOKEN, SECONDS_PER_HOUR
from scalesheet_workbooks.proposal_inputs import DAY, PROPOSAL_INPUTS
from scalesheet_workbooks.proposal_words import MIDWAY
from scalesheet_workbooks.spec import Constant, Import, Line, ModelSheet, Section
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
        "const.midway", "Half of the term", "share", MIDWAY, "0%", "when an early end is costed"
    ),
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
        "Difference up to which checksums agree",
        "checksum",
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

BODY_CONSTANTS = {
    "FLOPS_PER_PARAMETER_TOKEN": "calc.flops_per_parameter_token",
    "SECONDS_PER_HOUR": "calc.seconds_per_hour",
    "WHOLE_SLACK": "bill.whole_slack",
    "GB_PER_GIB": "data.gb_per_gib",
    "HOURS_PER_MONTH": "data.hours_per_month",
}
"""Constants of the function bodies, by the lines that bring them in."""
