"""Lines of a model in one word each: an input brought in, a function, a formula of its own."""

from collections.abc import Iterable, Mapping

from scalesheet.domains import Quantity
from scalesheet.registry import REGISTRY
from scalesheet_workbooks.inputs import INPUT_BY_ID
from scalesheet_workbooks.spec import (
    Call,
    Constant,
    Import,
    ImportConstant,
    ImportPlace,
    Line,
    Link,
    Own,
)

ALERTS = Quantity("alerts raised", "count", "0")
PLACE = Quantity("the place of a pick in its list", "place", "0")


def imported(input_id: str, line_id: str = "", label: str = "", head: str = "calc.") -> Line:
    """A line that brings in an input; its id is the input's with another head."""
    entry = INPUT_BY_ID[input_id]
    return Line(
        line_id or input_id.replace("in.", head),
        label or entry.label,
        entry.domain.unit,
        entry.domain.number_format,
        Import(input_id),
    )


def picked(input_id: str, options: str, line_id: str, label: str) -> Line:
    """A line that brings in a pick as its place in a list."""
    source = ImportPlace(input_id, options)
    return Line(line_id, label, PLACE.unit, PLACE.number_format, source)


def linked(line_id: str, label: str, quantity: Quantity, target: str) -> Line:
    """A line that brings in a line of an earlier sheet."""
    return Line(line_id, label, quantity.unit, quantity.number_format, Link(target))


def called(
    line_id: str,
    label: str,
    name: str,
    needs: str = "",
    given: Mapping[str, str] | None = None,
    total: bool = False,
) -> Line:
    """A line that is a function; its arguments are the lines of their names, or those given."""
    record, sheet = REGISTRY[name], line_id.partition(".")[0]
    arguments = {p.name: f"{sheet}.{p.name}" for p in record.parameters} | dict(given or {})
    result = record.result
    source = Call(name, arguments)
    return Line(line_id, label, result.unit, result.number_format, source, needs, total)


def own(
    line_id: str, label: str, quantity: Quantity, text: str, needs: str = "", total: bool = False
) -> Line:
    """A line with a formula of its own."""
    return Line(line_id, label, quantity.unit, quantity.number_format, Own(text), needs, total)


def flag(line_id: str, label: str, condition: str) -> Line:
    """A line that is 1 where a condition holds and 0 where it does not."""
    return Line(line_id, label, "0/1", "0", Own(f"IF({condition},1,0)"))


def constant(constants: Iterable[Constant], constant_id: str, line_id: str) -> Line:
    """A line that brings in a constant."""
    entry = next(entry for entry in constants if entry.id == constant_id)
    source = ImportConstant(constant_id)
    return Line(line_id, entry.label, entry.unit, entry.number_format, source)
