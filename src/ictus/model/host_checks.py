"""What is wrong with the hosts of a launch: every check once, for `ictus doctor` and for launches.

A check says what was found, what it does to results, and how to mend it. What a host does not say is no finding.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ictus.model.host_state import BUSY, MIB, HostState, needed_shm

_SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "refined-jiffies")
"""Clock sources that are read over a bus."""
_MOST_NAMES = 3


@dataclass(frozen=True)
class HostFinding:
    """One thing that is wrong with some hosts."""

    level: Literal["error", "warning", "advice"]
    """`error`: launches will fail; `warning`: they suffer; `advice`: they could be better."""
    subject: str
    state: str
    """What was found."""
    effect: str
    """What it does to results."""
    remedy: str
    hosts: tuple[str, ...] = field(default=())

    @property
    def where(self) -> str:
        """`host n1`, `hosts n1, n2, n3 and 13 more`."""
        n_unnamed = len(self.hosts) - _MOST_NAMES
        names = ", ".join(self.hosts[:_MOST_NAMES]) + (f" and {n_unnamed} more" if n_unnamed > 0 else "")
        return f"host{'' if len(self.hosts) == 1 else 's'} {names}"

    @property
    def advice(self) -> str:
        """What follows, and what to do."""
        return f"{self.state}: {self.effect}; {self.remedy}"

    @property
    def sentence(self) -> str:
        """All in one."""
        return f"{self.where}: {self.advice}"


def check_hosts(hosts: Sequence[HostState]) -> tuple[HostFinding, ...]:
    """All findings, the gravest first; equal ones of several hosts are one."""
    names_of: dict[HostFinding, list[str]] = {}
    for host in hosts:
        for check in _CHECKS:
            for finding in check(host):
                names_of.setdefault(finding, []).append(host.name)
    shared = (replace(host_finding, hosts=tuple(dict.fromkeys(names))) for host_finding, names in names_of.items())
    order = ("error", "warning", "advice")
    return tuple(sorted((*_differences(hosts), *shared), key=lambda difference: order.index(difference.level)))


_DIFFERING: tuple[tuple[str, str, str, str], ...] = (
    ("cpu_model", "processors", "the slowest host sets the time of every collective", "ask for nodes of one kind"),
    ("kernel", "kernels", "schedulers and network stacks differ from host to host", "ask for nodes of one image"),
    ("library", "MPI libraries", "ranks may speak different protocols, or hang", "load one module on all nodes"),
    ("governor", "governors", "cores run at other speeds on other hosts", "set performance on all"),
    ("turbo", "turbo", "cores run at other speeds on other hosts", "switch it off on all"),
    ("smt", "hyperthreading", "ranks of some hosts share cores", "switch it on or off on all"),
    (
        "clocksource",
        "clock sources",
        "clocks of some hosts drift or cost more",
        "measure with --clock tsc or monotonic",
    ),
    ("huge_pages", "huge pages", "large messages take other times on other hosts", "set them alike on all"),
)


def _differences(hosts: Sequence[HostState]) -> Iterator[HostFinding]:
    """What is not the same on all hosts; named are those that differ from most."""
    for key, subject, effect, remedy in _DIFFERING:
        counts = Counter(value for host in hosts if (value := getattr(host, key)) != "unknown")
        if len(counts) < 2:
            continue
        commonest = counts.most_common(1)[0][0]
        differing = [host for host in hosts if getattr(host, key) not in (commonest, "unknown")]
        values = ", ".join(dict.fromkeys(_first_line(getattr(host, key)) for host in differing))
        yield HostFinding(
            "warning",
            subject,
            f"{values} here, {_first_line(commonest)} on {counts[commonest]} of {len(hosts)} hosts",
            effect,
            remedy,
            tuple(host.name for host in differing),
        )


def _first_line(text: str) -> str:
    return text.splitlines()[0].strip()


def _ranks(n: int) -> str:
    return "1 rank" if n == 1 else f"{n} ranks"


def _governor(host: HostState) -> Iterator[HostFinding]:
    if host.governor not in ("unknown", "performance"):
        yield HostFinding(
            "warning",
            "governor",
            f"frequency governor {host.governor}",
            "the speed of cores changes while measuring",
            "cpupower frequency-set -g performance, or --governor performance",
        )


def _turbo(host: HostState) -> Iterator[HostFinding]:
    if host.turbo == "on":
        yield HostFinding(
            "advice",
            "turbo",
            "turbo is on",
            "the speed of cores depends on temperature and on busy cores, so that launches differ",
            "switch it off (intel_pstate/no_turbo, cpufreq/boost) to compare runs of different days",
        )


def _hyperthreads(host: HostState) -> Iterator[HostFinding]:
    """Ranks that are on one core each, but not each on a core of its own."""
    cores = Counter(
        host.core_of(min(cpus)) for cpus in host.ranks if cpus and cpus <= host.core_of(min(cpus))
    )  # what may move between cores is no pinned rank
    shared = sum(n for core, n in cores.items() if len(core) > 1 and 1 < n <= len(core))
    if shared and not host.oversubscribed:
        yield HostFinding(
            "warning",
            "hyperthreads",
            f"{shared} ranks share cores as hyperthreads",
            "each slows the other while both compute or copy",
            "one rank a core: fewer --ppn, or --map-by core with the launcher's words for cores",
        )


def _oversubscription(host: HostState) -> Iterator[HostFinding]:
    if host.oversubscribed:
        yield HostFinding(
            "warning",
            "oversubscription",
            f"{len(host.ranks)} ranks on {len(host.usable)} CPU{'' if len(host.usable) == 1 else 's'} take turns",
            "times are the scheduler's, not the library's",
            f"at most {host.cores} rank{'' if host.cores == 1 else 's'} on this host",
        )


def _pinning(host: HostState) -> Iterator[HostFinding]:
    loose = sum(bool(cpus) and not cpus <= host.core_of(min(cpus)) for cpus in host.ranks)
    if loose and host.pinned and not host.oversubscribed:
        yield HostFinding(
            "warning",
            "pinning",
            f"{loose} of {len(host.ranks)} ranks may move between cores",
            "ranks meet on a core or lose their caches, and times vary more",
            "leave pinning on, and ask the launcher or the batch system for whole cores",
        )


def _huge_pages(host: HostState) -> Iterator[HostFinding]:
    if host.huge_pages == "always":
        yield HostFinding(
            "advice",
            "huge pages",
            "transparent huge pages always",
            "how fast large buffers are depends on how fragmented memory is, so that launches differ",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        )


def _shared_memory(host: HostState) -> Iterator[HostFinding]:
    needed = needed_shm(max(len(host.ranks), 1))
    if host.shm_bytes is not None and host.shm_bytes < needed:
        yield HostFinding(
            "error",
            "shared memory",
            f"{host.shm_bytes / MIB:.0f} MiB of shared memory, where {_ranks(len(host.ranks) or 1)} should have "
            f"{needed / MIB:.0f} MiB",
            "libraries may die of SIGBUS or go the long way over the network",
            "enlarge /dev/shm (docker run --shm-size=1g, mount -o remount,size=1g /dev/shm)",
        )


def _load(host: HostState) -> Iterator[HostFinding]:
    """Others who use cores that ranks need, or more than a tenth of the machine."""
    if host.others is None or host.others <= BUSY or not host.ranks:
        return
    if len(host.ranks) + host.others > host.cores or host.others > host.cores / 10:
        yield HostFinding(
            "warning",
            "load",
            f"others used {host.others:.1f} cores beside {_ranks(len(host.ranks))}",
            "they take time, caches and memory bandwidth from ranks",
            "ask for nodes alone (--exclusive), and end what runs there",
        )


def _clock(host: HostState) -> Iterator[HostFinding]:
    if host.tsc_invariant is False:
        yield HostFinding(
            "warning",
            "clock",
            "the time stamp counter is not invariant (constant_tsc, nonstop_tsc)",
            "its rate changes with the frequency of the core, and stamps are wrong",
            "measure with --clock monotonic",
        )
    if host.clocksource in _SLOW_CLOCKS:
        yield HostFinding(
            "warning",
            "clock",
            f"the kernel's clock source is {host.clocksource}",
            "MPI_Wtime and --clock monotonic take microseconds to read",
            "measure with --clock tsc if the processor has an invariant one",
        )


def _quota(host: HostState) -> Iterator[HostFinding]:
    if host.quota_cpus is not None:
        yield HostFinding(
            "warning",
            "quota",
            f"a control group limits us to {host.quota_cpus:.2f} CPUs (container: {host.container})",
            "ranks beyond that are stopped in mid-operation",
            "ask for as many CPUs as ranks, or run outside of the container",
        )


_CHECKS: tuple[Callable[[HostState], Iterator[HostFinding]], ...] = (
    _shared_memory,
    _oversubscription,
    _hyperthreads,
    _pinning,
    _governor,
    _clock,
    _quota,
    _load,
    _turbo,
    _huge_pages,
)
"""All checks of a single host."""
