"""How a step's time goes on from the measured sizes, over all curves: fast, middle and slow.

Asking a thousand curves takes most of a millisecond, so they are asked at knots only, three in a
doubling, and each knot once; between knots a cubic goes through the four around. Knots are laid
from each measured size on: a power of two times the largest size is one itself, past it. Over the
published series the cubic is 0.01 % off on average, and 0.1 % at most in 99 of 100 forecasts.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from scalesheet.calibration.curves import Curves, ModelCurves
from scalesheet.calibration.sizes import Size

TENTH, NINETIETH = 0.1, 0.9
KNOTS_PER_DOUBLING = 3
FEW_CURVES = 16
"""So many are asked at once, without knots."""
JUMP_ENDS = 2.0
"""The loss that comes at once is there from two nodes on: knots begin after it."""
Anchor = tuple[int, float]
"""The place of a measured size, and its share."""


class Ahead(NamedTuple):
    """Logarithms of a step's time past the measured sizes: the curves' tenths and middle."""

    fast: float
    middle: float
    slow: float


@dataclass(frozen=True)
class CurvesAhead:
    """Weighted curves from measured sizes on.

    ``measured`` holds for each measured size the logarithm of the step's time of each curve.
    """

    sizes: tuple[Size, ...]
    curves: Curves | ModelCurves
    measured: tuple[tuple[float, ...], ...]
    asked: dict[float, Ahead] = field(default_factory=dict, compare=False)
    around: dict[tuple[float, int], list[Ahead]] = field(default_factory=dict, compare=False)
    """What was asked: by nodes, and the four knots around a place by where they begin."""

    @cached_property
    def nodes(self) -> list[float]:
        """The measured sizes, ascending."""
        return [float(size.nodes) for size in self.sizes]

    def at(self, nodes: float) -> Ahead:
        """What the curves say at a size, in logarithms from the measured sizes around it."""
        if len(self.curves.weights) <= FEW_CURVES:
            return self._at_knot(nodes)
        start, step = self._stretch(nodes)
        place = math.log2(nodes / start) / step if step else 0.0
        if place == math.floor(place):
            return self._at_knot(nodes)
        return self._between_knots(start, step, place)

    def anchors(self, nodes: float) -> list[Anchor]:
        """The measured sizes that a forecast starts from: one, or the two around it."""
        after = bisect_right(self.nodes, nodes)
        if after == 0:
            return [(0, 1.0)]
        before = after - 1
        if after == len(self.nodes) or self.nodes[before] == nodes:
            return [(before, 1.0)]
        below, above = self.nodes[before], self.nodes[after]
        share = math.log(nodes / below) / math.log(above / below)
        return [(before, 1 - share), (after, share)]

    def _stretch(self, nodes: float) -> tuple[float, float]:
        """Where the knots around a size begin and how many doublings apart they are.

        No doublings where the size is asked itself: a measured one, or one up to two nodes.
        """
        after = bisect_right(self.nodes, nodes)
        start = max(JUMP_ENDS, self.nodes[after - 1] if after else 0.0)
        if nodes <= start:
            return start, 0.0
        if after == len(self.nodes):
            return start, 1 / KNOTS_PER_DOUBLING
        doublings = math.log2(self.nodes[after] / start)
        return start, doublings / max(3, math.ceil(KNOTS_PER_DOUBLING * doublings))

    def _between_knots(self, start: float, step: float, place: float) -> Ahead:
        """A cubic through the two knots before and the two after, or the first four."""
        first = max(0, math.floor(place) - 1)
        key = start, first
        if key not in self.around:
            self.around[key] = [self._at_knot(start * 2 ** (step * (first + i))) for i in range(4)]
        a, b, c, d = self.around[key]
        x = place - first
        y, z, u = x - 1, x - 2, x - 3
        at_a, at_b, at_c, at_d = -y * z * u / 6, x * z * u / 2, -x * y * u / 2, x * y * z / 6
        return Ahead(
            at_a * a.fast + at_b * b.fast + at_c * c.fast + at_d * d.fast,
            at_a * a.middle + at_b * b.middle + at_c * c.middle + at_d * d.middle,
            at_a * a.slow + at_b * b.slow + at_c * c.slow + at_d * d.slow,
        )

    def _at_knot(self, nodes: float) -> Ahead:
        if nodes not in self.asked:
            self.asked[nodes] = self._ask(nodes)
        return self.asked[nodes]

    def _ask(self, nodes: float) -> Ahead:
        """All curves, from the measured sizes on either side."""
        anchors = self.anchors(nodes)
        if len(anchors) == 1:
            start: Sequence[float] = self.measured[anchors[0][0]]
        else:
            (before, left), (after, right) = anchors
            pairs = zip(self.measured[before], self.measured[after], strict=True)
            start = [left * a + right * b for a, b in pairs]
        at_size = self.curves.log_times(nodes)
        ahead = [value - since for value, since in zip(at_size, start, strict=True)]
        weights = self.curves.weights
        fast, half, slow = _quantiles(ahead, weights, (TENTH, 0.5, NINETIETH))
        mean = math.fsum(a * b for a, b in zip(ahead, weights, strict=True))
        return Ahead(fast, (half + mean) / 2, slow)


def _quantiles(
    values: Sequence[float], weights: Sequence[float], shares: Sequence[float]
) -> list[float]:
    """Quantiles of weighted values, linear between the middles of their weights."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ordered = [weights[index] for index in order]
    middles = [end - weight / 2 for end, weight in zip(accumulate(ordered), ordered, strict=True)]
    ascending = [values[index] for index in order]
    return [_between(middles, ascending, share) for share in shares]


def _between(places: Sequence[float], values: Sequence[float], place: float) -> float:
    """The value at a place, linear between those that are known; the end ones outside."""
    after = bisect_left(places, place)
    if after in (0, len(places)):
        return values[min(after, len(places) - 1)]
    part = (place - places[after - 1]) / (places[after] - places[after - 1])
    return values[after - 1] + part * (values[after] - values[after - 1])
