"""The figures of the function library: those specified, and published ones that it must give."""

from figure import Figure

CALCULATOR = "related calculators"
DALY = "Daly 2006, figures 3 to 5"
LLAMA = "Llama 3 Herd of Models, section 3.3.4"
PALM = "PaLM, table 3"

OWNED = "46883, {}, 4, {}, 1.275, 1.56, 0.13, {}"
WASTE = "3.0930786, 1 / 60, (2 / 60 * 3.0930786) ** 0.5, 1 / 6"

LIBRARY = [
    # --- Workload ----------------------------------------------------------------------------
    Figure("train_flops(70e9, 15e12) / 1e24", "6.3", "TRAIN_FLOPS"),
    Figure("work_gpu_hours(70e9, 15e12, 989e12, 0.4)", "4,423,660.2629", "WORK_GPU_HOURS"),
    Figure(
        "100 * model_flops_utilization(540e9, 238.3e3, 6144, 275e12)",
        "45.7",
        "PaLM 540B: 238.3K tokens/s on 6,144 TPU v4 of 275 TFLOP/s, without attention",
        PALM,
    ),
    # --- Reliability and spot ----------------------------------------------------------------
    Figure("cluster_mtbf(16384, 50677)", "3.0930786", "CLUSTER_MTBF"),
    Figure(
        "cluster_mtbf(16384, 16384 * 54 * 24 / 419)",
        "3.09",
        "419 unexpected interruptions in 54 days on 16,384 GPUs",
        LLAMA,
    ),
    Figure("16384 * 54 * 24 / 419", "50,677", "GPU-hours for one unexpected interruption", LLAMA),
    Figure(
        "expected_failures(16384, 54 * 24, 50677)",
        "419",
        "the interruptions that the rate comes from",
        LLAMA,
    ),
    Figure("expected_failures(64, 150, 50677)", "0.1894350", "EXPECTED_FAILURES"),
    Figure("checkpoint_interval(0.05, 3.09307861328125)", "0.5233207", "CHECKPOINT_INTERVAL"),
    Figure("checkpoint_interval(8, 4)", "4", "CHECKPOINT_INTERVAL: a checkpoint of 2 MTBF"),
    Figure("60 * checkpoint_interval(5 / 60, 24)", "117", "minutes, MTBF 24 h, dump 5 min", DALY),
    Figure("60 * checkpoint_interval(5 / 60, 6)", "57", "minutes, MTBF 6 h, dump 5 min", DALY),
    Figure("60 * checkpoint_interval(5 / 60, 0.25)", "9.1", "minutes, MTBF 15 min", DALY),
    Figure(f"failure_waste({WASTE})", "0.1576949", "FAILURE_WASTE"),
    Figure("failure_waste(1, 10, 1, 1)", "1", "FAILURE_WASTE: at most all of the time"),
    Figure("rework_from_waste(0.1576949)", "0.1872183", "REWORK_FROM_WASTE"),
    Figure("hours_no_checkpoint(10, 20)", "12.97", "20 (e^0.5 - 1): HOURS_NO_CHECKPOINT"),
    Figure("spot_mtbf(100, 4, 0.01)", "20", "SPOT_MTBF"),
    Figure("spot_breakeven_rework(1, 2.5, 0.15)", "1.875", "SPOT_BREAKEVEN_REWORK"),
    # --- Own or rent -------------------------------------------------------------------------
    Figure(
        "cluster_capex(64, 310000, 15060, 50000, 0)",
        "24,003,840",
        "64 nodes: servers, fabric, power and cooling",
        CALCULATOR,
    ),
    Figure(
        "capex_per_gpu(64, 310000, 15060, 50000, 0, 8)", "46,882.5", "the same a GPU", CALCULATOR
    ),
    Figure(f"owned_gpu_hour({OWNED.format(0, 0, 0)})", "1.5965552", "OWNED_GPU_HOUR"),
    Figure(f"owned_gpu_hour({OWNED.format(4688.3, 0.1, 1500)})", "1.9350613", "OWNED_GPU_HOUR"),
    Figure(
        "(46883 - 4688.3 / 1.1**4) * 0.1 / (1 - 1.1**-4) / 8760 + 1500 / 8760"
        " + 1.275 * 1.56 * 0.13",
        "2.0028652",
        "what payments at the end of each year would give instead",
    ),
    Figure("productive_gpu_hour(1.5965552, 0.5)", "3.1931104", "PRODUCTIVE_GPU_HOUR"),
    Figure("breakeven_utilization(1.5965552, 2.95)", "0.5412052", "BREAKEVEN_UTILIZATION"),
    Figure("breakeven_utilization(1.9350613, 2.95)", "0.6559530", "BREAKEVEN_UTILIZATION"),
    Figure(
        "100 * breakeven_utilization(1.9350613, 2.95 * (1 + 0.8 + 0.64 + 0.512) / 4)",
        "89",
        "the break-even of 66 % when rents fall by 20 % a year, mean of four years",
    ),
    # --- Billing -----------------------------------------------------------------------------
    Figure("billed_hours(2.2, 1)", "3", "case of hourly billing"),
    Figure("instance_gpu_price(98.32, 8)", "12.29", "Azure ND96isr H100 v5, price list 2026-09-06"),
    Figure("instance_gpu_price(55.04, 8)", "6.88", "AWS p5.48xlarge, price list 2026-09-06"),
    Figure("commitment_utilization(17940480, 5259767)", "0.2932", "29 % of a commitment used"),
    Figure("used_gpu_hour_cost(17940480, 5259767, 2.108, 3.1)", "7.19", "2.108 when all is used"),
    Figure("gb_from_gib(1)", "1.073741824", "2^30 bytes"),
    Figure("storage_cost(10000, 0.02, 730)", "200", "one month is 730 hours"),
    # --- Catalog, risk -----------------------------------------------------------------------
    Figure('gpu_price("H100", "Azure", "on-demand", "2026-09-30")', "12.29", "98.32/8"),
    Figure('gpu_price("H100", "Nebius", "on-demand", "2026-09-30")', "2.95", "dated snapshot"),
    Figure('gpu_price("H200", "Nebius", "on-demand", "2026-09-30")', "4.50", "newest of two"),
    Figure('gpu_price("H200", "Nebius", "on-demand", "2026-08-01")', "3.50", "the older one"),
    Figure('gpu_purchase_price("B200", "2026-09-30")', "47,409", "DGX-8, a GPU's share"),
    Figure('gpu_spec("H100", "bf16_flops_per_second") / 1e12', "989", "dense, not 1,979 sparse"),
    Figure('gpu_spec("A100", "watts")', "400", "SXM"),
    Figure(
        "train_cost_risk(0.8, 64, [120] * 3, [2.5] * 3, [0.8] * 3, [0.15] * 3, 200, 150)",
        "27,950",
        "TRAIN_COST_RISK: all three equal",
    ),
    # --- Measured scaling, batches -----------------------------------------------------------
    Figure('scaling_eff_published(1, "A100 HDR")', "1", "one node is the base"),
    Figure(
        'log(scaling_eff_published(16, "A100 HDR")) / log(1 / 16)',
        "0.032",
        "the median exponent of A100 clusters on HDR",
    ),
    Figure(
        'log(scaling_eff_published(16, "H100 NDR-class")) / log(1 / 16)',
        "0.028",
        "0.025 in the specification, which counts series of changed batches",
    ),
    Figure('scaling_predict(4, "other", [1, 2, 4], [100, 196, 380])', "380", "a measured size"),
    Figure('scaling_eff_fitted(4, "other", [1, 2, 4], [100, 196, 380])', "0.95", "380 of 400"),
    Figure('scaling_low(8, "other", [1, 2, 4], [100, 200, 400]) / 800 < 1', "1", "the band"),
    Figure('scaling_high(8, "other", [1, 2, 4], [100, 196, 380]) > 745', "1", "the band"),
    Figure("batch_samples_ratio(16, 1e-9, 16)", "2.000", "twice the samples at B_crit"),
    Figure("critical_batch(batch_samples_ratio(64, 8, 16), 64, 8)", "16.0", "its inverse"),
    Figure("time_to_train_eff(0.99, 0.99 / 0.29)", "29 %", "MLPerf, 64 to 512 GPUs: 99 % and 29 %"),
]
