"""Data sets of claims about launches."""

from functools import cache

import numpy as np
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import Ruling, share_rule, sign_rule

shares, signs = cache(share_rule), cache(sign_rule)


def ten_signs(random: np.random.Generator, up: float) -> Ruling:
    """Ten launches, in each of which one is the larger with the chance `up`."""
    ups = int(random.binomial(10, up))
    return signs(ups, 10 - ups)


DRAWN = (
    false(
        "window-size",
        "of ten launches either end is the larger one by chance",
        lambda random: ten_signs(random, 0.5),
    ),
    as_in_paper(
        "window-size", "with the chance 0.95", lambda random: ten_signs(random, 0.95)
    ),
)  # fmt: skip
