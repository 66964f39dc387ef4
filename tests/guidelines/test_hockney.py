"""Latency and bandwidth from ping-pongs, and expectations from them: against schedules that are played, whose time is
counted and not computed (schedules.py).
"""

import numpy as np
import pytest
from tests.guidelines import schedules as s

from ictus.guidelines.hockney import Hockney, best_segments, expected, fit
from ictus.model.errors import UsageError

LINK = Hockney(1.7e-6, 0.25e-9, 0.0, 2)
PROCESSES = (2, 3, 4, 5, 7, 8, 13, 16, 32)
SIZE = 240_240.0
"""A multiple of most of these numbers."""

Steps = list[s.Step]


def played(p: int, parts: tuple[Steps, ...], *, summed: bool) -> float:
    """The time of schedules one after another, each begun when the one before has ended."""
    total = 0.0
    for steps in parts:
        world = s.World(p, LINK.alpha_s, LINK.beta_s, summed=summed)
        for step in steps:
            for one in step:
                world.has(one.sender, one.blocks)
        if not summed:  # who receives a block later does not hold it yet
            received = {(one.receiver, block) for step in steps for one in step for block in one.blocks}
            own = {(block[0], block) for _, block in received if len(block) == 1 and block[0] < p}
            for key in received - own:
                world.holding_s.pop(key, None)
        total += world.play(steps)
    return total


def of(operation: str, algorithm: str, p: int, n: float) -> float:
    """An operation, played."""
    b = n / p
    up, down = list(s.linear_to_root(p, n)), list(s.linear_from_root(p, n, (p,)))
    tree_down, tree_up = list(s.binomial_from_root(p, n, (p,))), list(s.backwards(s.binomial_from_root(p, n)))
    k = best_segments(LINK, p, n)
    chain_down, chain_up = list(s.chain_from_root(p, n, k)), list(s.chain_of_sums(p, n, k))
    scatter, gather = list(s.binomial_scatter(p, b)), list(s.binomial_gather(p, b))
    direct_gather = list(s.linear_to_root(p, b))
    direct_scatter: Steps = [[s.Message(0, to, frozenset([(to + p,)]), b)] for to in range(1, p)]
    ring, ring_sums = list(s.ring_allgather(p, b)), list(s.ring_of_sums(p, b))
    known: dict[tuple[str, str], tuple[Steps, ...]] = {
        ("bcast", "linear"): (down,),
        ("bcast", "binomial"): (tree_down,),
        ("bcast", "ring"): (scatter, ring),
        ("bcast", "pipelined"): (chain_down,),
        ("reduce", "linear"): (up,),
        ("reduce", "binomial"): (tree_up,),
        ("reduce", "ring"): (ring_sums, gather),
        ("reduce", "pipelined"): (chain_up,),
        ("gather", "linear"): (direct_gather,),
        ("gather", "binomial"): (gather,),
        ("scatter", "linear"): (direct_scatter,),
        ("scatter", "binomial"): (scatter,),
        ("allgather", "linear"): (direct_gather, down),
        ("allgather", "binomial"): (gather, tree_down),
        ("allgather", "ring"): (ring,),
        ("allgather", "doubling"): (list(s.bruck_allgather(p, b)),),
        ("allreduce", "linear"): (up, down),
        ("allreduce", "binomial"): (tree_up, tree_down),
        ("allreduce", "ring"): (ring_sums, ring),
        ("allreduce", "pipelined"): (chain_up, chain_down),
        ("allreduce", "doubling"): (list(s.doubling_sum(p, n)),),
        ("reduce_scatter", "linear"): (up, direct_scatter),
        ("reduce_scatter", "binomial"): (tree_up, scatter),
        ("reduce_scatter", "ring"): (ring_sums,),
        ("alltoall", "linear"): (list(s.pairwise_alltoall(p, b)),),
        ("alltoall", "doubling"): (list(s.bruck_alltoall(p, b)),),
        ("scan", "linear"): (list(s.chain_of_sums(p, n, 1)),),
        ("scan", "pipelined"): (chain_up,),
        ("scan", "doubling"): (list(s.doubling_scan(p, n)),),
    }
    parts = known[operation, algorithm]
    summing = {id(up), id(tree_up), id(chain_up), id(ring_sums)}
    whole = operation in ("allreduce", "scan")
    return sum(played(p, (one,), summed=id(one) in summing or (whole and one is parts[0])) for one in parts)


@pytest.mark.parametrize("p", PROCESSES)
def test_formulas_are_the_times_of_schedules_that_are_played(p: int) -> None:
    """Every operation and algorithm, at every number of processes, message by message."""
    for operation in ("bcast", "reduce", "gather", "scatter", "allgather", "allreduce", "reduce_scatter", "alltoall"):
        for algorithm, seconds in expected(operation, LINK, p, SIZE).items():
            assert of(operation, algorithm, p, SIZE) == pytest.approx(seconds, rel=1e-9), (operation, algorithm)
    for algorithm, seconds in expected("scan", LINK, p, SIZE).items():
        assert of("scan", algorithm, p, SIZE) == pytest.approx(seconds, rel=1e-9), ("scan", algorithm)


def test_a_schedule_that_forgets_a_process_is_seen() -> None:
    """What is played is the operation: every process has the message at the end, and without one step it has not."""
    for steps in (list(s.binomial_from_root(13, 8.0)), list(s.linear_from_root(13, 8.0))):
        world = s.World(13, 1.0, 1.0)
        world.has(0, [(0,)])
        world.play(steps)
        assert world.all_have(range(13), [(0,)])
        cut = s.World(13, 1.0, 1.0)
        cut.has(0, [(0,)])
        cut.play(steps[:-1])
        assert not cut.all_have(range(13), [(0,)])
    for make in (s.ring_allgather, s.bruck_allgather):
        world = s.World(7, 1.0, 1.0)
        for rank in range(7):
            world.has(rank, [(rank,)])
        world.play(make(7, 8.0))
        assert world.all_have(range(7), [(rank,) for rank in range(7)])


def test_the_papers_first_case_study() -> None:
    """32 processes, 1.7 us: a direct gather of nothing takes (p-1) alpha = 52.7 us, a binomial tree 5 alpha = 8.5."""
    found = expected("gather", Hockney(1.7e-6, 0.0, 0.0, 2), 32, 32.0)
    assert found["linear"] == pytest.approx(52.7e-6)
    assert found["binomial"] == pytest.approx(8.5e-6)


def test_no_other_number_of_segments_is_better() -> None:
    """Against all of them."""
    for p in (2, 3, 8, 33):
        for size in (1, 10, 1000, 4096):
            chosen = expected("bcast", LINK, p, size)["pipelined"]
            every = [(p - 2 + k) * (LINK.alpha_s + LINK.beta_s * size / k) for k in range(1, size + 1)]
            assert chosen == pytest.approx(min(every), rel=1e-12)


def test_a_line_is_found_through_noise_and_an_outlier() -> None:
    """One size is three times as slow (a change of protocol): the line stays, and the residual tells of it."""
    sizes = [2**i for i in range(18)]
    noise = np.exp(0.02 * np.random.default_rng(3).standard_normal(len(sizes)))
    times = np.array([1.7e-6 + 0.25e-9 * size for size in sizes]) * noise
    clean = fit(sizes, times)
    assert clean.alpha_s == pytest.approx(1.7e-6, rel=0.03)
    assert clean.beta_s == pytest.approx(0.25e-9, rel=0.05)
    assert clean.residual is not None
    assert clean.residual < 0.08
    assert fit([1, 64], [1e-6, 2e-6]).residual is None, "a line through two points says nothing"
    times[9] *= 3
    bent = fit(sizes, times)
    assert bent.alpha_s == pytest.approx(1.7e-6, rel=0.05)
    assert bent.beta_s == pytest.approx(0.25e-9, rel=0.08)
    assert bent.residual is not None
    assert bent.residual > 0.5
    plain = np.polyfit(sizes, times, 1)
    assert abs(plain[1] / 1.7e-6 - 1) > 0.1, "least squares would have been fooled, or this shows nothing"


def test_an_exact_line_is_found_exactly_and_nothing_is_negative() -> None:
    """Two points are a line; falling times have no bandwidth, and latency is not below 0."""
    found = fit([0, 1000], [2e-6, 3e-6])
    assert [found.alpha_s, found.beta_s] == pytest.approx([2e-6, 1e-9])
    assert fit([1, 1000], [3e-6, 2e-6]).beta_s == 0.0
    assert fit([1000, 2000], [1e-6, 5e-6]).alpha_s == 0.0
    with pytest.raises(UsageError, match="ping-pongs of 2 sizes"):
        fit([8], [1e-6])
    with pytest.raises(ValueError, match="positive time"):
        fit([8, 16], [1e-6, float("nan")])
