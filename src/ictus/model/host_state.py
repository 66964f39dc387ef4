"""The state of the hosts of a launch, as they say it themselves; model/host_checks.py judges it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ictus.model.quantity import parse_cpu_list

MIB = 1 << 20
SHM_BASE_BYTES = 16 * MIB
SHM_PER_RANK_BYTES = 8 * MIB
"""Shared memory that a launch needs on a host. Tried with tmpfs of 64 KiB to 128 MiB: at 2 ranks every library started
with 32 MiB and MPICH died of SIGBUS with 16, at 8 ranks with 64 and 32."""
BUSY = 0.25
"""Cores that others may use before it is worth a word."""
_TICK_S = 0.01
"""USER_HZ of Linux is 100 on every processor that we know of (proc(5), /proc/stat)."""

Cpus = frozenset[int]


def needed_shm(n_ranks: int) -> int:
    """Bytes of /dev/shm that ranks of one host need."""
    return SHM_BASE_BYTES + SHM_PER_RANK_BYTES * n_ranks


@dataclass(frozen=True)
class HostState:
    """One host. `unknown` and None: it does not say."""

    name: str
    cpu_model: str = "unknown"
    kernel: str = "unknown"
    library: str = "unknown"
    """The MPI library, in its own words."""
    governor: str = "unknown"
    turbo: str = "unknown"
    smt: str = "unknown"
    clocksource: str = "unknown"
    tsc_invariant: bool | None = None
    huge_pages: str = "unknown"
    shm_bytes: int | None = None
    container: str = "unknown"
    quota_cpus: float | None = None
    siblings: tuple[Cpus, ...] = ()
    """The CPUs of each core that has several."""
    ranks: tuple[Cpus, ...] = ()
    """The CPUs that each of its ranks may use."""
    pinned: bool = True
    """Whether ranks were to be pinned."""
    others: float | None = None
    """Cores that others used meanwhile, at the least."""

    @staticmethod
    def of(
        name: str, kind: Mapping[str, Any], cpus_allowed: Sequence[str], *, pinned: bool, others: float | None
    ) -> "HostState":
        """From the facts that launch.json and the documents of studies have of a host."""
        sets = {text: parse_cpu_list(text) for text in set(cpus_allowed)}  # few distinct ones
        texts = ("cpu_model", "kernel", "library", "governor", "turbo", "smt", "clocksource", "huge_pages", "container")
        return HostState(
            name=name,
            **{key: str(kind.get(key) or "unknown") for key in texts},
            tsc_invariant=kind.get("tsc_invariant"),
            shm_bytes=kind.get("shm_bytes"),
            quota_cpus=kind.get("quota_cpus"),
            siblings=tuple(parse_cpu_list(text) for text in kind.get("siblings") or ()),
            ranks=tuple(sets[text] for text in cpus_allowed),
            pinned=pinned,
            others=others,
        )

    @property
    def usable(self) -> Cpus:
        """The CPUs that its ranks may use."""
        return frozenset[int]().union(*self.ranks)

    def core_of(self, cpu: int) -> Cpus:
        """All CPUs of a core."""
        return next((core for core in self.siblings if cpu in core), frozenset({cpu}))

    @property
    def cores(self) -> int:
        """Cores that its ranks may use."""
        return len({self.core_of(cpu) for cpu in self.usable})

    @property
    def oversubscribed(self) -> bool:
        """Whether ranks take turns."""
        return bool(self.usable) and len(self.ranks) > len(self.usable)


def others_cores(busy_s: float | None, own_s: float, elapsed_s: float, n_ranks: int) -> float | None:
    """Cores that others used, at the least: the time of all CPUs without that of the ranks themselves, and without
    what rounding can add to it. The kernel counts in whole ticks, on the CPU of each rank user and system time apart.
    """
    if busy_s is None or elapsed_s <= 0:
        return None
    return max(busy_s - own_s - 2 * n_ranks * _TICK_S, 0.0) / elapsed_s
