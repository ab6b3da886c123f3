"""The rules of a good model that a program can check, each over every template.

Decided here: the rules for formulas bind the model (inputs, steps, tables, Checks, Cover), not
function_check, whose cells are calls. Numbers in formulas are 0, 1 and -1, and on Fabrics also the
2 of PEAK_NODES' definition. IF within IF and IFERROR may stand on Checks only. Flow binds steps and
tables, but not Monthly, where bills are paid months later, and not the ranking of Sensitivity;
Lists, the constants, stand last and are read from everywhere. Imports of the scenario that is shown
pick it by its number. What each template consists of stands in KINDS: a new one needs an entry.
"""

import datetime
import io
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.formula import Tokenizer
from openpyxl.formula.translate import Translator
from openpyxl.styles import Font, Protection
from openpyxl.utils import range_boundaries
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet.domains import Quantity
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.inputs import FABRIC_INPUTS, INPUTS, Input
from scalesheet_workbooks.proposal_inputs import PROPOSAL_INPUTS
from scalesheet_workbooks.templates import cluster_proposal, scaling_study
from workbooks.budgets import BUDGET, EIGHT, HEADS, MAIN, STUDIES, Book
from workbooks.proposals import PROPOSAL, input_cells, of_scenarios, run_over, texts_to_fill
from workbooks.scaling_studies import NAME as SCALING
from workbooks.scaling_studies import NUMBER_FORMATS as STUDY_FORMATS
from workbooks.scaling_studies import input_cells as study_cells

Breaches = list[str]
Rule = Callable[["File"], Breaches]

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


@dataclass(frozen=True)
class Kind:
    """What a template consists of, for the rules.

    ``inputs`` are sheets of inputs, ``steps`` sheets of lines with a column a scenario, ``tables``
    other sheets of formulas; ``outputs`` are lines that are read off and that nothing else needs.
    One without scenarios names its ``cells`` to fill, and has rules for its formulas elsewhere.
    """

    sheets: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    entries: tuple[Input, ...] = ()
    totals: tuple[str, ...] = ()
    outputs: frozenset[str] = frozenset()
    charts: int = 0
    limits_after: int = 1
    not_downwards: tuple[str, ...] = ()
    may_be_blank: tuple[str, ...] = ()
    cells: frozenset[tuple[str, str]] = frozenset()
    formats: frozenset[str] = frozenset()

    @property
    def model(self) -> tuple[str, ...]:
        """The sheets that the rules for formulas bind."""
        rest = ("Cover", "Checks") if self.steps else ()
        return (*self.inputs, *self.steps, *self.tables, *rest)

    @property
    def lines(self) -> tuple[str, ...]:
        """The sheets on which formulas are short."""
        return (*self.inputs, *self.steps, *self.tables)


STEPS_OF_PROPOSAL = tuple(sheet.name for sheet in cluster_proposal.STEPS)
KINDS: dict[str, Kind] = {
    BUDGET: Kind(
        (
            *("Cover", "Inputs", "Efficiency", "Scaling", "Calc", "Fabrics", "Checks"),
            *("Functions", "Notes", "ScalingNotes", "Lists"),
        ),
        ("Inputs",),
        ("Efficiency", "Scaling", "Calc"),
        ("Fabrics",),
        (*INPUTS, *FABRIC_INPUTS),
        ("calc.train_cost", "eff.efficiency", "calc.alerts"),
        frozenset(
            {
                *("calc.expected_days", "calc.whole_node_extra"),
                *("scale.gpus_lost", "scale.cluster_throughput", "scale.marginal_node"),
            }
        ),
        2,
    ),
    PROPOSAL: Kind(
        ("Cover", *cluster_proposal.CONTENTS),
        ("Inputs", "Terms", "Owning", "Ranges", "Measured"),
        STEPS_OF_PROPOSAL,
        (
            *("Fabrics", "Curve", "Monthly", "Bridge", "Cases", "Sensitivity", "Offers"),
            "Actuals",
        ),
        PROPOSAL_INPUTS,
        ("cost.total", "calc.total_gpu_hours", "cmp.total", "own.capex", "rent.net_value"),
        frozenset(
            {
                *("bill.productive_share", "bill.paid_hour_cost", "bill.discount"),
                *("bill.early_end", "data.move_all", "own.used_share"),
                *("cmp.per_million_tokens", "cmp.unit_change"),
                *("bill.idle_cost", "bill.coverage", "cmp.coverage", "cmp.finish_later"),
                *("cmp.unit_cost", "cmp.used_cost", "cmp.headroom", "cmp.capex_headroom"),
                *("cmp.economic", "rent.productive_hour", "rent.breakeven", "rent.breakeven_idle"),
                *("rent.breakeven_decline", "rent.net_value", "rent.payback", "risk.reserve"),
                *("risk.mean", "risk.with_p10", "risk.with_p50", "risk.with_p80", "risk.with_p90"),
                *("risk.with_all_bad", "scale.measured", "scale.by_pilot"),
                *("scale.fitted_low", "scale.fitted_high"),
                *("scale.marginal_price", "scale.average_price", "scale.extra_cost"),
                *("scale.hours_saved", "cmp.days", "cmp.incremental"),
            }
        ),
        7,
        2,
        ("Monthly", "Sensitivity", "Actuals"),
        ("lst_currencies", "lst_rates"),
    ),
    SCALING: Kind(
        scaling_study.SHEETS,
        charts=4,
        cells=frozenset(study_cells()),
        formats=frozenset(STUDY_FORMATS),
    ),
    **{name: Kind(("FunctionCheck",)) for name in TEMPLATES if name.startswith("function_check")},
}

INPUT_FILL, INPUT_FONT = "00FFF9DB", "000000FF"

ALLOWED_FUNCTIONS = {
    *("SUM", "SUMPRODUCT", "MIN", "MAX", "ABS", "ROUND", "INDEX", "MATCH", "IF", "AND", "OR"),
    *(
        "AVERAGEIF",
        "ISNUMBER",
        "ISERROR",
        "COUNT",
        "COUNTA",
        "COUNTIF",
        "SUMIF",
        "SUMIFS",
        "EDATE",
        "EOMONTH",
    ),
    *("YEAR", "MONTH", "LARGE", "SMALL", "RANK", "HYPERLINK"),
    # Amended in section 7 of the standard.
    *("SWITCH", "ROUNDUP", "SQRT", "LN", "EXP"),
    # Ours: NOT in conditional formats, counts for checks, ISTEXT and N where text is no number.
    *("COUNTIFS", "ROWS", "COLUMNS", "ISTEXT", "N", "NOT", "LEFT"),
}
VOLATILE = {"NOW", "TODAY", "RAND", "RANDBETWEEN", "OFFSET", "INDIRECT", "CELL", "INFO", "NPV"}
NUMBER_FORMATS = {
    *("General", "@", "0", "#,##0", '">"#,##0', "#,##0.00", "#,##0.00##", "0.000"),
    *("0%", "0.0%", "0.00%", "0.0%;–;0.0%", "0;-0;–", "0E+0"),
    # Limits: in millions, and those that nobody reaches.
    *('#,##0,,"M"', '"none";"none"'),
    # Amounts leave their cents out where those would not fit.
    "[>=10000000]#,##0;[<=-10000000]-#,##0;#,##0.00",
    '[>=10000000]#,##0.0,,"M";#,##0',
    *('"fail";"fail";"pass"', '"alert";"alert";"none"'),
}
PROPOSAL_FORMATS = {
    *('">"0%', "#,##0.0", "#,##0.0000", "0.0", "0.00", "0.0000", "0.0000%", "0.000000", "0.00E+00"),
    *("+#,##0.0;-#,##0.0;–", "+#,##0;-#,##0;–", "[>=0.5]+#,##0;[<=-0.5]-#,##0;–"),
    *("0.000000000", "0.0E+0", "[=0]–;0.0%", "#,##0.000"),
    *("yyyy", "yyyy-mm", "yyyy-mm-dd", "+#,##0.00;-#,##0.00;–"),
    # Above 100 % a break-even is never reached, and what does not pay back never does.
    '[>1]"never ("0%")";[<0]"never";0.0%',
    # Up to which percentile the request covers; the outermost that are known bound it.
    '[<=10]"≤ P10";[>=90]"≥ P90";"P"0',
    *('[<0]"never";#,##0.0', '[<0]"never";#,##0.00##', '[<=0]"never";0.0%'),
    *('[>=100000000]#,##0.0,,"M";#,##0', '[>=100000000]#,##0.0,,"M";[=0]–;#,##0'),
}
CHECK_FORMATS = {"General", "0", "[>=100000]#,##0.0000;#,##0.000000000", "0.000000000E+00"}
UNITS = {
    *("GPUs", "GPUs/node", "nodes", "h", "h/day", "days", "GPU-h", "share", "share/node"),
    *("units/s", "exponent", "name", "pick", "place", "0/1", "count", "rows", "USD", "USD/GPU-h"),
    *("EUR", "EUR/GPU-h"),
    # Of a proposal.
    *("number", "date", "months", "years", "times", "h/month", "h/year", "s/h", "parameters"),
    *("tokens", "FLOP", "FLOP/s", "GB", "GB/GiB", "GB or GiB", "kW/GPU", "ratio", "share/year"),
    *("factor", "checksum", "percentile", "rate", "as quoted", "USD/instance-h", "USD/GB"),
    "USD/GB-month",
    *("USD for 1", "USD/M tokens", "1"),
    *("USD/unit", "USD/node", "USD/GPU", "USD/kWh", "USD/GPU-year", "USD/GPU-mon", "USD/month"),
}
NAMES = ("lst_", "chk_", "sel_")


@dataclass(frozen=True)
class File(Book):
    """A built template with what the rules ask about it."""

    name: str = ""
    kind: Kind = field(default_factory=lambda: Kind(()))

    @property
    def template(self) -> str:
        return self.name.partition(" of ")[0]

    @property
    def is_budget(self) -> bool:
        """Whether it has scenarios; function_check has none."""
        return bool(self.kind.steps)

    @property
    def expected_sheets(self) -> list[str]:
        many = len(self.columns) > 4 if self.is_budget else False
        return [name for name in self.kind.sheets if many or not name.endswith("Sources")]

    def is_spare(self, line_id: str) -> bool:
        """Whether a row's label is for the user to write."""
        return any(entry.id == line_id and entry.names_itself for entry in self.kind.entries)

    @cached_property
    def shown(self) -> Workbook:
        """The cells with their stored values."""
        return load_workbook(io.BytesIO(self.data), data_only=True)

    @cached_property
    def trees(self) -> dict[str, ET.Element]:
        return {
            name: ET.fromstring(part)
            for name, part in self.parts().items()
            if name.endswith((".xml", ".rels"))
        }

    def cells(self, *sheets: str) -> Iterator[Cell]:
        for sheet in self.sheets:
            if not sheets or sheet.title in sheets:
                for row in sheet.iter_rows():
                    yield from row

    def model_formulas(self, *sheets: str) -> Iterator[tuple[str, str, str]]:
        """Sheet, address and text of formulas; badges and links back, in rows 1 and 2, left out."""
        for (sheet, at), text in self.formulas.items():
            if self.is_budget and sheet in (sheets or self.kind.model) and row_of(at) > 2:
                yield sheet, at, text

    @cached_property
    def input_cells(self) -> set[tuple[str, str]]:
        """The input cells, from the list of inputs and the number of scenarios."""
        if not self.is_budget:
            return set(self.kind.cells)
        cells = input_cells(self, self.kind.entries)
        return cells | texts_to_fill(self) if self.template == PROPOSAL else cells


def row_of(address: str) -> int:
    return int(re.sub(r"[^\d]", "", address))


def references(text: str) -> list[str]:
    """The references in a formula, each time that it stands there; names count as one."""
    return [t.value for t in Tokenizer(text).items if t.type == "OPERAND" and t.subtype == "RANGE"]


def functions(text: str) -> list[str]:
    return [t.value[:-1] for t in Tokenizer(text).items if t.type == "FUNC" and t.value[-1] == "("]


def depth_of_if(text: str) -> int:
    """How many IFs stand within each other."""
    deepest = now = 0
    stack: list[bool] = []
    for token in Tokenizer(text).items:
        if token.type in ("FUNC", "PAREN") and token.subtype == "OPEN":
            stack.append(token.value == "IF(")
            now += stack[-1]
            deepest = max(deepest, now)
        elif token.type in ("FUNC", "PAREN") and token.subtype == "CLOSE":
            now -= stack.pop()
    return deepest


RULES: dict[str, Rule] = {}


def rule(check: Rule) -> Rule:
    """A function that lists what breaks a rule."""
    RULES[check.__name__] = check
    return check


# --- Structure -----------------------------------------------------------------------------------


@rule
def sheet_order_and_names(file: File) -> Breaches:
    expected = file.expected_sheets
    titles = [sheet.title for sheet in file.sheets]
    odd = [title for title in titles if not re.fullmatch(r"[A-Za-z0-9_]{1,20}", title)]
    return odd if titles == expected else [f"sheets are {titles}"]


@rule
def nothing_is_hidden(file: File) -> Breaches:
    hidden = [sheet.title for sheet in file.sheets if sheet.sheet_state != "visible"]
    for sheet in file.sheets:
        for kind in (sheet.row_dimensions, sheet.column_dimensions):
            hidden += [f"{sheet.title} {key}" for key, size in kind.items() if size.hidden]
    hidden += [name for name, defined in file.written.defined_names.items() if defined.hidden]
    return hidden


@rule
def no_merged_cells(file: File) -> Breaches:
    """None outside the Cover, whose notes run over several columns."""
    sheets = [sheet for sheet in file.sheets if sheet.title != "Cover"]
    return [f"{sheet.title} {area}" for sheet in sheets for area in sheet.merged_cells.ranges]


@rule
def no_links_macros_or_connections(file: File) -> Breaches:
    parts = [
        name for name in file.parts() if re.search(r"external|vba|connection|activeX|query", name)
    ]
    return parts + [
        f"{name} {link.get('Target')}"
        for name, tree in file.trees.items()
        if name.endswith(".rels")
        for link in tree
        if link.get("TargetMode") == "External"
    ]


@rule
def scenario_columns_stand_in_the_same_letters(file: File) -> Breaches:
    if not file.is_budget:
        return []
    row = file.places["in.scenario"][1]
    return [
        f"{sheet} {column}"
        for sheet in file.kind.steps
        for column in file.columns
        if file.written[sheet][f"{column}{row}"].value != f"=Inputs!{column}{row}"
    ]


@rule
def columns_b_to_d_mean_the_same(file: File) -> Breaches:
    """Id, label, unit."""
    return [
        f"{sheet} {row}"
        for line_id, (sheet, row) in file.places.items()
        if sheet in (*file.kind.inputs, *file.kind.steps) and line_id != "in.scenario"
        if not all(isinstance(file.written[sheet][f"{c}{row}"].value, str) for c in "BCD")
        and not file.is_spare(line_id)
    ]


def merged_cells(file: File) -> set[tuple[str, str]]:
    """The cells of merged areas whose first cell is an input: they are one cell with it."""
    return {
        (sheet.title, cell.coordinate)
        for sheet in file.sheets
        for area in sheet.merged_cells.ranges
        if (sheet.title, area.start_cell.coordinate) in file.input_cells
        for row in sheet[area.coord]
        for cell in row
    }


# --- Inputs --------------------------------------------------------------------------------------


@rule
def unlocked_are_exactly_the_inputs(file: File) -> Breaches:
    unlocked = {
        (cell.parent.title, cell.coordinate) for cell in file.cells() if not cell.protection.locked
    }
    return [str(at) for at in sorted(unlocked ^ (file.input_cells | merged_cells(file)))]


@rule
def inputs_are_blue_on_yellow(file: File) -> Breaches:
    looks = {
        at: (file.written[at[0]][at[1]].fill.fgColor.rgb, file.written[at[0]][at[1]].font.color.rgb)
        for at in file.input_cells
    }
    return [f"{at} {look}" for at, look in looks.items() if look != (INPUT_FILL, INPUT_FONT)]


@rule
def only_inputs_are_blue_on_yellow(file: File) -> Breaches:
    """Exceptions: the sample in the Cover's legend, and what a text of one cell runs over."""
    looking = {
        (cell.parent.title, cell.coordinate)
        for cell in file.cells()
        if cell.fill.fgColor.rgb == INPUT_FILL
        or (cell.font.color and cell.font.color.rgb == INPUT_FONT)
    }
    samples = {
        at
        for at in looking
        if at[0] == "Cover" and file.written[at[0]][at[1]].value in (42, "To fill")
    }
    samples |= merged_cells(file)
    if file.template == PROPOSAL:
        samples |= run_over(file)
    return [str(at) for at in sorted(looking - file.input_cells - samples)]


@rule
def every_sheet_is_protected_without_password(file: File) -> Breaches:
    return [
        sheet.title
        for sheet in file.sheets
        if not sheet.protection.sheet
        or sheet.protection.password
        or sheet.protection.formatColumns
        or sheet.protection.formatRows
    ]


@rule
def ids_are_unique_and_in_column_b(file: File) -> Breaches:
    form = re.compile(rf"({'|'.join(sorted(HEADS))})\.[a-z0-9_]+")
    ids = [
        (cell.value, cell.column_letter)
        for cell in file.cells()
        if isinstance(cell.value, str) and form.fullmatch(cell.value)
        # How a row comes about is said by the id of what it brings in.
        if cell.parent.title not in file.kind.steps or cell.column_letter == "B"
        if cell.parent.title != "Questions"
    ]
    twice = [name for name, count in Counter(name for name, _ in ids).items() if count > 1]
    return twice + [name for name, column in ids if column != "B"]


def number_of(value: object) -> object:
    """A date as the number that a cell holds."""
    return to_excel(value) if isinstance(value, datetime.datetime) else value


def validation_of(sheet: Worksheet, address: str) -> list[DataValidation]:
    return [v for v in sheet.data_validations.dataValidation if address in v.sqref]


@rule
def every_input_is_validated_with_title_and_text(file: File) -> Breaches:
    breaches = []
    for sheet, address in sorted(file.input_cells):
        found = validation_of(file.written[sheet], address)
        kinds = {"list", "decimal", "whole", "custom", "textLength", "date"}
        if len(found) != 1 or found[0].type not in kinds:
            breaches.append(f"{address}: {len(found)} validations")
            continue
        texts = (found[0].errorTitle, found[0].error, found[0].promptTitle, found[0].prompt)
        shown = found[0].showErrorMessage and found[0].showInputMessage
        if not shown or not all(texts) or len(texts[0]) > 32 or max(map(len, texts)) > 255:
            breaches.append(f"{address}: {texts}")
        if found[0].errorStyle not in (None, "stop"):
            breaches.append(f"{address}: only warns")
    return breaches


@rule
def validations_have_the_registrys_limits(file: File) -> Breaches:
    breaches = []
    for entry in file.kind.entries:
        sheet, address = file.at(entry.id)
        (found,) = validation_of(file.written[sheet], address)
        domain = entry.domain
        if not isinstance(domain, Quantity):
            fits = found.type == "list" and found.formula1 in file.written.defined_names
        elif domain.low_open or domain.high_open:
            signs = (">" if domain.low_open else ">=", "<" if domain.high_open else "<=")
            texts = [f"{address}{sign}" for sign in signs]
            numbers = re.findall(rf"{address}[<>]=?([-\d.E+]+)", found.formula1)
            fits = found.type == "custom" and all(text in found.formula1 for text in texts)
            fits = fits and [float(n) for n in numbers] == [domain.low, domain.high]
        else:
            limits = [float(found.formula1), float(found.formula2)]
            fits = limits == [domain.low, domain.high] and found.operator == "between"
            expected = "date" if domain.unit == "date" else "whole" if domain.whole else "decimal"
            fits = fits and found.type == expected
        if not fits or entry.domain.rule[:50] not in found.error:
            breaches.append(f"{entry.id}: {found.type} {found.formula1} {found.formula2}")
    return breaches


@rule
def limits_beside_the_inputs_are_the_registrys(file: File) -> Breaches:
    breaches = []
    for entry in file.kind.entries:
        sheet, row = file.places[entry.id]
        first = len(file.columns) + 4 + file.kind.limits_after
        shown = [number_of(file.written[sheet].cell(row, first + step).value) for step in (0, 1)]
        domain = entry.domain
        limits = [domain.low, domain.high] if isinstance(domain, Quantity) else [None, None]
        if shown != limits:
            breaches.append(f"{entry.id}: {shown}")
    return breaches


@rule
def numbers_are_numbers_and_percents_are_fractions(file: File) -> Breaches:
    breaches = []
    domains = {entry.id: entry.domain for entry in file.kind.entries}
    values = input_cells(file, file.kind.entries, values_only=True) if file.is_budget else ()
    for sheet, address in sorted(values):
        cell = file.written[sheet][address]
        domain = domains.get(file.written[sheet][f"B{cell.row}"].value)
        value = number_of(cell.value)
        is_number = isinstance(value, int | float)
        if value is not None and is_number != isinstance(domain, Quantity):
            breaches.append(f"{address}: {cell.value!r}")
        if isinstance(domain, Quantity):
            if is_number and not domain.admits(value):
                breaches.append(f"{address}: {cell.value!r} is out of limits")
            if domain.is_fraction and (cell.number_format[-1] != "%" or domain.high > 3):
                breaches.append(f"{address}: {cell.number_format}")
    return breaches


# --- Formulas ------------------------------------------------------------------------------------


@rule
def one_row_one_formula(file: File) -> Breaches:
    """The same in every scenario column, when written relative to it."""
    breaches = []
    for sheet in (*file.kind.inputs, *file.kind.steps, "Fabrics") if file.is_budget else ():
        columns = file.columns if sheet != "Fabrics" else list("EFGH")
        ws = file.written[sheet]
        for row in range(3, ws.max_row + 1):
            texts = [ws[f"{column}{row}"].value for column in columns]
            formulas = [text for text in texts if isinstance(text, str) and text.startswith("=")]
            if formulas and len(formulas) < len(texts):
                breaches.append(f"{sheet} {row}: a formula in some columns only")
                continue
            moved = {
                Translator(text, f"{column}{row}").translate_formula(f"{columns[0]}{row}")
                for column, text in zip(columns, texts, strict=True)
                if formulas
            }
            if len(moved) > 1:
                breaches.append(f"{sheet} {row}: {sorted(moved)}")
    return breaches


@rule
def no_numbers_in_formulas(file: File) -> Breaches:
    breaches = []
    for sheet, at, text in file.model_formulas():
        allowed = {"0", "1", "2"} if sheet == "Fabrics" else {"0", "1"}
        for token in Tokenizer(text).items:
            if token.type == "OPERAND" and token.subtype == "NUMBER" and token.value not in allowed:
                breaches.append(f"{sheet}!{at}: {token.value} in {text}")
    return breaches


@rule
def formulas_are_short(file: File) -> Breaches:
    """At most 80 characters and 6 references, one line; checks refer to whole rows."""
    return [
        f"{sheet}!{at}: {len(text)} characters, {len(set(references(text)))} references"
        for sheet, at, text in file.model_formulas(*file.kind.lines)
        if len(text) > 81 or len(set(references(text))) > 6 or "\n" in text
    ]


@rule
def no_if_within_if_and_no_iferror(file: File) -> Breaches:
    return [
        f"{sheet}!{at}: {text}"
        for sheet, at, text in file.model_formulas("Cover", *file.kind.lines)
        if depth_of_if(text) > 1 or {"IFERROR", "IFNA", "ISERROR"} & set(functions(text))
    ]


@rule
def only_allowed_functions(file: File) -> Breaches:
    return [
        f"{sheet}!{at}: {sorted(set(functions(text)) - ALLOWED_FUNCTIONS)}"
        for (sheet, at), text in file.formulas.items()
        if file.is_budget and not set(functions(text)) <= ALLOWED_FUNCTIONS
    ]


@rule
def nothing_volatile_and_no_arrays(file: File) -> Breaches:
    """In function_check calls are dynamic arrays, and verdicts are volatile so that they follow."""
    found = []
    if file.is_budget:
        found += [f"{at}: {t}" for at, t in file.formulas.items() if VOLATILE & set(functions(t))]
        found += [
            f"{name}: {formula.get('ref')}"
            for name, tree in file.trees.items()
            for formula in tree.iter(f"{MAIN}f")
            if formula.get("t") in ("array", "dataTable")
        ]
    return found


@rule
def no_lambda_or_addin_call_in_the_model(file: File) -> Breaches:
    ours = {name for name in file.written.defined_names if name.isupper()}
    return [f"{at}: {text}" for *at, text in file.model_formulas() if ours & set(functions(text))]


@rule
def no_whole_columns_and_no_ref_errors(file: File) -> Breaches:
    whole = re.compile(r"\$?[A-Z]+:\$?[A-Z]+|\$?\d+:\$?\d+")
    return [
        f"{at}: {reference}"
        for at, text in file.formulas.items()
        for reference in references(text)
        if whole.fullmatch(reference.rpartition("!")[2]) or "#REF" in reference
    ]


@rule
def calc_reads_other_sheets_in_import_rows_only(file: File) -> Breaches:
    """Import rows are a link, its test for a number or text, or its place in a list."""
    link = r"(?:\w+!\$?[A-Z]+\$?\d+)"
    shown = rf"INDEX\({link}:\$?[A-Z]+\$?\d+,sel_scenario\)"
    imports = re.compile(
        rf'={link}|=IF\(IS(?:NUMBER|TEXT)\(({link})\),\1,"–"\)|=MATCH\({link},lst_\w+,0\)'
        rf"|=AVERAGEIF\(lst_currencies,{link},lst_rates\)"
        rf"|={shown}|=N\({shown}\)|=N\({link}\)"
        # A figure that a program wrote goes when the inputs are no longer those.
        rf"|=IF\(\$[A-Z]+\$\d+=1,{shown},\"–\"\)"
    )
    tables = [name for name in file.kind.tables if name not in ("Fabrics", "Offers")]
    return [
        f"{at}: {text}"
        for _, at, text in file.model_formulas(*file.kind.steps, *tables)
        if any("!" in reference for reference in references(text)) and not imports.fullmatch(text)
    ]


@rule
def import_rows_are_green_and_the_rest_black(file: File) -> Breaches:
    breaches = []
    for sheet, at, text in file.model_formulas(*file.kind.steps):
        cell = file.written[sheet][at]
        # Heads, and labels that the user wrote, are names wherever they stand.
        if cell.row <= 4 or cell.column_letter == "C":
            continue
        expected = "0000703C" if "!" in text else "001A1A1A"
        if cell.font.color.rgb != expected:
            breaches.append(f"{at} {cell.font.color.rgb}")
    return breaches


@rule
def flow_is_downwards(file: File) -> Breaches:
    """No formula refers to a row below its own or, but for constants, to a later sheet."""
    breaches = []
    order = list(file.kind.sheets)
    for sheet, at, text in file.model_formulas(*file.kind.lines, "Checks"):
        for reference in references(text):
            home, _, cells = reference.rpartition("!")
            if home and home != "Lists" and order.index(home) >= order.index(sheet):
                breaches.append(f"{sheet}!{at}: {reference}")
            if sheet in file.kind.not_downwards:
                continue
            if not home and not cells.startswith(NAMES):
                last = range_boundaries(cells.replace("$", ""))[3]
                same_row_allowed = sheet not in (*file.kind.steps, "Fabrics")
                if last > row_of(at) or (
                    last == row_of(at) and not same_row_allowed and "$" not in cells
                ):
                    breaches.append(f"{sheet}!{at}: {reference}")
    return breaches


@rule
def no_reference_to_an_empty_cell(file: File) -> Breaches:
    """Inputs may be empty; nothing else that a formula reads."""
    breaches = []
    filled = (*file.kind.inputs, *(n for n in file.kind.sheets if n.endswith("Sources")), "Offers")
    for sheet, at, text in file.model_formulas(*file.kind.model):
        if sheet in (*file.kind.inputs, "Offers", "Actuals"):
            continue
        for reference in references(text):
            home, _, cells = reference.rpartition("!")
            if cells.startswith(NAMES) or home in filled:
                continue
            left, top, right, bottom = range_boundaries(cells.replace("$", ""))
            ws = file.written[home or sheet]
            for row in ws.iter_rows(top, bottom, left, right):
                if any(cell.value is None for cell in row):
                    breaches.append(f"{sheet}!{at}: {reference}")
    return breaches


@rule
def every_figure_is_calculated_once(file: File) -> Breaches:
    if not file.is_budget:
        return []
    column = file.columns[0]
    texts = [
        (sheet, text)
        for sheet, at, text in file.model_formulas(*file.kind.steps)
        if re.fullmatch(column + r"\d+", at)
    ]
    return [f"{sheet}: {text}" for (sheet, text), count in Counter(texts).items() if count > 1]


@rule
def every_line_is_used_or_an_output(file: File) -> Breaches:
    if not file.is_budget:
        return []
    read: set[tuple[str, int]] = set()
    for sheet, _, text in file.model_formulas():
        for reference in references(text):
            home, _, cells = reference.rpartition("!")
            if not cells.startswith(NAMES):
                _, top, _, bottom = range_boundaries(cells.replace("$", ""))
                read |= {(home or sheet, row) for row in range(top, bottom + 1)}
    for name, tree in file.trees.items():
        if name.startswith("xl/charts/"):
            for formula in tree.iter(f"{CHART}f"):
                home, _, cells = str(formula.text).replace("'", "").rpartition("!")
                read.add((home, range_boundaries(cells.replace("$", ""))[1]))
    lines = {
        line_id: at
        for line_id, at in file.places.items()
        if at[0] in file.kind.steps and line_id not in file.kind.outputs
    }
    return [line_id for line_id, at in lines.items() if at not in read]


# --- Labels, units, formats ----------------------------------------------------------------------


@rule
def labels_are_unique_and_units_known(file: File) -> Breaches:
    breaches = []
    for title in (*file.kind.inputs, *file.kind.steps):
        places = [
            at
            for i, at in file.places.items()
            if at[0] == title and i != "in.scenario" and not file.is_spare(i)
        ]
        rows = [[file.written[sheet][f"{c}{row}"].value for c in "CD"] for sheet, row in places]
        counted = Counter(label for label, _ in rows)
        breaches += [f"{title} {label}" for label, count in counted.items() if count > 1]
        breaches += [f"{title} {label}: {unit}" for label, unit in rows if unit not in UNITS]
    return breaches


@rule
def number_formats_come_from_a_closed_set(file: File) -> Breaches:
    allowed = NUMBER_FORMATS if file.is_budget else CHECK_FORMATS | file.kind.formats
    if file.template == PROPOSAL:
        allowed = allowed | PROPOSAL_FORMATS
    odd = {cell.number_format for cell in file.cells() if cell.value is not None} - allowed
    return sorted(odd) + [text for text in odd if "[Red]" in text]


@rule
def one_font_family(file: File) -> Breaches:
    fonts = {cell.font.name for cell in file.cells() if cell.value is not None}
    return sorted(fonts - {"Calibri"})


@rule
def totals_are_bold_on_a_band_under_a_rule(file: File) -> Breaches:
    breaches = []
    for line_id in file.kind.totals:
        sheet, row = file.places[line_id]
        for column in ("C", *file.columns):
            cell = file.written[sheet][f"{column}{row}"]
            if not cell.font.b or not cell.border.top.style or cell.fill.fgColor.rgb != "00E4EDF6":
                breaches.append(f"{line_id} {column}")
    return breaches


# --- Names, calculation, values ------------------------------------------------------------------


@rule
def names_resolve_and_have_a_prefix(file: File) -> Breaches:
    breaches = []
    for name, defined in file.written.defined_names.items():
        text = defined.attr_text
        if text.startswith("_xlfn.LAMBDA("):
            if not name.isupper() or not defined.comment:
                breaches.append(f"{name}: a LAMBDA name in capitals with a description")
            continue
        found = re.fullmatch(r"(\w+)!(\$[A-Z]+\$\d+(?::\$[A-Z]+\$\d+)?)", text)
        if not found or found[1] not in file.written.sheetnames or "#REF" in text:
            breaches.append(f"{name}: {text}")
        elif not re.match(r"(out|chk|lst|sel)_[a-z_]+$", name):
            breaches.append(f"{name}: prefix")
        else:
            block = file.written[found[1]][found[2].replace("$", "")]
            rows = block if isinstance(block, tuple) else ((block,),)
            empty = any(cell.value is None for row in rows for cell in row)
            empty = empty and name not in file.kind.may_be_blank
            breaches += [f"{name}: points at an empty cell"] if empty else []
    return breaches


@rule
def calculation_is_automatic_on_load(file: File) -> Breaches:
    (settings,) = file.trees["xl/workbook.xml"].iter(f"{MAIN}calcPr")
    found = []
    if settings.get("fullCalcOnLoad") != "1":
        found.append("no fullCalcOnLoad")
    if settings.get("calcMode", "auto") != "auto" or settings.get("iterate", "0") != "0":
        found.append(str(settings.attrib))
    # A chain that is wrong is repaired with a message; without one it is built.
    return found + [name for name in file.parts() if "calcChain" in name]


@rule
def every_formula_has_a_stored_value(file: File) -> Breaches:
    return [
        f"{name} {cell.get('r')}"
        for name, tree in file.trees.items()
        if name.startswith("xl/worksheets/sheet")
        for cell in tree.iter(f"{MAIN}c")
        if cell.find(f"{MAIN}f") is not None
        if cell.find(f"{MAIN}v") is None or not cell.findtext(f"{MAIN}v")
    ]


@rule
def template_and_version_are_in_the_properties(file: File) -> Breaches:
    name = file.template
    stored = {p.name: p.value for p in file.written.custom_doc_props.props}
    expected = {"scalesheet.template": name, "scalesheet.version": TEMPLATES[name].version}
    visible = [
        sheet.title
        for sheet in file.sheets
        if f"{name} {TEMPLATES[name].version}" not in (sheet.oddHeader.right.text or "")
    ]
    return visible if stored == expected else [str(stored)]


# --- Presentation --------------------------------------------------------------------------------


@rule
def views_are_tidy(file: File) -> Breaches:
    """No grid, panes frozen but on the Cover, zoom 85 to 100, cursor in A1, first sheet active."""
    breaches = [] if file.written.active == file.sheets[0] else ["active sheet"]
    for sheet in file.sheets:
        view = sheet.sheet_view
        if view.showGridLines is not False:
            breaches.append(f"{sheet.title}: grid")
        if sheet.title != "Cover" and not sheet.freeze_panes:
            breaches.append(f"{sheet.title}: no frozen panes")
        if not 85 <= (view.zoomScale or 100) <= 100:
            breaches.append(f"{sheet.title}: zoom {view.zoomScale}")
        if view.topLeftCell not in (None, "A1"):
            breaches.append(f"{sheet.title}: starts at {view.topLeftCell}")
    return breaches


@rule
def pages_are_set_up(file: File) -> Breaches:
    breaches = []
    for sheet in file.sheets:
        setup = sheet.page_setup
        fits = (
            sheet.sheet_properties.pageSetUpPr.fitToPage
            and (setup.fitToWidth, setup.fitToHeight) == (1, 1)
            and setup.orientation in ("portrait", "landscape")
            and str(setup.paperSize) == "9"
        )
        _, top, right, bottom = range_boundaries(
            sheet.print_area.rpartition("!")[2].replace("$", "")
        )
        texts = (
            sheet.oddHeader.right.text,
            sheet.oddFooter.left.text,
            sheet.oddFooter.center.text,
            sheet.oddFooter.right.text,
        )
        # openpyxl reads &A and &F back as fields.
        if not fits or not all(texts):
            breaches.append(f"{sheet.title}: {texts}")
        filled = [c for row in sheet.iter_rows() for c in row if c.value is not None]
        # The chart's helper rows stand below what is printed.
        home, first = file.places.get("fab.at_floor_1", ("", 0))
        helpers = range(first - 1, first + 7) if sheet.title == home else range(0)
        outside = [
            c.coordinate
            for c in filled
            if (c.row > bottom or c.column > right) and c.row not in helpers
        ]
        if top != 1 or outside:
            breaches.append(f"{sheet.title}: not printed {outside}")
    return breaches


def charts(file: File) -> list[tuple[str, ET.Element]]:
    return [(n, t) for n, t in file.trees.items() if n.startswith("xl/charts/chart")]


@rule
def charts_have_stored_values(file: File) -> Breaches:
    breaches = [] if len(charts(file)) == file.kind.charts else [f"{len(charts(file))} charts"]
    for name, tree in charts(file):
        for kind, cache in (("numRef", "numCache"), ("strRef", "strCache")):
            for reference in tree.iter(CHART + kind):
                text = str(reference.findtext(f"{CHART}f"))
                left, top, right, bottom = range_boundaries(
                    text.rpartition("!")[2].replace("$", "")
                )
                points = list(reference.iterfind(f"{CHART}{cache}/{CHART}pt/{CHART}v"))
                home = text.rpartition("!")[0].replace("'", "")
                block = file.shown[home].iter_rows(top, bottom, left, right)
                # A dash where a figure is not given is no point.
                plotted = [
                    cell.value
                    for row in block
                    for cell in row
                    if kind == "strRef" or not isinstance(cell.value, str)
                ]
                if len(points) != len(plotted) or not all(point.text for point in points):
                    breaches.append(f"{name} {text}: {len(points)} points")
    return breaches


@rule
def charts_have_axes_titles_and_colours(file: File) -> Breaches:
    breaches = []
    for name, tree in charts(file):
        axes = [a for kind in ("catAx", "valAx", "dateAx") for a in tree.iter(CHART + kind)]
        deleted = [
            element.get("val") for a in axes if (element := a.find(f"{CHART}delete")) is not None
        ]
        if len(axes) not in (2, 3) or set(deleted) != {"0"} or len(deleted) != len(axes):
            breaches.append(f"{name}: axes {deleted}")
        if not "".join(t.text or "" for t in tree.iter(f"{DRAWING}t")).strip():
            breaches.append(f"{name}: no title")
        for series in tree.iter(f"{CHART}ser"):
            # A series that only holds others up is not drawn, and says so.
            painted = [series.find(f".//{DRAWING}{tag}") for tag in ("srgbClr", "noFill")]
            if painted == [None, None]:
                breaches.append(f"{name}: a series without a colour of its own")
        if any(tree.iter(f"{CHART}view3D")):
            breaches.append(f"{name}: 3-D")
    return breaches


# --- The test ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files() -> dict[str, File]:
    studies = {
        f"{BUDGET} of one": STUDIES["one"](),
        f"{BUDGET} of eight": EIGHT,
        f"{PROPOSAL} of two": of_scenarios(2),
        f"{PROPOSAL} of eight": of_scenarios(8),
    }
    return {
        name: File(
            build(name.partition(" of ")[0], studies.get(name)),
            name,
            KINDS[name.partition(" of ")[0]],
        )
        for name in FILES
    }


FILES = [
    *(BUDGET, f"{BUDGET} of one", f"{BUDGET} of eight"),
    *(PROPOSAL, f"{PROPOSAL} of two", f"{PROPOSAL} of eight"),
    *(name for name in TEMPLATES if name not in (BUDGET, PROPOSAL)),
]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rule_name", RULES)
def test_rule(files: dict[str, File], rule_name: str, name: str) -> None:
    assert RULES[rule_name](files[name]) == []


def test_every_template_is_looked_at(files: dict[str, File]) -> None:
    assert list(files) == FILES
    assert {name.split(" of ")[0] for name in files} == set(TEMPLATES)


# --- Do the rules see what they are there for? ---------------------------------------------------

Change = Callable[[Workbook], object]


def _set(sheet: str, address: str, value: object) -> Change:
    return lambda book: setattr(book[sheet][address], "value", value)


def _style(sheet: str, address: str, **styles: object) -> Change:
    def change(book: Workbook) -> None:
        for name, value in styles.items():
            setattr(book[sheet][address], name, value)

    return change


def _validate_loosely(book: Workbook) -> None:
    for validation in book["Inputs"].data_validations.dataValidation:
        validation.formula2 = "1E+99"


SEEDED: dict[str, list[Change]] = {
    "sheet_order_and_names": [lambda book: setattr(book["Notes"], "title", "My notes")],
    "nothing_is_hidden": [
        lambda book: setattr(book["Lists"], "sheet_state", "hidden"),
        lambda book: setattr(book["Calc"].row_dimensions[9], "hidden", True),
    ],
    "no_merged_cells": [lambda book: book["Calc"].merge_cells("B8:C8")],
    "unlocked_are_exactly_the_inputs": [
        _style("Efficiency", "E9", protection=Protection(locked=False)),
        _style("Inputs", "E7", protection=Protection(locked=True)),
    ],
    "inputs_are_blue_on_yellow": [_style("Inputs", "E7", font=Font(color="0B5394"))],
    "only_inputs_are_blue_on_yellow": [_style("Efficiency", "E9", font=Font(color="0000FF"))],
    "every_sheet_is_protected_without_password": [
        lambda book: setattr(book["Calc"].protection, "sheet", False),
        lambda book: setattr(book["Calc"].protection, "password", "secret"),
    ],
    "ids_are_unique_and_in_column_b": [_set("Efficiency", "B9", "eff.gpus")],
    "every_input_is_validated_with_title_and_text": [
        lambda book: setattr(book["Inputs"].data_validations, "dataValidation", [])
    ],
    "validations_have_the_registrys_limits": [_validate_loosely],
    "limits_beside_the_inputs_are_the_registrys": [_set("Inputs", "K7", 1)],
    "numbers_are_numbers_and_percents_are_fractions": [
        _set("Inputs", "E7", "64"),
        _set("Inputs", "E28", 15),
    ],
    "one_row_one_formula": [_set("Efficiency", "F9", "=F8*1"), _set("Efficiency", "F9", 32)],
    "no_numbers_in_formulas": [_set("Efficiency", "E9", "=E7*1.05")],
    "formulas_are_short": [_set("Efficiency", "E47", "=E7+E8+E9+E10+E11+E14+E15+E16")],
    "no_if_within_if_and_no_iferror": [
        _set("Efficiency", "E47", "=IF(E7=1,IF(E8=1,0,1),0)"),
        _set("Efficiency", "E47", "=IFERROR(E7,0)"),
    ],
    "only_allowed_functions": [_set("Efficiency", "E47", "=_xlfn.XLOOKUP(E7,E7,E8)")],
    "nothing_volatile_and_no_arrays": [_set("Efficiency", "E47", "=E7*RAND()")],
    "no_lambda_or_addin_call_in_the_model": [_set("Efficiency", "E47", "=GPU_HOURS(E7,E8,E9)")],
    "no_whole_columns_and_no_ref_errors": [_set("Checks", "E7", "=SUM(Calc!E:E)")],
    "calc_reads_other_sheets_in_import_rows_only": [_set("Efficiency", "E47", "=E7*Inputs!E9")],
    "flow_is_downwards": [_set("Efficiency", "E9", "=E52"), _set("Efficiency", "E9", "=Calc!E8")],
    "no_reference_to_an_empty_cell": [_set("Efficiency", "E47", "=E7*E6")],
    "every_figure_is_calculated_once": [
        lambda book: _set("Efficiency", "E47", book["Efficiency"]["E10"].value)(book)
    ],
    "every_line_is_used_or_an_output": [_set("Efficiency", "B47", "eff.left_over")],
    "labels_are_unique_and_units_known": [
        _set("Efficiency", "C9", "GPUs per node"),
        _set("Efficiency", "D9", "pieces"),
    ],
    "number_formats_come_from_a_closed_set": [
        _style("Efficiency", "E9", number_format="0.00;[Red]-0.00")
    ],
    "names_resolve_and_have_a_prefix": [
        lambda book: setattr(book.defined_names["chk_master"], "attr_text", "Checks!#REF!"),
        lambda book: setattr(book.defined_names["chk_master"], "attr_text", "Checks!$H$99"),
    ],
    "calculation_is_automatic_on_load": [
        lambda book: setattr(book.calculation, "fullCalcOnLoad", False)
    ],
    "every_formula_has_a_stored_value": [lambda book: None],
    "views_are_tidy": [lambda book: setattr(book["Calc"], "freeze_panes", None)],
    "pages_are_set_up": [lambda book: setattr(book["Calc"].page_setup, "fitToHeight", 0)],
    "charts_have_stored_values": [lambda book: setattr(book["Cover"], "_charts", [])],
}
"""Changes that each break one rule, made with openpyxl, which itself drops stored values."""


@pytest.mark.parametrize("rule_name", SEEDED)
def test_a_rule_sees_its_breach(files: dict[str, File], rule_name: str) -> None:
    for change in SEEDED[rule_name]:
        book = load_workbook(io.BytesIO(files[BUDGET].data))
        change(book)
        buffer = io.BytesIO()
        book.save(buffer)
        assert RULES[rule_name](File(buffer.getvalue(), BUDGET, KINDS[BUDGET])) != []
