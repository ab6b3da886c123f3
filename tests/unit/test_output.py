"""Files written whole or not at all."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scalesheet_workbooks.output import OutputError, check_target, write_whole


def refused(path: Path, force: bool = False) -> str:
    with pytest.raises(OutputError) as caught:
        write_whole(path, b"new", force)
    return str(caught.value)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.xlsx", b"new")
    assert (tmp_path / "a.xlsx").read_bytes() == b"new"
    assert names(tmp_path) == ["a.xlsx"]


def test_existing_file_is_kept_without_force(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"old")
    assert refused(path) == f"{path}: exists already: add --force to overwrite it"
    assert path.read_bytes() == b"old"
    write_whole(path, b"new", force=True)
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.xlsx"]


def test_folder_is_no_file(tmp_path: Path) -> None:
    assert refused(tmp_path, force=True) == f"{tmp_path}: is a folder: name a file in it"


def test_missing_folder(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.xlsx"
    assert refused(path) == f"{path}: there is no folder {path.parent}: make it first"
    assert names(tmp_path) == []


def test_file_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    path = tmp_path / "file" / "a.xlsx"
    assert refused(path) == f"{path}: there is no folder {path.parent}: make it first"


def test_device_is_not_replaced() -> None:
    path = Path(os.devnull)
    assert refused(path, force=True) == f"{path}: is no ordinary file: name another one"
    assert path.exists()


def test_checking_touches_nothing(tmp_path: Path) -> None:
    check_target(tmp_path / "a.xlsx", force=False)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EROFS, "Read-only file system"),
    ],
    ids=["disk full", "read only"],
)
def test_failing_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"old")

    def fail(descriptor: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    assert refused(path, force=True) == (
        f"{path}: cannot be written: {error.strerror.lower()}: name another folder or file"
    )
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.xlsx"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("before", [None, b"old"], ids=["new", "existing"])
def test_interrupt_leaves_the_old_file_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, before: bytes | None
) -> None:
    path = tmp_path / "a.xlsx"
    if before is not None:
        path.write_bytes(before)

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new", force=True)
    assert names(tmp_path) == ([] if before is None else ["a.xlsx"])
    assert before is None or path.read_bytes() == before


def test_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.xlsx", tmp_path / "link.xlsx"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new", force=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_permissions_are_the_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_whole(tmp_path / "a.xlsx", b"new")
    assert (tmp_path / "a.xlsx").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_permissions_of_an_existing_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"old")
    path.chmod(0o640)
    mode = path.stat().st_mode
    write_whole(path, b"new", force=True)
    assert path.stat().st_mode == mode


def test_longest_file_name(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".xlsx")
    write_whole(path, b"new")
    assert names(tmp_path) == [path.name]


INTERRUPTED = """
import os, signal, sys, time
from pathlib import Path
from scalesheet_workbooks.output import write_whole

# A shell's background job is born deaf to it.
signal.signal(signal.SIGINT, signal.default_int_handler)

def wait(descriptor):
    print("writing", flush=True)
    time.sleep(60)

os.fsync = wait
write_whole(Path(sys.argv[1]), b"new" * 1000, force=True)
"""


def test_interrupted_process(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"old")
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert len(names(tmp_path)) == 2
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert process.returncode != 0
    assert names(tmp_path) == ["a.xlsx"]
    assert path.read_bytes() == b"old"
