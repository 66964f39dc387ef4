"""Tests of three and more samples, and a ranking that claims no more than they prove.

Friedman takes treatments that share launches (several procsyncs, several methods): values are ranked within each
launch, so that a slow launch cancels. Kruskal-Wallis takes independent launches: it compares the mean ranks. Both
correct for ties and use the chi-squared distribution with k - 1 degrees of freedom, good from about five launches on
(M. Friedman, JASA 32, 1937; W. H. Kruskal and W. A. Wallis, JASA 47, 1952). They come before any pair is tested: among
many pairs some pair always looks different.

"Not shown to differ" is not transitive: A may be tied with B and B with C although A is proven faster than C. So places
are counted from the top: place 1 has all members that nothing is proven faster than; any other member comes one place
after the last of those that are proven faster. No two members share a place where one is proven faster.

Each letter is a largest set of members that are not shown to differ from each other (a maximal clique). A member has
the letters of all its sets. Two members share a letter exactly where they are not shown to differ: where only A and C
differ, A gets `a`, B `ab`, C `b`. The compact letter display of H.-P. Piepho, J. Comput. Graph. Stat. 13, 2004, does
the same with as few letters as possible.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, as_sample


@dataclass(frozen=True)
class Friedman:
    """The statistic and its p-value; both NaN where all values of every launch are equal, for then ranks say
    nothing.
    """

    statistic: float
    p_value: float


def friedman(samples: Sequence[ArrayLike]) -> Friedman:
    """The test over three or more samples of shape (launches,), entry k of each from launch k. Infinite values are the
    largest of all.

    `ValueError` for fewer than three samples, an empty one, unequal sizes, or NaN.
    """
    if len(samples) < 3:
        raise ValueError(f"{len(samples)} samples: Friedman's test compares three or more; for two take signed-rank")
    sample_list = [as_sample(values, f"sample {index}") for index, values in enumerate(samples)]
    sizes = [values.size for values in sample_list]
    if len(set(sizes)) > 1:
        raise ValueError(f"Friedman's test needs every launch in every sample, but they have {sizes} values")
    ranks = scipy.stats.rankdata(np.column_stack(sample_list), axis=1)
    if (ranks.min(axis=1) == ranks.max(axis=1)).all():
        return Friedman(float("nan"), float("nan"))
    outcome = scipy.stats.friedmanchisquare(*ranks.T)
    return Friedman(float(outcome.statistic), float(outcome.pvalue))


@dataclass(frozen=True)
class KruskalWallis:
    """H and its p-value; both NaN where all values are equal, for then ranks say nothing."""

    statistic: float
    p_value: float


def kruskal_wallis(samples: Sequence[ArrayLike], strata: Sequence[Sequence[int]] | None = None) -> KruskalWallis:
    """H and its p-value over two or more samples, each of shape (launches,). Infinite values are the largest of all.

    With `strata`, that of each value, values are only compared within their stratum: each adds its mid-ranks over
    N + 1, N its values, to the sums of the samples, whose distance from what chance gives is weighed by their
    covariance over all arrangements within strata. Of two samples this is van Elteren's test. Source: J. R. Landis,
    E. R. Heyman, G. G. Koch, Average partial association in three-way contingency tables, Int. Stat. Rev. 46, 1978.

    `ValueError` for fewer than two samples, an empty one, NaN, and strata that do not fit.
    """
    if len(samples) < 2:
        raise ValueError(f"{len(samples)} samples: Kruskal-Wallis compares two or more")
    sample_list = [as_sample(values, f"sample {index}") for index, values in enumerate(samples)]
    if strata is not None:
        return _within_strata(sample_list, strata)
    ranks = scipy.stats.rankdata(np.concatenate(sample_list))
    if ranks.min() == ranks.max():
        return KruskalWallis(float("nan"), float("nan"))
    parts = np.split(ranks, np.cumsum([values.size for values in sample_list])[:-1])
    outcome = scipy.stats.kruskal(*parts)
    return KruskalWallis(float(outcome.statistic), float(outcome.pvalue))


def _within_strata(samples: Sequence[FloatArray], strata: Sequence[Sequence[int]]) -> KruskalWallis:
    if [values.size for values in samples] != [len(numbers) for numbers in strata]:
        raise ValueError("each value needs one stratum")
    values, stratum = np.concatenate(samples), np.concatenate([np.asarray(numbers) for numbers in strata])
    member = np.eye(len(samples))[np.repeat(np.arange(len(samples)), [sample.size for sample in samples])]
    distance, covariance = np.zeros(len(samples)), np.zeros((len(samples), len(samples)))
    for number in np.unique(stratum):
        inside = stratum == number
        n, membership = int(inside.sum()), member[inside]
        counts, scores = membership.sum(axis=0), scipy.stats.rankdata(values[inside]) / (n + 1)
        distance += membership.T @ scores - counts * scores.mean()
        if n > 1:
            covariance += scores.var(ddof=1) * (np.diag(counts) - np.outer(counts, counts) / n)
    degrees = int(np.linalg.matrix_rank(covariance, hermitian=True))
    if degrees == 0:
        return KruskalWallis(float("nan"), float("nan"))
    statistic = float(distance @ np.linalg.pinv(covariance, hermitian=True) @ distance)
    return KruskalWallis(statistic, float(scipy.stats.chi2.sf(statistic, degrees)))


def places(estimates: Sequence[float], proven: ArrayLike) -> tuple[int, ...]:
    """The place of each member (1 is the fastest) from their estimated latencies and the proofs: `proven[i][j]` says
    that i and j differ, after adjustment; shape (n, n), symmetric.

    Where two differ, the one with the smaller estimate is the faster; with equal estimates neither is. `ValueError` for
    shapes that do not fit, a relation that is not symmetric, and NaN among the estimates.
    """
    values, differ = np.asarray(estimates, dtype=np.float64), np.asarray(proven, dtype=np.bool_)
    if differ.shape != (values.size, values.size):
        raise ValueError(f"{values.size} estimates need {values.size} by {values.size} answers, not {differ.shape}")
    if (differ != differ.T).any():
        raise ValueError("what is proven of i and j must be proven of j and i")
    if np.isnan(values).any():
        raise ValueError("an estimate is NaN; rank only what was measured")
    place_of = np.zeros(values.size, dtype=np.int64)
    for index in np.argsort(values, kind="stable"):
        faster = differ[index] & (values < values[index])
        place_of[index] = 1 + (int(place_of[faster].max()) if faster.any() else 0)
    return tuple(int(number) for number in place_of)


def groups(names: Sequence[str], estimates: Sequence[float], proven: ArrayLike) -> tuple[tuple[str, ...], ...]:
    """The names by place, the fastest first; inside a place by estimate. Errors as in `places`."""
    place_of = places(estimates, proven)
    ordered = [int(index) for index in np.argsort(np.asarray(estimates, dtype=np.float64), kind="stable")]
    return tuple(
        tuple(names[index] for index in ordered if place_of[index] == number) for number in sorted(set(place_of))
    )


def letters(estimates: Sequence[float], proven: ArrayLike) -> tuple[str, ...]:
    """The letters of each: two share one exactly where they are not proven to differ. `a` has the fastest member; the
    others follow by their fastest members. After `z` comes `aa`, with dots between the letters of a member from there
    on. Errors as in `places`.
    """
    places(estimates, proven)
    differ = np.asarray(proven, dtype=np.bool_)
    order = [int(index) for index in np.argsort(np.asarray(estimates, dtype=np.float64), kind="stable")]
    alike = {
        at: {
            neighbour for neighbour in range(len(order)) if neighbour != at and not differ[order[at], order[neighbour]]
        }
        for at in range(len(order))
    }
    sets = sorted(tuple(sorted(largest_set)) for largest_set in _largest_sets(set(), set(alike), set(), alike))
    between = "." if len(sets) > _LETTERS else ""
    named = [between.join(_letter(number) for number, members in enumerate(sets) if at in members) for at in alike]
    return tuple(named[order.index(index)] for index in range(len(order)))


_LETTERS = 26


def _letter(number: int) -> str:
    """`a` to `z`, then `aa`, `ab` and so on."""
    before, last = divmod(number, _LETTERS)
    return (_letter(before - 1) if before else "") + chr(ord("a") + last)


def _largest_sets(
    chosen: set[int], possible: set[int], excluded: set[int], alike: dict[int, set[int]]
) -> Iterator[set[int]]:
    """All maximal cliques that hold `chosen` and none of `excluded`: Bron and Kerbosch's algorithm with a pivot."""
    if not possible and not excluded:
        if chosen:
            yield chosen
        return
    pivot = max(possible | excluded, key=lambda member: len(alike[member] & possible))
    for member in sorted(possible - alike[pivot]):
        yield from _largest_sets(chosen | {member}, possible & alike[member], excluded & alike[member], alike)
        possible, excluded = possible - {member}, excluded | {member}
