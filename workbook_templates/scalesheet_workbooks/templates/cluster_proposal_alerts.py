"""What is worth a look in a proposal, scenario by scenario."""

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import AMOUNT, MONTHS, NO_YES
from scalesheet_workbooks.spec import ImportName, Line, ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_compare import FLAG
from scalesheet_workbooks.templates.cluster_proposal_work import GPU_HOURS, imported
from scalesheet_workbooks.templates.lines import ALERTS as COUNT
from scalesheet_workbooks.templates.lines import flag, linked

KEPT_APART = NO_YES[0]
"""The answer by which contingency does not also cover failures and rework."""

ALERTS = ModelSheet(
    "Alerts",
    "What is worth a look",
    "One row a warning, 1 where it is raised; none of them stops the arithmetic",
    (
        Section(
            "Brought in",
            (
                linked("alert.total", "Total cost of the programme", AMOUNT, "cmp.total"),
                linked("alert.cash", "Cash to the end of the programme", AMOUNT, "cmp.cash"),
                linked("alert.budget", "Approved budget", AMOUNT, "cmp.budget"),
                linked("alert.capex", "Capital outlay", AMOUNT, "cmp.capex"),
                linked("alert.capex_budget", "Approved capital budget", AMOUNT, "cmp.capex_budget"),
                imported("authority_limit", "alert.authority_limit"),
                linked("alert.is_reserved", "Hours are committed", FLAG, "cmp.is_reserved"),
                linked("alert.is_own", "GPUs are owned", FLAG, "cmp.is_own"),
                linked(
                    "alert.idle", "Committed GPU-hours left idle", GPU_HOURS, "bill.idle_gpu_hours"
                ),
                linked(
                    "alert.overflow",
                    "GPU-hours not committed",
                    GPU_HOURS,
                    "bill.overflow_gpu_hours",
                ),
                linked("alert.waste", "Time lost to failures", q.WASTE, "calc.waste"),
                linked("alert.rework", "Rework", q.REWORK, "calc.rework"),
                linked("alert.contingency", "Contingency", q.RATIO, "cost.contingency_share"),
                Line(
                    "alert.covers",
                    "Contingency covers failures, rework too",
                    "pick",
                    "@",
                    ImportName("in.contingency_covers"),
                ),
                linked("alert.work", "Productive GPU-hours", GPU_HOURS, "cmp.work"),
                linked("alert.months", "Length of the programme", MONTHS, "own.programme_months"),
                linked("alert.life", "Useful life of the servers", q.LIFE_YEARS, "own.life_years"),
                linked("alert.months_per_year", "Months per year", MONTHS, "own.months_per_year"),
                linked("alert.hours", "Hours on the calendar", q.WORK_HOURS, "calc.calendar_hours"),
                imported("term_months", "alert.term_months"),
                linked("alert.month_hours", "Hours per month", q.WORK_HOURS, "own.hours_per_month"),
                linked("alert.efficiency", "Alerts on efficiency", COUNT, "eff.alerts"),
                linked("alert.points", "Measured points", COUNT, "fit.count"),
                linked("alert.fitted", "Their fit", q.EFFICIENCY, "eff.efficiency_fitted"),
            ),
        ),
        Section(
            "Raised",
            (
                flag("alert.over_budget", "Total above the budget", "[alert.total]>[alert.budget]"),
                flag(
                    "alert.cash_over",
                    "Cash above both budgets",
                    "[alert.cash]>[alert.budget]+[alert.capex_budget]",
                ),
                flag(
                    "alert.capex_over",
                    "Capital outlay above its budget",
                    "[alert.capex]>[alert.capex_budget]",
                ),
                flag(
                    "alert.authority",
                    "Cash above what the approver may approve",
                    "AND(COUNT([alert.authority_limit])=1,[alert.cash]>N([alert.authority_limit]))",
                ),
                flag(
                    "alert.idle_hours",
                    "Committed hours are left idle",
                    "AND([alert.is_reserved]=1,[alert.idle]>0)",
                ),
                flag(
                    "alert.overflows",
                    "Use goes beyond the commitment",
                    "AND([alert.is_reserved]=1,[alert.overflow]>0)",
                ),
                flag(
                    "alert.past_term",
                    "Run outlasts the commitment",
                    "AND([alert.is_reserved]=1,[alert.hours]>N([alert.term_months])"
                    "*[alert.month_hours])",
                ),
                flag(
                    "alert.same_risk",
                    "Contingency may cover rework twice",
                    "AND([alert.waste]*[alert.rework]*[alert.contingency]>0,"
                    f'[alert.covers]<>"{KEPT_APART}")',
                ),
                flag(
                    "alert.stale_fit",
                    "Fit is not of these points or nodes",
                    "AND([alert.points]>0,COUNT([alert.fitted])=0)",
                ),
                flag(
                    "alert.other_work",
                    "Not the work of the first scenario",
                    "ABS([alert.work]/[first.alert.work]-1)>0",
                ),
                flag(
                    "alert.long",
                    "Discounted values matter: over a year",
                    "[alert.months]>[alert.months_per_year]",
                ),
                flag(
                    "alert.short_life",
                    "Programme outlives the servers",
                    "AND([alert.is_own]=1,N([alert.life])*[alert.months_per_year]<[alert.months])",
                ),
            ),
        ),
    ),
)
