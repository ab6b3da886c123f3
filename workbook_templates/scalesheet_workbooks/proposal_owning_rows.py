"""Rows of the proposal's Owning sheet: purchase, running, capital, tax, exchange rates."""

from dataclasses import replace

from scalesheet import quantities as q
from scalesheet.domains import Quantity
from scalesheet_workbooks.inputs import Input, Pick
from scalesheet_workbooks.proposal_words import (
    CAPITAL,
    CURRENCY,
    DECLINE,
    FLAGS,
    FX,
    IDLE,
    LEASES,
    LIFE,
    MAX_RATES,
    NOT_RECOVERABLE,
    OWN,
    PURCHASE,
    RATE,
    RECOVERABLE,
    RUNNING,
    STATE,
    TAX,
)


def _owning(name: str, label: str, domain: Quantity, section: str, **more: object) -> Input:
    return Input(
        f"in.{name}",
        label,
        domain,
        section,
        required=False,
        needed_by=(STATE, OWN),
        key=f"own.{name}",
        **more,  # type: ignore[arg-type]
    )


def _plain(domain: Quantity) -> Quantity:
    return replace(domain, number_format="#,##0")


OWNING_SHEET: tuple[Input, ...] = (
    _owning("node_price", "Server with its GPUs", _plain(q.NODE_PRICE), PURCHASE, beside=CURRENCY),
    _owning(
        "fabric_per_node",
        "Switches, cables, optics",
        _plain(q.FABRIC_PER_NODE),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning(
        "install_per_node",
        "Racking and bringing up",
        _plain(q.INSTALL_PER_NODE),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning(
        "facility_per_node",
        "Power and cooling built",
        _plain(q.FACILITY_PER_NODE),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning(
        "residual_per_gpu",
        "Residual at the end of life",
        _plain(q.RESIDUAL_PER_GPU),
        PURCHASE,
        beside=CURRENCY,
    ),
    _owning("life_years", "Useful life of the servers", LIFE, PURCHASE),
    _owning(
        "facility_life_years",
        "Useful life of the facility",
        replace(LIFE, high=40.0, usual=(8, 25)),
        PURCHASE,
    ),
    _owning("kw_per_gpu", "Power for one GPU, busy", q.KW_PER_GPU, RUNNING),
    _owning("idle_power", "Power when idle", IDLE, RUNNING),
    _owning("pue", "PUE of the site", q.PUE, RUNNING),
    _owning("kwh_price", "Electricity", q.KWH_PRICE, RUNNING, beside=CURRENCY),
    _owning(
        "opex_per_gpu_year",
        "Space, staff, support",
        _plain(q.OPEX_PER_GPU_YEAR),
        RUNNING,
        beside=CURRENCY,
    ),
    _owning("utilization", "Productive hours over its life", q.UTILIZATION, RUNNING),
    _owning("capital_rate", "Cost of capital, effective", q.CAPITAL_RATE, CAPITAL),
    _owning("rent_decline", "Yearly fall of the rent price", DECLINE, CAPITAL),
    Input("in.tax_rate", "VAT or sales tax, on all lines", TAX, FLAGS, key="tax.rate", default=0.0),
    Input(
        "in.tax_treatment",
        "The tax is",
        Pick("what the tax is", (RECOVERABLE, NOT_RECOVERABLE), "lst_taxes"),
        FLAGS,
        key="tax.treatment",
        default=RECOVERABLE,
    ),
    Input(
        "in.lease",
        "Lease (ASC 842, IFRS 16)",
        Pick("the kind of lease", LEASES, "lst_leases"),
        FLAGS,
        key="lease",
        default="none",
        hint="a flag for accounting, which decides; no figure here depends on it",
    ),
    *(
        Input(
            f"in.fx_{number}",
            "",
            RATE,
            FX,
            required=False,
            once=True,
            key=f"rate.{number}",
            names_itself=True,
        )
        for number in range(1, MAX_RATES + 1)
    ),
)
