"""Each price as quoted, its exchange rate, and the price that is calculated with."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet_workbooks.proposal_inputs import CURRENCY, PROPOSAL_INPUTS
from scalesheet_workbooks.spec import Line, ModelSheet, Own, Section
from scalesheet_workbooks.templates.cluster_proposal_work import imported
from scalesheet_workbooks.templates.lines import called, own, picked

PRICED = tuple(entry for entry in PROPOSAL_INPUTS if entry.beside == CURRENCY)


def _price_rows(names: tuple[str, ...]) -> tuple[Line, ...]:
    """Each price as quoted, with its rate, and in the currency of the workbook."""
    rows: list[Line] = []
    for entry in PRICED:
        name = entry.id.removeprefix("in.")
        if name not in names:
            continue
        words = LABELS.get(name, entry.label)
        quoted = f"quote.{name}"
        rows.append(replace(imported(name, quoted, f"{words}, as quoted"), unit="as quoted"))
        unit = entry.domain.unit
        number_format = entry.domain.number_format
        text = f"[{quoted}]*[aside.{entry.id}]"
        rows.append(
            Line(
                f"price.{name}",
                words,
                unit,
                number_format,
                Own(text),
                f"ISNUMBER([{quoted}])",
            )
        )
    return tuple(rows)


LABELS = {
    "gpu_hour_price": "GPU-hour",
    "instance_hour_price": "Instance-hour",
    "overflow_price": "GPU-hour above commitment",
    "stored_price": "Stored, a month",
    "tier_1_price": "Moved out, first tier",
    "tier_2_price": "Moved out, second tier",
    "tier_3_price": "Moved out, third tier",
    "node_price": "Server",
    "fabric_per_node": "Fabric, a node",
    "install_per_node": "Install, a node",
    "facility_per_node": "Facility, a node",
    "residual_per_gpu": "Residual, a GPU",
    "kwh_price": "Electricity",
    "opex_per_gpu_year": "Space, staff, support",
}

PRICES = ModelSheet(
    "Prices",
    "Prices in one currency",
    "Each price as quoted, its exchange rate, and the price that is calculated with",
    (
        Section(
            "Compute",
            (
                *_price_rows(("gpu_hour_price", "instance_hour_price", "overflow_price")),
                imported("gpus_per_instance", "price.gpus_per_instance"),
                picked(
                    "in.price_basis",
                    "lst_price_bases",
                    "price.basis",
                    "Price per: 1 GPU, 2 instance",
                ),
                called(
                    "price.gpu_hour_from_instance",
                    "GPU-hour from the instance",
                    "INSTANCE_GPU_PRICE",
                    "ISNUMBER([price.instance_hour_price])",
                    {
                        "instance_hour_price": "price.instance_hour_price",
                        "gpus_per_node": "price.gpus_per_instance",
                    },
                ),
                own(
                    "price.gpu_hour",
                    "Price of a GPU-hour",
                    q.GPU_HOUR_PRICE,
                    "IF([price.basis]=1,[price.gpu_hour_price],[price.gpu_hour_from_instance])",
                    total=True,
                ),
            ),
        ),
        Section(
            "Storage and data",
            _price_rows(("stored_price", "tier_1_price", "tier_2_price", "tier_3_price")),
        ),
        Section(
            "Owning",
            _price_rows(
                (
                    "node_price",
                    "fabric_per_node",
                    "install_per_node",
                    "facility_per_node",
                    "residual_per_gpu",
                    "kwh_price",
                    "opex_per_gpu_year",
                )
            ),
        ),
    ),
    aside="Rate",
)
