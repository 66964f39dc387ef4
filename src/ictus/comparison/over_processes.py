"""Latency over the number of processes that call together, where it varies: as rows, a table and figures.

It varies between launches (`-n 2,4,8`; with `--nodes 1,2 --ppn 1,8` over nodes with as many on each, and over those on
each of as many nodes), or inside one: with `--comm 'first(2),first(4),world'` the first ranks call
while the others wait. The two are kept apart, because the others use the machine too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import (
    DERIVED,
    LIBRARY,
    Case,
    group_detail,
    grouped,
    operation_title,
    processes,
    varying,
)
from ictus.comparison.figures import series_by
from ictus.model.call import WORLD, n_together
from ictus.model.job_size import ANYWHERE, LINKED
from ictus.model.quantity import format_size
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.render.figures.over_processes import Scale, Scaling, over_processes_figure
from ictus.render.page import Legend, Panel, Section, paragraphs
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, row_columns

_MOST_PANELS = 18
_ABOUT = paragraphs("""
    The median over launches, with its interval, against the number of processes that call together; both axes are
    logarithmic. Sizes are those of one process's largest buffer, or of one block of it where they were asked for so.

    Where the number varies inside a launch, the other processes wait meanwhile, and use their cores.
""")


@dataclass(frozen=True)
class ScalingRow:
    """One case of one series at one number of processes."""

    series: str
    """Library, or value of the compared factor."""
    where: str
    """`the first of 8 processes`, `on 2 nodes`, `8 on each node`; empty where only the number of processes of launches
    varies.
    """
    size_bytes: int
    """Of the buffer, or of one block of it where the plan says so."""
    n_together: int
    """Processes that call together."""
    row: CaseRow


SCALING_COLUMNS = row_columns("series where n_together row.*", "ictus.show-processes/1")


@dataclass(frozen=True)
class ScalingGroup:
    """One operation at one size, with all other factors equal: what is one block of the table, and one panel."""

    title: str
    detail: str
    size_bytes: int
    rows: tuple[ScalingRow, ...]

    @property
    def series(self) -> tuple[str, ...]:
        """Those that it has, in their order."""
        return tuple(dict.fromkeys(row.series for row in self.rows))


def scaling_groups(rows: Sequence[CaseRow], by: str = LIBRARY, *, blocks: bool = False) -> tuple[ScalingGroup, ...]:
    """Every operation and size that was measured with two numbers of processes or more, in the order of the plan.

    With `blocks` sizes are those of a block: a buffer then grows with the processes.
    """
    if by in (*LINKED, "comm", "operation", "size_bytes"):
        return ()
    firsts: dict[int, set[str]] = {}
    for row in rows:
        if str(row.case["comm"]).startswith("first("):
            firsts.setdefault(int(row.case["n"]), set()).add(str(row.case["comm"]))
    scaling_rows = [
        scaling_row for row in rows for scaling_row in _places(row, firsts, series_by(by)(row), blocks=blocks)
    ]
    names = tuple(
        name for name in varying([{LIBRARY: row.mpi, **row.case} for row in rows]) if name not in ("comm", *LINKED, by)
    )
    groups = []
    for group in grouped(
        scaling_rows,
        lambda scaling_row: (
            scaling_row.where,
            scaling_row.size_bytes,
            *_others(scaling_row.row.case, scaling_row.row.mpi, by),
        ),
    ):
        if len({scaling_row.n_together for scaling_row in group}) < 2:
            continue
        case = {LIBRARY: group[0].row.mpi, **group[0].row.case}
        fixed_factors = {name: value for name, value in case.items() if name not in (*LINKED, "comm", by)}
        detail = ", ".join(filter(None, (group[0].where, group_detail(fixed_factors, names))))
        ordered = tuple(sorted(group, key=lambda scaling_row: scaling_row.n_together))
        groups.append(ScalingGroup(operation_title(case), detail, group[0].size_bytes, ordered))
    return tuple(groups)


def _places(row: CaseRow, firsts: Mapping[int, set[str]], series: str, *, blocks: bool) -> Iterator[ScalingRow]:
    """Where the row has a place: `world` among launches, and as the last of the first ranks of its own. `firsts` are
    the communicators of first ranks that were measured, by the number of processes.
    """
    comm = parse_spec(str(row.case["comm"]))
    n, kind = int(row.case["n"]), comm.name
    size = int(row.case["block_bytes" if blocks and row.case["block_bytes"] else "size_bytes"])
    together = n_together(comm, n, Registries.load())
    if kind == WORLD.name and row.case["nodes"] == ANYWHERE:
        yield ScalingRow(series, "", size, together, row)
    elif kind == WORLD.name:
        yield ScalingRow(series, f"{row.case['ppn']} on each node", size, together, row)
        nodes = row.case["nodes"]
        yield ScalingRow(series, f"on {nodes} node{'' if nodes == 1 else 's'}", size, together, row)
    first_counts = firsts.get(n, ())
    if kind != WORLD.name or (first_counts and f"first(count={n})" not in first_counts):  # all ranks are the first n
        inside = "the first" if kind in (WORLD.name, "first") else kind
        yield ScalingRow(series, f"{inside} of {processes(n)}", size, together, row)


def _others(case: Case, mpi: str, by: str) -> tuple[object, ...]:
    """All factors but the size, the processes and what distinguishes series."""
    left = ("size_bytes", *LINKED, "comm", by, *DERIVED)
    return (*((mpi,) if by != LIBRARY else ()), *(value for name, value in case.items() if name not in left))


@dataclass(frozen=True)
class _Line:
    """A line of the table: one number of processes, all series."""

    n_together: int
    rows: Mapping[str, CaseRow]


def scaling_table(groups: Sequence[ScalingGroup], caption: str = "") -> Table[_Line]:
    """Numbers of processes below each other, a median with its interval for each series."""
    column = Column[_Line]
    names = tuple(dict.fromkeys(name for group in groups for name in group.series))
    columns = [column("n_together", "processes", lambda line: str(line.n_together))]
    for index, name in enumerate(names):
        columns.append(column("median_s", name, partial(_median, name=name), "point", min(index, 3)))
        columns.append(column("low_s", "interval", partial(_interval, name=name), "range", 4))
    blocks = [
        Block(f"{group.title}, {format_size(group.size_bytes)}", group.detail, _lines_of(group)) for group in groups
    ]
    return Table(columns, blocks, caption)


def _lines_of(group: ScalingGroup) -> list[_Line]:
    return [
        _Line(scaling_rows[0].n_together, {scaling_row.series: scaling_row.row for scaling_row in scaling_rows})
        for scaling_rows in grouped(group.rows, lambda scaling_row: scaling_row.n_together)
    ]


def _median(line: _Line, name: str) -> Cell:
    return Cell(Times(line.rows[name].median_s), "bold") if name in line.rows else Cell(NONE)


def _interval(line: _Line, name: str) -> Cell:
    return Cell(Times(line.rows[name].low_s, line.rows[name].high_s)) if name in line.rows else Cell(NONE)


def scaling_panels(groups: Sequence[ScalingGroup], legend: Legend) -> tuple[Panel, ...]:
    """One panel for each group, of the smallest, middle and largest sizes only where there are many."""
    panels = []
    for group in _drawn(groups):
        lines = tuple(_line(group, name, legend) for name in legend.labels if name in group.series)
        lines = tuple(line for line in lines if line.scales)
        if lines:
            title = f"{group.title}, {format_size(group.size_bytes)}"
            svg = over_processes_figure(lines, "latency", f"Latency against processes, {title}, {group.detail}")
            panels.append(Panel(title, group.detail, svg))
    return tuple(panels)


def _drawn(groups: Sequence[ScalingGroup]) -> list[ScalingGroup]:
    if len(groups) <= _MOST_PANELS:
        return list(groups)
    kept = []
    for alike in grouped(groups, lambda group: (group.title, group.detail)):
        kept += [alike[index] for index in sorted({0, len(alike) // 2, len(alike) - 1})]
    return kept[:_MOST_PANELS]


def _line(group: ScalingGroup, name: str, legend: Legend) -> Scaling:
    scales = tuple(
        Scale(row.n_together, row.row.median_s, _ends(row.row))
        for row in group.rows
        if row.series == name and row.row.median_s is not None
    )
    return Scaling(name, legend.index(name), scales)


def _ends(row: CaseRow) -> tuple[float, ...]:
    """The ends of the interval; without one the smallest and the largest launch."""
    low, high = (row.min_s, row.max_s) if row.low_s is None else (row.low_s, row.high_s)
    return tuple(end for end in (low, high) if end is not None)


def scaling_section(groups: Sequence[ScalingGroup], legend: Legend, caption: str = "") -> Section | None:
    """The part of the page; None where the number of processes does not vary."""
    panels = scaling_panels(groups, legend)
    if not panels:
        return None
    tables = (scaling_table(groups, caption),)
    return Section("processes", "Over processes", _ABOUT, legend=legend.entries(), panels=panels, tables=tables)
