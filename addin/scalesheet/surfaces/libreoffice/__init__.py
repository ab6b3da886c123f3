"""The add-in for LibreOffice Calc: one extension file in pure Python."""

SERVICE = "SCALESHEET"
"""What stands before the dot in the full name of a function, which is unique in LibreOffice."""


def dotted(name: str) -> str:
    """A function's full name, as a file must hold it for LibreOffice 7.4.

    >>> dotted("TRAIN_COST")
    'SCALESHEET.TRAIN_COST'
    """
    return f"{SERVICE}.{name}"
