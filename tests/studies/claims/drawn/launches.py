"""Data sets of claims about launches."""

from functools import cache

import numpy as np
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import RARE, Ruling, share_rule, sign_rule, together
from ictus.studies.launches.study import APART

shares, signs = cache(share_rule), cache(sign_rule)


def ten_signs(random: np.random.Generator, up: float) -> Ruling:
    """Ten launches, in each of which one is the larger with the chance `up`."""
    ups = int(random.binomial(10, up))
    return signs(ups, 10 - ups)


def loops(random: np.random.Generator, spread: float) -> Ruling:
    """What loops report in 30 launches of four sizes."""
    values = np.exp(random.normal(0, spread, (4, 30)))
    ratios = np.maximum(values[:, ::2], values[:, 1::2]) / np.minimum(values[:, ::2], values[:, 1::2])
    return together([shares(int(hits), 15) for hits in (ratios >= 1 + APART).sum(axis=1)])


DRAWN = (
    false("run-to-run", "loops of 30 launches scatter by 1 %", lambda random: loops(random, 0.01)),
    as_in_paper(
        "run-to-run", "by 2.4 %, which is 10 % between the extremes of 30", lambda random: loops(random, 0.024)
    ),
    false(
        "compare-two",
        "single launches of one case mislead in one of twenty pairs",
        lambda random: shares(int(random.binomial(15, RARE)), 15),
    ),
    false(
        "compare-two",
        "of three cases in one of twenty",
        lambda random: together([shares(int(k), 15) for k in random.binomial(15, RARE, 3)]),
    ),
    as_in_paper(
        "compare-two", "in four of ten", lambda random: shares(int(random.binomial(15, 0.4)), 15)
    ),
    false(
        "window-size",
        "of ten launches either end is the larger one by chance",
        lambda random: ten_signs(random, 0.5),
    ),
    as_in_paper(
        "window-size", "with the chance 0.95", lambda random: ten_signs(random, 0.95)
    ),
)  # fmt: skip
