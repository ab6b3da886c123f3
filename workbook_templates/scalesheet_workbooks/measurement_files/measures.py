"""What was measured: throughput or a time, its unit, and how it becomes a rate of work."""

import re
from dataclasses import dataclass

SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "days": 86400.0}
TIME_NAMES = {
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "days"),
}
STEPS = frozenset(
    {"step", "steps", "it", "its", "iter", "iters", "iteration", "iterations", "batch", "batches"}
)
RATE = re.compile(rf"\b([a-z]+) per ({'|'.join(TIME_NAMES)})\b")


@dataclass(frozen=True, slots=True)
class Measure:
    """A kind of figure; ``work`` is what is done once in a time of that kind."""

    name: str
    is_time: bool = False
    work: str = ""


THROUGHPUT = Measure("throughput")
STEP_RATE = Measure("step rate", work="steps")
STEP_TIME = Measure("step time", True, "steps")
EPOCH_TIME = Measure("epoch time", True, "epochs")
TIME_TO_TRAIN = Measure("time to train", True, "runs")
MEASURES = {
    measure.name.replace(" ", "-"): measure
    for measure in (THROUGHPUT, STEP_TIME, STEP_RATE, EPOCH_TIME, TIME_TO_TRAIN)
}
WEAK, STRONG, MIXED = "weak", "strong", "mixed"
SCALINGS = {
    WEAK: "each GPU's batch stays",
    STRONG: "the total batch stays",
    MIXED: "the total batch changes, but not as the nodes do",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of figures: its name, the work counted in it, the seconds it refers to.

    >>> unit_of("tokens/sec", THROUGHPUT), unit_of("minutes", TIME_TO_TRAIN)
    (Unit(name='tokens/s', work='tokens', seconds=1.0), Unit(name='min', work='runs', seconds=60.0))
    """

    name: str
    work: str
    seconds: float


def unit_of(text: str, measure: Measure) -> Unit | None:
    """The unit that a text names for figures of a kind, or None."""
    wanted = spelled_out(text)
    if measure.is_time:
        found = [TIME_NAMES[word] for word in wanted.split() if word in TIME_NAMES]
        return Unit(found[0], measure.work, SECONDS[found[0]]) if len(found) == 1 else None
    rate = RATE.search(wanted)
    if not rate or (rate[1] in STEPS) != (measure is STEP_RATE):
        return None
    time = TIME_NAMES[rate[2]]
    return Unit(f"{rate[1]}/{time.removesuffix('s') if time == 'days' else time}", rate[1],
                SECONDS[time])  # fmt: skip


def spelled_out(text: str) -> str:
    """A header or unit in small letters, its words apart, a stroke as "per".

    >>> spelled_out("Throughput (tokens/s/GPU)"), spelled_out("step_time_ms")
    ('throughput tokens per s per gpu', 'step time ms')
    """
    return " ".join(re.findall(r"[a-z0-9%]+", text.casefold().replace("/", " per ")))


@dataclass(frozen=True, slots=True)
class Scale:
    """How the figures of a file become a rate of work that can be compared, and back.

    ``per_node`` holds where a figure is of one node's work: with weak scaling a step is of a batch
    that grows with the nodes, so that a step time that stays is perfect.

    >>> steps = Scale(STEP_TIME, Unit("ms", "steps", 0.001), per_node=True)
    >>> steps.rate(4, 250.0), steps.shown(8, 0.032)
    (0.016, 250.0)
    """

    measure: Measure
    unit: Unit
    per_node: bool = False

    def rate(self, nodes: int, value: float) -> float:
        """Work in one of the unit's times, of all nodes together."""
        rate = 1 / value if self.measure.is_time else value
        return rate * nodes if self.per_node else rate

    def shown(self, nodes: float, rate: float) -> float:
        """The figure, as the file gives it, that belongs to a rate."""
        of_one = rate / nodes if self.per_node else rate
        return 1 / of_one if self.measure.is_time else of_one

    @property
    def work(self) -> str:
        """What is counted, in the plural."""
        return f"node-{self.unit.work}" if self.per_node else self.unit.work
