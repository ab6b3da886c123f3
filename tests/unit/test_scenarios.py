"""Scenario files: what they give, and the one line said of each thing wrong with them."""

import datetime
import errno
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesheet import scaling_eff_fitted, train_cost
from scalesheet_workbooks.inputs import INPUT_BY_ID, INPUTS
from scalesheet_workbooks.measured_fit import with_typed_efficiency
from scalesheet_workbooks.scenarios import (
    RISK_EXAMPLE,
    RISK_EXAMPLES,
    ScenarioError,
    load,
    parse,
    shipped,
)
from scalesheet_workbooks.study import Measured

FIELDS = {
    "name": '"Fine-tune"',
    "gpus": "64",
    "gpus_per_node": "8",
    "gpu_hour_price": "2.5",
    "work": "{ ideal_hours = 120 }",
    "efficiency": "{ typed = 0.8 }",
    "rework": "0.15",
    "storage": "200",
    "egress": "150",
}


def scenario(**changes: str | None) -> str:
    """The text of one scenario; None leaves a field out."""
    fields = {**FIELDS, **changes}
    lines = [f"{key} = {value}" for key, value in fields.items() if value is not None]
    return "\n".join(["[[scenario]]", *lines, ""])


def problems(text: str, source: str = "budget.toml") -> tuple[str, ...]:
    with pytest.raises(ScenarioError) as caught:
        parse(text, source)
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert all(len(problem.splitlines()) == 1 for problem in caught.value.problems)
    return caught.value.problems


def values(**changes: str | None) -> dict[str, float | str]:
    (only,) = parse(scenario(**changes), "budget.toml").scenarios
    return dict(only.values)


# --- What a good file gives ----------------------------------------------------------------------


TRAIN_COST_INPUTS = (
    "in.gpus",
    "in.ideal_hours",
    "in.gpu_hour_price",
    "in.efficiency",
    "in.rework",
    "in.storage",
    "in.egress",
)


def test_shipped_scenarios_are_the_estimators_examples() -> None:
    study = shipped()
    totals = {
        entry.name: train_cost(*(entry.values[key] for key in TRAIN_COST_INPUTS))  # type: ignore[arg-type]
        for entry in study.scenarios
    }
    # What the public estimator prints, but for the single node: it adds rounded lines to 1111.06.
    assert {name: round(total, 2) for name, total in totals.items()} == {
        "Baseline 64": 27950.00,
        "Fine-tune 32": 6775.88,
        "Pre-train 256": 821700.00,
        "Single node 8": 1111.05,
        "Spot 64": 22100.00,
    }
    assert (study.title, study.owner, study.currency, study.as_of) == (
        "Training run budget",
        "",
        "USD",
        None,
    )
    assert all(entry.note for entry in study.scenarios)
    assert [entry.name for entry in study.scenarios if "in.gpu_throughput" in entry.values] == [
        "Baseline 64"
    ]


def test_every_value_belongs_to_an_input_and_required_ones_are_there() -> None:
    required = {entry.id for entry in INPUTS if entry.required}
    for entry in shipped().scenarios:
        assert required <= entry.values.keys() <= INPUT_BY_ID.keys()


WORKS = {
    "ideal hours": (
        {"work": "{ ideal_hours = 120 }"},
        {"in.work_basis": "ideal hours", "in.ideal_hours": 120.0},
    ),
    "total": (
        {"work": "{ total_gpu_hours = 7680 }"},
        {"in.work_basis": "GPU-hours", "in.total_gpu_hours": 7680.0},
    ),
    "typed": (
        {"efficiency": "{ typed = 0.8 }"},
        {"in.efficiency_method": "typed", "in.efficiency": 0.8},
    ),
    "interconnect": (
        {"efficiency": '{ interconnect = " infiniband  ndr 400 gb/s", efficiency_floor = 0.5 }'},
        {
            "in.efficiency_method": "interconnect",
            "in.interconnect": "NDR",
            "in.efficiency_floor": 0.5,
        },
    ),
    "pilot": (
        {"efficiency": "{ pilot = [[4, 480], [1, 116.5]] }"},
        {
            "in.efficiency_method": "pilot",
            "in.pilot_base_nodes": 1.0,
            "in.pilot_base_throughput": 116.5,
            "in.pilot_nodes": 4.0,
            "in.pilot_throughput": 480.0,
        },
    ),
    "instance price": (
        {"gpu_hour_price": "{ per_instance_hour = 98.32, gpus_per_instance = 8 }"},
        {"in.gpu_hour_price": 12.29},
    ),
    "throughput": ({"gpu_throughput": "1_000"}, {"in.gpu_throughput": 1000.0}),
    "nearly whole": ({"gpus": "63.9999999999"}, {"in.gpus": 64.0}),
    "nothing moved": ({"egress": "0", "storage": "0.0"}, {"in.egress": 0.0, "in.storage": 0.0}),
}


@pytest.mark.parametrize(("changes", "expected"), WORKS.values(), ids=WORKS)
def test_fields(changes: dict[str, str], expected: dict[str, float | str]) -> None:
    found = values(**changes)
    assert {key: found[key] for key in expected} == expected
    assert all(type(value) in (float, str) for value in found.values())


def test_only_the_inputs_of_the_way_taken_are_given() -> None:
    found = values(efficiency="{ pilot = [[1, 116], [4, 480]] }")
    assert not {"in.efficiency", "in.interconnect", "in.efficiency_floor"} & found.keys()
    assert "in.total_gpu_hours" not in found
    assert "in.gpu_throughput" not in found


MEASURED = "{ measured = [[4, 452], [1, 116], [2, 230], [4, 456]] }"


def test_measured_points() -> None:
    """As the file has them; the smallest and the largest size are a pilot as well."""
    (only,) = parse(scenario(efficiency=MEASURED), "budget.toml").scenarios
    points = ((4.0, 452.0), (1.0, 116.0), (2.0, 230.0), (4.0, 456.0))
    assert only.measured == Measured(points, "other")
    assert only.values["in.efficiency_method"] == "measured"
    pilot = ("base_nodes", "base_throughput", "nodes", "throughput")
    assert [only.values[f"in.pilot_{run}"] for run in pilot] == [1.0, 116.0, 4.0, 454.0]
    by_pilot = parse(scenario(efficiency=MEASURED[:-1] + ', by = "pilot" }'), "b.toml").scenarios[0]
    assert by_pilot.values == {**only.values, "in.efficiency_method": "pilot"}
    assert by_pilot.measured == only.measured
    one = parse(
        scenario(efficiency='{ measured = [[8, 900]], fabric_class = "a100 hdr" }'), "b.toml"
    ).scenarios[0]
    assert one.measured == Measured(((8.0, 900.0),), "A100 HDR")
    assert not [key for key in one.values if key.startswith("in.pilot")]
    assert parse(scenario(), "budget.toml").scenarios[0].measured is None


def test_measured_points_become_a_typed_efficiency_where_a_template_has_no_points() -> None:
    """64 GPUs in nodes of 8 are 8 nodes: SCALING_EFF_FITTED of them, and nothing else changes."""
    study = parse(scenario(efficiency=MEASURED), "budget.toml")
    typed = with_typed_efficiency(study).scenarios[0].values
    nodes, throughput = (4, 1, 2, 4), (452, 116, 230, 456)
    expected = scaling_eff_fitted(8, "other", nodes, throughput)
    assert typed["in.efficiency_method"] == "typed"
    assert typed["in.efficiency"] == pytest.approx(expected, rel=1e-12)
    changed = {"in.efficiency_method", "in.efficiency"}
    rest = {key: value for key, value in typed.items() if key not in changed}
    planned = study.scenarios[0].values
    assert rest == {key: value for key, value in planned.items() if key not in changed}
    assert with_typed_efficiency(parse(scenario(), "b.toml")) == parse(scenario(), "b.toml")


@pytest.mark.parametrize(
    "written",
    [
        "[scenario.risk]\nrework = [0, 0.15, 0.15]\ngpu_hour_price = [2, 2.5, 3.5]\n",
        "risk = { gpu_hour_price = [2.0, 2.5, 3.5], rework = [0.0, 0.15, 0.15] }\n",
    ],
    ids=["table", "line"],
)
def test_ranges(written: str) -> None:
    first, second = parse(scenario() + written + scenario(), "budget.toml").scenarios
    # In the order of the schema, whatever that of the file; the values stay as planned.
    assert list(first.risk.items()) == [
        ("gpu_hour_price", (2.0, 2.5, 3.5)),
        ("rework", (0.0, 0.15, 0.15)),
    ]
    assert all(type(number) is float for spread in first.risk.values() for number in spread)
    assert first.values == second.values == values()
    assert second.risk == {}


def test_the_examples_of_ranges_are_good() -> None:
    written = ", ".join(f"{key} = {example}" for key, example in RISK_EXAMPLES.items())
    (only,) = parse(scenario(risk=f"{{ {written} }}"), "budget.toml").scenarios
    assert only.risk.keys() == RISK_EXAMPLES.keys()
    assert parse(scenario() + RISK_EXAMPLE, "budget.toml").scenarios[0].risk


def test_cover() -> None:
    head = '[workbook]\ntitle = "=1+1"\nowner = "Ada\\tL."\ncurrency = "EUR"\nas_of = 2026-03-31\n'
    study = parse(head + scenario(), "budget.toml")
    assert (study.title, study.owner, study.currency) == ("=1+1", "Ada L.", "EUR")
    assert study.as_of == datetime.date(2026, 3, 31)
    text = head.replace("2026-03-31", '" 2026-03-31 "') + scenario()
    assert parse(text, "budget.toml").as_of == study.as_of


@pytest.mark.parametrize("head", ["", "[workbook]\n", '[workbook]\ntitle = ""\nas_of = ""\n'])
def test_cover_left_out(head: str) -> None:
    study = parse(head + scenario(), "budget.toml")
    assert (study.title, study.owner, study.currency, study.as_of) == (
        "Training run budget",
        "",
        "USD",
        None,
    )


NAMES = {
    "formula": ("'=1+1'", "=1+1"),
    "plus": ("'+A1'", "+A1"),
    "minus": ("'-A1'", "-A1"),
    "at": ("'@SUM(A1)'", "@SUM(A1)"),
    "quotes": ("'''It's \"big\"'''", 'It\'s "big"'),
    "markup": ("'[bold]<b>&amp;'", "[bold]<b>&amp;"),
    "other letters": ("'训练 🚀 עברית'", "训练 🚀 עברית"),
    "control characters": (r'"a\u0000b\u001b[1m\tc\r\nd\u0085e\u2028f"', "a b [1m c  d e f"),
    "not in XML": (r'"a\uFFFEb\uFFFFc"', "a b c"),
    "spaces around": ('"  a  b  "', "a  b"),
    "long": (f'"{"x" * 300}"', "x" * 300),
}


@pytest.mark.parametrize(("written", "kept"), NAMES.values(), ids=NAMES)
def test_names_are_kept_as_text(written: str, kept: str) -> None:
    assert parse(scenario(name=written), "budget.toml").scenarios[0].name == kept


def said(text: str) -> tuple[str, ...]:
    """The problems of a text that may also have none."""
    try:
        parse(text, "budget.toml")
    except ScenarioError as error:
        return error.problems
    return ()


EMPTY_NAME = 'budget.toml: scenario 1: name is empty: write name = "Baseline"'
LETTERS = st.characters(exclude_categories=["Cs"])


@given(st.text(LETTERS, max_size=300))
def test_any_name_is_kept_on_one_line_or_empty(name: str) -> None:
    text = scenario(name='"' + "".join(f"\\U{ord(letter):08x}" for letter in name) + '"')
    if any(letter.isprintable() and not letter.isspace() for letter in name):
        kept = parse(text, "budget.toml").scenarios[0].name
        assert len(kept.splitlines()) == 1
        assert kept == kept.strip()
    else:
        assert said(text) == (EMPTY_NAME,)


# --- What is wrong with a file -------------------------------------------------------------------

HERE = 'budget.toml: scenario 1 "Fine-tune": '
WORK = (
    "write work = { ideal_hours = 120 } or { total_gpu_hours = 7680 } or "
    "{ parameters = 70e9, tokens = 15e12, peak_flops_per_second = 989e12, mfu = 0.4 }"
)
EFFICIENCY = (
    'write efficiency = { typed = 0.8 } or { interconnect = "NDR", efficiency_floor = 0.5 } '
    "or { pilot = [[1, 116], [4, 480]] } or { measured = [[1, 116], [2, 230], [4, 452]] }"
)
SHARE = "enter the share of the ideal speed-up that is kept"
PILOT = "write { pilot = [[1, 116], [4, 480]] }"
GPUS = "enter the number of GPUs in the run"
RISK = "risk = { gpu_hour_price = [2.0, 2.5, 3.5] }"

BAD_FIELDS: dict[str, tuple[dict[str, str | None], str]] = {
    # kinds and limits of a number
    "percent": (
        {"efficiency": "{ typed = 80 }"},
        "efficiency.typed must be from 0.01 to 1.5, not 80: write 0.8",
    ),
    "percent as text": (
        {"efficiency": '{ typed = "80%" }'},
        'efficiency.typed must be a number, not the text "80%": write 0.8 without quotes',
    ),
    "number as text": (
        {"gpus": '"64"'},
        'gpus must be a number, not the text "64": write 64 without quotes',
    ),
    "text": ({"gpus": '"many"'}, 'gpus must be a number, not the text "many"'),
    "empty text": (
        {"gpus": '""'},
        f"gpus is missing: {GPUS} (a whole number from 1 to 10,000,000)",
    ),
    "missing": (
        {"gpus": None},
        f"gpus is missing: {GPUS} (a whole number from 1 to 10,000,000)",
    ),
    "zero": ({"gpus": "0"}, "gpus must be a whole number from 1 to 10,000,000, not 0"),
    "negative": ({"rework": "-0.1"}, "rework must be from 0 to 3, not -0.1"),
    "rework in percent": ({"rework": "15"}, "rework must be from 0 to 3, not 15: write 0.15"),
    "too large": (
        {"storage": "1e13"},
        "storage must be from 0 to 1,000,000,000,000, not 10000000000000",
    ),
    "free": ({"gpu_hour_price": "0"}, "gpu_hour_price must be above 0 to 1,000,000, not 0"),
    "not whole": (
        {"gpus": "12345.5"},
        "gpus must be a whole number from 1 to 10,000,000, not 12345.5: "
        "round it, for example to 12346",
    ),
    "nan": ({"gpus": "nan"}, f"gpus must be a number, not nan: {GPUS}"),
    "infinite": ({"gpus": "-inf"}, f"gpus must be a number, not -inf: {GPUS}"),
    "beyond floats": ({"gpus": "9" * 400}, f"gpus must be a number, not inf: {GPUS}"),
    "bool": ({"gpus": "true"}, "gpus must be a number, not true"),
    "date": ({"gpus": "2026-03-31"}, "gpus must be a number, not 2026-03-31"),
    "table for a number": (
        {"gpus": "{ count = 64 }"},
        f"gpus must be a number, not a table: {GPUS}",
    ),
    "list for a number": ({"gpus": "[64]"}, f"gpus must be a number, not a list: {GPUS}"),
    "throughput": (
        {"gpu_throughput": "0"},
        "gpu_throughput must be above 0 to 1e+15, not 0",
    ),
    # the price of an instance
    "instance without GPUs": (
        {"gpu_hour_price": "{ per_instance_hour = 20 }"},
        "gpu_hour_price.gpus_per_instance is missing: enter the number of GPUs in one node "
        "(an NVL72 rack is one node of 72) (a whole number from 1 to 10,000,000)",
    ),
    "instance without a price": (
        {"gpu_hour_price": "{ gpus_per_instance = 8 }"},
        "gpu_hour_price.per_instance_hour is missing: enter the price of one instance for one hour "
        "(above 0 to 10,000,000,000,000)",
    ),
    "instance too dear": (
        {"gpu_hour_price": "{ per_instance_hour = 2e7, gpus_per_instance = 8 }"},
        "gpu_hour_price must be above 0 to 1,000,000, not 2500000",
    ),
    "instance misspelt": (
        {"gpu_hour_price": "{ per_instance_hour = 20, gpus_per_instance = 8, gpus = 8 }"},
        "gpu_hour_price.gpus is not a key of a scenario file: "
        "the keys here are per_instance_hour, gpus_per_instance",
    ),
    # work
    "no work": ({"work": None}, f"work is missing: {WORK}"),
    "work as a number": ({"work": "120"}, f"work must be a table, not 120: {WORK}"),
    "empty work": ({"work": "{}"}, f"work is empty: {WORK}"),
    "two kinds of work": (
        {"work": "{ ideal_hours = 120, total_gpu_hours = 7680 }"},
        "work must be given in one way, not by ideal_hours and total_gpu_hours: keep one of them",
    ),
    "work without mfu": (
        {"work": "{ parameters = 70e9, tokens = 15e12, peak_flops_per_second = 1e15 }"},
        "work.mfu is missing: enter the share of peak FLOP/s that one node reaches "
        "(no loss between nodes in it) (from 0.01 to 1)",
    ),
    "work beyond count": (
        {"work": "{ parameters = 1e18, tokens = 1e18, peak_flops_per_second = 1, mfu = 0.4 }"},
        "work, as GPU-hours, must be above 0 to 1,000,000,000,000, not 4.16666666666667e+33",
    ),
    "work misspelt": (
        {"work": "{ ideal-hours = 120 }"},
        "work.ideal-hours is not a key of a scenario file: write ideal_hours",
    ),
    "work of zero": (
        {"work": "{ ideal_hours = 0 }"},
        "work.ideal_hours must be above 0 to 1,000,000,000,000, not 0",
    ),
    # efficiency
    "no efficiency": ({"efficiency": None}, f"efficiency is missing: {EFFICIENCY}"),
    "efficiency as a number": (
        {"efficiency": "0.8"},
        f"efficiency must be a table, not 0.8: {EFFICIENCY}",
    ),
    "two kinds of efficiency": (
        {"efficiency": "{ typed = 0.8, pilot = [[1, 116], [4, 480]] }"},
        "efficiency must be given in one way, not by typed and pilot: keep one of them",
    ),
    "typed and floor": (
        {"efficiency": "{ typed = 0.8, efficiency_floor = 0.5 }"},
        "efficiency must be given in one way, not by typed and interconnect: keep one of them",
    ),
    "measured in an unknown class": (
        {"efficiency": '{ measured = [[1, 100], [2, 197]], fabric_class = "NDR" }'},
        'efficiency.fabric_class "NDR" is not known: use one of EDR shared, V100 EDR, A100 HDR, '
        "RoCE 1600, H100 NDR-class, MLPerf strong scaling, other",
    ),
    "class without points": (
        {"efficiency": '{ fabric_class = "other" }'},
        "efficiency.measured is missing: write efficiency = "
        "{ measured = [[1, 116], [2, 230], [4, 452]] }",
    ),
    "no points": (
        {"efficiency": "{ measured = [] }"},
        "efficiency.measured must be 1 to 8 points [nodes, throughput], not 0 of them: "
        "write { measured = [[1, 116], [2, 230], [4, 452]] }, or use scaling_study for more",
    ),
    "half a node measured": (
        {"efficiency": "{ measured = [[1.5, 100]] }"},
        "efficiency.measured point 1 nodes must be a whole number from 1 to 10,000,000, not 1.5: "
        "round it, for example to 2",
    ),
    "a pilot of one size": (
        {"efficiency": '{ measured = [[2, 100], [2, 101]], by = "pilot" }'},
        'efficiency.by must be "fit" where one size was measured: measure at two sizes',
    ),
    "by another way": (
        {"efficiency": '{ measured = [[1, 100], [2, 197]], by = "eye" }'},
        'efficiency.by must be one of fit, pilot, not the text "eye": '
        "enter what the efficiency is taken from",
    ),
    "a pilot beyond its limits": (
        {"efficiency": '{ measured = [[1, 100], [2, 900]], by = "pilot" }'},
        "efficiency.measured must give an exponent from -1 to 5, not -2.17: "
        "each throughput is the total of its run, not that of one GPU or node",
    ),
    "no floor": (
        {"efficiency": '{ interconnect = "NDR" }'},
        "efficiency.efficiency_floor is missing: enter the efficiency below which overlap and "
        "accumulation are taken to keep it (from 0.01 to 1)",
    ),
    "no interconnect": (
        {"efficiency": "{ efficiency_floor = 0.5 }"},
        "efficiency.interconnect is missing: enter one of NDR, HDR, RoCE100, Eth25",
    ),
    "other fabric": (
        {"efficiency": '{ interconnect = "XDR", efficiency_floor = 0.5 }'},
        'efficiency.interconnect must be one of NDR, HDR, RoCE100, Eth25, not the text "XDR"; '
        "for another fabric write efficiency = { typed = ... } or a pilot",
    ),
    "wildcard": (
        {"efficiency": '{ interconnect = "N*", efficiency_floor = 0.5 }'},
        'efficiency.interconnect must be one of NDR, HDR, RoCE100, Eth25, not the text "N*"; '
        "for another fabric write efficiency = { typed = ... } or a pilot",
    ),
    "bandwidth": (
        {"efficiency": "{ interconnect = 400, efficiency_floor = 0.5 }"},
        "efficiency.interconnect must be a name, not 400: enter one of NDR, HDR, RoCE100, Eth25",
    ),
    "list of fabrics": (
        {"efficiency": '{ interconnect = ["NDR"], efficiency_floor = 0.5 }'},
        "efficiency.interconnect must be a name, not a list: enter one of NDR, HDR, RoCE100, Eth25",
    ),
    "pilot of equal sizes": (
        {"efficiency": "{ pilot = [[4, 116], [4, 480]] }"},
        "efficiency.pilot must have two sizes, not 4 nodes twice: measure at two sizes",
    ),
    "three points": (
        {"efficiency": "{ pilot = [[1, 116], [2, 240], [4, 480]] }"},
        f"efficiency.pilot must be two points [nodes, throughput], not 3 of them: {PILOT}",
    ),
    "pilot as a number": (
        {"efficiency": "{ pilot = 0.9 }"},
        f"efficiency.pilot must be two points [nodes, throughput], not 0.9: {PILOT}",
    ),
    "half a point": (
        {"efficiency": "{ pilot = [[1, 116], [4]] }"},
        "efficiency.pilot point 2 must be two numbers, not 1 of them: write [nodes, throughput]",
    ),
    "point as a number": (
        {"efficiency": "{ pilot = [1, 116] }"},
        "efficiency.pilot point 1 must be two numbers, not 1: write [nodes, throughput]",
    ),
    "half a node": (
        {"efficiency": "{ pilot = [[0.5, 116], [4, 480]] }"},
        "efficiency.pilot point 1 nodes must be a whole number from 1 to 10,000,000, not 0.5: "
        "round it, for example to 1",
    ),
    "throughput of one GPU": (
        {"efficiency": "{ pilot = [[1, 116], [4, 0.00001]] }"},
        "efficiency.pilot must give an exponent from -1 to 5, not 12.7: "
        "each throughput is the total of its run, not that of one GPU or node",
    ),
    "throughput next to nothing": (
        {"efficiency": "{ pilot = [[1, 116], [10000000, 5e-324]] }"},
        "efficiency.pilot must give an exponent from -1 to 5, not inf: "
        "each throughput is the total of its run, not that of one GPU or node",
    ),
    # ranges
    "risk as a list": (
        {"risk": "[2.0, 2.5, 3.5]"},
        f"risk must be a table, not a list: write {RISK}",
    ),
    "empty risk": ({"risk": "{}"}, f"risk is empty: write {RISK}"),
    "risk of storage": (
        {"risk": "{ storage = [1, 2, 3] }"},
        "risk.storage is not a key of a scenario file: "
        "the keys here are gpu_hour_price, ideal_hours, efficiency, rework, server_price",
    ),
    "risk misspelt": (
        {"risk": "{ price = [2.0, 2.5, 3.5], gpu-hour-price = [2.0, 2.5, 3.5] }"},
        "risk.price is not a key of a scenario file: "
        "the keys here are gpu_hour_price, ideal_hours, efficiency, rework, server_price",
    ),
    "range of two": (
        {"risk": "{ gpu_hour_price = [2.0, 3.5] }"},
        "risk.gpu_hour_price must be three numbers [low, mode, high], not 2 of them: "
        "write gpu_hour_price = [2.0, 2.5, 3.5]",
    ),
    "range as a number": (
        {"risk": "{ rework = 0.2 }"},
        "risk.rework must be three numbers [low, mode, high], not 0.2: "
        "write rework = [0.05, 0.15, 0.4]",
    ),
    "range in percent": (
        {"risk": "{ efficiency = [0.7, 0.8, 90] }"},
        "risk.efficiency high must be from 0.01 to 1.5, not 90: write 0.9",
    ),
    "range with a text": (
        {"risk": '{ rework = [0.1, "15%", 0.2] }'},
        'risk.rework mode must be a number, not the text "15%": write 0.15 without quotes',
    ),
    "range with a blank": (
        {"risk": '{ rework = ["", 0.15, 0.2] }'},
        "risk.rework low is missing: enter the share of compute that is paid again for failed runs "
        "(from 0 to 3)",
    ),
    "range with a list": (
        {"risk": "{ ideal_hours = [[100], 120, 160] }"},
        "risk.ideal_hours low must be a number, not a list: "
        "enter the wall-clock hours of the whole cluster at perfect scaling",
    ),
    "falling range": (
        {"risk": "{ efficiency = [0.85, 0.8, 0.7] }"},
        "risk.efficiency must rise from low to high, not be [0.85, 0.8, 0.7]: "
        "write [0.7, 0.8, 0.85]",
    ),
    "mode outside": (
        {"risk": "{ gpu_hour_price = [2.0, 4.0, 3.5] }"},
        "risk.gpu_hour_price must rise from low to high, not be [2, 4, 3.5]: write [2, 3.5, 4]",
    ),
    # keys and texts
    "misspelt key": (
        {"GPU-per-node": "8"},
        "GPU-per-node is not a key of a scenario file: write gpus_per_node",
    ),
    "odd key": (
        {'"a\\nb"': "1"},
        "a b is not a key of a scenario file: the keys here are name, note, gpus, gpus_per_node, "
        "gpu_hour_price, work, efficiency, rework, storage, egress, gpu_throughput, risk, "
        "acquisition, start, programme_months, contingency, experiments, waste, "
        "rework_takes_time, lease, bill, commitment, stored, moved, costs, own, tax, "
        "gpu, provider, region, price_kind, price_sure",
    ),
    "note": ({"note": "7"}, "note must be text, not 7: put it in double quotes"),
    "long note": (
        {"note": f'"{"x" * 2001}"'},
        "note must have at most 2000 characters, not 2001: shorten it",
    ),
}


@pytest.mark.parametrize(("changes", "line"), BAD_FIELDS.values(), ids=BAD_FIELDS)
def test_refused_field(changes: dict[str, str | None], line: str) -> None:
    fields = {**FIELDS, **changes}
    text = "\n".join(
        [
            "[[scenario]]",
            *(f"{key} = {value}" for key, value in fields.items() if value is not None),
        ]
    )
    found = problems(text)
    assert found[0] == HERE + line
    # Both points of a pilot, or two keys, may be wrong in the same way; nothing else is said twice.
    assert len(found) == (2 if "pilot = [1, 116]" in text or "gpu-hour-price" in text else 1)


BAD_NAMES = {
    "missing": (None, 'budget.toml: scenario 1: name is missing: write name = "Baseline"'),
    "empty": ('""', EMPTY_NAME),
    "spaces": ('" \\t "', EMPTY_NAME),
    "invisible": (r'"\u200b\u00a0"', EMPTY_NAME),
    "number": (
        "2026",
        "budget.toml: scenario 1: name must be text, not 2026: put it in double quotes",
    ),
    "long": (
        f'"{"x" * 301}"',
        f'budget.toml: scenario 1 "{"x" * 37}...": '
        "name must have at most 300 characters, not 301: shorten it",
    ),
}


@pytest.mark.parametrize(("name", "line"), BAD_NAMES.values(), ids=BAD_NAMES)
def test_refused_name(name: str | None, line: str) -> None:
    assert problems(scenario(name=name)) == (line,)


@pytest.mark.parametrize("second", ['"Fine-tune"', '"FINE-tune"', '" Fine-tune "'])
def test_names_may_repeat(second: str) -> None:
    study = parse(scenario() + scenario(name=second), "budget.toml")
    assert study.scenarios[1].name.casefold() == study.scenarios[0].name.casefold()


BAD_FILES = {
    "empty": ("", "must have from 1 to 8 scenarios, not 0: write at least one [[scenario]]"),
    "only a cover": (
        "[workbook]\n",
        "must have from 1 to 8 scenarios, not 0: write at least one [[scenario]]",
    ),
    "nine": (
        "".join(scenario(name=f'"{letter}"') for letter in string.ascii_letters[:9]),
        "must have from 1 to 8 scenarios, not 9: keep the main ones",
    ),
    "single brackets": (
        scenario().replace("[[scenario]]", "[scenario]"),
        "scenario must be written [[scenario]], in two brackets, once for each scenario",
    ),
    "scenario as a number": (
        "scenario = 3",
        "scenario must be written [[scenario]], in two brackets, once for each scenario",
    ),
    "unknown table": (
        "[workbok]\n" + scenario(),
        "workbok is not a key of a scenario file: write workbook",
    ),
    "cover as text": (
        'workbook = "Budget"\n' + scenario(),
        'workbook must be a table, not the text "Budget": write [workbook]',
    ),
    "cover key": (
        "[workbook]\nasof = 2026-03-31\n" + scenario(),
        "workbook.asof is not a key of a scenario file: write as_of",
    ),
    "title": (
        "[workbook]\ntitle = 7\n" + scenario(),
        "workbook.title must be text, not 7: put it in double quotes",
    ),
    "small letters": (
        '[workbook]\ncurrency = "usd"\n' + scenario(),
        "workbook.currency must be an ISO code of three capital letters, "
        'not the text "usd": write "USD"',
    ),
    "currency sign": (
        '[workbook]\ncurrency = "€"\n' + scenario(),
        "workbook.currency must be an ISO code of three capital letters, "
        'not the text "€": write "USD"',
    ),
    "currency as a number": (
        "[workbook]\ncurrency = 840\n" + scenario(),
        'workbook.currency must be an ISO code of three capital letters, not 840: write "USD"',
    ),
    "date in words": (
        '[workbook]\nas_of = "31 March 2026"\n' + scenario(),
        'workbook.as_of must be a date, not the text "31 March 2026": write as_of = 2026-03-31',
    ),
    "date and time": (
        "[workbook]\nas_of = 2026-05-01T12:00:00\n" + scenario(),
        "workbook.as_of must be a date, not 2026-05-01 12:00:00: write as_of = 2026-05-01",
    ),
    "date as a number": (
        "[workbook]\nas_of = 46000\n" + scenario(),
        "workbook.as_of must be a date, not 46000: write as_of = 2026-03-31",
    ),
    "before spreadsheets": (
        "[workbook]\nas_of = 1899-12-31\n" + scenario(),
        "workbook.as_of must be from 1900-03-01, not 1899-12-31: spreadsheets begin there",
    ),
    "nested too deeply": (
        "a = " + "[" * 50_000,
        "not TOML: brackets are nested too deeply",
    ),
    "too many digits": (
        "a = " + "9" * 5000,
        "not TOML: a number has too many digits",
    ),
}


@pytest.mark.parametrize(("text", "line"), BAD_FILES.values(), ids=BAD_FILES)
def test_refused_file(text: str, line: str) -> None:
    assert problems(text) == ("budget.toml: " + line,)


BAD_SYNTAX = {
    "percent sign": (scenario(rework="15%"), "line 8, column 12", ": write 0.15, not 15%"),
    "percent sign in a table": (
        scenario(efficiency="{ typed = 80% }"),
        "line 7, column 26",
        ": write 0.8, not 80%",
    ),
    "thousands": (
        scenario(storage="10,000"),
        "line 9, column 13",
        ": write numbers without commas, as 1000 or 2.5",
    ),
    "no quotes": (scenario(name="Baseline"), "line 2, column 8", ""),
    "cut off": ('[[scenario]]\nname = "Base', "at the end of the file", ""),
    "twice": ("[[scenario]]\ngpus = 8\ngpus = 16\n", "line 3, column 10", ""),
    "another language": ("- name: Baseline\n", "line 1, column 3", ""),
}


@pytest.mark.parametrize(("text", "place", "remedy"), BAD_SYNTAX.values(), ids=BAD_SYNTAX)
def test_not_toml(text: str, place: str, remedy: str) -> None:
    """The words between place and remedy are those of Python's reader, and change with it."""
    (line,) = problems(text)
    assert line.startswith(f"budget.toml: {place}: not TOML: ")
    assert line.endswith(remedy)


def test_all_problems_are_said_in_order() -> None:
    text = (
        '[workbook]\ncurrency = "$"\n'
        + scenario(gpus="0", rework="15")
        + scenario(name='"Spot"', egress='"none"', note="1")
    )
    assert [line.split(" must ")[0] for line in problems(text)] == [
        "budget.toml: workbook.currency",
        'budget.toml: scenario 1 "Fine-tune": gpus',
        'budget.toml: scenario 1 "Fine-tune": rework',
        'budget.toml: scenario 2 "Spot": note',
        'budget.toml: scenario 2 "Spot": egress',
    ]


def test_at_most_twenty_problems_are_said() -> None:
    text = "".join(
        scenario(name=f'"{letter}"', gpus="0", gpus_per_node="0", rework="15", egress="-1")
        for letter in "abcdefgh"
    )
    found = problems(text)
    assert len(found) == 20
    assert found[-1] == "and 13 more problems: mend these first"


# --- Files that cannot be read -------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(ScenarioError) as caught:
        load(path)
    (line,) = caught.value.problems
    return line


def test_file_is_named_without_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "plans\n.toml"
    path.write_text(scenario(gpus="0"), encoding="utf-8")
    assert refused(path).startswith('plans .toml: scenario 1 "Fine-tune": gpus must be')


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_good_file(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "budget.toml"
    path.write_bytes(start + scenario(name='"Größe"').replace("\n", "\r\n").encode())
    assert load(path).scenarios[0].name == "Größe"


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    assert refused(path) == f"{path}: there is no such file: check the path"


def test_folder(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"{tmp_path}: is a folder: name a scenario file (.toml)"


def test_forbidden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", deny)
    path = tmp_path / "budget.toml"
    assert refused(path) == f"{path}: cannot be read: permission denied"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (scenario(name='"Größe"').encode("latin-1"), 2),
        (scenario().encode("utf-16"), 1),
    ],
    ids=["Latin-1", "UTF-16"],
)
def test_other_encodings(tmp_path: Path, data: bytes, line: int) -> None:
    path = tmp_path / "budget.toml"
    path.write_bytes(data)
    assert refused(path) == f"budget.toml: line {line}: not UTF-8 text: save the file as UTF-8"


def test_a_workbook_is_no_file_of_scenarios(tmp_path: Path) -> None:
    path = tmp_path / "budget.xlsx"
    path.write_bytes(b"PK\x03\x04\xff\xfe")
    asked = "is a workbook: give the scenarios as a text file (.toml)"
    assert refused(path) == f"budget.xlsx: {asked}"


@given(st.text(alphabet=st.sampled_from("[]{}=.\"'#, \n0189-eab_\t"), max_size=60))
def test_any_text_is_a_study_or_refused(text: str) -> None:
    assert all(len(line.splitlines()) == 1 for line in said(text))


# --- What only a proposal shows ------------------------------------------------------------------

PROPOSED = {
    "pick": (
        {"acquisition": '"leased"'},
        "acquisition must be one of on demand, reserved, spot, own, not the text "
        '"leased": enter how the GPUs are had',
    ),
    "yes or no": (
        {"rework_takes_time": "1"},
        "rework_takes_time must be true or false, not 1: enter whether rework takes time",
    ),
    "group": ({"own": "3"}, "own must be a table, not 3: write own = { ... }"),
    "key of a group": (
        {"own": "{ node_prize = 310_000 }"},
        "own.node_prize is not a key of a scenario file: write node_price",
    ),
    "limit of a group": (
        {"own": "{ pue = 0.9 }"},
        "own.pue must be from 1 to 5, not 0.9",
    ),
    "day": (
        {"start": '"next year"'},
        'start must be a date, not the text "next year": write start = 2026-03-31',
    ),
}


@pytest.mark.parametrize(("changes", "expected"), PROPOSED.values(), ids=PROPOSED)
def test_refused_terms(changes: dict[str, str | None], expected: str) -> None:
    (problem,) = problems(scenario(**changes))
    assert problem == f'budget.toml: scenario 1 "Fine-tune": {expected}'


def test_terms_of_a_proposal() -> None:
    found = values(
        acquisition='"on-demand"',
        start="2027-01-01",
        bill="{ whole_nodes = true, payment_months = 1 }",
        moved="{ gb = 100, times = 2, tier_1_limit = 10, tier_1_price = 0.09 }",
    )
    assert found["in.acquisition"] == "on demand"
    assert found["in.start"] == 46388  # 2027-01-01 as a serial number
    assert (found["in.whole_nodes"], found["in.payment_months"]) == ("yes", 1)
    assert (found["in.moved_gb"], found["in.tier_1_price"]) == (100, 0.09)
    assert "in.contingency" not in found


def test_what_scenarios_share_stands_once() -> None:
    shared = "[shared]\ngpus = 128\nown = { pue = 1.2, kw_per_gpu = 1.3 }\n"
    text = shared + scenario(gpus=None, own="{ pue = 1.4 }") + scenario()
    first, second = parse(text, "proposal.toml").scenarios
    assert (first.values["in.gpus"], second.values["in.gpus"]) == (128, 64)
    assert (first.values["in.pue"], second.values["in.pue"]) == (1.4, 1.2)
    assert first.values["in.kw_per_gpu"] == 1.3


def test_rates_and_sources_are_checked() -> None:
    text = scenario() + (
        '[[rate]]\ncurrency = "Euro"\nrate = 1.1\n'
        '[sources]\ngpus = { confidence = "sure" }\ngpuss = { owner = "me" }\n'
        '[workbook]\nsunk = ["peoples"]\ncurrencies = { node_price = "eur" }\n'
    )
    said = "\n".join(problems(text))
    assert 'rate 1: currency must be an ISO code, not the text "Euro"' in said
    assert "sources.gpus.confidence must be one of high, medium, low, example" in said
    assert "sources.gpuss is not a key of a scenario file: write gpus" in said
    assert "peoples is not a key of a scenario file: write people" in said
    assert "workbook.currencies.node_price must be an ISO code" in said


def test_what_is_stated_and_offered() -> None:
    text = scenario(gpu='"NVIDIA H100 SXM"', price_kind='"list-price"') + (
        '[workbook]\ndo_nothing = "The old model stays"\nrecomputed_on = 2026-12-01\n'
        "[sources]\n"
        'gpu_hour_price = { supplier = "Acme", number = "Q-7", kind = "quote", remark = "net" }\n'
        'do_nothing = { owner = "Product" }\n'
    )
    study = parse(text, "proposal.toml")
    found = study.scenarios[0].values
    assert (found["in.gpu"], found["in.price_kind"]) == ("NVIDIA H100 SXM", "list price")
    assert study.proposal.said == {
        "in.do_nothing": "The old model stays",
        "in.recomputed_on": datetime.date(2026, 12, 1),
    }
    offer = study.proposal.sources["in.gpu_hour_price"]
    assert (offer.supplier, offer.number, offer.kind, offer.remark) == (
        *("Acme", "Q-7", "quote", "net"),
    )
    assert study.proposal.sources["in.do_nothing"].owner == "Product"


def test_statements_are_checked() -> None:
    text = scenario(region=f'"{"x" * 33}"', price_kind='"rumour"') + (
        f'[workbook]\ntrue_up = "{"x" * 111}"\nrecomputed_on = "soon"\n'
        '[sources]\nnode_price = { kind = "rumour" }\n'
    )
    said = "\n".join(problems(text))
    assert "region must have at most 32 characters, not 33: shorten it" in said
    assert "price_kind must be one of contract, quote, list price, estimate, not the text" in said
    assert "workbook.true_up must have at most 110 characters, not 111: shorten it" in said
    assert 'workbook.recomputed_on must be a date, not the text "soon"' in said
    assert "sources.node_price.kind must be one of contract, quote" in said
