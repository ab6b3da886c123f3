"""1,048,576 rows of TRAIN_COST, beside the same expression written by hand in NumPy.

Run ``python tests/benchmarks/bench_columns.py [ROUNDS]``; the goal is a ratio of 2 or less. Both
begin with the tuples of tuples that COM hands over. By hand there are no checks, and nothing is
said of bad rows.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy

from scalesheet.registry import REGISTRY
from scalesheet.surfaces import columns
from scalesheet.surfaces.calls import answer
from scalesheet.surfaces.deliveries import SHEET_ROWS

Column = tuple[tuple[float], ...]
TRAIN_COST = REGISTRY["TRAIN_COST"]
LIMITS = ((1, 1000), (1, 5000), (0.3, 20), (0.1, 1), (0, 1), (0, 1e4), (0, 1e4))


def inputs() -> list[Column]:
    """A column for each argument."""
    rng = random.Random(1)
    return [
        tuple(
            (float(rng.randint(low, high)) if low == 1 else rng.uniform(low, high),)  # type: ignore[arg-type]
            for _ in range(SHEET_ROWS)
        )
        for low, high in LIMITS
    ]


def cost(arrays: list[Any]) -> Any:
    """The formula."""
    gpus, hours, price, efficiency, rework, storage, egress = arrays
    compute = gpus * (hours / efficiency) * price
    return compute + compute * rework + storage + egress


def plain(given: list[Column]) -> Any:
    """By hand, as most would write it."""
    return cost([numpy.array(column, dtype=float) for column in given])


def quick(given: list[Column]) -> Any:
    """By hand, with the quickest way from tuples to an array."""
    flat = (chain.from_iterable(column) for column in given)
    return cost([numpy.fromiter(values, float, SHEET_ROWS) for values in flat])


def seconds(call: Callable[[], object], rounds: int) -> float:
    """The median time of a call."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main(rounds: int = 5) -> None:
    """Print the times and their ratios."""
    given = inputs()
    assert answer(TRAIN_COST, given) == plain(given).tolist()
    ours = seconds(lambda: answer(TRAIN_COST, given), rounds)
    print(f"{SHEET_ROWS:,} rows of TRAIN_COST: {ours:.2f} s, cells in, cells out, checked")
    for name, call in {
        "numpy.array, to an array": lambda: plain(given),
        "numpy.array, to rows": lambda: plain(given).tolist(),
        "numpy.fromiter, to an array": lambda: quick(given),
        "numpy.fromiter, to rows": lambda: quick(given).reshape(-1, 1).tolist(),
    }.items():
        hand = seconds(call, rounds)
        print(f"by hand, {name:<28} {hand:.2f} s  ratio {ours / hand:.2f}")
    columns.SMALLEST = SHEET_ROWS + 1
    loop = seconds(lambda: answer(TRAIN_COST, given), 1)
    print(f"the plain loop, without NumPy:       {loop:.2f} s  {loop / ours:.0f} times as long")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
