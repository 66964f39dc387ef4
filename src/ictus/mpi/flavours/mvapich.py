"""MVAPICH2 and MVAPICH 3 and 4: hydra launches them, as for MPICH, their origin.

Their ranks bind themselves to cores by a map of their own. With more ranks than cores this map is refused, so binding
is switched off there. Which of their algorithms a call takes is not known.
"""

import re
from collections.abc import Mapping

from ictus.model.library import Installation
from ictus.mpi.flavours import hydra
from ictus.mpi.flavours.flavour import Flavour, SetVariable, Situation, lines_with


class Mvapich(Flavour):
    """MVAPICH with the hydra launcher that comes with it."""

    name = "mvapich"
    summary = "MVAPICH, launched by hydra"
    launcher_names = ("mpiexec", "mpiexec.hydra", "mpirun")
    version_pattern = re.compile(r"\bfor MVAPICH\S* version (\S+)")
    library_pattern = re.compile(r"^MVAPICH\S* Version\s*:\s*(\S+)", re.MULTILINE)
    build_info_arguments = ("mpichversion",)
    prefix_variables = ("MVAPICH2_HOME", "EBROOTMVAPICH2")
    steering_variables = ("MV2_", "MVP_", "MPIR_", "MPICH_", "HYDRA_")
    plugins = ("pmi2", "pmix")
    sets = tuple(
        SetVariable(f"{release}_{name}", when, why)
        for release in ("MV2", "MVP")
        for name, when, why in (
            ("ENABLE_AFFINITY", "always", "the library binds its ranks by itself: 1 to cores, 0 not at all"),
            ("CPU_MAPPING", "Ictus may not use all cores", "the cores to bind to"),
        )
    )
    algorithm_variables = re.compile(r"(MV2|MVP)_\w*(ALGO|_TUNING|COLL)|MPIR_CVAR_\w+_ALGORITHM")
    rank_variables = hydra.RANK_VARIABLES
    launch_variables = hydra.LAUNCH_VARIABLES
    afterwords = hydra.AFTERWORDS

    def build_info(self, output: str) -> str:
        """Device, configuration and compilers as mpichversion prints them."""
        return lines_with(output, "MVAPICH", "Device:", "configure:", "CC:")

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:
        """Binding by the library itself, to the cores that are named, or off. Releases 2 and 3 differ in the prefix."""
        beginning = "MV2" if installation.version.startswith("2") else "MVP"
        if not situation.pinned:
            return {f"{beginning}_ENABLE_AFFINITY": "0"}
        if situation.cores is None:
            return {f"{beginning}_ENABLE_AFFINITY": "1"}
        cores = ":".join(map(str, situation.cores[: situation.n_ranks]))
        return {f"{beginning}_ENABLE_AFFINITY": "1", f"{beginning}_CPU_MAPPING": cores}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:  # noqa: ARG002
        """The number of ranks, and hosts that are named; which cores is in the environment."""
        return ("-n", str(situation.n_ranks), *hydra.places(situation))

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """`-genv NAME VALUE`."""
        return hydra.exports(variables)
