"""MPI_Dims_create as a guideline of specification: the factors of p must be as close to each other as possible.

Träff and Lübbe (EuroMPI 2015) found libraries whose factors are far from balanced. Of all ways to write p as d factors
in non-increasing order, the balanced one has the least difference between first and last factor; ties are decided by
the difference between the next ones inwards, then by the smallest first factor. MPI says only "as close to each other
as possible": a wrong difference between first and last is beyond dispute (`Fault.SPREAD`), the others are a matter of
ties (`Fault.TIE`).

One sweep over all ways to write all numbers finds all optima up to a limit: some P (ln P)^(d-1) / (d! (d-1)!) of them,
620,000 for four factors up to 65,536.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

import numpy as np

from ictus.model.errors import UsageError
from ictus.stats.arrays import IntArray

DIMENSIONS = (2, 3, 4)
MOST = 1 << 20
"""The largest number of processes: three numbers up to it fit into one of 64 bits."""
_PLACE = 1 << 21
Factors = tuple[int, ...]


class Fault(str, Enum):
    """The fault of an answer."""

    PRODUCT = "product"
    """The factors do not multiply to p, or one is not positive, or there are not d of them."""
    ORDER = "order"
    """They are not in non-increasing order, which MPI demands where all are left open."""
    SPREAD = "spread"
    """Others differ less between first and last."""
    TIE = "tie"
    """Others differ as much between first and last, and are closer otherwise."""


@dataclass(frozen=True)
class DimsViolation:
    """One answer of a library that could have been better."""

    processes: int
    answer: Factors
    best: Factors
    fault: Fault


def all_best_dims(up_to: int, dimensions: int) -> Mapping[int, Factors]:
    """The most balanced factors of all numbers from 1 to `up_to`, in non-increasing order."""
    if not 1 <= up_to <= MOST:
        raise UsageError(f"{up_to} processes: allowed is 1 to {MOST}")
    if dimensions not in DIMENSIONS:
        raise UsageError(f"{dimensions} dimensions: allowed is {', '.join(map(str, DIMENSIONS))}")
    best = np.full(up_to + 1, np.iinfo(np.int64).max)
    inner = np.zeros((up_to + 1, dimensions - 1), np.int64)
    for small in _small_factors(up_to, dimensions - 1):
        step = prod(small)
        largest = np.arange(small[-1], up_to // step + 1)
        multiples = slice(step * small[-1], step * int(largest[-1]) + 1, step)
        keys = _keys(small, largest)
        better = np.flatnonzero(keys < best[multiples])
        numbers = (better + small[-1]) * step
        best[numbers] = keys[better]
        inner[numbers] = small
    return {p: (p // prod(factors), *reversed(factors)) for p, factors in enumerate(inner.tolist()) if p}


def violations(answers: Mapping[int, Sequence[int]], dimensions: int) -> tuple[DimsViolation, ...]:
    """Those of a library's answers, by number of processes, that are not the most balanced ones, ascending."""
    if not answers:
        return ()
    best = all_best_dims(max(answers), dimensions)
    unbalanced = []
    for p in sorted(answers):
        answer = tuple(int(factor) for factor in answers[p])
        fault = _fault(p, answer, best[p])
        if fault is not None:
            unbalanced.append(DimsViolation(p, answer, best[p], fault))
    return tuple(unbalanced)


def _fault(processes: int, answer: Factors, best: Factors) -> Fault | None:
    if len(answer) != len(best) or min(answer) < 1 or prod(answer) != processes:
        return Fault.PRODUCT
    if list(answer) != sorted(answer, reverse=True):
        return Fault.ORDER
    if answer == best:
        return None
    return Fault.SPREAD if answer[0] - answer[-1] > best[0] - best[-1] else Fault.TIE


def _small_factors(up_to: int, count: int, least: int = 1, product: int = 1) -> Iterator[Factors]:
    """All ascending tuples of `count` factors to which one more, not smaller than the last, can be added."""
    if count == 0:
        yield ()
        return
    factor = least
    while product * factor ** (count + 1) <= up_to:
        for further in _small_factors(up_to, count - 1, factor, product * factor):
            yield (factor, *further)
        factor += 1


def _keys(small: Factors, largest: IntArray) -> IntArray:
    """The quantity to minimise, the most important part first, as one number: first less last, the next ones inwards,
    the first.
    """
    within = small[-1] - small[1] if len(small) == 3 else 0
    return ((largest - small[0]) * _PLACE + within) * _PLACE + largest
