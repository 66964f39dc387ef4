"""Compares two libraries (or builds, flags, algorithms, a call and its mock-up) over all cases, judged together.

The unit is the launch: each side has one median per launch and case. Samples in, rows out; no file, no output.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ictus.model.quantity import percent
from ictus.stats import verdict as verdicts
from ictus.stats.arrays import FloatArray, Sample
from ictus.stats.by_stratum import differing_strata
from ictus.stats.evidence import Evidence, SamplePair, gather, number_at, ratio_at, sample_pair
from ictus.stats.looks import InterimLook
from ictus.stats.modes import Strata
from ictus.stats.planning import launches_to_decide
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.stats.sample_size import CaseEstimate, enough_launches, likely_shift_of, more_launches
from ictus.stats.scatter import scatter_of
from ictus.stats.signed_rank_test import SIGNED_RANK
from ictus.stats.verdict import (
    KINDS,
    CaseRules,
    Judgement,
    Rules,
    Verdict,
    VerdictKind,
    judge,
)

STRATIFIED = (RANK_SUM.name, SIGNED_RANK.name)
"""Tests that can compare within strata."""
STRATA = ("modes", "off")
"""Within what launches are compared; the first is the default."""


@dataclass(frozen=True)
class CaseComparison:
    """One case. Times in the unit of the samples. None where there is nothing to say: no data, or no interval at this
    level.
    """

    n_a: int
    """Launches with a valid sample."""
    n_b: int
    median_a: float | None
    median_b: float | None
    ratio: float | None
    """A/B by Hodges and Lehmann, of Welch's test that of geometric means: below 1, A is faster."""
    ratio_low: float | None
    ratio_high: float | None
    """Limits of the interval at 1 - level, not adjusted for the number of cases."""
    p_value: float | None
    """Two-sided."""
    p_less: float | None
    """One-sided, for A being faster."""
    p_greater: float | None
    p_adjusted: float | None
    """Two-sided, adjusted for all cases judged together."""
    verdict: Verdict
    remarks: tuple[str, ...]
    n_strata: int = 1
    """Strata (modes of the machine) within which launches were compared."""
    by_stratum: tuple["StratumComparison", ...] = ()
    """Where the ratio differs between strata: each on its own."""
    p_valid: float | None = None
    """Two-sided, valid over all looks of a growing campaign, before adjustment; None for a fixed number of launches."""
    unit: str = verdicts.UNIT_LAUNCH
    """What `n_a` and `n_b` count: launches, or campaigns where each is one observation."""
    usual_ratio: float | None = None
    """Of two campaigns apart: what two campaigns without a change differ by at most, but for a chance of 5 %, where
    that is known; at least 1.
    """


@dataclass(frozen=True)
class StratumComparison:
    """One case in one stratum; as in `CaseComparison`, the p-value adjusted in the same family."""

    stratum: int
    n_a: int
    n_b: int
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    p_adjusted: float | None
    kind: VerdictKind
    p_valid: float | None = None

    @property
    def mode(self) -> int:
        """Its number for people and scripts, from 1."""
        return self.stratum + 1


def compare_cases(
    a: Sequence[Sample],
    b: Sequence[Sample],
    names: CaseRules,
    *,
    labels: tuple[str, str] = ("a", "b"),
    strata: Sequence[Strata] | None = None,
    look: InterimLook | None = None,
    forecast: bool = True,
    unit: str = verdicts.UNIT_LAUNCH,
) -> list[CaseComparison]:
    """One row per case: `a[i]` and `b[i]` are the launch medians of case i, shape (launches,), None or NaN for a
    launch without one.

    `labels` name the sides in remarks. The family of the adjustment is all cases given here that can be tested.

    `strata` has, for each case, the stratum of each value of both sides: Wilcoxon's tests then compare within strata
    (ictus.stats.strata), other tests ignore it. A negative stratum is one of values whose state is unknown. Where the
    ratio differs between strata by more than the margin, each gets a verdict of its own in the same family.

    At a `look` of a growing campaign p-values are judged, and intervals made, at the nominal level of the look, so that
    the level holds over all looks together (ictus.stats.looks). Without `forecast` nobody is told how many launches
    would decide an open case, which takes most of the time. `unit` is what each value stands for, in words:
    `verdict.UNIT_CAMPAIGN` where it is the median of a campaign.

    `UsageError` for an unknown test or adjustment, a test of pairs without pairs, a level outside (0, 1) or a margin
    that is not positive. `ValueError` when the numbers of cases, or of launches of a pair, differ.
    """
    rules = names.resolve()
    used = [None] * len(a) if strata is None or rules.test.name not in STRATIFIED else strata
    pairs = [
        sample_pair(x, y, paired=rules.test.paired, labels=labels, strata=strata_of_case)
        for x, y, strata_of_case in zip(a, b, used, strict=True)
    ]
    parts = differing_strata(pairs, rules.adjustment, rules.level, rules.equivalence)
    alone = [part for by_number in parts.values() for part in by_number.values()]
    evidence = gather([*pairs, *alone], rules.test, _at(look, rules.level))
    family = _Family(pairs, evidence, judge(evidence, rules, look=look), rules, labels, parts, look, forecast, unit)
    unused = names.paired and not rules.test.paired
    remarks = (f"{rules.test.name} does not use that both were measured in the same launches",) if unused else ()
    return [_row(index, family, remarks) for index in range(len(pairs))]


@dataclass(frozen=True)
class _Family:
    """All cases judged together."""

    pairs: list[SamplePair]
    evidence: Evidence
    judgement: Judgement
    rules: Rules
    labels: tuple[str, str]
    parts: dict[int, dict[int, SamplePair]]
    """By case: its strata, by their numbers, on their own, whose evidence follows that of all cases."""
    look: InterimLook | None
    forecast: bool
    unit: str

    @property
    def n_tests(self) -> int:
        decided = 0 if self.look is None else len(self.look.decided)
        return int((~np.isnan(self.evidence.p_value)).sum()) + decided

    @cached_property
    def alone(self) -> float:
        """The part of the level that adjustment leaves for the next case to be decided, and of that the look."""
        decided = 0 if self.look is None else sum(p_value <= self.rules.level for p_value in self.look.decided)
        n_rejected = int((self.judgement.p_adjusted <= self.rules.level).sum()) + decided
        return _at(self.look, self.rules.level / self.rules.adjustment.divisor(self.n_tests, n_rejected))

    @cached_property
    def p_valid(self) -> FloatArray:
        """NaN for a fixed number of launches."""
        p_values = self.evidence.p_value
        return np.full_like(p_values, np.nan) if self.look is None else self.look.valid_p(p_values)

    @cached_property
    def likely_shift(self) -> float:
        """How far apart the two sides are in general."""
        e = self.evidence
        return likely_shift_of(e.shift, e.spread, e.n_a, e.n_b, paired=self.rules.test.paired)


def _at(look: InterimLook | None, level: float) -> float:
    return level if look is None else look.nominal_level(level)


def _by_stratum(index: int, family: _Family) -> tuple[StratumComparison, ...]:
    if index not in family.parts:
        return ()
    before = sum(len(parts) for case, parts in family.parts.items() if case < index)
    evidence = family.evidence
    return tuple(
        StratumComparison(
            stratum=stratum,
            n_a=int(evidence.n_a[row]),
            n_b=int(evidence.n_b[row]),
            ratio=ratio_at(evidence.shift, row),
            ratio_low=ratio_at(evidence.shift_low, row),
            ratio_high=ratio_at(evidence.shift_high, row),
            p_adjusted=number_at(family.judgement.p_adjusted, row),
            kind=KINDS[family.judgement.codes[row]],
            p_valid=number_at(family.p_valid, row),
        )
        for row, stratum in enumerate(family.parts[index], len(family.pairs) + before)
    )


def _row(index: int, family: _Family, remarks: tuple[str, ...]) -> CaseComparison:
    evidence, pair = family.evidence, family.pairs[index]
    parts, verdict = _by_stratum(index, family), _verdict(index, family)
    if pair.reason is None:
        remarks += _interval_remarks(evidence, index, _at(family.look, family.rules.level), family.unit)
        remarks += tuple(f"{family.labels[side]}: {text}" for side, text in family.rules.test.remarks(pair.a, pair.b))
    verdict = verdicts.depends_on_mode(verdict, [part.kind for part in parts]) if parts else verdict
    return replace(
        comparison_of(evidence, index, family.judgement.p_adjusted, verdict, family.unit),
        remarks=pair.remarks + remarks,
        n_strata=max(1, len(pair.sizes)),
        by_stratum=parts,
        p_valid=number_at(family.p_valid, index),
    )


def comparison_of(
    evidence: Evidence, index: int, p_adjusted: FloatArray, verdict: Verdict, unit: str
) -> CaseComparison:
    """One case of the evidence with its verdict: NaN there is None here."""
    return CaseComparison(
        n_a=int(evidence.n_a[index]),
        n_b=int(evidence.n_b[index]),
        median_a=number_at(evidence.median_a, index),
        median_b=number_at(evidence.median_b, index),
        ratio=ratio_at(evidence.shift, index),
        ratio_low=ratio_at(evidence.shift_low, index),
        ratio_high=ratio_at(evidence.shift_high, index),
        p_value=number_at(evidence.p_value, index),
        p_less=number_at(evidence.p_less, index),
        p_greater=number_at(evidence.p_greater, index),
        p_adjusted=number_at(p_adjusted, index),
        verdict=verdict,
        remarks=(),
        unit=unit,
    )


def _verdict(index: int, family: _Family) -> Verdict:
    rules, kind = family.rules, KINDS[family.judgement.codes[index]]
    if kind is VerdictKind.NOT_COMPARABLE:
        return verdicts.not_comparable(family.pairs[index].reason or f"{rules.test.name} is undefined for these values")
    if kind is VerdictKind.UNDECIDED:
        return verdicts.undecided(_more(index, family), family.unit)
    if kind is VerdictKind.CANNOT_DECIDE:
        return _cannot_decide(index, family)
    return verdicts.decided(kind, rules.equivalence if family.judgement.inside[index] else None, rules.equivalence)


def _more(index: int, family: _Family) -> int | None:
    if not family.forecast:
        return None
    evidence, rules, pair = family.evidence, family.rules, family.pairs[index]
    # Beside ranks stands an interval of ranks; Welch's test plans with the deviation that it rests on.
    by_ranks = rules.test.own_shifts is None
    a, b = pair.aligned()
    scatter = scatter_of(a, b, paired=rules.test.paired) if by_ranks else None
    shift, spread = float(evidence.shift[index]), float(evidence.spread[index])
    further = more_launches(
        CaseEstimate(shift, spread, int(evidence.n_a[index]), int(evidence.n_b[index]), scatter),
        rules.test.name,
        level=_at(family.look, rules.level),
        alone=family.alone,
        equivalence=rules.equivalence,
        likely_shift=family.likely_shift,
    )
    if further is None or abs(evidence.shift[index]) <= np.log1p(rules.equivalence):
        return further  # an interval inside the margin is what will decide
    return enough_launches(further, a, b, rules.test, family.alone)


def _cannot_decide(index: int, family: _Family) -> Verdict:
    rules = family.rules
    n_a, n_b = int(family.evidence.n_a[index]), int(family.evidence.n_b[index])
    level = rules.level if family.look is None else rules.level * family.look.looks.share
    needed = launches_to_decide(family.n_tests, level=level, test=rules.test.name, adjust=rules.adjustment.name)
    missing = max(needed - min(n_a, n_b), 1)
    # One launch a side shows no spread to plan with: only the least that it takes is known.
    if not np.isfinite(family.evidence.spread[index]):
        return verdicts.cannot_decide(n_a, n_b, needed, missing, at_least=True, unit=family.unit)
    count = _more(index, family)
    return verdicts.cannot_decide(n_a, n_b, needed, count if count is None else max(count, missing), unit=family.unit)


def _interval_remarks(evidence: Evidence, index: int, level: float, unit: str) -> tuple[str, ...]:
    if np.isfinite(evidence.shift_low[index]):
        return ()
    n_a, n_b = evidence.n_a[index], evidence.n_b[index]
    reached = evidence.reached[index]
    if reached >= 1 - level:
        return (f"no {percent(1 - level)} interval: the {verdicts.plural(unit)} do not vary",)
    return (
        f"no {percent(1 - level)} interval: {n_a} and {n_b} {verdicts.plural(unit)} reach {percent(reached)} at most",
    )
