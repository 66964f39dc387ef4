"""The state of all hosts of an allocation, or of those that a file names, by one short launch of the core on them."""

from collections.abc import Mapping
from typing import Any

from ictus.engine.event import Observer
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.host_state import HostState, others_cores
from ictus.model.written_rows import rows_of

_SHORTEST = {
    "clock": "monotonic",
    "sizes": "1",
    "repeats": "2",
    "links": "1",
    "matchings": "0",
    "quantum": "1ms",
    "quanta": "500",
}
"""Half a second of work on every rank, in which it is seen who else is there."""
TIMEOUT_S = 60.0
"""Of a launch: a hundred times what it takes, and short enough to try the next library."""
_RETRIES = 1
"""On some clusters one start in many fails (docs/how-to/clusters.md, pmi2)."""


def measured_hosts(
    n_nodes: int, n_ranks: int, library: str, launcher: str, observer: Observer
) -> tuple[HostState, ...]:
    """Each of `n_nodes` nodes with its state while `n_ranks` ranks, or one on each node where that is more, work on
    them.

    Raises UsageError, MeasurementError.
    """
    ppn = max(1, n_ranks // n_nodes)
    common = StudyOptions(
        mpi=library, launcher=launcher, processes=(ppn * n_nodes,), nodes=n_nodes, timeout_s=TIMEOUT_S
    )
    backend = prepare_study(common, observer)
    launch = StudyLaunch(backend, ("network", "state"), ppn * n_nodes, _SHORTEST, "the state of all hosts")
    (answer,) = run_study([launch], observer, retries=_RETRIES)
    return states_of(answer, pinned=common.pin)


def states_of(answer: Mapping[str, Any], *, pinned: bool) -> tuple[HostState, ...]:
    """The hosts of a study's answer; they are in the order of their first ranks."""
    places, ranks, hosts = answer["places"]["host"], rows_of(answer["ranks"]), rows_of(answer["hosts"])
    states = []
    for number, host in zip(sorted(set(places)), hosts, strict=True):
        host_ranks = [rank for rank, host_number in zip(ranks, places, strict=True) if host_number == number]
        times = [rank["cpu_time_s"] for rank in host_ranks]
        elapsed = max(rank["elapsed_s"] for rank in host_ranks)
        others = None if None in times else others_cores(host["busy_s"], sum(times), elapsed, len(host_ranks))
        allowed = [rank["cpus_allowed"] for rank in host_ranks]
        nodes = dict.fromkeys(rank["node"] for rank in host_ranks)
        states.append(HostState.of(", ".join(nodes), host, allowed, pinned=pinned, others=others))
    return tuple(states)
