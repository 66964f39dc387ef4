"""The record of one launch of the study of overlap, typed; times are in seconds. It also says whether ranks and
progress threads have a CPU each: where they share one, the scheduler decides the times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from ictus.model.document import Document, DocumentPart, Integers, Numbers, check_length
from ictus.model.quantity import parse_cpu_list
from ictus.studies.clocks.document import CoreAnswer, HostFacts, StudySetting


@dataclass(frozen=True)
class Crowding:
    """One host: what wants a CPU all the time, and the CPUs that it may use."""

    n_ranks: int
    n_threads: int
    """Progress threads."""
    n_cpus: int

    @property
    def is_crowded(self) -> bool:
        """Whether a rank or thread has to wait for a CPU."""
        return self.n_ranks + self.n_threads > self.n_cpus


def crowding_of(answer: "OverlapAnswer", thread: str) -> Crowding | None:
    """The most crowded host of a launch whose progress thread is `thread`; None where the launch does not say."""
    hosts = {facts.host: facts for facts in answer.hosts or ()}
    crowdings = [_host(answer, host, thread) for host in hosts.values()]
    measured = [crowding for crowding in crowdings if crowding is not None]
    return max(measured, key=lambda crowding: crowding.n_ranks + crowding.n_threads - crowding.n_cpus, default=None)


def _host(answer: "OverlapAnswer", host: HostFacts, thread: str) -> Crowding | None:
    allowed = [parse_cpu_list(rank.cpus_allowed) for rank in answer.ranks or () if rank.host == host.host]
    if not allowed or not all(allowed):
        return None
    # The library's thread inherits its rank's CPUs; ours is put elsewhere where `place` says so.
    cpus = frozenset.union(*allowed)
    n_cpus = len(cpus)
    if thread == "own":
        thread_place = "same" if answer.thread is None else answer.thread.place
        if thread_place == "any":
            if host.n_cpus is None:
                return None
            n_cpus = host.n_cpus
        else:
            n_cpus = len(cpus | parse_cpu_list(thread_place))
    return Crowding(len(allowed), 0 if thread == "none" else len(allowed), n_cpus)


class ProgressPlace(DocumentPart):
    """A progress thread of ours."""

    place: str = "same"


class MeanPhases(DocumentPart):
    """Means over the valid repetitions of a run, by rank."""

    compute_s: Numbers
    total_s: Numbers


class RunAnswer(DocumentPart):
    """One way through a case."""

    run: int
    compute: str
    intervals_bytes: tuple[int, ...]
    tests: int
    attempted: int
    valid: int
    alone_s: Numbers
    mean: MeanPhases


class CaseAnswer(DocumentPart):
    """One operation and size."""

    case_id: int
    operation: str
    size_bytes: int
    target_s: float
    runs: tuple[RunAnswer, ...]


class OverlapAnswer(CoreAnswer):
    """overlap.json of one launch."""

    FILE: ClassVar = "overlap.json"

    study: Literal["overlap"]
    thread: ProgressPlace | None = None
    threads: Integers
    """For each rank's process while it measured."""
    control_variables: dict[str, Any]
    cases: tuple[CaseAnswer, ...]

    @model_validator(mode="after")
    def _of_all_ranks(self) -> "OverlapAnswer":
        lists: dict[str, Sequence[object]] = {"threads": self.threads}
        for index, case in enumerate(self.cases):
            for number, run in enumerate(case.runs):
                where = f"cases.{index}.runs.{number}"
                lists[f"{where}.alone_s"] = run.alone_s
                lists |= {f"{where}.mean.{name}": getattr(run.mean, name) for name in ("compute_s", "total_s")}
        check_length(self.n_ranks, "rank", lists)
        return self


class OverlapSlot(DocumentPart):
    """One launch of a study, decided before the first."""

    number: int
    library: str
    n: int
    thread: str
    launch: int

    @property
    def folder(self) -> str:
        """Its folder's name."""
        return f"{self.number:04}-{self.library}-n{self.n}-{self.thread}"


class OverlapDocument(Document):
    """overlap.json of a study: the request."""

    FILE: ClassVar = "overlap.json"

    created: str = "unknown"
    plan: dict[str, Any]
    """The options of the core, and what varies between launches."""
    slots: tuple[OverlapSlot, ...]
    unavailable: tuple[str, ...] = ()
    """Requests that cannot be met, each as one sentence."""

    @property
    def began(self) -> str:
        """The start of the study."""
        return self.created


FloatArray = NDArray[np.float64]

PHASES = ("init", "test", "compute", "wait", "total", "overhead")

PHASE = np.dtype(
    [("case_id", "<u4"), ("run", "<u2"), ("repetition", "<u4"), ("flags", "<u2"), *((name, "<f8") for name in PHASES)]
)
"""One record of phases.npy (file-format.md)."""

BLOCKING = "none"
"""The compute kind of the run that is completed at once."""


@dataclass(frozen=True)
class RankMeans:
    """Means over the valid repetitions of a run, one entry a rank, shape (ranks,)."""

    compute_s: FloatArray
    total_s: FloatArray


@dataclass(frozen=True)
class OverlapRun:
    """One way through a case: computing by `time` or by `work`, with this number of progress calls; or the blocking
    operation.
    """

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
    """For each rank's process."""
    control_variables: Mapping[str, str]
    cases: tuple[CaseRuns, ...]
    crowding: Crowding | None = None
    """None where the launch does not say."""


@dataclass(frozen=True)
class OverlapStudy:
    """All launches, and the document that they were read from."""

    launches: tuple[OverlapLaunch, ...]
    document: OverlapDocument
    folder: Path = Path()

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.launches)
