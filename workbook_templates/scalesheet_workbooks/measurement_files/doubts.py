"""What looks wrong with measurements that can be read."""

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence

from scalesheet.calibration.notes import PER_GPU_MARGIN
from scalesheet.calibration.sizes import Size
from scalesheet_workbooks.measurement_files.headers import GPU, NODE, TOTAL
from scalesheet_workbooks.measurement_files.measures import (
    MIXED,
    STRONG,
    THROUGHPUT,
    WEAK,
    Scale,
    spelled_out,
)
from scalesheet_workbooks.measurement_files.tables import Table
from scalesheet_workbooks.price_files.sheet import PLAIN, Line

LIKE_TOTALS = 1.5
"""Figures per GPU whose efficiency is above this were totals already."""
SAME = 1e-6
REMARKS = frozenset({
    "note", "notes", "comment", "comments", "remark", "remarks", "source", "sources",
    "path", "file", "log", "url", "link", "date", "day", "time",
    "timestamp", "run", "id", "job", "trial", "repeat", "seed", "host",
    "hosts", "hostname", "by", "owner", "who", "author", "unit", "units",
    "scaling",
})  # fmt: skip
"""Columns of text with one of these words may differ from line to line."""
CONDITIONS = frozenset(["batch", "gbs", "seq", "sequence", "seqlen"])
"""Columns of numbers with one of these words say under what conditions was measured."""
SHOWN = 4
FAR_APART = 10
"""Repeats that differ by more are not repeats."""


def per_gpu_problem(sizes: Sequence[Size], scale: Scale, asked: str, of_what: str) -> str:
    """Why figures may be of one GPU and not of all, or the other way round; "" if they are not.

    ``asked`` is what the user says that a figure is of, ``of_what`` what it was taken for. The rule
    is that of SCALING_NOTE.
    """
    first = sizes[0]
    for size in sizes[1:]:
        kept = size.throughput / size.nodes / (first.throughput / first.nodes)
        if asked in (GPU, NODE) and kept > LIKE_TOTALS:
            return (
                f"--per-{asked.lower()}, but the figures grow with the nodes as totals do "
                f"({kept:.0%} efficiency at {size.nodes} nodes): leave it out"
            )
        if not asked and of_what == TOTAL and kept <= PER_GPU_MARGIN * first.nodes / size.nodes:
            return _hardly_grows(first, size, scale)
    return ""


def _hardly_grows(first: Size, size: Size, scale: Scale) -> str:
    said = " and ".join(
        f"{scale.shown(one.nodes, one.throughput):.6g} {scale.unit.name} at {_nodes(one)}"
        for one in (first, size)
    )
    if scale.measure is THROUGHPUT:
        return (
            f"{said} look like figures of one GPU or node: add --per-gpu or --per-node, or --total "
            "if they are of the whole run"
        )
    if scale.measure.work == "steps":
        return (
            f"{said}: did each GPU's batch stay (--scaling weak)? If the total batch stayed, add "
            "--total"
        )
    return ""


def _nodes(size: Size) -> str:
    return f"{size.nodes} node{'' if size.nodes == 1 else 's'}"


def scaling_by_batch(nodes: Sequence[int], batches: Sequence[float | None], of_gpu: bool) -> str:
    """Weak, strong or mixed, from the batch at each size; "" where that does not say.

    >>> scaling_by_batch([1, 2, 4], [256, 512, 1024], of_gpu=False)
    'weak'
    """
    if len(set(nodes)) < 2 or None in batches:
        return ""
    known = [batch for batch in batches if batch]
    totals = [b * n for n, b in zip(nodes, known, strict=True)] if of_gpu else known
    if max(totals) <= min(totals) * (1 + SAME):
        return STRONG
    shares = [total / n for n, total in zip(nodes, totals, strict=True)]
    return WEAK if max(shares) <= min(shares) * (1 + SAME) else MIXED


def several_workloads(table: Table, sized: Sequence[tuple[Line, int]], used: Container[str]) -> str:
    """The problem of lines of one size that differ: their median would be of two workloads."""
    for column in table.sheet.header:
        if not _tells_apart(column, [line.text(column) for line, _ in sized], used):
            continue
        by_size: dict[int, set[str]] = defaultdict(set)
        for line, nodes in sized:
            by_size[nodes].add(line.text(column))
        if any(len(texts) > 1 for texts in by_size.values()):
            texts = sorted(set().union(*by_size.values()) - {""})
            shown = ", ".join(texts[:SHOWN]) + (", ..." if len(texts) > SHOWN else "")
            return (
                f'column "{column}" has several values at one size ({shown}): one fit is of one '
                f'workload: add --only "{column}={texts[0]}"'
            )
    return ""


def repeats_apart(sized: Sequence[tuple[Line, int]], figures: Sequence[float]) -> str:
    """The problem of one size measured twice with figures that differ as units do."""
    first: dict[int, tuple[Line, float]] = {}
    for (line, nodes), figure in zip(sized, figures, strict=True):
        before, known = first.setdefault(nodes, (line, figure))
        if not 1 / FAR_APART < figure / known < FAR_APART:
            return (
                f"{known:g} and {figure:g} at {nodes} node{'' if nodes == 1 else 's'} (lines "
                f"{before.number} and {line.number}) are {FAR_APART} times apart: which is it?"
            )
    return ""


def changed_conditions(
    table: Table, sized: Sequence[tuple[Line, int]], used: Container[str]
) -> Iterator[str]:
    """A remark on each column of text that changes between sizes."""
    for column in table.sheet.header:
        texts = [line.text(column) for line, _ in sized]
        known = {text for text in texts if text}
        if _tells_apart(column, texts, used) and 1 < len(known) < len(texts):
            yield f'Column "{column}" changes between sizes: not like for like?'


def _tells_apart(column: str, texts: Sequence[str], used: Container[str]) -> bool:
    """Whether a column says what was measured, and not the figure itself or a remark."""
    words = set(spelled_out(column).split())
    if words & CONDITIONS:
        return True
    is_text = any(text and not PLAIN.fullmatch(text) for text in texts)
    return is_text and column not in used and not words & REMARKS
