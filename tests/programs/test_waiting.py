"""Waiting against transfer, from made-up arrivals whose truth is known."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from ictus.programs.profile.waiting import SampledCalls, waiting_in_calls, waiting_of_kinds

CAME = (3.0, 1.0, 7.0, 2.0)
"""When four processes come; the third is last. The call takes each of them to 8."""


def arrivals(
    operation: str,
    came: Sequence[float] = CAME,
    left: float | Sequence[float] = 8.0,
    bound: float | Sequence[float] = 0.0,
    **more: Any,
) -> list[dict[str, Any]]:
    """One call of all processes."""
    n = len(came)
    lefts, bounds = np.broadcast_to(left, n), np.broadcast_to(bound, n)
    common: Mapping[str, Any] = {"group": 1, "communicator": "world", "n_ranks": n, "stream_class": 8, "number": 0}
    return [
        {
            **common,
            "operation": operation,
            "size_class": 8,
            "root": 0,
            "is_end": False,
            "ending": operation,
            "own_rank": rank,
            "rank": 10 + rank,
            "entered_s": came[rank],
            "bound_s": float(bounds[rank]),
            "time_s": float(lefts[rank]) - came[rank],
            **more,
        }
        for rank in range(n)
    ]


def found(*calls: list[dict[str, Any]]) -> SampledCalls:
    """What is known of these calls, in any order."""
    rows = [row for call in calls for row in call]
    return waiting_in_calls(pl.DataFrame(rows).sample(fraction=1.0, shuffle=True, seed=1))


def waits(sampled: SampledCalls, name: str = "waiting_s") -> list[float]:
    """Of the processes, in order."""
    return sampled.arrivals.sort("number", "own_rank")[name].to_list()


@pytest.mark.parametrize(
    ("operation", "root", "waiting"),
    [
        ("Allreduce", -1, [4.0, 6.0, 0.0, 5.0]),
        ("Barrier", -1, [4.0, 6.0, 0.0, 5.0]),
        ("Alltoallv", -1, [4.0, 6.0, 0.0, 5.0]),
        ("Bcast", 0, [0.0, 2.0, 0.0, 1.0]),
        ("Scatterv", 2, [4.0, 6.0, 0.0, 5.0]),
        ("Reduce", 1, [0.0, 6.0, 0.0, 0.0]),
        ("Gather", 2, [0.0, 0.0, 0.0, 0.0]),
        ("Scan", -1, [0.0, 2.0, 0.0, 5.0]),
    ],
)
def test_a_process_waits_for_those_without_whom_its_call_cannot_end(
    operation: str, root: int, waiting: list[float]
) -> None:
    """By hand: all for the last, all for the root, the root for all, each for the ranks below it. Clocks without an
    error give no interval.
    """
    sampled = found(arrivals(operation, root=root))
    assert [waits(sampled, name) for name in ("waiting_s", "waiting_low_s", "waiting_high_s")] == [waiting] * 3
    assert (sampled.calls, sampled.contradicted) == (1, 0)


def test_waiting_is_no_longer_than_the_call_and_nothing_where_nothing_moves() -> None:
    """A process may leave a broadcast of pieces early; a call of no bytes synchronises nobody."""
    early = found(arrivals("Alltoallv", left=(4.0, 8.0, 8.0, 8.0)))
    assert waits(early) == [1.0, 6.0, 0.0, 5.0]
    assert waits(found(arrivals("Allreduce", size_class=0))) == [0.0] * 4
    assert waits(found(arrivals("Barrier", size_class=0))) == [4.0, 6.0, 0.0, 5.0]


def test_the_interval_holds_the_truth_whatever_the_clocks_show_within_their_bounds() -> None:
    """Each clock is off by anything up to its bound: the true waiting is always inside, the last one's included. With
    bounds halved it would not be.
    """
    random = np.random.default_rng(5)
    bounds = np.array([0.4, 0.1, 0.8, 0.0])
    truth = np.array([4.0, 6.0, 0.0, 5.0])
    held = {1.0: 0, 0.5: 0}
    for _ in range(100):
        came = np.array(CAME) + random.uniform(-1, 1, 4) * bounds
        for share in held:
            sampled = found(
                arrivals("Allreduce", tuple(came), tuple(came + 7.0 - (np.array(CAME) - 1)), tuple(share * bounds))
            )
            low, high = (np.array(waits(sampled, name)) for name in ("waiting_low_s", "waiting_high_s"))
            held[share] += bool((low <= truth + 1e-12).all() and (truth <= high + 1e-12).all())
    assert held[1.0] == 100
    assert held[0.5] < 100


def test_without_imbalance_nothing_is_proven_to_be_waiting() -> None:
    """All come at once and the clocks are off by less than their bound; of a clock of which nothing is proven, all or
    nothing may be waiting.
    """
    sampled = found(arrivals("Allreduce", (1.0, 1.1, 0.9, 1.05), bound=0.1))
    assert waits(sampled, "waiting_low_s") == [0.0] * 4
    unproven = found(arrivals("Allreduce", bound=(0.0, float("nan"), 0.0, 0.0)))
    assert waits(unproven, "waiting_low_s")[1] == 0.0
    assert waits(unproven, "waiting_high_s") == [5.0, 7.0, 1.0, 6.0]


def test_calls_that_a_process_lacks_or_that_cannot_be_one_are_left_out() -> None:
    """Three of four processes are no call; who left at 2 did not wait for who came at 7, so these are two calls."""
    whole = arrivals("Allreduce")
    wrong = arrivals("Allreduce", left=(8.0, 2.0, 8.0, 8.0), number=1)
    sampled = found(whole, wrong, arrivals("Allreduce", number=2)[:3])
    assert (sampled.calls, sampled.contradicted) == (1, 1)
    assert sampled.arrivals["number"].to_list() == [0] * 4


def test_what_was_sampled_stands_for_all_calls_of_its_kind() -> None:
    """5 of 10 calls, in each of them 15 of 19 seconds waiting: 15/19 of the time of all ten. Of a few of uneven calls
    the interval says that the others may be different.
    """
    even = found(*(arrivals("Allreduce", number=number) for number in range(5)))
    kinds = pl.DataFrame([{"operation": "Allreduce", "calls": 40, "time_s": 200.0}])
    (row,) = waiting_of_kinds(even.arrivals, kinds, ("operation",)).to_dicts()
    assert row["sampled_calls"] == 20
    assert [row[f"waiting_{one}s"] for one in ("", "low_", "high_")] == pytest.approx([200.0 * 15 / 19] * 3)
    uneven = found(arrivals("Allreduce"), arrivals("Allreduce", (7.0, 7.0, 7.0, 7.0), number=1))
    (row,) = waiting_of_kinds(uneven.arrivals, kinds, ("operation",)).to_dicts()
    assert row["waiting_low_s"] < row["waiting_s"] < row["waiting_high_s"]
    (row,) = waiting_of_kinds(uneven.arrivals, kinds.with_columns(calls=pl.lit(8)), ("operation",)).to_dicts()
    assert row["waiting_low_s"] == row["waiting_high_s"] == pytest.approx(200.0 * 15 / 23)


@pytest.mark.parametrize(
    ("operation", "waiting"),
    [
        ("Iallreduce", [1.0, 5.5, 0.0, 0.0]),
        ("Allreduce_init", [1.0, 5.5, 0.0, 0.0]),
        ("Igather", [1.0, 0.0, 0.0, 0.0]),
        ("Ibcast", [0.0, 1.5, 0.0, 0.0]),
    ],
)
def test_a_started_call_is_waited_for_until_the_last_has_started_it(operation: str, waiting: list[float]) -> None:
    """From when the wait is entered, which is as well behind the last start; to start is no waiting. A start that is
    not known of all processes proves nothing of the waits.
    """
    started = arrivals(operation, left=[came + 0.25 for came in CAME])
    entered = [6.0, 1.5, 7.5, 7.25]
    ended = arrivals(operation, entered, is_end=True, ending=f"Wait of {operation}")
    sampled = found(started, ended)
    assert waits(sampled) == waiting
    assert set(sampled.arrivals["operation"]) == {f"Wait of {operation}"}
    assert sampled.arrivals.sort("own_rank")["arrived_s"].to_list() == list(CAME)
    assert (sampled.calls, sampled.contradicted) == (1, 0)
    assert found(started[1:], ended).arrivals.height == 0


def test_a_wait_that_ends_before_the_last_start_contradicts() -> None:
    """Then two calls were taken for one."""
    early = arrivals("Iallreduce", [3.5, 1.5, 7.5, 2.5], left=[6.5, 6.5, 8.0, 6.5], is_end=True, ending="Wait")
    sampled = found(arrivals("Iallreduce"), early)
    assert (sampled.calls, sampled.contradicted) == (0, 1)


@pytest.mark.parametrize(
    ("operation", "root", "awaited"),
    [("Allreduce", -1, [12] * 4), ("Gather", 1, [12] * 4), ("Bcast", 3, [13] * 4), ("Scan", -1, [None, 10, 10, 12])],
)
def test_it_is_told_for_whom_a_process_waits(operation: str, root: int, awaited: list[int | None]) -> None:
    """For the last of those that it needs, by its rank in the program: by hand, of CAME."""
    assert waits(found(arrivals(operation, root=root)), "awaited") == awaited


def simulated(n: int, seed: int, clock_error_s: Sequence[float], bound_s: Sequence[float]) -> tuple[Any, Any]:
    """20 calls of `n` processes, of which in each another comes late by a known time, seen on clocks that are off: the
    sampled calls, and the true waiting, computed rank by rank.
    """
    random, calls, truth = np.random.default_rng(seed), [], []
    for number in range(20):
        came = random.uniform(0.0, 1e-5, n)
        came[number % n] += random.uniform(1e-4, 1e-2)
        left = max(came) + random.uniform(1e-6, 1e-4, n)
        truth += [max(0.0, max(came[other] for other in range(n) if other != rank) - came[rank]) for rank in range(n)]
        seen = came + np.asarray(clock_error_s)
        calls.append(arrivals("Allreduce", tuple(seen), tuple(seen + left - came), tuple(bound_s), number=number))
    return found(*calls), np.array(truth)


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_known_delays_are_found_within_the_bound_and_a_wrong_clock_is_not(n: int) -> None:
    """Of each rank in turn. One clock that is wrong by five bounds and says nothing of it breaks the interval, and the
    last rank is another one: the check can fail.
    """
    bounds = np.full(n, 2e-6)
    errors = np.random.default_rng(n).uniform(-1, 1, n) * bounds
    sampled, truth = simulated(n, n, tuple(errors), tuple(bounds))

    def holds(one: SampledCalls) -> bool:
        low, high = (np.array(waits(one, f"waiting_{end}_s")) for end in ("low", "high"))
        return one.contradicted == 0 and bool(((low <= truth + 1e-12) & (truth <= high + 1e-12)).all())

    assert holds(sampled)
    assert (np.array(waits(sampled)) - truth).max() <= 2 * 2e-6
    late = sampled.arrivals.sort("number", "own_rank").filter(pl.col("waiting_s") > 5e-5)
    assert (late["awaited"] - 10 == late["number"] % n).all()
    errors[-1] = 5 * 2e-6
    assert not holds(simulated(n, n, tuple(errors), tuple(bounds))[0])
