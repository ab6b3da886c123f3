"""The economic charge of owning, and the years discounted."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.proposal_inputs import AMOUNT, MAX_LIFE_YEARS
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_own import CAPITAL, FLAG, MONEY_HOUR
from scalesheet_workbooks.templates.cluster_proposal_work import constant, imported
from scalesheet_workbooks.templates.lines import linked, own

PER_GPU = replace(q.CAPITAL_PER_GPU, number_format="#,##0.00")
GPU_MONTH = Quantity("money for a GPU a month", f"{q.MONEY}/GPU-mon", "#,##0.00")
FACTOR = Quantity("a factor", "factor", "0.0000")
RATE = Quantity("a rate", "share", "0.0000%")


def owned_line(
    line_id: str, label: str, quantity: Quantity, text: str, total: bool = False
) -> Line:
    """A line that is there where all that owning needs is given."""
    return own(line_id, label, quantity, text, f"[{line_id.partition('.')[0]}.given]=1", total)


CHARGE = ModelSheet(
    "Charge",
    "Economic charge of owning",
    "A level payment a month for the capital, as an annuity: not book depreciation",
    (
        Section(
            "Brought in",
            (
                linked("charge.given", "All that owning needs is given", FLAG, "own.given"),
                linked("charge.billed_gpus", "GPUs in whole nodes", q.GPUS, "own.billed_gpus"),
                linked("charge.servers", "Servers, fabric, install", CAPITAL, "own.servers"),
                linked("charge.facility", "Facility", CAPITAL, "own.facility"),
                linked(
                    "charge.residual_per_gpu",
                    "Residual, a GPU",
                    q.RESIDUAL_PER_GPU,
                    "own.residual_per_gpu",
                ),
                imported("life_years", "charge.life_years"),
                imported("facility_life_years", "charge.facility_life_years"),
                imported("capital_rate", "charge.capital_rate"),
                linked(
                    "charge.opex_per_gpu_year",
                    "Space, staff, support",
                    q.OPEX_PER_GPU_YEAR,
                    "own.opex_per_gpu_year",
                ),
                linked(
                    "charge.power_hour", "Power of a busy GPU-hour", MONEY_HOUR, "own.power_hour"
                ),
                imported("programme_months", "charge.programme_months"),
                constant("months_per_year", "charge.months_per_year"),
                constant("hours_per_year", "charge.hours_per_year"),
                constant("no_rate", "charge.no_rate"),
            ),
        ),
        Section(
            "Charge a month, for a GPU",
            (
                owned_line(
                    "charge.monthly_rate",
                    "Cost of capital, a month",
                    RATE,
                    "(1+[charge.capital_rate])^(1/[charge.months_per_year])-1",
                ),
                owned_line(
                    "charge.capital_per_gpu",
                    "Servers, a GPU",
                    PER_GPU,
                    "[charge.servers]/[charge.billed_gpus]",
                ),
                owned_line(
                    "charge.discount",
                    "Discount over their life",
                    FACTOR,
                    "EXP(-[charge.life_years]*LN(1+[charge.capital_rate]))",
                ),
                owned_line(
                    "charge.is_annuity",
                    "There is a rate to speak of",
                    FLAG,
                    "1*([charge.capital_rate]*MIN([charge.life_years],1)>[charge.no_rate])",
                ),
                owned_line(
                    "charge.straight",
                    "Servers, straight line",
                    GPU_MONTH,
                    "([charge.capital_per_gpu]-[charge.residual_per_gpu])"
                    "/([charge.months_per_year]*[charge.life_years])",
                ),
                own(
                    "charge.server_month",
                    "Servers, charge",
                    GPU_MONTH,
                    "IF([charge.is_annuity]=1,([charge.capital_per_gpu]-[charge.residual_per_gpu]"
                    "*[charge.discount])*[charge.monthly_rate]/(1-[charge.discount]),"
                    "[charge.straight])",
                ),
                owned_line(
                    "charge.facility_per_gpu",
                    "Facility, a GPU",
                    PER_GPU,
                    "[charge.facility]/[charge.billed_gpus]",
                ),
                owned_line(
                    "charge.facility_discount",
                    "Discount over its life",
                    FACTOR,
                    "EXP(-[charge.facility_life_years]*LN(1+[charge.capital_rate]))",
                ),
                owned_line(
                    "charge.facility_straight",
                    "Facility, straight line",
                    GPU_MONTH,
                    "[charge.facility_per_gpu]/([charge.months_per_year]"
                    "*[charge.facility_life_years])",
                ),
                own(
                    "charge.facility_month",
                    "Facility, charge",
                    GPU_MONTH,
                    "IF([charge.is_annuity]=1,[charge.facility_per_gpu]*[charge.monthly_rate]"
                    "/(1-[charge.facility_discount]),[charge.facility_straight])",
                ),
            ),
        ),
        Section(
            "An owned GPU for one hour of the calendar",
            (
                owned_line(
                    "charge.capital_hour",
                    "Capital",
                    MONEY_HOUR,
                    "([charge.server_month]+[charge.facility_month])*[charge.months_per_year]"
                    "/[charge.hours_per_year]",
                ),
                owned_line(
                    "charge.running_hour",
                    "Running",
                    MONEY_HOUR,
                    "[charge.opex_per_gpu_year]/[charge.hours_per_year]",
                ),
                owned_line(
                    "charge.owned_gpu_hour",
                    "Owned GPU-hour, always busy",
                    MONEY_HOUR,
                    "[charge.capital_hour]+[charge.running_hour]+[charge.power_hour]",
                    total=True,
                ),
                owned_line(
                    "charge.capital",
                    "Capital charge in the programme",
                    AMOUNT,
                    "([charge.server_month]+[charge.facility_month])*[charge.billed_gpus]"
                    "*[charge.programme_months]",
                    total=True,
                ),
            ),
        ),
    ),
)

YEARS_RANGE = range(1, MAX_LIFE_YEARS + 1)


def _years(name: str, label: str, quantity: Quantity, first: str, then: str) -> tuple[Line, ...]:
    """A row a year, each from the one before it."""
    rows = []
    for year in YEARS_RANGE:
        text = first if year == 1 else then.replace("{before}", f"year.{name}_{year - 1}")
        rows.append(owned_line(f"year.{name}_{year}", f"{label} {year}", quantity, text))
    return tuple(rows)


YEARS = ModelSheet(
    "Years",
    "Years discounted",
    "Explicit factors for the middle of each year of life; the rent price falls as it is entered",
    (
        Section(
            "Brought in",
            (
                linked("year.given", "All that owning needs is given", FLAG, "charge.given"),
                imported("life_years", "year.life_years"),
                imported("capital_rate", "year.capital_rate"),
                imported("rent_decline", "year.rent_decline"),
                constant("half", "year.half"),
            ),
        ),
        Section(
            "Share of the year within the life",
            _years(
                "share",
                "Year",
                Quantity("a share of a year", "share", "0.00"),
                "MIN(1,[year.life_years])",
                "MIN(1,[year.life_years]-SUM([year.share_1]:[{before}]))",
            ),
        ),
        Section(
            "Discount factor",
            _years(
                "factor",
                "Factor of year",
                FACTOR,
                "(1+[year.capital_rate])^-[year.half]",
                "[{before}]/(1+[year.capital_rate])",
            ),
        ),
        Section(
            "Rent price over today's",
            _years(
                "index",
                "Rent in year",
                FACTOR,
                "(1-[year.rent_decline])^[year.half]",
                "[{before}]*(1-[year.rent_decline])",
            ),
        ),
    ),
)

LAST = MAX_LIFE_YEARS
SHARES = f"[year.share_1]:[year.share_{LAST}]"
FACTORS = f"[year.factor_1]:[year.factor_{LAST}]"
INDICES = f"[year.index_1]:[year.index_{LAST}]"


def _with_sums(sheet: ModelSheet) -> ModelSheet:
    sums = Section(
        "Over the life",
        (
            owned_line(
                "year.annuity", "Years, discounted", FACTOR, f"SUMPRODUCT({SHARES},{FACTORS})"
            ),
            owned_line(
                "year.rent_years",
                "Years at the falling rent, discounted",
                FACTOR,
                f"SUMPRODUCT({SHARES},{FACTORS},{INDICES})",
            ),
        ),
    )
    return replace(sheet, sections=(*sheet.sections, sums))


YEARS = _with_sums(YEARS)
