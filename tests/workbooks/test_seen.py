"""Charts and marks in grey print and for eyes that tell some colours apart badly."""

import io
import itertools
import re

import openpyxl
import pytest

from scalesheet_workbooks import styles
from scalesheet_workbooks.build import TEMPLATES, build
from workbooks.seen import DEFICIENCIES, Mark, alike, charts, difference, grey_difference

GREY, SEEN = 10.0, 15.0
"""Least differences: in lightness of grey print, and to an eye; 2 is just seen side by side."""
READABLE = 4.5
"""Contrast of text and ground that WCAG 2.1 asks for."""
CHARTED = [name for name in TEMPLATES if not name.startswith("function_check")]


@pytest.fixture(scope="module")
def built() -> dict[str, bytes]:
    return {name: build(name) for name in TEMPLATES}


def together(one: Mark, other: Mark) -> bool:
    """Two series that are one thing to the reader: the edges of a band, points at a floor."""
    return one.color == other.color and one.series.split(",")[0] == other.series.split(",")[0]


@pytest.mark.parametrize("name", CHARTED)
def test_series_are_told_apart_without_colour(built: dict[str, bytes], name: str) -> None:
    """By dashes, marks or kind; where only colour differs, by lightness and by every eye."""
    pairs = [
        (title, one, other)
        for title, marks in charts(built[name])
        for one, other in alike(marks)
        if not together(one, other)
    ]
    assert [pair for pair in pairs if grey_difference(*_colors(pair)) < GREY] == []
    for deficiency in DEFICIENCIES:
        close = [pair for pair in pairs if difference(*_colors(pair), deficiency) < SEEN]
        assert close == [], deficiency


def _colors(pair: tuple[str, Mark, Mark]) -> tuple[str, str]:
    return pair[1].color, pair[2].color


def test_every_template_has_charts(built: dict[str, bytes]) -> None:
    """The test itself: charts are found, with series, and the shared colours are held to it."""
    counts = {name: [len(marks) for _, marks in charts(built[name])] for name in CHARTED}
    assert all(len(found) >= 2 and min(found) >= 2 for found in counts.values())
    # The blue and the rust that the charts had until now differ by 1.7 in lightness.
    assert grey_difference("2E86AB", "C8553D") < 2
    for one, other in itertools.combinations(
        (*styles.SERIES, styles.SIXTH_SERIES, styles.SEVENTH_SERIES), 2
    ):
        assert grey_difference(one, other) >= GREY, (one, other)


def test_differences_of_the_measure() -> None:
    """Black and white are 100 apart in L*; red and green of one lightness are seen as alike by
    who lacks the red or the green cones, and are far apart for who does not."""
    assert grey_difference("000000", "FFFFFF") == pytest.approx(100, abs=0.1)
    assert difference("C00000", "5A6900", "deuteranopia") < difference(
        "C00000", "5A6900", "tritanopia"
    )


@pytest.mark.parametrize("name", CHARTED)
def test_the_master_check_is_a_word(built: dict[str, bytes], name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(built[name]))
    badges = [
        cell for sheet in book.worksheets for cell in sheet[1] if "chk_master" in str(cell.value)
    ]
    assert len(badges) >= len(book.sheetnames) - 2
    for cell in badges:
        assert '"ALL CHECKS OK"' in cell.value
        assert '"CHECKS FAILING: "' in cell.value


@pytest.mark.parametrize("name", CHARTED)
def test_results_of_checks_are_words(built: dict[str, bytes], name: str) -> None:
    """Each result is 0 or 1 and shows as a word, whatever its colour."""
    ws = openpyxl.load_workbook(io.BytesIO(built[name]))["Checks"]
    results = [
        ws[f"H{cell.row}"] for cell in ws["D"] if cell.value in ("error", "completeness", "alert")
    ]
    assert len(results) > 10
    for cell in results:
        words = re.findall(r'"(\w+)"', cell.number_format)
        assert len(set(words)) == 2, (cell.coordinate, cell.number_format)


def test_text_on_badges_can_be_read() -> None:
    for ground in (styles.GOOD, styles.BAD, styles.NAVY):
        assert contrast("FFFFFF", ground) >= READABLE
    for text, ground in (
        (styles.GOOD, styles.GOOD_PALE),
        (styles.BAD, styles.BAD_PALE),
        (styles.WARN, styles.WARN_PALE),
        (styles.INPUT_BLUE, styles.YELLOW),
        (styles.GREY, "FFFFFF"),
    ):
        assert contrast(text, ground) >= READABLE, (text, ground)


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG 2.1, from 1 to 21."""
    from workbooks.seen import XYZ, linear

    light, dark = sorted(
        (sum(m * c for m, c in zip(XYZ[1], linear(color), strict=True)) for color in (one, other)),
        reverse=True,
    )
    return (light + 0.05) / (dark + 0.05)
