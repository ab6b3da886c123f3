"""Figures that a program writes, and whether they belong to the inputs as they are."""

from dataclasses import replace

from scalesheet import quantities as q

MARK = replace(q.RATIO, unit="mark", number_format="0.000000")


def same(head: str, now: str = "mark") -> str:
    """The condition that the mark written with some figures is that of the inputs now.

    >>> same("fit")
    'ABS(N([fit.written_mark])-[fit.mark])<=[fit.tolerance]*ABS([fit.mark])'
    """
    mark = f"[{head}.{now}]"
    return f"ABS(N([{head}.written_mark])-{mark})<=[{head}.tolerance]*ABS({mark})"
