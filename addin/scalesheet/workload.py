"""How much work a training run is, and how well the GPUs do it."""

from scalesheet.hints import (
    Flops,
    Gpus,
    Mfu,
    Parameters,
    PeakFlopsPerSecond,
    Ratio,
    Tokens,
    TokensPerSecond,
    TotalGpuHours,
)
from scalesheet.registry import function

FLOPS_PER_PARAMETER_TOKEN = 6.0
"""Forward pass 2, backward pass 4; attention over long contexts and recomputation come on top."""
SECONDS_PER_HOUR = 3600.0
LEAST_MFU = 0.01
"""Below this share of peak something was counted wrong: one GPU's peak, or one micro-batch."""


def within_peak(
    parameters: float, tokens_per_second: float, gpus: float, peak_flops_per_second: float
) -> bool:
    """the GPUs cannot do more than their peak: check gpus, peak_flops_per_second and timing"""
    used = FLOPS_PER_PARAMETER_TOKEN * parameters * tokens_per_second
    return used <= gpus * peak_flops_per_second


def worth_counting(
    parameters: float, tokens_per_second: float, gpus: float, peak_flops_per_second: float
) -> bool:
    """below 1% of peak: count the tokens of all GPUs and all accumulation steps"""
    used = FLOPS_PER_PARAMETER_TOKEN * parameters * tokens_per_second
    return used >= LEAST_MFU * (gpus * peak_flops_per_second)


@function(category="Workload", source="six_nd")
def train_flops(parameters: Parameters, tokens: Tokens) -> Flops:
    """Floating-point operations of a training run: six for each parameter and token.

    Attention over long contexts and recomputed activations are not in it.

    >>> train_flops(70e9, 15e12)
    6.3e+24
    """
    return FLOPS_PER_PARAMETER_TOKEN * parameters * tokens


@function(category="Workload", source="six_nd")
def work_gpu_hours(
    parameters: Parameters, tokens: Tokens, peak_flops_per_second: PeakFlopsPerSecond, mfu: Mfu
) -> TotalGpuHours:
    """GPU-hours of a training run at perfect scaling, from its parameters and tokens.

    mfu is measured on one node; one measured at full size already holds the scaling loss, and with
    an efficiency beside it that loss counts twice.

    >>> round(work_gpu_hours(70e9, 15e12, 989e12, 0.4), 4)
    4423660.2629
    """
    per_gpu_hour = peak_flops_per_second * mfu * SECONDS_PER_HOUR
    return train_flops(parameters, tokens) / per_gpu_hour


@function(category="Workload", source="palm", rules=(within_peak, worth_counting))
def model_flops_utilization(
    parameters: Parameters,
    tokens_per_second: TokensPerSecond,
    gpus: Gpus,
    peak_flops_per_second: PeakFlopsPerSecond,
) -> Ratio:
    """Share of the GPUs' peak that the model's own operations use (MFU); no scaling efficiency.

    tokens_per_second is that of all GPUs, every accumulation step counted.

    >>> round(model_flops_utilization(70e9, 60000, 64, 989e12), 4)
    0.3981
    """
    used = FLOPS_PER_PARAMETER_TOKEN * parameters * tokens_per_second
    return used / (gpus * peak_flops_per_second)
