"""MPICH: hydra launches and nothing needs to be set, but its ranks spin without yielding even when oversubscribed.

From release 5 a library initialised with MPI_THREAD_MULTIPLE yields while it waits (8 ms per barrier become 20 µs at 4
ranks on 2 cores, at about twice the latency of 2 ranks), and `MPIR_CVAR_DEFAULT_THREAD_LEVEL` turns that on for a
program that calls MPI_Init. It is set only when oversubscribed, and recorded with the launch. Release 4 ignores it and
stays slow.
"""

import re
from collections.abc import Mapping

from ictus.model.installation import Installation
from ictus.mpi.flavours import hydra
from ictus.mpi.flavours.flavour import Situation, lines_with


class Mpich:
    """MPICH and the hydra launcher that comes with it."""

    name = "mpich"
    summary = "MPICH, launched by hydra"
    wrapper_names = ("mpicxx", "mpic++")
    launcher_names = ("mpiexec", "mpiexec.hydra", "mpirun")
    version_arguments = ("-v",)
    version_pattern = re.compile(r"\bfor MPICH version (\S+)")
    build_info_arguments = ("mpichversion",)
    simulated = False

    def build_info(self, output: str) -> str:
        """Device, configuration and compilers as mpichversion prints them."""
        return lines_with(output, "MPICH Device:", "MPICH configure:", "MPICH CC:")

    def compile_environment(self, installation: Installation) -> dict[str, str]:  # noqa: ARG002
        """None: the wrapper finds itself."""
        return {}

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:  # noqa: ARG002
        """Yielding when oversubscribed."""
        return {"MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"} if situation.oversubscribed else {}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:  # noqa: ARG002
        """`-bind-to core`, or the list of cores, or unbound; the hosts where they are named."""
        ranks = ("-n", str(situation.n_ranks), "-bind-to", _binding(situation))
        return (*ranks, *hydra.places(situation.hosts, situation.n_ranks))

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """`-genv NAME VALUE`."""
        return hydra.exports(variables)


def _binding(situation: Situation) -> str:
    if not situation.pinned:
        return "none"
    if situation.cores is None:
        return "core"
    return "user:" + ",".join(map(str, situation.cores))
