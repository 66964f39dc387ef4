"""The Hockney model of a message, t(m) = alpha + beta m, fitted to one-way ping-pong times, and what collectives would
take by it.

alpha is the time of an empty message, beta that of each further byte. Both are the coefficients of a line through the
medians of launches. It minimises relative errors, because times span decades, and is robust by Huber's weights, because
no line holds over the change from eager messages to rendezvous. The largest relative residual is reported: an
expectation is no better than it. Source: R. Hockney, The communication challenge for MPP, Parallel Computing 20(3),
1994; P. J. Huber, Robust estimation of a location parameter, 1964.

Each process sends and receives one message at a time (both at once), a message of m bytes takes alpha + beta m, and
computing takes nothing, as in the paper's first case study. n is the total volume, p the number of processes, b = n/p a
block, and lg p is log2 p rounded up.

- linear: p-1 whole messages (bcast, reduce, scan), p-1 blocks (gather, scatter, alltoall);
- binomial: lg p whole messages (bcast, reduce), or lg p messages that carry p-1 blocks together (gather, scatter);
- ring: p-1 blocks (allgather, reduce_scatter); of bcast a binomial scatter and a ring allgather, of reduce a ring
  reduce_scatter and a binomial gather;
- pipelined: p-2+k segments of n/k down a chain (bcast, reduce, scan), k the best number of them;
- doubling: lg p whole messages (allreduce, which takes two more unless p is a power of two; scan), lg p messages that
  carry p-1 blocks together (allgather), or in round i the blocks whose way has bit i (alltoall).

Other algorithms are two of these in a row: allgather is gather and bcast, allreduce reduce and bcast, reduce_scatter
reduce and scatter, a barrier a minimal allreduce. Sources: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of
collective communication operations in MPICH, 2005; J. Pjesivac-Grbovic et al., Performance analysis of MPI collective
operations, 2007. The tests play schedules message by message instead.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ictus.model.errors import UsageError
from ictus.stats.arrays import FloatArray

_ROUNDS = 50
_TUNING = 1.345
"""Huber's constant: 95 % efficient where errors are normal."""
_SCALE = 1.4826
"""Makes the median absolute deviation of normal errors their standard deviation."""
_LEAST_SIZES = 2


@dataclass(frozen=True)
class Hockney:
    """A link between two processes. Times in seconds."""

    alpha_s: float
    """Latency: the time of a message without its bytes."""
    beta_s: float
    """For each byte."""
    residual: float | None
    """Largest relative difference between the line and what was measured; None for two sizes, through which a line goes
    exactly.
    """
    n_sizes: int

    @property
    def bandwidth(self) -> float:
        """Bytes per second; infinite where bytes cost nothing."""
        return 1 / self.beta_s if self.beta_s > 0 else float("inf")

    def message_s(self, size_bytes: float) -> float:
        """The time of one message."""
        return self.alpha_s + self.beta_s * size_bytes


def fit(sizes_bytes: Sequence[int], one_way_s: ArrayLike) -> Hockney:
    """The line through one median a size. Neither number is below 0: a line that would be is drawn through the rest.

    UsageError for fewer than two different sizes; `ValueError` for times that are not positive and finite.
    """
    x, y = np.asarray(sizes_bytes, dtype=np.float64), np.asarray(one_way_s, dtype=np.float64)
    if x.shape != y.shape or not (np.isfinite(y).all() and (y > 0).all()):
        raise ValueError("a line needs a positive time for each size")
    if np.unique(x).size < _LEAST_SIZES:
        raise UsageError(f"latency and bandwidth need ping-pongs of {_LEAST_SIZES} sizes, and there is {x.size}")
    weights = np.ones_like(y)
    alpha, beta = _line(x, y, weights)
    for _ in range(_ROUNDS):
        errors = (alpha + beta * x) / y - 1
        scale = _SCALE * float(np.median(np.abs(errors)))
        if scale <= np.finfo(np.float64).eps:
            break
        weights = np.minimum(1.0, _TUNING * scale / np.maximum(np.abs(errors), np.finfo(np.float64).tiny))
        alpha, beta = _line(x, y, weights)
    exact = np.unique(x).size <= _LEAST_SIZES
    return Hockney(alpha, beta, None if exact else float(np.abs((alpha + beta * x) / y - 1).max()), x.size)


def _line(x: FloatArray, y: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Least squares of relative errors: minimise the sum of w ((alpha + beta x) / y - 1)^2, both not negative."""
    w = weights / y**2
    total, mean_x, mean_y = w.sum(), (w * x).sum() / w.sum(), (w * y).sum() / w.sum()
    beta = float((w * (x - mean_x) * (y - mean_y)).sum() / (w * (x - mean_x) ** 2).sum())
    alpha = float(mean_y - beta * mean_x)
    if beta < 0:
        return float(mean_y), 0.0
    if alpha < 0:
        return 0.0, float((w * x * y).sum() / (w * x**2).sum())
    assert total > 0
    return alpha, beta


ALGORITHMS = ("linear", "binomial", "ring", "pipelined", "doubling")
"""Their names here. `doubling` is recursive doubling, dissemination, or Bruck's algorithm."""

Time = Callable[[Hockney, int, float], float]
"""The time for a link, a number of processes and a total volume in bytes."""


def expected(operation: str, link: Hockney, n_processes: int, size_bytes: float) -> dict[str, float]:
    """Seconds by algorithm, of those that the model is defined for; empty for an operation that has none."""
    formulas = TIMES.get(operation.removesuffix("v") if operation in _COUNTED else operation, {})
    if n_processes < 2:
        return dict.fromkeys(formulas, 0.0)
    return {name: formulas[name](link, n_processes, size_bytes) for name in ALGORITHMS if name in formulas}


def rounds(p: int) -> int:
    """log2 p, rounded up."""
    return (p - 1).bit_length()


def best_segments(link: Hockney, p: int, size_bytes: float) -> int:
    """The number of segments k that makes a chain of p processes fastest: (p-2+k)(alpha + beta n/k) is least at
    sqrt((p-2) beta n / alpha), and of whole numbers at one of its neighbours. No segment is shorter than a byte.
    """
    most = max(1, floor(size_bytes))
    ideal = sqrt((p - 2) * link.beta_s * size_bytes / link.alpha_s) if link.alpha_s > 0 else inf
    near = (most,) if ideal >= most else (max(1, floor(ideal)), max(1, ceil(ideal)))
    return min(near, key=lambda k: _chain(link, p, size_bytes, k))


def _chain(link: Hockney, p: int, n: float, segments: int) -> float:
    return (p - 2 + segments) * link.message_s(n / segments)


def _direct(link: Hockney, p: int, n: float) -> float:
    """One process has a whole message with each other."""
    return (p - 1) * link.message_s(n)


def _blocks(link: Hockney, p: int, n: float) -> float:
    """A block to or from each other process."""
    return (p - 1) * link.message_s(n / p)


def _tree(link: Hockney, p: int, n: float) -> float:
    return rounds(p) * link.message_s(n)


def _growing(link: Hockney, p: int, n: float) -> float:
    """A tree whose messages are as many blocks as are behind them: each block but one's own is moved once."""
    return rounds(p) * link.alpha_s + (p - 1) * link.beta_s * n / p


def _pipelined(link: Hockney, p: int, n: float) -> float:
    return _chain(link, p, n, best_segments(link, p, n))


def _doubled(link: Hockney, p: int, n: float) -> float:
    """Pairs exchange whole messages; those beyond a power of two are folded in before and get the result after."""
    whole_power = 1 << (p.bit_length() - 1)
    return (rounds(whole_power) + (0 if whole_power == p else 2)) * link.message_s(n)


def _bruck(link: Hockney, p: int, n: float) -> float:
    """In round i each process sends on the blocks that are to go a distance with bit i."""
    moved = [sum(distance >> bit & 1 for distance in range(p)) for bit in range(rounds(p))]
    return sum(link.message_s(count * n / p) for count in moved)


def _both(first: Time, second: Time) -> Time:
    return lambda link, p, n: first(link, p, n) + second(link, p, n)


TIMES: Mapping[str, Mapping[str, Time]] = {
    "bcast": {"linear": _direct, "binomial": _tree, "ring": _both(_growing, _blocks), "pipelined": _pipelined},
    "reduce": {"linear": _direct, "binomial": _tree, "ring": _both(_blocks, _growing), "pipelined": _pipelined},
    "gather": {"linear": _blocks, "binomial": _growing},
    "scatter": {"linear": _blocks, "binomial": _growing},
    "allgather": {
        "linear": _both(_blocks, _direct),
        "binomial": _both(_growing, _tree),
        "ring": _blocks,
        "doubling": _growing,
    },
    "allreduce": {
        "linear": _both(_direct, _direct),
        "binomial": _both(_tree, _tree),
        "ring": _both(_blocks, _blocks),
        "pipelined": _both(_pipelined, _pipelined),
        "doubling": _doubled,
    },
    "reduce_scatter": {"linear": _both(_direct, _blocks), "binomial": _both(_tree, _growing), "ring": _blocks},
    "alltoall": {"linear": _blocks, "doubling": _bruck},
    "scan": {"linear": _direct, "pipelined": _pipelined, "doubling": _tree},
    "barrier": {"linear": _both(_direct, _direct), "binomial": _both(_tree, _tree), "doubling": _tree},
}
TIMES = {**TIMES, "reduce_scatter_block": TIMES["reduce_scatter"], "exscan": TIMES["scan"]}
"""By operation and algorithm."""

_COUNTED = ("gatherv", "scatterv", "allgatherv", "alltoallv")
"""With equal counts they move what the regular ones do."""
