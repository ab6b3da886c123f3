"""Reviews as a workbook: files side by side, every finding, and what goes back to the preparer."""

import datetime
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from scalesheet_workbooks.calculation import cached_values
from scalesheet_workbooks.cell_references import column_letters
from scalesheet_workbooks.finish import finish
from scalesheet_workbooks.reports.words import WHAT_IT_IS, WHAT_IT_IS_NOT, recognised, total_words
from scalesheet_workbooks.review.findings import printable
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.rules import INFO, RULES
from scalesheet_workbooks.styles import (
    COLUMN_HEADING,
    COLUMN_HEADING_LEFT,
    FORMULA,
    INPUT,
    LABEL,
    NOTE,
    TEXT,
    TEXT_BESIDE,
    TOTAL,
    TOTAL_LABEL,
    Formula,
    Look,
    banner,
    page,
    put,
    widths,
)

AMOUNT = "#,##0.00"
ANSWER = Look(color=INPUT.color, fill=INPUT.fill, unlocked=True, wrap=True, vertical="top")
FORMULA_AT_TOP = replace(FORMULA, vertical="top")
FIRST = 5
LINE, MOST_LINES = 13.0, 8


def document(reviews: Sequence[Review]) -> bytes:
    """The finished workbook; texts are texts, whatever they begin with."""
    book = Workbook()
    book.remove(book.active)
    _summary(book.create_sheet("Summary"), reviews)
    _return_list(book.create_sheet("Return"), reviews)
    _findings(book.create_sheet("Findings"), reviews)
    _rules(book.create_sheet("Rules"))
    saved = io.BytesIO()
    book.save(saved)
    day = datetime.datetime.combine(reviews[0].on, datetime.time(), datetime.UTC)
    return finish(saved.getvalue(), cached_values(saved.getvalue()), day)


SUMMARY = (
    ("File", 34.0, ""),
    ("Verdict", 27.0, ""),
    ("Scenario", 25.0, ""),
    ("Counts", 8.0, "0"),
    ("Stated", 15.0, AMOUNT),
    ("Calculated", 15.0, AMOUNT),
    ("Stored value", 14.0, ""),
    ("Currency", 9.0, ""),
    ("Per GPU-hour", 13.0, AMOUNT),
    ("Efficiency", 10.0, "0.0%"),
    ("Days", 9.0, "#,##0.0"),
    ("Contingency", 14.0, AMOUNT),
    ("High", 6.0, "0"),
    ("Medium", 8.0, "0"),
    ("Low", 6.0, "0"),
)
"""Heading, width and number format of each column; without a format it holds words."""
COUNTED = ("Stated", "Calculated", "Contingency")
SUMMED = ("High", "Medium", "Low")
NUMBERS = {head for head, _, form in SUMMARY if form} | {"Effect"}


def _summary(ws: Worksheet, reviews: Sequence[Review]) -> None:
    """One row a scenario, files under each other; the portfolio counts what is proposed."""
    heads = [head for head, _, _ in SUMMARY]
    letters = {head: column_letters(place) for place, head in enumerate(heads, 2)}
    widths(ws, [2.0, *(width for _, width, _ in SUMMARY)])
    banner(ws, "Review", WHAT_IT_IS, len(heads) + 1, badge=0)
    put(ws, "B3", WHAT_IT_IS_NOT, NOTE)
    _head(ws, heads)
    row = FIRST
    for one in reviews:
        for values in _rows(one):
            for (head, _, form), value in zip(SUMMARY, values, strict=True):
                look = FORMULA if form else TEXT_BESIDE if head == "Stored value" else LABEL
                put(ws, f"{letters[head]}{row}", value, look, form or None)
            row += 1
    put(ws, f"B{row}", "Portfolio: scenarios that count", TOTAL_LABEL)
    for head, _, form in SUMMARY[1:]:
        cells = f"{letters[head]}{FIRST}:{letters[head]}{row - 1}"
        counts = f"{letters['Counts']}{FIRST}:{letters['Counts']}{row - 1}"
        text = f"SUMIF({counts},1,{cells})" if head in COUNTED else f"SUM({cells})"
        if head in COUNTED:  # no scenario is no money, and not zero
            text = f'IF(SUMIF({counts},1)=0,"-",{text})'
        summed = head in (*COUNTED, *SUMMED)
        put(ws, f"{letters[head]}{row}", Formula(text) if summed else None, TOTAL, form or None)
    notes = ["A file counts with the scenario that it proposes, else with all of its scenarios."]
    notes += [
        f"{one.file}: not compared: {one.not_compared}" for one in reviews if one.not_compared
    ]
    notes += _left_out(reviews)
    currencies = {one.currency for one in reviews if one.currency}
    if len(currencies) > 1:
        codes = ", ".join(sorted(currencies))
        notes.append(f"The sums mix currencies ({codes}): they mean nothing.")
    for place, note in enumerate(notes, row + 1):
        put(ws, f"B{place}", printable(note), NOTE)
    ws.freeze_panes = f"A{FIRST}"
    page(ws, len(heads) + 1, row + len(notes), landscape=True, header="scalesheet review")


def _left_out(reviews: Sequence[Review]) -> Iterator[str]:
    """What the sums do not hold, so that two of them are not taken for the same set."""
    unread = sum(bool(one.unreadable) for one in reviews)
    totals = [total for one in reviews for total in one.counted]
    unknown = sum(total.recomputed is None for total in totals)
    unstored = sum(total.recomputed is not None and total.stated is None for total in totals)
    for count, words in (
        (unread, "files were not read: they are in no sum"),
        (unknown, "scenarios have no total that can be calculated: they are in no sum"),
        (unstored, "scenarios store no total: they are calculated, and not in the sum as stated"),
    ):
        if count:
            yield f"{count} {words}."


def _rows(one: Review) -> Iterator[list[float | str | None]]:
    """The cells of a file: a row for each of its scenarios, what is of the file in the first."""
    counts = [None if one.unreadable else one.count(name) for name in ("high", "medium", "low")]
    of_file: list[float | str | None] = [printable(one.file), one.verdict]
    if not one.totals:
        words = one.reason or recognised(one)
        yield [*of_file, "-", 0, None, None, words, None, None, None, None, None, *counts]
    for place, total in enumerate(one.totals):
        yield [
            *(of_file if place == 0 else (None, None)),
            printable(total.scenario),
            int(total in one.counted and total.recomputed is not None),
            total.stated,
            total.recomputed,
            total_words(total),
            one.currency or None,
            *(
                (None, None, None, None)
                if total.recomputed is None
                else (total.cost_per_gpu_hour, total.efficiency, total.days, total.contingency)
            ),
            *(counts if place == 0 else (None, None, None)),
        ]


def _return_list(ws: Worksheet, reviews: Sequence[Review]) -> None:
    """What the preparer is asked to mend or to answer, with room for the answer."""
    heads = ("File", "Severity", "Where", "What", "Seen", "Should be", "Please", "Answer", "Done")
    widths(ws, [2, 20, 9, 19, 24, 26, 27, 31, 25, 7])
    banner(ws, "Return to preparer", "One row a finding; fill the yellow cells", 10, badge=0)
    _head(ws, heads)
    row = FIRST
    for review in reviews:
        for one in review.findings:
            if one.severity == INFO:
                continue
            what = " · ".join(filter(None, (one.rule.title, one.label)))
            texts = (review.file, one.severity, one.where, what, one.seen, one.expected, one.remedy)
            for column, text in zip("BCDEFGH", texts, strict=True):
                put(ws, f"{column}{row}", printable(text) or None, TEXT)
            for column in "IJ":
                put(ws, f"{column}{row}", None, ANSWER)
            row += 1
        if review.unreadable:
            texts = (
                review.file,
                "high",
                "",
                "File cannot be read",
                review.reason,
                "",
                review.unreadable,
            )
            for column, text in zip("BCDEFGH", texts, strict=True):
                put(ws, f"{column}{row}", printable(text) or None, TEXT)
            row += 1
    if row == FIRST:
        put(ws, f"B{row}", "Nothing to return: no finding above info.", TEXT)
    _fit_rows(ws)
    ws.freeze_panes = f"A{FIRST}"
    page(ws, 10, max(row, FIRST), landscape=True, header="scalesheet review")
    ws.page_setup.fitToHeight = 0


def _findings(ws: Worksheet, reviews: Sequence[Review]) -> None:
    heads = ("File", "Id", "Severity", "Band", "Where", "Line", "Seen", "Should be", "Scenario",
             "Effect", "So", "Fingerprint")  # fmt: skip
    widths(ws, [2, 20, 6, 9, 10, 19, 22, 27, 27, 17, 15, 34, 14])
    banner(ws, "Findings", "Everything that was found, worst first in each file", 13, badge=0)
    _head(ws, heads)
    row = FIRST
    for review in reviews:
        for one in review.findings:
            effect = one.effect
            texts = (review.file, one.rule.id, one.severity, one.rule.band, one.where,
                     one.label or one.line, one.seen, one.expected,
                     effect.scenario if effect else "")  # fmt: skip
            for column, text in zip("BCDEFGHIJ", texts, strict=True):
                put(ws, f"{column}{row}", printable(text) or None, TEXT)
            amount = None if effect is None else effect.amount
            put(
                ws,
                f"K{row}",
                "undetermined" if effect and amount is None else amount,
                FORMULA_AT_TOP,
                AMOUNT,
            )
            put(ws, f"L{row}", "; ".join(one.consequences) or None, TEXT)
            put(ws, f"M{row}", one.fingerprint, TEXT)
            row += 1
    _fit_rows(ws)
    ws.freeze_panes = f"A{FIRST}"
    page(ws, 13, max(row, FIRST), landscape=True, header="scalesheet review")
    ws.page_setup.fitToHeight = 0


def _rules(ws: Worksheet) -> None:
    widths(ws, [2, 8, 10, 34, 62, 70])
    banner(ws, "Rules", "Every kind of finding, its rule and its remedy", 6, badge=0)
    _head(ws, ("Id", "Severity", "Finding", "Rule", "Remedy"))
    for row, rule in enumerate(RULES.values(), FIRST):
        texts = (rule.id, rule.severity, rule.title, rule.rule, rule.remedy)
        for column, text in zip("BCDEF", texts, strict=True):
            put(ws, f"{column}{row}", text, TEXT)
    ws.freeze_panes = f"A{FIRST}"
    page(ws, 6, FIRST + len(RULES), landscape=True, header="scalesheet review")
    ws.page_setup.fitToHeight = 0


def _head(ws: Worksheet, heads: Sequence[str]) -> None:
    ws.row_dimensions[FIRST - 1].height = 20
    for place, text in enumerate(heads):
        look = COLUMN_HEADING if text in NUMBERS else COLUMN_HEADING_LEFT
        put(ws, f"{chr(66 + place)}{FIRST - 1}", text, look)


def _fit_rows(ws: Worksheet) -> None:
    """Rows as high as their longest text needs."""
    for row in ws.iter_rows(min_row=FIRST):
        lines = max(
            math.ceil(len(str(cell.value)) / ws.column_dimensions[cell.column_letter].width)
            if isinstance(cell.value, str)
            else 1
            for cell in row
        )
        ws.row_dimensions[row[0].row].height = LINE * min(lines, MOST_LINES) + 4
