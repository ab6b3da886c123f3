"""Rows and columns of a returned file beside the template's: by id and content, not by place."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from scalesheet_workbooks.cell_references import Place, address, place_of, rewritten
from scalesheet_workbooks.read import Book, Cell, Sheet
from scalesheet_workbooks.review.expected import Expected
from scalesheet_workbooks.review.marks import CURRENCY, MARKS
from scalesheet_workbooks.review.row_keys import RowKeys, content, row_keys
from scalesheet_workbooks.review.spelling import quoted

Pairs = dict[int, int]
SHEETS = re.compile(r"([A-Za-z0-9_.]+|'[^']*')!")


@dataclass
class SheetMap:
    """Rows and columns of one sheet, from the template's to the file's, and back."""

    title: str
    found: str
    rows: Pairs = field(default_factory=dict)
    columns: Pairs = field(default_factory=dict)
    rows_back: Pairs = field(default_factory=dict)
    columns_back: Pairs = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    """Rows of the template that hold something and are not in the file."""
    unlike: list[tuple[int, int]] = field(default_factory=list)
    """Cells of the template that the file does not have letter by letter, in the same column."""


@dataclass
class Alignment:
    """Every sheet of the template with its place in the file."""

    sheets: dict[str, SheetMap]
    """By the template's title."""
    back: dict[str, SheetMap]
    """By the file's title."""
    missing: tuple[str, ...]
    added: tuple[str, ...]

    def place(self, title: str, row: int, column: int) -> tuple[str, int, int] | None:
        """Where a cell of the template stands in the file."""
        sheet = self.sheets.get(title)
        if sheet is None or row not in sheet.rows or column not in sheet.columns:
            return None
        return sheet.found, sheet.rows[row], sheet.columns[column]

    def home(self, place: Place) -> Place | None:
        """Where a cell of the file stands in the template."""
        title, row, column = place
        sheet = self.back.get(title)
        if sheet is None or row not in sheet.rows_back or column not in sheet.columns_back:
            return None
        return sheet.title, sheet.rows_back[row], sheet.columns_back[column]

    @cached_property
    def straight(self) -> frozenset[str]:
        """Sheets whose rows and columns all stand where the template has them."""
        return frozenset(
            sheet.title
            for sheet in self.sheets.values()
            if sheet.title == sheet.found
            and all(here == there for here, there in (*sheet.rows.items(), *sheet.columns.items()))
        )

    @cached_property
    def is_straight(self) -> bool:
        """Whether every sheet of the template is there, with nothing moved."""
        return not self.missing and len(self.straight) == len(self.sheets)

    def reads_the_same(self, title: str, formula: str) -> bool:
        """Whether every reference in a formula has the same address in template and file."""
        sheets = {title, *SHEETS.findall(formula)} if "!" in formula else {title}
        return sheets <= self.straight

    def here(self, title: str, formula: str) -> str:
        """A formula of the file as it reads in the template's layout, in plain spelling."""
        return _translated(formula, title, self.back, back=True)

    def there(self, title: str, formula: str) -> str:
        """A formula of the template as it reads in the file."""
        return _translated(formula, title, self.sheets, back=False)


def align(expected: Expected, book: Book) -> Alignment:
    """Sheets by title or ids; rows by id or first text; columns by what stands in them."""
    pairs = _sheet_pairs(expected, book)
    sheets: dict[str, SheetMap] = {}
    for title, found in pairs.items():
        ours, theirs = expected.book.by_title[title], book.by_title[found]
        one = SheetMap(title, found)
        one.rows = _row_pairs(ours, theirs, expected.row_keys[title], row_keys(theirs))
        one.unlike = _unlike(ours, theirs, one.rows)
        one.columns = _column_pairs(ours, theirs, one, expected.written)
        one.lost = {row for row, _ in ours.cells} - one.rows.keys()
        one.rows_back = {there: here for here, there in one.rows.items()}
        one.columns_back = {there: here for here, there in one.columns.items()}
        sheets[title] = one
    back = {one.found: one for one in sheets.values()}
    return Alignment(
        sheets,
        back,
        tuple(sheet.title for sheet in expected.book.sheets if sheet.title not in pairs),
        tuple(sheet.title for sheet in book.sheets if sheet.title not in back),
    )


def _sheet_pairs(expected: Expected, theirs: Book) -> dict[str, str]:
    ours = expected.book
    pairs = {sheet.title: sheet.title for sheet in ours.sheets if sheet.title in theirs.by_title}
    lost = [sheet for sheet in ours.sheets if sheet.title not in pairs]
    free = [sheet for sheet in theirs.sheets if sheet.title not in ours.by_title]
    for sheet in lost:
        keys = set(expected.row_keys[sheet.title].values())
        shared = {other.title: len(keys & set(row_keys(other).values())) for other in free}
        best = max(shared, key=lambda title: shared[title], default=None)
        if best is not None and shared[best] >= 0.5 * len(keys):
            pairs[sheet.title] = best
            free = [other for other in free if other.title != best]
    return pairs


def _unlike(ours: Sheet, theirs: Sheet, rows: Mapping[int, int]) -> list[tuple[int, int]]:
    """Cells of the template that do not stand letter by letter in their row and column."""
    cells = theirs.cells
    found = []
    for at, cell in ours.cells.items():
        other = cells.get((rows.get(at[0], 0), at[1]))
        if other is None:
            found.append(at)
        elif cell.formula is not None:
            if cell.formula != other.formula or CURRENCY in cell.formula:
                found.append(at)
        elif (
            cell.value != other.value
            or other.formula is not None
            or type(cell.value) is not type(other.value)
        ):
            found.append(at)
    return found


def _row_pairs(ours: Sheet, theirs: Sheet, own_keys: RowKeys, found_keys: RowKeys) -> Pairs:
    """Rows of the same key; rows left over stand beside a neighbour that was found."""
    if own_keys == found_keys:
        return {row: row for row in own_keys}
    keys = {key: row for row, key in found_keys.items()}
    pairs = {row: keys[key] for row, key in own_keys.items() if key in keys}
    pairs |= _exchanged(ours, theirs, pairs)
    taken = set(pairs.values())
    offset = 0
    for row in own_keys:
        if row in pairs:
            offset = pairs[row] - row
            continue
        guess = row + offset
        if guess not in taken and (
            _alike(ours, row, theirs, guess) or _between(row, guess, own_keys, keys, found_keys)
        ):
            pairs[row] = guess
            taken.add(guess)
    return pairs


def _exchanged(ours: Sheet, theirs: Sheet, pairs: Pairs) -> Pairs:
    """Rows whose first cells were exchanged while all else stands where it stood."""
    back = {there: row for row, there in pairs.items()}
    found: Pairs = {}
    offset = 0
    for row, there in pairs.items():
        guess = row + offset
        other = back.get(guess, row)
        if there > guess and there == other + offset:
            straight = _score(ours, row, theirs, guess) + _score(ours, other, theirs, there)
            crossed = _score(ours, row, theirs, there) + _score(ours, other, theirs, guess)
            if straight > crossed:
                found |= {row: guess, other: there}
        if row not in found:
            offset = there - row
    return found


def _score(ours: Sheet, row: int, theirs: Sheet, there: int) -> float:
    """How much two rows hold of the same, their first cells apart."""
    columns = sorted(column for at, column in ours.cells if at == row)
    return sum(
        _likeness(ours.cells[row, column], other)
        for column in columns[1:]
        if (other := theirs.cells.get((there, column)))
    )


def _between(
    row: int, guess: int, own: RowKeys, keys: Mapping[tuple[str, int], int], theirs: RowKeys
) -> bool:
    """Whether a row of the file that is none of the template's stands between two that are the
    neighbours of a row there, or below the last of all: what it says was changed."""
    if guess not in theirs or theirs[guess] in own.values():
        return False
    near = [
        next((at for at in order if (at - row) * step > 0), None)
        for step, order in ((-1, reversed(own)), (1, iter(own)))
    ]
    return all(at is None or keys.get(own[at]) == guess + at - row for at in near)


def _alike(ours: Sheet, row: int, theirs: Sheet, guess: int) -> bool:
    """Whether two rows hold enough of the same."""
    cells = [(column, cell) for (at, column), cell in ours.cells.items() if at == row]
    same = sum(
        content(cell) == content(other)
        for column, cell in cells
        if (other := theirs.cells.get((guess, column)))
    )
    marks = any(isinstance(cell.value, str) and MARKS.search(cell.value) for _, cell in cells)
    return marks or 2 * same >= len(cells)


def _column_pairs(ours: Sheet, theirs: Sheet, home: SheetMap, written: Set[Place]) -> Pairs:
    """The best order-keeping match of columns, by the cells that agree in matched rows."""
    here = sorted({column for _, column in ours.cells} | {c for _, c in ours.unlocked_blanks})
    there = sorted({column for _, column in theirs.cells} | {c for _, c in theirs.unlocked_blanks})
    if not here or not there:
        return {}
    rows = home.rows
    if _stand_alike(ours, theirs, home, written) and not set(here) - set(there):
        return {column: column for column in here}
    there = there[: 4 * len(here) + 40]
    scores = _scores(ours, theirs, rows, here, there)
    best = [[0.0] * (len(there) + 1) for _ in range(len(here) + 1)]
    for one in range(len(here) - 1, -1, -1):
        for two in range(len(there) - 1, -1, -1):
            match = scores[one][two]
            together = match + best[one + 1][two + 1] if match > 0 else 0.0
            best[one][two] = max(together, best[one + 1][two], best[one][two + 1])
    pairs: Pairs = {}
    one = two = 0
    while one < len(here) and two < len(there):
        match = scores[one][two]
        if match > 0 and best[one][two] == match + best[one + 1][two + 1]:
            pairs[here[one]] = there[two]
            one, two = one + 1, two + 1
        elif best[one][two] == best[one + 1][two]:
            one += 1
        else:
            two += 1
    return pairs


def _stand_alike(ours: Sheet, theirs: Sheet, home: SheetMap, written: Set[Place]) -> bool:
    """Whether every cell finds its like in its own column, so that no other match is as good; what
    a program wrote is like nothing."""
    for row, column in home.unlike:
        if (ours.title, row, column) in written:
            continue
        cell, other = ours.cells[row, column], theirs.cells.get((home.rows.get(row, 0), column))
        if other is None or _likeness(cell, other) != _likeness(cell, cell):
            return False
    return True


def _scores(
    ours: Sheet, theirs: Sheet, rows: Mapping[int, int], here: Sequence[int], there: Sequence[int]
) -> list[list[float]]:
    index = {column: place for place, column in enumerate(there)}
    by_row: dict[int, list[tuple[int, Cell]]] = defaultdict(list)
    for (row, column), cell in theirs.cells.items():
        if column in index:
            by_row[row].append((index[column], cell))
    scores = [[0.0] * len(there) for _ in here]
    place = {column: number for number, column in enumerate(here)}
    for (row, column), cell in ours.cells.items():
        for at, other in by_row.get(rows.get(row, 0), ()):
            scores[place[column]][at] += _likeness(cell, other)
    for row, column in ours.unlocked_blanks:
        for at, other in by_row.get(rows.get(row, 0), ()):
            scores[place[column]][at] += 0.5 if other.formula is None else 0.2
    # A blank column of inputs still stands where the template has it.
    for column in here:
        if column in index:
            scores[place[column]][index[column]] += 0.25
    return scores


def _likeness(cell: Cell, other: Cell) -> float:
    if cell.formula is not None:
        return 2.0 if other.formula is not None and content(cell) == content(other) else 0.0
    if not cell.locked:
        return 0.5 if other.formula is None else 0.2
    if other.formula is not None:
        return 0.0
    if isinstance(cell.value, str) and MARKS.search(cell.value):
        return 0.5 if isinstance(other.value, str) else 0.0
    return 2.0 if cell.value == other.value else 0.0


def _translated(formula: str, title: str, maps: Mapping[str, SheetMap], back: bool) -> str:
    """References moved to the other layout; what has no place there is marked as it stood."""

    def reference(sheet: str | None, ref: str) -> str:
        home = maps.get(sheet or title)
        if home is None:
            return f"{quoted(sheet or title)}!{ref}" if sheet else f"?{ref}"
        rows = home.rows_back if back else home.rows
        columns = home.columns_back if back else home.columns
        ends = []
        if not back and all(place_of(end)[0] in home.lost for end in ref.split(":")):
            return "#REF!"
        for end in ref.split(":"):
            row, column = place_of(end)
            if row in rows and column in columns:
                ends.append(address(rows[row], columns[column]))
            elif (near := _near(row, column, rows, columns)) is not None and ":" in ref:
                ends.append(near)
            else:
                ends.append(f"?{end}" if back else "#REF!")
        target = home.title if back else home.found
        joined = "#REF!" if "#REF!" in ends else ":".join(ends)
        return joined if sheet is None or sheet == title else f"{quoted(target)}!{joined}"

    return rewritten(formula, reference)


def _near(row: int, column: int, rows: Pairs, columns: Pairs) -> str | None:
    """An end of a range that is itself an empty cell goes with the row above it."""
    if column not in columns:
        return None
    above = max((known for known in rows if known <= row), default=None)
    return None if above is None else address(rows[above] + row - above, columns[column])
