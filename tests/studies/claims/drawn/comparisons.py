"""Data sets of the claim that starts make no difference, at its margin."""

import numpy as np
from numpy.typing import ArrayLike
from tests.studies.claims.drawn.sets import count

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import alike_rules, together_alike
from ictus.studies.factors.average import MOST_ALIKE


def starts(random: np.random.Generator, ratios: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Ten launches of each case, after a barrier and after Harmonize; both share what their launch is slower by."""
    found = np.asarray(ratios, dtype=np.float64)[:, np.newaxis]
    shared, own = random.normal(0, 0.2, (len(found), 10)), random.normal(0, 0.1, (2, len(found), 10))
    return found * np.exp(shared + own[0]), np.exp(shared + own[1])


def alike(ratios: tuple[float, ...], sets: int) -> int:
    """In how many sets all cases are held to be alike, each against the margin."""
    rulings = alike_rules(*starts(np.random.default_rng(18), ratios * sets), MOST_ALIKE)
    own = (rulings[at : at + len(ratios)] for at in range(0, len(rulings), len(ratios)))
    return count(together_alike(one) for one in own)
