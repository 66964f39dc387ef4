"""`ictus-bench barriers skew`, launched for real on clocks of known skew: what is measured against what is true."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.native.launching import LIBRARIES, Ended, start
from tests.native.study_launches import DRIFTING
from tests.native.trees import mpi_tree

pytestmark = pytest.mark.mpi

SLICES = ("round-time(slice=20ms)", "round-time(slice=500us)")
"""The short one is spent in the warm-up, and many times more."""
STARTS = ("none", "barrier(library)", "barrier(dissemination)", "window", "harmonize", *SLICES)
NREP = 20
ROUNDING_S = 4e-9
"""Clocks are skewed to the nearest of their ticks, which are nanoseconds here."""

Document = dict[str, Any]


def barriers(label: str, *words: str, folder: Path) -> Ended:
    """Launch `ictus-bench barriers ...` of the test tree with two ranks."""
    return start(label, 2, mpi_tree(label).folder / "ictus-bench", "barriers", *words, folder=folder)


@pytest.fixture(scope="module", params=LIBRARIES)
def skew(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Document:
    """One study; the tolerance is so large that a busy machine does not empty it."""
    folder = tmp_path_factory.mktemp(request.param)
    words = ("--clock", DRIFTING, "--procsync", ",".join(STARTS), "--repetition", f"fixed(nrep={NREP})")
    more = ("--entry-tolerance", "1s", "--warmup", "3", "--output", str(folder / "skew.json"))
    ended = barriers(request.param, "skew", *words, *more, folder=folder)
    assert ended.exit_code == 0, ended.error
    loaded: Document = json.loads((folder / "skew.json").read_text("utf-8"))
    return loaded


def worst_disagreement(found: Document) -> float:
    """By how much a rank's mean or a repetition's skew is measured worse than the clock bound allows, seconds."""
    worst = 0.0
    for one in found["starts"]:
        for event in ("entry", "exit"):
            for key in ("mean_s", "skew_s"):
                pairs = zip(one["measured"][event][key], one["true"][event][key], strict=True)
                apart = max((abs(measured - true) for measured, true in pairs), default=0.0)
                worst = max(worst, apart - 2 * one["clock_bound_s"])
    return worst


def test_measured_exits_are_the_true_ones_within_the_bound(skew: Document) -> None:
    """Two clocks seconds apart: what is told on the global clock is what their common counter says."""
    assert skew["counter_shared"] is True
    assert worst_disagreement(skew) < ROUNDING_S
    spoiled = json.loads(json.dumps(skew))
    spoiled["starts"][0]["measured"]["exit"]["mean_s"][1] += 0.1
    assert worst_disagreement(spoiled) > 0.09


def test_every_start_is_entered_and_every_attempt_is_counted(skew: Document) -> None:
    """Attempts are valid, late or missed; no start has more valid ones than were asked for; all in shuffled order.

    A slice of 20 ms ends before 20 repetitions on a busy machine: the start is then prepared anew.
    """
    assert sorted(one["name"] for one in skew["starts"]) == sorted(STARTS)
    for one in skew["starts"]:
        assert one["attempted"] == one["valid"] + one["late_entry"] + one["missed"]
        assert 0 < one["valid"] <= NREP
        for account in (one["measured"], one["true"]):
            assert len(account["exit"]["skew_s"]) == len(account["duration_s"]) == one["valid"]
            assert min(account["exit"]["skew_s"]) >= 0
            assert min(account["exit"]["mean_s"]) >= 0
            assert max(account["exit"]["mean_s"]) <= max(account["exit"]["skew_s"])


def test_clocks_that_are_left_alone_part_while_time_passes(tmp_path: Path) -> None:
    """By a drift that was not learnt windows start apart: hardly at once, and by what has gathered after 0.3 s.

    Only offsets are learnt: a drift that is learnt badly, as others use the cores, makes every start late.
    """
    words = ("--clock", DRIFTING, "--procsync", "window", "--repetition", "fixed(nrep=10)", "--entry-tolerance", "1s")
    more = ("--clocksync", "skampi", "--waits", "0,0.3s", "--left-alone")
    ended = barriers("mpich", "skew", *words, *more, "--output", str(tmp_path / "skew.json"), folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    found = json.loads((tmp_path / "skew.json").read_text("utf-8"))
    assert found["left_alone"] is True
    assert [one["wait_s"] for one in found["starts"]] == [0, 0.3]
    at_once, later = (min(one["true"]["exit"]["skew_s"]) for one in found["starts"])
    assert later > 10e-6, "clocks of this seed part by 64 us in a second"
    assert later > 2 * at_once


def test_nobody_leaves_a_barrier_before_all_have_entered(skew: Document) -> None:
    """First entry to last exit is at least the entry skew; without a start the exit is the entry."""
    for one in skew["starts"]:
        true = one["true"]
        for duration_s, entry_s in zip(true["duration_s"], true["entry"]["skew_s"], strict=True):
            assert duration_s >= entry_s - ROUNDING_S


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "which study of barriers?"),
        ("skwe", "unknown study of barriers 'skwe'; known are skew"),
        ("skew --clocksync none", "option 'clocksync': exits are compared on a global clock"),
        ("skew --procsync barrier(liner)", "unknown barrier 'liner'"),
        ("skew --entry-tolerance -1s", "option of barriers skew 'entry-tolerance'"),
        ("skew --nrep 5", "unknown option of barriers skew 'nrep'; known are"),
    ],
)
def test_mistakes_end_the_launch_with_what_is_known(words: str, message: str, tmp_path: Path) -> None:
    """Exit code 2 before anything is measured."""
    ended = barriers("mpich", *words.split(), folder=tmp_path)
    assert ended.exit_code == 2
    assert message in ended.error
