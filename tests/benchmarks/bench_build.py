"""Build of every template, beside what openpyxl needs to save the same cells and charts.

Run ``python tests/benchmarks/bench_build.py [RUNS]``. For openpyxl everything is at hand: in its
clock are a new workbook, its cells with their values and styles, what else its sheets hold (charts,
validations, formats, page: attached, not made), and the save. Styles are set as openpyxl's guide
has it, font, fill, border and so on for each cell, from ready objects; "least" is without even
that, each cell being handed its finished style. The engine's recalculation is counted apart. All
take turns in one process, in processor time, and a ratio is the median of the runs.
"""

import io
import statistics
import sys
import time
from collections.abc import Callable
from copy import copy
from unittest import mock

from openpyxl import Workbook

from scalesheet_workbooks import build as building
from scalesheet_workbooks.build import TEMPLATES, build
from scalesheet_workbooks.calculation import cached_values
from scalesheet_workbooks.scenarios import SHIPPED, shipped

RUNS = 7
MOST = 2.0
KEPT = (
    *("column_dimensions", "row_dimensions", "conditional_formatting", "data_validations"),
    *("_charts", "_images", "sheet_properties", "sheet_format", "views", "protection"),
    *("page_setup", "page_margins", "print_options", "HeaderFooter", "merged_cells"),
)
"""What a sheet holds besides its cells."""
STYLES = (
    *("_fonts", "_fills", "_borders", "_alignments", "_protections", "_number_formats"),
    *("_cell_styles", "_named_styles"),
)
OF_BOOK = (
    *("_differential_styles", "defined_names", "properties", "custom_doc_props", "calculation"),
)


def seconds(work: Callable[[], object]) -> float:
    """Processor time of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def written(name: str) -> Workbook:
    """The workbook of a template before it is saved."""
    template = TEMPLATES[name]
    book = Workbook()
    book.remove(book.active)
    template.write(book, shipped(name if template.uses_scenarios else SHIPPED))
    return book


LOOK = ("font", "fill", "border", "alignment", "protection", "number_format")
Looks = dict[bytes, dict[str, object]]


def looks_of(source: Workbook) -> Looks:
    """Ready objects of every style of a workbook."""
    cells = (cell for sheet in source.worksheets for cell in sheet._cells.values())
    return {
        bytes(cell._style): {part: copy(getattr(cell, part)) for part in LOOK}
        for cell in cells
        if cell.has_style
    }


def saved_again(source: Workbook, looks: Looks | None = None) -> bytes:
    """The same cells, charts and pages, written into a new workbook and saved."""
    book = Workbook()
    book.remove(book.active)
    for table in (*STYLES, *OF_BOOK) if looks is None else OF_BOOK:
        setattr(book, table, getattr(source, table))
    for sheet in source.worksheets:
        copied = book.create_sheet(sheet.title)
        for (row, column), cell in sheet._cells.items():
            twin = copied.cell(row, column, cell.value)
            twin.data_type, twin.hyperlink = cell.data_type, cell.hyperlink
            if looks is None:
                twin._style = copy(cell._style)
            elif cell.has_style:
                for part, value in looks[bytes(cell._style)].items():
                    setattr(twin, part, value)
        for part in KEPT:
            setattr(copied, part, getattr(sheet, part))
        copied.print_area, copied.print_title_rows = sheet.print_area, sheet.print_title_rows
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


class Clock:
    """The processor time that the engine takes within builds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, *arguments: object, **named: object) -> object:
        start = time.process_time()
        try:
            return cached_values(*arguments, **named)  # type: ignore[arg-type]
        finally:
            self.seconds += time.process_time() - start


Figures = tuple[float, float, float, float]
"""Seconds of openpyxl, of openpyxl at the least, of a build, and of the engine within it."""


def main() -> None:
    """Print the figures."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    clock = Clock()
    mock.patch.object(building, "cached_values", clock).start()
    print("milliseconds             openpyxl   least   build  engine   ratio  to least")
    sums: list[Figures] = [(0.0, 0.0, 0.0, 0.0)] * runs
    for name in TEMPLATES:
        source = written(name)
        looks = looks_of(source)
        build(name)  # what is worked out once in a process is not in the clock
        figures = [measured(name, source, looks, clock) for _ in range(runs)]
        show(name, figures)
        sums = [
            (a + e, b + f, c + g, d + h)
            for (a, b, c, d), (e, f, g, h) in zip(sums, figures, strict=True)
        ]
    ratio = show("all", sums)
    print("ratio: build without engine to openpyxl")
    print(f"at most {MOST:.0f} times openpyxl, plus the engine: {'yes' if ratio <= MOST else 'NO'}")


def measured(name: str, source: Workbook, looks: Looks, clock: Clock) -> Figures:
    """One run of each, one after the other."""
    plain = seconds(lambda: saved_again(source, looks))
    least = seconds(lambda: saved_again(source))
    clock.seconds = 0.0
    whole = seconds(lambda: build(name))
    return plain, least, whole, clock.seconds


def show(name: str, figures: list[Figures]) -> float:
    """The median of the ratio, after printing a line."""
    ratio = statistics.median((whole - engine) / plain for plain, _, whole, engine in figures)
    to_least = statistics.median((whole - engine) / least for _, least, whole, engine in figures)
    times = "".join(
        f"{1000 * statistics.median(column):8.0f}" for column in zip(*figures, strict=True)
    )
    print(f"{name:26}{times}{ratio:8.2f}{to_least:10.2f}")
    return ratio


if __name__ == "__main__":
    main()
