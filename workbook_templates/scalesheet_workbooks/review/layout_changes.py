"""What the template has and the file has not, and the other way round."""

from collections import defaultdict
from collections.abc import Iterator

from scalesheet_workbooks.cell_references import Place, address
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.findings import (
    Finding,
    by_money,
    finding,
    shown,
    with_effects,
)
from scalesheet_workbooks.review.flow import Upstream
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW, MEDIUM


def missing_findings(case: Case) -> Iterator[Finding]:
    for title in case.alignment.missing:
        ids = [line for line, (home, _) in case.expected.ids.items() if home == title]
        severity = HIGH if ids else LOW
        origin = _users_of(case, title)
        yield finding("S163", title, (), "no such sheet", title, severity=severity, origin=origin)
    for sheet in case.expected.book.sheets:
        home = case.alignment.sheets.get(sheet.title)
        if home is None:
            continue
        rows: dict[int, list[Cell]] = defaultdict(list)
        for (row, _), cell in sheet.cells.items():
            if row not in home.rows and (sheet.title, row) not in case.expected.optional_rows:
                rows[row].append(cell)
        texts: list[str] = []
        for row, cells in sorted(rows.items()):
            line = case.expected.line_at.get((sheet.title, row), "")
            said = [cell.value for cell in cells if isinstance(cell.value, str)]
            if not line and not any(cell.is_formula or not cell.locked for cell in cells):
                texts += said[:1]
                continue
            yield finding(
                "S106",
                home.found,
                (),
                f"no row {line or shown(said[0] if said else None)}",
                f"row {row} of the template",
                line=line,
                label=case.expected.label(line) if line else "",
                consequences=_undetermined(case),
                origin=_users_of(case, sheet.title, row),
            )
        if texts:
            some = ", ".join(map(shown, texts[:3]))
            seen = f"{len(texts)} rows of text are missing: {some}"
            yield finding("S106", home.found, (), seen, severity=INFO)
        columns = sorted({c for _, c in sheet.cells} - set(home.columns))
        if columns and any(
            cell.is_formula for (_, column), cell in sheet.cells.items() if column in columns
        ):
            letters = ", ".join(address(1, column)[:-1] for column in columns)
            yield finding("S106", home.found, (), f"no column {letters} of the template")


def _users_of(case: Case, title: str, row: int | None = None) -> list[Place]:
    """Cells of the file whose formulas in the template need a row, or a whole sheet."""
    home = [
        (title, at, column)
        for at, column in case.expected.book.by_title[title].cells
        if row is None or at == row
    ]
    return case.places_of(case.template_flow.downstream(home))


def _undetermined(case: Case) -> tuple[str, ...]:
    lost = sum(not isinstance(value, float) for value in case.recomputed)
    return (f"{lost} of {len(case.recomputed)} totals are undetermined",) if lost else ()


def added_findings(case: Case, known: set[Place]) -> Iterator[Finding]:
    """Cells that the template does not have, on its own sheets."""
    checks: Upstream | None = None
    for title, home in case.alignment.back.items():
        sheet = case.book.by_title[title]
        counted: list[Place] = []
        rest: list[Place] = []
        ours = case.expected.book.by_title[home.title]
        rows, columns = home.rows_back, home.columns_back
        for row, column in sheet.cells:
            place = title, row, column
            if row in rows and column in columns:
                at = rows[row], columns[column]
                if at in ours.cells or at in ours.unlocked_blanks or place in known:
                    continue
            if checks is None:
                checks = case.flow.upstream(case.check_places.values())
            is_number = isinstance(case.session.value(place), float)
            needed = place in case.feeding_totals or place in checks
            # A changed formula that reads the cell is the root; this one is for unchanged ones.
            needed = needed and any(user not in known for user in case.flow.users(place))
            (counted if is_number and needed else rest).append(place)
        if counted:
            effects = case.restored(dict.fromkeys(counted))
            found = finding(
                "S107",
                title,
                addresses(counted),
                ", ".join(shown(case.session.value(place)) for place in sorted(counted)[:3]),
                "no cells here",
            )
            yield with_effects(found, effects, by_money(effects, case.materiality, MEDIUM))
        if rest:
            many = len({row for _, row, _ in rest})
            yield finding("S161", title, addresses(rest), f"{len(rest)} cells in {many} rows")
