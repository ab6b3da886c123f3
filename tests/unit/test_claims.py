"""Every claim points at what exists, and every figure of the two calculators has its place."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

import pytest
from openpyxl import Workbook

from scalesheet.registry import REGISTRY
from scalesheet_workbooks.claims import CLAIMS, COST, DOUBT, EFFICIENCY, HOLDS, WRONG, Claim
from scalesheet_workbooks.inputs import INPUT_BY_ID
from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.sheets import fabrics
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates.budget_calc import CONSTANTS
from scalesheet_workbooks.templates.budget_checks import CHECKS
from scalesheet_workbooks.templates.training_run_budget import MODEL
from unit.test_figures import FIGURES


def fabric_ids() -> set[str]:
    """The ids of the Fabrics sheet: ranges that others refer to, and its rows."""
    book = Workbook()
    context = Context(book, Study("", ()), Layout(1), "")
    book.create_sheet(fabrics.NAME)
    fabrics.place(context)
    return {name for name in context.layout.fixed if name.startswith("fab.")}


PLACES = {
    *REGISTRY,
    *INPUT_BY_ID,
    *(line.id for sheet in MODEL for line in sheet.lines),
    *(constant.id for constant in CONSTANTS),
    *(check.id for check in CHECKS),
    *fabric_ids(),
}


def unknown_places(claim: Claim) -> list[str]:
    """The places of a claim that are nowhere."""
    return [place for place in claim.places if place not in PLACES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.says[:50])
def test_claim(claim: Claim) -> None:
    assert claim.places
    assert unknown_places(claim) == []
    assert claim.source in (EFFICIENCY, COST)
    assert claim.verdict in (HOLDS, WRONG, DOUBT)
    assert claim.says.endswith(".")
    assert claim.ours.endswith(".")


def test_a_place_that_is_nowhere_is_seen() -> None:
    wrong = ("TRAIN_COSTS", "train_cost", "in.gpu", "calc.train_costs", "fab.loss_9", "chk.x")
    assert unknown_places(Claim(COST, "x.", HOLDS, "y.", ("TRAIN_COST", *wrong))) == list(wrong)


def test_no_claim_is_made_twice() -> None:
    assert len({(claim.source, claim.says) for claim in CLAIMS}) == len(CLAIMS)


# --- Every figure that the two texts state -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stated:
    """A figure of a text, what it is about, and, if it has no place, why it needs none."""

    source: str
    figure: str
    about: str
    no_place: str = ""


DEFAULT = "a default of its form: the Baseline scenario of the budget starts from it"
INPUT = "an input of a worked example: a scenario of the budget and a call in the figure table"
NAME = "the name of an option: LOSS_PER_NODE lists it"
STEP = "the step of a form's field: cells take any number"

STATED = (
    Stated(EFFICIENCY, "95.5", "% kept by four nodes on NDR"),
    Stated(EFFICIENCY, "79", "% kept by four nodes on Ethernet"),
    Stated(EFFICIENCY, "32", "GPUs in four nodes of eight"),
    Stated(EFFICIENCY, "400", "Gb/s of NDR"),
    Stated(EFFICIENCY, "25", "Gb/s of standard Ethernet"),
    Stated(EFFICIENCY, "16-32", "nodes from which a run takes twice as long"),
    Stated(EFFICIENCY, "1-2", "% lost by NDR with each further node"),
    Stated(EFFICIENCY, "200", "Gb/s of HDR", NAME),
    Stated(EFFICIENCY, "16", "nodes to which HDR suits"),
    Stated(EFFICIENCY, "100", "Gb/s of RoCE", NAME),
    Stated(EFFICIENCY, "8", "GPUs in each of two larger nodes"),
    Stated(EFFICIENCY, "4", "GPUs in each of four smaller nodes"),
    Stated(EFFICIENCY, "60-70", "% of Ethernet at 8 to 16 nodes"),
    Stated(EFFICIENCY, "8 to 16", "nodes where Ethernet keeps that"),
    Stated(COST, "75-90", "% of typical efficiency, twice"),
    Stated(COST, "64", "GPUs", DEFAULT),
    Stated(COST, "120", "ideal GPU-hours", DEFAULT),
    Stated(COST, "2.50", "dollars an hour"),
    Stated(COST, "80", "% of efficiency"),
    Stated(COST, "15", "% of rework"),
    Stated(COST, "200", "dollars of storage", DEFAULT),
    Stated(COST, "150", "dollars of egress", DEFAULT),
    Stated(COST, "0.01", "step of the price", STEP),
    Stated(COST, "1 to 100", "% of efficiency that may be entered"),
    Stated(COST, "70", "% below which a large cluster wastes its budget"),
    Stated(COST, "40", "% by which 80 % and 15 % raise the cost"),
    Stated(COST, "24", "hours in a day", "const.hours_per_day of the budget"),
    Stated(COST, "85-95", "% on 400 Gb/s InfiniBand"),
    Stated(COST, "400", "Gb/s of InfiniBand"),
    Stated(COST, "50-70", "% on 10 Gb/s Ethernet"),
    Stated(COST, "10", "Gb/s of Ethernet"),
    Stated(COST, "50", "% below which tensor parallelism drops it"),
    Stated(COST, "6.25", "days of the baseline"),
    Stated(COST, "9,600", "GPU-hours of the baseline"),
    Stated(COST, "24,000", "compute of the baseline"),
    Stated(COST, "3,600", "rework of the baseline"),
    Stated(COST, "350", "fixed costs of the baseline"),
    Stated(COST, "27,950", "total of the baseline"),
    Stated(COST, "70B", "parameters of the fine-tuned model", "colour: it enters no formula"),
    Stated(COST, "2.00", "dollars an hour", INPUT),
    Stated(COST, "85", "% of efficiency", INPUT),
    Stated(COST, "94.12", "wall-clock hours"),
    Stated(COST, "3.92", "days"),
    Stated(COST, "4", "days, in words"),
    Stated(COST, "3,011.76", "GPU-hours"),
    Stated(COST, "6,023.53", "compute"),
    Stated(COST, "602.35", "rework"),
    Stated(COST, "6,775.88", "total"),
    Stated(COST, "256", "GPUs", INPUT),
    Stated(COST, "500", "ideal GPU-hours", INPUT),
    Stated(COST, "4.00", "dollars an hour", INPUT),
    Stated(COST, "75", "% of efficiency", INPUT),
    Stated(COST, "20", "% of rework", INPUT),
    Stated(COST, "1,500", "storage", INPUT),
    Stated(COST, "1,000", "egress", INPUT),
    Stated(COST, "666.67", "wall-clock hours"),
    Stated(COST, "27.78", "days"),
    Stated(COST, "170,666.67", "GPU-hours"),
    Stated(COST, "682,666.67", "compute"),
    Stated(COST, "136,533.33", "rework"),
    Stated(COST, "821,700.00", "total"),
    Stated(COST, "48", "ideal GPU-hours", INPUT),
    Stated(COST, "95", "% of efficiency on one node, with NVLink, twice"),
    Stated(COST, "50.53", "wall-clock hours, and rework"),
    Stated(COST, "2.11", "days"),
    Stated(COST, "404.21", "GPU-hours"),
    Stated(COST, "1,010.53", "compute"),
    Stated(COST, "1,111.06", "total"),
    Stated(COST, "1.00", "dollars an hour on spot", INPUT),
    Stated(COST, "35", "% of rework on spot"),
    Stated(COST, "300", "storage", INPUT),
    Stated(COST, "250", "wall-clock hours"),
    Stated(COST, "10.42", "days"),
    Stated(COST, "16,000", "GPU-hours, and compute"),
    Stated(COST, "5,600", "rework"),
    Stated(COST, "22,100", "total"),
    Stated(COST, "64 times", "as fast with 64 GPUs at 100 %"),
    Stated(COST, "900", "GB/s of NVLink"),
    Stated(COST, "60-80", "% off for spot"),
)


def mentions(texts: Iterable[str], figure: str) -> bool:
    """Whether a figure stands in one of the texts, as a number of its own."""
    pattern = rf"(?<![\d.,-]){re.escape(figure)}(?![\d]|[.,-]\d)"
    return any(re.search(pattern, text) for text in texts)


def texts_of(source: str) -> list[str]:
    """What claims and figure rows say of a source."""
    rows = [figure for figure in FIGURES if figure.source == source]
    return [
        *(f"{claim.says} {claim.ours}" for claim in CLAIMS if claim.source == source),
        *(f"{row.printed} {row.where} {row.why}" for row in rows),
    ]


@pytest.mark.parametrize("stated", STATED, ids=lambda stated: f"{stated.figure} {stated.about}")
def test_figure_has_a_place_or_a_reason(stated: Stated) -> None:
    if not stated.no_place:
        assert mentions(texts_of(stated.source), stated.figure)


def test_a_figure_is_found_only_as_a_number_of_its_own() -> None:
    assert mentions(["keep 95.5 % on"], "95.5")
    assert mentions(["from 1 to 100 %."], "1 to 100")
    assert mentions(["of 3,600."], "3,600")
    for text in ("95.57", "195.5", "95.5-96", "3,95.5", "95.5,1"):
        assert not mentions([text], "95.5")


def numbers_in(value: object) -> Iterator[float]:
    """Every number of a scenario file; shares also as percentages."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(item)
    elif isinstance(value, int | float):
        yield from (float(value), round(100.0 * value, 9))


def test_inputs_of_the_examples_are_in_the_scenarios_shipped() -> None:
    folder = resources.files("scalesheet_workbooks") / "scenarios"
    text = (folder / "training_run_budget.toml").read_text(encoding="utf-8")
    shipped = set(numbers_in(tomllib.loads(text)))
    inputs = [s for s in STATED if s.no_place in (DEFAULT, INPUT)]
    assert inputs
    assert [s for s in inputs if float(s.figure.replace(",", "")) not in shipped] == []


def test_a_reason_is_not_given_for_what_a_claim_states() -> None:
    for stated in STATED:
        if stated.no_place not in ("", DEFAULT, INPUT, NAME):
            claims = [claim.says for claim in CLAIMS if claim.source == stated.source]
            assert not mentions(claims, stated.figure)
