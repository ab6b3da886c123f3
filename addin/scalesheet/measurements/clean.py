"""The raw collection of measurements made into the file of this package; run again at any time.

    python -m scalesheet.measurements.clean RAW.csv CLEAN.csv

No row is dropped and no value is changed. What a careful reader would stumble over is written into
the column ``flags``; ``family``, ``measure`` and ``fabric_class`` are derived here, by the rules
below, so that they can be read, argued with and changed in one place. A file that is already clean
comes out as it went in.
"""

import csv
import re
import sys
from collections import defaultdict
from pathlib import Path

from scalesheet.measurements.classes import MLPERF as MLPERF_CLASS

Row = dict[str, str]

COLUMNS = (
    *("series", "family", "measure", "scaling", "fabric_class", "backtest", "source", "path"),
    *("workload", "hardware", "interconnect", "gpus_per_node", "gpus", "value", "unit"),
    *("flags", "notes"),
)
MLPERF = "mlcommons/training_results"
PER_GPU_MARGIN = 1.2
"""Efficiency at or below this over the ratio of sizes is what per-GPU figures look like."""
TELLING_DIGITS = 5
"""Two figures of so many digits that agree are one measurement, whatever the workload is called."""

NEWER_GPU = re.compile(r"h100|h200|b200|blackwell", re.IGNORECASE)
CLASS_RULES = (
    ("EDR shared", "", r"EDR 100 Gb/s \(1 HCA per 8 GPUs\)"),
    ("V100 EDR", r"V100", r"EDR 100 Gb/s x[48]"),
    ("A100 HDR", r"A100", r"HDR 200 Gb/s x8"),
    ("RoCE 1600", "", r"RoCE 1600"),
    ("Ethernet 10 K80", r"K80", r"Ethernet 10 Gb/s"),
    ("H100 NDR-class", r"(?i)h100|h200|b200|blackwell", r"NDR|not stated"),
)
"""Class, hardware, interconnect (regular expressions); the first that fits. Eight and four EDR
ports of a DGX-2 or DGX-1 are not the one port that eight GPUs share, hence two classes. H100 rows
count as NDR-class where the fabric is NDR or not stated, and the name says that it is a class."""


def clean(rows: list[Row]) -> list[Row]:
    """The same rows with the derived columns and the flags."""
    cleaned = [_derived(row) for row in rows]
    for series_rows in _by_series(cleaned).values():
        _flag_series(series_rows)
    first_of: dict[tuple[str, ...], Row] = {}
    for row in cleaned:
        key = (row["family"], row["hardware"], row["gpus"], row["value"], row["unit"])
        first = first_of.setdefault(key, row)
        same = first["workload"] == row["workload"] or _digits(row["value"]) >= TELLING_DIGITS
        if first is not row and same and "rounded" not in row["flags"]:
            _flag(row, "duplicate")
    return cleaned


def _derived(row: Row) -> Row:
    publisher = row["source"].split("@")[0]
    is_mlperf = publisher.startswith(MLPERF)
    minutes = row["unit"].startswith("minutes")
    mixed = row["scaling"].startswith(("strong/weak", "mixed"))
    unit = "minutes to train" if minutes else row["unit"].split(" (")[0]
    notes = row["notes"]
    if "(" in row["unit"] and row["unit"] != unit:
        how = (
            row["unit"].split(" (", 1)[1].rstrip(")").replace(", my recomputation", ", recomputed")
        )
        notes = "; ".join(filter(None, (notes, how)))
    family = f"MLPerf/{row['series'].split('-')[2]}" if is_mlperf else publisher
    derived = {
        **row,
        "family": family,
        "measure": "time_to_train" if minutes else "throughput",
        "scaling": "mixed" if mixed else row["scaling"],
        "unit": unit,
        "notes": notes,
        "flags": "",
    }
    derived["fabric_class"] = _fabric_class(derived, is_mlperf)
    return {name: derived[name] for name in COLUMNS}


def _fabric_class(row: Row, is_mlperf: bool) -> str:
    """The class of a row, or nothing; MLPerf throughput on H100 and newer is one of its own."""
    if is_mlperf:
        strong = row["measure"] == "throughput" and NEWER_GPU.search(row["hardware"])
        return MLPERF_CLASS if strong else ""
    for name, hardware, interconnect in CLASS_RULES:
        if re.search(hardware, row["hardware"]) and re.search(interconnect, row["interconnect"]):
            return name
    return ""


def _flag_series(rows: list[Row]) -> None:
    """Flags that need the other rows of the series: the most common setting is the usual one."""
    usual_node = max(int(row["gpus_per_node"]) for row in rows)
    full = [row for row in rows if int(row["gpus"]) % int(row["gpus_per_node"]) == 0]
    for row in rows:
        if int(row["gpus"]) % int(row["gpus_per_node"]):
            _flag(row, "partial_node")
        if int(row["gpus_per_node"]) != usual_node:
            _flag(row, "other_node")
        if "DIGITISED" in row["notes"]:
            _flag(row, "digitised")
        if "rounded" in row["notes"]:
            _flag(row, "rounded")
    _flag_changes(rows, "batch_changed", r"(?:microbatch|gbs)=(\d+)")
    _flag_changes(rows, "software_changed", r"system=\S*?((?:ngc|_)\d\d\.\d\d)")
    if full and full[0]["measure"] == "throughput":
        base = min(full, key=lambda row: int(row["gpus"]))
        for row in full:
            ratio = int(row["gpus"]) / int(base["gpus"])
            kept = float(row["value"]) / float(base["value"]) / ratio
            if ratio >= 2 and kept <= PER_GPU_MARGIN / ratio:
                _flag(row, "looks_per_gpu")


def _flag_changes(rows: list[Row], flag: str, pattern: str) -> None:
    """Flag the rows whose setting is not that of the series' largest run."""
    settings = {id(row): re.findall(pattern, row["notes"]) for row in rows}
    largest = max(rows, key=lambda row: int(row["gpus"]))
    for row in rows:
        if settings[id(row)] and settings[id(row)] != settings[id(largest)]:
            _flag(row, flag)


def _flag(row: Row, flag: str) -> None:
    row["flags"] = " ".join(filter(None, (row["flags"], flag)))


def _digits(value: str) -> int:
    return len(value.replace(".", "").strip("0"))


def _by_series(rows: list[Row]) -> dict[str, list[Row]]:
    series: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        series[row["series"]].append(row)
    return series


def main(raw: str, target: str) -> None:
    """Read one file, write the other."""
    with Path(raw).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with Path(target).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(clean(rows))


if __name__ == "__main__":
    main(*sys.argv[1:3])
