"""Data sets of claims that one thing is faster than another, compared as users compare them."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tests.studies.claims.drawn.sets import DrawnSets, as_in_paper, count, false

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import LEVEL, Ruling, alike_rules, each_holds, together_alike
from ictus.stats.compare import compare_cases
from ictus.stats.verdict import CaseRules
from ictus.studies.barrier_impact.analysis import Impact, ImpactTarget
from ictus.studies.barrier_impact.claims import EQUIVALENCE, QUICK, judge_contests
from ictus.studies.barrier_impact.winners import contests
from ictus.studies.factors.arrivals import ROOT_FIRST, ROOT_LAST, WINDOW, is_faster_after
from ictus.studies.factors.average import MOST_ALIKE, fewer_win, more_win
from ictus.studies.factors.claims import Shows, any_difference, judge_all, judge_rows

FIRST, LAST = f"{ROOT_FIRST})", f"{ROOT_LAST})"
BROADCAST: tuple[Shows, ...] = (is_faster_after(WINDOW, [ROOT_LAST]), is_faster_after(ROOT_FIRST, [WINDOW]))


def rows_of(times: Mapping[str, Sequence[Any]], *, paired: bool) -> tuple[Any, ...]:
    """Every pair of sides in every case; `times` has the launches of each case by side."""
    pairs = [(a, b, case) for a, b in combinations(times, 2) for case in range(len(times[a]))]
    results = compare_cases(
        [times[a][case] for a, _, case in pairs],
        [times[b][case] for _, b, case in pairs],
        CaseRules(paired=paired),
        forecast=False,
    )
    rows = []
    for (a, b, _), result in zip(pairs, results, strict=True):
        outcome = result.verdict.kind.value
        winner = {"faster": a, "slower": b}.get(outcome)
        rows.append(SimpleNamespace(a=a, b=b, outcome=outcome, result=result, winner=winner))
    return tuple(rows)


def broadcasts(random: np.random.Generator, first: float, last: float) -> Ruling:
    """Twelve launches of two sizes under three starts, which share what their launch is slower by; a broadcast takes
    `first` of its time where the root arrives first, and `last` times it where it arrives last.
    """
    shared, own = random.normal(0, 0.2, (2, 12)), random.normal(0, 0.1, (3, 2, 12))
    ratios = {WINDOW: 1.0, FIRST: first, LAST: last}
    times = {start: list(ratio * np.exp(shared + own[place])) for place, (start, ratio) in enumerate(ratios.items())}
    return judge_all(rows_of(times, paired=True), BROADCAST)


def reductions(random: np.random.Generator, average: float, longest: float) -> Ruling:
    """Eight launches with 4 processes and eight with 64, of which the average and the longest time are so many times
    those of the 4; launches scatter by 20 %.
    """
    rulings = []
    for ratio, shows in ((average, more_win), (longest, fewer_win)):
        few, many = np.exp(random.normal(0, 0.2, (2, 8)))
        rulings.append(judge_rows(rows_of({"n=4": [few], "n=64": [ratio * many]}, paired=False), shows))
    return each_holds(rulings)


def starts(random: np.random.Generator, ratios: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Ten launches of each case, after a barrier and after Harmonize; both share what their launch is slower by."""
    found = np.asarray(ratios, dtype=np.float64)[:, np.newaxis]
    shared, own = random.normal(0, 0.2, (len(found), 10)), random.normal(0, 0.1, (2, len(found), 10))
    return found * np.exp(shared + own[0]), np.exp(shared + own[1])


def differing(random: np.random.Generator, ratio: float) -> Ruling:
    """Two sizes, in the same launches."""
    sides = dict(zip("ab", map(list, starts(random, [ratio, ratio])), strict=True))
    return judge_rows(rows_of(sides, paired=True), any_difference)


def apart(random: np.random.Generator, ratio: float) -> Ruling:
    """Three values of a factor that is set for whole launches: eight of each, two sizes, of which launches scatter by
    10 %; with one of the values calls take `ratio` times as long.
    """
    times = np.exp(random.normal(0, 0.1, (3, 2, 8)))
    times[0] *= ratio
    return judge_rows(rows_of(dict(zip("abc", map(list, times), strict=True)), paired=False), any_difference)


def alike(ratios: tuple[float, ...], sets: int) -> int:
    """In how many sets all cases are held to be alike, each against the margin."""
    rulings = alike_rules(*starts(np.random.default_rng(18), ratios * sets), MOST_ALIKE)
    own = (rulings[at : at + len(ratios)] for at in range(0, len(rulings), len(ratios)))
    return count(together_alike(one) for one in own)


def winners(random: np.random.Generator, ratios: Sequence[float]) -> Ruling:
    """Twelve blocks with a launch of two libraries; four cells, of which the second library takes `ratios` times as
    long as the first, by start, in one; in the others both are as fast.
    """
    rows = []
    for mpi in ("a", "b"):
        shared = random.normal(0, 0.1, 12)
        for cell in range(4):
            for start, ratio in zip(QUICK["procsync"], ratios, strict=True):
                slower = ratio if (mpi, cell) == ("b", 0) else 1.0
                values = slower * np.exp(shared + random.normal(0, 0.05, 12))
                target = ImpactTarget(mpi, "default", "bcast", 2, cell, ())
                rows.append(Impact(target, start, tuple(enumerate(values)), None, None, None, None, 1e-8, 1.0, None))
    return judge_contests(contests(rows, adjust="holm", level=LEVEL, equivalence=EQUIVALENCE, forecast=False))


_ALIKE = (1.0,) * (len(QUICK["procsync"]) - 1)
_STARTS = "harmonize-reduce, harmonize-bcast, harmonize-allreduce, window-barrier, cache, pipelining, linear-barrier"

DRAWN = (
    false(_STARTS, "two sizes of ten launches take as long", lambda random: differing(random, 1.0), slow=True),
    as_in_paper(_STARTS, "0.6 of the time", lambda random: differing(random, 0.6), slow=True),
    false(
        "pinning, compiler, dvfs",
        "calls in eight launches take as long with three values",
        lambda random: apart(random, 1.0),
        slow=True,
    ),
    as_in_paper("pinning, compiler, dvfs", "with one 1.4 times as long", lambda random: apart(random, 1.4), slow=True),
    DrawnSets(
        "harmonize-scatter-gather",
        f"one of four cases takes {MOST_ALIKE:g} times as long after a barrier",
        lambda sets: alike((MOST_ALIKE, 1.0, 1.0, 1.0), sets),
        is_false=True,
    ),
    DrawnSets(
        "harmonize-scatter-gather",
        f"the only case takes 1/{MOST_ALIKE:g} of the time",
        lambda sets: alike((1 / MOST_ALIKE,), sets),
        is_false=True,
    ),
    DrawnSets(
        "harmonize-scatter-gather",
        "four cases take as long",
        lambda sets: alike((1.0, 1.0, 1.0, 1.0), sets),
        is_false=False,
    ),
    false(
        "skew-bcast",
        "half as long where the root comes first, as long where it comes last",
        lambda random: broadcasts(random, 0.5, 1.0),
        slow=True,
    ),
    false(
        "skew-bcast",
        "twice as long where it comes last, as long where it comes first",
        lambda random: broadcasts(random, 1.0, 2.0),
        slow=True,
    ),
    as_in_paper("skew-bcast", "0.7 and 1.4 times as long", lambda random: broadcasts(random, 0.7, 1.4), slow=True),
    false(
        "linear-reduce",
        "the average falls to 0.3, the longest stays",
        lambda random: reductions(random, 0.3, 1.0),
        slow=True,
    ),
    false(
        "linear-reduce",
        "the longest doubles, the average stays",
        lambda random: reductions(random, 1.0, 2.0),
        slow=True,
    ),
    as_in_paper(
        "linear-reduce", "it falls to 0.3, the longest doubles", lambda random: reductions(random, 0.3, 2.0), slow=True
    ),
    false(
        "barrier-impact",
        "one library takes 1.5 times as long with one start, as long with five; three cases alike",
        lambda random: winners(random, (1.5, *_ALIKE)),
        slow=True,
    ),
    as_in_paper(
        "barrier-impact",
        "1.5 times as long with one start, 0.7 with another",
        lambda random: winners(random, (1.5, 0.7, *_ALIKE[1:])),
        slow=True,
    ),
)
