"""The function reference: Markdown made from the registry."""

import doctest
from collections.abc import Iterator

from scalesheet.domains import Choice, Date, Domain, Name, Quantity, Vector
from scalesheet.formula import is_translatable
from scalesheet.registry import REGISTRY, Function, by_category

DATE = 46085.0
"""A date of these years as a serial number."""


def markdown() -> str:
    """Every function with its arguments, limits, result, source and example."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for category, records in by_category(REGISTRY.values()):
        yield f"### {category}"
        yield ""
        for record in records:
            yield from _function(record)
    yield from _swallowed()


def _function(record: Function) -> Iterator[str]:
    yield f"#### {record.name}"
    yield ""
    yield f"`={record.signature}`"
    yield ""
    yield record.summary
    for paragraph in _paragraphs(record):
        yield ""
        yield paragraph
    yield ""
    yield "| argument | unit | may be | meaning |"
    yield "|---|---|---|---|"
    for parameter in record.parameters:
        domain = parameter.domain
        yield f"| {parameter.name} | {domain.unit} | {_rule(domain)} | {domain.words} |"
    yield ""
    where = "add-in and LAMBDA" if is_translatable(record) else "add-in and Python"
    yield f"Gives: {record.result.unit}. Where: {where}. Source: {record.source}."
    yield from _rules(record)
    yield ""
    yield "```python"
    for example in doctest.DocTestParser().get_examples(record.body.__doc__ or ""):
        first, *more = example.source.rstrip().splitlines()
        yield from (f">>> {first}", *(f"... {line}" for line in more))
        yield example.want.rstrip()
    yield "```"
    yield ""


def _rules(record: Function) -> Iterator[str]:
    """What is checked across arguments, a line each."""
    if record.rules:
        yield ""
    for rule in record.rules:
        yield f"- {(rule.__doc__ or '').strip()}"


def _paragraphs(record: Function) -> list[str]:
    """What the docstring says between its first line and its example."""
    text = (record.body.__doc__ or "").split(">>>")[0].strip()
    blocks = text.split("\n\n")[1:]
    return [" ".join(block.split()) for block in blocks if block.strip()]


def _rule(domain: Domain) -> str:
    if isinstance(domain, Quantity) and domain.usual:
        low, high = (
            f"{100 * end:g} %" if domain.is_fraction else f"{end:,g}" for end in domain.usual
        )
        return f"{domain.rule}; usually {low} to {high}"
    return domain.rule


def _swallowed() -> Iterator[str]:
    """Arguments whose limits hold what some programs deliver for a blank, TRUE or a date."""
    yield "### What some programs hide"
    yield ""
    yield (
        "LibreOffice, and Excel's Office.js on the desktop, deliver a single blank cell as 0, and "
        "LibreOffice TRUE as 1. Where 0 is outside an argument's limits the blank is refused all "
        "the same; in these arguments it cannot be told from a typed 0:"
    )
    yield ""
    yield _admitting(0.0)
    yield ""
    yield "And TRUE cannot be told from a typed 1 in these:"
    yield ""
    yield _admitting(1.0)
    yield ""
    yield (
        "LibreOffice delivers a date as its serial number, 46,085 for 4 March 2026. It is refused "
        "where that is outside the limits, and cannot be told from a typed number in these:"
    )
    yield ""
    yield _admitting(DATE)


def _admitting(value: float) -> str:
    names = {
        parameter.name
        for record in REGISTRY.values()
        for parameter in record.parameters
        if _admits(parameter.domain, value)
    }
    return ", ".join(sorted(names)) + "."


def _admits(domain: Domain, value: float) -> bool:
    match domain:
        case Quantity():
            return domain.admits(value)
        case Vector():
            return domain.item.admits(value)
        case Choice() | Name() | Date():
            return False
