"""What the documents say is what the code does; ``pytest --update-golden`` rewrites the blocks."""

import inspect
import re
import tomllib
from pathlib import Path

import pytest

import scalesheet
import scalesheet_workbooks
from scalesheet.registry import REGISTRY, by_category
from scalesheet.surfaces.excel.lambdas import lambda_names
from scalesheet.surfaces.reference import markdown
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.reports import as_json
from scalesheet_workbooks.review.rules import RULES

ROOT = Path(__file__).parents[2]
README, ADDIN, TEMPLATES_README, REVIEW = (
    ROOT / name
    for name in (
        "README.md",
        "addin/README.md",
        "workbook_templates/README.md",
        "workbook_templates/REVIEW.md",
    )
)
BUILT = ROOT / "workbook_templates"


def block(text: str, name: str) -> tuple[int, int]:
    """Where a generated block begins and ends in a document."""
    begin, end = f"<!-- {name}: generated -->\n", f"<!-- {name}: end -->"
    assert begin in text, f"no block {name}"
    return text.index(begin) + len(begin), text.index(end)


def compare(path: Path, name: str, wanted: str, update: bool) -> None:
    text = path.read_text(encoding="utf-8")
    first, last = block(text, name)
    if update:
        path.write_text(text[:first] + wanted + text[last:], encoding="utf-8", newline="\n")
        return
    assert text[first:last] == wanted, f"{path.name}: run pytest --update-golden"


def function_table() -> str:
    """The functions by category, each with a link to all about it."""
    rows = ["| group | functions |", "|---|---|"]
    for category, records in by_category(REGISTRY.values()):
        links = (f"[{record.name}](addin/README.md#{record.name.lower()})" for record in records)
        rows.append(f"| {category} | {', '.join(links)} |")
    return "\n".join(rows) + "\n"


def findings_table() -> str:
    """Every finding of the review: id, severity, title, rule, remedy."""
    rows = ["| id | severity | finding | rule | remedy |", "|---|---|---|---|---|"]
    for rule in RULES.values():
        cells = (rule.id, rule.severity, rule.title, rule.rule, rule.remedy)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


COUNTS = re.compile(r"\d+ functions, \d+ of them also\s+LAMBDA names")


def test_function_reference(pytestconfig: pytest.Config) -> None:
    compare(ADDIN, "reference", markdown(), pytestconfig.getoption("update_golden"))


def test_function_table(pytestconfig: pytest.Config) -> None:
    compare(README, "functions", function_table(), pytestconfig.getoption("update_golden"))


def test_findings_of_the_review(pytestconfig: pytest.Config) -> None:
    update = pytestconfig.getoption("update_golden")
    compare(REVIEW, "findings", findings_table(), update)
    compare(REVIEW, "schema", inspect.cleandoc(as_json.__doc__ or "") + "\n", update)


def test_function_counts(pytestconfig: pytest.Config) -> None:
    text = README.read_text(encoding="utf-8")
    wanted = f"{len(REGISTRY)} functions, {len(lambda_names())} of them also LAMBDA names"
    if pytestconfig.getoption("update_golden"):
        README.write_text(COUNTS.sub(wanted, text), encoding="utf-8", newline="\n")
    else:
        assert COUNTS.findall(text) == [wanted]


def test_every_function_has_the_heading_that_links_point_to() -> None:
    text = ADDIN.read_text(encoding="utf-8")
    assert re.findall(r"^#### (.+)$", text, re.MULTILINE) == [
        record.name for _, records in by_category(REGISTRY.values()) for record in records
    ]


def test_every_command_has_a_line_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    shown = set(re.findall(r"^scalesheet ([a-z]+) ", text, re.MULTILINE))
    # The demo stands above, as the first thing to run; templates are listed by it.
    assert shown | {"demo", "templates"} == set(main.commands)


def test_every_dependency_earns_a_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    text = README.read_text(encoding="utf-8")
    for requirement in needed:
        assert ">=" in requirement, f"{requirement} has no lower bound"
        name = re.split(r"[><=\[]", requirement)[0]
        assert re.search(rf"^\| {name} \|", text, re.MULTILINE), f"README says nothing on {name}"


def test_the_test_command_is_the_one_that_ci_runs() -> None:
    assert "/pytest" in README.read_text(encoding="utf-8")
    assert "/bin/pytest" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def located(folder: Path, target: str) -> Path:
    """A file that a document points to; one inside a package is looked for where that is."""
    for package in (scalesheet, scalesheet_workbooks):
        _, name, inside = target.partition(f"{package.__name__}/")
        if name:
            return Path(package.__path__[0], inside)
    return folder / target


@pytest.mark.parametrize(
    "path", [README, ADDIN, TEMPLATES_README], ids=lambda path: path.parent.name
)
def test_links_and_pictures_exist(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert targets
    for target in targets:
        if not target.startswith("http"):
            assert located(path.parent, target).exists(), f"{path.name} points to {target}"


@pytest.mark.parametrize("name", TEMPLATES)
def test_shipped_workbook_is_what_is_built(name: str, pytestconfig: pytest.Config) -> None:
    path, wanted = BUILT / f"{name}.xlsx", build(name)
    if pytestconfig.getoption("update_golden"):
        path.write_bytes(wanted)
    assert path.read_bytes() == wanted, f"{path.name} is out of date: run pytest --update-golden"


def test_top_level_is_as_agreed() -> None:
    allowed = {"pyproject.toml", "addin", "workbook_templates", "tests", "README.md", "LICENSE"}
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert visible - {"build", "dist", "scalesheet-demo"} <= allowed
