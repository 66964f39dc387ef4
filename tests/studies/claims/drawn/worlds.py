"""Data sets of claims about our own synchronisation, drawn as simulated worlds are, and judged as claims judge
them.
"""

import numpy as np
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import Ruling
from ictus.studies.clock_accuracy.equal_time import SettingTrials, judge_matches, match
from ictus.studies.sync_worlds.claims import (
    AUTO,
    BROKEN_AT_MOST,
    NEAR,
    ArityRow,
    BoundRow,
    judge_arities,
    judge_bounds,
)

TRIALS, WORLDS, SEEDS = 20, 400, 12


def settings(random: np.random.Generator, times: float) -> Ruling:
    """Three settings of ours and ten of others, of which all keep to the time; those of others err `times` as much, and
    every error scatters by a factor of 1.5.
    """
    names = {**{f"ictus(fitpoints={i})": 1.0 for i in range(3)}, **{f"jk(fitpoints={i})": times for i in range(10)}}
    drawn = {
        name: SettingTrials([0.005] * TRIALS, list(own * np.exp(random.normal(0, 0.4, TRIALS))))
        for name, own in names.items()
    }
    found = match("drawn", drawn, 0.005)
    return judge_matches([] if found is None else [found])


def bounds(random: np.random.Generator, share: float) -> Ruling:
    """400 synchronisations, of which a bound is broken with that chance."""
    return judge_bounds([BoundRow("drawn", int(random.binomial(WORLDS, share)), WORLDS, 1e-6, 1e-9)])


def arities(random: np.random.Generator, times: float) -> Ruling:
    """Two kinds of worlds; the default's product is `times` that of the best arity, the others' are larger. Each
    scatters by 1 %; those of simulated worlds do by 0.6.
    """

    def row(place: str, asked: str, bound_s: float) -> ArityRow:
        drawn = list(bound_s * np.exp(random.normal(0, 0.01, SEEDS)))
        return ArityRow(place, 64, asked, 4, 12.0, drawn, [0.1] * SEEDS)

    rows = [
        row(place, asked, own)
        for place in ("near", "far")
        for asked, own in ((AUTO, times), ("4", 1.0), ("8", 1.3), ("2", 2.0))
    ]
    return judge_arities(rows)[0]


DRAWN = (
    false("sync-frontier, sync-equal-time", "all settings err alike", lambda random: settings(random, 1.0)),
    as_in_paper(
        "sync-frontier, sync-equal-time", "others err three times as much", lambda random: settings(random, 3.0)
    ),
    false(
        "sync-bounds", "one synchronisation of a hundred breaks a bound", lambda random: bounds(random, BROKEN_AT_MOST)
    ),
    as_in_paper("sync-bounds", "one of 5,000 does", lambda random: bounds(random, 2e-4)),
    false("sync-arity", "the default's product is a tenth larger", lambda random: arities(random, NEAR)),
    as_in_paper("sync-arity", "it is a twentieth larger", lambda random: arities(random, 1.05)),
)
