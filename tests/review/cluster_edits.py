"""Seeded edits of a filled cluster proposal: one change each, and the one finding of it.

Rows are found by their ids, so that the table holds when the template grows.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import openpyxl
from openpyxl.styles import Protection
from openpyxl.worksheet.datavalidation import DataValidation

from review.clusters import (
    PROPOSAL,
    at,
    cell,
    changed,
    filled,
    proposal,
    put,
)
from review.edits import Seed
from review.workbooks import edited, packed, parts_of, put_at, shifted, with_xml
from scalesheet_workbooks.build import build

Make = Callable[[], bytes]
TOTAL, RENT, DEPRECIATION = "cost.total", "bill.committed_cost", "own.depreciation"
PRICE, EFF, PEOPLE, COMMITTED = (
    "in.gpu_hour_price",
    "in.efficiency",
    "in.people",
    "in.committed_gpu_hours",
)
RESULT = "H"
"""The column of a check's result; its sides stand in E and F, its tolerance in G."""
KIND, OWNER, SOURCE, AS_OF, SURE = "G", "K", "L", "M", "N"
"""Beside the inputs, with two scenarios."""
PEAK = "peak_flops_per_second"
MODEL: dict[str, float | str] = {
    "work_basis": "model size",
    "parameters": 65e9,
    "tokens": 1.8e12,
    PEAK: 989e12,
    "mfu": 0.4,
}
"""A model of 65 billion parameters, 1.8 trillion tokens, the dense peak of an H100."""


def one(line: str, column: str, value: object) -> Make:
    """A file with one cell of a line changed."""
    return changed(put(line, column, value))


def covered_thrice(says: str | None) -> Make:
    """Contingency beside failures and rework, and what the Cover says of it."""
    said = put("in.contingency_covers", "D", says)
    return changed(put("in.contingency", "F", 0.08), said)


@cache
def row(line: str) -> int:
    """The row of a line."""
    return int("".join(letter for letter in at(line)[1] if letter.isdigit()))


def _area(line: str, columns: str = "EF") -> str:
    sheet, _ = at(line)
    return f"{sheet}!" + ", ".join(f"{column}{row(line)}" for column in columns)


def _name(name: str, text: str | None) -> Make:
    def edit(book: openpyxl.Workbook) -> None:
        if text is None:
            del book.defined_names[name]
        else:
            book.defined_names[name].attr_text = text

    return changed(edit)


def _validation(line: str, rule: DataValidation | None) -> Make:
    def edit(book: openpyxl.Workbook) -> None:
        sheet, address = at(line)
        rules = book[sheet].data_validations.dataValidation
        rules[:] = [one for one in rules if address not in one.sqref]
        if rule is not None:
            rule.add(f"E{row(line)}:F{row(line)}")
            rules.append(rule)

    return changed(edit)


def _unlocked(book: openpyxl.Workbook) -> None:
    sheet, address = at(TOTAL)
    book[sheet][address].protection = Protection(locked=False)


def _helper_sheet(book: openpyxl.Workbook) -> None:
    book.create_sheet("Rates")["A1"] = 1.5
    book["Rates"].sheet_state = "veryHidden"
    sheet, address = at("bill.price")
    book[sheet][address] = "=Rates!A1"


def _hidden(line: str) -> Make:
    def edit(book: openpyxl.Workbook) -> None:
        book[at(line)[0]].row_dimensions[row(line)].hidden = True

    return changed(edit)


def _state(sheet: str, state: str) -> Make:
    return changed(lambda book: setattr(book[sheet], "sheet_state", state))


def _macros() -> bytes:
    return packed(parts_of(filled()) | {"xl/vbaProject.bin": b"\0"})


def _added_row(book: openpyxl.Workbook) -> None:
    """A row above the sum of the lines, filled and added to it."""
    total = row("cost.before_tax")
    shifted("Cost", total, 1)(book)
    book["Cost"][f"E{total}"] = 9000
    cell_ = book["Cost"][f"E{total + 1}"]
    cell_.value = str(cell_.value).replace("SUM(", f"E{total}+SUM(", 1)


def with_inputs(place: int, **values: float | str) -> Make:
    """A proposal built with other inputs of a scenario, named without their prefix."""

    def make() -> bytes:
        study = proposal()
        cases = list(study.scenarios)
        more = {f"in.{key}": value for key, value in values.items()}
        cases[place] = replace(cases[place], values={**cases[place].values, **more})
        return build(PROPOSAL, replace(study, scenarios=tuple(cases)))

    return make


def own(
    programme: float, capital_budget: float = 2e7, budget: float = 9e6, life_years: float = 4.0
) -> Make:
    """The proposal with a third scenario, in which the GPUs are bought, proposed."""

    def make() -> bytes:
        bought = {"in.acquisition": "own", "in.programme_months": programme}
        study = proposal({**bought, "in.life_years": life_years})
        once = {"in.live_scenario": 3.0, "in.capex_budget": capital_budget, "in.budget": budget}
        more = replace(study.proposal, once={**study.proposal.once, **once})
        return build(PROPOSAL, replace(study, proposal=more))

    return make


def _sign(**cells: object) -> Make:
    """The first line of the sign-off filled, by column."""
    return changed(*(put("in.sign_1", column, value) for column, value in cells.items()))


def _version(book: bytes) -> bytes:
    return with_xml("docProps/custom.xml", ">1.", ">0.", book)


FORMULAS = (
    Seed("total typed over, wrong (D05)", one(TOTAL, "E", 2e6), "S101", cell(TOTAL), "high"),
    Seed("total typed over by little", one(TOTAL, "E", 2_567_000), "S101", cell(TOTAL), "medium"),
    Seed("rent typed over", one(RENT, "F", 1e6), "S101", cell(RENT, "F"), "high"),
    Seed("hours typed over", one("calc.paid_hours", "F", 3000), "S101",
         cell("calc.paid_hours", "F"), "high"),
    Seed("efficiency typed over", one("eff.efficiency", "F", 0.95), "S101",
         cell("eff.efficiency", "F"), "high"),
    Seed("depreciation typed over", one(DEPRECIATION, "E", 1), "S101", cell(DEPRECIATION),
         "medium"),
    Seed("cash typed over", one("cost.cash", "E", 1), "S101", cell("cost.cash"), "high"),
    Seed("total on the Cover typed over", changed(put_at("Cover", "D5", 1e6)), "S101", "Cover!D5",
         "high"),
    Seed("a month typed over", one("mon.3", "G", 0), "S101", cell("mon.3", "G"), "medium"),
    Seed("rent without what is idle", one(RENT, "E", f"=E{row('bill.used_gpu_hours')}"), "S102",
         cell(RENT), "high"),
    Seed("formula of another column", one(TOTAL, "F", f"=E{row('cost.before_tax')}"), "S102",
         cell(TOTAL, "F"), "high"),
    Seed("tax left out", one("cost.tax", "E", "=0"), "S102", cell("cost.tax"), "medium"),
    Seed("contingency emptied", one("cost.contingency", "E", None), "S103",
         cell("cost.contingency"), "medium"),
    Seed("broken reference", one("cost.people", "E", "=#REF!"), "S104", cell("cost.people"),
         "high"),
    Seed("dollar sign in a formula (A04)", one("cost.people", "E", "=$8*$80000"), "S105",
         cell("cost.people"), "high"),
    Seed("semicolon in a formula", one("cost.storage", "E", "=SUM(E18;E19)"), "S105",
         cell("cost.storage"), "high"),
    Seed("circle", one("cost.people", "E", f"=E{row(TOTAL)}*0.1"), "S108", cell("cost.people"),
         "high"),
    Seed("row deleted", changed(shifted("Cost", row("cost.tax"), -1)), "S106", "Cost", "high"),
    Seed("sheet deleted", changed(lambda book: book.remove(book["Bill"])), "S163", "Bill",
         "high"),
    Seed("hidden sheet feeds the price (D03)", changed(_helper_sheet), "S102", cell("bill.price"),
         "high"),
    Seed("added row in the total", changed(_added_row), "S102",
         f"Cost!E{row('cost.before_tax') + 1}", "medium"),
    Seed("link to another file", one("cost.people", "E", "=[1]Costs!A1"), "S140",
         cell("cost.people"), "high"),
    Seed("today in a formula (D15)", one("cost.people", "E", f"={cell(PEOPLE)}+0*TODAY()"), "S142",
         cell("cost.people"), "medium"),
)  # fmt: skip

SETUP = (
    Seed("constant changed", one("const.hours_per_month", "E", 700), "S110",
         cell("const.hours_per_month"), "medium"),
    Seed("tolerance widened", one("chk.total", "G", 1e6), "S111", cell("chk.total", "G"), "high"),
    Seed("limit of an input widened", one(EFF, "I", 9), "S112", cell(EFF, "I"), "high"),
    Seed("check typed over", one("chk.total", RESULT, 0), "S101", cell("chk.total", RESULT),
         "high"),
    Seed("master check typed over", one("chk.master", RESULT, 0), "S101",
         cell("chk.master", RESULT), "high"),
    Seed("alert typed over", one("chk.idle_hours", RESULT, 0), "S101",
         cell("chk.idle_hours", RESULT), "high"),
    Seed("left side of a check changed", one("chk.total", "E", f"=F{row('chk.total')}"), "S102",
         cell("chk.total", "E"), "high"),
    Seed("label changed", one(TOTAL, "C", "Refund"), "S113", cell(TOTAL, "C"), "low"),
    Seed("id changed", one(TOTAL, "B", "cost.other_total"), "S113", cell(TOTAL, "B"), "low"),
    Seed("unit per node", one(PRICE, "D", "USD/node-h"), "S114", cell(PRICE, "D"), "high"),
    Seed("another currency (C19)", one("cost.rent", "D", "EUR"), "S114", cell("cost.rent", "D"),
         "high"),
    Seed("name of the total gone (D10)", _name("out_total_cost", None), "S120", cell(TOTAL),
         "high"),
    Seed("name of the total shifted (D10)",
         _name("out_total_cost", f"Cost!$E${row('cost.rent')}:$F${row('cost.rent')}"), "S120",
         cell(TOTAL), "high"),
    Seed("selector re-pointed", _name("sel_scenario", "Inputs!$E$8"), "S120",
         cell("in.live_scenario"), "high"),
    Seed("hidden row", _hidden("cost.rent"), "S130", f"Cost!{row('cost.rent')}:{row('cost.rent')}",
         "low"),
    Seed("hidden column", changed(
        lambda book: setattr(book["Bill"].column_dimensions["F"], "hidden", True)), "S130",
        "Bill!F:F", "low"),
    Seed("hidden sheet (D03)", _state("Bill", "hidden"), "S130", "Bill", "low"),
    Seed("very hidden sheet (D03)", _state("Cost", "veryHidden"), "S130", "Cost", "low"),
    Seed("macros (D20)", _macros, "S141", "", "low"),
    Seed("validation loosened", _validation(EFF, DataValidation(
        "decimal", operator="between", formula1="0", formula2="99")), "S150", _area(EFF), "low"),
    Seed("one validation removed", _validation(PRICE, None), "S150", _area(PRICE), "low"),
    Seed("formula cell unlocked", changed(_unlocked), "S153", cell(TOTAL), "low"),
    Seed("another version", lambda: _version(filled()), "S164", "", "low"),
    Seed("manual calculation", lambda: with_xml(
        "xl/workbook.xml", 'calcMode="auto"', 'calcMode="manual"', filled()), "S170", "", "low"),
)  # fmt: skip

INPUTS = (
    Seed("percent without sign (B06)", one(EFF, "E", 85), "I201", cell(EFF), "high"),
    Seed("people below zero", one(PEOPLE, "E", -5), "I201", cell(PEOPLE), "high"),
    Seed("half a GPU (C04)", one("in.gpus", "F", 255.5), "I201", cell("in.gpus", "F"), "high"),
    Seed("price as text (D06)", one(PRICE, "E", "$2.10"), "I202", cell(PRICE), "high"),
    Seed("no-break thousands (D06)", one(PEOPLE, "E", "300\u00a0007"), "I202", cell(PEOPLE),
         "high"),
    Seed("commitment as text", one(COMMITTED, "E", "970752 h"), "I202", cell(COMMITTED), "high"),
    Seed("price missing", one(PRICE, "F", None), "I203", cell(PRICE, "F"), "high"),
    Seed("commitment missing", one(COMMITTED, "E", None), "I203", cell(COMMITTED), "high"),
    Seed("efficiency missing (C20)", one(EFF, "E", None), "I203", cell(EFF), "high"),
    Seed("unusual experiments", one("in.experiments", "F", 1.5), "I204",
         cell("in.experiments", "F"), "medium"),
    Seed("choice not in the list", one("in.acquisition", "F", "leased"), "I205",
         cell("in.acquisition", "F"), "high"),
    Seed("input is a formula", one(PEOPLE, "E", "=300000+7"), "I206", cell(PEOPLE), "low"),
    Seed("input in error (A06)", one(PEOPLE, "E", "=1/0"), "I207", cell(PEOPLE), "high"),
    Seed("efficiency above measurements", one(EFF, "F", 0.999), "I211", cell(EFF, "F"), "high"),
    Seed("price below every list", one(PRICE, "F", 0.31), "I220", cell(PRICE, "F"), "high"),
    Seed("price in cents", one(PRICE, "F", 295), "I220", cell(PRICE, "F"), "high"),
    Seed("instance price of a list (C01)", one(PRICE, "F", 55.04), "I221", cell(PRICE, "F"),
         "high"),
    Seed("hardly any rework", one("in.rework", "F", 0.001), "I230", cell("in.rework", "F"),
         "low"),
    Seed("rework far above failures", one("in.rework", "F", 0.9), "I231", cell("in.rework", "F"),
         "high"),
    Seed("one risk covered three times", covered_thrice("yes"), "I232",
         cell("in.contingency", "F"), "low"),
    Seed("owner missing", one(PRICE, OWNER, None), "I240", cell(PRICE, OWNER), "medium"),
    Seed("source missing on what weighs little", one("in.moved_times", SOURCE, None), "I240",
         cell("in.moved_times", SOURCE), "low"),
    Seed("date is old", one(PRICE, AS_OF, 45_000), "I241", cell(PRICE, AS_OF), "medium"),
    Seed("date lies ahead", one(PRICE, AS_OF, 46_500), "I241", cell(PRICE, AS_OF), "medium"),
    Seed("decision without a date", _sign(D="C. Officer", G="approved"), "I242",
         cell("in.sign_1", "F"), "medium"),
    Seed("decision without a name", _sign(F=46_350, G="approved"), "I242",
         cell("in.sign_1", "D"), "medium"),
    Seed("date without a decision", _sign(D="C. Officer", F=46_350), "I242",
         cell("in.sign_1", "G"), "medium"),
    Seed("decision of a day to come", _sign(D="C. Officer", F=46_500, G="approved"), "I242",
         cell("in.sign_1", "F"), "medium"),
    Seed("approved by somebody, at no date", one("log.1", "G", "C. Officer"), "I242",
         cell("log.1", "H"), "low"),
    Seed("gate decided by nobody", changed(put("log.gate_1", "D", 46_350),
         put("log.gate_1", "E", None), put("log.gate_1", "H", "approved")), "I242",
         cell("log.gate_1", "E"), "low"),
    Seed("an example is left", one(PEOPLE, SOURCE, "example: replace"), "I250",
         cell(PEOPLE, SOURCE), "low"),
    Seed("two scenarios of one name", one("in.scenario", "F", "Reserved of ours"), "I251",
         _area("in.scenario"), "low"),
    Seed("scenario without a name", one("in.scenario", "F", None), "I252",
         cell("in.scenario", "F"), "low"),
)  # fmt: skip

ROOTS = (
    Seed("people emptied", one(PEOPLE, "E", None), "I203", cell(PEOPLE), "high"),
    Seed("share of contingency emptied", one("in.contingency", "F", None), "I203",
         cell("in.contingency", "F"), "high"),
    Seed("step of sensitivity emptied", one("in.step_price", "E", None), "I203",
         cell("in.step_price"), "high"),
    Seed("budget emptied", one("in.budget", "E", None), "I203", cell("in.budget"), "high"),
    Seed("cost of capital of what is bought emptied",
         lambda: edited(put("in.capital_rate", "G", None), data=own(36.0, life_years=3.0)()),
         "I203", cell("in.capital_rate", "G"), "high"),
    Seed("currency emptied", one(PRICE, KIND, None), "I203", cell(PRICE, KIND), "high"),
    Seed("currency without a rate", one(PRICE, KIND, "GBP"), "I205", cell(PRICE, KIND), "high"),
    Seed("rate emptied", one("in.fx_1", "E", None), "I203", cell("in.fx_1"), "high"),
    Seed("scenario that is not there", one("in.live_scenario", "E", 3), "I201",
         cell("in.live_scenario"), "high"),
    Seed("tiers in the wrong order", changed(
        put("in.tier_1_limit", "F", 51_200), put("in.tier_2_limit", "F", 10_240)), "I208",
        cell("in.tier_1_limit", "F"), "high"),
    Seed("range upside down", changed(
        put("in.gpu_hour_price_low", "E", 5), put("in.gpu_hour_price_mode", "E", 2.65)), "I208",
         cell("in.gpu_hour_price_low"), "medium"),
    Seed("point without its throughput", one("in.measured_nodes_8", "F", 8), "I203",
         cell("in.measured_rate_8", "F"), "high"),
    Seed("programme of a month", one("in.programme_months", "F", 1), "I209",
         cell("in.programme_months", "F"), "high"),
    Seed("nodes typed as GPUs", one("in.gpus", "F", 32), "I209", cell("in.gpus", "F"), "high"),
    Seed("parameters in billions", with_inputs(1, **(MODEL | {"parameters": 65.0})), "I222",
         cell("in.parameters", "F"), "high"),
    Seed("peak in TFLOP/s", with_inputs(1, **(MODEL | {PEAK: 989.0})), "I222",
         cell("in.peak_flops_per_second", "F"), "high"),
    Seed("price of a GPU for that of a server",
         lambda: edited(put("in.node_price", "G", 38_750), data=own(36.0, life_years=3.0)()),
         "I223", cell("in.node_price", "G"), "high"),
    Seed("residual above the price",
         lambda: edited(put("in.residual_per_gpu", "G", 60_000), data=own(36.0, life_years=3.0)()),
         "I223", cell("in.residual_per_gpu", "G"), "high"),
    Seed("further hours cheaper than committed ones", one("in.overflow_price", "E", 1.5), "I223",
         cell("in.overflow_price"), "medium"),
)  # fmt: skip

SAID = (
    Seed("owner to be said", one(PRICE, OWNER, "TBD"), "I240", cell(PRICE, OWNER), "medium"),
    Seed("source that is none", one(PRICE, SOURCE, "see above"), "I240", cell(PRICE, SOURCE),
         "medium"),
    Seed("day in words", one(PRICE, AS_OF, "last week"), "I240", cell(PRICE, AS_OF), "medium"),
    Seed("day that is always today", one(PRICE, AS_OF, "=TODAY()"), "S142", cell(PRICE, AS_OF),
         "low"),
    Seed("how sure, emptied", one(PRICE, SURE, None), "I240", cell(PRICE, SURE), "medium"),
    Seed("how sure, in other words", one(PRICE, SURE, "very"), "I205", cell(PRICE, SURE), "low"),
    Seed("tag that is none", one(PEOPLE, KIND, "other"), "I205", cell(PEOPLE, KIND), "low"),
    Seed("reason to be said", one("in.why_chosen", "E", "TODO"), "I244", cell("in.why_chosen"),
         "medium"),
    Seed("no reason", one("in.why_chosen", "E", None), "I244", cell("in.why_chosen"), "medium"),
    Seed("contingency for what is to be said", changed(
        put("in.contingency", "F", 0.08), put("in.contingency_covers", "D", "no"),
        put("in.contingency_for", "D", "TBD")), "I244", cell("in.contingency_for", "D"), "medium"),
    Seed("filler text", one("in.scope_1", "D", "Lorem ipsum dolor"), "I244",
         cell("in.scope_1", "D"), "low"),
    Seed("approved by nobody", one("in.status", "D", "approved"), "I242", cell("in.status", "D"),
         "medium"),
    Seed("version without an author", one("log.1", "E", None), "I244", cell("log.1", "E"), "low"),
    Seed("offer of no kind", changed(put("offer.gpu_hour_price", "E", "Example Cloud"),
         put("offer.gpu_hour_price", "F", "17")), "I244", cell("offer.gpu_hour_price", "G"), "low"),
)  # fmt: skip

DECISIONS = (
    Seed("more committed than used", with_inputs(0, committed_gpu_hours=1.1e6), "R330",
         cell(COMMITTED), "medium"),
    Seed("half of the use committed", with_inputs(0, committed_gpu_hours=5e5), "R331",
         cell(COMMITTED), "medium"),
    Seed("term ends before the work", with_inputs(0, term_months=3.0), "R332",
         cell("in.term_months"), "low"),
    Seed("budget below the total", one("in.budget", "E", 2.4e6), "R333", cell("in.budget"),
         "medium"),
    Seed("scenario not proposed is above the budget", one("in.budget", "E", 3e6), "R333",
         cell("in.budget"), "low"),
    Seed("dearer scenario is proposed", one("in.live_scenario", "E", 2), "R337",
         cell("in.live_scenario"), "low"),
    Seed("a small change flips it", one(PRICE, "E", 2.78), "R338", cell("in.live_scenario"),
         "low"),
)  # fmt: skip

SEEDS = (*FORMULAS, *SETUP, *INPUTS, *ROOTS, *SAID, *DECISIONS)


def typed_over(line: str, data: bytes) -> bytes:
    """A file with the result of an alert typed over with a pass."""
    return edited(put(line, RESULT, 0), data=data)
