"""What bigger batches cost in samples: why time to train scales worse than throughput.

Throughput counts samples in a second; a run ends after enough steps. When more nodes make the
global batch bigger, each step teaches less than in proportion, and the run needs more samples. The
form is that of S. McCandlish, J. Kaplan, D. Amodei et al., An Empirical Model of Large-Batch
Training, arXiv:1812.06162 (2018): with a critical batch size B_crit, steps S = S_min (1 + B_crit/B)
and samples E = E_min (1 + B/B_crit). B_crit is measured, grows while training goes on, and differs
by orders of magnitude between tasks.
"""


def samples_factor(batch_size: float, base_batch_size: float, critical_batch_size: float) -> float:
    """How many times the samples of a run at the base batch a run at another batch needs.

    (1 + B/B_crit)/(1 + B_base/B_crit), batches in one unit (samples or tokens), all above 0. At the
    critical batch size a run needs twice the samples of one with very small batches.

    >>> samples_factor(batch_size=64, base_batch_size=8, critical_batch_size=16)
    3.3333333333333335
    """
    return (1 + batch_size / critical_batch_size) / (1 + base_batch_size / critical_batch_size)


def steps_factor(batch_size: float, base_batch_size: float, critical_batch_size: float) -> float:
    """How many times the steps of a run at the base batch a run at another batch needs.

    (1 + B_crit/B)/(1 + B_crit/B_base): the samples' factor over the batches' ratio.

    >>> round(steps_factor(64, 8, 16), 9)
    0.416666667
    """
    return samples_factor(batch_size, base_batch_size, critical_batch_size) * (
        base_batch_size / batch_size
    )


def critical_batch_size(samples_ratio: float, batch_size: float, base_batch_size: float) -> float:
    """The critical batch size that two runs show: samples needed at one batch over the other.

    The inverse of ``samples_factor``; samples_ratio above 1 and below the ratio of the batches,
    batch_size above base_batch_size. At the ends the critical batch is without bound, or zero.

    >>> round(critical_batch_size(10 / 3, 64, 8), 9)
    16.0
    """
    return (batch_size - samples_ratio * base_batch_size) / (samples_ratio - 1)


def time_to_train_efficiency(throughput_efficiency: float, samples: float) -> float:
    """Share of the ideal speed-up in time to train: what throughput keeps, over the extra samples.

    samples is the factor of ``samples_factor``; with strong scaling (the batch stays) it is 1.

    >>> time_to_train_efficiency(0.99, 3.0)
    0.33
    """
    return throughput_efficiency / samples
