"""The quantities: words, unit, limits, number format of each argument and result, once.

Fractions are 0-1; money is in the workbook's one currency. A function takes them as hints (see
``hints``), a workbook as they stand here.
"""

from scalesheet.domains import Choice, Quantity

COUNT, DECIMAL, PERCENT, SCIENTIFIC = "#,##0", "#,##0.00", "0.0%", "0.00E+00"
PRICE = "#,##0.00##"
MONEY = "money"
HOURS_PER_MONTH = 730.0
"""A twelfth of 8,760 hours, here and nowhere 720 or 744: how prices by the month become hourly."""

# --- Scaling, training cost -----------------------------------------------------------------------

NODES = Quantity(
    "the number of server nodes in one training run", "nodes", COUNT, 1, 1e7, whole=True
)
GPUS = Quantity(
    "the number of GPUs in the run", "GPUs", COUNT, 1, 1e7, whole=True, usual=(1, 200_000)
)
GPUS_PER_NODE = Quantity(
    "the number of GPUs in one node (an NVL72 rack is one node of 72)",
    "GPUs/node",
    COUNT,
    1,
    1e7,
    whole=True,
    usual=(1, 72),
)
WORK_HOURS = Quantity(
    "the wall-clock hours of the whole cluster at perfect scaling",
    "h",
    DECIMAL,
    0,
    1e12,
    low_open=True,
    usual=(1, 8760),
)
TOTAL_GPU_HOURS = Quantity(
    "the work of the whole run in GPU-hours at perfect scaling",
    "GPU-h",
    DECIMAL,
    0,
    1e12,
    low_open=True,
)
USED_GPU_HOURS = Quantity("GPU-hours committed or used", "GPU-h", DECIMAL, 0, 1e12)
DEADLINE_DAYS = Quantity("calendar days", "days", DECIMAL, 0, 1e7, low_open=True)
GPU_HOUR_PRICE = Quantity(
    "the price of one GPU for one hour (an instance price divided by its GPUs)",
    f"{MONEY}/GPU-h",
    PRICE,
    0,
    1e6,
    low_open=True,
    usual=(0.3, 20),
)
COST = Quantity("an amount of money for the whole run", MONEY, DECIMAL, 0, 1e12)
EFFICIENCY = Quantity(
    "the share of the ideal speed-up that is kept",
    "share",
    PERCENT,
    0.01,
    1.5,
    usual=(0.5, 1),
)
EFFICIENCY_FLOOR = Quantity(
    "the efficiency below which overlap and accumulation are taken to keep it",
    "share",
    PERCENT,
    0.01,
    1,
)
REWORK = Quantity(
    "the share of compute that is paid again for failed runs",
    "share",
    PERCENT,
    0,
    3,
    usual=(0, 0.5),
)
LOSS = Quantity(
    "the share of efficiency that each node past the first costs",
    "share/node",
    "0.00%",
    0,
    1,
    low_open=True,
    high_open=True,
    usual=(0.001, 0.1),
)
EXPONENT = Quantity(
    "the power with which efficiency falls with nodes", "exponent", "0.000", -1, 5, usual=(0, 0.3)
)
GBPS = Quantity(
    "network bandwidth in gigabits per second",
    "Gb/s",
    COUNT,
    0,
    1e6,
    low_open=True,
    usual=(10, 14_400),
)
GRADIENT_GB = Quantity("gigabytes exchanged in one step", "GB", DECIMAL, 0, 1e15, low_open=True)
STEP_SECONDS = Quantity(
    "the seconds of one training step on one node", "s", "0.000", 0, 1e15, low_open=True
)
THROUGHPUT = Quantity(
    "units of work in a second (samples or tokens), the total of all GPUs counted",
    "units/s",
    COUNT,
    0,
    1e15,
    low_open=True,
)
HIDEABLE_SHARE = Quantity(
    "the share of a step behind which communication can hide", "share", PERCENT, 0, 1
)
GIGABYTES = Quantity("gigabytes moved", "GB", DECIMAL, 0, 1e15)
TIER_LIMIT = Quantity(
    "the gigabytes at which a price tier ends", "GB", DECIMAL, 0, 1e15, low_open=True
)
TIER_PRICE = Quantity(
    "the price of one gigabyte within a tier", f"{MONEY}/GB", PRICE, 0, 1e6, usual=(0, 1)
)
INTERCONNECT = Choice(
    "the network between the nodes",
    (
        ("NDR", "InfiniBand NDR 400 Gb/s"),
        ("HDR", "InfiniBand HDR 200 Gb/s"),
        ("RoCE100", "Ethernet RoCE 100 Gb/s"),
        ("Eth25", "Ethernet 25 Gb/s"),
    ),
    elsewhere="for other fabrics use LOSS_FROM_GBPS, SCALING_EFF_COMM or SCALING_EFF_LINEAR",
)

# --- Workload, reliability, billing ---------------------------------------------------------------

PARAMETERS = Quantity(
    "the number of parameters that a token passes (of a mixture of experts, the active ones)",
    "parameters",
    SCIENTIFIC,
    0,
    1e18,
    low_open=True,
)
TOKENS = Quantity("the number of training tokens", "tokens", SCIENTIFIC, 0, 1e18, low_open=True)
FLOPS = Quantity("floating-point operations", "FLOP", SCIENTIFIC)
PEAK_FLOPS_PER_SECOND = Quantity(
    "the peak of one GPU at the precision of the training, dense and not sparse",
    "FLOP/s",
    SCIENTIFIC,
    0,
    1e20,
    low_open=True,
    usual=(1e13, 1e16),
)
MFU = Quantity(
    "the share of peak FLOP/s that one node reaches (no loss between nodes in it)",
    "share",
    PERCENT,
    0.01,
    1,
    usual=(0.15, 0.6),
)
TOKENS_PER_SECOND = Quantity(
    "tokens trained in a second by all GPUs together", "tokens/s", COUNT, 0, 1e15, low_open=True
)
GPU_MTBF_HOURS = Quantity(
    "the GPU-hours between two interruptions, those of all kinds counted",
    "GPU-h",
    COUNT,
    0,
    1e12,
    low_open=True,
    usual=(5_000, 500_000),
)
MTBF_HOURS = Quantity(
    "the mean hours between two interruptions of the whole run",
    "h",
    DECIMAL,
    0,
    1e12,
    low_open=True,
)
CHECKPOINT_HOURS = Quantity(
    "the hours that writing one checkpoint stops the run", "h", "0.0000", 0, 1e7, low_open=True
)
INTERVAL_HOURS = Quantity(
    "the hours of work between two checkpoints", "h", "0.0000", 0, 1e7, low_open=True
)
RESTART_HOURS = Quantity(
    "the hours from an interruption until the run goes on", "h", "0.0000", 0, 1e12
)
HOURS = Quantity("hours of the whole run", "h", DECIMAL, 0, 1e7, low_open=True)
INCREMENT_HOURS = Quantity(
    "the hours by which the provider bills", "h", "0.0000", 0, 1e7, low_open=True
)
WASTE = Quantity(
    "the share of time that checkpoints and interruptions take",
    "share",
    PERCENT,
    0,
    1,
    high_open=True,
    usual=(0, 0.3),
)
PREEMPTIONS_PER_NODE_HOUR = Quantity(
    "how often in an hour the provider takes one spot node back",
    "1/node-h",
    "0.0000",
    0,
    60,
    low_open=True,
    usual=(0, 0.2),
)
INSTANCE_HOUR_PRICE = Quantity(
    "the price of one instance, with all its GPUs, for one hour",
    f"{MONEY}/instance-h",
    PRICE,
    0,
    1e6,
    low_open=True,
)
GB_MONTH_PRICE = Quantity(
    "the price of one gigabyte stored for one month of 730 hours",
    f"{MONEY}/GB-month",
    PRICE,
    0,
    1e6,
    usual=(0, 1),
)
STORED_HOURS = Quantity("the hours that the data is kept", "h", DECIMAL, 0, 1e7)
GIBIBYTES = Quantity("gibibytes, of 1,024 mebibytes each", "GiB", DECIMAL, 0, 1e15)

# --- Own or rent, risk ----------------------------------------------------------------------------

NODE_PRICE = Quantity("the price of one server with its GPUs", f"{MONEY}/node", DECIMAL, 0, 1e12)
FABRIC_PER_NODE = Quantity(
    "switches, cables and optics, for one node", f"{MONEY}/node", DECIMAL, 0, 1e12
)
FACILITY_PER_NODE = Quantity(
    "power and cooling that is built, for one node", f"{MONEY}/node", DECIMAL, 0, 1e12
)
INSTALL_PER_NODE = Quantity(
    "racking, cabling and bringing up, for one node", f"{MONEY}/node", DECIMAL, 0, 1e12
)
CAPITAL_PER_GPU = Quantity(
    "the build-out cost for one GPU, everything in it", f"{MONEY}/GPU", DECIMAL, 0, 1e12
)
RESIDUAL_PER_GPU = Quantity(
    "what one GPU's share sells for at the end: an amount, not a share",
    f"{MONEY}/GPU",
    DECIMAL,
    0,
    1e12,
)
LIFE_YEARS = Quantity(
    "the years over which it is paid off", "years", DECIMAL, 0, 1e7, low_open=True, usual=(3, 6)
)
CAPITAL_RATE = Quantity(
    "the yearly cost of capital: effective, nominal, before tax",
    "share/year",
    PERCENT,
    0,
    1,
    usual=(0, 0.2),
)
KW_PER_GPU = Quantity(
    "the power at the server's plug for one GPU, hosts and switches shared out",
    "kW/GPU",
    "0.000",
    0,
    100,
    usual=(0.3, 3),
)
PUE = Quantity(
    "power usage effectiveness: power of the site over power of its computers",
    "ratio",
    DECIMAL,
    1,
    5,
    usual=(1.05, 2),
)
KWH_PRICE = Quantity(
    "the price of one kilowatt-hour", f"{MONEY}/kWh", "0.000", 0, 10, usual=(0.03, 0.5)
)
OPEX_PER_GPU_YEAR = Quantity(
    "yearly running cost for one GPU besides power: space, staff, support",
    f"{MONEY}/GPU-year",
    DECIMAL,
    0,
    1e12,
)
OWNED_GPU_HOUR_COST = Quantity(
    "the cost of owning one GPU for one hour of the calendar",
    f"{MONEY}/GPU-h",
    PRICE,
    0,
    1e12,
    low_open=True,
)
UTILIZATION = Quantity(
    "the share of the calendar in which a GPU does productive work", "share", PERCENT, 0.01, 1
)
PROBABILITY = Quantity(
    "the chance that the cost stays at or below the result",
    "share",
    PERCENT,
    0,
    1,
    low_open=True,
    high_open=True,
)

# --- Measured sizes, batches ----------------------------------------------------------------------

BATCH_SIZE = Quantity(
    "the samples (or tokens) of one step of all GPUs", "samples", COUNT, 0, 1e15, low_open=True
)
SAMPLES_RATIO = Quantity(
    "the samples needed at one batch size over those at another",
    "ratio",
    DECIMAL,
    0,
    1e6,
    low_open=True,
)

# --- Catalog --------------------------------------------------------------------------------------

PARAMETERS_BILLION = Quantity(
    "the parameters of the model, in billions",
    "10^9 parameters",
    DECIMAL,
    0,
    1e9,
    low_open=True,
    usual=(0.1, 2000),
)
CONTEXT_TOKENS = Quantity(
    "the tokens of one sequence, prompt and answer", "tokens", COUNT, 1, 1e9, whole=True
)
CONCURRENCY = Quantity("the sequences served at once", "sequences", COUNT, 1, 1e7, whole=True)
LATENCY_MS_PER_TOKEN = Quantity(
    "the longest time from one token of an answer to the next", "ms", DECIMAL, 0, 1e6, low_open=True
)
KW_AVAILABLE = Quantity(
    "the power for computers that the site can give", "kW", DECIMAL, 0, 1e9, low_open=True
)

# --- Results that are no argument of anything -----------------------------------------------------

NODE_COUNT = Quantity("a number of nodes, not always whole", "nodes", DECIMAL)
RATIO = Quantity("a share that may be above one or below zero", "share", PERCENT)
DAYS = Quantity("calendar days", "days", DECIMAL)
GPU_EQUIVALENTS = Quantity("GPUs' worth of capacity", "GPUs", DECIMAL)
EVENTS = Quantity("how many are to be expected", "events", DECIMAL)
CAPITAL = Quantity("an amount of money for the whole cluster", MONEY, DECIMAL)
GPU_PURCHASE_PRICE = Quantity("the price of buying one GPU", "USD/GPU", DECIMAL)
GPU_FIGURE = Quantity("the figure, in the unit that its field names", "see field", "0.0##")
