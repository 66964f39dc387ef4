"""Looks for obstacles before a campaign starts: cheap checks, each with advice."""

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.model.host_state import BUSY, MIB, needed_shm
from ictus.model.library import Installation
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import Cores, allowed_cpus, loopback_works, shared_memory_free, usable_cores

_WATCH_S = 0.5


@dataclass(frozen=True)
class Finding:
    """Something to know or to do before measuring."""

    level: str
    """`error`: launches will fail; `warning`: they will run but suffer; `advice`: they could be better."""
    subject: str
    """What it is about: a word such as `shared memory`, or the label of a library."""
    message: str
    """What was found, and what to do next."""


@dataclass(frozen=True)
class Conditions:
    """The present state of the machine: the numbers behind findings."""

    cores: Cores
    shm_free_bytes: int | None
    loopback: bool
    busy_cores: float | None
    """Of the CPUs that we may use, what other processes and other guests of the host use, over half a second; None if
    unknown.
    """


def read_conditions(root: Path = Path("/")) -> Conditions:
    """Look now; takes half a second."""
    return Conditions(usable_cores(), shared_memory_free(root), loopback_works(), busy_cores(root))


def preflight(
    installations: Sequence[Installation],
    n_ranks: int,
    conditions: Conditions | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    repeated: bool = True,
) -> tuple[Finding, ...]:
    """Obstacles to launches of `n_ranks` on this host, the most severe first."""
    state = conditions or read_conditions()
    findings = [
        *_shared_memory(n_ranks, state),
        *_loopback(installations, state),
        *_too_many_ranks(installations, n_ranks, state),
        *_busy(n_ranks, state, repeated=repeated),
        *_library_path(installations, environ),
        *_filled_memory(os.environ if environ is None else environ),
    ]
    order = ("error", "warning", "advice")
    return tuple(sorted(findings, key=lambda finding: order.index(finding.level)))


def busy_cores(root: Path = Path("/"), watch_s: float = _WATCH_S) -> float | None:
    """How many of the CPUs that this process may use are in use by anyone, stolen time included, over `watch_s` of our
    own sleep. What runs on others does not disturb.
    """
    before = _busy_ticks(root)
    started = time.monotonic()
    time.sleep(watch_s)
    after = _busy_ticks(root)
    if before is None or after is None:
        return None
    return (after - before) / 100 / (time.monotonic() - started)  # USER_HZ is 100 on every Linux


def _busy_ticks(root: Path) -> int | None:
    """Ticks of these CPUs spent in user, nice, system, irq, softirq and steal (proc(5))."""
    ours = {f"cpu{number}" for number in allowed_cpus()}
    try:
        rows = [line.split() for line in (root / "proc/stat").read_text().splitlines() if line]
        cpu_times = [list(map(int, words)) for name, *words in rows if name in ours]
    except (OSError, ValueError):
        return None
    return sum(sum(fields[:3]) + sum(fields[5:8]) for fields in cpu_times) if cpu_times else None


def _shared_memory(n_ranks: int, state: Conditions) -> list[Finding]:
    needed = needed_shm(n_ranks)
    if state.shm_free_bytes is None or state.shm_free_bytes >= needed:
        return []
    message = (
        f"{state.shm_free_bytes / MIB:.0f} MiB free in /dev/shm, {n_ranks} ranks need about {needed / MIB:.0f} MiB: "
        "libraries may die of SIGBUS; enlarge it (docker run --shm-size=1g, mount -o remount,size=1g /dev/shm), "
        "or remove what MPI programs that crashed have left there (mpich_shm_*, sm_segment.*)"
    )
    return [Finding("error", "shared memory", message)]


def _loopback(installations: Sequence[Installation], state: Conditions) -> list[Finding]:
    if state.loopback:
        return []
    needing = [installation.label for installation in installations if flavour(installation.flavour).needs_loopback]
    level = "error" if needing else "advice"
    who = f"{', '.join(needing)} cannot start" if needing else "Open MPI could not start"
    return [Finding(level, "loopback", f"no connection over 127.0.0.1, so that {who}; do: ip link set lo up")]


def _too_many_ranks(installations: Sequence[Installation], n_ranks: int, state: Conditions) -> list[Finding]:
    if n_ranks <= state.cores.n:
        return []
    cores, most = _number(state.cores.n, "core"), f"-n {state.cores.n}{' or fewer' if state.cores.n > 1 else ''}"
    cores_advice = "more cores (taskset, the batch system) or " if state.cores.restricted else ""
    message = (
        f"{n_ranks} ranks on {cores} take turns: ranks are not pinned, libraries yield, and times are those of an "
        f"oversubscribed machine; {cores_advice}{most} gives the library's own"
    )
    findings = [Finding("warning", "cores", message)]
    for installation in installations:
        if not flavour(installation.flavour).yields(installation.version):
            spins = (
                f"{installation.label} {installation.version} cannot yield: every hop waits for "
                f"the scheduler, a barrier takes milliseconds; use a newer release, or at most "
                f"{_number(state.cores.n, 'rank')}"
            )
            findings.append(Finding("warning", installation.label, spins))
    return findings


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _busy(n_ranks: int, state: Conditions, *, repeated: bool) -> list[Finding]:
    if state.busy_cores is None or state.busy_cores <= BUSY:
        return []
    if n_ranks + state.busy_cores <= state.cores.n:
        return []
    follows = (
        "launches that they disturb are marked as contended and repeated"
        if repeated
        else "disturbed launches are reported and count; they are not repeated"
    )
    used = f"other processes use {state.busy_cores:.1f} of {_number(state.cores.n, 'core')}"
    message = f"{used}: {follows}; stop the other processes first"
    return [Finding("warning", "load", message)]


def _library_path(installations: Sequence[Installation], environ: Mapping[str, str] | None) -> list[Finding]:
    warnings = (
        (installation.label, warning)
        for installation in installations
        for warning in launch_environment(installation, {}, ambient=environ).warnings
    )
    return [Finding("warning", label, warning) for label, warning in warnings]


def _filled_memory(environ: Mapping[str, str]) -> list[Finding]:
    """Glibc fills what is allocated and freed (mallopt(3), M_PERTURB): a test for programs that read it."""
    if environ.get("MALLOC_PERTURB_", "") not in ("", "0"):
        name = "MALLOC_PERTURB_"
    elif re.search(r"glibc\.malloc\.perturb=(?!0(:|$))", environ.get("GLIBC_TUNABLES", "")):
        name = "GLIBC_TUNABLES"
    else:
        return []
    message = (
        f"{name}={environ[name]} has the C library fill all memory that a program allocates and frees: work that "
        f"ordinary runs do not have, and MPICH may not start under Slurm's pmi2; do: unset {name}"
    )
    return [Finding("warning", "memory", message)]
