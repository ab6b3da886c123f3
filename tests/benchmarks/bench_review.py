"""Review of one and of many proposals, beside recalculation in LibreOffice and beside sheetdelta.

Run ``python tests/benchmarks/bench_review.py [FILES]`` with the Python of an installed wheel, which
brings the templates as data; in a source tree a cold start builds them first. sheetdelta takes part
where it is on the PATH. Processor time of the process and its children is what is compared, because
it hardly depends on what else the machine does.

The latest figures are in workbook_templates/REVIEW.md.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rendering import FILTERS, libreoffice_profile, tool
from review.workbooks import BUDGET, TODAY, plausible
from scalesheet_workbooks.build import build
from scalesheet_workbooks.review import prebuilt
from scalesheet_workbooks.review.findings import MATERIALITY
from scalesheet_workbooks.review.many import reviews
from scalesheet_workbooks.review.run import review
from scalesheet_workbooks.scenarios import shipped

FILES, PROPOSALS, SLOW = 200, 10, 10
"""Budgets, cluster proposals, and how many of each LibreOffice gets."""
PROPOSAL = "cluster_proposal"
MEMORY = """
import datetime, os, sys
from pathlib import Path
from scalesheet_workbooks.review.run import review

for place, path in enumerate(sys.argv[1:], 1):
    review(Path(path), datetime.date(2026, 11, 30))
    if place in (5, len(sys.argv) - 1):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        print(place, pages * os.sysconf("SC_PAGESIZE") // 1_000_000)
"""


def cost(work: Callable[[], object], times: int = 1) -> float:
    """Seconds of processor time, the least of some runs."""

    def spent() -> float:
        now = os.times()
        return now.user + now.system + now.children_user + now.children_system

    best = float("inf")
    for _ in range(times):
        start = spent()
        work()
        best = min(best, spent() - start)
    return best


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run(arguments, check=True, capture_output=True)


def recalculated(paths: list[Path], folder: Path) -> Callable[[], object]:
    """LibreOffice opens, recalculates and saves files, all in one process."""
    profile = f"-env:UserInstallation={libreoffice_profile().as_uri()}"
    start = [tool("soffice", "libreoffice-calc"), profile, "--headless", "--norestore"]
    target = ["--convert-to", FILTERS["xlsx"], "--outdir", str(folder)]
    return command(*start, *target, *map(str, paths))


def say(words: str, seconds: float, beside: float | None = None) -> None:
    ratio = "" if beside is None else f"   {seconds / beside:6.1f} times"
    print(f"{words:52}{1000 * seconds:8.0f} ms{ratio}", flush=True)


def many(paths: list[Path], folder: Path, what: str) -> None:
    """Many files of a template."""
    review(paths[0], TODAY)  # the template is loaded or built once
    ours = cost(lambda: [review(path, TODAY) for path in paths], 3) / len(paths)
    say(f"review of one of {len(paths)} {what}", ours)
    start = time.perf_counter()
    wall = len(list(reviews(paths, TODAY, MATERIALITY))) / (time.perf_counter() - start)
    print(f"  on all cores {wall:.1f} files a second")
    slow = paths[:SLOW]
    recalculated(slow[:1], folder)()
    each = cost(recalculated(slow, folder)) / len(slow)
    say(f"  LibreOffice recalculates one of {len(slow)}", each, ours)
    one = cost(recalculated(slow[:1], folder), 2)
    say("  LibreOffice recalculates one alone", one, ours)


def cold(path: Path, what: str) -> None:
    """From nothing to the verdict, beside what everyone pays who reads a workbook in Python."""
    python = sys.executable
    bare = cost(command(python, "-c", "import openpyxl"), 5)
    main_ = "from scalesheet_workbooks.cli import main; main()"
    say("import openpyxl, cold", bare)
    say(
        "scalesheet review --help, cold",
        cost(command(python, "-c", main_, "review", "-h"), 5),
        bare,
    )
    start = [python, "-c", main_, "review", "--fail-on", "never"]
    say(f"scalesheet review of {what}, cold", cost(command(*start, str(path)), 5), bare)


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    print("templates", "as the wheel brings them" if prebuilt.names() else "built anew")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "out").mkdir()
        budgets = [folder / f"budget_{place}.xlsx" for place in range(count)]
        for place, path in enumerate(budgets):
            path.write_bytes(build(BUDGET, plausible(place)))
        proposals = [folder / f"proposal_{place}.xlsx" for place in range(PROPOSALS)]
        data = build(PROPOSAL, shipped(PROPOSAL))
        for path in proposals:
            path.write_bytes(data)
        cold(budgets[0], "a budget")
        cold(proposals[0], "a proposal")
        if (other := shutil.which("sheetdelta")) and count > 1:
            pair = [other, "diff", "--fail-on", "never", *map(str, budgets[:2])]
            say("sheetdelta diff of two budgets, cold", cost(command(*pair), 5))
        many(budgets, folder / "out", "budgets")
        many(proposals, folder / "out", "proposals")
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, *map(str, budgets)], capture_output=True, text=True
        )
        for line in done.stdout.splitlines():
            place, size = line.split()
            print(f"memory after {place} files {size} MB")


if __name__ == "__main__":
    main()
