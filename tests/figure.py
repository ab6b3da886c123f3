"""A printed figure beside what the published functions give."""

import math
from dataclasses import dataclass

import scalesheet

EFFICIENCY, COST, OURS = "efficiency calculator", "cost estimator", "specification"


@dataclass(frozen=True, slots=True)
class Figure:
    """One printed figure: the call, what is printed, where; and what is stated against it."""

    call: str
    printed: str
    where: str
    source: str = OURS
    stated: tuple[float, float] | None = None
    why: str = ""

    @property
    def value(self) -> float:
        """What the published functions give; a row in percent is a share."""
        result: float = eval(self.call, {**vars(scalesheet), "log": math.log})
        return 100 * result if self.printed.endswith("%") else result

    @property
    def shown(self) -> str:
        """Our value at the precision of the printed figure."""
        decimals = self.printed.rstrip(" %").partition(".")[2]
        text = f"{self.value:,.{len(decimals)}f}"
        return text + " %" if self.printed.endswith("%") else text
