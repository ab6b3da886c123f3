"""What other reviewers of workbooks find of the seeded edits of our suite.

Run ``python tests/benchmarks/bench_findings.py`` with sheetdelta and spreadsheet-auditor on the
PATH; each gets every edited file, sheetdelta also the file before the edit. Found is an edit when
something new is reported at its cell, or, of an edit without a cell, anywhere. The latest figures
are in workbook_templates/REVIEW.md.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rendering import tool
from review.edits import SEEDS, Seed
from review.workbooks import TODAY, above_info, edited, filled
from scalesheet_workbooks.review.run import review

Report = set[tuple[str, str]]
"""What is said, and of which cell."""


def ours(path: Path, base: Path) -> Report:
    found = above_info(review(path, TODAY))
    return {(one.rule.id, f"{one.sheet}!{cell}") for one in found for cell in one.cells or ("",)}


def sheetdelta(path: Path, base: Path) -> Report:
    command = [tool("sheetdelta", "pip"), "diff", "--json", "--fail-on", "never", base, path]
    done = subprocess.run(command, capture_output=True, text=True)
    return set(_changes(json.loads(done.stdout))) if done.stdout.startswith("{") else set()


def _changes(node: Any) -> Iterator[tuple[str, str]]:
    """Every change of a report: a cell, a moved block, a sheet added."""
    for sheet in node.get("sheets", ()):
        if sheet["kind"] != "changed":
            yield sheet["kind"], sheet["name"]
        for change in sheet.get("changes", ()):
            yield change["kind"], change["cell"]
        for kind in ("shifts", "moves"):
            for change in sheet.get(kind, ()):
                yield kind, f"{sheet['name']}!{json.dumps(change, sort_keys=True)}"


def auditor(path: Path, base: Path) -> Report:
    report = path.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [tool("spreadsheet-auditor", "pip"), path, "--quiet", "--json", report]
    subprocess.run(command, capture_output=True, cwd=path.parent)
    if not report.exists():
        return set()
    return {
        (one["rule_id"], member)
        for one in json.loads(report.read_text(encoding="utf-8"))["findings"]
        for member in one["members"] or [one["location"]]
    }


TOOLS: dict[str, Callable[[Path, Path], Report]] = {
    "scalesheet review": ours,
    "sheetdelta": sheetdelta,
    "spreadsheet-auditor": auditor,
}


def is_found(seed: Seed, report: Report) -> bool:
    """Whether a report has something at the cell of an edit."""
    sheet, _, cell = seed.where.partition("!")
    if not re.fullmatch(r"[A-Z]+[0-9]+", cell):
        return any(where.startswith(sheet) for _, where in report)
    return any(where == seed.where for _, where in report)


def main() -> None:
    """Print who found what."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bases = [folder / "built.xlsx", folder / "saved.xlsx"]
        for base, data in zip(bases, (filled(), edited()), strict=True):
            base.write_bytes(data)
        known = {title: [run(base, base) for base in bases] for title, run in TOOLS.items()}
        alarms = {title: len(min(reports, key=len)) for title, reports in known.items()}
        count = dict.fromkeys(TOOLS, 0)
        for seed in SEEDS:
            path = folder / "edited.xlsx"
            path.write_bytes(seed.make())
            marks = []
            for title, run in TOOLS.items():
                # The file before the edit as the same program saved it: what is reported is least.
                new = min(
                    (
                        run(path, base) - before
                        for base, before in zip(bases, known[title], strict=True)
                    ),
                    key=len,
                )
                marks.append(is_found(seed, new))
                count[title] += marks[-1]
            print(*("x" if mark else "." for mark in marks), seed.rule, seed.name, flush=True)
        for title, found in count.items():
            print(f"{title:20} {found} of {len(SEEDS)}, {alarms[title]} on the file without edits")


if __name__ == "__main__":
    main()
