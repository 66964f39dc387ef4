"""Data sets of the findings about guidelines, remedies, overlap and sparse exchanges, all sets of a finding at once."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from tests.findings.clock_draws import signs

from ictus.findings.members.guidelines import judge_verdicts
from ictus.findings.members.remedies import RemedyRow, judge_remedies
from ictus.findings.members.sparse import COMPARABLE
from ictus.findings.rules import Ruling, Seen, no_longer_rules, together, together_alike
from ictus.guidelines.judgement import Options, judge
from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.registry import TESTS
from ictus.tuning.outcome import Result

SETS = 2000


def times(random: np.random.Generator, ratios: FloatArray, launches: int) -> tuple[FloatArray, FloatArray]:
    """Of each case two times in each launch, which share what their launch is slower by."""
    shared, own = random.normal(0, 0.2, (ratios.size, launches)), random.normal(0, 0.05, (2, ratios.size, launches))
    return ratios[:, np.newaxis] * np.exp(shared + own[0]), np.exp(shared + own[1])


def guidelines(slower: int) -> int:
    """Checks of 30 questions in 14 launches; `slower` of them take 1.2 times as long as what they are compared with."""
    ratios = np.where(np.arange(30) < slower, 1.2, 1.0)
    a, b = times(np.random.default_rng(18), np.tile(ratios, SETS), 14)
    p_values = TESTS["signed-rank"].rows(a, b, "greater").p_value
    judged = judge(p_values, np.full(p_values.shape, 2.0**-14), Options(), campaigns=SETS)
    verdicts: list[Any] = [
        SimpleNamespace(state=judged.state(index), p_adjusted=float(judged.p_adjusted[index]), ratio_high=None)
        for index in range(p_values.size)
    ]
    return held([judge_verdicts(verdicts[at : at + 30]) for at in range(0, len(verdicts), 30)])


def remedies(ratio: float) -> int:
    """Tunings of two libraries with three remedies each, confirmed in six launches of either side."""
    random = np.random.default_rng(18)
    a, b = ratio * np.exp(random.normal(0, 0.1, (6 * SETS, 6))), np.exp(random.normal(0, 0.1, (6 * SETS, 6)))
    p_values = TESTS["rank-sum"].rows(a, b, "less").p_value.reshape(SETS, 2, 3)
    return held(
        [judge_remedies([_remedy(mpi, p) for mpi, own in enumerate(of_set) for p in holm(own)]) for of_set in p_values]
    )


def _remedy(mpi: int, p_adjusted: float) -> RemedyRow:
    result = Result.CONFIRMED if p_adjusted <= Options().level else Result.NOT_FASTER
    unknown = dict.fromkeys(("winner", "before_s", "after_s", "instead_s", "ratio", "ratio_low", "ratio_high"))
    return RemedyRow(
        mpi=str(mpi), n=2, operation="bcast", size_bytes=8, guidelines=("GL10",), race="decided",
        p_adjusted=float(p_adjusted), result=result.value, **unknown,
    )  # fmt: skip


def overheads(ratio: float) -> int:
    """Overheads in eight launches of eight cases: one is `ratio` times the other."""
    shorter, longer = times(np.random.default_rng(18), np.full(8 * SETS, ratio), 8)
    ups = (shorter < longer).sum(axis=1).reshape(SETS, 8)
    return held([together([signs(int(up), 8 - int(up)) for up in own]) for own in ups])


def sparse(set_up: float, calls: tuple[float, float]) -> int:
    """Twelve launches of two sizes in one library: set-up and exchange of a schedule, against the collective's."""
    random = np.random.default_rng(18)
    ours, theirs = times(random, np.full(SETS, set_up), 12)
    ups = (ours < theirs).sum(axis=1)
    parts = no_longer_rules(*times(random, np.tile(np.array(calls), SETS), 12), COMPARABLE)
    return held(
        [
            together([together_alike([signs(int(up), 12 - int(up)), *parts[2 * at : 2 * at + 2]])])
            for at, up in enumerate(ups)
        ]
    )


def held(rulings: list[Ruling]) -> int:
    """In how many sets the finding holds."""
    return sum(one.seen is Seen.HOLDS for one in rulings)
