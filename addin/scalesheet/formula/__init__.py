"""The body of a worksheet function as Excel text, in three renderings.

``lambda_text``   a LAMBDA that guards its arguments and maps over ranges: one defined name a
                  function, scalar and array alike.
``guarded_text``  the same guards and formula as one plain cell formula over cell references.
``row_text``      the unguarded formula of a workbook row, constants and earlier rows as references;
                  there limits are validations and checks.

All three start from one expression: the function's body with its steps and the functions that it
calls put in place (``expanded``). A body may hold assignments and one return of arithmetic, powers,
max, min, comparisons, conditional expressions, a few functions of ``math``, look-ups in a table by
name, and other worksheet functions. Anything else is ``Untranslatable``: such a function is offered
where Python runs and nowhere else.
"""

from scalesheet.formula.excel_text import Spelling, number_text, render
from scalesheet.formula.expressions import Lookup, Untranslatable, expanded
from scalesheet.formula.renderings import (
    guarded_text,
    is_translatable,
    lambda_text,
    row_text,
    translatable,
)

__all__ = [
    "Lookup",
    "Spelling",
    "Untranslatable",
    "expanded",
    "guarded_text",
    "is_translatable",
    "lambda_text",
    "number_text",
    "render",
    "row_text",
    "translatable",
]
