"""The cores that this process may use: what decides whether a launch is oversubscribed, and where ranks are pinned."""

import os
from dataclasses import dataclass
from pathlib import Path

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

    @property
    def n(self) -> int:
        """Number of cores."""
        return len(self.ids)

    @property
    def smt(self) -> bool:
        """Whether two usable hardware threads share a core."""
        return self.n_cpus > self.n


def usable_cores(sysfs: Path = Path("/sys/devices/system/cpu")) -> Cores:
    """The cores that this process may use now, from its affinity and the machine's topology.

    Where the topology is not told, each hardware thread counts as a core.
    """
    allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    first: dict[frozenset[int], int] = {}
    for cpu in allowed:
        first.setdefault(_siblings(sysfs, cpu), cpu)
    online = parse_cpu_list(_read(sysfs / "online")) or frozenset(allowed)
    return Cores(tuple(sorted(first.values())), len(allowed), restricted=not online <= set(allowed))


def _siblings(sysfs: Path, cpu: int) -> frozenset[int]:
    return parse_cpu_list(_read(sysfs / f"cpu{cpu}" / "topology" / "thread_siblings_list")) or frozenset({cpu})


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def packages() -> int:
    """How many packages the cores of this process are in; 1 where the machine does not tell."""
    paths = (Path(f"/sys/devices/system/cpu/cpu{core}/topology/physical_package_id") for core in usable_cores().ids)
    return max(len({path.read_text().strip() for path in paths if path.is_file()}), 1)
