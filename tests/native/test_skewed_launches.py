"""Programs on MPI under the skew shim: what they find out about the clocks is what the shim's log says."""

import math
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.launch_document import launch_document
from tests.native.launching import EITHER, LIBRARIES, start
from tests.native.programs import compiled
from tests.native.skew_truth import Truth, read_log
from tests.native.trees import mpi_tree

pytestmark = pytest.mark.mpi

RESOLUTION_NS = {"gettimeofday": 2000}
WTIME_RESOLUTION_NS = 100  # seconds as a floating-point number
ROUNDINGS_NS = 4
"""Three readings, their middle and the truth are each rounded to a nanosecond."""
TIMELINES = {"gettimeofday": "realtime"}


@dataclass(frozen=True)
class Found:
    """A line of the probe: rank 1's time minus rank 0's, half the round trip, and rank 0's time in its middle."""

    offset_ns: int
    half_round_trip_ns: int
    shown_by_0: int

    def holds(self, name: str, truths: dict[int, Truth]) -> bool:
        """Whether it is no further from the truth than whoever asks once can know."""
        timeline = TIMELINES.get(name, name)
        away = self.offset_ns - expected_offset_ns(truths, timeline, self.shown_by_0)
        return abs(away) <= self.half_round_trip_ns + RESOLUTION_NS.get(name, 0) + ROUNDINGS_NS


def skewed_environment(label: str, skew: str, log: Path) -> dict[str, str]:
    """What the ranks are started with."""
    library = mpi_tree(label).folder / "libictus-skew.so"
    return {"LD_PRELOAD": str(library), "ICTUS_SKEW": skew, "ICTUS_SKEW_LOG": str(log)}


def expected_offset_ns(truths: dict[int, Truth], timeline: str, shown_by_0: int) -> int:
    """Rank 1's time minus rank 0's, when rank 0 is shown `shown_by_0`."""
    return truths[1].shown_ns(timeline, truths[0].true_ns(timeline, shown_by_0)) - shown_by_0


def test_the_truth_is_told_to_the_nanosecond_at_the_time_of_day() -> None:
    """The expected offset is that of exact fractions at every reading of a second, so near 2^61 ns as well."""
    origin = 1_795_309_330_325_779_410
    truths = {
        rank: Truth(rank, "", rank, offset_s, drift, 0.0, 0, {"realtime": origin + rank})
        for rank, (offset_s, drift) in enumerate(((6.307228108311342, -12.98e-6), (-0.24063444213840768, 22.82e-6)))
    }
    for shown_by_0 in range(origin + 7 * 10**9, origin + 8 * 10**9, 9_999_991):
        exact = exact_offset_ns(truths, "realtime", shown_by_0)
        assert abs(expected_offset_ns(truths, "realtime", shown_by_0) - exact) <= 2, shown_by_0
    assert abs(exact) > 6e9


def exact_offset_ns(truths: dict[int, Truth], timeline: str, shown_by_0: int) -> Fraction:
    """By the formula of skew-shim.md, without wander, in fractions."""
    mine, other = truths[0], truths[1]
    t = (shown_by_0 - mine.origin_ns[timeline] - Fraction(mine.offset_s) * 10**9) / (1 + Fraction(mine.drift))
    true_ns = mine.origin_ns[timeline] + t
    since = true_ns - other.origin_ns[timeline]
    return true_ns + Fraction(other.offset_s) * 10**9 + Fraction(other.drift) * since - shown_by_0


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_program_of_others_finds_the_skew(label: str, tmp_path: Path) -> None:
    """An independent ping-pong, by every clock that it can read: no further from the truth than half its round trip;
    from a truth that is wrong by more than the round trip it is.
    """
    program = compiled(label, "offset_probe", tmp_path)
    log = tmp_path / "skew.jsonl"
    environment = skewed_environment(label, "offset=10s,drift=100ppm,seed=3", log)
    ended = start(label, 2, program, folder=tmp_path, environment=environment)
    ended_ns = time.monotonic_ns()
    assert ended.exit_code == 0, ended.error
    truths = read_log(log)
    found = {line.split()[0]: Found(*map(int, line.split()[1:])) for line in ended.output.splitlines()}
    assert list(found) == ["monotonic", "monotonic_raw", "realtime", "gettimeofday", "wtime"]
    wtime = found.pop("wtime")
    for name, line in found.items():
        assert abs(line.offset_ns) > 1e9
        assert line.holds(name, truths), (name, line, truths)
        wrong_by_s = 1e-9 * (2 * line.half_round_trip_ns + 2 * RESOLUTION_NS.get(name, 0) + 4 * ROUNDINGS_NS)
        assert not line.holds(name, {**truths, 1: replace(truths[1], offset_s=truths[1].offset_s + wrong_by_s)}), name
    if label == "mpich":  # its MPI_Wtime goes with CLOCK_MONOTONIC; Open MPI's counts from each process's own start
        instants = (found["monotonic"].shown_by_0, truths[0].shown_ns("monotonic", ended_ns))  # it was asked in between
        least, most = sorted(expected_offset_ns(truths, "monotonic", at) for at in instants)
        margin = wtime.half_round_trip_ns + WTIME_RESOLUTION_NS
        assert least - margin <= wtime.offset_ns <= most + margin


PLAN = """\
launch ranks=2 clock=monotonic clocksync={clocksync} output={output}
case id=1 op=barrier nrep=20 procsync=barrier(dissemination)
"""


@pytest.mark.parametrize("label", EITHER)
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
    launch = launch_document(tmp_path)
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
