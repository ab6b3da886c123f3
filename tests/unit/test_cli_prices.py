"""``scalesheet prices``: what it prints, where prices are stored, and how it ends."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scalesheet import catalog
from scalesheet_workbooks.cli import main

DATA = Path(__file__).parents[1] / "data" / "prices"
WIDTH = 80
NEBIUS = (str(DATA / "skypilot_nebius.csv"), "--provider", "Nebius", "--as-of", "2026-09-06")


@pytest.fixture(autouse=True)
def price_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user without prices of his own, and the place where they will be."""
    monkeypatch.delenv("SCALESHEET_PRICES", raising=False)
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    catalog.reload()
    yield catalog.price_file()
    catalog.reload()


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["prices", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    wide = [line for line in result.stdout.splitlines() if len(line) > WIDTH]
    assert all("/prices.csv" in line or '": ' in line for line in wide)  # paths, and JSON
    return result


def good(*arguments: str) -> list[str]:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.rstrip() for line in result.stdout.splitlines()]


def refused(*arguments: str) -> list[str]:
    """The lines on stderr of a command that ends with 2 and prints nothing."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return [line for line in result.stderr.splitlines() if line.startswith("Error: ")]


# --- List ----------------------------------------------------------------------------------------


def test_rows_with_their_age_and_marks() -> None:
    lines = good("H200", "--as-of", "2026-11-30")
    table = [line.split() for line in lines if line.startswith(" H200")]
    assert table[:3] == [
        ["H200", "on-demand", "Crusoe", "4.29", "2025-12-01", "364", "1", "old"],
        ["H200", "on-demand", "Nebius", "4.50", "2026-08-28", "94", "2"],
        ["H200", "on-demand", "Nebius", "3.50", "2026-07-09", "144", "3"],
    ]
    # The spread: newest of each provider.
    assert ["H200", "on-demand", "2", "4.29", "4.39", "4.50", "1"] in table
    assert "1   green-love 0.2.2" in lines
    assert lines[-2:] == [
        "old: more than 180 days before 2026-11-30; ask for a new price.",
        "All rows are of the shipped catalog.",
    ]


def test_all_rows() -> None:
    lines = good("--as-of", "2026-11-30")
    assert sum(line.startswith(" H100-80GB ") for line in lines) > 10
    assert any("H100-94GB-NVL" in line for line in lines)


def test_filters() -> None:
    lines = good("h100", "--provider", "nebius", "--term", "SPOT", "--as-of", "2026-11-30")
    assert [line.split()[:4] for line in lines if line.startswith(" H100")] == [
        ["H100-80GB", "spot", "Nebius", "1.25"]
    ]
    assert "The newest price of each provider:" not in lines


def test_an_earlier_day_knows_less() -> None:
    lines = good("H200", "--provider", "Nebius", "--term", "spot", "--as-of", "2026-08-01")
    assert [line.split()[3] for line in lines if line.startswith(" H200")] == ["1.45"]
    assert good("H200", "--as-of", "2020-01-01") == [
        "There are no such prices: try it without --provider, --term or --as-of."
    ]


def test_json() -> None:
    rows = json.loads(run("H100", "--provider", "AWS", "--as-of", "2026-11-30", "--json").stdout)
    (row,) = rows
    assert (row["usd_per_gpu_hour"], row["original_price"], row["age_days"]) == (6.88, 55.04, 85)
    assert (row["stale"], row["as_of"], row["catalog"]) == (False, "2026-09-06", "shipped")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("H1000",), "nearest are H100-80GB"),
        (("H100", "--provider", "Nebiusse"), "nearest are Nebius"),
        (("H100", "--as-of", "2026-09"), "2026-09 is no date: write it as 2026-09-06"),
        (("import", "x.csv", "--rate", "EUR"), "EUR is no rate: write it as EUR=1.08"),
        (("import", "x.csv", "--rate", "EUR=0"), "EUR=0 is no rate"),
        (("import", "x.csv"), "x.csv: there is no such file: check the path"),
        (("H100", "H200"), "unexpected extra argument"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], said: str) -> None:
    (line,) = refused(*arguments)
    assert said in line


# --- Import --------------------------------------------------------------------------------------


def test_import_and_use(price_file: Path) -> None:
    result = run("import", *NEBIUS, "--source", "skypilot-catalog of today")
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "H200 on-demand Nebius 2 3.50 to 3.80 30.40 instance-h 8" in said
    assert "skypilot-catalog list: 7 prices written to" in said
    assert "1 line of GPUs that the catalog does not have (V100): left out" in result.stderr
    assert price_file.is_file()
    table = [line for line in good("H200", "--provider", "Nebius") if line.startswith(" H200")]
    assert len(table) == 3  # the shipped rows of Nebius are gone
    assert all("2026-09-06" in line and "yours" in line for line in table)
    assert any("shipped" in line for line in good("H200"))


def test_the_stored_file_keeps_the_original(price_file: Path) -> None:
    run("import", *NEBIUS)
    header, *rows = price_file.read_text(encoding="utf-8").splitlines()
    for column in ("original_price", "original_unit", "gpus_per_instance", "line"):
        assert column in header.split(",")
    assert any(",23.6,USD/instance-h,8,4," in row for row in rows)


def test_nothing_is_stored_while_a_line_has_a_problem(price_file: Path) -> None:
    bad = (str(DATA / "gpuhunt_bad.csv"), "--provider", "x", "--as-of", "2026-09-06")
    lines = refused("import", *bad)
    assert len(lines) == 16
    assert lines[0] == 'Error: gpuhunt_bad.csv: line 2: price is "4-6", a range: write one number'
    assert lines[-1].startswith("Error: nothing is stored: mend these lines")
    assert not price_file.exists()
    result = run("import", *bad, "--skip-bad")
    assert result.exit_code == 0
    assert result.stderr.count("Left out: gpuhunt_bad.csv: line ") == 15
    assert len(price_file.read_text(encoding="utf-8").splitlines()) == 2


def test_prices_of_the_same_day_are_replaced_with_force_only(price_file: Path) -> None:
    run("import", *NEBIUS)
    before = price_file.read_bytes()
    line = refused("import", *NEBIUS)[-1]
    assert "has prices of H100-80GB on-demand at Nebius of 2026-09-06 already: add --force" in line
    assert price_file.read_bytes() == before
    assert run("import", *NEBIUS, "--force").exit_code == 0
    assert price_file.read_bytes() == before


def test_prices_of_another_day_are_added(price_file: Path) -> None:
    run("import", *NEBIUS)
    later = (*NEBIUS[:-1], "2026-09-20")
    assert run("import", *later).exit_code == 0
    days = {row.as_of.isoformat() for row in catalog.prices("H200", "Nebius")}
    assert days == {"2026-09-06", "2026-09-20"}


def test_a_rate_of_a_day(price_file: Path) -> None:
    path = str(DATA / "own_euro.csv")
    assert "add --rate EUR=RATE" in refused("import", path)[0]
    assert run("import", path, "--rate", "EUR=1.08@2026-09-05").exit_code == 0
    assert "1 EUR = 1.08 USD, rate of 2026-09-05" in price_file.read_text(encoding="utf-8")
    assert catalog.prices("H100", "Beispiel AG")[0].usd_per_gpu_hour == pytest.approx(2.7)


def test_a_broken_price_file_is_said_and_not_overwritten(price_file: Path) -> None:
    price_file.parent.mkdir(parents=True)
    price_file.write_text("gpu,price\nH100,2\n")
    assert "there is no column provider" in refused("H100")[0]
    assert "there is no column provider" in refused("import", *NEBIUS)[-1]
    assert price_file.read_text() == "gpu,price\nH100,2\n"


def test_a_place_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deep" / "prices.csv"
    monkeypatch.setenv("SCALESHEET_PRICES", str(path))
    assert "SCALESHEET_PRICES names this file and there is none" in refused("H100")[0]
    assert run("import", *NEBIUS).exit_code == 0
    assert path.is_file()


def test_help_of_both_commands_has_an_example() -> None:
    for command in ("list", "import"):
        lines = good(command, "--help")
        place = next(i for i, line in enumerate(lines) if "Example" in line)
        assert lines[place + 1].startswith(f"    scalesheet prices {command}")
