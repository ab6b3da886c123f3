"""``scalesheet review``: what it prints, where it writes, how it ends."""

import datetime
import json
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from review import clusters
from review.workbooks import edited, filled, put, reviewed
from scalesheet_workbooks.cli import main
from scalesheet_workbooks.review.baseline import Acceptance, applied, load_baseline


def review(*arguments: str | Path) -> Result:
    """The command on a fixed day: the proposal's date must not grow stale."""
    result = CliRunner().invoke(main, ["review", "--as-of", "2026-11-30", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    path = tmp_path / "clean.xlsx"
    path.write_bytes(filled())
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.xlsx"
    path.write_bytes(edited(put("calc.rework_cost", "E", 1000)))
    return path


@pytest.fixture
def medium(tmp_path: Path) -> Path:
    path = tmp_path / "medium.xlsx"
    path.write_bytes(edited(put("calc.wall_clock_days", "F", 3)))
    return path


def test_a_clean_file_ends_with_0(clean: Path) -> None:
    result = review(clean)
    assert result.exit_code == 0
    first, second, *_ = result.stdout.splitlines()
    assert first == "NO OBJECTION: clean.xlsx"
    assert second.startswith("  Recognised  training_run_budget")


def test_exit_codes_follow_fail_on(clean: Path, bad: Path, medium: Path) -> None:
    assert review(bad).exit_code == 1
    assert review(bad, "--fail-on", "never").exit_code == 0
    assert review(medium).exit_code == 0
    assert review(medium, "--fail-on", "medium").exit_code == 1
    assert review(medium, "--fail-on", "low").exit_code == 1
    assert review(clean, "--fail-on", "low").exit_code == 0
    assert review(clean, bad).exit_code == 1


def test_a_failing_run_has_a_finding(bad: Path, medium: Path) -> None:
    """Case D18: a run that fails without a finding cannot be."""
    for path in (bad, medium):
        result = review(path, "--fail-on", "low", "--format", "json")
        assert result.exit_code == 1
        counts = json.loads(result.stdout)["files"][0]["counts"]
        assert counts["high"] + counts["medium"] + counts["low"] > 0


def test_an_unreadable_file_ends_with_2_and_does_not_stop_the_rest(
    clean: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04nothing")
    result = review(broken, clean, tmp_path / "none.xlsx", "--format", "json")
    assert result.exit_code == 2
    files = json.loads(result.stdout)["files"]
    assert [one["reason"] for one in files] == ["truncated", None, "not_found"]
    assert [one["verdict"] for one in files] == ["NOT READ", "NO OBJECTION", "NOT READ"]


def test_folders_and_patterns(clean: Path, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "~$bad.xlsx").write_bytes(b"lock")
    (tmp_path / "notes.txt").write_text("no workbook")
    for named in (tmp_path, tmp_path / "*.xlsx"):
        result = review(named, "--format", "json")
        found = {Path(one["file"]).name for one in json.loads(result.stdout)["files"]}
        assert {"bad.xlsx", "clean.xlsx"} <= found
        assert "notes.txt" not in found
    assert "2 FILES" in review(bad, clean).stdout


def test_reports_go_to_a_file(bad: Path, tmp_path: Path) -> None:
    for format_, start in (("md", b"# "), ("html", b"<!DOCTYPE html>"), ("xlsx", b"PK")):
        out = tmp_path / f"report.{format_}"
        result = review(bad, "--format", format_, "-o", out)
        assert result.exit_code == 1
        assert "RETURN TO PREPARER" in result.stdout
        assert out.read_bytes().startswith(start)
        again = review(bad, "--format", format_, "-o", out)
        assert again.exit_code == 2
        assert "--force" in again.stderr
        assert review(bad, "--format", format_, "-o", out, "--force").exit_code == 1


def test_usage_mistakes_are_one_line(bad: Path, medium: Path) -> None:
    for arguments, words in (
        ((), "name a workbook"),
        ((bad, "--format", "xlsx"), "-o review.xlsx"),
        ((bad, "--materiality", "much"), "write 1% or 0.01"),
        ((bad, "--materiality", "80%"), "write 1% or 0.01"),
        ((bad, "-o", bad, "--force"), "is read for this review"),
        ((bad, "--against", medium, "-o", medium, "--force"), "is read for this review"),
        ((bad, "--against", "none.xlsx"), "no such file"),
        ((bad, "--baseline", "none.toml"), "no such file"),
    ):
        result = review(*arguments)
        assert result.exit_code == 2, arguments
        assert words in result.stderr
        assert result.stdout == ""


def test_materiality_moves_severities(medium: Path, tmp_path: Path) -> None:
    path = tmp_path / "little.xlsx"
    path.write_bytes(edited(put("calc.train_cost", "E", 27990)))
    assert review(path).exit_code == 0
    assert review(path, "--materiality", "0.1%").exit_code == 1


def test_against_prints_the_bridge(clean: Path, bad: Path) -> None:
    out = review(bad, "--against", clean).stdout
    assert "FROM clean.xlsx TO NOW: Baseline 64 of ours" in out
    assert "formula overrides" in out
    assert "-2,600.00" in out


def test_another_template_is_no_previous_file(clean: Path, bad: Path, tmp_path: Path) -> None:
    """A single file is refused; among many each one says it, right under its verdict."""
    other = tmp_path / "proposal.xlsx"
    other.write_bytes(clusters.filled())
    alone = review(clean, "--against", other)
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert (
        "--against proposal.xlsx is cluster_proposal, this file is training_run_budget: compare"
        in " ".join(alone.stderr.split())
    )
    lines = review(clean, other, "--against", clean).stdout.splitlines()
    (at,) = (at for at, line in enumerate(lines) if line.startswith("  NOT COMPARED: "))
    assert lines[at - 1].endswith(": proposal.xlsx")
    told = "clean.xlsx is training_run_budget, this file is cluster_proposal"
    assert told in " ".join(" ".join(lines[at : at + 2]).split())


@pytest.mark.parametrize("format_", ["md", "html", "json", "xlsx"])
def test_every_report_says_what_was_not_compared(format_: str, clean: Path, tmp_path: Path) -> None:
    foreign, out = tmp_path / "foreign.xlsx", tmp_path / f"report.{format_}"
    book = openpyxl.Workbook()
    book.active["A1"] = 5
    book.save(foreign)
    given = (clean, foreign, "--against", clean, "--format", format_, "-o", out)
    assert "NOT COMPARED: clean.xlsx is training_run_budget, this file is no" in " ".join(
        review(*given).stdout.split()
    )
    data = out.read_bytes()
    if format_ == "xlsx":
        cells = [one.value for row in openpyxl.load_workbook(out)["Summary"] for one in row]
        data = " ".join(map(str, cells)).encode()
    assert data.lower().replace(b"_", b" ").count(b"not compared") >= 1
    assert b"this file is no template of ours" in data


def test_what_changed_without_effect_is_in_every_report(clean: Path, tmp_path: Path) -> None:
    now = tmp_path / "now.xlsx"
    now.write_bytes(edited(put("in.interconnect", "E", "HDR")))
    for format_ in ("text", "md", "html", "json"):
        out = review(now, "--against", clean, "--format", format_).stdout.replace("&quot;", '"')
        assert "without effect" in out.lower().replace("_", " ")
        assert "Interconnect between nodes: " in out


def test_rules_are_listed() -> None:
    result = review("--rules")
    assert result.exit_code == 0
    assert result.stdout.startswith("S101  medium")


# --- The baseline --------------------------------------------------------------------------------


def accepted(path: Path, fingerprint: str, **more: str) -> Path:
    given = {"reason": '"seen"', "expires": "2027-03-31", **more}
    lines = [f"{key} = {value}" for key, value in given.items()]
    path.write_text("\n".join(["[[accepted]]", f'fingerprint = "{fingerprint}"', *lines]))
    return path


def test_an_accepted_finding_is_set_apart_with_its_reason(bad: Path, tmp_path: Path) -> None:
    """Case D19: by fingerprint, with a reason and a last day."""
    data = json.loads(review(bad, "--format", "json").stdout)
    (one,) = [f for f in data["files"][0]["findings"] if f["severity"] == "high"]
    baseline = accepted(tmp_path / "b.toml", one["fingerprint"])
    result = review(bad, "--baseline", baseline)
    assert result.exit_code == 0
    assert "ACCEPTED IN THE BASELINE (1)" in result.stdout
    assert "seen (until 2027-03-31)" in result.stdout


def test_an_expired_acceptance_counts_no_more(bad: Path, tmp_path: Path) -> None:
    data = json.loads(review(bad, "--format", "json").stdout)
    (one,) = [f for f in data["files"][0]["findings"] if f["severity"] == "high"]
    baseline = accepted(tmp_path / "b.toml", one["fingerprint"], expires="2026-11-29")
    result = review(bad, "--baseline", baseline)
    assert result.exit_code == 1
    assert "expired 2026-11-29" in " ".join(result.stdout.split())


def test_another_value_is_another_finding() -> None:
    """Who accepted 1,000 has not accepted 2,000."""
    first = reviewed(edited(put("calc.rework_cost", "E", 1000))).findings[0]
    second = reviewed(edited(put("calc.rework_cost", "E", 2000))).findings[0]
    assert first.rule == second.rule
    assert first.fingerprint != second.fingerprint


def test_a_fingerprint_does_not_hang_on_the_address() -> None:
    from review.workbooks import shifted

    first = reviewed(edited(put("calc.rework_cost", "E", 1000))).findings[0]
    moved = reviewed(edited(put("calc.rework_cost", "E", 1000), shifted("Calc", 8, 3))).findings[0]
    assert first.where != moved.where
    assert first.fingerprint == moved.fingerprint


def test_an_acceptance_that_matches_nothing_is_said() -> None:
    day = datetime.date(2027, 1, 1)
    found = applied(reviewed(filled()), [Acceptance("0" * 12, "old", day)])
    assert found.notes == ("000000000000 in the baseline matches no finding",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[accepted]]\nfingerprint = 'x'\nexpires = 2027-01-01", "reason is missing"),
        ("[[accepted]]\nreason = 'x'\nexpires = 2027-01-01", "fingerprint is missing"),
        ("[[accepted]]\nfingerprint = 'x'\nreason = 'y'", "expires is missing"),
        ("[[accepted]]\nfingerprint='x'\nreason='y'\nexpires=2027-01-01\nid='z'", "id is no key"),
        ("accepted = 5", "[[accepted]]"),
        ("[[accepted", "cannot be read as TOML"),
    ],
)
def test_a_bad_baseline_is_refused_in_one_line(bad: Path, text: str, words: str) -> None:
    path = bad.parent / "b.toml"
    path.write_text(text)
    result = review(bad, "--baseline", path)
    assert result.exit_code == 2
    assert words in result.stderr
    assert load_baseline.__doc__
