"""Structure: what the template says of every cell against what stands in the file."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place, address, areas, rewritten, skeleton
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.engine import CIRCULAR, EXTERNAL, is_readable, quoted
from scalesheet_workbooks.review.findings import (
    Effect,
    Finding,
    by_money,
    finding,
    printable,
    same,
    with_effects,
)
from scalesheet_workbooks.review.marks import CURRENCY, MARKS, marked
from scalesheet_workbooks.review.rules import HIGH, INFO, LOW, MEDIUM

VOLATILE = re.compile(
    r"\b(NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY|OFFSET|INDIRECT|CELL|INFO)\(", re.IGNORECASE
)
ADDIN_PATH = re.compile(r"(?:'[^']*\.xla[m]?'|\[[0-9]+\])!\s*[A-Za-z_]", re.IGNORECASE)
UNIT_COLUMN = 4


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell of the file that is not as the template has it; ``home`` is its place there."""

    rule: str
    place: Place
    home: Place
    ours: Cell
    theirs: Cell | None


def structure_findings(case: Case) -> list[Finding]:
    """Every finding on formulas, constants and texts, each with its cells and its money."""
    found = list(_differences(case))
    groups: dict[tuple[str, str, int, str], list[Difference]] = defaultdict(list)
    for one in found:
        key = one.rule, one.home[0], one.home[1], _kind(one)
        groups[key].append(one)
    findings = [_finding(case, members) for members in groups.values()]
    findings += _missing(case)
    findings += _names(case)
    findings += _added(case, {one.place for one in found})
    findings += _currency(case)
    return findings


def _kind(one: Difference) -> str:
    """What a difference is grouped by besides its row."""
    if one.rule in ("S101", "S103"):
        return ""
    if one.theirs is not None and one.theirs.formula is not None:
        return skeleton(one.theirs.formula)
    return address(1, one.home[2])


def _differences(case: Case) -> Iterator[Difference]:
    for sheet in case.expected.book.sheets:
        home = case.alignment.sheets.get(sheet.title)
        if home is None:
            continue
        for (row, column), cell in sheet.cells.items():
            if not cell.locked:
                continue
            place = case.alignment.place(sheet.title, row, column)
            if place is None:
                continue
            other = case.book.cell(*place)
            rule = _rule_of(case, sheet.title, (row, column), cell, place, other)
            home_place = sheet.title, row, column
            if rule in ("S110", "S113", "S114") and home_place in case.expected.written:
                continue
            if rule:
                yield Difference(rule, place, (sheet.title, row, column), cell, other)


def _rule_of(
    case: Case, title: str, at: tuple[int, int], cell: Cell, place: Place, other: Cell | None
) -> str:
    """The rule that a cell breaks, or an empty text."""
    if cell.formula is not None:
        return _formula_rule(case, title, cell, place, other)
    if isinstance(cell.value, str):
        return _text_rule(case, title, at, cell.value, other)
    if other is not None and other.formula is None and same(cell.value, other.value):
        return ""
    if (
        other is not None
        and other.formula is not None
        and same(case.session.value(place), cell.value)
    ):
        return ""
    head = _head(case, title, at[1])
    return {"tolerance": "S111", "min": "S112", "max": "S112"}.get(head, "S110")


def _formula_rule(case: Case, title: str, cell: Cell, place: Place, other: Cell | None) -> str:
    assert cell.formula is not None
    if other is None or (other.formula is None and other.value in (None, "")):
        return "S103"
    if other.formula is None:
        return "S101"
    if CURRENCY in cell.formula:
        cell = replace(cell, formula=cell.formula.replace(CURRENCY, case.currency))
        assert cell.formula is not None
    if cell.formula == other.formula and case.alignment.reads_the_same(title, cell.formula):
        return ""
    if case.alignment.here(place[0], other.formula) == plain(cell.formula, title):
        return ""
    if "#REF!" in other.formula:
        # What a missing row leaves behind in the formulas that needed it.
        wanted = case.alignment.there(title, cell.formula)
        if _without_sheets_of_errors(wanted) == _without_sheets_of_errors(other.formula):
            return ""
    if "#REF!" in other.formula:
        return "S104"
    if EXTERNAL.search(other.formula):
        return "S140"
    if place in case.session.invalid or is_invalid(other.formula) or not is_readable(other.formula):
        return "S105"
    if case.session.value(place) == CIRCULAR and place in case.flow.downstream([place]):
        return "S108"
    if VOLATILE.search(other.formula):
        return "S142"
    return "S102"


def _without_sheets_of_errors(formula: str) -> str:
    return re.sub(r"(?:'[^']*'|[A-Za-z0-9_.]+)!(?=#REF!)", "", rewritten(formula))


def is_invalid(formula: str) -> bool:
    """Whether a formula holds what is no reference, as $80000 for 80000 dollars."""
    bare = re.sub(r'"(?:[^"]|"")*"', "", formula)
    return bool(
        re.search(r"(?<![A-Za-z:0-9])\$[0-9]+(?![0-9:]*:\$?[0-9])", bare)
    ) and not re.search(r"\$[0-9]+:\$?[0-9]+", bare)


def _text_rule(case: Case, title: str, at: tuple[int, int], text: str, other: Cell | None) -> str:
    theirs = other.value if other is not None else None
    shown = " ".join(theirs.split()) if isinstance(theirs, str) else theirs
    pattern = marked(text)
    if pattern is not None:
        if shown is None or (isinstance(shown, str) and marked_text(text, shown)):
            return ""
        if MARKS.sub("", text).strip() == "":
            return ""
        return _label_or_unit(case, title, at)
    if shown == " ".join(text.split()):
        return ""
    return _label_or_unit(case, title, at)


def _label_or_unit(case: Case, title: str, at: tuple[int, int]) -> str:
    has_id = (title, at[0]) in case.expected.line_at
    return "S114" if has_id and at[1] == UNIT_COLUMN else "S113"


def marked_text(text: str, shown: str) -> dict[str, str] | None:
    """What a filled file says in the places of the marks; None where it does not fit."""
    pattern = marked(" ".join(text.split()))
    found = pattern.fullmatch(shown) if pattern else None
    return found.groupdict() if found else None


def plain(formula: str, title: str) -> str:
    """A formula of the template in plain spelling."""
    return rewritten(
        formula,
        lambda sheet, ref: f"{quoted(sheet)}!{ref}" if sheet and sheet != title else ref,
    )


def _head(case: Case, title: str, column: int) -> str:
    """The heading of a column of the template, in small letters."""
    cells = case.expected.book.by_title[title].cells
    rows = [row for row, at in cells if at == column and isinstance(cells[row, at].value, str)]
    value = cells[min(rows), column].value if rows else ""
    texts = [
        str(cells[row, column].value).lower()
        for row in sorted(rows)
        if (row, column) in cells and row <= 6
    ]
    return texts[-1] if texts else str(value).lower()


# --- Findings ------------------------------------------------------------------------------------


def _finding(case: Case, members: list[Difference]) -> Finding:
    first = members[0]
    restore = {one.place: _template_cell(case, one) for one in members}
    effects = case.restored(restore)
    seen = _seen(case, first)
    if len(members) > 1 and any(_seen(case, one) != seen for one in members):
        seen += f" (and {len(members) - 1} more)"
    line = case.expected.line_at.get(first.home[:2], "")
    found = finding(
        first.rule,
        first.place[0],
        addresses(one.place for one in members),
        seen,
        _wanted(case, first),
        line=line,
        label=case.label_of(first.place),
        consequences=_hidden_sources(case, first),
    )
    return with_effects(found, effects, _severity(case, members, effects, line))


def _hidden_sources(case: Case, one: Difference) -> list[str]:
    """Hidden sheets that a changed formula reads."""
    titles = {title for title, *_ in case.flow.needs.get(one.place, ())}
    return [
        f"it reads the sheet {printable(title)}, which is "
        + ("very hidden" if case.book.by_title[title].state == "veryHidden" else "hidden")
        for title in sorted(titles & case.book.by_title.keys())
        if case.book.by_title[title].state != "visible" and title in case.alignment.added
    ]


def _severity(case: Case, members: list[Difference], effects: list[Effect], line: str) -> str:
    rule = members[0].rule
    if rule in ("S111", "S112", "S114"):
        return HIGH
    if rule == "S113":
        return LOW
    if effects:
        return by_money(effects, case.materiality, MEDIUM)
    if rule in ("S104", "S105", "S108"):
        return HIGH
    if rule == "S110":
        places = [one.place for one in members]
        return MEDIUM if case.differing & case.flow.downstream(places) else LOW
    is_control = line.startswith("chk.") or not line
    wrong = any(not same(_shown(case, one.place), _restored_value(case, one)) for one in members)
    totals = [place for place in case.total_places if place]
    shows_total = bool({one.place for one in members} & case.flow_of_template(totals))
    if line.startswith("chk."):
        return HIGH
    if wrong and (shows_total or is_control):
        return HIGH
    return MEDIUM


def _shown(case: Case, place: Place) -> Value:
    return case.session.value(place)


def _restored_value(case: Case, one: Difference) -> Value:
    return case.pristine.value(one.home)


def _template_cell(case: Case, one: Difference) -> Cell | None:
    """What the template has, in the layout of the file."""
    if one.ours.formula is None:
        return one.ours
    return replace(one.ours, formula=case.alignment.there(one.home[0], one.ours.formula))


def _seen(case: Case, one: Difference) -> str:
    cell = one.theirs
    if cell is None or (cell.formula is None and cell.value in (None, "")):
        return "an empty cell"
    if cell.formula is not None:
        return f"={_short(cell.formula)}"
    return shown(cell.value)


def _wanted(case: Case, one: Difference) -> str:
    if one.ours.formula is not None:
        value = case.pristine.value(one.home)
        return (
            f"={_short(case.alignment.there(one.home[0], one.ours.formula))} (gives {shown(value)})"
        )
    return shown(one.ours.value)


def shown(value: Value) -> str:
    """A value in a report: numbers in full, texts in quotes, cut."""
    if value is None:
        return "nothing"
    if isinstance(value, CellError):
        return value.code
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return f'"{_short(printable(value))}"'
    return f"{value:,.10g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.10g}"


def _short(text: str) -> str:
    text = printable(text)
    return text if len(text) <= 120 else text[:117] + "..."


def _missing(case: Case) -> Iterator[Finding]:
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


def _users_of_name(case: Case, key: str) -> list[Place]:
    """Cells of the file whose formulas say a name."""
    word = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(key)}(?![A-Za-z0-9_.(])", re.IGNORECASE)
    return [
        (sheet.title, *at)
        for sheet in case.book.sheets
        for at, cell in sheet.cells.items()
        if cell.formula and word.search(cell.formula)
    ]


def _undetermined(case: Case) -> tuple[str, ...]:
    lost = sum(not isinstance(value, float) for value in case.recomputed)
    return (f"{lost} of {len(case.recomputed)} totals are undetermined",) if lost else ()


def _names(case: Case) -> Iterator[Finding]:
    lost: list[str] = []
    for key, name in case.expected.book.names.items():
        theirs = case.book.names.get(key)
        if "lambda(" in name.text.lower():
            if theirs is None or not _is_lambda(theirs.text, name.text):
                lost.append(name.name)
            continue
        want = plain(name.text, "")
        have = case.alignment.here("", theirs.text) if theirs else ""
        if have == want:
            continue
        wanted = rewritten_name(case, name.text)
        restored = dict(case.names)
        restored[key] = wanted
        effects = case.with_names(restored)
        seen = f"{name.name} = {_short(theirs.text)}" if theirs else f"no name {name.name}"
        target = next(iter(areas(name.text, "")), None)
        cells = [address(target[1], target[2])] if target else []
        found = finding(
            "S120",
            target[0] if target else "",
            cells,
            seen,
            f"{name.name} = {_short(name.text)}",
            line=name.name,
            label=name.name,
            origin=_users_of_name(case, key),
        )
        yield with_effects(found, effects, HIGH)
    if lost:
        some = ", ".join(lost[:3]) + (" ..." if len(lost) > 3 else "")
        yield finding("S121", "", (), f"{len(lost)} of our LAMBDA names: {some}")


def rewritten_name(case: Case, text: str) -> str:
    """What a name of the template stands for in the file."""
    return case.alignment.there("", text)


def _is_lambda(theirs: str, ours: str) -> bool:
    """Whether a definition is ours; LibreOffice writes its functions in small letters, which breaks
    it in Excel."""
    if theirs == ours:
        return True
    if "_xlfn.lambda(" in theirs:
        return False
    return _bare(theirs) == _bare(ours)


def _bare(text: str) -> str:
    """A definition without what programs add to it, numbers in one spelling."""
    return rewritten(text.replace("_xlpm.", "")).lower()


def _added(case: Case, known: set[Place]) -> Iterator[Finding]:
    """Cells that the template does not have, on its own sheets."""
    checks = case.flow.upstream(case.check_places.values())
    for title, home in case.alignment.back.items():
        sheet = case.book.by_title[title]
        counted: list[Place] = []
        rest: list[Place] = []
        for row, column in sheet.cells:
            place = title, row, column
            if row in home.rows_back and column in home.columns_back:
                at = home.rows_back[row], home.columns_back[column]
                ours = case.expected.book.by_title[home.title].cells.get(at)
                is_input = ours is not None or at in (
                    case.expected.book.by_title[home.title].unlocked_blanks
                )
                if is_input or place in known:
                    continue
            is_number = isinstance(case.session.value(place), float)
            needed = place in case.feeding_totals or place in checks
            # A changed formula that reads the cell is the root; this one is for unchanged ones.
            needed = needed and any(user not in known for user in case.flow.used_by.get(place, ()))
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
            rows = len({row for _, row, _ in rest})
            yield finding("S161", title, addresses(rest), f"{len(rest)} cells in {rows} rows")


def named_currencies(case: Case) -> dict[Place, str]:
    """Cells of the file that name a currency, where the template has it."""
    named: dict[Place, str] = {}
    for sheet in case.expected.book.sheets:
        for (row, column), cell in sheet.cells.items():
            if not isinstance(cell.value, str) or not cell.locked or CURRENCY not in cell.value:
                continue
            place = case.alignment.place(sheet.title, row, column)
            other = case.book.cell(*place) if place else None
            if place and other and isinstance(other.value, str):
                groups = marked_text(cell.value, " ".join(other.value.split())) or {}
                for key, value in groups.items():
                    if key.endswith("currency"):
                        named[place] = value
    return named


def _currency(case: Case) -> Iterator[Finding]:
    """Cells that name another currency than the others of the file."""
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    named = named_currencies(case)
    for place, code in named.items():
        if code != case.currency:
            by_sheet[place[0]].append(place)
    for title, places in by_sheet.items():
        code = named[places[0]]
        yield finding("S114", title, addresses(places), f"currency {code}", case.currency)
