"""Whether ranks and progress threads have a CPU each. Where they take turns, times are the scheduler's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ictus.model.quantity import parse_cpu_list


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
