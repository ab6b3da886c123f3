"""The table of seeded edits: one change of a filled proposal each, and the one finding of it.

Kinds follow workbooks.md-style lists of what people do to a budget; ids in brackets in a name are
public cases that they come from.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import openpyxl
from openpyxl.styles import Protection
from openpyxl.worksheet.datavalidation import DataValidation

from review.workbooks import (
    BUDGET,
    at,
    edited,
    filled,
    packed,
    parts_of,
    proposal,
    put,
    put_at,
    shifted,
    with_value,
    with_xml,
)
from scalesheet_workbooks.build import build


@dataclass(frozen=True)
class Seed:
    """One edit: how the file is made, the finding that must be its root, and where."""

    name: str
    make: Callable[[], bytes]
    rule: str
    where: str
    severity: str

    def __str__(self) -> str:
        return self.name


def cell(line: str, column: str = "E") -> str:
    """Sheet and cell of a line as a finding says it."""
    sheet, address = at(line, column)
    return f"{sheet}!{address}"


def one(line: str, column: str, value: object) -> Callable[[], bytes]:
    """A file with one cell of a line changed."""
    return lambda: edited(put(line, column, value))


def _text_number(line: str, text: str) -> Callable[[], bytes]:
    return one(line, "E", text)


def _hidden_row(line: str) -> Callable[[], bytes]:
    def edit(book: openpyxl.Workbook) -> None:
        sheet, address = at(line)
        book[sheet].row_dimensions[int(address[1:])].hidden = True

    return lambda: edited(edit)


def _name(name: str, text: str | None) -> Callable[[], bytes]:
    def edit(book: openpyxl.Workbook) -> None:
        if text is None:
            del book.defined_names[name]
        else:
            book.defined_names[name].attr_text = text

    return lambda: edited(edit)


def _validation(line: str, rule: DataValidation | None) -> Callable[[], bytes]:
    def edit(book: openpyxl.Workbook) -> None:
        sheet, address = at(line)
        rules = book[sheet].data_validations.dataValidation
        rules[:] = [one for one in rules if address not in one.sqref]
        if rule is not None:
            row = address[1:]
            rule.add(f"E{row}:G{row}")
            rules.append(rule)

    return lambda: edited(edit)


def _unlocked() -> bytes:
    sheet, address = at("calc.rework_cost")

    def edit(book: openpyxl.Workbook) -> None:
        book[sheet][address].protection = Protection(locked=False)

    return edited(edit)


def _helper_sheet(book: openpyxl.Workbook) -> None:
    book.create_sheet("Prices")["A1"] = 1.99
    book["Prices"].sheet_state = "veryHidden"
    sheet, address = at("calc.gpu_hour_price")
    book[sheet][address] = "=Prices!A1"


def _added_row(book: openpyxl.Workbook) -> None:
    shifted("Calc", int(at("calc.egress")[1][1:]), 1)(book)
    sheet, address = at("calc.egress")
    book[sheet][address] = 5000
    total = int(at("calc.train_cost")[1][1:]) + 1
    book[sheet][f"E{total}"] = f"={str(book[sheet][f'E{total}'].value).lstrip('=')}+{address}"


def _check_range(book: openpyxl.Workbook) -> None:
    """A row put into the middle of the marks and filled: it counts into a check."""
    shifted("Inputs", 9, 1)(book)
    book["Inputs"]["J9"] = 7


def _macros() -> bytes:
    return packed(parts_of(filled()) | {"xl/vbaProject.bin": b"\0"})


def _text_in_place(line: str, old: str, new: str) -> Callable[[], bytes]:
    def edit(book: openpyxl.Workbook) -> None:
        sheet, address = at(line, "D")
        assert book[sheet][address].value == old
        book[sheet][address] = new

    return lambda: edited(edit)


def _cover(old: str, new: str) -> Callable[[], bytes]:
    def edit(book: openpyxl.Workbook) -> None:
        text = book["Cover"]["B8"].value
        assert old in text, text
        book["Cover"]["B8"] = text.replace(old, new)

    return lambda: edited(edit)


def _example(book: openpyxl.Workbook) -> None:
    from scalesheet_workbooks.scenarios import shipped

    first = shipped().scenarios[0]
    for line, value in {**first.values, "in.scenario": first.name}.items():
        sheet, address = at(line)
        book[sheet][address] = value


def _instance_price() -> bytes:
    scenarios = list(proposal().scenarios)
    price = 8 * float(scenarios[0].values["in.gpu_hour_price"])
    scenarios[0] = replace(scenarios[0], values={**scenarios[0].values, "in.gpu_hour_price": price})
    return build(BUDGET, replace(proposal(), scenarios=tuple(scenarios)))


def _pilot(**figures: float) -> Callable[[], bytes]:
    def edit(book: openpyxl.Workbook) -> None:
        for line, value in {"in.efficiency_method": "pilot", **figures}.items():
            sheet, address = at(line)
            book[sheet][address] = value

    return lambda: edited(edit)


def _network(book: openpyxl.Workbook) -> None:
    """Ethernet at 32 nodes: the model is far below its floor."""
    sheet = "Inputs"
    for line, value in (
        ("in.efficiency_method", "interconnect"),
        ("in.interconnect", "Eth25"),
        ("in.efficiency_floor", 0.6),
        ("in.gpus", 256.0),
    ):
        book[sheet][at(line)[1]] = value


RENT, TOTAL, DAYS = "calc.compute_cost", "calc.train_cost", "calc.wall_clock_days"
PRICE, EFF, REWORK, STORE = "in.gpu_hour_price", "in.efficiency", "in.rework", "in.storage"

STRUCTURE = (
    Seed("total typed over, wrong (D05)", one(TOTAL, "E", 20000), "S101", cell(TOTAL), "high"),
    Seed("total typed over, right (D05)", one(TOTAL, "E", 27957), "S101", cell(TOTAL), "medium"),
    Seed("total typed over by little", one(TOTAL, "E", 27990), "S101", cell(TOTAL), "medium"),
    Seed("days typed over", one(DAYS, "F", 3), "S101", cell(DAYS, "F"), "medium"),
    Seed("rework cost typed over", one("calc.rework_cost", "E", 1000), "S101",
         cell("calc.rework_cost"), "high"),
    Seed("efficiency used typed over", one("eff.efficiency", "G", 0.9), "S101",
         cell("eff.efficiency", "G"), "high"),
    Seed("total on the Cover typed over", lambda: edited(put_at("Cover", "G13", 99999)), "S101",
         "Cover!G13", "high"),
    Seed("formula halved", one(RENT, "E", f"={cell('calc.gpu_hours')[5:]}*E25*0.5"), "S102",
         cell(RENT), "high"),
    Seed("formula of another column", one(RENT, "F", "=E21*E25"), "S102", cell(RENT, "F"), "high"),
    Seed("formula wrong by a row", one("calc.fixed_costs", "E", "=E27+E29"), "S102",
         cell("calc.fixed_costs"), "medium"),
    Seed("total leaves egress out", one(TOTAL, "G", "=G26+G27+G28"), "S102", cell(TOTAL, "G"),
         "medium"),
    Seed("formula reads a constant", one("calc.gpu_hour_price", "E", "=1.99"), "S102",
         cell("calc.gpu_hour_price"), "high"),
    Seed("formula emptied", one("calc.rework_cost", "E", None), "S103", cell("calc.rework_cost"),
         "high"),
    Seed("broken reference", one("calc.rework_cost", "E", "=#REF!*2"), "S104",
         cell("calc.rework_cost"), "high"),
    Seed("dollar sign in a formula (A04)", one("calc.rework_cost", "E", "=$8*$80000"), "S105",
         cell("calc.rework_cost"), "high"),
    Seed("semicolon in a formula", one("calc.fixed_costs", "E", "=SUM(E30;E31)"), "S105",
         cell("calc.fixed_costs"), "high"),
    Seed("circle", one("calc.rework_cost", "E", f"={cell(TOTAL)[5:]}*0.1"), "S108",
         cell("calc.rework_cost"), "high"),
    Seed("row deleted", lambda: edited(shifted("Calc", int(at("calc.rework_cost")[1][1:]), -1)),
         "S106", "Calc", "high"),
    Seed("sheet deleted", lambda: edited(lambda book: book.remove(book["Efficiency"])), "S163",
         "Efficiency", "high"),
    Seed("hidden sheet feeds the price (D03)", lambda: edited(_helper_sheet), "S102",
         cell("calc.gpu_hour_price"), "high"),
    Seed("constant changed", lambda: edited(put_at(*at("const.hours_per_day"), 20)), "S110",
         "!".join(at("const.hours_per_day")), "medium"),
    Seed("list of losses changed", lambda: edited(put_at("Lists", "E5", 0.05)), "S110", "Lists!E5",
         "medium"),
    Seed("tolerance widened", lambda: edited(put_at("Checks", "G7", 1e6)), "S111", "Checks!G7",
         "high"),
    Seed("limit of an input widened", lambda: edited(put_at("Inputs", f"I{at(EFF)[1][1:]}", 9)),
         "S112", f"Inputs!I{at(EFF)[1][1:]}", "high"),
    Seed("check typed over", lambda: edited(put_at("Checks", "H7", 0)), "S101", "Checks!H7",
         "high"),
    Seed("master check typed over",
         lambda: edited(put_at("Checks", f"H{at('chk.master')[1][1:]}", 0)), "S101",
         f"Checks!H{at('chk.master')[1][1:]}", "high"),
    Seed("left side of a check changed", lambda: edited(put_at("Checks", "E7", "=F7")), "S102",
         "Checks!E7", "high"),
    Seed("label changed", lambda: edited(put_at("Calc", f"C{at(TOTAL)[1][1:]}", "Refund")), "S113",
         f"Calc!C{at(TOTAL)[1][1:]}", "low"),
    Seed("id changed", lambda: edited(put_at("Calc", f"B{at(RENT)[1][1:]}", "calc.other")), "S113",
         f"Calc!B{at(RENT)[1][1:]}", "low"),
    Seed("unit per node", _text_in_place(PRICE, "USD/GPU-h", "USD/node-h"), "S114",
         cell(PRICE, "D"), "high"),
    Seed("another currency (C19)", _text_in_place(STORE, "USD", "EUR"), "S114", cell(STORE, "D"),
         "high"),
    Seed("name of the total gone (D10)", _name("out_total_cost", None), "S120", cell(TOTAL),
         "high"),
    Seed("name of the total shifted (D10)", _name("out_total_cost", "Calc!$E$34:$G$34"), "S120",
         cell(TOTAL), "high"),
    Seed("master check re-pointed", _name("chk_master", "Checks!$H$5"), "S120",
         f"Checks!H{at('chk.master')[1][1:]}", "high"),
    Seed("list of methods cut", _name("lst_methods", "Lists!$B$12:$B$13"), "S120", "Lists!B11",
         "high"),
    Seed("hidden row", _hidden_row("calc.rework_cost"), "S130",
         f"Calc!{at('calc.rework_cost')[1][1:]}:{at('calc.rework_cost')[1][1:]}", "low"),
    Seed("hidden column", lambda: edited(
        lambda book: setattr(book["Calc"].column_dimensions["E"], "hidden", True)), "S130",
        "Calc!E:E", "low"),
    Seed("hidden sheet (D03)", lambda: edited(
        lambda book: setattr(book["Calc"], "sheet_state", "hidden")), "S130", "Calc", "low"),
    Seed("very hidden sheet (D03)", lambda: edited(
        lambda book: setattr(book["Efficiency"], "sheet_state", "veryHidden")), "S130",
        "Efficiency", "low"),
    Seed("link to another file", one("calc.rework_cost", "E", "=[1]Costs!A1"), "S140",
         cell("calc.rework_cost"), "high"),
    Seed("link in an input", one(STORE, "E", "=[1]Costs!A1"), "S140", cell(STORE), "high"),
    Seed("macros (D20)", _macros, "S141", "", "low"),
    Seed("today in a formula (D15)", one("calc.rework_cost", "E", "=E26*E19+0*TODAY()"), "S142",
         cell("calc.rework_cost"), "medium"),
    Seed("today in an input (D15)", one(STORE, "E", "=TODAY()/100"), "S142", cell(STORE), "medium"),
    Seed("path of an add-in (B13)",
         one("calc.rework_cost", "E", "='C:\\Users\\me\\demo.xlam'!REWORK_COST(1,2,3,1,0)"),
         "S102", cell("calc.rework_cost"), "high"),
    Seed("added row in the total", lambda: edited(_added_row), "S102", "Calc!E32", "high"),
    Seed("added cell in a check's range", lambda: edited(_check_range), "S107", "Inputs!J9",
         "medium"),
    Seed("validation loosened", _validation(EFF, DataValidation(
        "decimal", operator="between", formula1="0", formula2="99")), "S150",
        f"Inputs!E{at(EFF)[1][1:]}, F{at(EFF)[1][1:]}, G{at(EFF)[1][1:]}", "low"),
    Seed("one validation removed", _validation(PRICE, None), "S150",
         f"Inputs!E{at(PRICE)[1][1:]}, F{at(PRICE)[1][1:]}, G{at(PRICE)[1][1:]}", "low"),
    Seed("formula cell unlocked", _unlocked, "S153", cell("calc.rework_cost"), "low"),
    Seed("another version", lambda: with_xml(
        "docProps/custom.xml", ">1.0.0<", ">0.0.1<"), "S164", "", "low"),
    Seed("manual calculation", lambda: with_xml(
        "xl/workbook.xml", 'calcMode="auto"', 'calcMode="manual"'), "S170", "", "low"),
)  # fmt: skip

INPUTS = (
    Seed("percent without sign (B06)", one(EFF, "E", 80), "I201", cell(EFF), "high"),
    Seed("negative storage", one(STORE, "E", -500), "I201", cell(STORE), "high"),
    Seed("half a GPU (C04)", one("in.gpus", "E", 64.5), "I201", cell("in.gpus"), "high"),
    Seed("no GPUs (C04)", one("in.gpus", "E", 0), "I201", cell("in.gpus"), "high"),
    Seed("price as text (D06)", _text_number(PRICE, "$2.50"), "I202", cell(PRICE), "high"),
    Seed("no-break thousands (D06)", _text_number(STORE, "1\u00a0500"), "I202", cell(STORE),
         "high"),
    Seed("apostrophe number (D06)", _text_number(STORE, "207"), "I202", cell(STORE), "high"),
    Seed("price missing", one(PRICE, "E", None), "I203", cell(PRICE), "high"),
    Seed("efficiency missing (C20)", one(EFF, "E", None), "I203", cell(EFF), "high"),
    Seed("hours missing for the basis", one("in.ideal_hours", "E", None), "I203",
         cell("in.ideal_hours"), "high"),
    Seed("unusual GPUs per node", one("in.gpus_per_node", "E", 128), "I204",
         cell("in.gpus_per_node"), "low"),
    Seed("choice not in the list", one("in.work_basis", "E", "weeks"), "I205",
         cell("in.work_basis"), "high"),
    Seed("input is a formula", one(STORE, "E", "=100+107"), "I206", cell(STORE), "low"),
    Seed("input in error (A06)", one(STORE, "E", "=1/0"), "I207", cell(STORE), "high"),
    Seed("dollar sign in an input (A04)", one(STORE, "E", "=$8*$80000"), "S105", cell(STORE),
         "high"),
    Seed("floor is shown", lambda: edited(_network), "I210", cell("in.efficiency_floor"), "medium"),
    Seed("efficiency above measurements", one(EFF, "G", 0.999), "I211", cell(EFF, "G"), "high"),
    Seed("efficiency above one (C06)", one(EFF, "G", 1.2), "I211", cell(EFF, "G"), "high"),
    Seed("pilot of one size", _pilot(**{"in.pilot_base_nodes": 1.0,
         "in.pilot_base_throughput": 122.0, "in.pilot_nodes": 1.0, "in.pilot_throughput": 110.0}),
         "I208", cell("in.pilot_nodes"), "high"),
    Seed("per-GPU pilot (C08)", _pilot(**{"in.pilot_base_nodes": 1.0,
         "in.pilot_base_throughput": 122.0, "in.pilot_nodes": 8.0, "in.pilot_throughput": 110.0}),
         "I212", cell("in.pilot_throughput"), "high"),
    Seed("price below every list", one(PRICE, "F", 0.31), "I220", cell(PRICE, "F"), "high"),
    Seed("price in cents", one(PRICE, "E", 260), "I220", cell(PRICE), "high"),
    Seed("instance price, times GPUs (C01)", _instance_price, "I221", cell(PRICE), "high"),
    Seed("instance price of a list (C01)", one(PRICE, "E", 55.04), "I221", cell(PRICE), "high"),
    Seed("hardly any rework", one(REWORK, "G", 0.001), "I230", cell(REWORK, "G"), "low"),
    Seed("rework far above failures", one(REWORK, "E", 0.9), "I231", cell(REWORK), "high"),
    Seed("line of owner and date emptied", lambda: edited(put_at("Cover", "B8", None)), "I240",
         "Cover!B8", "medium"),
    Seed("owner to be said", _cover("A. Owner", "T.B.D."), "I240", "Cover!B8", "medium"),
    Seed("owner missing", _cover("A. Owner", "not given"), "I240", "Cover!B8", "medium"),
    Seed("date missing", _cover("2026-11-01", "not given"), "I240", "Cover!B8", "medium"),
    Seed("date is old", _cover("2026-11-01", "2026-03-31"), "I241", "Cover!B8", "medium"),
    Seed("date lies ahead", _cover("2026-11-01", "2027-02-01"), "I241", "Cover!B8", "medium"),
    Seed("an example is left", lambda: edited(_example), "I250", "Inputs!E4", "low"),
    Seed("two scenarios of one name", lambda: edited(
        put_at("Inputs", "F4", "Baseline 64 of ours")), "I251", "Inputs!E4, F4", "low"),
    Seed("scenario without a name", lambda: edited(put_at("Inputs", "F4", None)), "I252",
         "Inputs!F4", "low"),
)  # fmt: skip

RESULT = (
    Seed("stored total is old (A01)", lambda: with_value(*at(TOTAL), 20000), "R301", cell(TOTAL),
         "high"),
    Seed("input changed, nothing calculated (A01)", lambda: with_value(*at(STORE), 9000), "R301",
         cell(TOTAL), "high"),
)  # fmt: skip

SEEDS = (*STRUCTURE, *INPUTS, *RESULT)
