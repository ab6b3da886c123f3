"""GPU_FIT: each count by hand, and what the table says when nothing fits."""

import math

import pytest

import scalesheet
from scalesheet import catalog

CARD = "RTX-6000-Ada"


def table(*arguments: float) -> dict[str, str]:
    return dict(scalesheet.gpu_fit(*arguments))


def test_a_small_model_goes_on_a_workstation_card() -> None:
    """8 billion parameters are 16 GB; a 131 kB cache a token makes 4.3 GB of 4 x 8,192."""
    found = table(8, 8192, 4, 50, 10, 20)
    assert found["Recommended"].startswith("workstation card: 1 x NVIDIA RTX 6000 Ada")
    assert found["Memory needed"] == "weights 16 GB, cache 4 GB, with 10% on top 22 GB"
    assert "fits" in found["8-GPU node"]


def test_a_large_model_goes_on_several_nodes() -> None:
    found = table(405, 32768, 64, 50, 10, 2000)
    assert found["Recommended"].startswith("multi-node cluster: ")
    assert found["Workstation card"].startswith("no: the nearest, 1 x ")
    assert "GB of 2,133" in found["Server card"]


def test_the_latency_is_bytes_over_bandwidth() -> None:
    """70 billion parameters are 140 GB; a cache of 286 kB a token, 16 x 8,192 of them, is 38 GB.

    Eight H100 read at 0.6 x 8 x 3,350 GB/s, so that a token takes 11.04 ms.
    """
    cache_gb = 131.072 * (70 / 8) ** 0.36 * 8192 * 16 / 1e6
    ms = 1000 * (140 + cache_gb) / (0.6 * 8 * 3350)
    assert ms == pytest.approx(11.04, abs=0.01)
    fits, fails = table(70, 8192, 16, ms + 0.01, 1.9, 15), table(70, 8192, 16, ms - 0.01, 1.9, 15)
    assert fits["Recommended"] == "8-GPU node: 8 x NVIDIA H100 SXM 80 GB, 14.57 USD/h"
    assert fails["Recommended"] == "none"
    assert f"{ms:.1f} ms a token" in fails["8-GPU node"]


def test_power_and_price_bind() -> None:
    """Eight H100 take 10.2 kW with their hosts, as a DGX H100 does."""
    assert table(70, 8192, 16, 12, 1.9, 10.3)["Recommended"].startswith("8-GPU node: 8 x NVIDIA H")
    assert "10.2 kW" in table(70, 8192, 16, 12, 1.9, 10.1)["8-GPU node"]
    assert "1.82 USD/GPU-h" in table(70, 8192, 16, 12, 1.8, 10.3)["8-GPU node"]


def test_a_card_that_nobody_rents_out_costs_what_owning_it_costs() -> None:
    price = min(row.usd_per_gpu or math.inf for row in catalog.purchases(CARD))
    hour = scalesheet.owned_gpu_hour(price, 0, 4, 0, 0.3 * 10.2 / 5.6, 1.56, 0.13, 0)
    assert f"{hour:.2f} USD/h" in table(8, 8192, 4, 50, 10, 20)["Workstation card"]


def test_what_lacks_figures_is_named() -> None:
    found = table(8, 8192, 4, 50, 10, 20)["Not judged"].split(", ")
    lacking = {
        gpu.id for gpu in catalog.gpus() if gpu.watts is None or gpu.bf16_flops_per_second is None
    }
    assert lacking <= set(found)
    assert CARD not in found


def test_the_runner_up_is_another_gpu_and_not_cheaper() -> None:
    found = table(70, 8192, 64, 20, 10, 200)
    costs = [float(found[row].split(", ")[-1].split()[0]) for row in ("Recommended", "Runner-up")]
    assert costs[0] <= costs[1]
    assert found["Recommended"].split(" x ")[1] != found["Runner-up"].split(" x ")[1]
