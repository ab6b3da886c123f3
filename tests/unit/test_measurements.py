"""The shipped measurements: sources, flags, series; and the classes computed from them."""

import csv
import math
from collections import Counter

import pytest

from scalesheet.errors import OutOfDomain, UnknownChoice
from scalesheet.fabric_classes import (
    CLASSES,
    FEWEST_SERIES,
    class_named,
    fabric_classes,
    published_efficiency,
    usable_classes,
)
from scalesheet.measurements import (
    FLAGS,
    HOLDOUT,
    MEASUREMENTS,
    OFF_AXIS,
    Series,
    backtest_series,
    holdout_series,
    load_series,
)
from scalesheet.measurements.classes import compute, exponent, text
from scalesheet.measurements.clean import COLUMNS, clean

with MEASUREMENTS.open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def named(name: str) -> Series:
    return next(one for one in load_series() if one.name == name)


# --- The file --------------------------------------------------------------------------------


def test_every_row_is_there_and_has_its_source() -> None:
    assert len(ROWS) == 1620
    assert all(row["source"] and row["path"] for row in ROWS)
    assert tuple(ROWS[0]) == COLUMNS


def test_cleaning_what_is_clean_changes_nothing() -> None:
    assert clean(ROWS) == ROWS


def test_the_values_of_measure_and_scaling() -> None:
    assert {row["measure"] for row in ROWS} == {"throughput", "time_to_train"}
    assert {row["scaling"] for row in ROWS} == {"weak", "strong", "mixed"}
    assert all((row["measure"] == "time_to_train") == ("minutes" in row["unit"]) for row in ROWS)


def test_every_flag_is_explained_and_used() -> None:
    assert {flag for row in ROWS for flag in row["flags"].split()} == set(FLAGS)


@pytest.mark.parametrize(
    ("series", "gpus", "flag"),
    [
        # 2 nodes give 6,018 images/s where one gives 6,862 (DLPerf).
        ("dlperf-resnet50v1-5-amp-batch-size-256-paddlepaddle-w-dali-bsz-196", 16, "looks_per_gpu"),
        # The same table stands twice in DLPerf, as batch 64 and as the largest batch.
        ("dlperf-bert-base-amp-batch-size-max-ngc-tensorflow-1-x-bsz-64", 32, "duplicate"),
        # Eos at 434 nodes was submitted in v4.0 and carried into v4.1.
        ("mlperf-v4.1-nvidia-nvidia-h100-sxm5-8-bert-thr", 3472, "duplicate"),
        # 2 samples a GPU where the larger runs have 4 (llm-foundry).
        ("llmfoundry-a100-40gb-70b-bf16full-shardactrue", 64, "batch_changed"),
        ("tfbench-ec2dist-resnet-50", 1, "partial_node"),
        ("mlperf-v4.1-dell-nvidia-h100-sxm5-8-llama2_70b_lora-thr", 4, "other_node"),
        ("megatron-gpt3-177b-strong", 96, "digitised"),
        ("horovod-vgg16", 512, "rounded"),
    ],
)
def test_what_a_reader_would_stumble_over_is_flagged(series: str, gpus: int, flag: str) -> None:
    flagged = [row.flags for row in named(series).rows if row.gpus == gpus]
    assert all(flag in flags for flags in flagged)
    assert flagged


def test_figures_that_only_look_alike_are_no_duplicates() -> None:
    # Horovod's text gives 90 % for two models.
    assert "duplicate" not in named("horovod-resnet101").flags


# --- Series ----------------------------------------------------------------------------------


def test_the_series_of_the_backtest() -> None:
    series = backtest_series()
    # scaling.md: 111 series, at least 3 sizes, MLPerf apart.
    assert len(series) == 111
    for one in series:
        assert one.measure == "throughput"
        assert len(one.points) >= 3
        assert not one.family.startswith("MLPerf")
    assert Counter(one.family for one in series) == {
        "NVIDIA/DeepLearningExamples": 48,
        "Oneflow-Inc/DLPerf": 41,
        "mosaicml/llm-foundry": 18,
        "tensorflow/docs": 3,
        "NVIDIA/Megatron-LM": 1,
    }


def test_points_are_whole_nodes_ascending_and_positive() -> None:
    for one in load_series():
        nodes = [point.nodes for point in one.points]
        assert nodes == sorted(set(nodes))
        assert all(point.throughput > 0 for point in one.points)
        on_axis = [row for row in one.rows if not row.flags & OFF_AXIS]
        assert {row.gpus // row.gpus_per_node for row in on_axis} == set(nodes)


def test_time_to_train_counts_as_its_inverse() -> None:
    # Oracle, MLPerf v4.1: 4.7502 minutes at 8 nodes.
    series = named("mlperf-v4.1-oracle-nvidia-h100-sxm5-8-llama2_70b_lora-ttt")
    assert series.measure == "time_to_train"
    assert series.points[0].throughput == 1 / 4.7502


# --- Held out --------------------------------------------------------------------------------


def test_the_held_out_file_is_of_the_same_form_and_apart() -> None:
    with HOLDOUT.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 226
    assert tuple(rows[0]) == COLUMNS
    assert clean(rows) == rows
    assert all(row["source"] and row["path"] for row in rows)
    assert {row["backtest"] for row in rows} == {"no"}
    assert {row["measure"] for row in rows} == {"throughput"}
    assert {flag for row in rows for flag in row["flags"].split()} == {"partial_node"}
    assert not {row["family"] for row in rows} & {row["family"] for row in ROWS}
    assert not {row["series"] for row in rows} & {row["series"] for row in ROWS}


def test_the_held_out_series() -> None:
    series = holdout_series()
    assert all(len(one.points) >= 3 for one in series)
    assert Counter(one.family for one in series) == {
        "PaddlePaddle/FleetX": 8,
        "xduan7/scalable-transformer": 8,
        "e-bug/distributed-tensorflow-benchmarks": 6,
        "NVIDIA/NeMo-Framework-Launcher": 5,
        "google/maxtext": 5,
        "apache/mxnet": 3,
        "ray-project/distml": 3,
        "PaddlePaddle/Paddle": 2,
        "huggingface.co/spaces/nanotron/ultrascale-playbook": 1,
        "microsoft/LightGBM": 1,
        "www.graphcore.cn/performance-results": 1,
    }


@pytest.mark.parametrize(
    ("name", "points"),
    [
        # Knees: 51 % of the ideal at 64 nodes of one Ethernet cluster (scaling.md).
        ("tf-p2xlarge-inceptionv3-synthetic", {1: 30.55, 32: 825.638, 64: 996.3205}),
        # Only whole nodes of 16 GPUs.
        ("mxnet-p216xlarge-alexnet", {1: 4244.18, 16: 61938.36}),
        ("nemo-superpod-gpt3-175b", {8: 7500.0, 128: 109684.0}),
        # 61.10 and 54.65 % of 197 TFLOP/s on each of 256 chips in a slice.
        ("maxtext-v5e-256-16b", {1: 0.6110 * 197 * 256, 32: 0.5465 * 197 * 256 * 32}),
        # 40,149.94 and 15,700.38 tokens/s a GPU.
        ("nanotron-dp-scaling", {1: 8 * 40149.94, 32: 256 * 15700.38}),
    ],
)
def test_held_out_values(name: str, points: dict[int, float]) -> None:
    series = next(one for one in holdout_series() if one.name == name)
    found = {point.nodes: point.throughput for point in series.points}
    assert {nodes: found[nodes] for nodes in points} == pytest.approx(points, rel=1e-4)


# --- Classes ---------------------------------------------------------------------------------


def test_the_shipped_classes_are_those_of_the_data() -> None:
    assert CLASSES.read_text(encoding="utf-8") == text(compute(load_series()))


@pytest.mark.parametrize(
    ("name", "median", "within"),
    [
        # scaling.md, "Classes": on series cleaned otherwise, hence the room.
        ("H100 NDR-class", 0.025, 0.004),
        ("A100 HDR", 0.032, 0.001),
        ("RoCE 1600", 0.013, 0.008),
        ("Ethernet 10 K80", 0.053, 0.001),
        ("MLPerf strong scaling", 0.158, 0.002),
    ],
)
def test_class_medians_are_near_those_found_before(name: str, median: float, within: float) -> None:
    assert fabric_classes()[name].median == pytest.approx(median, abs=within)


def test_a_class_with_few_series_is_refused_with_the_number() -> None:
    with pytest.raises(
        OutOfDomain, match=r'"Ethernet 10 K80" has 3 published series, fewer than 5'
    ):
        class_named("Ethernet 10 K80")
    assert all(fabric_classes()[name].series >= FEWEST_SERIES for name in usable_classes())
    assert len(usable_classes()) == 6


def test_an_unknown_class_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownChoice, match="A100 HDR"):
        class_named("NDR")


def test_names_of_classes_take_no_case_and_no_extra_spaces() -> None:
    assert class_named("  a100   hdr ").name == "A100 HDR"


def test_published_efficiency_is_the_power_of_the_median() -> None:
    median = fabric_classes()["A100 HDR"].median
    assert published_efficiency(32, "A100 HDR") == math.pow(32, -median)


def test_the_exponent_of_a_power_law_is_found() -> None:
    assert exponent([(n, n**0.9) for n in (1, 2, 8, 64)]) == pytest.approx(0.1, abs=1e-12)
