"""One fit serves many cells: SCALING_PREDICT for 1,000 sizes, at once and one by one.

Run ``python tests/benchmarks/bench_calibration.py [ROUNDS]``; the goals are an array of 1,000 sizes
for less than 3 times one call with its fit, and 1,000 single calls for less than 3 times the array.
Every round measures other figures, so that nothing is kept from the one before. Times are of the
process alone, and the least of all rounds counts: what else the machine does is not ours.

Measured (Python 3.11, two cores, 40 rounds): array over one call 2.7 to 2.9, single calls over the
array 1.6.
"""

import sys
import time
from collections.abc import Callable

from scalesheet import scaling_predict
from scalesheet.calibration import fit

CELLS = 1_000
NODES = (1, 2, 4, 8)
MEASURED = (100.0, 196.0, 380.0, 735.0)
WANTED = [float(nodes) for nodes in range(1, CELLS + 1)]

Measured = tuple[float, ...]


def only_fit(measured: Measured) -> object:
    """The fit without a forecast."""
    return fit(list(zip(NODES, measured, strict=True)))


def one_call(measured: Measured) -> object:
    """One cell: the fit and one forecast."""
    return scaling_predict(16.0, "other", NODES, measured)


def one_array(measured: Measured) -> object:
    """1,000 sizes in one call."""
    return scaling_predict([[nodes] for nodes in WANTED], "other", NODES, measured)


def single_calls(measured: Measured) -> object:
    """1,000 cells over the same points, as a sheet calculates them."""
    return [scaling_predict(nodes, "other", NODES, measured) for nodes in WANTED]


def forecasts_alone(measured: Measured) -> object:
    """1,000 forecasts of a fit that is there, without cells and checks."""
    found = fit(list(zip(NODES, measured, strict=True)))
    return [found.throughput(nodes) for nodes in WANTED]


CALLS: tuple[Callable[[Measured], object], ...] = (
    only_fit,
    one_call,
    one_array,
    single_calls,
    forecasts_alone,
)


def seconds(rounds: int) -> dict[str, float]:
    """Least times, the calls in turns so that a slow moment meets them all; figures never met."""
    times: dict[str, list[float]] = {call.__name__: [] for call in CALLS}
    for turn in range(rounds):
        for place, call in enumerate(CALLS):
            unit = 1 + (1 + turn * len(CALLS) + place) / 1024
            measured = tuple(value * unit for value in MEASURED)
            began = time.process_time()
            call(measured)
            times[call.__name__].append(time.process_time() - began)
    return {name: min(taken) for name, taken in times.items()}


def main(rounds: int = 40) -> None:
    """Print the times and their ratios."""
    alone = single_calls(MEASURED)
    assert one_array(MEASURED) == [[value] for value in alone]  # type: ignore[attr-defined]
    taken = seconds(rounds)
    for name, time_taken in taken.items():
        print(f"{name.replace('_', ' '):<16}{1e3 * time_taken:8.1f} ms")
    one, array = taken["one_call"], taken["one_array"]
    print(f"array of {CELLS:,} over one call: {array / one:.2f} (goal < 3)")
    print(f"array of {CELLS:,} over one fit and {CELLS:,} forecasts: "
          f"{array / taken['forecasts_alone']:.2f}")  # fmt: skip
    print(f"{CELLS:,} single calls over one array: {taken['single_calls'] / array:.2f} (goal < 3)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
