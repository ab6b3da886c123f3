"""Charts with one look: no clutter, explicit colours, a title that says what is measured."""

from typing import TypeAlias

from openpyxl.chart import BarChart, LineChart, ScatterChart, Series
from openpyxl.chart.axis import ChartLines
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.layout import Layout, ManualLayout
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import (
    CharacterProperties,
    Font,
    Paragraph,
    ParagraphProperties,
    RegularTextRun,
)

from scalesheet_workbooks.styles import FAMILY, GREY, INK, LINE, NAVY

Chart: TypeAlias = BarChart | LineChart | ScatterChart
TEXT_SIZE = 10
MILLIONS = '#,##0.0,,"M"'
"""Of axes with money: one unit over the whole axis."""


def _characters(size: int, color: str, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size * 100, b=bold, solidFill=color, latin=Font(typeface=FAMILY))


def _text(size: int, color: str) -> RichText:
    properties = ParagraphProperties(defRPr=_characters(size, color))
    return RichText(p=[Paragraph(pPr=properties, endParaRPr=_characters(size, color))])


def _title(text: str, size: int, color: str, bold: bool) -> Title:
    style = _characters(size, color, bold)
    run = RegularTextRun(rPr=style, t=text)
    paragraph = Paragraph(pPr=ParagraphProperties(defRPr=style), r=[run])
    return Title(tx=Text(rich=RichText(p=[paragraph])), overlay=False)


def finish(
    chart: Chart, title: str, width_cm: float, height_cm: float, text_size: int = TEXT_SIZE
) -> None:
    """The shared look of a chart; ``text_size`` is that of legend and axes."""
    chart.title = _title(title, 11, NAVY, True)
    chart.width, chart.height = width_cm, height_cm
    chart.legend.position = "b"
    chart.legend.txPr = _text(text_size, INK)
    chart.graphical_properties = GraphicalProperties(ln=LineProperties(noFill=True))
    for axis in (chart.x_axis, chart.y_axis):
        axis.delete = False
        axis.txPr = _text(text_size, INK)
        axis.majorGridlines = None
        axis.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=LINE))
        axis.majorTickMark = axis.minorTickMark = "none"
    chart.y_axis.majorGridlines = ChartLines(
        spPr=GraphicalProperties(ln=LineProperties(solidFill=LINE, w=6350))
    )


def plot_area(x: float, width: float) -> Layout:
    """A fixed place for the plot, in shares of the chart: long labels must not squeeze it."""
    return Layout(
        manualLayout=ManualLayout(
            layoutTarget="inner", xMode="edge", yMode="edge", x=x, y=0.13, w=width, h=0.62
        )
    )


def axis_titles(chart: Chart, x: str, y: str, text_size: int = TEXT_SIZE) -> None:
    """Names of the axes."""
    chart.x_axis.title = _title(x, text_size, GREY, False) if x else None
    chart.y_axis.title = _title(y, text_size, GREY, False) if y else None


def named(series: Series, reference: str) -> Series:
    """A series named by a cell."""
    series.tx = SeriesLabel(strRef=StrRef(reference))
    return series


def bar(series: Series, color: str) -> Series:
    """A bar series of one colour."""
    series.graphicalProperties = GraphicalProperties(solidFill=color)
    series.graphicalProperties.line.noFill = True
    series.invertIfNegative = False
    return series


def unseen(series: Series) -> Series:
    """A bar series that only holds the others up."""
    series.graphicalProperties = GraphicalProperties(noFill=True)
    series.graphicalProperties.line.noFill = True
    series.invertIfNegative = False
    return series


def line(series: Series, color: str, *, dash: str | None = None, symbol: str = "none") -> Series:
    """A line series of one colour, with or without markers."""
    series.smooth = False
    series.graphicalProperties = GraphicalProperties(
        ln=LineProperties(solidFill=color, w=22225, prstDash=dash)
    )
    series.marker = _marker(symbol, color, color)
    return series


def marks(series: Series, color: str) -> Series:
    """Squares with no line."""
    series.smooth = False
    series.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
    series.marker = _marker("square", color, color, size=9)
    return series


def _marker(symbol: str, edge: str, fill: str, size: int = 6) -> Marker:
    marker = Marker(symbol=symbol, size=size)
    if symbol != "none":
        marker.graphicalProperties = GraphicalProperties(
            solidFill=fill, ln=LineProperties(solidFill=edge, w=15875)
        )
    return marker
