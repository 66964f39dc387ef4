"""The verdict on A relative to B: a kind for machines, a text for people, significance stars as in the papers.

The kind follows from p-values and intervals, in this order (decision 27):

1. adjusted p at or below the level: `faster` or `slower`, with `within X %` where the interval says so. For a test
   that rejects any difference this needs an interval on one side of 1, else it is `distributions differ`;
2. interval inside the margin of equivalence: `same within X %`;
3. the test could never reach the level with so few launches after adjustment: `cannot-decide`;
4. else `undecided`. "Not significant" is never "same".

A case that could not be tested is `not-comparable`; one that was measured on one side only, or on none, is `missing`
(decision 66); one of two campaigns that nothing but chance made comparable is `apart` (decision 65). p-values are
adjusted for the family of all cases judged together; intervals are not. The margin X is symmetric between A and B: it
spans the ratios 1 / (1 + X) to 1 + X.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, log1p

import numpy as np

from ictus.model.errors import OptionError
from ictus.model.quantity import percent
from ictus.stats.adjust import Adjustment, find_adjustment
from ictus.stats.arrays import BoolArray, FloatArray, IntArray
from ictus.stats.evidence import Evidence
from ictus.stats.hypothesis import HypothesisTest
from ictus.stats.looks import InterimLook
from ictus.stats.planning import MOST_LAUNCHES
from ictus.stats.registry import find_test


class VerdictKind(str, Enum):
    """The verdict on A relative to B; machines gate on it."""

    FASTER = "faster"
    SLOWER = "slower"
    DISTRIBUTIONS = "distributions-differ"
    """Proven to differ somehow, and not which is faster: only by a test of any difference."""
    SAME = "same"
    UNDECIDED = "undecided"
    CANNOT_DECIDE = "cannot-decide"
    NOT_COMPARABLE = "not-comparable"
    APART = "apart"
    """Of two campaigns, two states of the machine: nothing is proven about what is compared."""
    MISSING = "missing"
    """Measured on one side only, or on none."""


KINDS = tuple(VerdictKind)
DIFFERENT = (VerdictKind.FASTER, VerdictKind.SLOWER)


@dataclass(frozen=True)
class Verdict:
    """A word for machines, a text for people."""

    kind: VerdictKind
    text: str
    within: float | None = None
    """The margin X where the interval lies inside it, as a ratio (0.05 for 5 %)."""
    more_launches: int | None = None
    """About how many more launches per side would decide it; None where it is decided or takes more than 1,000."""
    at_least: bool = False
    """`more_launches` is the least that the test needs at all: too little is known of the spread to say more."""
    needed: int | None = None
    """Launches per side below which the test can never decide it, where that stands in the way."""


def decided(kind: VerdictKind, within: float | None, margin: float) -> Verdict:
    """`faster`, `slower`, `distributions differ` (with the margin, if the interval is inside) or `same within X %`."""
    if kind is VerdictKind.SAME:
        return Verdict(kind, f"same within {percent(margin)}", within=margin)
    word = kind.value.replace("-", " ")
    return Verdict(kind, word if within is None else f"{word}, within {percent(within)}", within=within)


def depends_on_mode(overall: Verdict, kinds: Collection[VerdictKind]) -> Verdict:
    """The verdict where the ratio differs between modes of the machine, of which each has one of `kinds`: that on the
    whole, unless two modes contradict each other.
    """
    if not set(DIFFERENT) <= set(kinds):
        return replace(overall, text=f"{overall.text}, differs by mode", within=None)
    return replace(overall, kind=VerdictKind.DISTRIBUTIONS, text="faster or slower by mode", within=None)


UNIT_LAUNCH, UNIT_CAMPAIGN = "launch", "campaign"
"""What a comparison counts."""


def counted(number: int, unit: str = UNIT_LAUNCH) -> str:
    """`1 launch`, `4 campaigns`."""
    return f"{number} {unit if number == 1 else plural(unit)}"


def plural(unit: str) -> str:
    """`launches`, `campaigns`."""
    return f"{unit}{'es' if unit == UNIT_LAUNCH else 's'}"


def undecided(further: int | None, unit: str = UNIT_LAUNCH) -> Verdict:
    """`undecided: about N more launches`; None means more than 1,000."""
    if further is None:
        return Verdict(VerdictKind.UNDECIDED, f"undecided: more than {MOST_LAUNCHES} more {plural(unit)}")
    word = unit if further == 1 else plural(unit)
    return Verdict(VerdictKind.UNDECIDED, f"undecided: about {further} more {word}", more_launches=further)


def apart(ratio: float, usual_ratio: float | None) -> Verdict:
    """`apart`, and whether the ratio lies beyond the `usual_ratio` one of two campaigns without a change, where that is
    known.
    """
    if usual_ratio is None:
        return Verdict(VerdictKind.APART, "apart")
    where = "beyond" if max(ratio, 1 / ratio) > usual_ratio else "within"
    return Verdict(VerdictKind.APART, f"apart, {where} the usual {usual_ratio:.3g} times")


def cannot_decide(
    n_a: int, n_b: int, needed: int, further: int | None, *, at_least: bool = False, unit: str = UNIT_LAUNCH
) -> Verdict:
    """The number of launches (or campaigns), not the data, stands in the way. `at_least`: `further` is only the least
    that it takes.
    """
    launches = counted(n_a, unit) if n_a == n_b else f"{n_a} and {counted(n_b, unit)}"
    text = f"cannot decide: {launches} can never reach the level after adjustment; at least {needed} needed"
    return Verdict(VerdictKind.CANNOT_DECIDE, text, more_launches=further, at_least=at_least, needed=needed)


def too_few_launches(launches: int, tests: int, needed: int, how: str) -> str:
    """Said before anything is measured: with so few launches all verdicts are known to be `cannot decide`. `how` names
    test and adjustment.
    """
    number = "1 launch" if launches == 1 else f"{launches} launches"
    which = "the only test" if tests == 1 else f"any of {tests} tests"
    return f"{number} cannot decide {which} ({how}): at least {needed} can; give --launches {needed}"


def not_comparable(reason: str) -> Verdict:
    """A side has no data, or the test no meaning for it: NA, never a number."""
    return Verdict(VerdictKind.NOT_COMPARABLE, f"NA: {reason}")


def missing(reason: str) -> Verdict:
    """`only in old; none of 8 launches of new has it`: who has the case, and why the other side has not."""
    return Verdict(VerdictKind.MISSING, reason)


LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Largest p of each mark, strictest first (papers/mpi-benchmarking-revisited, section 6.2)."""


def stars(p_value: float | None) -> str:
    """`***` for p <= 0.001, `**` for p <= 0.01, `*` for p <= 0.05, nothing otherwise or where there is no p (None,
    NaN).
    """
    if p_value is None:
        return ""
    return next((mark for largest, mark in LEVELS if p_value <= largest), "")


@dataclass(frozen=True)
class Rules:
    """How a family of cases is judged."""

    test: HypothesisTest
    adjustment: Adjustment
    level: float
    equivalence: float
    """The margin X of "same within X", as a ratio."""


@dataclass(frozen=True)
class CaseRules:
    """How a family of cases is to be judged, by names."""

    paired: bool
    """Whether entry k of both sides belongs to the same launch."""
    test: str | None = None
    """None: signed-rank of pairs, else rank-sum."""
    adjust: str = "holm"
    level: float = 0.05
    """That of the verdicts; 1 - level is the confidence of the intervals."""
    equivalence: float = 0.05
    """The margin X of "same within X", as a ratio."""

    def resolve(self) -> Rules:
        """What the names stand for; `UsageError` for unknown ones, a level outside (0, 1) or a margin that is not
        positive.
        """
        if not 0 < self.level < 1:
            raise OptionError(("level", self.level, "must lie between 0 and 1, for example 0.05"))
        if not 0 < self.equivalence < inf:
            raise OptionError(("equivalence", self.equivalence, "must be a positive ratio, for example 0.05 for 5 %"))
        test, adjustment = find_test(self.test, paired=self.paired), find_adjustment(self.adjust)
        return Rules(test, adjustment, self.level, self.equivalence)


@dataclass(frozen=True)
class Judgement:
    """Columns of shape (cases,), as in `Evidence`."""

    p_adjusted: FloatArray
    codes: IntArray
    """The kind of verdict as an index into `verdict.KINDS`."""
    inside: BoolArray
    """Whether the interval lies inside the margin of equivalence."""


def judge(evidence: Evidence, rules: Rules, *, campaigns: int = 1, look: InterimLook | None = None) -> Judgement:
    """Judge all cases; where several campaigns follow one another, of equally many cases, each is a family of its
    own. At a `look` of one growing campaign p-values become valid over all looks before they are adjusted, together
    with those of the cases that are decided.
    """

    def adjusted(p_values: FloatArray) -> FloatArray:
        if look is None:
            return rules.adjustment.apply(p_values.reshape(campaigns, -1)).ravel()
        family = np.concatenate((look.valid_p(p_values), look.decided))
        return rules.adjustment.apply(family)[: p_values.size]

    p_adjusted = adjusted(evidence.p_value)
    # Adjustments are monotone, so every case at its smallest p shows what the family can reach at best.
    reachable = adjusted(np.where(np.isnan(evidence.p_value), np.nan, evidence.smallest_p)) <= rules.level
    margin = log1p(rules.equivalence)
    inside = (evidence.shift_low >= -margin) & (evidence.shift_high <= margin)
    significant = p_adjusted <= rules.level
    faster, slower = _directions(evidence, rules.test)
    order = (
        (np.isnan(p_adjusted), VerdictKind.NOT_COMPARABLE),
        (significant & faster, VerdictKind.FASTER),
        (significant & slower, VerdictKind.SLOWER),
        (significant & rules.test.any_difference, VerdictKind.DISTRIBUTIONS),
        (inside, VerdictKind.SAME),
        (~reachable, VerdictKind.CANNOT_DECIDE),
    )
    kinds = [KINDS.index(kind) for _, kind in order]
    codes = np.select([rule for rule, _ in order], kinds, KINDS.index(VerdictKind.UNDECIDED))
    return Judgement(p_adjusted, np.asarray(codes, dtype=np.int64), np.asarray(inside, dtype=np.bool_))


def _directions(evidence: Evidence, test: HypothesisTest) -> tuple[BoolArray, BoolArray]:
    """Which cases go which way if they differ: by the one-sided p-values, of a test that rejects a shift; by the
    interval, of one that rejects for any difference.
    """
    if test.any_difference:
        return evidence.shift_high < 0, evidence.shift_low > 0
    return evidence.p_less < evidence.p_greater, evidence.p_less > evidence.p_greater
