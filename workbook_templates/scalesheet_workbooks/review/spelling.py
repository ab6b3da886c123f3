"""Names of a workbook, and its formulas as they are spelled for the engine: references plain, names
as what they stand for."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from scalesheet_workbooks.cell_references import TOKEN, Place, moved, rewritten
from scalesheet_workbooks.read import Book

MOST_LETTERS = 8_192
"""Of a formula, in Excel; a longer one is none."""
NAMES_WITHIN_NAMES = 2


def names_of(book: Book) -> dict[str, str]:
    """The names that stand for ranges or constants, as ``Book.names`` has them."""
    found = {}
    for key, name in book.names.items():
        text = name.text.strip()
        if "lambda(" not in text.lower() and text:
            found[key] = _reference(text, {})
    for _ in range(NAMES_WITHIN_NAMES):
        found = {
            key: _reference(
                text, names_on(found, title) if (title := key.rpartition("!")[0]) else found
            )
            for key, text in found.items()
        }
    return {key: text for key, text in found.items() if len(text) <= MOST_LETTERS}


def names_on(names: Mapping[str, str], title: str) -> dict[str, str]:
    """Names as a sheet's formulas see them: one of its own stands before the workbook's.

    >>> names_on({"tax": "A!B1", "cost!tax": "A!B2"}, "Cost")["tax"]
    'A!B2'
    """
    start = f"{title.lower()}!"
    own = {key.removeprefix(start): text for key, text in names.items() if key.startswith(start)}
    return {**names, **own}


def names_in(formula: str) -> set[str]:
    """The names that a formula says, in small letters, its functions among them."""
    return {found["name"].lower() for found in TOKEN.finditer(formula) if found["name"]}


def circular_names(book: Book) -> set[str]:
    """Names that stand for each other, so that they stand for nothing; one circle of them."""
    leads = {key: names_in(name.text) & book.names.keys() for key, name in book.names.items()}
    try:
        TopologicalSorter(leads).prepare()
    except CycleError as error:
        return set(error.args[1])
    return set()


def moving_names(book: Book) -> dict[str, str]:
    """Names that stand for other cells in each cell that says them, as written for the first cell
    of a sheet."""
    texts = {
        key: name.text.strip()
        for key, name in book.names.items()
        if "lambda(" not in name.text.lower()
    }
    found: set[str] = set()
    for _ in range(NAMES_WITHIN_NAMES):
        found |= {
            key
            for key, text in texts.items()
            if _is_moving(text) or not found.isdisjoint(names_in(text))
        }
    return {key: texts[key] for key in texts if key in found}


def _is_moving(text: str) -> bool:
    refs = (found["ref"] for found in TOKEN.finditer(text) if found["ref"])
    return any(end.count("$") < 2 for ref in refs for end in ref.split(":"))


def speller(names: Mapping[str, str]) -> Callable[[str], str]:
    """How formulas are spelled for the engine: references plain, names as what they stand for."""
    return _speller(tuple(sorted(names.items())))


def spellers(names: Mapping[str, str], book: Book) -> dict[str, Callable[[str], str]]:
    """The same for the sheets that have names of their own, by title."""
    own = {key.rpartition("!")[0] for key in names} - {""}
    titles = (sheet.title for sheet in book.sheets if own and sheet.title.lower() in own)
    return {title: speller(names_on(names, title)) for title in titles}


@lru_cache(maxsize=4)
def _speller(names: tuple[tuple[str, str], ...]) -> Callable[[str], str]:
    """One for each set of names: files of one template hold the same formulas again and again."""
    known = dict(names)
    ready = _READY.get(names, {})

    @lru_cache(maxsize=8192)
    def spelled(formula: str) -> str:
        return ready.get(formula) or _spelled(formula, known)

    return spelled


_READY: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
"""Formulas of templates in the engine's spelling, by the names they were spelled with."""


def learn(names: Mapping[str, str], spellings: Mapping[str, str]) -> None:
    """Take spellings that were worked out before, which is most of the time of a first review."""
    key = tuple(sorted(names.items()))
    _READY[key] = {**_READY.get(key, {}), **spellings}
    _speller.cache_clear()


def speller_at(
    place: Place, names: Mapping[str, str], moving: Mapping[str, str]
) -> Callable[[str], str]:
    """How formulas are spelled in one cell, with the ``moving_names`` as they are there."""
    names, steps = names_on(names, place[0]), (place[1] - 1, place[2] - 1)
    for _ in range(NAMES_WITHIN_NAMES):
        here = {key: _spelled(moved(text, *steps), names) for key, text in moving.items()}
        names = {**names, **here}
    return lambda formula: _spelled(formula, names)


def quoted(title: str) -> str:
    """A sheet's title as a formula spells it."""
    return "'" + title.replace("'", "''") + "'"


def _reference(text: str, names: Mapping[str, str]) -> str:
    return text if len(text) > MOST_LETTERS else _spelled(text, names)


def _spelled(text: str, names: Mapping[str, str]) -> str:
    return rewritten(
        text,
        lambda sheet, ref: f"{quoted(sheet)}!{ref}" if sheet else ref,
        lambda name: _meaning(name, names),
        keep_blanks=True,
    )


def _meaning(name: str, names: Mapping[str, str]) -> str:
    """What a name stands for; one with a sheet before it is the workbook's where that has none."""
    key = name.lower().replace("'", "")
    return names.get(key) or names.get(key.rpartition("!")[2], name)
