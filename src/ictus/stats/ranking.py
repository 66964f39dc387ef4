"""A ranking that does not claim more than was proven: those that cannot be told apart share a place.

"Not shown to differ" is not transitive: A may be tied with B and B with C although A is proven faster than C. So a
place is counted from above: the first is whoever nothing is proven faster than, and everybody else comes one place
behind the last of those that are proven faster. Nobody shares a place with somebody proven faster or slower; two that
are tied may still be places apart where a third stands between them.

Letters say all of it: each letter is a largest set of members no two of which are told apart (a maximal clique of "not
told apart"), and a member has the letters of all its sets. So two members share a letter exactly where they are not
told apart, whatever the outcome of the pairs: A and C told apart, B from neither, is A `a`, B `ab`, C `b`. The compact
letter display of multiple comparisons (H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise
comparisons, J. Comput. Graph. Stat. 13, 2004) does the same with as few letters as it can.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike


def places(estimates: Sequence[float], proven: ArrayLike) -> tuple[int, ...]:
    """The place of each (1 is the fastest) from their estimated latencies and what is proven: `proven[i][j]` says that
    i and j differ, after adjustment; shape (n, n), symmetric.

    Where two differ, the one with the smaller estimate is the faster; of equal estimates neither is. `ValueError` for
    shapes that do not fit, a relation that is not symmetric, and NaN among the estimates.
    """
    values, differ = np.asarray(estimates, dtype=np.float64), np.asarray(proven, dtype=np.bool_)
    if differ.shape != (values.size, values.size):
        raise ValueError(f"{values.size} estimates need {values.size} by {values.size} answers, not {differ.shape}")
    if (differ != differ.T).any():
        raise ValueError("what is proven of i and j must be proven of j and i")
    if np.isnan(values).any():
        raise ValueError("an estimate is NaN; rank only what was measured")
    found = np.zeros(values.size, dtype=np.int64)
    for index in np.argsort(values, kind="stable"):
        faster = differ[index] & (values < values[index])
        found[index] = 1 + (int(found[faster].max()) if faster.any() else 0)
    return tuple(int(place) for place in found)


def groups(names: Sequence[str], estimates: Sequence[float], proven: ArrayLike) -> tuple[tuple[str, ...], ...]:
    """The names by place, the fastest first; inside a place by estimate. Errors as in `places`."""
    found = places(estimates, proven)
    ordered = [int(index) for index in np.argsort(np.asarray(estimates, dtype=np.float64), kind="stable")]
    return tuple(tuple(names[index] for index in ordered if found[index] == place) for place in sorted(set(found)))


def letters(estimates: Sequence[float], proven: ArrayLike) -> tuple[str, ...]:
    """The letters of each: two share one exactly where they are not proven to differ. `a` has the fastest member; the
    others follow by their fastest members. After `z` comes `aa`, with dots between the letters of a member from there
    on. Errors as in `places`.
    """
    places(estimates, proven)
    differ = np.asarray(proven, dtype=np.bool_)
    order = [int(index) for index in np.argsort(np.asarray(estimates, dtype=np.float64), kind="stable")]
    alike = {
        at: {other for other in range(len(order)) if other != at and not differ[order[at], order[other]]}
        for at in range(len(order))
    }
    sets = sorted(tuple(sorted(found)) for found in _largest_sets(set(), set(alike), set(), alike))
    between = "." if len(sets) > _LETTERS else ""
    named = [between.join(_letter(number) for number, one in enumerate(sets) if at in one) for at in alike]
    return tuple(named[order.index(index)] for index in range(len(order)))


_LETTERS = 26


def _letter(number: int) -> str:
    """`a` to `z`, then `aa`, `ab` and so on."""
    before, last = divmod(number, _LETTERS)
    return (_letter(before - 1) if before else "") + chr(ord("a") + last)


def _largest_sets(
    chosen: set[int], possible: set[int], done: set[int], alike: dict[int, set[int]]
) -> Iterator[set[int]]:
    """All maximal cliques that hold `chosen` and none of `done`: Bron and Kerbosch's algorithm with a pivot."""
    if not possible and not done:
        if chosen:
            yield chosen
        return
    pivot = max(possible | done, key=lambda member: len(alike[member] & possible))
    for member in sorted(possible - alike[pivot]):
        yield from _largest_sets(chosen | {member}, possible & alike[member], done & alike[member], alike)
        possible, done = possible - {member}, done | {member}
