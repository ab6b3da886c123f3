"""What a cluster proposal is made of: its picks, quantities and sections."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet.fabric_classes import OTHER as OTHER_FABRIC
from scalesheet.fabric_classes import usable_classes
from scalesheet_workbooks.inputs import (
    BY_PILOT,
    EFFICIENCY_METHODS,
    IDEAL_HOURS,
    INPUT_BY_ID,
    MEASURED,
    MODEL_SIZE,
    TOTAL_GPU_HOURS,
    Input,
)

MONEY = q.MONEY
ON_DEMAND, RESERVED, SPOT, OWN = "on demand", "reserved", "spot", "own"
ACQUISITIONS = (ON_DEMAND, RESERVED, SPOT, OWN)
NO_YES = ("no", "yes")
PER_GPU, PER_INSTANCE = "GPU-hour", "instance-hour"
DECIMAL_UNITS = ("GB", "GiB")
RECOVERABLE, NOT_RECOVERABLE = "recoverable", "a cost"
LEASES = ("none", "operating", "finance", "to assess")
INCREMENTAL, SUNK = "incremental", "sunk"
TAGS = (INCREMENTAL, SUNK)
CONFIDENCES = ("high", "medium", "low", "example")
CURRENCY, TAG = "currency", "tag"
MAX_RATES = 4
OTHER_COSTS = 5
MAX_MONTHS = 36
MAX_PAYMENT_MONTHS = 3
MAX_LIFE_YEARS = 8
MIDWAY = 0.5
"""The part of a term that is over where an early end is costed."""
POINTS = 8
"""Rows for measured points; who has more fits them with a scaling study."""

AMOUNT = replace(q.COST, number_format="#,##0")
PER_ITEM = "#,##0"
DAY = Quantity("a day", "date", "yyyy-mm-dd", 36526, 73050, whole=True)
MONTHS = Quantity("whole months", "months", "0", 1, MAX_MONTHS, whole=True)
DELAY = Quantity(
    "the months from the use until it is paid", "months", "0", 0, MAX_PAYMENT_MONTHS, whole=True
)
KEPT_MONTHS = Quantity("the months that the data is kept", "months", "0.0", 0, 1200)
SHARE = Quantity("a share", "share", "0.0%", 0, 1)
CONTINGENCY = Quantity(
    "what is set aside for unknowns, on top of all lines", "share", "0.0%", 0, 1, usual=(0, 0.3)
)
EXPERIMENTS = Quantity(
    "runs besides the main one, as a share of its work", "share", "0.0%", 0, 3, usual=(0, 1)
)
REPEATS = Quantity("how many times it is moved", "times", "0", 0, 1e6, whole=True)
STORED = Quantity("what is stored, in the unit below", "GB or GiB", PER_ITEM, 0, 1e15)
CREDIT = Quantity("credits of the supplier, below zero", MONEY, PER_ITEM, -1e12, 0)
TAX = Quantity("the rate of the tax on what is bought", "share", "0.0%", 0, 1, usual=(0, 0.3))
DECLINE = Quantity(
    "how much the rent price falls in a year", "share/year", "0.0%", 0, 0.9, usual=(0, 0.4)
)
IDLE = Quantity("power when idle over power when busy", "share", "0.0%", 0, 1)
LIFE = replace(q.LIFE_YEARS, number_format="0.0", high=MAX_LIFE_YEARS)
STEP = Quantity("how far it is moved, up and down", "share", "0.0%", 0, 0.9, low_open=True)
LIVE = Quantity("the number of a scenario, from the left", "number", "0", 1, 8, whole=True)
RATE_UNIT = f"{MONEY} for 1"
RATE = Quantity(
    "what one unit costs in the currency of the workbook",
    RATE_UNIT,
    "0.0000",
    0,
    1e6,
    low_open=True,
)

PROGRAMME, WORK, CLUSTER, EFFICIENCY, LOSSES = (
    "Programme and budget",
    "Work",
    "Cluster",
    "Scaling efficiency",
    "Failures and rework",
)
PRICE, STORAGE, EGRESS, OTHER = (
    "Compute: price and terms",
    "Storage",
    "Data moved out",
    "Other costs (yellow labels can be renamed)",
)
PURCHASE, RUNNING, CAPITAL, FLAGS, FX = (
    "Purchase",
    "Power and running",
    "Capital and market",
    "Tax and lease",
    "Exchange rates",
)
STEPS, RANGES = "Sensitivity: one at a time", "Risk: low, mode and high"


def shared(input_id: str, section: str, **changes: object) -> Input:
    """A row of the training run budget, here too."""
    return INPUT_BY_ID[input_id]._replace(section=section, **changes)  # type: ignore[arg-type]


BASIS, METHOD, BY, STATE = (
    "in.work_basis",
    "in.efficiency_method",
    "in.price_basis",
    "in.acquisition",
)
WORK_BASES = (IDEAL_HOURS, TOTAL_GPU_HOURS, MODEL_SIZE)
MODEL = {"required": False, "used_by": (BASIS, MODEL_SIZE)}
PILOT_ROW = {"used_by": (METHOD, BY_PILOT)}
METHODS = (*EFFICIENCY_METHODS, MEASURED)
CLASSES = (*usable_classes(), OTHER_FABRIC)
