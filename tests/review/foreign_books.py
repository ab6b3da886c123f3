"""Workbooks of no template of ours: sound ones in many styles, and the same with one fault each."""

import datetime
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import openpyxl

Rows = list[list[Any]]
Book = dict[str, Rows]
MONTHS = [datetime.date(2027, month, 1) for month in range(1, 13)]
Q = "CDEFGHIJ"


def saved(sheets: Book, *edits: tuple[str, Any]) -> bytes:
    """A workbook of these rows, with some cells of its first sheet changed; saved by openpyxl."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    for cell, value in edits:
        book.worksheets[0][cell] = value
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def items() -> Book:
    """Blocks with subtotals, a total of them, shares of the total."""

    def line(row: int, *cells: Any) -> list[Any]:
        return [*cells, f"=B{row}*C{row}", f"=D{row}/$D$16"]

    return {
        "Budget 2027": [
            ["GPU cluster budget 2027"], [], ["Item", "Quantity", "Unit price", "Amount", "Share"],
            ["Hardware"], line(5, "GPU servers", 32, 310000), line(6, "Switches", 4, 45000),
            ["Subtotal hardware", None, None, "=SUM(D5:D6)", "=D7/$D$16"], [],
            ["Operations"], line(10, "Power, kWh", 2400000, 0.08), line(11, "Staff", 3, 140000),
            line(12, "Support", 1, 60000),
            ["Subtotal operations", None, None, "=SUM(D10:D12)", "=D13/$D$16"], [], [],
            ["Total", None, None, "=D7+D13", "=E7+E13"],
        ]
    }  # fmt: skip


def years() -> Book:
    """Years across, a total column and row, growth."""
    lines = [["Rent", 1200, 1400, 1500, 1600, 1700], ["People", 420, 440, 460, 480, 500],
             ["Storage", 90, 95, 99, 110, 120], ["Egress", 20, 21, 22, 24, 25]]  # fmt: skip
    return {
        "5y plan": [
            ["USD k", 2026, 2027, 2028, 2029, 2030, "Total"],
            *([*line, f"=SUM(B{row}:F{row})"] for row, line in enumerate(lines, 2)),
            ["Total", *(f"=SUM({c}2:{c}5)" for c in "BCDEFG")],
            ["Growth", None, *(f"={c}6/{b}6-1" for b, c in zip("BCDE", "CDEF", strict=True))],
        ]
    }


def several_sheets() -> Book:
    return {
        "Assumptions": [["Price per GPU-hour", 2.1], ["GPUs", 256], ["Hours", 3400],
                        ["Contingency", 0.08]],
        "Calc sheet": [["GPU-hours", "=Assumptions!B2*Assumptions!B3"],
                       ["Rent", "=B1*Assumptions!B1"], ["Contingency", "=B2*Assumptions!B4"]],
        "Summary": [["Total cost", "='Calc sheet'!B2+'Calc sheet'!B3"],
                    ["per GPU", "=B1/Assumptions!B2"]],
    }  # fmt: skip


def typed() -> Book:
    return {"Costs": [["Cost", "EUR"], ["Rent", 120000], ["Staff", 80000], ["Misc", 4500],
                      ["Total", 204500]]}  # fmt: skip


def invoices() -> Book:
    rows: Rows = [["Order", "Month", "Invoice", "Cumulative"]]
    for place, month in enumerate(MONTHS):
        total = "=C2" if place == 0 else f"=D{place + 1}+C{place + 2}"
        rows.append([450012 + place, month, 10000 + place * 100, total])
    return {"Invoices": [*rows, [None, "Total", "=SUM(C2:C13)"]]}


def total_on_top() -> Book:
    return {"Costs": [["Total programme", "=SUM(C4:C9)"], [], ["Line", "Type", "USD"],
        ["H100 rent", "opex", 900000], ["Disks", "capex", 70000], ["Racks", "capex", 64000],
        ["Staff", "opex", 420000], ["Trips", "opex", 8000], ["Spare", "capex", 0], [],
        ["capex", None, '=SUMIF(B4:B9,"capex",C4:C9)'],
        ["opex", None, '=SUMIF(B4:B9,"opex",C4:C9)'], ["check", None, "=C11+C12-B1"]]}  # fmt: skip


def german() -> Book:
    return {"Kosten": [["Position", "Betrag EUR"], ["Miete", 100000], ["Personal", 50000],
                       ["Gutschrift", -5000], ["Zwischensumme", "=SUM(B2:B4)"],
                       ["USt 19 %", "=B5*0.19"], ["Summe", "=B5+B6"]]}  # fmt: skip


def look_up() -> Book:
    found = "=IFERROR(VLOOKUP(A{0},Prices!$A$2:$B$4,2,FALSE),0)"
    return {
        "Plan": [["Model", "GPUs", "Price", "Cost"],
                 *([name, count, found.format(row), f"=B{row}*C{row}*720"]
                   for row, (name, count) in enumerate([("H100", 64), ("A100", 32), ("B200", 16)],
                                                       2)),
                 ["Total", "=SUM(B2:B4)", None, "=SUM(D2:D4)"]],
        "Prices": [["Model", "USD/h"], ["H100", 2.5], ["A100", 1.4], ["B200", 5.1]],
    }  # fmt: skip


def teams() -> Book:
    """Rows below the total that are no lines of it."""
    lines = [[team, *(100 + 10 * q + place for q in range(4)), f"=SUM(B{place}:E{place})", 500,
              f"=F{place}/G{place}"] for place, team in enumerate("ABC", 2)]  # fmt: skip
    return {
        "Teams": [
            ["Team", "Q1", "Q2", "Q3", "Q4", "FY", "Budget", "% used"],
            *lines,
            ["Total", *(f"=SUM({c}2:{c}4)" for c in "BCDEFG"), "=F5/G5"],
            ["Average", *(f"=AVERAGE({c}2:{c}4)" for c in "BCDEFG")],
            ["Max", *(f"=MAX({c}2:{c}4)" for c in "BCDEFG")],
        ]
    }


def subtotals() -> Book:
    """SUBTOTAL, which leaves its like out."""
    rows: Rows = [["CONFIDENTIAL"], []]
    for block, start in (("Compute", 3), ("Data", 9)):
        rows.append([block])
        rows += [[None, f"{block} {n}", None, 1000 * n] for n in (1, 2, 3)]
        rows += [[None, "Subtotal", None, f"=SUBTOTAL(9,D{start + 1}:D{start + 3})"], []]
    rows += [[], [None, "Grand total", None, "=SUBTOTAL(9,D3:D14)"], [], [None, "Prices: 2026-11"]]
    return {"Costs": rows}


def half_years() -> Book:
    """Fiscal quarters with sums of half-years and of the year between them."""
    head = ["FY27", None, "Q1", "Q2", "H1", "Q3", "Q4", "H2", "FY"]
    lines = [[name, None, *values[:2], f"=C{r}+D{r}", *values[2:], f"=F{r}+G{r}", f"=E{r}+H{r}"]
             for r, (name, *values) in enumerate([("Rent", 10, 11, 12, 13), ("Power", 4, 4, 5, 5),
                                                  ("Staff", 7, 7, 7, 8)], 2)]  # fmt: skip
    return {
        "Quarters": [
            head,
            *lines,
            ["Total", None, *(f"=SUM({c}2:{c}4)" for c in "CDEFGHI")],
            ["Year to date", None, "=C5", "=C6+D5", None, "=D6+F5", "=F6+G5"],
        ]
    }


def running() -> Book:
    """Cumulative sums, once with a range that grows and once from the line before."""
    rows = [
        [
            month,
            900 + 25 * n,
            f"=SUM(B$2:B{n + 2})",
            f"=B{n + 2}" if n == 0 else f"=D{n + 1}+B{n + 2}",
            f"=C{n + 2}/B$14",
        ]
        for n, month in enumerate(MONTHS)
    ]
    return {"Months": [["Month", "Spend", "To date", "Balance", "% of year"], *rows,
                       ["Total", "=SUM(B2:B13)"]]}  # fmt: skip


def months_across() -> Book:
    """Dates as headings, opening and closing balances, quarters below."""
    columns = "BCDEFG"
    opening = [500, *(f"={c}5" for c in "BCDEF")]
    return {
        "Cash": [
            ["USD k", *MONTHS[:6]],
            ["Opening", *opening],
            ["In", 10, 20, 15, 12, 18, 20],
            ["Out", -40, -38, -41, -44, -40, -39],
            ["Closing", *(f"=SUM({c}2:{c}4)" for c in columns)],
            ["Net", *(f"=SUM({c}3:{c}4)" for c in columns)],
            [],
            ["Quarter", "=SUM(B6:D6)", "=SUM(E6:G6)"],
        ]
    }


def with_rates() -> Book:
    """A subtotal, contingency and tax at typed rates, a total of them."""
    return {"Offer": [["Line", "USD"], ["Servers", 812000], ["Network", 96500], ["Racks", 41000],
        ["Subtotal", "=SUM(B2:B4)"], ["Contingency", "=B5*C6", 0.1],
        ["Tax", "=(B5+B6)*C7", 0.19], ["Total", "=SUM(B5:B7)"], [],
        ["per GPU", "=B8/256"]]}  # fmt: skip


def halved() -> Book:
    """The old way to a total over lines and subtotals: half of the sum of all."""
    return {"Costs": [["Line", "EUR"], ["Rent", 100], ["Power", 40], ["Subtotal", "=SUM(B2:B3)"],
        ["Staff", 70], ["Travel", 9], ["Subtotal", "=SUM(B5:B6)"],
        ["Total", "=SUM(B2:B7)/2"]]}  # fmt: skip


def ratios() -> Book:
    """Growth and shares in rows, a rate that changes from a year on."""
    return {"Outlook": [["USD k", 2027, 2028, 2029, 2030, 2031],
        ["GPU-hours", 1000, *(f"={c}2*(1+$B$7)" for c in "BC"),
         *(f"={c}2*(1+$B$8)" for c in "DE")],
        ["Rent", *(f"={c}2*2.1" for c in "BCDEF")], ["Staff", 300, 310, 320, 330, 340],
        ["Total", *(f"={c}3+{c}4" for c in "BCDEF")],
        ["Growth", None, *(f"={c}5/{b}5-1" for b, c in zip("BCDE", "CDEF", strict=True))],
        ["Growth at first", 0.2], ["Growth then", 0.1],
        ["Share of staff", *(f"={c}4/{c}5" for c in "BCDEF")]]}  # fmt: skip


def currencies() -> Book:
    """Lines in two currencies, each times its own rate."""
    return {"Lines": [["Line", "Amount", "Currency", "USD", None, "Rate"],
        ["Cloud", 5000, "USD", "=B2*$F$2", "USD", 1], ["Colocation", 900, "EUR", "=B3*$F$3",
                                                        "EUR", 1.09],
        ["Backup", 700, "USD", "=B4*$F$2"], ["Licence", 300, "USD", "=B5*$F$2"],
        ["Total", None, None, "=SUM(D2:D5)"]]}  # fmt: skip


def discounts() -> Book:
    """A look-up that finds something for few lines: the others have no discount."""
    found = "=IFERROR(VLOOKUP(A{0},Discounts!$A$2:$B$2,2,FALSE),0)"
    lines = [
        [name, cost, found.format(r), f"=B{r}*(1-C{r})"]
        for r, (name, cost) in enumerate(
            [("Rent", 900), ("Disks", 70), ("Racks", 64), ("Staff", 420)], 2
        )
    ]
    return {"Plan": [["Line", "List price", "Discount", "Cost"], *lines,
                     ["Total", "=SUM(B2:B5)", None, "=SUM(D2:D5)"]],
            "Discounts": [["Line", "Discount"], ["Rent", 0.15]]}  # fmt: skip


def of_last_year() -> Book:
    """Budget beside actual, and the total of another year below."""
    lines = [
        [name, budget, actual, f"=C{r}-B{r}", f"=D{r}/B{r}"]
        for r, (name, budget, actual) in enumerate(
            [("Rent", 100, 110), ("Power", 40, 38), ("Staff", 70, 71)], 2
        )
    ]
    return {"Actuals": [["Line", "Budget", "Actual", "Variance", "%"], *lines,
        ["Total", "=SUM(B2:B4)", "=SUM(C2:C4)", "=C5-B5", "=D5/B5"],
        ["Last year total", 195, 190], ["Change", "=B5-B6", "=C5-C6"]]}  # fmt: skip


def legend() -> Book:
    """Looks of cells on an example number, and quantities in total that are no sums."""
    return {"Cover": [["Legend"], ["Input", 42], ["Link", 42], ["Total", 42], [],
        ["Nodes", "GPUs per node", "Throughput, total"], [1, 8, 854], [2, 8, 1684],
        [4, 8, 3293]]}  # fmt: skip


def profit() -> Book:
    """Costs below zero, a rate between sums, a tax of it."""
    return {"P&L": [["USD k", 2026, 2027, 2028], ["Revenue", 1000, 1200, 1400],
        ["Compute", -300, -310, -320], ["Staff", -200, -210, -220],
        ["Gross", *(f"=SUM({c}2:{c}4)" for c in "BCD")], ["Overheads", -50, -55, -60],
        ["EBIT", *(f"={c}5+{c}6" for c in "BCD")], ["Tax rate", 0.2, 0.2, 0.21],
        ["Tax", *(f"=-{c}7*{c}8" for c in "BCD")],
        ["Net", *(f"={c}7+{c}9" for c in "BCD")]]}  # fmt: skip


def depreciation() -> Book:
    """A triangle of years, and what is written off."""
    rows = [
        [
            2026 + n,
            *(f"=IF(AND({c}$1>=$A{n + 2},{c}$1<$A{n + 2}+3),$H{n + 2}/3,0)" for c in "BCDEFG"),
            cost,
        ]
        for n, cost in enumerate((900, 600, 300))
    ]
    return {"Assets": [["Bought in", *range(2026, 2032), "Cost"], *rows,
                       ["Total", *(f"=SUM({c}2:{c}4)" for c in "BCDEFGH")]]}  # fmt: skip


def windows() -> Book:
    """Sums over three months each, from a line on."""
    rows = [
        [n + 1, 100 + n, f"=SUM(B{n}:B{n + 2})" if n > 1 else None, f"=SUM(B$2:B{n + 2})"]
        for n in range(12)
    ]
    return {"Rolling": [["Month", "Spend", "3 months", "To date"], *rows,
                        ["Total", "=SUM(B2:B13)"]]}  # fmt: skip


def two_tables() -> Book:
    """Tables one below the other, hand-typed, with number times price in each row."""
    return {"Orders": [["Item", "Number", "Price", "Total"], ["GPU", 8, 30000, 240000],
        ["Switch", 2, 9000, 18000], ["Total", None, None, 258000], [],
        ["Item", "Number", "Price", "Total"], ["Rack", 3, 4000, 12000],
        ["Cable", 100, 15, 1500], ["Total", None, None, 13500], [],
        ["Grand total", None, None, "=D4+D9"]]}  # fmt: skip


def empty_rows() -> Book:
    """Rows prepared for more lines, guarded formulas, a sum over them all."""
    lines: Rows = [
        ["Rent", 64, 2.1, '=IF(B2="","",B2*C2)'],
        ["Disks", 10, 90, '=IF(B3="","",B3*C3)'],
    ]
    lines += [[None, None, None, f'=IF(B{r}="","",B{r}*C{r})'] for r in range(4, 9)]
    return {"Form": [["Line", "Number", "Price", "Cost"], *lines,
                     ["Total", None, None, "=SUM(D2:D8)"]]}  # fmt: skip


def shares() -> Book:
    """A cost that is fixed by $, split by shares."""
    return {"Split": [["Team", "Share", "Charge"],
        *([team, share, f"=$B$8*B{r}"]
          for r, (team, share) in enumerate([("NLP", 0.5), ("Vision", 0.3), ("Speech", 0.2)], 2)),
        ["Total", "=SUM(B2:B4)", "=SUM(C2:C4)"], [], [], ["Cluster cost", 2_400_000]]}  # fmt: skip


def by_label() -> Book:
    return {"Costs": [["Kind", "USD"], ["gpu", 100], ["gpu", 200], ["net", 50], ["disk", 70],
        ["Total", "=SUBTOTAL(9,B2:B5)"], *([kind, f'=SUMIF(A2:A5,"{kind}",B2:B5)']
                                           for kind in ("gpu", "net", "disk")),
        ["check", "=B6-SUM(B7:B9)"]]}  # fmt: skip


def figures_per_unit() -> Book:
    """Figures of one GPU or rack below the costs, whose labels say total as well."""
    return {"TCO": [["Item", "USD"], ["GPU", 800], ["Network", 150], ["Disks", 50],
        ["Total", "=SUM(B2:B4)"], [], ["Total cost of ownership per GPU", 31.25],
        ["Total GPUs", 32], ["Number of racks total", 8]]}  # fmt: skip


def by_turns() -> Book:
    """Areas and factors by turns in a row, typed factors between formulas that are copies."""
    return {"Areas": [["Use", "Floor", "Factor", "Gross", "Factor", "Let"],
        *([use, area, 0.9, f"=B{r}*C{r}", 0.8, f"=D{r}*E{r}"]
          for r, (use, area) in enumerate([("Hall", 900), ("Office", 300), ("Store", 120)], 2)),
        ["Total", "=SUM(B2:B4)", None, "=SUM(D2:D4)", None, "=SUM(F2:F4)"]]}  # fmt: skip


def averages() -> Book:
    """What a pivot table leaves behind: the last line is the average of those above it."""
    return {"Pivot": [["Team", "Average of cost"], ["Finance", 6014], ["Legal", 5061],
        ["Research", 5051], ["Planning", 4380], ["Grand total", 5126]]}  # fmt: skip


def numbered() -> Book:
    """Weeks that count on beside a total of another table; a label right of its row."""
    rows: Rows = [["Month", "Rent", None, "Week"]]
    rows += [[f"Month {n}", 100 + n, None, n] for n in range(1, 7)]
    rows += [["Year total", 621, None, 7], [2000, 36487, 7079, "Total:", "=B9*2"]]
    return {"Rents": rows}


def of_programs() -> Book:
    """Columns of a table and cells of several sheets, which only the user's program knows."""
    month = [["GPU", 100], ["Network", 20], ["Total", "=SUM(B1:B2)"]]
    return {"Jan": month, "Feb": month, "Mar": month, "Quarter": [
        ["Sum", "=SUM(Jan:Mar!B3)"], ["With tax", "=B1*1.19"], ["Hours", "=SUM(Runs[Hours])"]
    ]}  # fmt: skip


CLEAN: tuple[Callable[[], Book], ...] = (
    items, years, several_sheets, typed, invoices, total_on_top, german, look_up, teams, subtotals,
    half_years, running, months_across, with_rates, halved, ratios, currencies, discounts,
    profit, depreciation, windows, of_last_year, legend, two_tables, empty_rows, shares, by_label,
    figures_per_unit, by_turns, averages, numbered, of_programs,
)  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A sound workbook with one or more cells changed, and the finding at a cell of it."""

    name: str
    book: Callable[[], Book]
    edits: tuple[tuple[str, Any], ...]
    rule: str
    where: str
    severity: str
    amount: float | None = None
    """What it does to the largest figure that needs it, worked out by hand."""

    def __str__(self) -> str:
        return self.name


FAULTS = (
    Fault("sum leaves out the line above it", items, (("D13", "=SUM(D10:D11)"),), "R325",
          "Budget 2027!D13", "medium", -60000),
    Fault("sum leaves out the last of lines without a name", running, (("B14", "=SUM(B2:B12)"),),
          "R325", "Months!B14", "high", -1175),
    Fault("every sum leaves out the last line", years,
          tuple((f"{c}6", f"=SUM({c}2:{c}4)") for c in "BCDEFG"), "R325",
          "5y plan!B6, C6, D6, E6 ...", "high", -112),
    Fault("sum starts below the first line", german, (("B5", "=SUM(B3:B4)"),), "R325", "Kosten!B5",
          "low", -119000),
    Fault("sum of a row is short", years, (("G3", "=SUM(B3:E3)"),), "R325", "5y plan!G3", "high",
          -500),
    Fault("sum of a column is short", years, (("D6", "=SUM(D2:D4)"),), "R325", "5y plan!D6", "high",
          -22),
    Fault("last sum of a row is short", teams, (("G5", "=SUM(G2:G3)"),), "R325", "Teams!G5",
          "high", -500),
    Fault("sum takes the year in", years, (("B6", "=SUM(B1:B5)"),), "R325", "5y plan!B6", "high",
          2026),
    Fault("total takes lines and subtotals", items, (("D16", "=SUM(D5:D13)"),), "R325",
          "Budget 2027!D16", "high", 10772000),
    Fault("total adds lines and subtotals", german, (("B7", "=B2+B3+B4+B5+B6"),), "R325",
          "Kosten!B7", "high", 145000),
    Fault("SUM over SUBTOTAL", subtotals, (("D16", "=SUM(D3:D14)"),), "R325", "Costs!D16", "high",
          12000),
    Fault("typed total beside subtotals", items, (("D16", 10812000),), "R321", "Budget 2027!D16",
          "medium", 40000),
    Fault("typed subtotal of formulas", items, (("D13", 662000),), "R321", "Budget 2027!D13",
          "medium", -10000),
    Fault("typed subtotal that is right", items, (("D13", 672000),), "S101", "Budget 2027!D13",
          "low"),
    Fault("typed total after a tax", german, (("B7", 175000),), "R321", "Kosten!B7", "high", 2450),
    Fault("typed total below years", years, (("E6", 2300),), "R321", "5y plan!E6", "high", 86),
    Fault("typed total of typed lines", typed, (("B5", 206500),), "R321", "Costs!B5", "medium",
          2000),
    Fault("one formula of another row", items, (("D11", "=B11*C12"),), "R324", "Budget 2027!D11",
          "high", -240000),
    Fault("another rate than beside it, as somebody meant it", currencies, (("D4", "=B4*$F$3"),
          ("D3", "=B3*$F$2")), "R324", "Lines!D4", "low", 63),
    Fault("number kept as text", years, (("D4", "99 "),), "I202", "5y plan!D4", "medium", -99),
    Fault("look-up that fails", look_up, (("A3", "A100 "),), "R326", "Plan!C3", "medium"),
    Fault("formulas of another row again and again", running,
          (("E4", "=C5/B$14"), ("E9", "=C10/B$14")), "R324", "Months!E4, E9", "high", 1100 / 12450),
    Fault("amount put into one formula", ratios, (("D3", "=D2*2.1+500"),), "R327", "Outlook!D3",
          "high", 500),
    Fault("another factor in one formula", ratios, (("D3", "=D2*2.4"),), "R327", "Outlook!D3",
          "high", 1440 * 0.3),
    Fault("sign of one formula", of_last_year, (("D3", "=C3+B3"),), "R327", "Actuals!D3", "high",
          80),
    Fault("typed year at the end of a row", teams, (("F2", 900),), "R321", "Teams!F2", "high", 432),
    Fault("year leaves out the last quarter", teams, (("F4", "=SUM(B4:D4)"),), "R325", "Teams!F4",
          "high", -134),
    Fault("row below what is fixed by $", shares, (("C4", "=$B$9*B4"),), "R324", "Split!C4",
          "high", -480000),
    Fault("other line fixed by $", shares, (("C4", "=$B$5*B4"),), "R324", "Split!C4", "low",
          0.2 - 480000),
    Fault("label that no sum asks for", by_label, (("A4", "nett"),), "R328", "Costs!A4", "medium"),
    Fault("line of a kind that is in no sum", total_on_top, (("B6", "lease"),), "R329",
          "Costs!C13", "medium"),
    Fault("check that says so", by_label, (("B10", '=IF(B6=B7,"OK","ERROR")'),), "R329",
          "Costs!B10", "medium"),
    Fault("number with a letter for thousands", of_last_year, (("B3", "38 k"),), "I202",
          "Actuals!B3", "medium"),
    Fault("amount with a slipped point", years, (("D2", 15000),), "I218", "5y plan!D2", "medium",
          13600),
    Fault("error of one cell", items, (("D10", "=B10/0"),), "R320", "Budget 2027!D10", "medium"),
)  # fmt: skip
