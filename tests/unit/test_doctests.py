"""Every example in a docstring runs, in the packages as they are installed."""

import doctest
import importlib
import pkgutil

import pytest

import scalesheet
import scalesheet_workbooks

MODULES = sorted(
    module.name
    for package in (scalesheet, scalesheet_workbooks)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_the_functions_have_examples() -> None:
    module = importlib.import_module("scalesheet.cost")
    assert doctest.testmod(module).attempted >= 12
