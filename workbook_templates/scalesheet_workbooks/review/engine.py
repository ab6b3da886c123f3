"""A workbook's formulas calculated from its cells, with single cells changed to see what they do.

The cells are handed over one by one: the engine never opens the file. Names are put in as the
ranges they stand for.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

from scalesheet.errors import CellError
from scalesheet_workbooks.calculation import CLOCK, ENGINE_KINDS, our_functions, shown_value
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read import Book, Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.spelling import (
    MOST_LETTERS,
    moving_names,
    names_in,
    names_of,
    speller,
    speller_at,
    spellers,
)

EXTERNAL = re.compile(r"\[[^\]\"]+\][^!\"(]*!(?![A-Za-z_][A-Za-z0-9_.]*\()")
"""A reference into another workbook; not the path of an add-in before one of its functions."""

UNKNOWN_REFERENCE = re.compile(
    r"""[A-Za-z0-9_.](?:\[\[|\[[@\#]|\[[A-Za-z][^\]!]*\](?!['A-Za-z0-9_.]*!))
    |(?<![A-Za-z0-9_.!'])[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*!
    |'[^'\[\]]+:[^'\[\]]+'!""",
    re.VERBOSE,
)
"""Columns of a table, and cells of several sheets at once."""

TEXTS = re.compile(r'"(?:[^"]|"")*"')
CIRCULAR = CellError("circular")
UNKNOWN, NO_NAME = CellError("not calculated"), CellError("#NAME?")
INVALID = CellError("no formula")


class Session:
    """One workbook in the engine."""

    def __init__(
        self,
        book: Book,
        names: Mapping[str, str] | None = None,
        unread: Container[Place] = (),
    ) -> None:
        """``unread`` are cells that no formula reads: their texts are kept from the engine, which
        takes as long for a text as for a formula."""
        self.workbook = _empty_workbook()
        self.titles = {sheet.title for sheet in book.sheets}
        self.names = names if names is not None else names_of(book)
        self.spelled = speller(self.names)
        self._spelled_on = spellers(self.names, book)
        self._moving = moving_names(book) if names is None else {}
        self.invalid: dict[Place, str] = {}
        self._is_due = True
        self._known: dict[Place, Value] = {}
        self._texts: dict[Place, str] = {}
        self._functions = our_functions(self.workbook)
        self._functions.__enter__()
        for sheet in book.sheets:
            self.workbook.add_sheet(sheet.title)
        put_formula, set_value = self._put_formula, self.workbook.set_value
        for sheet in book.sheets:
            title, spelled = sheet.title, self._spelled_on.get(sheet.title, self.spelled)
            for (row, column), cell in sheet.cells.items():
                place = title, row, column
                if cell.formula is not None:
                    put_formula(place, cell, spelled)
                elif type(cell.value) is str and place in unread:
                    self._texts[place] = cell.value
                else:
                    set_value(*place, _engine_value(cell.value))

    def value(self, place: Place) -> Value:
        """What a cell shows; an error where it cannot be calculated."""
        known = self._known
        if place not in known:
            known[place] = self._shown(place)
        return known[place]

    def _shown(self, place: Place) -> Value:
        if place in self.invalid:
            return INVALID
        if place in self._texts:
            return self._texts[place]
        if self._is_due:
            self.workbook.evaluate_all()
            self._is_due = False
        raw = self.workbook.get_value(*place)
        if raw is None or type(raw) is str:
            return raw
        if isinstance(raw, dict) and raw.get("kind") == "Circ":
            return CIRCULAR
        try:
            return shown_value(raw)
        except (ValueError, TypeError, KeyError):
            return UNKNOWN
        except Exception:  # a kind of error that no spreadsheet has
            return UNKNOWN

    def change(self, cells: Mapping[Place, Cell | None]) -> None:
        """Put other contents into some cells; the next value asked for is calculated with them."""
        for place, cell in cells.items():
            self.invalid.pop(place, None)
            self._texts.pop(place, None)
            self._put(place, cell)
        self._is_due, self._known = True, {}

    def with_changes(
        self,
        cells: Mapping[Place, Cell | None],
        now: Mapping[Place, Cell | None],
        wanted: Iterable[Place],
    ) -> list[Value]:
        """The values of some cells when others are changed; afterwards all is as before."""
        before = self._known
        self.change(cells)
        found = [self.value(place) for place in wanted]
        self.change(now)
        self._known = before
        return found

    def _put(self, place: Place, cell: Cell | None) -> None:
        title, row, column = place
        if title not in self.titles:
            return
        if cell is not None and cell.formula is not None:
            self._put_formula(place, cell, self._spelled_on.get(title, self.spelled))
        else:
            self.workbook.set_value(title, row, column, _engine_value(cell.value if cell else None))

    def _put_formula(self, place: Place, cell: Cell, spelled: Callable[[str], str]) -> None:
        formula = cell.formula
        assert formula is not None
        if self._moving and not self._moving.keys().isdisjoint(names_in(formula)):
            spelled = speller_at(place, self.names, self._moving)
        text = spelled(formula) if len(formula) <= MOST_LETTERS else ""
        if "[" in text and EXTERNAL.search(text):
            # What another file holds is not known here, be it by a name; what this one stored of
            # it is.
            known = cell.value if cell.value is not None else CellError("#REF!")
            self.workbook.set_value(*place, _engine_value(known))
            return
        try:
            if not text or len(text) > 2 * MOST_LETTERS:
                raise ValueError("the formula is too long")
            self.workbook.set_formula(*place, f"={text}")
        except Exception as error:  # the engine's own kinds; the formula is kept as an error
            self.invalid[place] = str(error)
            self.workbook.set_value(*place, {"type": "Error", "kind": "Name"})


def _empty_workbook() -> Any:
    import formualizer

    # One thread: many files are reviewed in as many processes as there are cores.
    settings = formualizer.EvaluationConfig()
    settings.enable_parallel = False
    workbook = formualizer.Workbook(
        config=formualizer.WorkbookConfig(
            enable_changelog=False,  # nothing is undone; a log would only grow
            eval_config=settings,
        )
    )
    workbook.set_temporal_egress("serial")
    workbook.set_deterministic_clock(CLOCK)
    return workbook


def is_skipped(stored: Value, value: Value) -> bool:
    """Whether a formula was not calculated: by no means, or because only the program that stored
    its value knows a function of it."""
    given = stored not in (None, "") and not isinstance(stored, CellError)
    return value == UNKNOWN or (given and value == NO_NAME)


def is_beyond(formula: str) -> bool:
    """Whether a formula refers to cells in a way that only the program of the user knows.

    >>> [is_beyond(text) for text in ("SUM(Tbl[Qty])", "SUM(Jan:Mar!B3)", '"a:b!"&A1', "S!A1:B2")]
    [True, True, False, False]
    """
    return UNKNOWN_REFERENCE.search(TEXTS.sub('""', formula)) is not None


def is_readable(formula: str) -> bool:
    """Whether the engine can read a formula at all."""
    import formualizer

    if len(formula) > MOST_LETTERS:
        return False
    try:
        formualizer.parse(f"={formula.lstrip('=')}")
    except Exception:  # the engine's own kinds of error
        return False
    return True


def _engine_value(value: Value) -> Any:
    if isinstance(value, CellError):
        return {"type": "Error", "kind": ENGINE_KINDS.get(value.code, "Value")}
    return value
