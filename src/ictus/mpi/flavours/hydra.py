"""Shared by MPICH and Intel MPI, whose launchers are both hydra."""

from collections.abc import Mapping

from ictus.model.job import Hosts
from ictus.mpi.flavours.flavour import Situation

RANK_VARIABLES = ("PMI_", "PMI2_", "MPI_LOCALRANKID", "MPI_LOCALNRANKS")
"""Beginnings of the names by which hydra tells each rank who it is."""
AFTERWORDS = (
    r"=+$",
    r"=   ",
    r"YOUR APPLICATION TERMINATED WITH THE EXIT STRING",
    r"This typically refers to a problem with your application",
    r"Please see the FAQ page for debugging suggestions",
    r"\[(mpiexec|proxy)[:@\w.-]*\] (HYDT_|HYD_|HYDI_|main |ui_cmd_cb|control_cb|fn_|PMIP?_|wait_for_completion)",
)
"""Beginnings of lines that hydra adds to every failure."""
LAUNCH_VARIABLES = (
    "PMI_", "PMI2_", "HYDI_", "HYDRA_LAUNCHER_", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
    "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
)  # fmt: skip
"""Beginnings of the names that hydra gives its ranks."""


def exports(variables: Mapping[str, str]) -> tuple[str, ...]:
    """`-genv NAME VALUE` for each variable, in the order of names."""
    return tuple(word for name in sorted(variables) for word in ("-genv", name, variables[name]))


def places(situation: Situation) -> tuple[str, ...]:
    """The hosts, how to get there and over which network, where they are named; ranks on each node. Hydra takes the
    hosts in turn, `-ppn` ranks at a time, and begins anew behind the last: with 1, each rank is on another node than
    the one before.
    """
    return (*_hosts(situation.hosts), *_names(situation), *_ranks_each(situation), *_sockets(situation))


def _hosts(hosts: Hosts | None) -> tuple[str, ...]:
    if hosts is None:
        return ()
    network = ("-iface", hosts.interface) if hosts.interface else ()
    return ("-launcher", "rsh", "-launcher-exec", hosts.agent, *network, "-hosts", ",".join(hosts.addresses))


def _names(situation: Situation) -> tuple[str, ...]:
    """The first nodes of an allocation that has more."""
    names = situation.node_names[: situation.nodes] if situation.hosts is None and situation.nodes else ()
    return ("-hosts", ",".join(names)) if names else ()


def _ranks_each(situation: Situation) -> tuple[str, ...]:
    if situation.map_by == "node":
        return ("-ppn", "1")
    if situation.hosts is not None:
        return ("-ppn", str(situation.ppn or situation.hosts.ranks_per_host(situation.n_ranks)))
    return ("-ppn", str(situation.ppn)) if situation.nodes else ()


def _sockets(situation: Situation) -> tuple[str, ...]:
    return ("-map-by", "socket") if situation.map_by == "socket" else ()
