"""References in formulas: found, moved, put into another layout.

Only what is needed to compare a formula with a template's: no grammar. Texts in quotes are never
touched.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")
    |(?P<error>\#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|NULL!))
    |(?P<away>(?:'[^']*'|\[[0-9]+\][A-Za-z0-9_.]*)!(?=[A-Za-z_][A-Za-z0-9_.]*\())
    |(?P<sheet>(?:'(?:[^']|'')+'|(?:\[[^\]]+\])?[A-Za-z_][A-Za-z0-9_.]*|\[[^\]]+\])!)?
     (?P<ref>\$?[A-Za-z]{1,3}\$?[0-9]{1,7}(?::\$?[A-Za-z]{1,3}\$?[0-9]{1,7})?)(?![A-Za-z0-9_(.!])
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>(?:(?:'(?:[^']|'')+'|(?:\[[^\]]+\])?[A-Za-z_][A-Za-z0-9_.]*)!)?[A-Za-z_\\][A-Za-z0-9_.\\?]*)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
PREFIX = re.compile(r"^(?:_xlfn\.|_xlws\.|_xludf\.|ORG\.|COM\.MICROSOFT\.)+", re.IGNORECASE)
CELL = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})")
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384

Place = tuple[str, int, int]
"""Sheet, row, column."""
Area = tuple[str, int, int, int, int]
"""Sheet, first row and column, last row and column."""


@lru_cache(maxsize=4096)
def column_number(letters: str) -> int:
    """The number of a column.

    >>> column_number("A"), column_number("AA")
    (1, 27)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


@lru_cache(maxsize=4096)
def column_letters(number: int) -> str:
    """The letters of a column.

    >>> column_letters(1), column_letters(27)
    ('A', 'AA')
    """
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def place_of(address: str) -> tuple[int, int]:
    """Row and column of an address; ValueError when it is none.

    >>> place_of("C7")
    (7, 3)
    """
    found = CELL.fullmatch(address)
    if found is None:
        raise ValueError(address)
    return int(found[4]), column_number(found[2])


def address(row: int, column: int) -> str:
    """The address of a cell.

    >>> address(7, 3)
    'C7'
    """
    return f"{column_letters(column)}{row}"


def moved(formula: str, rows: int, columns: int) -> str:
    """A formula as it reads that many rows and columns away: the other cells of a shared formula.

    >>> moved("A1+$B$2+Inputs!C3", 1, 1)
    'B2+$B$2+Inputs!D4'
    """

    def shift(found: re.Match[str]) -> str:
        row = int(found[4]) + (0 if found[3] else rows)
        column = column_number(found[2]) + (0 if found[1] else columns)
        if not (1 <= row <= LAST_ROW and 1 <= column <= LAST_COLUMN):
            return "#REF!"
        return f"{found[1]}{column_letters(column)}{found[3]}{row}"

    def token(found: re.Match[str]) -> str:
        if found["ref"] is None:
            return found[0]
        return (found["sheet"] or "") + CELL.sub(shift, found["ref"])

    return TOKEN.sub(token, formula)


def sheet_title(written: str | None) -> str | None:
    """The title that stands before an exclamation mark.

    >>> sheet_title("'My sheet'!"), sheet_title("Calc!")
    ('My sheet', 'Calc')
    """
    if not written:
        return None
    title = written[:-1]
    return title[1:-1].replace("''", "'") if title.startswith("'") else title


def areas(formula: str, home: str) -> Iterator[Area]:
    """Every cell or range that a formula on a sheet refers to.

    >>> list(areas("SUM(B2:C3)+Calc!A1", "Here"))
    [('Here', 2, 2, 3, 3), ('Calc', 1, 1, 1, 1)]
    """
    for found in TOKEN.finditer(formula):
        if found["ref"]:
            first, _, last = found["ref"].partition(":")
            top, left = place_of(first)
            bottom, right = place_of(last or first)
            yield (
                sheet_title(found["sheet"]) or home,
                *(min(top, bottom), min(left, right), max(top, bottom), max(left, right)),
            )


def rewritten(
    formula: str,
    reference: Callable[[str | None, str], str] = lambda sheet, ref: ref,
    name: Callable[[str], str] = str.upper,
    keep_blanks: bool = False,
) -> str:
    """A formula in plain spelling, with references and names put through functions.

    Prefixes that programs add, paths of add-ins, blanks, dollar signs and letter case do not count.

    >>> rewritten("=_xlfn.ifs( $a$1>0.50, 'C:/x.xlam'!train_cost(B2) )")
    'IFS(A1>0.5,TRAIN_COST(B2))'
    """
    parts: list[str] = []
    for found in TOKEN.finditer(formula.lstrip("=+ ")):
        kind = found.lastgroup
        if kind in ("text", "error"):
            parts.append(found[0])
        elif found["ref"] is not None:
            plain = found["ref"].replace("$", "").upper()
            parts.append(reference(sheet_title(found["sheet"]), plain))
        elif kind == "number":
            parts.append(f"{float(found[0]):.15g}" if len(found[0]) < 40 else found[0])
        elif kind == "name":
            parts.append(name(PREFIX.sub("", found[0])))
        elif kind == "other" and found[0] != "@" and (keep_blanks or not found[0].isspace()):
            parts.append(found[0])
    return "".join(parts)


@lru_cache(maxsize=16384)
def skeleton(formula: str) -> str:
    """A formula without its references, to tell rows and columns apart.

    >>> skeleton("IF(ISNUMBER(Inputs!E7),Inputs!E7,0)")
    'IF(ISNUMBER(#),#,0)'
    """
    return rewritten(formula, lambda sheet, ref: "#")
