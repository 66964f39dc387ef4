"""Data sets of the claim about precision goals: trials whose times scatter, judged as the claim judges them."""

import numpy as np
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import Ruling
from ictus.studies.precision.study import LARGEST_SHARE, GoalTrial, Reached, judge_trials

TRIALS = 5


def trials(random: np.random.Generator, share: float, missed: float = 0.0) -> Ruling:
    """Five trials in which a goal takes `share` of the time of a fixed number of launches, give or take 15 %, and is
    missed with the chance `missed`.
    """
    return judge_trials(
        [
            GoalTrial(
                "mpich",
                Reached(0.1, 0.05, 9, 459_000, 1.0),
                Reached(0.2 if random.random() < missed else 0.1, 0.05, 12, 20_000, taken),
            )
            for taken in share * np.exp(random.normal(0, 0.15, TRIALS))
        ]
    )


DRAWN = (
    false("until", "a goal takes nine tenths of the time", lambda random: trials(random, LARGEST_SHARE)),
    false("until", "it takes a tenth, and is missed in half of the trials", lambda random: trials(random, 0.1, 0.5)),
    as_in_paper("until", "it takes two thirds of the time, five trials", lambda random: trials(random, 0.67)),
)
