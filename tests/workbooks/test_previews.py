"""The pictures in the documents against the shipped workbooks, rendered again.

Roughly: other fonts and other versions of LibreOffice draw a little differently.
"""

from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from previews import FOLDER, SHEETS, TEMPLATES, preview, rendered

ROOT = TEMPLATES.parent
CASES = [(template, sheet) for template, sheets in SHEETS.items() for sheet in sheets]
GRID = (48, 48)
"""A page is compared by its lightness in so many fields."""
LIKE = 5.0
"""Mean difference of lightness, of 255, up to which two pages are alike; the pages of a template
that are most like each other differ by 5.8."""
SIZE_SLACK = 0.01

Pages = dict[str, dict[str, Path]]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Every sheet of the templates that are shown; a sheet of two pages is an error here."""
    return {template: rendered(template, tmp_path_factory.mktemp(template)) for template in SHEETS}


def difference(one: Path, other: Path) -> float:
    with Image.open(one) as first, Image.open(other) as second:
        small = (
            picture.convert("L").resize(GRID, Image.Resampling.BOX) for picture in (first, second)
        )
        return ImageStat.Stat(ImageChops.difference(*small)).mean[0]


@pytest.mark.parametrize(("template", "sheet"), CASES)
def test_a_picture_shows_its_sheet(pages: Pages, template: str, sheet: str) -> None:
    """It is like the page, and like no other page as much."""
    shown = preview(template, sheet)
    found = {title: difference(shown, page) for title, page in pages[template].items()}
    assert found[sheet] <= LIKE
    assert min(found, key=lambda title: found[title]) == sheet


@pytest.mark.parametrize(("template", "sheet"), CASES)
def test_a_picture_is_of_the_paper(pages: Pages, template: str, sheet: str) -> None:
    with Image.open(preview(template, sheet)) as shown, Image.open(pages[template][sheet]) as page:
        assert shown.size == pytest.approx(page.size, rel=SIZE_SLACK)


def test_the_pictures_are_those_of_the_script_and_all_are_used() -> None:
    files = sorted(path.name for path in FOLDER.iterdir())
    assert files == sorted(preview(template, sheet).name for template, sheet in CASES)
    texts = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "README.md", TEMPLATES / "README.md")
    )
    unused = {name for name in files if f"preview/{name}" not in texts}
    assert unused == set()


def test_other_pages_are_not_alike(pages: Pages) -> None:
    """The test itself: covers of two templates are further apart than a picture may be."""
    covers = [pages[template]["Cover"] for template in SHEETS]
    assert difference(covers[0], covers[1]) > LIKE
    assert difference(covers[0], covers[0]) == 0
