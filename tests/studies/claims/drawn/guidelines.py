"""Data sets of the claims about guidelines, remedies, overlap and sparse exchanges, all sets of a claim at once."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from tests.studies.claims.drawn.launches import signs
from tests.studies.claims.drawn.sets import DrawnSets, count

from ictus.guidelines.judgement import Options, judge
from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import no_longer_rules, together, together_alike
from ictus.stats.registry import TESTS
from ictus.studies.guidelines.study import judge_verdicts
from ictus.studies.remedies.study import RemedyRow, judge_remedies
from ictus.studies.sparse_exchange.study import COMPARABLE
from ictus.tuning.outcome import Result


def times(random: np.random.Generator, ratios: FloatArray, launches: int) -> tuple[FloatArray, FloatArray]:
    """Of each case two times in each launch, which share what their launch is slower by."""
    shared, own = random.normal(0, 0.2, (ratios.size, launches)), random.normal(0, 0.05, (2, ratios.size, launches))
    return ratios[:, np.newaxis] * np.exp(shared + own[0]), np.exp(shared + own[1])


def guidelines(slower: int, sets: int) -> int:
    """Checks of 30 questions in 14 launches; `slower` of them take 1.2 times as long as what they are compared with."""
    ratios = np.where(np.arange(30) < slower, 1.2, 1.0)
    a, b = times(np.random.default_rng(18), np.tile(ratios, sets), 14)
    p_values = TESTS["signed-rank"].rows(a, b, "greater").p_value
    judged = judge(p_values, np.full(p_values.shape, 2.0**-14), Options(), campaigns=sets)
    verdicts: list[Any] = [
        SimpleNamespace(state=judged.state(index), p_adjusted=float(judged.p_adjusted[index]), ratio_high=None)
        for index in range(p_values.size)
    ]
    return count([judge_verdicts(verdicts[at : at + 30]) for at in range(0, len(verdicts), 30)])


def remedies(ratio: float, sets: int) -> int:
    """Tunings of two libraries with three remedies each, confirmed in six launches of either side."""
    random = np.random.default_rng(18)
    a, b = ratio * np.exp(random.normal(0, 0.1, (6 * sets, 6))), np.exp(random.normal(0, 0.1, (6 * sets, 6)))
    p_values = TESTS["rank-sum"].rows(a, b, "less").p_value.reshape(sets, 2, 3)
    return count(
        [judge_remedies([_remedy(mpi, p) for mpi, own in enumerate(of_set) for p in holm(own)]) for of_set in p_values]
    )


def _remedy(mpi: int, p_adjusted: float) -> RemedyRow:
    result = Result.CONFIRMED if p_adjusted <= Options().level else Result.NOT_FASTER
    unknown = dict.fromkeys(("winner", "before_s", "after_s", "instead_s", "ratio", "ratio_low", "ratio_high"))
    return RemedyRow(
        mpi=str(mpi), n=2, operation="bcast", size_bytes=8, guidelines=("GL10",), race="decided",
        p_adjusted=float(p_adjusted), result=result.value, **unknown,
    )  # fmt: skip


def overheads(ratio: float, sets: int) -> int:
    """Overheads in eight launches of eight cases: one is `ratio` times the other."""
    shorter, longer = times(np.random.default_rng(18), np.full(8 * sets, ratio), 8)
    ups = (shorter < longer).sum(axis=1).reshape(sets, 8)
    return count([together([signs(int(up), 8 - int(up)) for up in own]) for own in ups])


def sparse(set_up: float, calls: tuple[float, float], sets: int) -> int:
    """Twelve launches of two sizes in one library: set-up and exchange of a schedule, against the collective's."""
    random = np.random.default_rng(18)
    ours, theirs = times(random, np.full(sets, set_up), 12)
    ups = (ours < theirs).sum(axis=1)
    parts = no_longer_rules(*times(random, np.tile(np.array(calls), sets), 12), COMPARABLE)
    return count(
        [
            together([together_alike([signs(int(up), 12 - int(up)), *parts[2 * at : 2 * at + 2]])])
            for at, up in enumerate(ups)
        ]
    )


_OVERHEADS = "overlap, progress, stolen-core"

DRAWN = (
    DrawnSets("guidelines", "30 guidelines are kept", lambda sets: guidelines(0, sets), is_false=True),
    DrawnSets("guidelines", "two of 30 are broken by a fifth", lambda sets: guidelines(2, sets), is_false=False),
    DrawnSets("remedies", "six remedies are as slow", lambda sets: remedies(1.0, sets), is_false=True),
    DrawnSets("remedies", "they take half as long", lambda sets: remedies(0.5, sets), is_false=False),
    DrawnSets(_OVERHEADS, "overheads of eight cases are alike", lambda sets: overheads(1.0, sets), is_false=True),
    DrawnSets(_OVERHEADS, "one is a fifth shorter", lambda sets: overheads(0.8, sets), is_false=False),
    DrawnSets(
        "sparse-exchange",
        "schedules take as long to make",
        lambda sets: sparse(1.0, (1.0, 1.0), sets),
        is_false=True,
    ),
    DrawnSets(
        "sparse-exchange",
        f"they are made in a tenth, and one size takes just {COMPARABLE:g} times as long",
        lambda sets: sparse(0.1, (1.0, COMPARABLE), sets),
        is_false=True,
    ),
    DrawnSets(
        "sparse-exchange",
        "they are made in a tenth, and take 1.2 times as long",
        lambda sets: sparse(0.1, (1.0, 1.2), sets),
        is_false=False,
    ),
)
