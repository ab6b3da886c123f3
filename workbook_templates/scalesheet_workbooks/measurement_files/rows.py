"""The lines of a table as sizes and figures; what cannot be read is a problem with its line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scalesheet_workbooks.measurement_files.measures import spelled_out
from scalesheet_workbooks.measurement_files.tables import MeasurementFileError, Table
from scalesheet_workbooks.price_files.sheet import Line, Wrong

MOST_NODES, MOST_GPUS = 100_000, 10_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A line that has a size and a figure; batch and samples are None where the file has none."""

    line: Line
    nodes: int
    gpus_per_node: int | None
    value: float
    batch: float | None
    samples: float | None


def lines_with(table: Table, only: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines that have these texts in these columns."""
    lines = table.sheet.lines
    for name, text in only.items():
        wanted = spelled_out(name)
        column = next((one for one in table.sheet.header if one and spelled_out(one) == wanted), "")
        if not column:
            raise MeasurementFileError([f'{table.name}: there is no column "{name}" (--only)'])
        found = tuple(line for line in lines if line.text(column).casefold() == text.casefold())
        if not found:
            known = ", ".join(sorted({line.text(column) for line in lines} - {""})[:5])
            problem = f'{table.name}: no line has "{text}" in column "{column}": it has {known}'
            raise MeasurementFileError([problem])
        lines = found
    return lines


def read_rows(
    table: Table, lines: Sequence[Line], column: str, gpus_per_node: int | None
) -> tuple[list[Row], list[str]]:
    """The rows, and which lines are left out because they have a size or a figure alone."""
    headings = table.headings
    size = headings.nodes or headings.gpus
    rows: list[Row] = []
    halves: list[str] = []
    problems = [f"{table.name}: {table.place} {n}: {what}" for n, what in table.sheet.crooked]
    for line in lines:
        if line.text(size) and line.text(column):
            try:
                rows.append(_row(table, line, column, gpus_per_node))
            except Wrong as wrong:
                problems.append(table.at(line, wrong))
        elif line.text(size) or line.text(column):
            missing = column if line.text(size) else size
            halves.append(f'{table.place} {line.number} (no "{missing}")')
    for row in rows:
        if row.gpus_per_node != rows[0].gpus_per_node:
            problems.append(
                table.at(
                    row.line,
                    f"is of nodes of {row.gpus_per_node} GPUs and {table.place} "
                    f"{rows[0].line.number} of {rows[0].gpus_per_node}: one fit is of one kind",
                )
            )
    if not rows and not problems:
        problems = [f'{table.name}: there is no line with a size and "{column}"']
    if problems:
        raise MeasurementFileError(problems)
    return rows, halves


def _row(table: Table, line: Line, column: str, said: int | None) -> Row:
    headings = table.headings
    value = table.number(line, column)
    assert value is not None  # the caller leaves out lines without one
    nodes, gpus_per_node = _size(table, line, said)
    batch = headings.global_batch or headings.gpu_batch
    return Row(
        line,
        nodes,
        gpus_per_node,
        value,
        table.number(line, batch) if batch else None,
        table.number(line, headings.samples) if headings.samples else None,
    )


def _size(table: Table, line: Line, said: int | None) -> tuple[int, int | None]:
    """Nodes and the GPUs of each, from two of nodes, GPUs and GPUs per node."""
    headings = table.headings

    def count(column: str, most: int) -> int | None:
        return table.count(line, column, most) if column else None

    nodes = count(headings.nodes, MOST_NODES)
    gpus = count(headings.gpus, MOST_GPUS)
    of_node = count(headings.gpus_per_node, MOST_GPUS)
    if said and of_node and said != of_node:
        raise Wrong(f"{headings.gpus_per_node} is {of_node}, and --gpus-per-node {said}")
    of_node = of_node or said
    if gpus is None:
        assert nodes is not None  # the caller leaves out lines without a size
        return nodes, of_node
    if of_node is None:
        # Without nodes the caller asks for the size of a node; until then a GPU is one.
        of_node, rest = divmod(gpus, nodes) if nodes else (1, 0)
        if rest:
            raise Wrong(f"{gpus} GPUs are not spread evenly over {nodes} nodes: which is it?")
    found, rest = divmod(gpus, of_node)
    if rest:
        raise Wrong(
            f"{gpus} GPUs are {gpus / of_node:g} nodes of {of_node}: leave out parts of nodes, or "
            "count each GPU as a node with --gpus-per-node 1"
        )
    if nodes and nodes != found:
        raise Wrong(f"{gpus} GPUs are {found} nodes of {of_node} and not {nodes}: which is it?")
    if found > MOST_NODES:
        raise Wrong(f"{headings.gpus} is {gpus}: more than {MOST_NODES:,} nodes")
    return found, of_node
