"""Expected templates as data: what a wheel brings is what would be built."""

import json
from pathlib import Path

import pytest

from scalesheet_workbooks.review import anew as anew_module
from scalesheet_workbooks.review import prebuilt
from scalesheet_workbooks.review.anew import all_kinds, anew
from scalesheet_workbooks.review.template import expected

SOME = [("training_run_budget", 3), ("cluster_proposal", 2), ("scaling_study", 1)]


@pytest.mark.parametrize(("name", "scenarios"), [*SOME, ("function_check", 1)])
def test_what_is_expected_is_what_is_built(name: str, scenarios: int) -> None:
    built = anew(name, scenarios)
    text = json.dumps(prebuilt.packed(built), ensure_ascii=False)
    assert prebuilt.unpacked(json.loads(text)) == built == expected(name, scenarios)


def test_a_store_gives_back_what_was_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [("training_run_budget", 1), ("function_check", 1)]
    monkeypatch.setattr(anew_module, "all_kinds", lambda: iter(kinds))
    store = tmp_path / "expected.zip"
    prebuilt.save(store)
    monkeypatch.setattr(prebuilt, "STORE", store)
    prebuilt.names.cache_clear()
    try:
        assert prebuilt.names() == ("training_run_budget", "function_check")
        assert prebuilt.load("cluster_proposal", 1) is None
        for name, scenarios in kinds:
            assert prebuilt.load(name, scenarios) == anew(name, scenarios)
    finally:
        prebuilt.names.cache_clear()


def test_every_number_of_scenarios_is_in_a_store() -> None:
    kinds = list(all_kinds())
    assert ("training_run_budget", 8) in kinds
    assert ("cluster_proposal", 1) in kinds
    assert ("scaling_study", 1) in kinds


def test_a_wheel_has_a_store_and_a_source_tree_has_none() -> None:
    assert prebuilt.STORE.is_file() is ("site-packages" in prebuilt.STORE.parts)
