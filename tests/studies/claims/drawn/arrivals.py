"""Data sets of claims about arrivals and exits of barriers, judged as claims judge them."""

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
from tests.studies.claims.drawn.launches import signs
from tests.studies.claims.drawn.sets import DrawnSets, as_in_paper, count, false

from ictus.stats.claim_rules import Ruling, apart_rules, together
from ictus.studies.exit_skew.claims import MOST_ALIKE
from ictus.studies.local_and_global.analysis import MATTERS, TimesLaunch
from ictus.studies.local_and_global.claims import more_apart


def both_times(random: np.random.Generator, ratio: float) -> Ruling:
    """Ten launches of three sizes: makespans over local times are 1.05 in windows and `ratio` times that after a
    barrier; both scatter by 5 %.
    """
    rulings = []
    for _ in range(3):
        scatter = np.exp(random.normal(0, 0.05, (2, 10)))
        rows: list[Any] = [
            SimpleNamespace(launches={slot: TimesLaunch(1.0, value, 0.0) for slot, value in enumerate(values)})
            for values in (1.05 * ratio * scatter[0], 1.05 * scatter[1])
        ]
        rulings.append(signs(*more_apart(*rows)))
    return together(rulings)


def barriers(ratio: float, sets: int) -> int:
    """In how many sets it holds that exits differ: ten launches of six barriers in two libraries, of which one leaves
    ranks `ratio` times as far apart as the others, in one library.
    """
    random = np.random.default_rng(18)
    ratios = np.where(np.arange(12) == 3, ratio, 1.0)[:, np.newaxis]
    shared = np.repeat(random.normal(0, 0.2, (sets, 2, 10)), 6, axis=1)
    skews = ratios * np.exp(shared + random.normal(0, 0.2, (sets, 12, 10)))
    pairs = [(6 * library + a, 6 * library + b) for library in range(2) for a, b in combinations(range(6), 2)]
    sides = (skews[:, [pair[side] for pair in pairs]].reshape(-1, 10) for side in range(2))
    rulings, each = apart_rules(*sides, MOST_ALIKE), len(pairs)
    return count(together(rulings[at : at + each]) for at in range(0, len(rulings), each))


DRAWN = (
    DrawnSets(
        "barrier-skew",
        f"one of six barriers in two libraries leaves ranks just {MOST_ALIKE:g} times as far apart",
        lambda sets: barriers(MOST_ALIKE, sets),
        is_false=True,
    ),
    DrawnSets("barrier-skew", "four times as far apart", lambda sets: barriers(4.0, sets), is_false=False),
    false(
        "local-global",
        "local times tell all but 1 %, ten launches of three sizes",
        lambda random: both_times(random, 1 + MATTERS),
    ),
    as_in_paper("local-global", "they tell 70 of 100 µs", lambda random: both_times(random, 100 / 70)),
)
