"""Studies of clocks with real ranks, with the commands that users type."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus

pytestmark = [pytest.mark.mpi, pytest.mark.e2e]

SKEWED = ("--clock", "skewed(drift=100ppm,seed=5)")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies are kept there by relative names."""
    monkeypatch.chdir(tmp_path)


def rows(*words: object) -> list[dict[str, Any]]:
    """The rows of `ictus clocks` with these words."""
    done = run_ictus("clocks", *words, "--json")
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)["rows"]
    return found


@pytest.mark.long
def test_what_offsets_only_lose_is_the_drift_that_is_watched() -> None:
    """Two ways to one number: the computed error of hca3-offset grows by the drift that a ping-pong sees.

    Both commands skew the two ranks by the same seed. A tenth of the drift is left to disturbed ping-pongs.
    """
    named = ("--clocksync", "hca3-offset,hca3", "--waits", "0,1,2", "--per-rank", "-o", "kept")
    judged = rows("accuracy", *SKEWED, *named)
    (watched,) = rows("drift", *SKEWED, "--duration", "2s", "--interval", "50ms")
    error = {(row["algorithm"], row["wait_s"]): row["error_s"] for row in judged}
    growth = (error["hca3-offset", 2.0] - error["hca3-offset", 0.0]) / 2
    assert abs(growth) > 1e-6  # the seed skews the two ranks differently
    assert watched["slope"] == pytest.approx(growth, rel=0.1)
    assert abs(error["hca3", 2.0]) < abs(error["hca3-offset", 2.0])
    again = rows("accuracy", "kept", "--per-rank")
    assert judged == again
    assert Path("kept/report.html").is_file()


def test_what_real_ranks_write_is_read() -> None:
    """A row for the watched rank, from the core's own document; shown again it is the same."""
    measured = rows("drift", "--duration", "1s", "--interval", "50ms", "-o", "kept")
    assert [row["rank"] for row in measured] == [1]
    assert rows("drift", "kept") == measured


def test_a_frontier_of_real_settings() -> None:
    """Foretold, measured and marked: no setting on the frontier is beaten by another."""
    named = ("--clocksync", "hca3(span=0),hca3-offset", "--budget", "10s", "--repeats", "1", "--wait", "1s")
    found = rows("pareto", *SKEWED, *named)
    assert {(row["fitpoints"], row["exchanges"]) for row in found} >= {(10, 10), (500, 10), (None, 100)}
    best = [(row["elapsed_s"], row["error_s"]) for row in found if row["on_frontier"]]
    assert best
    for row in found:
        beaten = any(time <= row["elapsed_s"] and error < row["error_s"] for time, error in best)
        assert row["on_frontier"] is not beaten


@pytest.mark.long
def test_calibrated_frequencies_of_one_counter_agree() -> None:
    """Two ranks of one host calibrate one counter: a hundred milliseconds tell it to a thousandth at least."""
    repeats = ("--durations", "100ms", "--repeats", "3", "--per-rank-repeats", "0")
    named = (*repeats, "--waits", "0,1", "--clocksync", "hca3-offset")
    found = {row["source"]: row for row in rows("frequency", *named)}
    assert abs(found["calibrated"]["worst"]) < 1e-3
    assert 1e8 < found["calibrated"]["median_hz"] < 1e10


def test_two_hosts_of_namespaces_are_judged_by_ping_pong(hosts_can_be_made: None) -> None:
    """Clocks 250 s apart that only exchanges can bring together: once synchronised, within a thousandth of a second."""
    found = rows("accuracy", "--platform", "namespaces", "--clocksync", "hca3-offset", "--waits", "0")
    assert [(row["truth"], row["n"]) for row in found] == [("ping-pong", 2)]
    assert found[0]["max_s"] < 1e-3


@pytest.mark.engine("simgrid")
def test_a_simulation_has_the_truth_at_any_scale() -> None:
    """Sixteen hosts with clocks of their own: once synchronised they lose what they drift, each time the same."""
    named = ("accuracy", "--platform", "flat", "-n", "16", "--clocksync", "hca3-offset", "--waits", "0,10")
    found = rows(*named)
    assert [(row["truth"], row["n"]) for row in found] == [("known", 16)] * 2
    assert found[0]["max_s"] < 10e-6 < found[1]["max_s"] < 10 * 40e-6  # two clocks of 20 ppm part by 40 ppm at most
    assert found == rows(*named)
