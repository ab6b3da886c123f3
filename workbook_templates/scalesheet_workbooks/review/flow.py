"""Which cell needs which: from the formulas of a file, names put in."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from scalesheet_workbooks.cell_references import Area, Place, areas
from scalesheet_workbooks.read import Book
from scalesheet_workbooks.review.spelling import speller, spellers

SMALL = 64
"""Cells of an area that get an arrow each; a wider one is kept as a whole."""


class Flow:
    """The formulas of a workbook as arrows from cell to cell."""

    def __init__(self, book: Book, names: Mapping[str, str]) -> None:
        self.needs: dict[Place, Sequence[Area]] = {}
        self._used_by: dict[Place, list[Place]] = defaultdict(list)
        self._wide: dict[str, dict[Area, list[Place]]] = defaultdict(dict)
        self._formulas: dict[str, list[Place]] = defaultdict(list)
        all_sheets, own = speller(names), spellers(names, book)
        for sheet in book.sheets:
            spelled = own.get(sheet.title, all_sheets)
            for (row, column), cell in sheet.cells.items():
                if cell.formula is not None:
                    self._add((sheet.title, row, column), spelled(cell.formula))

    def _add(self, place: Place, text: str) -> None:
        self._formulas[place[0]].append(place)
        self.needs[place] = _areas(text, place[0])
        for area in self.needs[place]:
            if _is_wide(area):
                self._wide[area[0]].setdefault(area, []).append(place)
            else:
                for cell in _cells(area):
                    self._used_by[cell].append(place)

    @property
    def read(self) -> "Upstream":
        """The cells that a formula refers to."""
        return Upstream(set(self._used_by), self._wide)

    def users(self, place: Place) -> Iterator[Place]:
        """The cells whose formulas refer to a cell."""
        yield from self._used_by.get(place, ())
        for area, users in self._wide.get(place[0], {}).items():
            if _holds(area, place):
                yield from users

    def downstream(self, places: Iterable[Place]) -> set[Place]:
        """The cells that need some cells, these left out unless they need each other."""
        found: set[Place] = set()
        waiting = list(places)
        wide = {title: dict(areas) for title, areas in self._wide.items()}
        while waiting:
            place = waiting.pop()
            users = list(self._used_by.get(place, ()))
            left = wide.get(place[0], {})
            for area in [area for area in left if _holds(area, place)]:
                users += left.pop(area)  # once found they need not be found again
            for user in users:
                if user not in found:
                    found.add(user)
                    waiting.append(user)
        return found

    def upstream(self, places: Iterable[Place]) -> "Upstream":
        """The cells that some cells need."""
        seen = set(places)
        wide: dict[str, set[Area]] = defaultdict(set)
        waiting = list(seen)
        while waiting:
            for area in self.needs.get(waiting.pop(), ()):
                cells: Iterable[Place] = ()
                if not _is_wide(area):
                    cells = _cells(area)
                elif area not in wide[area[0]]:
                    wide[area[0]].add(area)
                    cells = (one for one in self._formulas[area[0]] if _holds(area, one))
                for cell in cells:
                    if cell not in seen:
                        seen.add(cell)
                        waiting.append(cell)
        return Upstream(seen, wide)


@dataclass(frozen=True, slots=True)
class Upstream:
    """Cells that are needed, and by sheet the wide areas that are."""

    cells: Set[Place]
    wide: Mapping[str, Iterable[Area]]

    def __contains__(self, place: Place) -> bool:
        return place in self.cells or any(
            _holds(area, place) for area in self.wide.get(place[0], ())
        )


def _is_wide(area: Area) -> bool:
    _, top, left, bottom, right = area
    return (bottom - top + 1) * (right - left + 1) > SMALL


def _holds(area: Area, place: Place) -> bool:
    """Whether an area of the sheet of a cell holds it."""
    return area[1] <= place[1] <= area[3] and area[2] <= place[2] <= area[4]


def _cells(area: Area) -> Iterator[Place]:
    title, top, left, bottom, right = area
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            yield title, row, column


@lru_cache(maxsize=8192)
def _areas(text: str, title: str) -> tuple[Area, ...]:
    return tuple(areas(text, title))
