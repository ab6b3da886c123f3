"""The questions that finance asks of such a budget, and where the workbook answers each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids that answer it, and the answer with its figures in braces."""

    asks: str
    ids: tuple[str, ...]
    answer: str


QUESTIONS = (
    Question(
        "Who owns each assumption?",
        ("in.gpu_hour_price", "chk.sources"),
        "Owner beside each row; {chk.examples:0} rows are still examples",
    ),
    Question(
        "Price source, quote, date, expiry?",
        ("offer.gpu_hour_price", "in.price_kind", "ref.2", "chk.stale", "chk.expired"),
        "{in.price_kind:text}, {in.provider:text}; {chk.stale:0} rows old, {chk.expired:0} expired",
    ),
    Question(
        "How sure is each figure?",
        ("in.price_sure", "chk.examples"),
        "Price of compute: {in.price_sure:text}; {chk.examples:0} rows: example",
    ),
    Question(
        "What exactly is bought, what is not?",
        ("in.scope_1", "in.exclusion_1", "in.gpu", "calc.total_gpu_hours"),
        "{calc.gpus:0} {in.gpu:text}; {bill.paid_gpu_hours:n} million GPU-h",
    ),
    Question(
        "Incremental or committed already?",
        ("cost.incremental", "cost.sunk", "chk.sunk"),
        "Incremental {cost.incremental:m}, sunk {cost.sunk:m}",
    ),
    Question(
        "What are the alternatives?",
        ("cmp.total", "diff.total", "in.why_chosen", "in.do_nothing", "in.smaller_run"),
        "This {cmp.total:m}, {first.in.scenario:text} {first.cmp.total:n}",
    ),
    Question(
        "How much contingency, for what, who draws?",
        ("in.contingency_owner", "in.contingency_for", "cost.contingency", "chk.same_risk"),
        "{cmp.contingency:m}, {cost.contingency_share:%} of all lines; Cover: who, why",
    ),
    Question(
        "Low, likely, high; P50 and P90?",
        ("risk.p50", "risk.p90", "risk.all_bad", "risk.covered"),
        "Before contingency: P50 {risk.p50:m}, P90 {risk.p90:n}; covered up to P{risk.covered:0}",
    ),
    Question(
        "What drives the number?",
        ("sens.rank_1", "sens.grid_1", "sens.price_breakeven", "curve.size_1"),
        "{sens.first:text}, then {sens.second:text}, then {sens.third:text}",
    ),
    Question(
        "Paid, available and used hours; idle?",
        ("bill.paid_gpu_hours", "bill.productive_share", "own.used_share", "chk.fits"),
        "Million GPU-h: paid {bill.paid_gpu_hours:n}, used {bill.used_gpu_hours:n}, "
        "productive {calc.total_gpu_hours:n}; idle cost {bill.idle_cost:n}",
    ),
    Question(
        "Failed runs, restarts, ablations?",
        ("in.waste", "in.rework", "in.experiments"),
        "Failures {in.waste:%}, rework {in.rework:%}, ablations {in.experiments:%}",
    ),
    Question(
        "Term, minimum, shortfall of a commitment?",
        ("bill.minimum_spend", "bill.discount", "in.true_up", "bill.coverage"),
        "Minimum {bill.minimum_spend:m}, {in.term_months:0} months; covers {bill.coverage:%}",
    ),
    Question(
        "What does an exit cost?",
        ("cost.exit_cost", "bill.early_end", "data.move_all", "in.exit_terms"),
        "Million: exit {cost.exit_cost:n}, ended midway {bill.early_end:n}, data {data.move_all:n}",
    ),
    Question(
        "Cash and accrual by month; prepayment?",
        ("mon.total", "in.prepaid_share", "in.payment_months", "chk.cash"),
        "Accrual {cmp.total:m}, cash {cmp.cash:m}; {in.prepaid_share:%} prepaid",
    ),
    Question(
        "Capex, useful life, lease?",
        ("cost.capex", "own.life_years", "in.depreciation_start", "in.lease_reason"),
        "Outlay {cmp.capex:m}; life {in.life_years:1} years; lease: {in.lease:text}",
    ),
    Question(
        "Currency, rate, date?",
        ("in.fx_1", "in.hedged", "quote.gpu_hour_price"),
        "All in {currency}; first foreign unit is {in.fx_1:4}; hedge: Statements",
    ),
    Question(
        "Tax: recoverable or a cost?",
        ("in.tax_rate", "cost.tax", "in.other_tax", "in.tax_reason"),
        "{in.tax_rate:%}, {in.tax_treatment:text}; in the total {cmp.tax:m}",
    ),
    Question(
        "Discounting, net value, payback?",
        ("rent.net_value", "rent.payback", "in.capital_rate", "year.factor_1", "mon.total"),
        "At {in.capital_rate:%}: net value of owning {rent.net_value:m}",
    ),
    Question(
        "Prices that fall, refresh, obsolescence?",
        ("in.rent_decline", "in.price_path", "rent.breakeven_decline"),
        "Rent price falls {in.rent_decline:%} a year; wages, power, refresh: Statements",
    ),
    Question(
        "Staff, storage, network, support?",
        ("cost.people", "cost.support", "cost.storage", "cost.network"),
        "Million: people {cmp.people:n}, storage {cmp.storage:n}, support {cmp.support:n}",
    ),
    Question(
        "Against the approved budget?",
        ("in.budget", "cmp.headroom", "chk.over_budget", "in.cost_centre"),
        "{in.budget:m} approved, {cmp.headroom:m} left",
    ),
    Question(
        "Unit cost, against the market?",
        ("cmp.unit_cost", "price.gpu_hour", "cmp.per_million_tokens", "cmp.unit_change"),
        "{currency} {cmp.unit_cost:2} a productive hour; rented hour {price.gpu_hour:2}, "
        "market {first.price.gpu_hour:2}",
    ),
    Question(
        "What changed since the last version?",
        ("log.1", "in.version"),
        "Version {in.version:text}; the Log says what changed",
    ),
    Question(
        "Do the checks pass, was it touched?",
        ("chk.master", "in.recomputed_by", "in.recomputed_result"),
        "{chk_master:0} checks fail; formulas compared by: {in.recomputed_by:text}",
    ),
    Question(
        "Who approves, on which condition?",
        ("in.sign_4", "in.authority", "chk.authority", "log.gate_1"),
        "{in.approver:text}; limit {in.authority_limit:m}",
    ),
)
