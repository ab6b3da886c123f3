"""The budget of one training run: the cost estimator's scenarios side by side.

The efficiency of each scenario is typed, comes from nodes and interconnect, or from a pilot at two
sizes; every line of the build-up is a row.
"""

import functools
from collections.abc import Callable, Mapping

from openpyxl import Workbook

from scalesheet_workbooks.layout import Layout
from scalesheet_workbooks.measured_fit import with_typed_efficiency
from scalesheet_workbooks.sheets import checks, cover, fabrics, functions, lists, model, notes
from scalesheet_workbooks.sheets import inputs as inputs_sheet
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.spec import ModelSheet
from scalesheet_workbooks.study import Study, with_gpu_hours
from scalesheet_workbooks.templates import efficiency
from scalesheet_workbooks.templates.budget_calc import CALC, CONSTANTS
from scalesheet_workbooks.templates.budget_checks import CHECKS
from scalesheet_workbooks.templates.budget_scaling import SCALING

NAME = "training_run_budget"
VERSION = "1.0.0"
TITLE = "Training run budget"
PURPOSE = "What a training run costs, how long it takes, and what scaling losses take of it"

# Constants of the function bodies, by the lines that bring them in.
BODY_CONSTANTS = {"HOURS_PER_DAY": "calc.hours_per_day"}

LEADS = (28.5, 33.0, 11.0)
"""Widths of the ids, labels and units of the calculation."""
MODEL = (efficiency.EFFICIENCY, SCALING, CALC)

NAMED = {
    "out_total_cost": "calc.train_cost",
    "out_wall_clock_days": "calc.wall_clock_days",
    "out_efficiency": "calc.efficiency",
}


def _write_model(context: Context, sheet: ModelSheet) -> None:
    model.write(context, sheet, BODY_CONSTANTS, efficiency.BODY_TABLES, leads=LEADS)


SHEETS: Mapping[str, Callable[[Context], None]] = {
    "Cover": lambda context: cover.write(context, PURPOSE),
    "Inputs": inputs_sheet.write,
    **{sheet.name: functools.partial(_write_model, sheet=sheet) for sheet in MODEL},
    "Fabrics": fabrics.write,
    "Checks": lambda context: checks.write(context, CHECKS),
    "Functions": functions.write,
    **{name: functools.partial(notes.write, name=name) for name in notes.SHEETS},
    "Lists": lambda context: lists.write(context, CONSTANTS),
}
"""Every sheet in its order, with its writer."""


def write(book: Workbook, study: Study) -> None:
    """Every sheet of the budget: first where things stand, then what stands there."""
    study = with_typed_efficiency(with_gpu_hours(study))
    context = Context(book, study, Layout(len(study.scenarios)), f"{NAME} {VERSION}")
    inputs_sheet.place(context)
    for sheet in MODEL:
        model.place(context, sheet)
    fabrics.place(context)
    checks.place(context, CHECKS)
    lists.place(context, CONSTANTS)
    for title in SHEETS:
        book.create_sheet(title)
    for write_sheet in SHEETS.values():
        write_sheet(context)
    model.name_ranges(context, NAMED)
    functions.add_names(context)
