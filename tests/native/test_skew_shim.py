"""libictus-skew.so in front of programs that know nothing of it: Python, date, C; each judged by the shim's own log."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.skew_truth import Truth, read_log
from tests.native.trees import NATIVE, installation, mpi_tree

from ictus.model.random import SplitMix64

pytestmark = [pytest.mark.mpi, pytest.mark.beside]  # for the tree that it is built in; the programs need no MPI

CLOCK_GETTIME = {"x86_64": 228, "ppc64le": 246, "s390x": 260}.get(platform.machine(), 113)
"""The kernel's number of the call; 113 on all processors that Linux came to later (ARM, RISC-V)."""
READ_ALL = """
import ctypes, time
libc = ctypes.CDLL(None)
class Timespec(ctypes.Structure):
    _fields_ = [("s", ctypes.c_int64), ("part", ctypes.c_int64)]
def true(clock): # straight to the kernel
    now = Timespec(); libc.syscall(CLOCK_GETTIME, clock, ctypes.byref(now)); return now.s * 10**9 + now.part
def day():
    now = Timespec(); libc.gettimeofday(ctypes.byref(now), None); return now.s * 10**9 + now.part * 1000
def c11():
    now = Timespec(); libc.timespec_get(ctypes.byref(now), 1); return now.s * 10**9 + now.part
libc.time.restype = ctypes.c_int64
readings = {
    "realtime clock_gettime 1": (0, lambda: time.clock_gettime_ns(0)),
    "realtime time_ns 1": (0, time.time_ns),
    "realtime gettimeofday 1000": (0, day),
    "realtime timespec_get 1": (0, c11),
    "realtime time 1000000000": (0, lambda: libc.time(None) * 10**9),
    "realtime coarse 10000000": (0, lambda: time.clock_gettime_ns(5)),
    "monotonic clock_gettime 1": (1, lambda: time.clock_gettime_ns(1)),
    "monotonic perf_counter 1": (1, time.perf_counter_ns),
    "monotonic coarse 10000000": (1, lambda: time.clock_gettime_ns(6)),
    "monotonic_raw clock_gettime 1": (4, lambda: time.clock_gettime_ns(4)),
    "boottime clock_gettime 1": (7, lambda: time.clock_gettime_ns(7)),
    "tai clock_gettime 1": (11, lambda: time.clock_gettime_ns(11)),
}
time.sleep(0.03)
for name, (clock, read) in readings.items():
    before = true(clock); shown = read(); after = true(clock)
    print(name, before, shown, after)
before = time.clock_gettime_ns(2); print("processor", before)
""".replace("CLOCK_GETTIME", str(CLOCK_GETTIME))
"""Prints for each way to read a time: its time line, its name, its resolution in nanoseconds; then the kernel's reading
before, the reading, the kernel's reading after."""


def shim(**variables: str) -> dict[str, str]:
    """The environment of a program under the shim, with no launcher's variables in it."""
    ranks = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
    kept = {name: value for name, value in os.environ.items() if name not in ranks}
    return {**kept, "LD_PRELOAD": str(mpi_tree("mpich").folder / "libictus-skew.so"), **variables}


def run(*program: object, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a program under the shim."""
    words = [str(word) for word in program]
    return subprocess.run(words, check=False, env=shim(**variables), capture_output=True, text=True, timeout=60)


def compiled(source: str, folder: Path) -> Path:
    """A C program of native/tests/programs, by the compiler that brings nothing but threads."""
    program = folder / source
    command = ("cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread")
    subprocess.run((*command, str(NATIVE / f"tests/programs/{source}.c"), "-o", str(program)), check=True)
    return program


def check_readings(truth: Truth, output: str) -> None:
    """Every reading lies where the truth puts it, between the kernel's before and after."""
    lines = [line.split() for line in output.splitlines() if not line.startswith("processor")]
    assert len(lines) == 12
    for timeline, name, resolution, before, shown, after in lines:
        earliest = truth.shown_ns(timeline, int(before)) - int(resolution)
        latest = truth.shown_ns(timeline, int(after)) + 1
        assert earliest <= int(shown) <= latest, (timeline, name)


@pytest.mark.parametrize("skew", ["offset=100s,drift=0.01,seed=4", "drift=50ppm,wander=100ppm,seed=9,offset=0"])
def test_every_reading_is_what_the_log_says(skew: str, tmp_path: Path) -> None:
    """All clocks, however they are read; processor time is not on any time line."""
    log = tmp_path / "skew.jsonl"
    ended = run(sys.executable, "-c", READ_ALL, ICTUS_SKEW=skew, ICTUS_SKEW_LOG=str(log), PMI_RANK="3")
    assert ended.returncode == 0, ended.stderr
    truth = read_log(log)[3]
    assert truth.owner == 3
    assert truth.drift != 0
    check_readings(truth, ended.stdout)
    assert int(ended.stdout.split()[-1]) < 60 * 10**9


@pytest.mark.parametrize("variables", [{}, {"ICTUS_SKEW": "offset=100s"}], ids=["no variable", "no rank"])
def test_what_is_not_asked_for_stays_true(variables: dict[str, str], tmp_path: Path) -> None:
    """Without ICTUS_SKEW, and in a launcher or shell that is not a rank, times are the kernel's; nothing is logged."""
    log = tmp_path / "skew.jsonl"
    ended = run(sys.executable, "-c", READ_ALL, ICTUS_SKEW_LOG=str(log), **variables)
    assert ended.returncode == 0, ended.stderr
    check_readings(Truth(0, "", 0, 0.0, 0.0, 0.0, 0, dict.fromkeys(READ_TIMELINES, 0)), ended.stdout)
    assert not log.exists()


READ_TIMELINES = ("realtime", "monotonic", "monotonic_raw", "boottime", "tai")


def test_draws_are_by_rank_or_by_host_and_repeat(tmp_path: Path) -> None:
    """The same text means the same skews, those of clock `skewed`."""
    log = tmp_path / "skew.jsonl"
    for rank in (0, 1, 2):
        run("date", ICTUS_SKEW="offset=2s,drift=100ppm,seed=5", ICTUS_SKEW_LOG=str(log), OMPI_COMM_WORLD_RANK=str(rank))
    by_rank = read_log(log)
    assert sorted(by_rank) == [0, 1, 2]
    for rank, truth in by_rank.items():
        assert (truth.offset_s, truth.drift) == pytest.approx(drawn(5, rank), abs=1e-15)
    for rank in (0, 1):
        run("date", ICTUS_SKEW=f"scope=host,rank={rank}", ICTUS_SKEW_LOG=str(log))
    by_host = read_log(log)
    assert (by_host[0].owner, by_host[0].offset_s) == (by_host[1].owner, by_host[1].offset_s)


def drawn(seed: int, owner: int) -> tuple[float, float]:
    """Offset in plus or minus 2 s and drift in plus or minus 100 ppm, as skew-shim.md says that they are drawn."""
    mask = 2**64 - 1
    z = seed
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    random = SplitMix64(((z ^ (z >> 31)) + owner) & mask)
    offset, drift = (2 * (random.next_u64() >> 11) * 2.0**-53 - 1 for _ in range(2))
    return 2 * offset, 100e-6 * drift


WAITS = """
import ctypes, threading, time
libc = ctypes.CDLL(None)
condition = threading.Condition()
def conditional():
    with condition:
        condition.wait(0.1)
def locked():
    lock = threading.Lock(); lock.acquire(); lock.acquire(timeout=0.1)
waits = {"clock_nanosleep": lambda: time.sleep(0.1), "usleep": lambda: libc.usleep(100000),
         "event": lambda: threading.Event().wait(0.1), "condition": conditional, "lock": locked}
for name, wait in waits.items():
    begin = time.monotonic(), time.clock_gettime(4)
    wait()
    print(name, time.monotonic() - begin[0])
"""


@pytest.mark.parametrize("rank", ["0", "1"])
def test_waits_end_when_the_shown_time_says(rank: str, tmp_path: Path) -> None:
    """A wait of 0.1 s lasts that long, whether the clock shows 63 s too much or 2 s too little."""
    ended = run(sys.executable, "-c", WAITS, ICTUS_SKEW="offset=100s,drift=0.01,seed=3", PMI_RANK=rank)
    assert ended.returncode == 0, ended.stderr
    lasted = {line.split()[0]: float(line.split()[1]) for line in ended.stdout.splitlines()}
    assert len(lasted) == 5
    assert all(0.1 <= seconds < 2.0 for seconds in lasted.values()), lasted


@pytest.mark.parametrize("wander", ["0", "100ppm"])
def test_threads_and_signal_handlers_may_read_at_any_time(wander: str, tmp_path: Path) -> None:
    """Handlers that interrupt the shim and the allocator, in three threads: no deadlock, and no time goes back."""
    ended = run(compiled("signal_reader", tmp_path), ICTUS_SKEW=f"wander={wander},rank=1")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert int(ended.stdout.split()[0]) > 10


MISTAKES = {
    "offset=1x": "variable 'ICTUS_SKEW', parameter 'offset': '1x' is not a time",
    "drft=1ppm": "unknown parameter 'drft'; known are offset, drift, wander, scope, seed, rank",
    "scope=node": "'node' is not one of rank host",
    "drift=2": "2 is above the greatest value 0.01",
    "offset=1s,": "expected a name or a value",
}


@pytest.mark.parametrize("skew", MISTAKES)
def test_a_mistake_ends_the_program_before_it_begins(skew: str) -> None:
    """Exit code 2, and one line that says what is allowed."""
    ended = run("echo", "begun", ICTUS_SKEW=skew)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith("ictus-skew: ")
    assert MISTAKES[skew] in ended.stderr


def test_a_log_that_cannot_be_written_is_told() -> None:
    """A truth that nobody knows judges nobody."""
    ended = run("echo", "begun", ICTUS_SKEW="rank=0", ICTUS_SKEW_LOG="/nowhere/skew.jsonl")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "variable 'ICTUS_SKEW_LOG': cannot write to '/nowhere/skew.jsonl'" in ended.stderr


@pytest.mark.parametrize("label", LIBRARIES)
def test_only_what_it_replaces_is_seen_from_outside(label: str) -> None:
    """No symbol of ours meets one of the program's."""
    assert installation(label)
    listed = subprocess.run(
        ("nm", "-D", "--defined-only", str(mpi_tree(label).folder / "libictus-skew.so")),
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    names = {line.split()[-1] for line in listed.splitlines()}
    assert {"clock_gettime", "gettimeofday", "time", "nanosleep", "clock_nanosleep"} <= names
    assert {name for name in names if "ictus" in name or name.startswith("_Z")} == set()
