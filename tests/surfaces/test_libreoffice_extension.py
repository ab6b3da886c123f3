"""The extension file: equal on every build, and a core in it that older Pythons run."""

import ast
import datetime
import doctest
import importlib
import io
import math
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import vermin

import scalesheet
from arguments import arguments
from scalesheet.registry import REGISTRY
from scalesheet.surfaces.cells import answer
from scalesheet.surfaces.libreoffice import dotted
from scalesheet.surfaces.libreoffice.extension import build, camel, interface
from scalesheet.surfaces.libreoffice.vendored import PACKAGE, sources

OLDEST = (3, 8)
SETS = 200
MAKE = """
import sys
from scalesheet.surfaces.libreoffice.extension import build
sys.stdout.buffer.write(build("1.2.3"))
"""
ODD: list[object] = [
    None,
    "",
    "text",
    "80%",
    True,
    0.0,
    -1.0,
    0.5,
    4,
    1e308,
    math.nan,
    math.inf,
    [[1.0], [2.0]],
    [["x", None]],
    [[1.0, 2.0, 3.0]],
    46295.0,
    "2026-09-30",
    "30/09/2026",
    datetime.date(2026, 9, 30),
    " h100 ",
    "AWS",
]
"""What is wrong in most places, and right in some."""


def parts() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(build("1.2.3"))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# --- The file ------------------------------------------------------------------------------------


def test_equal_on_every_build() -> None:
    def built(seed: str) -> bytes:
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", MAKE]
        return subprocess.run(command, env=environment, capture_output=True, check=True).stdout

    assert built("1") == built("2") == build("1.2.3")


def test_every_part_is_read() -> None:
    named = parts()
    for name in named:
        if name.endswith((".xml", ".xcu")):
            ET.fromstring(named[name])
    manifest = named["META-INF/manifest.xml"].decode()
    loose = {name for name in named if "/" not in name and name != "description.xml"}
    assert all(f'full-path="{name}"' in manifest for name in loose)
    assert b'<version value="1.2.3"/>' in named["description.xml"]


def test_every_function_is_offered_with_its_arguments() -> None:
    wizard = ET.fromstring(parts()["CalcAddIns.xcu"])
    name = "{http://openoffice.org/2001/registry}name"
    functions = next(node for node in wizard.iter("node") if node.get(name) == "AddInFunctions")
    offered = {
        node.get(name): [parameter.get(name) for parameter in node.iterfind("node/node")]
        for node in functions
    }
    assert offered == {
        record.name: [camel(parameter.name) for parameter in record.parameters]
        for record in REGISTRY.values()
    }
    for function, parameters in offered.items():
        assert f"{function}([in] any {', [in] any '.join(map(str, parameters))})" in interface()


def test_full_names() -> None:
    assert dotted("TRAIN_COST") == "SCALESHEET.TRAIN_COST"


# --- The core in it ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core as the extension unpacks it."""
    root = tmp_path_factory.mktemp("pythonpath")
    for path, text in sources().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")
    return root


@pytest.fixture(scope="module")
def core(folder: Path) -> Iterator[ModuleType]:
    """The core of the extension, imported."""
    sys.path.insert(0, str(folder))
    try:
        importlib.import_module(f"{PACKAGE}.functions")
        yield importlib.import_module(f"{PACKAGE}.surfaces.cells")
    finally:
        sys.path.remove(str(folder))


def python_sources() -> dict[str, str]:
    """The Python of the core in the extension."""
    return {path: text for path, text in sources().items() if path.endswith(".py")}


def modules() -> list[str]:
    names = (path.removesuffix(".py").replace("/", ".") for path in python_sources())
    return sorted(name.removesuffix(".__init__") for name in names)


def texts() -> dict[str, str]:
    """All Python in the extension."""
    return python_sources() | {"component.py": parts()["component.py"].decode()}


def test_the_data_of_the_maths_come_along() -> None:
    """Every data file beside a module that the extension carries, byte for byte, and no other."""
    root = Path(str(scalesheet.__file__)).parent
    carried = {path for path in sources() if not path.endswith(".py")}
    beside = {
        file.relative_to(root).as_posix()
        for name in modules()
        for file in Path(root, *name.split(".")[1:]).glob("*.csv")
    }
    assert carried == {f"{PACKAGE}/{path}" for path in beside}
    assert {f"{PACKAGE}/catalog/{name}.csv" for name in ("gpus", "prices", "aliases")} <= carried
    for path in beside:
        packed = parts()[f"pythonpath/{PACKAGE}/{path}"]
        assert packed == (root / path).read_bytes()


def test_an_older_python_reads_it() -> None:
    for path, text in texts().items():
        ast.parse(text, path, feature_version=OLDEST)


def test_an_older_python_runs_it() -> None:
    for path, text in texts().items():
        _, oldest = vermin.detect(text)
        assert oldest is not None, path
        assert oldest <= OLDEST, f"{path} needs {oldest}"


def test_what_an_older_python_lacks_would_be_found() -> None:
    assert vermin.detect("import math\nmath.nextafter(1.0, 2.0)\n")[1] == (3, 9)


def test_it_needs_the_standard_library_only() -> None:
    for path, text in python_sources().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported = [node.module or ""]
            else:
                continue
            for name in imported:
                root = name.partition(".")[0]
                assert root == PACKAGE or root in sys.stdlib_module_names, f"{path}: {name}"


@pytest.mark.parametrize("name", modules())
def test_its_examples_run(name: str, core: ModuleType) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


def plain(value: Any) -> Any:
    """An answer that can be compared with that of the other core."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return ("error", value.code) if hasattr(value, "code") else value


@pytest.mark.parametrize("name", REGISTRY)
def test_it_answers_as_the_original(name: str, core: ModuleType) -> None:
    rng = random.Random(name)
    record = REGISTRY[name]
    vendored = importlib.import_module(f"{PACKAGE}.registry").REGISTRY[name]
    errors = 0
    for number in range(SETS):
        given: list[object] = list(arguments(rng, record, rng.randint(1, 5)))
        if number % 2:
            given[rng.randrange(len(given))] = rng.choice(ODD)
        said: dict[str, list[str]] = {"ours": [], "theirs": []}
        ours = plain(answer(record, given, said["ours"].append))
        theirs = plain(core.answer(vendored, given, said["theirs"].append))
        assert ours == theirs, given
        assert said["ours"] == said["theirs"]
        errors += bool(said["ours"])
    assert SETS / 10 < errors < SETS * 0.9
