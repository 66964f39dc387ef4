"""Waiting, as libictus-profile.so finds it, against what a program says of its own arrivals
(native/tests/programs/late_ranks.c).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest
from tests.native.launching import EITHER, start
from tests.native.programs import compiled
from tests.native.trees import mpi_tree

from ictus.programs.profile.analysis import ProgramProfile, load_profile, summarise
from ictus.programs.profile.counters import read_counters
from ictus.programs.profile.page import profile_page

pytestmark = pytest.mark.mpi  # ranks that wait for each other take both cores

RANKS, LATE_US = 3, 6_000
SKEWED = "skewed(offset=1s,drift=20ppm)"
"""Each process' clock is off by up to a second and grows by up to 20 ppm: what is found is then the clocks' work."""
BETWEEN_STAMPS_S = 10e-6
"""From the program's reading of a clock to ours, in which the call is described."""


def profiled(
    label: str, folder: Path, *words: object, clock: str = "", n: int = RANKS
) -> tuple[ProgramProfile, Mapping[tuple[int, int], float]]:
    """A run of late_ranks.c: the profile, and how long each rank waited in each call, by the program itself; of one
    that is `left` without MPI_Finalize, where the launcher may kill those that have not left yet, perhaps nothing.
    """
    program = compiled(label, "late_ranks", folder, "-D_POSIX_C_SOURCE=199309L", "-D_DEFAULT_SOURCE")
    counters = folder / "-".join(map(str, words))
    environment = {"LD_PRELOAD": str(mpi_tree(label).folder / "libictus-profile.so"), "ICTUS_PROFILE": str(counters)}
    if clock:
        environment["ICTUS_PROFILE_CLOCK"] = clock
    ended = start(label, n, program, *words, folder=folder, environment=environment)
    assert ended.exit_code == 0 or "left" in words, ended.output + ended.error
    said = [line.split() for line in ended.output.splitlines()] if ended.exit_code == 0 else []
    return load_profile(counters), {(int(call), int(rank)): float(waited) for call, rank, waited in said}


def on_a_wrong_clock(folder: Path, wrong_s: float) -> ProgramProfile:
    """The same run, with the arrivals of rank 1 off by a time of which its bound says nothing."""
    return summarise(
        tuple(
            replace(one, arrivals=one.arrivals.with_columns(pl.col("entered_s") + wrong_s * (one.rank == 1)))
            for one in map(read_counters, sorted(folder.glob("rank-*.counters")))
        )
    )


def call_of(number: int) -> int:
    """The program's number of a call: starts of a persistent request are numbered from 1, beside their request's."""
    return number if number < 1 << 32 else number % (1 << 32) - 1


def share_inside(profile: ProgramProfile, operation: str, truth: Mapping[tuple[int, int], float]) -> float:
    """Of the sampled arrivals, those whose true waiting lies in the proven interval."""
    rows = [row for row in profile.arrivals.iter_rows(named=True) if row["operation"] == operation]
    assert rows
    waited = [truth[call_of(row["number"]), row["rank"]] for row in rows]
    inside = [
        row["waiting_low_s"] - BETWEEN_STAMPS_S <= min(one, row["time_s"])
        and one <= row["waiting_high_s"] + BETWEEN_STAMPS_S
        for row, one in zip(rows, waited, strict=True)
    ]
    return float(np.mean(inside))


def proves_half(
    profile: ProgramProfile, operation: str, truth: Mapping[tuple[int, int], float], ranks: Sequence[int]
) -> bool:
    """Whether at least half of what each of these ranks waited is proven. How long that is, is up to whoever else is on
    the cores: the program's own stamps say it, never the lateness that was asked for.
    """
    own = profile.arrivals.filter(operation=operation).group_by("rank").agg(pl.col("waiting_low_s").sum())
    proven = dict(own.iter_rows())
    return all(proven[rank] >= 0.5 * sum(truth[call, one] for call, one in truth if one == rank) for rank in ranks)


def comes_last(profile: ProgramProfile, truth: Mapping[tuple[int, int], float]) -> bool:
    """Whether rank 1 is told to be the last as often as it was, give or take half."""
    return bool(
        profile.ranks.filter(rank=1)["last_calls"][0] >= sum(truth[key] == 0 for key in truth if key[1] == 1) / 2
    )


@pytest.mark.parametrize("label", EITHER)
def test_waiting_is_found_within_its_interval_on_the_ranks_that_wait(label: str, tmp_path: Path) -> None:
    """By clocks that are off by a second: a rank that is late keeps the others waiting, or the root of a gather alone,
    and does not wait itself. Where no rank is late, what waits is as long as the program says, too.
    """
    all_wait, truth = profiled(label, tmp_path, LATE_US, "allreduce", 20, clock=SKEWED)
    assert share_inside(all_wait, "Allreduce", truth) >= 0.9  # a rank may lose its core between the two stamps
    assert proves_half(all_wait, "Allreduce", truth, (0, 2))
    (row,) = all_wait.calls.filter(operation="Allreduce").to_dicts()
    assert row["sampled_calls"] == row["calls"] == 20 * RANKS
    assert row["waiting_low_s"] == pytest.approx(all_wait.arrivals.filter(operation="Allreduce")["waiting_low_s"].sum())
    assert row["waiting_low_s"] <= row["waiting_s"] <= row["waiting_high_s"] <= row["time_s"]
    assert comes_last(all_wait, truth)

    page = profile_page(all_wait, "ictus profile show prof", "1.0")
    assert all(f"Allreduce, 128: {which}" in page for which in ("the middle one", "most waiting"))
    assert all(f"rank {rank}: came" in page for rank in range(RANKS))

    root_waits, truth = profiled(label, tmp_path, LATE_US, "gather", 20, clock=SKEWED)
    assert share_inside(root_waits, "Gather", truth) >= 0.9
    waiting = (
        root_waits.arrivals.filter(operation="Gather")
        .group_by("rank")
        .agg(cs.starts_with("waiting").sum())
        .sort("rank")
    )
    assert waiting["waiting_high_s"].to_list()[1:] == [0.0, 0.0]
    assert proves_half(root_waits, "Gather", truth, (0,))

    nobody_late, truth = profiled(label, tmp_path, 0, "allreduce", 20, clock=SKEWED)
    assert share_inside(nobody_late, "Allreduce", truth) >= 0.9


@pytest.mark.parametrize(("label", "n"), [("openmpi", 2), ("mpich", 3)])
def test_each_rank_that_is_late_in_its_turn_is_told_as_who_was_waited_for(label: str, n: int, tmp_path: Path) -> None:
    """By other times in each call. A clock that is wrong by more than its bound makes the check fail."""
    profile, truth = profiled(label, tmp_path, LATE_US // 2, "allreduce", 18, "turns", clock=SKEWED, n=n)
    assert share_inside(profile, "Allreduce", truth) >= 0.9
    caused = dict.fromkeys(range(n), 0.0)
    for (call, rank), waited in truth.items():
        last = next(other for other in range(n) if truth[call, other] == 0)
        caused[last] += waited if rank != last else 0.0
    own = profile.arrivals.filter(operation="Allreduce").group_by("awaited").agg(pl.col("waiting_s").sum())
    awaited = dict(own.iter_rows())
    assert all(0.5 * caused[rank] <= awaited[rank] <= 1.5 * caused[rank] for rank in range(n)), (awaited, caused)
    wrong = on_a_wrong_clock(tmp_path / f"{LATE_US // 2}-allreduce-18-turns", 1e-3)
    assert share_inside(wrong, "Allreduce", truth) < 0.9


@pytest.mark.parametrize(
    ("label", "how", "operation"),
    [
        ("mpich", "persistent", "Allreduce_init"),
        ("openmpi", "iallreduce", "Iallreduce"),
        pytest.param("mpich", "iallreduce", "Iallreduce", marks=pytest.mark.long),
        pytest.param("openmpi", "persistent", "Allreduce_init", marks=pytest.mark.long),
    ],
)
def test_a_started_call_is_waited_for_in_its_wait(label: str, how: str, operation: str, tmp_path: Path) -> None:
    """Until the last process has started it: who computes between start and wait, waits less, and who starts last, not
    at all. What the start itself takes is no waiting.
    """
    profile, truth = profiled(label, tmp_path, LATE_US, how, 20, clock=SKEWED)
    wait = f"Wait of {operation}"
    assert share_inside(profile, wait, truth) >= 0.9
    assert proves_half(profile, wait, truth, (0, 2))
    (row,) = profile.calls.filter(operation=wait).to_dicts()
    assert row["sampled_calls"] == row["calls"] == 20 * RANKS
    assert row["waiting_low_s"] <= row["waiting_high_s"] <= row["time_s"]
    (started,) = profile.calls.filter(operation=operation).to_dicts()
    assert started["waiting_s"] is None
    assert comes_last(profile, truth)


def test_the_same_calls_are_sampled_on_all_ranks_in_bounded_memory(tmp_path: Path) -> None:
    """Of 1,200 calls at most 512 are kept, over the whole run, each of all ranks; what they stand for is near the
    truth. Without MPI_Finalize, waiting is not proven, and nothing is told of it.
    """
    profile, truth = profiled("mpich", tmp_path, 50, "allreduce", 1200)
    (row,) = profile.calls.filter(operation="Allreduce").to_dicts()
    assert (row["calls"], profile.warnings) == (1200 * RANKS, ())
    numbers = profile.arrivals.filter(operation="Allreduce")["number"].unique().sort()
    assert row["sampled_calls"] == numbers.len() * RANKS
    assert 128 <= numbers.len() <= 512
    assert numbers[0] < 100
    assert numbers[-1] > 1100
    assert share_inside(profile, "Allreduce", truth) >= 0.9
    assert row["waiting_low_s"] < row["waiting_s"] < row["waiting_high_s"] < row["time_s"]

    left, _ = profiled("mpich", tmp_path, 0, "allreduce", 20, "left")
    assert left.calls["waiting_s"].null_count() == left.calls.height
    assert (left.waiting_share, left.clock) == (None, "")
    assert "waiting is not proven" in left.warnings[0]
