"""General checks of sums: lines left out, headings taken in, lines that count twice."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from scalesheet_workbooks.cell_references import Area, Place, areas, skeleton
from scalesheet_workbooks.read import Cell
from scalesheet_workbooks.review.case import addresses
from scalesheet_workbooks.review.findings import Finding, finding, short
from scalesheet_workbooks.review.foreign import Foreign, area_of, is_within, meet, size_of, span_of
from scalesheet_workbooks.review.rules import LOW

MOST_SHOWN = 4


@dataclass(frozen=True)
class Wrong:
    """A sum, and the cells to put to it or take from it."""

    place: Place
    sign: str
    others: list[Place]
    what: str


def wrong_sums(foreign: Foreign) -> Iterator[Finding]:
    """Sums that do not take each line once; those of a row that err alike are one finding."""
    alike: dict[tuple[str, int, str, int], list[Wrong]] = defaultdict(list)
    for place, summed in foreign.sums.items():
        wrong = _wrong(foreign, place, summed)
        if wrong is not None:
            alike[place[0], place[1], wrong.what, len(wrong.others)].append(wrong)
    for members in alike.values():
        yield _found(foreign, members)


def _wrong(foreign: Foreign, place: Place, summed: list[Area]) -> Wrong | None:
    if twice := _twice(foreign, place, summed):
        return Wrong(place, "-", twice, "counts twice")
    headings = [one for one in foreign.years if any(meet(area, area_of(one)) for area in summed)]
    if 0 < len(headings) < sum(map(size_of, summed)):
        return Wrong(place, "-", headings, "counts the year in")
    if missed := _fewer(foreign, place, summed):
        return Wrong(place, "+", missed, "leaves out")
    if missed := _left_out(foreign, place, summed):
        is_above = min(missed)[1] < min(top for _, top, *_ in summed)
        return Wrong(place, "+", missed, "starts below" if is_above else "leaves out")
    return None


def _found(foreign: Foreign, members: list[Wrong]) -> Finding:
    """Sums of a row, and what they would give."""
    mended = {
        one.place: foreign.formula(one.place)
        + "".join(f"{one.sign}{cell}" for cell in addresses(one.others))
        for one in members
    }
    effects = foreign.effects({place: Cell(None, text) for place, text in mended.items()})
    first = min(members, key=lambda one: one.place)
    others = ", ".join(addresses(first.others)[:MOST_SHOWN])
    return finding(
        "R325",
        first.place[0],
        addresses(mended),
        f"={short(foreign.formula(first.place))} {first.what}: {others}",
        f"={short(mended[first.place])}",
        label=foreign.label(first.place),
        # What stands above a range may be a heading, or a balance that is brought forward.
        severity=LOW if first.what == "starts below" else foreign.severity(effects),
        effects=effects,
    )


def _twice(foreign: Foreign, place: Place, summed: list[Area]) -> list[Place]:
    """Sums within a sum whose own lines it takes as well; SUBTOTAL leaves its like out."""
    is_subtotal = _is_subtotal(foreign, place)
    found = []
    for one in foreign.sums_in(summed):
        parts = foreign.sums[one]
        is_skipped = is_subtotal and _is_subtotal(foreign, one)
        is_one = len(parts) == 1 and parts[0][1:3] == parts[0][3:]
        if one == place or is_one or is_skipped or one[0] != place[0]:
            continue
        if all(is_within(part, summed) for part in parts):
            found.append(one)
    return found


def _is_subtotal(foreign: Foreign, place: Place) -> bool:
    return skeleton(foreign.formula(place)).startswith("SUBTOTAL(")


def _left_out(foreign: Foreign, place: Place, summed: list[Area]) -> list[Place]:
    """Lines that stand next to the range of a sum, in its column, and are in no other sum there."""
    title, row, column = place
    ranges = [
        area
        for area in summed
        if area[0] == title and area[2] == area[4] == column and area[1] < area[3] < row
    ]
    if len(ranges) != 1:
        return []
    ((_, top, _, bottom, _),) = ranges
    found = []
    for start, step, end in ((bottom + 1, 1, row), (top - 1, -1, 0)):
        for at in range(start, end, step):
            one = title, at, column
            if any(meet(area, area_of(one)) for area in summed):
                break
            if not _is_line(foreign, one, place, ranges[0]) or (
                step < 0 and foreign.is_heading(one)
            ):
                break
            found.append(one)
    return found


def _fewer(foreign: Foreign, place: Place, summed: list[Area]) -> list[Place]:
    """Numbers that a sum leaves out and the sums beside it take: what stands between its range and
    the sum, or what two others take."""
    span = span_of(place, summed)
    if span is None:
        return []
    beside = foreign.spans[span.line]
    if beside.count(span) > 1:
        return []
    for other in dict.fromkeys(beside):
        is_wider = other != span and other.first <= span.first and span.last <= other.last
        is_gap = other.first == span.first and other.last == -1
        if not is_wider or not (is_gap or beside.count(other) > 1):
            continue
        steps = (*range(other.first, span.first), *range(span.last + 1, other.last + 1))
        missed = [span.cell(place, step) for step in steps]
        missed = [one for one in missed if foreign.number(one) and not foreign.is_total(one)]
        if missed:
            return missed
    return []


def _is_line(foreign: Foreign, one: Place, total: Place, area: Area) -> bool:
    """Whether a cell beside a range is a line as those of it: no total of them, no rate, and
    counted nowhere else in the column."""
    cell = foreign.book.cell(*one)
    if cell is None or foreign.number(one) is None or foreign.is_total(one):
        return False
    if cell.formula is not None and any(meet(area, read) for read in areas(cell.formula, one[0])):
        return False
    users = (user for user in foreign.flow.users(one) if user[0] == one[0])
    is_named = foreign.label(one) or not foreign.label((area[0], area[3], area[2]))
    return bool(is_named) and not any(user[2] == one[2] and user != total for user in users)
