"""The table of measurements in a CSV file or a workbook, as texts with their places."""

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.measurement_files.headers import Headings, headings
from scalesheet_workbooks.price_files.sheet import Line, PriceFileError, Sheet, Wrong, read_sheet
from scalesheet_workbooks.price_files.sheet import strict_number as strict
from scalesheet_workbooks.scenario_text import cleaned

WORKBOOKS = (".xlsx", ".xlsm")
HEADER_ROWS = 30
"""So far down a sheet its header is looked for."""
MOST_PROBLEMS = 8
SMALLEST, LARGEST = 1e-9, 1e12
"""Figures outside these are slips."""
DURATION = re.compile(r"[0-9]+:[0-9]{2}(:[0-9.]+)?|[0-9]+ ?h ?[0-9]+.*")
WITH_UNIT = re.compile(r"[-+]?[0-9][0-9.,'\s]*[A-Za-zµ%/]+.*")
WHAT_IS_NEEDED = (
    "header with nodes (or gpus) and a throughput, step time or time to train, as in "
    "nodes,gpus_per_node,tokens/s"
)


class MeasurementFileError(ScalesheetError):
    """A file of measurements that cannot be used: its problems, one line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        shown = [cleaned(problem) for problem in problems[:MOST_PROBLEMS]]
        if len(problems) > MOST_PROBLEMS:
            shown.append(f"and {len(problems) - MOST_PROBLEMS} more: mend these first")
        super().__init__("\n".join(shown))
        self.problems = tuple(shown)


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the meaning of its columns; ``place`` is "line" or "row"."""

    sheet: Sheet
    headings: Headings
    place: str

    @property
    def name(self) -> str:
        """The file, and the sheet where it has several."""
        return self.sheet.name

    def at(self, line: Line, problem: object) -> str:
        """A problem with its place."""
        return f"{self.name}: {self.place} {line.number}: {problem}"

    def number(self, line: Line, column: str) -> float | None:
        """The number above zero in a cell, None for an empty one; Wrong for anything else."""
        text = line.text(column)
        if DURATION.fullmatch(text):
            raise Wrong(f'{column} is "{text}": write one number, and its unit in the header')
        if WITH_UNIT.fullmatch(text) and not re.fullmatch(r"[-+0-9.,]+[eE][-+]?[0-9]+", text):
            raise Wrong(f'{column} is "{text}": write the number alone, its unit in the header')
        value = self.sheet.number(line, column)
        if value is not None and not SMALLEST <= value <= LARGEST:
            raise Wrong(f"{column} must be {SMALLEST:g} to {LARGEST:g}, not {text}: is that so?")
        return value

    def count(self, line: Line, column: str, most: int) -> int | None:
        """The whole number from 1 in a cell, None for an empty one; Wrong for anything else."""
        value = self.number(line, column)
        if value is None:
            return None
        if value != int(value) or value > most:
            raise Wrong(f"{column} must be a whole number to {most:,}, not {line.text(column)}")
        return int(value)


def read_table(path: Path, sheet: str | None) -> Table:
    """The one table of measurements in a file; MeasurementFileError when there is none."""
    if path.suffix.lower() in WORKBOOKS:
        return _in_workbook(path, sheet)
    if path.suffix.lower() in (".xls", ".xlsb", ".ods", ".numbers"):
        raise MeasurementFileError([f"{path}: only CSV and .xlsx are read: save it as one of them"])
    if sheet is not None:
        raise MeasurementFileError([f"{path.name}: CSV has no sheets: leave out --sheet"])
    try:
        found = read_sheet(path)
    except PriceFileError as error:
        raise MeasurementFileError(error.problems) from None
    table = Table(found, headings(found.header), "line")
    if not any(found.header) and not found.lines:
        raise MeasurementFileError([f"{path.name}: is empty: it needs a {WHAT_IS_NEEDED}"])
    if not table.headings.is_table:
        raise MeasurementFileError([f"{path.name}: line 1: is no {WHAT_IS_NEEDED}"])
    _refuse_points_of_thousands(table)
    return table


def _refuse_points_of_thousands(table: Table) -> None:
    """Where columns are parted by ";", 1.234 in all lines is rather 1234 than three decimals."""
    with table.sheet.path.open(encoding="utf-8-sig") as file:
        if ";" not in file.readline():
            return
    for heading in table.headings.figures:
        cells = [(line, line.text(heading.column)) for line in table.sheet.lines]
        pointed = [(line, text) for line, text in cells if "." in text]
        if pointed and all(re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", text) for _, text in pointed):
            line, text = pointed[0]
            problem = (
                f'{heading.column} is "{text}", which can be {text.replace(".", "")} or {text}: '
                "write numbers without separators of thousands, or with commas between the columns"
            )
            raise MeasurementFileError([table.at(line, problem)])


def _in_workbook(path: Path, wanted: str | None) -> Table:
    stored, formulas = _opened(path, stored=True), _opened(path, stored=False)
    names = [sheet.title for sheet in stored.worksheets]
    if wanted is not None:
        names = [name for name in names if name.casefold() == wanted.strip().casefold()]
        if not names:
            known = ", ".join(f'"{sheet.title}"' for sheet in stored.worksheets)
            problem = f'{path.name}: there is no sheet "{wanted}": name one of {known}'
            raise MeasurementFileError([problem])
    tables = [
        table
        for name in names
        if (table := _in_worksheet(path, stored[name], formulas[name])) is not None
    ]
    if not tables:
        where = f'sheet "{names[0]}"' if len(names) == 1 else "no sheet"
        has = "has no" if len(names) == 1 else "has a"
        raise MeasurementFileError([f"{path.name}: {where} {has} {WHAT_IS_NEEDED}"])
    if len(tables) > 1:
        found = " and ".join(table.name.partition(": ")[2] for table in tables)
        raise MeasurementFileError(
            [f"{path.name}: there are measurements on {found}: name one with --sheet"]
        )
    return tables[0]


def _opened(path: Path, stored: bool) -> Any:
    """A workbook with the values it stores, or with its formulas."""
    import openpyxl

    try:
        if path.is_dir():
            raise MeasurementFileError([f"{path}: is a folder: name a file in it"])
        return openpyxl.load_workbook(path, data_only=stored)
    except FileNotFoundError:
        raise MeasurementFileError([f"{path}: there is no such file: check the path"]) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MeasurementFileError([f"{path}: cannot be read: {reason}"]) from None
    except MeasurementFileError:
        raise
    except Exception:  # openpyxl raises whatever it meets in a damaged file
        raise MeasurementFileError(
            [f"{path.name}: cannot be read as a workbook: save it again as .xlsx, or as CSV"]
        ) from None


def _in_worksheet(path: Path, stored: Any, formulas: Any) -> Table | None:
    """The table of a sheet: its header is the first row that can be one."""
    rows = list(_rows(stored, formulas))
    for position, (number, cells) in enumerate(rows[:HEADER_ROWS]):
        header = tuple(cell.lower() for cell in cells)
        found = headings(header)
        if found.is_table:
            name = f"{path.name}: sheet {stored.title}"
            twice = [column for column in header if column and header.count(column) > 1]
            if twice:
                problem = f"{name}: row {number}: column {twice[0]} is there twice: drop one"
                raise MeasurementFileError([problem])
            lines = tuple(
                Line(row, dict(zip(header, values, strict=True)))
                for row, values in rows[position + 1 :]
                if any(values)
            )
            return Table(Sheet(name, path, header, lines, (), False), found, "row")
    return None


def _rows(stored: Any, formulas: Any) -> Iterator[tuple[int, list[str]]]:
    for number, (values, written) in enumerate(
        zip(stored.iter_rows(values_only=True), formulas.iter_rows(values_only=True), strict=True),
        1,
    ):
        yield number, [_text(value, said) for value, said in zip(values, written, strict=True)]


def _text(value: object, written: object) -> str:
    """What a cell holds, as one would write it in CSV."""
    if value is None:
        return "" if written is None else f"{written} without a stored result"
    if isinstance(value, datetime.timedelta):
        return f"{value}"
    if isinstance(value, bool):
        return str(value).upper()
    return repr(value) if isinstance(value, int | float) else cleaned(str(value))


def number_in(text: str) -> float:
    """A number that was given on the command line; Wrong says why it cannot be told."""
    return strict(text.strip())
