"""What stands in the way of launches is found before they begin, and every finding says what to do."""

import itertools
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ictus.model.host_state import MIB
from ictus.model.library import Installation
from ictus.mpi.machine import Cores
from ictus.mpi.preflight import Conditions, busy_cores, preflight

FINE = Conditions(Cores((0, 1), 2, restricted=False), 1 << 33, loopback=True, busy_cores=0.05)
MPICH = Installation("mpich", "mpich", "5.0.2", Path("/m/bin/mpicxx"), Path("/m/bin/mpiexec"))
MPICH_4 = replace(MPICH, label="mpich-debian", version="4.0.2")
OPENMPI = Installation("openmpi", "openmpi", "5.0.11", Path("/o/bin/mpicxx"), Path("/o/bin/mpiexec"))


def findings(installations: list[Installation], n_ranks: int, conditions: Conditions) -> list[tuple[str, str, str]]:
    found = preflight(installations, n_ranks, conditions, environ={})
    return [(finding.level, finding.subject, finding.message) for finding in found]


def test_a_fine_machine_has_no_findings() -> None:
    """Two ranks on two idle cores."""
    assert findings([MPICH, OPENMPI], 2, FINE) == []


def test_too_little_shared_memory() -> None:
    """A container's 64 MiB are enough for 2 ranks and too little for 8."""
    small = replace(FINE, shm_free_bytes=64 * MIB, cores=Cores(tuple(range(8)), 8, restricted=False))
    assert findings([MPICH], 2, small) == []
    ((level, subject, message),) = findings([MPICH], 8, small)
    assert (level, subject) == ("error", "shared memory")
    assert message.startswith(
        "64 MiB free in /dev/shm, 8 ranks need about 80 MiB: libraries may die of SIGBUS; enlarge"
    )
    assert message.endswith("or remove what MPI programs that crashed have left there (mpich_shm_*, sm_segment.*)")


def test_no_loopback_is_an_error_for_open_mpi_alone() -> None:
    """MPICH runs without."""
    down = replace(FINE, loopback=False)
    ((level, _, message),) = findings([MPICH, OPENMPI], 2, down)
    assert level == "error"
    assert message == "no connection over 127.0.0.1, so that openmpi cannot start; do: ip link set lo up"
    assert [level for level, _, _ in findings([MPICH], 2, down)] == ["advice"]


def test_more_ranks_than_cores_is_a_warning_and_worse_for_old_mpich() -> None:
    """Said once for the launch, and once for each library that cannot yield."""
    found = findings([MPICH, MPICH_4, OPENMPI], 4, FINE)
    assert [(level, subject) for level, subject, _ in found] == [("warning", "cores"), ("warning", "mpich-debian")]
    assert found[0][2].startswith("4 ranks on 2 cores take turns: ranks are not pinned")
    assert found[1][2].startswith("mpich-debian 4.0.2 cannot yield")


def test_one_core_and_two_ranks_are_named_as_what_they_are() -> None:
    """`-n 1 or fewer` was advised; where the machine has more cores than we may use, they are what is missing."""
    one = replace(FINE, cores=Cores((0,), 1, restricted=True))
    ((level, subject, message),) = findings([MPICH], 2, one)
    assert (level, subject) == ("warning", "cores")
    assert message.startswith("2 ranks on 1 core take turns")
    assert message.endswith("; more cores (taskset, the batch system) or -n 1 gives the library's own")
    ((*_, whole),) = findings([MPICH], 2, replace(one, cores=Cores((0,), 1, restricted=False)))
    assert whole.endswith("machine; -n 1 gives the library's own")


def test_what_runs_on_cpus_that_we_may_not_use_disturbs_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`taskset -c 0` was told that others use 2.0 of 1 cores. Ticks of /proc/stat: user, nice, system, idle, iowait,
    irq, softirq, steal; a hundred a second.
    """
    (tmp_path / "proc").mkdir()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    lines = ["cpu  {0} 0 0 0 0 0 0 0", "cpu0 {1} 0 0 500 0 0 0 {1} 0 0", "cpu1 {0} 0 0 0 0 0 0 0 0 0", "intr 5"]

    def after(ticks: int) -> None:
        (tmp_path / "proc/stat").write_text("\n".join(lines).format(10**6 * ticks, ticks) + "\n")

    after(1)
    monkeypatch.setattr(time, "sleep", lambda _: after(6))
    seconds = itertools.count(0.0, 0.5)
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    assert busy_cores(tmp_path) == 2 * 5 / 100 / 0.5


def test_others_on_the_cores_matter_when_none_is_left_for_them() -> None:
    """One busy process beside two ranks: harmless on three cores, told on two."""
    busy = replace(FINE, busy_cores=0.9)
    assert [(level, subject) for level, subject, _ in findings([MPICH], 2, busy)] == [("warning", "load")]
    roomy = replace(busy, cores=Cores((0, 1, 2), 3, restricted=False))
    assert findings([MPICH], 2, roomy) == []


def test_what_follows_for_launches_that_others_disturb() -> None:
    """A campaign repeats them; a study of clocks does not, and does not say so."""
    busy = replace(FINE, busy_cores=1.2)
    ((_, _, campaign),) = findings([MPICH], 2, busy)
    assert campaign.startswith(
        "other processes use 1.2 of 2 cores: launches that they disturb are marked as contended and rep"
    )
    (study,) = preflight([MPICH], 2, busy, environ={}, repeated=False)
    assert "are not repeated" in study.message
    assert "contended" not in study.message


def test_a_foreign_library_path_is_told_for_each_library(tmp_path: Path) -> None:
    """Before the campaign, not once for every launch."""
    (tmp_path / "libmpi.so.12").touch()
    found = preflight([MPICH, OPENMPI], 2, FINE, environ={"LD_LIBRARY_PATH": str(tmp_path)})
    assert [finding.subject for finding in found] == ["mpich", "openmpi"]
    assert all(str(tmp_path) in finding.message for finding in found)


def test_memory_that_the_c_library_fills_is_a_warning() -> None:
    """With the variable, or the tunable among others; 0 fills nothing."""
    for environ in ({"MALLOC_PERTURB_": "204"}, {"GLIBC_TUNABLES": "glibc.cpu.x=1:glibc.malloc.perturb=204"}):
        (found,) = preflight([MPICH], 2, FINE, environ=environ)
        ((name, value),) = environ.items()
        assert (found.level, found.subject) == ("warning", "memory")
        assert found.message.startswith(f"{name}={value} has the C library fill all memory")
        assert found.message.endswith(f"do: unset {name}")
    for tunables in ("glibc.cpu.x=1", "glibc.malloc.perturb=0", "glibc.malloc.perturb=0:glibc.cpu.x=1"):
        assert preflight([MPICH], 2, FINE, environ={"MALLOC_PERTURB_": "0", "GLIBC_TUNABLES": tunables}) == ()
    assert preflight([MPICH], 2, FINE, environ={"MALLOC_PERTURB_": ""}) == ()


def test_the_gravest_come_first() -> None:
    """Errors, then warnings, then advice."""
    bad = replace(FINE, loopback=False, shm_free_bytes=0, busy_cores=2.0)
    assert [level for level, _, _ in findings([MPICH], 4, bad)] == ["error", "warning", "warning", "advice"]
