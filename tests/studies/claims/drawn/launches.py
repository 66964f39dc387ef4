"""Data sets of claims about launches and their samples."""

from functools import cache

import numpy as np
import scipy
from tests.studies.claims.drawn.sets import as_in_paper, false

from ictus.stats.claim_rules import RARE, Ruling, launches_rule, normality_rule, share_rule, sign_rule, together
from ictus.stats.correlation import autocorrelation
from ictus.stats.mean import mean_distributions
from ictus.stats.normality import shapiro_wilk
from ictus.studies.diagnosis.study import means_rule
from ictus.studies.launches.study import APART

shares, signs = cache(share_rule), cache(sign_rule)


def ends(random: np.random.Generator, spread: float) -> Ruling:
    """30 launches, thirds of 100 samples that scatter by 5 %; launches by `spread`."""
    own = random.normal(0, spread, 30)
    both = own + 1.25 * 0.05 / 10 * random.standard_normal((2, 30))  # medians of 100
    return launches_rule(np.exp(both[0]), np.exp(both[1]))


def shape(random: np.random.Generator, hump: float) -> Ruling:
    """Five launches of 50 samples; a share `hump` of them in a second hump, half as long again."""
    samples = random.normal(1, 0.05, (5, 50)) + 0.5 * (random.random((5, 50)) < hump)
    return normality_rule([shapiro_wilk(one) for one in samples], samples.size)


def means(random: np.random.Generator, late: float) -> Ruling:
    """A launch of 1,000 samples, of which a share `late` takes ten times as long: 1,000 means of 30 of them."""
    samples = random.normal(1, 0.05, 1000) * np.where(random.random(1000) < late, 10, 1)
    (drawn,) = mean_distributions(samples, (30,), seed=int(random.integers(2**32)))
    return means_rule(drawn.normality_p, samples.size)


def ten_signs(random: np.random.Generator, up: float) -> Ruling:
    """Ten launches, in each of which one is the larger with the chance `up`."""
    ups = int(random.binomial(10, up))
    return signs(ups, 10 - ups)


def loops(random: np.random.Generator, spread: float) -> Ruling:
    """What loops report in 30 launches of four sizes."""
    values = np.exp(random.normal(0, spread, (4, 30)))
    ratios = np.maximum(values[:, ::2], values[:, 1::2]) / np.minimum(values[:, ::2], values[:, 1::2])
    return together([shares(int(hits), 15) for hits in (ratios >= 1 + APART).sum(axis=1)])


def correlated(random: np.random.Generator, alike: float) -> Ruling:
    """Ten launches of 300 samples, each like the one before it by `alike`."""
    launches = scipy.signal.lfilter([1.0], [1.0, -alike], random.standard_normal((10, 300)), axis=1)
    return shares(sum(autocorrelation(one).significant for one in launches), 10, rare=0.01, often=0.5)


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
    false("distribution", "50 samples of each of five launches are normal", lambda random: shape(random, 0.0)),
    as_in_paper("distribution", "one sample of twenty is in a second hump", lambda random: shape(random, 0.05)),
    false("clt", "1,000 samples are normal", lambda random: means(random, 0.0), slow=True),
    as_in_paper("clt", "one of a hundred takes ten times as long", lambda random: means(random, 0.01), slow=True),
    false("autocorrelation", "300 samples of ten launches are independent", lambda random: correlated(random, 0.0)),
    as_in_paper("autocorrelation", "each is like its forerunner by 0.3", lambda random: correlated(random, 0.3)),
    false("mpirun-factor", "30 launches are alike", lambda random: ends(random, 0.0)),
    false(
        "mpirun-factor", "of two cases", lambda random: together([ends(random, 0.0) for _ in range(2)])
    ),
    as_in_paper("mpirun-factor", "they scatter by 3 %", lambda random: ends(random, 0.03)),
    false(
        "window-size, runtime-drift",
        "of ten launches either end is the larger one by chance",
        lambda random: ten_signs(random, 0.5),
    ),
    as_in_paper(
        "window-size, runtime-drift", "with the chance 0.95", lambda random: ten_signs(random, 0.95)
    ),
)  # fmt: skip
