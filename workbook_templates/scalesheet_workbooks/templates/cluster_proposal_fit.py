"""Measured points of each scenario, and the fit of them that the core writes when it is built.

The written figures belong to the points and to the number of nodes of then. Where either is another
now they are blanked by formula, never shown as live: an efficiency that is taken from them is then
not given, so that there is no total, and an alert says why. The pilot of the smallest and largest
size needs no program and can be picked in its place.
"""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.proposal_inputs import POINTS
from scalesheet_workbooks.spec import Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates import efficiency
from scalesheet_workbooks.templates.checksum import CHECKSUM, same
from scalesheet_workbooks.templates.cluster_proposal_work import constant, imported
from scalesheet_workbooks.templates.lines import ALERTS, flag, linked, own, picked

ROWS = range(1, POINTS + 1)
CURVE_SIZES = 10
"""Sizes of the curve: one node, the measured ones, the planned one, doublings past them."""
NODES = f"[fit.nodes_1]:[fit.nodes_{POINTS}]"
RATES = f"[fit.throughput_1]:[fit.throughput_{POINTS}]"
SAME = "[fit.same]=1"
FIGURES = (
    ("nodes", "Nodes that it is for", q.NODES),
    ("low", "Band from", q.EFFICIENCY),
    ("efficiency", "Fitted efficiency", q.EFFICIENCY),
    ("high", "Band to", q.EFFICIENCY),
    ("next", "One node more", q.EFFICIENCY),
)
"""What is written at the planned size; the band is one of 80 %."""
WRITTEN_CHECKSUM = "fit.written_checksum"


def _written(line_id: str, label: str, quantity: Quantity) -> Line:
    """A row whose values a program writes; the formula stands for them here."""
    return Line(line_id, label, quantity.unit, quantity.number_format, Own("0"))


FIT = ModelSheet(
    "Fit",
    "Fit of the measured points",
    "Fit of the points on Measured, as the program wrote it; blank once the points or class change",
    (
        Section(
            "Points as they are",
            (
                picked(
                    "in.fabric_class",
                    "lst_fabric_classes",
                    "fit.fabric_class",
                    "Class of fabric, its place in the list",
                ),
                *(imported(f"measured_nodes_{row}", f"fit.nodes_{row}") for row in ROWS),
                *(imported(f"measured_rate_{row}", f"fit.throughput_{row}") for row in ROWS),
                own(
                    "fit.count",
                    "Points with both",
                    ALERTS,
                    f'COUNTIFS({NODES},">0",{RATES},">0")',
                ),
                own(
                    "fit.half",
                    "Nodes or throughput alone",
                    ALERTS,
                    f"COUNT({NODES})+COUNT({RATES})-[fit.count]-[fit.count]",
                ),
                own(
                    "fit.checksum",
                    "Checksum of these points",
                    CHECKSUM,
                    f"SUMPRODUCT([fit.weights],[fit.fabric_class]:[fit.throughput_{POINTS}])",
                ),
            ),
        ),
        Section(
            "Written by the program when the workbook was built",
            (
                _written(WRITTEN_CHECKSUM, "Checksum of the points of then", CHECKSUM),
                *(
                    _written(f"fit.written_{name}", f"{label}, as written", quantity)
                    for name, label, quantity in FIGURES
                ),
                constant("same", "fit.tolerance"),
            ),
        ),
        Section(
            "Shown while the points are those; else build the workbook again",
            (
                flag("fit.same", "The points are those", same("fit")),
                *(
                    own(
                        f"fit.{name}",
                        label,
                        quantity,
                        f"[fit.written_{name}]",
                        SAME,
                        total=name == "efficiency",
                    )
                    for name, label, quantity in FIGURES
                ),
            ),
        ),
    ),
    aside="Weight",
)
SUMMED = FIT.sections[0].lines[:-3]
"""The rows that the checksum is made from."""

FIT_SIZES = ModelSheet(
    "FitSizes",
    "Curve of the measured points",
    "Total throughput by nodes with its 80 % band, as the program wrote it: Curve shows what holds",
    (
        Section(
            "Written by the program when the workbook was built",
            tuple(
                _written(f"fit.size_{size}_{name}", f"Size {size}: {label}", quantity)
                for size in range(1, CURVE_SIZES + 1)
                for name, label, quantity in (
                    ("nodes", "nodes", q.NODES),
                    ("low", "band from", q.THROUGHPUT),
                    ("throughput", "fitted", q.THROUGHPUT),
                    ("high", "band to", q.THROUGHPUT),
                )
            ),
        ),
    ),
)


def with_measured(sheet: ModelSheet) -> ModelSheet:
    """The sheet of the efficiency with the fourth way: measured points."""
    fitted = Section(
        "From measured points",
        (
            linked("eff.fitted_nodes", "Nodes that the fit is for", q.NODES, "fit.nodes"),
            linked("eff.fitted", "Fitted efficiency there", q.EFFICIENCY, "fit.efficiency"),
        ),
    )
    sections = []
    for section in sheet.sections:
        if section.title == "Efficiency":
            sections.append(fitted)
            lines = {line.id: line for line in section.lines}
            used, method = lines.pop("eff.efficiency"), lines.pop("eff.method")
            section = replace(
                section,
                lines=(
                    *lines.values(),
                    own(
                        "eff.efficiency_fitted",
                        "Efficiency from measured points",
                        q.EFFICIENCY,
                        "[eff.fitted]",
                        "[eff.fitted_nodes]=[eff.nodes]",
                    ),
                    replace(method, label="1 typed, 2 interconnect, 3 pilot, 4 measured"),
                    replace(
                        used,
                        source=Own(
                            "INDEX([eff.efficiency_typed]:[eff.efficiency_fitted],[eff.method])"
                        ),
                    ),
                ),
            )
        sections.append(section)
    return replace(sheet, sections=tuple(sections))


EFFICIENCY = with_measured(efficiency.EFFICIENCY)
