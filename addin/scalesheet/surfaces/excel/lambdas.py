"""LAMBDA names: the functions as defined names of a workbook, with no add-in at all."""

from dataclasses import dataclass

from scalesheet.formula import lambda_text, translatable

LONGEST_FORMULA, LONGEST_DESCRIPTION = 8191, 255
"""The letters of a defined name: its formula without the equals sign, its description."""


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
        if len(name.stored) > LONGEST_FORMULA or len(name.description) > LONGEST_DESCRIPTION:
            raise ValueError(f"{name.name} is longer than a defined name may be")
    return names
