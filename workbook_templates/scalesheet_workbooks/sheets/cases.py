"""The scenario that is shown, calculated again under changed drivers: a row a case.

Every case runs the same chain, from the work to the total; the first one changes nothing and must
give the total of the budget.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.proposal_inputs import DRIVERS
from scalesheet_workbooks.sheets.context import section_title
from scalesheet_workbooks.sheets.live import Live, live_formula, place_band, stacked, write_band
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    ID,
    IMPORTED,
    LABEL,
    NAVY,
    NOTE,
    PALE,
    TOTAL,
    TOTAL_LABEL,
    TOTAL_QUIET,
    UNIT,
    Formula,
    banner,
    fill_page,
    page,
    put,
    widths,
)

NAME = "Cases"
MONEY, HOURS, SHARE = '[>=100000000]#,##0.0,,"M";#,##0', "#,##0", "0.0%"
FACTOR = "0.00"
BAND_ROWS = (6, 8, 10)
BAND_COLUMN, BAND_LENGTH = 10, 10
HEAD_ROW = 12
BASE_ROW = HEAD_ROW + 1

FIGURES: tuple[Live, ...] = (
    Live("run", "Hours, no rework", "calc.run_hours", "#,##0.0"),
    Live("efficiency", "Efficiency", "calc.efficiency", SHARE),
    Live("rework", "Rework", "calc.rework", SHARE),
    Live("paid_gpus", "GPUs paid", "bill.paid_gpus", HOURS),
    Live("increment", "Billing increment", "bill.increment_hours", "0.00"),
    Live("slack", "Slack", "bill.whole_slack", "0E+0"),
    Live("committed", "Committed GPU-h", "bill.committed_gpu_hours", HOURS),
    Live("price", "Price", "bill.price", "#,##0.00##"),
    Live("overflow", "Price beyond", "bill.overflow_price", "#,##0.00##"),
    Live("is_own", "Owned: 1", "cost.is_own", "0"),
    Live("dep", "Deprec., if owned", "own.depreciation", MONEY, maybe=True),
    Live("running", "Running, if owned", "own.running", MONEY, maybe=True),
    Live("busy", "Power, busy hour", "own.power_hour", "0.000", maybe=True),
    Live("idle", "Power, idle hour", "own.idle_power_hour", "0.000", maybe=True),
    Live("available", "GPU-h on calendar", "own.available_gpu_hours", HOURS),
    Live("fixed", "Other lines", "cost.fixed_lines", MONEY),
    Live("tax", "Tax", "cost.tax_share", SHARE),
    Live("contingency", "Conting. share", "cost.contingency_share", SHARE),
    Live("total", "Total in Cost", "cost.total", MONEY),
    Live("budget", "Budget", "in.budget", MONEY),
    Live("first", "Total of the first", "first.cost.total", MONEY),
    *(
        Live(f"step_{name}", f"Step, {word}", f"in.step_{name}", SHARE)
        for name, word in (
            ("work", "work"),
            ("price", "price"),
            ("efficiency", "effic."),
            ("rework", "rework"),
            ("other", "other"),
            ("contingency", "conting."),
        )
    ),
    Live("step_grid", "Grid, effic.", "in.grid_efficiency", SHARE),
)
BANDS = tuple(
    (row, FIGURES[place * BAND_LENGTH : (place + 1) * BAND_LENGTH])
    for place, row in enumerate(BAND_ROWS)
)

STEPS = (
    ("f_work", "Work ×", FACTOR, 5.8),
    ("f_price", "Price ×", FACTOR, 5.8),
    ("f_efficiency", "Effic. ×", FACTOR, 5.8),
    ("rework", "Rework", SHARE, 6.8),
    ("f_other", "Other ×", FACTOR, 5.8),
    ("contingency", "Cont.", SHARE, 6.8),
    ("hours", "Hours paid", "#,##0.0", 9.0),
    ("used", "GPU-h billed", HOURS, 10.0),
    ("rent", "Rent", MONEY, 10.2),
    ("owned", "Deprec., running", MONEY, 10.2),
    ("power", "Power", MONEY, 9.2),
    ("other", "Other lines", MONEY, 10.2),
    ("tax", "Tax", MONEY, 9.2),
    ("set_aside", "Conting.", MONEY, 9.6),
    ("total", "Total", MONEY, 10.6),
    ("priced", "of it by price", MONEY, 10.2),
)
LETTERS = {name: get_column_letter(4 + place) for place, (name, *_) in enumerate(STEPS)}
END_COLUMN = 3 + len(STEPS)
GRID = (-2, -1, 0, 1, 2)


@dataclass(frozen=True, slots=True)
class Case:
    """A case: its id, label, and what it puts in place of the drivers' columns."""

    id: str
    label: str
    changes: Mapping[str, str] = field(default_factory=dict)


MOVED = replace(FORMULA, color=NAVY, bold=True, fill=PALE)

REFS: dict[str, str] = {
    name: at for row, figures in BANDS for name, at in place_band(figures, row, BAND_COLUMN).items()
}
PLAIN = {
    "f_work": "1",
    "f_price": "1",
    "f_efficiency": "1",
    "rework": REFS["rework"],
    "f_other": "1",
    "contingency": REFS["contingency"],
}
DRIVER_COLUMN = {
    "work": "f_work",
    "price": "f_price",
    "efficiency": "f_efficiency",
    "rework": "rework",
    "other": "f_other",
    "contingency": "contingency",
}


POINTS = ("rework", "contingency")
"""Drivers that are moved by points, not by a share of themselves; never below zero."""


def at_most_full(factor: str) -> str:
    """A factor of the efficiency that leads to 100 % at most, or to what is measured above it."""
    efficiency = REFS["efficiency"]
    return f"MIN({factor},MAX(1,{efficiency})/{efficiency})"


def cases() -> tuple[Case, ...]:
    """Every case, in its order; ``step.x`` and ``be.x`` name cells that are put in later."""
    rows = [Case("base", "As it is")]
    for name, words, _ in DRIVERS:
        column = DRIVER_COLUMN[name]
        for end, sign in (("low", "-"), ("high", "+")):
            changed = f"1{sign}{REFS[f'step_{name}']}"
            if name in POINTS:
                changed = f"MAX(0,{PLAIN[column]}{sign}{REFS[f'step_{name}']})"
            label = f"{words} {'down' if sign == '-' else 'up'}"
            if name == "efficiency":
                changed = at_most_full(changed)
            rows.append(Case(f"{name}_{end}", label, {column: changed}))
    for place, step in enumerate(GRID, 1):
        words = "unchanged" if step == 0 else f"{step:+d} steps".replace("-", "−")
        moved = ("-" if step < 0 else "+") + REFS["step_grid"]
        changed = "1" + moved * abs(step)
        changes = {"f_efficiency": at_most_full(changed)}
        rows.append(Case(f"grid_{place}", f"Grid: efficiency {words}", changes))
    rows += [
        Case("be_price", "At the break-even price", {"f_price": "[be.price]"}),
        Case(
            "be_efficiency",
            "At the break-even efficiency",
            {"f_efficiency": "IF([be.efficiency]>0,[be.efficiency],1)"},
        ),
    ]
    return tuple(rows)


CASES = cases()
CASE_ROW = {case.id: BASE_ROW + place for place, case in enumerate(CASES)}
"""Rows without the break-evens' block, which stands before the last two."""
BLOCK = CASE_ROW["be_price"] + 2
BREAK_EVENS = (
    ("be.uplift", "Tax and contingency, as a factor", "factor", "0.0000"),
    ("be.price", "Price × at which the total is the budget", "factor", "0.0000"),
    ("be.first", "Price × at which it is that of the first", "factor", "0.0000"),
    ("be.hour_cost", "Cost of one GPU-hour more", "money/GPU-h", "#,##0.00##"),
    ("be.hours", "GPU-hours that the budget pays for", "GPU-h", HOURS),
    ("be.first_hours", "GPU-hours that the first's total pays for", "GPU-h", HOURS),
    ("be.rework", "Rework at which the total is that of the first", "share", SHARE),
    ("be.efficiency", "Efficiency × at which the total is the budget", "factor", "0.0000"),
)
VALUE_COLUMN = "J"
AFTER = BLOCK + len(BREAK_EVENS) + 1
CASE_ROW |= {"be_price": AFTER, "be_efficiency": AFTER + 1}
LAST_ROW = AFTER + 1


def place(context: Context) -> None:
    """The totals of the cases and the break-evens, for Sensitivity, Risk and the checks."""
    fixed = context.layout.fixed
    for case_id, row in CASE_ROW.items():
        for name in (
            "total",
            "rent",
            "owned",
            "power",
            "priced",
            "f_efficiency",
            "contingency",
            "rework",
        ):
            fixed[f"case.{case_id}.{name}"] = f"{NAME}!${LETTERS[name]}${row}"
    for name, at in REFS.items():
        fixed[f"case.{name}"] = f"{NAME}!{at}"
    for step, (line_id, *_) in enumerate(BREAK_EVENS):
        fixed[line_id] = f"{NAME}!${VALUE_COLUMN}${BLOCK + step}"


def write(context: Context) -> None:
    """The bands of figures, a row a case, and the break-evens."""
    ws = context.book[NAME]
    widths(ws, [2.0, 18.0, 22.5, *[width for *_, width in STEPS]])
    banner(
        ws,
        "Cases",
        "The scenario picked on Inputs under changed drivers; the first case must be its total",
        END_COLUMN,
    )
    put(ws, "B4", "Scenario shown", NOTE)
    put(ws, "C4", live_formula(context, "in.scenario", NAME), COLUMN_HEADING_LEFT)
    note = "Drivers are multiplied, efficiency up to 100 %; rework, contingency are moved by points"
    put(ws, "E4", note, NOTE)
    for number, (row, figures) in enumerate(BANDS, 1):
        write_band(ws, context, figures, row, BAND_COLUMN, f"case.live_{number}", 28)
    ws.row_dimensions[HEAD_ROW].height = 28
    put(ws, f"B{HEAD_ROW}", "Id", COLUMN_HEADING_LEFT)
    put(ws, f"C{HEAD_ROW}", "Case", COLUMN_HEADING_LEFT)
    for key, label, *_ in STEPS:
        put(ws, f"{LETTERS[key]}{HEAD_ROW}", stacked(label), COLUMN_HEADING)
    for case in CASES:
        _case(ws, context, case)
    _break_evens(ws, context)
    ws.freeze_panes = f"D{BASE_ROW}"
    fill_page(ws, LAST_ROW - HEAD_ROW + 4, landscape=True, taken=250)
    page(ws, END_COLUMN, LAST_ROW, landscape=True, header=context.header)


def _case(ws: Worksheet, context: Context, case: Case) -> None:
    row = CASE_ROW[case.id]
    is_base = case.id == "base"
    put(ws, f"B{row}", f"case.{case.id}", TOTAL_QUIET if is_base else ID)
    put(ws, f"C{row}", case.label, TOTAL_LABEL if is_base else LABEL)
    c = {key: f"{letter}{row}" for key, letter in LETTERS.items()}
    texts = {key: case.changes.get(key, text) for key, text in PLAIN.items()} | _chain(c)
    for key, _, number_format, _ in STEPS:
        text = _filled(context, texts[key])
        is_link = key in PLAIN and "!" in text
        look = TOTAL if is_base else IMPORTED if is_link else FORMULA
        if key in case.changes:
            look = MOVED
        put(ws, c[key], Formula(text), look, number_format)


def _filled(context: Context, text: str) -> str:
    """A text with references in place of ids."""
    for line_id, *_ in BREAK_EVENS:
        at = context.layout.fixed[line_id].partition("!")[2]
        text = text.replace(f"[{line_id}]", at)
    return text


def _chain(c: Mapping[str, str]) -> dict[str, str]:
    """From the drivers of a row to its total."""
    r = REFS
    beyond = f"MAX(0,{c['used']}-{r['committed']})"
    lines = (c["rent"], c["other"])
    return {
        "hours": f"{r['run']}*{c['f_work']}/{c['f_efficiency']}*(1+{c['rework']})",
        "used": f"ROUNDUP({c['hours']}/{r['increment']}*(1-{r['slack']}),0)*{r['increment']}"
        f"*{r['paid_gpus']}",
        "rent": f"({r['committed']}*{r['price']}+{beyond}*{r['overflow']})*{c['f_price']}"
        f"*(1-{r['is_own']})",
        "owned": f"({r['dep']}*{c['f_price']}+{r['running']})*{r['is_own']}",
        "power": f"({c['used']}*{r['busy']}+MAX(0,{r['available']}-{c['used']})*{r['idle']})"
        f"*{r['is_own']}",
        "other": f"{r['fixed']}*{c['f_other']}",
        "tax": f"SUM({lines[0]}:{lines[-1]})*{r['tax']}",
        "set_aside": f"SUM({lines[0]}:{c['tax']})*{c['contingency']}",
        "total": f"SUM({lines[0]}:{c['set_aside']})",
        "priced": f"({c['rent']}+{r['dep']}*{c['f_price']}*{r['is_own']})*(1+{r['tax']})"
        f"*(1+{c['contingency']})",
    }


def _break_evens(ws: Worksheet, context: Context) -> None:
    section_title(ws, BLOCK - 1, "Break-evens against the approved budget", END_COLUMN)
    base = {key: f"{letter}${BASE_ROW}" for key, letter in LETTERS.items()}
    at = {
        line_id: f"${VALUE_COLUMN}${BLOCK + step}" for step, (line_id, *_) in enumerate(BREAK_EVENS)
    }
    r = REFS
    hours = (
        f"IF({at['be.hour_cost']}>0,MAX({base['used']},{r['committed']})"
        f"+({{target}}-{base['total']})/({at['be.uplift']}*{at['be.hour_cost']}),0)"
    )
    texts = {
        "be.uplift": f"(1+{r['tax']})*(1+{r['contingency']})",
        "be.price": f"1+({r['budget']}-{base['total']})/{base['priced']}",
        "be.first": f"1+({r['first']}-{base['total']})/{base['priced']}",
        "be.hour_cost": f"IF({r['is_own']}=1,{r['busy']}-{r['idle']},{r['overflow']})",
        "be.hours": hours.format(target=r["budget"]),
        "be.first_hours": hours.format(target=r["first"]),
        "be.rework": f"IF({at['be.first_hours']}>{r['committed']},(1+{r['rework']})"
        f"*{at['be.first_hours']}/{base['used']}-1,-1)",
        "be.efficiency": f"IF(AND({at['be.hours']}>{r['committed']},OR({r['is_own']}=0,"
        f"{at['be.hours']}<={r['available']})),{base['used']}/{at['be.hours']},0)",
    }
    for step, (line_id, label, unit, number_format) in enumerate(BREAK_EVENS):
        row = BLOCK + step
        put(ws, f"B{row}", line_id, ID)
        put(ws, f"C{row}", label, LABEL)
        for column in "DEFGI":
            put(ws, f"{column}{row}", None, LABEL)
        put(ws, f"H{row}", context.unit(unit), UNIT)
        put(ws, f"{VALUE_COLUMN}{row}", Formula(texts[line_id]), FORMULA, number_format)
