"""Review of one and of many proposals, beside the way through LibreOffice and beside sheetdelta.

Run ``python tests/benchmarks/bench_review.py [FILES]``; sheetdelta takes part where it is on the
PATH. Ratios are printed, not times alone: machines differ.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rendering import convert
from review.workbooks import BUDGET, TODAY, plausible
from scalesheet_workbooks.build import build
from scalesheet_workbooks.review.run import review

FILES = 200
SLOW_WAY_FILES = 3
"""Of these the slow way is measured, and taken times as many."""


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The best of some runs."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"proposal_{place}.xlsx" for place in range(count)]
        for place, path in enumerate(paths):
            path.write_bytes(build(BUDGET, plausible(place)))
        review(paths[0], TODAY)  # the template is built once
        ours = seconds(lambda: [review(path, TODAY) for path in paths], 1) / count
        (folder / "out").mkdir()
        slow = seconds(
            lambda: [convert(path, folder / "out", "xlsx") for path in paths[:SLOW_WAY_FILES]], 1
        ) / min(SLOW_WAY_FILES, count)
        print(f"review of one of {count} proposals        {1000 * ours:8.0f} ms")
        print(
            f"recalculation in LibreOffice         {1000 * slow:8.0f} ms, {slow / ours:.1f} times"
        )
        bare = seconds(command("-c", "import openpyxl"))
        whole = seconds(
            command(
                "-c",
                "import sys; from scalesheet_workbooks.cli import main; "
                "main(['review', '--fail-on', 'never', sys.argv[1]])",
                str(paths[0]),
            )
        )
        print(f"import openpyxl                      {1000 * bare:8.0f} ms")
        print(
            f"scalesheet review, cold              {1000 * whole:8.0f} ms, {whole / bare:.1f} times"
        )
        other = shutil.which("sheetdelta")
        if other and count > 1:
            pair = [other, "diff", "--fail-on", "never", str(paths[0]), str(paths[1])]
            diff = seconds(lambda: subprocess.run(pair, check=True, capture_output=True))
            print(f"sheetdelta diff, cold                {1000 * diff:8.0f} ms")


if __name__ == "__main__":
    main()
