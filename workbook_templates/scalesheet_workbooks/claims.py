"""What the two public calculators state, in our words, and what we hold of it.

Every figure and rule of theirs has its place: a function, an id of a template, or a verdict that
says what is wrong and why. The Notes sheet prints the list.
"""

from dataclasses import dataclass

EFFICIENCY, COST = "efficiency calculator", "cost estimator"
HOLDS, WRONG, DOUBT = "used", "corrected", "with care"


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement, our verdict, what this workbook does with it, and where that stands."""

    source: str
    says: str
    verdict: str
    ours: str
    places: tuple[str, ...]


CLAIMS: tuple[Claim, ...] = (
    # --- Where they contradict themselves or measurements ---------------------------------------
    Claim(
        COST,
        "The work is ideal GPU-hours on a single-GPU basis.",
        WRONG,
        "Its formula never divides by the number of GPUs, so the figure is the ideal wall-clock "
        "time of the whole cluster: ideal_hours. Who has a total uses TRAIN_COST_WORK.",
        ("TRAIN_COST", "TRAIN_COST_WORK", "IDEAL_HOURS_FROM_WORK", "in.work_basis"),
    ),
    Claim(
        COST,
        "The price is per node instance, and elsewhere per single GPU.",
        WRONG,
        "The formula multiplies by GPUs, so it is per GPU-hour. A scenario file takes an instance "
        "price with its number of GPUs and divides.",
        ("in.gpu_hour_price",),
    ),
    Claim(
        COST,
        "The single-node example totals 1,111.06.",
        WRONG,
        "1,111.0526: the printed total adds rounded parts (1,010.53 + 50.53 + 50).",
        ("TRAIN_COST",),
    ),
    Claim(
        COST,
        "32 x 94.12 hours give 3,011.76 GPU-hours, 256 x 666.67 give 170,666.67, 8 x 50.53 give "
        "404.21.",
        WRONG,
        "The products as spelled out are 3,011.84, 170,667.52 and 404.24; its results follow from "
        "the unrounded hours, and so do the totals.",
        ("GPU_HOURS",),
    ),
    Claim(
        COST,
        "Rework costs money.",
        DOUBT,
        "It costs time as well: wall-clock days leave it out as the estimator does, the line "
        "below them puts it in.",
        ("REWORK_COST", "EXPECTED_DAYS", "calc.expected_days"),
    ),
    Claim(
        COST,
        "Typical efficiency is 75-90 %; 85-95 % on 400 Gb/s InfiniBand; 50-70 % on 10 Gb/s "
        "Ethernet, below 50 % with tensor parallelism over it; 95 % and more inside a node.",
        DOUBT,
        "The ranges overlap and disagree; none names a number of nodes. Measure a pilot at two "
        "sizes. Published single-node series reach a median 90.9 % at 8 GPUs.",
        ("in.efficiency_method", "SCALING_EXPONENT", "NODE_EFF"),
    ),
    Claim(
        EFFICIENCY,
        "25 Gb/s Ethernet keeps 60-70 % somewhere from 8 to 16 nodes.",
        WRONG,
        "Its own 7 % a node gives 51 % at 8 and less than nothing at 16; only a floor of 60-70 % "
        "yields the sentence, and then the figure is the floor. A power law through its 79 % at "
        "4 nodes would give 70.2 % and 62.4 %.",
        ("SCALING_EFF", "FLOOR_NODES", "SCALING_EFF_POWER"),
    ),
    Claim(
        EFFICIENCY,
        "The gap between interconnects only widens, to twice the time beyond 16-32 nodes.",
        WRONG,
        "Not in its model: with a floor of 50 % the ratio of NDR to Ethernet is 1.55 at 16 nodes, "
        "1.07 at 32 and 1 at 64. Points at the floor are marked.",
        ("FABRIC_PREMIUM", "fab.efficiency", "eff.floor_alert"),
    ),
    Claim(
        EFFICIENCY,
        "Past a certain node a further one adds less than it costs; check before a fifth or sixth.",
        DOUBT,
        "So it is in a linear decay: total throughput peaks at 7.6 nodes on Ethernet and 33.8 on "
        "NDR, and rises again once the floor holds (0.02 nodes' worth at 7, 0.42 at 8): an "
        "artefact of the floor.",
        ("MARGINAL_NODE", "PEAK_NODES", "scale.marginal_node"),
    ),
    Claim(
        EFFICIENCY,
        "At 60-70 % efficiency the marginal GPU gives well under half its worth.",
        WRONG,
        "Where the floor holds, each node more adds the floor: 60-70 % of its worth. Only before "
        "it, in the linear decay, does the margin fall to 0.02 nodes.",
        ("MARGINAL_NODE", "FLOOR_NODES"),
    ),
    Claim(
        EFFICIENCY,
        "Loss grows faster with nodes than most budgets assume.",
        DOUBT,
        "In its model efficiency falls in a line; the GPU-equivalents lost grow with the square "
        "of the nodes until the floor.",
        ("GPUS_LOST", "scale.gpus_lost"),
    ),
    Claim(
        EFFICIENCY,
        "The baseline is one GPU alone.",
        DOUBT,
        "Yet one node counts as 100 %, so a loss inside the node is left out. Measure one node.",
        ("CLUSTER_THROUGHPUT", "NODE_EFF"),
    ),
    Claim(
        EFFICIENCY,
        "Fewer, larger nodes scale better: two nodes of 8 GPUs beat four of 4, since half the "
        "gradient traffic crosses the network.",
        DOUBT,
        "True at equal network bandwidth per GPU; not a rule when the larger node shares one "
        "port. A ring moves 2 (n-1)/n of the gradient per node: 1 at two nodes, 1.5 at four.",
        ("in.gpus_per_node", "SCALING_EFF_COMM"),
    ),
    Claim(
        EFFICIENCY,
        "FSDP and ZeRO reduce communication volume.",
        WRONG,
        "They save memory. ZeRO-1 and 2 move as much as plain data parallelism, ZeRO-3 and FSDP "
        "about 1.5 times as much.",
        ("SCALING_EFF_COMM",),
    ),
    Claim(
        COST,
        "Standard Ethernet is 10 Gb/s.",
        DOUBT,
        "The efficiency calculator's is 25 Gb/s: enter the rate that the network has.",
        ("LOSS_FROM_GBPS",),
    ),
    # --- What is used as stated -----------------------------------------------------------------
    Claim(
        EFFICIENCY,
        "Four nodes keep 95.5 % on NDR 400 Gb/s and 79 % on 25 Gb/s Ethernet; NDR loses 1-2 % a "
        "node; efficiency never falls below a floor.",
        HOLDS,
        "Loss of 1.5 % and 7 % for each node past the first. HDR and RoCE are not stated: 2.2 % "
        "and 3.2 % are interpolated estimates, and so is any other bandwidth.",
        ("LOSS_PER_NODE", "LOSS_FROM_GBPS", "SCALING_EFF", "SCALING_EFF_LINEAR"),
    ),
    Claim(
        EFFICIENCY,
        "It returns efficiency, effective throughput, and GPU-equivalents lost.",
        HOLDS,
        "A row each.",
        ("calc.efficiency", "scale.cluster_throughput", "scale.gpus_lost"),
    ),
    Claim(
        EFFICIENCY,
        "HDR suits up to about 16 nodes, RoCE smaller jobs, 25 Gb/s Ethernet a handful of nodes.",
        DOUBT,
        "Read it off the comparison: where the marginal node is worth little, stop.",
        ("fab.efficiency", "MARGINAL_NODE"),
    ),
    Claim(
        EFFICIENCY,
        "A planning model: strategy, batch size and framework matter, so benchmark your own job.",
        HOLDS,
        "Two sizes of your own job give the exponent; efficiency is then taken from the pilot.",
        ("SCALING_EXPONENT", "MEASURED_EFF", "in.pilot_nodes"),
    ),
    Claim(
        EFFICIENCY,
        "It models training, not inference of independent requests.",
        HOLDS,
        "So does this workbook.",
        ("SCALING_EFF",),
    ),
    Claim(
        EFFICIENCY,
        "Gradient accumulation synchronizes less often, for a longer step.",
        HOLDS,
        "It makes step_seconds longer for the same bytes.",
        ("SCALING_EFF_COMM",),
    ),
    Claim(
        EFFICIENCY,
        "The network is the item most often cut, and the largest lever.",
        HOLDS,
        "What the better network may add to the GPU-hour price: NDR against Ethernet 20.9 % at 4 "
        "nodes.",
        ("FABRIC_PREMIUM",),
    ),
    Claim(
        COST,
        "Wall-clock is ideal hours over efficiency; GPU-hours are GPUs times wall-clock; compute "
        "is GPU-hours times price; rework a share of compute; storage and egress are fixed.",
        HOLDS,
        "A row each, in this order.",
        (
            "WALL_CLOCK_HOURS",
            "WALL_CLOCK_DAYS",
            "GPU_HOURS",
            "COMPUTE_COST",
            "REWORK_COST",
            "calc.fixed_costs",
            "TRAIN_COST",
            "TRAIN_COST_LINES",
        ),
    ),
    Claim(
        COST,
        "Five worked examples: 27,950; 6,775.88; 821,700; 1,111.06; 22,100.",
        HOLDS,
        "The five scenarios of this template as shipped.",
        ("TRAIN_COST", "calc.train_cost"),
    ),
    Claim(
        COST,
        "Efficiency of 80 % and rework of 15 % raise cost by over 40 %.",
        HOLDS,
        "By 43.75 %.",
        ("COST_OVERHEAD", "calc.cost_overhead"),
    ),
    Claim(
        COST,
        "Below 70 % efficiency a large cluster wastes a massive part of its budget on "
        "communication.",
        HOLDS,
        "30 % of compute and more. An alert is raised below 70 %.",
        ("const.low_efficiency", "eff.low_efficiency_alert", "chk.low_efficiency"),
    ),
    Claim(
        COST,
        "Efficiency is entered from 1 to 100 %.",
        DOUBT,
        "1 % to 150 %: measured efficiencies above 100 % exist and are kept, with an alert.",
        ("in.efficiency", "eff.full_efficiency_alert"),
    ),
    Claim(
        COST,
        "Spot costs 60-80 % less, may be reclaimed, and needs checkpoints; at 1.00 and 35 % "
        "rework it is cheaper than on demand.",
        DOUBT,
        "22,100 against 46,500 at 2.50 and 15 %. Rework carries the preemptions; without "
        "checkpoints a share of compute is the wrong model.",
        ("in.rework", "calc.rework_alert"),
    ),
    Claim(
        COST,
        "At 100 % efficiency 64 GPUs are 64 times as fast as one.",
        HOLDS,
        "Throughput is nodes, times GPUs, times one GPU, times efficiency.",
        ("CLUSTER_THROUGHPUT",),
    ),
    Claim(
        COST,
        "Weigh reserved contracts against spot.",
        HOLDS,
        "Reserved hours bill when idle: committed hours and overflow have their own function.",
        ("COMMITTED_COST",),
    ),
    Claim(
        COST,
        "NVLink inside a node reaches up to 900 GB/s and 95 % and more.",
        DOUBT,
        "No formula takes the bandwidth inside a node: measure one node with all GPUs busy.",
        ("NODE_EFF",),
    ),
    Claim(
        COST,
        "Storage and inter-region egress add up to thousands; data beside the cluster has no "
        "egress.",
        HOLDS,
        "An amount each per run; graduated egress prices have their own function.",
        ("in.storage", "in.egress", "EGRESS_COST"),
    ),
)
