"""The hints of worksheet functions: a type for the type checker, a domain for the registry.

``def wall_clock_hours(ideal_hours: WorkHours, ...) -> WorkHours`` takes and gives a float, and says
what it may be. A hint carries the name of its quantity; those of ranges, names and days carry a
domain of their own.
"""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from scalesheet import quantities as q
from scalesheet.domains import Date, Name, Table, Text, Vector

# --- Scaling, training cost -----------------------------------------------------------------------

Nodes = Annotated[float, q.NODES]
Gpus = Annotated[float, q.GPUS]
GpusPerNode = Annotated[float, q.GPUS_PER_NODE]
WorkHours = Annotated[float, q.WORK_HOURS]
TotalGpuHours = Annotated[float, q.TOTAL_GPU_HOURS]
UsedGpuHours = Annotated[float, q.USED_GPU_HOURS]
DeadlineDays = Annotated[float, q.DEADLINE_DAYS]
GpuHourPrice = Annotated[float, q.GPU_HOUR_PRICE]
Cost = Annotated[float, q.COST]
Efficiency = Annotated[float, q.EFFICIENCY]
EfficiencyFloor = Annotated[float, q.EFFICIENCY_FLOOR]
Rework = Annotated[float, q.REWORK]
Loss = Annotated[float, q.LOSS]
Exponent = Annotated[float, q.EXPONENT]
Gbps = Annotated[float, q.GBPS]
GradientGb = Annotated[float, q.GRADIENT_GB]
StepSeconds = Annotated[float, q.STEP_SECONDS]
Throughput = Annotated[float, q.THROUGHPUT]
HideableShare = Annotated[float, q.HIDEABLE_SHARE]
Gigabytes = Annotated[float, q.GIGABYTES]
TierLimits = Annotated[Sequence[float], Vector(q.TIER_LIMIT, "the upper end of each tier in GB")]
TierPrices = Annotated[Sequence[float], Vector(q.TIER_PRICE, "the price of each tier")]
Interconnect = Annotated[str, q.INTERCONNECT]

# --- Workload, reliability, billing ---------------------------------------------------------------

Parameters = Annotated[float, q.PARAMETERS]
Tokens = Annotated[float, q.TOKENS]
Flops = Annotated[float, q.FLOPS]
PeakFlopsPerSecond = Annotated[float, q.PEAK_FLOPS_PER_SECOND]
Mfu = Annotated[float, q.MFU]
TokensPerSecond = Annotated[float, q.TOKENS_PER_SECOND]
GpuMtbfHours = Annotated[float, q.GPU_MTBF_HOURS]
MtbfHours = Annotated[float, q.MTBF_HOURS]
CheckpointHours = Annotated[float, q.CHECKPOINT_HOURS]
IntervalHours = Annotated[float, q.INTERVAL_HOURS]
RestartHours = Annotated[float, q.RESTART_HOURS]
Hours = Annotated[float, q.HOURS]
IncrementHours = Annotated[float, q.INCREMENT_HOURS]
Waste = Annotated[float, q.WASTE]
PreemptionsPerNodeHour = Annotated[float, q.PREEMPTIONS_PER_NODE_HOUR]
InstanceHourPrice = Annotated[float, q.INSTANCE_HOUR_PRICE]
GbMonthPrice = Annotated[float, q.GB_MONTH_PRICE]
StoredHours = Annotated[float, q.STORED_HOURS]
Gibibytes = Annotated[float, q.GIBIBYTES]

# --- Own or rent, risk ----------------------------------------------------------------------------

SPREAD = "three numbers: low, mode (the likeliest) and high"
HoursSpread = Annotated[Sequence[float], Vector(q.WORK_HOURS, SPREAD, 3)]
PriceSpread = Annotated[Sequence[float], Vector(q.GPU_HOUR_PRICE, SPREAD, 3)]
EfficiencySpread = Annotated[Sequence[float], Vector(q.EFFICIENCY, SPREAD, 3)]
ReworkSpread = Annotated[Sequence[float], Vector(q.REWORK, SPREAD, 3)]
NodePrice = Annotated[float, q.NODE_PRICE]
FabricPerNode = Annotated[float, q.FABRIC_PER_NODE]
FacilityPerNode = Annotated[float, q.FACILITY_PER_NODE]
InstallPerNode = Annotated[float, q.INSTALL_PER_NODE]
CapitalPerGpu = Annotated[float, q.CAPITAL_PER_GPU]
ResidualPerGpu = Annotated[float, q.RESIDUAL_PER_GPU]
LifeYears = Annotated[float, q.LIFE_YEARS]
CapitalRate = Annotated[float, q.CAPITAL_RATE]
KwPerGpu = Annotated[float, q.KW_PER_GPU]
Pue = Annotated[float, q.PUE]
KwhPrice = Annotated[float, q.KWH_PRICE]
OpexPerGpuYear = Annotated[float, q.OPEX_PER_GPU_YEAR]
OwnedGpuHourCost = Annotated[float, q.OWNED_GPU_HOUR_COST]
Utilization = Annotated[float, q.UTILIZATION]
Probability = Annotated[float, q.PROBABILITY]

# --- Measured sizes, batches ----------------------------------------------------------------------

FabricClass = Annotated[str, Name("the class of the measured fabric, or other", "A100 HDR")]
MeasuredNodes = Annotated[Sequence[float], Vector(q.NODES, "the measured numbers of nodes")]
MeasuredThroughput = Annotated[
    Sequence[float], Vector(q.THROUGHPUT, "the total throughput measured at each of them")
]
BatchSize = Annotated[float, q.BATCH_SIZE]
SamplesRatio = Annotated[float, q.SAMPLES_RATIO]

# --- Catalog --------------------------------------------------------------------------------------

GpuName = Annotated[str, Name("a GPU of the catalog", "H100-80GB")]
Provider = Annotated[str, Name("who rents it out", "AWS")]
Term = Annotated[str, Name("the terms of the price", "on-demand")]
SpecField = Annotated[str, Name("the figure that is asked for", "memory_gb")]
AsOf = Annotated[date, Date("the day for which the price is asked")]
ParametersBillion = Annotated[float, q.PARAMETERS_BILLION]
ContextTokens = Annotated[float, q.CONTEXT_TOKENS]
Concurrency = Annotated[float, q.CONCURRENCY]
LatencyMsPerToken = Annotated[float, q.LATENCY_MS_PER_TOKEN]
BudgetPerGpuHour = Annotated[float, q.GPU_HOUR_PRICE]
KwAvailable = Annotated[float, q.KW_AVAILABLE]

# --- Results that are no argument of anything -----------------------------------------------------

NodeCount = Annotated[float, q.NODE_COUNT]
Ratio = Annotated[float, q.RATIO]
Days = Annotated[float, q.DAYS]
GpuEquivalents = Annotated[float, q.GPU_EQUIVALENTS]
Events = Annotated[float, q.EVENTS]
Capital = Annotated[float, q.CAPITAL]
GpuPurchasePrice = Annotated[float, q.GPU_PURCHASE_PRICE]
GpuFigure = Annotated[float, q.GPU_FIGURE]
Note = Annotated[str, Text("a note in words")]
Lines = Annotated[list[list[str | float]], Table("a label and a value in each row")]
