"""The core's fit of the sizes that a scenario measured, at the size that it plans."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scalesheet.billing import billed_gpus
from scalesheet.calibration import ScalingFit, fit
from scalesheet_workbooks.inputs import MEASURED, TYPED
from scalesheet_workbooks.study import Measured, Scenario, Study


@dataclass(frozen=True, slots=True)
class FittedEfficiency:
    """Efficiency against one node at a size, and the ends of its 80 % band, as shares."""

    low: float
    efficiency: float
    high: float


def fit_of(measured: Measured) -> ScalingFit:
    """The fit; errors are those of the core."""
    return fit(measured.points, measured.fabric_class)


def fitted(measured: Measured, nodes: float) -> FittedEfficiency:
    """What SCALING_EFF_FITTED, SCALING_LOW and SCALING_HIGH say of a size.

    >>> at = fitted(Measured(((1, 100), (2, 196), (4, 380)), "other"), 4)
    >>> at.efficiency, at.low < at.efficiency < at.high
    (0.95, True)
    """
    found = fit_of(measured)
    forecast, ideal = found.forecast(nodes), nodes * found.throughput(1)
    return FittedEfficiency(forecast.low / ideal, found.efficiency(nodes), forecast.high / ideal)


def planned_nodes(values: Mapping[str, float | str]) -> float:
    """The nodes of a scenario: its GPUs in whole nodes."""
    per_node = float(values["in.gpus_per_node"])
    return billed_gpus(float(values["in.gpus"]), per_node) / per_node


def with_typed_efficiency(study: Study) -> Study:
    """The study for a template without measured points: the fitted efficiency as a typed one."""
    return replace(study, scenarios=tuple(_typed(case) for case in study.scenarios))


def _typed(scenario: Scenario) -> Scenario:
    values = scenario.values
    if scenario.measured is None or values.get("in.efficiency_method") != MEASURED:
        return scenario
    efficiency = fitted(scenario.measured, planned_nodes(values)).efficiency
    typed: dict[str, float | str] = {"in.efficiency_method": TYPED, "in.efficiency": efficiency}
    return replace(scenario, values={**values, **typed})
