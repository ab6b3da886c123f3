"""What owning costs within the programme: purchase, book depreciation, power, running."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.proposal_inputs import AMOUNT
from scalesheet_workbooks.spec import Line, ModelSheet, Section
from scalesheet_workbooks.templates.cluster_proposal_work import (
    GPU_HOURS,
    constant,
    imported,
)
from scalesheet_workbooks.templates.lines import called, flag, linked, own

CAPITAL = replace(q.CAPITAL, number_format="#,##0")
PER_NODE = replace(q.NODE_PRICE, number_format="#,##0")
MONEY_MONTH = Quantity("money a month", f"{q.MONEY}/month", "#,##0")
MONEY_HOUR = Quantity("money an hour", f"{q.MONEY}/GPU-h", "#,##0.0000")
RATIO = replace(q.RATIO, number_format="0.0%")
FLAG = Quantity("whether it is so", "0/1", "0")
NODES = replace(q.NODES, number_format="#,##0")
NODES_CHARGED = replace(q.NODE_COUNT, number_format="#,##0.0")

GIVEN = "COUNT([own.node_price]:[own.idle_power])=ROWS([own.node_price]:[own.idle_power])"
OWNED = "[own.given]=1"


def _owned(line_id: str, label: str, quantity: Quantity, text: str, total: bool = False) -> Line:
    return own(line_id, label, quantity, text, OWNED, total)


OWN = ModelSheet(
    "Own",
    "Owning within the programme",
    "What would be bought for each scenario, its book depreciation, power and running",
    (
        Section(
            "Brought in",
            (
                linked("own.node_price", "Server", PER_NODE, "price.node_price"),
                linked("own.fabric_per_node", "Fabric, a node", PER_NODE, "price.fabric_per_node"),
                linked(
                    "own.facility_per_node", "Facility, a node", PER_NODE, "price.facility_per_node"
                ),
                linked(
                    "own.install_per_node", "Install, a node", PER_NODE, "price.install_per_node"
                ),
                linked(
                    "own.residual_per_gpu",
                    "Residual, a GPU",
                    replace(q.RESIDUAL_PER_GPU, number_format="#,##0"),
                    "price.residual_per_gpu",
                ),
                linked("own.kwh_price", "Electricity", q.KWH_PRICE, "price.kwh_price"),
                linked(
                    "own.opex_per_gpu_year",
                    "Space, staff, support",
                    replace(q.OPEX_PER_GPU_YEAR, number_format="#,##0"),
                    "price.opex_per_gpu_year",
                ),
                imported("life_years", "own.life_years"),
                imported("facility_life_years", "own.facility_life_years"),
                imported("kw_per_gpu", "own.kw_per_gpu"),
                imported("pue", "own.pue"),
                imported("idle_power", "own.idle_power"),
                flag("own.given", "All of it is given", GIVEN),
                linked("own.billed_gpus", "GPUs in whole nodes", q.GPUS, "bill.billed_gpus"),
                imported("gpus_per_node", "own.gpus_per_node"),
                imported("programme_months", "own.programme_months"),
                constant("hours_per_month", "own.hours_per_month"),
                constant("months_per_year", "own.months_per_year"),
                linked("own.used_gpu_hours", "GPU-hours used", GPU_HOURS, "bill.used_gpu_hours"),
            ),
        ),
        Section(
            "Purchase and book depreciation",
            (
                own("own.nodes", "Nodes", NODES, "[own.billed_gpus]/[own.gpus_per_node]"),
                replace(
                    called("own.capex", "Capital outlay", "CLUSTER_CAPEX", OWNED, total=True),
                    number_format="#,##0",
                ),
                _owned(
                    "own.facility",
                    "of it the facility",
                    CAPITAL,
                    "[own.nodes]*[own.facility_per_node]",
                ),
                _owned(
                    "own.servers",
                    "of it servers, fabric, install",
                    CAPITAL,
                    "[own.nodes]*([own.node_price]+[own.fabric_per_node]+[own.install_per_node])",
                ),
                _owned(
                    "own.residual",
                    "Residual of the servers",
                    CAPITAL,
                    "[own.residual_per_gpu]*[own.billed_gpus]",
                ),
                _owned(
                    "own.server_month",
                    "Depreciation of servers",
                    MONEY_MONTH,
                    "([own.servers]-[own.residual])/([own.life_years]*[own.months_per_year])",
                ),
                _owned(
                    "own.facility_month",
                    "Depreciation of the facility",
                    MONEY_MONTH,
                    "[own.facility]/([own.facility_life_years]*[own.months_per_year])",
                ),
                _owned(
                    "own.per_price",
                    "Depreciation for 1 of a server's price",
                    NODES_CHARGED,
                    "[own.nodes]*[own.programme_months]/([own.life_years]*[own.months_per_year])",
                ),
                _owned(
                    "own.depreciation",
                    "Depreciation in the programme",
                    AMOUNT,
                    "([own.server_month]+[own.facility_month])*[own.programme_months]",
                    total=True,
                ),
            ),
        ),
        Section(
            "Power and running",
            (
                own(
                    "own.available_gpu_hours",
                    "GPU-hours on the calendar",
                    GPU_HOURS,
                    "[own.billed_gpus]*[own.programme_months]*[own.hours_per_month]",
                ),
                own(
                    "own.idle_gpu_hours",
                    "of them idle",
                    GPU_HOURS,
                    "MAX(0,[own.available_gpu_hours]-[own.used_gpu_hours])",
                ),
                own(
                    "own.used_share",
                    "Utilization: used of the calendar",
                    RATIO,
                    "[own.used_gpu_hours]/[own.available_gpu_hours]",
                ),
                _owned(
                    "own.power_hour",
                    "Power of a busy GPU-hour",
                    MONEY_HOUR,
                    "[own.kw_per_gpu]*[own.pue]*[own.kwh_price]",
                ),
                _owned(
                    "own.idle_power_hour",
                    "Power of an idle GPU-hour",
                    MONEY_HOUR,
                    "[own.power_hour]*[own.idle_power]",
                ),
                _owned(
                    "own.power",
                    "Power in the programme",
                    AMOUNT,
                    "[own.used_gpu_hours]*[own.power_hour]"
                    "+[own.idle_gpu_hours]*[own.idle_power_hour]",
                    total=True,
                ),
                _owned(
                    "own.running",
                    "Running cost in the programme",
                    AMOUNT,
                    "[own.billed_gpus]*[own.opex_per_gpu_year]*[own.programme_months]"
                    "/[own.months_per_year]",
                    total=True,
                ),
            ),
        ),
    ),
)
