"""A scenario of a proposal calculated with the core: what the workbook must come to.

Figures that a program writes into the workbook are made from this, and reviewers and tests compare
with it. Keys are the ids of the workbook's lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scalesheet import billing, cost, ownership, scaling, workload
from scalesheet.cost import HOURS_PER_DAY
from scalesheet.ownership import HOURS_PER_YEAR, MONTHS_PER_YEAR
from scalesheet.quantities import HOURS_PER_MONTH
from scalesheet_workbooks.inputs import (
    BY_INTERCONNECT,
    IDEAL_HOURS,
    MEASURED,
    MODEL_SIZE,
    TYPED,
)
from scalesheet_workbooks.measured_fit import fitted, planned_nodes
from scalesheet_workbooks.proposal_inputs import (
    NOT_RECOVERABLE,
    OTHER_COSTS,
    OWN,
    PER_GPU,
    POINTS,
    RESERVED,
)
from scalesheet_workbooks.proposal_words import MIDWAY
from scalesheet_workbooks.study import Measured

Values = Mapping[str, float | str]
MILLION = 1e6
LAST_TIER = 1e15
"""The end of the last price tier, beyond any amount."""
OWNING = (
    *("node_price", "fabric_per_node", "facility_per_node", "install_per_node"),
    *("residual_per_gpu", "kwh_price", "opex_per_gpu_year", "life_years", "facility_life_years"),
    *("kw_per_gpu", "pue", "idle_power"),
)


@dataclass(frozen=True, slots=True)
class Given:
    """The inputs of one scenario by id, and the exchange rate of each price row."""

    values: Values
    rates: Mapping[str, float]

    def number(self, name: str) -> float:
        """An input that is a number."""
        value = self.values[f"in.{name}"]
        assert isinstance(value, float | int)
        return float(value)

    def price(self, name: str) -> float:
        """A price in the currency of the workbook."""
        return self.number(name) * self.rates.get(f"in.{name}", 1.0)

    def picked(self, name: str, option: str) -> bool:
        """Whether a pick is an option."""
        return self.values[f"in.{name}"] == option

    @property
    def measured(self) -> Measured | None:
        """The measured points, if any."""
        rows = range(1, POINTS + 1)
        points = tuple(
            (self.number(f"measured_nodes_{row}"), self.number(f"measured_rate_{row}"))
            for row in rows
            if self.has(f"measured_nodes_{row}", f"measured_rate_{row}")
        )
        return Measured(points, str(self.values["in.fabric_class"])) if points else None

    def has(self, *names: str) -> bool:
        """Whether inputs are filled."""
        return all(self.values.get(f"in.{name}") is not None for name in names)


def figures(given: Given) -> dict[str, float]:
    """The lines of a scenario, from the work to the total."""
    lines = _work(given)
    lines |= _bill(given, lines)
    lines |= _data(given)
    lines |= _paid(given, lines)
    if given.has(*OWNING):
        lines |= _own(given, lines)
    lines |= _budget(given, lines)
    if given.has("tokens"):
        lines["cmp.per_million_tokens"] = lines["cost.total"] / given.number("tokens") * MILLION
    return lines


def efficiency(given: Given) -> float:
    """The scaling efficiency by the way that is picked."""
    number = given.number
    if given.picked("efficiency_method", TYPED):
        return number("efficiency")
    nodes = planned_nodes(given.values)
    measured = given.measured
    if given.picked("efficiency_method", MEASURED) and measured:
        return fitted(measured, nodes).efficiency
    if given.picked("efficiency_method", BY_INTERCONNECT):
        network = str(given.values["in.interconnect"])
        return scaling.scaling_eff(nodes, network, number("efficiency_floor"))
    runs = ("base_nodes", "base_throughput", "nodes", "throughput")
    exponent = scaling.scaling_exponent(*(number(f"pilot_{run}") for run in runs))
    return scaling.scaling_eff_power(nodes, exponent)


def _work(given: Given) -> dict[str, float]:
    number, gpus = given.number, given.number("gpus")
    if given.picked("work_basis", IDEAL_HOURS):
        main = gpus * number("ideal_hours")
    elif given.picked("work_basis", MODEL_SIZE):
        names = ("parameters", "tokens", "peak_flops_per_second", "mfu")
        main = workload.work_gpu_hours(*(number(name) for name in names))
    else:
        main = number("total_gpu_hours")
    total = main * (1 + number("experiments"))
    ideal = cost.ideal_hours_from_work(gpus, total)
    share = efficiency(given)
    wall_clock = cost.wall_clock_hours(ideal, share)
    run = wall_clock / (1 - number("waste"))
    paid = run * (1 + number("rework"))
    calendar = run if given.picked("rework_takes_time", "no") else paid
    return {
        "calc.main_run": main,
        "calc.total_gpu_hours": total,
        "calc.efficiency": share,
        "calc.ideal_hours": ideal,
        "calc.waste": number("waste"),
        "calc.wall_clock_hours": wall_clock,
        "calc.run_hours": run,
        "calc.paid_hours": paid,
        "calc.calendar_hours": calendar,
        "calc.days": calendar / HOURS_PER_DAY,
        "calc.finish": number("start") + calendar / HOURS_PER_DAY,
    }


def _bill(given: Given, lines: Mapping[str, float]) -> dict[str, float]:
    number = given.number
    gpus = number("gpus")
    whole = billing.billed_gpus(gpus, number("gpus_per_node"))
    paid_gpus = gpus if given.picked("whole_nodes", "no") else whole
    hours = billing.billed_hours(lines["calc.paid_hours"], number("increment_hours"))
    if given.picked("price_basis", PER_GPU):
        price = given.price("gpu_hour_price")
    else:
        instance = given.price("instance_hour_price")
        price = billing.instance_gpu_price(instance, number("gpus_per_instance"))
    reserved = given.picked("acquisition", RESERVED)
    committed = number("committed_gpu_hours") if reserved else 0.0
    beyond = given.price("overflow_price") if reserved else price
    used = paid_gpus * hours
    return {
        "eff.billed_gpus": whole,
        "bill.paid_gpus": paid_gpus,
        "bill.billed_hours": hours,
        "bill.used_gpu_hours": used,
        "bill.price": price,
        "bill.is_reserved": float(reserved),
        "bill.is_own": float(given.picked("acquisition", OWN)),
        "bill.committed_gpu_hours": committed,
        "bill.overflow_price": beyond,
        "bill.committed_cost": billing.committed_cost(committed, used, price, beyond),
        "bill.idle_gpu_hours": max(0.0, committed - used),
    }


def _data(given: Given) -> dict[str, float]:
    number = given.number
    amount, price = number("stored_amount"), given.price("stored_price")
    if given.picked("stored_unit", "GiB"):
        price /= billing.GB_PER_GIB
        amount = billing.gb_from_gib(amount)
    limits = (number("tier_1_limit"), number("tier_2_limit"), LAST_TIER)
    prices = tuple(given.price(f"tier_{place}_price") for place in (1, 2, 3))
    once = billing.egress_cost(number("moved_gb"), limits, prices)
    hours = number("stored_months") * HOURS_PER_MONTH
    return {
        "data.move_all": billing.egress_cost(amount, limits, prices),
        "data.storage_cost": billing.storage_cost(amount, price, hours),
        "data.egress_cost": once * number("moved_times"),
    }


def _paid(given: Given, lines: Mapping[str, float]) -> dict[str, float]:
    """What the paid hours are used for, and what a commitment binds to."""
    committed, price = lines["bill.committed_gpu_hours"], lines["bill.price"]
    paid = max(committed, lines["bill.used_gpu_hours"])
    return {
        "bill.paid_gpu_hours": paid,
        "bill.productive_share": lines["calc.total_gpu_hours"] / paid,
        "bill.paid_hour_cost": lines["bill.committed_cost"] / paid,
        "bill.discount": 1 - price / lines["bill.overflow_price"],
        "bill.minimum_spend": committed * price,
        "bill.early_end": committed * price * (1 - MIDWAY) * given.number("early_end_cost"),
    }


def _own(given: Given, lines: Mapping[str, float]) -> dict[str, float]:
    number, price = given.number, given.price
    gpus, months = lines["eff.billed_gpus"], number("programme_months")
    nodes = gpus / number("gpus_per_node")
    facility = price("facility_per_node")
    charged = nodes * months / (number("life_years") * MONTHS_PER_YEAR)
    capex = ownership.cluster_capex(
        nodes, price("node_price"), price("fabric_per_node"), facility, price("install_per_node")
    )
    servers, built = capex - nodes * facility, nodes * facility
    residual, life = price("residual_per_gpu"), number("life_years")
    a_month = (servers - residual * gpus) / (life * MONTHS_PER_YEAR)
    a_month += built / (number("facility_life_years") * MONTHS_PER_YEAR)
    used = lines["bill.used_gpu_hours"]
    available = gpus * months * HOURS_PER_MONTH
    busy = number("kw_per_gpu") * number("pue") * price("kwh_price")
    idle = max(0.0, available - used) * busy * number("idle_power")
    power = number("kw_per_gpu"), number("pue"), price("kwh_price")
    rate, opex = number("capital_rate"), price("opex_per_gpu_year")
    owned = ownership.owned_gpu_hour(servers / gpus, residual, life, rate, *power, opex)
    owned += ownership.owned_gpu_hour(
        built / gpus, 0.0, number("facility_life_years"), rate, 0.0, 1.0, 0.0, 0.0
    )
    capital_hour = owned - busy - opex / HOURS_PER_YEAR
    return {
        "own.capex": capex,
        "own.node_price": price("node_price"),
        "own.per_price": charged,
        "own.power_hour": busy,
        "own.idle_power_hour": busy * number("idle_power"),
        "own.depreciation": a_month * months,
        "own.available_gpu_hours": available,
        "own.used_share": used / available,
        "own.power": used * busy + idle,
        "own.running": gpus * opex * months / MONTHS_PER_YEAR,
        "charge.owned_gpu_hour": owned,
        "charge.capital": capital_hour * HOURS_PER_YEAR / MONTHS_PER_YEAR * months * gpus,
        "rent.breakeven": ownership.breakeven_utilization(owned, lines["bill.price"]),
    }


def _budget(given: Given, lines: Mapping[str, float]) -> dict[str, float]:
    number, is_own = given.number, given.picked("acquisition", OWN)
    compute = (
        sum(lines[f"own.{name}"] for name in ("depreciation", "power", "running"))
        if is_own
        else lines["bill.committed_cost"]
    )
    others = ["people", "support", "network", "other_tax", "credits", "exit_cost"]
    others += [f"other_{place}" for place in range(1, OTHER_COSTS + 1)]
    fixed = number("storage") + lines["data.storage_cost"]
    fixed += number("egress") + lines["data.egress_cost"]
    fixed += sum(number(name) for name in others)
    tax = number("tax_rate") if given.picked("tax_treatment", NOT_RECOVERABLE) else 0.0
    uplift = (1 + tax) * (1 + number("contingency"))
    capex = lines["own.capex"] if is_own else 0.0
    depreciation = lines["own.depreciation"] if is_own else 0.0
    total = (compute + fixed) * uplift
    return {
        "cost.fixed_lines": fixed,
        "cost.tax_share": tax,
        "cost.contingency_share": number("contingency"),
        "cost.total": total,
        "cost.cash": total - depreciation + capex,
        "cost.capex": capex,
    }
