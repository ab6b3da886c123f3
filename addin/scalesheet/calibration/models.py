"""The plain models of how efficiency falls with nodes, each with its source.

Every model gives the efficiency against one node, 0-1; its parameters are zero or more, zero being
no loss. Bytes over bandwidth, which needs no measured size, is ``scaling_eff_comm``.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from scalesheet.scaling import scaling_eff_linear, scaling_eff_power

SEED_FLOOR = 0.5
"""The floor that the seed's linear form is fitted and shown with."""


def no_loss_eff(nodes: float) -> float:
    """Efficiency when nothing is lost: what a plan without scaling assumes.

    >>> no_loss_eff(64)
    1.0
    """
    return 1.0


def seed_linear_eff(nodes: float, loss_per_extra_node: float) -> float:
    """Efficiency that falls by a fixed share with every node past the first, down to 0.5.

    The model of the public multi-node efficiency calculator.

    >>> seed_linear_eff(4, 0.07)
    0.79
    """
    return scaling_eff_linear(nodes, loss_per_extra_node, SEED_FLOOR)


def amdahl_eff(nodes: float, serial_share: float) -> float:
    """Efficiency when a share of the work on one node cannot be split.

    G. M. Amdahl, AFIPS 1967: speed-up n/(1 + s (n - 1)).

    >>> amdahl_eff(11, 0.1)
    0.5
    """
    return 1 / (1 + serial_share * (nodes - 1))


def usl_eff(nodes: float, contention: float, coherency: float) -> float:
    """Efficiency with contention for what is shared and with talk between all pairs.

    Universal Scalability Law, N. J. Gunther, Guerrilla Capacity Planning (Springer 2007),
    equation 4.16: capacity n/(1 + s (n - 1) + k n (n - 1)); it peaks and falls.

    >>> usl_eff(11, 0.1, 0)
    0.5
    """
    return 1 / (1 + contention * (nodes - 1) + coherency * nodes * (nodes - 1))


def ring_eff(nodes: float, bandwidth_loss: float) -> float:
    """Efficiency when only the bytes of a ring all-reduce cost, (n - 1)/n of them.

    P. Patarasuk and X. Yuan, J. Parallel Distrib. Comput. 69 (2009): the bandwidth term. The loss
    comes at once and then stands still: what is left of the step at any size is 1/(1 + b).

    >>> ring_eff(2, 0.5)
    0.8
    """
    return 1 / (1 + bandwidth_loss * (nodes - 1) / nodes)


def alpha_beta_eff(nodes: float, bandwidth_loss: float, latency_loss: float) -> float:
    """Efficiency with a cost for bytes, as in a ring, and one for each hop.

    The Hockney model of a ring all-reduce: R. Thakur, R. Rabenseifner and W. Gropp, Int. J. High
    Perform. Comput. Appl. 19 (2005): beta (n - 1)/n and alpha (n - 1).

    >>> round(alpha_beta_eff(2, 0.4, 0.05), 6)
    0.8
    """
    return 1 / (1 + bandwidth_loss * (nodes - 1) / nodes + latency_loss * (nodes - 1))


def step_time_eff(nodes: float, bandwidth_loss: float, growth_loss: float) -> float:
    """Efficiency with a cost for bytes and one that grows as the square root of the nodes.

    An empirical form: the best single one on the series of the backtest (found on them), poor
    where losses grow faster.

    >>> round(step_time_eff(4, 0.2, 0.1), 6)
    0.8
    """
    return 1 / (1 + bandwidth_loss * (nodes - 1) / nodes + growth_loss * (math.sqrt(nodes) - 1))


class Model(NamedTuple):
    """A way in which efficiency falls: its name, the names of its parameters, the formula."""

    name: str
    parameters: tuple[str, ...]
    efficiency: Callable[..., float]
    terms: tuple[Callable[[float], float], ...] = ()
    """Where the time of a step is 1 plus the parameters times these, the terms."""


def ring_term(nodes: float) -> float:
    """The share of the bytes that a ring all-reduce moves through each node."""
    return (nodes - 1) / nodes


def linear_term(nodes: float) -> float:
    """The nodes past the first."""
    return nodes - 1


def pairs_term(nodes: float) -> float:
    """The pairs of nodes, twice."""
    return nodes * (nodes - 1)


def root_term(nodes: float) -> float:
    """The square root of the nodes, past the first."""
    return math.sqrt(nodes) - 1


NO_LOSS = Model("no loss", (), no_loss_eff)
SEED_LINEAR = Model("seed linear", ("loss_per_extra_node",), seed_linear_eff)
POWER = Model("power", ("exponent",), scaling_eff_power)
AMDAHL = Model("Amdahl", ("serial_share",), amdahl_eff, (linear_term,))
RING = Model("ring only", ("bandwidth_loss",), ring_eff, (ring_term,))
USL = Model("USL", ("contention", "coherency"), usl_eff, (linear_term, pairs_term))
ALPHA_BETA = Model(
    "alpha-beta", ("bandwidth_loss", "latency_loss"), alpha_beta_eff, (ring_term, linear_term)
)
STEP_TIME = Model(
    "step time", ("bandwidth_loss", "growth_loss"), step_time_eff, (ring_term, root_term)
)
MODELS = (NO_LOSS, SEED_LINEAR, AMDAHL, USL, POWER, RING, ALPHA_BETA, STEP_TIME)
