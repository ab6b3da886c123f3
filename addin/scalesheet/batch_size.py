"""What bigger batches cost in samples: why time to train scales worse than throughput.

Throughput counts samples in a second; a run ends after enough steps. When more nodes make the
global batch bigger, each step teaches less than in proportion, and the run needs more samples. With
a critical batch size B_crit a run takes S = S_min (1 + B_crit/B) steps and E = E_min (1 + B/B_crit)
samples. B_crit is measured, grows while training goes on, and differs by orders of magnitude
between tasks. Batches are in one unit, samples or tokens.
"""

from scalesheet.hints import BatchSize, Efficiency, Ratio, SamplesRatio
from scalesheet.registry import function


def more_samples(samples_ratio: float) -> bool:
    """samples_ratio must be above 1: the bigger batch needs more samples, or it was no bigger"""
    return samples_ratio > 1


def fewer_steps(samples_ratio: float, batch_size: float, base_batch_size: float) -> bool:
    """samples_ratio must be below batch_size over base_batch_size: fewer steps were needed"""
    return samples_ratio * base_batch_size < batch_size


@function(category="Scaling", source="batches")
def batch_samples_ratio(
    batch_size: BatchSize, base_batch_size: BatchSize, critical_batch_size: BatchSize
) -> SamplesRatio:
    """Times the samples of a run at the base batch that a run at another batch needs.

    With strong scaling the batch stays and the ratio is 1. At the critical batch size a run needs
    twice the samples of one with very small batches.

    >>> round(batch_samples_ratio(64, 8, 16), 6)
    3.333333
    """
    return (1 + batch_size / critical_batch_size) / (1 + base_batch_size / critical_batch_size)


@function(category="Scaling", source="batches", rules=(more_samples, fewer_steps))
def critical_batch(
    samples_ratio: SamplesRatio, batch_size: BatchSize, base_batch_size: BatchSize
) -> BatchSize:
    """Critical batch size that two runs show: the samples needed at one batch over the other's.

    The inverse of BATCH_SAMPLES_RATIO.

    >>> round(critical_batch(3.25, 64, 8), 6)
    16.888889
    """
    return (batch_size - samples_ratio * base_batch_size) / (samples_ratio - 1)


@function(category="Scaling", source="batches")
def time_to_train_eff(efficiency: Efficiency, samples_ratio: SamplesRatio) -> Ratio:
    """Share of the ideal speed-up in time to train: what throughput keeps, over extra samples.

    >>> time_to_train_eff(0.99, 3)
    0.33
    """
    return efficiency / samples_ratio
