"""What an argument or a result may be: a number, a name, a date, a range, a text, a table.

A domain reads one cell in two steps, so that every surface refuses in the same order: first its
kind (``read``: blank, text, TRUE), then, when all arguments are of the right kind, its limits
(``check``).
"""

from scalesheet.domains.cells import NOTHING_PLAIN, Cell, Plain, spelled
from scalesheet.domains.dates import LAST_DAY, SERIAL_ZERO, Date
from scalesheet.domains.names import Choice, Name, folded
from scalesheet.domains.numeric import WHOLE_SLACK, WHOLE_TOLERANCE, Quantity, Vector
from scalesheet.domains.results import Table, Text

Domain = Quantity | Choice | Name | Date | Vector
Result = Quantity | Text | Table

__all__ = [
    "LAST_DAY",
    "NOTHING_PLAIN",
    "SERIAL_ZERO",
    "WHOLE_SLACK",
    "WHOLE_TOLERANCE",
    "Cell",
    "Choice",
    "Date",
    "Domain",
    "Name",
    "Plain",
    "Quantity",
    "Result",
    "Table",
    "Text",
    "Vector",
    "folded",
    "spelled",
]
