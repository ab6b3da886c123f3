"""The Forecast sheet: three forecasts side by side, and the one that counts."""

from openpyxl.worksheet.datavalidation import DataValidation

from scalesheet.quantities import THROUGHPUT
from scalesheet_workbooks.scaling_inputs import CURVE_ROWS
from scalesheet_workbooks.sheets.study_blocks import Page, amber, write_sheet
from scalesheet_workbooks.sheets.study_table import Places

TYPE_ROWS = (
    ("type_low", "Band from"),
    ("type_forecast", "Forecast"),
    ("type_high", "Band to"),
    ("type_eff", "Efficiency, any cell"),
    ("type_note", "Notes, any cell"),
)
FUNCTIONS = {
    "type_low": "SCALING_LOW",
    "type_forecast": "SCALING_PREDICT",
    "type_high": "SCALING_HIGH",
    "type_eff": "SCALING_EFF_FITTED",
    "type_note": "SCALING_NOTE",
}
ARGUMENTS = "[fct.nodes],[in.fabric_class],[in.nodes:],[in.throughput:]"


def write(target: Page) -> None:
    """The sheet, with the formulas to type as text and the cells to type them into in yellow."""
    first = CURVE_ROWS[0][0]
    arguments = target.places.formula(ARGUMENTS, "", target.sheet.name, first)
    write_sheet(
        target,
        {("fct.type", key): f"={name}({arguments})" for key, name in FUNCTIONS.items()},
    )
    cells = typed_cells(target.places)
    rule = DataValidation("custom", formula1=f"ISNUMBER({cells.partition(':')[0]})")
    rule.allow_blank = True
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorTitle = rule.promptTitle = "Typed functions"
    rule.error = "Enter a formula that gives a number, or leave the row empty."
    rule.prompt = f"SCALING_LOW, SCALING_PREDICT, SCALING_HIGH as below: {THROUGHPUT.rule}"
    rule.add(cells)
    target.ws.add_data_validation(rule)
    amber(target, ("fct.nodes", "fct.reach"), "N([fct.reach])>[const.far]")


def typed_cells(places: Places) -> str:
    """The range of the yellow cells."""
    left, top = places.cell("fct.typed_low", CURVE_ROWS[0][0])
    right, bottom = places.cell("fct.typed_high", CURVE_ROWS[-1][0])
    return f"{left}{top}:{right}{bottom}"
