"""Scenario files: TOML in, a study out; what is wrong with a file is said all at once, in lines.

A line says file, scenario, field, rule, value and remedy. The limits and their words are the
registry's; here is only what a file can get wrong beyond them: keys, kinds and counts.
"""

import importlib.resources
import re
from pathlib import Path
from typing import Any

from scalesheet_workbooks import scenario_proposal
from scalesheet_workbooks.layout import MAX_SCENARIOS
from scalesheet_workbooks.scenario_risk import RISK_EXAMPLE, RISK_EXAMPLES, risk_spreads
from scalesheet_workbooks.scenario_runs import measured_points
from scalesheet_workbooks.scenario_text import (
    ScenarioError,
    Table,
    cleaned,
    file_text,
    toml_tables,
)
from scalesheet_workbooks.scenario_values import (
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    Refuse,
    is_visible,
    read_date,
    read_line,
    read_numbers,
    read_table,
    refuse_unknown,
    short,
    shown,
)
from scalesheet_workbooks.scenario_ways import efficiency_values, price_values, work_values
from scalesheet_workbooks.study import Scenario, Study

__all__ = ["RISK_EXAMPLE", "RISK_EXAMPLES", "ScenarioError", "load", "parse", "shipped"]

SHIPPED = "training_run_budget"
DEFAULT_TITLE = "Training run budget"
DEFAULT_CURRENCY = "USD"

FILE_KEYS = ("workbook", "shared", "scenario", "rate", "sources")
WORKBOOK_KEYS = ("title", "owner", "currency", "as_of", *scenario_proposal.WORKBOOK_KEYS)
NUMBERS_BEFORE_WORK = ("gpus", "gpus_per_node")
NUMBERS_AFTER_WORK = ("rework", "storage", "egress", "gpu_throughput")
SHARED_KEYS = (
    *NUMBERS_BEFORE_WORK,
    "gpu_hour_price",
    "work",
    "efficiency",
    *NUMBERS_AFTER_WORK,
    "risk",
    *scenario_proposal.SCENARIO_KEYS,
)
SCENARIO_KEYS = ("name", "note", *SHARED_KEYS)


def load(path: Path) -> Study:
    """The study in a scenario file; ScenarioError with every problem when it has any."""
    return parse(file_text(path), path.name)


def shipped(template: str = SHIPPED) -> Study:
    """The study that comes with the package for a template.

    >>> [scenario.name for scenario in shipped().scenarios]
    ['Baseline 64', 'Fine-tune 32', 'Pre-train 256', 'Single node 8', 'Spot 64']
    """
    source = f"{template}.toml"
    folder = importlib.resources.files("scalesheet_workbooks") / "scenarios"
    return parse((folder / source).read_text(encoding="utf-8"), source)


def parse(text: str, source: str) -> Study:
    """The study in the text of a scenario file; ``source`` is its name in messages."""
    problems: list[str] = []

    def refuse(problem: str) -> None:
        problems.append(f"{source}: {problem}")

    data = toml_tables(text, source)
    refuse_unknown(data, FILE_KEYS, "", refuse)
    texts = cover(data.get("workbook", {}), refuse)
    shared = read_table(data, "shared", refuse)
    refuse_unknown(shared, SHARED_KEYS, "shared.", refuse)
    scenarios = _scenarios(data.get("scenario", []), shared, refuse)
    proposal = scenario_proposal.proposal(data, refuse)
    if problems:
        raise ScenarioError(problems)
    return Study(scenarios=scenarios, proposal=proposal, **texts)


def cover(table: object, refuse: Refuse) -> dict[str, Any]:
    """Title, owner, currency and date, each with what stands for it when it is left out."""
    if not isinstance(table, dict):
        refuse(f"workbook must be a table, not {shown(table)}: write [workbook]")
        return {}
    refuse_unknown(table, WORKBOOK_KEYS, "workbook.", refuse)
    title = read_line(table, "title", "workbook.title", MAX_NAME_LENGTH, refuse)
    return {
        "title": title or DEFAULT_TITLE,
        "owner": read_line(table, "owner", "workbook.owner", MAX_NAME_LENGTH, refuse),
        "currency": _currency(table.get("currency", DEFAULT_CURRENCY), refuse),
        "as_of": read_date(table.get("as_of"), refuse),
    }


def _currency(value: object, refuse: Refuse) -> str:
    if isinstance(value, str) and re.fullmatch("[A-Z]{3}", value):
        return value
    capitals = value.strip().upper() if isinstance(value, str) else ""
    likely = capitals if re.fullmatch("[A-Z]{3}", capitals) else DEFAULT_CURRENCY
    refuse(
        "workbook.currency must be an ISO code of three capital letters, "
        f'not {shown(value)}: write "{likely}"'
    )
    return ""


def _scenarios(tables: object, shared: Table, refuse: Refuse) -> tuple[Scenario, ...]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        refuse("scenario must be written [[scenario]], in two brackets, once for each scenario")
        return ()
    if not 1 <= len(tables) <= MAX_SCENARIOS:
        remedy = "write at least one [[scenario]]" if not tables else "keep the main ones"
        refuse(f"must have from 1 to {MAX_SCENARIOS} scenarios, not {len(tables)}: {remedy}")
    return tuple(
        _scenario(number, scenario_proposal.merged(shared, table), refuse)
        for number, table in enumerate(tables, 1)
    )


def _scenario(number: int, table: Table, refuse: Refuse) -> Scenario:
    named = cleaned(table["name"]) if isinstance(table.get("name"), str) else ""
    place = f'scenario {number} "{short(named)}"' if is_visible(named) else f"scenario {number}"

    def refuse_here(problem: str) -> None:
        refuse(f"{place}: {problem}")

    refuse_unknown(table, SCENARIO_KEYS, "", refuse_here)
    name = _name(table, refuse_here)
    note = read_line(table, "note", "note", MAX_NOTE_LENGTH, refuse_here)
    measured = measured_points(table, refuse_here)
    values = {
        **read_numbers(table, NUMBERS_BEFORE_WORK, refuse_here),
        **price_values(table, refuse_here),
        **work_values(table, refuse_here),
        **efficiency_values(table, measured, refuse_here),
        **read_numbers(table, NUMBERS_AFTER_WORK, refuse_here),
        **scenario_proposal.terms(table, refuse_here),
    }
    return Scenario(name, values, note, risk_spreads(table, refuse_here), measured)


def _name(table: Table, refuse: Refuse) -> str:
    """Any visible name, also one that another scenario has: columns are told apart by place."""
    if "name" not in table:
        refuse('name is missing: write name = "Baseline"')
        return ""
    name = read_line(table, "name", "name", MAX_NAME_LENGTH, refuse)
    if isinstance(table["name"], str) and not is_visible(name):
        refuse('name is empty: write name = "Baseline"')
    return name
