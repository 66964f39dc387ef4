"""Simulated campaigns until verdicts: they are judged as the product judges, and keep the level over all looks."""

import numpy as np
import pytest
from tests.calibration.sequential import (
    CASES,
    MARGIN,
    MOST,
    WORLDS,
    Launches,
    Row,
    World,
    draw,
    follow_all,
    judge_rows,
    looks_of,
    measure,
    rows,
)
from tests.page_tables import PageTable, campaigns
from tools.marked_page import table

from ictus.engine.extension import FIRST_SHARE
from ictus.model.looks import Looks
from ictus.stats.adjust import holm
from ictus.stats.binomial_rate import rate
from ictus.stats.sequential import LookSample, follow
from ictus.stats.verdict import CaseRules, VerdictKind

TABLE = PageTable("sequential", "studies/statistics-study.md", "calibration/test_sequential.py")
EXTENSION = PageTable("extension", "studies/statistics-study.md", "calibration/test_sequential.py")


@pytest.mark.parametrize("world", WORLDS[:2])
def test_all_campaigns_at_once_are_judged_as_the_product_judges_one(world: World) -> None:
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


HEAD = (
    "scatter of launches", "true ratio", "campaigns with a false alarm", "slower", "same within 5 %", "launches, mean",
    "of all cases", "fixed design", "share of it",
)  # fmt: skip


def cells(one: Row) -> tuple[object, ...]:
    """A row of the page."""
    return (
        one.world.name if one.ratio == 1.0 else "",
        f"{one.ratio:g}",
        one.false_alarms,
        f"{one.slower:.1%}",
        f"{one.same:.1%}",
        f"{one.launches:.1f}",
        f"{one.all_cases:.1f}",
        one.fixed or "",
        f"{one.launches / one.fixed:.0%}" if one.fixed else "",
    )


@pytest.mark.long
def test_two_thousand_campaigns_of_each_kind_keep_what_is_promised() -> None:
    """All worlds and ratios."""
    found, looks = list(rows(campaigns(2000))), ", ".join(map(str, looks_of().until(MOST)))
    head = f"{campaigns(2000)} simulated campaigns each; {CASES} cases, Holm, looks at {looks} launches a side:"
    TABLE.show(f"{head}\n\n{table(HEAD, map(cells, found))}")
    for one in found:
        assert one.false_alarms.holds, one
        assert one.false_same is None or one.false_same.holds, one


LAUNCHES = (10, 20)
RATIOS = (1.0, 1.03, 1.04, 1.05, 1.06)


def fixed(drawn: Launches, n: int) -> float:
    """The share of campaigns of a fixed number of launches in which the first case is called different."""
    judged = judge_rows(drawn, n, np.ones(drawn.a.shape[:2], bool), 0.05)
    return float((holm(judged.p_value) <= 0.05)[:, 0].mean())


def extended(drawn: Launches) -> tuple[float, ...]:
    """The same of a campaign that reserved error, by each number of launches."""
    found = follow_all(drawn, Looks(LAUNCHES[0], 2, FIRST_SHARE), LAUNCHES[-1])
    different = (found.slower | found.faster)[:, 0]
    return tuple(float((different & (found.launches[:, 0] <= n)).mean()) for n in LAUNCHES)


@pytest.mark.long
def test_a_campaign_that_may_be_extended_finds_nearly_as_much() -> None:
    """Simulated campaigns of 10 launches a side and of 20, beside designs of as many launches that reserved nothing."""
    n, found = campaigns(4000), []
    for ratio in RATIOS:
        drawn = draw(WORLDS[0], ratio, n, LAUNCHES[-1], np.random.default_rng((7, round(1e3 * ratio))))
        first, last = extended(drawn)
        found.append((ratio, first, fixed(drawn, LAUNCHES[0]), last, fixed(drawn, LAUNCHES[-1])))
    head = (
        "true ratio",
        "10 launches, a tenth reserved",
        "10, nothing reserved",
        "extended to 20",
        "20, nothing reserved",
    )
    shown = table(head, [(f"{ratio:g}", *(f"{one:.1%}" for one in shares)) for ratio, *shares in found], numbers_from=0)
    about = f"{n} simulated campaigns each; {CASES} cases, Holm, 3 % of scatter; how many find the difference:"
    EXTENSION.show(f"{about}\n\n{shown}")
    for ratio, reserved, unreserved, extended_, _ in found:
        assert unreserved - 0.02 <= reserved <= extended_
        assert ratio > 1 or rate(round(n * extended_), n, "at most", 0.05).holds
