"""What share of a communication a computation hides, by our definition and by those of other suites.

Ours is not clipped: below 0 the overlapped operation costs more than the blocking one, and that is worth knowing.
Source: T. Hoefler, T. Schneider, A. Lumsdaine, "Accurately measuring collective operations at massive scale", sec. 4;
OSU micro-benchmarks, osu_iallreduce; Intel MPI Benchmarks, IMB-NBC.
"""

import numpy as np
from numpy.typing import ArrayLike


def overlap(overhead_s: float, blocking_s: float) -> float:
    """1 - overhead / T_b: 1 where nothing is left of the communication, 0 where nothing is hidden, below 0 where it
    costs more than the blocking one. The overhead is the whole less the computation. ValueError unless T_b is positive.
    """
    if not blocking_s > 0:
        raise ValueError(f"a blocking time of {blocking_s} s hides nothing")
    return 1 - overhead_s / blocking_s


def osu_overlap(pure_s: ArrayLike, compute_s: ArrayLike, total_s: ArrayLike) -> float:
    """OSU's overlap, 0 to 1, from what each rank measures on average, shape (ranks,): the average over ranks of the
    whole less that of the computation, over that of the pure communication; never below 0.
    """
    pure, compute, total = (float(np.asarray(one, dtype=np.float64).mean()) for one in (pure_s, compute_s, total_s))
    return max(0.0, 1 - (total - compute) / pure)


def imb_overlap(pure_s: ArrayLike, cpu_s: ArrayLike, total_s: ArrayLike) -> float:
    """IMB-NBC's overlap, 0 to 1, from what each rank measures on average, shape (ranks,): of the rank with the largest
    whole, what was saved against one after the other, over the longer of the two; never outside 0 to 1.
    """
    totals = np.asarray(total_s, dtype=np.float64)
    rank = int(np.argmax(totals))
    pure, cpu = float(np.asarray(pure_s)[rank]), float(np.asarray(cpu_s)[rank])
    return min(1.0, max(0.0, (pure + cpu - float(totals[rank])) / max(pure, cpu)))
