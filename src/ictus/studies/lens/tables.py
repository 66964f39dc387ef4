"""Tables of lenses for the terminal: all headlines side by side, each against the makespan, each suite's own line.

What the lenses show, in sentences.
"""

from collections.abc import Iterable, Iterator, Sequence

from ictus.comparison.case_titles import group_detail, grouped, operation_title
from ictus.comparison.tables import interval_text, ratio_text
from ictus.model.method import FAMILIES
from ictus.model.quantity import format_duration, format_size
from ictus.model.registries import Registries
from ictus.render.table import Block, Cell, CellRow, Heading, Table, cell_table
from ictus.render.unit import TimeUnit, time_unit
from ictus.stats.verdict import percent
from ictus.studies.lens.analysis import LENS, PROCSYNC, LensRow

_GAP = 2


def headline_tables(rows: Sequence[LensRow], width: int) -> list[Table[CellRow]]:
    """Operation x size x library, a column for the makespan and one for each way; as many tables as the width takes."""
    ways = list(dict.fromkeys(row.lens for row in rows))
    reference = reference_name(rows)
    used = 8 + max([len("library"), *(len(row.mpi) for row in rows)]) + len(reference) + 3 * _GAP
    tables = []
    for shown in _chunks(ways, width - used):
        columns = (
            Heading("size"),
            Heading("library", "left"),
            Heading(reference, "point"),
            *(Heading(way, "point") for way in shown),
        )
        blocks = [
            _headlines(group, shown) for group in grouped(rows, lambda row: (row.case["operation"], row.case["n"]))
        ]
        tables.append(cell_table(columns, blocks))
    return tables


def _chunks(names: Sequence[str], room: int) -> Iterator[list[str]]:
    """The names in lists that fit into so many characters, a gap before each."""
    chunk: list[str] = []
    for name in names:
        if chunk and sum(max(len(one), 6) + _GAP for one in (*chunk, name)) > room:
            yield chunk
            chunk = []
        chunk.append(name)
    if chunk:
        yield chunk


def _headlines(rows: Sequence[LensRow], shown: Sequence[str]) -> Block[CellRow]:
    unit = _unit(rows)
    lines: list[CellRow] = []
    last = None
    for group in grouped(rows, lambda row: (row.case["size_bytes"], row.mpi)):
        size, by_way = format_size(int(group[0].case["size_bytes"])), {row.lens: row for row in group}
        lines.append(
            (
                "" if size == last else size,
                group[0].mpi,
                Cell(unit.number(group[0].reference_s), "bold"),
                *(unit.number(by_way[way].headline_s) if way in by_way else "–" for way in shown),
            )
        )
        last = size
    return Block(operation_title(rows[0].case), f"{group_detail(rows[0].case, ())}, times in {unit.name}", lines)


def ratio_table(rows: Sequence[LensRow], confidence: float) -> Table[CellRow]:
    """For each operation and size: every way's number, in relation to the makespan of the same launches."""
    labels = list(dict.fromkeys(row.mpi for row in rows))
    interval = interval_name(rows, confidence)
    columns = [Heading("", "left")]
    for number, label in enumerate(labels):
        columns += [
            Heading(label, "point", 3 * number),
            Heading("ratio", "point", 3 * number and 3 * number + 1),
            Heading(interval, "left", 3 * number + 2),
        ]
    blocks = [_ratios(group, labels) for group in grouped(rows, _block)]
    return cell_table(columns, blocks)


def _ratios(rows: Sequence[LensRow], labels: Sequence[str]) -> Block[CellRow]:
    unit = _unit(rows)
    lines: list[CellRow] = []
    for way in dict.fromkeys((row.kind, row.lens) for row in rows):
        cells: list[Cell | str] = [way_name(*way)]
        for label in labels:
            row = next((one for one in rows if (one.kind, one.lens) == way and one.mpi == label), None)
            cells += ["–", "", ""] if row is None else _ratio_cells(row, unit)
        lines.append(cells)
    references = ", ".join({row.mpi: f"{row.mpi} {unit.number(row.reference_s)}" for row in rows}.values())
    size = f"{format_size(int(rows[0].case['size_bytes']))}, " if rows[0].case["moved_bytes"] else ""
    detail = f"{size}{group_detail(rows[0].case, ())}, {reference_name(rows)} in {unit.name}: {references}"
    return Block(operation_title(rows[0].case), detail, lines)


def _ratio_cells(row: LensRow, unit: TimeUnit) -> tuple[Cell | str, ...]:
    low, high = shown_interval(row)
    return Cell(unit.number(row.headline_s), "bold"), ratio_text(row.result.ratio), interval_text(low, high)


def detail_tables(rows: Sequence[LensRow]) -> list[Table[CellRow]]:
    """Each suite's own line: its columns by its own names, medians over launches."""
    tables = []
    for group in grouped(rows, lambda row: (row.kind, row.lens)):
        most = max(group, key=lambda row: len(row.printed))  # ranks have columns of their own
        columns = (
            Heading("operation", "left"),
            Heading("n", importance=3),
            Heading("size"),
            Heading("library", "left"),
            *(
                Heading(f"{one.name}, {one.unit}" if one.unit and one.unit not in one.name else one.name, "point")
                for one in most.printed
            ),
        )
        cells = [
            (
                str(row.case["operation"]),
                str(row.case["n"]),
                format_size(int(row.case["size_bytes"])),
                row.mpi,
                *(number.text for number in row.printed),
                *[""] * (len(most.printed) - len(row.printed)),
            )
            for row in group
        ]
        tables.append(
            cell_table(columns, [Block(way_name(group[0].kind, group[0].lens), measured_by(group[0]), cells)])
        )
    return tables


def way_name(kind: str, lens: str) -> str:
    """`skampi(window)`, `procsync harmonize`."""
    return f"{kind} {lens}" if kind == PROCSYNC else lens


def measured_by(row: LensRow) -> str:
    """`barrier(library), loop(500), fixed(1)`."""
    registries = Registries.load()
    return ", ".join(registries.short(name, getattr(row.measured_by, name)) for name in FAMILIES)


def reference_name(rows: Iterable[LensRow]) -> str:
    """What everything is in relation to."""
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
    few = max((row.result.n_a for row in rows if row.result.ratio_low is None), default=0)
    if few:
        given = "1 launch gives" if few == 1 else f"{few} launches give"
        yield f"{given} no 95 % interval: the smallest and largest ratio are shown."


def lens_sentences(rows: Sequence[LensRow]) -> Iterator[str]:
    """How far the numbers of one call are apart, and where the library that is ahead depends on who is asked."""
    lenses = [row for row in rows if row.kind == LENS and row.headline_s is not None]
    if widest := _widest(lenses):
        yield widest
    for group in grouped(lenses, lambda row: (row.case["operation"], row.case["n"], row.case["size_bytes"])):
        if dissent := _dissent(group):
            yield dissent


def _widest(rows: Sequence[LensRow]) -> str:
    """The call of which the lenses' numbers are furthest apart."""
    spans = []
    for group in grouped(rows, lambda row: (row.mpi, *map(str, row.case.values()))):
        ordered = sorted(group, key=lambda row: row.headline_s or 0.0)
        low, high = ordered[0].headline_s, ordered[-1].headline_s
        if len(group) > 1 and low and high:
            spans.append((high / low, ordered[0], ordered[-1]))
    if not spans:
        return ""
    factor, least, most = max(spans, key=lambda span: span[0])
    return (
        f"One {_call(least)} of {least.mpi} is {format_duration(least.headline_s or 0.0)} by {least.lens} and "
        f"{format_duration(most.headline_s or 0.0)} by {most.lens}: a factor of {factor:.2g}."
    )


def _dissent(rows: Sequence[LensRow]) -> str:
    """`MPI_Bcast, 8 B: by the makespan mpich is ahead; by osu and imb openmpi.`; empty where all agree."""
    by_library = {row.mpi: row.reference_s for row in rows if row.reference_s is not None}
    if len(by_library) < 2:
        return ""
    first = min(by_library, key=lambda label: by_library[label] or 0.0)
    others: dict[str, list[str]] = {}
    for group in grouped(rows, lambda row: row.lens):
        ahead = min(group, key=lambda row: row.headline_s or 0.0)
        if len(group) == len(by_library) and ahead.mpi != first:
            others.setdefault(ahead.mpi, []).append(group[0].lens)
    if not others:
        return ""
    told = "; ".join(f"by {_listed(lenses)} {label}" for label, lenses in others.items())
    reference = rows[0].reference.replace("_", " ")
    return f"{_call(rows[0])}: by the {reference} {first} is ahead in the median; {told}."


def _call(row: LensRow) -> str:
    size = f" of {format_size(int(row.case['size_bytes']))}" if row.case["moved_bytes"] else ""
    return f"{operation_title(row.case)}{size}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
