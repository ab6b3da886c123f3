"""Figures that a program writes, and whether they belong to the inputs as they are."""

from dataclasses import replace

from scalesheet import quantities as q

CHECKSUM = replace(q.RATIO, unit="checksum", number_format="0.000000")


def same(head: str, now: str = "checksum") -> str:
    """The condition that the checksum written with some figures is that of the inputs now.

    >>> same("fit")
    'ABS(N([fit.written_checksum])-[fit.checksum])<=[fit.tolerance]*ABS([fit.checksum])'
    """
    checksum = f"[{head}.{now}]"
    written = f"N([{head}.written_checksum])"
    return f"ABS({written}-{checksum})<=[{head}.tolerance]*ABS({checksum})"
