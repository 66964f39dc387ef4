"""Shared by MPICH and Intel MPI, whose launchers are both hydra."""

from collections.abc import Mapping

from ictus.model.job import Hosts

LAUNCH_VARIABLES = (
    "PMI_", "PMI2_", "HYDI_", "HYDRA_LAUNCHER_", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
    "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
)  # fmt: skip
"""Beginnings of the names that hydra gives its ranks."""


def exports(variables: Mapping[str, str]) -> tuple[str, ...]:
    """`-genv NAME VALUE` for each variable, in the order of names."""
    return tuple(word for name in sorted(variables) for word in ("-genv", name, variables[name]))


def places(hosts: Hosts | None, n_ranks: int) -> tuple[str, ...]:
    """The hosts, how to get there and over which network; nothing where the launcher knows them."""
    if hosts is None:
        return ()
    way = ("-launcher", "rsh", "-launcher-exec", hosts.agent, "-iface", hosts.interface)
    return (*way, "-hosts", ",".join(hosts.addresses), "-ppn", str(hosts.ranks_per_host(n_ranks)))
