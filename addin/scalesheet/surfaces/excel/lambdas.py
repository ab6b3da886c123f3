"""LAMBDA names: the functions as defined names of a workbook, with no add-in at all."""

from dataclasses import dataclass

from scalesheet.formula import (
    MAX_DESCRIPTION_LENGTH,
    MAX_NAME_LENGTH,
    lambda_text,
    translatable,
)


@dataclass(frozen=True, slots=True)
class LambdaName:
    """A defined name: what it is called, its LAMBDA as a file stores it, and as a user types it."""

    name: str
    stored: str
    typed: str
    description: str


def lambda_names() -> list[LambdaName]:
    """The defined names of every function that has a form as a cell formula.

    >>> next(name.description for name in lambda_names() if name.name == "GPUS_LOST")
    "GPUs' worth of capacity that is paid for and lost to synchronization."
    """
    names = [
        LambdaName(
            record.name,
            lambda_text(record, stored=True),
            "=" + lambda_text(record, stored=False),
            record.summary,
        )
        for record in translatable()
    ]
    for name in names:
        if len(name.stored) >= MAX_NAME_LENGTH or len(name.description) > MAX_DESCRIPTION_LENGTH:
            raise ValueError(f"{name.name} is longer than a defined name may be")
    return names
