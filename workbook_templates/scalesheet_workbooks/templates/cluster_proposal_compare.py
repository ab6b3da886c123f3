"""The scenarios side by side: lines of the budget, measures, and the difference from the first."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.proposal_inputs import AMOUNT, DAY, MONTHS
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS, constant, imported
from scalesheet_workbooks.templates.lines import flag, linked, own

DIFFERENCE = Quantity("a difference in money", q.MONEY, "+#,##0;-#,##0;–")
LATER = Quantity("days later than the first", "days", "+#,##0.0;-#,##0.0;–")
UNIT_COST = replace(q.GPU_HOUR_PRICE, number_format="#,##0.00")
PER_TOKENS = Quantity("money for tokens", f"{q.MONEY}/M tokens", "#,##0.00")
UNIT_CHANGE = replace(UNIT_COST, number_format="+#,##0.00;-#,##0.00;–")
FLAG = Quantity("whether it is so", "0/1", "0")
DAYS = replace(q.DAYS, number_format="#,##0.0")

SHOWN = (
    ("rent", "Rent of GPUs"),
    ("depreciation", "Book depreciation"),
    ("power", "Power"),
    ("running", "Running cost of what is owned"),
    ("storage", "Storage"),
    ("egress", "Data moved out"),
    ("people", "People"),
    ("support", "Software and support"),
    ("other", "Other costs"),
    ("credits", "Credits"),
    ("exit_cost", "Exit"),
    ("tax", "Tax that is a cost"),
    ("contingency", "Contingency"),
)
"""The lines as they are compared: the five spare ones together."""
TOTAL = ("total", "Total cost of the programme")


def _difference(name: str, label: str) -> Line:
    text = f"[cmp.{name}]-[first.cmp.{name}]"
    line = own(f"diff.{name}", f"{label}, difference", DIFFERENCE, text)
    return replace(line, total=name == TOTAL[0])


SCENARIOS = ModelSheet(
    "Scenarios",
    "Scenarios side by side",
    "The same work under different terms; the first scenario is what the others are read against",
    (
        Section(
            "Cost of the programme",
            (
                *(linked(f"cmp.{name}", label, AMOUNT, f"cost.{name}") for name, label in SHOWN),
                replace(
                    linked("cmp.total", "Total cost of the programme", AMOUNT, "cost.total"),
                    total=True,
                ),
            ),
        ),
        Section(
            "Difference from the first scenario",
            tuple(_difference(name, label) for name, label in (*SHOWN, TOTAL)),
        ),
        Section(
            "Grouped, for the chart of the Cover",
            (
                own(
                    "cmp.group_power",
                    "Power and running",
                    AMOUNT,
                    "[cmp.power]+[cmp.running]",
                ),
                own(
                    "cmp.group_data",
                    "Storage and data",
                    AMOUNT,
                    "[cmp.storage]+[cmp.egress]",
                ),
                own(
                    "cmp.group_other",
                    "People, support, other",
                    AMOUNT,
                    "SUM([cmp.people]:[cmp.exit_cost])",
                    "COUNT([cmp.people]:[cmp.exit_cost])=ROWS([cmp.people]:[cmp.exit_cost])",
                ),
                own(
                    "cmp.group_reserve",
                    "Tax and contingency",
                    AMOUNT,
                    "[cmp.tax]+[cmp.contingency]",
                ),
            ),
        ),
    ),
)

MEASURES = ModelSheet(
    "Measures",
    "Measures",
    "Time, unit cost, capital and what is left of the budget",
    (
        Section(
            "Brought in",
            (
                linked("cmp.programme_total", "Total cost of the programme", AMOUNT, "cmp.total"),
                linked("cmp.book", "Book depreciation", AMOUNT, "cmp.depreciation"),
                linked("cmp.work", "Productive GPU-hours", GPU_HOURS, "calc.total_gpu_hours"),
                linked("cmp.days", "Days from start to finish", DAYS, "calc.days"),
                linked("cmp.finish", "Day of the finish", DAY, "calc.finish"),
                linked("cmp.used", "GPU-hours used, as billed", GPU_HOURS, "bill.used_gpu_hours"),
                linked("cmp.is_reserved", "Hours are committed", FLAG, "bill.is_reserved"),
                linked(
                    "cmp.coverage", "Share of the use that is committed", q.RATIO, "bill.coverage"
                ),
                linked("cmp.incremental", "Incremental cost", AMOUNT, "cost.incremental"),
                linked("cmp.capital", "Capital charge", AMOUNT, "charge.capital"),
                linked("cmp.is_own", "GPUs are owned", FLAG, "bill.is_own"),
                linked("cmp.capex", "Capital outlay", AMOUNT, "cost.capex"),
                linked("cmp.cash", "Cash to the end of the programme", AMOUNT, "cost.cash"),
                imported("budget", "cmp.budget"),
                imported("capex_budget", "cmp.capex_budget"),
                imported("last_unit_cost", "cmp.last_unit_cost"),
                imported("tokens", "cmp.tokens"),
                constant("million", "cmp.million"),
            ),
        ),
        Section(
            "Measures",
            (
                own(
                    "cmp.finish_later",
                    "Finish, later than the first",
                    LATER,
                    "[cmp.finish]-[first.cmp.finish]",
                ),
                own(
                    "cmp.unit_cost",
                    "Cost of a productive GPU-hour",
                    UNIT_COST,
                    "[cmp.programme_total]/[cmp.work]",
                ),
                own(
                    "cmp.unit_change",
                    "Productive hour, change from the last",
                    UNIT_CHANGE,
                    "[cmp.unit_cost]-[cmp.last_unit_cost]",
                    "ISNUMBER([cmp.last_unit_cost])",
                ),
                own(
                    "cmp.per_million_tokens",
                    "Cost of a million tokens trained",
                    PER_TOKENS,
                    "[cmp.programme_total]/[cmp.tokens]*[cmp.million]",
                    "ISNUMBER([cmp.tokens])",
                ),
                own(
                    "cmp.used_cost",
                    "Cost of a GPU-hour used",
                    UNIT_COST,
                    "[cmp.programme_total]/[cmp.used]",
                ),
                own(
                    "cmp.economic",
                    "Economic total: capital charge instead",
                    AMOUNT,
                    "[cmp.programme_total]+IF([cmp.is_own]=1,[cmp.capital]-[cmp.book],0)",
                ),
                own(
                    "cmp.headroom",
                    "Budget left after the total",
                    DIFFERENCE,
                    "[cmp.budget]-[cmp.programme_total]",
                ),
                own(
                    "cmp.capex_headroom",
                    "Capital budget left",
                    DIFFERENCE,
                    "[cmp.capex_budget]-[cmp.capex]",
                ),
            ),
        ),
        Section(
            "For the months",
            (
                imported("term_months", "cmp.term_months"),
                imported("programme_months", "cmp.programme_months"),
                own(
                    "cmp.rent_months",
                    "Months over which committed rent is paid",
                    MONTHS,
                    "IF([cmp.is_reserved]=1,[cmp.term_months],[cmp.programme_months])",
                ),
                imported("prepaid_share", "cmp.prepaid_share"),
                imported("payment_months", "cmp.payment_months"),
                linked("cmp.rented", "Rent of GPUs", AMOUNT, "cmp.rent"),
                linked("cmp.exit", "Exit, in the last month", AMOUNT, "cmp.exit_cost"),
                own(
                    "cmp.spread",
                    "Lines spread evenly over the months",
                    AMOUNT,
                    "[cmp.programme_total]-[cmp.rented]-[cmp.book]-[cmp.exit]",
                ),
                flag(
                    "cmp.paid_evenly",
                    "Rent is spread evenly, not by use",
                    "[cmp.is_reserved]+[cmp.is_own]>0",
                ),
            ),
        ),
    ),
)
