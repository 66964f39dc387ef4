"""The ordinary measurement with simulated ranks: time is simulated everywhere, and nothing waits for ever."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ictus.mpi.build import Build

from .conftest import Ended, Simulate

pytestmark = pytest.mark.engine("simgrid")


def bench(simulate: Simulate, n_ranks: int, platform: str, *words: str, timeout_s: float = 300.0) -> Ended:
    """ictus-bench with its results in files."""
    fixed = ("--op=allreduce", "--size=8", "--nrep=50", "--clocksync=hca3-offset", "--output=.", "--raw=on")
    return simulate(n_ranks, platform, *fixed, *words, timeout_s=timeout_s)


def test_windows_of_simulated_seconds_take_no_real_ones(simulate: Simulate) -> None:
    """70 starts of 64 ranks at deadlines 20 ms apart, with a clock whose reading costs nothing and one where it does.

    A spin would read the clock for ever in the first case, and 70 x 64 x 20 ms / 20 ns = 4.5e9 times in the second.
    """
    for reading in ("0", "20ns"):
        window = ("--procsync=window(size=20ms)", "--warmup=20")
        ended = bench(simulate, 64, f"two-level(reading={reading})", *window, timeout_s=120.0)
        case = ended.document("launch.json")["cases"][0]
        assert case["valid"] == 50
        assert case["elapsed_s"] >= 50 * 0.02
        assert ended.outcome.elapsed_s < 120.0


def test_a_measurement_repeats_to_the_last_byte(simulate: Simulate) -> None:
    """Samples and stamps of two launches with the same plan and platform."""
    first, second = (bench(simulate, 16, "two-level(ranks_per_host=4)") for _ in range(2))
    for name in ("samples.npy", "raw.npy"):
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()


def test_the_kernel_s_clock_and_the_library_s_show_the_same_simulated_time(simulate: Simulate) -> None:
    """CLOCK_MONOTONIC_RAW too is simulated: an interval by it and by MPI_Wtime differ by their roundings alone."""
    ends = []
    for clock in ("monotonic", "wtime"):
        ended = bench(simulate, 4, "flat", f"--clock={clock}")
        assert ended.document("launch.json")["clock"]["spec"] == clock
        ends.append(np.load(ended.folder / "samples.npy"))
    assert ends[0]["local_max"] == pytest.approx(ends[1]["local_max"], abs=4e-9)


def test_a_clock_that_is_not_simulated_is_refused(simulate: Simulate) -> None:
    """With what to use instead, whether it is asked for itself or as a base."""
    for clock in ("tsc", "skewed(base=tsc)"):
        ended = bench(simulate, 2, "flat", f"--clock={clock}")
        assert ended.outcome.exit_code == 2
        assert "clock 'tsc' reads real time" in ended.output
        assert "use wtime or monotonic" in ended.output


def test_nothing_of_this_machine_is_said_of_simulated_ranks(simulate: Simulate) -> None:
    """64 ranks on few cores are not oversubscribed, and others that use these cores do not disturb them."""
    ended = bench(simulate, 64, "two-level")
    launch = ended.document("launch.json")
    assert launch["contention"]["oversubscribed"] is False
    assert launch["contention"]["contended"] is None
    assert {rank["host"] for rank in launch["ranks"]} == {f"host{number}" for number in range(4)}


def ictus(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        (sys.executable, "-m", "ictus", *words), cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_campaign_runs_on_a_platform_and_is_read_like_any_other(simgrid: Build, tmp_path: Path) -> None:
    """`ictus run --platform` uses the simulator; simulated and real libraries do not meet in a campaign."""
    few = ("--launches", "2", "--nrep", "20", "--op", "bcast", "--sizes", "8", "-n", "16")
    ran = ictus("run", "--platform", "two-level(ranks_per_host=4)", "-o", "c", *few, folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    shown = ictus("show", "c", "--csv", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "simgrid" in shown.stdout
    samples = [np.load(path)["makespan"] for path in sorted((tmp_path / "c").rglob("samples.npy"))]
    assert len(samples) == 2
    assert not np.array_equal(*samples), "each launch draws latencies of its own"
    mixed = ictus("run", "-m", "simgrid", "-m", "mpich", "-o", "d", *few, folder=tmp_path)
    assert mixed.returncode == 2
    assert "library 'simgrid' is simulated, others are not" in mixed.stderr
