"""What the start does to latencies, in sentences."""

from collections.abc import Iterator, Sequence
from statistics import median

from ictus.model.quantity import format_duration, format_size
from ictus.stats.verdict import percent
from ictus.studies.barrier_impact.analysis import Impact
from ictus.studies.barrier_impact.tables import changing, heading
from ictus.studies.barrier_impact.winners import HOLDS, Contest


def method(rows: Sequence[Impact], norm: str, reference: str, adjust: str, level: float) -> str:
    """How to read the matrix of the terminal, which has the stars of the tests and a column of skews."""
    return f"{divided(norm)} Stars: differs from {reference} ({tested(rows, adjust, level)}). Skew: mean start skew."


def divided(norm: str) -> str:
    """What the numbers of the matrix are."""
    by = "the smallest of its column" if norm == "smallest" else f"that of {norm}"
    return f"Medians over launches, divided by {by}."


def tested(rows: Sequence[Impact], adjust: str, level: float) -> str:
    """How it was tested what differs from the reference."""
    adjusted = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no"}[adjust]
    tests = sum(row.against is not None for row in rows)
    return f"signed-rank within launches, {adjusted} adjustment over {tests} tests, level {percent(level)}"


def spread_sentence(rows: Sequence[Impact], reference: str) -> str:
    """By how much the start alone moves a latency, and where most."""
    known = [row for row in rows if row.against is not None and row.against.ratio is not None]
    proven = [row for row in known if row.against and row.against.verdict.kind.value in ("faster", "slower")]
    if not known:
        return "Nothing could be compared: no process synchronisation has a valid sample beside the reference."
    share = f"{len(proven)} of {len(known)}"
    stuck = max((row.against.verdict.needed or 0 for row in known if row.against), default=0)
    if not proven and stuck:
        launches = max(sum(median is not None for _, median in row.medians_s) for row in known)
        return f"{launches} launches can never decide {len(known)} cells; at least {stuck} are needed."
    if not proven:
        return f"No process synchronisation is proven to differ from {reference} ({share} cells)."
    most = max(proven, key=_distance)
    title, detail = heading(most.target)
    return (
        f"Against {reference}, {share} cells differ; most {title} of {format_size(most.target.size_bytes)} ({detail}) "
        f"with {most.label}: {ratio(most):.2f} times the latency."
    )


def ratio(row: Impact) -> float:
    """Latency relative to the reference's, 1 for the reference."""
    return 1.0 if row.against is None or row.against.ratio is None else row.against.ratio


def _distance(row: Impact) -> float:
    """How far a ratio is from 1, in either direction."""
    value = ratio(row)
    return max(value, 1 / value)


def winner_sentences(found: Sequence[Contest]) -> Iterator[str]:
    """Whether the winner changes, where, and what the starts have to do with it."""
    if not found:
        return
    changes = changing(found)
    held = sum(contest.outcome == HOLDS for contest in found)
    rest = len(found) - len(changes) - held
    a, b = found[0].a.mpi, found[0].b.mpi
    several = len({(contest.a.mpi, contest.b.mpi) for contest in found}) > 1
    who = "two libraries" if several else f"{a} and {b}"
    counts = f"the same library wins under every start in {held}, {rest} {'is' if rest == 1 else 'are'} undecided"
    if not changes:
        yield f"No cell is proven in which the winner between {who} changes with the start: of {len(found)}, {counts}."
        return
    yield f"The winner between {who} changes with the start alone in {len(changes)} of {len(found)} cells; {counts}."
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
