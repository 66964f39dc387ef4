"""Tables of lenses: all headlines side by side, each against the makespan, each suite's own line; and sentences on
them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ictus.comparison.case_titles import group_detail, grouped, operation_title
from ictus.comparison.verdict_texts import interval_text, ratio_text
from ictus.model.plan_parts import FAMILIES
from ictus.model.quantity import format_duration, format_size, percent
from ictus.model.registries import Registries
from ictus.render.table import NONE, Block, Cell, Column, Table, Times
from ictus.render.unit import TimeUnit, time_unit
from ictus.studies.lens.analysis import LENS, PROCSYNC, LensRow
from ictus.studies.lens.suites.lens import Printed
from ictus.studies.lens.suites.registry import Look, find_look

_GAP = 2
CONFIDENCE = 0.95
"""Confidence of the shown intervals."""


@dataclass(frozen=True)
class WaysRow:
    """One case of one library, or of all of them, by every way of looking that the table shows."""

    name: str
    by: Mapping[str, LensRow]
    """By way of looking, or by library."""

    @property
    def first(self) -> LensRow:
        """Any of its rows: they share the case."""
        return next(iter(self.by.values()))


def headline_tables(rows: Sequence[LensRow], width: int) -> list[Table[WaysRow]]:
    """Operation x size x library, a column for the makespan and one for each way; as many tables as the width takes."""
    ways = list(dict.fromkeys(row.lens for row in rows))
    reference = reference_name(rows)
    used = 8 + max([len("library"), *(len(row.mpi) for row in rows)]) + len(reference) + 3 * _GAP
    blocks = []
    for block in grouped(rows, lambda row: (row.case["operation"], row.case["n"])):
        cases = grouped(block, lambda row: (row.case["size_bytes"], row.mpi))
        lines = [WaysRow(group[0].mpi, {row.lens: row for row in group}) for group in cases]
        title, detail = operation_title(block[0].case), group_detail(block[0].case, ())
        blocks.append(Block(title, detail, lines, _unit(block)))
    column = Column[WaysRow]
    head = (
        column("size_bytes", "size", lambda row: format_size(int(row.first.case["size_bytes"])), once=True),
        column("mpi", "library", lambda row: row.name, "left"),
        column("reference_s", reference, lambda row: Cell(Times(row.first.reference_s), "bold"), "point"),
    )
    return [
        Table((*head, *(column("headline_s", way, partial(_headline, of=way), "point") for way in chunk)), blocks)
        for chunk in _chunks(ways, width - used)
    ]


def _headline(row: WaysRow, of: str, style: str = "") -> Cell:
    return Cell(Times(row.by[of].headline_s), style) if of in row.by else Cell(NONE)


def _chunks(names: Sequence[str], room: int) -> Iterator[list[str]]:
    """The names in lists that fit into this number of characters, with a gap before each."""
    chunk: list[str] = []
    for name in names:
        if chunk and sum(max(len(column_name), 6) + _GAP for column_name in (*chunk, name)) > room:
            yield chunk
            chunk = []
        chunk.append(name)
    if chunk:
        yield chunk


def ratio_table(rows: Sequence[LensRow], confidence: float) -> Table[WaysRow]:
    """For each operation and size: every way's number, in relation to the makespan of the same launches."""
    interval, column = interval_name(rows, confidence), Column[WaysRow]
    columns = [column("lens", "", lambda row: row.name, "left")]
    for number, label in enumerate(dict.fromkeys(row.mpi for row in rows)):
        columns += [
            column("headline_s", label, partial(_headline, of=label, style="bold"), "point", 3 * number),
            column("ratio", "ratio", partial(_ratio, of=label), "point", 3 * number and 3 * number + 1),
            column("ratio_low", interval, partial(_interval, of=label), "left", 3 * number + 2),
        ]
    return Table(columns, [_ratios(group) for group in grouped(rows, _block)])


def _ratios(rows: Sequence[LensRow]) -> Block[WaysRow]:
    unit = _unit(rows)
    lines = [
        WaysRow(way_name(*way), {row.mpi: row for row in rows if (row.kind, row.lens) == way})
        for way in dict.fromkeys((row.kind, row.lens) for row in rows)
    ]
    references = ", ".join({row.mpi: f"{row.mpi} {unit.number(row.reference_s)}" for row in rows}.values())
    size = f"{format_size(int(rows[0].case['size_bytes']))}, " if rows[0].case["moved_bytes"] else ""
    detail = f"{size}{group_detail(rows[0].case, ())}, {reference_name(rows)} in {unit.name}: {references}"
    return Block(operation_title(rows[0].case), detail, lines, unit, None)


def _ratio(row: WaysRow, of: str) -> str:
    return ratio_text(row.by[of].result.ratio) if of in row.by else ""


def _interval(row: WaysRow, of: str) -> str:
    return interval_text(*shown_interval(row.by[of])) if of in row.by else ""


def detail_tables(rows: Sequence[LensRow]) -> list[Table[LensRow]]:
    """Each suite's own line: its columns by its own names, medians over launches."""
    column = Column[LensRow]
    head = (
        column("operation", "operation", lambda row: str(row.case["operation"]), "left"),
        column("n", "n", lambda row: str(row.case["n"]), importance=3),
        column("size_bytes", "size", lambda row: format_size(int(row.case["size_bytes"]))),
        column("mpi", "library", align="left"),
    )
    tables = []
    for group in grouped(rows, lambda row: (row.kind, row.lens)):
        most = max(group, key=lambda row: len(row.printed)).printed  # ranks have columns of their own
        numbers = (_printed(index, printed) for index, printed in enumerate(most))
        block = Block(way_name(group[0].kind, group[0].lens), measured_by(group[0]), group)
        tables.append(Table((*head, *numbers), [block]))
    return tables


def _printed(index: int, printed: Printed) -> Column[LensRow]:
    """The suite's column at that place of its line; empty where a line is shorter."""
    title = f"{printed.name}, {printed.unit}" if printed.unit and printed.unit not in printed.name else printed.name
    return Column("printed", title, lambda row: row.printed[index].text if index < len(row.printed) else "", "point")


def suite_table(rows: Sequence[LensRow]) -> Table[Look]:
    """How each suite measures and reduces."""
    looks = {row.lens: find_look(row.spec) for row in rows if row.kind == LENS}
    column = Column[Look]
    columns = (
        column("", "", lambda look: look.label, "left"),
        column("", "measures", lambda row: row.lens.measures, "left"),
        column("", "reduces", lambda row: row.lens.reduces, "left"),
        column("", "source", lambda row: row.lens.source, "left"),
    )
    return Table(columns, [Block("Suites", "", list(looks.values()))])


def way_name(kind: str, lens: str) -> str:
    """`skampi(window)`, `procsync harmonize`."""
    return f"{kind} {lens}" if kind == PROCSYNC else lens


def measured_by(row: LensRow) -> str:
    """`barrier(library), loop(500), fixed(1)`."""
    registries = Registries.load()
    return ", ".join(registries.short(name, getattr(row.measured_by, name)) for name in FAMILIES)


def reference_name(rows: Iterable[LensRow]) -> str:
    """The name of the reference."""
    return ", ".join(dict.fromkeys(row.reference.replace("_", " ") for row in rows))


def interval_name(rows: Iterable[LensRow], confidence: float) -> str:
    """`95 % interval`; with too few launches for one the smallest and the largest ratio are shown."""
    return "min … max" if _few(rows) else f"{percent(confidence)} interval"


def _few(rows: Iterable[LensRow]) -> bool:
    return any(row.result.ratio is not None and row.result.ratio_low is None for row in rows)


def shown_interval(row: LensRow) -> tuple[float | None, float | None]:
    """The ratio's interval, or the range over launches where they are too few for one."""
    if row.result.ratio_low is None:
        return row.ratio_min, row.ratio_max
    return row.result.ratio_low, row.result.ratio_high


def _unit(rows: Sequence[LensRow]) -> TimeUnit:
    return time_unit([time for row in rows for time in (row.headline_s, row.reference_s)])


def _block(row: LensRow) -> tuple[object, ...]:
    return row.case["operation"], row.case["n"], row.case["size_bytes"]


def notes(rows: Sequence[LensRow]) -> Iterator[str]:
    """How to read the tables, in one line each."""
    reference = rows[0].reference.replace("_", " ")
    yield (
        f"Each number is what the suite calls its latency, the median over launches; ratio: to the {reference} of the "
        f"same launch (Hodges-Lehmann over the launches' own ratios)."
    )
    n_launches = max((row.result.n_a for row in rows if row.result.ratio_low is None), default=0)
    if n_launches:
        subject = "1 launch gives" if n_launches == 1 else f"{n_launches} launches give"
        yield f"{subject} no 95 % interval: the smallest and largest ratio are shown."


def lens_sentences(rows: Sequence[LensRow]) -> Iterator[str]:
    """How far apart the numbers of one call are, and where the faster library depends on the suite."""
    lenses = [row for row in rows if row.kind == LENS]
    if widest := _widest(lenses):
        yield widest
    for group in grouped(lenses, lambda row: (row.case["operation"], row.case["n"], row.case["size_bytes"])):
        if dissent := _dissent(group):
            yield dissent


def _widest(rows: Sequence[LensRow]) -> str:
    """The call of which the lenses' numbers are furthest apart."""
    spans = []
    for group in grouped(rows, lambda row: (row.mpi, *map(str, row.case.values()))):
        ordered = sorted(group, key=lambda row: row.headline_s)
        low, high = ordered[0].headline_s, ordered[-1].headline_s
        if len(group) > 1 and low > 0:
            spans.append((high / low, ordered[0], ordered[-1]))
    if not spans:
        return ""
    factor, least, most = max(spans, key=lambda span: span[0])
    return (
        f"One {_call(least)} of {least.mpi} is {format_duration(least.headline_s)} by {least.lens} and "
        f"{format_duration(most.headline_s)} by {most.lens}: a factor of {factor:.2g}."
    )


def _dissent(rows: Sequence[LensRow]) -> str:
    """`MPI_Bcast, 8 B: by the makespan mpich is ahead; by osu and imb openmpi.`; empty where all agree."""
    by_library = {row.mpi: row.reference_s for row in rows if row.reference_s is not None}
    if len(by_library) < 2:
        return ""
    first = min(by_library, key=lambda label: by_library[label] or 0.0)
    others: dict[str, list[str]] = {}
    for group in grouped(rows, lambda row: row.lens):
        ahead = min(group, key=lambda row: row.headline_s)
        if len(group) == len(by_library) and ahead.mpi != first:
            others.setdefault(ahead.mpi, []).append(group[0].lens)
    if not others:
        return ""
    others_ahead = "; ".join(f"by {_listed(lenses)} {label}" for label, lenses in others.items())
    reference = rows[0].reference.replace("_", " ")
    return f"{_call(rows[0])}: by the {reference} {first} is ahead in the median; {others_ahead}."


def _call(row: LensRow) -> str:
    size = f" of {format_size(int(row.case['size_bytes']))}" if row.case["moved_bytes"] else ""
    return f"{operation_title(row.case)}{size}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
