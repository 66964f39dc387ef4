"""Campaigns that are long: a thousand launches, two thousand cases, ten million samples. Memory does not grow with what
was measured before, the files are those of the schedule, and what was measured is shown in seconds.

Nothing here depends on how busy the machine is: seconds are those of the processor.
"""

import contextlib
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.native.trees import installation

from ictus.mpi.build import build_core
from ictus.store.campaign import load
from ictus.store.manifest import read_manifest

from .running import ICTUS, QUICK

pytestmark = pytest.mark.long

MIB = 2**20
SIMULATED = ("--launcher", "simulated", "-n", "2", "--seed", "7")
SECONDS = 30
"""Of the processor, for a command that shows what was measured; here it takes a few."""
SLACK = 40 * MIB
"""By how much the memory of a process may differ, which asks for it in pieces."""


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    code: int
    said: str
    peak: int
    """Its largest resident memory, bytes; of a measurement until its last launch, before it sums up."""
    cpu_s: float


def high_water(pid: int) -> int:
    """The largest resident memory of a process so far, bytes; 0 where it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def cost_of(*words: object, campaign: Path | None = None) -> Cost:
    """Run `ictus` with these words in a process of its own, which measures `campaign`."""
    before, peak = resource.getrusage(resource.RUSAGE_CHILDREN), 0
    command = (ICTUS, *map(str, words))
    with tempfile.TemporaryFile("w+") as error:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=error) as process:
            while process.poll() is None:
                peak = peak if campaign is not None and is_over(campaign) else high_water(process.pid) or peak
                time.sleep(0.01)
        error.seek(0)
        said = error.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(process.returncode, said, peak, cpu_s)


def is_over(folder: Path) -> bool:
    """Whether the last launch is made."""
    journal = folder / "journal.jsonl"
    return journal.exists() and b'"event": "done"' in journal.read_bytes()[-300:]


def check_shown(folder: Path, *commands: tuple[object, ...]) -> None:
    """Each of these commands, `show` and `report` of the folder end well and soon."""
    for words in (("show", folder), ("report", folder), *commands):
        cost = cost_of(*words)
        print(f"{words[0]}: {cost.cpu_s:.1f} s of the processor, {cost.peak / MIB:.0f} MiB")
        assert cost.code == 0, cost.said
        assert cost.cpu_s < SECONDS, words


def check_files(folder: Path) -> None:
    """Each launch of the schedule has the same files, and nothing else is there."""
    slots = read_manifest(folder).slots
    launches = sorted((folder / "launches").iterdir())
    assert [path.name for path in launches] == sorted(slot.folder_name for slot in slots)
    kinds = {frozenset(path.name for path in launch.iterdir()) for launch in launches}
    assert len(kinds) == 1
    assert not [name for name in next(iter(kinds)) if ".partial" in name or ".writing" in name or "lease" in name]
    campaign = load(folder)
    assert campaign.complete
    assert campaign.warnings == ()


def accepted(folder: Path) -> int:
    """Launches that count, by the journal."""
    journal = folder / "journal.jsonl"
    return journal.read_bytes().count(b'"event": "accepted"') if journal.exists() else 0


def test_a_thousand_launches_continue_after_a_kill_at_each_hundredth(tmp_path: Path) -> None:
    """Nine kills (SIGKILL). The last run needs no more memory than the first."""
    folder = tmp_path / "campaign"
    plan = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "--launches", "1000", "--nrep", "10")
    words = (*SIMULATED, *plan, "-o", folder)
    peaks = []
    for hundreds in range(1, 10):
        with subprocess.Popen(
            (ICTUS, "run", *map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as runner:
            while runner.poll() is None and accepted(folder) < 100 * hundreds:
                time.sleep(0.01)
            assert runner.poll() is None
            peaks.append(high_water(runner.pid))
            runner.kill()
    last = cost_of("run", *words, campaign=folder)
    assert last.code == 0, last.said
    print(f"peaks of the runner: {[peak // MIB for peak in (*peaks, last.peak)]} MiB; last run {last.cpu_s:.1f} s")
    assert max(*peaks, last.peak) - peaks[0] < SLACK
    assert len(read_manifest(folder).slots) == 1000
    assert len(list((folder / "aside").iterdir())) <= 9
    check_files(folder)
    check_shown(folder, ("verify", folder))


OPERATIONS = ("allgather", "allreduce", "alltoall", "bcast", "exscan", "gather", "reduce", "scatter")
SIZES = ",".join(str(16 * k) for k in range(1, 251))


def test_two_thousand_cases_are_measured_and_shown(tmp_path: Path) -> None:
    """Of two libraries. Six launches of each need no more memory than one."""
    peaks = []
    for launches in (1, 6):
        folder = tmp_path / str(launches)
        plan = ("--op", ",".join(OPERATIONS), "--sizes", SIZES, "--launches", launches, "--nrep", "20")
        cost = cost_of("run", *SIMULATED, "-m", "mpich", "-m", "openmpi", *plan, "-o", folder, campaign=folder)
        assert cost.code == 0, cost.said
        peaks.append(cost.peak)
        print(f"{launches} launches: {cost.cpu_s:.1f} s of the processor, {cost.peak / MIB:.0f} MiB")
    assert peaks[1] - peaks[0] < SLACK
    assert len(load(folder).cases) == 2000
    check_files(folder)
    check_shown(folder, ("compare", folder))


def ranks_peak(folder: Path) -> int:
    """The largest resident memory of rank 0 in the only launch, bytes."""
    (launch,) = load(folder).launches
    return int(launch.record.ranks["max_rss_bytes"][0])


@pytest.mark.mpi
@pytest.mark.e2e
def test_ten_million_samples_in_one_launch(tmp_path: Path) -> None:
    """A hundred cases of 100,000 real samples need little more memory than thirty of them, in the runner and on rank 0:
    a block of cases, which is what ranks keep, ends after 5 s.
    """
    build_core(installation("mpich"))
    runner, rank = [], []
    for n_cases in (30, 100):
        folder = tmp_path / str(n_cases)
        sizes = ",".join(str(8 * k) for k in range(1, n_cases + 1))
        plan = ("--op", "bcast", "--sizes", sizes, "--nrep", "100000", "--launches", "1", "--timeout", "3600s")
        start = ("--procsync", "barrier(dissemination)", *QUICK)
        cost = cost_of("run", "-m", "mpich", *plan, *start, "-o", folder, campaign=folder)
        assert cost.code == 0, cost.said
        runner.append(cost.peak)
        rank.append(ranks_peak(folder))
        print(f"{n_cases} cases: runner {cost.peak // MIB} MiB, rank 0 {rank[-1] // MIB} MiB")
    assert load(folder).summaries["attempted"].sum() == 10_000_000
    assert runner[1] - runner[0] < 2 * SLACK  # for seven million samples more
    assert rank[1] - rank[0] < SLACK
    check_files(folder)
    check_shown(folder)


@pytest.mark.mpi
@pytest.mark.e2e
def test_a_case_of_ten_million_samples(tmp_path: Path) -> None:
    """What a single case takes grows with it: 24 bytes a sample on each rank, 42 in the runner, and not much more."""
    build_core(installation("mpich"))
    folder = tmp_path / "campaign"
    plan = ("--op", "bcast", "--sizes", "8", "--nrep", "10000000", "--launches", "1", "--timeout", "3600s")
    start = ("--procsync", "barrier(dissemination)", *QUICK)
    cost = cost_of("run", "-m", "mpich", *plan, *start, "-o", folder, campaign=folder)
    assert cost.code == 0, cost.said
    print(f"runner {cost.peak // MIB} MiB, rank 0 {ranks_peak(folder) // MIB} MiB")
    assert load(folder).summaries["attempted"].to_list() == [10_000_000]
    assert ranks_peak(folder) < 900 * MIB
    assert cost.peak < 1200 * MIB
    done = run_ictus("show", folder)
    assert done.code == 0, done.err
