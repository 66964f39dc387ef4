"""Data sets of claims about clocks, drawn as clocks and their errors are, and judged as claims judge them."""

import numpy as np
from tests.studies.claims.drawn.launches import shares, signs
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import Ruling, together
from ictus.studies.frequency.claims import APART, pairs_apart
from ictus.studies.rtt.claims import longer_means


def calibrations(random: np.random.Generator, spread: float) -> Ruling:
    """40 of each of two ranks."""
    return together([shares(*pairs_apart(list(random.normal(0, spread, 40)))) for _ in range(2)])


def round_trips(random: np.random.Generator, skewed: bool) -> Ruling:
    """1,000 exchanges of three pairs; delays exponential, or normal."""
    draw = random.exponential if skewed else random.standard_normal
    return together([signs(*longer_means(10 + draw(size=1000))) for _ in range(3)])


NO_PPM = APART / 2 / 1.96 / np.sqrt(2) * 1.9
"""Of which two calibrations lie 1 ppm apart in about one of twenty pairs."""

DRAWN = (
    false(
        "frequency", "40 calibrations of two ranks rarely differ by 1 ppm", lambda random: calibrations(random, NO_PPM)
    ),
    as_in_paper("frequency", "they scatter by 10 ppm", lambda random: calibrations(random, 10e-6)),
    false("rtt", "1,000 round trips of three pairs are symmetric", lambda random: round_trips(random, skewed=False)),
    as_in_paper("rtt", "their delays are exponential", lambda random: round_trips(random, skewed=True)),
)
