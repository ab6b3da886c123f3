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
        "Owner beside every row; with over four scenarios on the Sources sheets",
    ),
    Question(
        "Price source, quote, date, expiry?",
        ("quote.gpu_hour_price", "offer.gpu_hour_price", "chk.stale", "chk.expired"),
        "Source and day beside the row, number and expiry of the offer on Offers",
    ),
    Question(
        "How sure is each figure?",
        ("in.gpu_hour_price", "chk.examples"),
        "Confidence: high, medium, low, example",
    ),
    Question(
        "What exactly is bought, what is not?",
        ("in.scope_1", "in.exclusion_1", "calc.total_gpu_hours"),
        "Scope and exclusions on the Cover, work on Calc",
    ),
    Question(
        "Incremental or committed already?",
        ("cost.incremental", "cost.sunk", "chk.sunk"),
        "A tag on each line; both totals",
    ),
    Question(
        "What are the alternatives?",
        ("cmp.total", "diff.total"),
        "Scenarios side by side, with differences from the first",
    ),
    Question(
        "How much contingency, for what?",
        ("in.contingency", "cost.contingency", "chk.same_risk"),
        "A line of its own; an alert where it covers what other rows cover",
    ),
    Question(
        "Low, likely, high; P50 and P90?",
        ("risk.p50", "risk.p90", "risk.all_bad"),
        "Ranges on Ranges, results on Risk, all that goes badly as well",
    ),
    Question(
        "What drives the number?",
        ("sens.rank_1", "sens.grid_1", "sens.price_breakeven"),
        "Ranked by swing, price by efficiency, break-evens",
    ),
    Question(
        "Paid, available and used hours; idle?",
        ("bill.used_gpu_hours", "own.available_gpu_hours", "bill.idle_cost", "chk.fits"),
        "Hours billed, committed, idle, and those of the calendar",
    ),
    Question(
        "Failed runs, restarts, ablations?",
        ("in.waste", "in.rework", "in.experiments"),
        "Three rows, kept apart",
    ),
    Question(
        "Term, minimum, shortfall of a commitment?",
        ("in.committed_gpu_hours", "bill.coverage", "chk.idle_hours"),
        "Committed hours bill when idle; beyond them the other price",
    ),
    Question(
        "What does an exit cost?",
        ("in.exit_cost", "cost.exit_cost", "rent.left"),
        "A line of its own, in the last month",
    ),
    Question(
        "Cash and accrual by month; prepayment?",
        ("mon.total", "in.prepaid_share", "in.payment_months", "chk.cash"),
        "Monthly, for the scenario picked on Inputs",
    ),
    Question(
        "Capex, useful life, lease?",
        ("own.capex", "in.life_years", "own.depreciation", "in.lease"),
        "Book depreciation on Own; the lease is a flag, accounting decides",
    ),
    Question(
        "Currency, rate, date?",
        ("in.fx_1", "quote.gpu_hour_price"),
        "A currency in each price row, rates on Owning with source and day",
    ),
    Question(
        "Tax: recoverable or a cost?",
        ("in.tax_rate", "in.tax_treatment", "cost.tax"),
        "A rate and a flag; a line when it is a cost",
    ),
    Question(
        "Discounting, net value, payback?",
        ("in.capital_rate", "year.factor_1", "rent.net_value", "rent.payback", "mon.total"),
        "Explicit factors, mid-year and mid-month; effective rate before tax",
    ),
    Question(
        "Prices that fall, refresh, obsolescence?",
        ("in.rent_decline", "year.index_1", "rent.breakeven_decline"),
        "A yearly fall of the rent price, in the break-even too",
    ),
    Question(
        "Staff, storage, network, support?",
        ("cost.people", "cost.support", "cost.storage", "cost.egress", "cost.other_1"),
        "A line each, five spare ones that can be named",
    ),
    Question(
        "Against the approved budget?",
        ("in.budget", "cmp.headroom", "chk.over_budget", "in.cost_centre"),
        "Budget left, for the total, for cash and for capital",
    ),
    Question(
        "Unit cost, against the market?",
        ("cmp.unit_cost", "cmp.used_cost", "rent.productive_hour"),
        "Money for a productive GPU-hour and for a billed one",
    ),
    Question(
        "What changed since the last version?",
        ("log.1",),
        "Log: version, day, author, what and why",
    ),
    Question(
        "Do the checks pass, was it touched?",
        ("chk.master", "chk.total"),
        "Master check in every head; scalesheet review compares with the template",
    ),
    Question(
        "Who approves, on which condition?",
        ("in.sign_4", "log.gate_1", "act.total"),
        "Sign-off on the Cover, stage gates on Log, actuals on Actuals",
    ),
)
