"""The reports: every format says the same, reads well where it is read, and asks nobody."""

import io
import json
import math
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest

from browser import visit
from rendering import run, tool
from review import clusters
from review.workbooks import (
    TODAY,
    edited,
    filled,
    put,
    put_at,
    reviewed,
)
from scalesheet_workbooks.reports import report, rule_lines
from scalesheet_workbooks.reports.as_json import SCHEMA
from scalesheet_workbooks.reports.words import effect_words
from scalesheet_workbooks.review.rules import BANDS, INFO, RULES, SEVERITIES
from scalesheet_workbooks.review.run import Review, review_bytes

WIDTH = 80


def bad() -> Review:
    """A file with findings of all bands, a long name, and brackets."""
    return reviewed(
        edited(
            put("calc.train_cost", "E", 20000),
            put("in.gpu_hour_price", "F", 20),
            put("in.storage", "G", "$1,500"),
            put_at("Inputs", "E4", "Baseline [64] & co. <b> " + "with a long name " * 4),
            put_at("Checks", "G7", 1e6),
        )
    )


def clean() -> Review:
    return reviewed(filled())


def unread() -> Review:
    return review_bytes(b"", "empty.xlsx", TODAY)


@pytest.mark.parametrize("review", [bad, clean, unread])
def test_the_terminal_has_eighty_columns(review: object) -> None:
    lines = report([review()], "text").decode().splitlines()  # type: ignore[operator]
    assert max(map(len, lines)) <= WIDTH
    assert all(line == line.rstrip() for line in lines if not line.startswith("TOTAL"))


@pytest.mark.parametrize("format_", ["text", "md", "json", "html"])
def test_every_format_says_verdict_findings_and_hash(format_: str) -> None:
    review = bad()
    text = report([review], format_).decode().replace("\\_", "_")
    assert review.verdict in text
    for one in review.findings:
        assert one.rule.id in text
        assert one.fingerprint in text
    assert review.sha256[:16] in text
    assert "training_run_budget" in text


@pytest.mark.parametrize("format_", ["text", "md", "html"])
def test_a_clean_file_is_no_empty_page(format_: str) -> None:
    """What was checked, what was not, the totals reproduced: no finding is not no answer."""
    text = report([clean()], format_).decode()
    assert "NO OBJECTION" in text
    assert text.count("reproduced") >= 3
    assert re.search("not checked", text, re.IGNORECASE)
    assert "27,957.00" in text


@pytest.mark.parametrize("format_", ["text", "md", "json", "html"])
def test_a_file_that_was_not_read_is_never_clean(format_: str) -> None:
    text = report([unread()], format_).decode()
    assert "NOT READ" in text
    assert "empty" in text
    assert "NO OBJECTION" not in text


def test_the_json_schema() -> None:
    document = json.loads(report([bad(), clean(), unread()], "json"))
    assert document["schema"] == SCHEMA == "scalesheet.review/1"
    first, second, third = document["files"]
    assert first["counts"] == {level: bad().count(level) for level in SEVERITIES}
    assert all(total["stated"] == total["recomputed"] for total in second["totals"])
    assert (third["read"], third["reason"], third["findings"]) == (False, "empty", [])
    keys = {
        *("id", "title", "band", "severity", "fingerprint", "sheet", "cells", "line", "label"),
        *("seen", "expected", "rule", "remedy", "consequences", "effects"),
    }
    assert all(set(finding) == keys for finding in first["findings"])
    undetermined = [
        effect for finding in first["findings"] for effect in finding["effects"]
        if effect["amount"] is None
    ]  # fmt: skip
    assert undetermined


class _Page(HTMLParser):
    """What a page would load, and whether its elements close."""

    VOID = ("meta", "link", "br", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "action", "data", "srcset", "poster"):
                self.loads.append(value or "")
            assert not name.startswith("on")
        self.scripts += tag in ("script", "iframe", "object")
        if tag not in self.VOID and tag != "li":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "li":
            assert self.open.pop() == tag


@pytest.mark.parametrize("review", [bad, clean, unread])
def test_the_page_is_whole_and_asks_nobody(review: object) -> None:
    page = _Page()
    page.feed(report([review()], "html").decode())  # type: ignore[operator]
    assert page.open == []
    assert page.scripts == 0
    assert page.loads == ["data:,"]


@pytest.mark.parametrize("review", [bad, clean, unread])
def test_a_browser_complains_of_nothing_and_asks_nobody(review: object, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(report([review()], "html"))  # type: ignore[operator]
    seen = visit(page)
    assert seen.complaints == []
    assert seen.requests == [page.as_uri()]
    assert seen.picture.startswith(b"\x89PNG")


def test_a_browser_would_tell(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<img src="http://127.0.0.1:1/x.png"><script>console.error("wrong")</script>')
    seen = visit(page)
    assert "wrong" in seen.complaints
    assert seen.requests == [page.as_uri(), "http://127.0.0.1:1/x.png"]


@pytest.mark.parametrize(("width", "height"), [(8.27, 11.69), (8.5, 11.0)], ids=["A4", "Letter"])
def test_the_first_page_prints_on_one_sheet(tmp_path: Path, width: float, height: float) -> None:
    """Eight scenarios, five heavy findings and a bridge: the most that a first page holds."""
    from review.test_bridge import case
    from scalesheet_workbooks.build import build
    from workbooks.budgets import EIGHT

    names = {place: f"Scenario {place} with a name" for place in range(8)}
    before = build("training_run_budget", EIGHT)
    edits = [put_at("Inputs", f"{'EFGHIJKL'[place]}4", name) for place, name in names.items()]
    edits += [put_at("Calc", f"{column}33", 77777) for column in "EFGHIJ"]
    edits += [put_at("Inputs", "E9", 3.5), put_at("Checks", "G7", 5), put_at("Inputs", "G29", "x")]
    review = review_bytes(
        edited(*edits, data=before), "proposal.xlsx", TODAY, 0.01, case(before), "before.xlsx"
    )
    assert review.bridges
    page = report([review], "html").decode()
    page = page.replace("@page{size:auto;", f"@page{{size:{width}in {height}in;")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    pdf = tmp_path / "page.pdf"
    run(
        [tool("chromium", "chromium"), "--headless", "--no-sandbox", "--disable-gpu",
         f"--user-data-dir={tmp_path}",
         "--no-pdf-header-footer", f"--print-to-pdf={pdf}", (tmp_path / "page.html").as_uri()],
        120,
    )  # fmt: skip
    first = run(["pdftotext", "-f", "1", "-l", "1", os.fspath(pdf), "-"])
    second = run(["pdftotext", "-f", "2", "-l", "2", os.fspath(pdf), "-"])
    assert "Reviewer" in first
    assert "Decision" in first
    assert second.strip().startswith("Findings")


def test_the_workbook_holds_findings_and_the_return_list(tmp_path: Path) -> None:
    review = bad()
    data = report([review, clean(), unread()], "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    assert book.sheetnames == ["Summary", "Return", "Findings", "Rules"]
    ids = [cell.value for cell in book["Findings"]["C"][4:]]
    assert ids == [one.rule.id for one in review.findings]
    asked = [cell.value for cell in book["Return"]["C"][4:]]
    assert len(asked) == sum(one.severity != INFO for one in review.findings) + 1
    summed = sum(t.recomputed or 0.0 for one in (review, clean()) for t in one.totals)
    assert portfolio(book)["Calculated"] == pytest.approx(summed)


def portfolio(book: openpyxl.Workbook) -> dict[str, object]:
    """The last row of the summary by its headings."""
    rows = list(book["Summary"].iter_rows(min_row=4, min_col=2, values_only=True))
    (row,) = [row for row in rows if str(row[0]).startswith("Portfolio")]
    return dict(zip(rows[0], row, strict=True))  # type: ignore[arg-type]


def test_a_portfolio_says_what_is_in_no_sum() -> None:
    """A scenario without a total counts nowhere, and its sums are no zero."""
    lost = reviewed(edited(put("in.gpu_hour_price", "E", "?")))
    book = openpyxl.load_workbook(io.BytesIO(report([lost, unread()], "xlsx")), data_only=True)
    notes = [row[0] for row in book["Summary"].iter_rows(min_col=2, values_only=True) if row[0]]
    assert "1 files were not read: they are in no sum." in notes
    assert "1 scenarios have no total that can be calculated: they are in no sum." in notes
    assert "2 scenarios store no total: they are calculated, and not in the sum as stated." in notes
    found = portfolio(book)
    known = [total.recomputed for total in lost.totals if total.recomputed is not None]
    assert found["Calculated"] == pytest.approx(sum(known))
    only = openpyxl.load_workbook(io.BytesIO(report([unread()], "xlsx")), data_only=True)
    assert portfolio(only)["Calculated"] == "-"


def test_what_was_accepted_is_not_passed_over_in_silence() -> None:
    review = clean()._replace(accepted=bad().findings[:1])
    assert "Nothing was found beyond what is accepted" in report([review], "text").decode()
    (one,) = review.accepted
    words = effect_words(one.effect, review.currency)
    for format_ in ("text", "md", "html"):
        assert words in " ".join(report([review], format_).decode().split()), format_


def test_a_portfolio_counts_what_is_proposed() -> None:
    """Alternatives of one proposal are not added up; a budget proposes none and counts whole."""
    proposed = reviewed(clusters.filled())
    book = openpyxl.load_workbook(io.BytesIO(report([proposed, clean()], "xlsx")), data_only=True)
    (counted,) = [total for total in proposed.totals if total.proposed]
    assert counted.scenario == "Reserved of ours"
    found = portfolio(book)
    runs = sum(total.recomputed or 0.0 for total in clean().totals)
    assert found["Calculated"] == pytest.approx((counted.recomputed or 0.0) + runs)
    assert found["Contingency"] == 0
    heads, *rows = book["Summary"].iter_rows(min_row=4, min_col=2, values_only=True)
    first = dict(zip(heads, rows[0], strict=True))
    # From the inputs: 600,000 x 1.2 / (256 x 0.85) / 0.96 x 1.1 hours.
    hours = 600_000 * 1.2 / (256 * 0.85) / 0.96 * 1.1
    assert first["Days"] == pytest.approx(math.ceil(hours) / 24, rel=1e-3)
    assert first["Efficiency"] == 0.85
    assert first["Per GPU-hour"] == pytest.approx(counted.recomputed / 720_000, rel=1e-9)


def test_texts_in_the_workbook_are_no_formulas() -> None:
    """Case A07: a name that begins with = stays a text."""
    review = reviewed(edited(put_at("Inputs", "E4", "'=HYPERLINK(1)")))
    data = report([review], "xlsx")
    for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "f" or str(cell.value).startswith(("=SUM(", "=IF(SUMIF("))


def test_the_same_file_gives_the_same_report() -> None:
    review = bad()
    for format_ in ("text", "md", "json", "html", "xlsx"):
        assert report([review], format_) == report([review], format_)


def test_the_table_of_rules_is_whole() -> None:
    assert len(list(rule_lines())) == len(RULES)
    for rule in RULES.values():
        assert rule.band in BANDS
        assert rule.severity in SEVERITIES
        assert rule.title
        assert rule.rule
        assert rule.remedy
        assert not rule.remedy.endswith(".")
