"""The same study gives the same bytes: on another day, under another hash seed, without lxml.

Run as a script, this file writes every template into a folder, as if on a given day.
"""

import dataclasses
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.scenarios import shipped
from scalesheet_workbooks.study import Study

RUNS = (("0", "True"), ("1", "False"), ("random", "True"))
"""Hash seed, and whether openpyxl uses lxml."""
SECONDS_APART = 1.5


def digest(name: str, study: Study | None = None) -> str:
    return hashlib.sha256(build(name, study)).hexdigest()


def write_all(folder: Path) -> None:
    """Every template into a folder, and whether openpyxl used lxml."""
    from openpyxl.xml import LXML

    for name in TEMPLATES:
        (folder / f"{name}.xlsx").write_bytes(build(name))
    (folder / "lxml").write_text(str(bool(LXML)), encoding="utf-8")


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Folders with all templates, built in processes of their own, some time apart."""
    folders = []
    for number, (seed, lxml) in enumerate(RUNS):
        folder = tmp_path_factory.mktemp(f"run{number}")
        settings = {
            "PYTHONHASHSEED": seed,
            "OPENPYXL_LXML": lxml,
            "TZ": "Pacific/Kiritimati" if number % 2 else "UTC",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        # Elsewhere on the disk too: the folder must leave no trace.
        command = [sys.executable, __file__, str(folder)]
        subprocess.run(command, env=os.environ | settings, check=True, cwd=folder, timeout=120)
        folders.append(folder)
        if number == 0:
            time.sleep(SECONDS_APART)
    return folders


def test_the_runs_differ_as_they_should(builds: list[Path]) -> None:
    used = [(folder / "lxml").read_text(encoding="utf-8") for folder in builds]
    assert used == [lxml for _, lxml in RUNS]
    made = [(folder / "training_run_budget.xlsx").stat().st_mtime for folder in builds]
    assert made[1] - made[0] > SECONDS_APART


@pytest.mark.parametrize("name", TEMPLATES)
def test_same_bytes_every_time(builds: list[Path], name: str) -> None:
    made = {hashlib.sha256((b / f"{name}.xlsx").read_bytes()).hexdigest() for b in builds}
    assert made == {digest(name)}


def test_changed_inputs_change_the_bytes() -> None:
    study = shipped()
    first, *others = study.scenarios
    dearer = dataclasses.replace(first, values={**first.values, "in.gpu_hour_price": 2.51})
    renamed = dataclasses.replace(first, name="Baseline")
    studies = [
        study,
        dataclasses.replace(study, scenarios=(dearer, *others)),
        dataclasses.replace(study, scenarios=(renamed, *others)),
        dataclasses.replace(study, scenarios=(*others, first)),
        dataclasses.replace(study, currency="EUR"),
        dataclasses.replace(study, owner="A. Owner"),
    ]
    digests = [digest("training_run_budget", changed) for changed in studies]
    assert len(set(digests)) == len(studies)


def test_function_check_does_not_depend_on_the_study() -> None:
    other = dataclasses.replace(shipped(), title="Other", owner="", currency="EUR")
    for name, template in TEMPLATES.items():
        if not template.uses_scenarios:
            assert digest(name, other) == digest(name), name


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
