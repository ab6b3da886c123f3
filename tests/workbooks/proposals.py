"""Cluster proposals to test: studies, and which cells of a built one are to be filled."""

import dataclasses
import itertools
import random
from collections.abc import Sequence

from openpyxl.utils import get_column_letter

from scalesheet_workbooks.inputs import Input
from scalesheet_workbooks.proposal_statement_rows import FACTS, STATEMENT_ROWS, STATEMENTS
from scalesheet_workbooks.scenarios import shipped
from scalesheet_workbooks.study import Scenario, Study
from workbooks.budgets import Book

PROPOSAL = "cluster_proposal"


def of_scenarios(count: int) -> Study:
    """The shipped proposal with so many scenarios; names beyond the fourth have a number."""
    study = shipped(PROPOSAL)
    repeated = itertools.islice(itertools.cycle(study.scenarios), count)
    scenarios = tuple(
        scenario if place < 4 else dataclasses.replace(scenario, name=f"{scenario.name} {place}")
        for place, scenario in enumerate(repeated)
    )
    return dataclasses.replace(study, scenarios=scenarios)


def input_cells(
    book: Book, entries: Sequence[Input], *, values_only: bool = False
) -> set[tuple[str, str]]:
    """The cells of the inputs: values, and, where a row has them, label, pick and provenance."""
    places = range(len(book.columns))
    cells = {book.at("in.scenario", place) for place in places}
    is_proposal = "Terms" in book.written.sheetnames
    fabrics = ("in.fabric_floor", "in.fabric_exponent")
    for entry in entries:
        once = entry.once or entry.id in fabrics
        cells |= {book.at(entry.id, place) for place in (places[:1] if once else places)}
        if not is_proposal or values_only:
            continue
        sheet, row = book.places[entry.id]
        after = 4 + len(book.columns)
        if entry.beside:
            cells.add((sheet, f"{get_column_letter(after + 1)}{row}"))
        if entry.names_itself:
            cells.add((sheet, f"C{row}"))
        beside = len(book.columns) <= 4
        home, first = (sheet, after + 5) if beside else (f"{sheet}Sources", 4)
        cells |= {(home, f"{get_column_letter(first + step)}{row}") for step in range(4)}
    if values_only:
        cells -= {book.at("in.scenario", place) for place in places}
    return cells


def texts_to_fill(book: Book) -> set[tuple[str, str]]:
    """The cells for words, days and actuals on Cover, Offers, Actuals and Log."""
    cells = set()
    for line_id, columns in TO_FILL.items():
        for name, (sheet, row) in book.places.items():
            starred = line_id.endswith("*") and name.startswith(line_id[:-1])
            if name == line_id or starred:
                cells |= {(sheet, f"{column}{row}") for column in columns}
    return cells | stated(book)


def stated(book: Book) -> set[tuple[str, str]]:
    """The cells for facts and statements, and who says so on which day."""
    cells = set()
    for entry in STATEMENT_ROWS:
        sheet, row = book.places[entry.id]
        after = 4 + len(book.columns)
        columns = book.columns if entry in FACTS else book.columns[:1]
        letters = (*columns, *(get_column_letter(after + step) for step in (1, 2)))
        cells |= {(sheet, f"{letter}{row}") for letter in letters}
    return cells


def run_over(book: Book) -> set[tuple[str, str]]:
    """The locked cells beside a statement, over which its text runs."""
    return {
        (book.places[entry.id][0], f"{column}{book.places[entry.id][1]}")
        for entry in STATEMENTS
        for column in book.columns[1:]
    }


RUN = ("act.used", "act.efficiency", "act.rework", "act.days")
TO_FILL: dict[str, str] = {
    **{f"in.{name}": "D" for name in ("proposal_id", "cost_centre", "status", "approver")},
    "in.contingency_*": "D",
    "in.scope_*": "D",
    "in.exclusion_*": "D",
    "in.sign_*": "DFGH",
    "offer.*": "EFGHK",
    "ref.*": "C",
    "log.*": "CDEFGH",
    **dict.fromkeys(RUN, "FJ"),
    **{
        f"act.{name}": "FGJ"
        for name in (
            *("rent", "depreciation", "power", "running", "storage", "egress", "people"),
            *("support", "other", "credits", "exit_cost", "tax", "contingency"),
        )
    },
}


def plausible(seed: int, scenarios: int) -> Study:
    """The shipped proposal filled with other numbers, none of which should fail a check."""
    random_ = random.Random(seed)
    study = shipped(PROPOSAL)
    filled = tuple(
        _plausible(random_, random_.choice(study.scenarios), place) for place in range(scenarios)
    )
    live = float(random_.randint(1, scenarios))
    proposal = dataclasses.replace(
        study.proposal, once={**study.proposal.once, "in.live_scenario": live}
    )
    return dataclasses.replace(study, scenarios=filled, proposal=proposal)


def _plausible(random_: random.Random, base: Scenario, place: int) -> Scenario:
    """A scenario whose hours fit into its programme."""
    uniform, choice = random_.uniform, random_.choice
    per_node = choice((4.0, 8.0, 8.0, 72.0))
    gpus = per_node * random_.randint(2, 200) + choice((0.0, 0.0, 1.0))
    months = float(random_.randint(6, 36))
    work = gpus * months * 730 * uniform(0.02, 0.25)
    values: dict[str, float | str] = {
        **base.values,
        "in.gpus": gpus,
        "in.gpus_per_node": per_node,
        "in.work_basis": choice(("ideal hours", "GPU-hours")),
        "in.ideal_hours": work / gpus,
        "in.total_gpu_hours": work,
        "in.efficiency_method": "typed",
        "in.efficiency": round(uniform(0.6, 1.05), 3),
        "in.experiments": round(uniform(0, 0.8), 2),
        "in.waste": round(uniform(0, 0.15), 3),
        "in.rework": round(uniform(0, 0.3), 3),
        "in.rework_takes_time": choice(("no", "yes")),
        "in.programme_months": months,
        "in.contingency": round(uniform(0, 0.2), 3),
        "in.gpu_hour_price": round(uniform(0.8, 8), 3),
        "in.whole_nodes": choice(("no", "yes")),
        "in.increment_hours": choice((1 / 3600, 1 / 60, 1.0, 24.0)),
        **random_terms(random_),
        "in.storage": round(uniform(0, 1e5), 2),
        "in.egress": round(uniform(0, 1e4), 2),
        "in.people": round(uniform(0, 1e6), 0),
        "in.credits": -round(uniform(0, 1e4), 0),
        "in.exit_cost": choice((0.0, 50_000.0)),
        "in.tax_treatment": choice(("recoverable", "a cost")),
        "in.capital_rate": choice((0.0, 0.08, 0.12)),
        "in.life_years": choice((3.0, 4.0, 5.5)),
        "in.rent_decline": choice((0.0, 0.1, 0.25)),
        "in.idle_power": round(uniform(0, 0.6), 2),
    }
    if values["in.acquisition"] == "reserved":
        values["in.committed_gpu_hours"] = round(work * uniform(0.5, 2.5), 0)
        values["in.term_months"] = float(random_.randint(1, int(months)))
    return dataclasses.replace(base, name=f"Case {place}", values=values, risk={})


def random_terms(random_: random.Random) -> dict[str, float | str]:
    """When bills are paid, and what data is kept and moved."""
    uniform, choice = random_.uniform, random_.choice
    return {
        "in.payment_months": float(random_.randint(0, 3)),
        "in.prepaid_share": choice((0.0, 0.25, 1.0)),
        "in.stored_amount": round(uniform(0, 1e6), 0),
        "in.stored_unit": choice(("GB", "GiB")),
        "in.moved_gb": round(uniform(0, 2e5), 0),
        "in.moved_times": float(random_.randint(0, 9)),
    }
