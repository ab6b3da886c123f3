"""The short way of a call whose arguments are plain: the answer of the long way, or none."""

import math
import random

import pytest

from arguments import arguments
from scalesheet.domains import Quantity
from scalesheet.errors import ScalesheetError
from scalesheet.registry import REGISTRY, Function

SETS = 500
ODD = [
    None,
    "",
    "x",
    True,
    0,
    4,
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    1e308,
    5e-324,
    math.nan,
    math.inf,
    [[1]],
]


def ends(record: Function) -> list[float]:
    """The limits of a function's arguments, and what is next to them."""
    return [
        value
        for parameter in record.parameters
        if isinstance(parameter.domain, Quantity)
        for end in (parameter.domain.low, parameter.domain.high)
        for value in (end, math.nextafter(end, -math.inf), math.nextafter(end, math.inf))
    ]


@pytest.mark.parametrize("name", REGISTRY)
def test_same_answer_or_none(name: str) -> None:
    rng, record, answered = random.Random(name), REGISTRY[name], 0
    for number in range(SETS):
        given: list[object] = list(arguments(rng, record))
        if number % 2:
            given[rng.randrange(len(given))] = rng.choice([*ODD, *ends(record)])
        short = record.at_once(given)
        if short is not None:
            answered += 1
            assert repr(record.one(*given)) == repr(short), given
    assert (answered > SETS / 10) == bool(record.plain and isinstance(record.result, Quantity))


def test_a_wrong_count_is_left_to_the_long_way() -> None:
    record = REGISTRY["TRAIN_COST"]
    for count in (0, 6, 8):
        assert record.at_once([1.0] * count) is None
        with pytest.raises(ScalesheetError):
            record.one(*[1.0] * count)
