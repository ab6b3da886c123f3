"""Own or rent: cost of a productive hour, break-evens, net value over the life."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.proposal_inputs import AMOUNT
from scalesheet_workbooks.spec import ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_charge import FACTOR, owned_line
from scalesheet_workbooks.templates.cluster_proposal_own import CAPITAL, FLAG, MONEY_HOUR
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS, constant, imported
from scalesheet_workbooks.templates.lines import called, linked

BREAK_EVEN = Quantity("a share of the calendar", "share", '[>1]"never ("0%")";[<0]"never";0.0%')
PAYBACK = Quantity("years", "years", '[<0]"never";#,##0.0')

OWN_VS_RENT = ModelSheet(
    "OwnVsRent",
    "Own or rent",
    "Were each scenario's GPUs bought instead: cost of an hour, break-even utilization, net value",
    (
        Section(
            "Brought in",
            (
                linked("rent.given", "All that owning needs is given", FLAG, "charge.given"),
                linked(
                    "rent.price", "Rent price of a GPU-hour", q.GPU_HOUR_PRICE, "price.gpu_hour"
                ),
                linked(
                    "rent.owned_gpu_hour_cost",
                    "Owned GPU-hour, always busy",
                    MONEY_HOUR,
                    "charge.owned_gpu_hour",
                ),
                linked("rent.capital_hour", "of it capital", MONEY_HOUR, "charge.capital_hour"),
                linked("rent.running_hour", "of it running", MONEY_HOUR, "charge.running_hour"),
                linked("rent.power_hour", "of it power, busy", MONEY_HOUR, "own.power_hour"),
                linked(
                    "rent.idle_power_hour", "Power when idle", MONEY_HOUR, "own.idle_power_hour"
                ),
                imported("utilization", "rent.utilization"),
                linked("rent.annuity", "Years, discounted", FACTOR, "year.annuity"),
                linked("rent.rent_years", "Years at the falling rent", FACTOR, "year.rent_years"),
                linked("rent.capex", "Capital outlay", CAPITAL, "own.capex"),
                linked("rent.facility", "of it the facility", CAPITAL, "own.facility"),
                linked("rent.residual", "Residual of the servers", CAPITAL, "own.residual"),
                linked("rent.discount", "Discount over the life", FACTOR, "charge.discount"),
                imported("life_years", "rent.life_years"),
                imported("facility_life_years", "rent.facility_life_years"),
                linked("rent.billed_gpus", "GPUs in whole nodes", q.GPUS, "own.billed_gpus"),
                constant("hours_per_year", "rent.hours_per_year"),
            ),
        ),
        Section(
            "Cost of a productive hour",
            (
                owned_line(
                    "rent.fixed_hour",
                    "Fixed: capital, running, idle power",
                    MONEY_HOUR,
                    "[rent.capital_hour]+[rent.running_hour]+[rent.idle_power_hour]",
                ),
                owned_line(
                    "rent.extra_power",
                    "Power that only work draws",
                    MONEY_HOUR,
                    "[rent.power_hour]-[rent.idle_power_hour]",
                ),
                owned_line(
                    "rent.productive_hour",
                    "Productive hour, as it is used",
                    MONEY_HOUR,
                    "[rent.fixed_hour]/[rent.utilization]+[rent.extra_power]",
                    total=True,
                ),
            ),
        ),
        Section(
            "Utilization from which owning is cheaper",
            (
                replace(
                    called(
                        "rent.breakeven",
                        "Were it always at full power",
                        "BREAKEVEN_UTILIZATION",
                        "[rent.given]=1",
                        {"rent_price": "rent.price"},
                    ),
                    number_format=BREAK_EVEN.number_format,
                ),
                owned_line(
                    "rent.breakeven_idle",
                    "With power as it is used",
                    BREAK_EVEN,
                    "[rent.fixed_hour]/([rent.price]-[rent.extra_power])",
                ),
                owned_line(
                    "rent.level_price",
                    "Rent price, level over the life",
                    q.GPU_HOUR_PRICE,
                    "[rent.price]*[rent.rent_years]/[rent.annuity]",
                ),
                owned_line(
                    "rent.breakeven_decline",
                    "And with the rent price falling",
                    BREAK_EVEN,
                    "[rent.fixed_hour]/([rent.level_price]-[rent.extra_power])",
                    total=True,
                ),
            ),
        ),
        Section(
            "Net value over the life of the servers",
            (
                owned_line(
                    "rent.gpu_hours_year",
                    "GPU-hours of the calendar, a year",
                    GPU_HOURS,
                    "[rent.billed_gpus]*[rent.hours_per_year]",
                ),
                owned_line(
                    "rent.productive_year",
                    "Productive GPU-hours a year",
                    GPU_HOURS,
                    "[rent.gpu_hours_year]*[rent.utilization]",
                ),
                owned_line(
                    "rent.rent_value",
                    "Renting them, discounted",
                    AMOUNT,
                    "[rent.productive_year]*[rent.price]*[rent.rent_years]",
                ),
                owned_line(
                    "rent.year_cost",
                    "Running and power of owning, a year",
                    AMOUNT,
                    "([rent.running_hour]+[rent.idle_power_hour])*[rent.gpu_hours_year]"
                    "+[rent.productive_year]*[rent.extra_power]",
                ),
                owned_line(
                    "rent.left",
                    "Left at the end: residual, facility",
                    AMOUNT,
                    "[rent.residual]+[rent.facility]"
                    "*MAX(0,1-[rent.life_years]/[rent.facility_life_years])",
                ),
                owned_line(
                    "rent.own_value",
                    "Owning, discounted",
                    AMOUNT,
                    "[rent.capex]+[rent.year_cost]*[rent.annuity]-[rent.left]*[rent.discount]",
                ),
                owned_line(
                    "rent.net_value",
                    "Owning is better by (worse below zero)",
                    AMOUNT,
                    "[rent.rent_value]-[rent.own_value]",
                    total=True,
                ),
            ),
        ),
        Section(
            "Payback: simple, undiscounted, from the start of use, at today's rent price",
            (
                owned_line(
                    "rent.payback",
                    "Years until what is saved is the outlay",
                    PAYBACK,
                    "[rent.capex]/([rent.productive_year]*[rent.price]-[rent.year_cost])",
                ),
            ),
        ),
    ),
)
