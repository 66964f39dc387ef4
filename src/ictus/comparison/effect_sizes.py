"""How large the differences are, and at which sizes: one sentence for each operation, made of the cases' intervals.

Adjacent sizes of one verdict join. The factor of a stretch of sizes reaches from the lowest lower limit of their
intervals to the highest upper limit, rounded outwards: the interval of each size lies within what is said of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log

from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, size_title, varying
from ictus.comparison.rows import ComparisonRow, count
from ictus.comparison.verdict_texts import verdict_text
from ictus.model.quantity import percent
from ictus.stats.verdict import VerdictKind

_UNPROVEN = {
    VerdictKind.DISTRIBUTIONS.value: "different in distribution",
    VerdictKind.SAME.value: "",
    VerdictKind.UNDECIDED.value: "undecided",
    VerdictKind.CANNOT_DECIDE.value: "too few launches to decide",
    VerdictKind.NOT_COMPARABLE.value: "not comparable",
    VerdictKind.MISSING.value: "",
}
"""Verdicts without a faster side, in the order in which they are said; two have words of their own."""
_BOUNDED = (VerdictKind.DISTRIBUTIONS.value, VerdictKind.UNDECIDED.value, VerdictKind.CANNOT_DECIDE.value)
_MOST_STRETCHES = 2
"""Stretches of one winner that have factors of their own; more of them share one."""


@dataclass(frozen=True)
class Effect:
    """What is known of one operation, with one value of every other factor."""

    title: str
    text: str

    @property
    def sentence(self) -> str:
        """`MPI_Bcast: openmpi 1.5 to 1.9 times faster up to 256 B; the rest undecided (at most 15 % apart).`"""
        return f"{self.title}: {self.text}." if self.title else f"{self.text}."


def effects(rows: Sequence[ComparisonRow], *, named: bool = False) -> tuple[Effect, ...]:
    """The effects of one pair, those with the largest proven factors first; `named` puts the pair's names in front.

    Nothing of a single case, which has a sentence of its own, where nothing is known or could be proven, and where all
    cases are alike and no size would be said.
    """
    counts = count(rows)
    if counts.apart or counts.total in (1, counts.unknown, counts.same):
        return ()
    if counts.total == counts.cannot_decide and not at_most_apart(rows):
        return ()
    names = varying([row.case for row in rows])
    blocks = grouped(rows, lambda row: group_key(row.case, names))
    several_n = len({row.case.get("n") for row in rows}) > 1
    blocks.sort(key=lambda block: -_proven(block))
    return tuple(Effect(_title(block[0], names, several_n, named), _text(block)) for block in blocks)


def faster_by(rows: Sequence[ComparisonRow]) -> str:
    """`1.5 to 1.9 times faster`: what the intervals of these rows, all of one winner, allow."""
    limits = [_factors(row) for row in rows]
    intervals = [pair for pair in limits if pair is not None]
    if len(intervals) < len(limits) or max(high for _, high in intervals) <= 1:
        return "faster (by how much is not known)"
    low, high = _down(min(low for low, _ in intervals)), _up(max(high for _, high in intervals))
    if low <= 1:
        return f"up to {_number(high)} times faster"
    return f"{_number(low)}{'' if low == high else f' to {_number(high)}'} times faster"


def at_most_apart(rows: Sequence[ComparisonRow]) -> str:
    """`at most 15 % apart`: the larger side of every interval; empty where one is not known."""
    most = 1.0
    for row in rows:
        low, high = row.result.ratio_low, row.result.ratio_high
        if low is None or high is None:
            return ""
        most = max(most, high, 1 / low)
    if most >= 2:
        return f"at most {_number(_up(most))} times apart"
    # Of a number that is a whole per cent but for the last bit, not one more.
    share = ceil(round(100 * (most - 1), 6)) if most >= 1.01 else ceil(round(1000 * (most - 1), 6)) / 10
    return f"at most {share:g} % apart"


def _title(row: ComparisonRow, names: Sequence[str], several_n: bool, named: bool) -> str:
    case = row.case if several_n else {name: value for name, value in row.case.items() if name != "n"}
    operation = operation_title(case) if "operation" in case else ""
    return ", ".join(filter(None, (f"{row.a} / {row.b}" if named else "", operation, group_detail(case, names))))


def _text(block: Sequence[ComparisonRow]) -> str:
    """The parts of an operation: the winners, the most proven first, then what nobody has won."""
    ordered = sorted(block, key=lambda row: int(row.case.get("size_bytes", 0)))
    stretches = _stretches(ordered)
    sizes = [size_title(row.case) for row in ordered]
    won = sorted(_winners(stretches), key=lambda part: -_proven(row for run in part for row in run))
    open_parts = [
        part for kind in _UNPROVEN for part in grouped(stretches, _verdict_words) if part[0][0].outcome == kind
    ]
    parts = [*won, *open_parts]
    told = []
    for part in parts:
        is_rest = len(parts) > 1 and part is parts[-1] and len(part) > 1
        sizes_text = "" if is_rest or len(ordered) == 1 else f" {_places(part, ordered, sizes)}"
        words, bound = _verdict_words(part[0]), _bound([row for run in part for row in run])
        told.append(f"{'the rest ' if is_rest else ''}{words or _won(part)}{sizes_text}{bound}")
    return "; ".join(told)


def _stretches(ordered: Sequence[ComparisonRow]) -> list[list[ComparisonRow]]:
    """Adjacent sizes of which the same is said."""
    runs: list[list[ComparisonRow]] = []
    for row in ordered:
        if runs and _alike(runs[-1][-1]) == _alike(row):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _alike(row: ComparisonRow) -> tuple[object, ...]:
    return (row.outcome, _verdict_words([row]), row.winner is not None and _factors(row) is None, _by_mode(row))


def _winners(stretches: Sequence[list[ComparisonRow]]) -> Iterator[list[list[ComparisonRow]]]:
    """Stretches with a winner, each by itself; of one that won many, those of one kind together."""
    for same in grouped((run for run in stretches if run[0].winner is not None), lambda run: _alike(run[0])):
        yield from ([run] for run in same) if len(same) <= _MOST_STRETCHES else (same,)


def _verdict_words(run: Sequence[ComparisonRow]) -> str:
    """The words of a verdict that nobody has won; empty for a winner's."""
    row = run[0]
    if row.winner is not None:
        return ""
    if row.missing:
        return verdict_text(row)
    if row.outcome == VerdictKind.SAME.value:
        return f"the same within {percent(row.result.verdict.within or 0)}"
    return _UNPROVEN[row.outcome]


def _won(part: Sequence[Sequence[ComparisonRow]]) -> str:
    rows = [row for run in part for row in run]
    by_mode = ", differing by mode of the machine," if _by_mode(rows[0]) else ""
    return f"{rows[0].winner} {faster_by(rows)}{by_mode}"


def _by_mode(row: ComparisonRow) -> bool:
    return row.winner is not None and bool(row.result.by_stratum)


def _bound(rows: Sequence[ComparisonRow]) -> str:
    bound = at_most_apart(rows) if rows[0].outcome in _BOUNDED else ""
    return f" ({bound})" if bound else ""


def _places(part: Sequence[Sequence[ComparisonRow]], ordered: Sequence[ComparisonRow], sizes: Sequence[str]) -> str:
    """`up to 256 B`, `at 1 KiB and from 4 KiB on`, `at all sizes`."""
    told = []
    for run in part:
        first = next(at for at, row in enumerate(ordered) if row is run[0])
        last = first + len(run) - 1
        if len(run) == len(ordered):
            told.append("at all sizes")
        elif first == last:
            told.append(f"at {sizes[first]}")
        elif first == 0:
            told.append(f"up to {sizes[last]}")
        elif last == len(ordered) - 1:
            told.append(f"from {sizes[first]} on")
        else:
            told.append(f"from {sizes[first]} to {sizes[last]}")
    return " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))


def _factors(row: ComparisonRow) -> tuple[float, float] | None:
    """The limits of how many times faster the winner is."""
    low, high = row.result.ratio_low, row.result.ratio_high
    if low is None or high is None:
        return None
    return (1 / high, 1 / low) if row.winner == row.a else (low, high)


def _proven(rows: Iterable[ComparisonRow]) -> float:
    """What matters first: the logarithms of the factors that are proven at least, summed over sizes."""
    factors = (_factors(row) for row in rows if row.winner is not None)
    return sum(max(0.0, log(pair[0])) for pair in factors if pair is not None)


def _decimals(factor: float) -> int:
    return 2 if factor < 1.1 else 1 if factor < 10 else 0


def _down(factor: float) -> float:
    unit = 10.0 ** _decimals(factor)
    return floor(factor * unit) / unit


def _up(factor: float) -> float:
    unit = 10.0 ** _decimals(factor)
    return ceil(factor * unit) / unit


def _number(factor: float) -> str:
    return f"{factor:,.{_decimals(factor)}f}"
