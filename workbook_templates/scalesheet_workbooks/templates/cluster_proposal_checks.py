"""What must hold in a proposal: arithmetic, completeness, and what is worth a look."""

from scalesheet.catalog import STALE_DAYS
from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR
from scalesheet_workbooks.proposal_inputs import SHEETS
from scalesheet_workbooks.spec import Check
from scalesheet_workbooks.templates.cluster_proposal_alerts import ALERTS
from scalesheet_workbooks.templates.cluster_proposal_risk import RAISED as OF_RISK

CENT, HOUR = 0.005, 0.001
NEEDED = "COUNT([calc.efficiency],[calc.total_gpu_hours],[price.gpu_hour],[cost.total])"
RAISED = (*ALERTS.sections[-1].lines, *OF_RISK)

CHECKS = (
    Check(
        "chk.total",
        "Lines, tax and contingency add up to the totals",
        ERROR,
        "SUM([cmp.rent],[cmp.depreciation],[cmp.power],[cmp.running],[cmp.storage],[cmp.egress],"
        "[cmp.people],[cmp.support],[cmp.other],[cmp.credits],[cmp.exit_cost],[cmp.tax],"
        "[cmp.contingency])",
        "SUM([cost.total])",
        CENT,
    ),
    Check(
        "chk.totals",
        "Every scenario has a total",
        ERROR,
        "COUNT([cost.total])",
        "COLUMNS([cost.total])",
        number_format="0",
    ),
    Check(
        "chk.work",
        "Hours, times GPUs and efficiency, give the work",
        ERROR,
        "SUMPRODUCT([calc.gpus],[calc.wall_clock_hours],[calc.efficiency])",
        "SUM([calc.total_gpu_hours])",
        HOUR,
    ),
    Check(
        "chk.billed",
        "Hours billed are at least the hours that are paid for",
        ERROR,
        "SUMPRODUCT(1*([bill.billed_hours]-[bill.paid_hours]>=-[const.whole_slack]"
        "*[bill.paid_hours]))",
        "COLUMNS([bill.paid_hours])",
        number_format="0",
    ),
    Check(
        "chk.rent",
        "Committed and further GPU-hours, priced, give the rent",
        ERROR,
        "SUMPRODUCT([bill.committed_gpu_hours],[bill.price])"
        "+SUMPRODUCT([bill.overflow_gpu_hours],[bill.overflow_price])",
        "SUM([bill.committed_cost])",
        CENT,
    ),
    Check(
        "chk.tiers",
        "Gigabytes of the tiers add up to what is moved",
        ERROR,
        "SUM([data.tier_1_gb])+SUM([data.tier_2_gb])+SUM([data.tier_3_gb])",
        "SUM([data.moved_gb])",
        HOUR,
    ),
    Check(
        "chk.sunk",
        "Incremental and sunk cost add up to the totals",
        ERROR,
        "SUM([cost.incremental])+SUM([cost.sunk])",
        "SUM([cmp.total])",
        CENT,
    ),
    Check(
        "chk.differences",
        "Differences of the lines add up to those of the totals",
        ERROR,
        "SUM([diff.rent],[diff.depreciation],[diff.power],[diff.running],[diff.storage],"
        "[diff.egress],[diff.people],[diff.support],[diff.other],[diff.credits],"
        "[diff.exit_cost],[diff.tax],[diff.contingency])",
        "SUM([diff.total])",
        CENT,
    ),
    Check(
        "chk.months",
        "Months of accrual add up to the total shown",
        ERROR,
        "[mon.accrual_sum]",
        "[mon.total]",
        CENT,
    ),
    Check(
        "chk.cash",
        "Cash: accrual + outlay - depreciation + prepaid - owed",
        ERROR,
        "[mon.cash_sum]",
        "[mon.accrual_sum]+[mon.capex_sum]-[mon.depreciation_sum]+[mon.prepaid_end]-[mon.owed_end]",
        CENT,
    ),
    Check(
        "chk.paid",
        "At the end nothing is prepaid and nothing is owed",
        ERROR,
        "ABS([mon.prepaid_end])+ABS([mon.owed_end])",
        "0",
        CENT,
    ),
    Check(
        "chk.bridge",
        "The bridge leads from the first scenario to the one shown",
        ERROR,
        "[bridge.first]+SUM([bridge.steps])",
        "[bridge.shown]",
        CENT,
    ),
    Check(
        "chk.cases",
        "The case that changes nothing gives the total shown",
        ERROR,
        "[case.base.total]",
        "[case.total]",
        CENT,
    ),
    Check(
        "chk.capital",
        "Servers and facility add up to the capital outlay",
        ERROR,
        "SUM([own.servers])+SUM([own.facility])",
        "SUM([own.capex])",
        CENT,
    ),
    Check(
        "chk.in_range",
        "Input rows filled where needed, and within limits",
        COMPLETENESS,
        "+".join(f'COUNTIF([marks.{name}],"✓")' for name in SHEETS),
        "+".join(f"COUNTA([marks.{name}])" for name in SHEETS),
        number_format="0",
    ),
    Check(
        "chk.given",
        "Work, efficiency, price and total are there",
        COMPLETENESS,
        NEEDED,
        "COLUMNS([calc.efficiency])+COLUMNS([calc.gpus])+COLUMNS([price.gpu_hour])"
        "+COLUMNS([cost.total])",
        number_format="0",
    ),
    Check(
        "chk.fits",
        "The hours fit into the programme",
        COMPLETENESS,
        "SUMPRODUCT(1*([own.used_gpu_hours]<=[own.available_gpu_hours]))",
        "COLUMNS([own.used_gpu_hours])",
        number_format="0",
    ),
    Check(
        "chk.sources",
        "Rows have owner, source, day, how sure; examples too",
        COMPLETENESS,
        "+".join(f"COUNTA([origin.{name}])" for name in SHEETS),
        "+".join(f"COUNTA([marks.{name}])*COLUMNS([origin.{name}])" for name in SHEETS),
        number_format="0",
    ),
    Check(
        "chk.points",
        "Measured points have both nodes and throughput",
        COMPLETENESS,
        "SUM([fit.half])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.whole",
        "GPUs and GPUs per node are whole numbers",
        COMPLETENESS,
        "SUM([eff.whole])",
        "COLUMNS([eff.whole])",
        number_format="0",
    ),
    *(
        Check(
            f"chk.{line.id.partition('.')[2]}",
            line.label,
            ALERT,
            f"SUM([{line.id}])",
            "0",
            number_format="0",
        )
        for line in RAISED
    ),
    Check(
        "chk.efficiency_alerts",
        "Efficiency low, at its floor, over 100 %, part of a node",
        ALERT,
        "SUM([alert.efficiency])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.contingency_open",
        "Contingency without an owner, or without a risk",
        ALERT,
        "(SUM([cost.contingency])>0)*(ROWS([cover.contingency])-COUNTA([cover.contingency]))",
        "0",
        number_format="0",
    ),
    Check(
        "chk.examples",
        "Example figures and sources to replace",
        ALERT,
        "+".join(f'COUNTIF([confidences.{name}],"example")' for name in SHEETS),
        "0",
        number_format="0",
    ),
    Check(
        "chk.stale",
        f"Rows whose source is older than {STALE_DAYS} days",
        ALERT,
        "+".join(f'COUNTIF([days.{name}],"<"&[in.as_of]-[const.stale_days])' for name in SHEETS),
        "0",
        number_format="0",
    ),
    Check(
        "chk.expired",
        "Offers that have expired",
        ALERT,
        "SUM([offer.expired])",
        "0",
        number_format="0",
    ),
    Check(
        "chk.future",
        "Rows whose source is later than the proposal",
        ALERT,
        "+".join(f'COUNTIF([days.{name}],">"&[in.as_of])' for name in SHEETS),
        "0",
        number_format="0",
    ),
)
