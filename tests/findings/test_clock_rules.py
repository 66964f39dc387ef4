"""The rules of findings about clocks: of false ones at most 5 % hold, of those as large as the paper's at least 80 %.

2,000 data sets each, drawn as clocks, round trips and errors are, and judged by the functions of the findings; an exact
binomial test judges the promise. Findings through records of known content follow.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from ictus.findings.members.clocks import (
    APART,
    BLOCK,
    line_is_better,
    longer_means,
    one_counter,
    pairs_apart,
)
from ictus.findings.members.synchronisation import LINEAR, OFFSETS, both_larger, by_repeat, error_at, larger
from ictus.findings.registry import find
from ictus.findings.rules import LEVEL, Ruling, Seen, share_rule, sign_rule, together
from ictus.stats.binomial_rate import rate
from ictus.studies.clocks.record import DriftSeries, SynchronisationRun, SynchronisationStep

SETS = 2000
NOISE_S = 1e-7
Draw = Callable[[np.random.Generator], Ruling]
shares, signs = cache(share_rule), cache(sign_rule)


def clock(random: np.random.Generator, drift: float) -> DriftSeries:
    """20 offsets in 10 s, each wrong by some 0.1 us."""
    at = np.linspace(0, 10, 20)
    offset = drift * at + random.normal(0, NOISE_S, at.size)
    return DriftSeries(1, "host", 0.0, tuple(at), tuple(offset - offset[0]), (None,) * at.size, ())


def seven_clocks(random: np.random.Generator, drift: float) -> Ruling:
    """Eight processes on as many hosts, drifts of both signs."""
    ups = sum(line_is_better(clock(random, random.normal(0, drift))) for _ in range(7))
    return signs(ups, 7 - ups)


def calibrations(random: np.random.Generator, spread: float) -> Ruling:
    """40 of each of two ranks."""
    return together([shares(*pairs_apart(list(random.normal(0, spread, 40)))) for _ in range(2)])


def round_trips(random: np.random.Generator, skewed: bool) -> Ruling:
    """1,000 exchanges of three pairs; delays exponential, or normal."""
    draw = random.exponential if skewed else random.standard_normal
    return together([signs(*longer_means(10 + draw(size=1000))) for _ in range(3)])


def errors(random: np.random.Generator, times: float) -> Ruling:
    """Eight repeats; the errors of one algorithm are `times` as large, all scatter by a factor of 1.5."""
    a, b = np.exp(random.normal(0, 0.4, (2, 8)))
    return larger(list(times * a), list(b))


def frontier(random: np.random.Generator, times: float, slower: float) -> Ruling:
    """Eight repeats: one errs `times` as much, and the other takes `slower` times as long."""
    a, b, c, d = (list(one) for one in np.exp(random.normal(0, 0.4, (4, 8))))
    return both_larger(([times * x for x in a], b), ([slower * x for x in c], d))


NO_PPM = APART / 2 / 1.96 / np.sqrt(2) * 1.9
"""Of which two calibrations lie 1 ppm apart in about one of twenty pairs."""

FALSE: dict[str, Draw] = {
    "clocks that do not drift": lambda random: seven_clocks(random, 0.0),
    "calibrations that rarely differ": lambda random: calibrations(random, NO_PPM),
    "round trips that are symmetric": lambda random: round_trips(random, skewed=False),
    "algorithms that err alike": lambda random: errors(random, 1.0),
    "a cost without a gain": lambda random: frontier(random, 1.0, 100.0),
    "a gain without a cost": lambda random: frontier(random, 100.0, 1.0),
}
AS_IN_PAPERS: dict[str, Draw] = {
    "drifts of some us a second": lambda random: seven_clocks(random, 5e-6),
    "calibrations 10 ppm apart": lambda random: calibrations(random, 10e-6),
    "round trips with exponential delays": lambda random: round_trips(random, skewed=True),
    "errors of twenty times": lambda random: errors(random, 20.0),
    "twice as long, twenty times nearer": lambda random: frontier(random, 20.0, 4.0),
}


def held(draw: Draw) -> int:
    """In how many data sets a finding holds."""
    random = np.random.default_rng(18)
    return sum(draw(random).seen is Seen.HOLDS for _ in range(SETS))


@pytest.mark.parametrize("name", FALSE)
def test_a_false_finding_rarely_holds(name: str) -> None:
    """At most one in twenty."""
    found = rate(held(FALSE[name]), SETS, "at most", LEVEL)
    assert found.holds, found


@pytest.mark.parametrize("name", AS_IN_PAPERS)
def test_a_finding_as_large_as_the_papers_holds(name: str) -> None:
    """At least four in five."""
    found = rate(held(AS_IN_PAPERS[name]), SETS, "at least", 0.8)
    assert found.holds, found


def test_blocks_and_pairs_are_counted_once() -> None:
    """By hand: one block with a late message, one with an early one, and a rest that is no block; three pairs."""
    block = np.ones(BLOCK)
    late, early = block.copy(), block.copy()
    late[3], early[4] = 5, 0.1
    assert longer_means(np.concatenate([late, early, late, block, late[: BLOCK - 1]])) == (2, 1)
    assert pairs_apart([0, 2 * APART, 0, 0.5 * APART, 0, -APART, 9]) == (2, 3)


def run(name: str, repeat: int, error_s: tuple[float, ...]) -> SynchronisationRun:
    """One synchronisation with errors of two ranks."""
    step = SynchronisationStep(0.0, (1, 2), error_s, (None, None), (0.0, 0.0))
    return SynchronisationRun(name, name, repeat, 3, 1.0, 1, (step,))


def test_errors_are_paired_by_repeat() -> None:
    """The largest over ranks, without its sign, of the algorithm that is asked for."""
    runs = [run(OFFSETS, 0, (-3.0, 1.0)), run(LINEAR, 0, (0.5, 0.1)), run(OFFSETS, 1, (2.0, -1.0))]
    assert by_repeat(runs, OFFSETS, 3, error_at(0)) == [3.0, 2.0]
    assert by_repeat(runs, LINEAR, 3, error_at(-1)) == [0.5]
    assert by_repeat(runs, LINEAR, 4, error_at(0)) == []
    assert larger([1.0] * 5, [0.5] * 5).p_value == pytest.approx(1 / 32)
    assert larger([1.0], [1.0]).seen is Seen.CANNOT_BE_SEEN


def test_what_cannot_be_seen_is_said_before_anything_is_measured() -> None:
    """Each reason belongs to its place; where the finding can be seen there is none."""
    here = {"n": 2}
    assert "one counter" in (one_counter(here) or "")
    assert one_counter({**here, "clock": "skewed(drift=20ppm)"}) is None
    assert one_counter({**here, "platform": "flat"}) is None
    assert "one counter" in (one_counter({**here, "platform": "namespaces"}) or "")
    assert find("frequency").hidden(here) is None
    assert "no counter" in (find("frequency").hidden({**here, "platform": "flat"}) or "")
    assert "one pair" in (find("sync-cost").hidden(here) or "")
    assert find("sync-cost").hidden({"n": "64"}) is None
    assert "no growth" in (find("sync-scaling").hidden({"n": "64"}) or "")
    assert find("sync-scaling").hidden({"n": "4,64"}) is None
