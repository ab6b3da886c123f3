"""What to know about measured sizes, and about how far a forecast reaches beyond them.

Every note is one sentence; nothing is refused for what a note says.
"""

import math
from collections.abc import Iterator, Sequence

from scalesheet.calibration.sizes import Size

WEIGHTED = "weighted curves"
"""The method where many curves are weighed by the measured sizes."""
PER_GPU_MARGIN = 1.2
"""Efficiency at or below this over the ratio of sizes is what per-GPU figures look like."""
SUPER_LINEAR = 1.02
"""Efficiency against the smallest size above which more than noise is meant."""
OFF_THE_LINE = 0.07
"""A size this far from the line between its neighbours, on log axes, is hardly like for like."""
REPEATS_APART = 0.05
"""Repeats of one size further apart than this share are remarked on."""
BEND_FACTOR, BEND_LOSS = 2.0, 0.015
"""A bend: the last doubling loses so many times what a doubling lost before, and this much more."""
FAR_DOUBLINGS = 2.0
"""A forecast this far from every measured size is remarked on."""


def notes_on_sizes(sizes: Sequence[Size], method: str) -> tuple[str, ...]:
    """The notes that hold wherever one forecasts; ascending sizes.

    >>> notes_on_sizes([Size(4, 480.0, 0.0, 1)], "weighted curves")[0]
    'One size only: it shows no loss, so the forecast rests on others (weighted curves).'
    """
    return tuple(_on_sizes(sizes, method))


def _on_sizes(sizes: Sequence[Size], method: str) -> Iterator[str]:
    first = sizes[0]
    if len(sizes) == 1:
        yield f"One size only: it shows no loss, so the forecast rests on others ({method})."
    if first.nodes > 1:
        yield (
            f"The smallest size is {first.nodes} nodes: efficiency is against a forecast "
            "for one node."
        )
    if len(sizes) > 1 and method != WEIGHTED:
        yield f"The sizes follow the {method} model exactly: were they measured, or planned?"
    for size in sizes[1:]:
        kept = math.exp(first.log_time - size.log_time)
        if kept <= PER_GPU_MARGIN * first.nodes / size.nodes:
            yield (
                f"Throughput hardly grows to {size.nodes} nodes: it looks like a figure "
                "per GPU or per node, and totals are wanted."
            )
            break
    yield from _super_linear(sizes)
    yield from _off_the_line(sizes)
    for size in sizes:
        if size.spread * math.sqrt(size.count) > REPEATS_APART:
            yield (
                f"The {size.count} measurements at {size.nodes} nodes lie "
                f"{size.spread * math.sqrt(size.count):.0%} apart: the median counts."
            )
    yield from _bend(sizes)


def _super_linear(sizes: Sequence[Size]) -> Iterator[str]:
    first = sizes[0]
    best = min(sizes, key=lambda size: size.log_time)
    kept = math.exp(first.log_time - best.log_time)
    if kept > SUPER_LINEAR:
        yield (
            f"Super-linear: {kept:.1%} of the smallest size's throughput per node at "
            f"{best.nodes} nodes, kept as it is; was the smallest run short of memory, or its "
            "batch another?"
        )


def _off_the_line(sizes: Sequence[Size]) -> Iterator[str]:
    """A note on the size that lies farthest off, if it does."""
    off = {}
    for before, size, after in zip(sizes[:-2], sizes[1:-1], sizes[2:], strict=True):
        part = math.log(size.nodes / before.nodes) / math.log(after.nodes / before.nodes)
        line = before.log_time + part * (after.log_time - before.log_time)
        off[size.nodes] = line - size.log_time
    farthest = max(off, key=lambda nodes: abs(off[nodes]), default=None)
    if farthest and abs(off[farthest]) > OFF_THE_LINE:
        side = "below" if off[farthest] < 0 else "above"
        yield (
            f"{farthest} nodes lies {abs(math.expm1(off[farthest])):.0%} {side} the line between "
            "its neighbours: not like for like? Check batch size, software and node type."
        )


def _bend(sizes: Sequence[Size]) -> Iterator[str]:
    if len(sizes) < 3:
        return
    first, before, last = sizes[0], sizes[-2], sizes[-1]
    if last.throughput < before.throughput:
        yield (
            f"Throughput falls from {before.nodes} to {last.nodes} nodes: adding nodes has "
            "stopped paying there."
        )
    slope = (before.log_time - first.log_time) / math.log2(before.nodes / first.nodes)
    earlier = max(0.0, slope)
    lately = (last.log_time - before.log_time) / math.log2(last.nodes / before.nodes)
    if lately > BEND_FACTOR * earlier + BEND_LOSS:
        yield (
            f"It bends: the last doubling, to {last.nodes} nodes, loses "
            f"{-math.expm1(-lately):.1%} where one lost {-math.expm1(-earlier):.1%} "
            "before; beyond, losses may grow faster still."
        )


def notes_on_reach(sizes: Sequence[Size], nodes: float) -> tuple[str, ...]:
    """The note on a size far from all that were measured, or none.

    >>> notes_on_reach([Size(4, 480.0, 0.0, 1)], 8)
    ()
    """
    first, last = sizes[0].nodes, sizes[-1].nodes
    beyond, under = math.log2(nodes / last), math.log2(first / nodes)
    if beyond > FAR_DOUBLINGS:
        return (
            f"Far reach: {beyond:.1f} doublings past the largest measured size ({last} nodes); "
            "a bend is not seen before it comes.",
        )
    if under > FAR_DOUBLINGS:
        return (f"Far reach: {under:.1f} doublings below the smallest measured size ({first}).",)
    return ()
