"""A campaign that runs as a process of its own, to be disturbed, and what it leaves behind."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.native.programs import compiled

ICTUS = Path(sys.executable).with_name("ictus")

PATIENCE_S = 600
"""Far more than any of it takes: no test asserts a time."""

QUICK = ("--clocksync", "hca3(span=20ms,fitpoints=50,exchanges=20)", "--contention-retries", "0", "--seed", "7",
         "--no-page-faults")  # fmt: skip


def hanging(label: str, place: Path) -> tuple[str, ...]:
    """Options of a campaign in whose first launch rank 1 stops for good, in a measured call."""
    faults, shim = place / "faults.txt", compiled(label, "misbehaving", place, "-shared", "-fPIC")
    faults.write_text("hang during\n")
    variables = (f"LD_PRELOAD={shim}", f"ICTUS_FAULTS={faults}")
    cases = ("--op", "alltoall", "--sizes", "64", "--nrep", "400", "--launches", "1")
    return ("-m", label, *cases, *QUICK, *(word for one in variables for word in ("--env", one)))


@contextmanager
def running(folder: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """`ictus run` in its own process, killed at the end if it is still there, with all that it started."""
    process = subprocess.Popen(
        (ICTUS, "run", *words, "-o", str(folder)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
        for pid in processes_of(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def ended(process: "subprocess.Popen[str]", code: int) -> str:
    """What it said on standard error; it must have ended with this exit code."""
    error = process.communicate(timeout=2 * PATIENCE_S)[1]
    assert process.returncode == code, error
    return error


def processes_of(folder: Path) -> dict[int, str]:
    """Living processes that work in `folder`, with their programs' names."""
    found = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it may end while we look
            if entry.name.isdigit() and str(folder) in str((entry / "cwd").readlink()):
                found[int(entry.name)] = (entry / "exe").readlink().name
    return found


def ranks_of_hanging(folder: Path, n: int = 2) -> list[int]:
    """Process ids of the ranks of the launch that runs, once one of them is stopped."""
    assert waited_for(lambda: len(_ranks(folder)) == n and any(map(_stopped, _ranks(folder))))
    return _ranks(folder)


def launcher_of(folder: Path) -> int:
    """Process id of the launcher: the parent of all others."""
    there = processes_of(folder)
    parents = {pid: int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) for pid in there}
    return next(pid for pid in there if parents[pid] not in there)


def supervisors_of(runner: int) -> list[int]:
    """Process ids of the supervisors of its launches."""
    pids = [int(pid) for task in Path(f"/proc/{runner}/task").glob("*/children") for pid in task.read_text().split()]
    return [pid for pid in pids if b"ictus.launch.supervisor" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def all_gone(folder: Path) -> bool:
    """Whether no process works in the folder any more, or soon does not."""
    return waited_for(lambda: not processes_of(folder))


def events(folder: Path) -> list[str]:
    """Events of the journal, in order."""
    return [json.loads(line)["event"] for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()]


def _ranks(folder: Path) -> list[int]:
    return [pid for pid, program in processes_of(folder).items() if program == "ictus-bench"]


def _stopped(pid: int) -> bool:
    with contextlib.suppress(OSError):  # it may end while we look
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


def waited_for(reached: Callable[[], bool]) -> bool:
    """Whether it comes true while we wait patiently."""
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
