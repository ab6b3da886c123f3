"""Switches and fixtures that all tests share."""

import difflib
import os
import sysconfig
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import hypothesis
import pytest

from rendering import ToolMissing

GOLDEN = Path(__file__).parent / "golden"

# No example is a matter of time, and CI tries the same ones in every run.
hypothesis.settings.register_profile(
    "untimed", deadline=None, derandomize=bool(os.environ.get("CI"))
)
hypothesis.settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("scalesheet")
    group.addoption(
        "--no-skips", action="store_true", help="count every skip and expected failure as a failure"
    )
    group.addoption(
        "--samples",
        type=int,
        default=1000,
        metavar="N",
        help="argument sets a function in the parity tests (default: %(default)s)",
    )
    group.addoption(
        "--sets",
        type=int,
        default=40,
        metavar="N",
        help="random sets of scenarios that each budget is filled with (default: %(default)s)",
    )
    group.addoption(
        "--proposals",
        type=int,
        metavar="N",
        help="random proposals and pairs of each template that are reviewed (default: a few)",
    )
    group.addoption("--update-golden", action="store_true", help="rewrite the golden files")


def pytest_configure(config: pytest.Config) -> None:
    for name in ("samples", "sets"):
        if config.getoption(name) < 1:
            raise pytest.UsageError(f"--{name} must be at least 1")
    _forget_the_users_prices(config)
    if os.environ.get("SCALESHEET_CI_WHEEL"):
        _require_installed_package()


def _forget_the_users_prices(config: pytest.Config) -> None:
    """The tests know the shipped catalog only, whatever prices the user of this machine has.

    Set here and not in a fixture: modules ask for prices while they are collected.
    """
    folder = tempfile.TemporaryDirectory(prefix="home-")
    patch = pytest.MonkeyPatch()
    patch.delenv("SCALESHEET_PRICES", raising=False)
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"):
        patch.setenv(name, folder.name)
    config.add_cleanup(patch.undo)
    config.add_cleanup(folder.cleanup)


def _require_installed_package() -> None:
    """In CI the built wheel is tested, never the sources that lie beside the tests."""
    import scalesheet
    import scalesheet_workbooks

    installed = Path(sysconfig.get_paths()["purelib"]).resolve()
    for package in (scalesheet, scalesheet_workbooks):
        if not Path(str(package.__file__)).resolve().is_relative_to(installed):
            raise pytest.UsageError(
                f"{package.__name__} comes from {package.__file__}, not from the installed wheel"
            )


def _fail_if_not_run(
    config: pytest.Config, report: pytest.TestReport | pytest.CollectReport
) -> None:
    """Turn a skip, or an expected failure whichever way it went, into a failure."""
    expected_failure = getattr(report, "wasxfail", None)
    if not config.getoption("no_skips") or not (report.skipped or expected_failure is not None):
        return
    if expected_failure is not None:
        reason = f"expected failure: {expected_failure}"
        del report.wasxfail
    else:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"not allowed with --no-skips: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Without LibreOffice or poppler the tests that need them say so and do not run."""
    try:
        return (yield)
    except ToolMissing as missing:
        pytest.skip(str(missing))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """The same when the tool is found missing in the course of a test."""
    try:
        return (yield)
    except ToolMissing as missing:
        pytest.skip(str(missing))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_not_run(item.config, report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_not_run(collector.config, report)
    return report


@pytest.fixture(scope="session")
def samples(pytestconfig: pytest.Config) -> int:
    """How many argument sets a parity test tries for each function."""
    count: int = pytestconfig.getoption("samples")
    return count


@pytest.fixture(scope="session")
def sets(pytestconfig: pytest.Config) -> int:
    """How many random sets of scenarios a budget is filled with."""
    count: int = pytestconfig.getoption("sets")
    return count


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    """Compare a text with ``tests/golden/NAME``; --update-golden rewrites the file."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if pytestconfig.getoption("update_golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.is_file():
            pytest.fail(f"no golden file {path}: run pytest --update-golden", pytrace=False)
        elif (stored := path.read_text(encoding="utf-8")) != text:
            pytest.fail(_difference(name, stored, text), pytrace=False)

    return compare


def _difference(name: str, stored: str, text: str) -> str:
    """The lines that differ between a golden file and the text of now."""
    lines = difflib.unified_diff(
        stored.splitlines(), text.splitlines(), f"golden/{name}", "now", lineterm=""
    )
    # Two texts of the same lines differ in line ends only.
    shown = "\n".join(lines) or f"line ends differ: {stored[-40:]!r} became {text[-40:]!r}"
    return f"{shown}\n\nIf the change is wanted: pytest --update-golden"
