"""Result: every total calculated again, stored values compared, checks and alerts read."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scalesheet.errors import CellError
from scalesheet_workbooks.cell_references import Place
from scalesheet_workbooks.read_sheets import Value
from scalesheet_workbooks.review.case import Case, addresses, number
from scalesheet_workbooks.review.checks import failing_checks, raised_alerts
from scalesheet_workbooks.review.core import Difference, by_core, core_findings, is_as_stored
from scalesheet_workbooks.review.engine import CIRCULAR, INVALID, is_skipped
from scalesheet_workbooks.review.findings import (
    Effect,
    Finding,
    by_money,
    finding,
    same,
    shown,
    with_effects,
)
from scalesheet_workbooks.review.rules import HIGH, LOW


class Recount(NamedTuple):
    """What was calculated again, and how it came out."""

    formulas: int = 0
    as_stored: int = 0
    stale: int = 0
    not_stored: int = 0
    not_calculated: int = 0
    by_core: int = 0
    core_differs: int = 0


class Recalculated(NamedTuple):
    """The counts, and the cells behind them."""

    counts: Recount
    stale: Mapping[Place, tuple[Value, Value]]
    """Stored and calculated value of cells where they differ."""
    core: Sequence[Difference]
    skipped: Sequence[Place] = ()
    """Formulas that were not calculated here."""


def recalculated(case: Case) -> Recalculated:
    """Every formula of the file by the engine, every function of the template by the core."""
    stale: dict[Place, tuple[Value, Value]] = {}
    skipped: list[Place] = []
    formulas = equal = missing = 0
    for sheet in case.book.sheets:
        for (row, column), cell in sheet.cells.items():
            if cell.formula is None:
                continue
            formulas += 1
            place = sheet.title, row, column
            value = case.session.value(place)
            if value == cell.value and type(value) is float and type(cell.value) is float:
                equal += 1
            elif isinstance(value, CellError) and (
                value in (CIRCULAR, INVALID) or is_skipped(cell.value, value)
            ):
                skipped.append(place)
            elif cell.value is None and value not in (None, ""):
                missing += 1
            elif is_as_stored(cell.value, value):
                equal += 1
            else:
                stale[place] = cell.value, value
    checked, wrong = by_core(case)
    counts = Recount(formulas, equal, len(stale), missing, len(skipped), checked, len(wrong))
    return Recalculated(counts, stale, wrong, skipped)


def result_findings(
    case: Case,
    counted: Recalculated,
    explained: Mapping[Place, str],
    roots: set[Place],
    covered: Collection[str] = (),
) -> list[Finding]:
    """Findings that no other finding is the root of; ``explained`` are cells below a root.

    Alerts that are ``covered`` are spoken of elsewhere.
    """
    below = set(explained) | roots | _below_undetermined(case)
    return [
        *_stale(case, counted, set(explained) | roots),
        *_not_stored(counted),
        *not_calculated(place for place in counted.skipped if place not in {*explained, *roots}),
        *core_findings(case, counted.core),
        *_totals(case, set(explained) | roots),
        *(one for one in _checks(case, below) if one.line not in covered),
        *_errors(case, {*explained, *roots, *counted.skipped}),
    ]


def _stale(case: Case, counted: Recalculated, explained: set[Place]) -> Iterator[Finding]:
    places = {place: pair for place, pair in counted.stale.items() if place not in explained}
    if not case.expected.inputs:
        unknown = [place for place, (stored, _) in places.items() if isinstance(stored, CellError)]
        yield from _not_known(unknown)
        below = case.flow.downstream(unknown) | set(unknown)
        places = {place: pair for place, pair in places.items() if place not in below}
    if not places:
        return
    totals = [place for place in case.total_places if place in places]
    shown_at = sorted(totals or places)[:1] if not totals else sorted(p for p in totals if p)
    effects = []
    for number_, place in enumerate(case.total_places):
        if place is None or place not in places:
            continue
        stored, now = number(places[place][0]), number(places[place][1])
        amount = stored - now if stored is not None and now is not None else None
        effects.append(Effect(case.scenario_of_total(number_), amount, now))
    if not effects:
        effects, shown_at = _as_totals(case, places, shown_at)
    first = shown_at[0]
    stored_value, value = places[first]
    found = finding(
        "R301",
        first[0],
        addresses(shown_at),
        f"stored {shown(stored_value)}, calculated {shown(value)}",
        line=case.line_of(first),
        label=case.label_of(first),
        consequences=(f"{len(places)} stored values are out of date",),
    )
    severity = by_money(effects, case.materiality) if effects else LOW
    yield with_effects(found, effects, severity)


def _as_totals(
    case: Case, places: Mapping[Place, tuple[Value, Value]], otherwise: list[Place]
) -> tuple[list[Effect], list[Place]]:
    """Cells that show a total elsewhere, as on the Cover, and what they store instead."""
    effects, found = [], []
    for place, (stored, now) in sorted(places.items()):
        was, is_ = number(stored), number(now)
        for number_, total in enumerate(case.recomputed):
            if was is not None and is_ and number(total) is not None and same(is_, total):
                effects.append(Effect(case.scenario_of_total(number_), was - is_, is_))
                found.append(place)
    return effects, found or otherwise


def not_calculated(places: Iterable[Place]) -> Iterator[Finding]:
    """Formulas that the engine of the review cannot calculate, once a sheet."""
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_sheet[place[0]].append(place)
    for title, cells in by_sheet.items():
        words = "formula" if len(cells) == 1 else "formulas"
        yield finding("R323", title, addresses(cells), f"{len(cells)} {words}, as stored")


def _not_known(places: Sequence[Place]) -> Iterator[Finding]:
    """Calls in error as stored, in a workbook that only shows which functions a program knows."""
    if places:
        seen = f"{len(places)} calls in error as stored; each was calculated here"
        yield finding("R306", places[0][0], addresses(places), seen)


def _not_stored(counted: Recalculated) -> Iterator[Finding]:
    if counted.counts.not_stored:
        yield finding(
            "R302",
            "",
            (),
            "formulas have none",
            consequences=[f"{counted.counts.not_stored:,} of {counted.counts.formulas:,}"],
        )


def _undetermined(case: Case) -> list[int]:
    """The places of the totals of the file that are no numbers."""
    return [
        place
        for place, (at, value) in enumerate(zip(case.total_places, case.recomputed, strict=True))
        if at is not None and number(value) is None
    ]


def _below_undetermined(case: Case) -> set[Place]:
    """What hangs on a total that is undetermined: that it fails too is no finding of its own."""
    lost = [at for place in _undetermined(case) if (at := case.total_places[place])]
    return case.flow.downstream(lost) if lost else set()


def _totals(case: Case, explained: set[Place]) -> Iterator[Finding]:
    lost = [place for place in _undetermined(case) if case.total_places[place] not in explained]
    places = [at for place in lost if (at := case.total_places[place])]
    if places:
        below = case.flow.downstream(places)
        failing = [line for line, place in failing_checks(case).items() if place in below]
        yield finding(
            "R305",
            places[0][0],
            addresses(places),
            shown(case.recomputed[lost[0]]),
            line=case.line_of(places[0]),
            label=case.label_of(places[0]),
            effects=[
                Effect(case.scenario_of_total(place), None, number(case.by_template[place]))
                for place in lost
            ],
            consequences=[f"checks fail: {', '.join(failing)}"] if failing else (),
        )
    for place, (at, value, ours) in enumerate(
        zip(case.total_places, case.recomputed, case.by_template, strict=True)
    ):
        one, other = number(value), number(ours)
        if at is None or at in explained or one is None or other is None or same(one, other):
            continue
        found = finding(
            "R304",
            at[0],
            addresses([at]),
            shown(value),
            shown(ours),
            line=case.line_of(at),
            label=case.label_of(at),
        )
        effects = [Effect(case.scenario_of_total(place), one - other, other)]
        yield with_effects(found, effects, by_money(effects, case.materiality))


def _checks(case: Case, explained: set[Place]) -> Iterator[Finding]:
    for line, place in failing_checks(case).items():
        if place not in explained:
            yield finding(
                "R310",
                place[0],
                addresses([place]),
                "fails",
                "passes",
                line=line,
                label=case.expected.label(line),
                severity=HIGH,
            )
    for line, place in raised_alerts(case).items():
        yield finding(
            "R311",
            place[0],
            addresses([place]),
            "raised",
            "",
            line=line,
            label=case.expected.label(line),
        )


def _errors(case: Case, explained: set[Place]) -> Iterator[Finding]:
    """Formulas in error that no root explains, once a sheet."""
    by_sheet: dict[str, list[Place]] = defaultdict(list)
    totals = set(case.total_places)
    for sheet in case.book.sheets:
        for (row, column), cell in sheet.cells.items():
            place = sheet.title, row, column
            if cell.formula is None or place in explained or place in totals:
                continue
            value = case.session.value(place)
            if isinstance(value, CellError) and not _is_meant(case, place):
                by_sheet[sheet.title].append(place)
    for title, places in by_sheet.items():
        value = case.session.value(sorted(places)[0])
        yield finding("R320", title, addresses(places), f"{shown(value)} in {len(places)} cells")


def _is_meant(case: Case, place: Place) -> bool:
    """Whether the template shows an error there too, for what is not given."""
    home = case.alignment.home(place)
    return home is not None and isinstance(case.pristine.value(home), CellError)
