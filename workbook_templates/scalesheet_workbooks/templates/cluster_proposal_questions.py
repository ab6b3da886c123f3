"""The questions that finance asks of such a budget, and where the workbook answers each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids that answer it, and a word on how."""

    asks: str
    ids: tuple[str, ...]
    answer: str


QUESTIONS = (
    Question(
        "Who owns each assumption?",
        ("in.gpu_hour_price", "chk.sources"),
        "Owner beside each row, or on a Sources sheet",
    ),
    Question(
        "Price source, quote, date, expiry?",
        ("quote.gpu_hour_price", "offer.gpu_hour_price", "ref.1", "chk.stale", "chk.expired"),
        "Source and day in the row, expiry on Offers",
    ),
    Question(
        "How sure is each figure?",
        ("in.gpu_hour_price", "chk.examples"),
        "Confidence: high, medium, low, example",
    ),
    Question(
        "What exactly is bought, what is not?",
        ("in.scope_1", "in.exclusion_1", "calc.total_gpu_hours"),
        "Scope and exclusions; the work on Calc",
    ),
    Question(
        "Incremental or committed already?",
        ("cost.incremental", "cost.sunk", "chk.sunk"),
        "A tag on each line; both totals",
    ),
    Question(
        "What are the alternatives?",
        ("cmp.total", "diff.total"),
        "Side by side, differences from the first",
    ),
    Question(
        "How much contingency, for what, who draws?",
        ("in.contingency_owner", "in.contingency_for", "cost.contingency", "chk.same_risk"),
        "Cover: who draws, for what; a line of its own",
    ),
    Question(
        "Low, likely, high; P50 and P90?",
        ("risk.p50", "risk.p90", "risk.all_bad"),
        "Ranges, percentiles, and all that goes badly",
    ),
    Question(
        "What drives the number?",
        ("sens.rank_1", "sens.grid_1", "sens.price_breakeven", "curve.size_1"),
        "Ranked by swing, a grid, measured efficiency",
    ),
    Question(
        "Paid, available and used hours; idle?",
        ("bill.used_gpu_hours", "own.available_gpu_hours", "bill.idle_cost", "chk.fits"),
        "Hours billed, committed, idle, on the calendar",
    ),
    Question(
        "Failed runs, restarts, ablations?",
        ("in.waste", "in.rework", "in.experiments"),
        "Three rows, kept apart",
    ),
    Question(
        "Term, minimum, shortfall of a commitment?",
        ("in.committed_gpu_hours", "bill.coverage", "chk.idle_hours"),
        "Committed hours bill when idle",
    ),
    Question(
        "What does an exit cost?",
        ("in.exit_cost", "cost.exit_cost", "rent.left"),
        "A line of its own, in the last month",
    ),
    Question(
        "Cash and accrual by month; prepayment?",
        ("mon.total", "in.prepaid_share", "in.payment_months", "chk.cash"),
        "For the scenario picked on Inputs",
    ),
    Question(
        "Capex, useful life, lease?",
        ("own.capex", "in.life_years", "own.depreciation", "in.lease"),
        "Book depreciation; the lease is a flag",
    ),
    Question(
        "Currency, rate, date?",
        ("in.fx_1", "quote.gpu_hour_price"),
        "A currency in each price row, rates on Owning",
    ),
    Question(
        "Tax: recoverable or a cost?",
        ("in.tax_rate", "in.tax_treatment", "cost.tax"),
        "A rate and a flag; a line when it is a cost",
    ),
    Question(
        "Discounting, net value, payback?",
        ("in.capital_rate", "year.factor_1", "rent.net_value", "rent.payback", "mon.total"),
        "Explicit factors; effective rate before tax",
    ),
    Question(
        "Prices that fall, refresh, obsolescence?",
        ("in.rent_decline", "year.index_1", "rent.breakeven_decline"),
        "A yearly fall of the rent price",
    ),
    Question(
        "Staff, storage, network, support?",
        ("cost.people", "cost.support", "cost.storage", "cost.egress", "cost.other_1"),
        "A line each, five spare ones to name",
    ),
    Question(
        "Against the approved budget?",
        ("in.budget", "cmp.headroom", "chk.over_budget", "in.cost_centre"),
        "Budget left: total, cash, capital",
    ),
    Question(
        "Unit cost, against the market?",
        ("cmp.unit_cost", "cmp.used_cost", "rent.productive_hour"),
        "For a productive and for a billed GPU-hour",
    ),
    Question(
        "What changed since the last version?",
        ("log.1",),
        "Log: version, day, author, what and why",
    ),
    Question(
        "Do the checks pass, was it touched?",
        ("chk.master", "chk.total"),
        "Checks in every head; scalesheet review",
    ),
    Question(
        "Who approves, on which condition?",
        ("in.sign_4", "log.gate_1", "act.total"),
        "Sign-off, stage gates, actuals",
    ),
)
