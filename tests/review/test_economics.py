"""Inputs beside the GPU named, on demand, rates and the sign-off: one edit, one root."""

from dataclasses import replace

import pytest

from review import workbooks
from review.cluster_edits import MODEL, PRICE, SOURCE, Make, own, with_inputs
from review.clusters import PROPOSAL, cell, changed, filled, proposal, put
from review.edits import Seed
from review.workbooks import Edit, above_info, edited, reviewed, said
from scalesheet_workbooks.build import build
from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.hardware import gpus_in

SPOT = {"in.acquisition": "spot", "in.gpu_hour_price": 1.9, "in.rework": 0.2, "in.waste": 0.08}
DAY = 46_350  # 2026-11-24; the proposal is of the 20th
BOUGHT, RATE = own(36.0, life_years=3.0), "in.fx_1"


def spot(**values: float | str) -> Make:
    """The proposal with a third scenario on spot, at other values."""
    more = {f"in.{key}": value for key, value in values.items()}
    return lambda: build(PROPOSAL, proposal({**SPOT, **more}))


def bought(*edits: Edit) -> Make:
    return lambda: edited(*edits, data=BOUGHT())


def signed(*edits: Edit, day: int = DAY, name: str = "C. Officer") -> Make:
    """The proposal approved, after somebody has said what the recomputation gave."""
    cells = {"D": name, "F": day, "G": "approved"}
    approval = (put("in.sign_4", column, value) for column, value in cells.items())
    return changed(*approval, put("in.recomputed_result", "E", "no objection"), *edits)


def decided(line: str, decision: str, name: str = "D. Reviewer") -> list[Edit]:
    cells = {"D": name, "F": DAY, "G": decision}
    return [put(line, column, value) for column, value in cells.items()]


def roots(make: Make, clean: Make) -> list[Finding]:
    """What is found that the file without the edit does not have."""
    known = {one.fingerprint for one in above_info(reviewed(clean()))}
    return [one for one in above_info(reviewed(make())) if one.fingerprint not in known]


FLAT = [
    put(f"in.{name}_{end}", "E", value)
    for name, value in (("rework", 0.1), ("efficiency", 0.85), ("gpu_hour_price", 2.1))
    for end in ("low", "mode", "high")
]
SEEDS = (
    Seed("H100 for less than any list", changed(put(PRICE, "F", 0.9)), "I220", cell(PRICE, "F"),
         "high"),
    Seed("rate with a slipped point", changed(put(RATE, "E", 0.108)), "I224", cell(RATE),
         "medium"),
    Seed("rate in hundreds", changed(put(RATE, "E", 108)), "I224", cell(RATE), "medium"),
    Seed("rate of one", changed(put(RATE, "E", 1)), "I224", cell(RATE), "medium"),
    Seed("row of the currency renamed", changed(put(RATE, "C", "USD")), "I214", cell(RATE, "C"),
         "high"),
    Seed("cost without a name", changed(put("in.other_4", "E", 3e5)), "I234", cell("in.other_4"),
         "medium"),
    Seed("programme that is over", changed(put("in.start", "F", 45_658)), "I245",
         cell("in.start", "F"), "medium"),
    Seed("ranges without width", changed(*FLAT), "I225", cell("in.gpu_hour_price_low"), "low"),
    Seed("term beyond the programme", changed(put("in.term_months", "E", 36)), "R339",
         cell("in.term_months"), "low"),
    Seed("source in a row that is empty", changed(put(PRICE, SOURCE, "References 99")), "I240",
         cell(PRICE, SOURCE), "medium"),
    Seed("source of nobody", changed(put(PRICE, SOURCE, "ChatGPT")), "I240", cell(PRICE, SOURCE),
         "medium"),
    Seed("recomputed by nobody yet", changed(put("in.recomputed_by", "E", "to be named")), "I244",
         cell("in.recomputed_by"), "low"),
    Seed("offer of a kind that is none", changed(put("offer.gpu_hour_price", "E", "A Cloud"),
         put("offer.gpu_hour_price", "F", "17"), put("offer.gpu_hour_price", "G", "a hunch")),
         "I205", cell("offer.gpu_hour_price", "G"), "low"),
    Seed("offer until no day", changed(put("offer.gpu_hour_price", "E", "A Cloud"),
         put("offer.gpu_hour_price", "F", "17"), put("offer.gpu_hour_price", "G", "quote"),
         put("offer.gpu_hour_price", "H", "next year")), "I241",
         cell("offer.gpu_hour_price", "H"), "low"),
)  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS, ids=[seed.name for seed in SEEDS])
def test_one_edit_is_one_root(seed: Seed) -> None:
    (one,) = roots(seed.make, filled)
    assert (one.rule.id, one.where, one.severity) == (seed.rule, seed.where, seed.severity)


def sized(*edits: Edit) -> Make:
    """Three scenarios whose work is that of a model, so that peak and tokens count."""

    def make() -> bytes:
        model = {f"in.{key}": value for key, value in MODEL.items()}
        study = proposal(model)
        cases = [replace(one, values={**one.values, **model}) for one in study.scenarios]
        return edited(*edits, data=build(PROPOSAL, replace(study, scenarios=tuple(cases))))

    return make


@pytest.mark.parametrize(
    ("edit", "rule", "line"),
    [
        (put("in.gpu", "F", "NVIDIA A100 80 GB"), "I226", "in.peak_flops_per_second"),
        (put("in.tokens", "F", 1.8e9), "I215", "in.tokens"),
    ],
)
def test_a_model_is_one_size_and_its_gpu_has_one_peak(edit: Edit, rule: str, line: str) -> None:
    """What the named GPU costs an hour is not held against it where its peak is another's."""
    found = [one for one in roots(sized(edit), sized()) if one.rule.id.startswith("I")]
    assert [(one.rule.id, one.line, one.severity) for one in found] == [(rule, line, "high")]
    assert found[0].cells == (cell(line, "F").partition("!")[2],)


SPOT_SEEDS = (
    Seed("spot dearer than on demand", spot(gpu_hour_price=3.5), "I223", "in.gpu_hour_price",
         "high"),
    Seed("spot with the rework of on demand", spot(rework=0.1), "I233", "in.rework", "low"),
    Seed("spot with the failures of on demand", spot(waste=0.04), "I233", "in.waste", "low"),
)  # fmt: skip


@pytest.mark.parametrize("seed", SPOT_SEEDS, ids=[seed.name for seed in SPOT_SEEDS])
def test_spot_costs_less_and_loses_more(seed: Seed) -> None:
    found = [one for one in roots(seed.make, spot()) if one.rule.id.startswith("I")]
    assert [(one.rule.id, one.line, one.severity) for one in found] == [
        (seed.rule, seed.where, seed.severity)
    ]


def test_the_price_beside_spot_is_doubted_alone() -> None:
    """On demand below every list is wrong, and not spot that is then dearer."""
    build_ = spot()
    found = roots(lambda: edited(put(PRICE, "F", 0.9), data=build_()), build_)
    assert [one.rule.id for one in found if one.rule.id.startswith("I")] == ["I220"]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("in.node_price", 3.1e6),
        ("in.node_price", 31_000),
        ("in.residual_per_gpu", 32_000),
    ],
)
def test_what_is_bought_has_one_root(line: str, value: float) -> None:
    """A tenth of the server's price is below its residual, which nobody touched."""
    found = roots(bought(put(line, "G", value)), BOUGHT)
    assert [(one.rule.id, one.line, one.severity) for one in found] == [("I223", line, "high")]


@pytest.mark.parametrize(
    ("make", "rule", "where"),
    [
        (signed(*decided("in.sign_3", "declined")), "I242", cell("in.sign_4", "G")),
        (signed(day=46_000), "I242", cell("in.sign_4", "F")),
        (signed(*decided("in.sign_1", "approved", "C.  officer")), "I242", cell("in.sign_4", "D")),
        (signed(put("in.authority_limit", "E", 1e6)), "I242", cell("in.sign_4", "G")),
        (signed(put("in.recomputed_result", "E", "open")), "I244", cell("in.recomputed_result")),
    ],
    ids=["declined by another", "before the proposal", "own approval", "authority", "open"],
)
def test_what_an_approval_does_not_go_with(make: Make, rule: str, where: str) -> None:
    (one,) = above_info(reviewed(make()))
    assert (one.rule.id, one.where, one.severity) == (rule, where, "medium")


def test_an_approval_that_is_whole_is_no_finding() -> None:
    make = signed(*decided("in.sign_1", "approved"), *decided("in.sign_3", "approved"))
    assert said(above_info(reviewed(make()))) == []


@pytest.mark.parametrize("hours", [5e5, 256.0, 0.0])
def test_more_use_than_committed_is_a_question(hours: float) -> None:
    found = above_info(reviewed(with_inputs(0, committed_gpu_hours=hours)()))
    assert [one.severity for one in found if one.rule.id == "R331"] == ["medium"]


def test_an_unusual_size_that_no_total_shows_is_a_question() -> None:
    """The work is given in GPU-hours, so that more GPUs cost the same."""
    (one,) = above_info(reviewed(edited(workbooks.put("in.gpus", "G", 640_000))))
    assert (one.rule.id, one.severity) == ("I204", "medium")


def test_full_efficiency_over_several_nodes_is_too_much() -> None:
    (one,) = above_info(reviewed(edited(workbooks.put("in.efficiency", "G", 1.0))))
    assert (one.rule.id, one.severity) == ("I211", "high")


def test_a_supplier_to_be_asked_is_for_an_estimate() -> None:
    cells = {"E": "to be asked", "F": "none", "G": "estimate"}
    edits = [put("offer.gpu_hour_price", column, value) for column, value in cells.items()]
    assert said(above_info(reviewed(changed(*edits)()))) == []
    found = above_info(reviewed(changed(*edits, put("offer.gpu_hour_price", "G", "list price"))()))
    assert [one.rule.id for one in found] == ["I244"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("NVIDIA H200", ["H200"]),
        ("H100 PCIe", ["H100-80GB-PCIe"]),
        ("H100 NVL 94 GB", ["H100-94GB-NVL"]),
        ("RTX 6000 Ada", ["RTX-6000-Ada"]),
        ("RTX PRO 6000", ["RTX-PRO-6000"]),
        ("A10G", ["A10G"]),
        ("whatever the provider has", []),
    ],
)
def test_gpus_are_known_by_their_model(text: str, ids: list[str]) -> None:
    assert [gpu.id for gpu in gpus_in(text)] == ids
