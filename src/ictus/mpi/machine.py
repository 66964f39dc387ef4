"""Facts about this machine from /proc and /sys (`unknown` where a file does not say), and the cores that this process
may use, which decide pinning and whether a launch is oversubscribed.
"""

import os
import platform
import re
import shutil
import socket
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from ictus.launch.allocation import read_allocation
from ictus.model.quantity import parse_cpu_list


@dataclass(frozen=True)
class Cores:
    """Physical cores, each named by its first usable hardware thread."""

    ids: tuple[int, ...]
    """One CPU number for each physical core with a thread that this process may use."""
    n_cpus: int
    """Hardware threads that this process may use."""
    restricted: bool
    """Whether the machine has cores online that this process may not use (taskset, cpuset, a batch system)."""
    packages: tuple[str, ...] = ()
    """The package (socket) of each core; empty where the machine does not say."""

    @property
    def n(self) -> int:
        """Number of cores."""
        return len(self.ids)

    def in_turn(self, map_by: str) -> tuple[int, ...]:
        """The cores as consecutive ranks take them: one after the other, or `socket` after socket."""
        if map_by != "socket" or not self.packages:
            return self.ids
        turns: Counter[str] = Counter()
        order = []
        for core, package in zip(self.ids, self.packages, strict=True):
            order.append((turns[package], core))
            turns[package] += 1
        return tuple(core for _, core in sorted(order))


def usable_cores(sysfs: Path = Path("/sys/devices/system/cpu")) -> Cores:
    """The cores that this process may use now, from its affinity and the machine's topology.

    Where the system does not say the topology, each hardware thread counts as a core.
    """
    allowed = allowed_cpus()
    first: dict[frozenset[int], int] = {}
    for cpu in allowed:
        first.setdefault(_siblings(sysfs, cpu), cpu)
    online = parse_cpu_list(_read_text(sysfs / "online")) or frozenset(allowed)
    ids = tuple(sorted(first.values()))
    packages = tuple(_read_text(sysfs / f"cpu{core}" / "topology" / "physical_package_id").strip() for core in ids)
    known_packages = packages if all(packages) else ()
    return Cores(ids, len(allowed), restricted=not online <= set(allowed), packages=known_packages)


def allowed_cpus() -> list[int]:
    """The hardware threads that this process may use, by their numbers."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def cores_of_nodes() -> tuple[int, ...]:
    """The cores that ranks may use, node by node: those of the allocation where the batch system says it, else of this
    process.
    """
    allocation = read_allocation()
    return (usable_cores().n,) if allocation is None or not allocation.cores else allocation.cores


def _siblings(sysfs: Path, cpu: int) -> frozenset[int]:
    return parse_cpu_list(_read_text(sysfs / f"cpu{cpu}" / "topology" / "thread_siblings_list")) or frozenset({cpu})


def _read_text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def packages() -> int:
    """How many packages hold the cores of this process; 1 where the machine does not say."""
    return max(len(set(usable_cores().packages)), 1)


CLOCK_FLAGS = ("constant_tsc", "nonstop_tsc", "tsc_known_freq", "tsc_reliable", "rdtscp")
"""Properties of the processor that decide whether its time stamp counter is a clock."""


@dataclass(frozen=True)
class Machine:
    """Facts about this machine. None and `unknown` mean that it does not say."""

    host: str
    architecture: str
    kernel: str
    system: str
    cpu_model: str
    n_cores: int
    """Physical cores that this process may use."""
    n_cpus: int
    """Hardware threads that it may use."""
    n_cpus_online: int
    smt: bool | None
    n_numa_nodes: int | None
    clock_flags: tuple[str, ...]
    """Those of CLOCK_FLAGS that the processor has; only x86 has such flags."""
    clocksource: str
    huge_pages: str
    """Transparent ones: `always`, `madvise` or `never`."""
    governor: str
    turbo: bool | None
    frequency_min_hz: float | None
    frequency_max_hz: float | None
    memory_bytes: int | None
    shm_bytes: int | None
    """Size of /dev/shm."""
    shm_free_bytes: int | None
    loopback: bool
    """Whether a connection over 127.0.0.1 could be made."""
    load_average: float
    """Load of the last minute. It says little about the next one: see busy cores in `preflight`."""
    virtual: str
    """`none`, or what kind of virtual machine and container this is, for example `hypervisor, docker`."""
    python: str

    def record(self) -> dict[str, object]:
        """The facts as campaign.json keeps them."""
        return {**asdict(self), "clock_flags": list(self.clock_flags)}


def read_machine(root: Path = Path("/")) -> Machine:
    """The facts of this machine; `root` is where proc, sys and etc lie."""
    cpu = root / "sys/devices/system/cpu"
    cores = usable_cores(cpu)
    cpuinfo = _read(root / "proc/cpuinfo")
    flags = set(_field(cpuinfo, "flags").split())
    shm = _usage(root / "dev/shm")
    frequency = cpu / "cpu0/cpufreq"
    return Machine(
        host=socket.gethostname(),
        architecture=platform.machine(),
        kernel=platform.release(),
        system=_system(root),
        cpu_model=_field(cpuinfo, "model name") or platform.machine() or "unknown",
        n_cores=cores.n,
        n_cpus=cores.n_cpus,
        n_cpus_online=len(parse_cpu_list(_read(cpu / "online"))) or cores.n_cpus,
        smt=_flag(_read(cpu / "smt/active")),
        n_numa_nodes=len(parse_cpu_list(_read(root / "sys/devices/system/node/online"))) or None,
        clock_flags=tuple(flag for flag in CLOCK_FLAGS if flag in flags),
        clocksource=_read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource") or "unknown",
        huge_pages=_chosen(_read(root / "sys/kernel/mm/transparent_hugepage/enabled")),
        governor=_read(frequency / "scaling_governor") or "unknown",
        turbo=_turbo(cpu),
        frequency_min_hz=_khz(_read(frequency / "cpuinfo_min_freq")),
        frequency_max_hz=_khz(_read(frequency / "cpuinfo_max_freq")),
        memory_bytes=_memory(root),
        shm_bytes=shm.total if shm else None,
        shm_free_bytes=shm.free if shm else None,
        loopback=loopback_works(),
        load_average=os.getloadavg()[0],
        virtual=_virtual(root, flags),
        python=platform.python_version(),
    )


def loopback_works() -> bool:
    """Whether a connection to ourselves over 127.0.0.1 succeeds: Open MPI cannot start without."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=1.0).close()
    except OSError:
        return False
    return True


def shared_memory_free(root: Path = Path("/")) -> int | None:
    """Free bytes in /dev/shm, None where there is none."""
    usage = _usage(root / "dev/shm")
    return usage.free if usage else None


def _turbo(cpu: Path) -> bool | None:
    disabled = _flag(_read(cpu / "intel_pstate/no_turbo"))
    return _flag(_read(cpu / "cpufreq/boost")) if disabled is None else not disabled


def _chosen(choices: str) -> str:
    """What the kernel puts in brackets: `always [madvise] never`."""
    match = re.search(r"\[(\w+)\]", choices)
    return match[1] if match else "unknown"


def _system(root: Path) -> str:
    match = re.search(r'^PRETTY_NAME="?([^"\n]+)', _read(root / "etc/os-release"), re.MULTILINE)
    return match[1] if match else platform.system()


def _virtual(root: Path, flags: set[str]) -> str:
    kinds = ["hypervisor"] if "hypervisor" in flags else []
    control_groups = _read(root / "proc/1/cgroup")
    if (root / ".dockerenv").exists() or "docker" in control_groups:
        kinds.append("docker")
    elif (root / "run/.containerenv").exists():
        kinds.append("podman")
    elif re.search(r"kubepods|containerd|lxc", control_groups):
        kinds.append("container")
    if os.environ.get("APPTAINER_CONTAINER") or os.environ.get("SINGULARITY_CONTAINER"):
        kinds.append("apptainer")
    return ", ".join(kinds) or "none"


def _memory(root: Path) -> int | None:
    match = re.search(r"^MemTotal:\s+(\d+) kB", _read(root / "proc/meminfo"), re.MULTILINE)
    return int(match[1]) * 1024 if match else None


def _usage(folder: Path) -> "shutil._ntuple_diskusage | None":
    try:
        return shutil.disk_usage(folder)
    except OSError:
        return None


def _field(text: str, name: str) -> str:
    match = re.search(rf"^{re.escape(name)}\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1].strip() if match else ""


def _flag(text: str) -> bool | None:
    return {"0": False, "1": True}.get(text)


def _khz(text: str) -> float | None:
    return int(text) * 1e3 if text.isdigit() else None


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
