"""Which cell needs which: from the formulas of a file, names put in."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from scalesheet_workbooks.cell_references import Area, Place, areas
from scalesheet_workbooks.read import Book
from scalesheet_workbooks.review.engine import speller

MOST_CELLS_OF_AREA = 4_000


class Flow:
    """The formulas of a workbook as arrows from cell to cell."""

    def __init__(self, book: Book, names: Mapping[str, str]) -> None:
        self.needs: dict[Place, Sequence[Area]] = {}
        self.used_by: dict[Place, list[Place]] = defaultdict(list)
        self.large: list[tuple[Area, Place]] = []
        spelled = speller(names)
        for sheet in book.sheets:
            for (row, column), cell in sheet.cells.items():
                if cell.formula is not None:
                    self._add((sheet.title, row, column), spelled(cell.formula))

    def _add(self, place: Place, text: str) -> None:
        self.needs[place] = _areas(text, place[0])
        for area in self.needs[place]:
            title, top, left, bottom, right = area
            if (bottom - top + 1) * (right - left + 1) > MOST_CELLS_OF_AREA:
                self.large.append((area, place))
                continue
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    self.used_by[title, row, column].append(place)

    def downstream(self, places: Iterable[Place]) -> set[Place]:
        """The cells that need some cells, these left out unless they need each other."""
        found: set[Place] = set()
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            for user in (*self.used_by.get(place, ()), *self._large_users(place)):
                if user not in found:
                    found.add(user)
                    waiting.append(user)
        return found

    def upstream(self, places: Iterable[Place]) -> "Upstream":
        """The cells that some cells need."""
        seen = set(places)
        large: list[Area] = []
        waiting = list(seen)
        while waiting:
            for area in self.needs.get(waiting.pop(), ()):
                title, top, left, bottom, right = area
                if (bottom - top + 1) * (right - left + 1) > MOST_CELLS_OF_AREA:
                    large.append(area)
                    continue
                for row in range(top, bottom + 1):
                    for column in range(left, right + 1):
                        if (title, row, column) not in seen:
                            seen.add((title, row, column))
                            waiting.append((title, row, column))
        return Upstream(seen, large)

    def _large_users(self, place: Place) -> list[Place]:
        title, row, column = place
        return [
            user
            for (home, top, left, bottom, right), user in self.large
            if home == title and top <= row <= bottom and left <= column <= right
        ]


class Upstream:
    """Cells that are needed, some of them within large areas."""

    def __init__(self, cells: set[Place], large: list[Area]) -> None:
        self.cells, self.large = cells, large

    def __contains__(self, place: Place) -> bool:
        title, row, column = place
        return place in self.cells or any(
            home == title and top <= row <= bottom and left <= column <= right
            for home, top, left, bottom, right in self.large
        )


@lru_cache(maxsize=8192)
def _areas(text: str, title: str) -> tuple[Area, ...]:
    return tuple(areas(text, title))
