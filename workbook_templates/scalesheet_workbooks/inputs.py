"""The inputs of the budget workbooks: one record each, with the registry's limits.

A scenario file, the Inputs sheet, its validations and the reviewer all read this list.
"""

from typing import NamedTuple

from scalesheet import quantities as q
from scalesheet.domains import Choice, Quantity

IDEAL_HOURS, TOTAL_GPU_HOURS, MODEL_SIZE = "ideal hours", "GPU-hours", "model size"
TYPED, BY_INTERCONNECT, BY_PILOT = "typed", "interconnect", "pilot"
MEASURED = "measured"
"""The way of a proposal alone: the core's fit of measured points."""
WORK_BASES = (IDEAL_HOURS, TOTAL_GPU_HOURS)
EFFICIENCY_METHODS = (TYPED, BY_INTERCONNECT, BY_PILOT)


class Pick(NamedTuple):
    """A text picked from a short list of our own."""

    words: str
    options: tuple[str, ...]
    list_name: str = ""
    unit: str = "pick"
    number_format: str = "@"

    @property
    def rule(self) -> str:
        """The options in words."""
        return "one of " + ", ".join(self.options)


class Input(NamedTuple):
    """One row of the Inputs sheet: a stable id, a label, and what may be entered.

    ``required`` rows are needed in every scenario; the others depend on the method picked.
    ``key`` is where a scenario file gives it, if not by its own name; ``default`` is what the
    template writes when the file does not, in sight of everybody; ``beside`` is the kind of pick
    that stands at the end of the row, a currency or a tag; a row that is for the whole workbook is
    given ``once``; ``used_by`` is the pick, and its options, without which the row is not needed;
    ``needed_by`` is the pick, and its options, with which a row that may be left empty must be
    filled.
    """

    id: str
    label: str
    domain: Quantity | Choice | Pick
    section: str
    required: bool = True
    hint: str = ""
    key: str = ""
    default: float | str | None = None
    beside: str = ""
    once: bool = False
    used_by: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    names_itself: bool = False


CLUSTER, WORK, EFFICIENCY, COSTS, FABRICS = (
    "Cluster",
    "Work",
    "Scaling efficiency",
    "Rework and fixed costs",
    "Comparison of interconnects",
)

BASIS, METHOD = "in.work_basis", "in.efficiency_method"

INPUTS: tuple[Input, ...] = (
    Input("in.gpus", "GPUs in the run", q.GPUS, CLUSTER),
    Input("in.gpus_per_node", "GPUs per node", q.GPUS_PER_NODE, CLUSTER),
    Input("in.gpu_hour_price", "Price of a GPU-hour", q.GPU_HOUR_PRICE, CLUSTER),
    Input(
        "in.gpu_throughput",
        "Throughput of one GPU alone (optional)",
        q.THROUGHPUT,
        CLUSTER,
        required=False,
    ),
    Input(BASIS, "Work is entered as", Pick("what is known", WORK_BASES), WORK),
    Input(
        "in.ideal_hours",
        "Ideal hours of the whole cluster",
        q.WORK_HOURS,
        WORK,
        required=False,
        used_by=(BASIS, IDEAL_HOURS),
        hint="wall-clock hours at perfect scaling, all GPUs together",
    ),
    Input(
        "in.total_gpu_hours",
        "Total GPU-hours of work",
        q.TOTAL_GPU_HOURS,
        WORK,
        required=False,
        used_by=(BASIS, TOTAL_GPU_HOURS),
        hint="GPUs times ideal hours",
    ),
    Input(
        METHOD,
        "Efficiency comes from",
        Pick("where the efficiency comes from", EFFICIENCY_METHODS),
        EFFICIENCY,
    ),
    Input(
        "in.efficiency",
        "Efficiency, typed",
        q.EFFICIENCY,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, TYPED),
    ),
    Input(
        "in.interconnect",
        "Interconnect between nodes",
        q.INTERCONNECT,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, BY_INTERCONNECT),
    ),
    Input(
        "in.efficiency_floor",
        "Efficiency floor",
        q.EFFICIENCY_FLOOR,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, BY_INTERCONNECT),
    ),
    Input(
        "in.pilot_base_nodes",
        "Pilot, small run: nodes",
        q.NODES,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, BY_PILOT),
    ),
    Input(
        "in.pilot_base_throughput",
        "Pilot, small run: throughput",
        q.THROUGHPUT,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, BY_PILOT),
    ),
    Input(
        "in.pilot_nodes",
        "Pilot, large run: nodes",
        q.NODES,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, BY_PILOT),
    ),
    Input(
        "in.pilot_throughput",
        "Pilot, large run: throughput",
        q.THROUGHPUT,
        EFFICIENCY,
        required=False,
        used_by=(METHOD, BY_PILOT),
    ),
    Input("in.rework", "Failed-run rework", q.REWORK, COSTS),
    Input("in.storage", "Storage for the run", q.COST, COSTS),
    Input("in.egress", "Egress and data transfer", q.COST, COSTS),
)

FABRIC_INPUTS: tuple[Input, ...] = (
    Input("in.fabric_floor", "Efficiency floor of the comparison", q.EFFICIENCY_FLOOR, FABRICS),
    Input(
        "in.fabric_exponent",
        "Exponent of the published curve",
        q.EXPONENT,
        FABRICS,
        hint="0.025: median of published H100/B200-class clusters; replace it with your pilot's",
    ),
)
"""Inputs of the comparison of networks: one value for the whole workbook."""

FABRIC_DEFAULTS = {"in.fabric_floor": 0.5, "in.fabric_exponent": 0.025}

INPUT_BY_ID = {entry.id: entry for entry in (*INPUTS, *FABRIC_INPUTS)}
