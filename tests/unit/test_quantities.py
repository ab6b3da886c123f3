"""What an argument may be: the limits as specified, their edges, names, ranges as a whole."""

import math
from collections.abc import Iterator
from fractions import Fraction

import pytest

from scalesheet.domains import WHOLE_TOLERANCE, Choice, Quantity, Vector, folded, spelled
from scalesheet.errors import (
    CellError,
    CellInError,
    MissingValue,
    OutOfDomain,
    ScalesheetError,
    UnknownChoice,
    WrongType,
)
from scalesheet.quantities import EFFICIENCY, GPUS, INTERCONNECT, NODES, STEP_SECONDS, TIER_LIMIT
from scalesheet.registry import REGISTRY, Parameter

# The specification's table of limits, word for number: "(" and ")" leave the limit itself out.
HARD = {
    "nodes gpus gpus_per_node": "whole [1, 1e7]",
    "ideal_hours total_gpu_hours": "(0, 1e12]",
    "committed_gpu_hours used_gpu_hours": "[0, 1e12]",
    "deadline_days": "(0, 1e7]",
    "gpu_hour_price committed_price overflow_price": "(0, 1e6]",
    "storage egress": "[0, 1e12]",
    "efficiency": "[0.01, 1.5]",
    "efficiency_floor": "[0.01, 1]",
    "rework": "[0, 3]",
    "loss_per_extra_node": "(0, 1)",
    "exponent": "[-1, 5]",
    "gbps node_gbps": "(0, 1e6]",
    "gradient_gb step_seconds throughput gpu_throughput node_throughput base_throughput": (
        "(0, 1e15]"
    ),
    "hideable_share": "[0, 1]",
    "gb": "[0, 1e15]",
    "interval_hours checkpoint_hours hours life_years": "(0, 1e7]",
    "restart_hours": "[0, 1e12]",
    "mtbf_hours gpu_mtbf_hours": "(0, 1e12]",
    "rent_price spot_price on_demand_price": "(0, 1e6]",
    "node_price fabric_per_node facility_per_node install_per_node": "[0, 1e12]",
    "capital_per_gpu residual_per_gpu opex_per_gpu_year": "[0, 1e12]",
    "owned_gpu_hour_cost": "(0, 1e12]",
    "utilization mfu": "[0.01, 1]",
    "waste": "[0, 1)",
    "tokens_per_second": "(0, 1e15]",
    "parameters tokens": "(0, 1e18]",
    "peak_flops_per_second": "(0, 1e20]",
    "preemptions_per_node_hour": "(0, 60]",
    "kw_per_gpu": "[0, 100]",
    "pue": "[1, 5]",
    "kwh_price": "[0, 10]",
    "capital_rate": "[0, 1]",
    # Not in the table: the items of the egress tiers, which take the limits of gb and of prices,
    # and a free allowance, which is a tier at price 0.
    "tier_limits": "(0, 1e15]",
    "tier_prices": "[0, 1e6]",
    # Not in the table either: what the functions on bills take besides.
    "increment_hours": "(0, 1e7]",
    "instance_hour_price": "(0, 1e6]",
    "gib": "[0, 1e15]",
    # And those of GPU_FIT, for which the table has no limits, and the chance of TRAIN_COST_RISK.
    "parameters_billion": "(0, 1e9]",
    "context_tokens": "whole [1, 1e9]",
    "concurrency": "whole [1, 1e7]",
    "latency_ms_per_token": "(0, 1e6]",
    "budget_per_gpu_hour": "(0, 1e6]",
    "kw_available": "(0, 1e9]",
    "probability": "(0, 1)",
    "batch_size base_batch_size critical_batch_size": "(0, 1e15]",
    "samples_ratio": "(0, 1e6]",
    "gb_month_price": "[0, 1e6]",
    "stored_hours": "[0, 1e7]",
}
USUAL = {
    "gpus": (1, 200_000),
    "gpus_per_node": (1, 72),  # 1, 2, 4, 8, 16, 72
    "ideal_hours": (1, 8760),
    "gpu_hour_price committed_price overflow_price": (0.3, 20),
    "rent_price spot_price on_demand_price budget_per_gpu_hour": (0.3, 20),
    "parameters_billion": (0.1, 2000),
    "life_years": (3, 6),
    "gpu_mtbf_hours": (5_000, 500_000),
    "mfu": (0.15, 0.6),
    "waste": (0, 0.3),
    "peak_flops_per_second": (1e13, 1e16),
    "preemptions_per_node_hour": (0, 0.2),
    "kw_per_gpu": (0.3, 3),
    "pue": (1.05, 2),
    "kwh_price": (0.03, 0.5),
    "capital_rate": (0, 0.2),
    "gb_month_price": (0, 1),
    "efficiency": (0.5, 1),
    "rework": (0, 0.5),
    "loss_per_extra_node": (0.001, 0.1),
    "exponent": (0, 0.3),
    "gbps node_gbps": (10, 14_400),
    "tier_prices": (0, 1),  # ours: more than 1 a GB is nearly always a price per TB
}
SAME_AS = {
    "base_nodes": "nodes",
    "measured_nodes": "nodes",
    "measured_throughput": "throughput",
    "efficiency_alternative": "efficiency",
    "on_demand_rework": "rework",
}
"""Arguments that the table has under another name."""

PARAMETERS = {
    f"{record.name}.{parameter.name}": parameter
    for record in REGISTRY.values()
    for parameter in record.parameters
}


def by_name(table: dict[str, object]) -> dict[str, object]:
    """A table with one key a name."""
    return {name: value for names, value in table.items() for name in names.split()}


def quantity_of(parameter: Parameter) -> Quantity | None:
    """The quantity of an argument or of the items of its range; a name has none."""
    domain = parameter.domain.item if isinstance(parameter.domain, Vector) else parameter.domain
    return domain if isinstance(domain, Quantity) else None


def interval(quantity: Quantity) -> tuple[bool, bool, float, float, bool]:
    """Whole or not, and the two ends."""
    return quantity.whole, quantity.low_open, quantity.low, quantity.high, quantity.high_open


def read_interval(text: str) -> tuple[bool, bool, float, float, bool]:
    """The same from the table's notation."""
    whole, ends = text.startswith("whole "), text.removeprefix("whole ")
    low, high = ends[1:-1].split(", ")
    return whole, ends[0] == "(", float(low), float(high), ends[-1] == ")"


NUMBERS = {name: parameter for name, parameter in PARAMETERS.items() if quantity_of(parameter)}


@pytest.mark.parametrize("name", NUMBERS)
def test_limits_are_those_specified(name: str) -> None:
    parameter = NUMBERS[name]
    quantity = quantity_of(parameter)
    assert quantity
    listed = SAME_AS.get(parameter.name, parameter.name)
    assert interval(quantity) == read_interval(str(by_name(dict(HARD))[listed]))
    assert quantity.usual == by_name(dict(USUAL)).get(listed)


def test_the_tables_list_no_argument_that_is_not_there() -> None:
    names = {parameter.name for parameter in NUMBERS.values()}
    assert {*by_name(dict(HARD)), *by_name(dict(USUAL)), *SAME_AS} <= names


def test_the_only_names_are_interconnects() -> None:
    choices = [p for p in PARAMETERS.values() if isinstance(p.domain, Choice)]
    assert {parameter.name for parameter in choices} == {"interconnect"}
    assert all(parameter.domain is INTERCONNECT for parameter in choices)


# --- The edges of the limits ---------------------------------------------------------------------


def edges(quantity: Quantity) -> Iterator[tuple[float, bool]]:
    """Numbers at and next to both limits, and whether they are admitted."""
    step = 1.0 if quantity.whole else 0.0
    for end, is_open, outward in (
        (quantity.low, quantity.low_open, -math.inf),
        (quantity.high, quantity.high_open, math.inf),
    ):
        beyond = end + math.copysign(step, outward) if step else math.nextafter(end, outward)
        inside = end - math.copysign(step, outward) if step else math.nextafter(end, -outward)
        yield end, not is_open
        yield beyond, False
        yield inside, True


@pytest.mark.parametrize("name", NUMBERS)
def test_edges_of_the_limits(name: str) -> None:
    quantity = quantity_of(NUMBERS[name])
    assert quantity
    for value, admitted in edges(quantity):
        assert quantity.admits(value) is admitted
        if admitted:
            assert quantity.check("x", value) == value
        else:
            with pytest.raises(OutOfDomain, match="x must be"):
                quantity.check("x", value)


WHOLE = (
    # value, the number it is taken as, or None when it is refused
    (64.0, 64),
    (64, 64),
    (63.9999999999, 64),
    (64.0000000001, 64),
    (64 - WHOLE_TOLERANCE, 64),
    (64 - 1.01 * WHOLE_TOLERANCE, None),
    (64 + 1.01 * WHOLE_TOLERANCE, None),
    (63.99999999, None),
    (64.5, None),
    (1 - 0.9 * WHOLE_TOLERANCE, 1),
    (0.0, None),
    (1e-10, None),
    (-1.0, None),
    (10_000_000.0, 10_000_000),
    (10_000_000 - 0.9 * WHOLE_TOLERANCE, 10_000_000),
    (10_000_000 + 2 * WHOLE_TOLERANCE, None),
    (10_000_001.0, None),
    (Fraction(8, 1), 8),
    (Fraction(17, 2), None),
)


@pytest.mark.parametrize(("value", "wanted"), WHOLE)
def test_counts_are_whole(value: float, wanted: int | None) -> None:
    if wanted is not None:
        taken = GPUS.check("gpus", GPUS.read("gpus", value))
        assert (taken, type(taken)) == (wanted, float)
        return
    with pytest.raises(OutOfDomain, match="gpus must be a whole number from 1 to 10,000,000, not"):
        GPUS.check("gpus", GPUS.read("gpus", value))


def test_only_counts_are_rounded() -> None:
    assert STEP_SECONDS.check("x", 63.9999999999) == 63.9999999999


KINDS = (
    (None, MissingValue),
    ("", MissingValue),
    ("   ", MissingValue),
    ("x", WrongType),
    ("4", WrongType),
    ("80%", WrongType),
    (True, WrongType),
    (False, WrongType),
    (b"4", WrongType),
    (4j, WrongType),
    ([4], WrongType),
    ({}, WrongType),
    (CellError("#N/A"), CellInError),
)


@pytest.mark.parametrize(("value", "error"), KINDS)
def test_kinds(value: object, error: type[ScalesheetError]) -> None:
    with pytest.raises(error) as raised:
        NODES.read("nodes", value)
    assert type(raised.value) is error


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, Fraction(10**400)])
def test_what_is_not_finite_is_outside(value: float) -> None:
    for quantity in (NODES, EFFICIENCY, STEP_SECONDS):
        with pytest.raises(OutOfDomain, match=r"^x must be a number, not -?(nan|inf): enter "):
            quantity.check("x", quantity.read("x", value))


@pytest.mark.parametrize("value", [4, 4.0, Fraction(4), -3, 1e300])
def test_numbers_are_read_as_float(value: float) -> None:
    read = NODES.read("x", value)
    assert (read, type(read)) == (value, float)


# --- Names ---------------------------------------------------------------------------------------

SPELLINGS = (
    ("NDR", "NDR"),
    ("ndr", "NDR"),
    ("  Ndr ", "NDR"),
    ("InfiniBand NDR 400 Gb/s", "NDR"),
    (" infiniband   ndr  400 GB/S ", "NDR"),
    ("HDR", "HDR"),
    ("InfiniBand HDR 200 Gb/s", "HDR"),
    ("roce100", "RoCE100"),
    ("Ethernet RoCE 100 Gb/s", "RoCE100"),
    ("ETH25", "Eth25"),
    ("Ethernet 25 Gb/s", "Eth25"),
    ("N*", None),
    ("?DR", None),
    ("NDR\u00a0", None),
    ("NDR\t", None),
    ("N DR", None),
    ("NDR400", None),
    ("InfiniBand", None),
    ("InfiniBandNDR400Gb/s", None),
    ("EFA", None),
    ("XDR", None),
)


@pytest.mark.parametrize(("text", "short"), SPELLINGS)
def test_spellings(text: str, short: str | None) -> None:
    if short is not None:
        assert INTERCONNECT.read("interconnect", text) == short
        return
    with pytest.raises(UnknownChoice, match="LOSS_FROM_GBPS, SCALING_EFF_COMM or SCALING_EFF_LIN"):
        INTERCONNECT.read("interconnect", text)


@pytest.mark.parametrize("value", [4, 0.015, True, ["NDR"]])
def test_a_name_is_text(value: object) -> None:
    with pytest.raises(WrongType, match=r"interconnect must be a name, not .*: enter one of NDR"):
        INTERCONNECT.read("interconnect", value)


def test_spellings_are_folded_once_and_for_all() -> None:
    assert len(INTERCONNECT.spellings) == 8
    assert all(folded(text) == text for text in INTERCONNECT.spellings)
    assert not any('"' in text for text in INTERCONNECT.spellings)


# --- Ranges as a whole ---------------------------------------------------------------------------

LIMITS = Vector(TIER_LIMIT, "the upper end of each tier in GB")


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (5, (5.0,)),
        ([1, 2], (1.0, 2.0)),
        ((1, None, 2), (1.0, None, 2.0)),
        ([[1], [""], [3]], (1.0, None, 3.0)),
        ([[1, 2], [3, "  "]], (1.0, 2.0, 3.0, None)),
        ([], ()),
    ],
)
def test_ranges_are_read_row_by_row(value: object, numbers: tuple[float | None, ...]) -> None:
    assert LIMITS.read("tier_limits", value) == numbers


@pytest.mark.parametrize(
    ("value", "error"),
    [([1, "x"], WrongType), ([1, True], WrongType), ([1, CellError("#REF!")], CellInError)],
)
def test_an_item_that_is_wrong_is_named(value: object, error: type[ScalesheetError]) -> None:
    with pytest.raises(error, match=r"tier_limits \(item 2\)"):
        LIMITS.read("tier_limits", value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (80.0, "80"),
        (0.1 + 0.2, "0.3"),
        (1234567.5, "1,234,567.5"),
        (True, "TRUE"),
        ("80%", 'the text "80%"'),
        ("two\nlines", 'the text "two lines"'),
        ("x" * 60, f'the text "{"x" * 37}..."'),
        ("NDR\u00a0", 'the text "NDR\u00a0"'),
    ],
)
def test_values_are_shown_as_typed(value: object, shown: str) -> None:
    assert spelled(value) == shown
