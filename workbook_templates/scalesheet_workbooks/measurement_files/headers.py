"""What the columns of a table of measurements are, told by their headers."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scalesheet_workbooks.measurement_files.measures import (
    EPOCH_TIME,
    RATE,
    STEP_RATE,
    STEP_TIME,
    STEPS,
    THROUGHPUT,
    TIME_NAMES,
    TIME_TO_TRAIN,
    Measure,
    spelled_out,
)

GPU, NODE, TOTAL = "GPU", "node", "run"
"""What a figure is of: one GPU, one node, or all of the run."""
A_NODE = r"(?:nodes?|servers?|hosts?|machines?|instances?)"
A_GPU = r"(?:gpus?|devices?|accelerators?|chips?|cards?)"
COUNTED = r"(?:numberof|numof|noof|number|num|total|nr|n)?"
SIZES = {
    "nodes": re.compile(rf"{COUNTED}{A_NODE}(?:count|number|used)?"),
    "gpus": re.compile(rf"{COUNTED}(?:{A_GPU}|worldsize)(?:count|number|used)?"),
    "gpus_per_node": re.compile(rf"{COUNTED}(?:{A_GPU}|procs?|processes)per{A_NODE}"),
}
PER_GPU = re.compile(r"\b(?:per|each) (?:gpu|device|accelerator|chip|card|rank|worker|process)s?\b")
PER_NODE = re.compile(r"\b(?:per|each) (?:node|server|host|machine|instance)s?\b")

TIMES = "|".join(TIME_NAMES)
NAMED = (
    (TIME_TO_TRAIN, re.compile(r"\b(?:time to (?:train|solution|accuracy|target|quality)|ttt"
                               r"|train(?:ing)? time)\b")),
    (EPOCH_TIME, re.compile(rf"\b(?:epoch time|(?:time|{TIMES}) per epoch)\b")),
    (STEP_TIME, re.compile(r"\b(?:steptime|(?:step|iter|iteration|batch) (?:time|duration|ms)"
                           rf"|(?:time|{TIMES}) per (?:step|iter|iteration|it|batch))\b")),
)  # fmt: skip
NO_MEASUREMENT = frozenset({
    "ideal", "linear", "perfect", "theoretical", "expected", "predicted", "estimated", "std",
    "stdev", "stddev", "stderr", "error", "variance", "ci", "price", "cost",
    "usd", "eur", "gbp", "dollars",
})  # fmt: skip
"""A header with one of these words is no measured throughput or time."""
NO_WORK = frozenset(["gb", "mb", "tb", "gib", "mib", "gbit", "mbit", "bytes", "bits", "requests"])
SHARES = {
    "efficiency": "an efficiency has lost its base",
    "speedup": "a speed-up is against a base that is not given",
    "speed up": "a speed-up is against a base that is not given",
    "mfu": "MFU is a share of the GPUs' peak",
    "hfu": "HFU is a share of the GPUs' peak",
    "flops": "FLOP/s may count operations that train nothing",
    "flop": "FLOP/s may count operations that train nothing",
    "tflops": "FLOP/s may count operations that train nothing",
    "tflop": "FLOP/s may count operations that train nothing",
    "pflops": "FLOP/s may count operations that train nothing",
}
"""What people take for throughput and is not, with the reason."""
UNCLEAR = frozenset({
    "time", "seconds", "minutes", "hours", "duration", "elapsed", "runtime", "latency",
    "value", "result", "performance", "speed", "walltime",
})  # fmt: skip
"""Words for a figure that do not say which."""
SAMPLES = re.compile(r"(?:total |train(?:ing)? )?(?:samples|tokens|epochs)(?: seen| needed| used)?"
                     r"(?: to (?:train|target|converge))?")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heading:
    """A column of figures: its header, the kind of figure if that is clear, what it is of."""

    column: str
    measure: Measure | None
    basis: str


@dataclass(frozen=True, slots=True)
class Headings:
    """The columns of a table by what they are for; "" where there is none."""

    nodes: str
    gpus: str
    gpus_per_node: str
    figures: tuple[Heading, ...]
    shares: tuple[tuple[str, str], ...]
    global_batch: str
    gpu_batch: str
    samples: str
    scaling: str
    unit: str

    @property
    def is_table(self) -> bool:
        """Whether these can be the headers of measurements at sizes."""
        return bool(self.nodes or self.gpus) and bool(self.figures or self.shares)


def headings(header: Sequence[str]) -> Headings:
    """The columns that headers tell.

    >>> found = headings(["Nodes", "GPUs/node", "Throughput (tokens/s)", "notes"])
    >>> found.nodes, found.gpus_per_node, [(f.measure.name, f.basis) for f in found.figures]
    ('Nodes', 'GPUs/node', [('throughput', 'run')])
    """
    sizes = {
        role: next((column for column in header if _is_size(column, role)), "") for role in SIZES
    }
    words = {column: spelled_out(column) for column in header}
    batches = [column for column, text in words.items() if _is_batch(text)]
    taken = {*sizes.values(), *batches}
    samples = _first(header, lambda text: bool(SAMPLES.fullmatch(words[text])))
    rest = [column for column in header if column and column not in {*taken, samples}]
    return Headings(
        nodes=sizes["nodes"],
        gpus=sizes["gpus"],
        gpus_per_node=sizes["gpus_per_node"],
        figures=tuple(found for column in rest for found in _figure(column)),
        shares=tuple((column, reason) for column in rest for reason in _shares(words[column])),
        global_batch=_first(batches, lambda text: _is_global(words[text])),
        gpu_batch=_first(batches, lambda text: bool(PER_GPU.search(words[text]))),
        samples=samples,
        scaling=_first(header, lambda text: words[text] in ("scaling", "scaling type")),
        unit=_first(header, lambda text: words[text] in ("unit", "units")),
    )


def _first(columns: Sequence[str], fits: Callable[[str], bool]) -> str:
    return next((column for column in columns if fits(column)), "")


def _is_size(column: str, role: str) -> bool:
    """Whether a header names a size; what stands in brackets is a remark."""
    bare = spelled_out(re.sub(r"[(\[].*?[)\]]", " ", column)).replace(" ", "")
    return bool(SIZES[role].fullmatch(bare))


def _is_batch(text: str) -> bool:
    words = text.split()
    return ("batch" in words or "gbs" in words) and not {"time", "ms", "micro", "s"} & set(words)


def _is_global(text: str) -> bool:
    return bool({"global", "total", "effective", "gbs"} & set(text.split()))


def _figure(column: str) -> Iterator[Heading]:
    """The kind of figure in a column, if it is one at all."""
    text = spelled_out(column)
    words = set(text.split())
    if words & NO_MEASUREMENT or any(_shares(text)):
        return
    basis = GPU if PER_GPU.search(text) else NODE if PER_NODE.search(text) else TOTAL
    for measure, pattern in NAMED:
        if pattern.search(text):
            yield Heading(column, measure, basis)
            return
    rate = RATE.search(text)
    if rate and rate[1] not in NO_WORK:
        yield Heading(column, STEP_RATE if rate[1] in STEPS else THROUGHPUT, basis)
    elif "throughput" in words:
        yield Heading(column, THROUGHPUT, basis)
    elif words & UNCLEAR and not rate:
        yield Heading(column, None, basis)


def _shares(text: str) -> Iterator[str]:
    for word, reason in SHARES.items():
        if re.search(rf"\b{word}\b", text):
            yield reason
            return
