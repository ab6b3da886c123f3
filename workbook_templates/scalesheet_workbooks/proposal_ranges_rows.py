"""Rows of the proposal's Ranges and Measured sheets."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.fabric_classes import OTHER as OTHER_FABRIC
from scalesheet_workbooks.inputs import (
    INPUT_BY_ID,
    Input,
    Pick,
)
from scalesheet_workbooks.proposal_words import (
    CLASSES,
    POINTS,
    RANGES,
    STEP,
    STEPS,
)

DRIVERS = (
    ("work", "Work", 0.2),
    ("price", "Price of compute", 0.2),
    ("efficiency", "Scaling efficiency", 0.1),
    ("rework", "Rework, points", 0.1),
    ("other", "All other lines", 0.2),
    ("contingency", "Contingency, points", 0.05),
)
"""What Sensitivity moves, with the step that the template writes."""

SPREADS = (
    ("ideal_hours", "Ideal hours", q.WORK_HOURS),
    ("gpu_hour_price", "GPU-hour price", q.GPU_HOUR_PRICE),
    ("efficiency", "Efficiency", q.EFFICIENCY),
    ("rework", "Rework", q.REWORK),
    ("server_price", "Server (owned)", replace(q.NODE_PRICE, number_format="#,##0")),
)
"""What may be a range in Risk: where GPUs are owned the price of a server, else that of an hour."""
ENDS = ("low", "mode", "high")

RANGES_SHEET: tuple[Input, ...] = (
    *(
        Input(
            f"in.step_{name}",
            f"{words}: up and down by",
            STEP,
            STEPS,
            once=True,
            key=f"workbook.steps.{name}",
            default=step,
        )
        for name, words, step in DRIVERS
    ),
    Input(
        "in.grid_price",
        "Grid: step of the price",
        replace(STEP, high=0.45),
        STEPS,
        once=True,
        key="workbook.steps.grid_price",
        default=0.15,
    ),
    Input(
        "in.grid_efficiency",
        "Grid: step of the efficiency",
        replace(STEP, high=0.45),
        STEPS,
        once=True,
        key="workbook.steps.grid_efficiency",
        default=0.1,
    ),
    *(
        Input(
            f"in.{name}_{end}",
            f"{words}, {end}",
            domain,
            RANGES,
            required=False,
            key=f"risk.{name}.{end}",
        )
        for name, words, domain in SPREADS
        for end in ENDS
    ),
    *(
        INPUT_BY_ID[name]._replace(
            label=label,
            section="Comparison of networks",
            once=True,
            default=default,
        )
        for name, label, default in (
            ("in.fabric_floor", "Efficiency floor of all", 0.5),
            ("in.fabric_exponent", "Exponent of the published curve", 0.025),
        )
    ),
)

FABRIC, SIZES, RATES = (
    "Fabric",
    "Sizes that were measured (a size may stand more than once)",
    "Throughput of each, the total of the run",
)

MEASURED_SHEET: tuple[Input, ...] = (
    Input(
        "in.fabric_class",
        "Class of fabric (counts for one size)",
        Pick("the class of the measured fabric, or other", CLASSES, "lst_fabric_classes"),
        FABRIC,
        default=OTHER_FABRIC,
    ),
    *(
        Input(f"in.measured_nodes_{place}", f"Nodes of point {place}", q.NODES, SIZES, False)
        for place in range(1, POINTS + 1)
    ),
    *(
        Input(
            f"in.measured_rate_{place}",
            f"Throughput of point {place}",
            q.THROUGHPUT,
            RATES,
            False,
        )
        for place in range(1, POINTS + 1)
    ),
)
