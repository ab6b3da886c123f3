"""Structure: how the file is set up. Hidden parts, links, macros, names of sheets, locks, rules."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache

from scalesheet_workbooks.cell_references import Place, address, place_of, rewritten, skeleton
from scalesheet_workbooks.number_formats import hides, says_another
from scalesheet_workbooks.read import Book
from scalesheet_workbooks.read_sheets import Sheet
from scalesheet_workbooks.read_validations import Validation
from scalesheet_workbooks.review.case import Case, addresses
from scalesheet_workbooks.review.differences import ADDIN_PATH, VOLATILE
from scalesheet_workbooks.review.engine import EXTERNAL
from scalesheet_workbooks.review.findings import Finding, finding, printable
from scalesheet_workbooks.review.rules import HIGH, LOW, MEDIUM

MANY_CELLS = 5_000


def setup_findings(case: Case) -> list[Finding]:
    """Everything but the contents of cells that the template has."""
    return [
        *_version(case),
        *_sheets(case),
        *_hidden(case),
        *_formulas(case),
        *_foreign(case),
        *_locks(case),
        *_validations(case),
        *_formats(case),
        *calculation_findings(case.book),
    ]


def _version(case: Case) -> Iterator[Finding]:
    have, want = case.recognised.version, case.expected.version
    if have and have != want:
        yield finding("S164", "", (), f"version {printable(have)}", f"version {want}")


def _sheets(case: Case) -> Iterator[Finding]:
    for title in case.alignment.added:
        cells = case.book.by_title[title].cells
        if not any((title, *at) in case.feeding_totals for at in cells):
            yield finding("S160", title, (), f"{len(cells)} cells that the template does not have")
    for home in case.alignment.sheets.values():
        if home.title != home.found:
            yield finding("S162", home.found, (), printable(home.found), home.title)
        if moved := _moved(home.rows) + _moved(home.columns):
            words = "row or column stands" if moved == 1 else "rows or columns stand"
            yield finding("S165", home.found, (), f"{moved} {words} elsewhere, found by its id")


def _moved(pairs: Mapping[int, int]) -> int:
    """How many rows stand further down than in the template, or out of order; rows that close up
    because one is missing are spoken of with that one."""
    moved, last = 0, 0
    for here in sorted(pairs):
        moved += pairs[here] > here or pairs[here] < last
        last = max(last, pairs[here])
    return moved


def _hidden(case: Case) -> Iterator[Finding]:
    for sheet in case.book.sheets:
        if sheet.state != "visible":
            feeds = [at for at in sheet.cells if (sheet.title, *at) in case.feeding_totals]
            said = "very hidden" if sheet.state == "veryHidden" else "hidden"
            if feeds and sheet.title in case.alignment.added:
                continue  # the formula that reads it is the root, and says so
            yield finding(
                "S130" if feeds else "S131",
                sheet.title,
                (),
                f"the sheet is {said}; {len(feeds)} of its cells feed totals",
            )
            continue
        rows = {row for row in sheet.hidden_rows if any(r == row for r, _ in sheet.cells)}
        columns = {
            column
            for first, last in sheet.hidden_columns
            for _, column in sheet.cells
            if first <= column <= last
        }
        if not rows and not columns:
            continue
        feeds = [
            (row, column)
            for row, column in sheet.cells
            if (row in rows or column in columns)
            and (sheet.title, row, column) in case.feeding_totals
        ]
        where = [f"{row}:{row}" for row in sorted(rows)]
        where += [f"{address(1, c)[:-1]}:{address(1, c)[:-1]}" for c in sorted(columns)]
        yield finding(
            "S130" if feeds else "S131",
            sheet.title,
            where,
            f"{len(rows)} rows and {len(columns)} columns are hidden; "
            f"{len(feeds)} cells feed totals",
        )


def _formulas(case: Case) -> Iterator[Finding]:
    """Formulas that change by themselves or lead elsewhere, where the template has none."""
    found: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for sheet in case.book.sheets:
        home = case.alignment.back.get(sheet.title)
        theirs = case.expected.book.by_title[home.title].cells if home else {}
        for (row, column), cell in sheet.cells.items():
            if cell.formula is None:
                continue
            if ("'" in cell.formula or "[" in cell.formula) and ADDIN_PATH.search(cell.formula):
                found["S143", sheet.title].append((sheet.title, row, column))
            if home and row in home.rows_back and column in home.columns_back:
                ours = theirs.get((home.rows_back[row], home.columns_back[column]))
                if ours is not None and ours.locked:
                    continue  # compared with the template's cell
            if EXTERNAL.search(cell.formula):
                found["S140", sheet.title].append((sheet.title, row, column))
            elif VOLATILE.search(cell.formula):
                found["S142", sheet.title].append((sheet.title, row, column))
    for (rule, title), places in found.items():
        feeds = any(place in case.feeding_totals for place in places)
        first = case.book.cell(*sorted(places)[0])
        severity = MEDIUM if feeds and rule in ("S140", "S142") else LOW
        effects = case.undetermined_by(places)
        yield finding(
            rule,
            title,
            addresses(places),
            f"={printable(first.formula or '')[:100]}" if first else "",
            line=case.line_of(places[0]),
            label=case.label_of(places[0]),
            severity=HIGH if effects else severity,
            effects=effects,
        )


def _foreign(case: Case) -> Iterator[Finding]:
    yield from foreign_parts(case.book.parts, case.book.links)
    yield from names_elsewhere(case.book, case.expected.book.names.keys())


def foreign_parts(parts: tuple[str, ...], links: tuple[str, ...]) -> Iterator[Finding]:
    """Links, macros and queries that a file carries."""
    external = [part for part in parts if "externallink" in part.lower() and "rels" not in part]
    others = [part for part in parts if "externallink" not in part.lower() and "rels" not in part]
    if external:
        shown = ", ".join(printable(link)[:60] for link in links[:3])
        yield finding("S140", "", (), f"{len(external)} links: {shown}", severity=LOW)
    if others:
        yield finding("S141", "", (), ", ".join(others[:4]))


def names_elsewhere(book: Book, known: Container[str] = ()) -> Iterator[Finding]:
    """Names that stand for cells of another file, those that are not spoken of elsewhere."""
    names = [name for key, name in book.names.items() if key not in known]
    leading = [
        f"{printable(name.name)} = {printable(name.text)[:60]}"
        for name in names
        if EXTERNAL.search(name.text)
    ]
    if leading:
        seen = f"{len(leading)} names of another file: {', '.join(leading[:3])}"
        yield finding("S140", "", (), seen, severity=LOW)


def _locks(case: Case) -> Iterator[Finding]:
    off = [
        home.found
        for home in case.alignment.sheets.values()
        if case.expected.book.by_title[home.title].protected
        and not case.book.by_title[home.found].protected
    ]
    if off:
        yield finding("S152", "", (), f"off on {', '.join(map(printable, off))}")
    if shut_off := [sheet.title for sheet in case.book.sheets if sheet.has_password]:
        seen = f"a password on {', '.join(map(printable, shut_off))}"
        yield finding("S152", "", (), seen, severity=LOW, remedy="take the password off")
    open_: dict[str, list[Place]] = defaultdict(list)
    shut: dict[str, list[Place]] = defaultdict(list)
    for sheet in case.expected.book.sheets:
        home = case.alignment.sheets.get(sheet.title)
        if home is None:
            continue
        theirs = case.book.by_title[home.found].cells
        for (row, column), cell in sheet.cells.items():
            if cell.formula is None or not cell.locked:
                continue
            at = home.rows.get(row, 0), home.columns.get(column, 0)
            if at in theirs and not theirs[at].locked:
                open_[home.found].append((home.found, *at))
    for title, rows in case.expected.unlocked.items():
        for place in case.places_of((title, row, c) for row, cs in rows.items() for c in cs):
            other = case.book.cell(*place)
            if other is not None and other.locked:
                shut[place[0]].append(place)
    for rule, group in (("S153", open_), ("S154", shut)):
        for title, places in group.items():
            yield finding(rule, title, addresses(places), f"{len(places)} cells")


def _validations(case: Case) -> Iterator[Finding]:
    lost: list[Place] = []
    lax: dict[str, list[Place]] = defaultdict(list)
    changed: dict[str, list[tuple[Place, Validation | None, Validation]]] = defaultdict(list)
    for sheet in case.expected.book.sheets:
        home = case.alignment.sheets.get(sheet.title)
        if home is None or not sheet.validations:
            continue
        other_sheet = case.book.by_title[home.found]
        if other_sheet.validations == sheet.validations and case.alignment.is_straight:
            continue
        theirs, ours = _rules_by_cell(other_sheet), _rules_by_cell(sheet)
        for at, rule in ours.items():
            place = case.alignment.place(sheet.title, *at)
            if place is None:
                continue
            other = theirs.get(place[1:])
            if other is None and not theirs:
                lost.append(place)
            elif other is None or (other != rule and _as_it_counts(other) != _as_it_counts(rule)):
                changed[case.expected.line_at.get((sheet.title, at[0]), "")].append(
                    (place, other, rule)
                )
            elif rule.refuses and not other.refuses:
                lax[place[0]].append(place)
    for title, places in lax.items():
        seen = f"{len(places)} cells warn at most and take any value"
        yield finding("S150", title, addresses(places), seen, "they refuse what breaks their rule")
    if lost:
        yield finding("S151", lost[0][0], (), f"{len(lost)} cells have none any more")
    for line, members in changed.items():
        place, other, rule = members[0]
        yield finding(
            "S150",
            place[0],
            addresses(one for one, _, _ in members),
            _said(other) if other else "no validation",
            _said(rule),
            line=line,
            label=case.label_of(place),
        )


def _rules_by_cell(sheet: Sheet) -> dict[tuple[int, int], Validation]:
    found: dict[tuple[int, int], Validation] = {}
    for rule in sheet.validations:
        for area in rule.area.split():
            first, _, last = area.partition(":")
            try:
                (top, left), (bottom, right) = place_of(first), place_of(last or first)
            except ValueError:
                continue
            if (bottom - top + 1) * (right - left + 1) > MANY_CELLS:
                continue
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    found[row, column] = rule
    return found


@lru_cache(maxsize=1024)
def _as_it_counts(rule: Validation) -> tuple[str, ...]:
    def text(formula: str) -> str:
        return skeleton(formula) if rule.kind == "custom" else rewritten(formula)

    return rule.kind, rule.operator, text(rule.first), text(rule.second)


def _said(rule: Validation) -> str:
    parts = [rule.kind, rule.operator, rule.first, rule.second]
    return printable(" ".join(part for part in parts if part))[:100]


def _formats(case: Case) -> Iterator[Finding]:
    """Formats that do not show the number, where the template's do."""
    found: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for home in case.alignment.sheets.values():
        sheet = case.book.by_title[home.found]
        for (row, column), code in sheet.odd_formats.items():
            place = home.found, row, column
            if isinstance(case.session.value(place), float):
                found[home.found, code].append(place)
    for (title, code), places in found.items():
        feeds = any(place in case.feeding_totals for place in places)
        hidden = "S130" if feeds else "S131"
        what = "shows nothing" if hides(code) else "shows thousands or millions, unsaid"
        if says_another(code):
            what = "shows a figure of its own, whatever the cell holds"
        yield finding(
            hidden if hides(code) else "S113",
            title,
            addresses(places),
            f"number format {printable(code)[:60]}: it {what}",
            line=case.line_of(places[0]),
            label=case.label_of(places[0]),
            severity=HIGH if says_another(code) else LOW,
            remedy="give the cells the template's number format back",
        )


def calculation_findings(book: Book) -> Iterator[Finding]:
    """How the program that opens the file is told to calculate it."""
    if book.precision_as_displayed:
        seen = "precision as displayed: every number is rounded to what its cell shows"
        yield finding("S170", "", (), seen, remedy="set 'Set precision as displayed' off")
    if book.manual_calculation or book.iterates:
        seen = "manual" if book.manual_calculation else "it iterates over circles"
        yield finding("S170", "", (), seen, severity=LOW)
    if book.epoch_1904:
        yield finding("S171", "", (), "the 1904 date system", severity=LOW)
