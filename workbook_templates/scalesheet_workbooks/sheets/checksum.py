"""The checksum of inputs: one number that tells whether figures written by a program are stale.

A sum over rows, each with a weight of its own. The weights are square roots of primes, so that no
two changes cancel, over the usual size of the row's unit, so that each row counts. They depend on
the template alone.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from scalesheet.quantities import MONEY
from scalesheet_workbooks.spec import Line

USUAL_SIZE = {
    MONEY: 1e6,
    f"{MONEY}/node": 1e5,
    "GPU-h": 1e6,
    "h": 1e3,
    "GPUs": 1e2,
    "nodes": 1e1,
    "units/s": 1e4,
}


def primes() -> Iterator[int]:
    """The primes from 2 on.

    >>> found = primes()
    >>> [next(found) for _ in range(5)]
    [2, 3, 5, 7, 11]
    """
    known: list[int] = []
    number = 2
    while True:
        if all(number % prime for prime in known):
            known.append(number)
            yield number
        number += 1


def weights(lines: Iterable[Line]) -> list[float]:
    """The weight of each row."""
    return [
        math.sqrt(prime) / USUAL_SIZE.get(line.unit, 1.0)
        for line, prime in zip(lines, primes(), strict=False)
    ]


def checksum(lines: Sequence[Line], values: Sequence[float]) -> float:
    """The checksum of the values of the rows; what is not given counts as 0."""
    return math.fsum(w * value for w, value in zip(weights(lines), values, strict=True))
