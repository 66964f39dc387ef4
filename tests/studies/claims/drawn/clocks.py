"""Data sets of claims about clocks, drawn as clocks and their errors are, and judged as claims judge them."""

import numpy as np
from tests.clock_documents import offset_series
from tests.studies.claims.drawn.launches import shares, signs
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import Ruling, together
from ictus.studies.clock_accuracy.claims import both_larger, larger
from ictus.studies.clock_drift.claims import line_is_better
from ictus.studies.clocks.record import OffsetSeries
from ictus.studies.frequency.claims import APART, pairs_apart
from ictus.studies.rtt.claims import longer_means

NOISE_S = 1e-7


def clock(random: np.random.Generator, drift: float) -> OffsetSeries:
    """20 offsets in 10 s, each wrong by some 0.1 us."""
    at = np.linspace(0, 10, 20)
    offset = drift * at + random.normal(0, NOISE_S, at.size)
    return offset_series(at, offset - offset[0])


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

DRAWN = (
    false("clock-drift", "seven clocks do not drift", lambda random: seven_clocks(random, 0.0)),
    as_in_paper("clock-drift", "they drift by some 5 µs a second", lambda random: seven_clocks(random, 5e-6)),
    false(
        "frequency", "40 calibrations of two ranks rarely differ by 1 ppm", lambda random: calibrations(random, NO_PPM)
    ),
    as_in_paper("frequency", "they scatter by 10 ppm", lambda random: calibrations(random, 10e-6)),
    false("rtt", "1,000 round trips of three pairs are symmetric", lambda random: round_trips(random, skewed=False)),
    as_in_paper("rtt", "their delays are exponential", lambda random: round_trips(random, skewed=True)),
    false(
        "sync-accuracy, sync-drift, sync-cost, sync-scaling",
        "two algorithms err alike in eight repeats",
        lambda random: errors(random, 1.0),
    ),
    as_in_paper(
        "sync-accuracy, sync-drift, sync-cost, sync-scaling",
        "one errs twenty times as much",
        lambda random: errors(random, 20.0),
    ),
    false("sync-pareto", "100 times the cost has no gain", lambda random: frontier(random, 1.0, 100.0)),
    false("sync-pareto", "100 times the gain has no cost", lambda random: frontier(random, 100.0, 1.0)),
    as_in_paper("sync-pareto", "four times as long, twenty times nearer", lambda random: frontier(random, 20.0, 4.0)),
)
