"""Programs on MPI under the skew shim: what they find out about the clocks is what the shim's log says."""

import json
import math
import subprocess
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, start
from tests.native.skew_truth import Truth, read_log
from tests.native.trees import NATIVE, installation, mpi_tree

pytestmark = pytest.mark.mpi

RESOLUTION_NS = {"gettimeofday": 2000}
TIMELINES = {"gettimeofday": "realtime"}


def skewed_environment(label: str, skew: str, log: Path) -> dict[str, str]:
    """What the ranks are started with."""
    library = mpi_tree(label).folder / "libictus-skew.so"
    return {"LD_PRELOAD": str(library), "ICTUS_SKEW": skew, "ICTUS_SKEW_LOG": str(log)}


def expected_offset_ns(truths: dict[int, Truth], timeline: str, shown_by_0: int) -> float:
    """Rank 1's time minus rank 0's, when rank 0 is shown `shown_by_0`."""
    return truths[1].shown_ns(timeline, truths[0].true_ns(timeline, shown_by_0)) - shown_by_0


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_program_of_others_finds_the_skew(label: str, tmp_path: Path) -> None:
    """An independent ping-pong, by every clock that it can read: no further from the truth than half its round trip."""
    program = tmp_path / "offset_probe"
    wrapper = installation(label).wrapper.with_name("mpicc")
    flags = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    subprocess.run((wrapper, *flags, NATIVE / "tests/programs/offset_probe.c", "-o", program), check=True)
    log = tmp_path / "skew.jsonl"
    environment = skewed_environment(label, "offset=10s,drift=100ppm,seed=3", log)
    ended = start(label, 2, program, folder=tmp_path, environment=environment)
    assert ended.exit_code == 0, ended.error
    truths = read_log(log)
    found = {line.split()[0]: tuple(map(int, line.split()[1:])) for line in ended.output.splitlines()}
    assert list(found) == ["monotonic", "monotonic_raw", "realtime", "gettimeofday", "wtime"]
    wtime_offset, half, _ = found.pop("wtime")
    for name, (offset, half_round_trip, at) in found.items():
        expected = expected_offset_ns(truths, TIMELINES.get(name, name), at)
        assert abs(expected) > 1e9
        assert offset == pytest.approx(expected, abs=half_round_trip + RESOLUTION_NS.get(name, 2)), name
    if label == "mpich":  # its MPI_Wtime is CLOCK_MONOTONIC; Open MPI's counts from each process's own start
        assert wtime_offset == pytest.approx(found["monotonic"][0], abs=half + 10_000)


PLAN = """\
launch ranks=2 clock=monotonic clocksync={clocksync} output={output}
case id=1 op=barrier nrep=20 procsync=barrier(dissemination)
"""


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("clocksync", ["hca3", "ictus"])
def test_ictus_bench_finds_the_skew_of_its_own_clock(clocksync: str, label: str, tmp_path: Path) -> None:
    """Slope and offset of rank 1 are the log's; both ranks share a host, but must not be taken for one clock."""
    log = tmp_path / "skew.jsonl"
    plan = tmp_path / "plan"
    plan.write_text(PLAN.format(clocksync=clocksync, output=tmp_path))
    environment = skewed_environment(label, "offset=1s,drift=1000ppm,seed=3", log)
    program = mpi_tree(label).folder / "ictus-bench"
    ended = start(label, 2, program, "--plan", plan, folder=tmp_path, environment=environment)
    assert ended.exit_code == 0, ended.error
    launch = json.loads((tmp_path / "launch.json").read_text("utf-8"))
    opening = launch["blocks"][0]["opening"]
    epochs = [rank["epoch_ticks"] for rank in launch["ranks"]]
    truths = read_log(log)
    slope = 1 - (1 + truths[0].drift) / (1 + truths[1].drift)
    assert abs(slope) > 100e-6
    slope_error = opening["slope_error"][1]
    tolerance = 0.5e-6 + (0.0 if slope_error is None or math.isnan(slope_error) else 10 * slope_error)
    assert opening["slope"][1] == pytest.approx(slope, abs=tolerance)
    # The model is exact some tenths of a second after the epoch, so that is where it is compared.
    local_s = 0.3
    true_ns = truths[1].true_ns("monotonic_raw", epochs[1] + round(local_s * 1e9))
    root_s = (truths[0].shown_ns("monotonic_raw", true_ns) - epochs[0]) * 1e-9
    modelled_s = local_s - (opening["slope"][1] * local_s + opening["intercept_s"][1])
    assert abs(root_s - local_s) > 0.01
    assert modelled_s == pytest.approx(root_s, abs=20e-6 + tolerance)
