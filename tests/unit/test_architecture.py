"""Who imports whom, what an import loads, and what the wheel holds."""

import ast
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest

import scalesheet
import scalesheet_workbooks

PACKAGES = (scalesheet, scalesheet_workbooks)
CORE, WORKBOOKS = "scalesheet", "scalesheet_workbooks"

# --- Imports, from the sources of the packages as they are installed -----------------------------


def modules() -> Iterator[tuple[str, str]]:
    """The name and the source of every module of ours."""
    for package in PACKAGES:
        root = Path(str(package.__file__)).parent
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root.parent).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), path.read_text(encoding="utf-8")


SOURCES = dict(modules())


def imports(source: str) -> set[str]:
    """Every module that a source imports, at once or when a function runs."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of some packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@dataclass(frozen=True, slots=True)
class ImportRule:
    """Modules that may not import others; ``but`` are the modules to which it does not apply."""

    says: str
    of: tuple[str, ...]
    not_these: tuple[str, ...]
    but: tuple[str, ...] = ()

    def faults(self, sources: dict[str, str]) -> list[str]:
        """The imports against the rule."""
        return [
            f"{module} imports {imported}"
            for module, source in sources.items()
            if is_in(module, self.of) and not is_in(module, self.but)
            for imported in sorted(imports(source))
            if is_in(imported, self.not_these)
        ]


MATHS = tuple(
    f"scalesheet.{name}"
    for name in (
        "scaling",
        "workload",
        "cost",
        "billing",
        "reliability",
        "ownership",
        "gpus",
        "selection",
        "catalog",
        "measurements",
        "fabric_classes",
        "calibration",
        "predictions",
        "batch_size",
        "pert",
        "lattice",
        "risk",
        "simulation",
    )
)
BASE = tuple(
    f"scalesheet.{name}" for name in ("domains", "quantities", "hints", "errors", "arrays")
)
REGISTRY = "scalesheet.registry"
SURFACES = "scalesheet.surfaces"
RULES = (
    ImportRule("the core knows no workbooks", (CORE,), (WORKBOOKS,)),
    ImportRule("the maths knows no surface", (*MATHS, *BASE, REGISTRY), (SURFACES,)),
    ImportRule("the maths knows no translator", (*MATHS, *BASE, REGISTRY), ("scalesheet.formula",)),
    ImportRule("the registry knows no maths", (*BASE, REGISTRY), MATHS),
    ImportRule("quantities and errors know no registry", BASE, (REGISTRY,)),
    ImportRule("the core writes no workbooks", (CORE,), ("openpyxl", "formualizer")),
    ImportRule("the core is no command", (CORE,), ("click", "rich")),
    ImportRule(
        "xlwings is for Excel alone",
        (CORE, WORKBOOKS),
        ("xlwings",),
        but=("scalesheet.surfaces.excel",),
    ),
    ImportRule(
        "click is for the command alone", (WORKBOOKS,), ("click", "rich"), but=(f"{WORKBOOKS}.cli",)
    ),
    ImportRule(
        "what a budget is needs no library of workbooks",
        tuple(f"{WORKBOOKS}.{name}" for name in ("spec", "inputs", "study", "claims")),
        ("openpyxl", "formualizer"),
    ),
    ImportRule("nobody asks for its version when imported", (CORE,), ("importlib.metadata",)),
    ImportRule(
        "numerical libraries are for whole columns",
        (CORE, WORKBOOKS),
        ("numpy", "scipy", "pandas"),
        but=("scalesheet.surfaces.columns", "scalesheet.simulation"),
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.says)
def test_imports(rule: ImportRule) -> None:
    assert rule.faults(SOURCES) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.says)
def test_an_import_against_the_rule_is_seen(rule: ImportRule) -> None:
    for module in rule.of:
        for wrong in rule.not_these:
            package, _, name = wrong.rpartition(".")
            ways = [f"import {wrong}", f"import {wrong}.deep", f"from {wrong} import deep"]
            ways += [f"def f():\n    import {wrong}"]
            ways += [f"from {package} import {name}"] * bool(package)
            for way in ways:
                assert len(rule.faults({f"{module}.x": way})) == 1, way
            assert rule.faults({f"{module}.x": f"import {wrong}_other"}) == []
    for module in rule.but:
        assert rule.faults({module: f"import {rule.not_these[0]}"}) == []


def test_the_rules_speak_of_modules_that_exist() -> None:
    ours = {name for rule in RULES for name in (*rule.of, *rule.but)}
    assert ours <= set(SOURCES)


# --- What an import loads ------------------------------------------------------------------------

HEAVY = ("openpyxl", "xlwings", "formualizer", "numpy", "click", "rich", "importlib.metadata")


def loaded_by(statement: str, heavy: tuple[str, ...] = HEAVY) -> list[str]:
    """The heavy modules that a statement loads in a new Python."""
    script = f"import sys\n{statement}\nprint(*(n for n in {heavy} if n in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import scalesheet", HEAVY),
        ("import scalesheet.surfaces.cells", HEAVY),
        ("import scalesheet.surfaces.excel.lambdas", HEAVY),
        ("import scalesheet_workbooks", HEAVY),
        *(
            (f"import scalesheet_workbooks.{name}", ("openpyxl", "xlwings", "formualizer"))
            for name in ("spec", "inputs", "study", "claims")
        ),
    ],
)
def test_an_import_loads_nothing_heavy(statement: str, heavy: tuple[str, ...]) -> None:
    assert loaded_by(statement, heavy) == []


def test_what_is_heavy_is_seen() -> None:
    loaded = loaded_by("import scalesheet, openpyxl, importlib.metadata")
    assert {"openpyxl", "importlib.metadata"} <= set(loaded)
    assert "xlwings" not in loaded


# --- The wheel -----------------------------------------------------------------------------------

SUFFIXES = (".py", ".csv", ".toml", ".bas", ".cls", "/py.typed", "/review/expected.zip")
REQUIRED = (
    "scalesheet/__init__.py",
    "scalesheet/py.typed",
    "scalesheet/catalog/gpus.csv",
    "scalesheet/catalog/prices.csv",
    "scalesheet/surfaces/excel/vba_modules/ScalesheetCalls.bas",
    "scalesheet_workbooks/py.typed",
    "scalesheet_workbooks/scenarios/training_run_budget.toml",
    "scalesheet_workbooks/scenarios/cluster_proposal.toml",
    ".dist-info/licenses/LICENSE",
    ".dist-info/METADATA",
    ".dist-info/entry_points.txt",
)
LEFT_BY_INSTALLERS = ("direct_url.json", "INSTALLER", "REQUESTED", "_scalesheet.pth")


def wheel_faults(names: list[str]) -> list[str]:
    """What is in a wheel and should not be, and what is not and should."""
    extra = [
        name
        for name in names
        if not (name.startswith((f"{CORE}/", f"{WORKBOOKS}/")) and name.endswith(SUFFIXES))
        and not name.split("/")[0].endswith(".dist-info")
    ]
    missing = [end for end in REQUIRED if not any(name.endswith(end) for name in names)]
    return [f"{name} is too much" for name in extra] + [f"{end} is missing" for end in missing]


def wheel_names() -> list[str]:
    """The files of the wheel under test, or of the packages and metadata that are installed."""
    if wheel := os.environ.get("SCALESHEET_CI_WHEEL"):
        return zipfile.ZipFile(wheel).namelist()
    roots = [Path(str(package.__file__)).parent for package in PACKAGES]
    ours = [
        path.relative_to(root.parent).as_posix()
        for root in roots
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    installed = [str(path) for path in metadata.files("scalesheet") or []]
    about = [n for n in installed if n.split("/")[0].endswith(".dist-info")]
    return ours + [name for name in about if not name.endswith(LEFT_BY_INSTALLERS)]


def test_wheel() -> None:
    assert wheel_faults(wheel_names()) == []


@pytest.mark.parametrize(
    "name",
    [
        "tests/test_x.py",
        "conftest.py",
        "README.md",
        "scalesheet/.mypy_cache/x.json",
        "scalesheet/x.xlsx",
        "scalesheet/py.typed.bak",
        "scalesheet_other/x.py",
        "workbook_templates/scalesheet_workbooks/x.py",
    ],
)
def test_what_is_too_much_in_a_wheel_is_seen(name: str) -> None:
    assert wheel_faults([*wheel_names(), name]) == [f"{name} is too much"]


@pytest.mark.parametrize("end", REQUIRED)
def test_what_is_missing_in_a_wheel_is_seen(end: str) -> None:
    names = [name for name in wheel_names() if not name.endswith(end)]
    assert f"{end} is missing" in wheel_faults(names)
