"""The matrix of process synchronisations, the cells in which the winner changes, and sentences on both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from ictus.comparison.case_titles import grouped, operation_title
from ictus.comparison.verdict_texts import interval_text, p_text, ratio_text
from ictus.model.quantity import format_duration, format_size, percent
from ictus.render.table import NONE, Block, Cell, Column, Table, row_columns
from ictus.render.unit import time_unit
from ictus.stats.verdict import stars
from ictus.studies.barrier_impact.analysis import Impact, ImpactTarget
from ictus.studies.barrier_impact.winners import CHANGES, HOLDS, Contest, Duel

COLUMNS = row_columns(
    """
    procsync launches=n_launches median_s low_s high_s normalised start_skew_s valid_share against.ratio
    against.ratio_low against.ratio_high against.p_value against.p_adjusted verdict=against.verdict.kind target.*
    """,
    "ictus.barriers.impact/1",
)
CONTEST_COLUMNS = row_columns("""
    a=a.mpi b=b.mpi a.algorithm a.operation a.n a.size_bytes outcome duels duels.procsync=a.procsync duels.winner=winner
    duels.ratio=result.ratio duels.ratio_low=result.ratio_low duels.ratio_high=result.ratio_high
    duels.p_value=result.p_value duels.p_adjusted=result.p_adjusted duels.verdict=result.verdict.kind
    duels.start_skew_a_s=a.start_skew_s duels.start_skew_b_s=b.start_skew_s
""")


@dataclass(frozen=True)
class MatrixRow:
    """One process synchronisation of a library, variant, operation and number of processes, over all sizes."""

    name: Cell
    cells: Mapping[int, Cell]
    """By size, bytes."""
    skew: str


def matrix_tables(rows: Sequence[Impact], norm: str, reference: str) -> list[Table[MatrixRow]]:
    """A table for each library, variant, operation and number of processes: process synchronisations below each other,
    sizes beside each other. `norm` and `reference` are labels.
    """
    tables = []
    column = Column[MatrixRow]
    for block in grouped(rows, _block_of):
        sizes = list(dict.fromkeys(row.target.size_bytes for row in block))
        columns = (
            column("procsync", "start", lambda row: row.name, "left"),
            *(
                column("normalised", format_size(size), partial(_at, size=size), "point", index)
                for index, size in zip(_importance(sizes), sizes, strict=True)
            ),
            column("start_skew_s", "skew", lambda row: row.skew, importance=1),
        )
        unit = time_unit([row.median_s for row in block])
        bases = {size: Cell(unit.number(_base(block, size)), "dim") for size in sizes}
        base = MatrixRow(Cell(f"{norm}, {unit.name}", "dim"), bases, "")
        body = [_matrix_row(impacts, reference) for impacts in grouped(block, lambda row: row.procsync)]
        tables.append(Table(columns, [Block(*heading(block[0].target), [base, *body])]))
    return tables


def _at(row: MatrixRow, size: int) -> Cell:
    return row.cells.get(size, Cell("NA", "dim"))


def heading(target: ImpactTarget) -> tuple[str, str]:
    """Title and detail of what one target belongs to."""
    forced = "" if target.algorithm == "default" else f", {target.algorithm}"
    processes = f"{target.n} process{'' if target.n == 1 else 'es'}"
    return operation_title({"operation": target.operation}), f"{target.mpi}, {processes}{forced}"


def _block_of(row: Impact) -> tuple[object, ...]:
    target = row.target
    return (target.mpi, target.algorithm, target.operation, target.n, target.factors)


def _importance(sizes: Sequence[int]) -> list[int]:
    """With many sizes every other column is dropped first, then the rest except the ends."""
    last = len(sizes) - 1
    return [0 if index in (0, last) else 3 if index % 2 else 2 for index in range(len(sizes))]


def _base(rows: Sequence[Impact], size: int) -> float | None:
    """The divisor of a column's medians."""
    impacts = (row for row in rows if row.target.size_bytes == size and row.median_s and row.normalised)
    impact = next(impacts, None)
    return (
        None
        if impact is None or impact.median_s is None or impact.normalised is None
        else impact.median_s / impact.normalised
    )


def _matrix_row(impacts: Sequence[Impact], reference: str) -> MatrixRow:
    """One process synchronisation over all sizes; stars where it is proven to differ from the reference."""
    skews = [row.start_skew_s for row in impacts if row.start_skew_s is not None]
    name = impacts[0].label
    return MatrixRow(
        Cell(name, "bold" if name == reference else ""),
        {row.target.size_bytes: _cell(row) for row in impacts},
        format_duration(median(skews)) if skews else NONE,
    )


def _cell(row: Impact) -> Cell:
    if row.normalised is None:
        return Cell("NA", "dim")
    proven = row.against is not None and row.against.verdict.kind.value in ("faster", "slower")
    marks = stars(row.against.p_adjusted) if proven and row.against is not None else ""
    return Cell(f"{ratio_text(row.normalised)[:5]}{marks}", "bold" if row.normalised == 1 else "")


def contest_table(contests: Sequence[Contest]) -> Table[Duel]:
    """Both libraries under each process synchronisation that decides, and their skews."""
    blocks = []
    for contest in contests:
        title, _ = heading(contest.a)
        forced = "" if contest.a.algorithm == "default" else f", {contest.a.algorithm}"
        detail = f"{contest.a.mpi} / {contest.b.mpi}, {contest.a.n} processes{forced}: {contest.outcome}"
        blocks.append(Block(f"{title}, {format_size(contest.a.size_bytes)}", detail, contest.duels))
    return Table(_DUEL_COLUMNS, blocks)


def _skew(row: Impact) -> str:
    return NONE if row.start_skew_s is None else format_duration(row.start_skew_s)


_duel = Column[Duel]
_DUEL_COLUMNS = (
    _duel("procsync", "start", lambda duel: duel.a.label, "left"),
    _duel("ratio", "ratio", lambda row: Cell(ratio_text(row.result.ratio), "bold" if row.winner else ""), "point"),
    _duel("ratio_low", "interval", lambda row: interval_text(row.result.ratio_low, row.result.ratio_high), "range", 1),
    _duel("p_adjusted", "adjusted p", lambda row: p_text(row.result.p_adjusted), "point", 2),
    _duel("winner", "faster", lambda row: Cell(row.winner or "undecided", "" if row.winner else "dim"), "left"),
    _duel("start_skew_a_s", "skew A", lambda row: _skew(row.a)),
    _duel("start_skew_b_s", "skew B", lambda row: _skew(row.b)),
)


def changing(contests: Sequence[Contest]) -> tuple[Contest, ...]:
    """Those in which the winner changes."""
    return tuple(contest for contest in contests if contest.outcome == CHANGES)


def method(rows: Sequence[Impact], norm: str, reference: str, adjust: str, level: float) -> str:
    """How to read the matrix of the terminal, which has the stars of the tests and a column of skews."""
    return f"{divided(norm)} Stars: differs from {reference} ({tested(rows, adjust, level)}). Skew: mean start skew."


def divided(norm: str) -> str:
    """The meaning of the matrix's numbers."""
    by = "the smallest of its column" if norm == "smallest" else f"that of {norm}"
    return f"Medians over launches, divided by {by}."


def tested(rows: Sequence[Impact], adjust: str, level: float) -> str:
    """How it was tested what differs from the reference."""
    adjusted = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no"}[adjust]
    tests = sum(row.against is not None for row in rows)
    return f"signed-rank within launches, {adjusted} adjustment over {tests} tests, level {percent(level)}"


def spread_sentence(rows: Sequence[Impact], reference: str) -> str:
    """By how much the start alone moves a latency, and where most."""
    with_ratio = [row for row in rows if row.against is not None and row.against.ratio is not None]
    proven = [row for row in with_ratio if row.against and row.against.verdict.kind.value in ("faster", "slower")]
    if not with_ratio:
        return "Nothing could be compared: no process synchronisation has a valid sample beside the reference."
    share = f"{len(proven)} of {len(with_ratio)}"
    stuck = max((row.against.verdict.needed or 0 for row in with_ratio if row.against), default=0)
    if not proven and stuck:
        launches = max(sum(median is not None for _, median in row.medians_s) for row in with_ratio)
        return (
            f"Nothing is proven yet: {launches} launches are too few to tell any of {len(with_ratio)} cases from "
            f"{reference}; {stuck} can."
        )
    if not proven:
        return f"No process synchronisation is proven to differ from {reference} ({share} cases)."
    most = max(proven, key=_distance)
    title, detail = heading(most.target)
    return (
        f"Against {reference}, {share} cases differ; most {title} of {format_size(most.target.size_bytes)} ({detail}) "
        f"with {most.label}: {ratio(most):.2f} times the latency."
    )


def ratio(row: Impact) -> float:
    """Latency relative to the reference's, 1 for the reference."""
    return 1.0 if row.against is None or row.against.ratio is None else row.against.ratio


def _distance(row: Impact) -> float:
    """How far a ratio is from 1, in either direction."""
    value = ratio(row)
    return max(value, 1 / value)


def winner_sentences(contests: Sequence[Contest]) -> Iterator[str]:
    """Whether the winner changes, where, and what the starts have to do with it."""
    if not contests:
        return
    changes = changing(contests)
    held = sum(contest.outcome == HOLDS for contest in contests)
    unclear = len(contests) - len(changes) - held
    a, b = contests[0].a.mpi, contests[0].b.mpi
    several = len({(contest.a.mpi, contest.b.mpi) for contest in contests}) > 1
    who = "two libraries" if several else f"{a} and {b}"
    counts = f"the same library wins under every start in {held}, {unclear} {'is' if unclear == 1 else 'are'} undecided"
    if not changes:
        yield (
            f"No case is proven in which the winner between {who} changes with the start: of {len(contests)}, {counts}."
        )
        return
    yield f"The winner between {who} changes with the start alone in {len(changes)} of {len(contests)} cases; {counts}."
    yield from (_change(contest) for contest in changes)


def _change(contest: Contest) -> str:
    """`MPI_Bcast of 8 B: mpich wins with window, ... (starts 20 ns apart), openmpi with ... (starts 300 ns apart).`"""
    title, _ = heading(contest.a)
    parts = []
    for mpi in contest.winners:
        won = contest.won_by(mpi)
        skews = [row.start_skew_s for duel in won for row in (duel.a, duel.b) if row.start_skew_s is not None]
        apart = f" (ranks start {format_duration(median(skews))} apart)" if skews else ""
        parts.append(f"{mpi} wins with {', '.join(duel.a.label for duel in won)}{apart}")
    forced = "" if contest.a.algorithm == "default" else f", {contest.a.algorithm}"
    return f"{title} of {format_size(contest.a.size_bytes)}, {contest.a.n} processes{forced}: {'; '.join(parts)}."
