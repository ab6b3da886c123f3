"""A scaling study: from measured points to efficiency, band, cost and where nodes stop paying.

The power fit stands in cells and needs no program. The core's forecast is written at build and
holds while the points are the same; with the add-in its functions are typed beside it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from scalesheet_workbooks.layout import FIRST_ROW, Layout
from scalesheet_workbooks.scaling_constants import CONSTANTS
from scalesheet_workbooks.scaling_inputs import (
    INPUT_BY_ID,
    SIZES,
    StudyInputs,
    example,
)
from scalesheet_workbooks.sheets import (
    checks,
    functions,
    study_core,
    study_cover,
    study_curve,
    study_fabrics,
    study_forecast,
    study_lists,
    study_points,
)
from scalesheet_workbooks.sheets.context import Context
from scalesheet_workbooks.sheets.study_blocks import Page, amber, write_sheet
from scalesheet_workbooks.sheets.study_core import ENDS
from scalesheet_workbooks.sheets.study_table import Places
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.styles import BAD, BAD_PALE, fill_page, highlight
from scalesheet_workbooks.templates.scaling_study_checks import CHECKS, aliases
from scalesheet_workbooks.templates.scaling_study_curve import CURVE, VALUE
from scalesheet_workbooks.templates.scaling_study_fabrics import CHART_DATA, FABRICS_SHEET
from scalesheet_workbooks.templates.scaling_study_fit import FIT
from scalesheet_workbooks.templates.scaling_study_forecast import CORE, FORECAST
from scalesheet_workbooks.templates.scaling_study_plan import PLAN
from scalesheet_workbooks.templates.scaling_study_sizes import SIZES_SHEET

__all__ = [
    "CHECKS",
    "INPUT_BY_ID",
    "MODEL",
    "NAME",
    "SHEETS",
    "TITLE",
    "VERSION",
    "placed",
    "write",
    "write_points",
]

NAME = "scaling_study"
VERSION = "1.0.0"
TITLE = "Scaling study"
PURPOSE = "From measured points to efficiency, cost and marginal value by number of nodes"

MODEL = (FIT, SIZES_SHEET, CORE, FORECAST, CURVE, VALUE, PLAN, FABRICS_SHEET, CHART_DATA)
SHEETS = (
    "Cover",
    "Points",
    *(sheet.name for sheet in MODEL),
    "Checks",
    "Functions",
    "Lists",
)
NAMED_COLUMNS = {
    "lst_nodes": "fit.used_nodes",
    "lst_measured": "fit.used_throughput",
    "lst_core_nodes": "core.nodes",
    **{f"lst_core_{end}": f"core.{end}" for end in ENDS},
}
NAMED_OUTPUTS = {
    "out_efficiency": "pln.efficiency",
    "out_throughput": "pln.throughput",
    "out_exponent": "fit.exponent",
    "out_pays_up_to": "val.pays_up_to",
}


def write(book: Workbook, study: Study) -> None:
    """The study of the shipped example; title and prices are its own."""
    write_points(book, replace(study, title=TITLE, currency="USD", owner=""), example())


def write_points(book: Workbook, study: Study, given: StudyInputs) -> None:
    """Every sheet of a study: first where things stand, then what stands there."""
    context = Context(book, study, Layout(1), f"{NAME} {VERSION}")
    places = placed(context)
    for title in SHEETS:
        book.create_sheet(title)
    reach = next(constant.value for constant in CONSTANTS if constant.id == "const.reach")
    writers: Mapping[str, Callable[[Page], None]] = {
        SIZES_SHEET.name: _write_sizes,
        CORE.name: lambda page: study_core.write(page, given, reach),
        FORECAST.name: study_forecast.write,
        CURVE.name: study_curve.write,
        VALUE.name: _write_value,
        FABRICS_SHEET.name: study_fabrics.write,
    }
    study_cover.write(context, places, PURPOSE)
    study_points.write(context, places, given)
    for sheet in MODEL:
        writers.get(sheet.name, write_sheet)(Page(context, places, sheet))
    checks.write(context, CHECKS)
    fill_page(book[checks.NAME], context.layout.last_row[checks.NAME] - 4, landscape=True)
    functions.write(context)
    study_lists.write(context)
    for name, cell_id in {**NAMED_COLUMNS, **NAMED_OUTPUTS}.items():
        book.defined_names[name] = DefinedName(name, attr_text=context.layout.fixed[cell_id])
    functions.add_names(context)


def placed(context: Context) -> Places:
    """Where every id stands."""
    places = Places(context.layout)
    study_points.place(places)
    study_lists.place(places)
    study_fabrics.place(places, FABRICS_SHEET.name)
    for sheet in MODEL:
        places.place(sheet, FIRST_ROW)
    context.layout.fixed.update(aliases(places, SIZES))
    checks.place(context, CHECKS)
    places.place_entry("chk.alert", checks.NAME, f"$H${context.layout.rows['chk.alert'][1]}")
    return places


def _write_sizes(page: Page) -> None:
    """Measured sizes; what looks wrong is red."""
    write_sheet(page)
    for flag in ("siz.per_gpu", "siz.falls"):
        cells = page.context.layout.span(flag, page.sheet.name)
        first = cells.replace("$", "").partition(":")[0]
        highlight(page.ws, cells, f"N({first})=1", BAD, BAD_PALE, True)


def _write_value(page: Page) -> None:
    """Costs and steps; where a step does not pay the row is amber."""
    write_sheet(page)
    amber(page, ("val.nodes", "val.pays"), "[val.pays]=0")
