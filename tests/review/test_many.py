"""Many files: on several processes the same as one by one, and memory that does not grow."""

import subprocess
import sys
from pathlib import Path

import pytest

from review.workbooks import TODAY, filled
from scalesheet_workbooks.review import many
from scalesheet_workbooks.review.findings import MATERIALITY
from scalesheet_workbooks.review.run import review

GROWTH_MB = 12
"""A review holds some 15 MB; 24 files of which each left a tenth of that behind would show."""
SCRIPT = """
import os, sys
from pathlib import Path
from scalesheet_workbooks.review.run import review

for place in range(30):
    assert not review(Path(sys.argv[1])).unreadable
    if place in (5, 29):
        # What is held now: the most that was ever held counts the process that started this one.
        print(int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE"))
"""


def test_processes_give_the_same_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / f"{name}.xlsx" for name in "abcd"]
    for path in paths:
        path.write_bytes(filled())
    paths[1].write_bytes(b"PK no workbook")
    expected = [review(path, TODAY) for path in paths]
    monkeypatch.setattr(many, "FEW", 2)
    monkeypatch.setattr(many, "cores", lambda: 2)
    assert list(many.reviews(paths, TODAY, MATERIALITY)) == expected
    assert [one.unreadable != "" for one in expected] == [False, True, False, False]


def test_memory_does_not_grow_with_the_number_of_files(tmp_path: Path) -> None:
    path = tmp_path / "proposal.xlsx"
    path.write_bytes(filled())
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)], capture_output=True, text=True, check=True
    )
    after_six, after_thirty = map(int, done.stdout.split())
    assert after_thirty - after_six < GROWTH_MB * 1e6
