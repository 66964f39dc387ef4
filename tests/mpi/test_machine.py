"""The machine is read from /proc and /sys; what they do not say is unknown."""

import os
from pathlib import Path

import pytest

from ictus.model.quantity import parse_cpu_list
from ictus.mpi.machine import Cores, loopback_works, read_machine, usable_cores


def tree(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("0-3,8", {0, 1, 2, 3, 8}), ("5", {5}), ("", set()), ("0-1,4-5\n", {0, 1, 4, 5}), ("unknown", set())],
)
def test_cpu_lists(text: str, numbers: set[int]) -> None:
    """The kernel's format for sets of CPUs."""
    assert numbers == parse_cpu_list(text)


def test_hardware_threads_of_a_core_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four cores with two threads each, of which this process may use cores 1 and 3 and one thread of core 2."""
    for cpu in range(8):
        siblings = f"{cpu % 4},{cpu % 4 + 4}"
        tree(tmp_path, **{f"cpu{cpu}__topology__thread_siblings_list": siblings, "online": "0-7"})
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {1, 5, 3, 7, 6})
    assert usable_cores(tmp_path) == Cores((1, 3, 6), 5, restricted=True)


def test_without_topology_each_cpu_is_a_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And without a list of CPUs online nothing is taken for restricted."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2})
    cores = usable_cores(tmp_path)
    assert cores == Cores((0, 1, 2), 3, restricted=False)
    assert cores.n_cpus == cores.n


def test_consecutive_ranks_take_sockets_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two packages with two cores each and half of a third; where the machine does not say, core after core."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2, 3, 4})
    for cpu in range(5):
        tree(tmp_path, **{f"cpu{cpu}__topology__physical_package_id": str(cpu // 2)})
    cores = usable_cores(tmp_path)
    assert cores.packages == ("0", "0", "1", "1", "2")
    assert (cores.in_turn("core"), cores.in_turn("socket")) == ((0, 1, 2, 3, 4), (0, 2, 4, 1, 3))
    (tmp_path / "cpu4/topology/physical_package_id").unlink()
    assert usable_cores(tmp_path).in_turn("socket") == (0, 1, 2, 3, 4)


def test_a_machine_that_tells_everything(tmp_path: Path) -> None:
    """Each fact comes from where the kernel's documentation says."""
    sysfs = "sys__devices__system__"
    root = tree(
        tmp_path,
        **{
            "proc__cpuinfo": "model name\t: AMD EPYC 7763\nflags\t\t: fpu tsc rdtscp constant_tsc hypervisor",
            "proc__meminfo": "MemTotal:       1024 kB",
            "proc__1__cgroup": "0::/kubepods/pod1",
            "etc__os-release": 'NAME="x"\nPRETTY_NAME="Rocky Linux 9.5"',
            f"{sysfs}cpu__online": "0-127",
            f"{sysfs}cpu__smt__active": "1",
            f"{sysfs}node__online": "0-7",
            f"{sysfs}clocksource__clocksource0__current_clocksource": "hpet",
            f"{sysfs}cpu__cpu0__cpufreq__scaling_governor": "powersave",
            f"{sysfs}cpu__cpu0__cpufreq__cpuinfo_min_freq": "1500000",
            f"{sysfs}cpu__cpu0__cpufreq__cpuinfo_max_freq": "3529000",
            f"{sysfs}cpu__intel_pstate__no_turbo": "0",
        },
    )
    machine = read_machine(root)
    assert machine.cpu_model == "AMD EPYC 7763"
    assert machine.clock_flags == ("constant_tsc", "rdtscp")
    assert (machine.n_cpus_online, machine.smt, machine.n_numa_nodes) == (128, True, 8)
    assert (machine.clocksource, machine.governor, machine.turbo) == ("hpet", "powersave", True)
    assert (machine.frequency_min_hz, machine.frequency_max_hz) == (1.5e9, 3.529e9)
    assert machine.memory_bytes == 1 << 20
    assert machine.system == "Rocky Linux 9.5"
    assert machine.virtual == "hypervisor, container"
    assert machine.shm_bytes is None


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    """No guess takes the place of a fact."""
    machine = read_machine(tmp_path)
    assert (machine.governor, machine.clocksource, machine.virtual) == ("unknown", "unknown", "none")
    facts = (machine.turbo, machine.smt, machine.n_numa_nodes, machine.frequency_max_hz, machine.memory_bytes)
    assert facts == (None, None, None, None, None)
    assert machine.clock_flags == ()


def test_a_loopback_that_is_down_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """By trying a connection, not by a flag."""
    assert loopback_works()

    def unreachable(*_args: object, **_kwargs: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("socket.create_connection", unreachable)
    assert not loopback_works()
