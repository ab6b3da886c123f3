"""The functions for xlwings' own "Import Functions": name this module under "UDF Modules".

xlwings writes the VBA then, and its VBA cannot hold an error: an error comes as its text ``#NUM!``,
which SUM passes over. The add-in that ``scalesheet addin build excel`` writes gives true errors;
this is for who cannot use that one. Where xlwings has no functions, as on Linux, importing this
module does nothing but make them.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import xlwings as xw

import scalesheet  # noqa: F401  (it fills the registry)
from scalesheet.errors import CellError
from scalesheet.registry import REGISTRY, Function
from scalesheet.surfaces import calls
from scalesheet.surfaces.excel import vba
from scalesheet.surfaces.excel.messages import MESSAGES


def _shown(result: Any) -> Any:
    """A result with errors as texts."""
    if isinstance(result, list):
        return [[_shown(value) for value in row] for row in result]
    return result.code if isinstance(result, CellError) else result


def _udf(record: Function) -> Callable[..., Any]:
    """One function as xlwings knows it."""

    def call(*arguments: Any) -> Any:
        return _shown(calls.answer(record, arguments, MESSAGES.explain(record.name)))

    udf = _named(call, record.name, record.summary, [p.name for p in record.parameters])
    for parameter in record.parameters:
        udf = xw.arg(parameter.name, "raw", doc=vba.help_text(parameter.domain))(udf)
    return xw.func(category=vba.category(record))(udf)


def _last_errors() -> Callable[..., Any]:
    def call() -> Any:
        return [[message] for message in MESSAGES.latest()]

    udf = _named(call, vba.LAST_ERRORS, vba.LAST_ERRORS_SUMMARY, [])
    return xw.func(category="scalesheet", volatile=True)(udf)


def _named(
    call: Callable[..., Any], name: str, summary: str, parameters: Sequence[str]
) -> Callable[..., Any]:
    """A function with the name and the arguments that xlwings shall show.

    It goes without hints of types: xlwings would convert by them.
    """
    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(parameter, positional) for parameter in parameters]
    )
    call.__name__ = call.__qualname__ = name
    call.__doc__ = summary
    call.__annotations__ = {}
    return call


for _record in REGISTRY.values():
    globals()[_record.name] = _udf(_record)
globals()[vba.LAST_ERRORS] = _last_errors()

__all__ = [vba.LAST_ERRORS, *REGISTRY]
