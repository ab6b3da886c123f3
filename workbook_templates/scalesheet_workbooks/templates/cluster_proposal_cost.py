"""The lines of the budget, with tax, contingency, and what is sunk."""

from dataclasses import replace

from scalesheet_workbooks.proposal_inputs import AMOUNT, OTHER_COSTS, SUNK
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_own import CAPITAL, FLAG, RATIO
from scalesheet_workbooks.templates.cluster_proposal_work import (
    imported,
)
from scalesheet_workbooks.templates.lines import flag, linked, own, picked

OTHERS = tuple(f"other_{number}" for number in range(1, OTHER_COSTS + 1))


def _owning(name: str, label: str) -> Line:
    line = own(f"cost.{name}", label, AMOUNT, f"IF([cost.is_own]=1,[cost.own_{name}],0)")
    return replace(line, aside="in.acquisition")


COST = ModelSheet(
    "Cost",
    "Budget",
    "The lines of the budget, each incremental or sunk, with tax and contingency",
    (
        Section(
            "Brought in",
            (
                linked("cost.is_own", "GPUs are owned", FLAG, "bill.is_own"),
                linked(
                    "cost.committed_cost", "Rent, were it rented", AMOUNT, "bill.committed_cost"
                ),
                linked("cost.own_capex", "Capital outlay, were it owned", CAPITAL, "own.capex"),
                linked(
                    "cost.own_depreciation",
                    "Depreciation, were it owned",
                    AMOUNT,
                    "own.depreciation",
                ),
                linked("cost.own_power", "Power, were it owned", AMOUNT, "own.power"),
                linked("cost.own_running", "Running cost, were it owned", AMOUNT, "own.running"),
                replace(imported("storage", "cost.storage_lump"), aside=""),
                linked("cost.storage_cost", "Storage by the month", AMOUNT, "data.storage_cost"),
                replace(imported("egress", "cost.egress_lump"), aside=""),
                linked("cost.egress_cost", "Moved out by tier", AMOUNT, "data.egress_cost"),
                imported("tax_rate", "cost.tax_rate"),
                picked(
                    "in.tax_treatment",
                    "lst_taxes",
                    "cost.tax_treatment",
                    "Tax: 1 recoverable, 2 a cost",
                ),
                imported("contingency", "cost.contingency_share", "Contingency, as a share"),
            ),
        ),
        Section(
            "Lines of the budget",
            (
                replace(
                    own(
                        "cost.rent",
                        "Rent of GPUs",
                        AMOUNT,
                        "IF([cost.is_own]=1,0,[cost.committed_cost])",
                    ),
                    aside="in.acquisition",
                ),
                _owning("depreciation", "Book depreciation"),
                _owning("power", "Power"),
                _owning("running", "Running cost of what is owned"),
                replace(
                    own(
                        "cost.storage",
                        "Storage",
                        AMOUNT,
                        "[cost.storage_lump]+[cost.storage_cost]",
                    ),
                    aside="in.storage",
                ),
                replace(
                    own(
                        "cost.egress",
                        "Data moved out",
                        AMOUNT,
                        "[cost.egress_lump]+[cost.egress_cost]",
                    ),
                    aside="in.egress",
                ),
                imported("people", "cost.people"),
                imported("support", "cost.support"),
                imported("network", "cost.network"),
                imported("other_tax", "cost.other_tax"),
                *(imported(name, f"cost.{name}") for name in OTHERS),
                imported("credits", "cost.credits"),
                imported("exit_cost", "cost.exit_cost"),
                flag(
                    "cost.complete",
                    "Every line has a figure",
                    "COUNT([cost.rent]:[cost.exit_cost])=ROWS([cost.rent]:[cost.exit_cost])",
                ),
                own(
                    "cost.before_tax",
                    "Lines together",
                    AMOUNT,
                    "SUM([cost.rent]:[cost.exit_cost])",
                    "[cost.complete]=1",
                    total=True,
                ),
                own(
                    "cost.tax_share",
                    "Tax that is a cost, as a share",
                    RATIO,
                    "IF([cost.tax_treatment]=1,0,[cost.tax_rate])",
                ),
                own(
                    "cost.tax",
                    "Tax that is a cost",
                    AMOUNT,
                    "[cost.before_tax]*[cost.tax_share]",
                ),
                own(
                    "cost.contingency",
                    "Contingency",
                    AMOUNT,
                    "([cost.before_tax]+[cost.tax])*[cost.contingency_share]",
                ),
                own(
                    "cost.total",
                    "Total cost of the programme",
                    AMOUNT,
                    "[cost.before_tax]+[cost.tax]+[cost.contingency]",
                    total=True,
                ),
                own(
                    "cost.sunk",
                    "of it sunk: paid anyway",
                    AMOUNT,
                    f'SUMIF([tags.cost],"{SUNK}",[cost.rent]:[cost.exit_cost])',
                    "[cost.complete]=1",
                ),
                own(
                    "cost.incremental",
                    "Incremental cost",
                    AMOUNT,
                    "[cost.total]-[cost.sunk]",
                    total=True,
                ),
                own(
                    "cost.capex",
                    "Capital outlay",
                    AMOUNT,
                    "IF([cost.is_own]=1,[cost.own_capex],0)",
                ),
                own(
                    "cost.cash",
                    "Cash to the end of the programme",
                    AMOUNT,
                    "[cost.total]-[cost.depreciation]+[cost.capex]",
                ),
                own(
                    "cost.fixed_lines",
                    "Lines besides compute",
                    AMOUNT,
                    "SUM([cost.storage]:[cost.exit_cost])",
                    "[cost.complete]=1",
                ),
                own(
                    "cost.other",
                    "Other costs together",
                    AMOUNT,
                    "SUM([cost.network]:[cost.other_5])",
                    "[cost.complete]=1",
                ),
            ),
        ),
    ),
    aside="Tag",
)
