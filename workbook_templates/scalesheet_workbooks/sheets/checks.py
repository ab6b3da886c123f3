"""The Checks sheet: two figures a row that must agree, and the master check."""

from dataclasses import replace

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR
from scalesheet_workbooks.sheets.context import Context, section_title
from scalesheet_workbooks.spec import TOKEN, Check
from scalesheet_workbooks.styles import (
    BAD,
    BAD_PALE,
    COLUMN_HEADING,
    COLUMN_HEADING_CENTER,
    COLUMN_HEADING_LEFT,
    FORMULA,
    GOOD,
    GOOD_PALE,
    ID,
    LABEL,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    WARN,
    WARN_PALE,
    Formula,
    Look,
    banner,
    dress,
    fitting,
    highlight,
    page,
    put,
    widths,
)

NAME, COLUMNS = "Checks", 8
LYING, STANDING = (
    [2.0, 22, 58, 14, 17, 17, 12, 13],
    [2.0, 20, 50, 13, 14, 14, 8.5, 8.5],
)
TITLES = {
    ERROR: "Errors: the arithmetic must tie out",
    COMPLETENESS: "Completeness: inputs must be filled and within limits",
    ALERT: "Alerts: worth a look, not wrong",
}
MASTER = "chk.master"
RESULT = Look(bold=True, align="center")
COUNT = replace(TOTAL, align="center")


def place(context: Context, checks: tuple[Check, ...]) -> None:
    """Rows for the checks by kind with a count below each, and the master check at the end."""
    kinds = [
        (title, [check.id for check in checks if check.kind == kind] + [f"chk.{kind}"])
        for kind, title in TITLES.items()
    ]
    context.layout.place(NAME, [*kinds, ("Master check", [MASTER])])


def write(
    context: Context, checks: tuple[Check, ...], alerts_by: str = "E", *, standing: bool = False
) -> None:
    """The sheet; a result of 0 passes, 1 fails, and a figure in error fails.

    ``alerts_by`` is the column whose sum counts the alerts: E counts each scenario that raises one,
    H each alert once. A page with many checks stands.
    """
    ws = context.book[NAME]
    layout = context.layout
    widths(ws, STANDING if standing else LYING)
    banner(ws, NAME, "The master check counts errors and completeness; alerts only warn", COLUMNS)
    ws.row_dimensions[4].height = 20
    for column, text in zip("BCD", ("Id", "Check", "Kind"), strict=True):
        put(ws, f"{column}4", text, COLUMN_HEADING_LEFT)
    for column, text in zip("EFG", ("Left", "Right", "Tolerance"), strict=True):
        put(ws, f"{column}4", text, COLUMN_HEADING)
    put(ws, "H4", "Result", COLUMN_HEADING_CENTER)
    for row, title in layout.titles[NAME]:
        section_title(ws, row, title, COLUMNS)
    for check in checks:
        _write_check(ws, context, check)
    for kind in TITLES:
        column = alerts_by if kind == ALERT else "H"
        ids = [check.id for check in checks if check.kind == kind]
        _write_sum(ws, context, kind, ids, column)
    failing = [layout.rows[f"chk.{kind}"][1] for kind in (ERROR, COMPLETENESS)]
    _write_count(ws, context, MASTER, "Checks that fail", "+".join(f"H{row}" for row in failing))
    master = layout.rows[MASTER][1]
    context.book.defined_names["chk_master"] = DefinedName(
        "chk_master", attr_text=f"{NAME}!$H${master}"
    )
    ws.freeze_panes = "A5"
    page(ws, COLUMNS, layout.last_row[NAME], landscape=not standing, header=context.header)


def _write_check(ws: Worksheet, context: Context, check: Check) -> None:
    row = context.layout.rows[check.id][1]
    put(ws, f"B{row}", check.id, ID)
    put(ws, f"C{row}", check.label, LABEL)
    put(ws, f"D{row}", check.kind, UNIT)
    for column, text in (("E", check.left), ("F", check.right)):
        filled = TOKEN.sub(lambda found: context.layout.span(found[1], NAME), text)
        put(ws, f"{column}{row}", Formula(filled), FORMULA, fitting(check.number_format))
    put(ws, f"G{row}", check.tolerance, FORMULA, "0" if check.tolerance == 0 else "0E+0")
    result = f"IF(ISNUMBER(E{row}-F{row}),1*(ABS(E{row}-F{row})>G{row}),1)"
    put(ws, f"H{row}", Formula(result), RESULT, '"fail";"fail";"pass"')
    good, bad, pale = (GOOD, BAD, BAD_PALE) if check.kind != ALERT else (GOOD, WARN, WARN_PALE)
    if check.kind == ALERT:
        ws[f"H{row}"].number_format = '"alert";"alert";"none"'
    highlight(ws, f"H{row}", f"H{row}=0", good, GOOD_PALE, True)
    highlight(ws, f"H{row}", f"H{row}<>0", bad, pale, True)


def _write_sum(ws: Worksheet, context: Context, kind: str, ids: list[str], column: str) -> None:
    rows = [context.layout.rows[line_id][1] for line_id in ids]
    label = {
        ERROR: "Errors that fail",
        COMPLETENESS: "Completeness checks that fail",
        ALERT: "Alerts raised",
    }[kind]
    formula = f"SUM({column}{min(rows)}:{column}{max(rows)})"
    _write_count(ws, context, f"chk.{kind}", label, formula)


def _write_count(ws: Worksheet, context: Context, line_id: str, label: str, formula: str) -> None:
    row = context.layout.rows[line_id][1]
    put(ws, f"B{row}", line_id, TOTAL_QUIET)
    put(ws, f"C{row}", label, TOTAL_LABEL)
    for column in "DEFG":
        dress(ws[f"{column}{row}"], TOTAL)
    put(ws, f"H{row}", Formula(formula), COUNT, "0")
