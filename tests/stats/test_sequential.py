"""Verdicts at looks: what stops stays, Holm counts what is decided, and no launches are judged twice."""

from collections.abc import Sequence

import numpy as np
import pytest

from ictus.model.errors import OptionError
from ictus.model.looks import Looks
from ictus.stats.arrays import FloatArray
from ictus.stats.compare import compare_cases
from ictus.stats.looks import InterimLook, nominal_level, valid_p
from ictus.stats.sequential import LookSample, Samples, follow
from ictus.stats.verdict import CaseRules, VerdictKind

LOOKS = Looks(first=7, growth=1.2, share=0.15)
LAUNCHES = 40


def world(ratios: Sequence[float], spread: float = 0.03, seed: int = 1) -> tuple[FloatArray, FloatArray]:
    """Launch medians of A and B, shape (cases, launches)."""
    a, b = np.exp(spread * np.random.default_rng(seed).standard_normal((2, len(ratios), LAUNCHES)))
    return a * np.array(ratios)[:, np.newaxis], b


def prefixes(a: FloatArray, b: FloatArray) -> Samples:
    """Each look has the first launches of both sides."""
    return lambda launches, cases: [LookSample(a[case, :launches], b[case, :launches]) for case in cases]


def test_a_look_decides_by_the_ordinary_test_at_its_nominal_level() -> None:
    """One case: the first look whose exact p is at or below the nominal level, and none before; the interval is the
    ordinary one at that level.
    """
    a, b = world([1.04], spread=0.05, seed=2)
    (found,) = follow(LOOKS, LAUNCHES, 1, prefixes(a, b), CaseRules(paired=False))
    assert found.result.verdict.kind is VerdictKind.SLOWER
    for number, at in enumerate(LOOKS.until(found.launches), 1):
        level = nominal_level(LOOKS, number, 0.05)
        (alone,) = compare_cases([a[0, :at]], [b[0, :at]], CaseRules(paired=False, level=level))
        assert alone.p_value is not None
        assert (alone.p_value <= level) == (at == found.launches)
    assert (found.result.ratio_low, found.result.ratio_high) == (alone.ratio_low, alone.ratio_high)
    assert found.result.p_value == alone.p_value
    assert found.look > 1


def test_modes_that_chance_deals_to_one_side_at_one_of_many_looks_are_no_reason_to_ignore_them() -> None:
    """Seven of seven against one of seven in the slow mode: p = 0.0047 by Fisher's test, below 1 %, and above what this
    look may spend of it. Within the mode nothing is known; regardless of it the side would be called slower, as it is
    where all further launches fall so too.
    """
    slow_a, slow_b = np.arange(LAUNCHES) >= 0, np.arange(LAUNCHES) < 1
    a, b = world([1.1], spread=0.01, seed=4)
    a, b = a * np.where(slow_a, 2.0, 1.0), b * np.where(slow_b, 2.0, 1.0)

    def samples(launches: int, cases: Sequence[int]) -> list[LookSample]:
        strata = ([int(one) for one in slow_a[:launches]], [int(one) for one in slow_b[:launches]])
        return [LookSample(a[case, :launches], b[case, :launches], strata) for case in cases]

    (early,) = follow(LOOKS, 7, 1, samples, CaseRules(paired=False))
    assert (early.result.n_a, early.result.n_b, early.decided) == (7, 1, False)
    (regardless,) = compare_cases([a[0, :7]], [b[0, :7]], CaseRules(paired=False), look=InterimLook(LOOKS, 1))
    assert regardless.verdict.kind is VerdictKind.SLOWER
    (late,) = follow(LOOKS, LAUNCHES, 1, samples, CaseRules(paired=False))
    assert late.result.verdict.kind is VerdictKind.SLOWER
    assert late.result.n_b == late.launches > 7


def test_a_verdict_never_changes() -> None:
    """More launches decide more, and change nothing of what was decided."""
    a, b = world([1.2, 1.05, 1.03, 1.0, 1.02], seed=3)
    seen: dict[int, tuple[VerdictKind, int]] = {}
    for launches in LOOKS.until(LAUNCHES):
        now = follow(LOOKS, launches, 5, prefixes(a, b), CaseRules(paired=False, equivalence=0.005), forecast=False)
        decided = {case: (one.result.verdict.kind, one.launches) for case, one in enumerate(now) if one.decided}
        assert seen.items() <= decided.items()
        seen = decided
    assert {kind for kind, _ in seen.values()} == {VerdictKind.SLOWER}
    assert set(seen) >= {0, 1, 2}
    assert len({launches for _, launches in seen.values()}) > 1


def test_holm_steps_over_what_earlier_looks_decided() -> None:
    """Rejected ones leave the level to the others, open ones do not: m p, (m - 1) p, ..., never falling."""
    a, b = world([1.03])
    alone, after, beside = (
        compare_cases([a[0]], [b[0]], CaseRules(paired=False), look=InterimLook(LOOKS, 3, decided))[0]
        for decided in ((), (1e-12, 1e-11), (1.0, 1.0))
    )
    assert alone.p_valid == after.p_valid == beside.p_valid == alone.p_adjusted
    assert alone.p_valid is not None
    assert after.p_adjusted == pytest.approx(alone.p_valid)
    assert beside.p_adjusted == pytest.approx(3 * alone.p_valid)


def test_the_same_within_is_an_answer_by_the_interval_of_the_look() -> None:
    """And takes longer than an interval that looks need not share would."""
    a, b = world([1.0], spread=0.05)
    (found,) = follow(LOOKS, LAUNCHES, 1, prefixes(a, b), CaseRules(paired=False))
    assert found.result.verdict.kind is VerdictKind.SAME
    low, high = found.result.ratio_low, found.result.ratio_high
    assert low is not None
    assert high is not None
    assert 1 / 1.05 <= low < high <= 1.05
    (alone,) = compare_cases([a[0, : found.launches]], [b[0, : found.launches]], CaseRules(paired=False))
    assert alone.ratio_low is not None
    assert alone.ratio_high is not None
    assert low < alone.ratio_low < alone.ratio_high < high


def test_launches_that_were_judged_are_not_judged_again() -> None:
    """A case whose launches ended at the first look is not rejected by the larger nominal level of a later one."""
    looks, a, b = next(
        (looks, np.arange(first) + 1.5 + shift, np.arange(first) + 1.0)
        for first in range(8, 16)
        for shift in range(first)
        for looks in [Looks(first, 1.2, 0.15)]
        if nominal_level(looks, 1, 0.05)
        < (
            compare_cases([np.arange(first) + 1.5 + shift], [np.arange(first) + 1.0], CaseRules(paired=False))[
                0
            ].p_value
            or 0.0
        )
        <= nominal_level(looks, 2, 0.05)
    )
    ended: Samples = lambda _, cases: [LookSample(a, b) for _ in cases]  # noqa: E731
    (found,) = follow(looks, 2 * looks.first, 1, ended, CaseRules(paired=False))
    assert (found.look, found.decided) == (1, False)
    assert found.result.p_valid == valid_p(looks, 1, np.array([found.result.p_value]))[0]


def test_pairs_and_strata_are_judged_as_by_a_fixed_number_of_launches() -> None:
    """At the first look and level: signed-rank and the test within strata give their ordinary p-values."""
    a, b = world([1.01])
    modes = np.arange(LAUNCHES) % 2
    a, b = a * (1 + 2 * modes), b * (1 + 2 * modes)
    strata = (list(map(int, modes)), list(map(int, modes)))
    for paired, own in ((True, None), (False, strata)):
        sample = LookSample(a[0], b[0], own)
        (found,) = follow(
            Looks(LAUNCHES, 2, 0.8), LAUNCHES, 1, lambda _, __, one=sample: [one], CaseRules(paired=paired)
        )
        (alone,) = compare_cases([a[0]], [b[0]], CaseRules(paired=paired), strata=None if own is None else [own])
        assert found.result.p_value == alone.p_value
        assert found.result.n_strata == alone.n_strata == (1 if own is None else 2)


def test_an_adjustment_that_takes_rejections_back_is_refused() -> None:
    """Benjamini-Hochberg."""
    a, b = world([1.0])
    with pytest.raises(OptionError, match="bh may take a verdict back"):
        follow(LOOKS, LAUNCHES, 1, prefixes(a, b), CaseRules(paired=False, adjust="bh"))
