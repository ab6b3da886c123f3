"""Cluster proposals to review: one that is filled with care, and random ones."""

import datetime
import math
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from review.workbooks import Edit, edited, places, put_at
from scalesheet_workbooks.build import build
from scalesheet_workbooks.scenarios import shipped
from scalesheet_workbooks.study import Rate, Scenario, Source, Study
from workbooks.proposals import PROPOSAL, random_terms

DAY = datetime.date(2026, 11, 20)
QUOTED = datetime.date(2026, 11, 2)
SOURCE = Source("B. Owner", "quote 17 of Example Cloud", QUOTED, None, "high")
Values = dict[str, float | str]
RESERVED_HOURS = 970_752.0
"""256 GPUs times 3,792 h: 600,000 x 1.2 / (256 x 0.85) / 0.96 x 1.1 is 3,791.4, billed by hours."""


def _ours(values: Values) -> Values:
    """The shipped example with other figures; the efficiency is typed."""
    kept = {key: value for key, value in values.items() if "pilot" not in key}
    return kept | {
        "in.work_basis": "GPU-hours",
        "in.total_gpu_hours": 600_000.0,
        "in.experiments": 0.2,
        "in.efficiency_method": "typed",
        "in.efficiency": 0.85,
        "in.waste": 0.04,
        "in.rework": 0.1,
        "in.contingency": 0.0,
        "in.people": 300_007.0,
    }


def proposal(*more: Values) -> Study:
    """Reserved, which is proposed, and on demand, and further scenarios, with owners and dates."""
    study = shipped(PROPOSAL)
    on_demand, reserved = (_ours(dict(one.values)) for one in study.scenarios[:2])
    cases = [
        ("Reserved of ours", reserved | {"in.committed_gpu_hours": RESERVED_HOURS}),
        ("On demand of ours", on_demand),
        *((f"Further {place}", on_demand | values) for place, values in enumerate(more, 1)),
    ]
    return replace(
        study,
        title="Our cluster",
        scenarios=tuple(Scenario(name, values) for name, values in cases),
        owner="A. Owner",
        as_of=DAY,
        proposal=replace(
            study.proposal,
            once={**study.proposal.once, "in.live_scenario": 1.0, "in.budget": 8e6},
            rates=(Rate("EUR", 1.08, QUOTED, "central bank"),),
            sources={"default": SOURCE},
        ),
    )


@cache
def filled() -> bytes:
    """The proposal as a file."""
    return build(PROPOSAL, proposal())


def at(line: str, column: str = "E") -> tuple[str, str]:
    """Sheet and address of a line of the filled proposal."""
    sheet, row = places(filled())[line]
    return sheet, f"{column}{row}"


def cell(line: str, column: str = "E") -> str:
    """Sheet and cell of a line as a finding says it."""
    return "!".join(at(line, column))


def put(line: str, column: str, value: object) -> Edit:
    """An edit of one cell of a line."""
    return put_at(*at(line, column), value)


def changed(*edits: Edit) -> Callable[[], bytes]:
    """The filled proposal with edits."""
    return lambda: edited(*edits, data=filled())


def plausible(seed: int) -> Study:
    """A proposal as a careful preparer fills it: it is within its budgets, nothing is remarkable.

    The same work under each of the terms; what is committed is what is used, and what is proposed
    is the cheapest by its price.
    """
    random_ = random.Random(seed)
    uniform, choice = random_.uniform, random_.choice
    base = _random_base(random_)
    used = _used_gpu_hours(base)
    months = float(base["in.programme_months"])
    price = uniform(2.2, 4.0)
    cases: list[Values] = [
        {"in.acquisition": "on demand", "in.gpu_hour_price": round(price, 3)},
        {
            "in.acquisition": "reserved",
            "in.gpu_hour_price": round(price * uniform(0.6, 0.8), 3),
            "in.committed_gpu_hours": float(round(used * uniform(0.9995, 1.0005))),
            "in.overflow_price": round(price, 3),
            "in.term_months": months,
        },
        {"in.acquisition": "spot", "in.gpu_hour_price": round(price * uniform(0.82, 0.98), 3)},
        {
            "in.acquisition": "own",
            "in.gpu_hour_price": round(price, 3),
            "in.capital_rate": choice((0.0, 0.08, 0.12)),
        },
    ]
    chosen = [cases[1], *random_.sample((cases[0], *cases[2:]), random_.randint(0, 3))]
    random_.shuffle(chosen)
    study = proposal()
    once = {
        "in.live_scenario": float(1 + chosen.index(cases[1])),
        "in.budget": float(round(used * price * 1.5 + 3e6, -5)),
        "in.capex_budget": float(round(float(base["in.gpus"]) * 1e5 + 1e6, -5)),
    }
    return replace(
        study,
        title=f"Cluster {seed}",
        scenarios=tuple(
            Scenario(f"Case {place}", {**base, **case}) for place, case in enumerate(chosen, 1)
        ),
        currency=choice(("USD", "EUR")),
        as_of=QUOTED + datetime.timedelta(random_.randint(0, 25)),
        proposal=replace(study.proposal, once={**study.proposal.once, **once}, beside={}, rates=()),
    )


def _random_base(random_: random.Random) -> Values:
    """What the scenarios of one proposal share."""
    uniform, choice = random_.uniform, random_.choice
    per_node = choice((4.0, 8.0, 8.0))
    gpus = per_node * choice((4, 8, 16, 32, 64))
    months = float(random_.randint(3, 24))
    work = round(gpus * months * 730 * uniform(0.05, 0.35))
    return _ours(dict(shipped(PROPOSAL).scenarios[0].values)) | {
        "in.gpus": gpus,
        "in.gpus_per_node": per_node,
        "in.total_gpu_hours": float(work),
        "in.ideal_hours": work / gpus,
        "in.work_basis": choice(("GPU-hours", "ideal hours")),
        "in.experiments": round(uniform(0, 0.6), 2),
        "in.efficiency": round(uniform(0.7, 0.89), 3),
        "in.waste": round(uniform(0.0, 0.1), 3),
        "in.rework": round(uniform(0.05, 0.25), 3),
        "in.rework_takes_time": choice(("no", "yes")),
        "in.contingency": choice((0.0, round(uniform(0.02, 0.15), 3))),
        "in.programme_months": months,
        "in.whole_nodes": choice(("no", "yes")),
        "in.increment_hours": choice((1 / 60, 1.0, 24.0)),
        **random_terms(random_),
        "in.storage": round(uniform(0, 5e4), 2),
        "in.egress": round(uniform(0, 1e4), 2),
        "in.people": round(uniform(0, 6e5), 0),
        "in.credits": -round(uniform(0, 1e4), 0),
        "in.tax_treatment": choice(("recoverable", "a cost")),
        "in.rent_decline": choice((0.0, 0.1, 0.25)),
        "in.idle_power": round(uniform(0.1, 0.6), 2),
    }


def _used_gpu_hours(values: Values) -> float:
    """GPU-hours that are billed for use, worked out apart from the workbook."""
    number = {key: float(value) for key, value in values.items() if not isinstance(value, str)}
    work = number["in.total_gpu_hours"] * (1 + number["in.experiments"])
    run = work / number["in.gpus"] / number["in.efficiency"] / (1 - number["in.waste"])
    step = number["in.increment_hours"]
    billed = math.ceil(run * (1 + number["in.rework"]) / step) * step
    return number["in.gpus"] * billed
