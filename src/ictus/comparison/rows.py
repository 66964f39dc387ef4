"""The rows that commands, pages and scripts share: a case of a library, and a case compared. Plain values, no
frames.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ictus.comparison.clock_mark import near_clock_bound
from ictus.model.case import FACTORS
from ictus.model.environment import ENVIRONMENT
from ictus.model.errors import IctusError
from ictus.model.quantity import format_size
from ictus.model.registries import Member, Registries, operation_text
from ictus.stats.compare import Comparison
from ictus.stats.stars import stars
from ictus.stats.verdict import VerdictKind

T = TypeVar("T")

Case = Mapping[str, Any]
"""The factors of a case by name, as in campaign.json, without its id."""

DERIVED = ("block_bytes", "moved_bytes", "cache_bytes")
"""Factors that follow from the others; kept in rows, not used to tell cases apart."""

ALGORITHM = "algorithm"
"""A factor of launches: which of the library's own algorithms were forced (model/algorithm.py)."""

IDENTITY = (*(factor for factor in FACTORS if factor not in DERIVED), ALGORITHM)
"""What tells cases of one library apart: the factors of a case, and those of its launch."""
SPECS = ("operation", "procsync", "scheme", "repetition", "cache", "counts", "layout", "comm", "clock", "clocksync")
"""Factors that are members of a family, spelled in full in a case and briefly in a table."""


@dataclass(frozen=True)
class CaseRow:
    """One case of one library over all its launches. Times in seconds, None where no sample was valid."""

    mpi: str
    case: Case
    n_launches: int
    """Launches with a valid sample of this case."""
    median_s: float | None
    """Median of the launch medians."""
    low_s: float | None
    """Limits of the median's interval over launches; None where there are too few."""
    high_s: float | None
    min_s: float | None
    """Smallest and largest launch median."""
    max_s: float | None
    attempted: int
    """Samples taken, valid or not, in all launches."""
    valid: int
    late: int
    """Samples for which a rank came to the start after the deadline."""
    long: int
    """Samples that outlasted their window; one may be late and long."""
    rejected: int
    """Samples of batches that the start's own rule took again; they say nothing of the batch it accepted."""
    outlier_share: float | None
    """Share of the valid samples outside Tukey's fences."""
    start_skew_s: float | None
    """Median over launches of the median start skew."""
    clock_bound_s: float | None
    """Largest proven error of the global clock."""
    headline: str
    """What the latency is: `makespan`, or `local_max` where clocks are not synchronised."""

    @property
    def valid_share(self) -> float | None:
        """Of the samples taken; None where none was."""
        return self.valid / self.attempted if self.attempted else None

    @property
    def near_clock_bound(self) -> bool:
        """Whether the median is marked: less than ten times the proven error of the clocks."""
        return near_clock_bound(self.median_s, self.clock_bound_s)

    def flat(self) -> dict[str, Any]:
        """The row for scripts."""
        values = {name: value for name, value in vars(self).items() if name not in ("mpi", "case")}
        derived = {"valid_share": self.valid_share, "near_clock_bound": self.near_clock_bound}
        return {"mpi": self.mpi, "case": dict(self.case), **values, **derived}


@dataclass(frozen=True)
class ComparisonRow:
    """One case on both sides. `case` holds all factors but the compared one; `result` has the numbers, times in
    seconds.
    """

    case: Case
    a: str
    b: str
    result: Comparison
    clock_bound_a_s: float | None = None
    """Largest proven error of the global clock on each side, seconds; None where there is none."""
    clock_bound_b_s: float | None = None

    @property
    def near_clock_bound_a(self) -> bool:
        """Whether the median of A is marked, as in `CaseRow`."""
        return near_clock_bound(self.result.median_a, self.clock_bound_a_s)

    @property
    def near_clock_bound_b(self) -> bool:
        """The same of B."""
        return near_clock_bound(self.result.median_b, self.clock_bound_b_s)

    @property
    def outcome(self) -> str:
        """A relative to B, a `VerdictKind`: `faster`, `slower`, `distributions-differ`, `same` and so on."""
        return self.result.verdict.kind.value

    @property
    def ratio(self) -> float:
        """A/B, NaN where there is none."""
        return float("nan") if self.result.ratio is None else self.result.ratio

    def p_value(self, alternative: str) -> float | None:
        """The unadjusted p-value of that alternative."""
        return {"less": self.result.p_less, "greater": self.result.p_greater}.get(alternative, self.result.p_value)

    def flat(self, alternative: str = "two-sided") -> dict[str, Any]:
        """The row for scripts; `p_value` and `stars` are those of the alternative, `p_adjusted` and `verdict`
        always two-sided.
        """
        result, p_value = self.result, self.p_value(alternative)
        return {
            "case": dict(self.case),
            "a": self.a,
            "b": self.b,
            "n_a": result.n_a,
            "n_b": result.n_b,
            "median_a_s": result.median_a,
            "median_b_s": result.median_b,
            "ratio": result.ratio,
            "ratio_low": result.ratio_low,
            "ratio_high": result.ratio_high,
            "p_value": p_value,
            "p_less": result.p_less,
            "p_greater": result.p_greater,
            "p_adjusted": result.p_adjusted,
            "stars": stars(p_value),
            "verdict": self.outcome,
            "verdict_text": result.verdict.text,
            "more_launches": result.verdict.more_launches,
            "clock_bound_a_s": self.clock_bound_a_s,
            "clock_bound_b_s": self.clock_bound_b_s,
            "near_clock_bound_a": self.near_clock_bound_a,
            "near_clock_bound_b": self.near_clock_bound_b,
            "remarks": list(result.remarks),
        }


@dataclass(frozen=True)
class Counts:
    """How many cases there are of each verdict."""

    faster: int
    slower: int
    same: int
    open: int
    """`undecided` and `cannot decide` together: more launches would tell."""
    not_comparable: int
    cannot_decide: int = 0
    """Those of `open` that so few launches can never decide."""
    distributions: int = 0
    """Proven to differ, and not which is faster."""

    @property
    def total(self) -> int:
        """All cases."""
        return self.faster + self.slower + self.distributions + self.same + self.open + self.not_comparable


OPEN = (VerdictKind.UNDECIDED.value, VerdictKind.CANNOT_DECIDE.value)


def count(rows: Iterable[ComparisonRow]) -> Counts:
    """Verdicts counted."""
    outcomes = [row.outcome for row in rows]
    open_cases = sum(outcome in OPEN for outcome in outcomes)
    faster, slower, same = (outcomes.count(kind) for kind in ("faster", "slower", "same"))
    cannot = outcomes.count(VerdictKind.CANNOT_DECIDE.value)
    distributions = outcomes.count(VerdictKind.DISTRIBUTIONS.value)
    return Counts(faster, slower, same, open_cases, outcomes.count("not-comparable"), cannot, distributions)


def compared(rows: Sequence[ComparisonRow]) -> str:
    """What was judged: `8 cases` of one pair; of several `3 pairs in 1 case`, every pair in every case counted."""
    pairs, cases = {(row.a, row.b) for row in rows}, {tuple(row.case.items()) for row in rows}
    if len(pairs) < 2:
        return "1 case" if len(rows) == 1 else f"{len(rows)} cases"
    return f"{len(rows)} pairs in {len(cases)} case{'' if len(cases) == 1 else 's'}"


def side_names(rows: Sequence[ComparisonRow]) -> tuple[str, str]:
    """What a table calls its two sides: the one pair; of several pairs from two folders the folders; else a, b."""
    pairs = list(dict.fromkeys((row.a, row.b) for row in rows))
    if len(pairs) == 1:
        return pairs[0]
    folders = [{name.rpartition(":")[0] for name in side} for side in zip(*pairs, strict=True)]
    if len(folders) == 2 and all(len(names) == 1 and "" not in names for names in folders):
        return folders[0].pop(), folders[1].pop()
    return "a", "b"


def varying(cases: Sequence[Case]) -> tuple[str, ...]:
    """Factors, other than operation and size, that take more than one value among the cases, in the order of the
    factors.
    """
    names = ("mpi", *IDENTITY)
    return tuple(
        name
        for name in names
        if name not in ("operation", "size_bytes", "n") and len({case.get(name) for case in cases}) > 1
    )


def grouped(rows: Iterable[T], key: Callable[[T], object]) -> list[list[T]]:
    """The rows in groups of equal key: groups in the order in which they first appear, rows in theirs."""
    groups: dict[object, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())


def group_key(case: Case, names: Sequence[str]) -> tuple[object, ...]:
    """What the rows of one block of a table share: everything but the size."""
    return (case.get("operation"), case.get("n"), *(case.get(name) for name in names))


def group_detail(case: Case, names: Sequence[str]) -> str:
    """The second part of a block's title: `2 processes, procsync barrier`. Of a factor that has no meaning for the
    operation nothing is said.
    """
    known = [f"{case['n']} process" + ("es" if case["n"] != 1 else "")] if "n" in case else []
    return ", ".join([*known, *(_named(name, case) for name in names if _applies(name, case))])


def _applies(factor: str, case: Case) -> bool:
    if factor not in _TOLD_BY:
        return True
    try:
        return _TOLD_BY[factor](Registries.load().operation(str(case.get("operation"))))
    except IctusError:  # a folder written by a later version may name what is unknown here
        return True


_TOLD_BY: Mapping[str, Callable[[Member], bool]] = {
    "root": lambda operation: operation.rooted,
    "in_place": lambda operation: operation.in_place,
    "counts": lambda operation: operation.varied,
    "layout": lambda operation: operation.volume != "none",
}
"""Factors that say something of some operations only: of which."""


def _named(factor: str, case: Case) -> str:
    """`library mpich`, `procsync window`, `env.UCX_TLS=sm`."""
    value = case.get(factor)
    if factor == ALGORITHM and str(value).startswith(ENVIRONMENT):
        return str(value)  # nothing is forced: the setting of the environment says what it is
    return f"{_WORDS.get(factor, factor)} {label_of(factor, value, case.get('cache_bytes'))}"


_WORDS = {"mpi": "library", "in_place": "in place"}


def operation_title(case: Case) -> str:
    """`MPI_Bcast` where MPI's name says all; of an operation with parameters, or of several calls, ours with what tells
    it from others: `put(passive)`, `sendrecv_ring`. Where operations are what is compared, a case has none.
    """
    registries, text = Registries.load(), str(case.get("operation", "operations"))
    try:
        short, name = registries.short("operation", text), registries.operation(text).mpi_name
    except IctusError:  # there is none, or a folder written by a later version may name what is unknown here
        return text
    return name if operation_text(name) == short else short


def brief(factor: str, value: object) -> str:
    """A factor's value as short as can be: arguments that only repeat a default are left out, but for the barrier."""
    if factor not in SPECS:
        return str(value)
    registries = Registries.load()
    try:
        if factor == "procsync":
            return registries.short(factor, str(value))
        return str(registries.brief(factor, str(value)))
    except IctusError:
        return str(value)


def label_of(factor: str, value: object, cache_bytes: int | None) -> str:
    """The same of what was measured: of a cache mode with the size that was in force, `cold-memset(512 KiB)`."""
    text = brief(factor, value)
    return f"{text.partition('(')[0]}({format_size(cache_bytes)})" if factor == "cache" and cache_bytes else text
