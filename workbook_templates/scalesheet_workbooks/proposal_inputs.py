"""The inputs of a cluster proposal: what is bought, on which terms, and what finance asks about it.

Four sheets of rows, each short enough to be read on one printed page.
"""

from collections.abc import Iterable
from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet.fabric_classes import OTHER as OTHER_FABRIC
from scalesheet.fabric_classes import usable_classes
from scalesheet_workbooks.inputs import (
    BY_INTERCONNECT,
    BY_PILOT,
    EFFICIENCY_METHODS,
    IDEAL_HOURS,
    INPUT_BY_ID,
    MEASURED,
    MODEL_SIZE,
    TOTAL_GPU_HOURS,
    TYPED,
    Input,
    Pick,
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
RATE = Quantity(
    "what one unit costs in the currency of the workbook", "rate", "0.0000", 0, 1e6, low_open=True
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


def _shared(input_id: str, section: str, **changes: object) -> Input:
    """A row of the training run budget, here too."""
    return replace(INPUT_BY_ID[input_id], section=section, **changes)  # type: ignore[arg-type]


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

INPUTS_SHEET: tuple[Input, ...] = (
    Input(
        "in.live_scenario",
        "Scenario by month, in Sensitivity",
        LIVE,
        PROGRAMME,
        key="workbook.live_scenario",
        default=1,
        once=True,
    ),
    Input("in.as_of", "Date of the proposal", DAY, PROGRAMME, key="workbook.as_of", once=True),
    Input("in.budget", "Approved budget", AMOUNT, PROGRAMME, key="workbook.budget", once=True),
    Input(
        "in.capex_budget",
        "Approved capital budget",
        AMOUNT,
        PROGRAMME,
        key="workbook.capex_budget",
        default=0.0,
        once=True,
    ),
    Input(
        "in.acquisition",
        "How the GPUs are had",
        Pick("how the GPUs are had", ACQUISITIONS, "lst_acquisitions"),
        PROGRAMME,
        key="acquisition",
        default=ON_DEMAND,
        beside=TAG,
    ),
    Input("in.start", "First day of the programme", DAY, PROGRAMME, key="start"),
    Input(
        "in.programme_months", "Length of the programme", MONTHS, PROGRAMME, key="programme_months"
    ),
    Input("in.contingency", "Contingency", CONTINGENCY, PROGRAMME, key="contingency", default=0.0),
    Input(
        "in.work_basis",
        "Work is entered as",
        Pick("what is known", WORK_BASES, "lst_work_bases"),
        WORK,
    ),
    _shared("in.ideal_hours", WORK, used_by=(BASIS, IDEAL_HOURS)),
    _shared("in.total_gpu_hours", WORK, used_by=(BASIS, TOTAL_GPU_HOURS)),
    Input("in.parameters", "Parameters of the model", q.PARAMETERS, WORK, **MODEL),  # type: ignore[arg-type]
    Input("in.tokens", "Training tokens", q.TOKENS, WORK, **MODEL),  # type: ignore[arg-type]
    Input(
        "in.peak_flops_per_second",
        "Peak of one GPU, dense",
        q.PEAK_FLOPS_PER_SECOND,
        WORK,
        **MODEL,  # type: ignore[arg-type]
    ),
    Input("in.mfu", "MFU on one node", q.MFU, WORK, **MODEL),  # type: ignore[arg-type]
    Input(
        "in.experiments",
        "Experiments, on top of the main run",
        EXPERIMENTS,
        WORK,
        key="experiments",
        default=0.0,
    ),
    _shared("in.gpus", CLUSTER),
    _shared("in.gpus_per_node", CLUSTER),
    Input(
        "in.efficiency_method",
        "Efficiency comes from",
        Pick("where the efficiency comes from", METHODS, "lst_methods"),
        EFFICIENCY,
    ),
    _shared("in.efficiency", EFFICIENCY, used_by=(METHOD, TYPED)),
    _shared("in.interconnect", EFFICIENCY, used_by=(METHOD, BY_INTERCONNECT)),
    _shared("in.efficiency_floor", EFFICIENCY, used_by=(METHOD, BY_INTERCONNECT)),
    _shared("in.pilot_base_nodes", EFFICIENCY, **PILOT_ROW),
    _shared("in.pilot_base_throughput", EFFICIENCY, **PILOT_ROW),
    _shared("in.pilot_nodes", EFFICIENCY, **PILOT_ROW),
    _shared("in.pilot_throughput", EFFICIENCY, **PILOT_ROW),
    Input(
        "in.waste",
        "Time lost to checkpoints and failures",
        q.WASTE,
        LOSSES,
        key="waste",
        default=0.0,
    ),
    _shared("in.rework", LOSSES),
    Input(
        "in.rework_takes_time",
        "Rework also takes calendar time",
        Pick("whether rework takes time", NO_YES, "lst_no_yes"),
        LOSSES,
        key="rework_takes_time",
        default="no",
    ),
)

COMMITTED = {"required": False, "used_by": (STATE, RESERVED)}
TIER = {"default": 0.0, "beside": CURRENCY}

TERMS_SHEET: tuple[Input, ...] = (
    Input(
        "in.price_basis",
        "Price is per",
        Pick("what the price is for", (PER_GPU, PER_INSTANCE), "lst_price_bases"),
        PRICE,
        default=PER_GPU,
    ),
    _shared(
        "in.gpu_hour_price",
        PRICE,
        label="GPU-hour (own: of the rent instead)",
        required=False,
        beside=CURRENCY,
        used_by=(BY, PER_GPU),
    ),
    Input(
        "in.instance_hour_price",
        "Instance-hour",
        q.INSTANCE_HOUR_PRICE,
        PRICE,
        required=False,
        beside=CURRENCY,
        used_by=(BY, PER_INSTANCE),
    ),
    Input(
        "in.gpus_per_instance",
        "GPUs of the instance",
        q.GPUS_PER_NODE,
        PRICE,
        required=False,
        used_by=(BY, PER_INSTANCE),
    ),
    Input(
        "in.whole_nodes",
        "Whole nodes are billed",
        Pick("whether whole nodes are billed", NO_YES, "lst_no_yes"),
        PRICE,
        key="bill.whole_nodes",
        default="no",
    ),
    Input(
        "in.increment_hours",
        "Billing increment",
        replace(q.INCREMENT_HOURS, number_format="#,##0.00##"),
        PRICE,
        key="bill.increment_hours",
        default=1.0,
    ),
    Input(
        "in.committed_gpu_hours",
        "Committed GPU-hours, whole term",
        replace(q.USED_GPU_HOURS, number_format="#,##0"),
        PRICE,
        key="commitment.committed_gpu_hours",
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.overflow_price",
        "GPU-hour above the commitment",
        q.GPU_HOUR_PRICE,
        PRICE,
        key="commitment.overflow_price",
        beside=CURRENCY,
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.term_months",
        "Term of the commitment",
        MONTHS,
        PRICE,
        key="commitment.term_months",
        **COMMITTED,  # type: ignore[arg-type]
    ),
    Input(
        "in.prepaid_share",
        "Share of the rent paid in advance",
        SHARE,
        PRICE,
        key="commitment.prepaid_share",
        default=0.0,
    ),
    Input(
        "in.payment_months",
        "Months until bills are paid",
        DELAY,
        PRICE,
        key="bill.payment_months",
        default=0.0,
    ),
    _shared("in.storage", STORAGE, domain=AMOUNT, label="Storage, lump sum", beside=TAG),
    Input("in.stored_amount", "Amount stored", STORED, STORAGE, key="stored.amount", default=0.0),
    Input(
        "in.stored_unit",
        "Unit of the amount and of its price",
        Pick("the unit of what is stored", DECIMAL_UNITS, "lst_stored_units"),
        STORAGE,
        key="stored.unit",
        default="GB",
    ),
    Input(
        "in.stored_price",
        "Price for one month of 730 hours",
        q.GB_MONTH_PRICE,
        STORAGE,
        key="stored.price",
        default=0.0,
        beside=CURRENCY,
    ),
    Input(
        "in.stored_months", "Months kept", KEPT_MONTHS, STORAGE, key="stored.months", default=0.0
    ),
    _shared("in.egress", EGRESS, domain=AMOUNT, label="Moved out, lump sum", beside=TAG),
    Input(
        "in.moved_gb",
        "Moved out at one time",
        replace(q.GIGABYTES, number_format="#,##0"),
        EGRESS,
        key="moved.gb",
        default=0.0,
    ),
    Input("in.moved_times", "How many times", REPEATS, EGRESS, key="moved.times", default=0.0),
    Input(
        "in.tier_1_limit",
        "First tier ends at",
        replace(q.TIER_LIMIT, number_format="#,##0"),
        EGRESS,
        key="moved.tier_1_limit",
        default=10_240.0,
    ),
    Input(
        "in.tier_2_limit",
        "Second tier ends at",
        replace(q.TIER_LIMIT, number_format="#,##0"),
        EGRESS,
        key="moved.tier_2_limit",
        default=51_200.0,
    ),
    *(
        Input(
            f"in.tier_{number}_price",
            f"{words} tier",
            q.TIER_PRICE,
            EGRESS,
            key=f"moved.tier_{number}_price",
            **TIER,  # type: ignore[arg-type]
        )
        for number, words in enumerate(("First", "Second", "Third"), 1)
    ),
    Input("in.people", "People", AMOUNT, OTHER, key="costs.people", default=0.0, beside=TAG),
    Input(
        "in.support",
        "Software and support",
        AMOUNT,
        OTHER,
        key="costs.support",
        default=0.0,
        beside=TAG,
    ),
    *(
        Input(
            f"in.other_{number}",
            f"Other cost {number}",
            AMOUNT,
            OTHER,
            key=f"costs.other_{number}",
            default=0.0,
            beside=TAG,
            names_itself=True,
        )
        for number in range(1, OTHER_COSTS + 1)
    ),
    Input(
        "in.credits",
        "Credits, below zero",
        CREDIT,
        OTHER,
        key="costs.credits",
        default=0.0,
        beside=TAG,
    ),
    Input(
        "in.exit_cost",
        "Exit: end early, move out, clear",
        AMOUNT,
        OTHER,
        key="costs.exit_cost",
        default=0.0,
        beside=TAG,
    ),
)


def _owning(name: str, label: str, domain: Quantity, section: str, **more: object) -> Input:
    return Input(
        f"in.{name}",
        label,
        domain,
        section,
        required=False,
        key=f"own.{name}",
        **more,  # type: ignore[arg-type]
    )


def _plain(domain: Quantity) -> Quantity:
    return replace(domain, number_format="#,##0")


OWNING_SHEET: tuple[Input, ...] = (
    _owning("node_price", "Server with its GPUs", _plain(q.NODE_PRICE), PURCHASE, beside=CURRENCY),
    _owning(
        "fabric_per_node",
        "Switches, cables, optics",
        _plain(q.FABRIC_PER_NODE),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning(
        "install_per_node",
        "Racking and bringing up",
        _plain(q.INSTALL_PER_NODE),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning(
        "facility_per_node",
        "Power and cooling built",
        _plain(q.FACILITY_PER_NODE),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning(
        "residual_per_gpu",
        "Residual at the end of life",
        _plain(q.RESIDUAL_PER_GPU),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning("life_years", "Useful life of the servers", LIFE, PURCHASE),
    _owning(
        "facility_life_years",
        "Useful life of the facility",
        replace(LIFE, high=40.0, usual=(8, 25)),
        PURCHASE,
    ),
    _owning("kw_per_gpu", "Power for one GPU, busy", q.KW_PER_GPU, RUNNING),
    _owning("idle_power", "Power when idle", IDLE, RUNNING),
    _owning("pue", "PUE of the site", q.PUE, RUNNING),
    _owning("kwh_price", "Electricity", q.KWH_PRICE, RUNNING, beside=CURRENCY),
    _owning(
        "opex_per_gpu_year",
        "Space, staff, support",
        _plain(q.OPEX_PER_GPU_YEAR),
        RUNNING,
        beside=CURRENCY,
    ),
    _owning("utilization", "Productive hours over its life", q.UTILIZATION, RUNNING),
    _owning("capital_rate", "Cost of capital, effective", q.CAPITAL_RATE, CAPITAL),
    _owning("rent_decline", "Yearly fall of the rent price", DECLINE, CAPITAL),
    Input("in.tax_rate", "Tax on what is bought", TAX, FLAGS, key="tax.rate", default=0.0),
    Input(
        "in.tax_treatment",
        "The tax is",
        Pick("what the tax is", (RECOVERABLE, NOT_RECOVERABLE), "lst_taxes"),
        FLAGS,
        key="tax.treatment",
        default=RECOVERABLE,
    ),
    Input(
        "in.lease",
        "Lease (ASC 842, IFRS 16)",
        Pick("the kind of lease", LEASES, "lst_leases"),
        FLAGS,
        key="lease",
        default="none",
        hint="a flag for accounting, which decides; no figure here depends on it",
    ),
    *(
        Input(
            f"in.fx_{number}",
            "",
            RATE,
            FX,
            required=False,
            once=True,
            key=f"rate.{number}",
            names_itself=True,
        )
        for number in range(1, MAX_RATES + 1)
    ),
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
        replace(
            INPUT_BY_ID[name],
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
            f"in.measured_throughput_{place}",
            f"Throughput of point {place}",
            q.THROUGHPUT,
            RATES,
            False,
        )
        for place in range(1, POINTS + 1)
    ),
)

SHEETS: dict[str, tuple[Input, ...]] = {
    "Inputs": INPUTS_SHEET,
    "Terms": TERMS_SHEET,
    "Owning": OWNING_SHEET,
    "Ranges": RANGES_SHEET,
    "Measured": MEASURED_SHEET,
}
"""Every sheet of inputs with its rows."""

PROPOSAL_INPUTS = tuple(entry for rows in SHEETS.values() for entry in rows)
PROPOSAL_BY_ID = {entry.id: entry for entry in PROPOSAL_INPUTS}

LISTS: dict[str, tuple[str, ...]] = {
    entry.domain.list_name: entry.domain.options
    for entry in PROPOSAL_INPUTS
    if isinstance(entry.domain, Pick)
} | {"lst_tags": TAGS, "lst_confidences": CONFIDENCES}


def of_section(rows: Iterable[Input]) -> dict[str, list[str]]:
    """The ids of rows by section, in their order."""
    sections: dict[str, list[str]] = {}
    for entry in rows:
        sections.setdefault(entry.section, []).append(entry.id)
    return sections
