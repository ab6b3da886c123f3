"""What stands beside an input: its currency or tag, its owner, its source, its day."""

from collections.abc import Iterator

from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.layout import ID_COLUMN, INPUT_ID, SOURCES_ID
from scalesheet_workbooks.proposal_words import CURRENCY
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case

LABEL_COLUMN = 3
OWNER, SOURCE, DAY, VALID_TO, CONFIDENCE = "owner", "source", "as of", "valid to", "confidence"
KIND = "currency or tag"
HEADINGS = {
    **{name: name for name in (OWNER, SOURCE, DAY, VALID_TO, CONFIDENCE, KIND)},
    "where it is from": SOURCE,
    "how sure": CONFIDENCE,
}
"""The headings of columns beside the inputs, with what stands there."""
BASE_RATE, RATES = "fx.base", "in.fx_"


def columns_beside(case: Case) -> dict[str, dict[str, int]]:
    """On each sheet the columns that stand beside inputs, by what they hold."""
    return {
        title: columns
        for title, heads in case.expected.headings.items()
        if (columns := {HEADINGS[text]: at for text, at in heads.items() if text in HEADINGS})
    }


def input_of(case: Case, title: str, row: int) -> str:
    """The id of the input that a row speaks of, also on a sheet of sources."""
    cell = case.expected.book.cell(title, row, ID_COLUMN)
    beside = str(cell.value) if cell and isinstance(cell.value, str) else ""
    line = case.expected.line_at.get((title, row)) or beside
    return INPUT_ID + line.removeprefix(SOURCES_ID) if line.startswith(SOURCES_ID) else line


def is_given(case: Case, line: str) -> bool:
    """Whether some scenario gives an input and uses it."""
    return any(
        case.input_value(line, scenario) not in (None, "") and case.is_used(line, scenario)
        for scenario in range(len(case.expected.inputs[line]))
    )


def kinds(case: Case) -> Iterator[tuple[str, Place, Value]]:
    """The currency or tag of each input that has one: id, cell in the template, contents."""
    for title, columns in columns_beside(case).items():
        for row, unlocked in case.expected.unlocked[title].items():
            line = case.expected.line_at.get((title, row), "")
            record = case.record(line) if line in case.expected.inputs else None
            if record and record.beside and columns.get(KIND) in unlocked:
                home = title, row, columns[KIND]
                cell = case.given.get(home)
                yield line, home, cell.value if cell else None


def currency_of(case: Case, line: str) -> str:
    """The currency of a price, in capitals; that of the file where it has none of its own."""
    record = case.record(line)
    if record and record.beside == CURRENCY:
        for one, _, value in kinds(case):
            if one == line:
                return str(value or "").strip().upper()
    return case.currency


def rates(case: Case) -> dict[str, str]:
    """The currencies that have a row on the file's list, in capitals, with the id of the row."""
    found: dict[str, str] = {}
    for line, (title, row) in case.expected.ids.items():
        if line == BASE_RATE or line.startswith(RATES):
            name = _label(case, title, row, line)
            if name:
                found.setdefault(name.upper(), line)
    return found


def _label(case: Case, title: str, row: int, line: str) -> str:
    if line == BASE_RATE:
        place = case.alignment.place(title, row, LABEL_COLUMN)
        cell = case.book.cell(*place) if place else None
    else:
        cell = case.given.get((title, row, LABEL_COLUMN))
    return cell.value.strip() if cell and isinstance(cell.value, str) else ""
