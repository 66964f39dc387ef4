"""Data sets of claims about trials, suites and numbers of repetitions, drawn as such data are, and judged as claims
judge them.
"""

from collections.abc import Sequence

import numpy as np
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import RARE, Ruling, campaigns_rule, nearer_rule, no_longer_rules, together
from ictus.studies.factors.contrasts import LEAST_PERCENT
from ictus.studies.lens.claims import SUITES
from ictus.studies.nrep.claims import ALONE, Stops, judge_stops, stops_of

LAUNCHES, TRIALS = 20, 8
FIRST, *OTHERS = ALONE


def trials(random: np.random.Generator, times: float, *, late: bool = False) -> Ruling:
    """Results of two libraries; a suite's scatter `times` as much as those of campaigns, which do by 1 %."""
    draw = random.exponential if late else random.standard_normal
    own, suite = 0.01 * draw(size=(2, TRIALS)), 0.01 * times * draw(size=(2, TRIALS))
    return together([nearer_rule(*pair) for pair in zip(np.exp(own), np.exp(suite), strict=True)])


def campaigns(random: np.random.Generator, between: float, *, late: bool = False) -> Ruling:
    """Four cases of one library in eight campaigns of five launches, which share what their launch is slower by, and
    scatter by 2 % each; campaigns scatter by `between` times as much.
    """
    draw = random.exponential if late else random.standard_normal
    launches = 0.02 * (draw(size=(1, 8, 5)) + draw(size=(4, 8, 5))) / np.sqrt(2)
    states = 0.02 * between * random.standard_normal(size=(4, 8, 1))
    return together([campaigns_rule(list(case)) for case in np.exp(launches + states)])


def stops(random: np.random.Generator, apart: float, falls: float) -> Ruling:
    """Launches whose first metric asks for three times as many as the others with the chance `apart`, and falls with
    the chance `falls`; the others always fall.
    """
    return judge_stops(
        [
            Stops(
                {FIRST: 60 if random.random() < apart else 20, **dict.fromkeys(OTHERS, 20)},
                {FIRST: 1 if random.random() < falls else -1, **dict.fromkeys(OTHERS, 1)},
            )
            for _ in range(LAUNCHES)
        ]
    )


def samples(random: np.random.Generator) -> Ruling:
    """Launches of samples that scatter by a fifth: rse needs some 65, prefix means are calm before."""
    return judge_stops([stops_of(np.exp(random.normal(0, 0.2, 150))) for _ in range(LAUNCHES)])


def suites(random: np.random.Generator, ratios: Sequence[float], spread: float) -> Ruling:
    """12 launches of two libraries: what each suite reports, `ratios` of the first; all share what their launch is
    slower by, and each scatters by `spread`.
    """
    launches = random.normal(0, 0.1, (2, 1, 12))
    own = np.exp(launches + random.normal(0, spread, (2, len(ratios), 12))) * np.asarray(ratios)[:, np.newaxis]
    first = np.exp(launches + random.normal(0, spread, (2, 1, 12))).repeat(len(ratios), axis=1)
    one, other = (values.reshape(-1, 12) for values in (own, first))
    most = 1 / (1 + LEAST_PERCENT / 100)
    return together([*no_longer_rules(one, other, most), *no_longer_rules(other, one, most)])


ALIKE = (1.0,) * (len(SUITES) - 1)
ONE_LOOP = (*ALIKE[1:], 0.8)
"""One suite times a loop, which takes less a call."""

DRAWN = (
    false("reproducibility", "eight trials scatter alike", lambda random: trials(random, 1.0)),
    false("reproducibility", "alike, late ones among them", lambda random: trials(random, 1.0, late=True)),
    as_in_paper("reproducibility", "campaigns lie a fifth as far apart", lambda random: trials(random, 5.0)),
    false("apart", "eight campaigns of launches that are all alike", lambda random: campaigns(random, 0.0)),
    false("apart", "alike, late ones among them", lambda random: campaigns(random, 0.0, late=True)),
    as_in_paper("apart", "campaigns scatter as much as their launches", lambda random: campaigns(random, 1.0)),
    false("nrep", "metrics of 20 launches rarely differ", lambda random: stops(random, RARE, 1.0)),
    false("nrep", "they differ, and one falls by chance", lambda random: stops(random, 1.0, 0.5)),
    as_in_paper("nrep", "they differ in four launches of ten", lambda random: stops(random, 0.4, 1.0)),
    as_in_paper("nrep", "samples scatter by a fifth", samples, slow=True),
    false(
        "suites", "nine suites report alike in twelve launches", lambda random: suites(random, ALIKE, 0.1), slow=True
    ),
    as_in_paper("suites", "one times a loop, 0.8 of a call", lambda random: suites(random, ONE_LOOP, 0.1), slow=True),
)
