"""What importing scalesheet and calling a function cost: python tests/benchmarks/bench_import.py.

Times are medians on this machine and mean little on another; the ratios travel better.
"""

import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Sequence

import scalesheet
from scalesheet import cost, scaling

STARTS = 31
BATCHES, CALLS = 15, 20_000


def start_seconds(statement: str) -> float:
    """The time that a new Python takes for one statement."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - begun


def starts(statements: Sequence[str]) -> list[float]:
    """Medians for several statements, taken in turns so that a slow moment meets them all."""
    rounds = [[start_seconds(statement) for statement in statements] for _ in range(STARTS)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def call_seconds(call: Callable[[], object]) -> float:
    """The median time of one call."""
    return statistics.median(timeit.repeat(call, number=CALLS, repeat=BATCHES)) / CALLS


def print_pair(name: str, seconds: float, base_name: str, base: float, unit: str) -> None:
    """One line: a time beside its base, and how many times the base it is."""
    scale = {"ms": 1e3, "us": 1e6}[unit]
    print(
        f"{name:<28} {scale * seconds:8.2f} {unit}   "
        f"{base_name:<22} {scale * base:8.2f} {unit}   x {seconds / base:.2f}"
    )


def main() -> None:
    """Print the import and two calls beside what they cannot be faster than."""
    bare, imported = starts(["pass", "import scalesheet"])
    print_pair("import scalesheet", imported, "python -c pass", bare, "ms")
    budget = (64, 120, 2.5, 0.8, 0.15, 200, 150)
    for name, checked, body in (
        (
            "scaling_eff",
            lambda: scalesheet.scaling_eff(4, "NDR", 0.5),
            lambda: scaling.scaling_eff(4, "NDR", 0.5),
        ),
        (
            "train_cost",
            lambda: scalesheet.train_cost(*budget),
            lambda: cost.train_cost(*budget),
        ),
    ):
        print_pair(
            f"{name}, checked", call_seconds(checked), "its bare body", call_seconds(body), "us"
        )


if __name__ == "__main__":
    main()
