"""Simulated campaigns until verdicts: they are judged as the product judges, and keep the level over all looks."""

import numpy as np
import pytest
from tools.calibration import sequential
from tools.calibration.contenders import CONTENDERS, LEVEL, stopped
from tools.calibration.sequential import (
    CASES,
    MARGIN,
    MOST,
    WORLDS,
    draw,
    follow_all,
    judge_rows,
    looks_of,
    measure,
    rows,
)

from ictus.stats.adjust import holm
from ictus.stats.binomial_rate import rate
from ictus.stats.sequential import LookSample, follow
from ictus.stats.verdict import CaseRules, VerdictKind


@pytest.mark.parametrize("world", WORLDS[:2])
def test_all_campaigns_at_once_are_judged_as_the_product_judges_one(world: sequential.World) -> None:
    """The same launches: the same verdicts at the same looks, within modes too."""
    drawn = draw(world, 1.04, 6, MOST, np.random.default_rng(5))
    found = follow_all(drawn, looks_of())
    for campaign in range(6):
        a, b, modes = drawn.a[campaign], drawn.b[campaign], (drawn.mode_a[campaign], drawn.mode_b[campaign])

        def samples(n: int, cases: object, a: object = a, b: object = b, modes: object = modes) -> list[LookSample]:
            strata = tuple(list(map(int, side[:n])) for side in modes)  # type: ignore[attr-defined]
            return [LookSample(a[i, :n], b[i, :n], strata) for i in cases]  # type: ignore[attr-defined, index, arg-type]

        results = follow(looks_of(), MOST, CASES, samples, CaseRules(paired=False, equivalence=MARGIN), forecast=False)
        for case, one in enumerate(results):
            kinds = {VerdictKind.SLOWER: found.slower, VerdictKind.FASTER: found.faster, VerdictKind.SAME: found.same}
            if one.result.verdict.kind is VerdictKind.DISTRIBUTIONS or one.result.by_stratum:
                continue  # the simulation has no verdicts by mode
            assert {kind for kind, column in kinds.items() if column[campaign, case]} == {one.result.verdict.kind}
            assert found.launches[campaign, case] == one.launches


@pytest.mark.long
def test_campaigns_without_a_difference_keep_the_level_over_all_looks() -> None:
    """In most worlds at ratio 1. Judged at every look as if it were the only one, they would not."""
    for seed, world in enumerate(WORLDS[:3]):
        found = measure(world, 1.0, 300, seed)
        assert found.false_alarms.holds
    drawn, open_rows = draw(WORLDS[2], 1.0, 300, MOST, np.random.default_rng(1)), np.ones((300, CASES), bool)
    looked = [judge_rows(drawn, n, open_rows, 0.05).p_value for n in looks_of().until(MOST)]
    alarms = np.any([holm(p_values) <= 0.05 for p_values in looked], axis=(0, 2))
    assert not rate(int(alarms.sum()), 300, "at most", 0.05).holds


def test_half_the_launches_of_the_fixed_design_are_needed_at_five_percent() -> None:
    """About: 12 of 26, where launches scatter by 3 %."""
    found = measure(WORLDS[0], 1.05, 400, 1)
    assert found.fixed is not None
    assert found.launches < 0.6 * found.fixed
    assert found.slower > 0.95


def test_error_spending_needs_the_fewest_launches_of_what_keeps_the_level() -> None:
    """Against shares without regard to resemblance, bets on signs, and a normal mixture."""
    a, b = np.random.default_rng(3).standard_normal((2, 600, MOST))
    for crossed, at in CONTENDERS.values():
        alarms, _ = stopped(crossed, at, a, b)
        assert rate(round(600 * alarms), 600, "at most", LEVEL).holds
    needed = {name: stopped(crossed, at, a + 1.67, b)[1] for name, (crossed, at) in CONTENDERS.items()}
    assert min(needed, key=lambda name: needed[name]) == "spending"


@pytest.mark.long
def test_two_thousand_campaigns_of_each_kind_keep_what_is_promised() -> None:
    """The table of statistics.md."""
    for found in rows(2000):
        assert found.false_alarms.holds, found
        assert found.false_same is None or found.false_same.holds, found
