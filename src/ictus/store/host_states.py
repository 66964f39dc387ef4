"""The state of the hosts of a launch, from its record."""

from collections import defaultdict

import numpy as np

from ictus.model.host_state import HostState, others_cores
from ictus.store.launch_record import LaunchRecord


def host_states(record: LaunchRecord, *, pinned: bool) -> tuple[HostState, ...]:
    """One for each host; `pinned` says whether ranks were to be."""
    ranks = record.ranks
    allowed: dict[int, list[str]] = defaultdict(list)
    for host, text in zip(ranks["host"].tolist(), ranks["cpus_allowed"].tolist(), strict=True):
        allowed[host].append(text.decode(errors="replace"))
    states = []
    for number, host in enumerate(record.hosts):
        host_ranks = ranks[ranks["host"] == number]
        spent = float(np.sum(host_ranks["cpu_time_s"])) if host_ranks.size else float("nan")
        elapsed = float(np.max(host_ranks["elapsed_s"])) if host_ranks.size else float("nan")
        is_known = np.isfinite(spent) and np.isfinite(elapsed)
        others = others_cores(host.busy_s, spent, elapsed, len(host_ranks)) if is_known else None
        states.append(HostState.of(host.name, host.kind, allowed[number], pinned=pinned, others=others))
    return tuple(states)
