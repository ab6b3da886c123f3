"""The full proposal of a training cluster: scenarios from rent on demand to own, as finance signs.

Every sheet is one printed page. No LAMBDA name and no add-in is needed.
"""

from collections.abc import Callable

from openpyxl import Workbook

from scalesheet_workbooks.layout import HEADER_ROW, Layout
from scalesheet_workbooks.proposal_inputs import LISTS, SHEETS
from scalesheet_workbooks.proposal_statement_rows import OFFER_KINDS
from scalesheet_workbooks.sheets import (
    bridge,
    cases,
    checks,
    curve,
    fabrics,
    fit,
    ledger,
    live,
    model,
    monthly,
    offers,
    origins,
    proposal_cover,
    proposal_lists,
    prose,
    questions,
    references,
    risk,
    sensitivity,
    statements,
)
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates import cluster_proposal_checks as holds
from scalesheet_workbooks.templates import cluster_proposal_compare as compare
from scalesheet_workbooks.templates import cluster_proposal_cost as cost
from scalesheet_workbooks.templates import cluster_proposal_rent as rent
from scalesheet_workbooks.templates import cluster_proposal_work as work
from scalesheet_workbooks.templates import efficiency
from scalesheet_workbooks.templates.cluster_proposal_alerts import ALERTS
from scalesheet_workbooks.templates.cluster_proposal_bill import BILL, DATA
from scalesheet_workbooks.templates.cluster_proposal_charge import CHARGE, YEARS
from scalesheet_workbooks.templates.cluster_proposal_ends import ENDS_SHEET
from scalesheet_workbooks.templates.cluster_proposal_fit import EFFICIENCY, FIT, FIT_SIZES
from scalesheet_workbooks.templates.cluster_proposal_own import OWN
from scalesheet_workbooks.templates.cluster_proposal_percentiles import CONSTANTS as OF_RISK
from scalesheet_workbooks.templates.cluster_proposal_percentiles import PERCENTILES
from scalesheet_workbooks.templates.cluster_proposal_prices import PRICES
from scalesheet_workbooks.templates.cluster_proposal_risk import RISK
from scalesheet_workbooks.templates.cluster_proposal_scaling import SCALING
from scalesheet_workbooks.templates.cluster_proposal_spread import SPREAD

NAME = "cluster_proposal"
VERSION = "1.0.0"
TITLE = "Cluster proposal"

CONSTANTS = (*work.CONSTANTS, *efficiency.CONSTANTS, *OF_RISK)

MODEL = (
    PRICES,
    FIT,
    EFFICIENCY,
    work.CALC,
    BILL,
    DATA,
    OWN,
    CHARGE,
    cost.COST,
    compare.SCENARIOS,
    compare.MEASURES,
    ALERTS,
    YEARS,
    rent.OWN_VS_RENT,
    SCALING,
)
"""The sheets of calculation, in their order."""
STEPS = (*MODEL, FIT_SIZES, SPREAD, ENDS_SHEET, PERCENTILES, RISK)
"""With those whose rows a program writes."""

TITLES = {
    "Inputs": "Inputs: programme, work, cluster",
    "Terms": "Terms: price, storage, data, other costs",
    "Owning": "Owning: purchase, power, capital, tax, rates",
    "Ranges": "Ranges: sensitivity and risk",
    "Measured": "Measured: sizes and their throughput",
}
PURPOSES = {
    "Inputs": "Fill the yellow cells; everything else is protected, without a password",
    "Terms": "What is billed and how; prices per unit may be in another currency",
    "Owning": "What buying would cost, for every scenario: rent is compared with it",
    "Ranges": "How far the figures may move: steps for Sensitivity, low, mode and high for Risk",
    "Measured": "Points of a benchmark of your own; the program fits them when it builds the file",
}


CONTENTS = {
    "Guide": "How to fill it, and what the figures mean",
    "Questions": "What finance asks, and where it is answered",
    "Inputs": "Programme, work, cluster, efficiency, failures",
    "Terms": "Price of compute, storage, data moved out, other costs",
    "Owning": "Purchase, power, capital, tax, exchange rates",
    "Ranges": "Steps of Sensitivity; low, mode, high of Risk",
    "Measured": "Points of a benchmark, for the scaling efficiency",
    "InputsSources": "Who answers for Inputs, and the sources",
    "TermsSources": "The same for Terms",
    "OwningSources": "The same for Owning",
    "RangesSources": "The same for Ranges",
    "MeasuredSources": "The same for Measured",
    "Offers": "Supplier, number, kind, last day to sign of each price",
    "Statements": "What finance asks that is no figure",
    "References": "Sources and owners too long for their column",
    "Prices": "Prices as quoted, rates, prices in one currency",
    "Fit": "The program's fit of the measured points",
    "Efficiency": "Where the scaling efficiency comes from",
    "Calc": "From the work to the day of the finish",
    "Bill": "Hours billed, commitment, rent",
    "Data": "Storage and data moved out, tier by tier",
    "Own": "Purchase, book depreciation, power, running",
    "Charge": "Economic charge of owning, for a GPU-hour",
    "Cost": "The lines of the budget, tax, contingency, sunk",
    "Scenarios": "Side by side, with differences from the first",
    "Measures": "Time, unit cost, capital, what is left of the budget",
    "Alerts": "Warnings, scenario by scenario",
    "Years": "Explicit discount factors, falling rent price",
    "OwnVsRent": "Break-even utilization, net value, payback",
    "Monthly": "Accrual and cash of the scenario shown",
    "Bridge": "From the first scenario to the one shown; cash chart",
    "Cases": "The scenario shown under changed drivers",
    "Sensitivity": "Drivers ranked, price by efficiency, break-evens",
    "Scaling": "Pilot of two sizes, measured points, one node more",
    "FitSizes": "The fitted curve of each scenario, as written",
    "Curve": "Measured points, fitted curve, band; chart",
    "Fabrics": "Networks compared, points at the floor marked",
    "Spread": "Ranges, and what the percentiles belong to",
    "Ends": "Cost with all drivers at one end",
    "Percentiles": "P10 to P90 as written; where the request stands",
    "Risk": "Percentiles with and without contingency; the request",
    "Checks": "Arithmetic, completeness, alerts",
    "Actuals": "What is paid against the budget",
    "Log": "Versions, approvals, stage gates",
    "Lists": "Picks and constants",
}
"""Every sheet but the Cover, in its order, with what it is for."""


def write(book: Workbook, study: Study) -> None:
    """Every sheet of the proposal: first where things stand, then what stands there."""
    context = Context(book, study, Layout(len(study.scenarios)), f"{NAME} {VERSION}", TITLES)
    _place(context)
    writers = _writers(context)
    shown = {name: words for name, words in CONTENTS.items() if name in writers or name == "Guide"}
    writers["Cover"] = lambda: proposal_cover.write(context, shown)
    writers["Guide"] = lambda: prose.write_guide(context, shown)
    for title in ("Cover", *shown):
        book.create_sheet(title)
    live.name_selector(context)
    for title in ("Cover", *shown):
        writers[title]()
    model.name_ranges(context, NAMED)


def _place(context: Context) -> None:
    """Where everything stands."""
    layout = context.layout
    layout.rows["in.scenario"] = ("Inputs", HEADER_ROW)
    for name, entries in SHEETS.items():
        ledger.place(context, name, entries)
    for sheet in STEPS:
        model.place(context, sheet)
    for place in (fit.place, risk.place, monthly.place, bridge.place, cases.place, fabrics.place):
        place(context)
    _place_tags(context)
    offers.place(context)
    statements.place(context)
    proposal_cover.place(context)
    checks.place(context, holds.CHECKS)
    layout.fixed["chk.alerts_raised"] = f"Checks!$H${layout.rows['chk.alert'][1]}"
    proposal_lists.place(context, CONSTANTS, len(ALL_LISTS))


NAMED = {
    "out_total_cost": "cost.total",
    "out_cash": "cost.cash",
    "out_efficiency": "calc.efficiency",
    "out_wall_clock_days": "calc.days",
}
ALL_LISTS = {
    **LISTS,
    OFFER_KINDS.list_name: OFFER_KINDS.options,
    "lst_decisions": prose.DECISIONS,
}


def _place_tags(context: Context) -> None:
    """The tags beside the lines of the budget."""
    layout = context.layout
    first, last = (layout.rows[f"cost.{name}"][1] for name in ("rent", "exit_cost"))
    cell = layout.fixed["aside.in.people"].partition("!")[2]
    letter = cell.split("$")[1]
    layout.fixed["tags.cost"] = f"Cost!${letter}${first}:${letter}${last}"


def _writers(context: Context) -> dict[str, Callable[[], None]]:
    """Every sheet in its order, with its writer."""
    writers: dict[str, Callable[[], None]] = {}
    for name, entries in SHEETS.items():
        writers[name] = lambda name=name, entries=entries: ledger.write(  # type: ignore[misc]
            context, name, PURPOSES[name], entries
        )
    if not origins.is_beside(context):
        for name, entries in SHEETS.items():
            writers[origins.origin_sheet(context, name)] = lambda name=name, entries=entries: (
                origins.write(  # type: ignore[misc]
                    context, name, entries
                )
            )
    for sheet in MODEL:
        writers[sheet.name] = lambda sheet=sheet: model.write(  # type: ignore[misc]
            context, sheet, work.BODY_CONSTANTS, efficiency.BODY_TABLES
        )
    writers["Fit"] = lambda: fit.write(context, work.BODY_CONSTANTS)
    writers["FitSizes"] = lambda: fit.write_sizes(context, work.BODY_CONSTANTS)
    writers["Curve"] = lambda: curve.write(context)
    writers["Questions"] = lambda: questions.write(context)
    writers["Offers"] = lambda: offers.write(context)
    writers["Statements"] = lambda: statements.write(context)
    writers["References"] = lambda: references.write(context, origins.room(context))
    writers["Actuals"] = lambda: prose.write_actuals(context)
    writers["Log"] = lambda: prose.write_log(context)
    writers["Fabrics"] = lambda: fabrics.write(context)
    writers["Monthly"] = lambda: monthly.write(context)
    writers["Bridge"] = lambda: bridge.write(context)
    writers["Cases"] = lambda: cases.write(context)
    writers["Sensitivity"] = lambda: sensitivity.write(context)
    writers["Spread"] = lambda: risk.write_spread(context, work.BODY_CONSTANTS)
    writers["Ends"] = lambda: model.write(context, ENDS_SHEET, work.BODY_CONSTANTS, {})
    writers["Percentiles"] = lambda: risk.write_percentiles(context, work.BODY_CONSTANTS)
    writers["Risk"] = lambda: risk.write_risk(context, work.BODY_CONSTANTS)
    writers["Checks"] = lambda: checks.write(context, holds.CHECKS, alerts_by="H", standing=True)
    writers["Lists"] = lambda: proposal_lists.write(context, CONSTANTS, ALL_LISTS)
    return writers
