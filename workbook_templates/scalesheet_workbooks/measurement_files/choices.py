"""Which column is read and as what: by its header, or as the user says."""

from collections.abc import Sequence

from scalesheet_workbooks.measurement_files.doubts import scaling_by_batch
from scalesheet_workbooks.measurement_files.headers import GPU, TOTAL, Heading
from scalesheet_workbooks.measurement_files.measures import (
    MEASURES,
    MIXED,
    RATE,
    SCALINGS,
    STEP_RATE,
    STEPS,
    STRONG,
    THROUGHPUT,
    WEAK,
    Measure,
    Unit,
    spelled_out,
    unit_of,
)
from scalesheet_workbooks.measurement_files.records import Asked
from scalesheet_workbooks.measurement_files.rows import Row
from scalesheet_workbooks.measurement_files.tables import MeasurementFileError, Table
from scalesheet_workbooks.price_files.sheet import Line

UNIT_EXAMPLES = {True: "ms, s, min, h or days", False: "tokens/s, images/s or samples/min"}


def figure_column(table: Table, lines: Sequence[Line], asked: Asked) -> tuple[Heading, Measure]:
    """The column of figures and their kind; MeasurementFileError where it cannot be told."""
    known = table.headings.figures
    if asked.column:
        known = (_named(table, asked.column),)
    clear = [one for one in known if _fits(one, asked.measure)]
    for measure in MEASURES.values():
        same = [one for one in clear if one.measure is measure]
        of_run = [one for one in same if one.basis == TOTAL]
        found = of_run or same
        if len(found) > 1:
            names = " and ".join(f'"{one.column}"' for one in found)
            raise _problem(table, f"{names} are all {measure.name}: name one with --column")
        if found:
            return found[0], measure
    unclear = [one for one in known if one.measure is None]
    if not unclear:
        raise _problem(table, _nothing_to_read(table, asked))
    if len(unclear) > 1:
        names = " and ".join(f'"{one.column}"' for one in unclear)
        raise _problem(table, f"{names} may both be meant: name one with --column")
    (only,) = unclear
    if asked.measure:
        return only, asked.measure
    rate = RATE.search(spelled_out(asked.unit or _single(table, lines, table.headings.unit)))
    if rate:
        return only, STEP_RATE if rate[1] in STEPS else THROUGHPUT
    raise _problem(
        table, f'"{only.column}" does not say what it is: add --measure {", ".join(MEASURES)}'
    )


def _fits(heading: Heading, wanted: Measure | None) -> bool:
    return heading.measure is not None and wanted in (None, heading.measure)


def _named(table: Table, column: str) -> Heading:
    """The column that the user names, whatever its header says."""
    wanted = spelled_out(column)
    for heading in table.headings.figures:
        if spelled_out(heading.column) == wanted:
            return heading
    for header in table.sheet.header:
        if header and spelled_out(header) == wanted:
            return Heading(header, None, TOTAL)
    names = ", ".join(f'"{header}"' for header in table.sheet.header if header)
    raise _problem(table, f'there is no column "{column}": name one of {names}')


def _nothing_to_read(table: Table, asked: Asked) -> str:
    if asked.measure:
        return f"there is no column of {asked.measure.name}: name it with --column"
    if table.headings.shares:
        column, reason = table.headings.shares[0]
        return f'"{column}" is no throughput ({reason}): give samples or tokens per second'
    return "there is no column of throughput or time: name it with --column and --measure"


def unit(
    table: Table, lines: Sequence[Line], asked: Asked, heading: Heading, measure: Measure
) -> Unit | str:
    """The unit of the figures, or what to ask for."""
    in_header = unit_of(heading.column, measure)
    in_column = _single(table, lines, table.headings.unit)
    in_file = in_header or unit_of(in_column, measure)
    examples = UNIT_EXAMPLES[measure.is_time]
    if asked.unit:
        said = unit_of(asked.unit, measure)
        if said is None:
            return f"--unit {asked.unit} is no unit of {measure.name}: write {examples}"
        if in_file and said != in_file:
            return f'--unit {asked.unit}, but "{heading.column}" is in {in_file.name}: which is it?'
        return said
    return in_file or (f'"{heading.column}" does not say its unit: add --unit, as in {examples}')


def _single(table: Table, lines: Sequence[Line], column: str) -> str:
    """The one text in a column, "" where there is none."""
    texts = sorted({line.text(column) for line in lines} - {""})
    if len(texts) > 1:
        raise _problem(
            table,
            f'column "{column}" has several values ({", ".join(texts[:4])}): '
            f'add --only "{column}={texts[0]}"',
        )
    return texts[0] if texts else ""


def scaling(table: Table, rows: Sequence[Row], asked: Asked, measure: Measure) -> tuple[str, str]:
    """Weak, strong or mixed; and what to ask for where that cannot be told."""
    headings = table.headings
    said = _single(table, [row.line for row in rows], headings.scaling)
    words = set(spelled_out(said).split())
    in_file = next((one for one in SCALINGS if one in words), "") or scaling_by_batch(
        [row.nodes for row in rows],
        [row.batch for row in rows],
        of_gpu=not headings.global_batch,
    )
    if asked.scaling and in_file not in ("", MIXED, asked.scaling):
        return "", f"--scaling {asked.scaling}, but the file says {in_file}: which is it?"
    found = in_file or asked.scaling
    if not found:
        return "", (
            f"weak or strong scaling? Add --scaling {WEAK} ({SCALINGS[WEAK]}) or "
            f"--scaling {STRONG} ({SCALINGS[STRONG]})"
        )
    if found == MIXED and measure.work == "steps" and not rows[0].batch:
        return "", "steps whose batch changes are not comparable: add a column of the total batch"
    return found, ""


def basis(heading: Heading, asked: Asked, measure: Measure) -> tuple[str, str]:
    """What a figure is of; and a problem where user and header contradict each other."""
    if measure.is_time:
        if asked.basis in (GPU, "node"):
            return (
                TOTAL,
                f"a {measure.name} is of the whole run: leave out --per-{asked.basis.lower()}",
            )
        return TOTAL, ""
    if asked.basis and heading.basis not in (TOTAL, asked.basis):
        return TOTAL, f'"{heading.column}" says that it is per {heading.basis}: which is it?'
    return asked.basis or heading.basis, ""


def _problem(table: Table, text: str) -> MeasurementFileError:
    return MeasurementFileError([f"{table.name}: {text}"])
