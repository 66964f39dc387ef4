"""The rows that commands, pages and scripts share: a library's case over its launches, and a compared case."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ictus.comparison.case_titles import Case
from ictus.comparison.clock_bounds import near_clock_bound
from ictus.comparison.matching import GLOBAL
from ictus.render.table import row_columns
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import VerdictKind, stars

T = TypeVar("T")


@dataclass(frozen=True)
class ComparisonRow:
    """One case on both sides. `case` holds all factors but the compared one; `result` has the numbers, times in
    seconds.
    """

    case: Case
    a: str
    b: str
    result: CaseComparison
    clock_bound_a_s: float | None = None
    """Largest proven error of the global clock on each side, seconds; None where there is none."""
    clock_bound_b_s: float | None = None
    metric: str = GLOBAL
    """What the latency is on both sides; `makespan against max` where they differ."""
    summary: str = "median"
    """What each launch's number is over its samples."""
    heap_matters_a: bool = False
    """Whether page faults of a call depend on the heap, on each side."""
    heap_matters_b: bool = False
    named: str = ""
    """What the names of the sides begin with for people, such as `heap=`; scripts get the bare values."""
    look_launches: int | None = None
    """Launches of each side at the look that the numbers are of; None where the number of launches is fixed."""

    @property
    def value_a(self) -> str:
        """The bare name of side A, for scripts."""
        return self.a.removeprefix(self.named)

    @property
    def value_b(self) -> str:
        """The same of side B."""
        return self.b.removeprefix(self.named)

    @property
    def near_clock_bound_a(self) -> bool:
        """Whether the median of A is marked, as in `CaseRow`."""
        return near_clock_bound(self.result.median_a, self.clock_bound_a_s)

    @property
    def near_clock_bound_b(self) -> bool:
        """The same for B."""
        return near_clock_bound(self.result.median_b, self.clock_bound_b_s)

    @property
    def outcome(self) -> str:
        """A relative to B, a `VerdictKind`: `faster`, `slower`, `distributions-differ`, `same` and so on."""
        return self.result.verdict.kind.value

    @property
    def missing(self) -> bool:
        """Whether a side lacks the case."""
        return self.result.verdict.kind is VerdictKind.MISSING

    @property
    def winner(self) -> str | None:
        """The side that is proven faster."""
        return {VerdictKind.FASTER.value: self.a, VerdictKind.SLOWER.value: self.b}.get(self.outcome)

    @property
    def usual_ratio(self) -> float | None:
        """Of two campaigns apart: the usual ratio of two campaigns without a change, where it is known."""
        return self.result.usual_ratio

    @property
    def beyond_usual(self) -> bool | None:
        """Whether the ratio lies beyond it; None where it is not known."""
        usual_ratio, ratio = self.result.usual_ratio, self.result.ratio
        return None if usual_ratio is None or ratio is None else max(ratio, 1 / ratio) > usual_ratio

    @property
    def stars(self) -> str:
        """The mark of the adjusted p-value, of a case that differs: beside an open one it would say the contrary."""
        differs = self.winner is not None or self.outcome == VerdictKind.DISTRIBUTIONS.value
        return stars(self.result.p_adjusted) if differs else ""

    @property
    def ratio(self) -> float:
        """A/B, NaN where there is none."""
        return float("nan") if self.result.ratio is None else self.result.ratio

    def p_value(self, alternative: str) -> float | None:
        """The unadjusted p-value of that alternative."""
        return {"less": self.result.p_less, "greater": self.result.p_greater}.get(alternative, self.result.p_value)


COMPARISON_COLUMNS = row_columns(
    """
    a=value_a b=value_b result.n_a result.n_b result.unit median_a_s=result.median_a median_b_s=result.median_b
    result.ratio result.ratio_low result.ratio_high result.p_value result.p_less result.p_greater result.p_adjusted
    verdict=outcome verdict_text=result.verdict.text result.verdict.more_launches result.p_valid result.n_strata
    by_mode=result.by_stratum by_mode.verdict=kind result.remarks
    """,
    "ictus.compare/1",
)


def comparison_record(row: ComparisonRow, alternative: str = "two-sided") -> dict[str, Any]:
    """The row for scripts; `p_value` is that of the alternative, `p_adjusted`, `stars` and `verdict` are always
    two-sided and adjusted.
    """
    return {**COMPARISON_COLUMNS.record(row), "p_value": row.p_value(alternative)}


@dataclass(frozen=True)
class Counts:
    """How many cases there are of each verdict."""

    faster: int
    slower: int
    same: int
    open: int
    """`undecided` and `cannot decide` together: more launches would decide them."""
    not_comparable: int
    cannot_decide: int = 0
    """Those of `open` that so few launches can never decide."""
    distributions: int = 0
    """Proven to differ, and not which is faster."""
    apart: int = 0
    """Of two campaigns apart: nothing is proven."""
    missing: int = 0
    """That a side lacks."""

    @property
    def unknown(self) -> int:
        """Those of which nothing is known."""
        return self.not_comparable + self.missing

    @property
    def total(self) -> int:
        """All cases."""
        proven = self.faster + self.slower + self.distributions + self.same
        return proven + self.open + self.apart + self.unknown


OPEN = (VerdictKind.UNDECIDED.value, VerdictKind.CANNOT_DECIDE.value)
UNKNOWN = (VerdictKind.MISSING.value, VerdictKind.NOT_COMPARABLE.value)
"""Of which nothing is known: a side lacks the case, or has no number of it."""


def count(rows: Iterable[ComparisonRow]) -> Counts:
    """Verdicts counted."""
    outcomes = [row.outcome for row in rows]
    open_cases = sum(outcome in OPEN for outcome in outcomes)
    faster, slower, same = (outcomes.count(kind) for kind in ("faster", "slower", "same"))
    cannot = outcomes.count(VerdictKind.CANNOT_DECIDE.value)
    distributions = outcomes.count(VerdictKind.DISTRIBUTIONS.value)
    apart, missing = (outcomes.count(kind.value) for kind in (VerdictKind.APART, VerdictKind.MISSING))
    lost = outcomes.count(VerdictKind.NOT_COMPARABLE.value)
    return Counts(faster, slower, same, open_cases, lost, cannot, distributions, apart, missing)


def compared(rows: Sequence[ComparisonRow]) -> str:
    """The judged cases: `8 cases` of one pair; of several `3 pairs in 1 case`, every pair in every case counted."""
    pairs, cases = {(row.a, row.b) for row in rows}, {tuple(row.case.items()) for row in rows}
    if len(pairs) < 2:
        return "1 case" if len(rows) == 1 else f"{len(rows)} cases"
    return f"{len(rows)} pairs in {len(cases)} case{'' if len(cases) == 1 else 's'}"


def side_names(rows: Sequence[ComparisonRow]) -> tuple[str, str]:
    """The names of a table's two sides: those of the one pair; of several pairs from two folders the folders; else a,
    b.
    """
    pairs = list(dict.fromkeys((row.a, row.b) for row in rows))
    if len(pairs) == 1:
        return pairs[0]
    folders = [{name.rpartition(":")[0] for name in side} for side in zip(*pairs, strict=True)]
    if len(folders) == 2 and all(len(names) == 1 and "" not in names for names in folders):
        return folders[0].pop(), folders[1].pop()
    return "a", "b"
