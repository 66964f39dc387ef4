"""Whether ranks and progress threads have a CPU each. Where they take turns, times are the scheduler's.

What one launch of the study of overlap measured, typed. Times are seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.quantity import parse_cpu_list
from ictus.studies.clocks.record import StudySetting


@dataclass(frozen=True)
class Crowding:
    """One host: what wants a CPU all the time, and the CPUs that it may use."""

    n_ranks: int
    n_threads: int
    """Progress threads."""
    n_cpus: int

    @property
    def is_crowded(self) -> bool:
        """Whether somebody has to wait."""
        return self.n_ranks + self.n_threads > self.n_cpus


def crowding_of(document: Mapping[str, Any], thread: str) -> Crowding | None:
    """The most crowded host of a launch whose progress thread is `thread`; None where the launch does not tell."""
    hosts = {str(one["host"]): one for one in document.get("hosts") or ()}
    found = [_host(document, host, name, thread) for name, host in hosts.items()]
    known = [one for one in found if one is not None]
    return max(known, key=lambda one: one.n_ranks + one.n_threads - one.n_cpus, default=None)


def _host(document: Mapping[str, Any], host: Mapping[str, Any], name: str, thread: str) -> Crowding | None:
    own = [one for one in document.get("ranks") or () if str(one["host"]) == name]
    allowed = [parse_cpu_list(str(one["cpus_allowed"])) for one in own]
    if not own or not all(allowed):
        return None
    # The library's thread inherits its rank's CPUs; ours is put elsewhere where `place` says so.
    cpus = frozenset.union(*allowed)
    n_cpus = len(cpus)
    if thread == "own":
        place = str((document.get("thread") or {}).get("place", "same"))
        n_cpus = int(host["n_cpus"]) if place == "any" else len(cpus | parse_cpu_list(place))
    return Crowding(len(own), 0 if thread == "none" else len(own), n_cpus)


FloatArray = NDArray[np.float64]

PHASES = ("init", "test", "compute", "wait", "total", "overhead")

PHASE = np.dtype(
    [("case_id", "<u4"), ("run", "<u2"), ("repetition", "<u4"), ("flags", "<u2"), *((name, "<f8") for name in PHASES)]
)
"""One record of phases.npy (docs/file-format.md)."""

BLOCKING = "none"
"""The compute kind of the run that is completed at once."""


@dataclass(frozen=True)
class RankMeans:
    """Means over the valid repetitions of a run, one entry a rank, shape (ranks,)."""

    compute_s: FloatArray
    total_s: FloatArray


@dataclass(frozen=True)
class OverlapRun:
    """One way through a case: computing by `time` or by `work`, with so many progress calls; or the blocking one."""

    compute: str
    intervals_bytes: tuple[int, ...]
    """Between progress calls, ascending: all that come to the same calls at this size; empty: there are none."""
    tests: int
    attempted: int
    valid: int
    alone_s: FloatArray
    """On each rank: what the computation takes by itself, shape (ranks,)."""
    means: RankMeans
    phases: Mapping[str, FloatArray]
    """Valid repetitions by the names of PHASES, shape (valid,); each the longest of any rank."""


@dataclass(frozen=True)
class CaseRuns:
    """One operation and size in one launch; the blocking run first."""

    operation: str
    size_bytes: int
    target_s: float
    """How long was computed."""
    runs: tuple[OverlapRun, ...]

    @property
    def blocking(self) -> OverlapRun:
        """The run whose time is T_b."""
        return self.runs[0]


@dataclass(frozen=True)
class OverlapLaunch:
    """One launch. `thread` says who else makes progress: `none`, `library` or `own`."""

    setting: StudySetting
    thread: str
    number: int
    """Launches of one number, one of each library and thread, were measured next to each other."""
    thread_level: str
    n_threads: tuple[int, ...]
    """Of each rank's process."""
    control_variables: Mapping[str, str]
    cases: tuple[CaseRuns, ...]
    crowding: Crowding | None = None
    """None where the launch does not tell."""


@dataclass(frozen=True)
class OverlapStudy:
    """All launches, and the document that they were read from."""

    launches: tuple[OverlapLaunch, ...]
    document: Mapping[str, Any]
    unavailable: tuple[str, ...] = ()
    """What was asked for and cannot be had, each as one sentence."""
