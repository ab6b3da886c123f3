"""How charts look to others: printed in grey, and to people with a colour vision deficiency."""

import io
import itertools
import math
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

Rgb = tuple[float, float, float]
Matrix = tuple[Rgb, Rgb, Rgb]

# Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
DEFICIENCIES: dict[str, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# CIE 1931, D65: linear sRGB to XYZ, and the white point.
XYZ: Matrix = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
WHITE: Rgb = (0.9505, 1.0, 1.089)


def linear(color: str) -> Rgb:
    """The linear RGB of a colour such as 1F3A5F."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (0, 2, 4))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return r, g, b


def applied(matrix: Matrix, rgb: Rgb) -> Rgb:
    """A colour seen through a matrix, within what a screen shows."""
    r, g, b = (sum(m * c for m, c in zip(row, rgb, strict=True)) for row in matrix)
    return min(max(r, 0.0), 1.0), min(max(g, 0.0), 1.0), min(max(b, 0.0), 1.0)


def lab(rgb: Rgb) -> Rgb:
    """CIE L*a*b* of a linear RGB colour."""
    xyz = (sum(m * c for m, c in zip(row, rgb, strict=True)) for row in XYZ)
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (one / white for one, white in zip(xyz, WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def grey_difference(one: str, other: str) -> float:
    """How far two colours are apart in lightness, L* from 0 to 100."""
    return abs(lab(linear(one))[0] - lab(linear(other))[0])


def difference(one: str, other: str, deficiency: str) -> float:
    """How far two colours are apart to an eye, CIE 1976; about 2 is just seen side by side."""
    matrix = DEFICIENCIES[deficiency]
    first, second = (lab(applied(matrix, linear(color))) for color in (one, other))
    return math.dist(first, second)


@dataclass(frozen=True, slots=True)
class Mark:
    """What a series is drawn with: the kind of chart, colour, dashes, marks, labels on its own."""

    series: str
    kind: str
    color: str
    dash: str
    symbol: str
    labelled: bool

    @property
    def form(self) -> tuple[str, str, str]:
        """What tells it from another without any colour."""
        return self.kind, self.dash, self.symbol


def charts(xlsx: bytes) -> Iterator[tuple[str, list[Mark]]]:
    """Every chart of a workbook: its title and the series that can be seen."""
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        for name in sorted(archive.namelist()):
            if re.fullmatch(r"xl/charts/chart\d+\.xml", name):
                tree = ET.fromstring(archive.read(name))
                head = tree.find(f"{CHART}chart/{CHART}title")
                texts = (
                    [] if head is None else [text.text or "" for text in head.iter(f"{DRAWING}t")]
                )
                marks = [
                    mark
                    for plot in tree.iter()
                    if plot.tag.endswith("Chart")
                    for series in plot.findall(f"{CHART}ser")
                    if (mark := _mark(series, plot.tag.removeprefix(CHART))) is not None
                ]
                yield "".join(texts) or name, marks


def _mark(series: ET.Element, kind: str) -> Mark | None:
    """How a series is drawn; None where it only holds others up."""
    shape = series.find(f"{CHART}spPr")
    symbol = series.find(f"{CHART}marker/{CHART}symbol")
    marked = "" if symbol is None else symbol.get("val", "")
    marked = "" if marked == "none" else marked
    line = shape.find(f"{DRAWING}ln") if shape is not None else None
    own = shape.find(f"{DRAWING}solidFill") if shape is not None else None
    is_bar = kind == "barChart"
    drawn = own if is_bar else (line.find(f"{DRAWING}solidFill") if line is not None else None)
    dash = line.find(f"{DRAWING}prstDash") if line is not None and not is_bar else None
    if drawn is None and marked:
        drawn = series.find(f"{CHART}marker/{CHART}spPr/{DRAWING}solidFill")
        kind = "marks"
    if drawn is None:
        return None
    color = drawn.find(f"{DRAWING}srgbClr")
    values = series.find(f"{CHART}dLbls/{CHART}showSerName")
    return Mark(
        "".join(text for text in series.find(f"{CHART}tx").itertext()).strip()[:60],  # type: ignore[union-attr]
        kind,
        "000000" if color is None else color.get("val", "000000"),
        "" if dash is None else dash.get("val", ""),
        marked,
        values is not None and values.get("val") == "1",
    )


def alike(marks: list[Mark]) -> Iterator[tuple[Mark, Mark]]:
    """Pairs of series that only their colour tells apart."""
    for one, other in itertools.combinations(marks, 2):
        if one.form == other.form:
            yield one, other
