"""Enough of Windows for the real xlwings to run its side of user-defined functions on any system.

pywin32 is stubbed and ``sys.platform`` says Windows, both only while xlwings is imported; what runs
then is xlwings' own code: ``com_server.XLPython.CallUDF``, ``udfs.call_udf``,
``udfs.generate_vba_wrapper``. A ``FakeRange`` counts how often it is asked over COM.
"""

import asyncio  # noqa: F401  (what is imported before now is that of this system)
import ctypes
import datetime as dt
import importlib
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

RANGE_IID = "{00020846-0000-0000-C000-000000000046}"
OURS = ("scalesheet.surfaces.excel.bridge", "scalesheet.surfaces.excel.udfs")


class ComError(Exception):
    """pywin32's error."""


def _module(name: str, **attributes: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(attributes, __path__=[], __file__=f"{name}.dll")
    # Whatever else is looked up while importing is a class that does nothing.
    module.__getattr__ = _nothing  # type: ignore[method-assign]
    return module


def _nothing(name: str) -> type:
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (), {})


def _unwrap(value: Any) -> Any:
    raise ComError("no object of ours")


def _stubs() -> dict[str, types.ModuleType]:
    pythoncom = _module(
        "pythoncom",
        IID_IDispatch="IDispatch",
        TypeIIDs={"IDispatch": type("PyIDispatch", (), {})},
        CoInitialize=lambda: None,
        com_error=ComError,
    )
    pywintypes = _module("pywintypes", TimeType=dt.datetime, IID=str, com_error=ComError)
    modules = [
        pythoncom,
        pywintypes,
        _module("win32com.client", Dispatch=lambda value, **names: value),
        _module("win32process", GetWindowThreadProcessId=lambda window: (0, 1)),
        _module("win32com.server.util", unwrap=_unwrap, wrap=lambda value, *more: value),
    ]
    plain = "win32api win32con win32gui win32timezone win32event win32com "
    plain += "win32com.server win32com.server.dispatcher win32com.server.policy"
    modules += [_module(name) for name in plain.split()]
    stubs = {module.__name__: module for module in modules}
    for name, module in stubs.items():
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(stubs[parent], child, module)
    return stubs


@contextmanager
def windows() -> Iterator[types.SimpleNamespace]:
    """xlwings as on Windows: its modules ``udfs`` and ``com_server``, and ours over it."""
    ours = ("xlwings", *OURS)
    kept = {name: module for name, module in sys.modules.items() if name.startswith(ours)}
    for name in kept:
        del sys.modules[name]
    library = types.SimpleNamespace()
    with (
        mock.patch.dict(sys.modules, _stubs()),
        mock.patch.multiple(
            ctypes,
            windll=mock.MagicMock(),
            oledll=mock.MagicMock(),
            PyDLL=mock.MagicMock(),
            create=True,
        ),
    ):
        try:
            with mock.patch.object(sys, "platform", "win32"):
                library.xlwings = importlib.import_module("xlwings")
                library.udfs = importlib.import_module("xlwings.udfs")
                library.com_server = importlib.import_module("xlwings.com_server")
                library.bridge, library.module = map(importlib.import_module, OURS)
            library.server = library.com_server.XLPython()
            yield library
        finally:
            for name in [name for name in sys.modules if name.startswith(ours)]:
                del sys.modules[name]
    sys.modules.update(kept)


@dataclass
class Trips:
    """How often Excel was asked."""

    count: int = 0


@dataclass
class FakeRange:
    """A range as pywin32 hands it over; each attribute asked for is one way to Excel and back."""

    value: Any
    trips: Trips = field(default_factory=Trips)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.trips.count += 1
        rows = self.value if isinstance(self.value, tuple) else ((self.value,),)
        answers = {
            "_oleobj_": self,
            "GetTypeInfo": lambda: self,
            "GetTypeAttr": lambda: types.SimpleNamespace(iid=RANGE_IID),
            "Value": self.value,
            "Value2": self.value,
            "Rows": types.SimpleNamespace(Count=len(rows)),
            "Columns": types.SimpleNamespace(Count=len(rows[0])),
            "Row": 1,
            "Column": 1,
        }
        return answers.get(name, self)
