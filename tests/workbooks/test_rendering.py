"""Workbooks in print: every sheet on one page of either paper, no figure hidden, no label cut."""

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from rendering import PAPER_SIZES, Paper
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.study import Study
from workbooks.budgets import BUDGET, EIGHT, IDEAL, STUDIES, TYPED, Book, scenario
from workbooks.printed import Page, pages_of
from workbooks.proposals import PROPOSAL, of_scenarios

SHEETS = [
    *("Cover", "Inputs", "Efficiency", "Scaling", "Calc", "Fabrics", "Checks", "Functions"),
    *("Notes", "ScalingNotes", "Lists"),
]
SHOWN_IN_FULL = 26
"""Characters of a scenario's name that are always shown; longer ones may be cut at their end."""
BEGINNING = 12
"""Characters that are shown of every name, however long."""

LONG = "Pre-training on the new cluster, price as offered in the second round, " * 5
NAMES = (
    LONG[:300],
    "A" * SHOWN_IN_FULL,
    "Continued-pretraining-2026",
    "=HYPERLINK(A1)",
    "+1 node",
    "-5 % price",
    '@team & <b> "quoted" \'s',
    "Giant",
)
GIANT = {
    "gpus": 100_000.0,
    "ideal_hours": 4000.0,
    "gpu_hour_price": 4.0,
    "efficiency": 0.4,
    "storage": 25_000_000.0,
    "gpu_throughput": 20_000.0,
}
LONG_OWNER = "The team for the training of large models, department of research, " * 4
OWNER = "Head of the infrastructure for machine learning"
UNPRINTABLE = ("🚀 launch", "تدريب النموذج", "訓練 60 日", "é", " ﬁne", "a​b")
"""Names in scripts that the fonts of a test machine may lack."""


def awkward() -> Study:
    """Eight scenarios with names that break things, a long note, and large amounts."""
    named = [
        dataclasses.replace(case, name=name, note="a remark " * 12)
        for case, name in zip(EIGHT.scenarios, NAMES, strict=True)
    ]
    named[-1] = scenario("Giant", IDEAL, TYPED, **GIANT)
    return dataclasses.replace(EIGHT, title="R&D <budget>", scenarios=tuple(named))


def with_long_sources(study: Study) -> Study:
    """As people write them: the offer, its number, day, page, how long it holds; a function."""
    offer = "written offer no. 2026-1187 of 24 November, page 3, valid to the end of March; " * 2
    proposal = study.proposal
    sources = {
        key: dataclasses.replace(source, source=f"{key}: {offer}", owner=OWNER)
        for key, source in proposal.sources.items()
    }
    return dataclasses.replace(study, proposal=dataclasses.replace(proposal, sources=sources))


BOOKS: dict[str, Callable[[], bytes]] = {
    "one scenario": lambda: build(BUDGET, STUDIES["one"]()),
    "two scenarios": lambda: build(BUDGET, dataclasses.replace(STUDIES["two"](), owner=LONG_OWNER)),
    "five scenarios": lambda: build(BUDGET),
    "eight scenarios": lambda: build(BUDGET, awkward()),
    "proposal of two": lambda: build(PROPOSAL, of_scenarios(2)),
    "proposal of four": lambda: build(PROPOSAL),
    "proposal of eight": lambda: build(PROPOSAL, of_scenarios(8)),
    "proposal with long sources": lambda: build(PROPOSAL, with_long_sources(of_scenarios(4))),
} | {name: functools.partial(build, name) for name in TEMPLATES if name not in (BUDGET, PROPOSAL)}
READABLE, SLACK = 8.0, 0.05
"""Points; the PDF gives sizes in steps of about a tenth of one."""
CASES = [
    (name, paper)
    for name in BOOKS
    for paper in PAPER_SIZES
    # The variants of the function check differ in their calls only.
    if paper == "A4" or not name.startswith("function_check_")
]

Printed = dict[tuple[str, Paper], list[Page]]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """Every sheet of every book on both papers; `pages_of` counts the pages."""
    books = {name: Book(make()) for name, make in BOOKS.items()}
    folder = tmp_path_factory.mktemp("printed")
    return {(name, paper): pages_of(books[name], folder, paper) for name, paper in CASES}


def readable(text: str) -> str:
    """How much of a text must be seen."""
    # LibreOffice recalculates and knows none of our functions.
    verdicts = {"✓ works": "✗ not available", "✓ all work": "✗ see above"}
    return text[:BEGINNING] if text == NAMES[0] else verdicts.get(text, text)


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_no_figure_is_hidden(printed: Printed, name: str, paper: Paper) -> None:
    """A number that does not fit its column is shown as ###."""
    words = [(page.ws.title, word.text) for page in printed[name, paper] for word in page.words]
    assert len(words) > 100
    assert [place for place in words if "##" in place[1]] == []


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_no_text_is_cut(printed: Printed, name: str, paper: Paper) -> None:
    assert [cut for page in printed[name, paper] for cut in page.cut(readable)] == []


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_everything_lies_on_the_page(printed: Printed, name: str, paper: Paper) -> None:
    for page in printed[name, paper]:
        margin = 20
        left = min(word.left for word in page.words)
        right = max(word.right for word in page.words)
        assert left > margin, page.ws.title
        assert right < page.width - margin, page.ws.title
        assert page.right - page.edges[0] > 0.5 * (page.width - 2 * margin), page.ws.title


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_every_text_can_be_read_on_paper(printed: Printed, name: str, paper: Paper) -> None:
    """At least 8 points, charts included; LibreOffice prints heads and feet at their own size."""
    sizes = {page.ws.title: page.sizes for page in printed[name, paper]}
    assert sum(map(len, sizes.values())) > 400
    small = {title: min(found) for title, found in sizes.items() if min(found) < READABLE - SLACK}
    assert small == {}


def test_small_print_is_seen(tmp_path: Path) -> None:
    """The test itself: two columns more than fit, and the sheet alone falls below the limit."""
    book = Book(build(BUDGET, EIGHT))
    ws = book.written["Calc"]
    ws.column_dimensions["C"].width += 24
    book.written.save(tmp_path / "wide.xlsx")
    pages = pages_of(Book((tmp_path / "wide.xlsx").read_bytes()), tmp_path, "Letter")
    assert [page.ws.title for page in pages if min(page.sizes) < READABLE - SLACK] == ["Calc"]


def test_a_long_source_stands_in_full_on_a_sheet_of_its_own(printed: Printed) -> None:
    """Beside the row is its number; each of them is one row however often it is used."""
    pages = {page.ws.title: page for page in printed["proposal with long sources", "A4"]}
    texts = [cell.value for cell in pages["References"].ws["C"][5:] if cell.value]
    assert len(texts) == len(set(texts)) > 5
    assert all("valid to the end of March" in text for text in texts if text != OWNER)
    beside = {str(cell.value) for row in pages["Terms"].ws.iter_rows() for cell in row}
    used = [f"References {number}" for number in range(1, len(texts) + 1)]
    assert len([number for number in used if number in beside]) > 2
    assert not [text for text in beside if "written offer" in text]
    assert OWNER in texts
    assert f"References {1 + texts.index(OWNER)}" in beside


def test_the_figures_of_large_runs(printed: Printed) -> None:
    """Also at a thousand times the shipped scenarios."""
    calc = next(page for page in printed["eight scenarios", "A4"] if page.ws.title == "Calc")
    (row,) = [cell.row for cell in calc.ws["B"] if cell.value == "calc.train_cost"]
    assert calc.row(row)[-1].text == "4,625,000,150"


def test_a_cut_text_is_seen(tmp_path: Path) -> None:
    """The test itself: labels and a heading that are too long are found, and nothing else."""
    study = dataclasses.replace(STUDIES["one"](), title="T")
    book = Book(build(BUDGET, study))
    ws = book.written["Calc"]
    too_long = {"C9": "A label far too long for the column in which it stands"}
    for address, text in too_long.items():
        ws[address].value = text
    book.written["Calc"]["E4"].value = "A heading of far more words than its two lines will take"
    book.written.save(tmp_path / "cut.xlsx")
    changed = Book((tmp_path / "cut.xlsx").read_bytes())
    pages = pages_of(changed, tmp_path, "A4")
    found = [cut.partition(":")[0] for page in pages for cut in page.cut(str)]
    assert found == ["Calc!E4", "Calc!C9"]


@pytest.mark.parametrize("names", [NAMES, UNPRINTABLE])
def test_names_are_text_wherever_they_stand(names: tuple[str, ...], tmp_path: Path) -> None:
    cases = tuple(scenario(name, IDEAL, TYPED) for name in names)
    study = Study(names[3], cases, owner=names[4][:60])
    (tmp_path / "named.xlsx").write_bytes(build(BUDGET, study))
    workbook = openpyxl.load_workbook(tmp_path / "named.xlsx")
    stored = openpyxl.load_workbook(tmp_path / "named.xlsx", data_only=True)
    for place, name in enumerate(names):
        cell = workbook["Inputs"].cell(4, 5 + place)
        assert (cell.value, cell.data_type) == (name, "s")
        assert stored["Calc"].cell(4, 5 + place).value == name
        assert stored["Cover"].cell(12 + place, 2).value == name
    title = workbook["Cover"]["B1"]
    assert (title.value, title.data_type) == (names[3], "s")
    assert workbook.sheetnames == SHEETS
    assert not [
        cell for row in stored["Cover"].iter_rows() for cell in row if cell.data_type == "e"
    ]
