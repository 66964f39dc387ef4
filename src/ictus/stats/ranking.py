"""A ranking that does not claim more than was proven: those that cannot be told apart share a place.

"Not shown to differ" is not transitive: A may be tied with B and B with C although A is proven faster than C. So a
place is counted from above: the first is whoever nothing is proven faster than, and everybody else comes one place
behind the last of those that are proven faster. Nobody shares a place with somebody proven faster or slower; two that
are tied may still be places apart where a third stands between them.
"""

from collections.abc import Sequence

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
